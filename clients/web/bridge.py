"""A bridge between pages and a daemon: news are sent as server-sent events, requests are received by POST.

    bridge = Bridge(daemon, folder="site")
    bridge.action("reload", lambda params: ...)
    print(bridge.address)
    bridge.serve()

It listens only on this machine. Requests need the token of its address, which is new at every start. Requests
from pages of other sites are refused because of their origin or the host name that they use. Pages run only the
scripts and styles of their files, and load nothing from elsewhere. It needs only the standard library.
"""

from __future__ import annotations

import contextlib
import hmac
import http.server
import secrets
import socket
import sys
import threading
from http import HTTPStatus
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Tuple
from urllib.parse import parse_qs

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "python"))
sys.dont_write_bytecode = True

import listd  # noqa: E402
import serving  # noqa: E402
from listd.fetching import answered  # noqa: E402
from serving import GRACE, TEMPORARY  # noqa: E402

News = Tuple[str, str, Mapping[str, Any]]
Action = Callable[[Mapping[str, Any]], Any]


class Bridge:
    """Serves pages from `folder`, and the lists of a daemon to these pages."""

    def __init__(
        self, daemon: listd.Daemon, folder: Path, *, port: int = 0, page: str = "index.html",
        methods: Iterable[str] = (), policy: Mapping[str, str] = {}, token: Optional[str] = None,
    ) -> None:  # fmt: skip
        """`page` is the file for `/`. `methods` may be called in addition to those that only
        read. `policy` replaces directives of the pages' Content-Security-Policy. With the `token`
        of an earlier bridge, its pages connect to this one."""
        self.daemon, self.folder, self.page = daemon, folder, page
        self.methods, self.policy = serving.allowed(methods), policy
        self.token = token or secrets.token_urlsafe(24)
        # By it a page knows whether the revisions that it has are those of this daemon.
        self.epoch = secrets.token_urlsafe(8)
        self._actions: Dict[str, Action] = {}
        self._lock = threading.Lock()
        self._streams: Dict[str, List["SimpleQueue[News]"]] = {}
        self._listening: Dict[str, listd.Listening] = {}
        self._server = Server(("127.0.0.1", port), Handler)
        self._server.bridge = self

    @property
    def address(self) -> str:
        return f"http://localhost:{self._server.server_port}/?token={self.token}"

    def action(self, name: str, action: Action) -> None:
        """Adds a method that pages may call."""
        self._actions[name] = action

    def serve(self) -> None:
        """Serves until `close` is called."""
        self._server.serve_forever(poll_interval=0.1)

    def start(self) -> None:
        """Serves in the background."""
        threading.Thread(target=self.serve, name="bridge", daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def call(self, method: str, params: Mapping[str, Any]) -> Any:
        if method in self._actions:
            return self._actions[method](params)
        serving.check(method, params, self.methods)
        return self.daemon.call(method, serving.owned(method, params, self.daemon.supports("compose.temporary")))

    def follow(self, names: Iterable[str], queue: "SimpleQueue[News]") -> None:
        """Queues all later news of some lists."""
        for name in names:
            with self._lock:
                is_first = name not in self._streams
                self._streams.setdefault(name, []).append(queue)
            if not is_first:
                continue
            try:
                self._listening[name] = self.daemon.list(name).listen(
                    lambda news, name=name: self._spread(name, serving.KINDS[type(news)], news.wire),
                    ended=lambda why, name=name: self._spread(name, "end", {}),
                )
            except listd.ListdError:
                # Pages that rely on this subscription try again, too.
                with self._lock:
                    for waiting in self._streams.pop(name):
                        waiting.put((name, "end", {}))
                raise

    def leave(self, queue: "SimpleQueue[News]") -> None:
        """Ends what `follow` began. Lists that belong to a page are removed soon after it."""
        with self._lock:
            for name, queues in self._streams.items():
                if queue in queues:
                    queues.remove(queue)
                    if not queues and name.startswith(TEMPORARY):
                        timer = threading.Timer(GRACE, self._forget, [name])
                        timer.daemon = True
                        timer.start()

    def _forget(self, name: str) -> None:
        with self._lock:
            if self._streams.get(name) != []:
                return
            del self._streams[name]
        with contextlib.suppress(listd.ListdError):
            self._listening.pop(name).close()
            self.daemon.list(name).remove()

    def _spread(self, name: str, kind: str, value: Mapping[str, Any]) -> None:
        with self._lock:
            for queue in self._streams.get(name, ()):
                queue.put((name, kind, value))

    def since(self, name: str, revision: int) -> Tuple[str, Mapping[str, Any]]:
        """The news for a page that has a revision."""
        return answered(serving.since(name, revision, self.epoch), self.daemon.ask)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    bridge: Bridge

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exc_info()[1], (ConnectionError, socket.timeout)):
            super().handle_error(request, client_address)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # The body of an answer does not wait until its head has been acknowledged.
    error_message_format = "%(message)s: %(explain)s\n"
    error_content_type = "text/plain; charset=utf-8"
    server: Server

    def do_GET(self) -> None:
        bridge, (path, _, asked) = self.server.bridge, self.path.partition("?")
        query = parse_qs(asked)
        if not self.is_local():
            self.refuse(HTTPStatus.NOT_FOUND)
        elif path == "/" and self.is_token(query.get("token", [""])[0]):
            # Redirect to an address without the token, now that the page has a cookie.
            self.send_response(HTTPStatus.SEE_OTHER)
            self.send_header("Location", "/")
            cookie = f"{self.cookie}={bridge.token}; HttpOnly; SameSite=Strict; Path=/"
            self.send_header("Set-Cookie", cookie)
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif not self.is_known():
            self.refuse(HTTPStatus.FORBIDDEN, "open the address that the program printed")
        elif path == "/events":
            last = self.headers.get("Last-Event-ID") or query.get("last", [""])[0]
            self.stream(list(dict.fromkeys(query.get("list", []))), last, "short" in query)
        else:
            self.send_file(path)

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        kind = self.headers.get("Content-Type", "").partition(";")[0].strip()
        if not self.is_local() or not self.is_known():
            return self.refuse(HTTPStatus.FORBIDDEN)
        if self.path != "/call" or kind != "application/json":
            return self.refuse(HTTPStatus.NOT_FOUND)
        if not length.isdecimal() or len(length) > 9 or int(length) > serving.LARGEST:
            return self.refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        self.send_bytes(self.answer(self.rfile.read(int(length))), serving.headers())

    def answer(self, body: bytes) -> bytes:
        """The answer to a call."""
        try:
            return serving.result(self.server.bridge.call(*serving.requested(body)))
        except Exception as why:  # An action may raise anything.
            return serving.failure(why)

    def is_local(self) -> bool:
        """Whether the request comes from this machine's page: the host name and the origin are
        its own."""
        host = self.headers.get("Host", "")
        port = self.server.server_port
        origin = self.headers.get("Origin")
        hosts = [f"{name}:{port}" for name in ("localhost", "127.0.0.1")]
        return host in hosts and (origin is None or origin == f"http://{host}")

    @property
    def cookie(self) -> str:
        # Cookies are shared by all ports of a host.
        return f"listd-{self.server.server_port}"

    def is_known(self) -> bool:
        pairs = [one.strip().partition("=") for one in self.headers.get("Cookie", "").split(";")]
        return any(name == self.cookie and self.is_token(value) for name, _, value in pairs)

    def is_token(self, value: str) -> bool:
        return hmac.compare_digest(value.encode(), self.server.bridge.token.encode())

    def send_file(self, path: str) -> None:
        bridge = self.server.bridge
        name = bridge.page if path == "/" else path[1:]
        found = serving.file_of(bridge.folder, name)
        if found is None:
            return self.refuse(HTTPStatus.NOT_FOUND)
        self.send_bytes(found[1], serving.headers_of(*found, bridge.policy))

    def send_bytes(self, body: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(HTTPStatus.OK)
        for header in (*headers.items(), ("Content-Length", str(len(body)))):
            self.send_header(*header)
        self.end_headers()
        self.wfile.write(body)

    def refuse(self, status: HTTPStatus, why: Optional[str] = None) -> None:
        self.close_connection = True
        self.send_error(status, explain=why)

    def stream(self, names: List[str], last: str, is_short: bool) -> None:
        """Sends the lists, or the changes since the page's revisions, and then all news unless the answer
        is to be short."""
        bridge = self.server.bridge
        queue: "SimpleQueue[News]" = SimpleQueue()
        self.close_connection = True
        self.send_response(HTTPStatus.OK)
        for header in (*serving.STREAM.items(), ("Connection", "close")):
            self.send_header(*header)
        self.end_headers()
        try:
            self.wfile.write(serving.RETRY)
            self.connection.settimeout(60)  # The time limit for a page that does not read.
            events = serving.Events(last, names)
            bridge.follow(names, queue)
            for name in names:
                self.wfile.write(events.first(name, *bridge.since(name, events.revisions[name])))
            if not is_short:
                self.send_news(events, queue)
        except (OSError, listd.ListdError):
            pass
        finally:
            bridge.leave(queue)

    def send_news(self, events: serving.Events, queue: "SimpleQueue[News]") -> None:
        while True:
            try:
                name, kind, value = queue.get(timeout=serving.BREATH)
            except Empty:
                self.wfile.write(serving.STILL_HERE)
                continue
            if kind == "end":
                return
            self.wfile.write(events.later(name, kind, value))

    def log_message(self, *_: Any) -> None:
        pass
