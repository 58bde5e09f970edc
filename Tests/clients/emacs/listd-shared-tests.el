;;; listd-shared-tests.el --- Lists that other programs have, too  -*- lexical-binding: t; -*-

;;; Commentary:

;; The option `listd-connect'.

;;; Code:

(require 'ert)
(require 'listd-harness)

(defun listd-tests-run (words)
  "What the program prints that WORDS are the command line of."
  (let ((shell-file-name "/bin/bash"))
    (with-temp-buffer
      (let ((code (call-process-shell-command (concat (car (listd-find)) " " words) nil t)))
        (unless (equal code 0)
          (error "%s: %s" words (buffer-string))))
      (buffer-string))))

(ert-deftest listd-tests-shared ()
  "A list of a daemon that listens changes here and there, and outlives its buffer."
  (listd-stop)
  (let* ((folder (make-temp-file "listd" t))
         (socket (expand-file-name "s" folder))
         (listd-connect socket)
         (process-environment (cons (concat "LISTD_SOCKET=" socket) process-environment)))
    (listd-tests-run (format "connect --start %s --exit-when-idle 20 </dev/null" socket))
    (listd-tests-run "set jobs --key-field 1 <<<$'1 build\\n2 test\\n3 lint'")
    (with-current-buffer (listd-view "jobs")
      (listd-tests-wait "the list" (lambda () (equal (length (listd-tests-lines)) 3)))
      (listd-tests-settle)
      (set-window-buffer nil (current-buffer))
      (listd-tests-go "2 test")
      (listd-tests-settle)
      (listd-tests-run "set jobs --key-field 1 <<<$'4 new\\n3 lint\\n2 test, failed'")
      (listd-tests-wait "the change" (lambda () (equal (car (listd-tests-lines)) "4 new")))
      (listd-tests-settle)
      (should (equal (listd-tests-lines) '("4 new" "3 lint" "2 test, failed")))
      (should (equal (listd-tests-line) "2 test, failed"))
      (listd-apply '(:items [(:id 5 :text "mine")]))
      (listd-tests-settle)
      (should (equal (listd-tests-run "get jobs --text") "mine\n"))
      (kill-buffer))
    (should (equal (listd-tests-run "get jobs --text") "mine\n"))
    (listd-stop)
    (should (equal (listd-tests-run "get jobs --text") "mine\n"))))

;;; listd-shared-tests.el ends here
