;;; listd-positions.el --- Lines and positions  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Emacs finds a line by counting line breaks.  They are counted from the line that was looked up last,
;; or from the beginning if that is nearer.  Lines are counted from 0.

;;; Code:

(defvar-local listd--anchor nil "A known line: the tick of the text, a position, its line.")

(defmacro listd--widened (&rest body)
  "Do BODY with the whole buffer accessible."
  (declare (indent 0) (debug t))
  `(save-restriction (widen) (save-excursion ,@body)))

(defun listd--set-anchor (line)
  "Remember that LINE begins at point."
  (setq listd--anchor (list (buffer-chars-modified-tick) (point) line)))

(defun listd--anchor ()
  "The position and the number of the line that was looked up last."
  (unless (eql (car listd--anchor) (buffer-chars-modified-tick))
    (save-excursion
      (goto-char (point-min))
      (listd--set-anchor 0)))
  (cdr listd--anchor))

(defun listd--line-at (position)
  "The line of POSITION, counted from 0."
  (listd--widened
    (goto-char position)
    (forward-line 0)
    (pcase-let ((`(,at ,line) (listd--anchor)))
      (when (< (- (point) (point-min)) (abs (- (point) at)))
        (setq at (point-min) line 0))
      (setq line (if (>= (point) at)
                     (+ line (count-lines at (point)))
                   (- line (count-lines (point) at))))
      (listd--set-anchor line)
      line)))

(defun listd--goto-line (line)
  "Go to the beginning of LINE, or to the end of the text if there is none.
The whole buffer is accessible."
  (pcase-let ((`(,at ,from) (listd--anchor)))
    (when (< line (abs (- line from)))
      (setq at (point-min) from 0))
    (goto-char at)
    (when (and (= (forward-line (- line from)) 0) (bolp))
      (listd--set-anchor line))))

(defun listd--position (line column)
  "The position of COLUMN, in characters, of LINE."
  (listd--widened
    (listd--goto-line line)
    (min (+ (point) column) (line-end-position))))

(provide 'listd-positions)
;;; listd-positions.el ends here
