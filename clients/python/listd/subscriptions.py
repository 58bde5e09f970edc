"""News of lists, for programs without an event loop: to iterate over, or by callbacks."""

from __future__ import annotations

import logging
import threading
from queue import Empty, SimpleQueue
from typing import Any, Callable, Iterator, Mapping, Optional, Protocol, Tuple, Union

from .conversation import Listener
from .errors import ListdError, TimedOut
from .news import News, read_news

logger: logging.Logger = logging.getLogger("listd")
Heard = Tuple[str, Mapping[str, Any]]


class Owner(Protocol):
    """What a subscription needs of its daemon."""

    def unsubscribe(self, listener: Listener, name: str) -> None:
        """Ends a listener."""

    def call_back(self, callback: Callable[[], None]) -> None:
        """Calls back in another thread."""


class Subscription(Iterator[News]):
    """News of one list, one after the other; ends when it is closed, raises when listd is gone."""

    def __init__(self, owner: Owner, name: str) -> None:
        self.name: str = name
        self._owner = owner
        self._told: SimpleQueue[Union[Heard, ListdError, None]] = SimpleQueue()

    def next(self, timeout: Optional[float] = None) -> News:
        """The next news; raises `TimedOut` where there is none in that many seconds."""
        try:
            told = self._told.get(timeout=timeout)
        except Empty:
            raise TimedOut(f"no news of {self.name} within {timeout} s") from None
        if isinstance(told, tuple):
            return read_news(*told)
        self._told.put(told)  # For whoever asks again.
        raise told or StopIteration

    def __next__(self) -> News:
        return self.next()

    def close(self) -> None:
        """Ends it."""
        self._owner.unsubscribe(self, self.name)

    def __enter__(self) -> Subscription:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def hear(self, method: str, params: Mapping[str, Any]) -> None:
        """Takes news."""
        self._told.put((method, params))

    def end(self, why: Optional[ListdError]) -> None:
        """Takes the end."""
        self._told.put(why)


class Listening:
    """News of one list, told to a callback."""

    def __init__(
        self, owner: Owner, name: str, callback: Callable[[News], None],
        ended: Optional[Callable[[Optional[ListdError]], None]],
    ) -> None:  # fmt: skip
        self.name: str = name
        self._owner, self._callback, self._ended = owner, callback, ended

    def close(self) -> None:
        """Ends it."""
        self._owner.unsubscribe(self, self.name)

    def hear(self, method: str, params: Mapping[str, Any]) -> None:
        """Takes news."""
        self._owner.call_back(lambda: self._callback(read_news(method, params)))

    def end(self, why: Optional[ListdError]) -> None:
        """Takes the end."""
        ended = self._ended
        if ended:
            self._owner.call_back(lambda: ended(why))


class Callbacks:
    """Calls back in the order in which the daemon told, in one thread, which begins when it is
    needed. So a callback may ask the daemon something."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[Optional[Callable[[], None]]] = SimpleQueue()
        self._thread: Optional[threading.Thread] = None

    def put(self, callback: Optional[Callable[[], None]]) -> None:
        """Calls back later; `None` ends the thread after all before."""
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
