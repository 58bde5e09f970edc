"""Identities: repeated items, unique ids, and reported duplicates."""

# Promise: All duplicate and all missing identifiers are reported at once. Also
#   `test_all_duplicates_of_an_edit_are_reported_together`, `test_all_that_an_edit_misses`.

from __future__ import annotations

from typing import Any

import pytest

from client import Daemon
from values import dumps


def duplicates(daemon: Daemon, **params: Any) -> Any:
    refusal = daemon.refused(-31004, "applySnapshot", {"list": "l", **params})
    assert refusal.data["reason"] == "duplicateIdentifier"
    assert daemon.call("getLists") == {"lists": []}
    return sorted(refusal.data["duplicates"], key=dumps)


def test_all_duplicates_are_reported_at_once(daemon: Daemon) -> None:
    items = [{"id": "a"}, {"id": 1}, {"id": "a", "v": 1}, {"id": "b"}, {"id": 1}, {"id": "a"}]
    assert duplicates(daemon, items=items) == [
        {"id": "a", "pointers": ["/params/items/0", "/params/items/2", "/params/items/5"]},
        {"id": 1, "pointers": ["/params/items/1", "/params/items/4"]},
    ]


def test_duplicates_across_sections_and_of_sections(daemon: Daemon) -> None:
    sections = [
        {"id": "s", "items": [{"id": "x"}]}, {"id": "t", "items": ["y", {"id": "x"}]},
        {"id": "s", "items": []},
    ]  # fmt: skip
    assert duplicates(daemon, sections=sections) == [
        {"id": "s", "pointers": ["/params/sections/0", "/params/sections/2"]},
        {"id": "x", "pointers": ["/params/sections/0/items/0", "/params/sections/1/items/1"]},
    ]


def test_a_bare_value_and_the_same_id(daemon: Daemon) -> None:
    answer = duplicates(daemon, items=["a", "a", {"id": "a"}, 1, {"id": "1"}, {"id": 2}, "2"])
    pointers = ["/params/items/0", "/params/items/1", "/params/items/2"]
    assert answer == [{"id": "a", "pointers": pointers}]


def test_in_the_snapshot_member(daemon: Daemon) -> None:
    answer = duplicates(daemon, snapshot={"items": [{"id": 1}, {"id": 1}]})
    where = "/params/snapshot/items/"
    assert answer == [{"id": 1, "pointers": [where + "0", where + "1"]}]


@pytest.mark.parametrize("one, other", [("1", '"1"'), ('"é"', '"e\u0301"'), ('"a"', '"A"'),
    ("12345678901234567890", "12345678901234567891"), ("9007199254740993", "9007199254740992"),
    ('"ﬁ"', '"fi"'), ('""', '" "'), ('"\\u0000"', '""'), ("-1", "1")])  # fmt: skip
def test_ids_that_differ(daemon: Daemon, one: str, other: str) -> None:
    assert "error" not in reply(daemon, one, other)


@pytest.mark.parametrize("one, other", [('"a"', '"\\u0061"'), ('"é"', '"\\u00e9"'), ("7", "7"),
    ('"/"', '"\\/"'), ('"🙂"', '"\\ud83d\\ude42"')])  # fmt: skip
def test_ids_that_are_the_same(daemon: Daemon, one: str, other: str) -> None:
    error = reply(daemon, one, other)["error"]
    assert error["code"] == -31004 and len(error["data"]["duplicates"]) == 1


def reply(daemon: Daemon, *ids: str) -> Any:
    items = ",".join('{"\\u0069d":%s}' % id for id in ids)
    sent = '{"jsonrpc":"2.0","id":1,"method":"applySnapshot","params":{"list":"l","items":[%s]}}\n'
    daemon.raw((sent % items).encode())
    return daemon.reply()


