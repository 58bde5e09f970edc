;;; listd-renaming.el --- Renames files so that nothing is lost  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; No file is overwritten, and names may be swapped.

;;; Code:

(require 'cl-lib)
(require 'seq)

(cl-defstruct (listd-renaming--change (:constructor listd-renaming--make))
  "A file that is renamed: FROM a path, TO another.
PATH is where it is now.  KEY is what the caller knows it by."
  key from to path problem)

(defun listd-renaming--exists (path)
  "Whether there is a file or a link at PATH."
  (or (file-exists-p path) (file-symlink-p path)))

(defun listd-renaming--unfit (name)
  "Why a file cannot have NAME; nil if it can."
  (cond ((equal name "") "a name cannot be empty")
        ((string-search "/" name) "a name cannot contain /")
        ((member name '("." "..")) (concat name " is not a name of a file"))))

(defun listd-renaming--rename (from to)
  "Rename the file FROM to TO; return why that fails, or nil."
  (condition-case err
      (progn (rename-file from to) nil)
    (file-already-exists "there is a file of this name")
    (file-error (if (stringp (nth 2 err)) (downcase (nth 2 err)) (error-message-string err)))))

(defun listd-renaming--spare (folder)
  "A path in FOLDER that no file has."
  (let ((i 1) path)
    (while (listd-renaming--exists (setq path (format "%s.listd-%d-%d" folder (emacs-pid) i)))
      (setq i (1+ i)))
    path))

(defun listd-renaming--carry-out (change waiting)
  "Make CHANGE, and take it out of WAITING."
  (let* ((from (listd-renaming--change-from change)) (to (listd-renaming--change-to change))
         (path (listd-renaming--change-path change)) (problem (listd-renaming--rename path to)))
    (remhash from waiting)
    (cond ((null problem) (setf (listd-renaming--change-path change) to))
          ((equal path from))
          ((listd-renaming--rename path from)
           (setq problem (format "%s; the file is now %s" problem path)))
          (t (setf (listd-renaming--change-path change) from)))
    (setf (listd-renaming--change-problem change) problem)))

(defun listd-renaming--in (folder changes waiting)
  "Rename the files of CHANGES, all in FOLDER.
WAITING has the changes that are still to be made, by their paths."
  (while changes
    (let (blocked)
      (dolist (change changes)
        (let ((to (listd-renaming--change-to change)))
          (if (and (gethash to waiting) (listd-renaming--exists to))
              (push change blocked)     ; by a file that is renamed itself
            (listd-renaming--carry-out change waiting))))
      (setq blocked (nreverse blocked))
      (when (= (length blocked) (length changes))
        ;; In a circle: one of them gets out of the way.
        (let* ((first (car blocked)) (path (listd-renaming--spare folder))
               (problem (listd-renaming--rename (listd-renaming--change-path first) path)))
          (remhash (listd-renaming--change-from first) waiting)
          (if (null problem)
              (setf (listd-renaming--change-path first) path)
            (setf (listd-renaming--change-problem first) problem)
            (pop blocked))))
      (setq changes blocked))))

(defun listd-rename-files (changes)
  "Rename files within their folders.
CHANGES are lists of a key, a path, a new name and, if the path must not
be another file by now, its inode.  Files in a folder are renamed before
the folder is.  Return an alist of keys and reasons, of those that fail."
  (let ((wanted (make-hash-table :test #'equal)) (waiting (make-hash-table :test #'equal)) all)
    (pcase-dolist (`(,key ,path ,name ,inode) changes)
      (let* ((attributes (and path (file-attributes path)))
             (to (and path (concat (file-name-directory path) name)))
             (found (and attributes (file-attribute-inode-number attributes)))
             (problem (if (and found (eql (or inode found) found))
                          (listd-renaming--unfit name)
                        "the file was moved or deleted")))
        (push (listd-renaming--make :key key :from path :to to :path path :problem problem) all)
        (unless problem
          (puthash to (1+ (gethash to wanted 0)) wanted))))
    (setq all (nreverse all))
    (dolist (change all)
      (unless (listd-renaming--change-problem change)
        (if (> (gethash (listd-renaming--change-to change) wanted) 1)
            (setf (listd-renaming--change-problem change) "two lines have this name")
          (puthash (listd-renaming--change-from change) change waiting))))
    (pcase-dolist (`(,folder . ,changes)
                   (sort (seq-group-by
                          (lambda (change)
                            (file-name-directory (listd-renaming--change-from change)))
                          (seq-remove #'listd-renaming--change-problem all))
                         (lambda (a b) (> (cl-count ?/ (car a)) (cl-count ?/ (car b))))))
      (listd-renaming--in folder changes waiting))
    (cl-loop for change in all
             when (listd-renaming--change-problem change)
             collect (cons (listd-renaming--change-key change)
                           (listd-renaming--change-problem change)))))

(provide 'listd-renaming)
;;; listd-renaming.el ends here
