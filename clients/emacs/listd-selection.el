;;; listd-selection.el --- The selected rows of a list  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The selected rows, as ranges, are kept as the JSON text in which the daemon has sent them,
;; `[{"at":[0,1],"count":1},…]': every change repeats all of them, and few are read.

;;; Code:

(require 'seq)
(require 'subr-x)

(defconst listd-selection-none "[]" "No rows.")
(defconst listd-selection--large 4000 "Characters of ranges that are not decoded with their message.")
(defconst listd-selection--chunk 1000 "How many characters are compared at a time.")
(defconst listd-selection--many 6000 "Characters of moves that are not decoded with their message.
They are more than listd-edits.el makes use of.")
(defconst listd-selection--first "{\"at\":[" "How a range begins.")
(defconst listd-selection--range "{\"at\":\\[\\([0-9]+\\),\\([0-9]+\\)],\"count\":\\([0-9]+\\)}")

(defun listd-selection--json (text)
  "Decode TEXT."
  (json-parse-string text :object-type 'plist :null-object nil :false-object :json-false))

(defun listd-selection--extract (key begin large)
  "Put 0 for the member KEY of the message in the buffer, if it is LARGE.
It begins with BEGIN, and its objects have no arrays of objects.  Return
nil, or its position and its text."
  (goto-char (point-min))
  (let ((start (format "\"%s\":%s" (substring (symbol-name key) 1) begin)) from found)
    (while (and (null found) (search-forward start nil t))
      (setq from (- (point) (length begin)))
      (when (and (search-forward "}]" nil t) (>= (- (point) from) large))
        (setq found (list key from (delete-and-extract-region from (point))))
        (insert "0")))
    found))

(defun listd-selection-parse ()
  "Decode the accessible part of the buffer, a message, as a plist.
If its params or result have a large `selection' or many `moves', that is
the JSON text."
  (let* ((case-fold-search nil)
         (raw (delq nil (list (listd-selection--extract :moves "[{\"from\":" listd-selection--many)
                              (listd-selection--extract :selection "[{\"at\":["
                                                        listd-selection--large))))
         (message (progn (goto-char (point-min))
                         (json-parse-buffer :object-type 'plist :null-object nil
                                            :false-object :json-false)))
         (state (or (plist-get message :params) (plist-get message :result))))
    (if (seq-every-p (lambda (one) (and (consp state) (eql (plist-get state (car one)) 0))) raw)
        (pcase-dolist (`(,key ,_ ,text) raw)
          (plist-put state key text))
      ;; An item has a member of that name.
      (pcase-dolist (`(,_ ,from ,text) (reverse raw))
        (goto-char from)
        (delete-char 1)
        (insert text))
      (setq message (listd-selection--json (buffer-string))))
    message))

(defun listd-selection-full (state)
  "STATE, a result or params, with the ranges and moves themselves."
  (dolist (key '(:selection :moves) state)
    (when (and (consp state) (stringp (plist-get state key)))
      (setq state (plist-put (copy-sequence state) key
                             (listd-selection--json (plist-get state key)))))))

(defun listd-selection-of (state)
  "The selection of STATE."
  (let ((ranges (plist-get state :selection)))
    (if (vectorp ranges)
        (json-serialize ranges)
      ranges)))

(defvar listd-selection--counted nil "A selection and its number of rows.")

(defun listd-selection-rows (selection)
  "The number of rows of SELECTION."
  (unless (eq selection (car listd-selection--counted))
    (let ((from 0) (rows 0))
      (while (setq from (string-search "\"count\":" selection from))
        (setq from (+ from 8)
              rows (+ rows (if (eq (aref selection (1+ from)) ?})
                               (- (aref selection from) ?0)
                             (string-to-number
                              (substring selection from (string-search "}" selection from)))))))
      (setq listd-selection--counted (cons selection rows))))
  (cdr listd-selection--counted))

