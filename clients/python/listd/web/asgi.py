"""An ASGI app that shows lists in pages: for a web server, alone or mounted in another app, behind any proxy.

    app = App(listd.aio.spawn, Path("site"), may=lambda request: is_colleague(request.headers.get("x-user")))

Pages use relative addresses, so that they work below any path: `import { connect } from "./listd/listd.js"` and
`connect("./")`.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import inspect
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import (
    Any, Awaitable, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Set, Tuple, Union,
)  # fmt: skip
from urllib.parse import parse_qs, urlsplit

from .. import aio
from ..errors import ListdError
from ..fetching import awaited
from ..kinds import is_array, is_object
from ..news import News

SERVING: Any = importlib.import_module("listd.web.serving")
WAITING = 1000  # news that may wait for a page; then it has to connect again

Scope = Dict[str, Any]
Receive = Callable[[], Awaitable[Dict[str, Any]]]
Send = Callable[[Dict[str, Any]], Awaitable[None]]
Event = Optional[Tuple[str, Mapping[str, Any]]]
Action = Callable[["Request", Mapping[str, Any]], Any]
Source = Union[aio.Daemon, Callable[[], Awaitable[aio.Daemon]]]


@dataclass(frozen=True)
class Request:
    """What a browser asks for."""

    kind: str
    """`"file"`, `"list"` (to follow a list) or `"call"` (of a method or an action)."""
    name: str
    """The path of the file, the name of the list, or the name of the method."""
    params: Mapping[str, Any]
    """The parameters of a call."""
    headers: Mapping[str, str]
    """The headers of the request, by their names in lower case."""
    scope: Mapping[str, Any]
    """The scope of ASGI, in which other middleware may have left who the user is."""

    @property
    def lists(self) -> Set[str]:
        """The names of the lists that it reads or changes. An action may use others."""
        return {self.name} if self.kind == "list" else set(_lists_of(self.params))


def _lists_of(params: Any) -> Iterator[str]:
    """The names of lists in the parameters of a call: also in references to snapshots, and of sources."""
    if is_array(params):
        for value in params:
            yield from _lists_of(value)
    elif is_object(params):
        for name, value in params.items():
            if name == "list" and isinstance(value, str):
                yield value
            elif name == "sources" and is_array(value):
                yield from (one for one in value if isinstance(one, str))
            else:
                yield from _lists_of(value)


class Denied(Exception):
    """A request that is not answered, with a status of HTTP."""


class App:
    """Serves the pages of a folder, and the lists of a daemon to them."""

    def __init__(
        self, daemon: Source, folder: Optional[Path] = None, *, may: Callable[[Request], Any],
        page: str = "index.html", methods: Iterable[str] = (), policy: Mapping[str, str] = {},
        origins: Iterable[str] = (),
    ) -> None:  # fmt: skip
        """`daemon` is a connection, or a coroutine function that opens one when it is needed, such as
        `listd.aio.spawn`. `may` says of each request whether it is allowed, and may be a coroutine function.
        `methods` may be called in addition to those that only read. `policy` replaces directives of the pages'
        Content-Security-Policy. `origins` are those of pages that other servers have."""
        self.folder: Optional[Path] = folder
        self._source, self._may, self._page = daemon, may, page
        self._methods: Set[str] = SERVING.allowed(methods)
        self._policy, self._origins = policy, set(origins)
        self._actions: Dict[str, Action] = {}
        self._opened: Optional[asyncio.Future[aio.Daemon]] = None
        # By it a page knows whether the revisions that it has are those of this daemon.
        self._epoch = secrets.token_urlsafe(8)
        self._queues: Dict[str, List[asyncio.Queue[Event]]] = {}
        self._listening: Dict[str, asyncio.Future[aio.Listening]] = {}
        self._tasks: Set[asyncio.Task[None]] = set()

    def action(self, name: str) -> Callable[[Action], Action]:
        """Adds a method that pages may call: a function, or a coroutine function, of the request and the parameters. To be
        used as a decorator."""

        def add(work: Action) -> Action:
            self._actions[name] = work
            return work

        return add

    async def daemon(self) -> aio.Daemon:
        """The connection, which is opened again if the daemon has ended."""
        source = self._source
        if not callable(source):
            return source
        if self._opened is None or (self._opened.done() and not self._is_open()):
            self._queues, self._listening, self._epoch = {}, {}, secrets.token_urlsafe(8)
            self._opened = asyncio.ensure_future(source())
        return await asyncio.shield(self._opened)

    def _is_open(self) -> bool:
        opened = self._opened
        return bool(opened and not opened.cancelled() and opened.exception() is None and opened.result().is_open)

    async def close(self) -> None:
        """Closes the connection, if the app has opened it."""
        if self._opened and self._opened.done() and self._is_open():
            await self._opened.result().close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1000})

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.shutdown":
                await self.close()
            await send({"type": f"{message['type']}.complete"})
            if message["type"] == "lifespan.shutdown":
                return

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        path, root = scope["path"], scope.get("root_path", "")
        # Servers disagree whether the path contains that of the app.
        path = path[len(root) :] if root and path.startswith(root) else path
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        try:
            self._check_origin(headers)
            if (scope["method"], path) == ("POST", "/call"):
                await self._call(headers, scope, receive, send)
            elif scope["method"] not in ("GET", "HEAD"):
                raise Denied(405)
            elif path == "/events":
                await self._stream(headers, scope, receive, send)
            else:
                await self._send_file(path, headers, scope, send)
        except Denied as why:
            await _respond(send, why.args[0], {"Content-Type": "text/plain; charset=utf-8"}, f"{why.args[0]}\n".encode())

    def _check_origin(self, headers: Mapping[str, str]) -> None:
        """Refuses requests that pages of other sites send."""
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        if site is None:  # An old browser, or a program.
            hosts = (headers.get("host"), headers.get("x-forwarded-host"))
            is_own = origin is None or urlsplit(origin).netloc in hosts
        else:
            # A link of another site may lead here.
            is_own = site in ("same-origin", "none") or headers.get("sec-fetch-mode") == "navigate"
        if not is_own and origin not in self._origins:
            raise Denied(403)

    async def _check(self, request: Request) -> None:
        answer = self._may(request)
        if inspect.isawaitable(answer):
            answer = await answer
        if not answer:
            raise Denied(403)

    async def _call(self, headers: Mapping[str, str], scope: Scope, receive: Receive, send: Send) -> None:
        if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            raise Denied(415)
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            if len(body) > SERVING.LARGEST:
                raise Denied(413)
            if not message.get("more_body"):
                break
        answer = await self._result(bytes(body), headers, scope)
        await _respond(send, 200, SERVING.headers(), answer)

    async def _result(self, body: bytes, headers: Mapping[str, str], scope: Scope) -> bytes:
        try:
            method, params = SERVING.requested(body)
            request = Request("call", method, params, headers, scope)
            await self._check(request)
            if method in self._actions:
                result = self._actions[method](request, params)
                result = await result if inspect.isawaitable(result) else result
            else:
                SERVING.check(method, params, self._methods)
                daemon = await self.daemon()
                params = SERVING.owned(method, params, daemon.supports("compose.temporary"))
                result = await daemon.call(method, params)
            answer: bytes = SERVING.result(result)
        except Denied:
            raise
        except Exception as why:  # An action may raise anything.
            answer = SERVING.failure(why)
        return answer

    async def _send_file(self, path: str, headers: Mapping[str, str], scope: Scope, send: Send) -> None:
        name = path.lstrip("/") or self._page
        await self._check(Request("file", name, {}, headers, scope))
        found = SERVING.file_of(self.folder, name)
        if found is None:
            raise Denied(404)
        await _respond(send, 200, SERVING.headers_of(*found, self._policy), found[1])

    async def _stream(self, headers: Mapping[str, str], scope: Scope, receive: Receive, send: Send) -> None:
        """Sends the lists, or the changes since the page's revisions, and then all news unless the answer
        is to be short."""
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        names = list(dict.fromkeys(query.get("list", [])))
        for name in names:
            await self._check(Request("list", name, {}, headers, scope))
        last = headers.get("last-event-id") or query.get("last", [""])[0]
        events = SERVING.Events(last, names)
        queue: asyncio.Queue[Event] = asyncio.Queue()
        daemon = await self.daemon()
        await send({"type": "http.response.start", "status": 200, "headers": _encoded(SERVING.STREAM)})
        news = None if "short" in query else queue
        sending = asyncio.ensure_future(self._send_news(daemon, names, events, news, send))
        leaving = asyncio.ensure_future(_disconnected(receive))
        try:
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, leaving):
                task.cancel()
            await asyncio.wait({sending, leaving})
            self._leave(daemon, queue)
        if not sending.cancelled() and sending.exception() is None:
            await send({"type": "http.response.body", "body": b""})

    async def _send_news(
        self, daemon: aio.Daemon, names: List[str], events: Any, queue: Optional[asyncio.Queue[Event]], send: Send,
    ) -> None:  # fmt: skip
        async def part(body: bytes) -> None:
            await send({"type": "http.response.body", "body": body, "more_body": True})

        await part(SERVING.RETRY)
        with contextlib.suppress(ListdError):
            if queue:
                for name in names:
                    await self._follow(daemon, name, queue)
            for name in names:
                asking = SERVING.since(name, events.revisions[name], self._epoch)
                await part(events.first(name, *await awaited(asking, daemon.ask)))
            while queue:
                try:
                    news = await asyncio.wait_for(queue.get(), SERVING.BREATH)
                except asyncio.TimeoutError:
                    await part(SERVING.STILL_HERE)
                    continue
                if news is None:
                    return
                kind, value = news
                if event := events.later(value["list"], kind, value):
                    await part(event)

    async def _follow(self, daemon: aio.Daemon, name: str, queue: asyncio.Queue[Event]) -> None:
        """Queues all later news of a list. All pages share its subscription."""
        queues = self._queues.setdefault(name, [])
        queues.append(queue)
        def spread(news: News) -> None:
            self._put(queues, (SERVING.KINDS[type(news)], news.wire))

        def end(_: Optional[ListdError]) -> None:
            self._put(queues, None)

        if name not in self._listening:
            self._listening[name] = asyncio.ensure_future(daemon.list(name).listen(spread, ended=end))
        try:
            await asyncio.shield(self._listening[name])
        except ListdError:
            self._listening.pop(name, None)
            raise

    @staticmethod
    def _put(queues: List[asyncio.Queue[Event]], event: Event) -> None:
        for queue in list(queues):
            # A page that does not read connects again.
            queue.put_nowait(event if queue.qsize() < WAITING else None)

    def _leave(self, daemon: aio.Daemon, queue: asyncio.Queue[Event]) -> None:
        """Ends what `_follow` began. Lists that belong to a page are removed soon after it."""
        for name, queues in self._queues.items():
            if queue in queues:
                queues.remove(queue)
                if not queues and name.startswith(SERVING.TEMPORARY):
                    task = asyncio.ensure_future(self._forget(daemon, name))
                    self._tasks.add(task)
                    task.add_done_callback(self._tasks.discard)

    async def _forget(self, daemon: aio.Daemon, name: str) -> None:
        await asyncio.sleep(SERVING.GRACE)
        if self._queues.get(name) == []:
            del self._queues[name]
            with contextlib.suppress(ListdError):
                await self._listening.pop(name).result().close()
                await daemon.list(name).remove()


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _respond(send: Send, status: int, headers: Mapping[str, str], body: bytes) -> None:
    encoded = _encoded({**headers, "Content-Length": str(len(body))})
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})


def _encoded(headers: Mapping[str, str]) -> List[Tuple[bytes, bytes]]:
    return [(name.lower().encode(), value.encode()) for name, value in headers.items()]
