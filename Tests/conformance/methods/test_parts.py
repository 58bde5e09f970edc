"""Parts: an item of several rows."""

from __future__ import annotations

import random
from typing import Any, Dict, List

import pytest

from client import Daemon
from format_cases import pair
from pair_checks import by_diff, by_diff_with_content, check_pairs
from random_snapshots import PAIRS
from values import places

POST = {"id": 1, "author": "A", "parts": [{"template": "Head"}, {"id": "t", "text": "x"}, "end"]}


@pytest.fixture(autouse=True)
def parts(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="probe", items=[{"id": 1, "parts": ["a", "b"]}])
    if daemon.call("getLists")["lists"][0]["rows"] != 2:
        pytest.skip("this listd has no parts")
    daemon.call("removeList", list="probe")


def apply(daemon: Daemon, *items: Any, **more: Any) -> Any:
    return daemon.call("applySnapshot", {"list": "l", "items": list(items), **more})


def post(rng: random.Random, id: int) -> Dict[str, Any]:
    names = rng.sample("abcd", rng.randrange(4))
    made: List[Any] = [{"id": name, "v": rng.randrange(2)} for name in names]
    made += [{"template": "Gap"}] * rng.randrange(3)
    rng.shuffle(made)
    return {"id": id, "w": rng.randrange(2), "parts": made}


def posts(rng: random.Random) -> Any:
    ids = rng.sample(range(6), rng.randrange(6))
    return [{"id": "main", "items": [post(rng, id) for id in ids]}]


