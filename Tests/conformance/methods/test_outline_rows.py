"""Outlines, clause by clause: windows, the selection, lazy items and rows."""

from __future__ import annotations

from typing import Any, Dict, List

import pytest

from client import Daemon, Refused
from outline_requests import FILES, edit, ids, notifications, picture, rows, show
from values import same

pytestmark = pytest.mark.needs("compose", "subscribe")


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
    answer = daemon.call("select", list="v", items=["b"])
    assert answer["ops"] == [] and selected() == ["lib", "b", "c", "d"]
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
    answer = daemon.call("select", list="v", items=["b", "doc"])
    assert answer["ops"] == [{"op": "selectItems", "at": [0, 1], "count": 1}]
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
    assert picture(daemon) == "-a .+b c d" and notifications(daemon, "didExpand") == []
    edit(daemon, ("collapseItems", "a"), ("expandItems", "b"))
    assert [one["items"] for one in notifications(daemon, "didExpand")] == [["b"]], "hidden, but known"
    edit(daemon, ("collapseItems", "b"))
    daemon.call("editSnapshot", list="l", edits=[
        {"edit": "appendItems", "items": [{"id": "e", "up": "b"}]}])  # fmt: skip
    edit(daemon, ("expandItems", "b"))
    assert notifications(daemon, "didExpand") == [], "it has children"


