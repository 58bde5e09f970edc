"""The client for programs without an event loop."""

from __future__ import annotations

import contextlib
import functools
import subprocess
import tempfile
import threading
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from queue import SimpleQueue
from typing import (
    TYPE_CHECKING, Any, BinaryIO, Callable, List, Mapping, Optional, Sequence, TypeVar,
)  # fmt: skip

from . import calls
from .calls import Call
from .conversation import Conversation, Listener, logger
from .errors import Closed, DaemonGone, ListdError, TimedOut
from .places import Format
from .program import LAST_MOMENT, command, gone, greeting
from .results import News
from .subscriptions import Callbacks, Listening, Subscription
from .traffic import Log, Traffic
from .version import check

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    P = ParamSpec("P")
T = TypeVar("T")

PATIENCE = 30.0
CHUNK = 1 << 20


def spawn(
    program: Optional[str] = None, *args: str, timeout: Optional[float] = PATIENCE,
    log: Optional[Log] = None,
) -> Daemon:  # fmt: skip
    """Starts a daemon: the given program, or the one that `find` finds. `timeout` is how many
    seconds an answer may take, `log` a file that all messages are written to."""
    stderr = tempfile.TemporaryFile()
    process = subprocess.Popen(
        command(program, args), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr,
        bufsize=0,
    )  # fmt: skip
    assert process.stdin and process.stdout
    daemon = Daemon(process.stdout, process.stdin, process, stderr, timeout=timeout, log=log)
    try:
        daemon.initialize()
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
    daemon.initialize()
    return daemon


def _of_daemon(make: Callable[P, Call[T]]) -> Callable[Concatenate[Daemon, P], T]:
    @functools.wraps(make)
    def method(self: Daemon, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.ask(make(*args, **kwargs))

    return method


def _of_list(
    make: Callable[Concatenate[str, P], Call[T]],
) -> Callable[Concatenate[NamedList, P], T]:
    @functools.wraps(make)
    def method(self: NamedList, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.daemon.ask(make(self.name, *args, **kwargs), self.timeout)

    return method


class Daemon:
    """A running listd. Its methods may be called from any thread."""

    def __init__(
        self, reader: Any, writer: Any, process: Optional[subprocess.Popen[bytes]] = None,
        stderr: Optional[BinaryIO] = None, *, timeout: Optional[float], log: Optional[Log],
    ) -> None:  # fmt: skip
        self.timeout = timeout
        self.capabilities: Mapping[str, Any] = {}
        self.version = ""
        self._conversation = Conversation(None if log is None else Traffic(log))
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

    lists = _of_daemon(calls.lists)
    diff = _of_daemon(calls.diff)
    register_templates = _of_daemon(calls.register_templates)

    def list(self, name: str, timeout: Optional[float] = None) -> NamedList:
        """A list, which need not exist yet; `timeout` where it is to have its own."""
        return NamedList(self, name, timeout)

    def supports(self, *features: str) -> bool:
        """Whether the daemon has methods and formats."""
        told = {*self.capabilities.get("methods", ()), *self.capabilities.get("formats", ())}
        return told.issuperset(features)

    def initialize(self) -> None:
        told = self.call("initialize", greeting())
        if warning := check(told):
            logger.warning(warning)
        self.capabilities = told["capabilities"]
        self.version = told["serverInfo"]["version"]
        self._conversation.limit = self.capabilities.get("maxMessageBytes")
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
        """Ends a subscription, unless another has taken its place."""
        with self._lock:
            if self._conversation.listeners.get(name) is not listener:
                return
            del self._conversation.listeners[name]
        listener.end(None)
        self.ask(calls.unsubscribe(name))

    def call_back(self, callback: Callable[[], None]) -> None:
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


class NamedList:
    """One list of a daemon, by its name."""

    def __init__(self, daemon: Daemon, name: str, timeout: Optional[float] = None) -> None:
        self.daemon, self.name, self.timeout = daemon, name, timeout

    apply = _of_list(calls.apply)
    edit = _of_list(calls.edit)
    compose = _of_list(calls.compose)
    select = _of_list(calls.select)
    selection = _of_list(calls.selection)
    snapshot = _of_list(calls.snapshot)
    window = _of_list(calls.window)
    locate = _of_list(calls.locate)
    text = _of_list(calls.text)
    remove = _of_list(calls.remove)

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
        listening = Listening(self.daemon, self.name, callback, ended)
        call = calls.subscribe(self.name, format, content, since)
        self.daemon.ask(call, self.timeout, listening)
        return listening


def _as_it_is(told: Any) -> Any:
    return told
