;;; listd-folder.el --- The files of a folder, sorted  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A folder is read in slices, and then followed by name: what changes is a few edits of its list.
;; Folders come first.  Objects of all files would make every collection of garbage longer, which delays
;; every key: so the names are sorted first, then the files are looked at one after the other, and
;; what is known of them is text in a buffer.

;;; Code:

(require 'cl-lib)

(defconst listd-folder--slice 0.003
  "Seconds that reading takes at a time.")

(cl-defstruct (listd-folder (:constructor listd-folder-new (path)))
  "What is known of a folder.
The BUFFER has a record KEY NUL ID NUL SIZE / of each file, ascending by
keys.  NEXT is the buffer that is being filled while the folder is read."
  path buffer next)

(defun listd-folder-close (folder)
  "Forget FOLDER."
  (dolist (buffer (list (listd-folder-buffer folder) (listd-folder-next folder)))
    (when (buffer-live-p buffer)
      (kill-buffer buffer))))

(defun listd-folder--shown (name)
  "NAME in one line of proper characters."
  (if (string-match-p "\\`[ -~]*\\'" name)
      name
    (mapconcat (lambda (char)
                 (cond ((> char #x3fff7f) (format "\\%o" (- char #x3fff00)))
                       ((or (< char 32) (= char 127)) (format "^%c" (logxor char 64)))
                       (t (string char))))
               name "")))

(defun listd-folder--size (bytes)
  "BYTES for people."
  (let ((units '("B" "K" "M" "G" "T")) (rest bytes))
    (while (and (>= rest 1000) (cdr units))
      (setq rest (/ rest 1024.0) units (cdr units)))
    (format (if (and (< rest 10) (not (equal (car units) "B"))) "%.1f%s" "%.0f%s")
            rest (car units))))

;;;; Records

(defun listd-folder--end ()
  "The end of the record at point."
  (save-excursion (search-forward "/")))

(defun listd-folder--key ()
  "The key of the record at point."
  (buffer-substring-no-properties (point) (save-excursion (1- (search-forward "\0")))))

(defun listd-folder--entry ()
  "The record at point, as (ID KEY . SIZE)."
  (pcase-let ((`(,key ,id ,size)
               (split-string (buffer-substring-no-properties (point) (1- (listd-folder--end)))
                             "\0")))
    (cons id (cons key (unless (string= size "") (string-to-number size))))))

(defun listd-folder--insert (entry)
  "Insert the record of ENTRY at point."
  (pcase-let ((`(,id ,key . ,size) entry))
    (insert key "\0" id "\0" (if size (number-to-string size) "") "/")))

(defun listd-folder--find (key)
  "Go to the record of KEY, or to where it would be.
Return whether it is there.  O(log files)."
  (let ((low (point-min)) (high (point-max)))
    (while (< low high)
      (goto-char (/ (+ low high) 2))
      (goto-char (if (search-backward "/" nil t) (1+ (point)) (point-min)))
      (if (string< (listd-folder--key) key)
          (setq low (listd-folder--end))
        (setq high (point))))
    (goto-char low)
    (and (not (eobp)) (string= (listd-folder--key) key))))

(defun listd-folder--remove (name)
  "Delete the record of the file NAME; return it, or nil."
  (when (or (listd-folder--find (concat "1" name)) (listd-folder--find (concat "0" name)))
    (prog1 (listd-folder--entry)
      (delete-region (point) (listd-folder--end)))))

(defun listd-folder-name (folder id)
  "The name of the file with ID of FOLDER, or nil."
  (with-current-buffer (listd-folder-buffer folder)
    (goto-char (point-min))
    (let ((case-fold-search nil))
      (when (search-forward (concat "\0" id "\0") nil t)
        (goto-char (if (search-backward "/" nil t) (1+ (point)) (point-min)))
        (substring (listd-folder--key) 1)))))

;;;; Files

(defun listd-folder--look (folder name other)
  "What the file NAME of FOLDER is now: (ID KEY . SIZE), or nil.
It is its inode, so that it keeps its row when it gets another name.
OTHER returns the name of the file whose id an inode is, or nil."
  (when-let ((attributes (file-attributes (concat (listd-folder-path folder) name))))
    (let* ((inode (number-to-string (file-attribute-inode-number attributes)))
           (folder-p (eq (file-attribute-type attributes) t))
           ;; Another name of the same file is another row.
           (id (if (or folder-p (= (file-attribute-link-number attributes) 1)
                       (equal (or (funcall other inode) name) name))
                   inode
                 (concat inode " " (listd-folder--shown name)))))
      (cons id (cons (concat (if folder-p "0" "1") name)
                     (unless folder-p
                       (file-attribute-size attributes)))))))

(defun listd-folder--item (entry)
  "The item of ENTRY."
  (pcase-let ((`(,id ,key . ,size) entry))
    `(:id ,id :name ,(listd-folder--shown (substring key 1)) :template ,(if size "File" "Folder")
          ,@(and size (list :size (listd-folder--size size))))))

(defconst listd-folder--run 200
  "How many files are sorted at once, more or less.")

(defun listd-folder--in-slices (step buffer done)
  "Call STEP until it returns nil, in slices.
Then call DONE in BUFFER, if that lives.  Emacs keeps the timers that ran
last, so that what these functions close over is garbage only later."
  (when (buffer-live-p buffer)
    (let ((end (+ (float-time) listd-folder--slice)) (more t))
      (while (and more (< (float-time) end))
        (setq more (funcall step)))
      (if more
          (run-with-timer 0.001 nil #'listd-folder--in-slices step buffer done)
        ;; What follows may take its time, too.
        (run-with-timer 0 nil (lambda ()
                                (when (buffer-live-p buffer)
                                  (with-current-buffer buffer (funcall done)))))))))

(defun listd-folder-read (folder buffer done)
  "Read all of FOLDER, in slices.
Call DONE in BUFFER, if that lives."
  (listd-folder--sort (directory-files (listd-folder-path folder) nil
                                       directory-files-no-dot-files-regexp t)
                      buffer
                      (lambda (names) (listd-folder--take folder names buffer done))))

(defun listd-folder--bucket (limits name)
  "The number of LIMITS, an ascending vector, that are not greater than NAME."
  (let ((low 0) (high (length limits)))
    (while (< low high)
      (let ((middle (/ (+ low high) 2)))
        (if (string< name (aref limits middle))
            (setq high middle)
          (setq low (1+ middle)))))
    low))

(defun listd-folder--sort (names buffer done)
  "Sort NAMES in slices, in buckets of those between some of them.
Call DONE with the list in BUFFER."
  (let* ((limits (vconcat (sort (cl-loop for name in names by (lambda (rest)
                                                                (nthcdr listd-folder--run rest))
                                         collect name)
                                #'string<)))
         (buckets (make-vector (1+ (length limits)) nil))
         (next (length limits)) sorted)
    (listd-folder--in-slices
     (lambda ()
       (when names
         (let ((name (pop names)))
           (push name (aref buckets (listd-folder--bucket limits name))))
         t))
     buffer
     (lambda ()
       (listd-folder--in-slices
        (lambda ()
          (when (>= next 0)
            (setq sorted (nconc (sort (aref buckets next) #'string<) sorted))
            (aset buckets next nil)
            (setq next (1- next))
            t))
        buffer (lambda () (funcall done (prog1 sorted (setq sorted nil)))))))))

(defun listd-folder--take (folder names buffer done)
  "Make the files NAMES, which are sorted, the records of FOLDER, in slices.
Call DONE in BUFFER."
  (let* ((linked (make-hash-table :test #'equal)) ; names by inodes that have several
         (records (generate-new-buffer " *listd folder*" t))
         (files (with-current-buffer records (point-marker))) ; the end of the folders
         (other (lambda (inode)
                  (or (gethash inode linked) (puthash inode (car names) linked)))))
    (setf (listd-folder-next folder) records)
    (listd-folder--in-slices
     (lambda ()
       (when names
         (let ((entry (listd-folder--look folder (car names) other)))
           (pop names)
           (when entry
             (with-current-buffer records
               (goto-char (if (cddr entry) (point-max) files))
               (listd-folder--insert entry)
               (unless (cddr entry)
                 (set-marker files (point))))))
         t))
     buffer
     (lambda ()
       (when (buffer-live-p (listd-folder-buffer folder))
         (kill-buffer (listd-folder-buffer folder)))
       (setf (listd-folder-buffer folder) records (listd-folder-next folder) nil)
       (funcall done)))))

(defun listd-folder-items (folder)
  "A function that returns a vector of the next items of FOLDER.
It is called with the most of them."
  (let ((records (listd-folder-buffer folder)) (at 1))
    (lambda (most)
      (let (items)
        (when (buffer-live-p records)
          (with-current-buffer records
            (goto-char at)
            (while (and (not (eobp)) (> most 0))
              (push (listd-folder--item (listd-folder--entry)) items)
              (goto-char (listd-folder--end))
              (setq most (1- most)))
            (setq at (point))))
        (vconcat (nreverse items))))))

(defun listd-folder-edits (folder names)
  "Look at the files NAMES of FOLDER again.
Return a vector of the edits of the list that this takes."
  (let ((other (lambda (inode) (listd-folder-name folder inode)))
        (gone (make-hash-table :test #'equal)) came deleted updated placed)
    (with-current-buffer (listd-folder-buffer folder)
      (dolist (name names)
        (when-let ((old (listd-folder--remove name)))
          (puthash (car old) old gone)))
      (dolist (name names)
        (when-let ((entry (listd-folder--look folder name other)))
          (listd-folder--find (nth 1 entry))
          (listd-folder--insert entry)
          (push entry came)))
      ;; From the last one on, so that what they are put before is there.
      (dolist (entry (sort came (lambda (a b) (string> (nth 1 a) (nth 1 b)))))
        (listd-folder--find (nth 1 entry))
        (goto-char (listd-folder--end))
        (let* ((id (car entry)) (old (gethash id gone)) (item (listd-folder--item entry))
               (place (if (eobp) '(:section "files") (list :before (car (listd-folder--entry))))))
          (remhash id gone)
          (cond ((null old)
                 (push `(:edit ,(if (eobp) "appendItems" "insertItems") :items [,item] ,@place)
                       placed))
                (t (unless (equal (listd-folder--item old) item)
                     (push item updated))
                   (unless (equal (nth 1 old) (nth 1 entry))
                     (push `(:edit "moveItems" :items [,id] ,@place) placed)))))))
    (maphash (lambda (id _) (push id deleted)) gone)
    (vconcat (when deleted `((:edit "deleteItems" :items ,(vconcat deleted))))
             (when updated `((:edit "updateItems" :items ,(vconcat updated))))
             (nreverse placed))))

;; If the source is loaded, the functions that are called for each file are compiled nevertheless.
(dolist (function '(listd-folder--shown listd-folder--size listd-folder--item listd-folder--insert
                                        listd-folder--look listd-folder--in-slices
                                        listd-folder--end listd-folder--entry
                                        listd-folder--bucket listd-folder--sort
                                        listd-folder--take listd-folder-items))
  (unless (byte-code-function-p (symbol-function function))
    (byte-compile function)))

(provide 'listd-folder)
;;; listd-folder.el ends here
