"""What the protocol says of outlines, clause by clause."""

from __future__ import annotations

import random
from typing import Any, Dict, List

import pytest

from values import same
from wire import Daemon

pytestmark = pytest.mark.needs("compose", "subscribe")
FILES = [
    {"id": "src"}, {"id": "a", "up": "src", "text": "apple"}, {"id": "lib", "up": "src"},
    {"id": "b", "up": "lib", "text": "banana"}, {"id": "c", "up": "lib", "text": "cherry"},
    {"id": "doc"}, {"id": "d", "up": "doc", "text": "date"},
]  # fmt: skip


def show(daemon: Daemon, items: List[Any] = FILES, open: Any = None, **view: Any) -> Any:
    daemon.call("applySnapshot", list="l", items=items, format="none")
    tree = {"parent": "up"} if open is None else {"parent": "up", "open": open}
    return daemon.call("compose", list="v", sources=["l"], view={"tree": tree, **view})


def edit(daemon: Daemon, *edits: Any, **more: Any) -> Any:
    made = [
        {"edit": one} if isinstance(one, str)
        else {"edit": one[0], "items": list(one[1:])} if isinstance(one, tuple) else one
        for one in edits
    ]  # fmt: skip
    return daemon.call("editSnapshot", list="v", edits=made, **more)


def rows(daemon: Daemon, list: str = "v") -> List[Any]:
    sections = daemon.call("getSnapshot", list=list)["sections"]
    return [item for section in sections for item in section["items"]]


def ids(daemon: Daemon, list: str = "v") -> str:
    return " ".join(str(item["id"]) for item in rows(daemon, list))


def picture(daemon: Daemon) -> str:
    """`-src +lib b` for rows that are expanded, collapsed and leaves, with `.` for each level."""
    return " ".join(
        "." * row["$level"] + {True: "-", False: "+", None: ""}[row.get("$expanded")] + str(row["id"])
        for row in rows(daemon)
    )


def told(daemon: Daemon, method: str) -> List[Any]:
    return [note["params"] for note in daemon.settle() if note["method"] == method]


# Parents


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
    (warning,) = told(daemon, "window/logMessage")
    assert warning["type"] == 2 and all(word in warning["message"] for word in ("1", "2", "3"))
    daemon.call("applySnapshot", list="l", items=items + [{"id": 7}])
    edit(daemon, "collapseAll")
    daemon.call("compose", list="v", view={"tree": {"parent": "up"}, "sort": [{"by": "id"}]})
    assert told(daemon, "window/logMessage") == []
    daemon.call("applySnapshot", list="l", items=items + [{"id": 7, "up": 7}])
    assert len(told(daemon, "window/logMessage")) == 1
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


def test_what_is_expanded_is_kept_by_identity(daemon: Daemon) -> None:
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
        told = daemon.refused(-31005, "editSnapshot", list="v", edits=edits)
        assert told.data["edit"] == 1 and told.data["missing"] == ["a", {"id": "zzz"}]
    assert picture(daemon) == "+doc"


def test_other_edits_are_refused(daemon: Daemon) -> None:
    show(daemon)
    daemon.call("compose", list="plain", sources=["l"], view={})
    expand = {"edit": "expandAll"}
    for edits in (
        [{"edit": "deleteAllItems"}], [expand, {"edit": "appendItems", "items": ["x"]}],
        [expand, {"edit": "reloadItems", "items": ["src"]}],
    ):  # fmt: skip
        told = daemon.refused(-31007, "editSnapshot", list="v", edits=edits)
        assert told.data["sources"] == ["l"]
    daemon.refused(-31007, "editSnapshot", list="plain", edits=[expand])
    for kind in ("expandItems", "collapseItems", "revealItems"):
        told = daemon.refused(-32602, "editSnapshot", list="l", edits=[{"edit": kind, "items": []}])
        assert told.data["pointer"] == "/params/edits/0/edit"
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
    told = daemon.refused(-32602, "compose", list="v", sources=["l"], view={"tree": tree})
    assert told.data["pointer"] == "/params/view/tree" + pointer
    assert told.message.startswith("/params/view/tree" + pointer)


