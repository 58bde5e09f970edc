"""Parameters: kinds, unknown members, null, empty containers, pointers."""

from __future__ import annotations

from typing import Any

import pytest

from client import Daemon
from values import dumps

APPLY = {"list": "l", "items": ["a"]}


@pytest.mark.parametrize("params", [{}, [], None])
def test_no_params_in_any_form(daemon: Daemon, params: Any) -> None:
    daemon.send({"jsonrpc": "2.0", "id": 1, "method": "getLists", "params": params})
    assert daemon.reply()["result"] == {"lists": []}


@pytest.mark.parametrize("params", ["x", 1, True, False, 1.5, ""])
def test_params_of_another_kind(daemon: Daemon, params: Any) -> None:
    daemon.send({"jsonrpc": "2.0", "id": 1, "method": "getLists", "params": params})
    assert daemon.reply()["error"]["code"] == -32600


@pytest.mark.parametrize("params", [[1], [{}], [None], ["l", []]])
def test_params_by_position(daemon: Daemon, params: Any) -> None:
    daemon.refused(-32602, "getLists", params)


@pytest.mark.parametrize(
    "member, nearest",
    [("itmes", "items"), ("baseRevison", "baseRevision"), ("Content", "content"), ("lits", "list")],
)
def test_an_unknown_member_is_reported_with_the_nearest_name(
    daemon: Daemon, member: str, nearest: str
) -> None:
    refusal = daemon.refused(-32602, "applySnapshot", {**APPLY, member: 1})
    assert refusal.data["pointer"] == f"/params/{member}"
    assert f"{nearest}" in refusal.text.replace(member, ""), refusal
    assert daemon.call("getLists") == {"lists": []}


def test_a_pointer_is_escaped(daemon: Daemon) -> None:
    refusal = daemon.refused(-32602, "applySnapshot", {**APPLY, "a/b~c": 1})
    assert refusal.data["pointer"] == "/params/a~1b~0c"


@pytest.mark.parametrize("member", ["_x", "_", "$x", "$", "workDoneToken"])
def test_ignored_members(daemon: Daemon, member: str) -> None:
    daemon.call("applySnapshot", {**APPLY, member: "t"})
    daemon.call("getLists", {member: "t"})


def test_initialize_ignores_unknown_members(daemon: Daemon) -> None:
    daemon.call("initialize", {"rootUri": None, "processId": None, "other": {"a": [1]}})


OPTIONAL = ["sections", "snapshot", "baseRevision", "format", "content", "maxOps", "selected",
            "cursor", "cursorPolicy"]  # fmt: skip


def test_an_optional_member_that_is_null_is_absent(daemon: Daemon) -> None:
    answer = daemon.call("applySnapshot", {**APPLY, **dict.fromkeys(OPTIONAL)})
    assert answer["format"] == "stages" and answer["cursor"] is None
    daemon.refused(-32602, "applySnapshot", list="l", items=None)
    daemon.refused(-32602, "applySnapshot", list=None, items=[])


def test_null_in_content_is_content(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="l", items=[{"id": 1, "v": None}])
    answer = daemon.call("applySnapshot", list="l", items=[{"id": 1}])
    assert answer["counts"]["rows"]["updates"] == 1


def test_an_empty_object_is_an_empty_array(daemon: Daemon) -> None:
    answer = daemon.call("applySnapshot", list="l", items={}, selected={})
    assert answer["counts"]["sections"]["inserts"] == 1
    daemon.call("applySnapshot", list="l", sections=[{"id": 1, "items": {}}])
    assert daemon.call("getLists")["lists"][0]["sections"] == 1
    daemon.call("applySnapshot", list="l", sections={})
    assert daemon.call("getLists")["lists"][0]["sections"] == 0
    daemon.refused(-32602, "applySnapshot", list="l", items={"a": 1})


def test_an_empty_array_is_an_empty_object(daemon: Daemon) -> None:
    """An item `[]` is an object without members."""
    daemon.call("initialize", {"clientInfo": [], "capabilities": []})
    daemon.call("applySnapshot", list="l", items=[[]])
    assert daemon.call("getLists")["lists"][0]["items"] == 1


