"""News of lists for programs without an event loop: as an iterator or by callbacks."""

from __future__ import annotations

import logging
import threading
from queue import Empty, SimpleQueue
from typing import Any, Callable, Iterator, Mapping, Optional, Protocol, Tuple, Union

from .conversation import Listener
from .errors import ListdError, TimedOut
from .news import News

logger: logging.Logger = logging.getLogger("listd")
Heard = Tuple[str, Mapping[str, Any]]


class Owner(Protocol):
    """The part of a daemon that a subscription uses."""

    def unsubscribe(self, listener: Listener, name: str) -> None:
        """Removes a listener."""

    def call_back(self, callback: Callable[[], None]) -> None:
        """Calls `callback` in another thread."""


class Subscription(Iterator[News]):
    """An iterator over the news of a list. It ends when closed, and raises if the daemon
    ends."""

    def __init__(self, owner: Owner, name: str, read: Callable[[str, Mapping[str, Any]], News]) -> None:
        self.name: str = name
        self._owner, self._read = owner, read
        self._queue: SimpleQueue[Union[Heard, ListdError, None]] = SimpleQueue()

    def next(self, timeout: Optional[float] = None) -> News:
        """The next news. Raises `TimedOut` if there are none within `timeout` seconds."""
        try:
            event = self._queue.get(timeout=timeout)
        except Empty:
            raise TimedOut(f"no news of {self.name} within {timeout} s") from None
        if isinstance(event, tuple):
            return self._read(*event)
        self._queue.put(event)  # For later calls.
        raise event or StopIteration

    def __next__(self) -> News:
        return self.next()

    def close(self) -> None:
        """Ends the subscription."""
        self._owner.unsubscribe(self, self.name)

    def __enter__(self) -> Subscription:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def hear(self, method: str, params: Mapping[str, Any]) -> None:
        """Queues news."""
        self._queue.put((method, params))

    def end(self, why: Optional[ListdError]) -> None:
        """Queues the end."""
        self._queue.put(why)


class Listening:
    """Passes the news of a list to a callback."""

    def __init__(
        self, owner: Owner, name: str, callback: Callable[[str, Mapping[str, Any]], None],
        ended: Optional[Callable[[Optional[ListdError]], None]],
    ) -> None:  # fmt: skip
        self.name: str = name
        self._owner, self._callback, self._ended = owner, callback, ended

    def close(self) -> None:
        """Stops listening."""
        self._owner.unsubscribe(self, self.name)

    def hear(self, method: str, params: Mapping[str, Any]) -> None:
        """Queues news for the callback."""
        self._owner.call_back(lambda: self._callback(method, params))

    def end(self, why: Optional[ListdError]) -> None:
        """Queues the end for the callback."""
        ended = self._ended
        if ended:
            self._owner.call_back(lambda: ended(why))


class Callbacks:
    """Runs callbacks in the order of the notifications, in a thread that is started when it is needed. So a
    callback may call the daemon."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[Optional[Callable[[], None]]] = SimpleQueue()
        self._thread: Optional[threading.Thread] = None

    def put(self, callback: Optional[Callable[[], None]]) -> None:
        """Queues a callback. `None` ends the thread after the callbacks before it."""
        if callback and not self._thread:
            self._thread = threading.Thread(target=self._run, name="listd callbacks", daemon=True)
            self._thread.start()
        self._queue.put(callback)

    def _run(self) -> None:
        while callback := self._queue.get():
            try:
                callback()
            except Exception:
                logger.exception("a callback failed")