def test_distinct_and_tree_are_refused(daemon: Daemon) -> None:
    view = {"tree": {"parent": "up"}, "distinct": "text"}
    told = daemon.refused(-32602, "compose", list="v", sources=["l"], view=view)
    assert told.data["pointer"] == "/params/view/distinct"
    wrong = [{"edit": "expandItems", "items": [], "deep": 1}]
    show(daemon)
    told = daemon.refused(-32602, "editSnapshot", list="v", edits=wrong)
    assert told.data["pointer"] == "/params/edits/0/deep"


# Filters


def test_ancestors_of_what_is_kept_are_kept(daemon: Daemon) -> None:
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


def test_windows_and_anchors(daemon: Daemon) -> None:
    change = show(daemon, open="all", window={"start": {"item": "c", "before": 1}, "count": 3})
    assert change["view"] == {"start": 3, "matched": 7, "total": 7, "shown": 7}
    assert ids(daemon) == "b c doc"
    assert edit(daemon, ("collapseItems", "lib"))["view"]["start"] == 1
    assert ids(daemon) == "a lib doc"
    edit(daemon, ("expandItems", "lib"))
    assert ids(daemon) == "a lib b", "the anchor has passed on to the ancestor and stays there"
    edit(daemon, ("collapseItems", "src"))
    assert ids(daemon) == "src doc d"
    show(daemon, window={"start": {"item": "b"}, "count": 1})
    assert ids(daemon) == "src"


def test_the_cursor_passes_to_the_nearest_ancestor_that_is_shown(daemon: Daemon) -> None:
    show(daemon, open="all")
    daemon.call("select", list="v", cursor="c")
    assert edit(daemon, ("collapseItems", "lib"))["cursor"] == [0, 2]
    assert edit(daemon, ("expandItems", "lib"))["cursor"] == [0, 2]
    daemon.call("select", list="v", cursor="c")
    assert edit(daemon, "collapseAll")["cursor"] == [0, 0]
    edit(daemon, "expandAll")
    daemon.call("select", list="v", cursor="c")
    assert edit(daemon, ("collapseItems", "src"), cursorPolicy="stay")["cursor"] == [0, 2]
    edit(daemon, "expandAll")
    assert edit(daemon, ("collapseItems", "src"), cursor="doc")["cursor"] == [0, 1]
    daemon.refused(-31005, "select", list="v", cursor="c")
    daemon.refused(-31005, "editSnapshot", list="v", edits=[{"edit": "collapseAll"}], cursor="c")
    # Also if an item moves below one that is collapsed.
    daemon.call("select", list="v", cursor="doc")
    moved = [*FILES[:5], {"id": "doc", "up": "lib"}, FILES[6]]
    daemon.call("applySnapshot", list="l", items=moved)
    assert daemon.call("getSnapshot", list="v")["cursor"] == [0, 0]


