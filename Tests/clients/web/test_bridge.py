"""The bridge: access control, reconnecting pages, several pages, and random changes."""

# Promise: Seven pages of a browser show the news of a bridge, also without shared workers; a page does not continue
#   revisions of another daemon.
# Promise: The bridge refuses requests without its token, with another host name or from another site; no request
#   raises an exception; a page that reconnects is sent what it missed; a page has a window on 100,000 rows.

from __future__ import annotations

import http.client
import json
import random
import socket
import time
from typing import Any, Dict, Tuple
from urllib.parse import urlsplit

import pytest
from browser import Browser, Tab

from bridge import Bridge, listd  # isort: skip


def ask(
    bridge: Bridge, method: str, path: str, body: Any = None, **headers: str
) -> Tuple[int, Dict[str, str], bytes]:
    port = urlsplit(bridge.address).port
    assert port
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    known = {"Host": f"localhost:{port}", "Cookie": f"listd-{port}={bridge.token}"}
    if body is not None:
        known["Content-Type"] = "application/json"
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body, {**known, **named})
    answer = connection.getresponse()
    received = answer.status, dict(answer.getheaders()), answer.read()
    connection.close()
    return received


def test_only_its_own_pages_have_access(bridge: Bridge) -> None:
    port = urlsplit(bridge.address).port
    call = {"method": "getLists"}
    status, headers, _ = ask(bridge, "GET", f"/?token={bridge.token}", Cookie="")
    assert (status, headers["Location"]) == (303, "/")
    assert "HttpOnly; SameSite=Strict" in headers["Set-Cookie"]
    assert ask(bridge, "GET", "/")[0] == 200
    assert json.loads(ask(bridge, "POST", "/call", call)[2]) == {"result": {"lists": []}}
    here = f"http://localhost:{port}"
    assert ask(bridge, "POST", "/call", call, Origin=here)[0] == 200
    for without in ({"Cookie": ""}, {"Cookie": f"listd-{port}=x"}, {"Cookie": f"listd-1={bridge.token}"}):
        assert ask(bridge, "GET", "/", **without)[0] == 403
        assert ask(bridge, "GET", "/events?list=l", **without)[0] == 403
        assert ask(bridge, "POST", "/call", call, **without)[0] == 403
    for stranger in (
        {"Origin": "http://example.com"}, {"Origin": "null"}, {"Host": f"example.com:{port}"},
        {"Origin": f"http://localhost:{port + 1 if port else 0}"}, {"Host": "localhost"},
    ):  # fmt: skip
        assert ask(bridge, "POST", "/call", call, **stranger)[0] == 403
        assert ask(bridge, "GET", "/events?list=l", **stranger)[0] == 404
    # A form of another site may send this.
    assert ask(bridge, "POST", "/call", b"{}", Content_Type="text/plain")[0] == 404
    assert bridge._server.server_address[0] == "127.0.0.1"


def test_served_files(bridge: Bridge) -> None:
    assert ask(bridge, "GET", "/listd/listd.js")[1]["Content-Type"].startswith("text/javascript")
    for path in (
        "/.secret.html", "/../beside.html", "/%2e%2e/beside.html", "/listd/../page.html", "/none.html",
        "/listd/bridge.py", "/listd/page", "//etc/passwd", "/index.html/", "/..\\beside.html",
    ):  # fmt: skip
        assert ask(bridge, "GET", path)[0] == 404, path


def test_calls(bridge: Bridge) -> None:
    def call(body: Any, **headers: str) -> Any:
        return json.loads(ask(bridge, "POST", "/call", body, **headers)[2])

    bridge.action("double", lambda params: params["n"] * 2)
    assert call({"method": "double", "params": {"n": 4}}) == {"result": 8}
    assert call({"method": "applySnapshot", "params": {"list": "l", "items": ["a"]}})["result"]
    assert call({"method": "compose", "params": {"list": "page/1", "sources": ["l"]}})["result"]["revision"] == 1
    codes = [
        ({"method": "shutdown"}, -32601), ({"method": "compose", "params": {"list": "l", "sources": []}}, -32601), ({"method": "double"}, -32602), ([], -32602),
        (b"\xff", -32602), (b"{", -32602), ({"method": "select", "params": {"list": "z"}}, -31001),
    ]  # fmt: skip
    for body, code in codes:
        assert call(body)["error"]["code"] == code
    assert ask(bridge, "POST", "/call", b"{}", Content_Length=str(5 << 20))[0] == 413
    assert ask(bridge, "POST", "/call", b"{}", Content_Length="-1")[0] == 413


