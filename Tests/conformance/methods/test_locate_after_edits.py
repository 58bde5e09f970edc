"""`locate` and `getSelection` of lists that were edited, beside the same lists from snapshots."""

from __future__ import annotations

import random
from typing import Any, Dict, List

import pytest

from client import Daemon
from values import dumps

pytestmark = pytest.mark.needs("locate", "getSelection", "editSnapshot", "compose")

VIEWS: Dict[str, Any] = {
    "l": None,
    "c": {"sources": ["l", "m"]},
    "w": {"sources": ["l"], "view": {"sort": [{"by": "n"}], "window": {"start": 2, "count": 5}}},
    "f": {"sources": ["c"], "view": {"match": {"query": "1", "members": ["text"]}}},
}


def item(rng: random.Random, id: int) -> Any:
    return {"id": id, "n": rng.randrange(9), "text": f"text {id}"}


def requests(rng: random.Random) -> List[Any]:
    """Requests that name items, rows, sections and lines, of which some do not exist."""
    ids: List[Any] = [rng.randrange(40) for _ in range(6)]
    ids += [{"id": ids[0], "occurrence": 1}, {"id": ids[1], "source": "m"}, "none"]
    ids += [{"path": [rng.randrange(3), rng.randrange(9)]} for _ in range(3)]
    paths = [[rng.randrange(4), rng.randrange(9)] for _ in range(8)]
    text = rng.random() < 0.5
    match = rng.choice([None, {"query": rng.choice("123"), "members": ["text"]}])
    return [
        {"items": ids, "text": text, "match": match},
        {"paths": paths, "sections": ["s", "t", "nope", 7], "text": text, "match": match},
        {"lines": [rng.randrange(30) for _ in range(6)], "match": match},
        {"match": {"query": rng.choice("123"), "members": ["text"]}, "count": 4},
    ]


@pytest.mark.parametrize("round", range(4))
def test_answers_do_not_depend_on_how_a_list_was_made(rng: random.Random, round: int) -> None:
    with Daemon("--self-check") as edited, Daemon() as fresh:
        for daemon in (edited, fresh):
            daemon.call("registerTemplates", templates={"Cell": "{text}{selected: *|}"})
            for name, ids in [("l", range(20)), ("m", range(10, 30))]:
                order = random.Random(f"{name} {round}")
                sections = [
                    {"id": id, "header": id, "selectionMode": "multiple",
                     "items": [item(order, k) for k in some]}
                    for id, some in [("s", ids[:12]), ("t", ids[12:])]
                ]  # fmt: skip
                daemon.call("applySnapshot", list=name, sections=sections)
            for name, view in VIEWS.items():
                if view:
                    daemon.call("compose", list=name, **view)
        for _ in range(12):
            ids = [one["id"] for s in edited.call("getSnapshot", list="l")["sections"] for one in s["items"]]
            put = {rng.choice(ids[:-1]), rng.randrange(40)} - {"last"}
            edits = [
                {"edit": "putItems", "items": [item(rng, one) for one in sorted(put)]},
                {"edit": "moveItems", "items": [ids[0]], "after": ids[-1]},
                {"edit": "deleteItems", "items": [ids[3]]},
            ]
            edited.call("editSnapshot", list="l", edits=edits)
            fresh.call("applySnapshot", list="l", sections=edited.call("getSnapshot", list="l")["sections"])
            # The list is kept for edits again.
            touch = {"edit": "putItems", "items": [{"id": "last", "text": "1"}]}
            for daemon in (edited, fresh):
                daemon.call("editSnapshot", list="l", edits=[touch])
            fresh.call("applySnapshot", list="l", sections=fresh.call("getSnapshot", list="l")["sections"])
            marked = {"action": "replace", "items": rng.sample(ids[4:], 3), "cursor": ids[5]}
            for daemon in (edited, fresh):
                daemon.call("select", list="l", **marked)
            for name in VIEWS:
                answers = []
                for params in requests(rng):
                    params = {k: v for k, v in params.items() if v is not None}
                    for daemon in (edited, fresh):
                        answers.append(daemon.call("locate", list=name, **params))
                        answers[-1].pop("revision")
                    assert answers[-2] == answers[-1], dumps([name, params])
                one, other = (daemon.call("getSelection", list=name) for daemon in (edited, fresh))
                one.pop("revision"), other.pop("revision")
                assert one == other, name