def test_collapsed_items_stay_selected(daemon: Daemon) -> None:
    many = [{"id": "main", "selectionMode": "multiple", "items": FILES}]
    daemon.call("applySnapshot", list="l", sections=many)
    view = {"tree": {"parent": "up", "open": "all"}}
    daemon.call("compose", list="v", sources=["l"], view=view)
    daemon.call("select", list="v", items=["c", "d", "lib"])
    change = edit(daemon, ("collapseItems", "lib"))
    assert change["deselected"] == []
    assert change["selection"] == [{"at": [0, 2], "count": 1}, {"at": [0, 4], "count": 1}]

    def selected() -> List[str]:
        return [item["id"] for item in daemon.call("getSelection", list="v")["items"]]

    assert selected() == ["lib", "c", "d"]
    told = daemon.call("select", list="v", items=["b"])
    assert told["ops"] == [] and selected() == ["lib", "b", "c", "d"]
    assert daemon.call("select", list="v", action="none")["selection"] == []
    assert selected() == ["b", "c"]
    daemon.call("select", list="v", action="all")
    assert selected() == ["src", "a", "lib", "b", "c", "doc", "d"]
    daemon.call("select", list="v", action="invert")
    assert selected() == ["b", "c"]
    daemon.call("select", list="v", action="replace", items=["a", "doc"])
    assert selected() == ["a", "b", "c", "doc"]
    daemon.call("select", list="v", action="extend", items=["a"])
    assert selected() == ["a", "lib", "b", "c", "doc"]
    edit(daemon, ("expandItems", "lib"))
    assert daemon.call("getSnapshot", list="v")["selection"] == [{"at": [0, 1], "count": 5}]
    narrow = {**view, "where": {"member": "text", "is": "cherry"}}
    change = daemon.call("compose", list="v", view=narrow)
    assert [one["id"] for one in change["deselected"]] == ["a", "b", "doc"]
    assert selected() == ["lib", "c"], "ancestors of what is kept stay selected"


def test_the_selection_of_the_sources(daemon: Daemon) -> None:
    many = [{"id": "main", "selectionMode": "multiple", "items": FILES}]
    daemon.call("applySnapshot", list="l", sections=many)
    view = {"tree": {"parent": "up"}, "selection": "source"}
    daemon.call("compose", list="v", sources=["l"], view=view)
    daemon.call("select", list="l", items=["c", "src"])
    assert daemon.call("getSnapshot", list="v")["selection"] == [{"at": [0, 0], "count": 1}]
    told = daemon.call("select", list="v", items=["b", "doc"])
    assert told["ops"] == [{"op": "selectItems", "at": [0, 1], "count": 1}]
    daemon.call("select", list="v", action="none")
    assert [one["id"] for one in daemon.call("getSelection", list="l")["items"]] == ["b", "c"]
    daemon.call("select", list="v", action="all")
    got = [one["id"] for one in daemon.call("getSelection", list="l")["items"]]
    assert got == ["src", "b", "c", "doc"]


# Groups


def test_groups(daemon: Daemon) -> None:
    items = [{"id": 1, "g": "x"}, {"id": 2, "g": "y", "up": 1}, {"id": 3, "g": "y"}, {"id": 4, "g": "x"},
             {"id": 5, "up": 3}]  # fmt: skip
    show(daemon, items, sections={"by": "g"})

    def heads() -> Dict[str, Any]:
        made = daemon.call("getSnapshot", list="v")["sections"]
        return {s["id"]: [s["header"]["count"], [i["id"] for i in s["items"]]] for s in made}

    assert heads() == {"x": [2, [1, 4]], "y": [1, [3]]}
    change = edit(daemon, "expandAll", content=True)
    assert heads() == {"x": [3, [1, 2, 4]], "y": [2, [3, 5]]}
    kinds = [[op["op"] for op in stage] for stage in change["stages"]]
    assert kinds == [["insertItems", "insertItems"], ["reconfigureSections", "reconfigureItems",
                     "reconfigureItems"]]  # fmt: skip
    show(daemon, items, sections={"by": "g"}, window={"count": 1, "start": 1}, open="all")
    assert heads() == {"x": [3, [2]]}


# Lazy children


