;;; listd-buffer.el --- What the buffer of a list shows  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The text of a list comes as edits of the lines that change.  Point and the daemon's cursor follow
;; each other, each window keeps its row, and overlays mark the rows that are selected.

;;; Code:

(require 'cl-lib)
(require 'seq)
(require 'listd-client)
(require 'listd-edits)

(defface listd-selected '((t :inherit highlight))
  "Face of the rows that are selected."
  :group 'listd)

(defcustom listd-sign "* "
  "What stands before a row that is selected."
  :type 'string
  :group 'listd)

(defvar-local listd--list nil "The list that the buffer shows.")
(defvar-local listd--templates nil)
(defvar-local listd--revision 0)
(defvar-local listd--text-revision nil "Nil while the text of the daemon is not known.")
(defvar-local listd--cursor nil "The path of the row that the daemon has the cursor on.")
(defvar-local listd--cursor-line nil "The line where that row begins.")
(defvar-local listd--offset 0 "From there to the person's line, in a row of several lines.")
(defvar-local listd--selection [])
(defvar-local listd--overlays nil "Those of the selected rows.")
(defvar-local listd--turn 0
  "Counts askings where the selected rows are; only the last one's answer is used.")
(defvar-local listd--syncing nil "Whether the daemon is being told where point is.")
(defvar-local listd--again nil "Whether it has to be told again.")
(defvar-local listd--rereading nil)

(defun listd--attach ()
  "Begin to follow the list, also on a new daemon after the old one's death."
  (setq listd--client (listd-connection) listd--text-revision nil listd--cursor nil
        listd--cursor-line nil listd--syncing nil listd--rereading nil)
  (when listd--templates
    (listd--ask 'registerTemplates `(:templates ,listd--templates)))
  (listd--ask 'subscribe `(:list ,listd--list :format "textEdits" :content :json-false)
              (lambda (state)
                (setq listd--revision (plist-get state :revision)
                      listd--selection (plist-get state :selection)
                      listd--cursor (plist-get state :cursor))
                (when (> listd--revision 0)
                  (listd--reread)))))

(defun listd--lost ()
  "Forget what is under way; what is shown stays, and is what was known last."
  (setq listd--cursor-line nil listd--syncing nil listd--rereading nil))

(defun listd--close ()
  "End following the list, which goes with its buffer."
  (when listd--list
    (remhash listd--list listd--buffers)
    (when (and listd--client (jsonrpc-running-p listd--client))
      (dolist (method '(unsubscribe removeList))
        (listd--ask method `(:list ,listd--list) #'ignore #'ignore)))))

(defun listd--told (method params)
  "Take in what the daemon tells of the list by METHOD with PARAMS."
  (pcase method
    ('didChange
     (setq listd--revision (plist-get params :revision))
     (let ((text-revision (plist-get params :textRevision)))
       (unless (and text-revision (eql text-revision listd--text-revision))
         (if (and listd--text-revision
                  (eql (plist-get params :baseTextRevision) listd--text-revision)
                  (plist-member params :textEdits))
             (progn
               (listd--edit (listd-edits-read (plist-get params :textEdits))
                            (plist-get params :cursorLine))
               (setq listd--text-revision text-revision))
           (listd--reread))))
     (setq listd--cursor (plist-get params :cursor))
     (listd--mark (plist-get params :selection)))
    ('didSelect
     (listd--mark (plist-get params :selection))
     (let ((cursor (plist-get params :cursor)))
       (unless (or (null cursor) (equal cursor listd--cursor))
         (setq listd--cursor cursor)
         (listd--go cursor))))
    ('didRemove
     (listd--edit (list (list 0 (listd--count) nil)) nil)
     (setq listd--revision 0 listd--text-revision nil)
     (listd--mark []))))

;;;; The text

(defun listd--count ()
  "The number of lines of the text."
  (count-lines (point-min) (point-max)))

(defun listd--reread ()
  "Get the whole text, as at the start and where an edit does not fit."
  (unless listd--rereading
    (setq listd--rereading t)
    (listd--ask
     'getText `(:list ,listd--list)
     (lambda (now)
       (let ((old (listd-edits-lines (buffer-substring-no-properties (point-min) (point-max))))
             (new (listd-edits-lines (plist-get now :text))))
         (setq listd--rereading nil
               listd--revision (plist-get now :revision))
         (listd--edit (listd-edits-between old new) (plist-get now :cursorLine)
                      (lambda (line)
                        (let ((text (nth line old)))
                          (and text (seq-position new text #'string=)))))
         (setq listd--text-revision (plist-get now :textRevision))
         (listd--mark listd--selection)))
     (lambda (err)
       (setq listd--rereading nil)
       (unless (eql (plist-get err :code) -31001)
         (listd--warn 'getText err))))))

(defun listd--line-at (position)
  "The line of POSITION, counted from 0."
  (1- (line-number-at-pos position)))

(defun listd--position (line column)
  "The position of COLUMN, in characters, of LINE."
  (save-excursion
    (goto-char (point-min))
    (forward-line line)
    (min (+ (point) column) (line-end-position))))

(defun listd--places ()
  "Where the windows that show the buffer are.
It is a list of (WINDOW LINE COLUMN START-LINE).  A buffer that no
window shows has its point; its WINDOW is nil."
  (mapcar (lambda (window)
            (let ((position (if window (window-point window) (point))))
              (list window
                    (listd--line-at position)
                    (save-excursion (goto-char position) (- position (line-beginning-position)))
                    (if window (listd--line-at (window-start window)) 0))))
          (or (get-buffer-window-list nil nil t) (list nil))))

(defun listd--edit (edits cursor-line &optional find)
  "Apply EDITS.
A window whose point is on the daemon's row goes with that row to
CURSOR-LINE.  FIND, a function of a line, tells where that is now, if
EDITS do not know."
  (let ((followed (and listd--cursor-line (+ listd--cursor-line listd--offset)))
        (places (listd--places))
        (empty (= (point-min) (point-max)))
        (inhibit-read-only t))
    (listd-edits-apply edits)
    (set-buffer-modified-p nil)
    (pcase-dolist (`(,window ,old ,column ,start) places)
      (let* ((line (cond (empty (or cursor-line 0))
                         ((and cursor-line (eql old followed)) (+ cursor-line listd--offset))
                         ((and find (funcall find old)))
                         (t (listd-edits-carried old edits))))
             (position (listd--position line column)))
        (if (null window)
            (goto-char position)
          (set-window-point window position)
          (when (eq window (selected-window))
            (goto-char position))
          ;; What shows its top goes on showing it; else the row stays where it is on the screen.
          (set-window-start
           window (listd--position (if (> start 0) (max 0 (+ start (- line old))) 0) 0) t))))
    (setq listd--cursor-line cursor-line)
    (when (> listd--offset 0)
      ;; The row may have other lines now, or be another row.
      (setq listd--cursor-line nil listd--offset 0)
      (listd--sync))))

;;;; Rows

(defun listd--go (path)
  "Go to the row of PATH, as somebody else has done in the list."
  (let ((turn listd--turn))
    (listd--ask 'locate `(:list ,listd--list :paths [,path] :text t)
                (lambda (found)
                  (let ((place (aref (plist-get found :paths) 0)))
                    (when (and place (eql turn listd--turn))
                      (setq listd--cursor-line (plist-get place :line) listd--offset 0)
                      (let ((position (listd--position listd--cursor-line 0))
                            (window (get-buffer-window nil t)))
                        (goto-char position)
                        (when window
                          (set-window-point window position)))))))))

(defun listd--sync ()
  "Tell the daemon the row that point is on, once at a time."
  (let ((line (listd--line-at (point))))
    (cond ((or (not (and listd--client (jsonrpc-running-p listd--client)))
               (= (point-min) (point-max))
               (and listd--cursor-line (= line (+ listd--cursor-line listd--offset)))))
          (listd--syncing (setq listd--again t))
          (t
           (setq listd--syncing t)
           (cl-flet ((finished (&optional _)
                       (setq listd--syncing nil)
                       (when listd--again
                         (setq listd--again nil)
                         (listd--sync))))
             (listd--row
              (lambda (row line text-revision)
                (listd--ask
                 'select `(:list ,listd--list :cursor ,row)
                 (lambda (told)
                   (setq listd--cursor (plist-get told :cursor))
                   (listd--ask
                    'locate `(:list ,listd--list :paths [,(plist-get row :path)] :text t)
                    (lambda (found)
                      (let ((place (aref (plist-get found :paths) 0)))
                        (when (and place (eql text-revision listd--text-revision))
                          (setq listd--cursor-line (plist-get place :line)
                                listd--offset (- line listd--cursor-line))))
                      (finished))
                    #'finished))
                 #'finished))
              #'finished))))))

(defun listd--row (done otherwise)
  "Find the row of the line that point is on.
DONE gets an item reference, the line, and the revision of the text
that it was found in.  A header is no row: OTHERWISE is called."
  (let ((line (listd--line-at (point))) (text-revision listd--text-revision))
    (listd--rows (list line)
                 (lambda (rows) (funcall done (aref rows 0) line text-revision))
                 (lambda (changed)
                   (if changed
                       (listd--row done otherwise)
                     (funcall otherwise nil))))))

(defun listd--rows (lines done otherwise)
  "Find the rows of LINES: DONE gets a vector of item references.
OTHERWISE is called where there are none, or with t where the text has
changed meanwhile."
  (let ((text-revision listd--text-revision))
    (listd--ask 'locate `(:list ,listd--list :lines ,(vconcat lines))
                (lambda (found)
                  (let ((rows (mapcar (lambda (place)
                                        `(:path ,(plist-get place :at)
                                                :revision ,listd--revision))
                                      (seq-filter (lambda (place) (plist-get place :at))
                                                  (plist-get found :lines)))))
                    (if (and rows (eql text-revision listd--text-revision))
                        (funcall done (vconcat rows))
                      (funcall otherwise (not (eql text-revision listd--text-revision))))))
                (lambda (_) (funcall otherwise nil)))))

(defun listd--mark (selection)
  "Mark the rows of SELECTION, a vector of ranges, once their lines are known."
  (setq listd--selection selection
        listd--turn (1+ listd--turn))
  (let ((turn listd--turn)
        (paths (seq-mapcat
                (lambda (range)
                  (pcase-let ((`[,section ,row] (plist-get range :at)))
                    (list (vector section row)
                          (vector section (+ row (plist-get range :count) -1)))))
                selection)))
    (if (null paths)
        (listd--show-marks nil)
      ;; An error means that the rows have changed again, and the change marks them anew.
      (listd--ask 'locate `(:list ,listd--list :paths ,(vconcat paths) :text t)
                  (lambda (found)
                    (when (eql turn listd--turn)
                      (listd--show-marks (append (plist-get found :paths) nil))))
                  #'ignore))))

(defun listd--show-marks (places)
  "Mark the lines from one of PLACES to the next, by twos."
  (mapc #'delete-overlay listd--overlays)
  (setq listd--overlays nil)
  (while places
    (let* ((from (pop places)) (to (pop places))
           (overlay (make-overlay
                     (listd--position (plist-get from :line) 0)
                     (listd--position (+ (plist-get to :line) (plist-get to :lineCount)) 0)
                     nil t nil)))
      (overlay-put overlay 'listd t)
      (overlay-put overlay 'face 'listd-selected)
      (overlay-put overlay 'line-prefix listd-sign)
      (overlay-put overlay 'evaporate t)
      (push overlay listd--overlays))))

(provide 'listd-buffer)
;;; listd-buffer.el ends here
