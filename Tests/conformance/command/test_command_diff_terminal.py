"""`listd diff` on a terminal: what is visible of long lines, and the pager."""

# Promise: On a terminal every difference is visible, and interrupts are for the pager.

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import shutil
import struct
import subprocess
import termios
import time
from pathlib import Path
from typing import Any, List

import pytest

from client import PATIENCE, program
from command import Files

pytestmark = pytest.mark.needs("listd diff")


class Terminal:
    """The program in a session of its own, with a terminal of some size."""

    def __init__(self, *args: Any, columns: int = 80, rows: int = 24, **environment: str) -> None:
        self.process, self.leader = pty.fork()
        if self.process == 0:
            size = struct.pack("HHHH", rows, columns, 0, 0)
            fcntl.ioctl(1, termios.TIOCSWINSZ, size)
            plain = {name: value for name, value in os.environ.items() if name not in ("LESS", "NO_COLOR")}
            env = {**plain, "TERM": "xterm", **environment}
            os.execve(program(), [program(), *map(str, args)], env)
        self.seen = b""

    def read(self) -> bytes:
        """Everything until the end."""
        with contextlib.suppress(OSError):
            while more := os.read(self.leader, 1 << 16):
                self.seen += more
        os.close(self.leader)
        return self.seen

    def send(self, keys: bytes) -> None:
        os.write(self.leader, keys)

    def end(self) -> int:
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])

    @property
    def is_running(self) -> bool:
        return os.waitpid(self.process, os.WNOHANG) == (0, 0)


def wait_for(path: Path) -> None:
    limit = time.monotonic() + PATIENCE
    while not path.exists():
        assert time.monotonic() < limit
        time.sleep(0.01)


def shown(files: Files, old: Any, new: Any, *args: str, **options: Any) -> List[str]:
    """The rows of a drawing on a terminal, without colours and the numbers of rows."""
    files.ask(old, new)
    options.setdefault("LISTD_PAGER", "")
    terminal = Terminal("diff", *args, files.old, files.new, **options)
    text = re.sub(r"\x1b\[[0-9;]*m", "", terminal.read().decode())
    assert terminal.end() in (0, 1)
    return text.splitlines()


LONG = "-" * 100


@pytest.mark.parametrize("colours", ["auto", "never"])
def test_a_difference_beyond_the_edge_is_visible(files: Files, colours: str) -> None:
    for old, new in (("end A", "end B"), (f"end A{LONG}", f"end B{LONG}"), (f"A{LONG}one", f"B{LONG}two")):
        lines = shown(files, f"{LONG}{old}\n".encode(), f"{LONG}{new}\n".encode(), "--color", colours)
        deleted, inserted = lines[3], lines[4]
        assert deleted[10:] != inserted[10:] and max(map(len, lines[2:])) <= 80, lines
        for word in re.findall("[A-Za-z]+", old):
            assert word in deleted
        for word in re.findall("[A-Za-z]+", new):
            assert word in inserted


def test_many_long_lines_that_differ_at_the_end(files: Files) -> None:
    old, new = ("".join(f"{LONG}{n}{end}\n" for n in range(60)).encode() for end in "xy")
    lines = shown(files, old, new)
    assert [line[10:] for line in lines if " - " in line] != [line[10:] for line in lines if " + " in line]
    assert all(line.endswith(("x", "y")) for line in lines[3:-1])


def test_differences_that_need_several_lines(files: Files) -> None:
    old, new = (" ".join(f"common words {word}{n}" for n in range(40)) for word in ("old", "new"))
    lines = shown(files, f"start {old}\n".encode(), f"start {new}\n".encode())
    seen = "".join(line[11:] for line in lines[3:-1])
    assert all(f"old{n}" in seen and f"new{n}" in seen for n in range(40))
    assert max(map(len, lines[2:])) <= 80


def test_long_values(files: Files) -> None:
    rows = [[{"id": 1, "name": f"{n}" * 50 + LONG + f"end {n}", "more": "x" * 90}] for n in "ab"]
    lines = shown(files, *rows, "--key", "id")
    assert any("end a" in line for line in lines) and any("end b" in line for line in lines), lines