@pytest.mark.parametrize("number", ["1e-1", "1.05", "-1.5", "10E-2", "0.5"])
def test_ids_with_fraction(daemon: Daemon, number: str) -> None:
    assert reply(daemon, number)["error"]["code"] == -32602


def test_of_a_repeated_id_member_the_last_counts(daemon: Daemon) -> None:
    sent = '{"jsonrpc":"2.0","id":1,"method":"applySnapshot","params":{"list":"l","items":'
    daemon.raw((sent + '[{"id":1,"id":2},{"id":1}]}}\n').encode())
    assert "result" in daemon.reply()


def test_items_without_an_id_may_repeat(daemon: Daemon) -> None:
    items = ["x", "x", 1, 1, {"t": 1}, {"t": 1.0}, {}, {}]
    daemon.call("applySnapshot", list="l", items=items)
    assert daemon.call("getLists")["lists"][0]["items"] == 8


def test_objects_without_an_id_are_the_same_by_value(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="l", items=[{"a": 1, "b": "A"}])
    sent = '{"jsonrpc":"2.0","id":1,"method":"applySnapshot","params":{"list":"l","items":'
    daemon.raw((sent + '[{"b":"\\u0041","a":1.0}]}}\n').encode())
    assert daemon.reply()["result"]["stages"] == []


def test_a_bare_value_becomes_an_object_with_that_id(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="l", items=["x", 5])
    answer = daemon.call("applySnapshot", list="l", items=[{"id": 5, "v": 1}, {"id": "x"}])
    rows = answer["counts"]["rows"]
    assert rows == {"deletes": 0, "inserts": 0, "moves": 1, "updates": 2}


def test_occurrences_name_equal_items(daemon: Daemon) -> None:
    section = {"id": "s", "selectionMode": "multiple", "items": ["x", "y", "x"]}
    more = {"id": "t", "selectionMode": "multiple", "items": ["x"]}
    daemon.call("applySnapshot", list="l", sections=[section, more])
    for occurrence, place in enumerate([[0, 0], [0, 2], [1, 0]]):
        ref = {"id": "x", "occurrence": occurrence}
        answer = daemon.call("select", list="l", action="replace", items=[ref])
        assert answer["selection"] == [{"at": place, "count": 1}]
    answer = daemon.call("select", list="l", action="replace", items=["x"])
    assert answer["selection"] == [{"at": [0, 0], "count": 1}]
    missing = {"id": "x", "occurrence": 3}
    refusal = daemon.refused(-31005, "select", list="l", items=[missing, "y", "z"])
    assert refusal.data["missing"] == [missing, "z"]


def test_duplicates_of_items_sections_and_parts_are_reported_together(daemon: Daemon) -> None:
    twins = [{"id": 1}, "t", {"id": 1}, {"id": "t"}, {"text": "p"}]
    sections = [
        {"id": "s", "items": [{"id": "x", "parts": twins}, {"id": "y", "parts": twins[::2]}]},
        {"id": "s", "items": [{"id": "x"}]},
    ]  # fmt: skip
    where = "/params/sections/0/items/"
    assert duplicates(daemon, sections=sections) == sorted([
        {"id": "s", "pointers": ["/params/sections/0", "/params/sections/1"]},
        {"id": "x", "pointers": [where + "0", "/params/sections/1/items/0"]},
        {"id": 1, "pointers": [where + "0/parts/0", where + "0/parts/2"]},
        {"id": "t", "pointers": [where + "0/parts/1", where + "0/parts/3"]},
        {"id": 1, "pointers": [where + "1/parts/0", where + "1/parts/1"]},
    ], key=dumps)  # fmt: skip


def test_duplicate_parts_are_reported_in_order(daemon: Daemon) -> None:
    answer = duplicates(daemon, items=[{"id": "x", "parts": [{"id": "p"} for _ in range(12)]}])
    assert answer == [{"id": "p", "pointers": [f"/params/items/0/parts/{k}" for k in range(12)]}]


