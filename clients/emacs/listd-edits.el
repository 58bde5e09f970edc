;;; listd-edits.el --- Text edits of whole lines  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Edits are applied without touching the rest of the buffer: markers and overlays stay on their
;; text, and of a line that changes only the part that differs is touched.  Lines are counted from 0, as in the protocol.  An edit is a list (FIRST LAST LINES):
;; the lines FIRST to LAST - 1 give way to the strings LINES.

;;; Code:

(require 'cl-lib)
(require 'seq)
(require 'subr-x)
(require 'listd-positions)

(defun listd-edits-lines (text)
  "The lines of TEXT, in which every line ends with a newline."
  (butlast (split-string text "\n")))

(defun listd-edits-read (edits)
  "The protocol's text EDITS, a vector, as a list of edits."
  (mapcar (lambda (edit)
            (let ((range (plist-get edit :range)))
              (list (plist-get (plist-get range :start) :line)
                    (plist-get (plist-get range :end) :line)
                    (listd-edits-lines (plist-get edit :newText)))))
          edits))

(defun listd-edits-between (old new)
  "The one edit, in a list, that makes the lines NEW of the lines OLD.
It spares the first and the last lines that they share."
  (let ((head 0) (tail 0) (last (length old)) (rest new) (from old))
    (while (and from rest (string= (car from) (car rest)))
      (setq head (1+ head) from (cdr from) rest (cdr rest)))
    (let ((from (reverse from)) (back (reverse rest)))
      (while (and from back (string= (car from) (car back)))
        (setq tail (1+ tail) from (cdr from) back (cdr back))))
    (unless (and (null (nthcdr tail rest)) (= (+ head tail) last))
      (list (list head (- last tail) (butlast rest tail))))))

(defun listd-edits-clip (edits count partial most)
  "The EDITS of the first COUNT lines of a text, and whether lines were left out.
PARTIAL is nil if these are all.  If the last edit brings more than MOST
lines, and no line follows, only the first of them are kept."
  (let (kept cut)
    (pcase-dolist (`(,first ,last ,lines) edits)
      (unless (and partial (>= first count))
        (push (list first (min last count) lines) kept)))
    (pcase (car kept)
      ((and `(,first ,last ,lines) (guard (and (>= last count) (nthcdr most lines))))
       (setq cut t)
       (setcar kept (list first last (seq-take lines most)))))
    (cons (nreverse kept) cut)))

(defun listd-edits-splice (lines edits)
  "The list LINES, which may be changed, after EDITS."
  (let ((head (cons nil lines)))
    (pcase-dolist (`(,first ,last ,new) (reverse edits))
      (let ((before (nthcdr first head)))
        (setcdr before (append new (nthcdr (- last first) (cdr before))))))
    (cdr head)))

(defconst listd-edits--most-moves 100
  "How many blocks of lines may move in one change.
With more, lines are replaced instead.")

(defun listd-edits-moves (moves)
  "The MOVES of a change, a vector, as a list of (FROM TO COUNT).
They are lines of the old text that the edits delete there and insert
here.  If there are very many, it is the symbol scattered; MOVES may be
JSON text then."
  (if (or (stringp moves) (> (length moves) listd-edits--most-moves))
      'scattered
    (mapcar (lambda (move)
              (list (plist-get move :from) (plist-get move :to) (plist-get move :count)))
            moves)))

(defun listd-edits-moved (line moves)
  "The new line of LINE if MOVES move it, else nil."
  (cl-loop for (from to count) in (and (consp moves) moves)
           when (< (1- from) line (+ from count))
           return (+ line (- to from))))

(defun listd-edits-brought (edits moves)
  "The new lines that EDITS bring, ascending, without those of MOVES."
  (let ((shift 0) found
        (blocks (and (consp moves) (sort (mapcar #'cdr moves) #'car-less-than-car))))
    (pcase-dolist (`(,first ,last ,lines) edits)
      (let ((line (+ first shift)) (stop (+ first shift (length lines))))
        (while (< line stop)
          (while (and blocks (<= (+ (caar blocks) (cadar blocks)) line))
            (pop blocks))
          (unless (and blocks (>= line (caar blocks)))
            (push line found))
          (setq line (1+ line))))
      (setq shift (+ shift (- (length lines) (- last first)))))
    (nreverse found)))

(defun listd-edits--overlays (moves)
  "The overlays inside of blocks of lines that MOVES move.
They are lists of an overlay and its new ends, each a line and a column."
  (let (found)
    (pcase-dolist (`(,from ,to ,count) moves)
      (let ((start (listd--position from 0)) (end (listd--position (+ from count) 0)))
        (cl-flet ((place (position)
                    (let ((line (listd--line-at position)))
                      (cons (+ line (- to from)) (- position (listd--position line 0))))))
          (dolist (overlay (overlays-in start end))
            (when (and (>= (overlay-start overlay) start) (<= (overlay-end overlay) end)
                       (< (overlay-start overlay) end))
              (push (list overlay (place (overlay-start overlay)) (place (overlay-end overlay)))
                    found))))))
    found))

(defun listd-edits-apply-moving (edits moves)
  "Apply EDITS to the current buffer.
Overlays inside of blocks of lines that MOVES move go with them."
  (if (eq moves 'scattered)
      (listd-edits-apply edits t)
    (let ((overlays (listd-edits--overlays moves)))
      (listd-edits-apply edits)
      (pcase-dolist (`(,overlay (,first . ,start) (,last . ,end))
                     (sort overlays (lambda (a b) (< (car (nth 1 a)) (car (nth 1 b))))))
        ;; The lines may be shorter now.
        (move-overlay overlay (listd--position first start) (listd--position last end)
                      (current-buffer))))))

(defun listd-edits-carried (line edits &optional moves)
  "The new line of LINE after EDITS.
It follows its move if it is one of MOVES, else the text around it.  A
deleted line becomes the one that replaces it."
  (let ((shift 0))
    (catch 'there
      (when-let ((there (listd-edits-moved line moves)))
        (setq line there)
        (throw 'there nil))
      (pcase-dolist (`(,first ,last ,lines) edits)
        (cond ((< line first) (throw 'there nil))
              ((< line last)
               (setq line (+ first (max 0 (min (- line first) (1- (length lines))))))
               (throw 'there nil)))
        (setq shift (+ shift (- (length lines) (- last first))))))
    (+ line shift)))

(defun listd-edits--rewrite (new)
  "Make the line at point read NEW, touching only what differs."
  (let* ((start (line-beginning-position))
         (old (buffer-substring-no-properties start (line-end-position)))
         (shorter (min (length old) (length new)))
         (head 0) (tail 0))
    (while (and (< head shorter) (= (aref old head) (aref new head)))
      (setq head (1+ head)))
    (while (and (< tail (- shorter head))
                (= (aref old (- (length old) tail 1)) (aref new (- (length new) tail 1))))
      (setq tail (1+ tail)))
    (save-excursion
      (goto-char (+ start head))
      (let ((end (+ start (- (length old) tail))))
        (when (< head (- (length new) tail))
          (insert (substring new head (- (length new) tail)))
          (setq end (+ end (- (length new) tail head))))
        (when (< (point) end)
          (delete-region (point) end))))))

(defun listd-edits--insert (lines)
  "Insert LINES at point, the beginning of a line.
What stands at that line stays with it, and what ends there still does."
  (let* ((at (point))
         (ending (seq-filter (lambda (overlay)
                               (and (= (overlay-end overlay) at) (< (overlay-start overlay) at)))
                             (overlays-in (max (point-min) (1- at)) at))))
    (insert-before-markers (mapconcat #'identity (append lines '("")) "\n"))
    (dolist (overlay ending)
      (move-overlay overlay (overlay-start overlay) at))))

(defun listd-edits-apply (edits &optional whole)
  "Apply EDITS to the current buffer, bottom up.
If WHOLE is non-nil, most lines show other rows than before: they are
replaced as a whole."
  (save-excursion
    (pcase-dolist (`(,first ,last ,lines) (reverse edits))
      (listd--goto-line first)
      (let ((both (if whole 0 (min (- last first) (length lines)))) (start (point)))
        (dolist (line (seq-take lines both))
          (listd-edits--rewrite line)
          (forward-line 1))
        (when (> (- last first) both)
          (delete-region (point) (save-excursion
                                   (forward-line (- last first both))
                                   (point))))
        (when (nthcdr both lines)
          (listd-edits--insert (nthcdr both lines)))
        (goto-char start)
        (listd--set-anchor first)))))

;; If the source is loaded, the functions that see each line are compiled nevertheless.
(dolist (function '(listd-edits-brought listd-edits--insert))
  (unless (byte-code-function-p (symbol-function function))
    (byte-compile function)))

(provide 'listd-edits)
;;; listd-edits.el ends here
