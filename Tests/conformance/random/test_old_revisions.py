"""A row of an old revision, in every request that takes references, after every kind of change."""

# Promise: A reference to a row of an old revision names the item of that row or fails, in every request and after
#   every kind of change. Also `Sources/listd-fuzz/Views`.

from __future__ import annotations

from itertools import product
from typing import Any, Dict, Iterator, List, Optional, Tuple

import pytest

from client import Daemon, Refused

SECTIONS: Any = [
    {"id": "s", "selectionMode": "multiple",
     "items": [{"id": 1, "n": 4}, {"id": 2, "n": 3, "in": 1}, {"id": 3, "n": 2}]},
    {"id": "t", "selectionMode": "multiple",
     "items": [{"id": 4, "n": 1, "parts": ["head", "foot"]}]},
]  # fmt: skip
ROWS = {(0, 0): 1, (0, 1): 2, (0, 2): 3, (1, 0): 4, (1, 1): 4}

# What happens to the list after the revision that is referred to.
CHANGES: Dict[str, Any] = {
    "move": [{"edit": "moveItems", "items": [1], "after": 3}],
    "delete": [{"edit": "deleteItems", "items": [2]}],
    "insert": [{"edit": "insertItems", "items": [{"id": 9, "n": 9}], "before": 1}],
    "update": [{"edit": "updateItems", "items": [{"id": 1, "n": 1}, {"id": 3, "n": 8}]}],
    "section": [{"edit": "moveSection", "section": "t", "before": "s"}],
    "again": [{"edit": "deleteItems", "items": [3]},
              {"edit": "insertItems", "items": [{"id": 3, "n": 5}], "before": 1}],
    "snapshot": [{"id": "t", "selectionMode": "multiple", "items": [{"id": 3}, {"id": 8}]},
                 {"id": "s", "selectionMode": "multiple", "items": [{"id": 4}, {"id": 1}]}],
    "nothing": [],
}  # fmt: skip
VIEWS: Dict[str, Any] = {
    "all": {},
    "descending": {"sort": [{"by": "n", "order": "descending"}]},
    "filter": {"where": {"member": "n", "from": 3}},
    "none": {"where": {"any": []}},
    "merge": {"sections": "merge"},
    "group": {"sections": {"by": "n"}},
    "distinct": {"distinct": "n"},
    "window": {"window": {"start": 1, "count": 2}},
    "tree": {"tree": {"parent": "in"}},
    "open": {"tree": {"parent": "in", "open": "all"}, "sort": [{"by": "id", "order": "descending"}]},
    "shared": {"selection": "source", "sort": [{"by": "n"}]},
    "composite": None,
}
MODES = {"selectionMode": "multiple"}
MARKS = ("cursor", "selected")

# A request: its method, the params beside the list, and the list that the reference is to.
Asked = Tuple[str, Dict[str, Any]]


def marked(mark: str, reference: Any) -> Dict[str, Any]:
    return {"cursor": reference} if mark == "cursor" else {"selected": [reference]}


def select(mark: str, reference: Any) -> Asked:
    if mark == "cursor":
        return "select", {"cursor": reference}
    return "select", {"action": "replace", "items": [reference]}


def of_a_list(mark: str, reference: Any) -> Iterator[Asked]:
    yield select(mark, reference)
    yield "applySnapshot", {"sections": SECTIONS[::-1], **marked(mark, reference)}
    yield "applySnapshot", {"items": [{"id": 7}, {"id": 1}], **marked(mark, reference)}
    for edit in (
        {"edit": "appendItems", "items": [{"id": 7}]},
        {"edit": "moveItems", "items": [1], "section": "t"},
        {"edit": "deleteItems", "items": [1]},
        {"edit": "deleteAllItems"},
    ):
        yield "editSnapshot", {"edits": [edit], **marked(mark, reference)}


def of_a_view(mark: str, reference: Any) -> Iterator[Asked]:
    yield select(mark, reference)
    for view in VIEWS.values():
        view = None if view is None else {**MODES, **view}
        yield "compose", {"view": view, **marked(mark, reference)}
    yield "compose", {"sources": ["other", "a"], **marked(mark, reference)}
    yield "compose", {"sources": ["other"], "view": {}, **marked(mark, reference)}


@pytest.fixture(params=[(), ("--self-check",)], ids=["plain", "checked"])
def started(request: pytest.FixtureRequest) -> Iterator[Daemon]:
    with Daemon(*request.param) as daemon:
        yield daemon


@pytest.mark.parametrize("change", CHANGES)
def test_of_an_ordinary_list(started: Daemon, change: str) -> None:
    for row, mark in product(ROWS, MARKS):
        reference = {"path": list(row), "revision": 1}
        for number, (method, params) in enumerate(of_a_list(mark, reference)):
            name = f"{change} {row} {mark} {number}"
            started.call("applySnapshot", list=name, sections=SECTIONS, format="none")
            make(started, name, change)
            check(started, name, ROWS[row], mark, method, params)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("first", ["all", "descending", "window", "open", "composite"])
def test_of_a_view(started: Daemon, first: str, change: str) -> None:
    started.call("applySnapshot", list="other", sections=[{"id": "o", **MODES, "items": [{"id": 6}]}])
    for mark in MARKS:
        for number, _ in enumerate(of_a_view(mark, None)):
            started.call("applySnapshot", list="a", sections=SECTIONS, format="none")
            name = f"{mark} {number}"
            view = {} if VIEWS[first] is None else {"view": {**MODES, **VIEWS[first]}}
            made = started.call("compose", list=name, sources=["a"], **view)
            rows = shown(started, name)
            make(started, "a", change)
            for at, item in rows.items():
                reference = {"path": list(at), "revision": made["revision"]}
                method, params = list(of_a_view(mark, reference))[number]
                check(started, name, item, mark, method, params)
                started.call("compose", list=name, sources=["a"], format="none", **view)