def test_lazy_items(daemon: Daemon) -> None:
    items = [{"id": "a", "lazy": True}, {"id": "b", "lazy": True, "up": "a"}, {"id": "c", "lazy": False},
             {"id": "d", "lazy": "true"}]  # fmt: skip
    show(daemon, items, open="all")
    assert picture(daemon) == "-a .+b c d"
    daemon.call("subscribe", list="v")
    daemon.settle()
    edit(daemon, ("expandItems", "b", "c", "a", "b"))
    notes = daemon.settle()
    assert [note["method"] for note in notes] == ["didChange", "didExpand"]
    assert notes[1]["params"] == {"list": "v", "items": ["b"], "request": notes[0]["params"]["request"]}
    assert picture(daemon) == "-a .-b c d"
    edit(daemon, ("expandItems", "b"))
    edit(daemon, ("collapseItems", "b"))
    edit(daemon, "expandAll", {"edit": "expandItems", "items": ["a"], "deep": True})
    edit(daemon, ("expandItems", "b"), ("collapseItems", "b"))
    assert picture(daemon) == "-a .+b c d" and told(daemon, "didExpand") == []
    edit(daemon, ("collapseItems", "a"), ("expandItems", "b"))
    assert [one["items"] for one in told(daemon, "didExpand")] == [["b"]], "hidden, but known"
    edit(daemon, ("collapseItems", "b"))
    daemon.call("editSnapshot", list="l", edits=[
        {"edit": "appendItems", "items": [{"id": "e", "up": "b"}]}])  # fmt: skip
    edit(daemon, ("expandItems", "b"))
    assert told(daemon, "didExpand") == [], "it has children"


def test_lazy_items_with_ambiguous_or_no_identifiers(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="a", items=[{"id": 1, "lazy": True}, {"t": "x", "lazy": True}])
    daemon.call("applySnapshot", list="b", items=[{"id": 1, "lazy": True}, {"id": 2, "lazy": True}])
    view = {"tree": {"parent": "up"}, "sections": "merge"}
    daemon.call("compose", list="v", sources=["a", "b"], view=view)
    daemon.call("subscribe", list="v", format="none")
    daemon.settle()
    refs = [{"id": 1, "source": "b"}, {"path": [0, 1]}, 2]
    edit(daemon, {"edit": "expandItems", "items": refs})
    assert told(daemon, "didExpand")[0]["items"] == [{"path": [0, 2]}, {"path": [0, 1]}, 2]


# Templates, copies, parts


def test_templates(daemon: Daemon) -> None:
    daemon.call("registerTemplates", templates={
        "Cell": "{indent:··}{expanded:▾|▸|·} {id}", "Odd": "{indent:{{|}}}{expanded:a}{expanded:x||y}"
    })  # fmt: skip
    items = [{"id": 1}, {"id": 2, "up": 1, "lazy": True}, {"id": 3, "up": 2, "template": "Odd"}, "b"]
    show(daemon, items, open=1)
    assert daemon.call("getText", list="v")["text"] == "▾ 1\n··▸ 2\n· b\n"
    change = edit(daemon, "expandAll", format="textEdits")
    assert [one["newText"] for one in change["textEdits"]] == ["··▾ 2\n{|}{|}y\n"]
    assert change["view"]["shown"] == 4 and change["counts"]["rows"]["updates"] == 1
    assert daemon.call("getText", list="l")["text"] == "· 1\n· 2\ny\n· b\n"


def test_copies_are_made_without_the_members(daemon: Daemon) -> None:
    nested = {"in": {"$level": 1, "$children": 2}}
    items = ["x", 5, {"id": "y", "up": "x"}, {}, nested, {"id": "p", "up": "x", "parts": ["q", {"id": "r"}]}]
    show(daemon, items, open="all")
    daemon.call("applySnapshot", list="copy", snapshot={"list": "v"})
    wanted = ["x", items[2], items[5], 5, {}, nested]
    assert same(daemon.call("getSnapshot", list="copy")["sections"][0]["items"], wanted)
    daemon.call("compose", list="outer", sources=["v"])
    daemon.call("applySnapshot", list="other", snapshot={"list": "outer", "revision": 1})
    assert same(daemon.call("getSnapshot", list="other")["sections"][0]["items"], wanted)
    rows = daemon.call("getSnapshot", list="copy", window={"start": 2, "count": 2})["rows"]
    assert [row["content"]["$part"] for row in rows] == ["q", {"id": "r"}]


