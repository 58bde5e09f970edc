"""The client for asyncio: the same as `client`, but with `await`."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import math
import tempfile
import warnings
from collections import deque
from typing import (
    TYPE_CHECKING, Any, AsyncIterator, Awaitable, BinaryIO, Callable, Deque, Generic, Iterable, List, Mapping,
    Optional, Set, TypeVar, Union,
)  # fmt: skip

from . import calls
from .calls import Call
from .changes import Change
from .client import PATIENCE
from .conversation import Conversation, Listener, logger
from .core import Core, is_local
from .each import RowChange
from .errors import Closed, DaemonGone, ListdError, TimedOut
from .fetching import awaited, fetched
from .identity import Names, names_of
from .kinds import ItemT
from .link import CHUNK
from .methods import DaemonMethods, ListMethods
from .news import News, read_news
from .places import Format
from .program import LAST_MOMENT, command, daemon_gone, greeting
from .protocol import OpContents
from .results import Selection, Snapshot, Window
from .sockets import connected, socket_path
from .subscriptions import Heard
from .traffic import Log

T = TypeVar("T")


async def spawn(
    program: Optional[str] = None, *args: str, timeout: Optional[float] = PATIENCE,
    log: Optional[Log] = None,
) -> Daemon:  # fmt: skip
    """Starts a daemon: the given program, or the one that `find` returns."""
    stderr = tempfile.TemporaryFile()
    words = command(program, args)
    process = await asyncio.create_subprocess_exec(
        *words, start_new_session=True, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=stderr,
    )  # fmt: skip
    assert process.stdin and process.stdout
    daemon = Daemon(process.stdout, process.stdin, process, stderr, timeout=timeout, log=log)
    try:
        await daemon.initialize(is_local(words[0]))
    except BaseException:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await daemon.close()
        raise
    return daemon


async def attach(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *,
    timeout: Optional[float] = PATIENCE, log: Optional[Log] = None,
) -> Daemon:  # fmt: skip
    """Connects to a running daemon through two streams."""
    daemon = Daemon(reader, writer, timeout=timeout, log=log)
    try:
        await daemon.initialize(ends_with_us=False)
    except BaseException:
        await daemon.close()
        raise
    return daemon


async def connect(
    path: Optional[str] = None, *args: str, start: bool = False,
    timeout: Optional[float] = PATIENCE, log: Optional[Log] = None,
) -> Daemon:  # fmt: skip
    """Connects to the daemon that listens at a path, by default the path in `LISTD_SOCKET`. If no daemon
    listens there and `start` is true, starts one with the options `args`."""
    path = socket_path(path)
    if start:
        return await spawn(None, "connect", "--start", path, *args, timeout=timeout, log=log)
    reader, writer = await asyncio.open_unix_connection(sock=connected(path))
    return await attach(reader, writer, timeout=timeout, log=log)


class Daemon(DaemonMethods, Core):
    """A connection to a daemon, for one event loop."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter,
        process: Optional[asyncio.subprocess.Process] = None, stderr: Optional[BinaryIO] = None, *,
        timeout: Optional[float], log: Optional[Log],
    ) -> None:  # fmt: skip
        super().__init__(timeout, log)
        self._writer, self._process, self._stderr = writer, process, stderr
        self._loop = asyncio.get_running_loop()
        # The task does not refer to this object, so that it can be collected.
        self._reading = self._loop.create_task(_read(self._conversation, reader, writer, process, stderr))

    def list(self, name: str, timeout: Optional[float] = None, key: Optional[Names] = None) -> NamedList[Any]:
        """A list, which need not exist yet. `timeout` replaces the daemon's default; `math.inf` means no limit. `key`
        is that of all its methods, and of its changes."""
        return NamedList(self, name, timeout, key)

    async def initialize(self, ends_with_us: bool = True) -> None:
        """Begins the session; `spawn` and `attach` call this. If `ends_with_us` is true, the daemon ends
        when this process ends; both must run on the same machine."""
        self._greeted(await self.call("initialize", greeting(ends_with_us)))
        self.notify("initialized", {})

    async def call(self, method: str, params: Any = None, timeout: Optional[float] = None) -> Any:
        """Calls any method. Returns its result as received."""
        return await self.ask(Call(method, params, lambda result: result), timeout)

    async def ask(
        self, call: Call[T], timeout: Optional[float] = None, listener: Optional[Listener] = None
    ) -> T:
        """The result of a call. Raises `Refused`, `DaemonGone`, `Closed` or `TimedOut`. If the task is
        cancelled, the request is cancelled, too."""
        future: asyncio.Future[Any] = self._loop.create_future()
        self._writer.write(self._conversation.ask(call.method, call.params, future, listener, call.default))
        patience = self.timeout if timeout is None else timeout
        try:
            # Before Python 3.12, `wait_for` ignores a cancellation if the answer has just arrived.
            await asyncio.wait({future}, timeout=None if patience == math.inf else patience)
            if not future.done():
                raise TimedOut(f"no answer to {call.method} within {patience} s")
            return call.read(future.result())
        finally:
            if future.done():
                future.exception()  # Not logged as unretrieved if the task was cancelled.
            else:
                self._writer.write(self._conversation.cancel(future))

    def notify(self, method: str, params: Any = None) -> None:
        """Sends a notification."""
        self._writer.write(self._conversation.notification(method, params))

    async def unsubscribe(self, listener: Listener, name: str) -> None:
        """Removes a listener. If it was the last one, ends the subscription, unless the connection
        ends."""
        if self._conversation.leave(listener, name):
            with contextlib.suppress(ListdError):
                await self.ask(calls.unsubscribe(name))

    async def close(self, timeout: float = 5.0) -> None:
        """Lets the daemon finish pending requests and waits for its end, at most `timeout`
        seconds."""
        try:
            with contextlib.suppress(ListdError):
                await self.call("shutdown", timeout=timeout)
                self.notify("exit")
            self._end()
            if not self._is_forked:
                await asyncio.wait({self._reading}, timeout=timeout)
        finally:
            # Also if the task is cancelled meanwhile.
            self._end()
            if not self._is_forked:
                self._kill()
            self._reading.cancel()
            if self._stderr:
                self._stderr.close()
        if self._process and not self._is_forked:
            await asyncio.wait({self._reading})
            await self._process.wait()

    def _end(self) -> None:
        self._is_closed = True
        self._conversation.end(Closed("the connection is closed"), closed=True)
        if not self._is_forked:
            self._writer.close()

    def _kill(self) -> None:
        if self._process and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    def __del__(self, warn: Callable[..., None] = warnings.warn) -> None:
        if not getattr(self, "_is_closed", True) and not self._is_forked:
            warn(f"unclosed {self!r}", ResourceWarning, source=self)
            if not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self._writer.close)

    async def __aenter__(self) -> Daemon:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


