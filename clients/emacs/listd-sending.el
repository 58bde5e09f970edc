;;; listd-sending.el --- Large snapshots, sent in parts  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A large snapshot is sent in parts, so that no key waits until all of it is encoded.  The parts are
;; collected in a list beside, which is applied as one change.

;;; Code:

(require 'cl-lib)
(require 'seq)
(require 'subr-x)
(require 'listd-client)
(require 'listd-text)

(defconst listd-sending--part 500 "How many items are sent at a time.")
(defvar listd-sending--number 0 "The number of the last list beside.")
(defvar-local listd-sending--waiting nil
  "What is asked while a snapshot is being sent, reversed, or nil.
It ends with the symbol sending.")

(defun listd-sending--sections (method params)
  "The sections of the snapshot PARAMS of METHOD if it is large, else nil."
  (when (eq method 'applySnapshot)
    (let ((sections (cond ((plist-member params :sections) (plist-get params :sections))
                          ((plist-member params :items)
                           `[(:id "main" :items ,(plist-get params :items))])))
          (size 0))
      (when (vectorp sections)
        (seq-doseq (section sections)
          (let ((items (plist-get section :items)))
            (setq size (+ size 1 (if (functionp items) listd-sending--part (length items))))))
        (and (> size listd-sending--part) sections)))))

(defun listd-sending--some (items from most)
  "A vector of at most MOST of ITEMS from the index FROM on."
  (cond ((functionp items) (funcall items most))
        ((null items) [])
        (t (seq-subseq items from (min (length items) (+ from most))))))

(defun listd-sending--parts (sections)
  "A function that returns the next edits that append SECTIONS to a list.
The list must be empty.  After the last edit the function returns nil."
  (let ((rest (append sections nil)) (from 0))
    (lambda ()
      (let ((room listd-sending--part) part)
        (while (and rest (> room 0))
          (let* ((section (car rest)) (items (plist-get section :items))
                 (some (listd-sending--some items from room)) (count (length some)))
            (cond ((= from 0)
                   (push `(:edit "appendSections"
                                 :sections [,(plist-put (copy-sequence section) :items some)])
                         part))
                  ((> count 0)
                   (push `(:edit "appendItems" :section ,(plist-get section :id) :items ,some)
                         part)))
            (setq from (+ from count))
            (when (if (functionp items) (< count room) (= from (length items)))
              (setq rest (cdr rest) from 0))
            (setq room (- room count 1))))
        (and part (vconcat (nreverse part)))))))

(defun listd-sending--send (method params done otherwise)
  "Ask for METHOD, a change of the list, with PARAMS.
DONE and OTHERWISE are those of `listd--ask'.  A large snapshot is sent
in parts; what is asked meanwhile waits."
  (let (sections)
    (cond (listd-sending--waiting
           (push (lambda () (listd-sending--send method params done otherwise))
                 listd-sending--waiting))
          ((setq sections (listd-sending--sections method params))
           (let ((beside (format "listd:next:%s%d:%s" (if listd--shared (emacs-pid) "")
                                 (cl-incf listd-sending--number) listd--list)))
             (listd--ask 'applySnapshot `(:list ,beside :sections [] :format "none")
                         (lambda (_)
                           (listd-sending--next beside (listd-sending--parts sections) params
                                                done otherwise))
                         (listd-sending--failed beside method otherwise))
             (setq listd-sending--waiting '(sending))))
          (t (listd--ask method params done otherwise)))))

(defun listd-sending--failed (beside method otherwise)
  "A function of an error of METHOD, which gives up the list BESIDE.
OTHERWISE gets the error."
  (lambda (err)
    (listd--ask 'removeList `(:list ,beside) #'ignore #'ignore)
    (listd-sending--later)
    (if otherwise (funcall otherwise err) (listd--warn method err))))

(defun listd-sending--next (beside parts params done otherwise)
  "Send the first of PARTS, a function, to the list BESIDE, then the others.
At the end apply it with the other members of PARAMS, for DONE and
OTHERWISE."
  (if-let ((part (funcall parts)))
      (listd--ask 'editSnapshot `(:list ,beside :edits ,part :format "none")
                  (lambda (_)
                    (listd-sending--next beside parts params done otherwise))
                  (listd-sending--failed beside 'applySnapshot otherwise))
    (let ((follows (or (> (buffer-size) 0) listd--rereading)))
      (unless follows
        (setq listd--following nil)          ; the change would have all of the text
        (listd--subscribe "none"))
      (listd--ask 'applySnapshot
                  (cl-loop for (name value) on params by #'cddr
                           unless (memq name '(:sections :items)) append (list name value) into all
                           finally return `(,@all :snapshot (:list ,beside)))
                  done otherwise)
      (unless follows
        (listd--follow)))
    (listd--ask 'removeList `(:list ,beside) #'ignore #'ignore)
    (listd-sending--later)))

(defun listd-sending--later ()
  "Send what was asked meanwhile."
  (let ((waiting (cdr (reverse listd-sending--waiting))))
    (setq listd-sending--waiting nil)
    (mapc #'funcall waiting)))

(provide 'listd-sending)
;;; listd-sending.el ends here
