"""`listd.web`: its files as modules, and the ASGI app, called as a server calls it."""

# Promise: The ASGI app serves pages below any path, asks about every file, list and call, refuses other sites, and
#   survives its daemon. Also `Tests/clients/python`.

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, AsyncIterator, Callable, Dict, List, Optional, Tuple

import listd
import pytest
from listd import aio
from listd.web import App, Request

ROOT = Path(__file__).resolve().parents[3]
PAGE = '<!doctype html><script type="module">import "./listd/listd.js"</script>'


def run(work: Any) -> Any:
    return asyncio.run(asyncio.wait_for(work, 30))


class Browser:
    """Calls an app like a server, for a site below a prefix."""

    def __init__(self, app: App, prefix: str = "", **headers: str) -> None:
        self.app, self.prefix, self.headers = app, prefix, {"host": "lists.example", **headers}

    def scope(self, method: str, path: str, query: str, headers: Dict[str, str]) -> Any:
        named = {**self.headers, **headers}
        encoded = [(name.replace("_", "-").encode(), value.encode()) for name, value in named.items()]
        made: Dict[str, Any] = {
            "type": "http", "method": method, "path": f"{self.prefix}{path}", "root_path": self.prefix,
            "query_string": query.encode(), "headers": encoded,
        }  # fmt: skip
        return made

    async def ask(
        self, method: str, path: str, body: bytes = b"", **headers: str
    ) -> Tuple[int, Dict[str, str], bytes]:
        sent: List[Dict[str, Any]] = []
        # A server splits the body in any way.
        parts: List[Dict[str, Any]] = [
            {"type": "http.request", "body": body[:3], "more_body": True}, {"type": "http.request", "body": body[3:]},
        ]  # fmt: skip

        async def receive() -> Dict[str, Any]:
            return parts.pop(0) if parts else {"type": "http.disconnect"}

        async def send(message: Dict[str, Any]) -> None:
            sent.append(message)

        await self.app(self.scope(method, path, "", headers), receive, send)
        found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        return sent[0]["status"], found, b"".join(one.get("body", b"") for one in sent)

    async def call(self, method: str, params: Any = None, **headers: str) -> Any:
        body = json.dumps({"method": method, "params": params}).encode()
        status, _, answer = await self.ask("POST", "/call", body, content_type="application/json", **headers)
        return json.loads(answer) if status == 200 else status

    async def news(
        self, *names: str, last: str = "", more: str = ""
    ) -> AsyncIterator[Tuple[str, Dict[str, Any]]]:
        """The events of a stream: the id and the data of each. Leaving the loop disconnects."""
        queue: asyncio.Queue[Optional[Dict[str, Any]]] = asyncio.Queue()
        gone = asyncio.Event()

        async def receive() -> Dict[str, Any]:
            await gone.wait()
            return {"type": "http.disconnect"}

        headers = {"last_event_id": last} if last else {}
        scope = self.scope("GET", "/events", "&".join(f"list={name}" for name in names) + more, headers)
        task = asyncio.ensure_future(self.app(scope, receive, queue.put))
        task.add_done_callback(lambda _: queue.put_nowait(None))
        try:
            while message := await queue.get():
                text = message.get("body", b"").decode()
                if text.startswith("id: "):
                    first, second = text.strip().split("\n")
                    yield first[len("id: ") :], json.loads(second[len("data: ") :])
        finally:
            gone.set()
            await task


def app_of(tmp_path: Path, source: Any = aio.spawn, may: Callable[[Request], Any] = lambda _: True, **more: Any) -> App:
    (tmp_path / "index.html").write_text(PAGE)
    (tmp_path / ".secret").write_text("x")
    return App(source, tmp_path, may=may, **more)


@pytest.mark.parametrize("prefix", ["", "/lists/for/us"])
def test_files(tmp_path: Path, prefix: str) -> None:
    async def work() -> None:
        browser = Browser(app_of(tmp_path), prefix)
        status, headers, body = await browser.ask("GET", "/")
        assert (status, body.decode(), headers["content-type"]) == (200, PAGE, "text/html; charset=utf-8")
        assert "sha256-" in headers["content-security-policy"] and "default-src 'none'" in headers["content-security-policy"]
        status, headers, body = await browser.ask("GET", "/listd/stages.js")
        assert (status, body) == (200, (ROOT / "clients/web/stages.js").read_bytes())
        for path in ("/.secret", "/../x.html", "/none.html", "/listd/bridge.py", "/listd/../x.js", "/events/"):
            assert (await browser.ask("GET", path))[0] == 404, path
        assert (await browser.ask("PUT", "/"))[0] == 405

    run(work())


