;;; listd-tree-tests.el --- The files of a folder as a tree  -*- lexical-binding: t; -*-

;;; Commentary:

;; Folders that are expanded, and files that are renamed by editing their lines.

;;; Code:

(require 'ert)
(require 'listd-harness)
(require 'listd-tree)

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
        (should (equal (listd-tests-commit) '(("  C" . "it is not in the list"))))
        (should (equal (listd-tests-content (concat dir "B")) "b"))
        (should (equal (listd-tests-content (concat dir "D")) "d"))
        (should (equal (listd-tests-content (concat dir "a")) "a"))
        (should-not (file-exists-p (concat dir "0 first")))
        (should-not (file-exists-p (concat dir "C")))))))

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
                     '(("  taken" . "taken exists")
                       ("  x/y" . "a name has no slash")
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
        (listd-tests-see tree "  caf\\xe9" "  tab^Iname" "  two^Jlines" "  ~home")
        (listd-tests-edit tree)
        (goto-char (point-min))
        (while (re-search-forward "\\([^\n]\\)$" nil t)
          (replace-match "\\1 2"))
        (should-not (listd-tests-commit))
        (should (equal (sort (listd-tests-names dir) #'string<)
                       (sort (list (concat odd " 2") "two\nlines 2" "tab\tname 2" "~home 2")
                             #'string<)))))))

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
        (should (equal (listd-tests-content (concat dir "sub/X")) "sub/x")))))
  (listd-stop))

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

;;; listd-tree-tests.el ends here