def test_a_width_of_zero_cuts_nothing(files: Files) -> None:
    lines = shown(files, f"{LONG}A\nx{LONG}\n".encode(), f"{LONG}B\nx{LONG}\n".encode(), "--width=0")
    text = "".join(lines)
    assert LONG + "A" in text and LONG + "B" in text and "x" + LONG in text and "…" not in text
    assert files.ask(b"a\n", b"b\n", "--width=19").code == 2


def test_a_pager_gets_whole_lines(files: Files, tmp_path: Path) -> None:
    old, new = ("".join(f"{n}{LONG * 2}{end}\n" for n in range(60)).encode() for end in "xy")
    for args, is_whole in ([], True), (["--width=40"], False):
        paged = tmp_path / "paged"
        shown(files, old, new, *args, LISTD_PAGER=f"cat > '{paged}'; true")
        lines = paged.read_text().splitlines()
        assert all((LONG * 2 in line) == is_whole for line in lines[3:-1])


def test_an_interrupt_is_for_the_pager(files: Files, tmp_path: Path) -> None:
    files.ask(b"", b"".join(b"%d\n" % n for n in range(100)))
    ready, interrupted = tmp_path / "ready", tmp_path / "interrupted"
    pager = (
        f"trap 'touch {interrupted}' INT; cat >/dev/null; touch {ready}; "
        "until read line </dev/tty; do :; done; echo done $line"
    )
    for key in (b"\x03", b"\x1c"):
        interrupted.unlink(missing_ok=True)
        ready.unlink(missing_ok=True)
        trap = pager if key == b"\x03" else pager.replace("INT", "QUIT")
        terminal = Terminal("diff", files.old, files.new, LISTD_PAGER=trap)
        wait_for(ready)
        terminal.send(key)
        wait_for(interrupted)
        assert terminal.is_running
        terminal.send(b"q\n")
        assert b"done q" in terminal.read() and terminal.end() == 1


def test_a_pager_has_the_usual_signals(files: Files, tmp_path: Path) -> None:
    """An interrupt ends a pager that does not handle it, and then the drawing."""
    files.ask(b"", b"".join(b"%d\n" % n for n in range(100)))
    ready = tmp_path / "ready"
    terminal = Terminal("diff", files.old, files.new, LISTD_PAGER=f"cat >/dev/null; touch {ready}; exec sleep 600")
    wait_for(ready)
    time.sleep(0.1)
    terminal.send(b"\x03")
    terminal.read()
    assert terminal.end() == 1


def test_a_pager_that_is_missing(files: Files) -> None:
    rows = b"".join(b"row %d\n" % n for n in range(100))
    lines = shown(files, b"", rows, LISTD_PAGER="no-such-pager -x")
    assert any("row 99" in line for line in lines) and lines[-1].endswith("100 inserted")


@pytest.mark.parametrize("options", ["", "-X", "-N -i", "-e -F", "-+R", "--no-such-option"])
def test_less_shows_colours_whatever_its_options_are(files: Files, options: str) -> None:
    rows = b"".join(b"row %d\n" % n for n in range(100))
    files.ask(b"", rows)
    if not shutil.which("less"):
        pytest.skip("needs less")
    terminal = Terminal("diff", files.old, files.new, LESS=options)
    limit = time.monotonic() + PATIENCE
    while b"row 9" not in terminal.seen:
        assert time.monotonic() < limit, terminal.seen
        terminal.seen += os.read(terminal.leader, 1 << 16)
        if b"RETURN" in terminal.seen:
            terminal.send(b"\n")
    terminal.send(b"q")
    seen = terminal.read()
    assert terminal.end() == 1
    assert b"\x1b[32m" in seen and b"ESC" not in seen


@pytest.mark.parametrize("closed, words", [("<&-", "standard input is closed"), (">&-", "standard output is closed")])
def test_closed_descriptors(files: Files, closed: str, words: str) -> None:
    files.ask(b"a\n", b"b\n")
    first = "-" if closed == "<&-" else str(files.old)
    done = subprocess.run(
        ["bash", "-c", f'"$0" diff "$1" "$2" {closed}', program(), first, str(files.new)],
        capture_output=True, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 2 and words in done.stderr.decode()


def test_the_daemon_describes_what_it_reads_from_a_terminal() -> None:
    terminal = Terminal()
    while b"listd --help" not in terminal.seen:
        terminal.seen += os.read(terminal.leader, 1 << 12)
    terminal.send(b"\x04")
    terminal.read()
    assert terminal.end() == 0
