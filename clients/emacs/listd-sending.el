;;; listd-sending.el --- Large snapshots, sent in parts  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A large snapshot is sent in parts, so that no key waits until all of it is encoded.  The parts are
;; collected in a list beside, which is applied as one change.

;;; Code:

(require 'cl-lib)
(require 'seq)
(require 'listd-client)
(require 'listd-text)

(defconst listd-sending--part 1000 "How many items are sent at a time.")
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
          (setq size (+ size 1 (length (plist-get section :items)))))
        (and (> size listd-sending--part) sections)))))

(defun listd-sending--parts (sections)
  "The edits that append SECTIONS to an empty list, in parts."
  (let ((room listd-sending--part) parts part)
    (seq-doseq (section sections)
      (let ((items (plist-get section :items)) (first 0))
        (while (or (= first 0) (< first (length items)))
          (when (<= room 0)
            (push (vconcat (nreverse part)) parts)
            (setq part nil room listd-sending--part))
          (let ((some (if items (seq-subseq items first (min (length items) (+ first room))) [])))
            (push (if (= first 0)
                      `(:edit "appendSections"
                              :sections [,(plist-put (copy-sequence section) :items some)])
                    `(:edit "appendItems" :section ,(plist-get section :id) :items ,some))
                  part)
            (setq first (+ first (max 1 (length some))) room (- room (length some) 1))))))
    (nreverse (cons (vconcat (nreverse part)) parts))))

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
  "Send the first of PARTS to the list BESIDE, then the others.
At the end apply it with the other members of PARAMS, for DONE and
OTHERWISE."
  (if parts
      (listd--ask 'editSnapshot `(:list ,beside :edits ,(car parts) :format "none")
                  (lambda (_)
                    (listd-sending--next beside (cdr parts) params done otherwise))
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
