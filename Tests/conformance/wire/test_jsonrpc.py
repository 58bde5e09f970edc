"""JSON-RPC 2.0 to the letter: ids, envelopes, notifications, batches, order."""

from __future__ import annotations

from typing import Any

import pytest

from client import Daemon, encode, line, notice, request, session

IDS = [
    b"1", b"0", b"-1", b"1.0", b"1e3", b"-0", b"12345678901234567890", b'"\\u0041"', b'"a\\/b"',
    b'""',
    b"null", b"0.1000", b'"\xc3\xa9\\n"', b'"\\ud83d\\ude00"', b"1E400",
]  # fmt: skip


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("method", [b"getLists", b"noSuchMethod"])
def test_an_id_is_echoed_byte_for_byte(id: bytes, method: bytes) -> None:
    outcome = session(b'{"jsonrpc":"2.0","id": %s ,"method":"%s"}\n' % (id, method))
    assert len(outcome.lines) == 1
    written = outcome.out.replace(b": ", b":").replace(b", ", b",")
    assert b'"id":' + id + b"," in written or b'"id":' + id + b"}" in written, outcome.out


@pytest.mark.parametrize("id", [b"true", b"{}", b"[]", b"[1]"])
def test_an_id_of_another_kind(id: bytes) -> None:
    [reply] = session(b'{"jsonrpc":"2.0","id":%s,"method":"getLists"}\n' % id).lines
    assert reply["error"]["code"] == -32600 and reply["id"] is None


def test_members_in_any_order_and_escaped() -> None:
    sent = b'{"params":{"list":"l","items":[1]},"\\u006dethod":"apply\\u0053napshot","id":7,'
    [reply] = session(sent + b'"jsonrpc":"2.\\u0030"}\n').lines
    assert reply["id"] == 7 and reply["result"]["list"] == "l"


def test_of_a_repeated_member_the_last_counts() -> None:
    sent = b'{"jsonrpc":"1.0","jsonrpc":"2.0","id":1,"id":2,"method":"x","method":"getLists"}\n'
    [reply] = session(sent).lines
    assert reply["id"] == 2 and "result" in reply


INVALID: Any = [
    {"jsonrpc": "1.0", "id": 1, "method": "getLists"},
    {"jsonrpc": 2.0, "id": 1, "method": "getLists"},
    {"id": 1, "method": "getLists"},
    {"jsonrpc": "2.0", "id": 1},
    {"jsonrpc": "2.0", "id": 1, "method": 1},
    {"jsonrpc": "2.0", "id": 1, "method": None},
    {"jsonrpc": "2.0", "method": 1, "params": "bar"},
    {"foo": "boo"},
    {},
]


@pytest.mark.parametrize("message", INVALID, ids=repr)
def test_an_invalid_request(daemon: Daemon, message: Any) -> None:
    daemon.send(message)
    reply = daemon.reply()
    assert reply["error"]["code"] == -32600 and reply["id"] in (None, message.get("id"))
    assert set(reply) == {"jsonrpc", "id", "error"} and reply["jsonrpc"] == "2.0"
    daemon.call("getLists")


@pytest.mark.parametrize("message", [b"1", b'"x"', b"null", b"true"])
def test_a_message_that_is_not_an_object(message: bytes) -> None:
    first, reply = session(line(request("getLists")) + message + b"\n").lines
    assert reply["error"]["code"] == -32600 and reply["id"] is None


def test_an_unknown_method(daemon: Daemon) -> None:
    refusal = daemon.refused(-32601, "applySnapshoot", list="l")
    assert isinstance(refusal.data["reason"], str)


@pytest.mark.parametrize("method", ["GetLists", "getlists", " getLists", "getLists\u0000", ""])
def test_methods_are_exact(daemon: Daemon, method: str) -> None:
    daemon.refused(-32601, method, None)


def test_notifications_are_never_answered(daemon: Daemon) -> None:
    daemon.notify("noSuchMethod")
    daemon.notify("applySnapshot", {"list": "l"})
    daemon.notify("applySnapshot", [1])
    daemon.notify("applySnapshot", {"list": "l", "items": [1, 2]})
    daemon.notify("getLists")
    [answer] = daemon.call("getLists")["lists"]
    assert answer["items"] == 2
    assert daemon.notifications == []


