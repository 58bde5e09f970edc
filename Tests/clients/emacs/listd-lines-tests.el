;;; listd-lines-tests.el --- Editing the lines of a list  -*- lexical-binding: t; -*-

;;; Commentary:

;; What the lines refer to, and what is committed.

;;; Code:

(require 'ert)
(require 'listd-harness)
(require 'listd-tree)

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
      (kill-buffer list)))
  (listd-stop))

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

(defun listd-tests-edited (tree edit)
  "What EDIT, keys or a function, makes of the names of TREE: problems and pairs of names."
  (listd-tests-edit tree)
  (goto-char (point-min))
  (if (stringp edit) (execute-kbd-macro (kbd edit)) (funcall edit))
  (pcase-let ((`(,problems ,changes) (listd-lines--read)))
    (listd-lines-abort)
    (append (mapcar #'cdr problems)
            (mapcar (lambda (change) (list (listd-lines--row-text (plist-get change :row))
                                           (plist-get change :text)))
                    changes))))

(ert-deftest listd-tests-edit-lines-kinds ()
  "However lines are edited, names are those that the lines show, or are refused."
  (listd-tests-with-files dir '("f0" "f1" "f2")
    (let ((tree (listd-tree dir)))
      (listd-tests-see tree "  f0" "  f1" "  f2")
      (pcase-dolist
          (`(,edit . ,wanted)
           `((,(lambda () (while (re-search-forward "[0-9]" nil t)
                            (replace-match (number-to-string (1+ (string-to-number (match-string 0)))))))
              ("f0" "f1") ("f1" "f2") ("f2" "f3"))
             (,(lambda () (while (re-search-forward "f.$" nil t) (replace-match "x\\&")))
              ("f0" "xf0") ("f1" "xf1") ("f2" "xf2"))
             (,(lambda () (string-rectangle 3 13 "x")) ("f0" "xf0") ("f1" "xf1") ("f2" "xf2"))
             ;; Lines that are moved or deleted.
             (,(lambda () (sort-lines t (point-min) (point-max))))
             (,(lambda () (reverse-region (point-min) (point-max))))
             (,(lambda () (flush-lines "f1")))
             ("C-n C-x C-t") ("C-k C-k C-n C-y")
             ;; A name is copied to another line.
             ("C-e M-b C-SPC C-e M-w C-n C-y" ("f1" "f1f0"))
             ("C-e M-b C-SPC C-e M-w C-n C-a C-f C-f C-y" ("f1" "f0f1"))
             ("C-n C-a DEL" "two rows were joined")
             (,(lambda () (delete-indentation 1)) "two rows were joined")
             ("C-k C-k C-y C-y" "two lines stand for the same row" "two lines stand for the same row")
             ("C-o n e w" "this line is new, and lines cannot be added")))
        (should (equal (cons edit (listd-tests-edited tree edit)) (cons edit wanted)))))))

(ert-deftest listd-tests-edit-lines-of-others ()
  "Lists without the option cannot be edited."
  (with-current-buffer (listd-view "plain")
    (should-error (listd-edit-lines) :type 'user-error)
    (kill-buffer)))

;;; listd-lines-tests.el ends here
