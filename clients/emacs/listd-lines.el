;;; listd-lines.el --- Editing the lines of a list  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; `listd-edit-lines' opens a buffer with a line for each row, in the list's window, as wdired does.
;; Text properties refer to the rows, so lines may be moved.  Committing passes the texts that were
;; changed to the list's owner.  The list continues to follow.

;;; Code:

(require 'cl-lib)
(require 'seq)
(require 'subr-x)
(require 'listd)

(defconst listd-lines--slice 500
  "How many lines are resolved at a time.")

(defcustom listd-confirm-renames t
  "Whether the changes of lines are shown and must be confirmed."
  :group 'listd
  :type 'boolean)

(defconst listd-lines--most-shown 20
  "How many changes are shown at most.")

(cl-defstruct (listd-lines--row (:constructor listd-lines--make-row))
  "A row whose line is edited.
TEXT is nil if the line cannot be changed."
  before text id item)

(defvar-local listd-lines--list nil "The buffer of the list whose lines are edited.")
(defvar-local listd-lines--client nil "The daemon that knows the rows.")
(defvar-local listd-lines--rows nil "The rows, in the order of the list.")
(defvar-local listd-lines--buffer nil "The buffer where the lines of this list are edited.")

(defvar listd-lines-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'listd-lines-commit)
    (define-key map (kbd "C-x C-s") #'listd-lines-commit)
    (define-key map (kbd "C-c C-k") #'listd-lines-abort)
    map)
  "Keys of a buffer where lines of a list are edited.")

(define-derived-mode listd-lines-mode text-mode "Lines"
  "The lines of a list, to be edited.
`listd-lines-commit' commits the changes, `listd-lines-abort' drops them.
Lines may be moved.  A deleted line deletes nothing.

\\{listd-lines-mode-map}"
  (setq truncate-lines t)
  (setq-local line-prefix (make-string (string-width listd-sign) ?\s))
  (setq-local require-final-newline nil)
  (add-hook 'kill-buffer-query-functions #'listd-lines--may-kill nil t))

(defun listd-lines--may-kill ()
  "Whether the buffer may be killed."
  (or (not (buffer-modified-p)) noninteractive
      (yes-or-no-p "Changed lines were not committed; kill anyway? ")))

;;;; Rows

(defun listd-lines--item (content)
  "The item of a row with CONTENT."
  (if (and (consp content) (plist-get content :$part)) (plist-get content :$item) content))