def test_lists_and_calls(tmp_path: Path) -> None:
    async def work() -> None:
        async with await aio.spawn() as daemon:
            app, inbox = app_of(tmp_path, daemon), daemon.list("inbox")
            browser = Browser(app, "/below")

            @app.action("add")
            async def add(request: Request, params: Any) -> Any:
                return (await inbox.edit(listd.edits.append_items(params["text"]))).revision

            @app.action("fail")
            def fail(request: Request, params: Any) -> Any:
                raise OSError("the disk is full")

            await inbox.apply([])
            assert await browser.call("add", {"text": "Anna"}) == {"result": 2}
            last = ""
            async for last, news in browser.news("inbox", "none"):
                if news["list"] == "none":
                    assert (news["kind"], news["revision"]) == ("snapshot", 0)
                    await asyncio.gather(*(inbox.edit(listd.edits.append_items(name)) for name in ("Ben", "Cleo")))
                elif news["kind"] == "snapshot":
                    assert news["sections"][0]["items"] == ["Anna"]
                elif news["revision"] == 4:
                    break
            assert json.loads(last) == {"inbox": 4, "none": 0}
            await inbox.edit(listd.edits.delete_items("Anna"))
            async for _, news in browser.news("inbox", last=last):  # As browsers do after an interruption.
                assert (news["kind"], news["baseRevision"], news["revision"]) == ("change", 4, 5)
                break
            assert (await browser.call("getSnapshot", {"list": "inbox"}))["result"]["revision"] == 5
            assert (await browser.call("select", {"list": "inbox", "items": ["Ben"]}))["result"]["revision"] == 5
            assert (await browser.call("removeList", {"list": "inbox"}))["error"]["code"] == -32601
            assert (await browser.call("getSnapshot", {"list": "x"}))["error"]["code"] == -31001
            assert (await browser.call("add"))["error"]["code"] == -32602
            assert (await browser.call("fail"))["error"]["message"] == "OSError: the disk is full"
            body = json.dumps({"method": "add", "params": {"text": "x" * (5 << 20)}}).encode()
            assert (await browser.ask("POST", "/call", body, content_type="application/json"))[0] == 413
            assert (await browser.ask("POST", "/call", b"{}", content_type="text/plain"))[0] == 415

    run(work())


def test_lists_that_a_page_may_not_read(tmp_path: Path) -> None:
    """Neither by following them, nor by calls that read them or show them in another list."""

    async def work() -> None:
        app = app_of(tmp_path, may=lambda request: "salaries" not in request.lists)
        await (await app.daemon()).list("salaries").apply(["a lot"])
        browser, secret = Browser(app), {"list": "salaries"}
        for method, params in (
            ("getSnapshot", secret), ("getText", secret), ("locate", {**secret, "items": ["a lot"]}),
            ("diff", {"from": {"items": []}, "to": secret}), ("diff", {"from": {**secret, "edits": []}, "to": {"items": []}}),
            ("compose", {"list": "page/x", "sources": ["other", "salaries"], "view": {}}), ("select", secret),
        ):
            assert await browser.call(method, params) == 403, method
        assert (await browser.call("diff", {"from": {"items": []}, "to": {"items": ["x"]}, "content": True}))["result"]
        assert (await browser.call("compose", {"list": "page/x", "sources": ["other"]}))["result"]
        assert (await browser.call("getSnapshot", [secret])) == 403
        assert [news async for news in browser.news("salaries")] == []
        await app.close()

    run(work())


def test_pages_run_no_commands(tmp_path: Path) -> None:
    async def work() -> None:
        browser = Browser(app_of(tmp_path, methods=["feed", "applySnapshot"]))
        asked = {"list": "l", "from": {"command": ["touch", str(tmp_path / "made")]}}
        assert (await browser.call("feed", asked))["error"]["code"] == -32601
        assert (await browser.call("applySnapshot", {"list": "l", "items": ["a"]}))["result"]["revision"] == 1
        await browser.app.close()

    run(work())
    assert not (tmp_path / "made").exists()


def test_lists_of_pages_are_removed_with_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("listd.web.serving.GRACE", 0.05)

    async def work() -> None:
        async with await aio.spawn() as daemon:
            browser = Browser(app_of(tmp_path, daemon))
            await daemon.list("l").apply(list(range(100)))
            view = {"list": "page/1", "sources": ["l"], "view": {"window": {"count": 3}}}
            assert "result" in await browser.call("compose", view)
            assert (await browser.call("compose", {**view, "list": "mine"}))["error"]["code"] == -32601
            async for _, news in browser.news("page/1"):
                assert len(news["sections"][0]["items"]) == 3
                break
            while len(await daemon.lists()) > 1:
                await asyncio.sleep(0.02)

    run(work())


def test_who_may(tmp_path: Path) -> None:
    asked: List[Tuple[str, str]] = []

    async def may(request: Request) -> bool:
        asked.append((request.kind, request.name))
        return request.headers.get("x-user") == "anna" and request.name != "secret" and request.params.get("list") != "secret"

    async def work() -> None:
        async with await aio.spawn() as daemon:
            app = app_of(tmp_path, daemon, may)
            anna, stranger = Browser(app, x_user="anna"), Browser(app)
            assert (await stranger.ask("GET", "/"))[0] == 403 and (await anna.ask("GET", "/"))[0] == 200
            assert (await stranger.ask("GET", "/events"))[0] == 200  # It has no list.
            assert (await anna.ask("GET", "/listd/listd.js"))[0] == 200
            assert await stranger.call("getLists", {}) == 403
            assert await anna.call("getLists", {}) == {"result": {"lists": []}}
            assert await anna.call("getSnapshot", {"list": "secret"}) == 403
            refused = [one async for one in anna.news("open", "secret")]
            assert refused == []
        assert ("file", "index.html") in asked and ("list", "secret") in asked and ("call", "getSnapshot") in asked

    run(work())


