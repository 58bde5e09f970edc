;;; listd-marks.el --- Marks of the selected rows  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Overlays mark the selected rows and move with their text; after a change only the lines that it
;; brought are looked at.  All rows are marked anew in slices.  Lines are counted from 0.

;;; Code:

(require 'cl-lib)
(require 'seq)
(require 'listd-client)
(require 'listd-positions)
(require 'listd-rows)
(require 'listd-selection)

(defface listd-selected '((t :inherit highlight))
  "Face of the rows that are selected."
  :group 'listd)

(defcustom listd-sign "* "
  "What stands before a row that is selected."
  :type 'string
  :group 'listd)

(defvar-local listd--selection listd-selection-none "The selected rows.")
(defvar-local listd--brought nil "Lines of which it is not known yet whether they are selected.")
(defvar-local listd--marked nil "Whether there are marks.")
(defvar-local listd--whole nil "Whether all rows are being marked anew.")
(defvar-local listd--turn 0
  "Counts askings where the selected rows are; only the last one's answer is used.")

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

(defun listd--marked-in (move)
  "The new lines of MOVE, (FROM TO COUNT), that are marked as part of more.
They are conses of the first line and the one after the last."
  (save-restriction
    (widen)
    (pcase-let* ((`(,from ,to ,count) move)
                 (start (listd--position from 0)) (end (listd--position (+ from count) 0)))
      (cl-loop for overlay in (overlays-in start end)
               for first = (overlay-start overlay) for last = (overlay-end overlay)
               when (and (overlay-get overlay 'listd) (or (< first start) (> last end)))
               collect (cons (+ to (- (listd--line-at (max first start)) from))
                             (+ to (- (listd--line-at (min last end)) from)))))))

(defun listd--unmark-all ()
  "Take away all marks, for good."
  (setq listd--turn (1+ listd--turn) listd--brought nil listd--whole nil)
  (listd--remove-marks))

(defun listd--remove-marks ()
  "Take away all marks."
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

;;;; Marking

(defconst listd--ranges 250 "How many ranges of rows are marked at a time.")

(defun listd--mark-all ()
  "Mark the rows of the selection anew, once their lines are known."
  (if (equal listd--selection listd-selection-none)
      (listd--unmark-all)
    (setq listd--turn (1+ listd--turn) listd--brought nil listd--whole t)
    (listd--mark-from 1 listd--selection listd--turn)))

(defun listd--mark-from (start selection turn)
  "Mark the ranges of SELECTION from the character START on, in slices.
Stop if TURN is not the last one any more."
  (pcase-let ((`(,ranges . ,next) (listd-selection-slice selection start listd--ranges)))
    (listd--ask 'locate `(:list ,listd--list :paths ,(listd--ends ranges) :text t)
                (lambda (found)
                  (when (eql turn listd--turn)
                    (when (= start 1)
                      (listd--remove-marks))
                    (listd--mark-anew (plist-get found :paths))
                    (if next
                        (listd--mark-from next selection turn)
                      (setq listd--whole nil))))
                ;; The rows have changed again, and the change marks them anew.
                (lambda (_) (setq listd--whole nil)))))

(defun listd--mark-anew (places)
  "Mark the lines, which have no marks, from each even one of PLACES to the next."
  (save-restriction
    (widen)
    (dotimes (i (/ (length places) 2))
      (let ((first (aref places (* 2 i))) (last (aref places (1+ (* 2 i)))))
        (when (and first last)
          (let ((start (listd--position (plist-get first :line) 0))
                (end (listd--position (+ (plist-get last :line) (plist-get last :lineCount)) 0)))
            (when (< start end)
              (listd--mark start end))))))))

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
    (cond (listd--whole (listd--mark-all))   ; what is still to be marked has other lines now
          ((eql (plist-get change :baseRevision) (plist-get change :revision))
           (listd--mark-ops (listd-selection-compare listd--selection before)))
          ((or (seq-some (lambda (item) (not (eq (plist-get item :gone) t))) deselected)
               (not (or (and (= (length deselected) 0) (string= before listd--selection))
                        (= (- (listd-selection-rows before) (length deselected))
                           (listd-selection-rows listd--selection)))))
           (listd--mark-all))
          (t (listd--mark-brought)))))

(defun listd--mark-brought ()
  "Mark the rows of the lines that changes have brought.
Those that are not selected lose their marks."
  (let ((lines listd--brought))
    (cond
     ((equal listd--selection listd-selection-none) (listd--unmark-all))
     ((null lines))
     ((nthcdr (+ 1000 (/ (length listd--selection) 10)) lines) (listd--mark-all))
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
                                     (listd-selection-holds listd--selection path))))))
                  again)))))
         again))))))

(defun listd--mark-ops (ops)
  "Mark what OPS, a vector, select.
Take away the marks of what they deselect."
  (cond
   ((= (length ops) 0))
   ((or listd--brought listd--whole (nthcdr listd--ranges (append ops nil))) (listd--mark-all))
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
