"""SnapshotRef with edits: the difference from what a client already shows."""

# Promise: A revision with `edits` equals what `editSnapshot` would have made.

from __future__ import annotations

import random
from typing import Any, List

import pytest

from change_laws import check
from client import Daemon
from random_edits import Draws
from random_snapshots import snapshot
from reference_edits import Arrays

pytestmark = pytest.mark.needs("editSnapshot")


def apply(daemon: Daemon, *items: Any, name: str = "l") -> int:
    return daemon.call("applySnapshot", list=name, items=list(items))["revision"]


def shown(revision: int, *edits: Any) -> Any:
    return {"list": "l", "revision": revision, "edits": list(edits)}


MOVE = {"edit": "moveItems", "items": ["c"], "before": "a"}


def test_an_edit_that_went_well_leaves_nothing_to_do(daemon: Daemon) -> None:
    revision = apply(daemon, "a", "b", "c")
    daemon.call("editSnapshot", list="l", edits=[MOVE])
    answer = daemon.call("diff", {"from": shown(revision, MOVE), "to": {"list": "l"}})
    assert answer["stages"] == [] and answer["revision"] == revision + 1
    assert "baseRevision" not in answer


def test_a_refused_edit_is_undone(daemon: Daemon) -> None:
    revision = apply(daemon, "a", "b", "c")
    answer = daemon.call("diff", {"from": shown(revision, MOVE), "to": {"list": "l"}})
    assert answer["stages"] == [[{"op": "moveItems", "from": [0, 0], "to": [0, 2], "count": 1}]]


def test_an_edit_is_rebased_on_the_change_of_another(daemon: Daemon) -> None:
    revision = apply(daemon, "a", "b", "c")
    apply(daemon, "a", "x", "b", "c")
    daemon.call("editSnapshot", list="l", edits=[MOVE])
    answer = daemon.call(
        "diff", {"from": shown(revision, MOVE), "to": {"list": "l"}, "content": True}
    )
    assert answer["stages"] == [[{"op": "insertItems", "at": [0, 2], "count": 1, "items": ["x"]}]]


def test_both_sides_may_have_edits(daemon: Daemon) -> None:
    revision = apply(daemon, "a", "b", "c")
    answer = daemon.call("diff", {"from": shown(revision, MOVE), "to": shown(revision)})
    assert answer["stages"] and not {"revision", "baseRevision"} & set(answer)
    answer = daemon.call("diff", {"from": shown(revision), "to": shown(revision)})
    assert answer["stages"] == [] and not {"revision", "baseRevision"} & set(answer)


def test_reloads_count_for_nothing(daemon: Daemon) -> None:
    revision = apply(daemon, "a", "b")
    for kind in ["reloadItems", "reconfigureItems"]:
        edits = shown(revision, {"edit": kind, "items": ["a"]})
        for params in [{"from": edits, "to": {"list": "l"}}, {"from": {"list": "l"}, "to": edits}]:
            assert daemon.call("diff", params)["stages"] == []
        change = daemon.call("applySnapshot", list="l", snapshot=edits)
        assert change["revision"] == revision and change["stages"] == []


def test_a_snapshot_may_be_a_revision_with_edits(daemon: Daemon) -> None:
    revision = apply(daemon, "a", "b", "c")
    apply(daemon, "z")
    daemon.call("applySnapshot", list="l", snapshot=shown(revision, MOVE))
    assert daemon.call("getSnapshot", list="l")["sections"][0]["items"] == ["c", "a", "b"]
    daemon.call("applySnapshot", list="copy", snapshot=shown(revision, MOVE))
    assert daemon.call("getSnapshot", list="copy")["sections"][0]["items"] == ["c", "a", "b"]


def test_revision_0_may_be_edited(daemon: Daemon) -> None:
    section = {"id": "s", "items": ["a"]}
    edits = shown(0, {"edit": "appendSections", "sections": [section]})
    answer = daemon.call("diff", {"from": edits, "to": {"sections": [section]}})
    assert answer["stages"] == []


