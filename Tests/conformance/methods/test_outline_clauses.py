"""Outlines, clause by clause: parents, expansion and filters."""

from __future__ import annotations

import random
from typing import Any

import pytest

from client import Daemon
from outline_requests import FILES, edit, notifications, picture, rows, show
from values import same

pytestmark = pytest.mark.needs("compose", "subscribe")


def test_rows_are_a_walk_of_the_tree(daemon: Daemon) -> None:
    change = show(daemon, open="all")
    assert change["view"] == {"start": 0, "matched": 7, "total": 7, "shown": 7}
    assert rows(daemon) == [
        {"id": "src", "$level": 0, "$children": 2, "$expanded": True},
        {"id": "a", "up": "src", "text": "apple", "$level": 1, "$children": 0},
        {"id": "lib", "up": "src", "$level": 1, "$children": 2, "$expanded": True},
        {"id": "b", "up": "lib", "text": "banana", "$level": 2, "$children": 0},
        {"id": "c", "up": "lib", "text": "cherry", "$level": 2, "$children": 0},
        {"id": "doc", "$level": 0, "$children": 1, "$expanded": True},
        {"id": "d", "up": "doc", "text": "date", "$level": 1, "$children": 0},
    ]


@pytest.mark.parametrize("up", [None, "nobody", 2, 1.5, True, [1], {"id": 1}, "1"])
def test_an_item_without_a_parent_that_is_there_is_a_root(daemon: Daemon, up: Any) -> None:
    show(daemon, [{"id": 1}, {"id": 5, "up": up}], open="all")
    assert picture(daemon) == "1 5"


@pytest.mark.parametrize("up", [1, 1.0, 10e-1])
def test_integers_are_parents_in_any_spelling(daemon: Daemon, up: Any) -> None:
    show(daemon, [{"id": 1}, {"id": 5, "up": up}], open="all")
    assert picture(daemon) == "-1 .5"


def test_only_what_has_an_identifier_is_a_parent(daemon: Daemon) -> None:
    items = [{"up": 1}, {"text": "x"}, "x", 7, {"id": "y", "up": "x"}, {"id": "z", "up": 7}]
    show(daemon, items, open="all")
    assert rows(daemon) == [
        {"up": 1, "$level": 0, "$children": 0},
        {"text": "x", "$level": 0, "$children": 0},
        {"id": "x", "text": "x", "$level": 0, "$children": 1, "$expanded": True},
        {"id": "y", "up": "x", "$level": 1, "$children": 0},
        {"id": 7, "text": 7, "$level": 0, "$children": 1, "$expanded": True},
        {"id": "z", "up": 7, "$level": 1, "$children": 0},
    ]


def test_of_equal_ids_the_first_is_the_parent(daemon: Daemon) -> None:
    show(daemon, ["x", {"id": "y", "up": "x"}, "x"])
    assert picture(daemon) == "+x x"
    edit(daemon, ("expandItems", "x"))
    assert picture(daemon) == "-x .y x"


def test_parents_are_of_the_same_list_by_the_same_way(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="a", items=[{"id": 1}, {"id": 2, "up": 1}, {"id": 9, "up": 3}])
    daemon.call("applySnapshot", list="b", items=[{"id": 1}, {"id": 3, "up": 1}])
    daemon.call("compose", list="c", sources=["b", "a"])
    view = {"tree": {"parent": "up", "open": "all"}, "sections": "merge"}
    daemon.call("compose", list="v", sources=["a", "c"], view=view)
    assert picture(daemon) == "-1 .2 9 -1 .3 -1 .2 9"
    edit(daemon, ("collapseItems", {"id": 1, "occurrence": 1}))
    assert picture(daemon) == "-1 .2 9 +1 -1 .2 9"
    edit(daemon, ("collapseItems", {"id": 1, "source": "c", "occurrence": 1}))
    assert picture(daemon) == "-1 .2 9 +1 +1 9"


