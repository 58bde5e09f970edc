;;; listd-tests.el --- The Emacs client on a folder that changes  -*- lexical-binding: t; -*-

;;; Commentary:

;; The files of a folder under the hands of a person and of other programs.

;;; Code:

(require 'ert)
(require 'seq)
(require 'listd-harness)

(ert-deftest listd-tests-folder ()
  "The files of a folder, folders first."
  (listd-tests-with '(("b" . 2000) ("a" . 5))
    (make-directory (funcall file "z"))
    (listd-tests-refresh "the new folder" (lambda () (= (listd--count) 3)))
    (should (equal (listd-tests-lines) '("z/" "a  5B" "b  2.0K")))
    ;; The first row has point.
    (should (equal (listd-tests-line) "a  5B"))))

(ert-deftest listd-tests-stays ()
  "Point, the selection and foreign marks stay while others change."
  (listd-tests-with listd-tests-six
    (listd-tests-go "banana")
    (listd-toggle)
    (listd-tests-settle)
    (listd-tests-go "date")
    (listd-toggle)
    (listd-tests-settle)
    (should (equal (listd-tests-marked) '("banana  2B" "date  4B")))
    (let* ((bol (point))
           (marker (copy-marker (+ bol 2)))
           (first (copy-marker bol))
           (inside (make-overlay bol (+ bol 4)))
           (whole (make-overlay bol (line-beginning-position 2)))
           (touched (listd-tests-touched)))
      (rename-file (funcall file "apple") (funcall file "zebra")) ; from above point to the end
      (delete-file (funcall file "cherry"))
      (listd-tests-write (funcall file "aardvark") 7)
      (listd-tests-write (funcall file "coconut") 8) ; just before the marks
      (listd-tests-write (funcall file "dewberry") 9) ; just after them
      (listd-tests-refresh "the change" (lambda () (= (listd--count) 8)))
      (should (equal (listd-tests-lines)
                     '("aardvark  7B" "banana  2B" "coconut  8B" "date  4B" "dewberry  9B"
                       "elder  5B" "fig  6B" "zebra  1B")))
      (should (equal (listd-tests-line) "date  4B"))
      (should (equal (listd-tests-marked) '("banana  2B" "date  4B")))
      (let ((bol (line-beginning-position)))
        (should (= marker (+ bol 2)))
        (should (= first bol))
        (should (equal (list (overlay-start inside) (overlay-end inside))
                       (list bol (+ bol 4))))
        (should (equal (list (overlay-start whole) (overlay-end whole))
                       (list bol (line-beginning-position 2)))))
      (should (<= (car touched) 6)))))

(ert-deftest listd-tests-follows ()
  "Point follows its file through a new name."
  (listd-tests-with listd-tests-six
    (listd-tests-go "banana")
    (listd-toggle)
    (listd-tests-settle)
    (forward-char 3)
    (rename-file (funcall file "banana") (funcall file "quince"))
    (listd-tests-refresh "the new name" (lambda () (member "quince  2B" (listd-tests-lines))))
    (should (equal (listd-tests-line) "quince  2B"))
    (should (= (current-column) 3))
    (should (equal (listd-tests-marked) '("quince  2B")))))

(ert-deftest listd-tests-identity ()
  "A file with the number of a deleted one has a row of its own.
One that is replaced keeps its row."
  (listd-tests-with listd-tests-six
    (dolist (name '("banana" "date" "fig"))
      (listd-tests-go name)
      (listd-toggle)
      (listd-tests-settle))
    (delete-file (funcall file "banana"))
    (listd-tests-write (funcall file "cucumber") 2) ; which may have the number of banana
    (rename-file (funcall file "date") (funcall file "date~")) ; as Emacs saves
    (listd-tests-write (funcall file "date") 9)
    (rename-file (funcall file "fig") (funcall file "grape"))
    (listd-tests-wait "the change" (lambda () (= (listd--count) 7)))
    (listd-tests-settle)
    (should (equal (listd-tests-marked) '("date  9B" "grape  6B")))
    (should (equal (listd-tests-line) "grape  6B"))))

(ert-deftest listd-tests-gone ()
  "Where the file at point goes, the next one has it."
  (listd-tests-with listd-tests-six
    (listd-tests-go "cherry")
    (listd-tests-settle)
    (delete-file (funcall file "cherry"))
    (listd-tests-refresh "the change" (lambda () (= (listd--count) 5)))
    (should (equal (listd-tests-line) "date  4B"))))

(ert-deftest listd-tests-grows ()
  "A file that grows changes its line alone, and marks in it stay."
  (listd-tests-with listd-tests-six
    (listd-tests-go "date")
    (let ((marker (copy-marker (+ (point) 2)))
          (overlay (make-overlay (point) (+ (point) 4)))
          (touched (listd-tests-touched)))
      (goto-char (point-min))
      (listd-tests-write (funcall file "date") 44)
      (listd-tests-refresh "the change" (lambda () (member "date  44B" (listd-tests-lines))))
      (should (= (car touched) 1))
      (listd-tests-go "date")
      (should (= marker (+ (point) 2)))
      (should (equal (list (overlay-start overlay) (overlay-end overlay))
                     (list (point) (+ (point) 4)))))))

(ert-deftest listd-tests-screen ()
  "The row that point is on stays where it is in the window."
  (listd-tests-with (mapcar (lambda (number) (cons (format "file%d" number) number))
                            (number-sequence 100 299))
    (listd-tests-go "file250")
    (set-window-start (selected-window) (line-beginning-position -2))
    (listd-tests-settle)
    (dolist (number (number-sequence 100 120))
      (delete-file (funcall file (format "file%d" number))))
    (listd-tests-refresh "the change" (lambda () (= (listd--count) 179)))
    (should (string-prefix-p "file250" (listd-tests-line)))
    (should (= (window-start) (line-beginning-position -2)))))

(ert-deftest listd-tests-moving ()
  "Changes under a point that moves."
  (listd-tests-with listd-tests-six
    (dotimes (round 30)
      (listd-tests-write (funcall file (format "a%d" round)) round)
      (revert-buffer)
      (if (< (line-number-at-pos) (listd--count))
          (forward-line 1)
        (goto-char (point-min)))
      (run-hooks 'post-command-hook)
      (let ((name (car (split-string (listd-tests-line)))))
        (listd-tests-wait (format "round %d" round) (lambda () (= (listd--count) (+ 7 round))))
        (should (equal name (car (split-string (listd-tests-line)))))))
    (listd-tests-settle)
    (let ((now (listd-call 'getText `(:list ,listd--list))))
      (should (equal (buffer-string) (plist-get now :text)))
      (should (equal (1- (line-number-at-pos)) (plist-get now :cursorLine))))))

(ert-deftest listd-tests-selecting ()
  "All, others, none, a range, a region."
  (listd-tests-with listd-tests-six
    (listd-select-all)
    (listd-tests-settle)
    (should (= (length (listd-tests-marked)) 6))
    (listd-select-none)
    (listd-tests-settle)
    (should-not (listd-tests-marked))
    (listd-tests-go "banana")
    (listd-select)
    (should (string-prefix-p "cherry" (listd-tests-line)))
    (listd-tests-settle)
    (listd-tests-go "elder")
    (listd-extend)
    (listd-tests-settle)
    (should (= (length (listd-tests-marked)) 4))
    (listd-invert)
    (listd-tests-settle)
    (should (equal (listd-tests-marked) '("apple  1B" "fig  6B")))
    (goto-char (point-min))
    (transient-mark-mode 1)
    (push-mark (point) t t)
    (forward-line 3)
    (listd-select)
    (listd-tests-settle)
    (should (equal (listd-tests-marked) '("apple  1B" "banana  2B" "cherry  3B" "fig  6B")))
    (let (names)
      (listd-selected (lambda (items)
                        (setq names (mapcar (lambda (item) (plist-get item :name)) items))))
      (listd-tests-settle)
      (should (equal names '("apple" "banana" "cherry" "fig"))))))

(ert-deftest listd-tests-open ()
  "Opening a file, and the list's end with its buffer."
  (listd-tests-with listd-tests-six
    (let ((list listd--list) (buffer (current-buffer)))
      (listd-tests-go "cherry")
      (call-interactively (key-binding (kbd "RET")))
      (listd-tests-wait "the file" (lambda ()
                                     (equal (buffer-file-name (window-buffer))
                                            (funcall file "cherry"))))
      (kill-buffer (window-buffer))
      (should (eq (listd-files dir) buffer))
      (should (equal (listd-tests-line) "cherry  3B"))
      (kill-buffer buffer)
      (should-not (seq-find (lambda (got) (equal (plist-get got :list) list))
                            (plist-get (listd-call 'getLists nil) :lists))))))

(ert-deftest listd-tests-windows ()
  "Each of two windows keeps its row."
  (listd-tests-with listd-tests-six
    (delete-other-windows)
    (let ((other (split-window)))
      (listd-tests-go "cherry")
      (listd-tests-settle)
      (set-window-point other (save-excursion (goto-char (point-max))
                                              (line-beginning-position 0)))
      (listd-tests-write (funcall file "aardvark") 1)
      (listd-tests-refresh "the change" (lambda () (= (listd--count) 7)))
      (should (equal (listd-tests-line) "cherry  3B"))
      (goto-char (window-point other))
      (should (equal (listd-tests-line) "fig  6B"))
      (delete-window other))))

(ert-deftest listd-tests-empty ()
  "A folder that is emptied and filled again."
  (listd-tests-with '(("a" . 1) ("b" . 2))
    (delete-file (funcall file "a"))
    (delete-file (funcall file "b"))
    (listd-tests-refresh "emptied" (lambda () (= (buffer-size) 0)))
    (listd-tests-write (funcall file "c") 3)
    (listd-tests-refresh "filled" (lambda () (= (listd--count) 1)))
    (should (equal (listd-tests-lines) '("c  3B")))))

(ert-deftest listd-tests-names ()
  "Names that are no proper text, or more than a line."
  (listd-tests-with '(("a\nb" . 1) ("c\377" . 1) ("{x}" . 1) ("ü" . 1))
    (should (equal (listd-tests-lines) '("a^Jb  1B" "c\\xff  1B" "{x}  1B" "ü  1B")))))

;; Promise: In Neovim and Emacs a folder with many files is shown in parts, so that no key waits. Also
;;   `test_files.lua`.
(ert-deftest listd-tests-parts ()
  "A folder of many files is sorted, and shown in parts."
  (let* ((names (mapcar (lambda (i) (format "%05d" (mod (* i 7919) 10007))) (number-sequence 1 1203)))
         (most 0)
         (note (lambda (begin end &rest _) (setq most (max most (count-lines begin end))))))
    (add-hook 'listd-files-mode-hook
              (lambda () (add-hook 'after-change-functions note nil t)))
    (unwind-protect
        (listd-tests-with (mapcar (lambda (name) (cons name 0)) names)
          (should (equal (listd-tests-lines)
                         (mapcar (lambda (name) (concat name "  0B")) (sort names #'string<))))
          (should (<= 1 most 500))
          (listd-refresh)
          (listd-tests-settle)
          (should (= (listd--count) 1203)))
      (setq listd-files-mode-hook nil))))

;;; listd-tests.el ends here
