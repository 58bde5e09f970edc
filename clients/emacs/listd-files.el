;;; listd-files.el --- The files of a folder as a list  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; `M-x listd-files' shows the files of a folder.  The list follows the folder, and stays put
;; under the person's hands.

;;; Code:

(require 'filenotify)
(require 'listd)

(defcustom listd-files-delay 0.05
  "Seconds after the last change of the folder until the list is refreshed.
Nil means that it is refreshed by \\<listd-mode-map>\\[revert-buffer] alone."
  :group 'listd
  :type '(choice (const :tag "Not by itself" nil) number))

(defvar-local listd-files--names nil "The names on disk by the items' ids.")
(defvar-local listd-files--watch nil)
(defvar-local listd-files--timer nil)
(defvar-local listd-files--busy nil "Whether a snapshot is on its way.")
(defvar-local listd-files--again nil "Whether another has to follow it.")

(define-derived-mode listd-files-mode listd-mode "Files"
  "The files of a folder, in a list.

\\{listd-files-mode-map}"
  (setq-local revert-buffer-function (lambda (&rest _) (listd-files-refresh)))
  (add-hook 'kill-buffer-hook #'listd-files--end nil t))

;;;###autoload
(defun listd-files (folder)
  "Show the files of FOLDER."
  (interactive "DFolder: ")
  (let* ((folder (file-name-as-directory (expand-file-name folder)))
         (buffer (listd-view (concat "files:" folder)
                             :name (format "*files %s*" folder)
                             :mode #'listd-files-mode
                             :templates '(:File "{name}  {size}" :Folder "{name}/")
                             :open #'listd-files--open)))
    (with-current-buffer buffer
      (setq default-directory folder)
      (when (and listd-files-delay (not listd-files--watch))
        (setq listd-files--watch
              (ignore-errors
                (file-notify-add-watch folder '(change)
                                       (lambda (_) (listd-files--soon buffer))))))
      (listd-files-refresh))
    (pop-to-buffer-same-window buffer)
    buffer))

(defun listd-files--end ()
  "End watching the folder."
  (when listd-files--timer
    (cancel-timer listd-files--timer))
  (when listd-files--watch
    (file-notify-rm-watch listd-files--watch)))

(defun listd-files--soon (buffer)
  "Refresh BUFFER when its folder has come to rest."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (when listd-files--timer
        (cancel-timer listd-files--timer))
      (setq listd-files--timer
            (run-with-timer listd-files-delay nil
                            (lambda ()
                              (when (buffer-live-p buffer)
                                (with-current-buffer buffer
                                  (listd-files-refresh)))))))))

(defun listd-files-refresh ()
  "Look at the folder and show what is there."
  (interactive nil listd-files-mode)
  (if listd-files--busy
      (setq listd-files--again t)
    (let ((items (listd-files--scan)))
      (setq listd-files--busy t)
      (condition-case err
          (listd-apply `(:sections [(:id "files" :selectionMode "multiple" :items ,items)])
                       (lambda (_)
                         (setq listd-files--busy nil)
                         (when listd-files--again
                           (setq listd-files--again nil)
                           (listd-files-refresh)))
                       (lambda (err)
                         (setq listd-files--busy nil)
                         (listd--warn 'applySnapshot err)))
        (error (setq listd-files--busy nil)
               (signal (car err) (cdr err)))))))

(defun listd-files--scan ()
  "The items of the folder, a vector, folders first.
An item is its inode, so that a file keeps its row when it gets another name."
  (setq listd-files--names (make-hash-table :test #'equal))
  (let (items)
    (dolist (file (directory-files-and-attributes default-directory nil nil t))
      (pcase-let ((`(,name . ,attributes) file))
        (unless (member name '("." ".."))
          (let* ((shown (listd-files--shown name))
                 (inode (format "%s" (file-attribute-inode-number attributes)))
                 ;; Another name of the same file is another row.
                 (id (if (gethash inode listd-files--names) (concat inode " " shown) inode))
                 (folder (eq (file-attribute-type attributes) t)))
            (puthash id name listd-files--names)
            (push `(:id ,id :name ,shown :template ,(if folder "Folder" "File")
                        ,@(unless folder
                            (list :size (listd-files--size (file-attribute-size attributes)))))
                  items)))))
    (vconcat
     (sort items (lambda (a b)
                   (let ((kind (plist-get a :template)) (other (plist-get b :template)))
                     (if (string= kind other)
                         (string< (plist-get a :name) (plist-get b :name))
                       (string= kind "Folder"))))))))

(defun listd-files--shown (name)
  "NAME in one line of proper characters."
  (mapconcat (lambda (char)
               (cond ((> char #x3fff7f) (format "\\%o" (- char #x3fff00)))
                     ((or (< char 32) (= char 127)) (format "^%c" (logxor char 64)))
                     (t (string char))))
             name ""))

(defun listd-files--size (bytes)
  "BYTES for people."
  (let ((units '("B" "K" "M" "G" "T")) (rest (float bytes)))
    (while (and (>= rest 1000) (cdr units))
      (setq rest (/ rest 1024) units (cdr units)))
    (format (if (and (< rest 10) (not (equal (car units) "B"))) "%.1f%s" "%.0f%s")
            rest (car units))))

(defun listd-files--open (item other-window)
  "Visit the file of ITEM, in OTHER-WINDOW if that is non-nil."
  (let ((path (expand-file-name (or (gethash (plist-get item :id) listd-files--names)
                                    (plist-get item :name)))))
    (cond ((file-directory-p path) (listd-files path))
          (other-window (find-file-other-window path))
          (t (find-file path)))))

(provide 'listd-files)
;;; listd-files.el ends here
