"""The client for programs with an asyncio loop: as `client`, but with `await`."""

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
from .core import Core, is_here
from .each import RowChange, each
from .errors import Closed, DaemonGone, ListdError, ListNotFound, TimedOut
from .places import Format
from .program import LAST_MOMENT, command, gone, greeting
from .methods import DaemonMethods, ListMethods
from .news import News, read_news
from .results import Change
from .rows import Sections
from .sockets import connected, socket_path
from .subscriptions import Heard
from .traffic import Log

T = TypeVar("T")


async def spawn(
    program: Optional[str] = None, *args: str, timeout: Optional[float] = PATIENCE,
    log: Optional[Log] = None,
) -> Daemon:  # fmt: skip
    """Starts a daemon: the given program, or the one that `find` finds."""
    stderr = tempfile.TemporaryFile()
    words = command(program, args)
    process = await asyncio.create_subprocess_exec(
        *words, start_new_session=True, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=stderr,
    )  # fmt: skip
    assert process.stdin and process.stdout
    daemon = Daemon(process.stdout, process.stdin, process, stderr, timeout=timeout, log=log)
    try:
        await daemon.initialize(is_here(words[0]))
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
    """Speaks with a daemon that somebody else started, through two streams."""
    daemon = Daemon(reader, writer, timeout=timeout, log=log)
    await daemon.initialize(ends_with_us=False)
    return daemon


async def connect(
    path: Optional[str] = None, *args: str, start: bool = False,
    timeout: Optional[float] = PATIENCE, log: Optional[Log] = None,
) -> Daemon:  # fmt: skip
    """Joins the daemon that listens at a path, by default the one that `LISTD_SOCKET` names. If none
    listens there and `start` is true, starts one with the options `args`."""
    path = socket_path(path)
    if start:
        return await spawn(None, "connect", "--start", path, *args, timeout=timeout, log=log)
    reader, writer = await asyncio.open_unix_connection(sock=connected(path))
    return await attach(reader, writer, timeout=timeout, log=log)


class Daemon(DaemonMethods, Core):
    """A running listd, for one event loop."""

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
        """A list, which need not exist yet; `timeout` where it is to have its own."""
        return NamedList(self, name, timeout)

    async def initialize(self, ends_with_us: bool = True) -> None:
        """Begins the session; `spawn` and `attach` do it. The daemon ends with this process, if that
        is on the same machine."""
        self._greeted(await self.call("initialize", greeting(ends_with_us)))
        self.notify("initialized", {})

    async def call(self, method: str, params: Any = None, timeout: Optional[float] = None) -> Any:
        """The result of any method, as the daemon tells it."""
        return await self.ask(Call(method, params, lambda told: told), timeout)

    async def ask(
        self, call: Call[T], timeout: Optional[float] = None, listener: Optional[Listener] = None
    ) -> T:
        """The result of a call; raises `Refused`, `DaemonGone`, `Closed` or `TimedOut`. Where the
        task is cancelled, so is the request."""
        future: asyncio.Future[Any] = self._loop.create_future()
        self._writer.write(self._conversation.ask(call.method, call.params, future, listener))
        patience = self.timeout if timeout is None else timeout
        try:
            return call.read(await asyncio.wait_for(asyncio.shield(future), patience))
        except asyncio.TimeoutError as late:
            raise TimedOut(f"no answer to {call.method} within {patience} s") from late
        finally:
            if not future.done():
                self._writer.write(self._conversation.give_up(future))

    def notify(self, method: str, params: Any = None) -> None:
        """Tells something that has no answer."""
        self._writer.write(self._conversation.tell(method, params))

    async def unsubscribe(self, listener: Listener, name: str) -> None:
        """Ends a listener, and the subscription if it was the last one."""
        if self._conversation.leave(listener, name):
            await self.ask(calls.unsubscribe(name))

    async def close(self, timeout: float = 5.0) -> None:
        """Lets the daemon finish what it was asked, and waits for its end, but not for ever."""
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
        """Takes what comes, until nothing more does."""
        try:
            while data := await self._reader.read(CHUNK):
                if answer := self._conversation.receive(data):
                    self._writer.write(answer)
            why = gone(self._conversation.in_the_midst, await self._code(), self._stderr)
        except (OSError, ValueError, KeyError) as error:
            why = DaemonGone(f"listd says what is no message: {error}")
        self._conversation.end(why)

    async def _code(self) -> Optional[int]:
        """How the daemon ended, if it did and does not just say no more."""
        if self._process:
            with contextlib.suppress(asyncio.TimeoutError):
                return await asyncio.wait_for(self._process.wait(), LAST_MOMENT)
        return None