async def _read(
    conversation: Conversation, reader: asyncio.StreamReader, writer: asyncio.StreamWriter,
    process: Optional[asyncio.subprocess.Process], stderr: Optional[BinaryIO],
) -> None:  # fmt: skip
    """Reads until the end of the stream."""
    try:
        while data := await reader.read(CHUNK):
            if answer := conversation.receive(data):
                writer.write(answer)
        code = None
        if process:
            with contextlib.suppress(asyncio.TimeoutError):
                code = await asyncio.wait_for(process.wait(), LAST_MOMENT)
        why = daemon_gone(conversation.has_partial_message, code, stderr)
    except (OSError, ValueError, KeyError) as error:
        why = DaemonGone(f"listd sent an invalid message: {error}")
    conversation.end(why)


class NamedList(ListMethods, Generic[ItemT]):
    """A list of a daemon. Its items may have a type: `inbox: NamedList[Mail] = daemon.list("inbox")`."""

    if TYPE_CHECKING:

        async def snapshot(  # pyright: ignore[reportIncompatibleVariableOverride]
            self, revision: Optional[int] = None, *, members: Optional[Iterable[str]] = None
        ) -> Snapshot[ItemT]:
            """The whole list at its present or an earlier revision."""
            ...

        async def window(  # pyright: ignore[reportIncompatibleVariableOverride]
            self, start: int, count: int, revision: Optional[int] = None, *, members: Optional[Iterable[str]] = None
        ) -> Window[ItemT]:
            """A range of rows, counted over all sections."""
            ...

        async def selection(  # pyright: ignore[reportIncompatibleVariableOverride]
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

    async def ask(self, call: Call[T]) -> T:
        """The result of a call about the list. Raises the same errors as the daemon's `ask`."""
        return await self.daemon.ask(call, self.timeout)

    async def each(self, change: Change) -> List[RowChange[ItemT]]:
        """The changes row by row, like `change.each()` without asyncio."""
        if not change.has_rows:
            raise ValueError(f"a change in the format {change.format} does not describe rows")
        return await awaited(fetched(change), self.ask)

    async def subscribe(
        self, format: Optional[Format] = None, *, content: Optional[OpContents] = None,
        since: Optional[int] = None, moves: Optional[bool] = None, members: Optional[Iterable[str]] = None,
    ) -> Subscription:  # fmt: skip
        """Subscribes to all changes, which are to be iterated over. The first value is the whole list, or
        the change since the revision `since`."""
        subscription = Subscription(self.daemon, self.name, names_of(self.key))
        call = calls.subscribe(self.name, format, content, since, moves, members)
        await self.daemon.ask(call, self.timeout, subscription)
        return subscription

    async def listen(
        self, callback: Callable[[News], Optional[Awaitable[None]]],
        format: Optional[Format] = None, *,
        content: Optional[OpContents] = None, since: Optional[int] = None, moves: Optional[bool] = None,
        members: Optional[Iterable[str]] = None,
        ended: Optional[Callable[[Optional[ListdError]], None]] = None,
    ) -> Listening:  # fmt: skip
        """Calls `callback` in the event loop with each value that `subscribe` would yield, one at a time,
        and finally `ended`, once, with `DaemonGone` if that is the reason. Awaitable results are awaited."""
        listening = Listening(self.daemon, self.name, callback, ended, names_of(self.key))
        call = calls.subscribe(self.name, format, content, since, moves, members)
        await self.daemon.ask(call, self.timeout, listening)
        return listening


class Subscription(AsyncIterator[News]):
    """An iterator over the news of a list. It ends when closed, and raises if the daemon
    ends."""

    def __init__(self, daemon: Daemon, name: str, key: Optional[Names] = None) -> None:
        self.daemon: Daemon = daemon
        self.name: str = name
        self._key = key
        self._queue: asyncio.Queue[Union[Heard, ListdError, None]] = asyncio.Queue()

    async def __anext__(self) -> News:
        event = await self._queue.get()
        if isinstance(event, tuple):
            return read_news(*event, self._key)
        self._queue.put_nowait(event)  # For later calls.
        raise event or StopAsyncIteration

    async def close(self) -> None:
        """Ends the subscription and the iteration."""
        await self.daemon.unsubscribe(self, self.name)

    async def __aenter__(self) -> Subscription:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def hear(self, method: str, params: Mapping[str, Any]) -> None:
        """Queues news."""
        self._queue.put_nowait((method, params))

    def end(self, why: Optional[ListdError]) -> None:
        """Queues the end."""
        self._queue.put_nowait(why)


class Listening:
    """Passes the news of a list to a callback, one after the other."""

    def __init__(
        self, daemon: Daemon, name: str, callback: Callable[[News], Optional[Awaitable[None]]],
        ended: Optional[Callable[[Optional[ListdError]], None]], key: Optional[Names] = None,
    ) -> None:  # fmt: skip
        self.daemon: Daemon = daemon
        self.name: str = name
        self._callback, self._ended, self._key = callback, ended, key
        self._queue: Deque[Callable[[], Optional[Awaitable[None]]]] = deque()
        self._awaiting: Set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Stops listening."""
        await self.daemon.unsubscribe(self, self.name)

    def hear(self, method: str, params: Mapping[str, Any]) -> None:
        """Queues news for the callback."""
        self._queue.append(lambda: self._callback(read_news(method, params, self._key)))
        self._call()

    def end(self, why: Optional[ListdError]) -> None:
        """Queues the end for the callback."""
        ended = self._ended
        if ended:
            self._queue.append(lambda: ended(why))
            self._call()

    def _call(self) -> None:
        """Calls back until there is a result to await, and continues after that."""
        while self._queue and not self._awaiting:
            try:
                result = self._queue.popleft()()
            except Exception:
                logger.exception("a callback failed")
                continue
            if result is not None and inspect.isawaitable(result):
                task = asyncio.ensure_future(self._await(result))
                self._awaiting.add(task)

    async def _await(self, result: Awaitable[None]) -> None:
        try:
            await result
        except Exception:
            logger.exception("a callback failed")
        finally:
            self._awaiting.clear()
            self._call()
