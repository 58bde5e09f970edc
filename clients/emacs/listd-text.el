;;; listd-text.el --- The text of a list, read in windows  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A long text is read in windows, so that no key waits for it.  Meanwhile the buffer has the first lines
;; of the text, and changes of these are applied.  A buffer that shows an older text keeps it until the
;; new one is read.

;;; Code:

(require 'listd-client)
(require 'listd-edits)
(require 'listd-marks)
(require 'listd-rows)

(declare-function listd--edit "listd-buffer" (edits cursor-line &optional moves find))
(declare-function listd--find-rows "listd-buffer" (change))
(declare-function listd--flush "listd-buffer" ())

(defconst listd-text--window 500 "How many lines are read at a time.")
(defconst listd-text--margin 50
  "How many of these may be known already.
A change may delete some meanwhile.")

(defvar-local listd--rereading nil "Whether the text is being read.")
(defvar-local listd--following nil "Whether edits of the text are sent.")
(defvar-local listd--syncing nil "Whether a request with the row of point is pending.")
(defvar-local listd--tick nil
  "The tick of the buffer when it was given the text last.
It differs if something else has changed the buffer.")
(defvar-local listd--fresh nil
  "What was read if the buffer shows an older text, or nil.
It is a cons of the number of that text, or nil until that is known,
and a buffer with its lines.")

(defun listd--untouched ()
  "Whether the buffer has the text that it was given."
  (eql (buffer-chars-modified-tick) (or listd--tick (buffer-chars-modified-tick))))

(defun listd--follow ()
  "Begin to follow the list.  Its text, which may be long, is read afterwards."
  (setq listd--following nil listd--text-revision nil)
  (listd--ask 'getText `(:list ,listd--list :lines (:start 0 :count 0))
              (lambda (now)
                (listd--subscribe "textEdits" (plist-get now :textRevision)))))

(defun listd--subscribe (format &optional since)
  "Subscribe with FORMAT.
Edits of the text with the number SINCE are known to be few."
  (listd--ask 'subscribe `(:list ,listd--list :format ,format :content :json-false
                                 ,@(and since (list :sinceText since)))
              (lambda (state)
                (when (equal format "textEdits")
                  (setq listd--following t
                        listd--revision (plist-get state :revision)
                        listd--selection (listd-selection-of state)
                        listd--cursor (plist-get state :cursor))
                  (cond ((> listd--revision 0) (listd--reread))
                        ((= (buffer-size) 0) (setq listd--text-revision 0)))))))

(defun listd--reread ()
  "Read the text from its beginning, as at the start and after a missed edit."
  (unless listd--rereading
    (listd--forget-fresh)
    (setq listd--rereading t listd--text-revision nil listd--tick nil
          listd--fresh (cons nil (generate-new-buffer " *listd fresh*" t)))
    (with-current-buffer (cdr listd--fresh)
      (buffer-disable-undo))
    (listd--read-on)))

(defun listd--forget-fresh ()
  "Forget what was read."
  (when listd--fresh
    (kill-buffer (cdr listd--fresh))
    (setq listd--fresh nil)))

(defun listd--stop-reading ()
  "Give up reading."
  (setq listd--rereading nil)
  (listd--forget-fresh))

(defun listd--lines-read ()
  "The number of lines that were read."
  (with-current-buffer (if listd--fresh (cdr listd--fresh) (current-buffer))
    (listd--count)))

(defun listd--read-on ()
  "Read the next window."
  (let ((start (max 0 (- (listd--lines-read) listd-text--margin))))
    (listd--ask 'getText
                `(:list ,listd--list :lines (:start ,start :count ,listd-text--window))
                (lambda (now)
                  (when listd--rereading
                    (listd--take-window start now)))
                (lambda (err)
                  (listd--stop-reading)
                  (unless (eql (plist-get err :code) -31001)
                    (listd--warn 'getText err))))))

(defun listd--take-window (start now)
  "Take in the window NOW of the text, which begins at the line START."
  (let ((number (plist-get now :textRevision)) (known t))
    (cond ((and listd--fresh (null (car listd--fresh)))
           (setq listd--revision (plist-get now :revision))
           (if (> (buffer-size) 0)
               (setcar listd--fresh number)
             (listd--forget-fresh)
             (setq listd--text-revision number)))
          ((not (eql number (if listd--fresh (car listd--fresh) listd--text-revision)))
           (setq known nil)))
    (if (not known)
        (progn (setq listd--rereading nil)   ; an edit was missed
               (listd--reread))
      (listd--take-lines start now))))

(defun listd--take-lines (start now)
  "Take in the lines of the window NOW, which begins at START."
  (pcase-let* ((read (listd--lines-read)) (all (plist-get now :lineCount))
               (`(,text ,lines) (listd-edits-rest (plist-get now :text) (max 0 (- read start))))
               (edits (list (list read read text (max 0 lines)))))
    (cond ((or (< read start) (and (< lines 0) (< (+ read lines) all)))
           (listd--read-on))                 ; a change has deleted or inserted many lines
          (t
           (if listd--fresh
               (with-current-buffer (cdr listd--fresh)
                 (listd-edits-apply edits))
             (listd--edit edits (and (not listd--syncing) (plist-get now :cursorLine))))
           (if (< (+ read lines) all)
               (listd--read-on)
             (listd--all-read (plist-get now :cursorLine)))))))

(defun listd--all-read (cursor-line)
  "Go on after the last window.
CURSOR-LINE is the line of the daemon's cursor."
  (let ((fresh listd--fresh))
    (when fresh
      (setq listd--text-revision (car fresh))
      (listd--replace (cdr fresh) cursor-line))
    (listd--stop-reading)
    (listd--mark-all)
    (listd--flush)))

(defun listd--replace (new cursor-line)
  "Give the buffer, which shows an older text, the lines of the buffer NEW.
CURSOR-LINE is the line of the daemon's cursor."
  (listd--edit (listd--widened (listd-edits-between new)) cursor-line nil
               (lambda (line)
                 (let ((text (listd--widened
                               (listd--goto-line line)
                               (buffer-substring-no-properties (point) (line-end-position)))))
                   (with-current-buffer new
                     (goto-char (point-min))
                     (let ((case-fold-search nil))
                       (when (re-search-forward (format "^%s$" (regexp-quote text)) nil t)
                         (listd--line-at (point)))))))))

(defun listd--take (change)
  "Take in the text of CHANGE; nil if rows are not to be marked yet."
  (let* ((number (plist-get change :textRevision))
         (known (if listd--fresh (car listd--fresh) listd--text-revision)))
    (cond ((or (not listd--following) (and listd--fresh (null known)))
           nil)                              ; what is read next is newer
          ((and number (eql number known)) (not listd--rereading))
          ((not (and known (listd--untouched)
                     (eql (plist-get change :baseTextRevision) known)
                     (plist-member change :textEdits)))
           ;; A pending window shows that an edit was missed.
           (setq listd--text-revision nil)
           (listd--forget-fresh)
           (listd--reread)
           nil)
          (t (listd--take-edits change number)))))

(defun listd--take-edits (change number)
  "Apply the edits of CHANGE, which lead to the text NUMBER.
Return nil if rows are not to be marked yet."
  (pcase-let ((`(,edits . ,cut)
               (listd-edits-clip (listd-edits-read (plist-get change :textEdits))
                                 (listd--lines-read) listd--rereading listd-text--window)))
    (if listd--fresh
        (progn (setcar listd--fresh number)
               (with-current-buffer (cdr listd--fresh)
                 (listd-edits-apply edits 'scattered)))
      (setq listd--text-revision number)
      (when cut
        (listd--unmark-all))                 ; all are marked at the end
      ;; While only the first lines are there, some may move from or to others.
      (let* ((moves (and (not cut) (not listd--rereading) (plist-get change :moves)))
             (brought (progn
                        (when (eq (listd-edits-moves moves) 'scattered)
                          (listd--find-rows change))
                        (listd--edit edits (plist-get change :cursorLine) moves))))
        (when (and cut (not listd--rereading))
          (setq listd--rereading t)
          (listd--read-on))
        (unless (or listd--rereading
                    (eql (plist-get change :baseRevision) (plist-get change :revision)))
          (setq listd--brought (nconc listd--brought brought)))))
    (not listd--rereading)))

(provide 'listd-text)
;;; listd-text.el ends here
