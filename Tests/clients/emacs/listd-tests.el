;;; listd-tests.el --- The Emacs client on a folder that changes  -*- lexical-binding: t; -*-

;;; Commentary:

;; emacs -Q --batch -L clients/emacs -l Tests/clients/emacs/listd-tests.el \
;;   -f ert-run-tests-batch-and-exit

;;; Code:

(require 'ert)
(require 'listd)
(require 'listd-files)

(setq listd-files-delay nil)

(defconst listd-tests-six
  '(("apple" . 1) ("banana" . 2) ("cherry" . 3) ("date" . 4) ("elder" . 5) ("fig" . 6)))

(defun listd-tests-wait (what condition)
  "Handle events until CONDITION holds; WHAT is waited for."
  (let ((end (+ (float-time) 5)))
    (while (not (funcall condition))
      (when (> (float-time) end)
        (error "Waited in vain: %s" what))
      (accept-process-output nil 0.002))))

(defun listd-tests-settle ()
  "Wait until nothing is under way: each answer may have led to another question."
  (let ((quiet 0))
    (while (< quiet 3)
      (listd-call 'getLists nil)
      (accept-process-output nil 0.002)
      (setq quiet (if (zerop (hash-table-count
                              (jsonrpc--request-continuations (listd-connection))))
                      (1+ quiet)
                    0)))))

(defun listd-tests-write (path bytes)
  "Make PATH a file of BYTES."
  (let ((coding-system-for-write 'no-conversion))
    (write-region (make-string bytes ?x) nil path nil 'quiet)))

(defun listd-tests-lines ()
  "The lines of the buffer."
  (split-string (buffer-substring-no-properties (point-min) (point-max)) "\n" t))

(defun listd-tests-line ()
  "The line that point is on."
  (buffer-substring-no-properties (line-beginning-position) (line-end-position)))

(defun listd-tests-marked ()
  "The lines that are marked as selected."
  (sort (mapcan (lambda (overlay)
                  (when (overlay-get overlay 'listd)
                    (split-string (buffer-substring-no-properties
                                   (overlay-start overlay) (overlay-end overlay))
                                  "\n" t)))
                (overlays-in (point-min) (point-max)))
        #'string<))

(defun listd-tests-go (name)
  "Go to the line that begins with NAME, as a command would."
  (goto-char (point-min))
  (re-search-forward (concat "^" name))
  (beginning-of-line)
  (set-window-point (selected-window) (point))
  (run-hooks 'post-command-hook))

(defun listd-tests-refresh (what condition)
  "Refresh, wait for WHAT, that is until CONDITION holds, and for all that follows."
  (revert-buffer)
  (listd-tests-wait what condition)
  (listd-tests-settle))

(defun listd-tests-touched ()
  "Count the lines that change from now on: a list, its car the number."
  (let ((count (list 0)) (before 0))
    (add-hook 'before-change-functions
              (lambda (start end) (setq before (count-lines start end)))
              nil t)
    (add-hook 'after-change-functions
              (lambda (start end _)
                (setcar count (+ (car count) (max 1 before (count-lines start end)))))
              nil t)
    count))

(defmacro listd-tests-with (files &rest body)
  "Show a new folder with FILES, names with sizes; do BODY with `dir' and `file' at hand."
  (declare (indent 1) (debug t))
  `(let* ((dir (file-name-as-directory (make-temp-file "listd" t)))
          (file (lambda (name) (concat dir name))))
     (ignore file)
     (pcase-dolist (`(,name . ,bytes) ,files)
       (listd-tests-write (concat dir name) bytes))
     (unwind-protect
         (with-current-buffer (listd-files dir)
           (listd-tests-wait "files" (lambda () (= (listd--count) (length ,files))))
           (listd-tests-settle)
           ,@body)
       (let ((buffer (gethash (concat "files:" dir) listd--buffers)))
         (when (buffer-live-p buffer)
           (kill-buffer buffer)))
       (delete-directory dir t))))

(ert-deftest listd-tests-folder ()
  "The files of a folder, folders first."
  (listd-tests-with '(("b" . 2000) ("a" . 5))
    (make-directory (funcall file "z"))
    (listd-tests-refresh "the new folder" (lambda () (= (listd--count) 3)))
    (should (equal (listd-tests-lines) '("z/" "a  5B" "b  2.0K")))
    ;; The first row has point.
    (should (equal (listd-tests-line) "a  5B"))))

(ert-deftest listd-tests-stays ()
  "Point, the selection and foreign marks stay while others change."
  (listd-tests-with listd-tests-six
    (listd-tests-go "banana")
    (listd-toggle)
    (listd-tests-settle)
    (listd-tests-go "date")
    (listd-toggle)
    (listd-tests-settle)
    (should (equal (listd-tests-marked) '("banana  2B" "date  4B")))
    (let* ((bol (point))
           (marker (copy-marker (+ bol 2)))
           (first (copy-marker bol))
           (inside (make-overlay bol (+ bol 4)))
           (whole (make-overlay bol (line-beginning-position 2)))
           (touched (listd-tests-touched)))
      (rename-file (funcall file "apple") (funcall file "zebra")) ; from above point to the end
      (delete-file (funcall file "cherry"))
      (listd-tests-write (funcall file "aardvark") 7)
      (listd-tests-write (funcall file "coconut") 8) ; just before the marks
      (listd-tests-write (funcall file "dewberry") 9) ; just after them
      (listd-tests-refresh "the change" (lambda () (= (listd--count) 8)))
      (should (equal (listd-tests-lines)
                     '("aardvark  7B" "banana  2B" "coconut  8B" "date  4B" "dewberry  9B"
                       "elder  5B" "fig  6B" "zebra  1B")))
      (should (equal (listd-tests-line) "date  4B"))
      (should (equal (listd-tests-marked) '("banana  2B" "date  4B")))
      (let ((bol (line-beginning-position)))
        (should (= marker (+ bol 2)))
        (should (= first bol))
        (should (equal (list (overlay-start inside) (overlay-end inside))
                       (list bol (+ bol 4))))
        (should (equal (list (overlay-start whole) (overlay-end whole))
                       (list bol (line-beginning-position 2)))))
      (should (<= (car touched) 6)))))

(ert-deftest listd-tests-follows ()
  "Point follows its file through a new name."
  (listd-tests-with listd-tests-six
    (listd-tests-go "banana")
    (listd-toggle)
    (listd-tests-settle)
    (forward-char 3)
    (rename-file (funcall file "banana") (funcall file "quince"))
    (listd-tests-refresh "the new name" (lambda () (member "quince  2B" (listd-tests-lines))))
    (should (equal (listd-tests-line) "quince  2B"))
    (should (= (current-column) 3))
    (should (equal (listd-tests-marked) '("quince  2B")))))

(ert-deftest listd-tests-gone ()
  "Where the file at point goes, the next one has it."
  (listd-tests-with listd-tests-six
    (listd-tests-go "cherry")
    (listd-tests-settle)
    (delete-file (funcall file "cherry"))
    (listd-tests-refresh "the change" (lambda () (= (listd--count) 5)))
    (should (equal (listd-tests-line) "date  4B"))))

(ert-deftest listd-tests-grows ()
  "A file that grows changes its line alone, and marks in it stay."
  (listd-tests-with listd-tests-six
    (listd-tests-go "date")
    (let ((marker (copy-marker (+ (point) 2)))
          (overlay (make-overlay (point) (+ (point) 4)))
          (touched (listd-tests-touched)))
      (goto-char (point-min))
      (listd-tests-write (funcall file "date") 44)
      (listd-tests-refresh "the change" (lambda () (member "date  44B" (listd-tests-lines))))
      (should (= (car touched) 1))
      (listd-tests-go "date")
      (should (= marker (+ (point) 2)))
      (should (equal (list (overlay-start overlay) (overlay-end overlay))
                     (list (point) (+ (point) 4)))))))

(ert-deftest listd-tests-screen ()
  "The row that point is on stays where it is in the window."
  (listd-tests-with (mapcar (lambda (number) (cons (format "file%d" number) number))
                            (number-sequence 100 299))
    (listd-tests-go "file250")
    (set-window-start (selected-window) (line-beginning-position -2))
    (listd-tests-settle)
    (dolist (number (number-sequence 100 120))
      (delete-file (funcall file (format "file%d" number))))
    (listd-tests-refresh "the change" (lambda () (= (listd--count) 179)))
    (should (string-prefix-p "file250" (listd-tests-line)))
    (should (= (window-start) (line-beginning-position -2)))))

(ert-deftest listd-tests-moving ()
  "Changes under a point that moves."
  (listd-tests-with listd-tests-six
    (dotimes (round 30)
      (listd-tests-write (funcall file (format "a%d" round)) round)
      (revert-buffer)
      (if (< (line-number-at-pos) (listd--count))
          (forward-line 1)
        (goto-char (point-min)))
      (run-hooks 'post-command-hook)
      (let ((name (car (split-string (listd-tests-line)))))
        (listd-tests-wait (format "round %d" round) (lambda () (= (listd--count) (+ 7 round))))
        (should (equal name (car (split-string (listd-tests-line)))))))
    (listd-tests-settle)
    (let ((now (listd-call 'getText `(:list ,listd--list))))
      (should (equal (buffer-string) (plist-get now :text)))
      (should (equal (1- (line-number-at-pos)) (plist-get now :cursorLine))))))

(ert-deftest listd-tests-selecting ()
  "All, others, none, a range, a region."
  (listd-tests-with listd-tests-six
    (listd-select-all)
    (listd-tests-settle)
    (should (= (length (listd-tests-marked)) 6))
    (listd-select-none)
    (listd-tests-settle)
    (should-not (listd-tests-marked))
    (listd-tests-go "banana")
    (listd-select)
    (should (string-prefix-p "cherry" (listd-tests-line)))
    (listd-tests-settle)
    (listd-tests-go "elder")
    (listd-extend)
    (listd-tests-settle)
    (should (= (length (listd-tests-marked)) 4))
    (listd-invert)
    (listd-tests-settle)
    (should (equal (listd-tests-marked) '("apple  1B" "fig  6B")))
    (goto-char (point-min))
    (transient-mark-mode 1)
    (push-mark (point) t t)
    (forward-line 3)
    (listd-select)
    (listd-tests-settle)
    (should (equal (listd-tests-marked) '("apple  1B" "banana  2B" "cherry  3B" "fig  6B")))
    (let (names)
      (listd-selected (lambda (items)
                        (setq names (mapcar (lambda (item) (plist-get item :name)) items))))
      (listd-tests-settle)
      (should (equal names '("apple" "banana" "cherry" "fig"))))))

(ert-deftest listd-tests-open ()
  "Opening a file, and the list's end with its buffer."
  (listd-tests-with listd-tests-six
    (let ((list listd--list) (buffer (current-buffer)))
      (listd-tests-go "cherry")
      (call-interactively (key-binding (kbd "RET")))
      (listd-tests-wait "the file" (lambda ()
                                     (equal (buffer-file-name (window-buffer))
                                            (funcall file "cherry"))))
      (kill-buffer (window-buffer))
      (should (eq (listd-files dir) buffer))
      (should (equal (listd-tests-line) "cherry  3B"))
      (kill-buffer buffer)
      (should-not (seq-find (lambda (told) (equal (plist-get told :list) list))
                            (plist-get (listd-call 'getLists nil) :lists))))))

(ert-deftest listd-tests-windows ()
  "Each of two windows keeps its row."
  (listd-tests-with listd-tests-six
    (delete-other-windows)
    (let ((other (split-window)))
      (listd-tests-go "cherry")
      (listd-tests-settle)
      (set-window-point other (save-excursion (goto-char (point-max))
                                              (line-beginning-position 0)))
      (listd-tests-write (funcall file "aardvark") 1)
      (listd-tests-refresh "the change" (lambda () (= (listd--count) 7)))
      (should (equal (listd-tests-line) "cherry  3B"))
      (goto-char (window-point other))
      (should (equal (listd-tests-line) "fig  6B"))
      (delete-window other))))

(ert-deftest listd-tests-pending ()
  "What waits fails when the daemon dies."
  (listd-stop)
  (let* ((listd-command '("sleep" "60")) (listd--connection nil) failed)
    (with-temp-buffer
      (setq listd--client (listd-connection))
      (dotimes (_ 2)
        (listd--ask 'getText '(:list "l") #'ignore (lambda (err) (push err failed))))
      (kill-process (jsonrpc--process listd--client))
      (cl-letf (((symbol-function 'display-warning) #'ignore))
        (listd-tests-wait "the end" (lambda () (= (length failed) 2))))
      (should (equal (plist-get (car failed) :message) "Server died")))))

(ert-deftest listd-tests-death ()
  "The daemon's death is told, and refreshing starts anew."
  (listd-tests-with listd-tests-six
    (listd-tests-go "date")
    (listd-tests-settle)
    (let ((client listd--client) refused warned)
      (listd--ask 'getText '(:list "nowhere") #'ignore (lambda (err) (push err refused)))
      (listd-tests-settle)
      (should (eql (plist-get (car refused) :code) -31001))
      (kill-process (jsonrpc--process client))
      (cl-letf (((symbol-function 'display-warning)
                 (lambda (_type message &rest _) (push message warned))))
        (listd-tests-wait "the warning" (lambda () warned)))
      (should (equal (length warned) 1))
      (should (= (listd--count) 6))
      (rename-file (funcall file "apple") (funcall file "zebra"))
      (listd-tests-refresh "the change, by another daemon"
                           (lambda () (member "zebra  1B" (listd-tests-lines))))
      (should-not (eq client listd--client))
      (should (equal (listd-tests-line) "date  4B"))
      (listd-toggle)
      (listd-tests-settle)
      (should (equal (listd-tests-marked) '("date  4B"))))))

(ert-deftest listd-tests-empty ()
  "A folder that is emptied and filled again."
  (listd-tests-with '(("a" . 1) ("b" . 2))
    (delete-file (funcall file "a"))
    (delete-file (funcall file "b"))
    (listd-tests-refresh "emptied" (lambda () (= (buffer-size) 0)))
    (listd-tests-write (funcall file "c") 3)
    (listd-tests-refresh "filled" (lambda () (= (listd--count) 1)))
    (should (equal (listd-tests-lines) '("c  3B")))))

(ert-deftest listd-tests-names ()
  "Names that are no proper text, or more than a line."
  (listd-tests-with '(("a\nb" . 1) ("c\377" . 1) ("{x}" . 1) ("ü" . 1))
    (should (equal (listd-tests-lines) '("a^Jb  1B" "c\\377  1B" "{x}  1B" "ü  1B")))))

(ert-deftest listd-tests-watch ()
  "The list follows the folder by itself."
  (let ((listd-files-delay 0.02))
    (listd-tests-with '(("a" . 1))
      (skip-unless listd-files--watch)
      (listd-tests-write (funcall file "b") 2)
      (let ((end (+ (float-time) 5)))
        (while (and (< (listd--count) 2) (< (float-time) end))
          (read-event nil nil 0.02)))
      (should (equal (listd-tests-lines) '("a  1B" "b  2B"))))))

;;;; Lists with headers, rows of several lines and marks in the text

(ert-deftest listd-tests-edits ()
  "Random edits, bottom up, give what the plainest way gives."
  (let ((words ["a" "b" "é" "è" "日本" "日" ""]) text)
    (random "seven")
    (with-temp-buffer
      (dotimes (_ 300)
        (let ((at 0) (count (length text)) edits wanted)
          (while (<= at count)
            (let* ((first (+ at (random 4)))
                   (last (min count (+ first (random 4))))
                   lines)
              (if (> first count)
                  (setq at (1+ count))
                (dotimes (_ (let ((most (if (> count 40) 1 3)))
                              (if (= first last) (1+ (random most)) (random (1+ most)))))
                  (push (concat (aref words (random 7)) (aref words (random 7))) lines))
                (push (list first last lines) edits)
                (setq at (1+ last)))))
          (setq edits (nreverse edits) at 0)
          (pcase-dolist (`(,first ,last ,lines) edits)
            (setq wanted (append wanted (seq-subseq text at first) lines)
                  at last))
          (setq wanted (append wanted (seq-subseq text at)))
          (listd-edits-apply edits)
          (should (equal (listd-edits-lines (buffer-string)) wanted))
          (should (<= (length (listd-edits-between text wanted)) 1))
          (setq text wanted))))))

(defun listd-tests-mail (id from subject)
  "An item."
  `(:id ,id :template "Mail" :from ,from :subject ,subject))

(defun listd-tests-show (&rest items)
  "Show ITEMS."
  (listd-apply `(:sections [(:id "new" :header "New" :selectionMode "multiple"
                                 :items ,(vconcat items))]))
  (listd-tests-settle))

(ert-deftest listd-tests-view ()
  "Changes from several sides."
  (let ((ann (listd-tests-mail 1 "Ann" "Über"))
        (bob (listd-tests-mail 2 "Bob" "日本"))
        (eve (listd-tests-mail 3 "Eve" "Keys"))
        (go (lambda (line)
              (goto-char (listd--position line 0))
              (run-hooks 'post-command-hook))))
    (switch-to-buffer
     (listd-view "mail" :templates '(:Mail "{selected:[x]|[ ]} {from}\n    {subject}")))
    (listd-tests-show ann bob)
    (should (equal (listd-tests-lines) '("New" "[ ] Ann" "    Über" "[ ] Bob" "    日本")))
    ;; A selected row is marked in all its lines, and its text is edited where it differs.
    (funcall go 3)
    (listd-tests-settle)
    (let ((touched (listd-tests-touched)))
      (listd-toggle)
      (listd-tests-settle)
      (should (<= (car touched) 2))) ; an insertion and a deletion in one line
    (should (equal (listd-tests-line) "[x] Bob"))
    (should (equal (listd-tests-marked) '("    日本" "[x] Bob")))
    ;; A header is no row.
    (funcall go 0)
    (listd-toggle)
    (listd-tests-settle)
    (should (equal listd--selection [(:at [0 1] :count 1)]))
    ;; Point stays on its line of its row.
    (funcall go 4)
    (listd-tests-settle)
    (listd-tests-show eve (listd-tests-mail 4 "Zoe" "Z") bob ann)
    (should (equal (listd-tests-line) "    日本"))
    ;; Who else changes the list or its cursor is seen here.
    (listd-call 'select '(:list "mail" :cursor 3))
    (listd-tests-settle)
    (should (equal (listd-tests-line) "[ ] Eve"))
    (listd-call 'editSnapshot '(:list "mail" :edits [(:edit "deleteItems" :items [4])]))
    (listd-tests-settle)
    (should (= (listd--count) 7))
    (listd-call 'registerTemplates '(:templates (:Mail "{from}: {subject}")))
    (listd-tests-settle)
    (should (equal (listd-tests-lines) '("New" "Eve: Keys" "Bob: 日本" "Ann: Über")))
    (should (equal (listd-tests-line) "Eve: Keys"))
    ;; A text that was missed is read again.
    (setq listd--text-revision (1- listd--text-revision))
    (listd-tests-show bob eve ann)
    (should (equal (listd-tests-lines) '("New" "Bob: 日本" "Eve: Keys" "Ann: Über")))
    (should (equal (listd-tests-line) "Eve: Keys"))
    ;; An error is told by its code and data.
    (let (told)
      (listd-apply '(:items [(:id 1) (:id 1)]) nil (lambda (err) (setq told err)))
      (listd-tests-settle)
      (should (eql (plist-get told :code) -31004)))
    ;; A list that is removed leaves nothing.
    (listd-call 'removeList '(:list "mail"))
    (listd-tests-settle)
    (should (equal (buffer-string) ""))
    (listd-tests-show ann)
    (should (equal (listd-tests-lines) '("New" "Ann: Über")))
    (kill-buffer)))

;;;; Recorded sessions

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
             (told (or (plist-get message :result) (plist-get message :params)))
             (list (and (equal (plist-get entry :from) "server") (consp told)
                        (plist-get told :list)))
             (known (and list (gethash list texts))))
        (cond ((null list))
              ((and (plist-member told :text) (plist-member told :textRevision))
               (when (and known (eql (car known) (plist-get told :textRevision)))
                 (should (equal (cdr known) (plist-get told :text)))
                 (setq compared (1+ compared)))
               (puthash list (cons (plist-get told :textRevision) (plist-get told :text)) texts))
              ((and known (plist-member told :textEdits)
                    (eql (car known) (plist-get told :baseTextRevision)))
               (with-temp-buffer
                 (insert (cdr known))
                 (listd-edits-apply (listd-edits-read (plist-get told :textEdits)))
                 (puthash list (cons (plist-get told :textRevision) (buffer-string)) texts))))))
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
  (let ((listd--connection nil) told wanted)
    (cl-letf* ((strip (lambda (params)
                        (cl-loop for (name value) on params by #'cddr
                                 unless (eq name :request) append (list name value))))
               ((symbol-function 'listd--notified)
                (lambda (_ method params)
                  (push (list (symbol-name method) (funcall strip params)) told))))
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
                   (jsonrpc-async-request client (intern method) params
                                          :success-fn (lambda (result) (push result told))
                                          :error-fn (lambda (err) (push err told)))))))
        (listd-tests-wait "the answers" (lambda () (= (length told) (length wanted))))
        (should (> (length wanted) 30))
        (should (equal told wanted))
        (listd-stop)))))

(ert-deftest listd-tests-zz-stop ()
  "The daemon ends when it is asked to."
  (let ((connection (listd-connection)))
    (listd-stop)
    (should-not (jsonrpc-running-p connection))
    (should (= (process-exit-status (jsonrpc--process connection)) 0))))

;;; listd-tests.el ends here
