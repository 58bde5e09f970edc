"""Pages behind proxies that pass an answer on only when it has ended."""

from __future__ import annotations

import http.client
import http.server
import threading
from typing import Iterator, Tuple
from urllib.parse import urlsplit

import pytest
from browser import Tab

from bridge import Bridge  # isort: skip

ROWS = "[...document.querySelectorAll('.listd-row')].map((row) => row.dataset.id)"


class Buffering(http.server.BaseHTTPRequestHandler):
    """Passes requests on to the port of the server, and whole answers back."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        port = self.server.behind  # type: ignore[attr-defined]
        here = self.server.server_address[1]
        names = {"host", "origin", "connection", "accept-encoding"}
        headers = {name: value for name, value in self.headers.items() if name.lower() not in names}
        headers["Host"] = f"localhost:{port}"
        if "Origin" in self.headers:
            headers["Origin"] = self.headers["Origin"].replace(str(here), str(port))
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request(self.command, self.path, body, headers)
        answer = connection.getresponse()
        whole = answer.read()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("content-length", "connection", "date", "server"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(whole)))
        self.end_headers()
        self.wfile.write(whole)

    do_POST = do_GET

    def log_message(self, *_: object) -> None:
        pass


class Proxy(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A page may leave at any time."""


@pytest.fixture
def proxied(bridge: Bridge) -> Iterator[Tuple[Bridge, str]]:
    proxy = Proxy(("127.0.0.1", 0), Buffering)
    proxy.behind = urlsplit(bridge.address).port  # type: ignore[attr-defined]
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    yield bridge, f"http://localhost:{proxy.server_address[1]}/?token={bridge.token}"
    proxy.shutdown()
    proxy.server_close()


def test_a_page_behind_a_proxy_that_buffers(proxied: Tuple[Bridge, str], browser: Tab) -> None:
    bridge, address = proxied
    inbox = bridge.daemon.list("l")
    inbox.apply(["a", "b"])
    browser.open(address)
    browser.wait(ROWS, ["a", "b"])
    browser.run("window.news = []; bridge.addEventListener('status', () => news.push(bridge.status)), 0")
    inbox.apply(["b", "a", "c"])
    browser.wait(ROWS, ["b", "a", "c"])
    inbox.select("c", action="replace")
    browser.wait("document.querySelector('[aria-selected=true]')?.dataset.id", "c")
    inbox.remove()
    browser.wait(ROWS, [])
    # It is connected all the time.
    assert browser.run("news") == []
