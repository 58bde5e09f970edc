"""applySnapshot: revisions, parameters, results."""

from __future__ import annotations

from typing import Any

import pytest

from client import Daemon
from values import dumps


def rows(*names: Any) -> Any:
    return [{"id": name, "v": 0} for name in names]


def apply(daemon: Daemon, *items: Any, **more: Any) -> Any:
    return daemon.call("applySnapshot", {"list": "l", "items": list(items), **more})


def test_the_first_snapshot_makes_the_list(daemon: Daemon) -> None:
    answer = apply(daemon, "a", "b")
    assert answer["revision"] > 0 and type(answer["revision"]) is int
    wanted = {
        "list": "l", "baseRevision": 0, "revision": answer["revision"], "format": "stages",
        "stages": [[{"op": "insertSections", "at": 0, "count": 1, "rows": [2]}]],
        "counts": {
            "rows": {"deletes": 0, "inserts": 2, "moves": 0, "updates": 0},
            "sections": {"deletes": 0, "inserts": 1, "moves": 0, "updates": 0},
        },
        "selection": [], "cursor": None, "deselected": [],
    }  # fmt: skip
    assert {name: answer.get(name) for name in wanted} == wanted


def test_items_are_one_section_named_main(daemon: Daemon) -> None:
    apply(daemon, "a")
    answer = daemon.call("applySnapshot", list="l", sections=[{"id": "main", "items": ["a"]}])
    assert answer["stages"] == []
    assert daemon.call("getSnapshot", list="l")["sections"] == [{"id": "main", "items": ["a"]}]


def test_revisions_grow_and_each_change_bases_on_the_last(daemon: Daemon) -> None:
    last = 0
    for k in range(20):
        answer = apply(daemon, *range(k % 3, 9))
        assert answer["baseRevision"] == last
        assert answer["revision"] > last
        last = answer["revision"]


def test_an_equal_snapshot_keeps_the_revision(daemon: Daemon) -> None:
    first = apply(daemon, {"id": 1, "a": 1, "b": [1, "A"]}, "x")
    sent = (
        '{"jsonrpc":"2.0","id":5,"method":"applySnapshot","params":{"items":[ {"b":[1.0,"\\u0041"],'
    )
    daemon.raw((sent + '"a":10e-1,"id":9,"id":1},"x"],"list":"l"}}\n').encode())
    answer = daemon.reply()["result"]
    assert (answer["baseRevision"], answer["revision"]) == (first["revision"],) * 2
    assert answer["stages"] == [] and answer["counts"]["rows"]["updates"] == 0
    assert daemon.call("getSnapshot", list="l")["revision"] == first["revision"]


@pytest.mark.parametrize(
    "one, other",
    [
        ("1", "true"), ("0", "false"), ("0", "null"), ('""', "null"), ("[]", "{}"), ('"1"', "1"),
        ("[1,2]", "[2,1]"), ('{"a":null}', "{}"), ("12345678901234567890", "12345678901234567891"),
        ("1e400", "1e401"), ("0.1", "0.10000000000000000001"), ('"é"', '"e\u0301"'),
        ('"a"', '"A"'), ("1e-400", "0"), ("9007199254740993", "9007199254740992"), ("-1", "1"),
    ],
)  # fmt: skip
def test_contents_that_differ(daemon: Daemon, one: str, other: str) -> None:
    assert updates(daemon, one, other) == 1


@pytest.mark.parametrize(
    "one, other",
    [
        ("1", "1.0"), ("1", "1e0"), ("100", "1E+2"), ("0", "-0"), ("0", "0e5"), ("0.5", "5e-1"),
        ('"a"', '"\\u0061"'), ('"/"', '"\\/"'), ('"🙂"', '"\\ud83d\\ude42"'), ("[ ]", "[]"),
        ('{"a":1,"b":2}', '{"b":2,"a":1}'), ('{"a":1,"a":2}', '{"a":2}'), ("1e400", "10e399"),
        ('{"\\u0061":1}', '{"a":1}'), ("120e-1", "12"), ("1e-400", "0.1e-399"),
        ("123456789012345678901234567890", "1.2345678901234567890123456789e29"),
    ],
)  # fmt: skip
def test_contents_that_are_the_same(daemon: Daemon, one: str, other: str) -> None:
    assert updates(daemon, one, other) == 0


