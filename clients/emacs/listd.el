;;; listd.el --- Lists in buffers, kept by listd  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0
;; Version: 1.0.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: convenience, tools

;;; Commentary:

;; listd is a daemon that keeps lists and returns the smallest change between two states of one.  This
;; package shows a list in a buffer and applies changes as text edits: point, markers, overlays and the
;; window's scroll position stay on their rows.  The daemon knows the row of point and the selected
;; rows, which follow their items.
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
(require 'seq)
(require 'subr-x)
(require 'listd-client)
(require 'listd-buffer)
(require 'listd-rows)
(require 'listd-sending)

(autoload 'listd-edit-lines "listd-lines" "Edit the lines of the list in this buffer." t)

(defvar-local listd--open nil "Function of an item and whether in another window.")
(defvar-local listd--refresh nil "Function that shows the list as it is now.")
(defvar-local listd--edit nil "How lines are edited, a plist.")
(defvar-local listd--last nil "The snapshot that was applied last, if nothing else refreshes the list.")

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
    (define-key map (kbd "C-x C-q") #'listd-edit-lines)
    map)
  "Keys of a buffer that shows a list.")

(define-derived-mode listd-mode special-mode "List"
  "A list that is kept by listd.
Changes are applied as edits of the lines that differ; point and the
selected rows stay on their items.

\\{listd-mode-map}"
  (buffer-disable-undo)
  (setq truncate-lines t)
  (setq-local line-prefix (make-string (string-width listd-sign) ?\s))
  (setq-local revert-buffer-function (lambda (&rest _) (listd-refresh)))
  (add-hook 'post-command-hook #'listd--sync nil t)
  (add-hook 'kill-buffer-hook #'listd--close nil t))

;;;###autoload
(cl-defun listd-view (list &key name mode templates open refresh changed namespace keys
                           highlights edit)
  "A buffer that shows LIST; it is made if there is none.
There is one if a buffer has been made for the same list with the same
MODE, TEMPLATES and NAMESPACE; others may use the same name for theirs.

NAME is the buffer's name, MODE its major mode, derived from
`listd-mode'.  TEMPLATES, a plist, is what `registerTemplates' gets.
Buffers with the same NAMESPACE share daemons.  OPEN is called with an
item, a plist or what else it was, and whether another window is
wanted; REFRESH without arguments when the list is to be shown as it is
now; CHANGED with each change.  KEYS is an alist of keys, for `kbd', and
commands or nil, HIGHLIGHTS are keywords for `font-lock-add-keywords'.

EDIT, a plist, makes the lines editable by `listd-edit-lines'.  Its
:commit is called with a list of plists, each with the :item as it was
when the editing began, its :id and the new :text, and returns an alist
of those that failed and the reasons.  :member is the member of the
items that is edited, at the end of the line; :name if it is left out.
:text is a function of an item that returns its text, if that is not the
member, and :shown one of what the line ends with then.  A change with
:past is of an item of a daemon that has ended."
  (or (seq-find (lambda (buffer)
                  (with-current-buffer buffer
                    (and (equal listd--list list) (eq major-mode (or mode #'listd-mode))
                         (equal listd--templates templates)
                         (equal listd--namespace namespace))))
                (buffer-list))
      (let ((buffer (generate-new-buffer (or name (format "*%s*" list)))) done)
        (unwind-protect
            (with-current-buffer buffer
              (funcall (or mode #'listd-mode))
              (setq listd--list list listd--templates templates listd--open open
                    listd--namespace namespace listd--refresh refresh listd--edit edit
                    listd--changed (or changed #'ignore)
                    listd--on-notification #'listd--handle listd--on-end #'listd--lost)
              (when keys
                (let ((map (make-sparse-keymap)))
                  (set-keymap-parent map (current-local-map))
                  (pcase-dolist (`(,key . ,command) keys)
                    (define-key map (kbd key) (or command #'ignore)))
                  (use-local-map map)))
              (when highlights
                (font-lock-add-keywords nil highlights)
                (font-lock-mode 1))
              (listd--attach)
              (setq done t))
          (unless done
            (kill-buffer buffer)))
        buffer)))

(defun listd-apply (snapshot &optional done otherwise)
  "Show SNAPSHOT in the current buffer's list.
It is a plist of what `applySnapshot' takes.  DONE gets the change when
the buffer shows it, OTHERWISE an error.  Where the daemon has died,
another is started.  A SNAPSHOT that is not JSON is an error.

The :items of a section may be a function.  It is called with a number
N, and returns a vector of the next N items, or of all remaining ones.
A view of such a list needs the argument REFRESH."
  ;; An owner that refreshes makes it anew; a large heap delays every key.
  (setq listd--last (and (null listd--refresh) snapshot)
        listd--section-ids (if (plist-member snapshot :sections)
                               (mapcar (lambda (section) (plist-get section :id))
                                       (plist-get snapshot :sections))
                             '("main")))
  (listd--change 'applySnapshot snapshot (listd--full done) otherwise))

(defun listd-edit-items (edits &optional done otherwise)
  "Make EDITS, a vector as `editSnapshot' takes it, of this buffer's list.
DONE and OTHERWISE are those of `listd-apply'."
  (listd--change 'editSnapshot `(:edits ,edits) (listd--full done) otherwise))

