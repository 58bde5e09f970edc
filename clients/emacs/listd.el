;;; listd.el --- Lists in buffers, kept by listd  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0
;; Version: 1.0.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: convenience, tools

;;; Commentary:

;; listd is a daemon that keeps lists and tells, when one is given anew, the smallest change.  Here a
;; list is shown in a buffer that takes changes as text edits: point, markers, overlays and the
;; window's scroll position stay on their rows.  The row that point is on and the selected rows
;; are known to the daemon, and follow their items.
;;
;; `M-x listd-files' shows the files of a folder (see listd-files.el).  `listd-view' shows a list
;; of your own:
;;
;;     (require 'listd)
;;     (with-current-buffer (listd-view "fruit")
;;       (listd-apply '(:items ["apple" "banana"]))
;;       (pop-to-buffer (current-buffer)))

;;; Code:

(require 'cl-lib)
(require 'jsonrpc)
(require 'seq)
(require 'listd-edits)

(defgroup listd nil
  "Lists in buffers, kept by listd."
  :group 'convenience
  :prefix "listd-")

(defcustom listd-command nil
  "The daemon's command and its arguments.
Nil means the program that the environment variable LISTD names,
or else `listd' on the variable `exec-path', or else the build
folder of the checkout that this file is in."
  :type '(choice (const :tag "Find it" nil) (repeat :tag "Command" string)))

(defcustom listd-log-size 200000
  "How many characters of the traffic with the daemon `listd-log' remembers.
Nil means all, 0 none."
  :type '(choice (const :tag "All" nil) natnum))

(defface listd-selected '((t :inherit highlight))
  "Face of the rows that are selected.")

(defcustom listd-sign "* "
  "What stands before a row that is selected."
  :type 'string)

(defconst listd--folder (file-name-directory (or load-file-name buffer-file-name default-directory))
  "Where this file is.")

(defvar listd--connection nil "The daemon of this Emacs.")
(defvar listd--closing nil "The connection that is being closed.")
(defvar listd--buffers (make-hash-table :test #'equal) "Buffers by the names of their lists.")

(defvar-local listd--list nil "The list that the buffer shows.")
(defvar-local listd--client nil "The connection that the buffer follows its list by.")
(defvar-local listd--templates nil)
(defvar-local listd--open nil "Function of an item and whether in another window.")
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

;;;; The daemon

(defun listd-find ()
  "The daemon's command, a list of strings."
  (let* ((build (lambda (kind) (expand-file-name (format "../../.build/%s/listd" kind) listd--folder)))
         (named (getenv "LISTD")))
    (cond (listd-command)
          ((and named (not (string= named ""))) (list named))
          ((executable-find "listd") (list "listd"))
          ((file-executable-p (funcall build "release")) (list (funcall build "release")))
          ((file-executable-p (funcall build "debug")) (list (funcall build "debug")))
          (t (user-error "There is no listd: set `listd-command' or LISTD, or build it")))))

(defun listd-connection ()
  "The connection to the daemon of this Emacs, which is started when it is needed."
  (unless (and listd--connection (jsonrpc-running-p listd--connection)
               (not (eq listd--connection listd--closing)))
    (let ((command (listd-find)))
      (unless (executable-find (car command))
        (user-error "%s is no program that can be run" (car command)))
      (setq listd--connection
            (jsonrpc-process-connection
             :name "listd"
             :events-buffer-scrollback-size listd-log-size
             :notification-dispatcher #'listd--notified
             :on-shutdown #'listd--ended
             :process (lambda ()
                        (make-process :name "listd" :command command :connection-type 'pipe
                                      :coding 'utf-8-emacs-unix :noquery t
                                      :stderr (get-buffer-create " *listd stderr*"))))))
    (jsonrpc-async-request listd--connection 'initialize
                           `(:processId ,(emacs-pid) :clientInfo (:name "Emacs"))
                           :success-fn #'ignore :error-fn #'ignore)
    (jsonrpc-notify listd--connection 'initialized nil))
  listd--connection)

(defun listd-call (method params)
  "Ask the daemon and wait: the result of METHOD with PARAMS, a plist.
An error of the daemon is signalled as `jsonrpc-error'."
  (jsonrpc-request (listd-connection) method params))

(defun listd-stop ()
  "End the daemon; the next thing that needs one starts another."
  (interactive)
  (let ((connection listd--connection))
    (when (and connection (jsonrpc-running-p connection))
      (setq listd--closing connection)
      (ignore-errors (jsonrpc-request connection 'shutdown nil :timeout 2))
      (ignore-errors (jsonrpc-notify connection 'exit nil))
      (with-timeout (2 (delete-process (jsonrpc--process connection)))
        (while (jsonrpc-running-p connection)
          (accept-process-output nil 0.01))))))

(defun listd-log ()
  "Show the latest messages to and from the daemon."
  (interactive)
  (pop-to-buffer (jsonrpc-events-buffer (listd-connection))))

(defun listd--ended (connection)
  "Tell that the daemon of CONNECTION is gone."
  (unless (eq connection listd--closing)
    (maphash (lambda (_ buffer)
               (with-current-buffer buffer
                 (setq listd--cursor-line nil listd--syncing nil listd--rereading nil)))
             listd--buffers)
    (display-warning
     'listd "listd has ended; the lists show what they were, refreshing starts anew")))

(defun listd--notified (_connection method params)
  "Hand the notification METHOD with PARAMS to the buffer of its list."
  (let ((buffer (gethash (plist-get params :list) listd--buffers)))
    (cond ((buffer-live-p buffer)
           (with-current-buffer buffer (listd--told method params)))
          ((and (eq method 'window/logMessage) (<= (plist-get params :type) 2))
           (display-warning 'listd (plist-get params :message))))))

(defun listd--ask (method params &optional done otherwise)
  "Ask for METHOD with PARAMS.
DONE gets the result, in this buffer, or OTHERWISE the error.  Where
nobody minds, an error is a warning."
  (let ((buffer (current-buffer)) (client listd--client))
    (cl-flet ((here (function argument)
                (when (and (buffer-live-p buffer) (eq client (buffer-local-value 'listd--client buffer)))
                  (with-current-buffer buffer (funcall function argument)))))
      (condition-case nil
          (jsonrpc-async-request
           client method params
           :success-fn (lambda (result) (here (or done #'ignore) result))
           :error-fn (lambda (err)
                       (here (or otherwise (lambda (err) (listd--warn method err))) err))
           :timeout-fn (lambda ()
                         (here (or otherwise (lambda (err) (listd--warn method err)))
                               '(:code -1 :message "no answer in time"))))
        ;; The process is dead, and that is told elsewhere.
        (error (here (or otherwise #'ignore) '(:code -1 :message "Server died")))))))

(defun listd--warn (method err)
  "Tell the error ERR of METHOD, but for a dead daemon's, which is told once."
  (unless (equal (plist-get err :message) "Server died")
    (display-warning 'listd (format "%s: %s" method (plist-get err :message)))))

;;;; The buffer

(defvar listd-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'listd-open)
    (define-key map "o" #'listd-open-other-window)
    (define-key map (kbd "SPC") #'listd-toggle)
    (define-key map "m" #'listd-select)
    (define-key map "u" #'listd-deselect)
    (define-key map "x" #'listd-extend)
    (define-key map "A" #'listd-select-all)
    (define-key map "U" #'listd-select-none)
    (define-key map "t" #'listd-invert)
    map)
  "Keys of a buffer that shows a list.")

(define-derived-mode listd-mode special-mode "List"
  "A list that is kept by listd.
Changes come as edits of the lines that change; point and the
selected rows stay on their items.

\\{listd-mode-map}"
  (buffer-disable-undo)
  (setq truncate-lines t)
  (setq-local line-prefix (make-string (string-width listd-sign) ?\s))
  (add-hook 'post-command-hook #'listd--sync nil t)
  (add-hook 'kill-buffer-hook #'listd--close nil t))

;;;###autoload
(cl-defun listd-view (list &key name mode templates open)
  "A buffer that shows LIST; it is made if there is none.
NAME is the buffer's name, MODE its major mode, derived from
`listd-mode'.  TEMPLATES, a plist, is what `registerTemplates' gets.
OPEN is called with an item, a plist or what else it was, and whether
another window is wanted."
  (let ((buffer (gethash list listd--buffers)))
    (unless (buffer-live-p buffer)
      (listd-connection)
      (setq buffer (generate-new-buffer (or name (format "*%s*" list))))
      (with-current-buffer buffer
        (funcall (or mode #'listd-mode))
        (setq listd--list list listd--templates templates listd--open open)
        (puthash list buffer listd--buffers)
        (listd--attach)))
    buffer))

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

(defun listd-apply (snapshot &optional done otherwise)
  "Show SNAPSHOT in the current buffer's list.
It is a plist of what `applySnapshot' takes.  DONE gets the change,
OTHERWISE an error.  Where the daemon has died, another is started."
  (unless (and listd--client (jsonrpc-running-p listd--client))
    (listd--attach))
  (listd--ask 'applySnapshot `(:list ,listd--list ,@snapshot) done otherwise))

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

;;;; Commands

(defun listd--act (action)
  "Do ACTION of `select' with the rows of the region, or the row at point."
  (let ((lines (if (use-region-p)
                   (number-sequence (listd--line-at (region-beginning))
                                    (listd--line-at (max (region-beginning) (1- (region-end)))))
                 (list (listd--line-at (point))))))
    (deactivate-mark)
    (listd--rows lines
                 (lambda (rows)
                   (listd--ask 'select `(:list ,listd--list :action ,action :items ,rows)))
                 (lambda (changed)
                   (if changed
                       (message "The list has just changed, nothing is selected"))))))

(defun listd-toggle ()
  "Select or deselect the row that point is on, or the rows of the region."
  (interactive nil listd-mode)
  (listd--act "toggle"))

(defun listd-select ()
  "Select the row and go to the next line, or select the rows of the region."
  (interactive nil listd-mode)
  (let ((region (use-region-p)))
    (listd--act "select")
    (unless region (forward-line 1))))

(defun listd-deselect ()
  "Deselect the row and go to the next line, or deselect the rows of the region."
  (interactive nil listd-mode)
  (let ((region (use-region-p)))
    (listd--act "deselect")
    (unless region (forward-line 1))))

(defun listd-extend ()
  "Select from the row that was selected last to the one that point is on."
  (interactive nil listd-mode)
  (listd--act "extend"))

(defun listd-select-all ()
  "Select all rows."
  (interactive nil listd-mode)
  (listd--ask 'select `(:list ,listd--list :action "all")))

(defun listd-select-none ()
  "Select no row."
  (interactive nil listd-mode)
  (listd--ask 'select `(:list ,listd--list :action "none")))

(defun listd-invert ()
  "Select the rows that are not selected, and deselect those that are."
  (interactive nil listd-mode)
  (listd--ask 'select `(:list ,listd--list :action "invert")))

(defun listd-open (&optional other-window)
  "Open the item that point is on, in OTHER-WINDOW if that is non-nil."
  (interactive nil listd-mode)
  (listd--row (lambda (row _line _text-revision)
                (listd--ask 'locate `(:list ,listd--list :paths [,(plist-get row :path)])
                            (lambda (found)
                              (let ((place (aref (plist-get found :paths) 0)))
                                (when (and place listd--open)
                                  (funcall listd--open (plist-get place :content) other-window))))))
              #'ignore))

(defun listd-open-other-window ()
  "Open the item that point is on in another window."
  (interactive nil listd-mode)
  (listd-open t))

(defun listd-selected (done)
  "Call DONE with the items that are selected, a vector."
  (listd--ask 'getSelection `(:list ,listd--list)
              (lambda (told) (funcall done (plist-get told :items)))))

(provide 'listd)
;;; listd.el ends here
