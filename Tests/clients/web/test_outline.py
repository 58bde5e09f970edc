"""Outlines in a page: a folder as a tree, with keys, mouse and assistive technology."""

# Promise: In a page an outline is a tree for keys, the mouse and assistive technology; pages expand rows and edit
#   nothing.

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Callable, Dict, List

import pytest
from browser import Tab

from bridge import listd  # isort: skip
from serving import is_of_outline  # isort: skip

NAMES = "[...document.querySelectorAll('.listd-row .name')].map((one) => one.textContent)"
FOCUSED = "document.activeElement.closest('.listd-row')?.querySelector('.name').title ?? null"
B = ".listd-row:has([title=b])"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("b/c/d.txt", "b/e10.txt", "b/e9.txt", "g/h.txt", "f.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    return tmp_path


@pytest.fixture
def page(folder: Path, serve: Callable[..., str], browser: Tab) -> Tab:
    browser.open(serve("examples/explorer", folder))
    browser.wait(NAMES, ["b", "g", "f.txt"])
    return browser


def test_names_that_deceive(folder: Path, serve: Callable[..., str], browser: Tab) -> None:
    for name in ("\u202egpj.exe", "<img src=x onerror='ran = 1'>", "new\nline"):
        (folder / name).touch()
    (folder / os.fsdecode(b"\xff")).touch()
    browser.open(serve("examples/explorer", folder))
    shown = ["b", "g", "<img src=x onerror='ran = 1'>", "\\xff", "f.txt", "new\\u000aline", "\\u202egpj.exe"]
    browser.wait(NAMES, shown)
    assert browser.run("window.ran ?? null") is None


def accessible(tab: Tab) -> List[Dict[str, Any]]:
    """The properties of the tree's items that the browser exposes to assistive technology."""
    nodes = tab.call("Accessibility.getFullAXTree")["nodes"]
    found = []
    for node in nodes:
        if node.get("role", {}).get("value") == "treeitem":
            state = {one["name"]: one["value"]["value"] for one in node["properties"]}
            found.append({"name": node["name"]["value"], **state})
    return found


def test_keys_of_a_tree(page: Tab) -> None:
    page.press("Tab")
    page.press("Tab")
    assert page.run(FOCUSED) == "b"
    page.run("window.rows = [...document.querySelectorAll('.listd-row')]")
    page.press("ArrowRight")
    page.wait(NAMES, ["b", "c", "e9.txt", "e10.txt", "g", "f.txt"])
    now = "[...document.querySelectorAll('.listd-row')].map((row) => rows.indexOf(row))"
    assert page.run(now) == [0, -1, -1, -1, 1, 2], "kept rows are not created again"
    for key, wanted in [
        ("ArrowRight", "b/c"), ("ArrowDown", "b/e9.txt"), ("ArrowRight", "b/e9.txt"),
        ("End", "f.txt"), ("ArrowLeft", "f.txt"), ("Home", "b"),
    ]:  # fmt: skip
        page.press(key)
        assert page.run(FOCUSED) == wanted, key
    page.press("ArrowDown")
    page.press("ArrowRight")
    page.wait(NAMES + "[2]", "d.txt")
    page.press("ArrowRight")
    assert page.run(FOCUSED) == "b/c/d.txt"
    page.press("ArrowLeft")
    assert page.run(FOCUSED) == "b/c"
    page.press("ArrowLeft")
    page.wait(NAMES, ["b", "c", "e9.txt", "e10.txt", "g", "f.txt"])
    # If a row is collapsed, it gets the focus of a row below it.
    page.press("ArrowDown")
    page.wait("view.list.cursor.join()", "0,2")
    page.run("view.list.collapse([view.list.rows[0]]).then(() => 0)")
    page.wait(NAMES, ["b", "g", "f.txt"])
    assert page.run(FOCUSED) == "b"


def test_expanding_siblings_and_typing_a_name(page: Tab) -> None:
    page.run(f"document.querySelector('{B}').focus()")
    page.press("*", text="*")
    page.wait(NAMES, ["b", "c", "e9.txt", "e10.txt", "g", "h.txt", "f.txt"])
    # Both keys in one turn, so that there is no pause between them.
    typed = "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))"
    page.run(f"for (const key of 'e1') {typed}")
    assert page.run(FOCUSED) == "b/e10.txt", "the characters of a word are together"
    page.run("new Promise((done) => setTimeout(done, 800))")
    for wanted in ("b/e9.txt", "b/e10.txt"):
        page.press("e", text="e")
        assert page.run(FOCUSED) == wanted, "one character moves through all names that begin with it"
    page.press("x", text="x")
    assert page.run(FOCUSED) == "b/e10.txt"


def test_the_mouse_and_the_filter(page: Tab) -> None:
    page.click(f"{B} .listd-toggle")
    page.wait(NAMES, ["b", "c", "e9.txt", "e10.txt", "g", "f.txt"])
    page.click("[title='b/e9.txt']")
    selected = "[...document.querySelectorAll('[aria-selected=true]')].map((row) => row.querySelector('.name').title)"
    page.wait(selected, ["b/e9.txt"])
    page.click(f"{B} .listd-toggle")
    page.wait(NAMES, ["b", "g", "f.txt"])
    assert page.run(selected) == []
    page.run("filter.value = 'e9'; filter.dispatchEvent(new Event('input'))")
    page.wait(NAMES, ["b", "e9.txt"])
    page.wait(selected, ["b/e9.txt"])
    page.run("filter.value = ''; filter.dispatchEvent(new Event('input'))")
    page.wait(NAMES, ["b", "g", "f.txt"])


def test_the_accessibility_tree(page: Tab) -> None:
    page.run(f"document.querySelector('{B}').focus()")
    page.press("ArrowRight")
    page.wait(NAMES + ".length", 6)
    items = accessible(page)
    assert [one["name"] for one in items] == ["b", "c", "e9.txt", "e10.txt", "g", "f.txt"]
    assert [one["level"] for one in items] == [1, 2, 2, 2, 1, 1]
    assert [one.get("expanded") for one in items] == [True, False, None, None, False, None]
    positions = (
        "[...document.querySelectorAll('[role=treeitem]')].map((row) =>"
        " `${row.ariaPosInSet} of ${row.ariaSetSize}`)"
    )
    assert page.run(positions) == ["1 of 3", "1 of 3", "2 of 3", "3 of 3", "2 of 3", "3 of 3"]
    roles = page.call("Accessibility.getFullAXTree")["nodes"]
    assert [one["role"]["value"] for one in roles if one["role"]["value"] in ("tree", "group")] == ["tree"]


def test_pages_expand_and_do_not_edit() -> None:
    def is_allowed(*edits: Any) -> bool:
        return is_of_outline("editSnapshot", {"list": "l", "edits": list(edits)})

    expand = {"edit": "expandItems", "items": [1]}
    assert is_allowed(expand, {"edit": "collapseAll"})
    for other in ({"edit": "deleteItems", "items": [1]}, {}, None, "expandItems"):
        assert not is_allowed(expand, other), other
    assert not is_allowed(), "no edit is not an edit of an outline"
    for more in ("selected", "cursor", "cursorPolicy", "anything"):
        assert not is_of_outline("editSnapshot", {"list": "l", "edits": [expand], more: []}), more
    assert not is_of_outline("editSnapshot", {"list": "l", "edits": expand})
    assert not is_of_outline("applySnapshot", {"list": "l", "edits": [expand]})