(defun listd-compose (params &optional done otherwise)
  "Make this buffer's list one of others, or a view of them.
PARAMS is a plist of what `compose' takes: :sources and :view.  DONE and
OTHERWISE are those of `listd-apply'."
  (listd--change 'compose params (listd--full done) otherwise))

(defun listd-expand (&optional what deep)
  "Expand or collapse items of this buffer's list, which is an outline.
WHAT is `toggle' (the default), `expand', `collapse' or `reveal' for the
row at point, or `all' or `none' for all rows.  If DEEP is non-nil, all
rows below are expanded or collapsed, too."
  (interactive (list 'toggle current-prefix-arg) listd-mode)
  (unless (listd--revive)
    (if (memq what '(all none))
        (listd-edit-items (vector `(:edit ,(if (eq what 'all) "expandAll" "collapseAll"))))
      (listd-item
       (lambda (place)
         (let* ((item (plist-get place :item))
                (expanded (and (listp item) (plist-member item :$expanded)))
                (edit (pcase (or what 'toggle)
                        ('expand "expandItems")
                        ('collapse "collapseItems")
                        ('reveal "revealItems")
                        (_ (cond ((null expanded) nil)
                                 ((eq (cadr expanded) t) "collapseItems")
                                 (t "expandItems"))))))
           (when (and edit (plist-member place :ref))
             (listd-edit-items
              (vector `(:edit ,edit :items ,(vector (plist-get place :ref))
                        ,@(and deep '(:deep t))))))))))))

(defun listd--full (done)
  "A function that calls DONE with a change and all ranges of its selection."
  (and done (lambda (change) (funcall done (listd-selection-full change)))))

(defun listd--change (method params done otherwise)
  "Ask for METHOD with PARAMS.
DONE gets the change when it is shown, OTHERWISE an error."
  (unless (listd--runs listd--client)
    (listd--attach))
  (listd-sending--send
   method `(:list ,listd--list ,@params)
   (lambda (change)
     (when done
       (setq listd--waiting
             (append listd--waiting
                     (list (list (plist-get change :revision)
                                 (lambda () (funcall done change))
                                 (or otherwise #'ignore)))))
       (listd--flush)))
   otherwise))

;;;; The program

(defconst listd--how "
To get the program, one of:

  sudo dpkg -i listd_*.deb        the package of a release, on Debian and Ubuntu
  pip install listd-*.whl         the wheel of a release, with the Python client
  tar xzf listd-*.tar.gz          the tarball of a release; put bin on the path
  clients/install                 from a checkout, into ~/.local; takes Swift 6.2

It is found by `listd-command', else the environment's LISTD, else `exec-path',
else the checkout's build.
" "How to get the daemon.")

(defconst listd--features '("compose.view.match" "compose.view.tree" "locate.match" "references.line")
  "What the client needs of the daemon.")

(defun listd--problem (server)
  "What is wrong with SERVER, the answer to `initialize'; nil if nothing is."
  (let* ((protocol (plist-get server :protocolVersion))
         (has (append (plist-get (plist-get server :capabilities) :features) nil))
         (missing (seq-difference listd--features has)))
    (cond ((not (equal (plist-get (plist-get server :serverInfo) :name) "listd"))
           "this is another program, not listd")
          ((not (eql protocol 1)) (format "it speaks protocol %s, this client 1" protocol))
          (missing (concat "it is too old: it lacks " (string-join missing ", "))))))

(defun listd--verify ()
  "The command of the daemon and what it says to `initialize'."
  (let* ((command (listd-find))
         (connection (listd-connection-start "listd-install" command 0 #'ignore #'ignore)))
    (unwind-protect
        (list (mapconcat #'identity command " ")
              (listd-connection-call connection 'initialize `(:processId ,(emacs-pid)) 2))
      (ignore-errors (listd-connection-notify connection 'exit))
      (ignore-errors (delete-process (listd-connection-process connection))))))

;;;###autoload
(defun listd-install ()
  "Say whether there is a daemon that answers, and how to get one.
Nothing is downloaded."
  (interactive)
  (with-help-window "*listd install*"
    (princ "listd for Emacs\n\n")
    (condition-case err
        (pcase-let* ((`(,command ,server) (listd--verify)) (problem (listd--problem server)))
          (princ (format "Found: %s\nIt answers: %s %s, protocol %s\n" command
                         (plist-get (plist-get server :serverInfo) :name)
                         (plist-get (plist-get server :serverInfo) :version)
                         (plist-get server :protocolVersion)))
          (princ (if problem (format "Problem: %s\n%s" problem listd--how) "All is well.\n")))
      (error (princ (format "Problem: %s\n%s" (error-message-string err) listd--how))))))

;;;; What lines show

(defun listd--wait (done ask)
  "Call ASK with DONE; without one wait and return what it would get."
  (if done
      (funcall ask done)
    (let ((end (+ (float-time) 2)) answer)
      (funcall ask (lambda (&rest arguments) (setq answer (list arguments))))
      (while (and (null answer) (< (float-time) end))
        (accept-process-output nil 0.005))
      (caar answer))))

(defun listd-at (position &optional done)
  "What the line of POSITION shows, a plist; DONE gets it, or it is returned.
It has :item; :part, if the row is one; :id; :section, the section's id
if this buffer has applied it; :at, the row's path; :ref, a reference
for requests.  In a header it has :section and :header, in a footer
:footer.  Nil if there is nothing."
  (listd--wait done
               (lambda (done)
                 (listd--with-row (listd--line-at position)
                                  (lambda (row place) (listd--content row place done))))))

(defun listd-item (&optional done)
  "What the line at point shows, as `listd-at' has it.
DONE gets it, or it is returned."
  (listd-at (point) done))

(defun listd-selected (&optional done)
  "Call DONE with the items that are selected, a vector, or return them."
  (listd--wait done
               (lambda (done)
                 (listd--in-turn
                  (lambda ()
                    (listd--ask 'getSelection `(:list ,listd--list)
                                (lambda (result) (funcall done (plist-get result :items)))))))))

(defun listd-act (act)
  "Call ACT with the selected items, or the one at point, and what is at point.
The items are a list; in a header it may be empty.  What is at point
is as `listd-at' has it."
  (unless (listd--revive)
    (listd--with-selected (listd--line-at (point))
                          (lambda (items place)
                            (funcall act
                                     (cond ((> (length items) 0) (append items nil))
                                           ((plist-member place :item)
                                            (list (plist-get place :item))))
                                     place)))))

(defmacro listd-define-action (name arguments docstring &rest body)
  "Define the command NAME, which does BODY with what `listd-act' finds.
ARGUMENTS are names for the items and for what is at point."
  (declare (indent 2) (doc-string 3) (debug t))
  `(defun ,name ()
     ,docstring
     (interactive)
     (listd-act (lambda ,arguments ,@body))))

;;;; Commands

(defun listd-refresh ()
  "Show the list as it is now.
If something else has changed the buffer, its text is read again."
  (interactive nil listd-mode)
  (when (and (listd--runs listd--client) (not (listd--untouched)))
    (listd--reread))
  (cond (listd--refresh (funcall listd--refresh))
        ((and listd--last (not (listd--runs listd--client)))
         (listd-apply listd--last))))

(defun listd--revive ()
  "Start a daemon if it has died, and show the list anew; whether it had died."
  (unless (listd--runs listd--client)
    (listd-refresh)
    (when (listd--runs listd--client)
      (message "listd: started again; press the key again"))
    t))

(defun listd--act (action)
  "Do ACTION of `select' with the rows of the region, or the row at point."
  (unless (listd--revive)
    (let ((first (listd--line-at (if (use-region-p) (region-beginning) (point))))
          (last (listd--line-at (if (use-region-p)
                                    (max (region-beginning) (1- (region-end)))
                                  (point)))))
      (deactivate-mark)
      (listd--select action first last))))

(defun listd--act-on-all (action)
  "Do ACTION of `select' with all rows."
  (unless (listd--revive)
    (listd--in-turn (lambda ()
                      (listd--ask 'select `(:list ,listd--list :action ,action))))))

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
  (listd--act-on-all "all"))

(defun listd-select-none ()
  "Select no row."
  (interactive nil listd-mode)
  (listd--act-on-all "none"))

(defun listd-invert ()
  "Select the rows that are not selected, and deselect those that are."
  (interactive nil listd-mode)
  (listd--act-on-all "invert"))

(defun listd-open (&optional other-window)
  "Open the item that point is on, in OTHER-WINDOW if that is non-nil."
  (interactive nil listd-mode)
  (unless (listd--revive)
    (listd-item (lambda (place)
                  (when (and listd--open (plist-member place :item))
                    (funcall listd--open (plist-get place :item) other-window))))))

(defun listd-open-other-window ()
  "Open the item that point is on in another window."
  (interactive nil listd-mode)
  (listd-open t))

(provide 'listd)
;;; listd.el ends here