def test_cycles_are_roots_and_warned_of_once(daemon: Daemon) -> None:
    daemon.call("initialize", {})
    items = [{"id": 1, "up": 3}, {"id": 2, "up": 1}, {"id": 3, "up": 2}, {"id": 4, "up": 2},
             {"id": 5, "up": 4}, {"id": 6, "up": 6}]  # fmt: skip
    show(daemon, items, open="all")
    assert picture(daemon) == "1 -2 .-4 ..5 3 6"
    (warning,) = notifications(daemon, "window/logMessage")
    assert warning["type"] == 2 and all(word in warning["message"] for word in ("1", "2", "3"))
    daemon.call("applySnapshot", list="l", items=items + [{"id": 7}])
    edit(daemon, "collapseAll")
    daemon.call("compose", list="v", view={"tree": {"parent": "up"}, "sort": [{"by": "id"}]})
    assert notifications(daemon, "window/logMessage") == []
    daemon.call("applySnapshot", list="l", items=items + [{"id": 7, "up": 7}])
    assert len(notifications(daemon, "window/logMessage")) == 1
    show(daemon, items[1:], open="all")
    edit(daemon, "expandAll")
    assert picture(daemon) == "-2 .3 .-4 ..5 6"


def test_children_are_in_the_section_of_their_root(daemon: Daemon) -> None:
    sections = [
        {"id": 1, "items": [{"id": "b", "up": "a"}, {"id": "c"}]},
        {"id": 2, "items": [{"id": "a"}, {"id": "d", "up": "c"}]},
    ]
    daemon.call("applySnapshot", list="l", sections=sections)
    view = {"tree": {"parent": "up", "open": "all"}}
    daemon.call("compose", list="v", sources=["l"], view=view)
    made = daemon.call("getSnapshot", list="v")["sections"]
    assert [[s["id"], [i["id"] for i in s["items"]]] for s in made] == [
        ["l/1", ["c", "d"]], ["l/2", ["a", "b"]],
    ]  # fmt: skip


# Expansion


@pytest.mark.parametrize(
    "open, wanted",
    [
        (None, "+src +doc"), ("none", "+src +doc"), (0, "+src +doc"),
        (1, "-src .a .+lib -doc .d"), (2.0, "-src .a .-lib ..b ..c -doc .d"),
        ("all", "-src .a .-lib ..b ..c -doc .d"), (10**30, None),
    ],
)  # fmt: skip
def test_open(daemon: Daemon, open: Any, wanted: Any) -> None:
    if wanted is None:
        daemon.call("applySnapshot", list="l", items=FILES)
        view = {"tree": {"parent": "up", "open": open}}
        daemon.refused(-32602, "compose", list="v", sources=["l"], view=view)
        return
    show(daemon, open=open)
    assert picture(daemon) == wanted


def test_edits(daemon: Daemon) -> None:
    show(daemon)
    change = edit(daemon, ("expandItems", "src"), content=True)
    assert change["stages"] == [
        [{"op": "insertItems", "at": [0, 1], "count": 2, "items": [
            {"id": "a", "up": "src", "text": "apple", "$level": 1, "$children": 0},
            {"id": "lib", "up": "src", "$level": 1, "$children": 2, "$expanded": False}]}],
        [{"op": "reconfigureItems", "at": [0, 0], "count": 1, "items": [
            {"id": "src", "$level": 0, "$children": 2, "$expanded": True}]}],
    ]  # fmt: skip
    assert change["revision"] == 2 and change["view"]["shown"] == 4
    again = edit(daemon, ("expandItems", "src"))
    assert (again["baseRevision"], again["revision"], again["stages"]) == (2, 2, [])
    assert edit(daemon)["revision"] == 2
    assert edit(daemon, ("collapseItems", "lib"))["revision"] == 2
    edit(daemon, ("expandItems", {"path": [0, 2]}))
    assert picture(daemon) == "-src .a .-lib ..b ..c +doc"
    edit(daemon, ("collapseItems", "src"))
    assert picture(daemon) == "+src +doc"
    edit(daemon, ("expandItems", "src"))
    assert picture(daemon) == "-src .a .-lib ..b ..c +doc"
    edit(daemon, {"edit": "collapseItems", "items": ["src"], "deep": True})
    edit(daemon, ("expandItems", "src"))
    assert picture(daemon) == "-src .a .+lib +doc"
    edit(daemon, "collapseAll", ("revealItems", "c", "d"))
    assert picture(daemon) == "-src .a .-lib ..b ..c -doc .d"
    edit(daemon, "collapseAll")
    edit(daemon, {"edit": "expandItems", "items": ["src"], "deep": True})
    assert picture(daemon) == "-src .a .-lib ..b ..c +doc"
    edit(daemon, "expandAll", ("collapseItems", "src"))
    assert picture(daemon) == "+src -doc .d"