WRONG: Any = [
    ({"list": 5, "items": []}, "/params/list"),
    ({"list": "l", "items": 5}, "/params/items"),
    ({"list": "l", "items": ["a", True]}, "/params/items/1"),
    ({"list": "l", "items": ["a", None]}, "/params/items/1"),
    ({"list": "l", "items": ["a", [1]]}, "/params/items/1"),
    ({"list": "l", "items": [1.5]}, "/params/items/0"),
    ({"list": "l", "items": [{"id": True}]}, "/params/items/0/id"),
    ({"list": "l", "items": [{"id": 1.5}]}, "/params/items/0/id"),
    ({"list": "l", "items": [{"id": {}}]}, "/params/items/0/id"),
    ({"list": "l", "items": [{"id": 1, "template": 1}]}, "/params/items/0/template"),
    ({"list": "l", "items": [{"id": 1, "selectable": "no"}]}, "/params/items/0/selectable"),
    ({"list": "l", "sections": [1]}, "/params/sections/0"),
    ({"list": "l", "sections": [{"id": "s", "items": []}, {"id": "t", "items": 1}]},
     "/params/sections/1/items"),
    ({"list": "l", "sections": [{"id": [1], "items": []}]}, "/params/sections/0/id"),
    ({"list": "l", "sections": [{"id": "s", "items": [], "selectionMode": "many"}]},
     "/params/sections/0/selectionMode"),
    ({"list": "l", "sections": [{"id": "s", "items": [], "allowsEmptySelection": 1}]},
     "/params/sections/0/allowsEmptySelection"),
    ({"list": "l", "sections": [{"id": "s", "items": [], "headerTemplate": 1}]},
     "/params/sections/0/headerTemplate"),
    ({"list": "l", "items": [], "format": "stage"}, "/params/format"),
    ({"list": "l", "items": [], "content": "yes"}, "/params/content"),
    ({"list": "l", "items": [], "maxOps": "3"}, "/params/maxOps"),
    ({"list": "l", "items": [], "maxOps": -1}, "/params/maxOps"),
    ({"list": "l", "items": [], "baseRevision": "0"}, "/params/baseRevision"),
    ({"list": "l", "items": ["a"], "selected": "a"}, "/params/selected"),
    ({"list": "l", "items": ["a"], "selected": [True]}, "/params/selected/0"),
    ({"list": "l", "items": ["a"], "cursor": 1.5}, "/params/cursor"),
    ({"list": "l", "items": ["a"], "cursorPolicy": "keep"}, "/params/cursorPolicy"),
]  # fmt: skip


@pytest.mark.parametrize("params, pointer", WRONG, ids=dumps)
def test_a_value_of_the_wrong_kind(daemon: Daemon, params: Any, pointer: str) -> None:
    refusal = daemon.refused(-32602, "applySnapshot", params)
    assert refusal.data["pointer"] == pointer, refusal
    assert refusal.data.get("expected"), refusal
    assert daemon.call("getLists") == {"lists": []}


MISSING: Any = [
    ("applySnapshot", {"items": []}),
    ("applySnapshot", {"list": "l"}),
    ("applySnapshot", {"list": "l", "sections": [{"items": []}]}),
    ("applySnapshot", {"list": "l", "sections": [{"id": "s"}]}),
    ("diff", {"from": {"items": []}}),
    ("diff", {"to": {"items": []}}),
    ("select", {}),
    ("getSnapshot", {}),
    ("removeList", {}),
    ("getSelection", None),
]


@pytest.mark.parametrize("method, params", MISSING, ids=dumps)
def test_a_member_that_must_be_there(daemon: Daemon, method: str, params: Any) -> None:
    refusal = daemon.refused(-32602, method, params)
    assert refusal.data["pointer"].startswith("/params"), refusal


@pytest.mark.parametrize(
    "more",
    [{"sections": []}, {"snapshot": {"items": []}}, {"sections": [], "snapshot": {"items": []}}],
    ids=dumps,
)
def test_one_source_of_a_snapshot_only(daemon: Daemon, more: Any) -> None:
    daemon.refused(-32602, "applySnapshot", {**APPLY, **more})


@pytest.mark.parametrize("name", ["l", "", "a b", "é", "e\u0301", "a/b", "x" * 1000, "\u0000"])
def test_any_string_names_a_list(daemon: Daemon, name: str) -> None:
    daemon.call("applySnapshot", list=name, items=[1])
    assert [entry["list"] for entry in daemon.call("getLists")["lists"]] == [name]


def test_names_are_never_normalised(daemon: Daemon) -> None:
    for name in ("é", "e\u0301", "ﬁ", "fi"):
        daemon.call("applySnapshot", list=name, items=[])
    assert len(daemon.call("getLists")["lists"]) == 4


@pytest.mark.parametrize("token", [1.5, True, {}, [1]])
def test_a_token_is_a_string_or_an_integer(daemon: Daemon, token: Any) -> None:
    text = '{"jsonrpc":"2.0","id":1,"method":"%s","params":{%s"workDoneToken":%s}}\n'
    for method, more in [("getLists", ""), ("applySnapshot", '"list":"l","items":["x"],')]:
        daemon.raw((text % (method, more, dumps(token))).encode())
        data = daemon.reply()["error"]["data"]
        assert data["pointer"] == "/params/workDoneToken"
    assert daemon.call("getLists", workDoneToken=None) == {"lists": []}
    assert daemon.call("getLists", workDoneToken=12345678901234567890) == {"lists": []}
