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

(defmacro listd-tests-with-repository (files &rest body)
  "Do BODY in a repository with FILES, whose second of three lines is changed."
  (declare (indent 1) (debug t))
  `(let* ((default-directory (file-name-as-directory (file-truename (make-temp-file "listd" t))))
          (directory default-directory) (process-environment (copy-sequence process-environment)))
     (pcase-dolist (`(,name ,value) '(("AUTHOR_NAME" "A") ("AUTHOR_EMAIL" "a@b")
                                      ("COMMITTER_NAME" "A") ("COMMITTER_EMAIL" "a@b")))
       (setenv (concat "GIT_" name) value))
     (cl-flet ((git (&rest arguments)
                 (let ((default-directory directory))
                   (listd-git--text (listd-git--run arguments))))
               (change (lines)
                 (dolist (name ,files)
                   (make-directory (file-name-directory (concat directory name)) t)
                   (let ((coding-system-for-write 'utf-8-unix))
                     (write-region lines nil (concat directory name) nil 'quiet)))))
       (unwind-protect
           (progn
             (git "init" "-q")
             (change "one\ntwo\nthree\n")
             (git "add" ".")
             (git "commit" "-qm" "Files")
             (change "one\nTWO\nthree\n")
             ,@body)
         (delete-directory directory t)))))

(ert-deftest listd-tests-git-anywhere ()
  "From a folder in the repository, with odd names, and with settings that change diffs."
  (let* ((latin (decode-coding-string "caf\351" 'utf-8)) (file-name-coding-system 'utf-8)
         (names (list "a b" "grün" "q\"uote\\" "sub/inner" "tab\tname" latin)))
    (listd-tests-with-repository names
      (pcase-dolist (`(,setting ,value) '(("diff.mnemonicPrefix" "true") ("diff.noprefix" "true")
                                          ("color.ui" "always") ("color.diff" "always")
                                          ("diff.external" "false") ("diff.context" "0")))
        (git "config" setting value))
      (unwind-protect
          (progn
            (listd-git (concat directory "sub"))
            (listd-tests-wait "the files" (lambda () (= (listd--count) 9)))
            (listd-tests-settle)
            (dolist (line '("  M a b" "  M caf\\?" "  M grün" "  M q\"uote\\\\" "  M sub/inner" "  M tab\tname"))
              (listd-tests-type (concat "^" line "$") "TAB")
              (listd-tests-wait line (lambda () (= (listd--count) 14)))
              (should (string-match-p (concat line "\n@@ -1,3 \\+1,3 @@\n one\n-two\n\\+TWO\n three\n")
                                      (buffer-string)))
              (listd-tests-type "^-two" "s")
              (listd-tests-wait "staging" (lambda () (= (listd--count) 9))))
            (listd-tests-shows "staged (6)" "  M a b" "  M caf?" "  M grün" "  M q\"uote\\" "  M sub/inner"
                               "  M tab\tname" "unstaged (0)" "untracked (0)")
            (should (equal (git "diff" "--name-only") ""))
            (dolist (line '("  M caf" "  M sub/inner"))
              (listd-tests-type line "u")
              (listd-tests-wait "unstaging" (lambda () (member "unstaged (1)" (listd-tests-lines))))
              (listd-tests-type "^unstaged (1)" "C-n s")
              (listd-tests-wait "staging" (lambda () (member "unstaged (0)" (listd-tests-lines)))))
            (listd-tests-type "sub/inner" "RET")
            (listd-tests-wait "the file" (lambda () (equal (buffer-file-name (window-buffer))
                                                           (concat directory "sub/inner")))))
        (kill-buffer (get-file-buffer (concat directory "sub/inner")))
        (kill-buffer (get-buffer (format "*git:%s*" directory)))))))

(ert-deftest listd-tests-git-bytes ()
  "A hunk that is not text is staged as it is, and other files are shown."
  (listd-tests-with-repository '("a" "b")
    (let ((coding-system-for-write 'no-conversion))
      (write-region "one\ncaf\351\r\nthree\n" nil "a" nil 'quiet))
    (listd-git directory)
    (listd-tests-wait "the files" (lambda () (= (listd--count) 5)))
    (listd-tests-settle)
    (listd-tests-type "M a" "TAB")
    (listd-tests-wait "the hunk" (lambda () (= (listd--count) 10)))
    (listd-tests-type "^\\+caf\\?" "s")
    (listd-tests-wait "staging" (lambda () (= (listd--count) 5)))
    (should (string= (let ((default-directory directory)) (listd-git--run '("show" ":a")))
                     "one\ncafé\r\nthree\n")) ; the byte is 0xE9
    (kill-buffer)))

(ert-deftest listd-tests-git-point ()
  "After staging a hunk, point is on the next row; after collapsing, on the file."
  (listd-tests-with-repository '("poem" "song" "tale")
    (listd-git directory)
    (listd-tests-wait "the files" (lambda () (= (listd--count) 6)))
    (listd-tests-settle)
    (listd-tests-type "poem" "TAB")
    (listd-tests-wait "the hunk" (lambda () (= (listd--count) 11)))
    (listd-tests-type "^ three" "TAB")
    (listd-tests-wait "collapsing" (lambda () (= (listd--count) 6)))
    (listd-tests-settle)
    (should (equal (listd-tests-line) "  M poem"))
    (execute-kbd-macro (kbd "TAB"))
    (listd-tests-wait "the hunk" (lambda () (= (listd--count) 11)))
    (listd-tests-type "^\\+TWO" "s")
    (listd-tests-wait "staging" (lambda () (= (listd--count) 6)))
    (listd-tests-settle)
    (should (equal (listd-tests-line) "  M song"))
    (kill-buffer)))

(ert-deftest listd-tests-git-nowhere ()
  "Outside of a repository there is an error, and no buffer."
  (let* ((default-directory (file-name-as-directory (make-temp-file "listd" t)))
         (buffers (length (buffer-list))) (process-environment (copy-sequence process-environment)))
    (setenv "GIT_CEILING_DIRECTORIES" (directory-file-name (file-name-directory (directory-file-name default-directory))))
    (should (equal (cadr (should-error (listd-git default-directory) :type 'user-error))
                   "Git rev-parse: fatal: not a git repository (or any of the parent directories): .git"))
    (should (= (length (buffer-list)) buffers))
    (delete-directory default-directory)))

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
