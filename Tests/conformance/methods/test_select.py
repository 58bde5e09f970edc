"""select: each action in each mode, against plain sets."""

from __future__ import annotations

import random
from typing import Any, Dict, List, Tuple

import pytest

from client import Daemon
from reference_selection import Section, Selected
from rounds import rounds
from values import dumps, picture, places

STEPS = rounds(150)
MODES: List[Dict[str, Any]] = [
    {}, {"selectionMode": "single"}, {"selectionMode": "single", "allowsEmptySelection": True},
    {"selectionMode": "multiple"}, {"selectionMode": "multiple", "allowsEmptySelection": False},
    {"selectionMode": "none"},
]  # fmt: skip
MANY = [{"selectionMode": "multiple"}, {"selectionMode": "none"}]


def sections(rng: random.Random, modes: List[Dict[str, Any]]) -> List[Section]:
    built = []
    for s in range(rng.randint(1, 4)):
        items: List[Any] = [{"id": 10 * s + k} for k in range(rng.randrange(6))]
        for item in items:
            if rng.random() < 0.2:
                item["selectable"] = False
        built.append({"id": f"s{s}", **rng.choice(modes), "items": items})
    return built


def named(rng: random.Random, model: Selected, action: str) -> List[Any]:
    """Some selectable items in the order of rows, at most one if their order would matter."""
    chosen = []
    for section in model.sections:
        ids = model.selectable(section)
        held = action == "toggle" and not model.allows_none(section)
        most = 1 if held or model.mode(section) == "single" else len(ids)
        chosen += sorted(rng.sample(ids, rng.randint(0, min(most, len(ids)))))
    return chosen[:1] if action == "extend" else chosen


def step(rng: random.Random, model: Selected) -> Tuple[str, Dict[str, Any]]:
    action = rng.choice(
        ["toggle"] * 3
        + ["select", "deselect", "replace", "extend", "extend", "all", "none", "invert"]
    )
    params: Dict[str, Any] = {"action": action}
    if action in ("all", "none", "invert"):
        if rng.random() < 0.5:
            params["section"] = rng.choice(model.sections)["id"]
    else:
        params["items"] = named(rng, model, action)
    return action, params


def apply_ops(before: set, ops: List[Dict[str, Any]]) -> set:
    """The selected paths after select ops, each of which must change its rows."""
    after = set(before)
    for op in ops:
        answer = set(places([op]))
        assert answer and not (answer & after if op["op"] == "selectItems" else answer - after), dumps(op)
        after = after | answer if op["op"] == "selectItems" else after - answer
    return after


@pytest.mark.parametrize("modes", [MODES, MANY], ids=["all modes", "multiple"])
@pytest.mark.parametrize("round", range(6))
def test_actions_against_plain_sets(
    daemon: Daemon, rng: random.Random, modes: List[Dict[str, Any]], round: int
) -> None:
    mixed = modes is MODES
    model = Selected(sections(rng, modes))
    daemon.call("applySnapshot", list="l", sections=model.sections)
    for number in range(STEPS):
        action, params = step(rng, model)
        emptied = mixed and action == "replace"
        if action == "extend" and mixed or params.get("items") == [] and not emptied:
            continue
        before = set(model.places())
        model.act(action, params.get("items", []), params.get("section"))
        answer = daemon.call("select", {"list": "l", **params})
        got, wanted = places(answer["selection"]), model.places()
        assert got == wanted and apply_ops(before, answer["ops"]) == set(wanted), (
            f"step {number}\n  list:   {picture(model.sections)}\n  before: {sorted(before)}\n"
            f"  select: {dumps(params)}\n  wanted: {wanted}\n  got:    {got}\n"
            f"  ops:    {dumps(answer['ops'])}"
        )


def of(daemon: Daemon, count: int = 5, **own: Any) -> None:
    items = [{"id": k} for k in range(count)]
    daemon.call("applySnapshot", list="l", sections=[{"id": "s", **own, "items": items}])


def select(daemon: Daemon, *items: Any, **more: Any) -> List[int]:
    """The selected rows of the one section after an action."""
    answer = daemon.call("select", {"list": "l", "items": list(items), **more})
    return [row for _, row in places(answer["selection"])]


def test_a_tap_in_a_single_section(daemon: Daemon) -> None:
    of(daemon)
    assert [select(daemon, k) for k in (1, 3, 3)] == [[1], [3], [3]]
    of(daemon, allowsEmptySelection=True)
    assert [select(daemon, k) for k in (3, 3, 2)] == [[], [3], [2]]