class NamedList(ListMethods):
    """One list of a daemon, by its name."""

    def __init__(self, daemon: Daemon, name: str, timeout: Optional[float] = None) -> None:
        self.daemon: Daemon = daemon
        self.name: str = name
        self.timeout: Optional[float] = timeout

    async def ask(self, call: Call[T]) -> T:
        """The result of a call about the list; raises what the daemon's `ask` does."""
        return await self.daemon.ask(call, self.timeout)

    async def each(self, change: Change) -> List[RowChange]:
        """The changes row by row, as `change.each()` without asyncio."""
        stages = change.stages if change.ops is None else [[op] for op in change.ops]
        if stages is None:
            raise ValueError(f"a change in the format {change.format} does not say what happened to rows")
        before = await self._sections(change.base_revision)
        after = await self._sections(change.revision)
        return list(each(before, stages, lambda: after))

    async def _sections(self, revision: int) -> Sections:
        try:
            return (await self.snapshot(revision)).sections if revision else []
        except ListNotFound:
            return []

    async def subscribe(
        self, format: Optional[Format] = None, *, content: Optional[bool] = None,
        since: Optional[int] = None,
    ) -> Subscription:  # fmt: skip
        """Every change from now on, to be iterated over. What comes first is the whole list, or
        the change from the revision `since`."""
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
        """Calls back with what `subscribe` would give, from the loop, one at a time; then `ended`, once:
        with `DaemonGone` if that is why. What a coroutine function does is awaited."""
        listening = Listening(self.daemon, self.name, callback, ended)
        call = calls.subscribe(self.name, format, content, since)
        await self.daemon.ask(call, self.timeout, listening)
        return listening


class Subscription(AsyncIterator[News]):
    """News of one list, one after the other; ends when it is closed, raises when listd is gone."""

    def __init__(self, daemon: Daemon, name: str) -> None:
        self.daemon: Daemon = daemon
        self.name: str = name
        self._told: asyncio.Queue[Union[Heard, ListdError, None]] = asyncio.Queue()

    async def __anext__(self) -> News:
        told = await self._told.get()
        if isinstance(told, tuple):
            return read_news(*told)
        self._told.put_nowait(told)  # For whoever asks again.
        raise told or StopAsyncIteration

    async def close(self) -> None:
        """Ends it, and the iteration."""
        await self.daemon.unsubscribe(self, self.name)

    async def __aenter__(self) -> Subscription:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def hear(self, method: str, params: Mapping[str, Any]) -> None:
        """Takes news."""
        self._told.put_nowait((method, params))

    def end(self, why: Optional[ListdError]) -> None:
        """Takes the end."""
        self._told.put_nowait(why)


class Listening:
    """News of one list, told to a callback, one after the other."""

    def __init__(
        self, daemon: Daemon, name: str, callback: Callable[[News], Optional[Awaitable[None]]],
        ended: Optional[Callable[[Optional[ListdError]], None]],
    ) -> None:  # fmt: skip
        self.daemon: Daemon = daemon
        self.name: str = name
        self._callback, self._ended = callback, ended
        self._told: Deque[Callable[[], Optional[Awaitable[None]]]] = deque()
        self._awaiting: Set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Ends it."""
        await self.daemon.unsubscribe(self, self.name)

    def hear(self, method: str, params: Mapping[str, Any]) -> None:
        """Takes news."""
        self._told.append(lambda: self._callback(read_news(method, params)))
        self._call()

    def end(self, why: Optional[ListdError]) -> None:
        """Takes the end."""
        ended = self._ended
        if ended:
            self._told.append(lambda: ended(why))
            self._call()

    def _call(self) -> None:
        """Calls back until there is something to await, and goes on when that is done."""
        while self._told and not self._awaiting:
            try:
                result = self._told.popleft()()
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
