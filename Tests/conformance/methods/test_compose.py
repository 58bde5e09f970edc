"""compose: a list of the sections of its sources."""

from __future__ import annotations

import random
from typing import Any, List

import pytest

from change_laws import check
from client import Daemon
from random_snapshots import edited, snapshot
from values import picture, same

pytestmark = pytest.mark.needs("compose")


def tagged(source: str, sections: Any) -> List[Any]:
    """The sections of a composite; only for string ids that do not read as integers."""
    return [{**section, "id": f"{source}/{section['id']}"} for section in sections]


def shifted(sections: Any, by: int) -> List[Any]:
    """The sections with other item ids, so that no two sources share one."""
    return [
        {**section, "items": [{**item, "id": item["id"] + by} for item in section["items"]]}
        for section in sections
    ]


def apply(daemon: Daemon, name: str, *items: Any) -> Any:
    return daemon.call("applySnapshot", list=name, items=list(items))


@pytest.mark.needs("subscribe")
def test_the_change_of_a_composite_is_its_sources_change(
    daemon: Daemon, rng: random.Random
) -> None:
    offsets = {"a": 0, "b": 10**12}
    states = {name: shifted(snapshot(rng, 8, 3, "object"), by) for name, by in offsets.items()}
    for name, state in states.items():
        daemon.call("applySnapshot", list=name, sections=state)
    daemon.call("compose", list="c", sources=["a", "b"])
    daemon.call("subscribe", list="c")
    old = tagged("a", states["a"]) + tagged("b", states["b"])
    for _ in range(60):
        name = rng.choice("ab")
        fresh = shifted(edited(rng, shifted(states[name], -offsets[name]), "object"), offsets[name])
        states[name] = fresh
        change = daemon.call("applySnapshot", list=name, sections=fresh)
        new = tagged("a", states["a"]) + tagged("b", states["b"])
        notes = daemon.settle()
        assert bool(notes) == bool(change["stages"]), picture(new)
        for note in notes:
            check(old, new, note["params"]["stages"], note["params"]["counts"], content=True)
            assert [len(stage) for stage in note["params"]["stages"]] == [
                len(stage) for stage in change["stages"]
            ]
        assert same(daemon.call("getSnapshot", list="c")["sections"], new)
        old = new


def test_section_ids(daemon: Daemon) -> None:
    ids = ["s", 1, "1", "-7", '"q"', "01", "a/b"]
    sections = [{"id": id, "items": []} for id in ids]
    daemon.call("applySnapshot", list="a", sections=sections)
    daemon.call("compose", list="c", sources=["a"])
    response = [section["id"] for section in daemon.call("getSnapshot", list="c")["sections"]]
    assert response[:5] + response[6:] == [
        "a/s", "a/1", 'a/"1"', 'a/"-7"', 'a/"\\"q\\""', "a/a/b",
    ]  # fmt: skip


def test_items_are_distinguished_by_source(daemon: Daemon) -> None:
    for name in "ab":
        apply(daemon, name, {"id": 1}, {"id": 2})
    daemon.call("compose", list="c", sources=["a", "b"])
    response = daemon.call("select", list="c", items=[{"id": 2, "source": "b"}])
    assert response["selection"] == [{"at": [1, 1], "count": 1}]
    response = daemon.call("select", list="c", items=[2])
    assert {"at": [0, 1], "count": 1} in response["selection"]
    assert daemon.call("getSelection", list="a")["selection"] == []


def test_a_source_may_be_missing_yet(daemon: Daemon) -> None:
    daemon.call("compose", list="c", sources=["a", "b"])
    apply(daemon, "b", 1)
    response = daemon.call("getSnapshot", list="c")["sections"]
    assert response == [{"id": "b/main", "items": [1]}]
    daemon.call("removeList", list="b")
    assert daemon.call("getSnapshot", list="c")["sections"] == []


def test_it_is_read_only(daemon: Daemon) -> None:
    daemon.call("compose", list="c", sources=["a"])
    refusal = daemon.refused(-31007, "applySnapshot", list="c", items=[])
    assert refusal.data["reason"] == "readOnlyList" and refusal.data["sources"] == ["a"]


