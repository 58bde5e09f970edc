"""The selection over changes of content: by identity."""

from __future__ import annotations

import random
from typing import Any, Dict, List

import pytest

from apply_ops import Broken
from client import Daemon
from random_snapshots import edited, snapshot
from values import dumps, identity, picture, places


def section(*items: Any, **own: Any) -> List[Any]:
    return [{"id": "s", **own, "items": list(items)}]


def test_it_follows_moves_updates_and_sections(daemon: Daemon) -> None:
    many = {"selectionMode": "multiple"}
    daemon.call(
        "applySnapshot", list="l", sections=section({"id": 1}, {"id": 2}, {"id": 3}, **many)
    )
    daemon.call("select", list="l", action="all")
    new = section({"id": 3, "v": 1}, **many) + [{"id": "t", **many, "items": [{"id": 1}]}]
    answer = daemon.call("applySnapshot", list="l", sections=new)
    assert places(answer["selection"]) == [(0, 0), (1, 0)]
    assert answer["deselected"] == [{"id": 2, "at": [0, 1], "gone": True}]


def test_an_item_that_is_inserted_again_is_not_selected(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="l", items=["a"], selected=["a"])
    daemon.call("applySnapshot", list="l", items=[])
    assert daemon.call("applySnapshot", list="l", items=["a"])["selection"] == []


def test_an_item_that_becomes_unselectable_is_deselected(daemon: Daemon) -> None:
    many = {"selectionMode": "multiple"}
    daemon.call("applySnapshot", list="l", sections=section({"id": 1}, {"id": 2}, **many))
    daemon.call("select", list="l", action="all")
    new = section({"id": 1, "selectable": False}, {"id": 2}, **many)
    answer = daemon.call("applySnapshot", list="l", sections=new)
    assert answer["deselected"] == [{"id": 1, "at": [0, 0], "gone": False}]
    answer = daemon.call("applySnapshot", list="l", sections=section(2, selectionMode="none"))
    assert answer["selection"] == []
    assert answer["deselected"] == [{"id": 2, "at": [0, 1], "gone": False}]


def test_if_a_section_becomes_single_the_first_row_stays_selected(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="l", sections=section(1, 2, 3, 4, selectionMode="multiple"))
    daemon.call("select", list="l", items=[2, 3, 4])
    answer = daemon.call("applySnapshot", list="l", sections=section(2, 3, 1, 4))
    assert places(answer["selection"]) == [(0, 0)]
    left = [(entry["id"], entry["at"], entry["gone"]) for entry in answer["deselected"]]
    assert left == [(3, [0, 2], False), (4, [0, 3], False)]


def test_two_selected_rows_meet_in_a_single_section(daemon: Daemon) -> None:
    old = [{"id": "s", "items": [1, 2]}, {"id": "t", "items": [3, 4]}]
    daemon.call("applySnapshot", list="l", sections=old, selected=[2, 4])
    new = [{"id": "s", "items": [4, 1, 2]}, {"id": "t", "items": [3]}]
    answer = daemon.call("applySnapshot", list="l", sections=new)
    assert len(places(answer["selection"])) == 1


def test_an_object_without_id_loses_it_with_its_value(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="l", items=[{"t": 1}], selected=[{"path": [0, 0]}])
    answer = daemon.call("applySnapshot", list="l", items=[{"t": 2}])
    assert answer["deselected"] == [{"at": [0, 0], "gone": True}]