def test_duplicates_of_both_sides_of_a_diff(daemon: Daemon) -> None:
    twins = {"items": [{"id": 1}, {"id": 1}]}
    answer = daemon.refused(-31004, "diff", {"from": twins, "to": twins}).data["duplicates"]
    assert answer == [
        {"id": 1, "pointers": [f"/params/{side}/items/{k}" for k in range(2)]}
        for side in ("from", "to")
    ]


def test_an_empty_array_is_an_item_without_members(daemon: Daemon) -> None:
    """An empty array counts as an object without members, but is kept as it was written."""
    daemon.call("applySnapshot", list="l", items=[{}, "x", []])
    answer = daemon.call("applySnapshot", list="l", items=[[], "x", {}])
    assert (answer["revision"], answer["stages"]) == (1, [])
    assert daemon.call("getSnapshot", list="l")["sections"][0]["items"] == [{}, "x", []]
    answer = daemon.call("applySnapshot", list="l", items=["x", [], []], content=True)
    assert answer["counts"]["rows"] == {"deletes": 0, "inserts": 0, "moves": 1, "updates": 0}
    place = daemon.call("locate", list="l", paths=[[0, 2]])["paths"][0]
    assert place == {"occurrence": 1, "content": [], "sectionId": "main"}


def test_an_empty_array_among_parts(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="l", items=[{"id": 1, "parts": ["a", {}, []]}])
    answer = daemon.call("applySnapshot", list="l", items=[{"id": 1, "parts": ["a", [], {}]}])
    assert answer["stages"] == []
    answer = daemon.call("applySnapshot", list="l", items=[{"id": 1, "parts": ["a", {}, [], "b"]}])
    assert answer["counts"]["rows"] == {"deletes": 0, "inserts": 1, "moves": 0, "updates": 0}
    text = daemon.call("getText", list="l")["text"]
    assert text == "a\n\n\nb\n"


def pointer_of(daemon: Daemon, method: str, params: Any) -> str:
    return daemon.refused(-32602, method, params).data["pointer"]


def test_an_empty_array_fails_as_an_empty_object(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="l", items=["x"])
    for method, params in [
        ("applySnapshot", lambda e: {"list": "l", "sections": [e]}),
        ("applySnapshot", lambda e: {"list": "l", "snapshot": e}),
        ("applySnapshot", lambda e: {"list": "l", "items": [], "cursor": e}),
        ("editSnapshot", lambda e: {"list": "l", "edits": [e]}),
        ("editSnapshot", lambda e: {"list": "l", "edits": [{"edit": "deleteItems", "items": [e]}]}),
        ("editSnapshot",
            lambda e: {"list": "l", "edits": [{"edit": "updateSections", "sections": [e]}]}),
        ("diff", lambda e: {"from": e, "to": {"items": []}}),
        ("select", lambda e: {"list": "l", "items": [e]}),
        ("locate", lambda e: {"list": "l", "items": [e]}),
        ("getSnapshot", lambda e: {"list": "l", "window": e}),
        ("getLists", lambda e: {"$": e, "x": e}),
        ("applySnapshot", lambda e: e),
    ]:  # fmt: skip
        answer = [pointer_of(daemon, method, params(empty)) for empty in ({}, [])]
        assert answer[0] == answer[1], answer
    assert daemon.call("registerTemplates", templates=[]) is None
    answer = daemon.call("locate", list="l", items={}, paths={})
    assert answer["items"] == answer["paths"] == []


def test_empty_arrays_and_objects_pass_the_self_check() -> None:
    with Daemon("--self-check") as daemon:
        for items in ([{}, [], "x"], [[], "x", {}], [{"id": 1, "parts": [[], {}]}, []],
            [{}, {"id": 1, "parts": [{}, "a", []]}]):  # fmt: skip
            for name in ("stages", "ops", "jsonPatch", "textEdits"):
                daemon.call("applySnapshot", list=name, items=items, format=name)
