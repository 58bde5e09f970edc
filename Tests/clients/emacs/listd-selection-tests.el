;;; listd-selection-tests.el --- Large selections and unreadable messages  -*- lexical-binding: t; -*-

;;; Commentary:

;; Selections that are kept as text, compared with sets of rows, and messages that cannot be read.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'seq)
(require 'listd-harness)

(defun listd-selection-text (rows)
  "The JSON text of the ranges of ROWS, ascending conses of a section and a row."
  (let (ranges)
    (pcase-dolist (`(,section . ,row) rows)
      (pcase (car ranges)
        ((and `(,(pred (eql section)) ,first ,count) (guard (= row (+ first count))))
         (setf (nth 2 (car ranges)) (1+ count)))
        (_ (push (list section row 1) ranges))))
    (format "[%s]" (mapconcat (lambda (range)
                                (apply #'format "{\"at\":[%d,%d],\"count\":%d}" range))
                              (nreverse ranges) ","))))

(defun listd-selection-random (density)
  "Some rows of two sections of 300 rows; DENSITY of 100 are selected."
  (cl-loop for section from 0 to 1
           nconc (cl-loop for row below 300
                          when (< (random 100) density) collect (cons section row))))

(defun listd-selection-expand (ranges)
  "The rows of RANGES, a sequence of plists."
  (seq-mapcat (lambda (range)
                (pcase-let ((`[,section ,row] (plist-get range :at)))
                  (cl-loop for i below (plist-get range :count) collect (cons section (+ row i)))))
              ranges))

(ert-deftest listd-selection-sets ()
  "A selection counts, finds, reads and compares its rows as a set does."
  (random "selection")
  (dotimes (round 60)
    (let* ((rows (listd-selection-random (nth (% round 4) '(0 3 50 97))))
           (before (seq-remove (lambda (_) (= (random 100) 0)) rows))
           (now (if (= (% round 3) 0) (listd-selection-random 20) rows))
           (text (listd-selection-text now)) (other (listd-selection-text before))
           (next 1) read selected deselected)
      (should (= (listd-selection-rows text) (length now)))
      (dolist (path '([0 0] [0 7] [0 299] [1 0] [1 150] [1 299] [2 0]))
        (should (eq (and (listd-selection-holds text path) t)
                    (and (member (cons (aref path 0) (aref path 1)) now) t))))
      (while next
        (pcase-let ((`(,ranges . ,following) (listd-selection-slice text next 7)))
          (should (<= (length ranges) 7))
          (setq read (append read (listd-selection-expand ranges)) next following)))
      (should (equal read now))
      (seq-doseq (op (listd-selection-compare text other))
        (if (equal (plist-get op :op) "selectItems")
            (setq selected (append selected (listd-selection-expand (list op))))
          (setq deselected (append deselected (listd-selection-expand (list op))))))
      (should (equal selected (seq-difference now before)))
      (should (equal deselected (seq-difference before now))))))

(defun listd-selection-read (text)
  "The message TEXT, as it is received."
  (with-temp-buffer
    (insert text "\n")
    (listd-selection-parse)))

