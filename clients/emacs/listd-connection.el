;;; listd-connection.el --- A listd process and its messages  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; One message of JSON a line; replies are matched by id.  The library jsonrpc.el would decode all
;; ranges of a large selection with each message, and loads libraries whose objects make every
;; collection of garbage longer.

;;; Code:

(require 'cl-lib)
(require 'listd-selection)

(define-error 'listd-error "listd")

(defconst listd-connection--long 100000
  "Characters of a message that takes time to be read.")
(defconst listd-connection--garbage 8000000
  "Bytes of garbage that messages make before it is collected.")

(defconst listd-connection--ended '(:code -1 :message "Server died")
  "The error of requests that a daemon does not answer because it has ended.")

(cl-defstruct (listd-connection (:constructor listd-connection--make) (:copier nil))
  "A daemon, and what it was asked."
  process notified ended log-size
  (pending (make-hash-table)) ; (DONE OTHERWISE DUE) by id
  (last-id 0)
  features                    ; that the daemon has
  input                       ; a buffer with the line that has not ended
  messages                    ; that are not handled yet
  timer)

(defun listd-connection-start (name command log-size notified ended)
  "Start COMMAND, a list of strings, as the process NAME.
LOG-SIZE is how many characters of the messages are kept, nil for all.
NOTIFIED gets the method, a symbol, and the params of notifications.
ENDED is called with the connection after the end of the process, when
all requests have failed."
  (unless (executable-find (car command))
    (user-error "%s is not a program that can be run" (car command)))
  (let* ((connection (listd-connection--make :notified notified :ended ended :log-size log-size))
         ;; Emacs would wait before it reads what follows a short message.
         (process-adaptive-read-buffering nil))
    (with-current-buffer
        (setf (listd-connection-input connection) (generate-new-buffer (format " *%s input*" name) t))
      (buffer-disable-undo))
    (setf (listd-connection-process connection)
          (make-process :name name :command command :connection-type 'pipe
                        :coding 'utf-8-emacs-unix :noquery t
                        :stderr (get-buffer-create (format " *%s stderr*" name))
                        :filter (lambda (_ text)
                                  ;; A long message is handled without a collection, and needs one at most.
                                  (let ((gc-cons-threshold (max gc-cons-threshold
                                                                listd-connection--garbage)))
                                    (listd-connection--receive connection text)))
                        :sentinel (lambda (&rest _) (listd-connection--sentinel connection))))
    connection))

(defun listd-connection-running-p (connection)
  "Whether the process of CONNECTION runs."
  (process-live-p (listd-connection-process connection)))

;;;; Requests

(defun listd-connection--send (connection message)
  "Send MESSAGE, a plist, by CONNECTION."
  (let ((line (json-serialize message :null-object nil :false-object :json-false)))
    (listd-connection--log connection "-->" line)
    (process-send-string (listd-connection-process connection) (concat line "\n"))))

(defun listd-connection-notify (connection method &optional params)
  "Send the notification METHOD with PARAMS by CONNECTION."
  (listd-connection--send connection `(:jsonrpc "2.0" :method ,(symbol-name method)
                                                ,@(and params (list :params params)))))

(defun listd-connection-request (connection method params done otherwise timeout)
  "Ask for METHOD, a symbol, with PARAMS by CONNECTION.
DONE gets the result or OTHERWISE the error, also when the daemon ends or
has not answered for TIMEOUT seconds.  What is not JSON, or not sent
because the daemon has ended, is signalled."
  (let ((id (cl-incf (listd-connection-last-id connection)))
        (pending (listd-connection-pending connection)))
    ;; The process may end while the message is being sent.
    (puthash id (list done otherwise (+ (float-time) timeout)) pending)
    (condition-case err
        (listd-connection--send connection
                                `(:jsonrpc "2.0" :id ,id :method ,(symbol-name method)
                                           ,@(and params (list :params params))))
      (error
       (when (gethash id pending)
         (remhash id pending)
         (signal (car err) (cdr err)))))
    (listd-connection--watch connection timeout)
    id))

(defun listd-connection-call (connection method params timeout)
  "Ask for METHOD with PARAMS by CONNECTION, and wait for the result.
Signal an error as `listd-error', also after TIMEOUT seconds."
  (let (answer)
    (listd-connection-request connection method params
                              (lambda (result) (setq answer (list result)))
                              (lambda (err) (setq answer (list nil err)))
                              timeout)
    (while (null answer)
      ;; With the process, Emacs 28 never returns if that closes its output and runs on.
      (accept-process-output nil 0.002))
    (when (cdr answer)
      (signal 'listd-error (list method (plist-get (cadr answer) :message)
                                 (plist-get (cadr answer) :code))))
    (listd-selection-full (car answer))))

(defun listd-connection--ids (connection)
  "The ids of the pending requests of CONNECTION, ascending."
  (let (ids)
    (maphash (lambda (id _) (push id ids)) (listd-connection-pending connection))
    (sort ids #'<)))

(defun listd-connection--answer (connection id err &optional result)
  "Answer the request ID of CONNECTION, if it is pending, by ERR or RESULT."
  (pcase (gethash id (listd-connection-pending connection))
    (`(,done ,otherwise ,_)
     (remhash id (listd-connection-pending connection))
     (if err (funcall otherwise err) (funcall done result)))))

