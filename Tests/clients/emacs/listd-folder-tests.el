;;; listd-folder-tests.el --- What is known of a folder  -*- lexical-binding: t; -*-

;;; Commentary:

;; A folder beside a model of it, under random changes.

;;; Code:

(require 'ert)
(require 'listd-harness)

(defconst listd-folder-tests-names '("a" "b" "c" "d" "e" "f" "g" "h"))
(defvar listd-folder-tests--bytes 0)

(defun listd-folder-tests-change (dir files)
  "Make, replace, delete or rename a file of DIR.
FILES are the numbers of the files by name, an alist; return the new one."
  (let* ((name (seq-random-elt listd-folder-tests-names))
         (other (seq-random-elt listd-folder-tests-names))
         (path (concat dir name)) (old (assoc name files)))
    (pcase (random 4)
      (0 (ignore-errors (delete-file path))
         (remove old files))
      ((and 1 (guard (and old (not (equal name other)))))
       (rename-file path (concat dir other) t)
       (cons (cons other (cdr old)) (remove (assoc other files) (remove old files))))
      ((or 2 3)
       (setq listd-folder-tests--bytes (1+ listd-folder-tests--bytes))
       (listd-tests-write (concat dir ".new") listd-folder-tests--bytes)
       (rename-file (concat dir ".new") path t)
       (cons (cons name listd-folder-tests--bytes) (remove old files)))
      (_ files))))

(defun listd-folder-tests-edited (items edits)
  "ITEMS after EDITS."
  (cl-flet ((find (id) (seq-find (lambda (item) (equal (plist-get item :id) id)) items)))
    (seq-doseq (edit edits)
      (seq-doseq (item (plist-get edit :items))
        (pcase (plist-get edit :edit)
          ("deleteItems" (should (find item))
                         (setq items (remove (find item) items)))
          ("updateItems" (let ((old (find (plist-get item :id))))
                           (should old)
                           (setq items (mapcar (lambda (one) (if (eq one old) item one)) items))))
          (kind
           (let* ((new (if (equal kind "moveItems") (find item) item))
                  (rest (remq new items))
                  (at (or (seq-position rest (plist-get edit :before)
                                        (lambda (one id) (equal (plist-get one :id) id)))
                          (length rest))))
             (should new)
             (should (or (equal kind "moveItems") (not (find (plist-get new :id)))))
             (setq items (append (seq-take rest at) (list new) (seq-drop rest at))))))))
    items))

(defun listd-folder-tests-wanted (name items before files)
  "The id that NAME of FILES keeps, or nil; BEFORE and ITEMS are from before."
  (let ((other (if (assoc name before)
                   name
                 (car (seq-find (lambda (file)
                                  (and (not (assoc (car file) files))
                                       (eql (cdr file) (cdr (assoc name files)))))
                                before)))))
    (and other (plist-get (seq-find (lambda (item) (equal (plist-get item :name) other)) items)
                          :id))))

(ert-deftest listd-folder-random ()
  "Files keep their rows by name, else as the same file, however they are looked at."
  (random "folder")
  (let* ((dir (file-name-as-directory (make-temp-file "listd" t)))
         (folder (listd-folder-new dir)) files items)
    (unwind-protect
        (dotimes (round 300)
          (let ((before files) (known items) read)
            (dotimes (_ (1+ (random 4)))
              (setq files (listd-folder-tests-change dir files)))
            (if (= (% round 2) 1)
                (setq items (listd-folder-tests-edited
                             items (listd-folder-edits folder listd-folder-tests-names)))
              (listd-folder-read folder (current-buffer) (lambda () (setq read t)))
              (listd-tests-wait "the folder" (lambda () read))
              (setq items nil))
            (let ((all (append (funcall (listd-folder-items folder) 100) nil)))
              (should (equal (or items all) all))
              (setq items all))
            (should (equal (mapcar (lambda (item) (plist-get item :name)) items)
                           (sort (mapcar #'car files) #'string<)))
            (dolist (item items)
              (let* ((id (plist-get item :id))
                     (name (plist-get item :name))
                     (wanted (listd-folder-tests-wanted name known before files)))
                (should (equal (listd-folder-name folder id) name))
                (if wanted
                    (should (equal (list round id) (list round wanted)))
                  (should-not (seq-find (lambda (old) (equal (plist-get old :id) id)) known)))))))
      (listd-folder-close folder)
      (delete-directory dir t))))

;;; listd-folder-tests.el ends here
