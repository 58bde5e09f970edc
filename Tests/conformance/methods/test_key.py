"""`key`: members that identify items without `id`."""

# Promise: Members that a request names identify its items, in every request that brings items, and after a restart.

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, List

import pytest

from client import Daemon, Refused

pytestmark = pytest.mark.needs("key")

CART = [{"sku": "A7", "n": 1}, {"sku": "B2", "n": 2}, {"sku": "C3", "n": 3}]


def rows(answer: Dict[str, Any]) -> List[int]:
    counts = answer["counts"]["rows"]
    return [counts[name] for name in ("deletes", "inserts", "moves", "updates")]


def test_items_keep_their_identity_and_their_content(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="l", key="sku", items=CART)
    changed = [CART[2], {"sku": "A7", "n": 9}, {"sku": "D4", "n": 4}]
    answer = daemon.call("applySnapshot", list="l", key="sku", items=changed, content=True)
    assert rows(answer) == [1, 1, 1, 1]
    assert daemon.call("getSnapshot", list="l")["sections"] == [{"id": "main", "items": changed}]
    selected = daemon.call("applySnapshot", list="l", key="sku", items=changed, selected=["D4"])
    assert selected["selection"] == [{"at": [0, 2], "count": 1}]
    gone = daemon.call("applySnapshot", list="l", key="sku", items=[])
    assert gone["deselected"] == [{"id": "D4", "at": [0, 2], "gone": True}]


@pytest.mark.parametrize(
    "key, item, id",
    [
        ("a", {"a": "x"}, "x"), ("a", {"a": 7}, 7), ("a", {"a": 7.0}, 7), ("a", {"a": 1.5}, "1.5"),
        ("a", {"a": True}, "true"), ("a", {"a": {"z": 1, "b": []}}, '{"z":1,"b":[]}'),
        ("a.b", {"a": {"b": "deep"}}, "deep"), ("a.b", {"a": {"b": "deep"}, "a.b": "whole"}, "whole"),
        (["a"], {"a": "x"}, "x"), (["a", "b"], {"b": "y", "a": 7}, '7,"y"'),
        ("a", {"a": "x", "id": "own"}, "own"), ("a", {"a": "x", "id": None}, "x"), ("a", "bare", "bare"),
        ("a", 12, 12),
    ],
)  # fmt: skip
def test_the_identity(daemon: Daemon, key: Any, item: Any, id: Any) -> None:
    daemon.call("applySnapshot", list="l", key=key, items=[item], selected=[id])
    assert daemon.call("applySnapshot", list="l", items=[])["deselected"][0]["id"] == id
    edits = [{"edit": "appendItems", "items": [item]}]
    daemon.call("editSnapshot", list="l", key=key, edits=edits, selected=[id])
    both = {"from": {"items": []}, "to": {"items": [item]}}
    assert rows(daemon.call("diff", {**both, "key": key})) == [0, 1, 0, 0]


def test_edits(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="l", key="sku", items=CART)
    edits = [
        {"edit": "updateItems", "items": [{"sku": "B2", "n": 20}]},
        {"edit": "putItems", "items": [{"sku": "E5"}, {"sku": "A7", "n": 10}]},
        {"edit": "deleteItems", "items": ["C3"]},
    ]
    assert rows(daemon.call("editSnapshot", list="l", key="sku", edits=edits)) == [1, 1, 0, 2]
    wanted = [{"sku": "A7", "n": 10}, {"sku": "B2", "n": 20}, {"sku": "E5"}]
    assert daemon.call("getSnapshot", list="l")["sections"][0]["items"] == wanted


def test_a_diff_of_given_snapshots(daemon: Daemon) -> None:
    states = {"from": {"items": CART}, "to": {"items": CART[::-1]}}
    assert rows(daemon.call("diff", {**states, "key": "sku"})) == [0, 0, 2, 0]
    assert rows(daemon.call("diff", states)) == [0, 0, 2, 0]
    states["to"] = {"items": [{**item, "n": 0} for item in CART]}
    assert rows(daemon.call("diff", {**states, "key": "sku"})) == [0, 0, 0, 3]
    assert rows(daemon.call("diff", states)) == [3, 3, 0, 0]
    edits = [{"edit": "appendItems", "items": [{"sku": "F6"}]}]
    daemon.call("applySnapshot", list="l", key="sku", items=CART)
    edited = {"from": {"list": "l"}, "to": {"list": "l", "edits": edits}}
    assert rows(daemon.call("diff", {**edited, "key": "sku"})) == [0, 1, 0, 0]


