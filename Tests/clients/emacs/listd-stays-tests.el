;;; listd-stays-tests.el --- What must hold while a list changes  -*- lexical-binding: t; -*-

;;; Commentary:

;; What must hold while a list changes under the person's hands, and when things go wrong.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'seq)
(require 'listd-harness)

(defvar listd-tests--lists 0 "How many lists there were.")

(defun listd-tests-snapshot (&rest items)
  "A snapshot of ITEMS."
  `(:sections [(:id "s" :selectionMode "multiple" :items ,(vconcat items))]))

(defun listd-tests-change (&rest items)
  "Show ITEMS in the current buffer."
  (listd-apply (apply #'listd-tests-snapshot items))
  (listd-tests-settle))

(defmacro listd-tests-list (arguments items &rest body)
  "Show a new list of ITEMS by `listd-view' with ARGUMENTS, and do BODY."
  (declare (indent 2) (debug t))
  `(let ((buffer (listd-view (format "list%d" (cl-incf listd-tests--lists)) ,@arguments)))
     (unwind-protect
         (progn
           (switch-to-buffer buffer)
           (apply #'listd-tests-change ,items)
           ,@body)
       (when (buffer-live-p buffer)
         (kill-buffer buffer)))))

(defun listd-tests-line-go (line &optional quietly)
  "Go to LINE, as a command would; QUIETLY, so that the daemon does not know it."
  (goto-char (listd--position line 0))
  (set-window-point (selected-window) (point))
  (unless quietly
    (run-hooks 'post-command-hook)))

(defun listd-tests-keys (keys)
  "Type KEYS in the current buffer."
  (execute-kbd-macro (kbd keys)))

(ert-deftest listd-tests-race ()
  "A key means the row that the line showed when it was pressed."
  (pcase-dolist (`(,now ,wanted) '((("0" "a" "b" "c") ("b"))
                                   (("c" "x" "a" "b") ("b"))
                                   (("a" "x" "c") ())))
    (dolist (known '(t nil))
      (listd-tests-list () '("a" "b" "c")
        (listd-tests-line-go 1 (not known))
        (when known
          (listd-tests-settle))
        (listd-apply (apply #'listd-tests-snapshot now))
        (listd-toggle)
        (listd-tests-line-go 2 t)
        (listd-tests-settle)
        (should (equal (append (listd-selected) nil) wanted))))))

(ert-deftest listd-tests-at-once ()
  "Keys that follow each other at once, and what is asked after them."
  (listd-tests-list (:templates '(:Mark "{selected:x|o} {name}"))
      (mapcar (lambda (name) `(:id ,name :template "Mark" :name ,name)) '("a" "b" "c"))
    (let (answer)
      (listd-tests-line-go 0)
      (listd-tests-keys "SPC C-n SPC C-n SPC C-p SPC")
      (listd-selected (lambda (items) (setq answer (mapcar (lambda (item) (plist-get item :id)) items))))
      (listd-tests-settle)
      (should (equal answer '("a" "c")))
      (should (equal (listd-tests-lines) '("x a" "o b" "x c")))
      (should (equal (listd-tests-marked) '("x a" "x c"))))))

(ert-deftest listd-tests-once ()
  "Lines of one row, and rows of one item, are toggled once."
  (listd-tests-list () '((:id "a" :text "1\n2\n3") (:id "b" :parts ["x" "y"]) "c")
    (transient-mark-mode 1)
    (listd-tests-line-go 1)
    (push-mark (point) t t)
    (forward-line 3)
    (listd-toggle)
    (listd-tests-settle)
    (should (= (length (listd-selected)) 2))))

(ert-deftest listd-tests-narrowed ()
  "A buffer that is narrowed changes as a whole."
  (listd-tests-list () (mapcar (lambda (i) `(:id ,i :text ,(format "row %d" i)))
                               (number-sequence 1 10))
    (listd-tests-line-go 5)
    (listd-toggle)
    (listd-tests-settle)
    (narrow-to-region (listd--position 4 0) (listd--position 8 0))
    (listd-edit-items [(:edit "updateItems" :items [(:id 7 :text "row 7 changed")])])
    (listd-tests-settle)
    (listd-edit-items [(:edit "deleteItems" :items [1])])
    (listd-edit-items [(:edit "insertItems" :items ["new"] :before 6)])
    (listd-tests-settle)
    (should (equal (listd-tests-lines) '("row 5" "new" "row 6" "row 7 changed" "row 8")))
    (should (equal (listd-tests-marked) '("row 6")))
    (setq listd--index nil)
    (should (equal (plist-get (plist-get (listd-at (point-min)) :item) :id) 5))
    (listd-tests-line-go 4)
    (should (equal (plist-get (listd-item) :item) "new"))
    (widen)
    (should (equal (listd-tests-lines)
                   '("row 2" "row 3" "row 4" "row 5" "new" "row 6" "row 7 changed" "row 8"
                     "row 9" "row 10")))))

(ert-deftest listd-tests-raises ()
  "A callback that signals harms nobody else."
  (listd-tests-list () '("a")
    (let ((answers 0) (debug-on-error nil))
      (dotimes (_ 3)
        (listd--ask 'getLists nil (lambda (_)
                                    (cl-incf answers)
                                    (error "One's own mistake"))))
      (listd-tests-settle)
      (should (= answers 3))
      (setq listd--changed (lambda (_) (error "Another mistake")))
      (listd-tests-change "a" "b")
      (should (equal (listd-tests-lines) '("a" "b"))))))

(ert-deftest listd-tests-answered ()
  "Every request is answered: what is not JSON is signalled, silence has an end."
  (listd-tests-list () '("a")
    (dolist (items (list '((:id 1 :text "x")) (vector '(:id 1 :text symbol)) (vector "caf\351")))
      (should (string-match-p "applySnapshot: params are not JSON"
                              (cadr (should-error (listd-apply `(:items ,items)))))))
    (should-error (listd-apply '(:items ("a")))))
  (let ((listd-timeout 0.1) (listd-command '("sleep" "60")) failed)
    (with-current-buffer (listd-view "silent" :namespace 'silent)
      (listd-apply '(:items ["b"]) #'ignore (lambda (err) (setq failed err)))
      (listd-tests-wait "the time limit" (lambda () failed))
      (should (equal (plist-get failed :message) "no answer in time"))
      (setq listd--closing listd--client)
      (delete-process (listd-connection-process listd--client))
      (kill-buffer))))

(ert-deftest listd-tests-namespaces ()
  "Buffers with the same list or the same template names."
  (let ((templates '(:Entry "P<{text}>")) buffers)
    (unwind-protect
        (cl-flet ((show (list text &rest arguments)
                    (let ((buffer (apply #'listd-view list arguments)))
                      (push buffer buffers)
                      (with-current-buffer buffer
                        (listd-apply `(:items [(:id 1 :template "Entry" :text ,text)]) #'ignore)
                        (listd-tests-wait "the text" (lambda () (= (listd--count) 1))))
                      buffer))
                  (text (buffer) (with-current-buffer buffer (car (listd-tests-lines))))
                  (client (buffer) (buffer-local-value 'listd--client buffer)))
          (let ((first (show "same" "one" :templates templates))
                (second (show "same" "two" :templates '(:Entry "Q<{text}>")))
                (third (show "other" "three" :templates templates))
                (own (show "other" "four" :templates templates :namespace 'mine))
                (template (show "third" "five" :templates '(:Entry "R<{text}>")))
                (name (show "same" "six" :templates '(:Entry "P<{text}>" :More "{text}"))))
            (should (equal (mapcar #'text (list first second third own template name))
                           '("P<one>" "Q<two>" "P<three>" "P<four>" "R<five>" "P<six>")))
            (should-not (eq (client first) (client template)))
            (should-not (eq (client first) (client name)))
            (should (eq (client first) (client third)))
            (should-not (eq (client first) (client second)))
            (should-not (eq (client first) (client own)))
            (should (eq (listd-view "same" :templates templates) first))))
      (mapc #'kill-buffer buffers))))

(ert-deftest listd-tests-done ()
  "What waits for a change is called when the text is there."
  (listd-tests-list () ()
    (let (seen)
      (dolist (items '(("a" "b") ("a" "b") ("b" "a") ("c")))
        (listd-apply `(:items ,(vconcat items))
                     (lambda (_) (push (apply #'concat (listd-tests-lines)) seen))))
      (listd-tests-settle)
      (should (equal (nreverse seen) '("ab" "ab" "ba" "c"))))))

(ert-deftest listd-tests-moves ()
  "A row that moves takes along its mark, foreign overlays, and points."
  (let ((rows (mapcar (lambda (i) (format "row %d" i)) (number-sequence 1 30))))
    (listd-tests-list () rows
      (delete-other-windows)
      (dolist (line '(18 19 20))
        (listd-tests-line-go line)
        (listd-toggle)
        (listd-tests-settle))
      (let ((overlay (make-overlay (+ (listd--position 19 0) 2) (+ (listd--position 19 0) 4)))
            (other (split-window)) at-once)
        (set-window-point other (+ (listd--position 19 0) 3))
        (listd-tests-line-go 4)
        (listd-tests-settle)
        (setq rows (append '("row 20") (remove "row 20" (remove "row 8" rows)) '("row 8"))
              listd--changed (lambda (_) (setq at-once (listd-tests-marked))))
        (apply #'listd-tests-change rows)
        (should (equal (listd-tests-lines) rows))
        (should (equal at-once '("row 19" "row 20" "row 21")))
        (should (equal (listd-tests-marked) '("row 19" "row 20" "row 21")))
        (should (equal (list (overlay-start overlay) (overlay-end overlay)) '(3 5)))
        (should (equal (listd-tests-line) "row 5"))
        (should (= (window-point other) 4))
        (delete-window other)))))

(ert-deftest listd-tests-marks ()
  "Marks change where the selection changes, whatever else does."
  (listd-tests-list (:templates '(:Box "{selected:x|o} {text}"))
      '("a" (:id "b" :template "Box" :text "b") (:id "c" :text "c" :parts ["1" "2"]) "d")
    (listd-select-all)
    (listd-tests-settle)
    (should (equal (listd-tests-marked) '("1" "2" "a" "d" "x b")))
    (listd-call 'select `(:list ,listd--list :action "deselect" :items ["c" "b"]))
    (listd-tests-settle)
    (should (equal (listd-tests-marked) '("a" "d")))
    (listd-apply '(:items ["a" "d" "e"] :selected ["e"]))
    (listd-tests-settle)
    (should (equal (listd-tests-marked) '("e")))
    ;; A row between two that are selected.
    (listd-tests-change "a" "d" "e")
    (listd-select-all)
    (listd-tests-settle)
    (listd-tests-change "a" "new" "d" "e")
    (should (equal (listd-tests-marked) '("a" "d" "e")))))

(ert-deftest listd-tests-scattered ()
  "A change of one line does not mark all the others again."
  (listd-tests-list () (mapcar (lambda (i) `(:id ,i :text ,(format "row %d" i)))
                               (number-sequence 1 4000))
    (listd-call 'select `(:list ,listd--list :action "replace"
                                :items ,(vconcat (number-sequence 1 4000 2))))
    (listd-tests-wait "all marks" (lambda () (= (length (listd-tests-marked)) 2000)))
    (listd-tests-settle)
    (let ((made 0))
      (cl-letf* ((make (symbol-function 'make-overlay))
                 ((symbol-function 'make-overlay)
                  (lambda (&rest arguments)
                    (cl-incf made)
                    (apply make arguments))))
        (dolist (id '(7 8))
          (listd-edit-items `[(:edit "updateItems" :items [(:id ,id :text "changed")])])
          (listd-tests-settle))
        (listd-tests-line-go 11)
        (listd-toggle)
        (listd-tests-settle))
      (should (= (length (listd-tests-marked)) 2001))
      (should (<= made 3)))))

(ert-deftest listd-tests-things ()
  "Items, headers and parts at point, and actions."
  (let ((b '(:id "b" :text "B")) done)
    (listd-tests-list (:templates '(:Header "# {text}")) ()
      (listd-apply `(:sections [(:id "one" :header "One" :selectionMode "multiple" :items ["a" ,b])
                                (:id 2 :header "Two"
                                     :items [(:id "c" :n 3 :parts [(:id "x" :text "X")])])]))
      (listd-tests-settle)
      (should (equal (listd-tests-lines) '("# One" "a" "B" "# Two" "X")))
      (let ((place (listd-at (listd--position 2 0))))
        (should (equal (plist-get place :item) b))
        (should (equal (list (plist-get place :id) (plist-get place :section) (plist-get place :at))
                       '("b" "one" [0 1]))))
      (should (equal (listd-at (listd--position 3 0)) '(:section 2 :header t)))
      (let ((place (listd-at (listd--position 4 0))))
        (should (equal (plist-get place :item) '(:id "c" :n 3)))
        (should (equal (plist-get place :part) '(:id "x" :text "X"))))
      (cl-flet ((act () (listd-act (lambda (items place)
                                     (push (list items (plist-get place :section)) done)))))
        (listd-tests-line-go 1)
        (listd-tests-settle)
        (act)
        (listd-toggle)
        (listd-tests-line-go 2)
        (listd-toggle)
        (act)
        (listd-select-none)
        (listd-tests-line-go 3)
        (act))
      (listd-tests-settle)
      (should (equal (nreverse done) `((("a") "one") (("a" ,b) "one") (nil 2)))))))

(ert-deftest listd-tests-author ()
  "An author's keys, highlights, hooks and commands; g in any list."
  (let (done)
    (listd-define-action listd-tests-stage (items _place)
      "Stage ITEMS."
      (push items done))
    (listd-tests-list (:keys '(("s" . listd-tests-stage) ("A" . nil))
                       :highlights '(("^M/.*" . 'warning))
                       :refresh (lambda () (push 'refreshed done))
                       :open (lambda (item _) (push item done)))
        '("M/x" "y")
      (listd-tests-line-go 1)
      (listd-tests-keys "s RET g")
      (listd-tests-settle)
      (should (memq 'refreshed done))
      (should (member "y" done))
      (should (member '("y") done))
      (should (eq (key-binding "A") #'ignore))
      (font-lock-ensure)
      (should (eq (get-text-property 1 'face) 'warning)))
    (listd-tests-list () '("a")
      (listd-tests-keys "g"))))

(ert-deftest listd-tests-install ()
  "Whether there is a daemon, and how to get one."
  (cl-flet ((says (pattern)
              (listd-install)
              (with-current-buffer "*listd install*"
                (should (string-match-p pattern (buffer-string))))))
    (says "It answers: listd [0-9.]+, protocol 1\nAll is well\\.\n\\'")
    (let ((listd-command '("/nowhere/listd")))
      (says "Problem: .*\n\\(.\\|\n\\)*dpkg"))
    (let ((listd-command '("sh" "-c" "read -r line"))) ; Emacs in batch mode dies of a broken pipe
      (says "Problem: .*\n\\(.\\|\n\\)*dpkg"))
    ;; Programs that answer, but are old, newer, or others.
    (pcase-dolist
        (`(,result . ,problem)
         '(("\"serverInfo\":{\"name\":\"listd\"},\"protocolVersion\":1,\"capabilities\":{\"features\":\
[\"compose.view.match\",\"references.line\"]}" . "it is too old: it lacks compose.view.tree, locate.match")
           ("\"serverInfo\":{\"name\":\"listd\"},\"protocolVersion\":1" . "it is too old")
           ("\"serverInfo\":{\"name\":\"listd\"},\"protocolVersion\":2" . "it speaks protocol 2, this client 1")
           ("\"capabilities\":{}" . "this is another program, not listd")))
      (let ((listd-command
             (list "sh" "-c" "read -r line; printf '%s\\n' \"$0\"; exec sleep 60"
                   (format "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{%s}}" result))))
        (says (concat "Problem: " (regexp-quote problem) "\\(.\\|\n\\)*dpkg"))))))

(ert-deftest listd-tests-revived ()
  "A key in a list whose daemon has died starts another."
  (listd-tests-list () '("a" "b")
    (let ((client listd--client))
      (kill-process (listd-connection-process client))
      (cl-letf (((symbol-function 'display-warning) #'ignore))
        (listd-tests-wait "the end" (lambda () (not (listd-connection-running-p client))))
        (accept-process-output nil 0.05))
      (listd-tests-line-go 1)
      (listd-toggle)
      (listd-tests-settle)
      (listd-toggle)
      (listd-tests-settle)
      (should (equal (append (listd-selected) nil) '("b")))
      (should (equal (listd-tests-lines) '("a" "b"))))))

(defvar listd-tests-terminals 0 "How many servers of tmux were started.")

(defun listd-tests-tmux (&rest arguments)
  "What tmux says to ARGUMENTS.
Each session has a server of its own: one that is about to end would still accept the next session."
  (when (equal (car arguments) "new-session")
    (setq listd-tests-terminals (1+ listd-tests-terminals)))
  (with-temp-buffer
    (apply #'call-process "tmux" nil t nil
           "-L" (format "listd-test-%d-%d" (emacs-pid) listd-tests-terminals) "-f" "/dev/null" arguments)
    (buffer-string)))

(defun listd-tests-screen-shows (pattern)
  "Wait until the terminal shows PATTERN."
  (let ((screen "") (end (+ (float-time) 30)))
    (while (not (string-match-p pattern screen))
      (when (> (float-time) end)
        (error "Waited in vain: %s\n%s" pattern screen))
      (sleep-for 0.05)
      (setq screen (listd-tests-tmux "capture-pane" "-p")))))

(ert-deftest listd-tests-terminal ()
  "In a terminal: keys at once, a change from outside, the daemon's death."
  (let ((dir (file-name-as-directory (make-temp-file "listd" t)))
        (clients (file-name-directory (locate-library "listd"))))
    (unwind-protect
        (progn
          (dolist (name '("apple" "banana" "cherry"))
            (listd-tests-write (concat dir name) 1))
          (listd-tests-tmux
           "new-session" "-d" "-x" "80" "-y" "20" "-e" (concat "LISTD=" (car (listd-find)))
           (format "emacs -nw -Q -L %s -l listd-files --eval '(listd-files \"%s\")'" clients dir))
          (listd-tests-screen-shows "cherry  1B")
          (listd-tests-tmux "send-keys" "C-n" "Space" "C-n" "Space" "C-p")
          (listd-tests-screen-shows "\\* banana.*\n\\* cherry")
          (rename-file (concat dir "apple") (concat dir "zebra"))
          (listd-tests-screen-shows "\\* cherry.*\n  zebra")
          (listd-tests-tmux "send-keys" "M-:" "(kill-process (listd-connection-process listd--client))"
                            "Enter")
          (listd-tests-screen-shows "listd has ended")
          (listd-tests-write (concat dir "damson") 1)
          (listd-tests-screen-shows "damson"))
      (listd-tests-tmux "kill-server")
      (delete-directory dir t))))

;;; listd-stays-tests.el ends here