DEEP = b"[" * 5000
STRANGE_BODIES = [
    DEEP, b'{"method":"select","params":' + DEEP, b'{"method":"select","params":%s%s}' % (DEEP, b"]" * 5000),
    b'{"method":"select","params":{"list":"l","cursor":%s%s}}' % (b"[" * 700, b"]" * 700),
    b'{"method":"select","params":{"list":NaN}}', b'{"method":"select","params":{"list":-1e999}}',
    b'{"method":"select","params":{"list":%s}}' % (b"9" * 5000), b'{"method":"select","params":[1]}',
    b'{"method":"select","params":"list"}', b'{"method":{"a":[]}}', b'{"method":null}', b"1e999", b"NaN", b"",
    b'"method"', b"\x00", b"\xff\xfe{\x00", b'{"method":"\\ud800"}', b'{"method":"select","params":{"list":"\\udc00"}}',
    b'{"method":"editSnapshot","params":{"list":"l","edits":[{"edit":[]}]}}', b'{"method":"editSnapshot","params":[[]]}',
    b'{"method":"fail"}', b'{"method":"strange","params":{"a":1}}', b'{"method":"infinite"}',
]  # fmt: skip


@pytest.mark.parametrize("body", STRANGE_BODIES, ids=range(len(STRANGE_BODIES)))
def test_strange_calls_are_errors(bridge: Bridge, body: bytes) -> None:
    def fail(_: Any) -> None:
        raise OSError("no such folder")

    bridge.action("fail", fail)
    bridge.action("strange", lambda params: {1, 2})
    bridge.action("infinite", lambda params: float("inf"))
    status, _, answer = ask(bridge, "POST", "/call", body)
    assert status == 200 and json.loads(answer)["error"]["code"] < 0
    assert ask(bridge, "POST", "/call", {"method": "getLists"})[2] == b'{"result": {"lists": []}}'


@pytest.mark.parametrize("length", ["9" * 5000, "\u00b2", "1e3", "0x10", "1 2"])
def test_strange_lengths_are_refused(bridge: Bridge, length: str) -> None:
    assert ask(bridge, "POST", "/call", b"{}", Content_Length=length)[0] == 413


@pytest.mark.parametrize("path", ["http://[/", "http://\u00bd/", "/[", "/\u00bd.html", "/" + "a" * 300 + ".html",
    "/a/" * 3000 + "a.html", "/folder.html", "/gone.html", "/?token=%ff", "*", "?"])  # fmt: skip
def test_strange_paths_are_refused(bridge: Bridge, path: str) -> None:
    (bridge.folder / "folder.html").mkdir()
    (bridge.folder / "gone.html").symlink_to("nothing")
    port = urlsplit(bridge.address).port
    with socket.create_connection(("127.0.0.1", port or 0), timeout=30) as connection:
        head = f"GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n"
        cookie = f"Cookie: listd-{port}={bridge.token}\r\n\r\n"
        connection.sendall((head + cookie).encode("latin-1"))
        with connection.makefile("rb") as answer:
            assert answer.readline().split()[1] in (b"404", b"200" if path == "/?token=%ff" else b"404")


def events(bridge: Bridge, count: int, **headers: str) -> Any:
    """The first events of a stream, with their ids."""
    port = urlsplit(bridge.address).port
    assert port
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    known = {"Host": f"localhost:{port}", "Cookie": f"listd-{port}={bridge.token}"}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("GET", "/events?list=l", headers={**known, **named})
    answer, found, id = connection.getresponse(), [], ""
    while len(found) < count:
        line = answer.readline().decode().rstrip("\n")
        if line.startswith("id: "):
            id = line[4:]
        if line.startswith("data: "):
            found.append((json.loads(id), json.loads(line[6:])))
    connection.close()
    return found


