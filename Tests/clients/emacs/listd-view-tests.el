;;; listd-view-tests.el --- Lists with headers and long rows  -*- lexical-binding: t; -*-

;;; Commentary:

;; Edits of a text, and a list that several sides change.

;;; Code:

(require 'ert)
(require 'seq)
(require 'listd-harness)

(ert-deftest listd-tests-edits ()
  "Random edits, bottom up, give what the plainest way gives."
  (let ((words ["a" "b" "é" "è" "日本" "日" ""]) text)
    (random "seven")
    (with-temp-buffer
      (dotimes (_ 300)
        (let ((at 0) (count (length text)) edits wanted)
          (while (<= at count)
            (let* ((first (+ at (random 4)))
                   (last (min count (+ first (random 4))))
                   lines)
              (if (> first count)
                  (setq at (1+ count))
                (dotimes (_ (let ((most (if (> count 40) 1 3)))
                              (if (= first last) (1+ (random most)) (random (1+ most)))))
                  (push (concat (aref words (random 7)) (aref words (random 7))) lines))
                (push (list first last lines) edits)
                (setq at (1+ last)))))
          (setq edits (nreverse edits) at 0)
          (pcase-dolist (`(,first ,last ,lines) edits)
            (setq wanted (append wanted (seq-subseq text at first) lines)
                  at last))
          (setq wanted (append wanted (seq-subseq text at)))
          (listd-edits-apply edits)
          (should (equal (listd-edits-lines (buffer-string)) wanted))
          (should (<= (length (listd-edits-between text wanted)) 1))
          (setq text wanted))))))

(defun listd-tests-mail (id from subject)
  "An item."
  `(:id ,id :template "Mail" :from ,from :subject ,subject))

(defun listd-tests-show (&rest items)
  "Show ITEMS."
  (listd-apply `(:sections [(:id "new" :header "New" :selectionMode "multiple"
                                 :items ,(vconcat items))]))
  (listd-tests-settle))

(ert-deftest listd-tests-view ()
  "Changes from several sides."
  (let ((ann (listd-tests-mail 1 "Ann" "Über"))
        (bob (listd-tests-mail 2 "Bob" "日本"))
        (eve (listd-tests-mail 3 "Eve" "Keys"))
        (go (lambda (line)
              (goto-char (listd--position line 0))
              (run-hooks 'post-command-hook))))
    (switch-to-buffer
     (listd-view "mail" :templates '(:Mail "{selected:[x]|[ ]} {from}\n    {subject}")))
    (listd-tests-show ann bob)
    (should (equal (listd-tests-lines) '("New" "[ ] Ann" "    Über" "[ ] Bob" "    日本")))
    ;; A selected row is marked in all its lines, and its text is edited where it differs.
    (funcall go 3)
    (listd-tests-settle)
    (let ((touched (listd-tests-touched)))
      (listd-toggle)
      (listd-tests-settle)
      (should (<= (car touched) 2))) ; an insertion and a deletion in one line
    (should (equal (listd-tests-line) "[x] Bob"))
    (should (equal (listd-tests-marked) '("    日本" "[x] Bob")))
    ;; A header is not a row.
    (funcall go 0)
    (listd-toggle)
    (listd-tests-settle)
    (should (equal listd--selection [(:at [0 1] :count 1)]))
    ;; Point stays on its line of its row.
    (funcall go 4)
    (listd-tests-settle)
    (listd-tests-show eve (listd-tests-mail 4 "Zoe" "Z") bob ann)
    (should (equal (listd-tests-line) "    日本"))
    ;; Who else changes the list or its cursor is seen here.
    (listd-call 'select '(:list "mail" :cursor 3))
    (listd-tests-settle)
    (should (equal (listd-tests-line) "[ ] Eve"))
    (listd-call 'editSnapshot '(:list "mail" :edits [(:edit "deleteItems" :items [4])]))
    (listd-tests-settle)
    (should (= (listd--count) 7))
    (listd-call 'registerTemplates '(:templates (:Mail "{from}: {subject}")))
    (listd-tests-settle)
    (should (equal (listd-tests-lines) '("New" "Eve: Keys" "Bob: 日本" "Ann: Über")))
    (should (equal (listd-tests-line) "Eve: Keys"))
    ;; A text that was missed is read again.
    (setq listd--text-revision (1- listd--text-revision))
    (listd-tests-show bob eve ann)
    (should (equal (listd-tests-lines) '("New" "Bob: 日本" "Eve: Keys" "Ann: Über")))
    (should (equal (listd-tests-line) "Eve: Keys"))
    ;; An error is reported with its code and data.
    (let (got)
      (listd-apply '(:items [(:id 1) (:id 1)]) nil (lambda (err) (setq got err)))
      (listd-tests-settle)
      (should (eql (plist-get got :code) -31004)))
    ;; A list that is removed leaves nothing.
    (listd-call 'removeList '(:list "mail"))
    (listd-tests-settle)
    (should (equal (buffer-string) ""))
    (listd-tests-show ann)
    (should (equal (listd-tests-lines) '("New" "Ann: Über")))
    (kill-buffer)))

(ert-deftest listd-tests-outline ()
  "An outline is expanded and collapsed."
  (let* (awaited
         (buffer (listd-view "tree" :templates '(:Node "{indent:  }{expanded:-|+| }{id}"))))
    (switch-to-buffer buffer)
    (setq listd-expanded-function
          (lambda (items) (setq awaited (append awaited (append items nil)))))
    (listd-call 'applySnapshot
                '(:list "nodes" :items [(:id "a" :template "Node")
                                        (:id "b" :up "a" :template "Node")
                                        (:id "c" :up "b" :template "Node")
                                        (:id "d" :lazy t :template "Node")]))
    (listd-compose '(:sources ["nodes"] :view (:tree (:parent "up"))))
    (cl-flet ((expect (line what deep &rest wanted)
                (when line
                  (goto-char (point-min))
                  (forward-line line))
                (when what (listd-expand what deep))
                (listd-tests-settle)
                (should (equal (listd-tests-lines) wanted))))
      (expect nil nil nil "+a" "+d")
      (expect 0 'toggle nil "-a" "  +b" "+d")
      (expect 1 'toggle nil "-a" "  -b" "     c" "+d")
      (expect 0 'collapse t "+a" "+d")
      (expect 1 'expand nil "+a" "-d")
      (expect nil 'all nil "-a" "  -b" "     c" "-d")
      (should (equal awaited '("d")))
      (expect nil 'none nil "+a" "-d"))
    (listd-call 'removeList '(:list "nodes"))
    (kill-buffer)))

(ert-deftest listd-tests-mended ()
  "A buffer that something else has changed shows the list again with its next change."
  (listd-tests-list () (mapcar (lambda (i) `(:id ,i :text ,(format "row %d" i)))
                               (number-sequence 1 6))
    (cl-flet ((update (id)
                (listd-edit-items
                 `[(:edit "updateItems" :items [(:id ,id :text ,(format "changed %d" id))])])
                (listd-tests-settle)))
      (let ((inhibit-read-only t))
        (goto-char (listd--position 2 0))
        (delete-region (point) (listd--position 4 0)))
      (update 5)
      (should (equal (listd-tests-lines)
                     '("row 1" "row 2" "row 3" "row 4" "changed 5" "row 6")))
      (let ((inhibit-read-only t))
        (goto-char (listd--position 1 0))
        (upcase-region (point) (listd--position 3 0)))
      (update 6)
      (should (equal (listd-tests-lines)
                     '("row 1" "row 2" "row 3" "row 4" "changed 5" "changed 6")))
      (let ((inhibit-read-only t))
        (erase-buffer))
      (listd-refresh)
      (listd-tests-settle)
      (should (equal (length (listd-tests-lines)) 6)))))

(ert-deftest listd-tests-moves-changed ()
  "A row that moves and changes takes along its mark, foreign overlays, and points."
  (let ((rows (mapcar (lambda (i) `(:id ,i :text ,(format "row %d" i))) (number-sequence 1 30))))
    (listd-tests-list () rows
      (delete-other-windows)
      (listd-tests-line-go 19)
      (listd-toggle)
      (listd-tests-settle)
      (let ((part (make-overlay (+ (listd--position 19 0) 2) (+ (listd--position 19 0) 4)))
            (whole (make-overlay (listd--position 19 0) (listd--position 20 0)))
            (other (split-window)))
        (set-window-point other (+ (listd--position 19 0) 3))
        (listd-tests-line-go 4)
        (listd-tests-settle)
        (listd-apply `(:items ,(vconcat '((:id 20 :text "renamed 20"))
                                        (seq-remove (lambda (row) (memq (plist-get row :id) '(8 20)))
                                                    rows))))
        (listd-tests-settle)
        (should (equal (car (listd-tests-lines)) "renamed 20"))
        (should (equal (listd-tests-marked) '("renamed 20")))
        (should (equal (list (overlay-start part) (overlay-end part)) '(3 5)))
        (should (equal (list (overlay-start whole) (overlay-end whole)) '(1 12)))
        (should (equal (listd-tests-line) "row 5"))
        (should (= (window-point other) 4))
        (delete-window other)))))

(ert-deftest listd-tests-parts-race ()
  "What is at point is the part that its line showed, even if a change comes first."
  (let ((b '(:id "b" :text "B" :parts [(:id 1 :text "x") (:id 2 :text "y")])))
    (pcase-dolist (`(,line . ,wanted) '((0 . ("a")) (1 . ("b" 1)) (2 . ("b" 2))))
      (dolist (known '(t nil))
        (listd-tests-list () ()
          (listd-apply `(:items ["a" ,b]))
          (listd-tests-settle)
          (should (equal (listd-tests-lines) '("a" "x" "y")))
          (if (not known)
              (goto-char (listd--position line 0))
            (listd-tests-line-go line)
            (listd-tests-settle))
          (let (got)
            (listd-apply `(:items ["0" "00" "a" ,b]))
            (listd-item (lambda (place)
                          (let ((item (plist-get place :item)) (part (plist-get place :part)))
                            (setq got (cons (if (consp item) (plist-get item :id) item)
                                            (and part (list (plist-get part :id))))))))
            (listd-tests-settle)
            (should (equal got wanted))))))))

;;; listd-view-tests.el ends here
