;;; listd-session-tests.el --- Recorded sessions in Emacs  -*- lexical-binding: t; -*-

;;; Commentary:

;; What the server said in the recorded sessions, applied and asked for anew.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'listd-harness)

(defconst listd-tests-sessions
  (expand-file-name "../../Sessions/" (file-name-directory load-file-name)))

(defun listd-tests-entries (path)
  "The messages of the session in PATH."
  (with-temp-buffer
    (insert-file-contents path)
    (let (entries)
      (while (not (eobp))
        ;; Some say things that Emacs does not read, such as huge integers.
        (ignore-errors
          (when (looking-at ".*\"message\":{")
            (push (json-parse-buffer :object-type 'plist :null-object nil
                                     :false-object :json-false)
                  entries)))
        (forward-line 1))
      (nreverse entries))))

(defun listd-tests-replay (path)
  "Play what the server said in PATH: how many texts were compared."
  (let ((texts (make-hash-table :test #'equal)) (compared 0))
    (dolist (entry (listd-tests-entries path))
      (let* ((message (plist-get entry :message))
             (got (or (plist-get message :result) (plist-get message :params)))
             (list (and (equal (plist-get entry :from) "server") (consp got)
                        (plist-get got :list)))
             (known (and list (gethash list texts))))
        (cond ((null list))
              ((and (plist-member got :text) (plist-member got :textRevision))
               (when (and known (eql (car known) (plist-get got :textRevision)))
                 (should (equal (cdr known) (plist-get got :text)))
                 (setq compared (1+ compared)))
               (puthash list (cons (plist-get got :textRevision) (plist-get got :text)) texts))
              ((and known (plist-member got :textEdits)
                    (eql (car known) (plist-get got :baseTextRevision)))
               (with-temp-buffer
                 (insert (cdr known))
                 (listd-edits-apply (listd-edits-read (plist-get got :textEdits)))
                 (puthash list (cons (plist-get got :textRevision) (buffer-string)) texts))))))
    compared))

(ert-deftest listd-tests-texts ()
  "The texts of all sessions."
  (let ((compared 0))
    (dolist (path (directory-files listd-tests-sessions t "\\.ndjson\\'"))
      (setq compared (+ compared (listd-tests-replay path))))
    (should (>= compared 6))))

(ert-deftest listd-tests-conversation ()
  "The conversation of a list in a buffer is answered as it was."
  (listd-stop)
  (let ((listd--connection nil) got wanted)
    (cl-letf* ((strip (lambda (params)
                        (cl-loop for (name value) on params by #'cddr
                                 unless (eq name :request) append (list name value))))
               ((symbol-function 'listd--notified)
                (lambda (_ method params)
                  (push (list (symbol-name method) (funcall strip params)) got))))
      (let ((client (listd-connection)))
        (dolist (entry (listd-tests-entries
                        (expand-file-name "a-list-in-a-buffer.ndjson" listd-tests-sessions)))
          (let* ((message (plist-get entry :message))
                 (method (plist-get message :method))
                 (params (plist-get message :params)))
            (cond ((and (equal (plist-get entry :from) "server") method)
                   (push (list method (funcall strip params)) wanted))
                  ((equal (plist-get entry :from) "server")
                   (push (or (plist-get message :error) (plist-get message :result)) wanted))
                  ((plist-member message :id)
                   (listd-connection-request client (intern method) params
                                             (lambda (result) (push result got))
                                             (lambda (err) (push err got)) 5)))))
        (listd-tests-wait "the answers" (lambda () (= (length got) (length wanted))))
        (should (> (length wanted) 30))
        (should (equal got wanted))
        (listd-stop)))))

;;; listd-session-tests.el ends here
