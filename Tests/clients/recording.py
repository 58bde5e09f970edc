#!/usr/bin/env python3
"""Records `listd watch` and `listd pick` in tmux: the picture of README.md.

    LISTD=PATH Tests/clients/recording.py       writes .github/terminal.svg
"""

from __future__ import annotations

import itertools
import os
import random
import re
import tempfile
from pathlib import Path
from typing import List

from drawing import Picture
from picking import LISTD, Screen

PICTURE = Path(__file__).resolve().parents[2] / ".github/terminal.svg"
WIDTH, HEIGHT = 80, 17
# The screen for readers who want no movement: three lines are marked.
STILL = -2


class Recording(Screen):
    """A shell in which commands are typed. `ps` and `find` print what the recording writes."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, (WIDTH, HEIGHT))
        self.picture = Picture("listd watch and listd pick in a terminal", WIDTH, HEIGHT)
        self.second = 7
        programs = folder / "programs"
        programs.mkdir()
        for name in ("ps", "find"):
            os.mkfifo(folder / name)
            (programs / name).write_text(f'#!/bin/sh\nexec cat {folder / name}\n')
            (programs / name).chmod(0o755)
        (programs / "listd").symlink_to(Path(LISTD).resolve())
        shell = folder / "shell"
        settings = f"PATH={programs}:/usr/bin:/bin PS1='$ ' LC_ALL=C.UTF-8 TERM=tmux-256color HISTFILE="
        shell.write_text(f"exec env -i {settings} bash --norc --noprofile -i\n")
        self.tmux("new-session", "-d", "-x", str(WIDTH), "-y", str(HEIGHT), f"bash {shell}")
        self.until(lambda rows: rows[0].strip() == "$")

    def see(self, seconds: float, *texts: str) -> None:
        """Waits until a screen has rows with some words and stays as it is, and keeps it."""
        before = b""

        def is_there(rows: List[str]) -> bool:
            nonlocal before
            words = "\n".join(" ".join(row.split()) for row in rows)
            last, before = before, self.tmux("capture-pane", "-p", "-e", "-N")
            return all(text in words for text in texts) and before == last

        self.until(is_there)
        x, y, is_shown = self.tmux("display-message", "-p", "#{cursor_x} #{cursor_y} #{cursor_flag}").split()
        # The time of day is another one in each recording.
        captured = re.sub(r"\d\d:\d\d:\d\d", f"10:24:{self.second:02}", before.decode())
        self.picture.add(seconds, captured, (int(x), int(y)) if is_shown == b"1" else None)

    def command(self, text: str) -> None:
        typed = "$ "
        for part in re.findall(r"\S+ ?", text):
            self.type(part)
            typed += part
            self.see(0.25, typed.rstrip())
        self.keys("Enter")


class Processes:
    """Processes of a machine. Those that use the processor most are first."""

    NAMES = [
        "clang -O2 parse.c", "clang -O2 render.c", "ld -o app", "postgres: writer", "nginx: worker", "sshd: anna",
        "redis-server *:6379", "node server.js", "vim notes.md", "python3 -m http.server", "rsync /srv backup:",
        "make -j4", "cron",
    ]  # fmt: skip

    def __init__(self) -> None:
        self.random = random.Random(20)
        self.shares = {name: 31 / (number + 1.5) for number, name in enumerate(self.NAMES)}
        self.numbers = {name: 300 + 41 * number for number, name in enumerate(self.NAMES)}

    def change(self) -> str:
        """Returns the next list. Most rows are as before."""
        for name in self.random.sample(list(self.shares), 3):
            self.shares[name] = min(97, max(0.1, self.shares[name] * self.random.choice([0.3, 0.6, 1.8, 3.1])))
        lines = [
            f"{self.numbers[name]:5} {'root' if self.numbers[name] % 3 else 'anna':5} {share:5.1f} {name}"
            for name, share in sorted(self.shares.items(), key=lambda one: -one[1])
        ]
        return "\n".join(["  PID USER   %CPU COMMAND", *lines, ""])

    def replace(self, old: str, new: str) -> None:
        """Somebody ends a program, and another one begins."""
        del self.shares[old]
        self.shares[new], self.numbers[new] = 9.5, 915


def paths() -> List[str]:
    """The files of a large program, in no particular order."""
    areas = ["parser", "server", "client", "search", "index", "render", "network", "storage", "session", "screen"]
    parts = ["read", "write", "open", "close", "merge", "split", "cache", "queue", "table", "stream", "buffer", "view"]
    kinds = ["", "_test", "_bench", "_fuzz", "_unix", "_posix", "_win", "_arm", "_x86", "_old"]
    folders = ["src", "lib", "tools", "tests", "vendor/fast", "vendor/tiny", "examples"]
    made = [
        f"{folder}/{area}/{part}/{area}_{other}{kind}.c"
        for folder, area, part, other, kind in itertools.product(folders, areas, parts, parts, kinds)
    ]
    random.Random(7).shuffle(made)
    return made


def watch(screen: Recording) -> None:
    """A table of processes, and then of some of them."""
    processes = Processes()

    def reads(seconds: float, word: str, *texts: str) -> None:
        screen.second += 1
        text = processes.change()
        (screen.folder / "ps").write_text(text)
        lines = [" ".join(line.split()) for line in text.split("\n")[1:-1]]
        screen.see(seconds, *(line for line in lines if word in line), *texts)

    screen.command("listd watch -n 1 -- ps -eo pid,user,pcpu,args --sort=-pcpu")
    reads(1.2, "", "13 rows")
    for _ in range(3):
        reads(1.2, "", "~3 13 rows")
    processes.replace("ld -o app", "clang -O2 link.c")
    reads(1.5, "", "+1 -1")
    screen.type("/cla")
    screen.see(0.6, "/cla")
    screen.type("ng")
    screen.see(0.8, "/clang")
    screen.keys("Enter")
    screen.see(0.5, "/clang", "3/13 rows")
    reads(1.2, "clang", "~", "3/13 rows")
    reads(1.2, "clang", "3/13 rows")
    screen.keys("q")
    screen.see(0.6, "$")


def counts(query: str, lines: List[str]) -> str:
    """The numbers of lines that have the letters of a query in its order, and of all."""
    pattern = re.compile(".*?".join(query))
    return f"{sum(bool(pattern.search(line)) for line in lines):,}/{len(lines):,}"


def pick(screen: Recording) -> None:
    """Files, which are searched while they arrive."""
    made = paths()
    screen.keys("C-l")
    screen.command("find . -name '*.c' | listd pick --multi --reverse")
    query, count = "", 0
    with open(screen.folder / "find", "w") as pipe:
        for text, end in [("", 9_127), ("s", 29_411), ("er", 48_702), ("v", 62_001), ("cac", 91_127), ("h", len(made))]:
            screen.type(text)
            query += text
            pipe.writelines(f"./{path}\n" for path in made[count:end])
            pipe.flush()
            count = end
            screen.see(0.45, counts(query, made[:count]) + " …")
    screen.see(0.8, counts(query, made) + "\n")
    for number in (1, 2):
        screen.keys("Tab")
        screen.see(0.6, f"({number} marked)")
    screen.keys("C-u")
    screen.see(0.6, counts("", made))
    query = ""
    for text in ("index", "view", "_t"):
        screen.type(text)
        query += text
        screen.see(0.45, counts(query, made))
    screen.keys("Tab")
    screen.see(1.5, "(3 marked)")
    screen.keys("Enter")
    screen.see(2.5, "$")


def recorded() -> str:
    """The picture, which is the same each time."""
    with tempfile.TemporaryDirectory() as folder:
        screen = Recording(Path(folder))
        try:
            watch(screen)
            pick(screen)
            return screen.picture.svg(len(screen.picture.screens) + STILL)
        finally:
            screen.tmux("kill-server")


if __name__ == "__main__":
    PICTURE.write_text(recorded())