(defun listd-selection--match (selection start)
  "The first range of SELECTION that begins at START or later, or nil.
It is a list (SECTION ROW COUNT)."
  (when (string-match listd-selection--range selection start)
    (mapcar (lambda (group) (string-to-number (match-string group selection))) '(1 2 3))))

(defun listd-selection-holds (selection path)
  "Whether the row of PATH is selected.  O(log ranges)."
  (let ((low 0) (high (length selection)) before)
    (while (< low high)
      (let* ((middle (/ (+ low high) 2))
             (range (listd-selection--match selection middle)))
        (if (or (null range) (> (car range) (aref path 0))
                (and (= (car range) (aref path 0)) (> (nth 1 range) (aref path 1))))
            (setq high middle)
          (setq before range low (match-end 0)))))
    (and before (= (car before) (aref path 0))
         (< (aref path 1) (+ (nth 1 before) (nth 2 before))))))

(defun listd-selection-slice (selection start most)
  "The ranges of SELECTION from the character START on, at most MOST.
A cons of a vector of plists and the position of the next one, nil if
there is none."
  (let ((stop start) (count 0))
    (while (and (< count most) (string-match listd-selection--range selection stop))
      (setq stop (match-end 0) count (1+ count)))
    (cons (if (= count 0)
              []
            (listd-selection--json
             (concat "[" (string-trim-left (substring selection start stop) "[^{]+") "]")))
          (string-search listd-selection--first selection stop))))

(defun listd-selection--difference (these those op)
  "The rows of THESE ranges that are not in THOSE, as OP and its range each."
  (let ((from 0) (count (length those)) found)
    (seq-doseq (range these)
      (pcase-let* ((`[,section ,row] (plist-get range :at))
                   (stop (+ row (plist-get range :count)))
                   (emit (lambda (end)
                           (when (< row end)
                             (push `(:op ,op :at [,section ,row] :count ,(- end row)) found))))
                   (start-of (lambda (k) (plist-get (aref those k) :at)))
                   (end-of (lambda (k) (+ (aref (funcall start-of k) 1)
                                          (plist-get (aref those k) :count)))))
        (while (and (< from count)
                    (let ((at (funcall start-of from)))
                      (or (< (aref at 0) section)
                          (and (= (aref at 0) section) (<= (funcall end-of from) row)))))
          (setq from (1+ from)))
        (let ((k from))
          (while (and (< k count) (= (aref (funcall start-of k) 0) section)
                      (< (aref (funcall start-of k) 1) stop))
            (funcall emit (aref (funcall start-of k) 1))
            (setq row (max row (funcall end-of k)) k (1+ k))))
        (funcall emit stop)))
    (nreverse found)))

(defun listd-selection--middle (selection head tail)
  "The ranges of SELECTION without those that only its ends have.
These are HEAD and TAIL characters long."
  (let ((first (max 1 (min head (1- (length selection))))) last)
    (while (and (> first 1) (/= (aref selection first) ?{))
      (setq first (1- first)))
    (setq last (string-search "}" selection (max first (- (length selection) tail 1))))
    (listd-selection--json (concat "[" (substring selection first (if last (1+ last) -1)) "]"))))

(defun listd-selection-compare (now before)
  "The ops that lead from the selection BEFORE to NOW, a vector.
Only the parts of the two texts that differ are decoded."
  (let* ((size (length now)) (other (length before)) (shorter (min size other))
         (chunk listd-selection--chunk)
         (same (compare-strings now nil nil before nil nil))
         (head (if (eq same t) shorter (1- (abs same))))
         (tail 0))
    (if (eq same t)
        []
      (while (and (< (+ tail chunk) (- shorter head))
                  (eq t (compare-strings now (- size tail chunk) (- size tail)
                                         before (- other tail chunk) (- other tail))))
        (setq tail (+ tail chunk)))
      (let ((mine (listd-selection--middle now head tail))
            (theirs (listd-selection--middle before head tail)))
        (vconcat (listd-selection--difference mine theirs "selectItems")
                 (listd-selection--difference theirs mine "deselectItems"))))))

;; If the source is loaded, the functions that read each range are compiled nevertheless.
(dolist (function '(listd-selection-rows listd-selection-slice listd-selection--difference))
  (unless (byte-code-function-p (symbol-function function))
    (byte-compile function)))

(provide 'listd-selection)
;;; listd-selection.el ends here