def test_cycles_and_names(daemon: Daemon) -> None:
    daemon.call("compose", list="c", sources=["d"])
    refusal = daemon.refused(-31010, "compose", list="d", sources=["c"])
    assert refusal.data["reason"] == "compositionCycle" and {"c", "d"} <= set(refusal.data["cycle"])
    daemon.refused(-31010, "compose", list="x", sources=["x"])
    daemon.refused(-32602, "compose", list="x", sources=["a", "a"])
    daemon.refused(-32602, "compose", list="x", sources=["a/b"])
    apply(daemon, "plain", 1)
    daemon.refused(-32602, "compose", list="plain", sources=["a"])


def test_composing_again_is_a_change(daemon: Daemon) -> None:
    apply(daemon, "a", 1)
    apply(daemon, "b", 2)
    daemon.call("compose", list="c", sources=["a", "b"])
    response = daemon.call("compose", list="c", sources=["b", "a"])
    assert response["counts"]["sections"]["moves"] == 1 and response["counts"]["rows"]["moves"] == 0
    [entry] = [e for e in daemon.call("getLists")["lists"] if e["list"] == "c"]
    assert entry["sources"] == ["b", "a"] and entry["rows"] == 2


@pytest.mark.needs("subscribe")
def test_sources_are_reported_before_composites(daemon: Daemon) -> None:
    daemon.call("compose", list="c", sources=["a"])
    daemon.call("compose", list="d", sources=["c", "a"])
    for name in "dca":
        daemon.call("subscribe", list=name)
    apply(daemon, "a", 1)
    assert [note["params"]["list"] for note in daemon.settle()] == ["a", "c", "d"]


def test_a_composite_compares_as_it_is_read(daemon: Daemon) -> None:
    apply(daemon, "a", {"id": 1}, {"id": 2}, "x")
    apply(daemon, "b", {"id": 3}, "x")
    daemon.call("compose", list="c", sources=["a", "b"])
    daemon.call("compose", list="d", sources=["c"])
    sections = daemon.call("getSnapshot", list="c")["sections"]
    for pair in [({"list": "c"}, {"sections": sections}), ({"sections": sections}, {"list": "c"})]:
        response = daemon.call("diff", {"from": pair[0], "to": pair[1]})
        assert response["stages"] == [], response
    response = daemon.call("diff", {"from": {"list": "c"}, "to": {"list": "d"}})
    assert response["counts"]["rows"] == {"deletes": 0, "inserts": 0, "moves": 5, "updates": 0}


@pytest.mark.needs("subscribe", "editSnapshot")
def test_a_forced_update_reaches_a_composite_by_two_ways(daemon: Daemon) -> None:
    apply(daemon, "a", {"id": 1})
    daemon.call("compose", list="m", sources=["a"])
    daemon.call("compose", list="n", sources=["m", "a"])
    daemon.call("subscribe", list="n")
    daemon.call("editSnapshot", list="a", edits=[{"edit": "reloadItems", "items": [1]}])
    [note] = daemon.settle()
    assert [op["at"] for stage in note["params"]["stages"] for op in stage] == [[0, 0], [1, 0]]


def test_a_path_is_named_by_its_id_and_occurrence(daemon: Daemon) -> None:
    """The answer of `locate` about a path in a composite is a reference to the same row."""
    daemon.call("applySnapshot", list="a", items=["x", "y", "x"])
    daemon.call("applySnapshot", list="b", items=["z", "x", "y"])
    daemon.call("compose", list="c", sources=["a", "b"])
    daemon.call("compose", list="d", sources=["b", "c"])
    for name, sizes in [("c", [3, 3]), ("d", [3, 3, 3])]:
        paths = [[section, row] for section, size in enumerate(sizes) for row in range(size)]
        response = daemon.call("locate", list=name, paths=paths)["paths"]
        refs = [{"id": row["id"], "occurrence": row["occurrence"]} for row in response]
        found = daemon.call("locate", list=name, items=refs)["items"]
        assert [place["at"] for place in found] == paths


