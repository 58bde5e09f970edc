"""The client for programs without an event loop."""

from __future__ import annotations

import contextlib
import inspect
import math
import subprocess
import tempfile
import warnings
import weakref
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import replace
from html import escape
from typing import (
    TYPE_CHECKING, Any, BinaryIO, Callable, Generic, Iterable, Iterator, List, Mapping, Optional, TypeVar,
)  # fmt: skip

from . import calls
from .calls import Call
from .changes import Change
from .conversation import Listener
from .core import Core, is_local
from .each import RowChange
from .errors import Closed, ListdError, TimedOut
from .fetching import answered, fetched
from .identity import Names, names_of
from .kinds import ItemT
from .link import Link
from .methods import DaemonMethods, ListMethods
from .news import News, read_news
from .places import Format
from .program import command, greeting
from .protocol import OpContents
from .results import Selection, Snapshot, Window
from .sockets import SocketWriter, connected, socket_path
from .subscriptions import Callbacks, Listening, Subscription
from .traffic import Log

T = TypeVar("T")

PATIENCE = 30.0


def spawn(
    program: Optional[str] = None, *args: str, timeout: Optional[float] = PATIENCE,
    log: Optional[Log] = None,
) -> Daemon:  # fmt: skip
    """Starts a daemon: the given program, or the one that `find` returns. `timeout` is the time limit for
    a reply in seconds. `log` is a file for all messages.

    The daemon is in its own process group: Ctrl-C in a terminal does not reach it."""
    stderr = tempfile.TemporaryFile()
    words = command(program, args)
    process = subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, bufsize=0,
        start_new_session=True,
    )  # fmt: skip
    assert process.stdin and process.stdout
    daemon = Daemon(process.stdout, process.stdin, process, stderr, timeout=timeout, log=log)
    try:
        daemon.initialize(is_local(words[0]))
    except BaseException:
        process.kill()
        daemon.close()
        raise
    return daemon


def attach(
    reader: Any, writer: Any, *, timeout: Optional[float] = PATIENCE, log: Optional[Log] = None
) -> Daemon:
    """Connects to a running daemon through two binary files."""
    daemon = Daemon(reader, writer, timeout=timeout, log=log)
    try:
        daemon.initialize(ends_with_us=False)
    except BaseException:
        daemon.close()
        raise
    return daemon


def connect(
    path: Optional[str] = None, *args: str, start: bool = False,
    timeout: Optional[float] = PATIENCE, log: Optional[Log] = None,
) -> Daemon:  # fmt: skip
    """Connects to the daemon that listens at a path, by default the path in `LISTD_SOCKET`. If no daemon
    listens there and `start` is true, starts one with the options `args`."""
    path = socket_path(path)
    if start:
        return spawn(None, "connect", "--start", path, *args, timeout=timeout, log=log)
    connection = connected(path)
    reader = connection.makefile("rb", buffering=0)
    return attach(reader, SocketWriter(connection), timeout=timeout, log=log)