def test_a_reconnecting_page_gets_the_missed_changes(bridge: Bridge) -> None:
    inbox = bridge.daemon.list("l")
    ((known, first),) = events(bridge, 1)
    assert (first["kind"], known) == ("snapshot", {"l": 0})
    inbox.apply(["a", "b"])
    inbox.apply(["b", "a", "c"])
    ((known, now),) = events(bridge, 1, Last_Event_ID='{"l":1}')
    assert (now["kind"], now["baseRevision"], known) == ("change", 1, {"l": 2})
    assert [op["op"] for op in now["stages"][0]] == ["insertItems", "moveItems"]
    deep, long = "[" * 5000, "9" * 5000
    for strange in (
        '{"l":99}', "{}", '{"other":1}', '{"l":1e999}', '{"l":[]}', '{"l":null}', '{"l":-1}', '{"l":1.5}',
        '{"l":true}', '{"l":"1"}', '{"l":NaN}', f'{{"l":{long}}}', deep, "[]", "1", "x", '{"l"',
    ):  # fmt: skip
        ((known, now),) = events(bridge, 1, Last_Event_ID=strange)
        assert (now["kind"], known) == ("snapshot", {"l": 2})
    inbox.remove()
    ((known, now),) = events(bridge, 1, Last_Event_ID='{"l":2}')
    assert (now["kind"], now["sections"], known) == ("snapshot", [], {"l": 0})


def test_a_list_that_is_named_twice_is_sent_once(bridge: Bridge) -> None:
    (bridge.folder / "index.html").touch()
    bridge.daemon.list("l").apply(["a"])
    port = urlsplit(bridge.address).port
    connection = http.client.HTTPConnection("127.0.0.1", port or 0, timeout=30)
    headers = {"Host": f"localhost:{port}", "Cookie": f"listd-{port}={bridge.token}"}
    connection.request("GET", "/events?list=l&list=l", headers=headers)
    answer = connection.getresponse()

    def event() -> bytes:
        return next(line for line in iter(answer.readline, b"") if line.startswith(b"data: "))

    # With the first event the page has begun to follow the list.
    first = event()
    bridge.daemon.list("l").apply(["b"])
    assert event() != first
    bridge._spread("l", "end", {})
    assert b"data: " not in answer.read()
    assert bridge._streams == {"l": []}


def test_the_numbers_of_a_view_after_a_pause(bridge: Bridge) -> None:
    inbox, view = bridge.daemon.list("inbox"), bridge.daemon.list("l")
    inbox.apply([1, 2, 3])
    view.compose(["inbox"], view={"window": {"count": 2}})
    inbox.apply([2, 3, 4, 5])
    ((_, now),) = events(bridge, 1, Last_Event_ID='{"l":1}')
    assert (now["kind"], now["view"]) == ("change", {"start": 0, "matched": 4, "total": 4})


ROWS = "[...document.querySelectorAll('.listd-row')].map((row) => row.dataset.id)"


def test_two_pages_that_reconnect(bridge: Bridge, browser: Tab, chromium: Browser) -> None:
    inbox, other = bridge.daemon.list("l"), chromium.tab()
    inbox.apply(["a", "b", "c"])
    for tab in (browser, other):
        tab.open(bridge.address)
        tab.wait(ROWS, ["a", "b", "c"])
    browser.click("[data-id=b]")
    for tab in (browser, other):
        tab.wait("document.querySelector('[aria-selected=true]')?.dataset.id", "b")
    browser.run("window.rows = [...document.querySelectorAll('.listd-row')]")
    # The streams end, and the list changes before the pages reconnect.
    bridge._spread("l", "end", {})
    inbox.apply(["c", "b", "d"])
    for tab in (browser, other):
        tab.wait(ROWS, ["c", "b", "d"])
        tab.wait("document.querySelector('[aria-selected=true]')?.dataset.id", "b")
    now = "[...document.querySelectorAll('.listd-row')].map((row) => rows.indexOf(row))"
    assert browser.run(now) == [2, 1, -1]
    inbox.remove()
    browser.wait(ROWS, [])
    inbox.apply(["z"])
    browser.wait(ROWS, ["z"])
    other.close()


