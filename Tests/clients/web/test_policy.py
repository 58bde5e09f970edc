"""The Content-Security-Policy of all pages, in Chromium: it forbids what is injected, and nothing else."""

# Promise: Pages of the bridge, of records and of comparisons run their own scripts and styles, and nothing that is
#   injected. Also `check_policy`.

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, Iterable

import pytest
from browser import Tab
from test_bridge import ask

from bridge import Bridge, listd  # isort: skip
from policy import InlineCode  # isort: skip

INJECTED = """(() => {
  window.ran = [];
  const add = (tag, more) => document.body.appendChild(Object.assign(document.createElement(tag), more));
  add("script", { textContent: "ran.push('script')" });
  add("script", { src: "data:text/javascript,ran.push('address')" });
  add("style", { textContent: "#injected { color: red }" });
  add("div", { innerHTML: `<img src="data:," onerror="ran.push('handler')"><p id="injected" style="color: red">` });
})()"""
FORBIDDEN = ["img-src", "script-src-attr", "script-src-elem", "style-src-attr", "style-src-elem"]
COLOUR = "getComputedStyle(document.getElementById('injected')).color"


def injecting_has_no_effect(tab: Tab) -> None:
    assert tab.run("violations") == []
    tab.run(INJECTED)
    tab.wait("[...new Set(violations)].sort()", FORBIDDEN)
    assert tab.run("ran") == [] and tab.run(COLOUR) != "rgb(255, 0, 0)"
    tab.run("violations.length = 0")


def policy(text: str) -> Any:
    return dict(part.split(" ", 1) for part in text.split("; "))


def test_pages_of_the_bridge(bridge: Bridge, browser: Tab) -> None:
    bridge.daemon.list("l").apply(["a"])
    browser.open(bridge.address)
    browser.wait("document.querySelectorAll('.listd-row').length", 1)
    injecting_has_no_effect(browser)
    directives = policy(ask(bridge, "GET", "/")[1]["Content-Security-Policy"])
    for name in ("default-src", "frame-ancestors", "base-uri", "form-action"):
        assert directives[name] == "'none'"
    assert "unsafe" not in json.dumps(directives)


def test_every_answer_with_a_body_has_a_policy_or_is_plain_text(bridge: Bridge) -> None:
    (bridge.folder / "picture.svg").write_text("<svg><style>a{}</style></svg>")
    for path in ("/picture.svg", "/listd/listd.js"):
        assert "default-src 'none'" in ask(bridge, "GET", path)[1]["Content-Security-Policy"]
    answer = ask(bridge, "POST", "/call", {"method": "getLists"})[1]
    assert "default-src 'none'" in answer["Content-Security-Policy"]
    for path, more in (("/<b>", {}), ("/", {"Cookie": ""}), ("/", {"Host": "<b>"})):
        assert ask(bridge, "GET", path, **more)[1]["Content-Type"].startswith("text/plain")


def test_directives_can_be_replaced(bridge: Bridge) -> None:
    bridge.policy = {"img-src": "https:", "media-src": "'self'"}
    directives = policy(ask(bridge, "GET", "/")[1]["Content-Security-Policy"])
    assert directives["img-src"] == "https:" and directives["media-src"] == "'self'"
    assert directives["default-src"] == "'none'"


def test_inline_code_is_found_as_a_browser_finds_it(bridge: Bridge, browser: Tab) -> None:
    page = (
        "<!doctype html>\r\n<!-- <script>window.no = 1</script> --><title>a &lt;b</title>"
        "<STYLE>\r\n p > b { color: red }\r\n</STYLE><p style='margin: 7px' onclick=\"document.title = '&eacute;'\">"
        "<b id=b>b</b></p><script>\r\n"
        "window.first = '\u00e9 &amp; <style>';\r\n</script><script src=/code.js></script>"
        "<script type=module>window.third = first + second;</script>"
    )
    (bridge.folder / "other.html").write_bytes(page.encode())
    (bridge.folder / "code.js").write_text("window.second = 2;")
    browser.open(bridge.address)
    browser.wait("window.bridge?.status", "open")
    browser.run("location = '/other.html'; 0")
    browser.wait("window.third", "\u00e9 &amp; <style>2")
    assert browser.run("getComputedStyle(document.getElementById('b')).color") == "rgb(255, 0, 0)"
    assert browser.run("getComputedStyle(document.querySelector('p')).marginLeft") == "7px"
    assert browser.run("document.getElementById('b').click(), document.title") == "\u00e9"
    assert browser.run("window.no ?? null") is None
    assert [len(code) for code in InlineCode(page).found.values()] == [4, 2]
    assert InlineCode("<style>a</style><![declaration[").found == {"script": [], "style": ["a"]}


def program(folder: Path, *words: Any, sent: Iterable[Any] = ()) -> bytes:
    lines = "".join(json.dumps(one) + "\n" for one in sent)
    done = subprocess.run(
        [os.environ.get("LISTD") or listd.find(), *map(str, words)], input=lines.encode(), cwd=folder,
        capture_output=True, timeout=60,
    )  # fmt: skip
    assert done.returncode in (0, 1) and not done.stderr, done.stderr
    return done.stdout


def test_the_page_of_a_record(tmp_path: Path, browser: Tab) -> None:
    params = [{"list": "l", "items": items} for items in (["a", "b"], ["b", "</script><b>"])]
    sent = [{"jsonrpc": "2.0", "id": id, "method": "applySnapshot", "params": one} for id, one in enumerate(params)]
    program(tmp_path, "--record", "record", sent=sent)
    program(tmp_path, "replay", "--html", "page.html", "record")
    browser.open((tmp_path / "page.html").as_uri())
    browser.wait("document.querySelectorAll('#lists li').length", 2)
    browser.click("#next")
    browser.wait("document.querySelectorAll('#lists li.ins').length", 1)
    assert browser.run("document.querySelector('#lists li.ins span').textContent") == "</script><b>"
    assert browser.run("getComputedStyle(document.getElementById('now')).marginBottom") == "0px"
    injecting_has_no_effect(browser)


@pytest.mark.parametrize("name", ["old", "<script>"])
def test_the_page_of_a_comparison(tmp_path: Path, browser: Tab, name: str) -> None:
    (tmp_path / name).write_text("a\nb\n")
    (tmp_path / "new").write_text("b\n<script>document.title = 'x'</script>\n")
    page = tmp_path / "page.html"
    page.write_bytes(program(tmp_path, "diff", "--format", "html", name, "new"))
    browser.open(page.as_uri())
    browser.wait("document.querySelectorAll('tr.inserted').length", 1)
    assert browser.run("document.title") == f"{name} \u2192 new"
    assert browser.run("getComputedStyle(document.querySelector('table')).borderCollapse") == "collapse"
    injecting_has_no_effect(browser)
