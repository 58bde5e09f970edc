"""Python values as JSON: with orjson and without it, the same values are accepted, and errors name the others."""

# Promise: In Python the same values become the same JSON with `orjson` and without it, and errors name all others.
#   Also `Tests/clients/python`.

from __future__ import annotations

import collections
import datetime
import enum
import json
import math
import sys
import types
import uuid
from pathlib import Path
from typing import Any, Callable, Dict, List

import listd
import pandas  # type: ignore[import-untyped]
import pytest
from listd import preparing

INTEGERS = [2**63 - 1, 2**63, 2**64 - 1, 2**64, -(2**63), -(2**63) - 1, 10**300]


@pytest.fixture(params=["orjson", "json"], autouse=True)
def encoder(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both encoders."""
    assert preparing.orjson
    if request.param == "json":
        monkeypatch.setattr(preparing, "orjson", None)


class Colour(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 3


Point = collections.namedtuple("Point", "x y")


@pytest.mark.parametrize("value, wanted", [
    *((integer, integer) for integer in INTEGERS),
    (0.1, 0.1), (-0.0, -0.0), (1e300, 1e300), ("null", "null"), (None, None), ("\udcff", "\udcff"), ("ä\0\n", "ä\0\n"),
    ({2: "a", None: "b", True: "c"}, {"2": "a", "null": "b", "true": "c"}),
    (collections.OrderedDict(b=1, a=2), {"b": 1, "a": 2}), (types.MappingProxyType({"a": 1}), {"a": 1}),
    ((1, (2,)), [1, [2]]), (Point(1, 2), [1, 2]), (Colour.RED, "red"), (Level.HIGH, 3),
    (uuid.UUID(int=5), "00000000-0000-0000-0000-000000000005"),
    (pandas.Series([1.5]).iloc[0], 1.5), (pandas.Series([7]).iloc[0], 7), (pandas.Series({"a": 1}), {"a": 1}),
])  # fmt: skip
def test_values_arrive(inbox: listd.NamedList, value: Any, wanted: Any) -> None:
    inbox.apply([{"id": 1, "value": value}])
    [item] = inbox.snapshot().sections[0]["items"]
    assert item == {"id": 1, "value": wanted} and type(item["value"]) is type(wanted)


def test_deep_values_arrive(inbox: listd.NamedList) -> None:
    value: Any = 0
    for _ in range(400):  # orjson goes down to 254.
        value = [value]
    inbox.apply([{"id": 1, "value": value}])
    assert inbox.snapshot().sections[0]["items"] == [{"id": 1, "value": value}]


def cycle() -> Any:
    value: Dict[str, Any] = {}
    value["again"] = [value]
    return value


def deep() -> Any:
    value: Any = 0
    for _ in range(3000):
        value = [value]
    return value


@pytest.mark.parametrize("value, kind, message", [
    (math.nan, ValueError, r"^items\[2\]\.a\[1\]: nan is not a JSON number$"),
    (-math.inf, ValueError, r"^items\[2\]\.a\[1\]: -inf is not a JSON number$"),
    (pandas.Series([math.inf]).iloc[0], ValueError, r"^items\[2\]\.a\[1\]: inf is not a JSON number$"),
    (datetime.date(2026, 1, 2), TypeError, r"^items\[2\]\.a\[1\]: a date is not JSON; `default` may"),
    (pandas.Timestamp(0), TypeError, r"^items\[2\]\.a\[1\]: a Timestamp is not JSON; `default` may"),
    (pandas.NaT, TypeError, r"^items\[2\]\.a\[1\]: a NaTType is not JSON; `default` may"),
    ({"b": {(1, 2): 3}}, TypeError, r"^items\[2\]\.a\[1\]\.b: a tuple cannot be the name of a member$"),
    ({"b": b"bytes"}, TypeError, r"^items\[2\]\.a\[1\]\.b: a bytes is not JSON"),
    ({1, 2}, TypeError, r"^items\[2\]\.a\[1\]: a set is not JSON"),
    (cycle(), ValueError, r"^items\[2\]\.a\[1\]\.again\[0\]: the value contains itself$"),
    (deep(), ValueError, r"^items\[2\]\.a\[1\](\[0\])+: the value is nested deeper than 512$"),
])  # fmt: skip
def test_errors_name_the_value(inbox: listd.NamedList, value: Any, kind: Any, message: str) -> None:
    items = ["a", {"id": 1, "null": None}, {"id": 2, "a": [None, value]}]
    with pytest.raises(kind, match=message):
        inbox.apply(items)
    assert inbox.daemon.lists() == [] and inbox.apply(["b"]).revision == 1


@pytest.mark.skipif(not hasattr(sys, "get_int_max_str_digits"), reason="this Python writes integers of any length")
def test_integers_that_python_does_not_write(inbox: listd.NamedList) -> None:
    with pytest.raises(ValueError, match=r"^items\[0\]\.n: an integer of 20001 bits is too long$"):
        inbox.apply([{"id": 1, "n": 1 << 20_000}])


def test_default_converts_and_is_checked(inbox: listd.NamedList) -> None:
    inbox.apply([{"id": datetime.date(2026, 1, 2), "a": {1}}], default=str)
    assert inbox.snapshot().sections[0]["items"] == [{"id": "2026-01-02", "a": "{1}"}]
    nan: Callable[[Any], Any] = lambda _: math.nan  # noqa: E731
    with pytest.raises(ValueError, match=r"items\[0\]\.a: nan is not a JSON number"):
        inbox.apply([{"id": 1, "a": {1}}], default=nan)

    def fail(value: Any) -> Any:
        raise ValueError("not today")

    with pytest.raises(ValueError, match=r"items\[0\]\.a: not today"):
        inbox.apply([{"id": 1, "a": {1}}], default=fail)


@pytest.mark.parametrize("key, wanted", [
    ("pid", 7), ("at.host", "a"), (["at.host", "pid"], '"a",7'),
])  # fmt: skip
def test_keys(inbox: listd.NamedList, key: Any, wanted: Any) -> None:
    item = {"pid": 7, "at": {"host": "a"}}
    for change in (
        inbox.apply([item], key=key),
        inbox.apply([], key=key),
        inbox.apply(sections=[{"id": 1, "items": [item]}], key=key),
        inbox.edit(listd.edits.put_items({**item, "new": 1}), key=key),
        inbox.daemon.diff([], [item], key=key, content="both"),
        inbox.daemon.diff({"sections": [{"id": 1, "items": [item]}]}, {"list": "inbox"}, key=key, content="both"),
        inbox.daemon.diff({"list": "inbox"}, {
            "list": "inbox", "edits": [listd.edits.update_items(item), listd.edits.append_sections({"id": 2})],
        }, key=key, content="both"),
    ):  # fmt: skip
        [row] = change.each()
        assert row.id == wanted and row.old in (None, item, {**item, "new": 1})
    assert inbox.snapshot().items == [{**item, "new": 1}] and item == {"pid": 7, "at": {"host": "a"}}
    assert inbox.daemon.diff("inbox", {"list": "inbox"}, key=key).rows == listd.Counts(0, 0, 0, 0)


@pytest.mark.parametrize("items, key, kind, message", [
    ([{"pid": 1}, {"p": 2}], "pid", listd.InvalidParams, r"^/params/items/1/pid: missing"),
    ([{"a": 1}], ["a", "b"], listd.InvalidParams, r"^/params/items/0/b: missing"),
    ([{"a": None}], "a.b", listd.InvalidParams, r"^/params/items/0/a\.b: missing"),
    ("abc", "pid", TypeError, r"^items is one str, not a list of items$"),
    ({"id": 1}, None, TypeError, r"^items is one dict, not a list of items$"),
])  # fmt: skip
def test_keys_that_are_missing(inbox: listd.NamedList, items: Any, key: Any, kind: Any, message: str) -> None:
    with pytest.raises(kind, match=message):
        inbox.apply(items, key=key)


def test_a_frame_of_pandas(inbox: listd.NamedList) -> None:
    frame = pandas.DataFrame({
        "name": ["a", "b"], "size": [1.5, None], "count": pandas.array([None, 2**60], "Int64"),
        "at": pandas.to_datetime(["2026-01-02T03:04:05", None]), 7: [True, False],
    })  # fmt: skip
    inbox.apply(frame, key="name")
    assert inbox.snapshot().sections[0]["items"] == [
        {"name": "a", "size": 1.5, "count": None, "at": "2026-01-02T03:04:05", "7": True},
        {"name": "b", "size": None, "count": 2**60, "at": None, "7": False},
    ]
    change = inbox.apply(frame.sort_values("name", ascending=False), key="name")
    assert str(change) == "1 moved" and [row.id for row in change.each()] == ["b"]
    assert str(inbox.daemon.diff(frame, frame[::-1], key="name")) == "1 moved"
    inbox.apply(frame.set_index("name")[["size"]], key="name")
    assert inbox.snapshot().sections[0]["items"][0] == {"name": "a", "size": 1.5}
    inbox.apply(frame[["name", "at"]], key="name", default=lambda date: date.year)
    assert inbox.snapshot().sections[0]["items"][0]["at"] == 2026
    rows = [row for _, row in frame[["name", 7]].iterrows()]
    inbox.apply(rows, key="name")
    assert inbox.snapshot().sections[0]["items"][0] == {"name": "a", "7": True}
    inbox.apply(frame[["name"]].iloc[:0])
    assert inbox.snapshot().sections[0]["items"] == []


def test_frames_of_other_libraries(inbox: listd.NamedList) -> None:
    class Frame:
        def to_dicts(self) -> List[Any]:
            return [{"id": 1, "a": "b"}]

    inbox.apply(Frame(), key="id")  # type: ignore[arg-type]
    assert inbox.snapshot().sections[0]["items"] == [{"id": 1, "a": "b"}]


def test_both_encoders_write_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    value = {"id": 1, "params": {"a": [1, 2.5, None, True, "ä\u2028\"\\"], "b": Point(1, 2), "c": 2**70}}
    encoded = preparing.encode(value)
    monkeypatch.setattr(preparing, "orjson", None)
    assert json.loads(encoded) == json.loads(preparing.encode(value)) == json.loads(json.dumps(value))
