"""What the rows of a page are read from: a file, standard input, a folder or a command."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple

from reading import Identity, Unreadable, first_items, items


class Source:
    """`read` returns the items if they may have changed since it was called last, else `None`."""

    columns: List[Dict[str, str]] = []
    sort: Optional[str] = None  # The first order of the table.
    changes = False  # Whether it is worth recording for a while.
    shows_first = False  # Whether the first rows of a large file are read before the others.
    is_partial = False  # Whether only these were read.
    feed: Optional[Dict[str, Any]] = None  # What the daemon reads instead.

    def __init__(self, title: str) -> None:
        self.title = title

    def read(self) -> Optional[List[Any]]:
        raise NotImplementedError

    def close(self) -> None:
        pass


class File(Source):
    def __init__(self, path: str, kind: str, identity: Identity) -> None:
        super().__init__("standard input" if path == "-" else os.path.basename(path) or path)
        self.path, self.kind, self.identity = path, kind, identity
        self._seen: Any = None
        self._data = b""

    def read(self) -> Optional[List[Any]]:
        if self.path == "-":
            status: Any = "read once"
        else:
            found = os.stat(self.path)
            status = (found.st_mtime_ns, found.st_size, found.st_ino)
        if status == self._seen and not self.is_partial:
            return None
        is_first, self._seen = self._seen is None, status
        if self.path != "-" or is_first:
            self._data = sys.stdin.buffer.read() if self.path == "-" else Path(self.path).read_bytes()
        self.is_partial = False
        if is_first and self.shows_first:
            with contextlib.suppress(Unreadable):
                if found := first_items(self._data, self.path, self.kind, self.identity):
                    self.is_partial = True
                    return found
        data, self._data = self._data, b""
        return items(data, self.path, self.kind, self.identity)


class Folder(Source):
    """A folder, which the daemon reads."""

    columns = [
        {"name": "name"}, {"name": "type"}, {"name": "size", "kind": "bytes"}, {"name": "modified", "kind": "time"},
    ]  # fmt: skip
    sort = "-modified"

    def __init__(self, path: str) -> None:
        super().__init__(os.path.abspath(path))
        self.feed = {"folder": self.title, "depth": 1, "hidden": True, "ignored": True}


class Command(Source):
    """A command that is run again some time after it has ended. The rows of its first run are read while it runs."""

    changes = True

    def __init__(self, words: Sequence[str], pause: float, kind: str, identity: Identity) -> None:
        super().__init__(" ".join(words))
        self.words = ["/bin/sh", "-c", words[0]] if len(words) == 1 else list(words)
        self.pause, self.kind, self.identity = pause, kind, identity
        self._process: Optional["subprocess.Popen[bytes]"] = None
        self._chunks: List[bytes] = []
        self._reader: Optional[threading.Thread] = None
        self._is_first, self._read, self._next = True, 0, 0.0

    def read(self) -> Optional[List[Any]]:
        if self._process is None:
            if time.monotonic() < self._next:
                return None
            self._start()
        assert self._process and self._reader
        if self._is_first:
            # Most commands end at once, and rows that they have printed are not read twice.
            self._reader.join(0.2)
        if self._reader.is_alive():
            data = b"".join(list(self._chunks))
            data = data[: data.rfind(b"\n") + 1]
            if not self._is_first or len(data) == self._read or self.kind in ("json", "snapshot"):
                return None
            self._read = len(data)
            return self._items(data)
        code = self._process.wait()
        self._process, self._next = None, time.monotonic() + self.pause
        was_first, self._is_first = self._is_first, False
        if code != 0 and not (was_first and self._chunks):
            ended = f"exited with {code}" if code > 0 else f"was ended by {signal.Signals(-code).name}"
            raise Unreadable(f"the command {ended}")
        return self._items(b"".join(self._chunks))

    def _items(self, data: bytes) -> List[Any]:
        return items(data, "", self.kind, self.identity)

    def _start(self) -> None:
        self._process = subprocess.Popen(
            self.words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True
        )
        chunks: List[bytes] = []
        self._chunks, output = chunks, self._process.stdout
        assert output

        def collect() -> None:
            with output:
                while data := os.read(output.fileno(), 1 << 16):
                    chunks.append(data)

        self._reader = threading.Thread(target=collect, daemon=True)
        self._reader.start()

    def close(self) -> None:
        if self._process and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGTERM)
            try:
                self._process.wait(1)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()


def source_of(
    operand: Optional[str], command: Sequence[str], pause: float, kind: str, identity: Identity
) -> Source:
    """The source that a command line names."""
    if command:
        return Command(command, pause, kind, identity)
    path = operand or "."
    if path != "-" and os.path.isdir(path):
        return Folder(path)
    if path != "-" and not os.path.exists(path):
        raise Unreadable(f"{path} is neither a file nor a folder")
    return File(path, kind, identity)
