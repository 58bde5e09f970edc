;;; listd-filetree.el --- Folders that are read as they are wanted  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The files are items of an outline, whose parents are folders.  A file keeps its id when it is
;; renamed or moved, and no other file gets it afterwards.  Folders are read in slices, and watched.

;;; Code:

(require 'cl-lib)
(require 'filenotify)
(require 'seq)
(require 'subr-x)
(require 'listd-folder)
(require 'listd-renaming)

(defconst listd-filetree--part 500
  "Items of an edit.")
(defconst listd-filetree--delay 0.05
  "Seconds from a change of a folder to looking at it.")

(cl-defstruct (listd-filetree (:constructor listd-filetree--make))
  "Files of a ROOT.
FILES has them by id; that of the root is nil.  INODES has ids by inodes,
LAST is the last id.  CHANGED is called with each edit of the list."
  root changed (last 0) (files (make-hash-table)) (inodes (make-hash-table)))

(cl-defstruct (listd-filetree-file (:constructor listd-filetree--make-file))
  "A file.
CHILDREN has ids by names, if it is a folder."
  name parent inode stamp item watch timer busy again read
  (children (make-hash-table :test #'equal)))

(defun listd-filetree-new (root changed)
  "The files of ROOT, a folder, which is read.
CHANGED is called with each edit of the list."
  (let ((tree (listd-filetree--make :root (file-name-as-directory (expand-file-name root))
                                    :changed changed)))
    (puthash nil (listd-filetree--make-file) (listd-filetree-files tree))
    (listd-filetree-look tree nil)
    tree))

(defun listd-filetree-file (tree id)
  "The file with ID of TREE, or nil."
  (gethash id (listd-filetree-files tree)))

(defun listd-filetree-path (tree id)
  "The path of the file with ID of TREE; nil if it was deleted."
  (when-let ((file (listd-filetree-file tree id)))
    (if (null id)
        (listd-filetree-root tree)
      (concat (file-name-as-directory (listd-filetree-path tree (listd-filetree-file-parent file)))
              (listd-filetree-file-name file)))))

(defun listd-filetree-name (tree id)
  "The name of the file with ID of TREE; nil if it was deleted."
  (when-let ((file (listd-filetree-file tree id)))
    (listd-filetree-file-name file)))

(defun listd-filetree-inode (tree id)
  "The inode of the file with ID of TREE; nil if it was deleted."
  (when-let ((file (listd-filetree-file tree id)))
    (listd-filetree-file-inode file)))

(defun listd-filetree-items (tree)
  "The items that the edits of TREE have led to, a list."
  (let ((files (listd-filetree-files tree)) items)
    (maphash (lambda (_ folder)
               (maphash (lambda (_ id)
                          (when-let ((file (gethash id files)))
                            (push (listd-filetree-file-item file) items)))
                        (listd-filetree-file-children folder)))
             files)
    (delete-dups items)))

(defun listd-filetree-renamed (tree id name)
  "Take in that this program has given NAME to the file with ID of TREE."
  (when-let* ((file (listd-filetree-file tree id))
              (children (listd-filetree-file-children
                         (listd-filetree-file tree (listd-filetree-file-parent file)))))
    (when (equal (gethash (listd-filetree-file-name file) children) id)
      (remhash (listd-filetree-file-name file) children))
    (puthash name id children)
    (setf (listd-filetree-file-name file) name)))

(defun listd-filetree-close (tree)
  "End watching the folders of TREE."
  (maphash (lambda (_ file) (listd-filetree--unwatch file)) (listd-filetree-files tree))
  (clrhash (listd-filetree-files tree)))

(defun listd-filetree--unwatch (file)
  "End watching FILE."
  (when (listd-filetree-file-timer file)
    (cancel-timer (listd-filetree-file-timer file)))
  (when (listd-filetree-file-watch file)
    (file-notify-rm-watch (listd-filetree-file-watch file))))

(defun listd-filetree--watch (tree id file)
  "Watch FILE, a folder of TREE with ID."
  (unless (listd-filetree-file-watch file)
    (setf (listd-filetree-file-watch file)
          (ignore-errors
            (file-notify-add-watch (listd-filetree-path tree id) '(change)
                                   (lambda (event) (listd-filetree--soon tree id file event)))))))

(defun listd-filetree--soon (tree id file event)
  "Look at FILE, a folder of TREE with ID, a while after EVENT."
  (unless (or (eq (nth 1 event) 'stopped) (listd-filetree-file-timer file)
              (not (eq file (listd-filetree-file tree id))))
    (setf (listd-filetree-file-timer file)
          (run-with-timer listd-filetree--delay nil
                          (lambda ()
                            (setf (listd-filetree-file-timer file) nil)
                            (listd-filetree-look tree id))))))

(defun listd-filetree-refresh (tree)
  "Look again at all folders of TREE that were read."
  (dolist (id (hash-table-keys (listd-filetree-files tree)))
    (when-let ((file (listd-filetree-file tree id)))
      (when (listd-filetree-file-read file)
        (listd-filetree-look tree id)))))

(defun listd-filetree-look (tree id)
  "Read the folder with ID of TREE, in slices."
  (when-let ((file (listd-filetree-file tree id)))
    (if (listd-filetree-file-busy file)
        (setf (listd-filetree-file-again file) t)
      (setf (listd-filetree-file-busy file) t (listd-filetree-file-again file) nil)
      (listd-filetree--watch tree id file)
      (unless (listd-filetree-file-read file)
        (listd-renaming-restore (file-name-as-directory (listd-filetree-path tree id))))
      (let ((names (ignore-errors
                     (directory-files (listd-filetree-path tree id) nil
                                      directory-files-no-dot-files-regexp t))))
        (listd-filetree--read tree id file names (make-hash-table :test #'equal) nil nil)))))

(defun listd-filetree--stamp (attributes)
  "What of ATTRIBUTES a file keeps when it is renamed."
  (format "%s %s" (file-attribute-size attributes)
          (float-time (file-attribute-modification-time attributes))))

(defun listd-filetree--id (tree parent name attributes)
  "The id of the file NAME with ATTRIBUTES in PARENT of TREE.
The inode of a deleted file is soon given to another: with a new name,
it is the same file only if size and time are the same, and if it is not
one name of several."
  (let* ((inode (file-attribute-inode-number attributes))
         (before (gethash name (listd-filetree-file-children (listd-filetree-file tree parent))))
         (known (and before (listd-filetree-file tree before)))
         (same (gethash inode (listd-filetree-inodes tree)))
         (other (and same (listd-filetree-file tree same))))
    (cond ((and known (eql (listd-filetree-file-inode known) inode)) before)
          ((and other (equal (listd-filetree-file-stamp other) (listd-filetree--stamp attributes))
                (or (eq (file-attribute-type attributes) t)
                    (= (file-attribute-link-number attributes) 1)))
           same)
          (t (puthash inode (cl-incf (listd-filetree-last tree)) (listd-filetree-inodes tree))))))

(defun listd-filetree--add (tree parent name attributes)
  "Take in the file NAME with ATTRIBUTES in PARENT of TREE.
Return its id, and the item, with nil or t for one that was known, if it
is new or has changed."
  (let* ((id (listd-filetree--id tree parent name attributes))
         (item `(:id ,id :name ,(listd-folder--shown name) :template "File"
                     ,@(and (eq (file-attribute-type attributes) t) '(:lazy t))
                     ,@(and parent `(:parent ,parent))))
         (old (listd-filetree-file tree id))
         (file (or old (puthash id (listd-filetree--make-file) (listd-filetree-files tree))))
         (same (equal (listd-filetree-file-item file) item)))
    (setf (listd-filetree-file-name file) name
          (listd-filetree-file-parent file) parent
          (listd-filetree-file-item file) item
          (listd-filetree-file-inode file) (file-attribute-inode-number attributes)
          (listd-filetree-file-stamp file) (listd-filetree--stamp attributes))
    (list id (and (not same) item) (and old t))))

(defun listd-filetree--read (tree id folder names children made changed)
  "Look at NAMES in FOLDER of TREE with ID as long as a slice lasts.
CHILDREN are ids by names, MADE and CHANGED the items so far."
  (let ((end (+ (float-time) listd-folder--slice))
        (path (and (eq folder (listd-filetree-file tree id))
                   (file-name-as-directory (listd-filetree-path tree id)))))
    (while (and path names (< (float-time) end))
      (let* ((name (pop names)) (attributes (file-attributes (concat path name))))
        (when attributes
          (pcase-let ((`(,child ,item ,known) (listd-filetree--add tree id name attributes)))
            (puthash name child children)
            (cond ((null item))
                  (known (push item changed))
                  (t (push item made)))))))
    (cond ((null path))
          (names (run-with-timer 0.001 nil #'listd-filetree--read
                                 tree id folder names children made changed))
          (t (listd-filetree--finish tree id folder children made changed)))))

(defun listd-filetree--finish (tree id folder children made changed)
  "FOLDER of TREE with ID has CHILDREN; MADE and CHANGED are new."
  (let ((seen (make-hash-table :test #'equal)) deleted)
    (maphash (lambda (_ child) (puthash child t seen)) children)
    (maphash (lambda (_ child)
               (unless (gethash child seen)
                 (setq deleted (nconc (listd-filetree--forget tree child id) deleted))))
             (listd-filetree-file-children folder))
    (setf (listd-filetree-file-children folder) children
          (listd-filetree-file-read folder) t
          (listd-filetree-file-busy folder) nil)
    (pcase-dolist (`(,kind . ,items) `(("deleteItems" . ,deleted) ("updateItems" . ,changed)
                                       ("appendItems" . ,made)))
      (dolist (part (seq-partition items listd-filetree--part))
        (funcall (listd-filetree-changed tree) `(:edit ,kind :items ,(vconcat part)))))
    (when (listd-filetree-file-again folder)
      (listd-filetree-look tree id))))

(defun listd-filetree--forget (tree id parent)
  "Forget the file with ID of TREE and all below it; return their ids.
Nothing is done if it is not in PARENT any more."
  (when-let* ((file (listd-filetree-file tree id))
              ((equal (listd-filetree-file-parent file) parent))
              (ids (list id)))
    (listd-filetree--unwatch file)
    (remhash id (listd-filetree-files tree))
    (when (eql (gethash (listd-filetree-file-inode file) (listd-filetree-inodes tree)) id)
      (remhash (listd-filetree-file-inode file) (listd-filetree-inodes tree)))
    (maphash (lambda (_ child)
               (setq ids (nconc (listd-filetree--forget tree child id) ids)))
             (listd-filetree-file-children file))
    ids))

(provide 'listd-filetree)
;;; listd-filetree.el ends here