class Daemon(DaemonMethods, Core):
    """A connection to a daemon. Its methods may be called from any thread."""

    def __init__(
        self, reader: Any, writer: Any, process: Optional[subprocess.Popen[bytes]] = None,
        stderr: Optional[BinaryIO] = None, *, timeout: Optional[float], log: Optional[Log],
    ) -> None:  # fmt: skip
        super().__init__(timeout, log)
        self._process = process
        self._link = Link(self._conversation, reader, writer, process, stderr)
        self._callbacks = Callbacks()

    def list(self, name: str, timeout: Optional[float] = None, key: Optional[Names] = None) -> NamedList[Any]:
        """A list, which need not exist yet. `timeout` replaces the daemon's default; `math.inf` means no limit. `key`
        is that of all its methods, and of its changes."""
        return NamedList(self, name, timeout, key)

    def initialize(self, ends_with_us: bool = True) -> None:
        """Begins the session; `spawn` and `attach` call this. If `ends_with_us` is true, the daemon ends
        when this process ends; both must run on the same machine."""
        self._greeted(self.call("initialize", greeting(ends_with_us)))
        self.notify("initialized", {})

    def call(self, method: str, params: Any = None, timeout: Optional[float] = None) -> Any:
        """Calls any method. Returns its result as received."""
        return self.ask(Call(method, params, _unchanged), timeout)

    def ask(
        self, call: Call[T], timeout: Optional[float] = None, listener: Optional[Listener] = None
    ) -> T:
        """The result of a call. Raises `Refused`, `DaemonGone`, `Closed` or `TimedOut`."""
        future: Future[Any] = Future()
        with self._link.lock:
            self._link.outbox.put(
                self._conversation.ask(call.method, call.params, future, listener, call.default)
            )
        patience = self.timeout if timeout is None else timeout
        try:
            return call.read(future.result(None if patience == math.inf else patience))
        except FutureTimeout as late:
            why = f"no answer to {call.method} within {patience} s"
            raise TimedOut(why) from late
        finally:
            if not future.done():
                with self._link.lock:
                    self._link.outbox.put(self._conversation.cancel(future))

    def notify(self, method: str, params: Any = None) -> None:
        """Sends a notification."""
        with self._link.lock:
            self._link.outbox.put(self._conversation.notification(method, params))

    def unsubscribe(self, listener: Listener, name: str) -> None:
        """Removes a listener. If it was the last one, ends the subscription, unless the connection
        ends."""
        future: Future[Any] = Future()
        call = calls.unsubscribe(name)
        with contextlib.suppress(ListdError, FutureTimeout):
            with self._link.lock:
                if not self._conversation.leave(listener, name):
                    return
                self._link.outbox.put(self._conversation.ask(call.method, call.params, future))
            future.result(self.timeout)

    def call_back(self, callback: Callable[[], None]) -> None:
        """Calls `callback` in the thread of callbacks."""
        self._callbacks.put(callback)

    def close(self, timeout: float = 5.0) -> None:
        """Lets the daemon finish pending requests and waits for its end, at most `timeout`
        seconds."""
        with contextlib.suppress(ListdError):
            self.call("shutdown", timeout=timeout)
            self.notify("exit")
        if not self._is_closed and not self._is_forked:
            self._link.close(timeout)
        self._is_closed = True
        self._callbacks.put(None)

    def _forked(self) -> None:
        super()._forked()
        self._link.forked()

    def __del__(self, warn: Callable[..., None] = warnings.warn) -> None:
        if not getattr(self, "_is_closed", True) and not self._is_forked:
            warn(f"unclosed {self!r}", ResourceWarning, source=self)
            self._link.outbox.put(None)
            self._callbacks.put(None)

    def __enter__(self) -> Daemon:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class NamedList(ListMethods, Generic[ItemT]):
    """A list of a daemon. Its items may have a type: `inbox: NamedList[Mail] = daemon.list("inbox")`."""

    if TYPE_CHECKING:

        def snapshot(  # pyright: ignore[reportIncompatibleVariableOverride]
            self, revision: Optional[int] = None, *, members: Optional[Iterable[str]] = None
        ) -> Snapshot[ItemT]:
            """The whole list at its present or an earlier revision."""
            ...

        def window(  # pyright: ignore[reportIncompatibleVariableOverride]
            self, start: int, count: int, revision: Optional[int] = None, *, members: Optional[Iterable[str]] = None
        ) -> Window[ItemT]:
            """A range of rows, counted over all sections."""
            ...

        def selection(  # pyright: ignore[reportIncompatibleVariableOverride]
            self,
        ) -> Selection[ItemT]:
            """The selected items and the cursor."""
            ...

    def __init__(
        self, daemon: Daemon, name: str, timeout: Optional[float] = None, key: Optional[Names] = None
    ) -> None:
        self.daemon: Daemon = daemon
        self.name: str = name
        self.timeout: Optional[float] = timeout
        self.key: Optional[Names] = key

    def __repr__(self) -> str:
        return f"<list {self.name!r} of {self.daemon!r}>"

    def _repr_html_(self) -> str:
        """The first rows as a table."""
        try:
            return self.ask(calls.window(self.name, 0, 10))._repr_html_()  # pyright: ignore[reportPrivateUsage]
        except ListdError as why:
            return escape(f"{self!r}: {why}")

    def ask(self, call: Call[T]) -> T:
        """The result of a call about the list. Raises the same errors as the daemon's `ask`."""
        return self._attached(self.daemon.ask(call, self.timeout))

    def each(self, change: Change) -> Iterator[RowChange[ItemT]]:
        """The changes row by row, like `change.each()`, also of a change that was pickled."""
        return self._attached(change).each()

    def _attached(self, result: T) -> T:
        """The result, if it is a change, with a way to read its rows."""
        if isinstance(result, Change):
            return replace(result, origin=Origin(self))
        return result

    def _read(self, method: str, params: Mapping[str, Any]) -> News:
        return self._attached(read_news(method, params, names_of(self.key)))

    def subscribe(
        self, format: Optional[Format] = None, *, content: Optional[OpContents] = None,
        since: Optional[int] = None, moves: Optional[bool] = None, members: Optional[Iterable[str]] = None,
    ) -> Subscription:  # fmt: skip
        """Subscribes to all changes, which are to be iterated over. The first value is the whole list, or
        the change since the revision `since`."""
        subscription = Subscription(self.daemon, self.name, self._read)
        call = calls.subscribe(self.name, format, content, since, moves, members)
        self.daemon.ask(call, self.timeout, subscription)
        return subscription

    def listen(
        self, callback: Callable[[News], None], format: Optional[Format] = None, *,
        content: Optional[OpContents] = None, since: Optional[int] = None, moves: Optional[bool] = None,
        members: Optional[Iterable[str]] = None,
        ended: Optional[Callable[[Optional[ListdError]], None]] = None,
    ) -> Listening:  # fmt: skip
        """Calls `callback` in a separate thread with each value that `subscribe` would yield, one at a time,
        and finally `ended`, once, with `DaemonGone` if that is the reason."""
        if inspect.iscoroutinefunction(callback):
            raise TypeError("the callback is a coroutine function: use listd.aio")
        def hear(method: str, params: Mapping[str, Any]) -> None:
            callback(self._read(method, params))

        listening = Listening(self.daemon, self.name, hear, ended)
        call = calls.subscribe(self.name, format, content, since, moves, members)
        self.daemon.ask(call, self.timeout, listening)
        return listening


class Origin:
    """Reads the rows of changes of a list, unless its daemon is no longer used."""

    def __init__(self, changed: NamedList) -> None:
        self._daemon, self._timeout = weakref.ref(changed.daemon), changed.timeout

    def __call__(self, change: Change) -> List[RowChange]:
        return answered(fetched(change), self._ask)

    def _ask(self, call: Call[T]) -> T:
        daemon = self._daemon()
        if daemon is None:
            raise Closed("the connection of the change is closed")
        return daemon.ask(call, self._timeout)


def _unchanged(result: Any) -> Any:
    return result
