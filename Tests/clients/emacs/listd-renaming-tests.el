;;; listd-renaming-tests.el --- Renaming files so that none is lost  -*- lexical-binding: t; -*-

;;; Commentary:

;; Whatever other programs do meanwhile, and whenever Emacs is killed.

;;; Code:

(require 'ert)
(require 'listd-harness)
(require 'listd-renaming)
(require 'listd-tree)

(defun listd-tests-rename (dir &rest pairs)
  "Rename files of DIR by PAIRS of names; return the problems by old names."
  (listd-rename-files
   (mapcar (lambda (pair) (list (car pair) (concat dir (car pair)) (cadr pair))) pairs)))

(ert-deftest listd-tests-renaming ()
  "Swaps, circles, chains, folders and their files."
  (listd-tests-with-files dir '("a" "b" "c" "d" "e" "f" "sub/x" "sub/y")
    (should-not (listd-tests-rename dir '("a" "b") '("b" "a") '("c" "d") '("d" "e") '("e" "c") '("f" "g")
                                    '("sub" "lower") '("sub/x" "y") '("sub/y" "x")))
    (should (equal (listd-tests-names dir) '("a" "b" "c" "d" "e" "g" "lower")))
    (should (equal (listd-tests-names (concat dir "lower")) '("x" "y")))
    (pcase-dolist (`(,now ,was) '(("a" "b") ("b" "a") ("d" "c") ("e" "d") ("c" "e") ("g" "f")
                                  ("lower/y" "sub/x")))
      (should (equal (listd-tests-content (concat dir now)) was)))))

(ert-deftest listd-tests-renaming-fails ()
  "What fails changes nothing, and says why."
  (listd-tests-with-files dir '("a" "b" "c" "d" "e" "other")
    (should (equal (listd-tests-rename dir '("a" "other") '("b" "a") '("c" "") '("d" "x/y")
                                       (list "e" (make-string 300 ?x)) '("gone" "there"))
                   '(("a" . "there is a file of this name") ("b" . "there is a file of this name")
                     ("c" . "a name cannot be empty") ("d" . "a name cannot contain /")
                     ("e" . "file name too long") ("gone" . "the file was moved or deleted"))))
    (should (equal (listd-tests-rename dir '("a" "z") '("b" "z") '("c" ".."))
                   '(("a" . "two lines have this name") ("b" . "two lines have this name")
                     ("c" . ".. is not a name of a file"))))
    ;; Another file has the path by now.
    (should (equal (listd-rename-files
                    `((1 ,(concat dir "a") "new"
                         ,(file-attribute-inode-number (file-attributes (concat dir "b"))))))
                   '((1 . "the file was moved or deleted"))))
    (should (equal (listd-tests-names dir) '("a" "b" "c" "d" "e" "other")))
    (dolist (name (listd-tests-names dir))
      (should (equal (listd-tests-content (concat dir name)) name)))))

(ert-deftest listd-tests-renaming-random ()
  "Random permutations lose no file."
  (random "listd")
  (dotimes (_ 60)
    (listd-tests-with-files dir '("a" "b" "c" "d" "e")
      (let* ((all '("a" "b" "c" "d" "e" "f" "g"))
             (changes (mapcar (lambda (name) (list name (nth (random 7) all))) (seq-take all 5)))
             (problems (apply #'listd-tests-rename dir changes))
             (there (mapcar (lambda (name) (cons (listd-tests-content (concat dir name)) name))
                            (listd-tests-names dir))))
        (pcase-dolist (`(,was ,wanted) changes)
          (should (equal (cdr (assoc was there)) (if (assoc was problems) was wanted))))))))

(ert-deftest listd-tests-renaming-many ()
  "Hundreds of names, counted up, down and around."
  (let* ((count 300) (name (lambda (i) (format "f%04d" i))))
    (listd-tests-with-files dir (mapcar name (number-sequence 0 (1- count)))
      (pcase-dolist (`(,old ,new) (list (list name (lambda (i) (format "f%04d" (1+ i))))
                                        (list (lambda (i) (format "f%04d" (1+ i))) name)
                                        (list name (lambda (i) (funcall name (mod (1+ i) count))))))
        (should-not (apply #'listd-tests-rename dir
                           (mapcar (lambda (i) (list (funcall old i) (funcall new i)))
                                   (number-sequence 0 (1- count))))))
      (should (= (length (listd-tests-names dir)) count))
      (dotimes (i count)
        (should (equal (listd-tests-content (concat dir (funcall name (mod (1+ i) count))))
                       (funcall name i)))))))

(defmacro listd-tests-creating (names &rest body)
  "Do BODY; just before a file of `dir' gets one of NAMES, another program makes one."
  (declare (indent 1) (debug t))
  `(cl-letf* ((rename (symbol-function 'rename-file))
              ((symbol-function 'rename-file)
               (lambda (from to &rest more)
                 (when (and (member to (mapcar (lambda (name) (concat dir name)) ,names))
                            (not (file-exists-p to)))
                   (write-region "precious" nil to nil 'quiet nil 'excl))
                 (apply rename from to more))))
     ,@body))

(ert-deftest listd-tests-renaming-beside-others ()
  "A file is not overwritten that another program makes at the last moment."
  (listd-tests-with-files dir '("a" "b" "c")
    (listd-tests-creating '("new" "other")
      (should (equal (listd-tests-rename dir '("a" "new") '("b" "c") '("c" "other"))
                     '(("a" . "there is a file of this name") ("b" . "there is a file of this name")
                       ("c" . "there is a file of this name")))))
    (should (equal (mapcar (lambda (name) (listd-tests-content (concat dir name)))
                           (listd-tests-names dir))
                   '("a" "b" "c" "precious" "precious"))))
  ;; One of two names that are exchanged: only the other one is free.
  (listd-tests-with-files dir '("a" "b")
    (listd-tests-creating '("b")
      (should (equal (listd-tests-rename dir '("a" "b") '("b" "a"))
                     '(("a" . "there is a file of this name; the file is now .listd-renaming/a/b")))))
    (should (equal (listd-tests-content (concat dir "a")) "b"))
    (should (equal (listd-tests-content (concat dir "b")) "precious"))
    (should (equal (listd-tests-content (concat dir ".listd-renaming/a/b")) "a"))
    (should (equal (listd-tests-rename dir '("a" "b") '("b" "a"))
                   '(("a" . ".listd-renaming: there is a file of this name")
                     ("b" . ".listd-renaming: there is a file of this name"))))
    ;; It gets its name when that is free.
    (listd-renaming-restore dir)
    (should (file-exists-p (concat dir ".listd-renaming/a/b")))
    (delete-file (concat dir "b"))
    (listd-renaming-restore dir)
    (should (equal (listd-tests-names dir) '("a" "b")))
    (should (equal (listd-tests-content (concat dir "b")) "a"))))

(ert-deftest listd-tests-renaming-race ()
  "Many files are renamed while another program makes files of the same names."
  (listd-tests-with-files dir (mapcar (lambda (i) (format "f%04d" i)) (number-sequence 0 499))
    (let* ((made (get-buffer-create " *made*"))
           (other (start-process
                   "other" made "python3" "-c" "
import os, sys
os.chdir(sys.argv[1])
print('ready', flush=True)
for i in range(1, 500):
    while not os.path.lexists(f'g{i - 1:04d}'): pass
    try: fd = os.open(f'g{i:04d}', os.O_CREAT | os.O_EXCL | os.O_WRONLY)
    except FileExistsError: continue
    os.write(fd, b'precious')
    print(f'g{i:04d}', flush=True)
" dir)))
      (unwind-protect
          (progn
            (set-process-query-on-exit-flag other nil)
            (set-process-sentinel other #'ignore)
            (listd-tests-wait "the other program" (lambda () (> (buffer-size made) 0)))
            (apply #'listd-tests-rename dir
                   (mapcar (lambda (i) (list (format "f%04d" i) (format "g%04d" i)))
                           (number-sequence 0 499)))
            (listd-tests-wait "its end" (lambda () (not (process-live-p other))))
            (let ((names (cdr (split-string (with-current-buffer made (buffer-string))))))
              (dolist (name names)
                (should (equal (listd-tests-content (concat dir name)) "precious")))
              (should (= (length (listd-tests-names dir)) (+ 500 (length names))))))
        (delete-process other)
        (kill-buffer made)))))

(defun listd-tests-rename-killed (dir pairs step)
  "Rename files of DIR by PAIRS of names in an Emacs that is killed before STEP.
Return whether it was."
  (let ((kill `(let ((steps 0))
                 (dolist (function '(make-directory rename-file delete-directory))
                   (advice-add function :before
                               (lambda (&rest _)
                                 (when (= (setq steps (1+ steps)) ,step)
                                   (signal-process (emacs-pid) 'KILL))))))))
    (not (eql 0 (call-process
                 (expand-file-name invocation-name invocation-directory) nil nil nil
                 "-Q" "--batch" "-L" listd-tests-clients "-l" "listd-renaming"
                 "--eval" "(setq lexical-binding t)" "--eval" (prin1-to-string kill)
                 "--eval" (format "(listd-rename-files '%S)"
                                  (mapcar (pcase-lambda (`(,old ,new)) (list old (concat dir old) new))
                                          pairs)))))))

(ert-deftest listd-tests-renaming-killed ()
  "Whenever Emacs is killed, each file has its old or its new name when the folder is opened again."
  (let ((pairs '(("a" "b") ("b" "c") ("c" "a") ("d" "e"))) (step 0) (killed t))
    (while killed
      (listd-tests-with-files dir '("a" "b" "c" "d")
        (setq step (1+ step)
              killed (listd-tests-rename-killed dir pairs step))
        (if (= (mod step 2) 0)
            (kill-buffer (listd-files dir))
          (with-current-buffer (listd-tree dir)
            (listd-tests-settle)
            (should-not (member "▸ .listd-renaming" (listd-tests-lines)))))
        (should (= (length (listd-tests-names dir)) 4))
        (pcase-dolist (`(,old ,new) pairs)
          (should (member old (mapcar (lambda (name) (and (file-exists-p (concat dir name))
                                                          (listd-tests-content (concat dir name))))
                                      (list old new)))))))
    ;; A step each: the folder, and for each of three files its folder, out, in, its folder deleted …
    (should (> step 14))
    (listd-stop)))                      ; the two lists have templates of the same name

;;; listd-renaming-tests.el ends here
