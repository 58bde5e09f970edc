;;; listd-rows.el --- Which row a line shows  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A line means the row that it showed when it was asked for, whatever changes before the answer comes.
;; What is done with rows is done in the order of asking.  Lines are counted from 0.

;;; Code:

(require 'cl-lib)
(require 'seq)
(require 'listd-client)

(defvar-local listd--revision 0)
(defvar-local listd--text-revision nil "Nil while the text of the daemon is not known.")
(defvar-local listd--cursor nil "The path of the row that the daemon has the cursor on.")
(defvar-local listd--cursor-line nil "The line of the cursor, in the daemon's text.")
(defvar-local listd--section-ids nil "Of the sections, as they were applied last.")
(defvar-local listd--turns nil "What is asked about rows, in the order of asking.")
(defvar-local listd--acts nil "What is done with the answers, in the same order.")

(defun listd--known (line)
  "Whether LINE is where the daemon has the cursor."
  (and listd--cursor-line listd--cursor listd--text-revision (= line listd--cursor-line)))

(defconst listd--slice 500
  "How many items are found or selected at a time.")

(defun listd--ref (line text-revision)
  "A reference to the item that LINE shows in the text TEXT-REVISION."
  `(:line ,line :textRevision ,text-revision))

(defun listd--resolve (line done)
  "Find the row of LINE.
DONE gets a reference to the row, and what `locate' says of the line.
Both are nil if nothing can be known, and the row if it is none."
  (let ((text-revision listd--text-revision) (revision listd--revision)
        (nothing (lambda (_) (funcall done nil nil))))
    (cl-flet ((answer (found at-revision)
                (let* ((place (aref (plist-get found :lines) 0)) (at (plist-get place :at)))
                  (funcall done (and at `(:path ,at :revision ,at-revision)) place))))
      (cond
       ((listd--known line)
        (funcall done `(:path ,listd--cursor :revision ,revision) `(:at ,listd--cursor)))
       ((null text-revision) (funcall nothing nil))
       (t
        (listd--ask
         'locate `(:list ,listd--list :lines [,line])
         (lambda (found)
           (if (eql text-revision listd--text-revision)
               (answer found listd--revision)
             ;; A change has come first, and this is a row of the new text.
             (listd--locate-in-past revision `(:lines [,line])
                                    (lambda (then) (answer then revision))
                                    nothing)))
         nothing))))))

(defun listd--locate-in-past (revision params done otherwise)
  "Ask `locate' with PARAMS about the list as it was at REVISION.
A copy of it has the text as it was; its paths at that revision name
rows of the list by identity.  DONE gets the result, OTHERWISE the error."
  (let ((past (format "listd:past:%s%s" (if listd--shared (emacs-pid) "") listd--list)))
    (listd--ask 'applySnapshot
                `(:list ,past :snapshot (:list ,listd--list :revision ,revision) :format "none")
                #'ignore #'ignore)
    (listd--ask 'locate `(:list ,past ,@params) done otherwise)
    (listd--ask 'removeList `(:list ,past) #'ignore #'ignore)))

(defun listd--items (first last done)
  "Find the items of the lines FIRST to LAST, in slices.
DONE gets a list with a reference to each, once: a row may have several
lines, and an item several rows.  What is toggled twice would be as it
was."
  (let ((text-revision listd--text-revision) items)
    (cl-labels
        ((find (from)
           (let* ((end (min (1+ last) (+ from listd--slice)))
                  ;; The last item may have rows in this slice, too.  Paths of one answer are comparable.
                  (before (and items (list (car items)))) (known (make-hash-table :test #'equal))
                  (lines (cl-loop for line from from below end
                                  collect (listd--ref line text-revision))))
             (listd--ask
              'locate `(:list ,listd--list :items ,(vconcat before lines))
              (lambda (found)
                (seq-doseq (place (plist-get found :items))
                  (let ((at (plist-get place :at)))
                    (unless (or (null at) (gethash at known))
                      (puthash at t known)
                      (unless before
                        (push `(:path ,at :revision ,(plist-get found :revision)) items))))
                  (setq before nil))
                (if (<= end last) (find end) (funcall done (nreverse items))))
              (lambda (_) (funcall done nil))))))
      (cond ((null text-revision) (funcall done nil))
            ((= first last) (funcall done (list (listd--ref first text-revision))))
            (t (find first))))))

(defun listd--content (row place done)
  "Find what is in ROW, an item reference: DONE gets a plist, or nil.
It has :item, :part, :id, :section, :at and :ref.  If there is no row,
and PLACE, which `locate' gave, is a header or footer, it has :section
and :header or :footer."
  (cond
   (row
    (listd--ask
     'locate `(:list ,listd--list :paths [,(plist-get row :path)])
     (lambda (found)
       (let ((here (aref (plist-get found :paths) 0)))
         (if (and here (eql (plist-get found :revision) (plist-get row :revision)))
             (let* ((content (plist-get here :content))
                    (part (and (consp content) (plist-get content :$part))))
               (funcall done `(:item ,(if part (plist-get content :$item) content) :part ,part
                                     :id ,(plist-get here :id) :at ,(plist-get row :path) :ref ,row
                                     :section ,(listd--section here (aref (plist-get row :path) 0)))))
           ;; The list has changed since: look up the item's new path, which is that of its first row.
           (listd--ask 'locate `(:list ,listd--list :items [,row])
                       (lambda (now)
                         (let ((item (aref (plist-get now :items) 0)))
                           (if item
                               (listd--content `(:path ,(plist-get item :at)
                                                       :revision ,(plist-get now :revision))
                                               nil
                                               (lambda (first) (listd--part-of first row done)))
                             (funcall done nil))))
                       (lambda (_) (funcall done nil))))))
     (lambda (_) (funcall done nil))))
   ((or (plist-get place :header) (plist-get place :footer))
    (funcall done `(:section ,(listd--section place (plist-get place :section))
                             ,(if (plist-get place :header) :header :footer) t)))
   (t (funcall done nil))))

(defun listd--part-of (first row done)
  "Call DONE with FIRST, what is in the first row of an item, for ROW of it.
ROW refers to an older revision."
  (if (not (plist-get first :part))
      (funcall done first)
    (listd--locate-in-past
     (plist-get row :revision) `(:paths [,(plist-get row :path)])
     (lambda (past)
       (let ((here (aref (plist-get past :paths) 0)))
         (setq first (plist-put first :part (plist-get (plist-get here :content) :$part)))
         (funcall done (plist-put first :ref row))))
     (lambda (_) (funcall done nil)))))

(defun listd--section (place number)
  "The id of the section of PLACE, which is NUMBER."
  (or (plist-get place :sectionId) (nth number listd--section-ids)))

(defun listd--step (queue)
  "Keep a place in QUEUE, the name of a variable.
Return a function that says what to run there."
  (let ((step (list nil)))
    (set queue (append (symbol-value queue) (list step)))
    (lambda (run)
      (setcar step run)
      (while (caar (symbol-value queue))
        (funcall (car (pop (symbol-value queue))))))))

(defun listd--in-turn (run)
  "Call RUN when all that was asked for before has been sent."
  (funcall (listd--step 'listd--turns) run))

(defun listd--with-row (line act)
  "Do something with the row of LINE, in turn.
ACT gets a reference to it and what `locate' says of the line."
  (let ((ready (listd--step 'listd--turns)))
    (listd--resolve line (lambda (row place)
                           (funcall ready (lambda () (funcall act row place)))))))

(defun listd--select (action first last)
  "Do ACTION of `select' with the items of the lines FIRST to LAST, in turn."
  (let ((begin (listd--step 'listd--turns)) (finish (listd--step 'listd--turns)))
    (listd--items first last
                  (lambda (items)
                    (when (equal action "extend")
                      (setq items (last items)))
                    (funcall begin (lambda ()
                                     (listd--select-slices
                                      action items (lambda () (funcall finish #'ignore)))))))))

(defun listd--select-slices (action items done)
  "Do ACTION with ITEMS, a list of references, in slices.
Call DONE when the last slice is sent."
  (let ((rest (nthcdr listd--slice items)))
    (when items
      (listd--select-some action (vconcat (seq-take items listd--slice))
                          (lambda (err)
                            ;; The line may be a header, or the item just deleted.
                            (cond ((and err (not (eql (plist-get err :code) -31005)))
                                   (listd--warn 'select err)
                                   (when rest (funcall done)))
                                  (rest (listd--select-slices
                                         (if (equal action "replace") "select" action)
                                         rest done))))))
    (unless rest (funcall done))))

(defun listd--select-some (action items done)
  "Do ACTION with ITEMS, a vector of references; call DONE with nil or an error.
Items that were deleted meanwhile are left out: the request as a whole
would fail."
  (listd--ask 'select `(:list ,listd--list :action ,action :items ,items)
              (lambda (_) (funcall done nil))
              (lambda (err)
                (if (or (not (eql (plist-get err :code) -31005)) (= (length items) 1))
                    (funcall done err)
                  (listd--ask 'locate `(:list ,listd--list :items ,items)
                              (lambda (found)
                                (let ((revision (plist-get found :revision)) some)
                                  (seq-doseq (place (plist-get found :items))
                                    (when place
                                      (push `(:path ,(plist-get place :at) :revision ,revision)
                                            some)))
                                  (if some
                                      (listd--select-some action (vconcat (nreverse some)) done)
                                    (funcall done nil))))
                              done)))))

(defun listd--with-selected (line act)
  "Call ACT with the selected items and what LINE shows.
Both are as they are when it is the turn."
  (let ((ready (listd--step 'listd--acts)) selection place found)
    (cl-flet ((both ()
                (when (and selection found)
                  (funcall ready (lambda ()
                                   (funcall act (plist-get selection :items) place))))))
      (listd--with-row line
                       (lambda (row at)
                         (listd--ask 'getSelection `(:list ,listd--list)
                                     (lambda (result)
                                       (setq selection result)
                                       (both))
                                     (lambda (err)
                                       (funcall ready
                                                (lambda () (listd--warn 'getSelection err)))))
                         (listd--content row at
                                         (lambda (shown)
                                           (setq place shown found t)
                                           (both))))))))

(provide 'listd-rows)
;;; listd-rows.el ends here
