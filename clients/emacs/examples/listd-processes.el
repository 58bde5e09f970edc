;;; listd-processes.el --- The processes, as a list  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; `M-x listd-processes' shows the processes, those that work most first, and looks at them each second.
;; Point and what is selected stay on their processes.

;;; Code:

(require 'seq)
(require 'listd)

(defconst listd-processes--line
  "^ *\\([0-9]+\\) +\\([^ ]+\\) +\\([0-9.]+\\) +\\([0-9]+\\) +\\(.*\\)$")

(defvar-local listd-processes--timer nil)
(defvar-local listd-processes--busy nil "Whether `ps' runs, or what it wrote is on its way.")

(defun listd-processes--snapshot (text)
  "The snapshot of TEXT, which `ps' has written.
Columns are as wide as their widest value."
  (let ((start 0) (width 4) rows)
    (while (string-match listd-processes--line text start)
      (setq start (match-end 0))
      (push (mapcar (lambda (group) (match-string group text)) '(1 2 3 4 5)) rows))
    (dolist (row rows)
      (setq width (max width (length (nth 1 row)))))
    (setq rows (sort rows (lambda (a b)
                            (let ((one (string-to-number (nth 2 a))) (other (string-to-number (nth 2 b))))
                              (if (= one other)
                                  (< (string-to-number (car a)) (string-to-number (car b)))
                                (> one other))))))
    `(:sections
      [(:id "processes" :selectionMode "multiple"
            :header ,(format (format "%%7s  %%-%ds  %%5s  %%8s  name" width) "pid" "user" "cpu" "memory")
            :items ,(vconcat
                     (mapcar (lambda (row)
                               (pcase-let ((`(,pid ,user ,cpu ,memory ,name) row))
                                 `(:id ,(string-to-number pid) :template "Process" :name ,name
                                       :columns ,(format (format "%%7s  %%-%ds  %%5s  %%7.1fM" width)
                                                         pid user cpu (/ (string-to-number memory) 1024.0)))))
                             rows)))])))

(defun listd-processes-refresh ()
  "Look at the processes again."
  (interactive)
  (unless listd-processes--busy
    (setq listd-processes--busy t)
    (let ((buffer (current-buffer)) (parts nil))
      (make-process
       :name "ps" :command '("ps" "-A" "-o" "pid=,user=,pcpu=,rss=,comm=") :noquery t :connection-type 'pipe
       :filter (lambda (_ part) (push part parts))
       :sentinel (lambda (_ _)
                   (when (buffer-live-p buffer)
                     (with-current-buffer buffer
                       (listd-apply (listd-processes--snapshot (apply #'concat (nreverse parts)))
                                    (lambda (_) (setq listd-processes--busy nil))
                                    (lambda (_) (setq listd-processes--busy nil))))))))))

(listd-define-action listd-processes-terminate (items _place)
  "Terminate the selected processes, or the one at point."
  (dolist (item items)
    (signal-process (plist-get item :id) 'SIGTERM))
  (listd-processes-refresh))

;;;###autoload
(defun listd-processes ()
  "Show the processes."
  (interactive)
  (let ((buffer (listd-view "processes"
                            :templates '(:Process "{columns}  {name}")
                            :keys '(("K" . listd-processes-terminate))
                            :highlights '(("^ *pid .*" . 'bold) ("^ *[0-9]+" . 'font-lock-constant-face))
                            :refresh #'listd-processes-refresh)))
    (pop-to-buffer-same-window buffer)
    (unless listd-processes--timer
      (setq listd-processes--timer
            (run-with-timer 1 1 (lambda ()
                                  (when (get-buffer-window buffer t)
                                    (with-current-buffer buffer (listd-processes-refresh))))))
      (add-hook 'kill-buffer-hook (lambda () (cancel-timer listd-processes--timer)) nil t))
    (listd-processes-refresh)))

(provide 'listd-processes)
;;; listd-processes.el ends here
