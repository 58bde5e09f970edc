"""The client for programs without an event loop."""

from __future__ import annotations

import contextlib
import inspect
import subprocess
import tempfile
import threading
import weakref
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import replace
from queue import SimpleQueue
from typing import (
    Any, BinaryIO, Callable, Iterator, List, Mapping, Optional, TypeVar,
)  # fmt: skip

from . import calls
from .calls import Call
from .conversation import Listener
from .core import Core, is_local
from .each import RowChange
from .errors import Closed, DaemonGone, ListdError, TimedOut
from .fetching import answered, fetched
from .places import Format
from .program import LAST_MOMENT, command, daemon_gone, greeting
from .methods import DaemonMethods, ListMethods
from .news import News, read_news
from .results import Change
from .sockets import SocketWriter, connected, socket_path
from .subscriptions import Callbacks, Listening, Subscription
from .traffic import Log

T = TypeVar("T")

PATIENCE = 30.0
CHUNK = 1 << 20


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
    daemon.initialize(ends_with_us=False)
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
        self._reader, self._writer, self._process, self._stderr = reader, writer, process, stderr
        self._lock = threading.Lock()
        self._outbox: SimpleQueue[Optional[bytes]] = SimpleQueue()
        self._callbacks = Callbacks()
        self._threads = [
            threading.Thread(target=work, name=f"listd {work.__name__}", daemon=True)
            for work in (self._read, self._write)
        ]
        for thread in self._threads:
            thread.start()

    def list(self, name: str, timeout: Optional[float] = None) -> NamedList:
        """A list, which need not exist yet. `timeout` replaces the daemon's default."""
        return NamedList(self, name, timeout)

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
        with self._lock:
            self._outbox.put(self._conversation.ask(call.method, call.params, future, listener, call.default))
        patience = self.timeout if timeout is None else timeout
        try:
            return call.read(future.result(patience))
        except FutureTimeout as late:
            why = f"no answer to {call.method} within {patience} s"
            raise TimedOut(why) from late
        finally:
            if not future.done():
                with self._lock:
                    self._outbox.put(self._conversation.cancel(future))

    def notify(self, method: str, params: Any = None) -> None:
        """Sends a notification."""
        with self._lock:
            self._outbox.put(self._conversation.notification(method, params))

    def unsubscribe(self, listener: Listener, name: str) -> None:
        """Removes a listener. If it was the last one, ends the subscription."""
        future: Future[Any] = Future()
        with self._lock:
            if not self._conversation.leave(listener, name):
                return
            call = calls.unsubscribe(name)
            self._outbox.put(self._conversation.ask(call.method, call.params, future))
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
        self._end(Closed("the connection is closed"), closed=True)
        self._outbox.put(None)
        self._threads[0].join(timeout)
        if self._process:
            try:
                self._process.wait(timeout)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._threads[0].join(timeout)
        self._callbacks.put(None)
        if self._stderr:
            self._stderr.close()

    def __enter__(self) -> Daemon:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _end(self, why: ListdError, closed: bool = False) -> None:
        with self._lock:
            self._conversation.end(why, closed)

    def _read(self) -> None:
        """Reads until the end of the stream."""
        read = getattr(self._reader, "read1", self._reader.read)
        try:
            while data := read(CHUNK):
                with self._lock:
                    answer = self._conversation.receive(data)
                if answer:
                    self._outbox.put(answer)
            why = daemon_gone(self._conversation.has_partial_message, self._code(), self._stderr)
        except (OSError, ValueError, KeyError) as error:
            why = DaemonGone(f"listd sent an invalid message: {error}")
        self._end(why)
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
            while (data := self._outbox.get()) is not None:
                rest = memoryview(data)
                while rest:
                    rest = rest[self._writer.write(rest) :]
                self._writer.flush()
        with contextlib.suppress(OSError):
            self._writer.close()


class NamedList(ListMethods):
    """A list of a daemon."""

    def __init__(self, daemon: Daemon, name: str, timeout: Optional[float] = None) -> None:
        self.daemon: Daemon = daemon
        self.name: str = name
        self.timeout: Optional[float] = timeout

    def ask(self, call: Call[T]) -> T:
        """The result of a call about the list. Raises the same errors as the daemon's `ask`."""
        return self._attached(self.daemon.ask(call, self.timeout))

    def each(self, change: Change) -> Iterator[RowChange]:
        """The changes row by row, like `change.each()`, also of a change that was pickled."""
        return self._attached(change).each()

    def _attached(self, result: T) -> T:
        """The result, if it is a change, with a way to read its rows."""
        if isinstance(result, Change):
            return replace(result, origin=Origin(self))
        return result

    def _read(self, method: str, params: Mapping[str, Any]) -> News:
        return self._attached(read_news(method, params))

    def subscribe(
        self, format: Optional[Format] = None, *, content: Optional[bool] = None,
        since: Optional[int] = None,
    ) -> Subscription:  # fmt: skip
        """Subscribes to all changes, which are to be iterated over. The first value is the whole list, or
        the change since the revision `since`."""
        subscription = Subscription(self.daemon, self.name, self._read)
        call = calls.subscribe(self.name, format, content, since)
        self.daemon.ask(call, self.timeout, subscription)
        return subscription

    def listen(
        self, callback: Callable[[News], None], format: Optional[Format] = None, *,
        content: Optional[bool] = None, since: Optional[int] = None,
        ended: Optional[Callable[[Optional[ListdError]], None]] = None,
    ) -> Listening:  # fmt: skip
        """Calls `callback` in a separate thread with each value that `subscribe` would yield, one at a time,
        and finally `ended`, once, with `DaemonGone` if that is the reason."""
        if inspect.iscoroutinefunction(callback):
            raise TypeError("the callback is a coroutine function: use listd.aio")
        def hear(method: str, params: Mapping[str, Any]) -> None:
            callback(self._read(method, params))

        listening = Listening(self.daemon, self.name, hear, ended)
        call = calls.subscribe(self.name, format, content, since)
        self.daemon.ask(call, self.timeout, listening)
        return listening


class Origin:
    """Reads the rows of changes of a list, unless its daemon is no longer used."""

    def __init__(self, changed: NamedList) -> None:
        self._daemon, self._name, self._timeout = weakref.ref(changed.daemon), changed.name, changed.timeout

    def __call__(self, change: Change) -> List[RowChange]:
        daemon = self._daemon()
        if daemon is None:
            raise Closed("the connection of the change is closed")
        return answered(fetched(change), NamedList(daemon, self._name, self._timeout).ask)


def _unchanged(result: Any) -> Any:
    return result
