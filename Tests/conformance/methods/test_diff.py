"""diff: any two snapshots, nothing changed."""

from __future__ import annotations

import random
from typing import Any

import pytest

from change_laws import check
from client import Daemon
from pair_checks import check_pairs
from random_snapshots import edited, snapshot
from values import dumps, loads


def apply(daemon: Daemon, *items: Any, name: str = "l") -> int:
    return daemon.call("applySnapshot", list=name, items=list(items))["revision"]


def test_two_snapshots(daemon: Daemon) -> None:
    answer = daemon.call("diff", {"from": {"items": [1]}, "to": {"items": [1, 2]}})
    assert answer["stages"] == [[{"op": "insertItems", "at": [0, 1], "count": 1}]]
    assert answer["format"] == "stages" and answer["counts"]["rows"]["inserts"] == 1
    assert not {"baseRevision", "revision", "reload"} & set(answer)


def test_revisions_are_present_if_a_side_is_a_list(daemon: Daemon) -> None:
    first, second = apply(daemon, 1), apply(daemon, 2)
    answer = daemon.call("diff", {"from": {"list": "l", "revision": first}, "to": {"list": "l"}})
    assert (answer["baseRevision"], answer["revision"]) == (first, second)
    answer = daemon.call("diff", {"from": {"items": []}, "to": {"list": "l"}})
    assert answer["revision"] == second and "baseRevision" not in answer
    answer = daemon.call("diff", {"from": {"list": "l"}, "to": {"items": []}})
    assert answer["baseRevision"] == second and "revision" not in answer


def test_nothing_changes(daemon: Daemon) -> None:
    revision = apply(daemon, 1)
    daemon.call("diff", {"from": {"list": "l"}, "to": {"items": [1, 2, 3]}})
    daemon.call("diff", {"from": {"items": [9]}, "to": {"list": "l"}})
    assert daemon.call("getSnapshot", list="l")["revision"] == revision
    assert len(daemon.call("getLists")["lists"]) == 1


def test_between_any_two_revisions_the_change_is_the_smallest(
    daemon: Daemon, rng: random.Random
) -> None:
    states = [snapshot(rng, 12, 4, "object")]
    for _ in range(12):
        states.append(edited(rng, states[-1], "object"))
    revisions = [
        daemon.call("applySnapshot", list="l", sections=state)["revision"] for state in states
    ]
    for i, old in enumerate(states):
        for j, new in enumerate(states):
            ends = [{"list": "l", "revision": revisions[k]} for k in (i, j)]
            answer = daemon.call("diff", {"from": ends[0], "to": ends[1], "content": True})
            check(old, new, answer["stages"], answer["counts"], content=True)


def test_two_lists(daemon: Daemon) -> None:
    apply(daemon, 1, 2, 3, name="a")
    apply(daemon, 3, 1, name="b")
    answer = daemon.call("diff", {"from": {"list": "a"}, "to": {"list": "b"}})
    rows = answer["counts"]["rows"]
    assert rows == {"deletes": 1, "inserts": 0, "moves": 1, "updates": 0}


def test_what_cannot_be_found(daemon: Daemon) -> None:
    apply(daemon, 1, name="messages")
    refusal = daemon.refused(-31001, "diff", {"from": {"list": "mesages"}, "to": {"items": []}})
    assert refusal.data["nearest"] == "messages"
    late = {"list": "messages", "revision": 99999}
    daemon.refused(-31002, "diff", {"from": late, "to": {"items": []}})


@pytest.mark.parametrize("side", ["from", "to"])
def test_duplicates_point_to_their_side(daemon: Daemon, side: str) -> None:
    other = "to" if side == "from" else "from"
    params = {side: {"items": [{"id": 1}, {"id": 1}]}, other: {"items": []}}
    [twins] = daemon.refused(-31004, "diff", params).data["duplicates"]
    assert twins["pointers"] == [f"/params/{side}/items/0", f"/params/{side}/items/1"]


def test_none_and_max_ops(daemon: Daemon) -> None:
    ends = {"from": {"items": [1, 2, 3, 4]}, "to": {"items": [4, 3, 2, 1]}}
    answer = daemon.call("diff", {**ends, "format": "none"})
    assert answer["format"] == "none" and "stages" not in answer
    answer = daemon.call("diff", {**ends, "maxOps": 1})
    assert answer["reload"] is True and not answer.get("stages")


def test_the_same_change_gives_the_same_bytes(daemon: Daemon, rng: random.Random) -> None:
    old, new = snapshot(rng, 60, 5, "mixed"), snapshot(rng, 60, 5, "mixed")
    params = {"from": {"sections": old}, "to": {"sections": new}, "content": True}
    answer = set()
    for _ in range(3):
        daemon.send({"jsonrpc": "2.0", "id": 1, "method": "diff", "params": params})
        answer.add(daemon.receive())
    assert len(answer) == 1


def test_lists_and_snapshots_give_the_same_change(daemon: Daemon, rng: random.Random) -> None:
    """A side that is a list is compared as its snapshot."""
    old, new = snapshot(rng, 40, 4, "bare"), snapshot(rng, 40, 4, "bare")
    daemon.call("applySnapshot", list="old", sections=old)
    plain = daemon.call("diff", {"from": {"sections": old}, "to": {"sections": new}})
    listed = daemon.call("diff", {"from": {"list": "old"}, "to": {"sections": new}})
    applied = daemon.call("applySnapshot", list="old", sections=new)
    assert plain["stages"] == listed["stages"] == applied["stages"]


def test_ids_are_exact(daemon: Daemon) -> None:
    old = [{"id": "main", "items": [1, "1", 10**20, 10**20 + 1, "é", "e\u0301"]}]
    new = [{"id": "main", "items": ["1", 10**20 + 1, 10**20, 1, "e\u0301", "é"]}]

    def ask(daemon: Daemon, pairs: Any) -> Any:
        ends = [{"from": {"sections": a}, "to": {"sections": b}} for a, b in pairs]
        return daemon.pipeline([("diff", {**end, "content": True}) for end in ends])

    check_pairs(daemon, ask, [(old, new), (new, old)])


@pytest.mark.parametrize("old, new", [
    ({"header": None}, {}), ({}, {"footer": None}), ({"n": 1}, {"n": 1.0}),
    ({"header": {"text": 10}}, {"header": {"text": 1e1}}), ({"header": 1.0}, {"header": 1}),
])  # fmt: skip
def test_equal_snapshots_are_not_a_change_in_any_format(
    daemon: Daemon, old: Any, new: Any
) -> None:
    sides = [[{"id": "s", **own, "items": [{"id": 1, "text": text}, []]}]
        for own, text in ((old, 1.0), (new, 1))]  # fmt: skip
    daemon.call("applySnapshot", list="l", sections=sides[0])
    assert daemon.call("applySnapshot", list="l", sections=sides[1])["revision"] == 1
    answer = daemon.call("getSnapshot", list="l")["sections"]
    # A header or footer that is null is not kept.
    kept = {k: v for k, v in sides[0][0].items() if v is not None}
    assert dumps(answer) == dumps(loads(dumps([kept])))
    for name in ("stages", "ops", "jsonPatch", "textEdits"):
        params = {"from": {"list": "l"}, "to": {"sections": sides[1]}, "format": name}
        assert daemon.call("diff", params)[name] == []
        params = {"from": {"sections": sides[1]}, "to": {"sections": sides[0]}, "format": name}
        assert daemon.call("diff", params)[name] == []
