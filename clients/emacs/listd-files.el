;;; listd-files.el --- The files of a folder as a list  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; `M-x listd-files' shows the files of a folder.  The list follows the folder, and stays put
;; under the person's hands.  A file keeps its row when it gets another name or is replaced by a
;; new one.

;;; Code:

(require 'filenotify)
(require 'listd)
(require 'listd-folder)
(require 'listd-renaming)
(require 'seq)

(defcustom listd-files-delay 0.05
  "Seconds from a change of the folder until the list shows it.
Nil means that it is refreshed by \\<listd-mode-map>\\[revert-buffer] alone."
  :group 'listd
  :type '(choice (const :tag "Not by itself" nil) number))

(defconst listd-files--many 100
  "Files that change at once, from which on the whole folder is read again.")

(defvar-local listd-files--folder nil "What is known of the folder.")
(defvar-local listd-files--watch nil)
(defvar-local listd-files--timer nil)
(defvar-local listd-files--busy nil "Whether a change of the list is on its way.")
(defvar-local listd-files--whole nil "Whether the whole folder has to be read.")
(defvar-local listd-files--changed nil "The names of files that have changed.")

(define-derived-mode listd-files-mode listd-mode "Files"
  "The files of a folder, in a list.

\\{listd-files-mode-map}"
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
                             :open #'listd-files--open
                             :refresh #'listd-files-refresh)))
    (with-current-buffer buffer
      (setq default-directory folder)
      (unless listd-files--folder
        (listd-renaming-restore folder)
        (setq listd-files--folder (listd-folder-new folder)))
      (when (and listd-files-delay (not listd-files--watch))
        (setq listd-files--watch
              (ignore-errors
                (file-notify-add-watch folder '(change)
                                       (lambda (event) (listd-files--soon buffer event))))))
      (listd-files-refresh))
    (pop-to-buffer-same-window buffer)
    buffer))

(defun listd-files--end ()
  "End watching the folder."
  (when listd-files--folder
    (listd-folder-close listd-files--folder))
  (when listd-files--timer
    (cancel-timer listd-files--timer))
  (when listd-files--watch
    (file-notify-rm-watch listd-files--watch)))

(defun listd-files--soon (buffer event)
  "Look at what EVENT reports in a while, for BUFFER."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (pcase-let ((`(,_ ,action ,file . ,rest) event))
        (unless (eq action 'stopped)
          (dolist (path (cons file (seq-filter #'stringp rest)))
            (let ((name (file-name-nondirectory path)))
              (unless (or (equal name "") (member name listd-files--changed))
                (push name listd-files--changed))))
          (unless listd-files--timer
            (setq listd-files--timer
                  (run-with-timer listd-files-delay nil
                                  (lambda ()
                                    (when (buffer-live-p buffer)
                                      (with-current-buffer buffer
                                        (setq listd-files--timer nil)
                                        (listd-files--look))))))))))))

(defun listd-files-refresh ()
  "Look at the folder and show what is there."
  (interactive nil listd-files-mode)
  (setq listd-files--whole t)
  (listd-files--look))

(defun listd-files--look ()
  "Look at what has changed, unless a change of the list is on its way."
  (unless listd-files--busy
    (let ((names listd-files--changed) (folder listd-files--folder))
      (setq listd-files--busy t listd-files--changed nil)
      (condition-case err
          (if (or listd-files--whole (nthcdr listd-files--many names)
                  (not (listd--runs listd--client)))
              (progn
                (setq listd-files--whole nil)
                (listd-folder-read
                 folder (current-buffer)
                 (lambda ()
                   (listd-apply `(:sections [(:id "files" :selectionMode "multiple"
                                                  :items ,(listd-folder-items folder))])
                                #'listd-files--looked #'listd-files--failed))))
            (let ((edits (listd-folder-edits folder names)))
              (if (= (length edits) 0)
                  (setq listd-files--busy nil)
                (listd--change 'editSnapshot `(:edits ,edits) #'listd-files--looked
                               #'listd-files--failed))))
        (error (setq listd-files--busy nil listd-files--whole t)
               (signal (car err) (cdr err)))))))

(defun listd-files--looked (_)
  "Go on when a change has been shown."
  (setq listd-files--busy nil)
  (when (or listd-files--whole listd-files--changed)
    (listd-files--look)))

(defun listd-files--failed (err)
  "Read the whole folder again: the list is not what was thought, as ERR says."
  (setq listd-files--busy nil listd-files--whole t)
  (listd--warn 'applySnapshot err)
  (when (plist-get err :data)
    (listd-files--look)))

(defun listd-files--open (item other-window)
  "Visit the file of ITEM, in OTHER-WINDOW if that is non-nil."
  (let ((path (expand-file-name (or (listd-folder-name listd-files--folder (plist-get item :id))
                                    (plist-get item :name)))))
    (cond ((file-directory-p path) (listd-files path))
          (other-window (find-file-other-window path))
          (t (find-file path)))))

(provide 'listd-files)
;;; listd-files.el ends here
