;;; listd-client.el --- The connection to listd  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; One daemon serves all lists of this Emacs.  It is started when it is needed, and what it tells of
;; a list goes to the buffer of that list.

;;; Code:

(require 'cl-lib)
(require 'jsonrpc)

(defgroup listd nil
  "Lists in buffers, kept by listd."
  :group 'convenience
  :prefix "listd-")

(defcustom listd-command nil
  "The daemon's command and its arguments.
Nil means the program that the environment variable LISTD names,
or else `listd' on the variable `exec-path', or else the build
folder of the checkout that this file is in."
  :type '(choice (const :tag "Find it" nil) (repeat :tag "Command" string)))

(defcustom listd-log-size 200000
  "How many characters of the traffic with the daemon `listd-log' remembers.
Nil means all, 0 none."
  :type '(choice (const :tag "All" nil) natnum))

(defconst listd--folder (file-name-directory (or load-file-name buffer-file-name default-directory))
  "Where this file is.")

(defvar listd--connection nil "The daemon of this Emacs.")
(defvar listd--closing nil "The connection that is being closed.")
(defvar listd--buffers (make-hash-table :test #'equal) "Buffers by the names of their lists.")

(defvar-local listd--client nil "The connection that the buffer follows its list by.")
(defvar-local listd--on-told #'ignore
  "Function of the method and params of a notification of the buffer's list.")
(defvar-local listd--on-end #'ignore
  "Function that is called when the daemon has ended.")

(defun listd-find ()
  "The daemon's command, a list of strings."
  (let* ((build (lambda (kind) (expand-file-name (format "../../.build/%s/listd" kind) listd--folder)))
         (named (getenv "LISTD")))
    (cond (listd-command)
          ((and named (not (string= named ""))) (list named))
          ((executable-find "listd") (list "listd"))
          ((file-executable-p (funcall build "release")) (list (funcall build "release")))
          ((file-executable-p (funcall build "debug")) (list (funcall build "debug")))
          (t (user-error "There is no listd: set `listd-command' or LISTD, or build it")))))

(defun listd-connection ()
  "The connection to the daemon of this Emacs, which is started when it is needed."
  (unless (and listd--connection (jsonrpc-running-p listd--connection)
               (not (eq listd--connection listd--closing)))
    (let ((command (listd-find)))
      (unless (executable-find (car command))
        (user-error "%s is no program that can be run" (car command)))
      (setq listd--connection
            (jsonrpc-process-connection
             :name "listd"
             :events-buffer-scrollback-size listd-log-size
             :notification-dispatcher #'listd--notified
             :on-shutdown #'listd--ended
             :process (lambda ()
                        (make-process :name "listd" :command command :connection-type 'pipe
                                      :coding 'utf-8-emacs-unix :noquery t
                                      :stderr (get-buffer-create " *listd stderr*"))))))
    (jsonrpc-async-request listd--connection 'initialize
                           `(:processId ,(emacs-pid) :clientInfo (:name "Emacs"))
                           :success-fn #'ignore :error-fn #'ignore)
    (jsonrpc-notify listd--connection 'initialized nil))
  listd--connection)

(defun listd-call (method params)
  "Ask the daemon and wait: the result of METHOD with PARAMS, a plist.
An error of the daemon is signalled as `jsonrpc-error'."
  (jsonrpc-request (listd-connection) method params))

(defun listd-stop ()
  "End the daemon; the next thing that needs one starts another."
  (interactive)
  (let ((connection listd--connection))
    (when (and connection (jsonrpc-running-p connection))
      (setq listd--closing connection)
      (ignore-errors (jsonrpc-request connection 'shutdown nil :timeout 2))
      (ignore-errors (jsonrpc-notify connection 'exit nil))
      (with-timeout (2 (delete-process (jsonrpc--process connection)))
        (while (jsonrpc-running-p connection)
          (accept-process-output nil 0.01))))))

(defun listd-log ()
  "Show the latest messages to and from the daemon."
  (interactive)
  (pop-to-buffer (jsonrpc-events-buffer (listd-connection))))

(defun listd--ended (connection)
  "Tell that the daemon of CONNECTION is gone."
  (unless (eq connection listd--closing)
    (maphash (lambda (_ buffer)
               (with-current-buffer buffer (funcall listd--on-end)))
             listd--buffers)
    (display-warning
     'listd "listd has ended; the lists show what they were, refreshing starts anew")))

(defun listd--notified (_connection method params)
  "Hand the notification METHOD with PARAMS to the buffer of its list."
  (let ((buffer (gethash (plist-get params :list) listd--buffers)))
    (cond ((buffer-live-p buffer)
           (with-current-buffer buffer (funcall listd--on-told method params)))
          ((and (eq method 'window/logMessage) (<= (plist-get params :type) 2))
           (display-warning 'listd (plist-get params :message))))))

(defun listd--ask (method params &optional done otherwise)
  "Ask for METHOD with PARAMS.
DONE gets the result, in this buffer, or OTHERWISE the error.  Where
nobody minds, an error is a warning."
  (let ((buffer (current-buffer)) (client listd--client))
    (cl-flet ((here (function argument)
                (when (and (buffer-live-p buffer) (eq client (buffer-local-value 'listd--client buffer)))
                  (with-current-buffer buffer (funcall function argument)))))
      (condition-case nil
          (jsonrpc-async-request
           client method params
           :success-fn (lambda (result) (here (or done #'ignore) result))
           :error-fn (lambda (err)
                       (here (or otherwise (lambda (err) (listd--warn method err))) err))
           :timeout-fn (lambda ()
                         (here (or otherwise (lambda (err) (listd--warn method err)))
                               '(:code -1 :message "no answer in time"))))
        ;; The process is dead, and that is told elsewhere.
        (error (here (or otherwise #'ignore) '(:code -1 :message "Server died")))))))

(defun listd--warn (method err)
  "Tell the error ERR of METHOD, but for a dead daemon's, which is told once."
  (unless (equal (plist-get err :message) "Server died")
    (display-warning 'listd (format "%s: %s" method (plist-get err :message)))))

(provide 'listd-client)
;;; listd-client.el ends here
