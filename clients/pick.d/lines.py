"""Lines as they arrive: their bytes, and their texts for matching and display."""

from __future__ import annotations

import asyncio
import os
import threading
from array import array
from typing import Callable, List, Union

CHUNK = 1 << 16
AHEAD = 64
"""The largest number of chunks that are read ahead."""
LONGEST = 1 << 24
"""The largest number of characters of a line that are matched."""


class Lines:
    """All lines that have arrived, by index."""

    def __init__(self, separator: bytes = b"\n") -> None:
        self.separator = separator
        self._data = bytearray()
        self._ends = array("Q")
        self._searched = 0  # No separator is between the last line and this offset.

    def __len__(self) -> int:
        return len(self._ends)

    def raw(self, index: int) -> bytes:
        """The bytes of a line."""
        return bytes(self._data[self._start(index) : self._ends[index]])

    def text(self, index: int) -> str:
        """The text of a line, with U+FFFD for invalid UTF-8."""
        return self.raw(index).decode("utf-8", "replace")[:LONGEST]

    def add(self, data: bytes) -> List[str]:
        """Appends bytes, split in any way. Returns the texts of the lines that are now
        complete."""
        self._data += data
        start = self._start(len(self))
        end = self._data.rfind(self.separator, max(start, self._searched))
        self._searched = len(self._data)
        return self._split(start, end) if end >= start else []

    def finish(self) -> List[str]:
        """Returns the text of the last line if it does not end with a separator."""
        start = self._start(len(self))
        return self._split(start, len(self._data)) if start < len(self._data) else []

    def _split(self, start: int, end: int) -> List[str]:
        whole = bytes(self._data[start:end])
        for piece in whole.split(self.separator):
            start += len(piece) + 1
            self._ends.append(start - 1)
        texts = whole.decode("utf-8", "replace").split(self.separator.decode())
        return [text[:LONGEST] for text in texts] if len(whole) > LONGEST else texts

    def _start(self, index: int) -> int:
        return self._ends[index - 1] + 1 if index else 0


class Input:
    """The chunks of a file descriptor, read in a thread; works for regular files and pipes."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._chunks: asyncio.Queue[Union[bytes, OSError]] = asyncio.Queue()
        self._room = threading.Semaphore(AHEAD)
        # The thread may wait for bytes for ever, and must not keep the process running.
        threading.Thread(target=self._read, daemon=True).start()

    async def take(self, most: int, weigh: Callable[[bytes], int]) -> bytes:
        """All bytes that have arrived, up to about a weight of `most`; empty at the end. Raises
        `OSError`."""
        taken = [await self._next()]
        weight = weigh(taken[0])
        while taken[-1] and weight < most and not self._chunks.empty():
            taken.append(await self._next())
            weight += weigh(taken[-1])
        if len(taken) > 1 and not taken[-1]:
            self._chunks.put_nowait(b"")  # The end is returned separately.
        return b"".join(taken)

    async def _next(self) -> bytes:
        chunk = await self._chunks.get()
        self._room.release()
        if isinstance(chunk, OSError):
            raise chunk
        return chunk

    def _read(self) -> None:
        chunk: Union[bytes, OSError] = b"more"
        while chunk and not isinstance(chunk, OSError):
            self._room.acquire()
            try:
                chunk = os.read(self._descriptor, CHUNK)
            except OSError as error:
                chunk = error
            try:
                self._loop.call_soon_threadsafe(self._chunks.put_nowait, chunk)
            except RuntimeError:  # The loop is closed.
                return