def test_random_pairs_in_one_section(daemon: Daemon, rng: random.Random) -> None:
    pairs = [(posts(rng), posts(rng)) for _ in range(PAIRS // 4)]
    check_pairs(daemon, by_diff, pairs)
    check_pairs(daemon, by_diff_with_content, pairs)


def test_random_pairs_of_sections_with_repeated_items(daemon: Daemon, rng: random.Random) -> None:
    """The laws hold for rows, also with items without rows or with many among equal ones."""
    pairs = [with_headers_or_none(pair(rng)) for _ in range(PAIRS // 2)]
    check_pairs(daemon, by_diff, pairs)
    check_pairs(daemon, by_diff_with_content, pairs)


def with_headers_or_none(pair: Any) -> Any:
    """The pair without null headers, which the laws do not cover."""
    return tuple(
        [
            {k: v for k, v in entry.items() if v is not None or k not in ("header", "footer")}
            for entry in side
        ]
        for side in pair
    )


def test_one_row_a_part(daemon: Daemon) -> None:
    answer = apply(daemon, POST, {"id": 2, "parts": []}, "x")
    assert answer["counts"]["rows"]["inserts"] == 4
    entry = daemon.call("getLists")["lists"][0]
    assert (entry["items"], entry["rows"]) == (3, 4)
    assert daemon.call("getSnapshot", list="l")["sections"][0]["items"][0] == POST
    rows = daemon.call("getSnapshot", list="l", window={"start": 1, "count": 2})["rows"]
    item = {"id": 1, "author": "A"}
    assert rows[0] == {"at": [0, 1], "content": {"$part": POST["parts"][1], "$item": item}}
    assert rows[1]["content"] == {"$part": "end", "$item": item}


def test_a_change_of_one_part(daemon: Daemon) -> None:
    apply(daemon, POST)
    answer = apply(daemon, {**POST, "parts": [POST["parts"][0], {"id": "t", "text": "y"}, "end"]})
    assert answer["stages"] == [[{"op": "reconfigureItems", "at": [0, 1], "count": 1}]]
    answer = apply(daemon, {**POST, "author": "B", "parts": [{"id": "t", "text": "y"}]}, content=True)
    assert answer["counts"]["rows"] == {"deletes": 2, "inserts": 0, "moves": 0, "updates": 1}


def test_an_item_that_gets_parts_is_no_longer_a_row(daemon: Daemon) -> None:
    apply(daemon, {"id": 1})
    answer = apply(daemon, {"id": 1, "parts": []})
    assert answer["counts"]["rows"]["deletes"] == 1 and answer["revision"] != answer["baseRevision"]


@pytest.mark.parametrize(
    "items, code",
    [
        ([{"id": 1, "parts": [{"parts": []}]}], -32602), ([{"id": 1, "parts": 1}], -32602),
        ([{"id": 1, "parts": [True]}], -32602),
        ([{"id": 1, "parts": [{"id": 1}, {"id": 1}]}], -31004),
    ],
)  # fmt: skip
def test_wrong_parts(daemon: Daemon, items: Any, code: int) -> None:
    daemon.refused(code, "applySnapshot", list="l", items=items)


def test_selecting_one_part_selects_them_all(daemon: Daemon) -> None:
    apply(daemon, "x", POST, "y", selected=["x"])
    answer = daemon.call("select", list="l", items=[{"path": [0, 2]}])
    assert places(answer["selection"]) == [(0, 1), (0, 2), (0, 3)]
    assert daemon.call("getSelection", list="l")["items"] == [POST]
    assert daemon.call("getLists")["lists"][0]["selected"] in (1, 3)


def test_the_cursor_stands_on_a_row(daemon: Daemon) -> None:
    apply(daemon, "x", POST, cursor={"path": [0, 2]})
    answer = apply(daemon, POST, "x")
    assert answer["cursor"] == [0, 1]
    answer = apply(daemon, "x", {**POST, "parts": [{"template": "Head"}, "end"]})
    assert answer["cursor"] == [0, 1]
    assert daemon.call("select", list="l", cursor=1)["cursor"] == [0, 1]


@pytest.mark.needs("locate")
def test_locate(daemon: Daemon) -> None:
    revision = apply(daemon, "x", POST, "x")["revision"]
    answer = daemon.call(
        "locate", list="l", items=[1, {"id": "x", "occurrence": 1}, "y"],
        paths=[[0, 2], [0, 9], [0, 4]], sections=["main", "m"],
    )  # fmt: skip
    assert [item and item["at"] for item in answer["items"]] == [[0, 1], [0, 4], None]
    assert answer["sections"] == [0, None] and answer.get("revision", revision) == revision
    first, beyond, last = answer["paths"]
    assert first["id"] == 1 and first["occurrence"] == 0 and first["content"]["$part"]["id"] == "t"
    assert beyond is None and last["occurrence"] == 1 and last["content"] == "x"


def test_repeated_items_beside_one_without_rows_do_not_move(daemon: Daemon) -> None:
    empty = {"id": 9, "parts": []}
    daemon.call("applySnapshot", list="l", items=["x", empty, "a", "a"], selected=[])
    answer = daemon.call("applySnapshot", list="l", items=["x", "a", empty, "a"])
    assert answer["stages"] == [] and answer["counts"]["rows"]["moves"] == 0


@pytest.mark.parametrize("count", [2, 40])
def test_parts_with_a_member_that_is_null(daemon: Daemon, count: int) -> None:
    """The item is kept without the member, and each part is inside its text."""
    parts = ["head", *({"id": number, "n": number} for number in range(count))]
    nulls = ["head", *({**part, "template": None} for part in parts[1:2]), *parts[2:]]
    # The own members of the section replace the only other text of the message.
    section = {"id": "s", "items": [{"id": "a", "x": 1, "selectable": None, "parts": nulls}]}
    daemon.call("applySnapshot", list="l", sections=[section])
    edit = {"edit": "updateSections", "sections": [{"id": "s", "h": 1}]}
    daemon.call("editSnapshot", list="l", edits=[edit])
    daemon.call("applySnapshot", list="l", sections=[{"id": "s", "items": [*section["items"], "x"]}])
    shown = daemon.call("getSnapshot", list="l", window={"start": 0, "count": count + 2})["rows"]
    expected = [{"$part": part, "$item": {"id": "a", "x": 1}} for part in parts] + ["x"]
    assert [row["content"] for row in shown] == expected
