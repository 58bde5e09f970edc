"""The formats beside stages: ops in sequence, and JSON Patch."""

from __future__ import annotations

import copy
import random
from typing import Any, List

import pytest

from apply_ops import Broken, apply_ops
from client import Daemon
from pair_checks import diff_call
from random_snapshots import PAIRS, pair
from values import dumps, picture, same, sects


@pytest.mark.needs("ops")
@pytest.mark.parametrize("rows, sections", [(6, 1), (8, 4)])
def test_ops_in_sequence(daemon: Daemon, rng: random.Random, rows: int, sections: int) -> None:
    for some in [pair(rng, rows, sections) for _ in range(PAIRS // 4)]:
        answer = daemon.pipeline([diff_call(some, format="ops"), diff_call(some)])
        try:
            got = apply_ops(sects(some[0]), answer[0]["ops"])
        except Broken as law:
            pytest.fail(story(some, answer[0]["ops"], str(law)), pytrace=False)
        wanted = sects(some[1])
        shapes = [
            [(sect.own, [row.content for row in sect.rows]) for sect in doc]
            for doc in (got, wanted)
        ]
        plain = [[[own, rows] for own, rows in shape] for shape in shapes]
        alike = same(*plain) and answer[0]["counts"] == answer[1]["counts"]
        assert alike and moves(answer[0]["ops"]) == answer[1]["counts"]["rows"]["moves"], story(
            some, answer[0]["ops"], f"comes to {dumps(plain[0])}, counts {dumps(answer[1]['counts'])}"
        )


def moves(ops: List[Any]) -> int:
    return sum(op["count"] for op in ops if op["op"] == "moveItems")


def story(some: Any, ops: Any, why: str) -> str:
    lines = "\n".join(f"    {dumps(op)}" for op in ops)
    return f"{why}\n  from: {picture(some[0])}\n  to:   {picture(some[1])}\n  answer:\n{lines}"


@pytest.mark.needs("jsonPatch")
@pytest.mark.parametrize("rows, sections", [(6, 1), (8, 4)])
def test_json_patch(daemon: Daemon, rng: random.Random, rows: int, sections: int) -> None:
    for some in [pair(rng, rows, sections) for _ in range(PAIRS // 4)]:
        [answer] = daemon.pipeline([diff_call(some, format="jsonPatch")])
        patch = answer["jsonPatch"]
        got = {"sections": copy.deepcopy(some[0])}
        for op in patch:
            got = patched(got, op)
        assert same(got, {"sections": some[1]}), story(some, patch, f"comes to {dumps(got)}")
        assert bool(patch) != same(*some), story(some, patch, "a patch where nothing changed")


def patched(document: Any, op: Any) -> Any:
    """One operation of RFC 6902."""
    if op["op"] in ("move", "copy"):
        *way, last = steps(op["from"])
        owner = inside(document, way)
        value = copy.deepcopy(owner[index(owner, last)])
        document = (
            patched(document, {"op": "remove", "path": op["from"]})
            if op["op"] == "move"
            else document
        )
        return patched(document, {"op": "add", "path": op["path"], "value": value})
    *way, last = steps(op["path"])
    owner = inside(document, way)
    place = len(owner) if last == "-" else index(owner, last)
    if op["op"] == "test":
        assert same(owner[place], op["value"]), op
    elif op["op"] == "remove":
        del owner[place]
    elif op["op"] == "add" and isinstance(owner, list):
        assert place <= len(owner), op
        owner.insert(place, op["value"])
    else:
        assert op["op"] == "add" or (
            place in owner if isinstance(owner, dict) else place < len(owner)
        ), op
        owner[place] = op["value"]
    return document


def steps(pointer: str) -> List[str]:
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def inside(document: Any, way: List[str]) -> Any:
    for step in way:
        document = document[index(document, step)]
    return document


def index(owner: Any, step: str) -> Any:
    return int(step) if isinstance(owner, list) else step


@pytest.mark.needs("jsonPatch")
def test_a_patch_replaces_items_whole_and_own_members_singly(daemon: Daemon) -> None:
    old = [{"id": "s", "header": "a", "x/y": 1, "footer": "f", "items": [{"id": 1, "v": 1}]}]
    new = [{"id": "s", "header": "b", "x/y": 2, "items": [{"id": 1, "v": 2}]}]
    answer = daemon.pipeline([diff_call((old, new), format="jsonPatch")])[0]["jsonPatch"]
    assert {(op["op"], op["path"]) for op in answer} == {
        ("replace", "/sections/0/header"), ("replace", "/sections/0/x~1y"),
        ("remove", "/sections/0/footer"), ("replace", "/sections/0/items/0"),
    }  # fmt: skip


@pytest.mark.needs("ops")
def test_a_run_moves_as_one(daemon: Daemon) -> None:
    old, new = ([{"id": "main", "items": list(word)}] for word in ("abcdef", "defabc"))
    ops = daemon.pipeline([diff_call((old, new), format="ops")])[0]["ops"]
    assert len(ops) == 1 and ops[0]["count"] == 3
    assert [row.content for row in apply_ops(sects(old), ops)[0].rows] == list("defabc")


@pytest.mark.needs("moves")
@pytest.mark.parametrize("format", ["stages", "ops", "jsonPatch", "textEdits"])
def test_nothing_moves_if_the_client_does_not_want_moves(daemon: Daemon, format: str) -> None:
    daemon.call("registerTemplates", templates={"Cell": "{text}"})
    daemon.call("applySnapshot", list="l", items=["a", "b", "c", "d"])
    daemon.call("subscribe", list="l", format=format, moves=False)
    daemon.call("applySnapshot", list="l", items=["d", "a", "b", "c"])
    change = daemon.settle()[-1]["params"]
    assert change["counts"]["rows"] == {"deletes": 1, "inserts": 1, "moves": 0, "updates": 0}
    if format == "textEdits":
        assert len(change["textEdits"]) == 2 and change["moves"] == []
    else:
        ops = [op["op"] for op in (change["stages"][0] if format == "stages" else change[format])]
        assert ops == (["remove", "add"] if format == "jsonPatch" else ["deleteItems", "insertItems"])
