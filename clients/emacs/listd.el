;;; listd.el --- Lists in buffers, kept by listd  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0
;; Version: 1.0.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: convenience, tools

;;; Commentary:

;; listd is a daemon that keeps lists and tells, when one is given anew, the smallest change.  Here a
;; list is shown in a buffer that takes changes as text edits: point, markers, overlays and the
;; window's scroll position stay on their rows.  The row that point is on and the selected rows
;; are known to the daemon, and follow their items.
;;
;; `M-x listd-files' shows the files of a folder (see listd-files.el).  `listd-view' shows a list
;; of your own:
;;
;;     (require 'listd)
;;     (with-current-buffer (listd-view "fruit")
;;       (listd-apply '(:items ["apple" "banana"]))
;;       (pop-to-buffer (current-buffer)))

;;; Code:

(require 'cl-lib)
(require 'listd-client)
(require 'listd-buffer)

(defvar-local listd--open nil "Function of an item and whether in another window.")

(defvar listd-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'listd-open)
    (define-key map "o" #'listd-open-other-window)
    (define-key map (kbd "SPC") #'listd-toggle)
    (define-key map "m" #'listd-select)
    (define-key map "u" #'listd-deselect)
    (define-key map "x" #'listd-extend)
    (define-key map "A" #'listd-select-all)
    (define-key map "U" #'listd-select-none)
    (define-key map "t" #'listd-invert)
    map)
  "Keys of a buffer that shows a list.")

(define-derived-mode listd-mode special-mode "List"
  "A list that is kept by listd.
Changes come as edits of the lines that change; point and the
selected rows stay on their items.

\\{listd-mode-map}"
  (buffer-disable-undo)
  (setq truncate-lines t)
  (setq-local line-prefix (make-string (string-width listd-sign) ?\s))
  (add-hook 'post-command-hook #'listd--sync nil t)
  (add-hook 'kill-buffer-hook #'listd--close nil t))

;;;###autoload
(cl-defun listd-view (list &key name mode templates open)
  "A buffer that shows LIST; it is made if there is none.
NAME is the buffer's name, MODE its major mode, derived from
`listd-mode'.  TEMPLATES, a plist, is what `registerTemplates' gets.
OPEN is called with an item, a plist or what else it was, and whether
another window is wanted."
  (let ((buffer (gethash list listd--buffers)))
    (unless (buffer-live-p buffer)
      (listd-connection)
      (setq buffer (generate-new-buffer (or name (format "*%s*" list))))
      (with-current-buffer buffer
        (funcall (or mode #'listd-mode))
        (setq listd--list list listd--templates templates listd--open open
              listd--on-told #'listd--told listd--on-end #'listd--lost)
        (puthash list buffer listd--buffers)
        (listd--attach)))
    buffer))

(defun listd-apply (snapshot &optional done otherwise)
  "Show SNAPSHOT in the current buffer's list.
It is a plist of what `applySnapshot' takes.  DONE gets the change,
OTHERWISE an error.  Where the daemon has died, another is started."
  (unless (and listd--client (jsonrpc-running-p listd--client))
    (listd--attach))
  (listd--ask 'applySnapshot `(:list ,listd--list ,@snapshot) done otherwise))

;;;; Commands

(defun listd--act (action)
  "Do ACTION of `select' with the rows of the region, or the row at point."
  (let ((lines (if (use-region-p)
                   (number-sequence (listd--line-at (region-beginning))
                                    (listd--line-at (max (region-beginning) (1- (region-end)))))
                 (list (listd--line-at (point))))))
    (deactivate-mark)
    (listd--rows lines
                 (lambda (rows)
                   (listd--ask 'select `(:list ,listd--list :action ,action :items ,rows)))
                 (lambda (changed)
                   (if changed
                       (message "The list has just changed, nothing is selected"))))))

(defun listd-toggle ()
  "Select or deselect the row that point is on, or the rows of the region."
  (interactive nil listd-mode)
  (listd--act "toggle"))

(defun listd-select ()
  "Select the row and go to the next line, or select the rows of the region."
  (interactive nil listd-mode)
  (let ((region (use-region-p)))
    (listd--act "select")
    (unless region (forward-line 1))))

(defun listd-deselect ()
  "Deselect the row and go to the next line, or deselect the rows of the region."
  (interactive nil listd-mode)
  (let ((region (use-region-p)))
    (listd--act "deselect")
    (unless region (forward-line 1))))

(defun listd-extend ()
  "Select from the row that was selected last to the one that point is on."
  (interactive nil listd-mode)
  (listd--act "extend"))

(defun listd-select-all ()
  "Select all rows."
  (interactive nil listd-mode)
  (listd--ask 'select `(:list ,listd--list :action "all")))

(defun listd-select-none ()
  "Select no row."
  (interactive nil listd-mode)
  (listd--ask 'select `(:list ,listd--list :action "none")))

(defun listd-invert ()
  "Select the rows that are not selected, and deselect those that are."
  (interactive nil listd-mode)
  (listd--ask 'select `(:list ,listd--list :action "invert")))

(defun listd-open (&optional other-window)
  "Open the item that point is on, in OTHER-WINDOW if that is non-nil."
  (interactive nil listd-mode)
  (listd--row (lambda (row _line _text-revision)
                (listd--ask 'locate `(:list ,listd--list :paths [,(plist-get row :path)])
                            (lambda (found)
                              (let ((place (aref (plist-get found :paths) 0)))
                                (when (and place listd--open)
                                  (funcall listd--open (plist-get place :content) other-window))))))
              #'ignore))

(defun listd-open-other-window ()
  "Open the item that point is on in another window."
  (interactive nil listd-mode)
  (listd-open t))

(defun listd-selected (done)
  "Call DONE with the items that are selected, a vector."
  (listd--ask 'getSelection `(:list ,listd--list)
              (lambda (told) (funcall done (plist-get told :items)))))

(provide 'listd)
;;; listd.el ends here