def test_replies_come_in_order(daemon: Daemon) -> None:
    calls = []
    for k in range(200):
        calls.append(("applySnapshot", {"list": "l", "items": list(range(k % 7, 300))}))
        calls.append(("getLists", None))
    answer = daemon.pipeline(calls)
    rows = [entry["lists"][0]["rows"] for entry in answer[1::2]]
    assert rows == [300 - k % 7 for k in range(200)]


def test_a_batch_is_one_array(daemon: Daemon) -> None:
    apply = {"list": "l", "items": [1]}
    daemon.send([
        request("getLists", id="a"), notice("applySnapshot", apply), request("nope", id="b"),
        1, notice("nope"), request("getLists", id="c"), {"foo": 1},
    ])  # fmt: skip
    replies = daemon.reply()
    assert [reply["id"] for reply in replies] == ["a", "b", None, "c", None]
    assert replies[0]["result"]["lists"] == [] and len(replies[3]["result"]["lists"]) == 1
    codes = [reply["error"]["code"] for reply in replies if "error" in reply]
    assert codes == [-32601, -32600, -32600]


def test_a_batch_of_notifications_is_not_answered(daemon: Daemon) -> None:
    daemon.send([notice("getLists"), notice("nope")])
    assert daemon.call("getLists") == {"lists": []}


def test_an_empty_batch_is_one_plain_error(daemon: Daemon) -> None:
    daemon.send([])
    reply = daemon.reply()
    assert isinstance(reply, dict) and reply["id"] is None and reply["error"]["code"] == -32600


@pytest.mark.parametrize("batch", [[1], [1, "a", None], [[]], [[request("getLists")]]], ids=repr)
def test_a_batch_of_invalid_requests(daemon: Daemon, batch: Any) -> None:
    daemon.send(batch)
    replies = daemon.reply()
    assert [reply["error"]["code"] for reply in replies] == [-32600] * len(batch)
    assert all(reply["id"] is None for reply in replies)


def test_a_broken_batch_is_one_plain_error() -> None:
    bad = b"[" + encode(request("getLists")) + b',{"jsonrpc"]\n'
    [reply] = session(bad).lines
    assert reply["id"] is None and reply["error"]["code"] == -32700


def test_unknown_notifications_of_the_protocol_are_ignored(daemon: Daemon) -> None:
    for method in ("$/noSuchThing", "$/setTrace", "$/progress", "initialized"):
        daemon.notify(method, {})
    assert daemon.call("getLists") == {"lists": []}
    daemon.refused(-32601, "$/noSuchThing")


def test_a_cancellation_that_comes_late_does_nothing(daemon: Daemon) -> None:
    daemon.call("getLists")
    for id in (1, 99, "x"):
        daemon.notify("$/cancelRequest", {"id": id})
    assert daemon.call("getLists") == {"lists": []}


def test_a_cancelled_request_is_answered_once_and_has_changed_nothing(daemon: Daemon) -> None:
    items = [{"id": k, "text": f"row {k}"} for k in range(30000)]
    work = [request("applySnapshot", {"list": "w", "items": items[k:]}, k) for k in range(6)]
    late = request("applySnapshot", {"list": "late", "items": [1]}, "late")
    daemon.send(*work, late, notice("$/cancelRequest", {"id": "late"}), request("getLists", id="z"))
    replies = [daemon.reply() for _ in range(8)]
    assert [reply["id"] for reply in replies] == [0, 1, 2, 3, 4, 5, "late", "z"]
    names = [entry["list"] for entry in replies[7]["result"]["lists"]]
    if "error" in replies[6]:
        assert replies[6]["error"]["code"] == -32800 and "late" not in names
    else:
        assert "late" in names


def test_a_request_with_wrong_params_is_cancelled_while_it_waits(daemon: Daemon) -> None:
    items = [{"id": k, "text": f"row {k}"} for k in range(30000)]
    work = [request("applySnapshot", {"list": "w", "items": items[k:]}, k) for k in range(6)]
    wrong = [request("getLists", 5, "w"), request("noSuchThing", {}, "m")]
    stop = [notice("$/cancelRequest", {"id": id}) for id in ("w", "m")]
    daemon.send(*work, *wrong, *stop, request("getLists", id="z"))
    codes = {reply["id"]: reply.get("error", {}).get("code") for reply in
        [daemon.reply() for _ in range(9)]}  # fmt: skip
    assert codes["w"] in (-32800, -32600) and codes["m"] in (-32800, -32601)
    if codes["m"] == -32800:
        assert codes["w"] == -32800
