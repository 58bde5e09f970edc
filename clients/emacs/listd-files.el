;;; listd-files.el --- The files of a folder as a list  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; `M-x listd-files' shows the files of a folder.  The list follows the folder, and stays put
;; under the person's hands.  A file keeps its row when it gets another name or is replaced by a
;; new one.

;;; Code:

(require 'listd)
(require 'listd-folders)

(defvar-local listd-files--source nil "The list that the daemon fills.")

(define-derived-mode listd-files-mode listd-mode "Files"
  "The files of a folder, in a list.

\\{listd-files-mode-map}"
  (add-hook 'kill-buffer-hook #'listd-files--end nil t))

;;;###autoload
(defun listd-files (folder)
  "Show the files of FOLDER."
  (interactive "DFolder: ")
  (let* ((folder (file-name-as-directory (expand-file-name folder)))
         (buffer (listd-view (format "files of %d: %s" (emacs-pid) folder)
                             :name (format "*files %s*" folder)
                             :mode #'listd-files-mode
                             :templates '(:File "{name:line}  {size:bytes}" :Folder "{name:line}/"
                                                :Link "{name:line} -> {target:line}")
                             :open #'listd-files--open
                             :refresh #'listd-files-refresh)))
    (with-current-buffer buffer
      (setq default-directory folder listd-restarts t)
      (unless listd-files--source
        (setq listd-files--source (format "files of %d.%s" (emacs-pid) (float-time)))
        (listd-files--begin)))
    (pop-to-buffer-same-window buffer)
    buffer))

(defun listd-files--begin ()
  "Have the daemon read the folder, and show its files."
  (listd-folders-show listd-files--source default-directory
                      '(:sort [(:by "lazy" :order "descending") (:by "name")])
                      :identity "name" :templates t))

(defun listd-files--end ()
  "Remove the list of the files."
  (listd-folders-close listd-files--source))

(defun listd-files-refresh ()
  "Begin again if the daemon has ended."
  (interactive nil listd-files-mode)
  (unless (listd--runs listd--client)
    (listd--attach)
    (listd-files--begin)))

(defun listd-files--open (item other-window)
  "Visit the file of ITEM, in OTHER-WINDOW if that is non-nil."
  (let ((path (listd-folders-path default-directory item)))
    (cond ((file-directory-p path) (listd-files path))
          (other-window (find-file-other-window path))
          (t (find-file path)))))

(provide 'listd-files)
;;; listd-files.el ends here
