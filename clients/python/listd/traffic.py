"""A log of all messages, in the form of `listd --record`."""

from __future__ import annotations

import os
import threading
import time
from typing import Any, BinaryIO, Union

Log = Union[str, "os.PathLike[str]", BinaryIO]


class Traffic:
    """Writes one JSON object a line: the time, the sender, and the message as it was sent."""

    def __init__(self, target: Log) -> None:
        self._own = isinstance(target, (str, os.PathLike))
        self._file: Any = open(target, "wb") if isinstance(target, (str, os.PathLike)) else target
        self._start = time.monotonic()
        self._lock = threading.Lock()

    def write(self, side: str, body: bytes) -> None:
        """Writes a message."""
        at = int((time.monotonic() - self._start) * 1000)
        with self._lock:
            if not self._file.closed:
                fields = at, side.encode(), body
                self._file.write(b'{"at":%d,"from":"%b","message":%b}\n' % fields)
                self._file.flush()

    def close(self) -> None:
        """Closes the file if it was opened here."""
        with self._lock:
            if self._own:
                self._file.close()
