"""The client for programs with an asyncio loop: as `client`, but with `await`."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import tempfile
from typing import (
    TYPE_CHECKING, Any, AsyncIterator, BinaryIO, Callable, Coroutine, Mapping, Optional, TypeVar,
    Union,
)  # fmt: skip

from . import calls
from .calls import Call
from .client import CHUNK, PATIENCE
from .conversation import Conversation, Listener, logger
from .errors import Closed, DaemonGone, ListdError, TimedOut
from .places import Format
from .program import LAST_MOMENT, command, gone, greeting
from .results import News, read_news
from .subscriptions import Heard
from .traffic import Log, Traffic
from .version import check

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    P = ParamSpec("P")
T = TypeVar("T")


async def spawn(
    program: Optional[str] = None, *args: str, timeout: Optional[float] = PATIENCE,
    log: Optional[Log] = None,
) -> Daemon:  # fmt: skip
    """Starts a daemon: the given program, or the one that `find` finds."""
    stderr = tempfile.TemporaryFile()
    process = await asyncio.create_subprocess_exec(
        *command(program, args), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=stderr,
    )  # fmt: skip
    assert process.stdin and process.stdout
    daemon = Daemon(process.stdout, process.stdin, process, stderr, timeout=timeout, log=log)
    try:
        await daemon.initialize()
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
    await daemon.initialize()
    return daemon


def _of_daemon(
    make: Callable[P, Call[T]],
) -> Callable[Concatenate[Daemon, P], Coroutine[Any, Any, T]]:
    @functools.wraps(make)
    async def method(self: Daemon, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.ask(make(*args, **kwargs))

    return method


def _of_list(
    make: Callable[Concatenate[str, P], Call[T]],
) -> Callable[Concatenate[NamedList, P], Coroutine[Any, Any, T]]:
    @functools.wraps(make)
    async def method(self: NamedList, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.daemon.ask(make(self.name, *args, **kwargs), self.timeout)

    return method


class Daemon:
    """A running listd, for one event loop."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter,
        process: Optional[asyncio.subprocess.Process] = None, stderr: Optional[BinaryIO] = None, *,
        timeout: Optional[float], log: Optional[Log],
    ) -> None:  # fmt: skip
        self.timeout = timeout
        self.capabilities: Mapping[str, Any] = {}
        self.version = ""
        self._conversation = Conversation(None if log is None else Traffic(log))
        self._reader, self._writer, self._process, self._stderr = reader, writer, process, stderr
        self._loop = asyncio.get_running_loop()
        self._reading = self._loop.create_task(self._read())

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

    async def initialize(self) -> None:
        told = await self.call("initialize", greeting())
        if warning := check(told):
            logger.warning(warning)
        self.capabilities = told["capabilities"]
        self.version = told["serverInfo"]["version"]
        self._conversation.limit = self.capabilities.get("maxMessageBytes")
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
        """Ends a subscription, unless another has taken its place."""
        if self._conversation.listeners.get(name) is listener:
            del self._conversation.listeners[name]
            listener.end(None)
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
        self, callback: Callable[[News], None], format: Optional[Format] = None, *,
        content: Optional[bool] = None, since: Optional[int] = None,
        ended: Optional[Callable[[Optional[ListdError]], None]] = None,
    ) -> Listening:  # fmt: skip
        """Calls back with what `subscribe` would give, from the loop; then `ended`, once: with
        `DaemonGone` if that is why."""
        listening = Listening(self.daemon, self.name, callback, ended)
        call = calls.subscribe(self.name, format, content, since)
        await self.daemon.ask(call, self.timeout, listening)
        return listening


class Subscription(AsyncIterator[News]):
    """News of one list, one after the other; ends when it is closed, raises when listd is gone."""

    def __init__(self, daemon: Daemon, name: str) -> None:
        self.daemon, self.name = daemon, name
        self._told: asyncio.Queue[Union[Heard, ListdError, None]] = asyncio.Queue()

    async def __anext__(self) -> News:
        told = await self._told.get()
        if isinstance(told, tuple):
            return read_news(*told)
        self._told.put_nowait(told)  # For whoever asks again.
        raise told or StopAsyncIteration

    async def close(self) -> None:
        await self.daemon.unsubscribe(self, self.name)

    async def __aenter__(self) -> Subscription:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def hear(self, method: str, params: Mapping[str, Any]) -> None:
        self._told.put_nowait((method, params))

    def end(self, why: Optional[ListdError]) -> None:
        self._told.put_nowait(why)


class Listening:
    """News of one list, told to a callback."""

    def __init__(
        self, daemon: Daemon, name: str, callback: Callable[[News], None],
        ended: Optional[Callable[[Optional[ListdError]], None]],
    ) -> None:  # fmt: skip
        self.daemon, self.name = daemon, name
        self._callback, self._ended = callback, ended

    async def close(self) -> None:
        await self.daemon.unsubscribe(self, self.name)

    def hear(self, method: str, params: Mapping[str, Any]) -> None:
        try:
            self._callback(read_news(method, params))
        except Exception:
            logger.exception("a callback failed")

    def end(self, why: Optional[ListdError]) -> None:
        if self._ended:
            self._ended(why)
