;;; listd-tree.el --- The files of a folder as a tree  -*- lexical-binding: t; -*-
;; SPDX-License-Identifier: Apache-2.0
;;; Commentary:
;; `M-x listd-tree' shows a folder.  RET and TAB expand folders, which are read then and watched.
;; `C-x C-q' edits the names, `C-c C-c' renames the files.
;;; Code:
(require 'listd)
(require 'listd-filetree)
(require 'listd-renaming)
(defvar-local listd-tree--files nil "What is known of the files.")
(defvar-local listd-tree--source nil "The list of all files that are known.")

(define-derived-mode listd-tree-mode listd-mode "Tree"
  "The files of a folder, as a tree."
  (setq listd-expanded-function #'listd-tree--expanded)
  (add-hook 'kill-buffer-hook #'listd-tree--end nil t))

(defun listd-tree--end ()
  "End watching, and remove the list of the files."
  (listd-filetree-close listd-tree--files)
  (when (listd--runs listd--client)
    (listd--ask 'removeList `(:list ,listd-tree--source) #'ignore #'ignore)))

(defun listd-tree--begin ()
  "Show what is known of the files, with nothing expanded."
  (let ((items (and listd-tree--files (vconcat (listd-filetree-items listd-tree--files)))))
    (listd--ask 'applySnapshot `(:list ,listd-tree--source :sections
                                       [(:id "files" :items ,(or items []) :selectionMode "multiple")])))
  (listd-compose `(:sources [,listd-tree--source]
                            :view (:tree (:parent "parent") :sort [(:by "lazy" :order "descending")
                                                                   (:by "name" :as "natural")]))))

(defun listd-tree--edit (buffer edit)
  "Make EDIT of the files that BUFFER shows."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (listd--ask 'editSnapshot `(:list ,listd-tree--source :edits [,edit] :format "none")
                  #'ignore #'ignore))))

(defun listd-tree--refresh ()
  "Look at the folders again."
  (unless (listd--runs listd--client)
    (listd--attach)
    (listd-tree--begin))
  (listd-filetree-refresh listd-tree--files))

(defun listd-tree--expanded (items)
  "Read the folders of ITEMS, which were expanded."
  (seq-doseq (id items)
    (listd-filetree-look listd-tree--files id)))

(defun listd-tree--open (item other-window)
  "Expand the folder of ITEM, or visit the file, maybe in OTHER-WINDOW."
  (if (plist-get item :lazy)
      (listd-expand)
    (funcall (if other-window #'find-file-other-window #'find-file)
             (listd-filetree-path listd-tree--files (plist-get item :id)))))

(defun listd-tree--name (item)
  "The name of the file of ITEM."
  (listd-filetree-name listd-tree--files (plist-get item :id)))

(defun listd-tree--commit (changes)
  "Rename the files of CHANGES; return those that failed."
  (let* ((files listd-tree--files)
         (rename (lambda (change)
                   (let ((id (plist-get change :id)))
                     (list change (listd-filetree-path files id) (plist-get change :text)
                           (listd-filetree-inode files id)))))
         (failed (listd-rename-files (mapcar rename changes))))
    (dolist (change (seq-remove (lambda (change) (assq change failed)) changes))
      (listd-filetree-renamed files (plist-get change :id) (plist-get change :text)))
    (listd-filetree-refresh files)
    failed))

;;;###autoload
(defun listd-tree (folder)
  "Show FOLDER as a tree."
  (interactive "DFolder: ")
  (let* ((folder (file-name-as-directory (expand-file-name folder)))
         (buffer (listd-view (concat "tree:" folder)
                             :name (format "*tree %s*" folder) :mode #'listd-tree-mode
                             :templates '(:File "{indent:  }{expanded:▾ |▸ |  }{name}")
                             :keys '(("TAB" . listd-expand))
                             :highlights '(("^ *[▾▸].*" . font-lock-function-name-face))
                             :open #'listd-tree--open :refresh #'listd-tree--refresh
                             :edit '(:commit listd-tree--commit :text listd-tree--name))))
    (with-current-buffer buffer
      (unless listd-tree--files
        (setq default-directory folder
              listd-tree--source (format "files of %d.%s" (emacs-pid) (float-time)))
        (listd-tree--begin)
        (setq listd-tree--files (listd-filetree-new folder (apply-partially #'listd-tree--edit buffer)))))
    (pop-to-buffer-same-window buffer)
    buffer))

(provide 'listd-tree)
;;; listd-tree.el ends here