def test_paths_lead_to_what_is_shown_after_the_edits_before(daemon: Daemon) -> None:
    show(daemon)
    old = daemon.call("getSnapshot", list="v")["revision"]
    first, second = {"path": [0, 0]}, {"path": [0, 2]}
    edit(daemon, ("expandItems", first), ("expandItems", second), ("collapseItems", {"path": [0, 5]}))
    assert picture(daemon) == "-src .a .-lib ..b ..c +doc"
    edit(daemon, ("expandItems", {"path": [0, 1], "revision": old}))
    assert picture(daemon) == "-src .a .-lib ..b ..c -doc .d"


def test_expansion_is_kept_by_identity(daemon: Daemon) -> None:
    show(daemon)
    edit(daemon, ("expandItems", "src", "d"))
    moved = [{"id": "doc", "up": "src"}, *FILES[6:], {"id": "e", "up": "d"}, *FILES[:5]]
    daemon.call("applySnapshot", list="l", items=moved)
    assert picture(daemon) == "-src .+doc .a .+lib"
    edit(daemon, ("expandItems", "doc"))
    assert picture(daemon) == "-src .-doc ..-d ...e .a .+lib", "a leaf that was expanded by name"
    daemon.call("applySnapshot", list="l", items=[])
    daemon.call("applySnapshot", list="l", items=FILES)
    assert picture(daemon) == "+src +doc", "it ends with the item"
    edit(daemon, ("expandItems", "doc"))
    daemon.call("compose", list="v", view={"tree": {"parent": "up", "open": 1}, "sort": []})
    assert picture(daemon) == "-src .a .+lib -doc .d"
    daemon.call("compose", list="v", view={})
    daemon.call("compose", list="v", view={"tree": {"parent": "up"}})
    assert picture(daemon) == "+src +doc", "it ends with the tree"


def test_all_and_deep_are_about_items_with_children(daemon: Daemon) -> None:
    show(daemon)
    edit(daemon, "expandAll", {"edit": "expandItems", "items": ["doc"], "deep": True})
    daemon.call("applySnapshot", list="l", items=[*FILES, {"id": "x", "up": "d"}])
    assert picture(daemon) == "-src .a .-lib ..b ..c -doc .+d"


def test_items_that_the_tree_does_not_have(daemon: Daemon) -> None:
    show(daemon, where={"member": "text", "is": "date"})
    assert picture(daemon) == "+doc"
    edit(daemon, ("expandItems", "d"))
    for kind in ("expandItems", "collapseItems", "revealItems"):
        edits = [{"edit": "collapseAll"}, {"edit": kind, "items": ["doc", "a", {"id": "zzz"}]}]
        answer = daemon.refused(-31005, "editSnapshot", list="v", edits=edits)
        assert answer.data["edit"] == 1 and answer.data["missing"] == ["a", {"id": "zzz"}]
    assert picture(daemon) == "+doc"


def test_other_edits_are_refused(daemon: Daemon) -> None:
    show(daemon)
    daemon.call("compose", list="plain", sources=["l"], view={})
    expand = {"edit": "expandAll"}
    for edits in (
        [{"edit": "deleteAllItems"}], [expand, {"edit": "appendItems", "items": ["x"]}],
        [expand, {"edit": "reloadItems", "items": ["src"]}],
    ):  # fmt: skip
        answer = daemon.refused(-31007, "editSnapshot", list="v", edits=edits)
        assert answer.data["sources"] == ["l"]
    daemon.refused(-31007, "editSnapshot", list="plain", edits=[expand])
    for kind in ("expandItems", "collapseItems", "revealItems"):
        answer = daemon.refused(-32602, "editSnapshot", list="l", edits=[{"edit": kind, "items": []}])
        assert answer.data["pointer"] == "/params/edits/0/edit"
    daemon.refused(-31003, "editSnapshot", list="v", edits=[expand], baseRevision=7)
    for ref in ("l", "v"):
        code = -32602 if ref == "l" else -31007
        daemon.refused(code, "diff", **{"from": {"list": ref, "edits": [expand]}, "to": {"items": []}})
    assert picture(daemon) == "+src +doc"


@pytest.mark.parametrize(
    "tree, pointer",
    [
        ({}, "/parent"), ({"parent": 1}, "/parent"), ({"parent": "up", "open": "some"}, "/open"),
        ({"parent": "up", "open": -1}, "/open"), ({"parent": "up", "open": 1.5}, "/open"),
        ({"parent": "up", "open": True}, "/open"), ({"parent": "up", "deep": 1}, "/deep"), (5, ""),
    ],
)  # fmt: skip
def test_definitions_that_are_wrong(daemon: Daemon, tree: Any, pointer: str) -> None:
    answer = daemon.refused(-32602, "compose", list="v", sources=["l"], view={"tree": tree})
    assert answer.data["pointer"] == "/params/view/tree" + pointer
    assert answer.message.startswith("/params/view/tree" + pointer)


