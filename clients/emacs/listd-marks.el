;;; listd-marks.el --- Marks of the selected rows  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Overlays mark the selected rows and move with their text; after a change only the lines that it
;; brought are looked at.  Lines are counted from 0.

;;; Code:

(require 'cl-lib)
(require 'seq)
(require 'listd-client)
(require 'listd-rows)

(defface listd-selected '((t :inherit highlight))
  "Face of the rows that are selected."
  :group 'listd)

(defcustom listd-sign "* "
  "What stands before a row that is selected."
  :type 'string
  :group 'listd)

(defvar-local listd--selection [])
(defvar-local listd--brought nil "Lines of which it is not known yet whether they are selected.")
(defvar-local listd--marked nil "Whether there are marks.")
(defvar-local listd--anchor nil "A place that is known: the tick of the text, a position, its line.")
(defvar-local listd--turn 0
  "Counts askings where the selected rows are; only the last one's answer is used.")

;;;; Lines

(defmacro listd--widened (&rest body)
  "Do BODY with the whole buffer accessible."
  (declare (indent 0) (debug t))
  `(save-restriction (widen) (save-excursion ,@body)))

(defun listd--anchor ()
  "A position and its line, from which others are counted."
  (let ((tick (buffer-chars-modified-tick)))
    (unless (eql (car listd--anchor) tick)
      (setq listd--anchor (list tick (point-min) 0)))
    (cdr listd--anchor)))

(defun listd--line-at (position)
  "The line of POSITION, counted from 0."
  (listd--widened
    (goto-char position)
    (forward-line 0)
    (pcase-let* ((`(,at ,line) (listd--anchor))
                 (here (if (>= (point) at)
                           (+ line (count-lines at (point)))
                         (- line (count-lines (point) at)))))
      (setq listd--anchor (list (buffer-chars-modified-tick) (point) here))
      here)))

(defun listd--position (line column)
  "The position of COLUMN, in characters, of LINE."
  (listd--widened
    (pcase-let ((`(,at ,from) (listd--anchor)))
      (goto-char at)
      (when (= (forward-line (- line from)) 0)
        (setq listd--anchor (list (buffer-chars-modified-tick) (point) line)))
      (min (+ (point) column) (line-end-position)))))

;;;; Overlays

(defun listd--unmark (start end)
  "Take away the marks from START to END."
  (dolist (overlay (overlays-in start end))
    (let ((from (overlay-start overlay)) (to (overlay-end overlay)))
      (when (and (overlay-get overlay 'listd) (< from end) (> to start))
        (cond ((and (< from start) (> to end))
               (move-overlay (copy-overlay overlay) end to)
               (move-overlay overlay from start))
              ((< from start) (move-overlay overlay from start))
              ((> to end) (move-overlay overlay end to))
              (t (delete-overlay overlay)))))))

(defun listd--mark (start end)
  "Mark what is from START to END and has no marks."
  (let ((overlay (make-overlay start end nil t nil)))
    (setq listd--marked t)
    (overlay-put overlay 'listd t)
    (overlay-put overlay 'face 'listd-selected)
    (overlay-put overlay 'line-prefix listd-sign)
    (overlay-put overlay 'evaporate t)))

(defun listd--mark-lines (first last selected)
  "Mark the lines from FIRST to LAST - 1 if they are SELECTED.
Else take their marks away."
  (save-restriction
    (widen)
    (let ((start (listd--position first 0)) (end (listd--position last 0)))
      (listd--unmark start end)
      (when (and selected (< start end))
        (listd--mark start end)))))

(defun listd--marked-p (line)
  "Whether LINE is marked as part of more than itself."
  (save-restriction
    (widen)
    (let ((start (listd--position line 0)) (end (listd--position (1+ line) 0)))
      (seq-some (lambda (overlay)
                  (and (overlay-get overlay 'listd)
                       (or (< (overlay-start overlay) start) (> (overlay-end overlay) end))))
                (overlays-at start)))))

(defun listd--unmark-all ()
  "Take away all marks."
  (setq listd--turn (1+ listd--turn) listd--brought nil)
  (when listd--marked
    (setq listd--marked nil)
    (save-restriction
      (widen)
      (remove-overlays (point-min) (point-max) 'listd t))))

;;;; Ranges of rows

(defun listd--ends (ranges)
  "The paths of the first and last rows of RANGES, a vector."
  (vconcat (seq-mapcat (lambda (range)
                         (pcase-let ((`[,section ,row] (plist-get range :at)))
                           (list (vector section row)
                                 (vector section (+ row (plist-get range :count) -1)))))
                       ranges)))

