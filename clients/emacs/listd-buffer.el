;;; listd-buffer.el --- What the buffer of a list shows  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The text of a list comes as edits of the lines that change.  Point and the daemon's cursor follow
;; each other, and each window keeps its row.

;;; Code:

(require 'cl-lib)
(require 'seq)
(require 'listd-client)
(require 'listd-edits)
(require 'listd-marks)
(require 'listd-rows)
(require 'listd-text)

(defvar-local listd--again nil "Whether another one has to follow.")
(defvar-local listd--waiting nil
  "What waits for a change to be shown.
Each is a list of a revision, a function and one of an error.")
(defvar-local listd--astray nil
  "Points whose rows are being looked for.
It is an alist of windows, or nil for the buffer's point, and a list of
the line that they were put on.")
(defvar-local listd-expanded-function #'ignore
  "Function of references to lazy items of an outline that were expanded.
It is to add their children to the source of the outline.")
(defvar-local listd--changed #'ignore "Function of a change, when the list has changed.")

(defun listd--attach ()
  "Begin to follow the list, also on a new daemon after the old one's death."
  (setq listd--client (listd--connect) listd--text-revision nil listd--cursor nil
        listd--cursor-line nil listd--syncing nil listd--turns nil listd--acts nil
        listd--astray nil)
  (listd--stop-reading)
  (when listd--templates
    (listd--ask 'registerTemplates `(:templates ,listd--templates)))
  (if listd--shared
      (listd--follow)
    (listd--subscribe "textEdits")))         ; the list is empty

(defun listd--lost ()
  "Forget what is under way; what is shown stays, and is what was known last."
  (let ((waiting listd--waiting))
    (setq listd--cursor-line nil listd--syncing nil listd--turns nil listd--acts nil
          listd--waiting nil listd--astray nil)
    (listd--stop-reading)
    (dolist (one waiting)
      (listd--guard (nth 2 one) listd-connection--ended))))

(defun listd--close ()
  "End following the list, which goes with its buffer if nobody else has it."
  (when listd--list
    (listd--leave)
    (listd--forget-fresh)
    (when (and listd--client (listd-connection-running-p listd--client))
      (dolist (method (if listd--shared '(unsubscribe) '(unsubscribe removeList)))
        (listd--ask method `(:list ,listd--list) #'ignore #'ignore)))))

(defun listd--handle (method params)
  "Take in what the daemon tells of the list by METHOD with PARAMS."
  (pcase method
    ('didChange
     (let ((before listd--selection))
       (setq listd--revision (plist-get params :revision)
             listd--selection (listd-selection-of params))
       (when (listd--take params)
         (listd--mark-change before params)))
     (setq listd--cursor (plist-get params :cursor))
     (listd--flush)
     (unless (eq listd--changed #'ignore)
       (funcall listd--changed (listd-selection-full params))))
    ('didSelect
     (setq listd--selection (listd-selection-of params))
     (listd--mark-ops (plist-get params :ops))
     (let ((cursor (plist-get params :cursor)))
       (unless (or (null cursor) (equal cursor listd--cursor))
         (setq listd--cursor cursor listd--cursor-line nil)
         (listd--go params))))
    ('didExpand
     (funcall listd-expanded-function (plist-get params :items)))
    ('didRemove
     (setq listd--revision 0 listd--selection listd-selection-none listd--cursor nil)
     (listd--edit (list (list 0 (listd--count) "" 0)) nil)
     (setq listd--text-revision 0)
     (listd--forget-fresh)
     (listd--unmark-all))))

(defun listd--flush ()
  "Call what waits for a change that is shown."
  (while (and listd--waiting listd--text-revision (not listd--rereading)
              (>= listd--revision (caar listd--waiting)))
    (listd--guard (cadr (pop listd--waiting)))))

;;;; The text

(defun listd--windows ()
  "The windows that show the buffer; if there are none, nil in a list."
  (or (get-buffer-window-list nil nil t) (list nil)))

(defun listd--point-of (window)
  "The point of WINDOW, or of the buffer if WINDOW is nil."
  (if window (window-point window) (point)))

(defun listd--places (find)
  "Where the windows that show the buffer are.
It is a list of (WINDOW LINE COLUMN START-LINE FOUND), with what the
function FIND, or nil, returns for LINE.  A buffer that no window shows
has its point; its WINDOW is nil."
  (mapcar (lambda (window)
            (let* ((position (listd--point-of window))
                   (line (listd--line-at position)))
              (list window
                    line
                    (save-excursion (goto-char position) (- position (line-beginning-position)))
                    (if window (listd--line-at (window-start window)) 0)
                    (and find (funcall find line)))))
          (listd--windows)))

(defun listd--place (window line column old start)
  "Put point of WINDOW, or of the buffer if that is nil, on COLUMN of LINE.
It was on the line OLD, and the window began at the line START."
  (let ((position (listd--position line column)))
    (if (null window)
        (goto-char position)
      (set-window-point window position)
      (when (eq window (selected-window))
        (goto-char position))
      ;; A window that shows the top still does; in others the row keeps its line of the screen.
      (set-window-start
       window (listd--position (if (> start 0) (max 0 (+ start (- line old))) 0) 0) t))))

(defun listd--find-rows (change)
  "Before CHANGE, whose moves are not read, ask where it moves rows with points.
Until the answer, these are astray."
  (let (asked refs)
    (dolist (window (listd--windows))
      (let ((line (listd--line-at (listd--point-of window))))
        (unless (or (and (plist-get change :cursorLine) (eql line (listd--followed)))
                    (eql line (cadr (assq window listd--astray))))
          (push (list window line) asked)
          (setq listd--astray (cons (car asked) (assq-delete-all window listd--astray)))
          (push `(:line ,line :textRevision ,(plist-get change :baseTextRevision)) refs))))
    (when asked
      (listd--ask 'locate `(:list ,listd--list :items ,(vconcat refs) :text t)
                  (lambda (found)
                    (cl-loop for place across (plist-get found :items) for astray in asked
                             when (memq astray listd--astray)
                             do (setq listd--astray (delq astray listd--astray))
                             (when (and place (eql (plist-get found :revision) listd--revision))
                               (listd--put (car astray) (cadr astray) (plist-get place :line)))))
                  (lambda (_) (setq listd--astray nil))))))

(defun listd--put (window from line)
  "Put point of WINDOW on LINE, unless it has been moved from the line FROM."
  (pcase (assq window (listd--places nil))
    ((and `(,_ ,(pred (eql from)) ,column ,start ,_)
          (guard (and (not listd--rereading) (< line (listd--count)))))
     (listd--place window line column from start)
     (when (memq window (list nil (selected-window)))
       (listd--sync)))))

(defun listd--followed ()
  "The line that stands for that of the daemon's cursor, or nil.
It is the first one until that line is read."
  (and listd--cursor-line (if (< listd--cursor-line (listd--count)) listd--cursor-line 0)))

(defun listd--edit (edits cursor-line &optional moves find)
  "Apply EDITS; return the lines that are new.
MOVES is a vector of the lines that they delete and insert elsewhere.
A window whose point is on the line of the daemon's cursor goes to
CURSOR-LINE, others with their text, but not behind the last line.
FIND, a function of a line, returns the new line, or nil if that is
known by EDITS."
  (save-restriction
    (widen)
    (let* ((followed (listd--followed)) (count (listd--count))
           (places (listd--places find))
           (empty (= (point-min) (point-max)))
           (moves (listd-edits-moves moves))
           (selected (and listd--marked (consp moves) (seq-mapcat #'listd--marked-in moves)))
           (marked (and (consp moves) (mark t) (listd--line-at (mark t))))
           (column (and marked (- (mark t) (listd--position marked 0))))
           (inhibit-read-only t) (deactivate-mark nil))
      (listd-edits-apply-moving edits moves)
      (set-buffer-modified-p nil)
      (setq listd--tick (buffer-chars-modified-tick))
      (when-let ((line (and marked (listd-edits-moved marked moves))))
        (set-marker (mark-marker) (listd--position line column)))
      (pcase-dolist (`(,window ,old ,column ,start ,found) places)
        (let* ((line (cond ((or empty (and cursor-line (eql old followed)))
                            (if (and cursor-line (< cursor-line (listd--count))) cursor-line 0))
                           (found)
                           (t (min (listd-edits-carried old edits moves)
                                   (if (< old count) (1- (listd--count)) (listd--count))))))
               (astray (assq window listd--astray)))
          (when (eql old (cadr astray))
            (setcdr astray (list line)))
          (listd--place window line column old start)))
      (pcase-dolist (`(,first . ,last) selected)
        (listd--mark-lines first last t))
      (setq listd--cursor-line cursor-line
            listd--brought (mapcar (lambda (line) (listd-edits-carried line edits moves))
                                   listd--brought))
      (cond ((eq moves 'scattered)
             (setq listd--whole t)           ; too many lines are new
             nil)
            ((not (equal listd--selection listd-selection-none))
             (listd-edits-brought edits moves))))))

;;;; The cursor

(defun listd--go (state)
  "Go to the daemon's row with the cursor, as somebody else has done in the list.
STATE has its line."
  (let ((line (plist-get state :cursorLine)) (window (get-buffer-window nil t)))
    (when (and line (eql (plist-get state :textRevision) listd--text-revision))
      (setq listd--cursor-line line)
      (goto-char (listd--position line 0))
      (when window
        (set-window-point window (point))))))

(defun listd--sync ()
  "Send the row of point to the daemon, one request at a time."
  (unless (or (not (and listd--client (listd-connection-running-p listd--client)))
              (= (buffer-size) 0) (null listd--text-revision))
    (let ((line (listd--line-at (point))) (text-revision listd--text-revision))
      (cond ((eql (listd--followed) line))
            (listd--syncing (setq listd--again t))
            (t
             (setq listd--syncing t listd--cursor-line nil)
             (listd--ask
              'select `(:list ,listd--list :cursor ,(listd--ref line text-revision) :format "textEdits")
              (lambda (result)
                (setq listd--cursor (plist-get result :cursor) listd--cursor-line nil)
                (let ((now (plist-get result :cursorLine)))
                  (when (and now (eql text-revision listd--text-revision)
                             (eql text-revision (plist-get result :textRevision)))
                    (setq listd--cursor-line now)))
                (listd--synced))
              #'listd--synced))))))

(defun listd--synced (&optional _)
  "Go on when the daemon has the row of point."
  (setq listd--syncing nil)
  (when listd--again
    (setq listd--again nil)
    (listd--sync)))

(provide 'listd-buffer)
;;; listd-buffer.el ends here