def test_parts(daemon: Daemon) -> None:
    items = [{"id": 1, "parts": ["head", {"id": "body"}]}, {"id": 2, "up": 1}, {"id": 3, "up": 2, "parts": []}]
    show(daemon, items, open="all")
    told = daemon.call("getSnapshot", list="v", window={"start": 0, "count": 9})["rows"]
    assert [row["content"] for row in told] == [
        {"$part": "head", "$item": {"id": 1, "$level": 0, "$children": 1, "$expanded": True}},
        {"$part": {"id": "body"}, "$item": {"id": 1, "$level": 0, "$children": 1, "$expanded": True}},
        {"id": 2, "up": 1, "$level": 1, "$children": 1, "$expanded": True},
    ]
    daemon.call("select", list="v", cursor=2)
    assert edit(daemon, ("collapseItems", {"path": [0, 1]}))["cursor"] == [0, 0]
    found = daemon.call("locate", list="v", items=[1, 2, 3])["items"]
    assert [item and item["at"] for item in found] == [[0, 0], None, None]


def test_an_outline_of_an_outline(daemon: Daemon) -> None:
    show(daemon, open="all")
    view = {"tree": {"parent": "up"}, "sort": [{"by": "id"}]}
    daemon.call("compose", list="w", sources=["v"], view=view)
    assert rows(daemon, "w")[1] == {"id": "src", "$level": 0, "$children": 2, "$expanded": False}
    edit(daemon, ("collapseItems", "src"))
    assert rows(daemon, "w")[1] == {"id": "src", "$level": 0, "$children": 0}


def test_features_and_definitions(daemon: Daemon) -> None:
    told = daemon.call("initialize", require=["compose.view.tree", "compose.latest"])
    assert "applySnapshot.latest" in told["capabilities"]["features"]
    show(daemon, open=1.0)
    entry = daemon.call("getLists")["lists"][1]
    assert same(entry["definition"], {"tree": {"parent": "up", "open": 1}})
    assert entry["view"] == {"start": 0, "matched": 7, "total": 7, "shown": 5}
    assert daemon.call("getText", list="v")["view"] == entry["view"]
    assert daemon.call("subscribe", list="v")["view"] == entry["view"]
    daemon.call("compose", list="v", view={"sort": []})
    assert "shown" not in daemon.call("getLists")["lists"][1]["view"]


def test_a_chain_of_a_million_items_is_an_outline() -> None:
    count = 1_000_000
    with Daemon() as daemon:
        items = [{"id": 0}, *({"id": k, "up": k - 1} for k in range(1, count))]
        view = {"tree": {"parent": "up"}, "window": {"count": 2}}
        daemon.call("applySnapshot", list="l", items=items, format="none")
        assert daemon.call("compose", list="v", sources=["l"], view=view)["view"]["shown"] == 1
        assert edit(daemon, ("revealItems", count - 1))["view"]["shown"] == count
        view["window"] = {"start": {"item": count - 1, "before": 1}, "count": 2}
        daemon.call("compose", list="v", view=view)
        assert [row["$level"] for row in rows(daemon)] == [count - 2, count - 1]
        assert edit(daemon, ("collapseItems", 7))["view"] == {
            "start": 6, "matched": count, "total": count, "shown": 8,
        }  # fmt: skip
        assert edit(daemon, {"edit": "collapseItems", "items": [0], "deep": True})["view"]["shown"] == 1
        # The last one becomes the parent of the first: all are roots.
        daemon.call("editSnapshot", list="l", edits=[
            {"edit": "updateItems", "items": [{"id": 0, "up": count - 1}]}], format="none")  # fmt: skip
        assert daemon.call("getSnapshot", list="v")["view"]["shown"] == count
        view.update(match={"query": str(count - 1), "members": ["id"]})
        assert daemon.call("compose", list="v", view=view)["view"]["matched"] == 1