(defun listd--rows-of (ranges)
  "The number of rows of RANGES."
  (let ((rows 0))
    (seq-doseq (range ranges)
      (setq rows (+ rows (plist-get range :count))))
    rows))

(defun listd--before (path other)
  "Whether PATH comes before OTHER."
  (or (< (aref path 0) (aref other 0))
      (and (= (aref path 0) (aref other 0)) (< (aref path 1) (aref other 1)))))

(defun listd--holds (selection path)
  "Whether the ranges of SELECTION, ascending, hold the row of PATH."
  (let ((low 0) (high (length selection)))
    (while (< low high)
      (let ((middle (/ (+ low high) 2)))
        (if (listd--before path (plist-get (aref selection middle) :at))
            (setq high middle)
          (setq low (1+ middle)))))
    (when (> low 0)
      (pcase-let* ((range (aref selection (1- low))) (`[,section ,row] (plist-get range :at)))
        (and (= section (aref path 0))
             (< (aref path 1) (+ row (plist-get range :count))))))))

(defun listd--difference (these those op)
  "The rows of THESE ranges that are not in THOSE, as OP and its range each."
  (let ((from 0) (count (length those)) found)
    (seq-doseq (range these)
      (pcase-let* ((`[,section ,row] (plist-get range :at))
                   (stop (+ row (plist-get range :count)))
                   (emit (lambda (end)
                           (when (< row end)
                             (push `(:op ,op :at [,section ,row] :count ,(- end row)) found))))
                   (start-of (lambda (k) (plist-get (aref those k) :at)))
                   (end-of (lambda (k) (+ (aref (funcall start-of k) 1)
                                          (plist-get (aref those k) :count)))))
        (while (and (< from count)
                    (let ((at (funcall start-of from)))
                      (or (< (aref at 0) section)
                          (and (= (aref at 0) section) (<= (funcall end-of from) row)))))
          (setq from (1+ from)))
        (let ((k from))
          (while (and (< k count) (= (aref (funcall start-of k) 0) section)
                      (< (aref (funcall start-of k) 1) stop))
            (funcall emit (aref (funcall start-of k) 1))
            (setq row (max row (funcall end-of k)) k (1+ k))))
        (funcall emit stop)))
    (nreverse found)))

;;;; Marking

(defun listd--mark-all ()
  "Mark the rows of the selection anew, once their lines are known."
  (if (= (length listd--selection) 0)
      (listd--unmark-all)
    (setq listd--turn (1+ listd--turn) listd--brought nil)
    (let ((turn listd--turn))
      ;; An error means that the rows have changed again, and the change marks them anew.
      (listd--ask 'locate `(:list ,listd--list :paths ,(listd--ends listd--selection) :text t)
                  (lambda (found)
                    (when (eql turn listd--turn)
                      (listd--unmark-all)
                      (listd--mark-anew (plist-get found :paths))))
                  #'ignore))))

(defun listd--mark-anew (places)
  "Mark the lines from each even one of PLACES, ascending, to the next."
  (save-excursion
    (save-restriction
      (widen)
      (goto-char (point-min))
      (let ((here 0))
        (dotimes (i (/ (length places) 2))
          (let ((first (aref places (* 2 i))) (last (aref places (1+ (* 2 i)))))
            (when (and first last)
              (forward-line (- (plist-get first :line) here))
              (setq here (+ (plist-get last :line) (plist-get last :lineCount)))
              (let ((start (point)))
                (forward-line (- here (plist-get first :line)))
                (when (< start (point))
                  (listd--mark start (point)))))))))))

(defun listd--mark-places (places selected)
  "Mark the lines from each even one of PLACES to the next.
SELECTED says whether the range of that number is selected."
  (dotimes (i (/ (length places) 2))
    (let ((first (aref places (* 2 i))) (last (aref places (1+ (* 2 i)))))
      (when (and first last)
        (listd--mark-lines (plist-get first :line)
                           (+ (plist-get last :line) (plist-get last :lineCount))
                           (funcall selected i))))))

(defun listd--mark-change (before change)
  "Mark what CHANGE has done to the selection BEFORE it."
  (let ((deselected (plist-get change :deselected)))
    (cond ((eql (plist-get change :baseRevision) (plist-get change :revision))
           (listd--mark-ops
            (vconcat (listd--difference listd--selection before "selectItems")
                     (listd--difference before listd--selection "deselectItems"))))
          ((or (seq-some (lambda (item) (not (eq (plist-get item :gone) t))) deselected)
               (/= (- (listd--rows-of before) (length deselected))
                   (listd--rows-of listd--selection)))
           (listd--mark-all))
          (t (listd--mark-brought)))))

(defun listd--mark-brought ()
  "Mark the rows of the lines that changes have brought.
Those that are not selected lose their marks."
  (let ((lines listd--brought))
    (cond
     ((= (length listd--selection) 0) (listd--unmark-all))
     ((null lines))
     ((> (length lines) (+ 1000 (* 2 (length listd--selection)))) (listd--mark-all))
     (t
      (setq listd--turn (1+ listd--turn))
      (let* ((turn listd--turn) (text-revision listd--text-revision)
             (again (lambda (_) (when (eql turn listd--turn) (listd--mark-all))))
             (valid (lambda () (and (eql turn listd--turn)
                                    (eql text-revision listd--text-revision)))))
        (listd--ask
         'locate `(:list ,listd--list :lines ,(vconcat lines))
         (lambda (rows)
           (if (not (funcall valid))
               (funcall again nil)
             (let (paths)
               (cl-loop for place across (plist-get rows :lines) for line in lines
                        do (if (plist-get place :at)
                               (push (plist-get place :at) paths)
                             ;; A header, which may have replaced a row.
                             (listd--mark-lines line (1+ line) nil)))
               (if (null paths)
                   (setq listd--brought nil)
                 ;; A row may have more lines than those that have changed.
                 (listd--ask
                  'locate `(:list ,listd--list :paths ,(vconcat paths) :text t)
                  (lambda (found)
                    (if (not (funcall valid))
                        (funcall again nil)
                      (setq listd--brought nil)
                      (cl-loop for place across (plist-get found :paths) for path in paths
                               do (when place
                                    (listd--mark-lines
                                     (plist-get place :line)
                                     (+ (plist-get place :line) (plist-get place :lineCount))
                                     (listd--holds listd--selection path))))))
                  again)))))
         again))))))

(defun listd--mark-ops (ops)
  "Mark what OPS, a vector, select.
Take away the marks of what they deselect."
  (cond
   ((= (length ops) 0))
   (listd--brought (listd--mark-all))
   (t
    (let ((turn listd--turn) (text-revision listd--text-revision))
      (listd--ask
       'locate `(:list ,listd--list :paths ,(listd--ends ops) :text t)
       (lambda (found)
         (if (and (eql turn listd--turn) (eql text-revision listd--text-revision))
             (listd--mark-places (plist-get found :paths)
                                 (lambda (i) (equal (plist-get (aref ops i) :op) "selectItems")))
           (listd--mark-all)))
       (lambda (_) (listd--mark-all)))))))

(provide 'listd-marks)
;;; listd-marks.el ends here
