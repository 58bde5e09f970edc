;;; listd-pick.el --- Choose lines by what is typed  -*- lexical-binding: t; -*-
;; SPDX-License-Identifier: Apache-2.0
;;; Commentary:
;; `(listd-pick LINES)' shows the lines that match what is typed, the best first, and returns those that
;; are chosen.  What is marked with TAB stays so whatever is typed next.
;;; Code:
(require 'hl-line)
(require 'listd)

(defvar listd-pick--buffer nil "The buffer that shows the lines that match.")
(defvar-local listd-pick--query nil "What was asked for.")
(defvar-local listd-pick--best nil "The revision with the best lines of another query.")

(defun listd-pick--move (rows act)
  "Call ACT with point on the current line and go ROWS lines down."
  (with-selected-window (get-buffer-window listd-pick--buffer)
    (funcall act)
    (forward-line rows)
    (forward-line (if (eobp) -1 0))
    (hl-line-highlight)))

(defun listd-pick--position (units)
  "The position after so many UTF-16 UNITS of the line at point."
  (cl-loop for position from (point) while (> units 0)
           do (cl-decf units (if (> (char-after position) #xffff) 2 1))
           finally return position))

(defun listd-pick--highlight (found)
  "Highlight what was matched, as FOUND by `locate'."
  (remove-overlays (point-min) (point-max) 'face 'match)
  (save-excursion
    (goto-char (point-min))
    (seq-doseq (place (plist-get found :lines))
      (seq-doseq (range (plist-get (plist-get (plist-get place :match) :ranges) :text))
        (overlay-put (apply #'make-overlay (mapcar #'listd-pick--position range)) 'face 'match))
      (forward-line 1))))

(defun listd-pick--changed (change)
  "Show the numbers and matches of CHANGE; go to the best line of a new query."
  (cl-destructuring-bind (&key matched total &allow-other-keys) (plist-get change :view)
    (setq mode-line-format (format "%s of %s" matched total))
    (when (eql (plist-get change :revision) listd-pick--best)
      (setq listd-pick--best nil)
      (set-window-point (get-buffer-window) (goto-char (point-min))))
    (hl-line-highlight)
    (let ((lines (vconcat (number-sequence 0 (1- (listd--count))))))
      (listd--ask 'locate `(:list ,listd--list :match t :lines ,lines) #'listd-pick--highlight #'ignore))))

(defun listd-pick--search ()
  "Show what matches the query, after actions on the lines of another query."
  (let* ((query (minibuffer-contents-no-properties))
         (view `(:match (:query ,query) :window (:count 100) :selection "source"))
         (done (lambda (result) (setq listd-pick--best (plist-get result :revision)))))
    (with-current-buffer listd-pick--buffer
      (unless (equal query listd-pick--query)
        (setq listd-pick--query query)
        (listd--in-turn (lambda () (listd--ask 'compose `(:list ,listd--list :sources ["from"] :view ,view) done)))))))

(defun listd-pick--add (lines first)
  "Send LINES, a vector, from FIRST on, few at a time: a key must not wait."
  (let* ((last (min (length lines) (+ first 2000)))
         (items (cl-loop for id from first below last collect `(:id ,id :text ,(aref lines id))))
         (edits `[(:edit "appendItems" :items ,(vconcat items))]))
    (listd--ask 'editSnapshot `(:list "from" :format "none" :edits ,edits)
                (lambda (_) (when (< last (length lines)) (listd-pick--add lines last))))))

(defun listd-pick--chosen (done)
  "Call DONE with the marked lines, or the one at point."
  (let* ((under (delq nil (list (plist-get (listd-item) :item))))
         (finish (lambda (result)
                   (let ((items (or (append (plist-get result :items) nil) under)))
                     (funcall done (mapcar (lambda (item) (plist-get item :text)) items))))))
    (listd--in-turn (lambda () (listd--ask 'getSelection '(:list "from") finish)))))

;;;###autoload
(defun listd-pick (lines &optional prompt)
  "Let a person choose some of LINES, with PROMPT; return those."
  (let* ((listd-connect nil) ; nobody else has these lists
         (listd-pick--buffer (listd-view "picked" :namespace "pick" :changed #'listd-pick--changed))
         (map (make-composed-keymap nil minibuffer-local-map)))
    (pcase-dolist (`(,key . ,move) '(("<down>" 1 ignore) ("C-n" 1 ignore) ("<up>" -1 ignore) ("C-p" -1 ignore)
                                     ("TAB" 1 listd-toggle) ("<backtab>" -1 listd-toggle)))
      (define-key map (kbd key) (lambda () (interactive) (apply #'listd-pick--move move))))
    (unwind-protect
        (save-window-excursion
          (with-current-buffer listd-pick--buffer
            (listd--ask 'applySnapshot '(:list "from" :sections [(:id "main" :selectionMode "multiple" :items [])]))
            (listd-pick--add (vconcat lines) 0)
            (hl-line-mode))
          (with-selected-window (display-buffer listd-pick--buffer '(display-buffer-at-bottom (window-height . 12)))
            (minibuffer-with-setup-hook (lambda () (add-hook 'post-command-hook #'listd-pick--search nil t))
              (read-from-minibuffer (or prompt "Pick: ") nil map))
            (listd--wait nil #'listd-pick--chosen)))
      (with-current-buffer listd-pick--buffer
        (listd--ask 'removeList '(:list "from"))
        (kill-buffer)))))

(provide 'listd-pick)
;;; listd-pick.el ends here
