"""The client for asyncio: the same as `client`, but with `await`."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import tempfile
from collections import deque
from typing import (
    Any, AsyncIterator, Awaitable, BinaryIO, Callable, Deque, List, Mapping, Optional, Set,
    TypeVar, Union,
)  # fmt: skip

from . import calls
from .calls import Call
from .client import CHUNK, PATIENCE
from .conversation import Listener, logger
from .core import Core, is_local
from .each import RowChange
from .errors import Closed, DaemonGone, ListdError, TimedOut
from .fetching import awaited, fetched
from .places import Format
from .program import LAST_MOMENT, command, daemon_gone, greeting
from .methods import DaemonMethods, ListMethods
from .news import News, read_news
from .results import Change
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
    await daemon.initialize(ends_with_us=False)
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
        self._reader, self._writer, self._process, self._stderr = reader, writer, process, stderr
        self._loop = asyncio.get_running_loop()
        self._reading = self._loop.create_task(self._read())

    def list(self, name: str, timeout: Optional[float] = None) -> NamedList:
        """A list, which need not exist yet. `timeout` replaces the daemon's default."""
        return NamedList(self, name, timeout)

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
            await asyncio.wait({future}, timeout=patience)
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
        """Removes a listener. If it was the last one, ends the subscription."""
        if self._conversation.leave(listener, name):
            await self.ask(calls.unsubscribe(name))

    async def close(self, timeout: float = 5.0) -> None:
        """Lets the daemon finish pending requests and waits for its end, at most `timeout`
        seconds."""
        with contextlib.suppress(ListdError):
            await self.call("shutdown", timeout=timeout)
            self.notify("exit")
        self._conversation.end(Closed("the connection is closed"), closed=True)
        self._writer.close()
        await asyncio.wait({self._reading}, timeout=timeout)
        if self._process and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
        self._reading.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._reading
        if self._process:
            await self._process.wait()
        if self._stderr:
            self._stderr.close()

    async def __aenter__(self) -> Daemon:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _read(self) -> None:
        """Reads until the end of the stream."""
        try:
            while data := await self._reader.read(CHUNK):
                if answer := self._conversation.receive(data):
                    self._writer.write(answer)
            why = daemon_gone(self._conversation.has_partial_message, await self._code(), self._stderr)
        except (OSError, ValueError, KeyError) as error:
            why = DaemonGone(f"listd sent an invalid message: {error}")
        self._conversation.end(why)

    async def _code(self) -> Optional[int]:
        """The exit code of the daemon; `None` if its process has not ended or is not ours."""
        if self._process:
            with contextlib.suppress(asyncio.TimeoutError):
                return await asyncio.wait_for(self._process.wait(), LAST_MOMENT)
        return None


class NamedList(ListMethods):
    """A list of a daemon."""

    def __init__(self, daemon: Daemon, name: str, timeout: Optional[float] = None) -> None:
        self.daemon: Daemon = daemon
        self.name: str = name
        self.timeout: Optional[float] = timeout

    async def ask(self, call: Call[T]) -> T:
        """The result of a call about the list. Raises the same errors as the daemon's `ask`."""
        return await self.daemon.ask(call, self.timeout)

    async def each(self, change: Change) -> List[RowChange]:
        """The changes row by row, like `change.each()` without asyncio."""
        if change.stages is None and change.ops is None:
            raise ValueError(f"a change in the format {change.format} does not describe rows")
        return await awaited(fetched(change), self.ask)

    async def subscribe(
        self, format: Optional[Format] = None, *, content: Optional[bool] = None,
        since: Optional[int] = None,
    ) -> Subscription:  # fmt: skip
        """Subscribes to all changes, which are to be iterated over. The first value is the whole list, or
        the change since the revision `since`."""
        subscription = Subscription(self.daemon, self.name)
        call = calls.subscribe(self.name, format, content, since)
        await self.daemon.ask(call, self.timeout, subscription)
        return subscription

    async def listen(
        self, callback: Callable[[News], Optional[Awaitable[None]]],
        format: Optional[Format] = None, *,
        content: Optional[bool] = None, since: Optional[int] = None,
        ended: Optional[Callable[[Optional[ListdError]], None]] = None,
    ) -> Listening:  # fmt: skip
        """Calls `callback` in the event loop with each value that `subscribe` would yield, one at a time,
        and finally `ended`, once, with `DaemonGone` if that is the reason. Awaitable results are awaited."""
        listening = Listening(self.daemon, self.name, callback, ended)
        call = calls.subscribe(self.name, format, content, since)
        await self.daemon.ask(call, self.timeout, listening)
        return listening


class Subscription(AsyncIterator[News]):
    """An iterator over the news of a list. It ends when closed, and raises if the daemon
    ends."""

    def __init__(self, daemon: Daemon, name: str) -> None:
        self.daemon: Daemon = daemon
        self.name: str = name
        self._queue: asyncio.Queue[Union[Heard, ListdError, None]] = asyncio.Queue()

    async def __anext__(self) -> News:
        event = await self._queue.get()
        if isinstance(event, tuple):
            return read_news(*event)
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
        ended: Optional[Callable[[Optional[ListdError]], None]],
    ) -> None:  # fmt: skip
        self.daemon: Daemon = daemon
        self.name: str = name
        self._callback, self._ended = callback, ended
        self._queue: Deque[Callable[[], Optional[Awaitable[None]]]] = deque()
        self._awaiting: Set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Stops listening."""
        await self.daemon.unsubscribe(self, self.name)

    def hear(self, method: str, params: Mapping[str, Any]) -> None:
        """Queues news for the callback."""
        self._queue.append(lambda: self._callback(read_news(method, params)))
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