@pytest.mark.parametrize("last", ["items", "key"])
def test_a_request_counts_without_those_before_it(daemon: Daemon, last: str) -> None:
    """The members may be named before or after the items. Equal bytes may have another identity."""
    items = [{"id": "fixed"}] + [{"a": f"a{n}", "b": f"b{n}"} for n in range(40)]

    def apply(key: Any) -> List[int]:
        named = {} if key is None else {"key": key}
        content = {"items": items}
        parts = {**named, **content} if last == "items" else {**content, **named}
        return rows(daemon.call("applySnapshot", {"list": "l", **parts}))

    assert apply("a") == [0, 41, 0, 0]
    assert apply("a") == [0, 0, 0, 0]
    assert apply("b") == [40, 40, 0, 0]
    assert apply(None) == [40, 40, 0, 0]
    assert apply(None) == [0, 0, 0, 0]
    assert apply("a") == [40, 40, 0, 0]
    daemon.call("editSnapshot", list="l", edits=[{"edit": "appendItems", "items": [{"a": "new"}]}])
    items.append({"a": "new"})
    assert apply("a") == [1, 1, 0, 0]
    assert apply("a") == [0, 0, 0, 0]
    daemon.call("applySnapshot", list="l", snapshot={"list": "l", "revision": 3})
    assert apply("a") == [40, 41, 0, 0]


@pytest.mark.parametrize(
    "key, items, at",
    [
        ("a", [{"a": 1}, {"b": 2}], "/params/items/1/a"), ("a", [{"a": None}], "/params/items/0/a"),
        ("a", [{}], "/params/items/0/a"), (["a", "b"], [{"a": 1}], "/params/items/0/b"),
        ("a.b", [{"a": 1}], "/params/items/0/a.b"), ("$a", [], "/params/key"), ([], [], "/params/key"),
        (7, [], "/params/key"), ({"a": "b"}, [], "/params/key"), (["a", 1], [], "/params/key/1"),
    ],
)  # fmt: skip
def test_malformed(daemon: Daemon, key: Any, items: Any, at: str) -> None:
    with pytest.raises(Refused) as refused:
        daemon.call("applySnapshot", list="l", key=key, items=items)
    assert refused.value.code == -32602 and refused.value.data["pointer"] == at


def test_a_repeated_key(daemon: Daemon) -> None:
    items = [*CART, {"sku": "A7", "n": 5}]
    for call in (
        lambda: daemon.call("applySnapshot", list="l", key="sku", items=items),
        lambda: daemon.call("applySnapshot", {"list": "l", "items": items, "key": "sku"}),
        lambda: daemon.call("applySnapshot", list="l", key="sku", items=[*CART, {"id": "A7"}]),
    ):
        with pytest.raises(Refused) as refused:
            call()
        assert refused.value.code == -31004
        assert refused.value.data["duplicates"][0]["id"] == "A7"
    assert rows(daemon.call("applySnapshot", list="l", items=items)) == [0, 4, 0, 0]


def test_identities_outlive_the_daemon(tmp_path: Path) -> None:
    journal = ("--journal", str(tmp_path / "journal"))
    with Daemon(*journal) as daemon:
        daemon.call("applySnapshot", list="l", key="sku", items=CART, selected=["B2"])
        edits = [{"edit": "appendItems", "items": [{"sku": 4, "n": 4}]}, {"edit": "moveItems", "items": ["A7"], "after": "C3"}]
        daemon.call("editSnapshot", list="l", key="sku", edits=edits)
        before = daemon.call("getSnapshot", list="l")
    for _ in range(2):
        with Daemon(*journal) as daemon:
            assert daemon.call("getSnapshot", list="l") == before
            items = before["sections"][0]["items"]
            again = daemon.call("applySnapshot", list="l", key="sku", items=items)
            assert rows(again) == [0, 0, 0, 0] and again["revision"] == before["revision"]
            daemon.call("select", list="l", action="replace", items=["B2"])
            places = daemon.call("locate", list="l", items=["C3", 4, "A7"])["items"]
            assert [place["at"] for place in places] == [[0, 1], [0, 3], [0, 2]]


@pytest.mark.parametrize("first", ["a", None])
def test_other_identities_of_equal_items_outlive_the_daemon(tmp_path: Path, first: Any) -> None:
    journal = ("--journal", str(tmp_path / "journal"))
    items = [{"a": f"a{n}", "b": f"b{n}"} for n in range(9)]
    with Daemon(*journal) as daemon:
        daemon.call("applySnapshot", {"list": "l", "items": items, **({"key": first} if first else {})})
        daemon.call("applySnapshot", list="l", key="b", items=items)
    with Daemon(*journal) as daemon:
        daemon.call("select", list="l", action="replace", items=["b3"])
        assert rows(daemon.call("applySnapshot", list="l", key="b", items=items)) == [0, 0, 0, 0]


def test_a_composite_and_a_view(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="l", key="sku", items=CART)
    daemon.call("compose", list="v", sources=["l"], view={"sort": [{"by": "n", "order": "descending"}]})
    daemon.call("subscribe", list="v", content="both")
    edits = [{"edit": "updateItems", "items": [{"sku": "A7", "n": 7}]}]
    daemon.call("editSnapshot", list="l", key="sku", edits=edits)
    change = daemon.settle()[-1]["params"]
    assert rows(change) == [0, 0, 1, 1]
    assert change["stages"][-1][0]["old"] == [{"sku": "A7", "n": 1}]
