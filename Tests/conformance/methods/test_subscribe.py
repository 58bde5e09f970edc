"""subscribe: a mirror that lives on notifications alone."""

from __future__ import annotations

import random
from typing import Any, List

import pytest

from apply_ops import Contents, apply_stages
from client import Daemon, notice, request
from random_snapshots import edited, snapshot
from values import loads, same, sects

pytestmark = pytest.mark.needs("subscribe")


def apply(daemon: Daemon, *items: Any, **more: Any) -> Any:
    return daemon.call("applySnapshot", {"list": "l", "items": list(items), **more})


def plain(doc: Any) -> List[Any]:
    return [[sect.own, [row.content for row in sect.rows]] for sect in doc]


def test_a_mirror(daemon: Daemon, rng: random.Random) -> None:
    state = snapshot(rng, 12, 4, "object")
    answer = daemon.call("subscribe", list="l")
    doc, revision = sects(answer["snapshot"]["sections"]), answer["revision"]
    assert doc == [] and revision == 0
    for _ in range(60):
        state = edited(rng, state, "object")
        daemon.call("applySnapshot", list="l", sections=state, selected=[])
        for change in daemon.settle():
            assert change["method"] == "didChange"
            assert change["params"]["baseRevision"] == revision
            revision = change["params"]["revision"]
            doc = apply_stages(doc, change["params"]["stages"], Contents())
        assert same(plain(doc), plain(sects(state)))


def test_the_change_is_sent_once_after_the_reply(daemon: Daemon) -> None:
    apply(daemon, 1)
    daemon.call("subscribe", list="l")
    daemon.send(request("applySnapshot", {"list": "l", "items": [2]}, "q"))
    reply, note = loads(daemon.receive()), loads(daemon.receive())
    assert reply["id"] == "q" and "stages" not in reply["result"]
    assert note["method"] == "didChange" and note["params"]["request"] == "q"
    assert note["params"]["stages"]
    answer = apply(daemon, 3, format="stages")
    assert answer["stages"] and len(daemon.settle()) == 1
    apply(daemon, 3)
    assert daemon.settle() == []


def test_after_a_batch_and_after_a_notification(daemon: Daemon) -> None:
    daemon.call("subscribe", list="l")
    one, two = ({"list": "l", "items": [k]} for k in (1, 2))
    daemon.send([request("applySnapshot", one, 7), notice("applySnapshot", two)])
    assert isinstance(daemon.reply(), list)
    notes = daemon.settle()
    assert [note["params"].get("request") for note in notes] == [7, None]
    assert "request" not in notes[1]["params"]


def test_a_selection_is_reported(daemon: Daemon) -> None:
    apply(daemon, "a", "b")
    daemon.call("subscribe", list="l")
    daemon.call("select", list="l", items=["b"], cursor="a")
    [note] = daemon.settle()
    assert note["method"] == "didSelect"
    params = {name: note["params"][name] for name in ("list", "ops", "selection", "cursor")}
    place = {"at": [0, 1], "count": 1}
    wanted = {
        "list": "l",
        "ops": [{"op": "selectItems", **place}],
        "selection": [place],
        "cursor": [0, 0],
    }
    assert params == wanted


def test_since_a_revision(daemon: Daemon) -> None:
    first, second = apply(daemon, 1, 2)["revision"], apply(daemon, 2, 3)["revision"]
    answer = daemon.call("subscribe", list="l", since=first)
    assert (answer["baseRevision"], answer["revision"]) == (first, second)
    doc = apply_stages(sects([{"id": "main", "items": [1, 2]}]), answer["stages"], Contents())
    assert [row.content for row in doc[0].rows] == [2, 3]
    answer = daemon.call("subscribe", list="l", since=0)
    assert answer["baseRevision"] == 0 and answer["counts"]["rows"]["inserts"] == 2
    answer = daemon.call("subscribe", list="l", since=second + 50)
    assert answer["snapshot"]["sections"][0]["items"] == [2, 3]


def test_the_end_of_a_subscription(daemon: Daemon) -> None:
    apply(daemon, 1)
    daemon.call("subscribe", list="l")
    assert daemon.call("unsubscribe", list="l") is None
    assert apply(daemon, 2)["stages"] and daemon.settle() == []


def test_a_removal_is_reported_and_the_subscription_is_kept(daemon: Daemon) -> None:
    apply(daemon, 1)
    daemon.call("subscribe", list="l")
    daemon.call("removeList", list="l")
    apply(daemon, 5)
    notes = daemon.settle()
    assert [note["method"] for note in notes] == ["didRemove", "didChange"]
    assert notes[0]["params"]["list"] == "l" and notes[1]["params"]["baseRevision"] == 0


def test_a_failing_request_sends_no_notification(daemon: Daemon) -> None:
    daemon.call("subscribe", list="l")
    daemon.refused(-31004, "applySnapshot", list="l", items=[{"id": 1}, {"id": 1}])
    assert daemon.settle() == []
