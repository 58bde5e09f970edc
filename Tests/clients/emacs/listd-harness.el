;;; listd-harness.el --- What the tests of the Emacs client share  -*- lexical-binding: t; -*-

;;; Commentary:

;; emacs -Q --batch -L clients/emacs -L Tests/clients/emacs \
;;   -l listd-tests -l listd-client-tests -l listd-view-tests -l listd-session-tests \
;;   -f ert-run-tests-batch-and-exit

;;; Code:

(require 'listd)
(require 'listd-files)
(require 'listd-lines)

(setq listd-confirm-renames nil)

(defconst listd-tests-clients (expand-file-name (file-name-directory (locate-library "listd")))
  "The folder of the client.")
(add-to-list 'load-path (concat listd-tests-clients "examples"))

(defconst listd-tests-six
  '(("apple" . 1) ("banana" . 2) ("cherry" . 3) ("date" . 4) ("elder" . 5) ("fig" . 6)))

(defun listd-tests-wait (what condition)
  "Handle events until CONDITION holds; WHAT is waited for."
  (let ((end (+ (float-time) 5)))
    (while (not (funcall condition))
      (when (> (float-time) end)
        (error "Waited in vain: %s" what))
      (accept-process-output nil 0.002))))

(defun listd-tests-settle ()
  "Wait until nothing is under way: each answer may have led to another question."
  (let ((quiet 0)
        (client (if (listd--runs listd--client) listd--client (listd-connection))))
    (while (< quiet 3)
      (listd-connection-call client 'getLists nil 5)
      (accept-process-output nil 0.002)
      (setq quiet (if (zerop (hash-table-count (listd-connection-pending client)))
                      (1+ quiet)
                    0)))))

(defun listd-tests-ask (client method params)
  "Ask for METHOD with PARAMS by CLIENT, and wait for nothing."
  (listd-connection-request client method params #'ignore #'ignore 5))

(defun listd-tests-write (path bytes)
  "Make PATH a file of BYTES."
  (let ((coding-system-for-write 'no-conversion))
    (write-region (make-string bytes ?x) nil path nil 'quiet)))

(defun listd-tests-lines ()
  "The lines of the buffer."
  (split-string (buffer-substring-no-properties (point-min) (point-max)) "\n" t))

(defun listd-tests-line ()
  "The line that point is on."
  (buffer-substring-no-properties (line-beginning-position) (line-end-position)))

(defun listd-tests-text-edit (first last lines)
  "The edit that replaces the lines FIRST to LAST - 1 by LINES."
  (list first last (mapconcat (lambda (line) (concat line "\n")) lines "") (length lines)))

(defun listd-tests-spliced (lines edits)
  "The list LINES after EDITS, the plainest way."
  (let ((at 0) spliced)
    (pcase-dolist (`(,first ,last ,text ,count) edits)
      (setq spliced (append spliced (seq-subseq lines at first)
                            (seq-take (split-string text "\n") count))
            at last))
    (append spliced (seq-subseq lines at))))

(defun listd-tests-marked ()
  "The lines that are marked as selected."
  (sort (mapcan (lambda (overlay)
                  (when (overlay-get overlay 'listd)
                    (split-string (buffer-substring-no-properties
                                   (overlay-start overlay) (overlay-end overlay))
                                  "\n" t)))
                (overlays-in (point-min) (point-max)))
        #'string<))

(defun listd-tests-go (name)
  "Go to the line that begins with NAME, as a command would."
  (goto-char (point-min))
  (re-search-forward (concat "^" name))
  (beginning-of-line)
  (set-window-point (selected-window) (point))
  (run-hooks 'post-command-hook))

(defun listd-tests-refresh (what condition)
  "Refresh, wait for WHAT, that is until CONDITION holds, and for all that follows."
  (revert-buffer)
  (listd-tests-wait what condition)
  (listd-tests-settle))

(defun listd-tests-touched ()
  "Count the lines that change from now on: a list, its car the number."
  (let ((count (list 0)) (before 0))
    (add-hook 'before-change-functions
              (lambda (start end) (setq before (count-lines start end)))
              nil t)
    (add-hook 'after-change-functions
              (lambda (start end _)
                (setcar count (+ (car count) (max 1 before (count-lines start end)))))
              nil t)
    count))

(defmacro listd-tests-with (files &rest body)
  "Show a new folder with FILES, names with sizes; do BODY with `dir' and `file' at hand."
  (declare (indent 1) (debug t))
  `(let* ((dir (file-name-as-directory (make-temp-file "listd" t)))
          (file (lambda (name) (concat dir name))))
     (ignore file)
     (pcase-dolist (`(,name . ,bytes) ,files)
       (listd-tests-write (concat dir name) bytes))
     (unwind-protect
         (with-current-buffer (listd-files dir)
           (listd-tests-wait "files" (lambda () (= (listd--count) (length ,files))))
           (listd-tests-settle)
           ,@body)
       (let ((buffer (get-buffer (format "*files %s*" dir))))
         (when (buffer-live-p buffer)
           (kill-buffer buffer)))
       (delete-directory dir t))))

(defun listd-tests-make-files (files)
  "Make a folder with FILES, which hold their names; return its path."
  (let ((dir (file-name-as-directory (make-temp-file "listd-lines-" t))))
    (dolist (name files dir)
      (make-directory (file-name-directory (concat dir name)) t)
      (let ((coding-system-for-write 'utf-8-emacs-unix))
        (write-region name nil (concat dir name) nil 'quiet)))))

(defun listd-tests-remove-files (dir)
  "End the lists of DIR, a folder that `listd-tests-make-files' has made, and remove it."
  (dolist (buffer (buffer-list))
    (when (memq (buffer-local-value 'major-mode buffer) '(listd-tree-mode listd-lines-mode))
      (kill-buffer buffer)))
  ;; Nothing else is ever removed, whatever buffer is current now.
  (cl-assert (string-prefix-p (expand-file-name "listd-lines-" temporary-file-directory) dir))
  (delete-directory dir t))

(defmacro listd-tests-with-files (dir files &rest body)
  "Do BODY with DIR, a variable, as a folder with FILES, which hold their names."
  (declare (indent 2) (debug t))
  `(let ((,dir (listd-tests-make-files ,files)))
     (unwind-protect (progn ,@body)
       (listd-tests-remove-files ,dir))))

(defun listd-tests-names (dir)
  "The names of the files of DIR."
  (directory-files dir nil directory-files-no-dot-files-regexp))

(defun listd-tests-content (path)
  "What the file at PATH holds."
  (with-temp-buffer (insert-file-contents path) (buffer-string)))

(defun listd-tests-see (buffer &rest lines)
  "Wait until BUFFER shows LINES."
  (with-current-buffer buffer
    (ignore-errors (listd-tests-wait "the lines" (lambda () (equal (listd-tests-lines) lines))))
    (should (equal (listd-tests-lines) lines))
    (listd-tests-settle)))

(defun listd-tests-key (buffer line keys)
  "Type KEYS on LINE of BUFFER, counted from 1."
  (switch-to-buffer buffer)
  (goto-char (point-min))
  (forward-line (1- line))
  (run-hooks 'post-command-hook)
  (listd-tests-settle)
  (execute-kbd-macro (kbd keys)))

(defun listd-tests-edit (buffer)
  "Begin to edit the lines of BUFFER; return the buffer for that."
  (listd-tests-key buffer 1 "C-x C-q")
  (listd-tests-wait "the lines" (lambda ()
                                  (buffer-live-p (buffer-local-value 'listd-lines--buffer buffer))))
  (switch-to-buffer (buffer-local-value 'listd-lines--buffer buffer)))

(defun listd-tests-retype (old new)
  "Replace the text OLD at the end of a line by NEW, as a person does."
  (goto-char (point-min))
  (re-search-forward (concat "\\(?:^\\|[ ·]\\)\\(" (regexp-quote old) "\\)$"))
  (goto-char (match-beginning 1))
  (execute-kbd-macro (vconcat (kbd "C-k") new)))

(defun listd-tests-commit ()
  "Commit the lines; return the problems by lines."
  (execute-kbd-macro (kbd "C-c C-c"))
  (when (eq major-mode 'listd-lines-mode)
    (mapcar (lambda (overlay)
              (cons (buffer-substring-no-properties (overlay-start overlay) (overlay-end overlay))
                    (overlay-get overlay 'listd-problem)))
            (sort (seq-filter (lambda (overlay) (overlay-get overlay 'listd-problem))
                              (overlays-in (point-min) (1+ (point-max))))
                  (lambda (a b) (< (overlay-start a) (overlay-start b)))))))

(defun listd-tests-kill-daemon (list)
  "Kill the daemon of the buffer LIST."
  (let ((client (buffer-local-value 'listd--client list)))
    (signal-process (listd-connection-process client) 'kill)
    (listd-tests-wait "the end" (lambda () (not (listd-connection-running-p client))))))

(provide 'listd-harness)
;;; listd-harness.el ends here
