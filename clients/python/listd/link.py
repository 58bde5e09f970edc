"""The threads between a conversation and a daemon."""

from __future__ import annotations

import contextlib
import subprocess
import threading
from queue import SimpleQueue
from typing import Any, BinaryIO, Optional

from .conversation import Conversation
from .errors import Closed, DaemonGone, ListdError
from .program import LAST_MOMENT, daemon_gone

CHUNK = 1 << 20


class Link:
    """Reads and writes in two threads. These refer to this object only, so that a `Daemon` that nothing else refers to
    can be collected."""

    def __init__(
        self, conversation: Conversation, reader: Any, writer: Any,
        process: Optional[subprocess.Popen[bytes]], stderr: Optional[BinaryIO],
    ) -> None:  # fmt: skip
        self.lock: threading.Lock = threading.Lock()
        """Held while the conversation is used."""
        self.outbox: SimpleQueue[Optional[bytes]] = SimpleQueue()
        """What is to be written; `None` is the end."""
        self._conversation, self._reader, self._writer = conversation, reader, writer
        self._process, self._stderr = process, stderr
        self._threads = [
            threading.Thread(target=work, name=f"listd {work.__name__}", daemon=True)
            for work in (self._read, self._write)
        ]
        for thread in self._threads:
            thread.start()

    def end(self, why: ListdError, closed: bool = False) -> None:
        """Fails all pending requests."""
        with self.lock:
            self._conversation.end(why, closed)

    def close(self, timeout: float) -> None:
        """Ends the daemon's input and waits for its end, at most `timeout` seconds."""
        self.end(Closed("the connection is closed"), closed=True)
        self.outbox.put(None)
        self._threads[0].join(timeout)
        if self._process:
            try:
                self._process.wait(timeout)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        for thread in self._threads:
            thread.join(timeout)
        if self._stderr:
            self._stderr.close()

    def forked(self) -> None:
        """Closes the copies of a forked process. The threads are not there, and may have held the
        lock."""
        self.lock = threading.Lock()
        for file in (self._reader, self._writer, self._stderr):
            with contextlib.suppress(OSError, ValueError):
                if file:
                    file.close()

    def _read(self) -> None:
        """Reads until the end of the stream."""
        read = getattr(self._reader, "read1", self._reader.read)
        try:
            while data := read(CHUNK):
                with self.lock:
                    answer = self._conversation.receive(data)
                if answer:
                    self.outbox.put(answer)
            why = daemon_gone(self._conversation.has_partial_message, self._code(), self._stderr)
        except (OSError, ValueError, KeyError) as error:
            why = DaemonGone(f"listd sent an invalid message: {error}")
        self.end(why)
        self._reader.close()

    def _code(self) -> Optional[int]:
        """The exit code of the daemon; `None` if its process has not ended or is not ours."""
        if self._process:
            with contextlib.suppress(subprocess.TimeoutExpired):
                return self._process.wait(LAST_MOMENT)
        return None

    def _write(self) -> None:
        """Writes queued messages. If writing fails, the reader finds out why."""
        with contextlib.suppress(OSError, ValueError):
            while (data := self.outbox.get()) is not None:
                rest = memoryview(data)
                while rest:
                    rest = rest[self._writer.write(rest) :]
                self._writer.flush()
        with contextlib.suppress(OSError):
            self._writer.close()