def test_a_tap_in_a_multiple_section(daemon: Daemon) -> None:
    of(daemon, selectionMode="multiple")
    assert [select(daemon, k) for k in (1, 3, 1, 3)] == [[1], [1, 3], [3], []]
    of(daemon, selectionMode="multiple", allowsEmptySelection=False)
    assert [select(daemon, k) for k in (1, 3, 1, 3)] == [[1], [1, 3], [3], [3]]


def test_the_last_one_stays(daemon: Daemon) -> None:
    of(daemon, selectionMode="multiple", allowsEmptySelection=False)
    select(daemon, 1, 2)
    assert select(daemon, 1, 2, action="deselect") == [2]
    assert select(daemon, 2, action="deselect") == [2]
    assert select(daemon, action="none") == []
    select(daemon, 3)
    assert select(daemon, action="replace") == []


def test_of_several_in_a_single_section_the_last_wins(daemon: Daemon) -> None:
    of(daemon)
    assert select(daemon, 1, 4, 2, action="select") == [2]
    assert select(daemon, 3, 1, action="replace") == [1]
    answer = daemon.call("applySnapshot", list="m", items=["a", "b"], selected=["b", "a"])
    assert answer["selection"] == [{"at": [0, 0], "count": 1}]


def test_extend_undoes_the_last_extension(daemon: Daemon) -> None:
    of(daemon, count=9, selectionMode="multiple")
    select(daemon, 7)
    assert select(daemon, 3) == [3, 7]
    assert select(daemon, 5, action="extend") == [3, 4, 5, 7]
    assert select(daemon, 8, action="extend") == [3, 4, 5, 6, 7, 8]
    assert select(daemon, 1, action="extend") == [1, 2, 3, 7]
    assert select(daemon, 3, action="extend") == [3, 7]


def test_another_action_ends_an_extension(daemon: Daemon) -> None:
    of(daemon, count=9, selectionMode="multiple")
    select(daemon, 3)
    select(daemon, 5, action="extend")
    assert select(daemon, 8, action="select") == [3, 4, 5, 8]
    assert select(daemon, 6, action="extend") == [3, 4, 5, 6, 7, 8]
    select(daemon, 0, action="deselect")
    assert select(daemon, 7, action="extend") == [3, 4, 5, 6, 7, 8]


def test_extend_in_a_single_section_and_without_an_anchor(daemon: Daemon) -> None:
    of(daemon)
    assert select(daemon, 2, action="extend") == [2]
    assert select(daemon, 4, action="extend") == [4]
    many = {"id": "s", "selectionMode": "multiple", "items": [0, 1, 2]}
    daemon.call("applySnapshot", list="n", sections=[many])
    daemon.call("select", list="n", action="all")
    answer = daemon.call("select", list="n", action="extend", items=[1])
    assert answer["selection"] == [{"at": [0, 1], "count": 1}]


def test_extend_across_sections_passes_over(daemon: Daemon) -> None:
    many = {"selectionMode": "multiple"}
    lists = [
        {"id": "a", **many, "items": [1, 2]},
        {"id": "b", "selectionMode": "none", "items": [3]},
        {"id": "c", **many, "items": [{"id": 4, "selectable": False}, 5, 6]},
    ]
    daemon.call("applySnapshot", list="l", sections=lists)
    daemon.call("select", list="l", items=[2])
    answer = daemon.call("select", list="l", items=[5], action="extend")
    assert places(answer["selection"]) == [(0, 1), (2, 1)]


def test_what_cannot_be_selected_is_refused_when_named(daemon: Daemon) -> None:
    lists = [
        {"id": "a", "selectionMode": "none", "items": ["x"]},
        {"id": "b", "items": [{"id": "y", "selectable": False}, "z"]},
    ]
    daemon.call("applySnapshot", list="l", sections=lists)
    for action in ("toggle", "select", "replace"):
        params = {"list": "l", "action": action, "items": ["x", "z", "y"]}
        refusal = daemon.refused(-31009, "select", params)
        assert refusal.data["reason"] == "notSelectable" and refusal.data["items"] == ["x", "y"]
    assert daemon.call("getSelection", list="l")["selection"] == []
    daemon.refused(-31009, "applySnapshot", list="l", sections=lists, selected=["y"])


def test_missing_items_and_sections(daemon: Daemon) -> None:
    of(daemon)
    refusal = daemon.refused(-31005, "select", list="l", items=[1, "1", 99, {"id": "n"}])
    assert refusal.data["missing"] == ["1", 99, {"id": "n"}]
    refusal = daemon.refused(-31006, "select", list="l", action="all", section="t")
    assert refusal.data["reason"] == "sectionNotFound" and refusal.data["missing"] == ["t"]
    refusal = daemon.refused(-31001, "select", list="other", items=[1])
    assert (refusal.data["reason"], refusal.data["list"]) == ("listNotFound", "other")
    daemon.refused(-32602, "select", list="l", items=[1], action="tap")


