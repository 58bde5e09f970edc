"""What `listd pick` does with the terminal: its size, its modes, signals, the mouse, pasted text."""

# Promise: At any size and whatever lines have, `listd pick` leaves the terminal as it was, also after signals, and
#   ends its commands.

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import time
from pathlib import Path
from typing import List

import pytest
from picking import LISTD, NUMBERS, PATIENCE, Screen, make_screen, pick  # noqa: F401


def test_a_missing_terminal_exits_with_2() -> None:
    ran = pick(b"a\n", TERM="xterm")
    assert (ran.returncode, ran.stdout) == (2, b"") and b"there is no terminal to choose in" in ran.stderr
    ran = pick(b"a\n", TERM="dumb")
    assert ran.returncode == 2 and b"the terminal cannot be used: TERM is dumb" in ran.stderr


def in_shell(screen: Screen, words: List[str], given: str = "seq 3000") -> Screen:
    """Runs a picker below two lines of a shell."""
    command = f"echo first; echo second; {given} | {shlex.join([LISTD, 'pick', *words])}"
    screen.size = (60, 14)
    script = screen.folder / "script"
    script.write_text(
        f"cd {screen.folder}; {command} >{screen.out} 2>{screen.err}\necho $? >{screen.status}.new; echo last\n"
        f"mv {screen.status}.new {screen.status}; stty -a | grep -o -- '[- ]icanon'; sleep 600\n"
    )
    environment = ["-e", "LC_ALL=C.UTF-8", "-e", "FZF_DEFAULT_OPTS="]
    screen.tmux("new-session", "-d", "-x", "60", "-y", "14", *environment, f"bash {script}")
    return screen


def test_a_height_leaves_nothing_behind(screen: Screen) -> None:
    in_shell(screen, ["--height=5", "--reverse"])
    screen.until(lambda rows: rows == ["first", "second", ">", "  3,000/3,000", "> 1", "  2", "  3"])
    screen.type("^77$")
    screen.until(lambda rows: rows[2:5] == ["> ^77$", "  1/3,000", "> 77"])
    screen.tmux("resize-window", "-x", "60", "-y", "20")
    screen.until(lambda rows: rows[:5] == ["first", "second", "> ^77$", "  1/3,000", "> 77"])
    screen.keys("Enter")
    screen.until(lambda rows: [row.strip() for row in rows] == ["first", "second", "last", "icanon"])
    assert (screen.end(), screen.out.read_bytes()) == (0, b"77\n")


def test_an_adaptive_height(screen: Screen) -> None:
    in_shell(screen, ["--height=~10", "--layout=reverse"], "seq 4")
    screen.until(lambda rows: rows == ["first", "second", ">", "  4/4", "> 1", "  2", "  3", "  4"])
    screen.keys("Escape")
    assert screen.end() == 130


@pytest.mark.parametrize("number, code", [(signal.SIGTERM, 143), (signal.SIGSEGV, 139), (signal.SIGHUP, 129)])
@pytest.mark.parametrize("words", [[], ["--height=5"]])
def test_signals_leave_nothing_behind(screen: Screen, number: int, code: int, words: List[str]) -> None:
    preview = screen.folder / "preview"
    (screen.folder / "p").write_text("echo $$ >new; mv new preview; sleep 600")
    in_shell(screen, [*words, "--preview=. ./p"])
    screen.until(lambda rows: any("3,000/3,000" in row for row in rows) and preview.exists())
    os.kill(process(screen), number)
    # Programs that crash end nothing else.
    screen.until(lambda _: number == signal.SIGSEGV or not Path(f"/proc/{preview.read_text().strip()}").exists())
    screen.until(lambda rows: rows[:2] == ["first", "second"] and [row.strip() for row in rows[-2:]] == ["last", "icanon"])
    assert screen.end() == code


