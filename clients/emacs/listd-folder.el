;;; listd-folder.el --- The files of a folder, sorted  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A folder is read in slices, and then followed by name: what changes is a few edits of its list.
;; Folders come first.

;;; Code:

(require 'cl-lib)

(defconst listd-folder--slice 0.005
  "Seconds that reading takes at a time.")

(cl-defstruct (listd-folder (:constructor listd-folder-new (path)))
  "What is known of a folder."
  path
  order                                    ; keys, ascending
  (files (make-hash-table :test #'equal))  ; (ID KEY . SIZE) by name
  (names (make-hash-table :test #'equal))) ; names by id

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

(defun listd-folder--look (folder name)
  "What the file NAME of FOLDER is now: (ID KEY . SIZE), or nil.
It is its inode, so that it keeps its row when it gets another name.
This is all that is kept of a file: a large heap delays every key, as
Emacs collects garbage now and then."
  (when-let ((attributes (file-attributes (concat (listd-folder-path folder) name))))
    (let* ((shown (listd-folder--shown name))
           (inode (number-to-string (file-attribute-inode-number attributes)))
           ;; Another name of the same file is another row.
           (id (if (equal (gethash inode (listd-folder-names folder) name) name)
                   inode
                 (concat inode " " shown)))
           (folder-p (eq (file-attribute-type attributes) t)))
      (cons id (cons (concat (if folder-p "0" "1") name)
                     (unless folder-p
                       (file-attribute-size attributes)))))))

(defun listd-folder--item (entry)
  "The item of ENTRY."
  (pcase-let ((`(,id ,key . ,size) entry))
    `(:id ,id :name ,(listd-folder--shown (substring key 1)) :template ,(if size "File" "Folder")
          ,@(and size (list :size (listd-folder--size size))))))

(defun listd-folder--add (folder name entry)
  "Take ENTRY for the file NAME of FOLDER."
  (puthash name entry (listd-folder-files folder))
  (puthash (car entry) name (listd-folder-names folder)))

(defconst listd-folder--run 200
  "How many files are sorted at once, more or less.")

(defun listd-folder--in-slices (step buffer done)
  "Call STEP until it returns nil, in slices.
Then call DONE in BUFFER, if that lives."
  (let ((end (+ (float-time) listd-folder--slice)) (more t))
    (while (and more (< (float-time) end))
      (setq more (funcall step)))
    (cond ((not (buffer-live-p buffer)))
          (more (run-with-timer 0.001 nil #'listd-folder--in-slices step buffer done))
          ;; What follows may take its time, too.
          (t (run-with-timer 0 nil (lambda ()
                                     (when (buffer-live-p buffer)
                                       (with-current-buffer buffer (funcall done)))))))))

(defun listd-folder-read (folder buffer done)
  "Read all of FOLDER, in slices.
Call DONE with a vector of all items in BUFFER, if that lives."
  (let ((names (directory-files (listd-folder-path folder) nil
                                directory-files-no-dot-files-regexp t))
        keys)
    ;; A table that grows leaves its older copies as garbage.
    (setf (listd-folder-files folder) (make-hash-table :test #'equal :size (length names))
          (listd-folder-names folder) (make-hash-table :test #'equal :size (length names)))
    (listd-folder--in-slices
     (lambda ()
       (when names
         (let* ((name (pop names)) (entry (listd-folder--look folder name)))
           (when entry
             (listd-folder--add folder name entry)
             (push (nth 1 entry) keys)))
         t))
     buffer
     (lambda ()
       (listd-folder--sort keys buffer
                           (lambda (order)
                             (setf (listd-folder-order folder) order)
                             (listd-folder--items folder buffer done)))))))

(defun listd-folder--bucket (limits key)
  "The number of LIMITS, an ascending vector, that are not greater than KEY."
  (let ((low 0) (high (length limits)))
    (while (< low high)
      (let ((middle (/ (+ low high) 2)))
        (if (string< key (aref limits middle))
            (setq high middle)
          (setq low (1+ middle)))))
    low))

(defun listd-folder--sort (keys buffer done)
  "Sort KEYS in slices, in buckets of those between some of them.
Call DONE with the list in BUFFER."
  (let* ((limits (vconcat (sort (cl-loop for key in keys by (lambda (rest)
                                                              (nthcdr listd-folder--run rest))
                                         collect key)
                                #'string<)))
         (buckets (make-vector (1+ (length limits)) nil))
         (next (length limits)) order)
    (listd-folder--in-slices
     (lambda ()
       (when keys
         (let ((key (pop keys)))
           (push key (aref buckets (listd-folder--bucket limits key))))
         t))
     buffer
     (lambda ()
       (listd-folder--in-slices
        (lambda ()
          (when (>= next 0)
            (setq order (nconc (sort (aref buckets next) #'string<) order)
                  next (1- next))
            t))
        buffer (lambda () (funcall done order)))))))

(defun listd-folder--items (folder buffer done)
  "Call DONE with a vector of the items of FOLDER in BUFFER, in slices."
  (let* ((keys (listd-folder-order folder)) (items (make-vector (length keys) nil)) (next 0))
    (listd-folder--in-slices
     (lambda ()
       (when keys
         (aset items next (listd-folder--item
                           (gethash (substring (pop keys) 1) (listd-folder-files folder))))
         (setq next (1+ next))
         t))
     buffer (lambda () (funcall done items)))))

(defun listd-folder--reorder (folder removed came)
  "Take the keys REMOVED out of the order of FOLDER, and put those of CAME in.
Both are ascending.  Return, for each of CAME from the last one on, the
entry and the key after it.  Nothing is copied: an order is long, and
collecting its garbage would take longer than all else."
  (let* ((head (cons nil (listd-folder-order folder))) (last head) cells)
    (while (or removed came)
      (let ((next (cadr last)))
        (cond ((and removed next (string= (car removed) next))
               (pop removed)
               (setcdr last (cddr last)))
              ((and came (or (null next) (string< (nth 1 (car came)) next)))
               (let ((new (pop came)))
                 (setcdr last (cons (nth 1 new) (cdr last)))
                 (setq last (cdr last))
                 (push (cons new last) cells)))
              ((null next) (setq removed nil))
              (t (setq last (cdr last))))))
    (setf (listd-folder-order folder) (cdr head))
    (mapcar (lambda (cell) (cons (car cell) (caddr cell))) cells)))

(defun listd-folder-edits (folder names)
  "Look at the files NAMES of FOLDER again.
Return a vector of the edits of the list that this takes."
  (let ((gone (make-hash-table :test #'equal)) removed came deleted updated placed)
    (dolist (name names)
      (when-let ((old (gethash name (listd-folder-files folder))))
        (push (nth 1 old) removed)
        (remhash name (listd-folder-files folder))
        (remhash (car old) (listd-folder-names folder))
        (puthash (car old) old gone)))
    (dolist (name names)
      (when-let ((entry (listd-folder--look folder name)))
        (listd-folder--add folder name entry)
        (push entry came)))
    ;; From the last one on, so that what they are put before is there.
    (pcase-dolist (`(,entry . ,after)
                   (listd-folder--reorder
                    folder (sort removed #'string<)
                    (sort came (lambda (a b) (string< (nth 1 a) (nth 1 b))))))
      (let* ((id (car entry)) (old (gethash id gone)) (item (listd-folder--item entry))
             (place (if after
                       (list :before (car (gethash (substring after 1)
                                                   (listd-folder-files folder))))
                     (list :section "files"))))
        (remhash id gone)
        (cond ((null old)
               (push `(:edit ,(if after "insertItems" "appendItems") :items [,item] ,@place)
                     placed))
              (t (unless (equal (listd-folder--item old) item)
                   (push item updated))
                 (unless (equal (nth 1 old) (nth 1 entry))
                   (push `(:edit "moveItems" :items [,id] ,@place) placed))))))
    (maphash (lambda (id _) (push id deleted)) gone)
    (vconcat (when deleted `((:edit "deleteItems" :items ,(vconcat deleted))))
             (when updated `((:edit "updateItems" :items ,(vconcat updated))))
             (nreverse placed))))

;; If the source is loaded, the functions that are called for each file are compiled nevertheless.
(dolist (function '(listd-folder--shown listd-folder--size listd-folder--item listd-folder--look listd-folder--add
                                        listd-folder--in-slices listd-folder-read
                                        listd-folder--bucket listd-folder--sort listd-folder--items
                                        listd-folder--reorder))
  (unless (byte-code-function-p (symbol-function function))
    (byte-compile function)))

(provide 'listd-folder)
;;; listd-folder.el ends here
