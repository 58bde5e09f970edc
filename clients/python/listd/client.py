"""The client for programs without an event loop."""

from __future__ import annotations

import contextlib
import inspect
import subprocess
import tempfile
import threading
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from queue import SimpleQueue
from typing import (
    Any, BinaryIO, Callable, Iterator, Optional, TypeVar,
)  # fmt: skip

from . import calls
from .calls import Call
from .conversation import Listener
from .core import Core, is_here
from .each import RowChange
from .errors import Closed, DaemonGone, ListdError, ListNotFound, TimedOut
from .places import Format
from .program import LAST_MOMENT, command, gone, greeting
from .methods import DaemonMethods, ListMethods
from .news import News
from .results import Change
from .rows import Sections
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
    """Starts a daemon: the given program, or the one that `find` finds. `timeout` is how many
    seconds an answer may take, `log` a file that all messages are written to.

    It is in a process group of its own: Ctrl-C in a terminal does not reach it."""
    stderr = tempfile.TemporaryFile()
    words = command(program, args)
    process = subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, bufsize=0,
        start_new_session=True,
    )  # fmt: skip
    assert process.stdin and process.stdout
    daemon = Daemon(process.stdout, process.stdin, process, stderr, timeout=timeout, log=log)
    try:
        daemon.initialize(is_here(words[0]))
    except BaseException:
        process.kill()
        daemon.close()
        raise
    return daemon


def attach(
    reader: Any, writer: Any, *, timeout: Optional[float] = PATIENCE, log: Optional[Log] = None
) -> Daemon:
    """Speaks with a daemon that somebody else started, through two binary files."""
    daemon = Daemon(reader, writer, timeout=timeout, log=log)
    daemon.initialize(ends_with_us=False)
    return daemon


def connect(
    path: Optional[str] = None, *args: str, start: bool = False,
    timeout: Optional[float] = PATIENCE, log: Optional[Log] = None,
) -> Daemon:  # fmt: skip
    """Joins the daemon that listens at a path, by default the one that `LISTD_SOCKET` names. If none
    listens there and `start` is true, starts one with the options `args`."""
    path = socket_path(path)
    if start:
        return spawn(None, "connect", "--start", path, *args, timeout=timeout, log=log)
    connection = connected(path)
    reader = connection.makefile("rb", buffering=0)
    return attach(reader, SocketWriter(connection), timeout=timeout, log=log)