(defun listd-lines--resolve (refs done &optional found)
  "Find the items that REFS refer to now, in slices.
Call DONE with a list of (ID ITEM PATH) or nil for each, or with the
symbol error and an error.  FOUND are those found already, reversed."
  (if (null refs)
      (funcall done (nreverse found))
    (let* ((part (seq-take refs listd-lines--slice))
           (failed (lambda (err) (funcall done 'error err)))
           (continue
            (lambda (places paths contents)
              (let ((more found))
                (seq-doseq (place places)
                  (push (and place
                             (let ((content (pop contents)))
                               (list (plist-get content :id)
                                     (listd-lines--item (plist-get content :content))
                                     (pop paths))))
                        more))
                (listd-lines--resolve (nthcdr (length part) refs) done more)))))
      (listd--ask
       'locate `(:list ,listd--list :items ,(vconcat part))
       (lambda (there)
         (let ((paths (delq nil (mapcar (lambda (place) (plist-get place :at))
                                        (plist-get there :items)))))
           (if (null paths)
               (funcall continue (plist-get there :items) nil nil)
             (listd--ask
              'locate `(:list ,listd--list :paths ,(vconcat paths))
              (lambda (here)
                (if (eql (plist-get here :revision) (plist-get there :revision))
                    (funcall continue (plist-get there :items) paths
                             (append (plist-get here :paths) nil))
                  ;; The paths are those of another revision.
                  (listd-lines--resolve refs done found)))
              failed))))
       failed))))

(defun listd-lines--rows (edit lines found)
  "The rows of LINES, which FOUND has the items of.
Each is divided into what stays and what can be changed: the member at
the end of the line, as the option EDIT says."
  (let ((known (make-hash-table :test #'equal)))
    (cl-mapcar
     (lambda (line place)
       (pcase-let* ((`(,id ,item ,path) place)
                    (member (or (plist-get edit :member) :name))
                    (shown (cond ((not (consp item)) item)
                                 ((plist-get edit :shown) (funcall (plist-get edit :shown) item))
                                 (t (plist-get item member)))))
         (if (and (stringp shown) (not (string-empty-p shown)) (string-suffix-p shown line)
                  (not (gethash path known)))
             (progn
               (puthash path t known)
               (listd-lines--make-row
                :id id :item item :before (substring line 0 (- (length line) (length shown)))
                ;; A line break in a text is a zero byte in the buffer.
                :text (string-replace "\n" "\0" (if (plist-get edit :text)
                                                    (funcall (plist-get edit :text) item)
                                                  shown))))
           (listd-lines--make-row :before line))))
     lines found)))

;;;; Editing

;;;###autoload
(defun listd-edit-lines ()
  "Edit the lines of the list in this buffer.
The list needs the option :edit of `listd-view'."
  (interactive nil listd-mode)
  (cond ((not listd--edit) (user-error "The lines of this list cannot be edited"))
        ((buffer-live-p listd-lines--buffer) (switch-to-buffer listd-lines--buffer))
        ((listd--revive))
        ((and listd--text-revision (> (buffer-size) 0))
         (let* ((text (save-restriction
                        (widen)
                        (buffer-substring-no-properties (point-min) (point-max))))
                (lines (butlast (split-string text "\n")))
                (revision listd--text-revision) (list (current-buffer)))
           (listd-lines--resolve
            (cl-loop for line from 0 below (length lines)
                     collect `(:line ,line :textRevision ,revision))
            (lambda (found &optional err)
              (if (eq found 'error)
                  (listd--warn 'locate err)
                (let ((rows (listd-lines--rows listd--edit lines found)))
                  (when (eq (window-buffer) list)
                    (listd-lines--show list rows))))))))))

(defun listd-lines--insert (row)
  "Insert the line of ROW."
  (let ((start (point)))
    (insert (propertize (listd-lines--row-before row) 'face 'shadow 'rear-nonsticky '(face))
            (or (listd-lines--row-text row) ""))
    (put-text-property start (point) 'listd-row row)
    (insert (propertize "\n" 'listd-row row 'rear-nonsticky t))))

(defun listd-lines--show (list rows)
  "Show ROWS of the buffer LIST in the selected window."
  (let ((line (with-current-buffer list (listd--line-at (point))))
        (buffer (generate-new-buffer (format "%s (editing)" (buffer-name list)))))
    (with-current-buffer list
      (setq listd-lines--buffer buffer))
    (switch-to-buffer buffer)
    (listd-lines-mode)
    (setq default-directory (buffer-local-value 'default-directory list)
          listd-lines--list list listd-lines--rows rows
          listd-lines--client (buffer-local-value 'listd--client list))
    (let ((buffer-undo-list t))
      (mapc #'listd-lines--insert rows))
    (set-buffer-modified-p nil)
    (goto-char (point-min))
    (forward-line line)
    (let ((row (get-text-property (point) 'listd-row)))
      (when (and row (listd-lines--row-text row))
        (forward-char (length (listd-lines--row-before row)))))
    (message "C-c C-c commits the changes, C-c C-k drops them")))

(defun listd-lines-abort ()
  "Drop the changes, and show the list again."
  (interactive nil listd-lines-mode)
  (set-buffer-modified-p nil)
  (listd-lines--leave))

(defun listd-lines--leave ()
  "Show the list in place of its lines."
  (let ((buffer (current-buffer)) (list listd-lines--list))
    (when (buffer-live-p list)
      (dolist (window (get-buffer-window-list buffer nil t))
        (set-window-buffer window list))
      (set-buffer list))
    (kill-buffer buffer)))

;;;; Committing

(defun listd-lines--rows-between (start end)
  "The rows that the text from START to END refers to."
  (let (rows)
    (while (< start end)
      (let ((row (get-text-property start 'listd-row)))
        (when (memq row listd-lines--rows)
          (cl-pushnew row rows :test #'eq)))
      (setq start (next-single-property-change start 'listd-row nil end)))
    rows))

(defun listd-lines--rows-at-point ()
  "The rows that the line at point refers to.
If it begins and ends with the same one, what was inserted in between,
such as a part of another line, does not matter.  An empty line refers
to one by its newline."
  (let* ((start (line-beginning-position)) (end (line-end-position))
         (last (listd-lines--rows-between end (min (point-max) (1+ end)))))
    (if (and last (eq (car last) (get-text-property start 'listd-row)))
        last
      (or (listd-lines--rows-between start end) last))))

(defun listd-lines--read ()
  "What the lines are: problems, changes and the number of rows without a line.
Problems are an alist by positions, changes plists."
  (let (problems changes (seen (make-hash-table :test #'eq)))
    (save-excursion
      (goto-char (point-min))
      (while (not (eobp))
        (let* ((start (point))
               (line (buffer-substring-no-properties start (line-end-position)))
               (rows (listd-lines--rows-at-point)) (row (car rows))
               (before (and row (listd-lines--row-before row)))
               (text (and row (listd-lines--row-text row))))
          (cl-flet ((problem (reason &optional position)
                      (push (cons (or position start) reason) problems)))
            (cond ((null row)
                   (unless (string-blank-p line)
                     (problem "this line is new, and lines cannot be added")))
                  ((cdr rows) (problem "two rows were joined"))
                  ((gethash row seen)
                   (problem "two lines stand for the same row")
                   (problem "two lines stand for the same row" (gethash row seen)))
                  ((progn (puthash row start seen) nil))
                  ((null text)
                   (unless (equal line before)
                     (problem "this line cannot be changed")))
                  ((not (string-prefix-p before line))
                   (problem "only the text behind the indent can be changed"))
                  ((not (equal (substring line (length before)) text))
                   (push (list :position start :row row
                               :id (listd-lines--row-id row) :item (listd-lines--row-item row)
                               :text (string-replace "\0" "\n" (substring line (length before))))
                         changes)))))
        (forward-line 1)))
    (list problems
          (seq-remove (lambda (change) (assq (plist-get change :position) problems))
                      (nreverse changes))
          (seq-count (lambda (row) (and (listd-lines--row-text row) (not (gethash row seen))))
                     listd-lines--rows))))

(defun listd-lines--commit (changes)
  "Have the owner of the list commit CHANGES, also if the daemon has ended.
Return the problems, an alist by positions."
  (let* ((client listd-lines--client)
         (failed (condition-case err
                    (with-current-buffer (if (buffer-live-p listd-lines--list)
                                             listd-lines--list
                                           (error "the list is not there any more"))
                      (unless (and (eq client listd--client) (listd--runs client))
                        (dolist (change changes)
                          (plist-put change :past t)))
                      (funcall (plist-get listd--edit :commit) changes))
                  (error (mapcar (lambda (change) (cons change (error-message-string err)))
                                 changes))))
        problems)
    (dolist (change changes problems)
      (if-let ((problem (assq change failed)))
          (push (cons (plist-get change :position) (cdr problem)) problems)
        (setf (listd-lines--row-text (plist-get change :row))
              (string-replace "\n" "\0" (plist-get change :text)))))))

(defun listd-lines--count (number what)
  "NUMBER of WHAT, in words."
  (format "%d %s%s" number what (if (= number 1) "" "s")))

(defun listd-lines--annotate (problems)
  "Show PROBLEMS, an alist by positions, beside their lines."
  (pcase-dolist (`(,position . ,reason) problems)
    (let ((overlay (make-overlay position (save-excursion (goto-char position)
                                                          (line-end-position)))))
      (overlay-put overlay 'listd-problem reason)
      (overlay-put overlay 'after-string (propertize (concat " ← " reason) 'face 'warning)))))

(defun listd-lines--confirmed-p (changes)
  "Show CHANGES, and ask whether they are to be made."
  (or (null changes) (not listd-confirm-renames)
      (let ((buffer (get-buffer-create "*listd changes*"))
            (more (- (length changes) listd-lines--most-shown)))
        (unwind-protect
            (save-window-excursion
              (with-current-buffer-window
                  buffer '(display-buffer-at-bottom (window-height . fit-window-to-buffer)) nil
                (dolist (change (seq-take changes listd-lines--most-shown))
                  (insert (listd-lines--row-text (plist-get change :row)) " → "
                          (string-replace "\n" "\0" (plist-get change :text)) "\n"))
                (when (> more 0)
                  (insert (format "and %d more\n" more))))
              (y-or-n-p (format "Change %s? " (listd-lines--count (length changes) "line"))))
          (kill-buffer buffer)))))

(defun listd-lines-commit ()
  "Commit the changes of the lines, and show the list again.
Lines that fail stay as they are, with the reason beside them.  If the
option `listd-confirm-renames' is non-nil, ask first."
  (interactive nil listd-lines-mode)
  (save-restriction
    (widen)
    (dolist (overlay (overlays-in (point-min) (1+ (point-max))))
      (when (overlay-get overlay 'listd-problem)
        (delete-overlay overlay)))
    (pcase-let ((`(,problems ,changes ,missing) (listd-lines--read)))
      (if (listd-lines--confirmed-p changes)
          (listd-lines--finish problems changes missing)
        (listd-lines--annotate problems)
        (message "listd: nothing was changed")))))

(defun listd-lines--finish (problems changes missing)
  "Commit CHANGES, and show the list if all lines are right.
PROBLEMS are those of other lines, and MISSING is how many were deleted."
  (let* ((failed (and changes (listd-lines--commit changes)))
         (wrong (sort (append failed problems) #'car-less-than-car))
         (done (- (length changes) (length failed)))
         (text (concat (listd-lines--count done "line") " changed"
                       (and (> missing 0)
                            (format ", %s ignored: nothing is removed"
                                    (listd-lines--count missing "deleted line"))))))
    (listd-lines--annotate wrong)
    (set-buffer-modified-p (and wrong t))
    (if wrong
        (progn
          (goto-char (caar wrong))
          (message "listd: %s, %s not: %s" text (listd-lines--count (length wrong) "line")
                   (cdar wrong)))
      (let ((row (car (listd-lines--rows-at-point))))
        (listd-lines--leave)
        (when (derived-mode-p 'listd-mode)
          (or (listd--revive)
              (null row)
              (listd-lines--go (listd-lines--row-id row)))))
      (message "listd: %s" text))))

(defun listd-lines--go (id)
  "Go to the row of ID in the list."
  (let ((buffer (current-buffer)))
    (listd--ask 'locate `(:list ,listd--list :items [(:id ,id)] :text t)
                (lambda (found)
                  (when-let* ((place (aref (plist-get found :items) 0))
                              (position (listd--position (plist-get place :line) 0)))
                    (goto-char position)
                    (dolist (window (get-buffer-window-list buffer))
                      (set-window-point window position))
                    (listd--sync)))
                #'ignore)))

(provide 'listd-lines)
;;; listd-lines.el ends here
