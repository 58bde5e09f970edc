;;; listd-client-tests.el --- The daemon's death and its end  -*- lexical-binding: t; -*-

;;; Commentary:

;; What waits when the daemon dies, and what a list does after that.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'jsonrpc)
(require 'listd-harness)

;; Promise: Pending requests fail if the daemon dies, and the next refresh starts another.
(ert-deftest listd-tests-pending ()
  "What waits fails when the daemon dies."
  (listd-stop)
  (let* ((listd-command '("sleep" "60")) (listd--connection nil) failed)
    (with-temp-buffer
      (setq listd--client (listd-connection))
      (dotimes (_ 2)
        (listd--ask 'getText '(:list "l") #'ignore (lambda (err) (push err failed))))
      (kill-process (listd-connection-process listd--client))
      (cl-letf (((symbol-function 'display-warning) #'ignore))
        (listd-tests-wait "the end" (lambda () (= (length failed) 2))))
      (should (equal (plist-get (car failed) :message) "Server died")))))

(ert-deftest listd-tests-death ()
  "The daemon's death is reported, and refreshing starts anew."
  (listd-tests-with listd-tests-six
    (listd-tests-go "date")
    (listd-tests-settle)
    (let ((client listd--client) refused warned)
      (listd--ask 'getSnapshot '(:list "nowhere") #'ignore (lambda (err) (push err refused)))
      (listd-tests-settle)
      (should (eql (plist-get (car refused) :code) -31001))
      (kill-process (listd-connection-process client))
      (cl-letf (((symbol-function 'display-warning)
                 (lambda (_type message &rest _) (push message warned))))
        (listd-tests-wait "the warning" (lambda () warned)))
      (should (equal (length warned) 1))
      (should (= (listd--count) 6))
      (rename-file (funcall file "apple") (funcall file "zebra"))
      (listd-tests-refresh "the change, by another daemon"
                           (lambda () (member "zebra  1B" (listd-tests-lines))))
      (should-not (eq client listd--client))
      (should (equal (listd-tests-line) "date  4B"))
      (listd-toggle)
      (listd-tests-settle)
      (should (equal (listd-tests-marked) '("date  4B"))))))

(ert-deftest listd-tests-jsonrpc ()
  "Emacs's own library for JSON-RPC, which frames messages by their length, is a client."
  (let* (changes
         (connection (jsonrpc-process-connection
                      :name "stranger"
                      :notification-dispatcher (lambda (_ method params) (push (cons method params) changes))
                      :process (lambda ()
                                 (make-process :name "stranger" :command (listd-find)
                                               :connection-type 'pipe :coding 'utf-8-emacs-unix
                                               :noquery t)))))
    (jsonrpc-request connection 'subscribe '(:list "l"))
    (should (eql (plist-get (jsonrpc-request connection 'applySnapshot '(:list "l" :items ["é" "日本"]))
                            :revision)
                 1))
    ;; In Emacs 28 the end of a request throws out of the filter, which goes on at the next output.
    (should-error (jsonrpc-request connection 'getSnapshot '(:list "m")) :type 'jsonrpc-error)
    (listd-tests-wait "the notification" (lambda () changes))
    (should (eq (caar changes) 'didChange))
    (jsonrpc-request connection 'shutdown nil)
    (jsonrpc-notify connection 'exit nil)
    (listd-tests-wait "the end" (lambda () (not (jsonrpc-running-p connection))))))

(ert-deftest listd-tests-zz-stop ()
  "The daemon ends when it is asked to."
  (let ((connection (listd-connection)))
    (listd-stop)
    (should-not (listd-connection-running-p connection))
    (should (= (process-exit-status (listd-connection-process connection)) 0))))

;;; listd-client-tests.el ends here