class Daemon(DaemonMethods, Core):
    """A running listd. Its methods may be called from any thread."""

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
        """A list, which need not exist yet; `timeout` where it is to have its own."""
        return NamedList(self, name, timeout)

    def initialize(self, ends_with_us: bool = True) -> None:
        """Begins the session; `spawn` and `attach` do it. The daemon ends with this process, if that
        is on the same machine."""
        self._greeted(self.call("initialize", greeting(ends_with_us)))
        self.notify("initialized", {})

    def call(self, method: str, params: Any = None, timeout: Optional[float] = None) -> Any:
        """The result of any method, as the daemon tells it."""
        return self.ask(Call(method, params, _as_it_is), timeout)

    def ask(
        self, call: Call[T], timeout: Optional[float] = None, listener: Optional[Listener] = None
    ) -> T:
        """The result of a call; raises `Refused`, `DaemonGone`, `Closed` or `TimedOut`."""
        future: Future[Any] = Future()
        with self._lock:
            self._outbox.put(self._conversation.ask(call.method, call.params, future, listener))
        patience = self.timeout if timeout is None else timeout
        try:
            return call.read(future.result(patience))
        except FutureTimeout as late:
            why = f"no answer to {call.method} within {patience} s"
            raise TimedOut(why) from late
        finally:
            if not future.done():
                with self._lock:
                    self._outbox.put(self._conversation.give_up(future))

    def notify(self, method: str, params: Any = None) -> None:
        """Tells something that has no answer."""
        with self._lock:
            self._outbox.put(self._conversation.tell(method, params))

    def unsubscribe(self, listener: Listener, name: str) -> None:
        """Ends a listener, and the subscription if it was the last one."""
        future: Future[Any] = Future()
        with self._lock:
            if not self._conversation.leave(listener, name):
                return
            call = calls.unsubscribe(name)
            self._outbox.put(self._conversation.ask(call.method, call.params, future))
        future.result(self.timeout)

    def call_back(self, callback: Callable[[], None]) -> None:
        """Calls back in the thread of callbacks."""
        self._callbacks.put(callback)

    def close(self, timeout: float = 5.0) -> None:
        """Lets the daemon finish what it was asked, and waits for its end, but not for ever."""
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
        """Takes what comes, until nothing more does."""
        read = getattr(self._reader, "read1", self._reader.read)
        try:
            while data := read(CHUNK):
                with self._lock:
                    answer = self._conversation.receive(data)
                if answer:
                    self._outbox.put(answer)
            why = gone(self._conversation.in_the_midst, self._code(), self._stderr)
        except (OSError, ValueError, KeyError) as error:
            why = DaemonGone(f"listd says what is no message: {error}")
        self._end(why)
        self._reader.close()

    def _code(self) -> Optional[int]:
        """How the daemon ended, if it did and does not just say no more."""
        if self._process:
            with contextlib.suppress(subprocess.TimeoutExpired):
                return self._process.wait(LAST_MOMENT)
        return None

    def _write(self) -> None:
        """Sends what is to be sent; that it can't be told is what the reader finds out."""
        with contextlib.suppress(OSError, ValueError):
            while (data := self._outbox.get()) is not None:
                rest = memoryview(data)
                while rest:
                    rest = rest[self._writer.write(rest) :]
                self._writer.flush()
        with contextlib.suppress(OSError):
            self._writer.close()


class NamedList(ListMethods):
    """One list of a daemon, by its name."""

    def __init__(self, daemon: Daemon, name: str, timeout: Optional[float] = None) -> None:
        self.daemon: Daemon = daemon
        self.name: str = name
        self.timeout: Optional[float] = timeout

    def ask(self, call: Call[T]) -> T:
        """The result of a call about the list; raises what the daemon's `ask` does."""
        told = self.daemon.ask(call, self.timeout)
        if isinstance(told, Change):
            object.__setattr__(told, "_fetch", self._sections)
        return told

    def each(self, change: Change) -> Iterator[RowChange]:
        """The changes row by row, as `change.each()`: of what a subscription gave, too."""
        object.__setattr__(change, "_fetch", self._sections)
        return change.each()

    def _sections(self, revision: int) -> Sections:
        try:
            return self.snapshot(revision).sections if revision else []
        except ListNotFound:
            return []

    def subscribe(
        self, format: Optional[Format] = None, *, content: Optional[bool] = None,
        since: Optional[int] = None,
    ) -> Subscription:  # fmt: skip
        """Every change from now on, to be iterated over. What comes first is the whole list, or
        the change from the revision `since`."""
        subscription = Subscription(self.daemon, self.name)
        call = calls.subscribe(self.name, format, content, since)
        self.daemon.ask(call, self.timeout, subscription)
        return subscription

    def listen(
        self, callback: Callable[[News], None], format: Optional[Format] = None, *,
        content: Optional[bool] = None, since: Optional[int] = None,
        ended: Optional[Callable[[Optional[ListdError]], None]] = None,
    ) -> Listening:  # fmt: skip
        """Calls back with what `subscribe` would give, in a thread of its own, one at a time; then
        `ended`, once: with `DaemonGone` if that is why."""
        if inspect.iscoroutinefunction(callback):
            raise TypeError("a coroutine function cannot be called back here: listd.aio awaits them")
        listening = Listening(self.daemon, self.name, callback, ended)
        call = calls.subscribe(self.name, format, content, since)
        self.daemon.ask(call, self.timeout, listening)
        return listening


def _as_it_is(told: Any) -> Any:
    return told
