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
The BUFFER has a record KEY NUL ID NUL SIZE NUL STAMP / of each file,
ascending by keys.  NEXT is the buffer that is being filled while the
folder is read."
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
  "The record at point, as (ID KEY SIZE STAMP)."
  (pcase-let ((`(,key ,id ,size ,stamp)
               (split-string (buffer-substring-no-properties (point) (1- (listd-folder--end)))
                             "\0")))
    (list id key (unless (string= size "") (string-to-number size)) stamp)))

(defun listd-folder--insert (entry)
  "Insert the record of ENTRY at point."
  (pcase-let ((`(,id ,key ,size ,stamp) entry))
    (insert key "\0" id "\0" (if size (number-to-string size) "") "\0" stamp "/")))

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

(defun listd-folder--look (folder name)
  "What the file NAME of FOLDER is now: (nil KEY SIZE STAMP), or nil.
STAMP stays as it is if the file gets another name: its inode, and its
time, as the inode of a deleted file is soon given to a new one.  Of a
file with several names it ends with +."
  (when-let ((attributes (file-attributes (concat (listd-folder-path folder) name))))
    (let ((folder-p (eq (file-attribute-type attributes) t)))
      (list nil
            (concat (if folder-p "0" "1") name)
            (unless folder-p
              (file-attribute-size attributes))
            (format "%d %s%s" (file-attribute-inode-number attributes)
                    (float-time (file-attribute-modification-time attributes))
                    (if (or folder-p (= (file-attribute-link-number attributes) 1)) "" "+"))))))

(defun listd-folder--inode (entry)
  "The inode of ENTRY, a string."
  (substring (nth 3 entry) 0 (string-search " " (nth 3 entry))))

(defun listd-folder--identify (entry taken)
  "Give ENTRY, which has no row yet, an id that is not TAKEN, a function of an id."
  (let ((id (listd-folder--inode entry)))
    (when (funcall taken id)
      ;; Another name of the same file, or the inode was that of another one.
      (setq id (concat id " " (listd-folder--shown (substring (nth 1 entry) 1))))
      (while (funcall taken id)
        (setq id (concat id "'"))))
    (setcar entry id)))

(defun listd-folder--item (entry)
  "The item of ENTRY."
  (pcase-let ((`(,id ,key ,size ,_) entry))
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

(defun listd-folder--known (old ends name)
  "The id of the file NAME in the buffer OLD, or nil.
ENDS are the ends of the records with lesser names."
  (with-current-buffer old
    (cl-loop for part from 0 to 1
             do (goto-char (aref ends part))
             when (and (not (eobp)) (string= (listd-folder--key) (format "%d%s" part name)))
             do (aset ends part (listd-folder--end))
             and return (car (listd-folder--entry)))))

(defun listd-folder--file (entry)
  "What of ENTRY stays as it is if the file gets another name."
  (format "%s %s" (nth 2 entry) (nth 3 entry)))

(defun listd-folder--skip (old ends part key)
  "Read the next record of PART, which is 0 for folders or 1, in the buffer OLD.
ENDS is a vector of the ends of the last records of each part.  Return the
record, or nil if its key is not before KEY; any key is, if KEY is nil."
  (with-current-buffer old
    (goto-char (aref ends part))
    (when (and (eq (char-after) (+ ?0 part))
               (or (null key) (string< (listd-folder--key) key)))
      (prog1 (listd-folder--entry)
        (aset ends part (listd-folder--end))))))

(defun listd-folder--take (folder names buffer done)
  "Make the files NAMES, which are sorted, the records of FOLDER, in slices.
Call DONE in BUFFER.  A file has the id of the one that had its name."
  (let* ((old (listd-folder-buffer folder))
         (ends (vector 1 (if old (with-current-buffer old
                                   (listd-folder--find "1")
                                   (point))
                           1)))
         (lost (make-hash-table :test #'equal)) ; ids of files that are not there any more
         (taken (make-hash-table :test #'equal)) ; ids, if a new file may have the inode
         unknown                                 ; keys of files with new names
         (records (generate-new-buffer " *listd folder*" t))
         (files (with-current-buffer records (point-marker)))) ; the end of the folders
    (setf (listd-folder-next folder) records)
    (listd-folder--in-slices
     (lambda ()
       (let ((name (car names)) gone)
         (if (and old (setq gone (or (listd-folder--skip old ends 0 (and name (concat "0" name)))
                                     (listd-folder--skip old ends 1 (and name (concat "1" name))))))
             (progn (puthash (listd-folder--file gone) (car gone) lost)
                    (puthash (car gone) t taken))
           (when-let ((entry (and name (listd-folder--look folder name)))
                      (key (nth 1 entry)))
             (cond ((setcar entry (and old (listd-folder--known old ends name))))
                   (old (push key unknown)
                        (setcar entry ""))
                   (t (listd-folder--identify entry (lambda (id) (gethash id taken)))))
             (when (or (string-suffix-p "+" (nth 3 entry))
                       (not (equal (car entry) (listd-folder--inode entry))))
               (puthash (car entry) t taken))
             (with-current-buffer records
               (goto-char (if (nth 2 entry) (point-max) files))
               (listd-folder--insert entry)
               (unless (nth 2 entry)
                 (set-marker files (point)))))
           (pop names))))
     buffer
     (lambda ()
       (listd-folder--in-slices
        (lambda ()
          (when unknown
            (with-current-buffer records
              (listd-folder--find (pop unknown))
              (let* ((entry (listd-folder--entry)) (file (listd-folder--file entry))
                     (id (gethash file lost)))
                (if id
                    (setcar entry id)
                  (listd-folder--identify entry (lambda (id) (gethash id taken))))
                (remhash file lost)
                (puthash (car entry) t taken)
                (delete-region (point) (listd-folder--end))
                (listd-folder--insert entry)))
            t))
        buffer
        (lambda ()
          (when (buffer-live-p old)
            (kill-buffer old))
          (setf (listd-folder-buffer folder) records (listd-folder-next folder) nil)
          (funcall done)))))))

(defun listd-folder-items (folder)
  "Return a function that returns a vector of the next items of FOLDER.
Its argument is the maximum number of items."
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
  (let ((gone (make-hash-table :test #'equal)) (lost (make-hash-table :test #'equal))
        (found (mapcar (lambda (name) (cons name (listd-folder--look folder name))) names))
        came deleted updated placed)
    (with-current-buffer (listd-folder-buffer folder)
      (pcase-dolist (`(,name . ,entry) found)
        (when-let ((old (listd-folder--remove name)))
          (puthash (car old) old gone)
          (if entry
              (setcar entry (car old))
            (puthash (listd-folder--file old) (car old) lost))))
      (pcase-dolist (`(,_ . ,entry) found)
        (when entry
          (unless (car entry)
            (let ((file (listd-folder--file entry)))
              (setcar entry (gethash file lost))
              (remhash file lost)))
          (unless (car entry)
            (listd-folder--identify entry (lambda (id) (or (gethash id gone)
                                                           (listd-folder-name folder id)))))
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
                                        listd-folder--inode listd-folder--file
                                        listd-folder--skip listd-folder--known
                                        listd-folder--take listd-folder-items))
  (unless (byte-code-function-p (symbol-function function))
    (byte-compile function)))

(provide 'listd-folder)
;;; listd-folder.el ends here