(ert-deftest listd-selection-parsed ()
  "A large selection is not decoded with its message; members of items with that name are."
  (let* ((ranges (listd-selection-text (cl-loop for row below 1000 by 2 collect (cons 0 row))))
         (inside (format "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"items\":[{\"selection\":%s}]}}" ranges)))
    (dolist (where '("params" "result"))
      (let ((state (plist-get (listd-selection-read
                               (format "{\"%s\":{\"list\":\"é\",\"selection\":%s,\"cursor\":[0,1]}}" where ranges))
                              (intern (concat ":" where)))))
        (should (equal (plist-get state :selection) ranges))
        (should (equal (plist-get state :list) "é"))
        (should (equal (plist-get state :cursor) [0 1]))
        (should (= (length (plist-get (listd-selection-full state) :selection)) 500))))
    (should (= (length (plist-get (aref (plist-get (plist-get (listd-selection-read inside) :result) :items) 0)
                                  :selection))
               500))
    (should (equal (plist-get (listd-selection-read "{\"params\":{\"selection\":[{\"at\":[0,1],\"count\":1}]}}")
                              :params)
                   '(:selection [(:at [0 1] :count 1)])))))

(defmacro listd-selection-scattered (&rest body)
  "Do BODY in a list of 2,000 rows of which every second one is selected."
  (declare (indent 0) (debug t))
  `(listd-tests-list () (mapcar (lambda (i) `(:id ,i :text ,(format "row %d" i)))
                                (number-sequence 1 2000))
     (listd-call 'select `(:list ,listd--list :action "replace"
                                 :items ,(vconcat (number-sequence 1 2000 2))))
     (listd-tests-wait "all marks" (lambda () (= (length (listd-tests-marked)) 1000)))
     (listd-tests-settle)
     ,@body))

(ert-deftest listd-selection-undecoded ()
  "A change and a key in a list with many selected rows decode few of them, and no slice is large."
  (let ((objects 0) (most 0))
    (listd-selection-scattered
      (cl-letf* ((parse (symbol-function 'listd-selection-parse))
                 ((symbol-function 'listd-selection-parse)
                  (lambda ()
                    (let ((message (funcall parse)))
                      (setq objects (max objects (length (format "%S" (plist-put
                                                                       (copy-sequence (or (plist-get message :params)
                                                                                          (plist-get message :result)))
                                                                       :selection nil)))))
                      (should-not (vectorp (plist-get (or (plist-get message :params)
                                                          (plist-get message :result))
                                                      :selection)))
                      message)))
                 (json (symbol-function 'listd-selection--json))
                 ((symbol-function 'listd-selection--json)
                  (lambda (text)
                    (setq most (max most (length text)))
                    (funcall json text))))
        (listd-edit-items [(:edit "updateItems" :items [(:id 7 :text "changed")])])
        (listd-tests-settle)
        (listd-tests-line-go 11)
        (listd-toggle)
        (listd-tests-settle))
      (should (member "changed" (listd-tests-marked)))
      (should (member "row 12" (listd-tests-marked)))
      (should (= (length (listd-tests-marked)) 1001)))
    (should (< 0 objects 2000))
    (should (< most 3000))))

(ert-deftest listd-selection-in-slices ()
  "All rows are marked anew in slices, and changes meanwhile lose no mark."
  (let ((most 0))
    (listd-selection-scattered
      (cl-letf* ((anew (symbol-function 'listd--mark-anew))
                 ((symbol-function 'listd--mark-anew)
                  (lambda (places)
                    (setq most (max most (length places)))
                    (funcall anew places))))
        (listd--mark-all)
        (listd-tests-wait "some marks" (lambda () (< 0 (length (listd-tests-marked)) 1000)))
        (listd-edit-items [(:edit "deleteItems" :items [1]) (:edit "insertItems" :items ["new"] :before 1500)])
        (listd-edit-items [(:edit "updateItems" :items [(:id 7 :text "changed")])])
        (listd-tests-settle)
        (should (<= 2 most 500))
        (should (= (length (listd-tests-marked)) 999))
        (should (equal (seq-difference (listd-tests-marked)
                                       (cons "changed" (cl-loop for i from 3 to 2000 by 2
                                                                collect (format "row %d" i))))
                       nil))))))

(ert-deftest listd-selection-linear ()
  "Marking all of many ranges passes each line a few times, and not once for each range."
  (let* ((passed 0)
         (went (lambda (count) (setq passed (+ passed (abs count))))))
    (listd-selection-scattered
      (advice-add 'listd--forward :before went)
      (unwind-protect
          (progn (listd--mark-all)
                 (listd-tests-settle))
        (advice-remove 'listd--forward went))
      (should (= (length (listd-tests-marked)) 1000)))
    (should (< 1000 passed 10000))))

(ert-deftest listd-selection-unreadable ()
  "A reply that cannot be read fails its request at once, and no other."
  (let ((listd--connection nil) (listd--daemons nil) answers
        (listd-command '("sh" "-c" "while read -r line; do
case $line in *initialized*) ;;
*initialize*) echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}';;
*first*) printf '%s\\n' '{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":\"\\ud800\"}';;
*second*) echo 'no JSON';;
*third*) printf '{\"jsonrpc\":\"2.0\",'; sleep 0.05; echo '\"id\":4,\"result\":\"é\"}';;
*fourth*) echo '{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"not read\"}}';;
esac; done")))
    (with-temp-buffer
      (setq listd--client (listd-connection))
      (dolist (method '(first second third fourth))
        (listd--ask method nil (lambda (result) (push result answers))
                    (lambda (err) (push (plist-get err :message) answers))))
      (listd-tests-wait "the answers" (lambda () (= (length answers) 4)))
      (should (equal (nreverse answers)
                     '("the reply is not JSON that Emacs reads" "the reply is not JSON that Emacs reads"
                       "é" "not read")))
      (setq listd--closing listd--client)
      (delete-process (listd-connection-process listd--client)))))

(ert-deftest listd-selection-log ()
  "The log keeps the latest messages."
  (let ((listd--connection nil) (listd--daemons nil) (listd-log-size 3000))
    (listd-call 'getLists nil)
    (with-current-buffer (listd-connection-log-buffer listd--connection)
      (should (string-match-p "--> .*getLists\"}\n\\(.*\n\\)*[0-9:.]+ <-- .*\"lists\":\\[" (buffer-string)))
      (dotimes (_ 30)
        (listd-call 'getLists nil))
      (should (<= (buffer-size) 3000))
      (should (string-suffix-p "}\n" (buffer-string)))
      (kill-buffer))
    (listd-stop)))

(ert-deftest listd-selection-beside-moves ()
  "A marked row keeps its mark, all of it and no other, if rows move before it and are inserted there."
  (let ((rows (lambda (&rest texts)
                (mapcar (lambda (text) `(:id ,(aref text 0) :text ,(substring text 1))) texts))))
    (listd-tests-list () (funcall rows "aapple  1B" "bbanana  2B" "ccherry  3B" "ddate  4B")
      (listd-call 'select `(:list ,listd--list :action "replace" :items [?b ?d]))
      (listd-tests-settle)
      (apply #'listd-tests-change
             (funcall rows "aapple  1B" "ccherry  3B" "bcucumber  2B" "edate  9B" "ddate~  4B"))
      (listd-tests-settle)
      (should (equal (listd-tests-marked) '("cucumber  2B" "date~  4B"))))))

(ert-deftest listd-selection-shuffled ()
  "After a shuffle rows, marks and point are right; its many moves are decoded when they are read."
  (random "shuffle")
  (let* ((rows (vconcat (cl-loop for i from 1 to 1500 collect `(:id ,i :text ,(format "row %d" i)))))
         (odd (lambda (row) (cl-oddp (plist-get row :id))))
         (text (lambda (row) (plist-get row :text)))
         (moved (format "{\"params\":{\"moves\":[%s]}}"
                        (mapconcat (lambda (i) (format "{\"from\":%d,\"to\":0,\"count\":1}" i))
                                   (number-sequence 1 400) ",")))
         moves)
    (should (stringp (plist-get (plist-get (listd-selection-read moved) :params) :moves)))
    (listd-tests-list () (append rows nil)
      (listd-call 'select `(:list ,listd--list :action "replace"
                                  :items ,(vconcat (number-sequence 1 1500 2))))
      (listd-tests-wait "all marks" (lambda () (= (length (listd-tests-marked)) 750)))
      (listd-tests-line-go 6)
      (listd-tests-settle)
      (setq listd--changed (lambda (change) (setq moves (plist-get change :moves))))
      (cl-loop for i from 1499 downto 1
               do (cl-rotatef (aref rows i) (aref rows (random (1+ i)))))
      (setq rows (append (seq-subseq rows 1) nil))
      (apply #'listd-tests-change rows)
      (listd-tests-wait "the marks" (lambda () (not listd--whole)))
      (should (equal (listd-tests-lines) (mapcar text rows)))
      (should (equal (listd-tests-marked) (sort (mapcar text (seq-filter odd rows)) #'string<)))
      (should (equal (listd-tests-line) "row 7"))
      (should (> (length moves) 1000))
      (should (natnump (plist-get (aref moves 0) :from))))))

(ert-deftest listd-selection-shuffled-windows ()
  "After a shuffle each window is on its row, also if point moves before it is shown."
  (let* ((rows (cl-loop for i from 1 to 1500 collect
                        `(:id ,i :text ,(format "row %d" i) :more ,(make-string 100 ?x))))
         (order (lambda (row) (% (* 7919 (plist-get row :id)) 1511)))
         moved)
    (listd-tests-list (:templates '(:Cell "{text} {more}")) rows
      (let* ((windows (list (selected-window) (split-window nil nil 'right)
                            (split-window nil nil 'right)))
             (ids (lambda ()
                    (mapcar (lambda (window)
                              (save-excursion
                                (goto-char (window-point window))
                                (string-to-number (substring (listd-tests-line) 4))))
                            windows)))
             (meanwhile (lambda (connection)
                          (when (and (equal (plist-get (car (listd-connection-messages connection))
                                                       :method)
                                            "didChange")
                                     (not moved))
                            (setq moved t)
                            (set-window-point (nth 1 windows) (listd--position 599 3))
                            (listd-tests-line-go 1100)
                            (listd-tests-line-go 399)))))
        (set-window-point (nth 1 windows) (listd--position 699 0))
        (set-window-point (nth 2 windows) (listd--position 299 0))
        (listd-tests-line-go 899)
        (listd-tests-settle)
        (should (equal (funcall ids) '(900 700 300)))
        (setq rows (sort (remove (nth 11 rows) rows)
                         (lambda (a b) (< (funcall order a) (funcall order b)))))
        (listd-apply `(:items ,(vconcat rows)))
        (advice-add 'listd-connection--handle-all :before meanwhile)
        (unwind-protect
            (listd-tests-wait "the change" (lambda () moved))
          (advice-remove 'listd-connection--handle-all meanwhile))
        (listd-tests-settle)
        (should (equal (funcall ids) '(400 600 300)))
        (listd-edit-items [(:edit "deleteItems" :items [600])
                           (:edit "moveItems" :items [400] :section "main")])
        (listd-tests-settle)
        (should (equal (car (funcall ids)) 400))
        (should (equal (plist-get (plist-get (listd-item) :item) :id) 400))
        (delete-other-windows)))))

;;; listd-selection-tests.el ends here
