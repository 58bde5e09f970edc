;;; listd-folders.el --- Folders whose files are lists  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The daemon fills a list with the files of a folder, follows changes, and renames files so that none is lost.

;;; Code:

(require 'listd)
(require 'seq)

(defun listd-folders-shown (text)
  "TEXT as templates show it in one line."
  (replace-regexp-in-string "[\0-\x1f\x7f]"
                            (lambda (found) (format "^%c" (logxor (aref found 0) 64)))
                            text t t))

(defun listd-folders-name (item)
  "The name of the file of ITEM."
  (if-let ((bytes (plist-get item :bytes)))
      (decode-coding-string (base64-decode-string bytes) 'utf-8)
    (plist-get item :name)))

(defun listd-folders-path (folder item)
  "The path of the file of ITEM in a list of FOLDER."
  (let* ((path (concat (file-name-as-directory folder) (plist-get item :path)))
         (above (file-name-directory path)))
    (unless (file-directory-p above)    ; it has a folder whose name is not UTF-8
      (setq above (or (car (file-expand-wildcards
                            (replace-regexp-in-string "\\\\x[[:xdigit:]]\\{2\\}" "?" above) t))
                      above)))
    (concat (file-name-as-directory above) (listd-folders-name item))))

(defun listd-folders-show (source folder definition &rest more)
  "Have the daemon fill the list SOURCE with the files of FOLDER.
Show them by DEFINITION, the view of `listd-compose'.  MORE are other
members of the feed."
  (listd--ask 'feed `(:list ,source :from (:folder ,folder :hidden t :ignored t ,@more)
                            :selectionMode "multiple" :allowsEdits t))
  ;; What another daemon has shown stays until all is read.
  (listd-folders--look (current-buffer) source definition))

(defun listd-folders--look (buffer source definition)
  "Show SOURCE by DEFINITION in BUFFER when its folder has been read."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (listd--ask 'getLists nil
                  (lambda (found)
                    (if (not (listd-folders--read-p found source))
                        (run-with-timer 0.02 nil #'listd-folders--look buffer source definition)
                      (when (= (buffer-size) 0)
                        (setq listd--following nil) ; the change would have all of the text
                        (listd--subscribe "none"))
                      ;; The view is removed with the connection, also if Emacs is killed.
                      (listd-compose `(:sources [,source] :view ,definition
                                                ,@(and (member "compose.temporary"
                                                               (listd-connection-features listd--client))
                                                       '(:temporary t))))
                      (unless listd--following
                        (listd--follow))))))))

(defun listd-folders--read-p (found source)
  "Whether the folder of SOURCE has been read, as FOUND by getLists."
  (not (seq-some (lambda (list)
                   (and (equal (plist-get list :list) source) (plist-get list :reading)))
                 (plist-get found :lists))))

(defun listd-folders--call (client method params)
  "Ask CLIENT for METHOD with PARAMS; return a list of the result and the error."
  (let (answer)
    (listd-connection-request client method params
                              (lambda (result) (setq answer (list result nil)))
                              (lambda (err) (setq answer (list nil err)))
                              listd-timeout)
    (while (null answer)
      (accept-process-output nil 0.002))
    answer))

(defun listd-folders--update (change)
  "CHANGE of a file as the daemon takes it."
  (let ((text (plist-get change :text)))
    (if (string-match-p "[\x3fff80-\x3fffff]" text)
        `(:id ,(plist-get change :id)
              :bytes ,(base64-encode-string (encode-coding-string text 'utf-8) t))
      `(:id ,(plist-get change :id) :name ,text))))

(defun listd-folders--edit (client source changes)
  "Have CLIENT make those of CHANGES of SOURCE that can be made together.
Return an alist of the others and the reasons."
  (let (failed)
    (while changes
      (pcase-let* ((edit `(:edit "updateItems" :items ,(vconcat (mapcar #'listd-folders--update changes))))
                   (`(,_ ,err) (listd-folders--call client 'editSnapshot
                                                    `(:list ,source :edits [,edit] :format "none")))
                   (problems (mapcar (lambda (problem)
                                       (cons (plist-get problem :id) (plist-get problem :reason)))
                                     (plist-get (plist-get err :data) :problems)))
                   (wrong (seq-filter (lambda (change) (assoc (plist-get change :id) problems))
                                      changes)))
        (dolist (change (if err (or wrong changes)))
          (push (cons change (or (cdr (assoc (plist-get change :id) problems))
                                 (plist-get err :message)))
                failed))
        (setq changes (and wrong (seq-difference changes wrong #'eq)))))
    failed))

(defvar-local listd-folders--past nil
  "The ids of files by the paths that they had when another daemon ended.
A list of the present daemon, the number of levels, and a hash table.")

(defun listd-folders--beside (source)
  "The list of the files of SOURCE as they were when another daemon ended."
  (concat source ", as it was"))

(defun listd-folders--find (source folder changes)
  "Find the files of CHANGES in FOLDER by their paths, in the list SOURCE.
Return a hash table of ids by paths."
  (pcase-let* ((`(,client ,known ,ids) listd-folders--past)
               (depth (apply #'max (mapcar (lambda (change)
                                             (length (split-string (plist-get (plist-get change :item) :path) "/")))
                                           changes))))
    (unless (and (eq client listd--client) (>= known depth))
      (setq ids (make-hash-table :test #'equal) client listd--client
            listd-folders--past (list client depth ids))
      (listd-folders--call client 'feed `(:list ,source :allowsEdits t
                                                :from (:folder ,folder :depth ,depth :hidden t :ignored t)))
      (while (not (listd-folders--read-p (car (listd-folders--call client 'getLists nil)) source))
        (sleep-for 0.01))
      (let ((snapshot (car (listd-folders--call client 'getSnapshot
                                                `(:list ,source :members ["path"])))))
        (seq-doseq (section (plist-get snapshot :sections))
          (seq-doseq (item (plist-get section :items))
            (puthash (plist-get item :path) (plist-get item :id) ids)))))
    ids))

(defun listd-folders-rename (source folder changes)
  "Rename files of FOLDER, which fills SOURCE, by CHANGES of edited lines.
No file is overwritten, and names may be swapped.  Return an alist of the
changes that failed and the reasons."
  (listd--revive)
  (if (not (plist-get (car changes) :past))
      (listd-folders--edit listd--client source changes)
    (let* ((beside (listd-folders--beside source))
           (ids (listd-folders--find beside folder changes))
           (lost (seq-remove (lambda (change)
                               (when-let ((id (gethash (plist-get (plist-get change :item) :path) ids)))
                                 (plist-put change :id id)))
                             changes)))
      (append (mapcar (lambda (change) (cons change "it is no longer there")) lost)
              (listd-folders--edit listd--client beside (seq-difference changes lost #'eq))))))

(defun listd-folders-close (source)
  "Remove the lists of a buffer that is killed, and of its list SOURCE."
  (when (listd--runs listd--client)
    (dolist (list `(,listd--list ,source ,@(and listd-folders--past (list (listd-folders--beside source)))))
      (listd--ask 'removeList `(:list ,list) #'ignore #'ignore))))

(provide 'listd-folders)
;;; listd-folders.el ends here
