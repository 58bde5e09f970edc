;;; listd-client.el --- The connection to listd  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; One daemon serves all lists of this Emacs, unless lists or templates of the same name need several.
;; It is started when it is needed, and what it reports of a list goes to the buffer of that list.

;;; Code:

(require 'cl-lib)
(require 'seq)
(require 'listd-connection)

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

(defcustom listd-connect nil
  "The socket of a daemon that other programs use, too.
It can also be a list of all words after `listd connect'.  Nil means
that this Emacs has daemons of its own."
  :type '(choice (const :tag "Own daemons" nil) (file :tag "Socket")
                 (repeat :tag "Words" string)))

(defcustom listd-log-size 0
  "How many characters of the traffic with the daemon `listd-log' remembers.
Nil means all, 0 none: remembering takes longer than all else.  It is
looked at when a daemon is started."
  :type '(choice (const :tag "All" nil) natnum))

(defcustom listd-timeout 30
  "Seconds that a request waits for its answer."
  :type 'number)

(defconst listd--folder
  (file-name-directory (file-truename (or load-file-name buffer-file-name default-directory)))
  "Where this file is, links followed.")

(defvar listd--connection nil "The daemon that lists without a namespace share.")
(defvar listd--closing nil "The connection that is being closed.")

(defvar-local listd--list nil "The list that the buffer shows.")
(defvar-local listd--namespace nil "Buffers with the same one share daemons.")
(defvar-local listd--templates nil "The templates of the list, a plist.")
(defvar-local listd--client nil "The connection that the buffer follows its list by.")
(defvar-local listd--shared nil "Whether other programs may have the list, too.")
(defvar-local listd--on-notification #'ignore
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

;;;; Daemons

(cl-defstruct (listd--daemon (:constructor listd--make-daemon))
  "A daemon and who uses it.
Names of lists and templates are for all its lists."
  connection namespace
  (buffers (make-hash-table :test #'equal))   ; by the names of their lists
  (templates (make-hash-table :test #'equal)))

(defvar listd--daemons nil "What is known of the daemons that run.")

(defun listd--runs (connection)
  "Whether CONNECTION can be asked."
  (and connection (listd-connection-running-p connection) (not (eq connection listd--closing))))

(defun listd--start (namespace)
  "Start a daemon for NAMESPACE."
  (let ((command (append (listd-find) (and listd-connect '("connect")) (ensure-list listd-connect)))
        (daemon (listd--make-daemon :namespace namespace)) connection)
    (setq connection
          (listd-connection-start "listd" command listd-log-size
                                  (lambda (method params) (listd--notified daemon method params))
                                  (lambda (connection) (listd--ended daemon connection))))
    (setf (listd--daemon-connection daemon) connection)
    (setq listd--daemons
          (cons daemon (seq-filter (lambda (other)
                                     (listd-connection-running-p (listd--daemon-connection other)))
                                   listd--daemons)))
    (listd-connection-request connection 'initialize
                              `(:processId ,(emacs-pid) :clientInfo (:name "Emacs"))
                              (lambda (server)
                                (setf (listd-connection-features connection)
                                      (append (plist-get (plist-get server :capabilities) :features) nil)))
                              #'ignore listd-timeout)
    (listd-connection-notify connection 'initialized)
    daemon))

(defun listd-connection ()
  "The connection to the daemon that lists share.
The daemon is started when it is needed."
  (unless (listd--runs listd--connection)
    (setq listd--connection (listd--daemon-connection (listd--start nil))))
  listd--connection)

(defun listd--all-templates ()
  "The templates of this buffer's list, an alist of strings.
It has those that need no registering, too."
  (let ((all (list (cons "Cell" "{text}") (cons "Header" "{text}") (cons "Footer" "{text}"))))
    (cl-loop for (name text) on listd--templates by #'cddr
             do (setf (alist-get (substring (symbol-name name) 1) all nil nil #'equal) text))
    all))

(defun listd--fits (daemon)
  "Whether this buffer's list and templates do not clash with others of DAEMON."
  (let ((other (gethash listd--list (listd--daemon-buffers daemon))))
    (and (or (not (buffer-live-p other)) (eq other (current-buffer)))
         (seq-every-p (lambda (template)
                        (equal (cdr template)
                               (gethash (car template) (listd--daemon-templates daemon)
                                        (cdr template))))
                      (listd--all-templates)))))

(defun listd--connect ()
  "The connection for this buffer's list.
It is to a daemon with which no other buffer uses its names."
  (unless listd--namespace
    (listd-connection))
  (let ((daemon (or (seq-find (lambda (daemon)
                                (and (equal (listd--daemon-namespace daemon) listd--namespace)
                                     (listd--runs (listd--daemon-connection daemon))
                                     (listd--fits daemon)))
                              (reverse listd--daemons))
                    (listd--start listd--namespace))))
    (setq listd--shared (and listd-connect t))
    (puthash listd--list (current-buffer) (listd--daemon-buffers daemon))
    (dolist (template (listd--all-templates))
      (puthash (car template) (cdr template) (listd--daemon-templates daemon)))
    (listd--daemon-connection daemon)))

(defun listd--leave ()
  "Forget this buffer, which is killed."
  (dolist (daemon listd--daemons)
    (when (eq (gethash listd--list (listd--daemon-buffers daemon)) (current-buffer))
      (remhash listd--list (listd--daemon-buffers daemon)))))

(defun listd-call (method params)
  "Ask the daemon and wait: the result of METHOD with PARAMS, a plist.
An error of the daemon is signalled as `listd-error'."
  (listd-connection-call (listd-connection) method params listd-timeout))

(defun listd-stop ()
  "End the daemons; the next thing that needs one starts another."
  (interactive)
  (dolist (connection (delete-dups (delq nil (cons listd--connection
                                                   (mapcar #'listd--daemon-connection
                                                           listd--daemons)))))
    (when (listd-connection-running-p connection)
      (setq listd--closing connection)
      (ignore-errors (listd-connection-call connection 'shutdown nil 2))
      (ignore-errors (listd-connection-notify connection 'exit))
      (with-timeout (2 (delete-process (listd-connection-process connection)))
        (while (listd-connection-running-p connection)
          (accept-process-output nil 0.01))))))

(defun listd-log ()
  "Show the latest messages to and from the daemon.
There are none if `listd-log-size' is 0."
  (interactive)
  (when (eql listd-log-size 0)
    (message "Nothing is remembered: set `listd-log-size', then `listd-stop'"))
  (pop-to-buffer (listd-connection-log-buffer (listd-connection))))

(defvar-local listd-restarts nil "Whether another daemon is started when one has ended.")
(defvar-local listd--restarted 0 "When that was done last.")

(defun listd--restart (buffer)
  "Start another daemon for BUFFER if that wants it, unless that was done just now."
  (when (and listd-restarts (> (float-time) (+ listd--restarted 10)))
    (setq listd--restarted (float-time))
    (run-with-timer 0 nil (lambda ()
                            (when (buffer-live-p buffer)
                              (with-current-buffer buffer
                                (unless (listd--runs listd--client)
                                  (revert-buffer))))))))

(defun listd--ended (daemon connection)
  "Report that DAEMON of CONNECTION has ended."
  (unless (eq connection listd--closing)
    (maphash (lambda (_ buffer)
               (when (buffer-live-p buffer)
                 (with-current-buffer buffer
                   (funcall listd--on-end)
                   (listd--restart buffer))))
             (listd--daemon-buffers daemon))
    (display-warning
     'listd "listd has ended; the lists show what they were, refreshing starts anew")))

(defun listd--notified (daemon method params)
  "Hand the notification METHOD with PARAMS of DAEMON to its buffer."
  (let ((buffer (gethash (plist-get params :list) (listd--daemon-buffers daemon))))
    (cond ((buffer-live-p buffer)
           (with-current-buffer buffer
             (listd--guard listd--on-notification method params)))
          ((and (eq method 'window/logMessage) (<= (plist-get params :type) 2))
           (display-warning 'listd (plist-get params :message))))))

;;;; Requests

(defun listd--guard (function &rest arguments)
  "Call FUNCTION with ARGUMENTS.
Its errors are reported and affect no other callback."
  (condition-case err
      (apply function arguments)
    ((debug error) (message "listd: %s" (error-message-string err)))))

(defun listd--ask (method params &optional done otherwise)
  "Ask for METHOD with PARAMS.
DONE gets the result, in this buffer, or OTHERWISE the error.  Without
OTHERWISE, an error is a warning.  Params that are not JSON are
signalled."
  (let ((buffer (current-buffer)) (client listd--client))
    (cl-flet ((here (function argument)
                (when (and (buffer-live-p buffer) (eq client (buffer-local-value 'listd--client buffer)))
                  (with-current-buffer buffer
                    (listd--guard function argument)))))
      (condition-case err
          (listd-connection-request
           client method params (lambda (result) (here (or done #'ignore) result))
           (lambda (err) (here (or otherwise (lambda (err) (listd--warn method err))) err))
           listd-timeout)
        (error
         (if (and client (listd-connection-running-p client))
             (error "listd: %s: params are not JSON: %s" method (error-message-string err))
           ;; The process is dead, and that is reported elsewhere.
           (here (or otherwise #'ignore) listd-connection--ended)))))))

(defun listd--warn (method err)
  "Report the error ERR of METHOD.
That the daemon is dead is reported elsewhere, once."
  (unless (equal err listd-connection--ended)
    (message "listd: %s: %s" method (plist-get err :message))))

(provide 'listd-client)
;;; listd-client.el ends here
