"""The cursor: follow, stay, first."""

from __future__ import annotations

import random
from typing import Any, List, Optional

import pytest

from client import Daemon
from random_snapshots import edited, snapshot
from values import dumps, picture


def flat(sections: Any) -> List[Any]:
    return [
        (item["id"], [s, r])
        for s, one in enumerate(sections)
        for r, item in enumerate(one["items"])
    ]


def after(old: Any, new: Any, cursor: Optional[int], policy: str) -> Any:
    """The expected row of the cursor, for a cursor on the row with that number."""
    before, rows = [id for id, _ in flat(old)], flat(new)
    if not rows:
        return None
    if policy == "first":
        return rows[0][1]
    if cursor is None:
        return None
    if policy == "follow":
        stayed = dict(rows)
        for id in before[cursor:] + before[:cursor][::-1]:
            if id in stayed:
                return stayed[id]
    return rows[min(cursor, len(rows) - 1)][1]


@pytest.mark.parametrize("policy", ["follow", "stay", "first", None])
def test_random_changes(daemon: Daemon, rng: random.Random, policy: Optional[str]) -> None:
    for number in range(80):
        old = snapshot(rng, 8, 3, "object")
        new = edited(rng, old, "object") if number % 3 else snapshot(rng, 8, 3, "object")
        count = len(flat(old))
        cursor = rng.randrange(count) if count else None
        name, start = f"l{number}", flat(old)[cursor][0] if count else None
        daemon.call("applySnapshot", list=name, sections=old, cursor=start)
        answer = daemon.call("applySnapshot", list=name, sections=new, cursorPolicy=policy)
        wanted = after(old, new, cursor, policy or "follow")
        assert answer["cursor"] == wanted, (
            f"\n  from: {picture(old)}\n  to:   {picture(new)}\n"
            f"  cursor on row {cursor}, {policy}: {dumps(answer['cursor'])}, not {wanted}"
        )


def test_it_is_null_until_it_is_set(daemon: Daemon) -> None:
    for policy in (None, "follow", "stay"):
        answer = daemon.call("applySnapshot", list="l", items=[1, policy or "x"], cursorPolicy=policy)
        assert answer["cursor"] is None
    answer = daemon.call("applySnapshot", list="l", items=[7, 8], cursorPolicy="first")
    assert answer["cursor"] == [0, 0]
    assert daemon.call("applySnapshot", list="l", items=[])["cursor"] is None


def test_first_holds_for_an_equal_snapshot_too(daemon: Daemon) -> None:
    first = daemon.call("applySnapshot", list="l", items=[1, 2], cursor=2)
    answer = daemon.call("applySnapshot", list="l", items=[1, 2], cursorPolicy="first")
    assert answer["cursor"] == [0, 0] and answer["revision"] == first["revision"]


def test_it_passes_over_empty_sections(daemon: Daemon) -> None:
    lists = [{"id": "a", "items": []}, {"id": "b", "items": [1, 2]}]
    answer = daemon.call("applySnapshot", list="l", sections=lists, cursorPolicy="first")
    assert answer["cursor"] == [1, 0]


def test_a_named_cursor_wins_over_the_policy(daemon: Daemon) -> None:
    answer = daemon.call("applySnapshot", list="l", items=[1, 2], cursor=2, cursorPolicy="first")
    assert answer["cursor"] == [0, 1]


def test_select_may_just_set_it(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="l", items=["a", "b"], selected=["a"])
    answer = daemon.call("select", list="l", cursor="b")
    assert answer["cursor"] == [0, 1] and answer["selection"] == [{"at": [0, 0], "count": 1}]
    assert answer["ops"] == []
    answer = daemon.call("select", list="l", items=["b"])
    assert answer["cursor"] == [0, 1]
    daemon.refused(-31005, "select", list="l", cursor="c")
    daemon.refused(-31005, "select", list="l", items=["a"], cursor="c")
    assert daemon.call("getSelection", list="l")["selection"] == [{"at": [0, 1], "count": 1}]


def test_it_may_stand_where_nothing_can_be_selected(daemon: Daemon) -> None:
    lists = [{"id": "s", "selectionMode": "none", "items": [{"id": 1, "selectable": False}]}]
    daemon.call("applySnapshot", list="l", sections=lists)
    assert daemon.call("select", list="l", cursor=1)["cursor"] == [0, 0]


def test_a_cursor_that_was_deleted_is_refused(daemon: Daemon) -> None:
    first = daemon.call("applySnapshot", list="l", items=[1, 2], cursor=1)
    refusal = daemon.refused(-31005, "applySnapshot", list="l", items=[2], cursor=1)
    assert refusal.data["missing"] == [1]
    assert daemon.call("getSnapshot", list="l")["revision"] == first["revision"]


def test_equal_items_keep_their_cursor(daemon: Daemon) -> None:
    ref = {"id": "x", "occurrence": 1}
    daemon.call("applySnapshot", list="l", items=["x", "a", "x", "b"], cursor=ref)
    answer = daemon.call("applySnapshot", list="l", items=["n", "x", "a", "x", "b"])
    assert answer["cursor"] == [0, 3]


def test_null_clears_the_cursor(daemon: Daemon) -> None:
    edits = [{"edit": "updateItems", "items": [{"id": 1, "v": 1}]}]
    daemon.call("applySnapshot", list="l", items=[{"id": 1}, {"id": 2}])
    daemon.call("compose", list="v", sources=["l"], view={"window": {"count": 3}})
    view = {"window": {"count": 2}}
    requests: List[Any] = [
        ("select", {"list": "l"}),
        ("select", {"list": "l", "items": [1]}),
        ("applySnapshot", {"list": "l", "items": [{"id": 1}, {"id": 2}]}),
        ("applySnapshot", {"list": "l", "items": [{"id": 2}, {"id": 1}]}),
        ("editSnapshot", {"list": "l", "edits": []}),
        ("editSnapshot", {"list": "l", "edits": edits}),
        ("editSnapshot", {"list": "l", "edits": edits[:0], "cursorPolicy": "first"}),
        ("select", {"list": "v"}),
        ("compose", {"list": "v", "view": view}),
        ("compose", {"list": "v", "view": {"tree": {"parent": "p"}}}),
        ("editSnapshot", {"list": "v", "edits": [{"edit": "expandAll"}]}),
        ("compose", {"list": "v", "view": {"selection": "source"}}),
        ("select", {"list": "v"}),
        ("compose", {"list": "v", "view": None}),
        ("compose", {"list": "v", "sources": ["l"]}),
    ]
    for method, params in requests:
        name = params["list"]
        daemon.call("select", list=name, cursor=1)
        cursor = daemon.call("getSelection", list=name)["cursor"]
        rest = {} if method == "select" and "items" not in params else {"format": "none"}
        # Without the member, the cursor stays on its row.
        policy = params.pop("cursorPolicy", "follow")
        kept = daemon.call(method, {**params, **rest})["cursor"]
        assert kept is not None and cursor is not None, (method, params)
        daemon.call("select", list=name, cursor=1)
        given = {} if method == "select" else {"cursorPolicy": policy}
        answer = daemon.call(method, {**params, **rest, **given, "cursor": None})
        assert answer["cursor"] is None, (method, params)
        assert daemon.call("getSelection", list=name)["cursor"] is None, (method, params)
