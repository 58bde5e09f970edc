;;; listd-edits.el --- Text edits of whole lines  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Edits are applied without touching the rest of the buffer: markers and overlays stay on their
;; text, and of a line that changes only the part that differs is touched.  Lines are counted from 0,
;; as in the protocol.  An edit is a list (FIRST LAST TEXT COUNT): the lines FIRST to LAST - 1 give way
;; to TEXT, which has COUNT lines.  It is not divided into a string for each line, which would be
;; garbage.

;;; Code:

(require 'cl-lib)
(require 'seq)
(require 'subr-x)
(require 'listd-positions)

(defun listd-edits-read (edits)
  "The protocol's text EDITS, a vector, as a list of edits."
  (with-temp-buffer
    (buffer-disable-undo)
    (mapcar (lambda (edit)
              (let ((range (plist-get edit :range)) (text (plist-get edit :newText)))
                (erase-buffer)
                (insert text)
                (list (plist-get (plist-get range :start) :line)
                      (plist-get (plist-get range :end) :line)
                      text
                      (count-lines (point-min) (point-max)))))
            edits)))

(defun listd-edits-rest (text count)
  "TEXT without its first COUNT lines, and how many lines that are, in a list.
The number is negative if there are fewer than COUNT."
  (with-temp-buffer
    (buffer-disable-undo)
    (insert text)
    (goto-char (point-min))
    (let ((missing (forward-line count)))
      (list (buffer-substring-no-properties (point) (point-max))
            (- (count-lines (point) (point-max)) missing)))))

(defun listd-edits--common-tail (other head)
  "How many characters at the end of the buffer are also at the end of OTHER.
HEAD characters at the beginning of both do not count.  Only whole lines
do."
  (let* ((end (point-max)) (stop (with-current-buffer other (point-max)))
         (most (- (min end stop) (point-min) head)) (tail 0) (step 4096)
         (case-fold-search nil))
    (while (> step 0)
      (if (and (<= (+ tail step) most)
               (= 0 (compare-buffer-substrings nil (- end tail step) (- end tail)
                                               other (- stop tail step) (- stop tail))))
          (setq tail (+ tail step))
        (setq step (/ step 2))))
    (goto-char (- end tail))
    (unless (and (bolp) (with-current-buffer other
                          (goto-char (- stop tail))
                          (bolp)))
      (forward-line 1))
    (- end (point))))

(defun listd-edits-between (other)
  "The one edit, in a list, that makes the text of OTHER of that of the buffer.
It spares the first and the last lines that they share."
  (save-excursion
    (let* ((case-fold-search nil)
           (differ (compare-buffer-substrings nil nil nil other nil nil)))
      (unless (= differ 0)
        (goto-char (+ (point-min) (1- (abs differ))))
        (forward-line 0)
        (let* ((head (- (point) (point-min))) (first (listd--line-at (point)))
               (tail (listd-edits--common-tail other head))
               (last (listd--line-at (- (point-max) tail))))
          (with-current-buffer other
            (let ((start (+ (point-min) head)) (end (- (point-max) tail)))
              (list (list first last (buffer-substring-no-properties start end)
                          (count-lines start end))))))))))

(defun listd-edits--head (text most)
  "The first MOST lines of TEXT, which has more."
  (let ((end 0))
    (dotimes (_ most)
      (setq end (1+ (string-search "\n" text end))))
    (substring text 0 end)))

(defun listd-edits-clip (edits count partial most)
  "The EDITS of the first COUNT lines of a text, and whether lines were left out.
PARTIAL is nil if these are all.  If the last edit brings more than MOST
lines, and no line follows, only the first of them are kept."
  (let (kept cut)
    (pcase-dolist (`(,first ,last . ,new) edits)
      (unless (and partial (>= first count))
        (push `(,first ,(min last count) . ,new) kept)))
    (pcase (car kept)
      ((and `(,first ,last ,text ,lines) (guard (and (>= last count) (> lines most))))
       (setq cut t)
       (setcar kept (list first last (listd-edits--head text most) most))))
    (cons (nreverse kept) cut)))

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
    (pcase-dolist (`(,first ,last ,_ ,lines) edits)
      (let ((line (+ first shift)) (stop (+ first shift lines)))
        (while (< line stop)
          (while (and blocks (<= (+ (caar blocks) (cadar blocks)) line))
            (pop blocks))
          (unless (and blocks (>= line (caar blocks)))
            (push line found))
          (setq line (1+ line))))
      (setq shift (+ shift (- lines (- last first)))))
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
      (listd-edits-apply edits moves)
    (let ((overlays (listd-edits--overlays moves)))
      (listd-edits-apply edits moves)
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
      (pcase-dolist (`(,first ,last ,_ ,lines) edits)
        (cond ((< line first) (throw 'there nil))
              ((< line last)
               (setq line (+ first (max 0 (min (- line first) (1- lines)))))
               (throw 'there nil)))
        (setq shift (+ shift (- lines (- last first))))))
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

(defun listd-edits--insert (text)
  "Insert TEXT at point, the beginning of a line.
What stands at that line stays with it, and what ends there still does."
  (let* ((at (point))
         (ending (seq-filter (lambda (overlay)
                               (and (= (overlay-end overlay) at) (< (overlay-start overlay) at)))
                             (overlays-in (max (point-min) (1- at)) at))))
    (insert-before-markers text)
    (dolist (overlay ending)
      (move-overlay overlay (overlay-start overlay) at))))

(defun listd-edits--marked (blocks count)
  "A function that returns whether one of COUNT lines is in BLOCKS.
These are conses of a first line and a list of how many they are."
  (let ((marked (make-bool-vector count nil)))
    (pcase-dolist (`(,first ,lines) blocks)
      (dotimes (i lines)
        (aset marked (+ first i) t)))
    (lambda (line) (aref marked line))))

(defun listd-edits-apply (edits &optional moves)
  "Apply EDITS to the current buffer.
An old line and the new one in its place are one row, if MOVES move
neither of them: of such lines only what differs is touched.  If MOVES is
scattered, there are none."
  (save-excursion
    (if (eq moves 'scattered)
        (listd--replace-lines edits #'listd-edits--insert)
      (let* ((count (listd--count))
             (shift (cl-loop for (first last _ lines) in edits sum (- lines (- last first))))
             (leaving #'ignore) (arriving #'ignore))
        (when moves
          (setq leaving (listd-edits--marked
                         (mapcar (pcase-lambda (`(,from ,_ ,lines)) (list from lines)) moves) count)
                arriving (listd-edits--marked (mapcar #'cdr moves) (+ count shift))))
        (pcase-dolist (`(,first ,last ,text ,lines) (reverse edits)) ; bottom up
          (setq shift (- shift (- lines (- last first))))
          (listd--goto-line first)
          (listd-edits--apply-one first (- last first) text lines leaving
                                  (lambda (line) (funcall arriving (+ line shift)))))))))

(defun listd-edits--apply-one (first count text lines leaving arriving)
  "Replace COUNT lines from point, the line FIRST, by TEXT, which has LINES.
The lines that are LEAVING are deleted, and those that are ARRIVING are
inserted; both are functions of a line of the text before the edit, and
of the one after it."
  (let ((index (listd--index)) (line first)
        (old first) (end (+ first count)) (new first) (stop (+ first lines)) (from 0))
    (cl-flet ((changed (deleted inserted)
                (listd--lines-changed index line deleted inserted)
                (setq index (listd--index))))
      (while (or (< old end) (< new stop))
        (cond ((and (< old end) (or (= new stop) (funcall leaving old)))
               (let ((run old))
                 (if (= new stop)
                     (setq old end)
                   (while (and (< old end) (funcall leaving old))
                     (setq old (1+ old))))
                 (delete-region (point) (save-excursion
                                          (forward-line (- old run))
                                          (point)))
                 (changed (- old run) 0)))
              ((or (= old end) (funcall arriving new))
               (let ((run new) (start from))
                 (if (= old end)
                     (setq new stop from (length text))
                   (while (and (< new stop) (funcall arriving new))
                     (setq new (1+ new) from (1+ (string-search "\n" text from)))))
                 (listd-edits--insert (if (= start 0 (- (length text) from)) text
                                        (substring text start from)))
                 (changed 0 (- new run))
                 (setq line (+ line (- new run)))))
              (t
               (let ((break (string-search "\n" text from)))
                 (listd-edits--rewrite (substring text from break))
                 (forward-line 1)
                 (setq from (1+ break) old (1+ old) new (1+ new) line (1+ line))))))
      (changed 0 0))))

;; If the source is loaded, the functions that see each line or edit are compiled nevertheless.
(dolist (function '(listd-edits-read listd-edits-clip listd-edits-brought listd-edits-carried
                                     listd-edits--head listd-edits--rewrite listd-edits--insert
                                     listd-edits--marked listd-edits--apply-one
                                     listd-edits-apply))
  (unless (byte-code-function-p (symbol-function function))
    (byte-compile function)))

(provide 'listd-edits)
;;; listd-edits.el ends here
