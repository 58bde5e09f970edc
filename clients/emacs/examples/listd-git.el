;;; listd-git.el --- The state of a git repository  -*- lexical-binding: t; -*-
;; SPDX-License-Identifier: Apache-2.0
;;; Commentary:
;; `M-x listd-git' shows what is staged, changed and new.  TAB opens a file into its hunks, which `s'
;; and `u' stage and unstage.  Items have the bytes that git prints, each as a character.
;;; Code:
(require 'listd)
(defvar-local listd-git--open '("staged" "unstaged" "untracked") "What is expanded.")

(defun listd-git--run (arguments &optional input)
  "What git says to ARGUMENTS and INPUT; an error if it fails."
  (let ((coding-system-for-read 'latin-1-unix) (coding-system-for-write 'latin-1-unix))
    (with-temp-buffer
      (unless (eql 0 (apply #'call-process-region (or input "") nil "git" nil t nil
                            "--literal-pathspecs" "-c" "core.quotePath=off" arguments))
        (user-error "Git %s: %s" (car arguments) (string-trim (buffer-string))))
      (buffer-string))))

(defun listd-git--text (bytes)
  "The text of BYTES, with a ? for those that are not text."
  (replace-regexp-in-string "[^\0-\x3fff7f]" "?" (decode-coding-string (encode-coding-string bytes 'latin-1) 'utf-8)))

(defconst listd-git--diff
  (split-string "diff --no-renames --no-color --no-ext-diff --no-textconv --submodule=short --diff-filter=u \
--unified=3 --src-prefix=a/ --dst-prefix=b/") "Arguments for a diff, whatever the settings are.")

(defun listd-git--hunks (section &rest arguments)
  "The hunks of SECTION, the last one first, as git diff with ARGUMENTS has them."
  (let (items)
    (dolist (diff (cdr (split-string (listd-git--run (append listd-git--diff arguments)) "^diff ")) items)
      (pcase-let ((`(,head . ,hunks) (split-string diff "^@@ ")))
        (when (string-match "^[+-]\\{3\\} \\(\"?[ab]/.*?\\)\t?\n\\(?:\\+\\+\\+ /dev/null\n\\)?\\'" head)
          (let* ((name (match-string 1 head)) ; an odd one is quoted as in Lisp
                 (path (substring (if (eq (aref name 0) ?\") (read name) name) 2)) (file (concat section " " path)))
            (dolist (hunk hunks)        ; its id has its lines, not their numbers
              (push `(:id ,(concat file (substring hunk (string-match "\n" hunk))) :file ,file :section ,section :path ,path
                          :template "GitHunk" :text ,(listd-git--text (concat "@@ " (string-trim-right hunk "\n")))
                          :patch ,(concat "diff " head "@@ " hunk)) items))))))))

(defun listd-git--section (section column status hunks)
  "The snapshot of SECTION, in COLUMN of STATUS, with HUNKS."
  (let ((files 0) items)
    (dolist (line (split-string status "\0" t))
      (let* ((state (aref (if (string-prefix-p "??" line) "  +" line) column))
             (path (substring line 3)) (file (concat section " " path)))
        (unless (eq state ?\s)
          (setq files (1+ files))
          (push `(:id ,file :template "GitFile" :file ,file :section ,section :path ,path
                      :text ,(format "%c %s" state (listd-git--text path))) items)
          (when (member file listd-git--open)
            (setq items (append (seq-filter (lambda (hunk) (equal (plist-get hunk :file) file)) hunks) items))))))
    `(:id ,section :header ,(format "%s (%d)" section files) :selectionMode "multiple"
          :items ,(if (member section listd-git--open) (vconcat (nreverse items)) []))))

(defun listd-git-refresh (&optional id)
  "Look at the repository again; go to the item with ID unless it is nil."
  (interactive)
  (let ((status (listd-git--run '("status" "--porcelain" "-z" "--no-renames" "-uall"))))
    (listd-apply `(:sections [,(listd-git--section "staged" 0 status (listd-git--hunks "staged" "--cached"))
                              ,(listd-git--section "unstaged" 1 status (listd-git--hunks "unstaged"))
                              ,(listd-git--section "untracked" 2 status nil)]
                             ,@(and id `(:cursor (:id ,id)))))))

(defun listd-git--each (items staged for-file for-hunk)
  "Run git with FOR-FILE or FOR-HUNK for each of ITEMS that is STAGED, or is not."
  (dolist (item (seq-filter (lambda (item) (eq staged (equal (plist-get item :section) "staged"))) items))
    (listd-git--run (if (plist-get item :patch) for-hunk (append for-file (list "--" (plist-get item :path))))
                    (plist-get item :patch)))
  (listd-git-refresh))

(listd-define-action listd-git-stage (items _place)
  "Stage files and hunks."
  (listd-git--each items nil '("add") '("apply" "--cached")))
(listd-define-action listd-git-unstage (items _place)
  "Unstage files and hunks."
  (listd-git--each items t '("reset" "--quiet") '("apply" "--cached" "--reverse")))

(listd-define-action listd-git-expand (_items place)
  "Expand or collapse the file or section at point."
  (let* ((file (plist-get (plist-get place :item) :file)) (id (or file (plist-get place :section))))
    (setq listd-git--open (funcall (if (member id listd-git--open) #'remove #'cons) id listd-git--open))
    (listd-git-refresh file)))

;;;###autoload
(defun listd-git (directory)
  "Show the state of the git repository that DIRECTORY is in."
  (interactive "DRepository: ")
  (let* ((default-directory (file-name-as-directory (expand-file-name directory)))
         (top (concat (string-trim-right (listd-git--run '("rev-parse" "--show-toplevel")) "\n") "/")))
    (pop-to-buffer-same-window
     (listd-view (concat "git:" top) :name (format "*git:%s*" (listd-git--text top))
                 :templates '(:GitFile "  {text}" :GitHunk "{text}") :refresh #'listd-git-refresh
                 :keys '(("s" . listd-git-stage) ("u" . listd-git-unstage) ("TAB" . listd-git-expand))
                 :highlights '(("^\\+.*" . 'success) ("^-.*" . 'error) ("^@@.*" . 'shadow) ("^[a-z].*" . 'bold))
                 :open (lambda (item _) (find-file (listd-git--text (plist-get item :path))))))
    (setq default-directory (listd-git--text top))
    (listd-git-refresh)))
(provide 'listd-git)
;;; listd-git.el ends here
