;;; listd-tall-tests.el --- Point in rows of several lines  -*- lexical-binding: t; -*-

;;; Commentary:

;; Point keeps its line of a row as long as the row has it, and goes to the first line of another one.

;;; Code:

(require 'ert)
(require 'listd-harness)

(defun listd-tall-items (rows)
  "The items of ROWS, lists of an id and its lines."
  (vconcat (mapcar (lambda (row)
                     `(:id ,(car row) :text ,(string-join (cdr row) "\n")))
                   rows)))

(defun listd-tall-change (&rest rows)
  "Show ROWS in the current buffer."
  (listd-apply `(:sections [(:id "s" :selectionMode "multiple" :items ,(listd-tall-items rows))]))
  (listd-tests-settle))

(defmacro listd-tall-with (line rows &rest body)
  "Show ROWS, go to the LINE with that text, as a command would, and do BODY."
  (declare (indent 2) (debug t))
  `(with-current-buffer (listd-view "tall")
     (unwind-protect
         (progn
           (switch-to-buffer (current-buffer))
           (apply #'listd-tall-change ,rows)
           (listd-tests-go (concat ,line "$"))
           (listd-tests-settle)
           ,@body)
       (kill-buffer))))

(defconst listd-tall-rows
  '(("a" "a1" "a2" "a3" "a4") ("b" "b1" "b2" "b3" "b4" "b5") ("c" "c1") ("d" "d1" "d2" "d3") ("e" "e1")))

(defun listd-tall-without (id)
  "The rows without that of ID."
  (seq-remove (lambda (row) (equal (car row) id)) listd-tall-rows))

(ert-deftest listd-tests-tall-deleted ()
  "If its row is deleted, point is on the first line of the next one, and of the last one at the end."
  (pcase-dolist (`(,line ,id ,now) '(("b4" "b" "c1") ("a3" "a" "b1") ("b1" "b" "c1") ("d3" "d" "e1")))
    (listd-tall-with line listd-tall-rows
      (apply #'listd-tall-change (listd-tall-without id))
      (should (equal (listd-tests-line) now))
      (listd-toggle)
      (listd-tests-settle)
      (should (equal (mapcar (lambda (item) (plist-get item :id)) (listd-selected))
                     (list (substring now 0 1))))))
  (listd-tall-with "d3" (butlast listd-tall-rows)
    (listd-tall-change '("a" "a1" "a2" "a3" "a4") '("b" "b1" "b2" "b3" "b4" "b5"))
    (should (equal (listd-tests-line) "b1"))
    (listd-tall-change '("z" "z1" "z2"))
    (should (equal (listd-tests-line) "z1"))))

(ert-deftest listd-tests-tall-stays ()
  "If its row moves, grows or shrinks, point is on its line of the row, or on the last one."
  (listd-tall-with "b4" listd-tall-rows
    (let ((row (assoc "b" listd-tall-rows)) (others (listd-tall-without "b")))
      (apply #'listd-tall-change (append others (list row)))
      (should (equal (listd-tests-line) "b4"))
      (apply #'listd-tall-change row others)
      (should (equal (listd-tests-line) "b4"))
      (apply #'listd-tall-change '("b" "B1" "B2" "B3" "B4" "B5" "B6") others)
      (should (equal (listd-tests-line) "B4"))
      (apply #'listd-tall-change '("new" "n1" "n2") '("b" "B1" "B2") others)
      (should (equal (listd-tests-line) "B2")))))

(ert-deftest listd-tests-tall-other-window ()
  "The point of another window is on the first line after a deleted row, never behind the last line."
  (listd-tall-with "a2" listd-tall-rows
    (delete-other-windows)
    (let ((other (split-window)))
      (set-window-point other (listd--position 7 1)) ; b4
      (apply #'listd-tall-change (listd-tall-without "b"))
      (should (equal (listd--line-at (window-point other)) 4)) ; c1
      (set-window-point other (listd--position 7 1)) ; d3
      (apply #'listd-tall-change (seq-take listd-tall-rows 1))
      (should (equal (listd--line-at (window-point other)) 3)) ; a4
      (should (equal (listd-tests-line) "a2"))
      (delete-window other))))

(ert-deftest listd-tests-tall-collapsed ()
  "If its row is collapsed, point is on the first line of the row above."
  (with-current-buffer (listd-view "tall outline")
    (unwind-protect
        (progn
          (switch-to-buffer (current-buffer))
          (listd-call 'applySnapshot
                      `(:list "tall source" :items
                              [(:id "p" :text "p1\np2") (:id "q" :text "q1\nq2\nq3" :parent "p")
                               (:id "r" :text "r1\nr2" :parent "p") (:id "s" :text "s1\ns2\ns3")]))
          (listd-compose '(:sources ["tall source"] :view (:tree (:parent "parent"))))
          (listd-edit-items [(:edit "expandAll")])
          (listd-tests-wait "the rows" (lambda () (= (listd--count) 10)))
          (listd-tests-go "r2$")
          (listd-tests-settle)
          (listd-edit-items [(:edit "collapseItems" :items ["p"])])
          (listd-tests-settle)
          (should (equal (listd-tests-lines) '("p1" "p2" "s1" "s2" "s3")))
          (should (equal (listd-tests-line) "p1"))
          (listd-expand)
          (listd-tests-settle)
          (should (= (listd--count) 10))
          (should (equal (listd-tests-line) "p1")))
      (kill-buffer))))

;;; listd-tall-tests.el ends here
