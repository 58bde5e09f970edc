;;; listd-examples-tests.el --- The examples, used as a person would  -*- lexical-binding: t; -*-

;;; Commentary:

;; A repository, and processes.

;;; Code:

(require 'ert)
(require 'listd-harness)

(require 'listd-git)
(require 'listd-pick)
(require 'listd-processes)

(defun listd-tests-type (pattern keys)
  "Go to PATTERN, and type KEYS there."
  (goto-char (point-min))
  (re-search-forward pattern)
  (beginning-of-line)
  (run-hooks 'post-command-hook)
  (listd-tests-settle)
  (execute-kbd-macro (kbd keys)))

(defun listd-tests-shows (&rest lines)
  "Wait until the buffer shows LINES."
  (ignore-errors (listd-tests-wait "the lines" (lambda () (equal (listd-tests-lines) lines))))
  (should (equal (listd-tests-lines) lines))
  (listd-tests-settle))

(ert-deftest listd-tests-short ()
  "The examples are short."
  (dolist (library '("listd-git" "listd-pick" "listd-processes" "listd-tree"))
    (with-temp-buffer
      (insert-file-contents (locate-library (concat library ".el")))
      (should (< (count-lines (point-min) (point-max)) 100)))))

(ert-deftest listd-tests-git ()
  "Hunks one by one."
  (let* ((default-directory (file-name-as-directory (make-temp-file "listd" t)))
         (directory default-directory)
         (lines (mapcar (lambda (i) (format "line %d" i)) (number-sequence 1 30)))
         (write (lambda () (write-region (concat (string-join lines "\n") "\n") nil "poem" nil 'quiet))))
    (cl-flet ((git (&rest arguments)
                (let ((default-directory directory))
                  (listd-git--run (append '("-c" "user.name=A" "-c" "user.email=a@b") arguments)))))
      (unwind-protect
          (progn
            (funcall write)
            (git "init" "-q")
            (git "add" ".")
            (git "commit" "-qm" "A poem")
            (setf (nth 2 lines) "line three" (nth 26 lines) "line twenty-seven")
            (funcall write)
            (write-region "x\n" nil "new file" nil 'quiet)
            (listd-git directory)
            (listd-tests-shows "staged (0)" "unstaged (1)" "  M poem" "untracked (1)" "  + new file")
            (listd-tests-type "poem" "TAB")
            (listd-tests-wait "the hunks" (lambda () (> (listd--count) 10)))
            (let* (failed (fails (lambda (&rest arguments) (push arguments failed))))
              (advice-add 'user-error :before fails)
              (listd-tests-type "^\\+line three" "u") ; it is not staged
              (listd-tests-settle)
              (advice-remove 'user-error fails)
              (should-not failed))
            (listd-tests-type "^\\+line twenty-seven" "s")
            (listd-tests-shows "staged (1)" "  M poem" "unstaged (1)" "  M poem" "@@ -1,6 +1,6 @@" " line 1"
                               " line 2" "-line 3" "+line three" " line 4" " line 5" " line 6"
                               "untracked (1)" "  + new file")
            (should (string-match-p "twenty" (git "diff" "--cached")))
            (should-not (string-match-p "three" (git "diff" "--cached")))
            (listd-tests-type "new file" "s")
            (listd-tests-wait "the new file" (lambda () (equal (nth 1 (listd-tests-lines)) "  A new file")))
            (listd-tests-type "poem" "u")
            (listd-tests-wait "the poem"
                              (lambda () (equal (git "diff" "--cached" "--name-only") "new file\n")))
            (listd-tests-type "^unstaged" "TAB")
            (listd-tests-shows "staged (1)" "  A new file" "unstaged (1)" "untracked (0)")
            (kill-buffer))
        (delete-directory directory t)))))

(ert-deftest listd-tests-processes ()
  "Point and the selection stay on their processes."
  (let* ((process (make-process :name "sleep" :command '("sleep" "600") :noquery t))
         (pid (process-id process)) (line (format "^ *%d .*sleep$" pid)))
    (listd-processes)
    (listd-tests-wait "the processes" (lambda ()
                                        (goto-char (point-min))
                                        (re-search-forward line nil t)))
    (listd-tests-type line "SPC")
    (listd-tests-settle)
    (let ((end (+ (float-time) 1.3)))
      (while (< (float-time) end)
        (accept-process-output nil 0.05)))
    (should (string-match-p line (listd-tests-line)))
    (should (equal (mapcar (lambda (item) (plist-get item :id)) (listd-selected)) (list pid)))
    (execute-kbd-macro "K")
    (listd-tests-wait "the end" (lambda () (not (process-live-p process))))
    (kill-buffer)))

(ert-deftest listd-tests-pick ()
  "A choice among 100,000 lines, with marks that survive the query."
  (let* ((dir (file-name-as-directory (make-temp-file "listd" t)))
         (lines '(mapcar (lambda (n) (format "line %d of é日" n)) (number-sequence 1 100000)))
         (code `(let ((chosen (listd-pick ,lines "Lines: ")))
                  (with-temp-file ,(concat dir "new") (prin1 chosen (current-buffer)))
                  (rename-file ,(concat dir "new") ,(concat dir "chosen")))))
    (unwind-protect
        (progn
          (with-temp-file (concat dir "pick.el")
            (prin1 '(require 'listd-pick) (current-buffer))
            (prin1 code (current-buffer)))
          (listd-tests-tmux
           "new-session" "-d" "-x" "80" "-y" "20" "-e" "LC_ALL=C.UTF-8" "-e" (concat "LISTD=" (car (listd-find)))
           (format "emacs -nw -Q -L %s -L %sexamples -l %spick.el" listd-tests-clients
                   listd-tests-clients dir))
          (listd-tests-screen-shows "^100000 of 100000")
          (listd-tests-tmux "send-keys" "-l" "'7777 !77777 日$")
          (listd-tests-screen-shows "line 7777 of é日\\(.*\n\\)*18 of 100000")
          (listd-tests-tmux "send-keys" "C-n" "Tab" "C-a" "C-k")
          (listd-tests-screen-shows "^100000 of 100000")
          (listd-tests-tmux "send-keys" "-l" "^line\\ 5\\ ")
          (listd-tests-screen-shows "line 5 of é日\\(.*\n\\)*1 of 100000")
          (listd-tests-tmux "send-keys" "Tab" "C-a" "C-k" "x")
          (listd-tests-screen-shows "^0 of 100000")
          (listd-tests-tmux "send-keys" "Enter")
          (listd-tests-wait "the choice" (lambda () (file-exists-p (concat dir "chosen"))))
          (let ((chosen (with-temp-buffer
                          (insert-file-contents (concat dir "chosen"))
                          (read (current-buffer)))))
            (should (equal (car chosen) "line 5 of é日"))
            (should (= (length chosen) 2))
            (should (string-match-p "7777" (cadr chosen)))))
      (listd-tests-tmux "kill-server")
      (delete-directory dir t))))

;;; listd-examples-tests.el ends here
