"""The cursor: follow, stay, first."""

from __future__ import annotations

import random
from typing import Any, List, Optional

import pytest

from gen import edited, snapshot
from values import dumps, picture
from wire import Daemon


def flat(sections: Any) -> List[Any]:
    return [
        (item["id"], [s, r])
        for s, one in enumerate(sections)
        for r, item in enumerate(one["items"])
    ]


def after(old: Any, new: Any, cursor: Optional[int], policy: str) -> Any:
    """Where the cursor goes from the row of that number, as a person would say it."""
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
        told = daemon.call("applySnapshot", list=name, sections=new, cursorPolicy=policy)
        wanted = after(old, new, cursor, policy or "follow")
        assert told["cursor"] == wanted, (
            f"\n  from: {picture(old)}\n  to:   {picture(new)}\n"
            f"  cursor on row {cursor}, {policy}: {dumps(told['cursor'])}, not {wanted}"
        )


def test_it_is_null_until_it_is_set(daemon: Daemon) -> None:
    for policy in (None, "follow", "stay"):
        told = daemon.call("applySnapshot", list="l", items=[1, policy or "x"], cursorPolicy=policy)
        assert told["cursor"] is None
    told = daemon.call("applySnapshot", list="l", items=[7, 8], cursorPolicy="first")
    assert told["cursor"] == [0, 0]
    assert daemon.call("applySnapshot", list="l", items=[])["cursor"] is None


def test_first_holds_for_an_equal_snapshot_too(daemon: Daemon) -> None:
    first = daemon.call("applySnapshot", list="l", items=[1, 2], cursor=2)
    told = daemon.call("applySnapshot", list="l", items=[1, 2], cursorPolicy="first")
    assert told["cursor"] == [0, 0] and told["revision"] == first["revision"]


def test_it_passes_over_empty_sections(daemon: Daemon) -> None:
    lists = [{"id": "a", "items": []}, {"id": "b", "items": [1, 2]}]
    told = daemon.call("applySnapshot", list="l", sections=lists, cursorPolicy="first")
    assert told["cursor"] == [1, 0]


def test_a_named_cursor_wins_over_the_policy(daemon: Daemon) -> None:
    told = daemon.call("applySnapshot", list="l", items=[1, 2], cursor=2, cursorPolicy="first")
    assert told["cursor"] == [0, 1]


def test_select_may_just_set_it(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="l", items=["a", "b"], selected=["a"])
    told = daemon.call("select", list="l", cursor="b")
    assert told["cursor"] == [0, 1] and told["selection"] == [{"at": [0, 0], "count": 1}]
    assert told["ops"] == []
    told = daemon.call("select", list="l", items=["b"])
    assert told["cursor"] == [0, 1]
    daemon.refused(-31005, "select", list="l", cursor="c")
    daemon.refused(-31005, "select", list="l", items=["a"], cursor="c")
    assert daemon.call("getSelection", list="l")["selection"] == [{"at": [0, 1], "count": 1}]


def test_it_may_stand_where_nothing_can_be_selected(daemon: Daemon) -> None:
    lists = [{"id": "s", "selectionMode": "none", "items": [{"id": 1, "selectable": False}]}]
    daemon.call("applySnapshot", list="l", sections=lists)
    assert daemon.call("select", list="l", cursor=1)["cursor"] == [0, 0]


def test_a_named_cursor_that_is_gone_is_refused(daemon: Daemon) -> None:
    first = daemon.call("applySnapshot", list="l", items=[1, 2], cursor=1)
    refusal = daemon.refused(-31005, "applySnapshot", list="l", items=[2], cursor=1)
    assert refusal.data["missing"] == [1]
    assert daemon.call("getSnapshot", list="l")["revision"] == first["revision"]


def test_equal_items_keep_their_cursor(daemon: Daemon) -> None:
    ref = {"id": "x", "occurrence": 1}
    daemon.call("applySnapshot", list="l", items=["x", "a", "x", "b"], cursor=ref)
    told = daemon.call("applySnapshot", list="l", items=["n", "x", "a", "x", "b"])
    assert told["cursor"] == [0, 3]
