;;; listd-tree.el --- The files of a folder as a tree  -*- lexical-binding: t; -*-
;; SPDX-License-Identifier: Apache-2.0
;;; Commentary:
;; `M-x listd-tree' shows a folder.  RET and TAB expand folders, which the daemon reads then and watches.
;; `C-x C-q' edits the names, `C-c C-c' renames the files.
;;; Code:
(require 'listd)
(require 'listd-folders)
(defvar-local listd-tree--source nil "The list of all files that are known.")

(define-derived-mode listd-tree-mode listd-mode "Tree"
  "The files of a folder, as a tree."
  (add-hook 'kill-buffer-hook #'listd-tree--end nil t))

(defun listd-tree--end ()
  "Remove the list of the files."
  (listd-folders-close listd-tree--source))

(defun listd-tree--begin ()
  "Have the daemon read the folder, and show it with nothing expanded."
  (listd-folders-show listd-tree--source default-directory
                      '(:tree (:parent "parent") :sort [(:by "lazy" :order "descending")
                                                        (:by "name" :as "natural")])))

(defun listd-tree--refresh ()
  "Begin again if the daemon has ended."
  (unless (listd--runs listd--client)
    (listd--attach)
    (listd-tree--begin)))

(defun listd-tree--open (item other-window)
  "Expand the folder of ITEM, or visit the file, maybe in OTHER-WINDOW."
  (if (plist-get item :lazy)
      (listd-expand)
    (funcall (if other-window #'find-file-other-window #'find-file)
             (listd-folders-path default-directory item))))

(defun listd-tree--shown (item)
  "What a line shows of ITEM."
  (listd-folders-shown (plist-get item :name)))

(defun listd-tree--commit (changes)
  "Rename the files of CHANGES; return those that failed."
  (listd-folders-rename listd-tree--source default-directory changes))

;;;###autoload
(defun listd-tree (folder)
  "Show FOLDER as a tree."
  (interactive "DFolder: ")
  (let* ((folder (file-name-as-directory (expand-file-name folder)))
         (buffer (listd-view (format "tree of %d: %s" (emacs-pid) folder)
                             :name (format "*tree %s*" folder) :mode #'listd-tree-mode
                             :templates '(:Cell "{indent:  }{expanded:▾ |▸ |  }{name:line}")
                             :keys '(("TAB" . listd-expand))
                             :highlights '(("^ *[▾▸].*" . font-lock-function-name-face))
                             :open #'listd-tree--open :refresh #'listd-tree--refresh
                             :edit '(:commit listd-tree--commit :text listd-folders-name
                                             :shown listd-tree--shown))))
    (with-current-buffer buffer
      (unless listd-tree--source
        (setq default-directory folder
              listd-tree--source (format "files of %d.%s" (emacs-pid) (float-time)))
        (listd-tree--begin)))
    (pop-to-buffer-same-window buffer)
    buffer))

(provide 'listd-tree)
;;; listd-tree.el ends here