def updates(daemon: Daemon, *values: str) -> int:
    """The number of updates from an item with one value to an item with the other."""
    for value in values:
        sent = '{"jsonrpc":"2.0","id":1,"method":"applySnapshot","params":{"list":"l","items":'
        daemon.raw((sent + '[{"id":1,"v":%s}]}}\n' % value).encode())
        answer = daemon.reply()["result"]
    return answer["counts"]["rows"]["updates"]


def test_contents_are_returned_as_they_were_written(daemon: Daemon) -> None:
    item = '{"v":1.10e+2,"id":12345678901234567890,"s":"\\u0041\\/é","z":{"b":1,"a":-0.0}}'
    sent = '{"jsonrpc":"2.0","id":1,"method":"applySnapshot","params":{"list":"l","content":true,'
    daemon.raw((sent + '"items":[%s]}}\n' % item).encode())
    assert item in daemon.receive()
    daemon.raw(b'{"jsonrpc":"2.0","id":1,"method":"getSnapshot","params":{"list":"l"}}\n')
    assert item in daemon.receive()


def test_equal_snapshots_keep_the_older_spelling(daemon: Daemon) -> None:
    for item in ('{"id":1,"v":1}', '{"v":1.0,"id":1}'):
        sent = (
            '{"jsonrpc":"2.0","id":1,"method":"applySnapshot","params":{"list":"l","items":[%s]}}\n'
        )
        daemon.raw((sent % item).encode())
        daemon.receive()
    daemon.raw(b'{"jsonrpc":"2.0","id":1,"method":"getSnapshot","params":{"list":"l"}}\n')
    assert '{"id":1,"v":1}' in daemon.receive()


def test_base_revision(daemon: Daemon) -> None:
    first = apply(daemon, 1, baseRevision=0)["revision"]
    second = apply(daemon, 2, baseRevision=first)["revision"]
    for base in (0, first, second + 1):
        refusal = daemon.refused(-31003, "applySnapshot", list="l", items=[], baseRevision=base)
        assert refusal.data["baseRevision"] == base and refusal.data["current"] == second
    refusal = daemon.refused(-31003, "applySnapshot", list="new", items=[], baseRevision=1)
    assert refusal.data["current"] == 0
    assert len(daemon.call("getLists")["lists"]) == 1


def test_revisions_are_never_used_again(daemon: Daemon) -> None:
    seen = {0}
    for k in range(4):
        for n in range(3):
            answer = apply(daemon, k, n, baseRevision=0) if n == 0 else apply(daemon, k, n)
            assert answer["revision"] > max(seen)
            seen.add(answer["revision"])
        assert daemon.call("removeList", list="l") is None


def test_a_way_back_is_a_new_revision(daemon: Daemon) -> None:
    first = apply(daemon, 1, 2)["revision"]
    second = apply(daemon, 2, 3)["revision"]
    back = daemon.call("applySnapshot", list="l", snapshot={"list": "l", "revision": first})
    assert back["revision"] > second and back["counts"]["rows"]["inserts"] == 1
    assert daemon.call("getSnapshot", list="l")["sections"][0]["items"] == [1, 2]
    again = daemon.call("applySnapshot", list="l", snapshot={"list": "l"})
    assert again["revision"] == back["revision"] and again["stages"] == []


def test_a_copy_of_a_list(daemon: Daemon) -> None:
    apply(daemon, *rows(1, 2))
    daemon.call("applySnapshot", list="copy", snapshot={"list": "l"})
    apply(daemon)
    assert daemon.call("getSnapshot", list="copy")["sections"][0]["items"] == rows(1, 2)
    refusal = daemon.refused(-31001, "applySnapshot", list="c", snapshot={"list": "m"})
    assert refusal.data["reason"] == "listNotFound" and refusal.data["list"] == "m"


def test_a_snapshot_in_either_form(daemon: Daemon) -> None:
    answer = daemon.call("applySnapshot", list="l", snapshot={"items": [1]})
    again = daemon.call(
        "applySnapshot", list="l", snapshot={"sections": [{"id": "main", "items": [1]}]}
    )
    assert again["revision"] == answer["revision"]
    for snapshot in ({}, {"items": [], "sections": []}, {"items": [], "list": "l"}, {"nope": 1}):
        daemon.refused(-32602, "applySnapshot", list="l", snapshot=snapshot)


def test_without_a_format_there_is_no_change(daemon: Daemon) -> None:
    apply(daemon, 1)
    answer = apply(daemon, 2, format="none")
    assert answer["format"] == "none" and not {"stages", "ops", "jsonPatch", "textEdits"} & set(answer)
    assert {"list", "baseRevision", "revision", "selection", "cursor", "deselected"} <= set(answer)