@pytest.mark.parametrize("change", CHANGES)
def test_of_an_anchor(started: Daemon, change: str) -> None:
    started.call("applySnapshot", list="a", sections=SECTIONS, format="none")
    for row, item in ROWS.items():
        name = str(row)
        revision = started.call("compose", list=name, sources=["a"], view={})["revision"]
        make(started, "a", change)
        start = {"item": {"path": list(row), "revision": revision}}
        view = {"sort": [{"by": "id"}], "sections": "merge", "window": {"start": start, "count": 1}}
        there = item in shown(started, "a").values()
        error = attempt(started, "compose", {"list": name, "view": view})
        assert error == (None if there else -31005), (row, error)
        assert not there or item in shown(started, name).values()
        started.call("applySnapshot", list="a", sections=SECTIONS, format="none")


@pytest.mark.parametrize("change", CHANGES)
def test_of_edited_items(started: Daemon, change: str) -> None:
    for (row, item), edit in product(ROWS.items(), ("deleteItems", "moveItems", "expandItems")):
        started.call("applySnapshot", list="a", sections=SECTIONS, format="none")
        reference = {"path": list(row), "revision": None}
        if edit == "expandItems":
            view = {"tree": {"parent": "in"}, "sections": "keep"}
            made = started.call("compose", list="v", sources=["a"], view=view)
            rows = shown(started, "v")
            item = rows.get(row, 0)
            if not item:
                continue
        else:
            made = started.call("getSnapshot", list="a")
        reference["revision"] = made["revision"]
        make(started, "a", change)
        there = item in shown(started, "a").values()
        place = {"section": "s"} if edit == "moveItems" else {}
        name = "v" if edit == "expandItems" else "a"
        edits = [{"edit": edit, "items": [reference], **place}]
        error = attempt(started, "editSnapshot", {"list": name, "edits": edits})
        assert error == (None if there else -31005), (row, edit, error)
        after = shown(started, name)
        if edit == "deleteItems" and there:
            assert item not in after.values()
        if edit == "moveItems" and there:
            section = [s["id"] for s in started.call("getSnapshot", list="a")["sections"]].index("s")
            assert item == [i for (s, _), i in sorted(after.items()) if s == section][-1]


def make(daemon: Daemon, name: str, change: str) -> None:
    """Makes a change of a list, in two requests so that it is followed by edits and by snapshots."""
    made = CHANGES[change]
    if made and "edit" not in made[0]:
        daemon.call("applySnapshot", list=name, sections=made, format="none")
    else:
        daemon.call("editSnapshot", list=name, edits=made, format="none")


def check(daemon: Daemon, name: str, item: int, mark: str, method: str, params: Any) -> None:
    """Makes a request that refers to a row that had an item, which it must mark, or fail."""
    before = marks(daemon, name)
    error = attempt(daemon, method, {"list": name, "format": "none", **params})
    asked = f"{name} {method} {params}"
    if error is None:
        found = marks(daemon, name)
        if mark == "cursor":
            assert found["cursor"] == item, asked
        elif "tree" in (params.get("view") or {}):
            # Collapsed items stay selected.
            assert item in found["selected"], asked
        else:
            assert found["selected"] == [item], asked
        return
    assert error == -31005, f"{asked}: {error}"
    assert marks(daemon, name) == before, asked
    # The same request without the mark succeeds, and the list then lacks the item.
    rest = {key: value for key, value in params.items() if key not in ("cursor", "selected", "items")}
    if "items" in params and method == "applySnapshot":
        rest["items"] = params["items"]
    if method != "select":
        daemon.call(method, {"list": name, "format": "none", **rest})
    where = "rows" if mark == "cursor" else "items"
    assert item not in having(daemon, name, where), asked


def having(daemon: Daemon, name: str, what: str) -> List[int]:
    """The items that a list shows, or all that it has."""
    if what == "rows":
        return list(shown(daemon, name).values())
    return [
        item
        for item in range(1, 10)
        if attempt(daemon, "select", {"list": name, "action": "select", "items": [item]}) != -31005
    ]


def attempt(daemon: Daemon, method: str, params: Any) -> Optional[int]:
    """The code of the error of a request; `None` if it succeeds."""
    try:
        daemon.call(method, params)
    except Refused as refusal:
        return refusal.code
    return None


def shown(daemon: Daemon, name: str) -> Dict[Tuple[int, int], int]:
    """The item of each row that a list shows."""
    rows: Dict[Tuple[int, int], int] = {}
    for number, section in enumerate(daemon.call("getSnapshot", list=name)["sections"]):
        ids = [item["id"] for item in section["items"] for _ in item.get("parts", [0])]
        rows.update({(number, row): item for row, item in enumerate(ids)})
    return rows


def marks(daemon: Daemon, name: str) -> Dict[str, Any]:
    """The item with the cursor, and the selected items."""
    found = daemon.call("getSelection", list=name)
    cursor = found["cursor"]
    rows = shown(daemon, name)
    return {
        "cursor": None if cursor is None else rows[tuple(cursor)],
        "selected": [item["id"] for item in found["items"]],
    }
