"""getSnapshot: whole snapshots, older revisions, windows."""

from __future__ import annotations

import random
from typing import Any

import pytest

from client import Daemon
from three_sections import SECTIONS, apply


def test_a_snapshot_is_as_it_was_sent(daemon: Daemon) -> None:
    revision = apply(daemon)
    answer = daemon.call("getSnapshot", list="l")
    assert answer["sections"] == SECTIONS and answer["revision"] == revision
    assert answer["selection"] == [] and answer["cursor"] is None


def test_an_old_revision_with_the_current_selection(daemon: Daemon) -> None:
    first = apply(daemon)
    apply(daemon, [{"id": "t", "selectionMode": "multiple", "items": [8, 9, 2]}])
    daemon.call("select", list="l", action="all")
    daemon.call("select", list="l", cursor=8)
    answer = daemon.call("getSnapshot", list="l", revision=first)
    assert answer["sections"] == SECTIONS and answer["revision"] == first
    assert answer["selection"] == [{"at": [0, 1], "count": 1}, {"at": [2, 2], "count": 1}]
    assert answer["cursor"] == [2, 2]


@pytest.mark.parametrize("seed", range(6))
def test_any_old_revision_after_shuffles_and_edits(daemon: Daemon, seed: int) -> None:
    rng = random.Random(seed)
    rows: list[Any] = [{"id": f"r{n}", "text": "x" * (n % 7)} for n in range(200)]
    rows += [n % 3 for n in range(9)] if seed % 2 else []
    states: dict[int, Any] = {}
    for step in range(12):
        if step % 4 == 3:
            rows[rng.randrange(len(rows))] = {"id": f"s{step}", "step": step}
            rows.insert(rng.randrange(len(rows)), rows.pop(rng.randrange(len(rows))))
        else:
            rng.shuffle(rows)
        sections = [{"id": "s", "items": list(rows)}]
        states[apply(daemon, sections)] = sections
    for revision in rng.sample(sorted(states), len(states)):
        answer = daemon.call("getSnapshot", list="l", revision=revision)
        assert answer["sections"] == states[revision]
    first = min(states)
    back = daemon.call("applySnapshot", list="l", snapshot={"list": "l", "revision": first})
    assert back["counts"]["rows"]["inserts"] == back["counts"]["rows"]["deletes"]
    assert daemon.call("getSnapshot", list="l")["sections"] == states[first]


@pytest.mark.parametrize(
    "start, count, wanted",
    [
        (0, 5, [[0, 0], [0, 1], [2, 0], [2, 1], [2, 2]]), (1, 2, [[0, 1], [2, 0]]), (0, 0, []),
        (4, 10, [[2, 2]]), (5, 1, []), (99, 1, []),
    ],
)  # fmt: skip
def test_a_window(daemon: Daemon, start: int, count: int, wanted: Any) -> None:
    revision = apply(daemon)
    answer = daemon.call("getSnapshot", list="l", window={"start": start, "count": count})
    assert (answer["list"], answer["revision"], answer["total"]) == ("l", revision, 5)
    assert [row["at"] for row in answer["rows"]] == wanted
    assert all(
        row["content"] == SECTIONS[row["at"][0]]["items"][row["at"][1]] for row in answer["rows"]
    )
    assert "sections" not in answer and {"selection", "cursor"} <= set(answer)
    assert answer["start"] == start or not wanted


def test_a_window_of_an_old_revision(daemon: Daemon) -> None:
    first = apply(daemon)
    apply(daemon, [])
    answer = daemon.call("getSnapshot", list="l", revision=first, window={"start": 0, "count": 1})
    assert answer["rows"] == [{"at": [0, 0], "content": "a"}] and answer["total"] == 5
    daemon.refused(-32602, "getSnapshot", list="l", window={"start": -1, "count": 1})
    daemon.refused(-32602, "getSnapshot", list="l", window={"start": 0, "count": -1})


def test_what_cannot_be_read(daemon: Daemon) -> None:
    revision = apply(daemon, name="messages")
    refusal = daemon.refused(-31001, "getSnapshot", list="mesages")
    assert refusal.data["list"] == "mesages" and refusal.data["nearest"] == "messages"
    refusal = daemon.refused(-31002, "getSnapshot", list="messages", revision=revision + 1)
    assert refusal.data["current"] == revision and refusal.data["oldest"] == revision


def test_revision_0_is_the_empty_list(daemon: Daemon) -> None:
    for name in ["l", "l", "nobody"]:
        answer = daemon.call("getSnapshot", list=name, revision=0)
        assert answer["revision"] == 0 and answer["sections"] == []
        assert answer["selection"] == [] and answer["cursor"] is None
        answer = daemon.call("getSnapshot", list=name, revision=0, window={"start": 0, "count": 5})
        assert answer["revision"] == 0 and answer["total"] == 0 and answer["rows"] == []
        side = {"list": name, "revision": 0}
        answer = daemon.call("diff", {"from": side, "to": {"items": ["x"]}, "format": "none"})
        assert answer["baseRevision"] == 0
        if name == "l":
            daemon.call("applySnapshot", list=name, items=["x"], selected=["x"], cursor="x")
            daemon.call("applySnapshot", list=name, items=["x", "y"])
    gone = {"path": [0, 0], "revision": 0}
    assert daemon.call("locate", list="l", items=[gone])["items"] == [None]
    assert daemon.refused(-31005, "select", list="l", items=[gone]).data["missing"] == [gone]
    daemon.refused(-31001, "getSnapshot", list="nobody")
    daemon.refused(-31001, "getSnapshot", list="nobody", revision=1)
    daemon.refused(-31002, "getSnapshot", list="l", revision=9)


@pytest.mark.parametrize("edits", [[], [{"edit": "appendItems", "items": [{"id": 9}]}]])
def test_windows_of_any_size(daemon: Daemon, edits: Any) -> None:
    """Also of a list that was just edited, and as large as an integer can be."""
    daemon.call("applySnapshot", list="l", items=[{"id": k} for k in range(5)])
    daemon.call("editSnapshot", list="l", edits=edits)
    most, total = 2**63 - 1, 5 + len(edits)
    for start in (0, 1, 5, 6, most):
        for count in (0, 1, 3, most):
            answer = daemon.call("getSnapshot", list="l", window={"start": start, "count": count})
            assert (answer["total"], answer["start"]) == (total, start)
            places = range(total)[start : start + count]
            assert [row["at"] for row in answer["rows"]] == [[0, place] for place in places]