def test_seven_pages_share_a_stream(bridge: Bridge, browser: Tab, chromium: Browser) -> None:
    """Browsers open at most six connections to an address."""
    inbox, tabs = bridge.daemon.list("l"), [browser] + [chromium.tab(beside=browser) for _ in range(6)]
    inbox.apply(["a"])
    for tab in tabs:
        tab.open(bridge.address)
        tab.wait(ROWS, ["a"])
    inbox.apply(["b", "a"])
    for tab in tabs:
        tab.wait(ROWS, ["b", "a"])
    # The bridge notices that a stream has ended when it sends the next news.
    end = time.monotonic() + 30
    while [len(queues) for queues in bridge._streams.values()] != [1]:
        inbox.apply([f"{time.monotonic()}"])
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.parametrize("without", ["SharedWorker", "Navigator.prototype.locks"])
def test_pages_without_shared_workers(bridge: Bridge, chromium: Browser, without: str) -> None:
    tab = chromium.tab(f"delete {without}")
    bridge.daemon.list("l").apply(["a"])
    tab.open(bridge.address)
    tab.wait(ROWS, ["a"])
    bridge._spread("l", "end", {})
    bridge.daemon.list("l").apply(["b", "a"])
    tab.wait(ROWS, ["b", "a"])
    tab.close()


def test_revisions_of_another_daemon_are_not_continued(bridge: Bridge, browser: Tab) -> None:
    bridge.daemon.list("l").apply(["a", "b"])
    browser.open(bridge.address)
    browser.wait(ROWS, ["a", "b"])
    stages = [[{"op": "deleteItems", "at": [0, 0], "count": 1}]]
    news = {"kind": "change", "epoch": "another", "list": "l", "revision": 2, "stages": stages}
    browser.run(f"list.take({{ ...{json.dumps(news)}, baseRevision: 1, selection: [], cursor: null }}), 0")
    browser.wait("list.revision", 1)
    assert browser.run(ROWS) == ["a", "b"]


def test_requests_of_keys_are_sent_in_order(bridge: Bridge, browser: Tab) -> None:
    section = {"id": "s", "selectionMode": "multiple", "items": ["a", "b", "c"]}
    bridge.daemon.list("l").apply(sections=[section])
    browser.open(bridge.address)
    browser.wait(ROWS, ["a", "b", "c"])
    # The first answer takes longest.
    browser.run(
        "const call = bridge.call.bind(bridge); window.wait = 300; bridge.call = async (...words) => {"
        " if (words[0] === 'select' && words[1].items) await new Promise((done) => setTimeout(done, wait /= 3));"
        " return call(...words); }; document.querySelector('[data-id=a]').focus()"
    )
    selected = "[...document.querySelectorAll('[aria-selected=true]')].map((row) => row.dataset.id)"
    browser.press(" ", text=" ")
    browser.wait(selected, ["a"])
    for _ in range(2):
        browser.press("ArrowDown", modifiers=8)
    browser.run("new Promise((done) => setTimeout(done, 300))")
    browser.wait(selected, ["a", "b", "c"])


def test_a_deleted_row_passes_the_focus_on(bridge: Bridge, browser: Tab) -> None:
    inbox = bridge.daemon.list("l")
    inbox.apply(["a", "b", "c"])
    browser.open(bridge.address)
    browser.wait(ROWS, ["a", "b", "c"])
    browser.run("document.querySelector('[data-id=b]').focus()")
    browser.wait("list.cursor?.join()", "0,1")
    inbox.apply(["a", "c"])
    browser.wait(ROWS, ["a", "c"])
    assert browser.run("document.activeElement.dataset.id") == "c"


def test_a_snapshot_moves_rows_that_it_keeps(bridge: Bridge, browser: Tab) -> None:
    """Like after a pause that is longer than revisions are kept."""
    first = [{"id": "s", "items": ["a", "b"]}, {"id": "t", "items": [{"id": 1}]}, {"id": "u"}]
    sections = [{"items": [], **section} for section in first]
    bridge.daemon.list("l").apply(sections=sections)
    browser.open(bridge.address)
    browser.wait(ROWS, ["a", "b", "1"])
    browser.run("window.rows = [...document.querySelectorAll('.listd-row')]")
    new = [{"id": "t", "items": ["b"]}, {"id": "v", "items": [{"id": 1, "n": 2}]}, {"id": "s", "items": ["c", "a"]}]
    news = {"kind": "snapshot", "revision": 9, "sections": new, "selection": [], "cursor": None}
    browser.run(f"list.take({json.dumps(news)}), 0")
    assert browser.run(ROWS) == ["b", "1", "c", "a"]
    names = "[...document.querySelectorAll('.listd-section')].map((one) => one.dataset.id)"
    assert browser.run(names) == ["t", "v", "s"]
    now = "[...document.querySelectorAll('.listd-row')].map((row) => rows.indexOf(row))"
    assert browser.run(now) == [1, 2, -1, 0]