def test_distinct_and_tree_are_refused(daemon: Daemon) -> None:
    view = {"tree": {"parent": "up"}, "distinct": "text"}
    answer = daemon.refused(-32602, "compose", list="v", sources=["l"], view=view)
    assert answer.data["pointer"] == "/params/view/distinct"
    wrong = [{"edit": "expandItems", "items": [], "deep": 1}]
    show(daemon)
    answer = daemon.refused(-32602, "editSnapshot", list="v", edits=wrong)
    assert answer.data["pointer"] == "/params/edits/0/deep"


# Filters


def test_ancestors_of_kept_items_are_kept(daemon: Daemon) -> None:
    change = show(daemon, where={"member": "text", "in": ["cherry", "date"]}, open=1)
    assert change["view"] == {"start": 0, "matched": 2, "total": 7, "shown": 4}
    assert picture(daemon) == "-src .+lib -doc .d"
    assert rows(daemon)[0]["$children"] == 1


def test_a_query_expands_the_ancestors_while_it_lasts(daemon: Daemon) -> None:
    show(daemon)
    edit(daemon, ("expandItems", "doc"))
    tree = {"parent": "up"}
    query = {"tree": tree, "match": {"query": "an"}, "sort": []}
    daemon.call("compose", list="v", view=query)
    assert picture(daemon) == "-src .-lib ..b"
    change = edit(daemon, ("collapseItems", "src"), ("expandItems", "lib"))
    assert (change["stages"], picture(daemon)) == ([], "-src .-lib ..b")
    daemon.call("compose", list="v", view={"tree": tree, "match": {"query": "da"}})
    assert picture(daemon) == "-doc .d"
    daemon.call("compose", list="v", view={"tree": tree, "match": {"query": ""}})
    assert picture(daemon) == "+src -doc .d"
    edit(daemon, ("expandItems", "src"))
    assert picture(daemon) == "-src .a .-lib ..b ..c -doc .d"


def test_a_query_there_and_back_changes_nothing(daemon: Daemon, rng: random.Random) -> None:
    show(daemon, open=1)
    edit(daemon, ("expandItems", "lib", "b"), ("collapseItems", "doc"))
    daemon.call("select", list="v", items=["doc"])
    view = {"tree": {"parent": "up", "open": 1}}
    for query in ("an", "e", "zzz", "!a", "d"):
        before = daemon.call("getSnapshot", list="v")
        daemon.call("compose", list="v", view={**view, "match": {"query": query}})
        daemon.call("compose", list="v", view=view)
        after = daemon.call("getSnapshot", list="v")
        assert same(after["sections"], before["sections"])
        assert after["view"] == before["view"]


def test_expand_then_collapse_changes_nothing_but_the_revision(daemon: Daemon) -> None:
    show(daemon)
    before = daemon.call("getSnapshot", list="v")
    for there, back in (
        (("expandItems", "src"), ("collapseItems", "src")), ("expandAll", "collapseAll"),
        (("revealItems", "c"), ("collapseItems", "src", "lib")),
    ):  # fmt: skip
        edit(daemon, there)
        edit(daemon, back)
        after = daemon.call("getSnapshot", list="v")
        assert after["revision"] > before["revision"]
        assert {**after, "revision": 0} == {**before, "revision": 0}
        before = after


def test_an_item_sorts_with_the_best_below_it(daemon: Daemon) -> None:
    items = [{"id": 1, "text": "x"}, {"id": 2, "text": "xylo", "up": 1}, {"id": 3, "text": "a"},
             {"id": 4, "text": "x y", "up": 3}, {"id": 5, "text": "x_lo"}]  # fmt: skip
    show(daemon, items, match={"query": "x"})
    assert picture(daemon) == "-1 .2 -3 .4 5"
    show(daemon, items, match={"query": "y"})
    assert picture(daemon) == "-3 .4 -1 .2"
    show(daemon, items, sort=[{"by": "text", "order": "descending"}], open="all")
    assert picture(daemon) == "5 -1 .2 -3 .4"


# Windows, cursors, selections
