;;; listd-renaming.el --- Renames files so that nothing is lost  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; No file is overwritten: `rename-file' refuses a name that exists, in one step with the renaming if
;; the file system can do that (RENAME_NOREPLACE).  Names may be swapped.  Meanwhile these files are in
;; a folder that has the old and the new name of each, so that `listd-renaming-restore' can finish or
;; undo what was interrupted.

;;; Code:

(require 'cl-lib)
(require 'seq)

(defconst listd-renaming--aside ".listd-renaming"
  "The folder of files that exchange their names, in the folder of these.
The file a that is to be b is a/b there.")

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

(defun listd-renaming--try (function &rest arguments)
  "Call FUNCTION with ARGUMENTS; return why that fails, or nil."
  (condition-case err
      (progn (apply function arguments) nil)
    (file-already-exists "there is a file of this name")
    (file-error (if (stringp (nth 2 err)) (downcase (nth 2 err)) (error-message-string err)))))

(defun listd-renaming--move (change path)
  "Rename the file of CHANGE to PATH; return why that fails, or nil."
  (or (listd-renaming--try #'rename-file (listd-renaming--change-path change) path)
      (progn (setf (listd-renaming--change-path change) path) nil)))

(defun listd-renaming--put-aside (change aside)
  "Put the file of CHANGE in the folder ASIDE; return why that fails, or nil."
  (let ((folder (concat aside (file-name-nondirectory (listd-renaming--change-from change)) "/")))
    (or (listd-renaming--try #'make-directory folder)
        (listd-renaming--move change (concat folder (file-name-nondirectory
                                                     (listd-renaming--change-to change)))))))

(defun listd-renaming--arrive (change undo)
  "Give the file of CHANGE, which is aside, its new name.
If that fails, or UNDO is non-nil, it gets its old one."
  (let* ((problem (and (not undo)
                       (listd-renaming--move change (listd-renaming--change-to change))))
         (stuck (and (or undo problem)
                     (listd-renaming--move change (listd-renaming--change-from change)))))
    (setf (listd-renaming--change-problem change)
          (if stuck
              (format "%s; the file is now %s" stuck
                      (file-relative-name (listd-renaming--change-path change)
                                          (file-name-directory (listd-renaming--change-from change))))
            problem))))

(defun listd-renaming--exchange (folder changes)
  "Make CHANGES, by which files in FOLDER get the names of each other.
If one of them fails at first, it has a problem, and the others may be
made again."
  (let* ((aside (concat folder listd-renaming--aside "/"))
         (problem (listd-renaming--try #'make-directory aside)))
    (if problem
        (dolist (change changes)
          (setf (listd-renaming--change-problem change)
                (concat listd-renaming--aside ": " problem)))
      (let ((failed (seq-find (lambda (change)
                                (setf (listd-renaming--change-problem change)
                                      (listd-renaming--put-aside change aside)))
                              changes)))
        (dolist (change changes)
          (unless (equal (listd-renaming--change-path change) (listd-renaming--change-from change))
            (listd-renaming--arrive change failed))))
      (listd-renaming--clear aside))))

(defun listd-renaming--clear (aside)
  "Delete the folder ASIDE, unless there are files in it."
  (dolist (folder (directory-files aside t directory-files-no-dot-files-regexp t))
    (listd-renaming--try #'delete-directory folder))
  (listd-renaming--try #'delete-directory aside))

(defun listd-renaming-restore (folder)
  "Finish or undo what was interrupted while files in FOLDER were renamed.
It is finished if all of the files that exchange their names can have
the new ones, and undone if not."
  (let* ((aside (concat folder listd-renaming--aside "/"))
         (attributes (file-attributes (directory-file-name aside))) files problem)
    ;; Nobody else can have put links there.
    (when (and (eq (file-attribute-type attributes) t)
               (eql (file-attribute-user-id attributes) (user-uid)))
      (dolist (old (directory-files aside nil directory-files-no-dot-files-regexp t))
        (dolist (new (directory-files (concat aside old) nil directory-files-no-dot-files-regexp t))
          (push (list old new) files)))
      (let ((undo (seq-find (lambda (names) (listd-renaming--exists (concat folder (cadr names))))
                            files)))
        (pcase-dolist (`(,old ,new) files)
          (setq problem (or (listd-renaming--try #'rename-file (concat aside old "/" new)
                                                 (concat folder (if undo old new)))
                            problem)))
        (listd-renaming--clear aside)
        (when files
          (message "listd: an interrupted renaming in %s %s" folder
                   (cond (problem (format "has left files in %s: %s" listd-renaming--aside problem))
                         (undo "was undone")
                         (t "was finished"))))))))

(defun listd-renaming--in (folder changes waiting)
  "Rename the files of CHANGES, all in FOLDER.
WAITING has the changes that are still to be made, by their paths."
  (while changes
    (let (blocked)
      (dolist (change changes)
        (let ((to (listd-renaming--change-to change)))
          (if (and (gethash to waiting) (listd-renaming--exists to))
              (push change blocked)     ; by a file that is renamed itself
            (remhash (listd-renaming--change-from change) waiting)
            (setf (listd-renaming--change-problem change) (listd-renaming--move change to)))))
      (when (= (length blocked) (length changes))
        (listd-renaming--exchange folder blocked)) ; they are in circles
      ;; The order is reversed: of names that are counted up, the last has to be the first.
      (setq changes (seq-remove (lambda (change)
                                  (when (or (listd-renaming--change-problem change)
                                            (equal (listd-renaming--change-path change)
                                                   (listd-renaming--change-to change)))
                                    (remhash (listd-renaming--change-from change) waiting)
                                    t))
                                blocked)))))

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