def test_a_snapshot_keeps_rows_that_a_key_identifies(bridge: Bridge, browser: Tab) -> None:
    items = [{"k": {"n": 1}, "id": None}, {"k": {"n": 2}, "text": "b"}]
    browser.open(bridge.address)
    browser.wait("window.bridge?.status", "open")
    assert browser.run("bridge.list('m', { key: ['k'] }).key.join()") == "k"
    browser.run("list.key = 'k.n', 0")
    bridge.daemon.list("l", key="k.n").apply(items)
    browser.wait(ROWS, ["1", "2"])
    browser.run("window.rows = [...document.querySelectorAll('.listd-row')]")
    sections = [{"id": "main", "items": [{"k": {"n": 3}}, {"k": {"n": 2}, "text": "c"}, items[0]]}]
    news = {"kind": "snapshot", "revision": 9, "sections": sections, "selection": [], "cursor": None}
    browser.run(f"list.take({json.dumps(news)}), 0")
    assert browser.run(ROWS) == ["3", "2", "1"]
    assert browser.run("[...document.querySelectorAll('.listd-row')].map((row) => rows.indexOf(row))") == [-1, 1, 0]


def test_the_end_of_the_daemon_is_reported(bridge: Bridge, browser: Tab) -> None:
    bridge.daemon.list("l").apply(["a"])
    browser.open(bridge.address)
    browser.wait(ROWS, ["a"])
    bridge.daemon.close()
    browser.wait("window.bridge?.status", "connecting")
    error = "bridge.call('getLists').then(() => null, (error) => error.message)"
    assert "closed" in browser.run(error)


def test_numbers_that_would_be_merged(bridge: Bridge, browser: Tab) -> None:
    browser.open(bridge.address)
    browser.wait("window.bridge?.status", "open")
    # The page requests the list again after an error, and gets the same error.
    browser.run("window.errors = new Set(); bridge.addEventListener('error', (one) => errors.add(one.error.name))")
    bridge.daemon.list("l").apply([{"id": 2**53 + 1}])
    browser.wait("[...errors]", ["UnsafeNumber"])
    call = "bridge.call('select', { list: 'l', items: [2 ** 53] }).then(() => 0, (one) => one.name)"
    assert browser.run(call) == "UnsafeNumber"


@pytest.mark.parametrize("way", ["moveBefore", "insertBefore"])
def test_any_change(bridge: Bridge, chromium: Browser, way: str) -> None:
    tab = chromium.tab("delete Element.prototype.moveBefore" if way == "insertBefore" else "")
    rng, inbox, held = random.Random(way), bridge.daemon.list("l"), None
    tab.open(bridge.address)
    tab.wait("window.bridge?.status", "open")
    shown = (
        "[...document.querySelectorAll('.listd-section')].map((section) => [section.dataset.id,"
        " [...section.querySelectorAll('.listd-row span')].map((one) => JSON.parse(one.textContent))])"
    )
    tab.run(
        "window.made = new Map();"
        "window.held = () => [...document.querySelectorAll('.listd-row')].every((row) => {"
        "  const input = row.querySelector('input');"
        "  if (input.value === '') input.value = row.dataset.id;"
        "  return input.value === row.dataset.id; })"
    )
    for _ in range(40):
        ids = rng.sample(range(14), rng.randrange(14))
        names = rng.sample("abcd", rng.randrange(1, 5))
        sections = [{"id": name, "selectionMode": "multiple", "items": []} for name in names]
        for id in ids:
            item = {"id": id, "n": rng.randrange(2)}
            sections[rng.randrange(len(names))]["items"].append(item)
        inbox.apply(sections=sections)
        tab.wait(shown, [[one["id"], one["items"]] for one in sections])
        assert tab.run("held()"), "typed text is in another row"
        focused = tab.run(
            "document.activeElement.matches('input') ? document.activeElement.value : null"
        )
        assert focused == (held if held is None or int(held) in ids else None)
        held = focused
        if ids and held is None:
            held = str(rng.choice(ids))
            tab.run(f"document.querySelector('[data-id=\"{held}\"] input').focus()")
    tab.close()