@pytest.mark.parametrize("headers, status", [
    ({}, 200),
    ({"origin": "https://lists.example"}, 200), ({"origin": "https://evil.example"}, 403), ({"origin": "null"}, 403),
    ({"origin": "https://public.example", "x_forwarded_host": "public.example"}, 200),
    ({"origin": "https://front.example"}, 200),
    ({"origin": "https://other.example", "sec_fetch_site": "same-origin"}, 200),
    ({"sec_fetch_site": "cross-site"}, 403), ({"sec_fetch_site": "same-site", "origin": "https://lists.example"}, 403),
    ({"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate"}, 200),
])  # fmt: skip
def test_pages_of_other_sites(tmp_path: Path, headers: Dict[str, str], status: int) -> None:
    async def work() -> None:
        browser = Browser(app_of(tmp_path, origins=["https://front.example"]))
        assert (await browser.ask("GET", "/", b"", **headers))[0] == status

    run(work())


def test_a_daemon_that_dies_is_started_again(tmp_path: Path) -> None:
    started: List[aio.Daemon] = []

    async def start() -> aio.Daemon:
        started.append(await aio.spawn())
        await started[-1].list("l").apply(["a"])
        return started[-1]

    async def work() -> None:
        app = app_of(tmp_path, start)
        browser = Browser(app)
        both = await asyncio.gather(browser.call("getLists"), browser.call("getLists"))
        assert both[0] == both[1] and len(started) == 1
        seen = []
        async for _, news in browser.news("l"):
            seen.append(news)
            started[0]._process.kill()
        assert len(seen) == 1  # The stream has ended, and a browser connects again.
        async for _, news in browser.news("l", last='{"l": 1}'):
            assert news["epoch"] != seen[0]["epoch"] and news["revision"] == 1
            break
        assert len(started) == 2
        messages = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]
        sent: List[Any] = []

        async def receive() -> Any:
            return messages.pop(0)

        async def send(message: Any) -> None:
            sent.append(message["type"])

        await app({"type": "lifespan"}, receive, send)
        assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
        assert not started[1].is_open

    run(work())


def test_a_short_answer_ends(tmp_path: Path) -> None:
    """For pages behind a proxy that passes an answer on only when it has ended."""

    async def work() -> None:
        app = app_of(tmp_path)
        browser = Browser(app)
        inbox = (await app.daemon()).list("inbox")
        await inbox.apply(["a"])
        first = [one async for one in browser.news("inbox", more="&short=1")]
        assert [(last, news["kind"]) for last, news in first] == [('{"inbox": 1}', "snapshot")]
        await inbox.apply(["a", "b"])
        then = [one async for one in browser.news("inbox", last=first[-1][0], more="&short=1")]
        assert [(last, news["kind"]) for last, news in then] == [('{"inbox": 2}', "change")]
        await app.close()

    run(work())


def test_a_page_that_does_not_read_connects_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("listd.web.asgi.WAITING", 3)

    async def work() -> None:
        async with await aio.spawn() as daemon:
            browser, count = Browser(app_of(tmp_path, daemon)), 0
            async for last, news in browser.news("l"):
                count += 1
                if count == 1:
                    await asyncio.gather(*(daemon.list("l").apply([number]) for number in range(50)))
            assert 1 < count < 20 and json.loads(last)["l"] < 50

    run(work())


def test_importing_has_no_effect_on_others() -> None:
    code = """
import sys
before = list(sys.path), sys.dont_write_bytecode, set(sys.modules)
import listd.web
from listd.web import Bridge
assert before[:2] == (sys.path, sys.dont_write_bytecode)
assert not {"bridge", "policy"} & set(sys.modules)
assert Bridge.__module__ == "listd.web.bridge" and (listd.web.FOLDER / "listd.js").is_file()
"""
    environment = {"PYTHONPATH": str(ROOT / "clients/python")}
    subprocess.run([sys.executable, "-c", code], check=True, timeout=30, env=environment)


def test_the_bridge_of_the_package(tmp_path: Path) -> None:
    from urllib.request import build_opener, HTTPCookieProcessor

    with listd.spawn() as daemon:
        (tmp_path / "index.html").write_text(PAGE)
        bridge = listd.web.Bridge(daemon, tmp_path)
        bridge.start()
        browser = build_opener(HTTPCookieProcessor())
        assert browser.open(bridge.address, timeout=10).read().decode() == PAGE
        assert b"export" in browser.open(bridge.address.partition("?")[0] + "listd/listd.js", timeout=10).read()
        bridge.close()
