;;; listd-edits.el --- Text edits of whole lines  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Edits are applied so that everything else in the buffer stays where it is: markers and overlays
;; stay on the text that they are on, and of a line that changes only the part that differs is
;; touched.  Lines are counted from 0, as in the protocol.  An edit is a list (FIRST LAST LINES):
;; the lines FIRST to LAST - 1 give way to the strings LINES.

;;; Code:

(require 'cl-lib)
(require 'seq)

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

(defun listd-edits-carried (line edits)
  "Where LINE goes by EDITS.
It goes with the text around it, and in an edit as far as that has lines."
  (let ((shift 0))
    (catch 'there
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
    (insert-before-markers (mapconcat (lambda (line) (concat line "\n")) lines ""))
    (dolist (overlay ending)
      (move-overlay overlay (overlay-start overlay) at))))

(defun listd-edits-apply (edits)
  "Apply EDITS to the current buffer, bottom up."
  (save-excursion
    (goto-char (point-max))
    (let ((here (1- (line-number-at-pos))))
      (pcase-dolist (`(,first ,last ,lines) (reverse edits))
        (let ((both (min (- last first) (length lines))))
          (forward-line (- first here))
          (dolist (line (seq-take lines both))
            (listd-edits--rewrite line)
            (forward-line 1))
          (setq here (+ first both))
          (cond ((> (length lines) both)
                 (listd-edits--insert (nthcdr both lines))
                 (setq here (+ first (length lines))))
                ((> (- last first) both)
                 (delete-region (point) (save-excursion
                                          (forward-line (- last first both))
                                          (point))))))))))

(provide 'listd-edits)
;;; listd-edits.el ends here
