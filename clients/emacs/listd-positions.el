;;; listd-positions.el --- Lines and positions  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Emacs finds a line by counting line breaks.  An index of the text, in blocks of some hundred
;; lines, limits this to one block.  A block begins at a marker, and the number of its lines is kept:
;; edits of the text update it, and after any other change of the buffer the index is made anew when
;; it is used.  Lines are counted from 0.

;;; Code:

(require 'cl-lib)

(defconst listd-index--block 256 "How many lines a block has when it is made.")

(cl-defstruct (listd-index (:constructor listd-index--make) (:copier nil))
  "The blocks of a text."
  tick                        ; of the buffer with this text
  (size 0)                    ; the number of blocks
  (starts (make-vector 16 nil)) ; a marker each; the first block begins at the beginning, however
  (counts (make-vector 16 0)) ; the number of lines each
  (sums (make-vector 17 0))   ; a Fenwick tree of these
  found)                      ; the position and the line that were looked up last, a cons, or nil

(defvar-local listd--index nil "The index of the text, or nil.")

(defmacro listd--widened (&rest body)
  "Do BODY with the whole buffer accessible."
  (declare (indent 0) (debug t))
  `(save-restriction (widen) (save-excursion ,@body)))

(defun listd-index--before (index block)
  "The number of lines before BLOCK of INDEX.  O(log blocks)."
  (let ((sums (listd-index-sums index)) (lines 0))
    (while (> block 0)
      (setq lines (+ lines (aref sums block)) block (logand block (1- block))))
    lines))

(defun listd-index--add (index block lines)
  "Let BLOCK of INDEX have LINES more.  O(log blocks)."
  (let ((sums (listd-index-sums index)) (counts (listd-index-counts index)) (node (1+ block)))
    (aset counts block (+ (aref counts block) lines))
    (while (<= node (listd-index-size index))
      (aset sums node (+ (aref sums node) lines))
      (setq node (+ node (logand node (- node)))))))

(defun listd-index--push (index lines)
  "Append a block of LINES, which begins at point, to INDEX."
  (let ((size (listd-index-size index)) (starts (listd-index-starts index)))
    (when (= size (length starts))
      (setf (listd-index-starts index) (vconcat starts (make-vector size nil))
            (listd-index-counts index) (vconcat (listd-index-counts index) (make-vector size 0))
            (listd-index-sums index) (vconcat (listd-index-sums index) (make-vector size 0))))
    (let* ((node (1+ size)) (last (logand node size)))
      (aset (listd-index-starts index) size (copy-marker (point)))
      (aset (listd-index-counts index) size lines)
      (aset (listd-index-sums index) node
            (+ lines (- (listd-index--before index size) (listd-index--before index last)))))
    (setf (listd-index-size index) (1+ size))))

(defun listd-index--append (index)
  "Append the lines from point to the end of the buffer to INDEX, in blocks."
  (let (start rest)
    (while (or (not (eobp)) (= (listd-index-size index) 0))
      (setq start (point) rest (forward-line listd-index--block))
      (let ((lines (- listd-index--block rest)))
        (save-excursion
          (goto-char start)
          (listd-index--push index lines))))))

(defun listd-index--drop ()
  "Forget the index."
  (when listd--index
    (dotimes (block (listd-index-size listd--index))
      (set-marker (aref (listd-index-starts listd--index) block) nil))
    (setq listd--index nil)))

(defun listd--index ()
  "The index of the text.  The whole buffer is accessible."
  (unless (and listd--index (eql (listd-index-tick listd--index) (buffer-chars-modified-tick)))
    (listd-index--drop)
    (save-excursion
      (goto-char (point-min))
      (let ((index (listd-index--make :tick (buffer-chars-modified-tick))))
        (listd-index--append index)
        (setq listd--index index))))
  listd--index)

(defun listd-index--block-of (index line)
  "The block of INDEX that has LINE, and how many lines are before it.
It is a cons; beyond the last line it is the last block.  O(log blocks)."
  (let* ((size (listd-index-size index)) (sums (listd-index-sums index))
         (step 1) (block 0) (before 0))
    (while (<= (* 2 step) size)
      (setq step (* 2 step)))
    (while (> step 0)
      (let ((node (+ block step)))
        (when (and (< node size) (<= (+ before (aref sums node)) line))
          (setq block node before (+ before (aref sums node)))))
      (setq step (/ step 2)))
    (cons block before)))

(defun listd-index--start (index block)
  "The position where BLOCK of INDEX begins."
  (if (= block 0) (point-min) (marker-position (aref (listd-index-starts index) block))))

(defun listd--lines-changed (index first deleted inserted)
  "Let INDEX, which is from before an edit, be that of the text after it.
The edit has DELETED lines from FIRST on, and INSERTED others there by
`insert-before-markers'."
  (pcase-let ((`(,block . ,before) (listd-index--block-of index first))
              (rest deleted))
    (while (> rest 0)
      (let ((some (min rest (- (+ before (aref (listd-index-counts index) block)) first))))
        (setq before (+ before (- (aref (listd-index-counts index) block) some))
              rest (- rest some))
        (listd-index--add index block (- some))
        (setq block (1+ block))))
    (setq block (if (= first 0) 0 (car (listd-index--block-of index (1- first)))))
    (listd-index--add index block inserted)
    (setf (listd-index-tick index) (buffer-chars-modified-tick) (listd-index-found index) nil)
    (when (> (aref (listd-index-counts index) block) (* 4 listd-index--block))
      (if (< (1+ block) (listd-index-size index))
          (listd-index--drop)
        ;; The last block is replaced by several, as when a text is read from its beginning.
        (save-excursion
          (goto-char (listd-index--start index block))
          (unless (= block 0)
            (set-marker (aref (listd-index-starts index) block) nil))
          (setf (listd-index-size index) block)
          (listd-index--append index))))))

(defun listd-index--sum (index)
  "Compute the sums of INDEX anew.  O(blocks)."
  (let ((size (listd-index-size index)) (sums (listd-index-sums index)) (node 0))
    (fillarray sums 0)
    (dotimes (block size)
      (setq node (1+ block))
      (aset sums node (+ (aref sums node) (aref (listd-index-counts index) block)))
      (let ((next (+ node (logand node (- node)))))
        (when (<= next size)
          (aset sums next (+ (aref sums next) (aref sums node))))))))

(defun listd--replace-lines (edits insert)
  "Replace the lines of EDITS, ascending (FIRST LAST TEXT COUNT).
INSERT is called with each TEXT at its position; it inserts before
markers.  O(edits + blocks) beside the text."
  (let* ((index (listd--index)) (size (listd-index-size index)) (starts (listd-index-starts index))
         (counts (listd-index-counts index)) (old (copy-sequence counts))
         (block 0) (before 0)           ; the block with an edit, and the old lines before it
         (line 0) (most 0))             ; the old line at point
    (goto-char (point-min))
    (pcase-dolist (`(,first ,last ,text ,count) edits)
      (while (and (< (1+ block) size) (>= first (+ before (aref old block))))
        (setq before (+ before (aref old block)) block (1+ block)))
      (when (< line before)
        (goto-char (aref starts block))
        (setq line before))
      (forward-line (- first line))
      (delete-region (point) (save-excursion
                               (forward-line (- last first))
                               (point)))
      (let ((from first) (end (+ before (aref old block))))
        (while (< from last)
          (when (= from end)
            (setq block (1+ block) before end end (+ end (aref old block))))
          (aset counts block (- (aref counts block) (- (min last end) from)))
          (setq from (min last end))))
      ;; What is inserted where blocks begin is before them.
      (let ((above block))
        (while (and (> above 0) (>= (marker-position (aref starts above)) (point)))
          (setq above (1- above)))
        (aset counts above (+ (aref counts above) count))
        (setq most (max most (aref counts above))))
      (funcall insert text)
      (setq line last))
    (listd-index--sum index)
    (setf (listd-index-tick index) (buffer-chars-modified-tick) (listd-index-found index) nil)
    (when (> most (* 4 listd-index--block))
      (listd-index--drop))))

(defun listd--count ()
  "The number of lines of the text, as far as it was read."
  (listd--widened
    (let ((index (listd--index)))
      (listd-index--before index (listd-index-size index)))))

(defun listd--line-at (position)
  "The line of POSITION, counted from 0."
  (listd--widened
    (goto-char position)
    (forward-line 0)
    (let* ((index (listd--index)) (low 0) (high (listd-index-size index)))
      (while (> (- high low) 1)
        (let ((middle (/ (+ low high) 2)))
          (if (<= (listd-index--start index middle) (point))
              (setq low middle)
            (setq high middle))))
      (+ (listd-index--before index low) (count-lines (listd-index--start index low) (point))))))

(defun listd--forward (count)
  "Go COUNT lines forward.  Return whether there are so many."
  (and (= (forward-line count) 0) (bolp)))

(defun listd--goto-line (line)
  "Go to the beginning of LINE, or to the end of the text if there is none.
The whole buffer is accessible."
  (let ((index (listd--index)))
    (pcase-let ((`(,block . ,from) (listd-index--block-of index line))
                (`(,at . ,near) (listd-index-found index)))
      ;; Lines are often looked up in their order.
      (if (and at (< (abs (- line near)) (- line from)))
          (goto-char at)
        (goto-char (listd-index--start index block))
        (setq near from))
      (when (listd--forward (- line near))
        (setf (listd-index-found index) (cons (point) line))))))

(defun listd--position (line column)
  "The position of COLUMN, in characters, of LINE."
  (listd--widened
    (listd--goto-line line)
    (min (+ (point) column) (line-end-position))))

;; If the source is loaded, the functions that are called for each edit are compiled nevertheless.
(dolist (function '(listd-index--before listd-index--add listd-index--push listd-index--append
                                        listd-index--block-of listd-index--start
                                        listd--lines-changed listd--line-at listd--goto-line
                                        listd-index--sum listd--replace-lines))
  (unless (byte-code-function-p (symbol-function function))
    (byte-compile function)))

(provide 'listd-positions)
;;; listd-positions.el ends here