(defun listd-connection--watch (connection timeout)
  "Look in a while which requests of CONNECTION are overdue.
That is soon if TIMEOUT, in seconds, is short."
  (unless (listd-connection-timer connection)
    (setf (listd-connection-timer connection)
          (run-with-timer (max 0.02 (min 1 (/ timeout 4.0))) nil
                          #'listd-connection--overdue connection timeout))))

(defun listd-connection--overdue (connection timeout)
  "Fail the requests of CONNECTION that are overdue.
If others are pending, look again; TIMEOUT says when."
  (setf (listd-connection-timer connection) nil)
  (dolist (id (listd-connection--ids connection))
    (when (<= (nth 2 (gethash id (listd-connection-pending connection) '(0 0 0))) (float-time))
      (ignore-errors (listd-connection-notify connection '$/cancelRequest `(:id ,id)))
      (listd-connection--answer connection id '(:code -1 :message "no answer in time"))))
  (unless (= (hash-table-count (listd-connection-pending connection)) 0)
    (listd-connection--watch connection timeout)))

;;;; Messages

(defun listd-connection--receive (connection text)
  "Handle the messages of CONNECTION that TEXT, output of the daemon, completes.
After a long one that is done in the next turn of the command loop."
  (let ((long nil))
    (when (buffer-live-p (listd-connection-input connection))
      ;; Strings of parts of a long line would be garbage.
      (with-current-buffer (listd-connection-input connection)
        (goto-char (point-max))
        (save-excursion (insert text))
        (while (search-forward "\n" nil t)
          (setq long (or long (> (- (point) (point-min)) listd-connection--long)))
          (listd-connection--log connection "<--" (point-min) (point))
          (setf (listd-connection-messages connection)
                (nconc (listd-connection-messages connection)
                       (list (save-restriction
                               (narrow-to-region (point-min) (point))
                               (prog1 (ignore-errors (listd-selection-parse))
                                 (delete-region (point-min) (point-max))))))))))
    (if long
        (run-with-timer 0 nil #'listd-connection--handle-all connection)
      (listd-connection--handle-all connection))))

(defun listd-connection--handle-all (connection)
  "Handle the messages of CONNECTION that were received."
  ;; A function that waits for an answer may receive and handle what follows.
  (while (listd-connection-messages connection)
    (listd-connection--handle connection (pop (listd-connection-messages connection)))))

(defun listd-connection--handle (connection message)
  "Handle MESSAGE of CONNECTION, a plist.  It is nil if it cannot be read.
Replies are sent in the order of the requests: one without an id, or one
that cannot be read, is to the first one that is pending."
  (let ((method (plist-get message :method)) (id (plist-get message :id))
        (err (plist-get message :error)))
    (cond (method (funcall (listd-connection-notified connection) (intern method)
                           (plist-get message :params)))
          (id (listd-connection--answer connection id err (plist-get message :result)))
          ((setq id (car (listd-connection--ids connection)))
           (listd-connection--answer
            connection id (or err '(:code -1 :message "the reply is not JSON that Emacs reads")))))))

(defun listd-connection--sentinel (connection)
  "Fail what CONNECTION was asked, if its process has ended."
  (unless (listd-connection-running-p connection)
    (listd-connection--handle-all connection)
    (dolist (id (listd-connection--ids connection))
      (listd-connection--answer connection id listd-connection--ended))
    (kill-buffer (listd-connection-input connection))
    (funcall (listd-connection-ended connection) connection)))

;;;; The log

(defun listd-connection-log-buffer (connection)
  "The buffer with the latest messages of CONNECTION."
  (get-buffer-create (format "*%s log*" (process-name (listd-connection-process connection)))))

(defun listd-connection--log (connection direction &rest line)
  "Keep a message of CONNECTION with its DIRECTION and time.
LINE is what `insert-buffer-substring' takes after a buffer, or a string."
  (let ((most (listd-connection-log-size connection)) (from (current-buffer)))
    (unless (eql most 0)
      (with-current-buffer (listd-connection-log-buffer connection)
        (let ((inhibit-read-only t))
          (goto-char (point-max))
          (insert (format-time-string "%T.%3N ") direction " ")
          (if (stringp (car line))
              (insert (car line) "\n")
            (apply #'insert-buffer-substring from line))
          (when (and most (> (buffer-size) most))
            (delete-region (point-min) (- (point-max) most))))))))

(provide 'listd-connection)
;;; listd-connection.el ends here
