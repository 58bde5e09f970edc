;;; listd-git.el --- The state of a git repository  -*- lexical-binding: t; -*-
;; SPDX-License-Identifier: Apache-2.0
;;; Commentary:
;; `M-x listd-git' shows what is staged, changed and new.  TAB opens a file into its hunks, which are
;; staged and unstaged one by one by `s' and `u'.
;;; Code:
(require 'listd)
(defvar-local listd-git--open '("staged" "unstaged" "untracked") "What is expanded.")

(defun listd-git--run (arguments &optional input)
  "What git says to ARGUMENTS and INPUT; an error if it fails."
  (let ((directory default-directory))
    (with-temp-buffer
      (setq default-directory directory)
      (insert (or input ""))
      (unless (eql 0 (apply #'call-process-region nil nil "git" t t nil arguments))
        (user-error "Git %s: %s" (car arguments) (buffer-string)))
      (buffer-string))))

(defun listd-git--hunks (diff section)
  "The hunks of DIFF, of SECTION: an alist by path.
A hunk is its lines, not their numbers."
  (let (found)
    (dolist (file (cdr (split-string diff "^diff ")) found)
      (let* ((parts (split-string file "^@@ ")) (head (concat "diff " (car parts))))
        (when (string-match "^\\(?:\\+\\+\\+ b\\|--- a\\)/\\(.*\\)\n\\(?:\\+\\+\\+ /dev.*\n\\)?\\'" head)
          (let ((path (match-string 1 head)))
            (push (cons path (mapcar (lambda (hunk)
                                       `(:id ,(concat section " " path (substring hunk (string-match "\n" hunk)))
                                             :template "GitHunk" :path ,path :section ,section
                                             :head ,head :text ,(concat "@@ " (string-trim-right hunk "\n"))))
                                     (cdr parts)))
                  found)))))))

(defun listd-git--section (section column status hunks)
  "The snapshot of SECTION, in COLUMN of STATUS, with HUNKS by path."
  (let ((files 0) items)
    (dolist (line (split-string status "\0" t))
      (let* ((state (aref (if (string-prefix-p "??" line) "  +" line) column)) (path (substring line 3))
             (id (concat section " " path)))
        (unless (eq state ?\s)
          (setq files (1+ files))
          (push `(:id ,id :template "GitFile" :state ,(string state) :path ,path :section ,section) items)
          (when (member id listd-git--open)
            (setq items (append (reverse (cdr (assoc path hunks))) items))))))
    `(:id ,section :header ,(format "%s (%d)" section files) :selectionMode "multiple"
          :items ,(if (member section listd-git--open) (vconcat (nreverse items)) []))))

(defun listd-git-refresh ()
  "Look at the repository again."
  (interactive)
  (let ((status (listd-git--run '("status" "--porcelain" "-z" "--no-renames" "-uall")))
        (staged (listd-git--hunks (listd-git--run '("diff" "--no-renames" "--cached")) "staged"))
        (unstaged (listd-git--hunks (listd-git--run '("diff" "--no-renames")) "unstaged")))
    (listd-apply `(:sections [,(listd-git--section "staged" 0 status staged)
                              ,(listd-git--section "unstaged" 1 status unstaged)
                              ,(listd-git--section "untracked" 2 status nil)]))))

(defun listd-git--each (items staged for-file for-hunk)
  "Run git with FOR-FILE or FOR-HUNK for each of ITEMS that is STAGED, or is not."
  (dolist (item (seq-filter (lambda (item) (eq staged (equal (plist-get item :section) "staged"))) items))
    (if (plist-get item :head)
        (listd-git--run for-hunk (concat (plist-get item :head) (plist-get item :text) "\n"))
      (listd-git--run (append for-file (list "--" (plist-get item :path))))))
  (listd-git-refresh))

(listd-define-action listd-git-stage (items _place)
  "Stage files and hunks."
  (listd-git--each items nil '("add") '("apply" "--cached")))
(listd-define-action listd-git-unstage (items _place)
  "Unstage files and hunks."
  (listd-git--each items t '("reset" "--quiet") '("apply" "--cached" "--reverse")))

(defun listd-git-expand ()
  "Expand or collapse the file or section at point."
  (interactive)
  (listd-item (lambda (place)
                (let* ((item (plist-get place :item))
                       (id (if item (concat (plist-get item :section) " " (plist-get item :path))
                             (plist-get place :section))))
                  (setq listd-git--open (if (member id listd-git--open) (remove id listd-git--open)
                                          (cons id listd-git--open)))
                  (listd-git-refresh)))))

;;;###autoload
(defun listd-git (directory)
  "Show the state of the git repository in DIRECTORY."
  (interactive "DRepository: ")
  (pop-to-buffer-same-window
   (listd-view (concat "git:" (expand-file-name directory))
               :templates '(:GitFile "  {state} {path}" :GitHunk "{text}")
               :keys '(("s" . listd-git-stage) ("u" . listd-git-unstage) ("TAB" . listd-git-expand))
               :highlights '(("^\\+.*" . 'success) ("^-.*" . 'error) ("^@@.*" . 'shadow) ("^[a-z].*" . 'bold))
               :refresh #'listd-git-refresh
               :open (lambda (item _) (find-file (plist-get item :path)))))
  (setq default-directory (file-name-as-directory (expand-file-name directory)))
  (listd-git-refresh))
(provide 'listd-git)
;;; listd-git.el ends here