def test_the_selection_of_a_section_is_of_its_items(daemon: Daemon) -> None:
    many = {"selectionMode": "multiple"}
    lists = [{"id": "a", **many, "items": [1, 2]}, {"id": "b", **many, "items": [3, 4]}]
    daemon.call("applySnapshot", list="l", sections=lists)
    wrong = {"list": "l", "action": "replace", "items": [3, 1, 4], "section": "b"}
    refusal = daemon.refused(-32602, "select", wrong)
    assert refusal.data["pointer"] == "/params/items/1"
    # Without an anchor, `extend` also replaces, and uses the last of its items.
    wrong = {"list": "l", "action": "extend", "items": [3, 1], "section": "b"}
    refusal = daemon.refused(-32602, "select", wrong)
    assert refusal.data["pointer"] == "/params/items/1"
    assert daemon.call("getSelection", list="l")["selection"] == []
    daemon.call("select", list="l", action="replace", items=[1])
    answer = daemon.call("select", list="l", action="replace", items=[4, 3], section="b")
    assert places(answer["selection"]) == [(0, 0), (1, 0), (1, 1)]
    answer = daemon.call("select", list="l", action="extend", items=[2], section="b")
    assert places(answer["selection"])[:2] == [(0, 0), (0, 1)]


def test_references_by_path(daemon: Daemon) -> None:
    of(daemon, selectionMode="multiple")
    revision = daemon.call("getSnapshot", list="l")["revision"]
    assert select(daemon, {"path": [0, 3]}) == [3]
    daemon.call("applySnapshot", list="l", sections=[
        {"id": "s", "selectionMode": "multiple", "items": [{"id": 4}, {"id": 3}, {"id": 0}]}
    ])  # fmt: skip
    assert select(daemon, {"path": [0, 4], "revision": revision}) == [0, 1]
    gone = {"path": [0, 1], "revision": revision}
    assert daemon.refused(-31005, "select", list="l", items=[gone]).data["missing"] == [gone]
    beyond = {"path": [0, 3]}
    assert daemon.refused(-31005, "select", list="l", items=[beyond]).data["missing"] == [beyond]


def test_selecting_returns_ranges_and_keeps_the_revision(daemon: Daemon) -> None:
    of(daemon, selectionMode="multiple")
    revision = daemon.call("getSnapshot", list="l")["revision"]
    answer = daemon.call("select", list="l", action="all")
    whole = {"at": [0, 0], "count": 5}
    assert answer["revision"] == revision and answer["format"] == "ops"
    assert answer["selection"] == [whole] and answer["ops"] == [{"op": "selectItems", **whole}]
    answer = daemon.call("select", list="l", items=[2], format="none")
    assert "ops" not in answer and answer["format"] == "none" and len(answer["selection"]) == 2


def test_the_selection_can_be_read(daemon: Daemon) -> None:
    items = [{"id": k, "v": k} for k in range(4)]
    daemon.call("applySnapshot", list="l", sections=[
        {"id": "s", "items": items[:2]}, {"id": "t", "items": items[2:]}
    ])  # fmt: skip
    daemon.call("select", list="l", items=[3, 0], cursor=2)
    answer = daemon.call("getSelection", list="l")
    assert places(answer["selection"]) == [(0, 0), (1, 1)] and answer["cursor"] == [1, 0]
    assert answer["items"] == [items[0], items[3]] and answer["list"] == "l"
    daemon.refused(-31001, "getSelection", list="x")


def test_a_missing_cursor_is_reported_with_the_missing_items(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="l", items=["x"])
    cursor = {"path": [3, 3]}
    for method, params in [
        ("select", {"items": ["y", "x", "z"]}),
        ("applySnapshot", {"items": ["x"], "selected": ["y", "x", "z"]}),
        ("editSnapshot", {"edits": [], "selected": ["y", "x", "z"]}),
    ]:
        refusal = daemon.refused(-31005, method, {"list": "l", **params, "cursor": cursor})
        assert refusal.data["missing"] == ["y", "z", cursor]
        refusal = daemon.refused(-31005, method, {"list": "l", **params, "cursor": "z"})
        assert refusal.data["missing"] == ["y", "z"]
    assert daemon.refused(-31005, "select", list="l", items=["x"], cursor=7).data["missing"] == [7]
