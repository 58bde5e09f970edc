"""Spellings: numbers, null, unknown and reserved members."""

# Promise: Spellings of an integer are equal; `null` is the same as absence; reserved and unknown names are refused,
#   and the message begins with the pointer.

from __future__ import annotations

import json
from typing import Any

import pytest

from client import Daemon

ITEMS = [{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]


def raw(daemon: Daemon, method: str, params: str) -> Any:
    """The answer to params that are sent verbatim."""
    message = f'{{"jsonrpc":"2.0","id":"raw","method":"{method}","params":{params}}}'
    daemon.raw(f"{message}\n".encode())
    return daemon.reply()


def revision(daemon: Daemon, items: str, name: str = "l") -> int:
    answer = raw(daemon, "applySnapshot", f'{{"list":"{name}","items":{items}}}')
    return answer["result"]["revision"]


@pytest.mark.parametrize("one", ["1", "1.0", "1e0", "10e-1", "0.1E+1", "1.000"])
def test_an_integer_may_be_spelled_in_any_way(daemon: Daemon, one: str) -> None:
    daemon.call("applySnapshot", list="l", items=ITEMS)
    window = raw(daemon, "getSnapshot", f'{{"list":"l","window":{{"start":{one},"count":{one}}}}}')
    assert [row["at"] for row in window["result"]["rows"]] == [[0, 1]]
    answer = raw(daemon, "select", f'{{"list":"l","items":[{one}]}}')
    assert answer["result"]["selection"] == [{"at": [0, 0], "count": 1}]
    answer = raw(daemon, "applySnapshot", f'{{"list":"l","baseRevision":{one},"items":[{one}]}}')
    assert answer["result"]["revision"] == 2
    answer = raw(daemon, "applySnapshot", f'{{"list":"m","items":[{{"id":{one}}},{{"id":1}}]}}')
    assert answer["error"]["code"] == -31004


@pytest.mark.parametrize("wrong", ["1.5", "1e-1", "1e1000", "1" * 1001, "-1e99999999999999999999"])
def test_an_identifier_is_an_integer_of_1000_digits_at_most(daemon: Daemon, wrong: str) -> None:
    for items in [f"[{wrong}]", f'[{{"id":{wrong}}}]']:
        answer = raw(daemon, "applySnapshot", f'{{"list":"l","items":{items}}}')
        assert answer["error"]["code"] == -32602, items[:40]
        assert answer["error"]["data"]["pointer"].startswith("/params/items/0")


def test_an_identifier_may_have_1000_digits(daemon: Daemon) -> None:
    assert revision(daemon, f"[{'1' * 1000}, 1e999, -{'9' * 1000}]") == 1
    assert revision(daemon, f"[{'1' * 1000}, 1{'0' * 999}, -{'9' * 1000}]") == 1


@pytest.mark.parametrize("member", ["id", "template", "selectable", "parts"])
def test_null_in_an_item_is_as_left_out(daemon: Daemon, member: str) -> None:
    rest = '"text":"a"' if member == "id" else '"id":1,"text":"a"'
    for first, second in [("", f',"{member}":null'), (f',"{member}":null', "")]:
        name = f"{member}{len(first)}"
        assert revision(daemon, f"[{{{rest}{first}}}]", name) == 1
        assert revision(daemon, f"[{{{rest}{second}}}]", name) == 1
    items = daemon.call("getSnapshot", list=f"{member}0")["sections"][0]["items"]
    assert items == [json.loads(f"{{{rest}}}")]


def test_null_in_a_part_is_as_left_out(daemon: Daemon) -> None:
    first = '[{"id":1,"parts":[{"id":null,"template":"T","text":"x"},{"id":"b","template":null}]}]'
    second = '[{"id":1,"parts":[{"template":"T","text":"x"},{"id":"b"}]}]'
    assert revision(daemon, first) == revision(daemon, second) == 1
    rows = daemon.call("getSnapshot", list="l", window={"start": 0, "count": 2})["rows"]
    assert rows[0]["content"] == {"$part": {"template": "T", "text": "x"}, "$item": {"id": 1}}


def test_the_last_of_repeated_members_counts_also_if_it_is_null(daemon: Daemon) -> None:
    first = '[{"id":1,"template":"A","template":null},{"id":2,"template":null,"template":"A"}]'
    assert revision(daemon, first) == revision(daemon, '[{"id":1},{"id":2,"template":"A"}]') == 1


@pytest.mark.parametrize(
    "member",
    ["header", "footer", "headerTemplate", "footerTemplate", "selectionMode",
     "allowsEmptySelection"],
)  # fmt: skip
def test_null_in_a_section_is_as_left_out(daemon: Daemon, member: str) -> None:
    sections = '{"list":"l","format":"jsonPatch","sections":[{"id":"s","items":["a"]%s}]}'
    answer = raw(daemon, "applySnapshot", sections % f',"{member}":null')
    assert answer["result"]["revision"] == 1
    answer = raw(daemon, "applySnapshot", sections % "")["result"]
    assert answer["revision"] == 1 and answer["jsonPatch"] == []
    answer = raw(daemon, "applySnapshot", sections % f',"{member}":null,"own":1')["result"]
    assert [op["path"] for op in answer["jsonPatch"]] == ["/sections/0/own"]


def test_null_in_an_edit_is_as_left_out(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="l", items=ITEMS)
    items = '[{"id":1,"text":"a","template":null,"parts":null}]'
    answer = raw(
        daemon, "editSnapshot", f'{{"list":"l","edits":[{{"edit":"updateItems","items":{items}}}]}}'
    )
    assert answer["result"]["revision"] == 1 and answer["result"]["stages"] == []


@pytest.mark.parametrize("name", ["$part", "$item", "$level", "$children", "$expanded"])
def test_reserved_names_are_refused(daemon: Daemon, name: str) -> None:
    escaped = "\\u0024" + name[1:]
    for item, pointer in [
        (f'{{"id":1,"{name}":1}}', f"/params/items/0/{name}"),
        (f'{{"id":1,"{escaped}":null}}', f"/params/items/0/{name}"),
        (f'{{"id":1,"parts":["x",{{"{name}":1}}]}}', f"/params/items/0/parts/1/{name}"),
    ]:
        answer = raw(daemon, "applySnapshot", f'{{"list":"l","items":[{item}]}}')
        assert answer["error"]["code"] == -32602
        assert answer["error"]["data"]["pointer"] == pointer
    assert revision(daemon, '[{"id":1,"$mine":1,"in":{"$part":1}}]') == 1


def test_methods_and_members_of_the_protocol_beneath_are_ignored(daemon: Daemon) -> None:
    for params in ["3", '"x"', "true", "[]", "null"]:
        answer = raw(daemon, "$/mine", params)
        assert answer["error"]["code"] == -32601, params
    daemon.raw(b'{"jsonrpc":"2.0","method":"$/mine","params":3}\n')
    assert raw(daemon, "getLists", '{"partialResultToken":[1]}')["result"] == {"lists": []}


def test_the_client_says_what_it_requires(daemon: Daemon) -> None:
    for params, missing in [
        ({"require": ["compose", "teleport"]}, ["teleport"]),
        ({"protocolVersion": 2}, ["protocolVersion 2"]),
    ]:
        refusal = daemon.refused(-32602, "initialize", params)
        assert refusal.data["missing"] == missing
    answer = daemon.call("initialize", {"protocolVersion": 1.0, "require": ["diff"]})
    assert {"diff", "snapshotRef.edits"} <= set(answer["capabilities"]["features"])


def test_a_message_over_several_lines_is_recognised(daemon: Daemon) -> None:
    daemon.raw(b'{"jsonrpc":"2.0",\n')
    answer = daemon.reply()
    assert answer["error"]["code"] == -32700
    assert "one line" in answer["error"]["message"]


@pytest.mark.parametrize(
    ("method", "params", "words"),
    [
        ("applySnapshot", {"items": []}, "/params/list: missing"),
        ("applySnapshot", {"list": "l", "sections": [{"items": []}]},
         "/params/sections/0/id: missing"),
        ("applySnapshot", {"list": "l", "sections": [{"id": 1}]},
         "/params/sections/0/items: missing"),
        ("applySnapshot", {"list": "l", "itms": []}, "/params/itms: unknown member"),
        ("editSnapshot", {"list": "l", "edits": [{"edit": "moveItem"}]},
         "/params/edits/0/edit: expected"),
        ("editSnapshot", {"list": "l", "edits": [{}]}, "/params/edits/0/edit: missing"),
        ("compose", {"list": "l", "sources": []}, "/params/list: "),
    ],
)  # fmt: skip
def test_messages_begin_with_the_pointer(
    daemon: Daemon, method: str, params: Any, words: str
) -> None:
    daemon.call("applySnapshot", list="l", items=[])
    refusal = daemon.refused(-32602, method, params)
    assert refusal.message.startswith(words), refusal.message
    assert refusal.message.startswith(refusal.data["pointer"] + ":")


def test_every_long_request_reports_progress(daemon: Daemon) -> None:
    many = [f"i{number}" for number in range(50_001)]
    requests = [
        ("applySnapshot", {"list": "l", "items": many, "format": "none"}),
        ("compose", {"list": "c", "sources": ["l"], "format": "none"}),
        ("diff", {"from": {"list": "l"}, "to": {"items": []}, "format": "none"}),
        ("editSnapshot", {"list": "l", "edits": [{"edit": "deleteAllItems"},
                          {"edit": "appendSections", "sections": [{"id": "s", "items": many}]}],
                          "format": "none"}),
        ("applySnapshot", {"list": "l", "items": [], "format": "none"}),
    ]  # fmt: skip
    for number, (method, params) in enumerate(requests):
        daemon.call(method, {**params, "workDoneToken": number})
        notes = [note for note in daemon.settle() if note["method"] == "$/progress"]
        kinds = [note["params"]["value"]["kind"] for note in notes]
        assert kinds[0] == "begin" and kinds[-1] == "end", method
