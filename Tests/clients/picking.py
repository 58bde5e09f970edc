"""Controls a picker in a terminal through tmux, and reads its screen."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import subprocess
import time
from pathlib import Path
from typing import Any, Callable, Iterator, List, Tuple

import pytest

LISTD = os.environ["LISTD"]
PATIENCE = float(os.environ.get("LISTD_PATIENCE", 180))
NUMBERS = "".join(f"line {number}\n" for number in range(1, 3001)).encode()


class Screen:
    """A picker in its own terminal."""

    def __init__(self, folder: Path, size: Tuple[int, int] = (60, 14)) -> None:
        self.folder, self.size = folder, size
        self.out, self.err, self.status = folder / "out", folder / "err", folder / "status"

    def tmux(self, *words: str) -> bytes:
        # The path of a socket is limited to 107 bytes.
        command = ["tmux", "-S", os.path.relpath(self.folder / "tmux"), "-f", "/dev/null", *words]
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout

    def start(self, given: "bytes | str", *arguments: str) -> Screen:
        """Starts the picker with input: bytes, or the output of a shell command."""
        source = given
        if isinstance(given, bytes):
            (self.folder / "in").write_bytes(given)
            source = f"cat {shlex.quote(str(self.folder / 'in'))}"
        pick = shlex.join([LISTD, "pick", "--reverse", "--multi", *arguments])
        return self.run(["bash", "-c", f"{{ {source}; }} | {pick}"])

    def run(self, command: List[str]) -> Screen:
        """Runs a command whose last program is a picker."""
        script = self.folder / "script"
        script.write_text(
            f"{shlex.join(command)} >{self.out} 2>{self.err}\n"
            f"echo $? >{self.status}.new; mv {self.status}.new {self.status}; sleep 600\n"
        )
        columns, rows = map(str, self.size)
        settings = ["LC_ALL=C.UTF-8", "NO_COLOR=", "FZF_DEFAULT_OPTS=", "SHELL=/bin/sh", "LINES=", "COLUMNS="]
        environment = [word for setting in settings for word in ("-e", setting)]
        self.tmux("new-session", "-d", "-x", columns, "-y", rows, *environment, f"bash {script}")
        return self

    def keys(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def type(self, text: str) -> None:
        self.tmux("send-keys", "-l", "--", text)

    def rows(self) -> List[str]:
        return self.tmux("capture-pane", "-p").decode().rstrip("\n").split("\n")

    def until(self, is_so: Callable[[List[str]], Any]) -> None:
        """Waits for a condition; rows that do not exist yet do not fulfil it. All that a test expects of a
        screen is one condition, because a captured screen may be drawn in part."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with contextlib.suppress(IndexError):
                if is_so(self.rows()):
                    return
            time.sleep(0.02)
        raise AssertionError("\n".join(self.rows() + [self.errors()]))

    def shows(self, row: int, text: str, *below: str) -> None:
        """Waits until a row has a text, and the rows below it are the given ones, if any."""
        self.until(lambda rows: rows[row].strip() == text and (not below or rows[row + 1 :] == [*below]))

    def errors(self) -> str:
        return self.err.read_text(errors="replace") if self.err.exists() else ""

    def end(self) -> int:
        """Waits for the end. Returns the exit status."""
        end = time.monotonic() + PATIENCE
        while not self.status.exists():
            assert time.monotonic() < end, "\n".join(self.rows() + [self.errors()])
            time.sleep(0.02)
        return int(self.status.read_text())

    def bold(self, row: int) -> str:
        """The bold characters of a row, which are those that match."""
        line = self.tmux("capture-pane", "-p", "-e").decode().split("\n")[row]
        found, is_bold = "", False
        for codes, text in re.findall(r"\x1b\[([\d;]*)m|([^\x1b])", line):
            if text:
                found += text if is_bold else ""
            for code in codes.split(";") if not text else []:
                is_bold = code == "1" or (is_bold and code not in ("", "0", "22"))
        return found


@pytest.fixture(name="screen")
def make_screen(tmp_path: Path) -> Iterator[Screen]:
    made = Screen(tmp_path)
    yield made
    made.tmux("kill-server")


def pick(given: bytes, *words: str, **environment: str) -> "subprocess.CompletedProcess[bytes]":
    settings = {**os.environ, "FZF_DEFAULT_OPTS": "", **environment}
    return subprocess.run(
        [LISTD, "pick", *words], input=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=settings,
        start_new_session=True,
    )  # fmt: skip
