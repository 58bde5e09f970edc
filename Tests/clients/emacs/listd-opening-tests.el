;;; listd-opening-tests.el --- Long lists in parts  -*- lexical-binding: t; -*-

;;; Commentary:

;; Long lists are sent, read and shown in parts, so that a key waits for none of it.

;;; Code:

(require 'ert)
(require 'listd-harness)

(defconst listd-opening-rows 20000)
(defconst listd-opening-most-lines 1000 "Of one step.")
(defconst listd-opening-most-bytes 100000)

(defun listd-opening-some (first last)
  "Rows from FIRST to LAST."
  (vconcat (cl-loop for i from first to last collect `(:id ,i :text ,(format "row %d" i)))))

(defun listd-opening-snapshot (items)
  "A snapshot of ITEMS."
  `(:sections [(:id "s" :selectionMode "multiple" :items ,items)]))

(defun listd-opening-texts (items)
  "The lines of ITEMS."
  (mapcar (lambda (item) (plist-get item :text)) items))

(defmacro listd-opening-measured (most &rest body)
  "Do BODY; MOST is a plist of the :bytes and :lines of its largest step.
It also has the number of :texts that were asked for."
  (declare (indent 1) (debug t))
  `(let* ((,most (list :bytes 0 :lines 0 :texts 0))
          (more (lambda (name value)
                  (plist-put ,most name (max value (plist-get ,most name)))))
          (read (lambda () (funcall more :bytes (- (point-max) (point-min)))))
          (sent (lambda (_ message)
                  (when (equal (plist-get message :method) "getText")
                    (plist-put ,most :texts (1+ (plist-get ,most :texts))))
                  (funcall more :bytes (length (json-serialize (or (plist-get message :params) [])
                                                               :false-object :json-false)))))
          (shown (lambda (edits &rest _)
                   (pcase-dolist (`(,first ,last ,_ ,lines) edits)
                     (funcall more :lines (max (- last first) lines))))))
     (advice-add 'listd-selection-parse :before read)
     (advice-add 'listd-connection--send :before sent)
     (advice-add 'listd-edits-apply :before shown)
     (unwind-protect
         (progn ,@body)
       (advice-remove 'listd-selection-parse read)
       (advice-remove 'listd-connection--send sent)
       (advice-remove 'listd-edits-apply shown))))

(defun listd-opening-small (most)
  "Check the steps of MOST."
  (should (<= (plist-get most :lines) listd-opening-most-lines))
  (should (< 0 (plist-get most :bytes) listd-opening-most-bytes)))

(defmacro listd-opening-beside (list items params &rest body)
  "Another program has LIST with ITEMS, applied with PARAMS; do BODY in its buffer.
BODY begins when some lines are shown, and `other' asks as that program."
  (declare (indent 3) (debug t))
  `(let* ((folder (make-temp-file "listd" t)) (socket (expand-file-name "socket" folder))
          (listd--connection nil) (listd--daemons nil) (listd-connect socket) connection other)
     (call-process-shell-command
      (format "%s connect --start %s --exit-when-idle 5 </dev/null" (car (listd-find)) socket))
     (setq connection (listd-connection)
           other (lambda (method params) (listd-connection-call connection method params 5)))
     (unwind-protect
         (progn
           (funcall other 'applySnapshot
                    `(:list ,,list ,@(listd-opening-snapshot ,items) :format "none" ,@,params))
           (with-current-buffer (listd-view ,list :namespace "beside")
             (switch-to-buffer (current-buffer))
             (unwind-protect
                 (progn
                   (listd-tests-wait "lines" (lambda () (> (buffer-size) 0)))
                   (should (< (listd--count) (/ listd-opening-rows 2)))
                   ,@body)
               (kill-buffer))))
       (listd-stop))))

(defun listd-opening-all-read ()
  "Wait until all lines are read."
  (listd-tests-wait "all lines" (lambda () (and listd--text-revision (not listd--rereading))))
  (listd-tests-settle))

(defun listd-opening-move (line)
  "Go to LINE, as a command would."
  (goto-char (point-min))
  (forward-line (1- line))
  (set-window-point (selected-window) (point))
  (run-hooks 'post-command-hook))

(ert-deftest listd-opening-windows ()
  "Another program's list is read in windows, and keys mean what is shown meanwhile."
  (let (got count)
    (listd-opening-measured most
      (listd-opening-beside "long" (listd-opening-some 1 listd-opening-rows) nil
        (plist-put most :bytes 0)
        (listd-opening-move 100)
        (listd-toggle)
        (listd-act (lambda (items _) (setq got items count (listd--count))))
        (listd-tests-wait "the answer" (lambda () got))
        (should (equal (plist-get (car got) :id) 100))
        (should (< count listd-opening-rows))
        (should (equal (seq-take (listd-tests-lines) count)
                       (listd-opening-texts (listd-opening-some 1 count))))
        (listd-opening-all-read)
        (should (equal (listd-tests-lines)
                       (listd-opening-texts (listd-opening-some 1 listd-opening-rows))))
        (should (equal (listd-tests-marked) '("row 100")))
        (should (equal (listd-tests-line) "row 100"))
        (listd-opening-small most)))))

(ert-deftest listd-opening-changes ()
  "Changes during the opening are neither lost nor applied twice."
  (listd-opening-beside "changing" (listd-opening-some 1 listd-opening-rows) nil
    (listd-opening-move 50)
    (let ((step 0))
      (while (or (< step 20) listd--rereading)
        (setq step (1+ step))
        (should (< step 500))
        (listd-tests-ask
         connection 'editSnapshot
         `(:list "changing" :format "none" :edits
                 [(:edit "insertItems" :before 10
                         :items [(:id ,(format "a%d" step) :text ,(format "new %d" step))])
                  (:edit "deleteItems" :items [,(+ 100 step) ,(+ 15000 step)])
                  (:edit "updateItems" :items [(:id ,(+ 300 step) :text "x")
                                               (:id 19000 :text ,(format "y%d" step))])
                  (:edit "appendItems" :section "s"
                         :items [(:id ,(format "b%d" step) :text ,(format "last %d" step))])]))
        (accept-process-output nil 0.003))
      (listd-tests-wait "the last change"
                        (lambda ()
                          (save-excursion (goto-char (point-max))
                                          (search-backward (format "\nlast %d\n" step) nil t))))
      (listd-opening-all-read)
      (should (equal (buffer-string) (plist-get (funcall other 'getText '(:list "changing")) :text)))
      (should (equal (listd-tests-line) "row 50")))))

(ert-deftest listd-opening-far-cursor ()
  "Point goes to the daemon's row once that is read, unless it was moved."
  (listd-opening-beside "far" (listd-opening-some 1 listd-opening-rows) '(:cursor 15000)
    (should (= (point) 1))
    (run-hooks 'post-command-hook)
    (listd-opening-all-read)
    (should (equal (listd-tests-line) "row 15000")))
  (listd-opening-beside "far" (listd-opening-some 1 listd-opening-rows) '(:cursor 15000)
    (listd-opening-move 3)
    (listd-opening-all-read)
    (should (equal (listd-tests-line) "row 3"))
    (should (equal (plist-get (funcall other 'getSelection '(:list "far")) :cursor) [0 2]))))

(ert-deftest listd-opening-close ()
  "Killing the buffer ends the reading."
  (listd-opening-measured most
    (let (client)
      (listd-opening-beside "closed" (listd-opening-some 1 listd-opening-rows) nil
        (setq client listd--client)
        (kill-buffer)
        (set-buffer (get-buffer-create " closed"))
        (plist-put most :texts 0)
        (dotimes (_ 2)
          (listd-connection-call client 'getLists nil 5)
          (accept-process-output nil 0.05))
        (should (= (plist-get most :texts) 0))))))

(ert-deftest listd-opening-missed-text ()
  "A text that was missed is read in windows while the old one is shown."
  (listd-opening-beside "missed" (listd-opening-some 1 listd-opening-rows) nil
    (listd-opening-all-read)
    (listd-opening-move 9000)
    (listd-tests-settle)
    (let ((overlay (progn (goto-char (point-min))
                          (search-forward "row 17001\n")
                          (make-overlay (line-beginning-position 0) (1- (point)))))
          (edit (lambda (edit)
                  (listd-tests-ask
                   connection 'editSnapshot
                   `(:list "missed" :edits [,edit] :format "none")))))
      (listd-opening-move 9000)
      (listd-tests-settle)
      (listd-opening-measured most
        (setq listd--text-revision 999)
        (funcall edit '(:edit "insertItems" :before 5000 :items [(:id "new" :text "new")]))
        (listd-tests-wait "the reading" (lambda () (cdr listd--fresh)))
        (should (= (listd--count) listd-opening-rows))
        (funcall edit '(:edit "deleteItems" :items [3 4]))
        (listd-opening-all-read)
        (listd-tests-wait "the last change"
                          (lambda () (= (listd--count) (1- listd-opening-rows))))
        (listd-tests-settle)
        (should (< 0 (plist-get most :bytes) listd-opening-most-bytes)))
      (should (equal (buffer-string) (plist-get (funcall other 'getText '(:list "missed")) :text)))
      (should (equal (listd-tests-line) "row 9000"))
      (should (equal (buffer-substring (overlay-start overlay) (overlay-end overlay)) "row 17001")))))

(ert-deftest listd-opening-large-snapshot ()
  "A large snapshot is sent, read and shown in parts."
  (with-current-buffer (listd-view "own")
    (switch-to-buffer (current-buffer))
    (let ((items (listd-opening-some 1 listd-opening-rows)) shown later)
      (listd-opening-measured most
        (listd-apply (listd-opening-snapshot items) (lambda (_) (setq shown (listd--count))))
        (listd-edit-items [(:edit "deleteItems" :items [1])] (lambda (_) (setq later t)))
        (listd-tests-wait "both changes" (lambda () later))
        (should (>= shown (1- listd-opening-rows)))
        (setq items (seq-subseq items 1))
        (should (equal (listd-tests-lines) (listd-opening-texts items)))
        (listd-tests-settle)
        (listd-opening-move 12000)
        (listd-tests-settle)
        (setq items (vconcat (seq-subseq items 0 100) [(:id "new" :text "new")]
                             (seq-subseq items 100))
              later nil)
        (listd-apply (listd-opening-snapshot items) (lambda (_) (setq later t)))
        (listd-tests-wait "the change" (lambda () later))
        (should (equal (listd-tests-lines) (listd-opening-texts items)))
        (should (= (line-number-at-pos) 12001))
        (listd-opening-small most))
      (should (= (length (plist-get (listd-connection-call listd--client 'getLists nil 5) :lists)) 1)))
    (kill-buffer)))

(defvar listd-opening-receiving nil "Whether a message is being received.")

(ert-deftest listd-opening-long-change ()
  "A long change is shown in a turn after it was read, and keys meanwhile mean what is shown."
  (let* ((items (listd-opening-some 1 listd-opening-rows)) shuffled acted begun
         (receive (lambda (function &rest arguments)
                    (let ((listd-opening-receiving t))
                      (apply function arguments))))
         list
         (handle (lambda (connection)
                   (when (and list (not begun)
                              (seq-some (lambda (message)
                                          (equal (plist-get message :method) "didChange"))
                                        (listd-connection-messages connection)))
                     (setq begun (if listd-opening-receiving 'too-early t))
                     (with-current-buffer list
                       (should (equal (listd-tests-lines) (listd-opening-texts items)))
                       (listd-opening-move 7000)
                       (listd-toggle)
                       (listd-opening-move 9000)
                       (listd-act (lambda (_ place) (setq acted place))))))))
    (dotimes (i listd-opening-rows)
      (unless (= i 11)
        (push (aref items (mod (* i 7919) listd-opening-rows)) shuffled)))
    (setq shuffled (vconcat shuffled))
    (listd-opening-beside "shuffled" items nil
      (listd-opening-all-read)
      (setq list (current-buffer))
      (advice-add 'listd-connection--receive :around receive)
      (advice-add 'listd-connection--handle-all :before handle)
      (unwind-protect
          (progn
            (listd-tests-ask connection 'applySnapshot
                             `(:list "shuffled" ,@(listd-opening-snapshot shuffled) :format "none"))
            (listd-tests-wait "the change" (lambda () (= (listd--count) (1- listd-opening-rows))))
            (listd-tests-wait "the answer" (lambda () acted)))
        (advice-remove 'listd-connection--receive receive)
        (advice-remove 'listd-connection--handle-all handle))
      (listd-tests-settle)
      (should (eq begun t))
      (should (equal (listd-tests-lines) (listd-opening-texts shuffled)))
      (should (equal (listd-tests-marked) '("row 7000")))
      (should (equal (mapcar (lambda (item) (plist-get item :id)) (listd-selected)) '(7000)))
      (should (equal (plist-get (plist-get acted :item) :id) 9000)))))

(ert-deftest listd-opening-items-by-function ()
  "Items that a function returns are sent in parts, as those of a vector are."
  (let* ((most 0)
         (items (lambda (first last)
                  (lambda (count)
                    (setq most (max most count))
                    (prog1 (listd-opening-some first (min last (+ first count -1)))
                      (setq first (min (1+ last) (+ first count))))))))
    (dolist (size '(0 1 499 500 501 1750))
      (with-current-buffer (listd-view "by function")
        (listd-apply `(:sections [(:id 1 :items ,(funcall items 1 size))
                                  (:id 2 :header "head" :items [(:id "a" :text "alone")])
                                  (:id 3 :items ,(funcall items 10001 (+ 10000 size)))]))
        (listd-tests-settle)
        (should (equal (listd-tests-lines)
                       (append (listd-opening-texts (listd-opening-some 1 size)) '("head" "alone")
                               (listd-opening-texts (listd-opening-some 10001 (+ 10000 size))))))
        (kill-buffer)))
    (should (= most listd-sending--part))))

(ert-deftest listd-opening-refused-part ()
  "A part that is refused changes nothing."
  (with-current-buffer (listd-view "refused")
    (listd-apply (listd-opening-snapshot (listd-opening-some 1 3)))
    (let ((items (listd-opening-some 1 listd-opening-rows)) why)
      (aset items (1- listd-opening-rows) '(:id 7 :text "twice"))
      (listd-apply (listd-opening-snapshot items) nil (lambda (err) (setq why err)))
      (listd-tests-wait "the error" (lambda () why))
      (listd-tests-settle)
      (should (equal (listd-tests-lines) '("row 1" "row 2" "row 3"))))
    (kill-buffer)))

(ert-deftest listd-opening-clipped-edits ()
  "Edits of the first lines of a text lead to the first lines of the new one."
  (random "7")
  (dotimes (_ 3000)
    (let* ((all (cl-loop for i from 1 to (random 13) collect (format "old %d" i)))
           (size (length all)) (line 0) changes)
      (while (<= line size)
        (let* ((first (+ line (random 4))) (last (+ first (random 4)))
               (new (cl-loop for i from 1 to (random 5) collect (format "new %d %d" first i))))
          (when (and (<= last size) (or new (> last first)))
            (push (listd-tests-text-edit first last new) changes))
          (setq line (1+ last))))
      (setq changes (nreverse changes))
      (let* ((count (random (1+ size)))
             (now (listd-tests-spliced all changes))
             (some (listd-tests-spliced
                    (seq-take all count)
                    (car (listd-edits-clip changes count (or (< count size) (= (random 2) 0))
                                           (1+ (random 4))))))
             (clipped (listd-edits-clip changes size nil 2)))
        (should (equal some (seq-take now (length some))))
        (should (or (cdr clipped)
                    (equal now (listd-tests-spliced all (car clipped)))))))))

(defun listd-opening-consed (slot function)
  "How many of SLOT of `memory-use-counts' FUNCTION conses."
  (let ((before (nth slot (memory-use-counts))))
    (funcall function)
    (- (nth slot (memory-use-counts)) before)))

(ert-deftest listd-opening-garbage ()
  "Lines are inserted without a string each."
  (let* ((text (mapconcat (lambda (i) (format "line %d\n" i)) (number-sequence 1 2000) ""))
         (change `[(:range (:start (:line 0) :end (:line 0)) :newText ,text)]))
    (with-temp-buffer
      (dolist (moves '(nil scattered))
        (should (< (listd-opening-consed
                    6 (lambda () (listd-edits-apply (listd-edits-read change) moves)))
                   200)))
      (should (equal (buffer-string) (concat text text))))))

(provide 'listd-opening-tests)
;;; listd-opening-tests.el ends here