def test_random_changes(daemon: Daemon, rng: random.Random) -> None:
    for _ in range(60):
        old = many(snapshot(rng, 12, 3, "object"))
        new = many(edited(rng, old, "object"))
        before = [item["id"] for entry in old for item in entry["items"]]
        chosen = rng.sample(before, len(before) // 2)
        daemon.call("applySnapshot", list="l", sections=old, selected=chosen)
        answer = daemon.call("applySnapshot", list="l", sections=new)
        check_carried(old, new, chosen, answer)


def test_views_report_what_left_the_selection_of_their_sources(daemon: Daemon) -> None:
    """Not what a view, or a view below it, does not show any more."""
    items = [{"id": id, "n": 1} for id in "abcdef"]
    daemon.call("applySnapshot", list="l", sections=section(*items, selectionMode="multiple"))
    where = {"where": {"member": "n", "is": 1}, "selection": "source"}
    window = {"window": {"count": 5}, "selection": "source"}
    daemon.call("compose", list="v", sources=["l"], view=where)
    daemon.call("compose", list="w", sources=["v"], view=window)
    daemon.call("compose", list="x", sources=["w"], view={"sort": [{"by": "id"}], "selection": "source"})
    daemon.call("select", list="l", action="all")
    for name in "vwx":
        daemon.call("subscribe", list=name)

    def left() -> Dict[str, List[Any]]:
        return {
            note["params"]["list"]: [one["id"] for one in note["params"]["deselected"]]
            for note in daemon.settle()
        }

    update = {"edit": "updateItems", "items": [{"id": "a", "n": 2}]}
    delete = {"edit": "deleteItems", "items": ["b"]}
    daemon.call("editSnapshot", list="l", edits=[update, delete])
    assert left() == {"v": ["b"], "w": ["b"], "x": ["b"]}
    items = [{"id": "c", "n": 2}, {"id": "d", "n": 1, "selectable": False}, {"id": "e", "n": 1}, {"id": "f", "n": 1}]
    daemon.call("applySnapshot", list="l", sections=section(*items, selectionMode="multiple"))
    assert left() == {"v": ["d"], "w": ["d"], "x": ["d"]}
    daemon.call("compose", list="v", view={**where, "where": {"member": "id", "is": "f"}})
    assert left() == {"v": [], "w": [], "x": []}
    daemon.call("compose", list="v", view=where)
    daemon.call("compose", list="w", view={**window, "window": {"count": 1}})
    assert left()["x"] == []


def many(sections: List[Dict[str, Any]]) -> List[Dict[str, Any]]:
    return [{**entry, "selectionMode": "multiple"} for entry in sections]


def check_carried(old: Any, new: Any, chosen: List[Any], answer: Any) -> None:
    ids = {identity(item) for entry in new for item in entry["items"]}
    wanted = [path for path, item in rows(new) if item["id"] in chosen]
    gone = [
        {"id": item["id"], "at": list(path), "gone": True}
        for path, item in rows(old)
        if item["id"] in chosen and identity(item) not in ids
    ]
    if places(answer["selection"]) != wanted or answer["deselected"] != gone:
        raise Broken(
            f"\n  from: {picture(old)}\n  to:   {picture(new)}\n  selected: {chosen}\n"
            f"  wanted: {wanted}, deselected {dumps(gone)}\n"
            f"  answer:   {dumps(answer['selection'])}, deselected {dumps(answer['deselected'])}"
        )


@pytest.mark.parametrize("view", [{"distinct": "n"}, {"sort": [{"by": "n"}], "window": {"count": 2}}])
def test_a_view_reports_no_repeated_item_that_stays_selected(daemon: Daemon, view: Any) -> None:
    """At most as many as are selected less in its source, whichever of several equal items it shows."""
    rng = random.Random(1)

    def item() -> Any:
        return {"text": rng.choice("xyz"), "n": rng.randrange(2)}

    for k in range(60):
        items = [item() for _ in range(rng.randrange(2, 7))]
        source, name = f"l{k}", f"v{k}"
        daemon.call("applySnapshot", list=source, sections=section(*items, selectionMode="multiple"))
        daemon.call("compose", list=name, sources=[source], view={**view, "selection": "source"})
        daemon.call("subscribe", list=name)
        for _ in range(4):
            chosen = [{"path": [0, row]} for row in range(len(items)) if rng.randrange(2)]
            daemon.call("select", list=source, action="replace", items=chosen)
            daemon.settle()
            at = rng.randrange(len(items))
            edit: Any = {"edit": "insertItems", "items": [item()], "before": {"path": [0, at]}}
            if len(items) > 1 and rng.randrange(2):
                edit = {"edit": "deleteItems", "items": [{"path": [0, at]}]}
                items.pop(at)
            else:
                items.insert(at, edit["items"][0])
            answer = daemon.call("editSnapshot", list=source, edits=[edit])
            noted = [note["params"]["deselected"] for note in daemon.settle()]
            assert sum(map(len, noted)) <= len(answer["deselected"])
        daemon.call("removeList", list=name)


def test_a_view_beside_another_one_of_the_same_list_tells_apart_what_is_new(daemon: Daemon) -> None:
    """Also if the other one stays as it was, although items of their source repeat now."""
    daemon.call("applySnapshot", list="b", sections=section({"n": "lib"}))
    daemon.call("compose", list="c", sources=["b"], view={"where": {"member": "g", "exists": True}})
    daemon.call("compose", list="x", sources=["c", "b"], view={"sort": [{"by": "n"}]})
    daemon.call("subscribe", list="x")
    daemon.call("applySnapshot", list="b", sections=section({"n": "Main"}, {"n": "Main"}))
    counts = [note["params"]["counts"]["rows"] for note in daemon.settle()]
    assert counts == [{"deletes": 1, "inserts": 2, "moves": 0, "updates": 0}]


def test_a_new_view_that_selects_items_tells_all_that_share_their_selection(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="a", sections=section({"id": 1}, {"id": 2}))
    shared = {"selection": "source"}
    daemon.call("compose", list="v", sources=["a"], view=shared)
    for name in ["a", "v"]:
        daemon.call("subscribe", list=name)
    daemon.call("compose", list="w", sources=["a"], view=shared, selected=[2])
    noted = [note["params"] for note in daemon.settle() if note["method"] == "didSelect"]
    assert [note["list"] for note in noted] == ["a", "v"]
    for name in ["a", "v", "w"]:
        assert daemon.call("getSelection", list=name)["items"] == [{"id": 2}]


def rows(sections: Any) -> Any:
    return [
        ((s, r), item) for s, entry in enumerate(sections) for r, item in enumerate(entry["items"])
    ]


def test_sources_are_notified_in_their_order(daemon: Daemon) -> None:
    many = {"selectionMode": "multiple"}
    for name in "abcdefgh":
        daemon.call("applySnapshot", list=name, sections=section(name, **many))
        daemon.call("subscribe", list=name)
    shared = {"selection": "source"}
    daemon.call("compose", list="w", sources=["g", "b"], view=shared)
    daemon.call("compose", list="v", sources=["h", "w", "d", "a"], view=shared)
    daemon.call("compose", list="x", sources=["h"], view=shared)
    for name in "xvw":
        daemon.call("subscribe", list=name)
    daemon.settle()
    daemon.call("select", list="v", action="all")
    order = [note["params"]["list"] for note in daemon.settle()]
    # Each list is followed by those that are made of it.
    assert [name for name in order if name in "abcdefgh"] == ["h", "g", "b", "d", "a"]
    assert order.index("w") > order.index("b") and order.index("v") == len(order) - 1
    assert order.index("x") > order.index("h")