def test_too_many_ops(daemon: Daemon) -> None:
    apply(daemon, *range(10))
    answer = apply(daemon, 0, 9, 2, 7, 4, 5, 6, 3, 8, 1, maxOps=2)
    assert answer["reload"] is True and not answer.get("stages")
    answer = apply(daemon, *range(10), maxOps=100)
    assert "reload" not in answer and answer["stages"]
    entries = sum(len(stage) for stage in answer["stages"])
    apply(daemon, 0, 9, 2, 7, 4, 5, 6, 3, 8, 1)
    answer = apply(daemon, *range(10), maxOps=entries)
    assert "reload" not in answer
    apply(daemon, 0, 9, 2, 7, 4, 5, 6, 3, 8, 1)
    assert apply(daemon, *range(10), maxOps=entries - 1)["reload"] is True
    answer = apply(daemon, *range(10), maxOps=0)
    assert "reload" not in answer and answer["stages"] == []


def test_ranges_count_as_one_entry(daemon: Daemon) -> None:
    apply(daemon, *range(10))
    assert "reload" not in apply(daemon, *range(100), maxOps=1)


def test_a_refused_request_changes_nothing(daemon: Daemon) -> None:
    before = apply(daemon, *rows(1, 2), selected=[1], cursor=2)
    for more, code in [
        ({"items": rows(1, 1)}, -31004), ({"items": rows(3), "selected": [4]}, -31005),
        ({"items": rows(3), "cursor": 1}, -31005), ({"items": [True]}, -32602),
        ({"items": rows(3), "nope": 1}, -32602), ({"items": rows(3), "baseRevision": 7}, -31003),
    ]:  # fmt: skip
        daemon.refused(code, "applySnapshot", {"list": "l", **more})
        answer = daemon.call("getSnapshot", list="l")
        assert answer["revision"] == before["revision"], dumps(more)
        assert answer["sections"][0]["items"] == rows(1, 2)
        assert answer["selection"] == before["selection"] and answer["cursor"] == [0, 1]


def test_unknown_revisions_are_reported_with_the_kept_ones(daemon: Daemon) -> None:
    first, second = apply(daemon, 1)["revision"], apply(daemon, 2)["revision"]
    refusal = daemon.refused(
        -31002, "applySnapshot", list="l", snapshot={"list": "l", "revision": second + 9}
    )
    assert refusal.data["revision"] == second + 9
    assert (refusal.data["oldest"], refusal.data["current"]) == (first, second)


def test_the_previous_revision_is_always_kept() -> None:
    with Daemon("--history-bytes=1") as daemon:
        revisions = [apply(daemon, *rows(*range(k, 500 + k)))["revision"] for k in range(4)]
        daemon.call("getSnapshot", list="l", revision=revisions[2])
        refusal = daemon.refused(-31002, "getSnapshot", list="l", revision=revisions[0])
        assert refusal.data["oldest"] == revisions[2]
        assert refusal.data["current"] == revisions[3]


def test_what_a_snapshot_selects(daemon: Daemon) -> None:
    answer = apply(daemon, *rows("a", "b", "c"), selected=["b"], cursor={"path": [0, 2]})
    assert answer["selection"] == [{"at": [0, 1], "count": 1}] and answer["cursor"] == [0, 2]
    answer = apply(daemon, *rows("c", "a"))
    assert answer["selection"] == [] and answer["cursor"] == [0, 0]
    assert answer["deselected"] == [{"id": "b", "at": [0, 1], "gone": True}]


def test_a_new_selection_takes_the_place_of_the_old(daemon: Daemon) -> None:
    apply(daemon, *rows("a", "b", "c"), selected=["b"])
    answer = apply(daemon, *rows("x", "a", "b"), selected=["a"])
    assert answer["selection"] == [{"at": [0, 1], "count": 1}]
    assert answer["deselected"] == [{"id": "b", "at": [0, 1], "gone": False}]
    answer = apply(daemon, *rows("x", "a", "b"), selected=[])
    assert answer["selection"] == [] and answer["deselected"][0]["id"] == "a"


def test_an_old_path_is_carried_to_the_new_snapshot(daemon: Daemon) -> None:
    first = apply(daemon, *rows("a", "b", "c"))["revision"]
    apply(daemon, *rows("c", "b"))
    path = {"path": [0, 2], "revision": first}
    answer = apply(daemon, *rows("x", "y", "c"), selected=[path], cursor=path)
    assert answer["selection"] == [{"at": [0, 2], "count": 1}] and answer["cursor"] == [0, 2]