def test_a_match_with_a_negative_score_is_in_the_view(daemon: Daemon) -> None:
    far = {"id": 1, "t": "z" + "x" * 90 + "z"}
    apply(daemon, "far", far, {"id": 2, "t": "zz"}, {"id": 3, "t": "z"})
    match = {"query": "zz", "members": ["t"]}
    found = daemon.call("locate", list="far", match=match, count=9)
    assert found["total"] == 2 and min(each["score"] for each in found["matches"]) < 0
    # The second time a window is moved, the third time the whole order is needed.
    for start, ids in [(0, [2]), (0, [2]), (1, [1]), (None, [2, 1]), (1, [1])]:
        window = {} if start is None else {"window": {"start": start, "count": 1}}
        view = {"match": match, "sections": "merge", **window}
        daemon.call("compose", list="v", sources=["far"], view=view)
        shown = daemon.call("getSnapshot", list="v")["sections"]
        assert [item["id"] for section in shown for item in section["items"]] == ids
    for order, ids in [("ascending", [1, 2]), ("descending", [2, 1])]:
        view = {"match": match, "sort": [{"by": "$score", "order": order}]}
        daemon.call("compose", list="v", sources=["far"], view=view)
        shown = daemon.call("getSnapshot", list="v")["sections"]
        assert [item["id"] for section in shown for item in section["items"]] == ids


@pytest.mark.needs("editSnapshot")
def test_a_query_sees_changes_since_the_last_one(daemon: Daemon) -> None:
    def compose(query: Any) -> None:
        match = {} if query is None else {"match": {"query": query}}
        view = {**match, "window": {"start": 0, "count": 3}}
        daemon.call("compose", list="v", sources=["a"], view=view)

    def shown() -> List[Any]:
        sections = daemon.call("getSnapshot", list="v")["sections"]
        return [item["id"] for section in sections for item in section["items"]]

    apply(daemon, "a", *({"id": number, "text": f"row {number}"} for number in range(9)))
    compose("8")
    assert shown() == [8]
    compose(None)
    assert shown() == [0, 1, 2]
    compose("7")
    assert shown() == [7]
    # While nothing is searched, rows change by an edit and by a snapshot, and move.
    compose(None)
    edit = {"edit": "updateItems", "items": [{"id": 2, "text": "row 7"}]}
    daemon.call("editSnapshot", list="a", edits=[edit])
    compose("7")
    assert shown() == [2, 7]
    compose(None)
    apply(daemon, "a", *({"id": number, "text": f"row {number}"} for number in (7, 5, 3, 77)))
    compose("7")
    assert shown() == [7, 77]


def test_a_long_sorted_view_follows_edits(daemon: Daemon, rng: random.Random) -> None:
    """Most of its items are passed by the sort keys of others that are known, which edits change."""
    rows = [{"id": k, "n": rng.randrange(300)} for k in range(2000)]
    apply(daemon, "a", *rows)
    view = {"sort": [{"by": "n", "order": "descending"}]}
    daemon.call("compose", list="v", sources=["a"], view=view)
    for turn in range(100):
        at = rng.randrange(len(rows) - 20)
        before = rows[rng.randrange(len(rows))]["id"]
        made = {"id": 2000 + turn, "n": rng.randrange(300)}
        if turn % 4 == 0:
            rows[at] = {"id": rows[at]["id"], "n": made["n"]}
            edit = {"edit": "updateItems", "items": [rows[at]]}
        elif turn % 4 == 1:
            edit = {"edit": "insertItems", "items": [made], "before": rows[at]["id"]}
            rows.insert(at, made)
        elif turn % 4 == 2:
            edit = {"edit": "deleteItems", "items": [row["id"] for row in rows[at : at + 15]]}
            del rows[at : at + 15]
        else:
            row = rows[at]
            edit = {"edit": "moveItems", "items": [row["id"]], "before": before}
            if row["id"] != before:
                rows.remove(row)
                rows.insert([other["id"] for other in rows].index(before), row)
        daemon.call("editSnapshot", list="a", edits=[edit], format="none")
        shown = daemon.call("getSnapshot", list="v")["sections"][0]["items"]
        assert shown == sorted(rows, key=lambda row: -row["n"]), picture(edit)
