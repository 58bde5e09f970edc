#!/usr/bin/env python3
"""Measures how fast an editor responds to a key in the list of a folder, in a real terminal.

    Tests/clients/response.py [neovim|vim|emacs …] [--files 20000] [--keys 200]

Keys are sent by tmux. The time ends when the editor writes to the terminal. Each editor is compared with
itself on a plain buffer of the same lines, with alternating keys: on a busy machine only the ratios are
meaningful. `changing` means that a file is created, renamed or removed every 50 ms; `opening` means that
the folder is being opened. The last lines are a table for clients/README.md.
"""

import argparse
import os
import statistics
import subprocess
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENV = {**os.environ, "LISTD": os.environ.get("LISTD", str(ROOT / ".build/release/listd")), "TERM": "xterm"}
EDITORS = {
    "neovim": {
        "list": f"nvim --clean -n --cmd 'set rtp^={ROOT}/clients/neovim' -c 'runtime plugin/listd.lua' "
        "-c 'ListdFiles {folder}'",
        "plain": "nvim --clean -n {text}",
        "keys": ("j", "k"),
    },
    "vim": {
        "list": f"vim -u NONE -i NONE -n -N --cmd 'set encoding=utf-8 hidden rtp^={ROOT}/clients/vim' "
        "-c 'runtime plugin/listd.vim' -c 'ListdFiles {folder}'",
        "plain": "vim -u NONE -i NONE -n -N {text}",
        "keys": ("j", "k"),
    },
    "emacs": {
        "list": f"emacs -nw -Q -L {ROOT}/clients/emacs -l listd-files --eval '(listd-files \"{{folder}}\")'",
        "plain": "emacs -nw -Q {text}",
        "keys": ("C-n", "C-p"),
    },
}


class Terminal:
    """A program in tmux, whose control mode reports when the program writes."""

    def __init__(self, name, command):
        self.name = f"listd-response-{os.getpid()}-{name}"
        self.tmux = subprocess.Popen(
            ["tmux", "-L", self.name, "-f", "/dev/null", "-C", "new-session", "-x", "100", "-y", "40", command],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENV, bufsize=0)
        self.written = 0
        self.last = time.monotonic()
        self.changed = threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.tmux.stdout:
            if line.startswith(b"%output"):
                with self.changed:
                    self.written += 1
                    self.last = time.monotonic()
                    self.changed.notify_all()

    def quiet(self, seconds, most=120):
        end = time.monotonic() + most
        while time.monotonic() - self.last < seconds and time.monotonic() < end:
            time.sleep(0.02)

    def key(self, key, most=60):
        """Sends a key. Returns the milliseconds until the program writes something."""
        with self.changed:
            before, start = self.written, time.monotonic()
            self.tmux.stdin.write(f"send-keys {key}\n".encode())
            self.changed.wait_for(lambda: self.written > before, most)
            return (time.monotonic() - start) * 1000

    def screen(self):
        return subprocess.run(["tmux", "-L", self.name, "capture-pane", "-p"], capture_output=True, text=True).stdout

    def close(self):
        subprocess.run(["tmux", "-L", self.name, "kill-server"], capture_output=True)


def change(folder, stop, every=0.05):
    step = 0
    while not stop.wait(every):
        old, new = folder / f"file-0000{step % 9}x", folder / f"file-0000{(step + 1) % 9}x"
        if step % 3 == 0:
            new.write_text("x" * (step % 100))
        elif step % 3 == 1:
            if old.exists():
                old.rename(new)
        elif new.exists():
            new.unlink()
        step += 1


def figures(times):
    return f"{statistics.median(times):8.1f} {sorted(times)[int(len(times) * 0.99)]:8.1f} {max(times):8.1f}"


def measure(name, files, keys):
    editor = EDITORS[name]
    with tempfile.TemporaryDirectory() as scratch:
        folder, text = Path(scratch) / "folder", Path(scratch) / "text"
        folder.mkdir()
        for i in range(files):
            (folder / f"file-{i:05}").write_bytes(b"x" * (i % 5000))
        text.write_text("".join(f"file-{i:05}  {i % 5000}B\n" for i in range(files)))
        plain = Terminal(name + "-plain", editor["plain"].format(text=text))
        plain.quiet(1)
        start = time.monotonic()
        shown = Terminal(name, editor["list"].format(folder=folder))
        opening = []
        while "file-00030" not in shown.screen() and time.monotonic() - start < 120:
            opening.append(shown.key(editor["keys"][0], 5) if len(opening) > 3 else 0)
            time.sleep(0.05)
        first = time.monotonic() - start
        shown.quiet(2)
        print(f"{name}, {files} files: first text after {first:.2f} s", flush=True)
        row = [name]
        print(f"{'':22}   median      99%    worst  (ms)")
        for situation in ("idle", "changing"):
            stop = threading.Event()
            if situation == "changing":
                threading.Thread(target=change, args=(folder, stop), daemon=True).start()
            times = {"list": [], "plain": []}
            for i in range(keys):
                key = editor["keys"][0 if i % 20 < 10 else 1]
                times["plain"].append(plain.key(key))
                times["list"].append(shown.key(key))
                time.sleep(0.01)
            stop.set()
            time.sleep(1)
            for kind in ("plain", "list"):
                print(f"{situation + ', ' + kind:22} {figures(times[kind])}", flush=True)
                row.append(f"{statistics.median(times[kind]):.1f}, {max(times[kind]):.0f}")
        opening = opening[4:] or [0]
        print(f"{'opening, list':22} {figures(opening)}", flush=True)
        row.append(f"{statistics.median(opening):.1f}, {max(opening):.0f}")
        shown.close()
        plain.close()
        return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("editors", nargs="*", default=[])
    parser.add_argument("--files", type=int, default=20000)
    parser.add_argument("--keys", type=int, default=200)
    args = parser.parse_args()
    table = [measure(name, args.files, args.keys) for name in args.editors or EDITORS]
    print("| | plain | list | plain, changing | list, changing | opening |")
    print("| --- | --- | --- | --- | --- | --- |")
    for row in table:
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
