;;; listd-lines-tests.el --- Editing the lines of a list  -*- lexical-binding: t; -*-

;;; Commentary:

;; And renaming the files of a tree by it.

;;; Code:

(require 'ert)
(require 'listd-harness)

(require 'listd-lines)
(require 'listd-tree)

(defun listd-tests-see (buffer &rest lines)
  "Wait until BUFFER shows LINES."
  (with-current-buffer buffer
    (ignore-errors (listd-tests-wait "the lines" (lambda () (equal (listd-tests-lines) lines))))
    (should (equal (listd-tests-lines) lines))
    (listd-tests-settle)))

(defun listd-tests-key (buffer line keys)
  "Type KEYS on LINE of BUFFER, counted from 1."
  (switch-to-buffer buffer)
  (goto-char (point-min))
  (forward-line (1- line))
  (run-hooks 'post-command-hook)
  (listd-tests-settle)
  (execute-kbd-macro (kbd keys)))

(defun listd-tests-edit (buffer)
  "Begin to edit the lines of BUFFER; return the buffer for that."
  (listd-tests-key buffer 1 "C-x C-q")
  (listd-tests-wait "the lines" (lambda ()
                                  (buffer-live-p (buffer-local-value 'listd-lines--buffer buffer))))
  (switch-to-buffer (buffer-local-value 'listd-lines--buffer buffer)))

(defun listd-tests-retype (old new)
  "Replace the text OLD at the end of a line by NEW, as a person does."
  (goto-char (point-min))
  (re-search-forward (concat "\\(?:^\\|[ ·]\\)\\(" (regexp-quote old) "\\)$"))
  (goto-char (match-beginning 1))
  (execute-kbd-macro (vconcat (kbd "C-k") new)))

(defun listd-tests-commit ()
  "Commit the lines; return the problems by lines."
  (execute-kbd-macro (kbd "C-c C-c"))
  (when (eq major-mode 'listd-lines-mode)
    (mapcar (lambda (overlay)
              (cons (buffer-substring-no-properties (overlay-start overlay) (overlay-end overlay))
                    (overlay-get overlay 'listd-problem)))
            (sort (seq-filter (lambda (overlay) (overlay-get overlay 'listd-problem))
                              (overlays-in (point-min) (1+ (point-max))))
                  (lambda (a b) (< (overlay-start a) (overlay-start b)))))))

(ert-deftest listd-tests-tree ()
  "Folders are read when they are expanded, and followed."
  (listd-tests-with-files dir '("sub/deep/file" "sub/x" "a" "b10" "b9")
    (let ((tree (listd-tree dir)))
      (listd-tests-see tree "▸ sub" "  a" "  b9" "  b10")
      (listd-tests-key tree 1 "RET")
      (listd-tests-see tree "▾ sub" "  ▸ deep" "    x" "  a" "  b9" "  b10")
      (write-region "x" nil (concat dir "sub/new") nil 'quiet)
      (rename-file (concat dir "a") (concat dir "sub/moved"))
      (revert-buffer)                   ; without a terminal, no event arrives
      (listd-tests-see tree "▾ sub" "  ▸ deep" "    moved" "    new" "    x" "  b9" "  b10")
      (delete-directory (concat dir "sub") t)
      (revert-buffer)
      (listd-tests-see tree "  b9" "  b10"))))

(ert-deftest listd-tests-tree-rename ()
  "Changed lines rename their files, wherever the lines are."
  (listd-tests-with-files dir '("sub/x" "sub/y" "a" "b" "with  two spaces ")
    (let ((tree (listd-tree dir)))
      (listd-tests-see tree "▸ sub" "  a" "  b" "  with  two spaces ")
      (listd-tests-key tree 1 "TAB")
      (listd-tests-see tree "▾ sub" "    x" "    y" "  a" "  b" "  with  two spaces ")
      (listd-tests-edit tree)
      (should (equal (listd-tests-lines)
                     '("▾ sub" "    x" "    y" "  a" "  b" "  with  two spaces ")))
      (listd-tests-retype "sub" "lower")
      (listd-tests-retype "x" " x y ")
      (listd-tests-retype "a" "c")
      (listd-tests-retype "b" "a")
      (listd-tests-retype "c" "b")
      (listd-tests-retype "with  two spaces " "é日")
      (execute-kbd-macro (kbd "C-a C-k C-k M-< C-y C-p")) ; moves the line to the top
      (should (equal (car (listd-tests-lines)) "  é日"))
      (should-not (listd-tests-commit))
      (should (eq (current-buffer) tree))
      (listd-tests-see tree "▾ lower" "     x y " "    y" "  a" "  b" "  é日")
      (should (equal (listd-tests-names dir) '("a" "b" "lower" "é日")))
      (should (equal (listd-tests-content (concat dir "a")) "b"))
      (should (equal (listd-tests-content (concat dir "b")) "a"))
      (should (equal (listd-tests-content (concat dir "lower/ x y ")) "sub/x"))
      (should (equal (listd-tests-line) "  é日")))))

(ert-deftest listd-tests-tree-changes-meanwhile ()
  "Names land on their files though the folder changes meanwhile."
  (listd-tests-with-files dir '("a" "b" "c" "d")
    (let ((tree (listd-tree dir)))
      (listd-tests-see tree "  a" "  b" "  c" "  d")
      (let ((lines (listd-tests-edit tree)))
        (listd-tests-retype "b" "B")
        (listd-tests-retype "c" "C")
        (listd-tests-retype "d" "D")
        (rename-file (concat dir "b") (concat dir "0 first")) ; has another name, and is the first now
        (delete-file (concat dir "c"))
        (write-region "xyz" nil (concat dir "keep") nil 'quiet) ; which may have the inode of c
        (with-current-buffer tree
          (dotimes (i 70)               ; more texts than the daemon remembers
            (write-region "x" nil (format "%se%d" dir i) nil 'quiet)
            (listd-refresh)
            (listd-tests-settle))
          (listd-tests-wait "the change" (lambda ()
                                           (and (member "  e69" (listd-tests-lines))
                                                (member "  0 first" (listd-tests-lines)))))
          (listd-tests-settle))
        (switch-to-buffer lines)
        (should (equal (listd-tests-lines) '("  a" "  B" "  C" "  D")))
        (should (equal (listd-tests-commit) '(("  C" . "the file was moved or deleted"))))
        (should (equal (listd-tests-content (concat dir "B")) "b"))
        (should (equal (listd-tests-content (concat dir "D")) "d"))
        (should (equal (listd-tests-content (concat dir "a")) "a"))
        (should-not (file-exists-p (concat dir "0 first")))
        (should-not (file-exists-p (concat dir "C")))))))

(ert-deftest listd-tests-tree-replaced ()
  "A new file with the inode of a deleted one does not get the name of that one."
  (listd-tests-with-files dir '("a" "b")
    (let ((tree (listd-tree dir)) (away (make-temp-name (directory-file-name dir))))
      (listd-tests-see tree "  a" "  b")
      (let ((lines (listd-tests-edit tree)))
        (listd-tests-retype "b" "B")
        (rename-file (concat dir "b") away)
        (with-current-buffer tree
          (listd-refresh)
          (listd-tests-see tree "  a"))
        (write-region "another" nil away nil 'quiet)
        (rename-file away (concat dir "c"))
        (with-current-buffer tree
          (listd-refresh)
          (listd-tests-see tree "  a" "  c"))
        (switch-to-buffer lines)
        (should (equal (listd-tests-commit) '(("  B" . "the file was moved or deleted"))))
        (should (equal (listd-tests-names dir) '("a" "c")))))))

(ert-deftest listd-tests-tree-refused ()
  "What cannot be done stays in the buffer, with the reason."
  (listd-tests-with-files dir '("sub/x" "a" "b" "c" "d" "e" "taken")
    (let ((tree (listd-tree dir)))
      (listd-tests-see tree "▸ sub" "  a" "  b" "  c" "  d" "  e" "  taken")
      (listd-tests-edit tree)
      (listd-tests-retype "a" "taken")
      (listd-tests-retype "b" "x/y")
      (listd-tests-retype "c" "")
      (listd-tests-retype "d" "D")
      (goto-char (point-min))
      (re-search-forward " e$")
      (execute-kbd-macro (kbd "C-a C-k C-k C-y C-y")) ; a second line of e
      (goto-char (point-max))
      (execute-kbd-macro "new")
      (goto-char (point-min))
      (execute-kbd-macro (kbd "C-k C-k"))
      (should (equal (listd-tests-commit)
                     '(("  taken" . "there is a file of this name")
                       ("  x/y" . "a name cannot contain /")
                       ("  " . "a name cannot be empty")
                       ("  e" . "two lines stand for the same row")
                       ("  e" . "two lines stand for the same row")
                       ("new" . "this line is new, and lines cannot be added"))))
      (should (equal (listd-tests-names dir) '("D" "a" "b" "c" "e" "sub" "taken")))
      (should (buffer-modified-p))
      ;; Mended, all is done.
      (goto-char (point-max))
      (delete-region (line-beginning-position) (point-max))
      (goto-char (point-min))
      (re-search-forward " e$")
      (execute-kbd-macro (kbd "C-a C-k C-k"))
      (goto-char (point-min))
      (flush-lines "/y$\\|^  $")
      (goto-char (point-min))
      (listd-tests-retype "taken" "A")
      (should-not (listd-tests-commit))
      (listd-tests-see tree "▸ sub" "  A" "  b" "  c" "  D" "  e" "  taken"))))

(ert-deftest listd-tests-tree-bytes ()
  "Bytes that are not text, and line breaks, stay in names."
  (let ((odd (decode-coding-string "caf\351" 'utf-8)) (file-name-coding-system 'utf-8))
    (listd-tests-with-files dir (list odd "two\nlines" "tab\tname" "~home")
      (let ((tree (listd-tree dir)))
        (listd-tests-see tree "  caf\\351" "  tab^Iname" "  two^Jlines" "  ~home")
        (listd-tests-edit tree)
        (goto-char (point-min))
        (while (re-search-forward "\\([^\n]\\)$" nil t)
          (replace-match "\\1 2"))
        (should-not (listd-tests-commit))
        (should (equal (sort (listd-tests-names dir) #'string<)
                       (sort (list (concat odd " 2") "two\nlines 2" "tab\tname 2" "~home 2")
                             #'string<)))))))

(defun listd-tests-commit-editable (changes)
  "What the list of the next test does with CHANGES."
  (when (equal (plist-get (car changes) :text) "signal")
    (error "Signalled"))
  (cl-loop for change in changes
           when (equal (plist-get change :text) "bad")
           collect (cons change "it is bad")))

(ert-deftest listd-tests-edit-lines ()
  "Joined lines, undo, leaving, the daemon's death."
  (let ((list (listd-view "editable" :templates '(:Editable "· {name}")
                          :edit '(:commit listd-tests-commit-editable))))
    (with-current-buffer list
      (listd-apply '(:sections [(:id 1 :header "Head"
                                     :items [(:id 1 :template "Editable" :name "one")
                                             (:id 2 :template "Editable" :name "two words")])])))
    (listd-tests-see list "Head" "· one" "· two words")
    (listd-tests-edit list)
    (should-error (undo) :type 'user-error)
    (should (equal (listd-tests-lines) '("Head" "· one" "· two words")))
    (listd-tests-retype "two words" "bad")
    (should (equal (listd-tests-commit) '(("· bad" . "it is bad"))))
    (listd-tests-retype "bad" "signal")
    (should (equal (listd-tests-commit) '(("· signal" . "Signalled"))))
    (listd-tests-retype "Head" "Tail")
    (goto-char (point-min))
    (execute-kbd-macro (kbd "C-n C-a C-d x"))
    (listd-tests-retype "signal" "good")
    (should (equal (listd-tests-commit)
                   '(("Tail" . "this line cannot be changed")
                     ("x one" . "only the text behind the indent can be changed"))))
    (goto-char (point-max))
    (execute-kbd-macro (kbd "C-p C-a DEL"))
    (should (equal (cdr (assoc "x one· good" (listd-tests-commit))) "two rows were joined"))
    (execute-kbd-macro (kbd "C-c C-k"))
    (should (eq (current-buffer) list))
    (let ((lines (listd-tests-edit list)))
      (listd-tests-retype "one" "two")
      (kill-buffer list)
      (switch-to-buffer lines)
      (should (equal (listd-tests-commit) '(("· two" . "the list is not there any more"))))
      (kill-buffer lines))))

(defun listd-tests-kill-daemon (list)
  "Kill the daemon of the buffer LIST."
  (let ((client (buffer-local-value 'listd--client list)))
    (signal-process (listd-connection-process client) 'kill)
    (listd-tests-wait "the end" (lambda () (not (listd-connection-running-p client))))))

(ert-deftest listd-tests-edit-lines-without-daemon ()
  "Changed lines are committed after the daemon's end, and the list is shown anew."
  (let* (committed
         (list (listd-view "ends" :edit `(:commit ,(lambda (changes)
                                                     (setq committed changes)
                                                     nil)))))
    (with-current-buffer list
      (listd-apply '(:items [(:id 1 :text "same" :name "same") (:id 2 :text "old" :name "old")])))
    (listd-tests-see list "same" "old")
    (let ((lines (listd-tests-edit list)))
      (listd-tests-retype "old" "new")
      (listd-tests-kill-daemon list)
      (switch-to-buffer lines)
      (should-not (listd-tests-commit))
      (should (equal (length committed) 1))
      (pcase-dolist (`(,member ,value) '((:id 2) (:text "new")
                                         (:item (:id 2 :text "old" :name "old"))))
        (should (equal (plist-get (car committed) member) value)))
      (should (eq (current-buffer) list))
      (should (listd--runs listd--client))
      (listd-tests-settle)
      (should (equal (listd-tests-lines) '("same" "old")))
      (kill-buffer list))))

(ert-deftest listd-tests-tree-without-daemon ()
  "Files are renamed after the daemon's end, also in folders that the list does not show any more."
  (listd-tests-with-files dir '("sub/x" "sub/y" "a" "b")
    (let ((tree (listd-tree dir)))
      (listd-tests-see tree "▸ sub" "  a" "  b")
      (listd-tests-key tree 1 "TAB")
      (listd-tests-see tree "▾ sub" "    x" "    y" "  a" "  b")
      (let ((lines (listd-tests-edit tree)))
        (listd-tests-retype "x" "X")
        (listd-tests-retype "a" "A")
        (listd-tests-kill-daemon tree)
        (rename-file (concat dir "sub/y") (concat dir "sub/z"))
        (listd-tests-key tree 1 "g")    ; which starts another one
        (listd-tests-see tree "▸ sub" "  a" "  b")
        (switch-to-buffer lines)
        (should-not (listd-tests-commit))
        (listd-tests-see tree "▸ sub" "  A" "  b")
        (listd-tests-key tree 1 "TAB")
        (listd-tests-see tree "▾ sub" "    X" "    z" "  A" "  b")
        (should (equal (listd-tests-content (concat dir "A")) "a"))
        (should (equal (listd-tests-content (concat dir "sub/X")) "sub/x"))))))

(ert-deftest listd-tests-edit-lines-confirmed ()
  "Changes are shown before they are made; if they are refused, nothing changes."
  (let* ((listd-confirm-renames t) committed questions answer
         (list (listd-view "confirmed" :edit `(:commit ,(lambda (changes)
                                                          (setq committed (length changes))
                                                          nil)))))
    (with-current-buffer list
      (listd-apply `(:items ,(vconcat (cl-loop for i from 1 to 30 for name = (format "row %d" i)
                                               collect `(:id ,i :text ,name :name ,name)))))
      (listd-tests-wait "the rows" (lambda () (= (listd--count) 30)))
      (listd-tests-settle))
    (cl-letf (((symbol-function 'y-or-n-p)
               (lambda (prompt)
                 (push (cons prompt (with-current-buffer "*listd changes*" (listd-tests-lines)))
                       questions)
                 answer)))
      (let ((lines (listd-tests-edit list)))
        (listd-tests-retype "row 7" "line 7")
        (listd-tests-commit)
        (should (equal (pop questions) '("Change 1 line? " "row 7 → line 7")))
        (should-not committed)
        (should (eq (current-buffer) lines))
        (should (buffer-modified-p))
        (goto-char (point-min))
        (while (re-search-forward "row" nil t)
          (replace-match "line"))
        (setq answer t)
        (should-not (listd-tests-commit))
        (pcase-let ((`(,prompt . ,shown) (pop questions)))
          (should (equal prompt "Change 30 lines? "))
          (should (equal (length shown) 21))
          (should (equal (car shown) "row 1 → line 1"))
          (should (equal (car (last shown)) "and 10 more")))
        (should (equal committed 30))
        (should-not (get-buffer "*listd changes*")))
      ;; Nothing is asked without a change, or if the option says so.
      (listd-tests-edit list)
      (should-not (listd-tests-commit))
      (listd-tests-edit list)
      (listd-tests-retype "row 7" "line 7")
      (setq listd-confirm-renames nil)
      (should-not (listd-tests-commit))
      (should-not questions)
      (should (equal committed 1)))
    (kill-buffer list)))

(ert-deftest listd-tests-edit-lines-of-others ()
  "Lists without the option cannot be edited."
  (with-current-buffer (listd-view "plain")
    (should-error (listd-edit-lines) :type 'user-error)
    (kill-buffer)))

(ert-deftest listd-tests-tree-terminal ()
  "What is seen before, while and after editing."
  (listd-tests-with-files dir '("src/main.c" "src/util.c" "doc/help" "README")
    (unwind-protect
        (progn
          (listd-tests-tmux
           "new-session" "-d" "-x" "200" "-y" "20" "-e" "LC_ALL=C.UTF-8"
           "-e" (concat "LISTD=" (car (listd-find)))
           (format "emacs -nw -Q -L %s -L %sexamples -l listd-tree --eval '(listd-tree \"%s\")'"
                   listd-tests-clients listd-tests-clients dir))
          (listd-tests-screen-shows "^  ▸ doc\n  ▸ src\n    README\n")
          (listd-tests-tmux "send-keys" "C-n" "Tab")
          (listd-tests-screen-shows "^  ▸ doc\n  ▾ src\n      main.c\n      util.c\n    README\n")
          (listd-tests-tmux "send-keys" "C-n" "C-n" "C-x" "C-q")
          (listd-tests-screen-shows
           "^  ▸ doc\n  ▾ src\n      main.c\n      util.c\n    README\n\\(.*\n\\)*.*(editing")
          (listd-tests-tmux "send-keys" "C-k" "doc" "C-p" "C-e" "C-b" "C-b" "-new")
          (listd-tests-screen-shows "^  ▾ src\n      main-new.c\n      doc\n")
          (listd-tests-tmux "send-keys" "C-c" "C-c")
          (listd-tests-screen-shows
           "^main.c → main-new.c\nutil.c → doc\n\\(.*\n\\)*Change 2 lines\\? (y or n)")
          (listd-tests-tmux "send-keys" "n")
          (listd-tests-screen-shows
           "^  ▾ src\n      main-new.c\n      doc\n\\(.*\n\\)*.*\\*\\*.*(editing\\(.*\n\\)*listd: nothing was changed")
          (should (equal (listd-tests-names (concat dir "src")) '("main.c" "util.c")))
          (listd-tests-tmux "send-keys" "C-c" "C-c" "y")
          (listd-tests-screen-shows "^  ▾ src\n      doc\n      main-new.c\n")
          (should (equal (listd-tests-names (concat dir "src")) '("doc" "main-new.c")))
          (write-region "x" nil (concat dir "src/made") nil 'quiet)
          (rename-file (concat dir "doc") (concat dir "help"))
          (listd-tests-screen-shows
           "^  ▸ help\n  ▾ src\n      doc\n      made\n      main-new.c\n    README\n"))
      (listd-tests-tmux "kill-server"))))

;;; listd-lines-tests.el ends here