def test_lazy_items_with_ambiguous_or_no_identifiers(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="a", items=[{"id": 1, "lazy": True}, {"t": "x", "lazy": True}])
    daemon.call("applySnapshot", list="b", items=[{"id": 1, "lazy": True}, {"id": 2, "lazy": True}])
    view = {"tree": {"parent": "up"}, "sections": "merge"}
    daemon.call("compose", list="v", sources=["a", "b"], view=view)
    daemon.call("subscribe", list="v", format="none")
    daemon.settle()
    refs = [{"id": 1, "source": "b"}, {"path": [0, 1]}, 2]
    edit(daemon, {"edit": "expandItems", "items": refs})
    assert notifications(daemon, "didExpand")[0]["items"] == [{"path": [0, 2]}, {"path": [0, 1]}, 2]


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
    answer = daemon.call("getSnapshot", list="v", window={"start": 0, "count": 9})["rows"]
    assert [row["content"] for row in answer] == [
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
    answer = daemon.call("initialize", require=["compose.view.tree", "compose.latest"])
    assert "applySnapshot.latest" in answer["capabilities"]["features"]
    show(daemon, open=1.0)
    entry = daemon.call("getLists")["lists"][1]
    assert same(entry["definition"], {"tree": {"parent": "up", "open": 1}})
    assert entry["view"] == {"start": 0, "matched": 7, "total": 7, "shown": 5}
    assert daemon.call("getText", list="v")["view"] == entry["view"]
    assert daemon.call("subscribe", list="v")["view"] == entry["view"]
    daemon.call("compose", list="v", view={"sort": []})
    assert "shown" not in daemon.call("getLists")["lists"][1]["view"]


# Promise: A chain of a million items is an outline.
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


def test_references_to_an_older_revision_name_rows_that_were_shown(daemon: Daemon) -> None:
    """Also items that are collapsed now, and the same part of an item."""
    files = [{"id": "a"}, {"id": "b", "up": "a", "parts": ["1", "2"]}, {"id": "c", "up": "a"}, {"id": "d"}]
    modes = [{"id": "s", "selectionMode": "multiple", "items": files}]
    daemon.call("applySnapshot", list="files", sections=modes)
    daemon.call("compose", list="v", sources=["files"], view={"tree": {"parent": "up", "open": 1}})
    edit(daemon, ("collapseItems", "a"))
    old = {"path": [0, 2], "revision": 1}
    daemon.call("select", list="v", items=[old, {"path": [0, 3], "revision": 1}], action="select")
    edit(daemon, ("expandItems", {"path": [0, 0], "revision": 1}))
    daemon.call("select", list="v", cursor=old)
    marks = daemon.call("getSelection", list="v")
    assert [item["id"] for item in marks["items"]] == ["b", "c"]
    assert marks["cursor"] == [0, 2]


def test_edits_select_items_in_all_lists_that_share_their_selection(daemon: Daemon) -> None:
    shared = {"selection": "source"}
    files = {"id": "s", "selectionMode": "multiple", "items": FILES}
    daemon.call("applySnapshot", list="files", sections=[files], selected=["d"])
    daemon.call("compose", list="v", sources=["files"], view={"tree": {"parent": "up"}, **shared})
    daemon.call("compose", list="both", sources=["files", "v"], view=shared)
    daemon.call("compose", list="query", sources=["v"], view={
        "tree": {"parent": "up"}, "match": {"query": "a", "members": ["text"]}, **shared})  # fmt: skip
    # The item of a branch that is collapsed stays selected.
    names = {"files": "a d", "v": "a d", "both": "a d a", "query": "a"}
    for edits in [[("expandItems", "src")], [("collapseItems", "src"), ("expandItems", "src")]]:
        edit(daemon, *edits, selected=["a"], cursor="a")
        for name, selected in names.items():
            marks = daemon.call("getSelection", list=name)
            assert " ".join(item["id"] for item in marks["items"]) == selected, (name, marks)
        assert daemon.call("getSelection", list="v")["cursor"] == [0, 1]
        daemon.call("select", list="both", items=["d"], action="replace")
        if names.pop("query", None):
            daemon.call("removeList", list="query")
    with pytest.raises(Refused):
        edit(daemon, ("expandItems", "lib"), selected=["a", "nothing"])
    assert [row["id"] for row in rows(daemon)] == ["src", "a", "lib", "doc"]


def test_the_items_of_an_outline_may_repeat_later(daemon: Daemon) -> None:
    again = {"text": "again", "up": 1}
    daemon.call("compose", list="shown", sources=["l"])
    daemon.call("compose", list="v", sources=["shown"], view={"tree": {"parent": "up"}})
    daemon.call("applySnapshot", list="l", items=[again, {"id": 1}, again])
    daemon.call("compose", list="shown", view={"window": {"count": 2, "start": 5}})
    edit(daemon, "expandAll")
    daemon.call("compose", list="v", view={"tree": {"parent": "up", "open": "all"}})
    daemon.call("editSnapshot", list="l", edits=[])
    daemon.call("compose", list="shown", view={})
    assert [(row["id"], row["$level"]) for row in rows(daemon) if "id" in row] == [(1, 0)]
    assert len(rows(daemon)) == 3


def test_an_outline_may_have_one_of_several_items(daemon: Daemon) -> None:
    again = {"text": "again", "up": 1}
    daemon.call("applySnapshot", list="l", items=[again, {"id": 1}, again])
    daemon.call("compose", list="shown", sources=["l"], view={"window": {"start": 1, "count": 2}})
    daemon.call("compose", list="v", sources=["shown"], view={"tree": {"parent": "up", "open": "all"}})
    daemon.call("select", list="v", items=[1])
    edits = [{"edit": "insertItems", "items": [{"id": 2, "up": 1}], "after": 1}]
    daemon.call("editSnapshot", list="l", edits=edits)
    assert ids(daemon, "v").split() == ["1", "2"]
    daemon.call("compose", list="shown", view={"window": {"start": 0, "count": 4}})
    assert len(rows(daemon)) == 4


def test_items_are_sorted_by_the_best_match_below_them(daemon: Daemon) -> None:
    files = [
        {"id": "x", "n": "x"}, {"id": "y", "n": "y"}, {"id": "a", "n": "m-ain", "up": "x"},
        {"id": "b", "n": "ma-in", "up": "y"}, {"id": "c", "n": "m-a-in", "up": "y"},
    ]  # fmt: skip
    daemon.call("applySnapshot", list="l", items=files)
    view = {"tree": {"parent": "up"}, "match": {"query": "main", "members": ["n"]}}
    daemon.call("compose", list="v", sources=["l"], view=view)
    assert ids(daemon) == "y b c x a"

    def change(**item: Any) -> None:
        edits = [{"edit": "updateItems", "items": [item]}]
        daemon.call("editSnapshot", list="l", edits=edits)

    change(id="a", n="main", up="x")
    assert ids(daemon) == "x a y b c"
    change(id="c", n="main", up="y")
    assert ids(daemon) == "x a y c b", "of equal ones, the first is first"
    change(id="a", n="m a i n", up="x")
    assert ids(daemon) == "y c b x a"
    change(id="c", n="none", up="y")
    assert ids(daemon) == "y b x a"
    change(id="x", n="main")
    assert ids(daemon) == "x a y b"
