;;; listd-shared-tests.el --- Lists that other programs have, too  -*- lexical-binding: t; -*-

;;; Commentary:

;; The option `listd-connect'.

;;; Code:

(require 'ert)
(require 'listd-files)
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

(defun listd-tests-lists-of (pid)
  "The lists of folders that the Emacs with PID shows."
  (sort (seq-filter (lambda (list) (string-match-p (format "\\`files of %d[.:]" pid) list))
                    (mapcar (lambda (list) (plist-get list :list))
                            (plist-get (listd-call 'getLists nil) :lists)))
        #'string<))

(ert-deftest listd-tests-folders-of-many-editors ()
  "A folder's lists go with its buffer, and its view with an Emacs that is killed."
  (listd-stop)
  (let* ((folder (make-temp-file "listd" t))
         (socket (expand-file-name "s" folder))
         (listd-connect socket))
    (listd-tests-run (format "connect --start %s --exit-when-idle 20 </dev/null" socket))
    (listd-tests-with '(("apple" . 1))
      (should (= (length (listd-tests-lists-of (emacs-pid))) 2))
      (kill-buffer)
      (should-not (listd-tests-lists-of (emacs-pid)))
      (let* ((other (start-process
                     "other" nil "emacs" "-Q" "--batch" "-L" "clients/emacs" "-l" "listd-files" "--eval"
                     (format "(let ((listd-connect %S)) (listd-files %S) (while t (accept-process-output nil 1)))"
                             socket dir)))
             (pid (process-id other)) lists)
        (set-process-query-on-exit-flag other nil)
        (listd-tests-wait "the view" (lambda () (= (length (setq lists (listd-tests-lists-of pid))) 2)))
        (signal-process pid 'SIGKILL)
        (listd-tests-wait "its end" (lambda () (= (length (listd-tests-lists-of pid)) 1)))
        ;; The daemon goes on to follow the folder.
        (should (seq-every-p (lambda (list) (not (string-suffix-p dir list))) (listd-tests-lists-of pid)))))
    (listd-stop)))

(ert-deftest listd-tests-without-temporary-lists ()
  "A daemon that has no temporary lists gets none."
  (listd-stop)
  (let ((listd-command (list "sh" "-c" (format "%s | sed -u s/compose.temporary/another/" (car (listd-find)))))
        (listd-log-size 10000))
    (listd-tests-with '(("apple" . 1))
      (let ((log (with-current-buffer (listd-connection-log-buffer listd--client) (buffer-string))))
        (should (string-search "\"compose\"" log))
        (should-not (string-search "\"temporary\"" log))))
    (listd-stop)))

;;; listd-shared-tests.el ends here