def process(screen: Screen) -> int:
    """The process of listd."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                is_it = b"pick" in (folder / "cmdline").read_bytes().split(b"\0")[1:2]
                if is_it and os.readlink(folder / "fd/2") == str(screen.err):
                    return int(folder.name)
            except OSError:
                continue
        time.sleep(0.02)
    raise AssertionError("listd does not run")


def test_stopped_and_continued(screen: Screen) -> None:
    screen.tmux("new-session", "-d", "-x", "60", "-y", "14", "bash --norc")
    screen.keys(f"seq 30 | {LISTD} pick --height 6 --reverse", "Enter")
    screen.until(lambda rows: any("30/30" in row for row in rows))
    screen.keys("C-z")
    screen.until(lambda rows: any("Stopped" in row for row in rows) and not any("30/30" in row for row in rows))
    screen.keys("fg", "Enter")
    screen.until(lambda rows: any("30/30" in row for row in rows))
    screen.keys("29", "Enter")
    screen.until(lambda rows: "29" in [row.strip() for row in rows])


def test_resized(screen: Screen) -> None:
    screen.start(NUMBERS).shows(-1, "line 12")
    screen.keys("End", "NPage")
    screen.shows(-1, "> line 12")
    screen.tmux("resize-window", "-x", "30", "-y", "6")
    screen.until(lambda rows: rows[2:] == ["  line 9", "  line 10", "  line 11", "> line 12"])
    screen.tmux("resize-window", "-x", "90", "-y", "40")
    screen.until(lambda rows: len(rows) == 40 and "> line 12" in rows)
    screen.tmux("resize-window", "-x", "4", "-y", "2")
    time.sleep(0.2)
    screen.tmux("resize-window", "-x", "60", "-y", "14")
    screen.until(lambda rows: len(rows) == 14 and "> line 12" in rows)
    screen.keys("Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"line 12\n")


def test_an_executed_command_has_the_terminal(screen: Screen) -> None:
    command = "echo size ${LINES:-none} ${COLUMNS:-none}; read answer; sleep 600"
    screen.start(NUMBERS, "--preview=seq 9", "--bind", f"f2:execute({command})")
    screen.until(lambda rows: "3,000/3,000" in rows[1] and "│ 9" in rows[9])
    screen.keys("F2")
    screen.until(lambda rows: rows == ["size none none"])
    screen.keys("Enter")
    screen.keys("C-c")
    screen.until(lambda rows: "3,000/3,000" in rows[1] and "> line 1" in rows[2])
    screen.keys("Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"line 1\n")


def test_resize_storms_and_small_terminals(screen: Screen) -> None:
    screen.start(NUMBERS, "--preview=seq 99", "--border", "--header=a header").until(lambda rows: "3,000/3,000" in rows[2])
    for width, height in [(10, 2), (1, 1), (200, 60), (3, 40), (90, 3), (12, 5)] * 5:
        screen.tmux("resize-window", "-x", str(width), "-y", str(height))
    screen.tmux("resize-window", "-x", "60", "-y", "14")
    screen.until(lambda rows: len(rows) == 14 and "3,000/3,000" in rows[2] and "> line 1" in rows[4])
    screen.keys("Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"line 1\n")


def test_the_mouse(screen: Screen) -> None:
    screen.start(NUMBERS).shows(2, "> line 1")

    def press(x: int, y: int, code: int = 0) -> None:
        release = "" if code >= 64 else f"\x1b[<{code};{x + 1};{y + 1}m"
        screen.type(f"\x1b[<{code};{x + 1};{y + 1}M{release}")

    press(5, 6)
    screen.shows(6, "> line 5")
    press(5, 4, 2)
    screen.shows(4, ">*line 3")
    press(5, 4, 65)
    screen.shows(5, "> line 4")
    press(5, 8)
    press(5, 8)
    assert (screen.end(), screen.out.read_bytes()) == (0, b"line 3\n")


def test_a_paste_is_text(screen: Screen) -> None:
    screen.start(NUMBERS).shows(1, "3,000/3,000")
    screen.type("\x1b[200~line\n77\t\x1b[201~")
    screen.shows(0, "> line77")
    screen.type("\x1b[1;1R\x1b]11;rgb:0/0/0\x07\x1b[?62;c")
    screen.keys("C-u", "M-BSpace")
    screen.shows(1, "3,000/3,000")
    screen.type("alpha beta")
    screen.keys("M-BSpace", "C-y", "M-b", "M-d")
    screen.shows(0, "> alpha")
    screen.keys("Escape")
    assert screen.end() == 130


def test_closed_descriptors() -> None:
    script = f"{LISTD} pick -f '' <&-; echo $?; echo a | {LISTD} pick -f a 2>&-; echo $?"
    ran = subprocess.run(["bash", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert ran.stdout == b"1\na\n0\n"