@pytest.mark.parametrize(
    ("params", "code", "pointer"),
    [
        ({"from": {"items": [], "edits": []}, "to": {"list": "l"}}, -32602, "/params/from/edits"),
        ({"from": {"list": "l", "edits": 1}, "to": {"list": "l"}}, -32602, "/params/from/edits"),
        (
            {"from": {"list": "l"}, "to": {"list": "l", "edits": [{"edit": "moveItem"}]}},
            -32602,
            "/params/to/edits/0/edit",
        ),
        (
            {"from": {"list": "l", "edits": [{"edit": "insertItems", "items": []}]},
             "to": {"list": "l"}},
            -32602,
            "/params/from/edits/0",
        ),
        ({"from": {"list": "m", "edits": []}, "to": {"list": "l"}}, -31007, None),
        ({"from": {"list": "gone", "edits": []}, "to": {"list": "l"}}, -31001, None),
        ({"from": {"list": "l", "revision": 9, "edits": []}, "to": {"list": "l"}}, -31002, None),
    ],
)  # fmt: skip
def test_what_cannot_be_edited_is_refused(
    daemon: Daemon, params: Any, code: int, pointer: Any
) -> None:
    apply(daemon, "a", "b")
    daemon.call("compose", list="m", sources=["l"])
    refusal = daemon.refused(code, "diff", params)
    if pointer:
        assert refusal.data["pointer"] == pointer


def test_the_pointer_of_an_edit_says_which_state_it_belongs_to(daemon: Daemon) -> None:
    apply(daemon, "a", "b")
    fine = {"list": "l", "edits": [{"edit": "deleteItems", "items": ["a"]}]}
    for edit, code in [
        ({"edit": "deleteItems", "items": ["x"]}, -31005),
        ({"edit": "deleteSections", "sections": ["x"]}, -31006),
        ({"edit": "appendSections", "sections": [{"id": 1, "items": []}] * 2}, -31004),
        ({"edit": "deleteItems", "items": [{"path": [0, 0], "revision": 7}]}, -31002),
    ]:
        wrong = {"list": "l", "edits": [fine["edits"][0], edit]}
        for params, side in [({"from": fine, "to": wrong}, "to"), ({"from": wrong, "to": fine}, "from")]:
            data = daemon.refused(code, "diff", params).data
            assert (data["edit"], data["pointer"]) == (1, f"/params/{side}/edits/1")
        data = daemon.refused(code, "editSnapshot", wrong).data
        assert data["edit"] == 1 and "pointer" not in data


def test_edits_fail_as_in_edit_snapshot(daemon: Daemon) -> None:
    revision = apply(daemon, "a", "b")
    edits: List[Any] = [
        {"edit": "deleteItems", "items": ["a"]},
        {"edit": "updateItems", "items": ["a"]},
    ]
    errors = []
    for method, params in [
        ("editSnapshot", {"list": "l", "edits": edits}),
        ("diff", {"from": shown(revision, *edits), "to": {"list": "l"}}),
        ("applySnapshot", {"list": "l", "snapshot": shown(revision, *edits)}),
    ]:
        refusal = daemon.refused(-31005, method, params)
        errors.append((refusal.message, refusal.data["edit"]))
    assert len(set(errors)) == 1 and errors[0][1] == 1
    assert daemon.call("getSnapshot", list="l")["revision"] == revision


def test_random_edits_beside_arrays(daemon: Daemon, rng: random.Random) -> None:
    for _ in range(40):
        base = snapshot(rng, 8, 3, "object")
        revision = daemon.call("applySnapshot", list="l", sections=base)["revision"]
        arrays = Arrays(base)
        draws = Draws(rng, 1000)
        edits = [draws.valid(arrays) for _ in range(3)]
        answer = daemon.call(
            "diff", {"from": {"list": "l"}, "to": shown(revision, *edits), "content": True}
        )
        check(base, arrays.sections, answer["stages"], answer["counts"], content=True)
