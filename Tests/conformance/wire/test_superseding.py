"""Requests with `latest`: superseded ones are answered and have changed nothing."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path
from typing import Any, Dict, List

import pytest

from client import Daemon, program, request
from shared_daemon import Listening

pytestmark = pytest.mark.needs("compose", "--listen")
CANCELLED = -32800


def compose(id: Any, query: str, name: str = "v", **more: Any) -> Dict[str, Any]:
    params = {"list": name, "sources": ["l"], "view": {"match": {"query": query}}, "latest": True}
    return request("compose", {**params, **more}, id)


def code(reply: Dict[str, Any]) -> Any:
    return reply.get("error", {}).get("code")


def test_only_the_last_of_a_flood_is_done(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="l", items=["abc", "abd", "x"])
    daemon.call("subscribe", list="v")
    # A single write that fits into the pipe is read as a whole.
    queries = ["a", "ab", "abc", "abd", "x"]
    daemon.send(*[compose(k, query) for k, query in enumerate(queries)])
    replies = [daemon.reply() for _ in queries]
    assert [reply["id"] for reply in replies] == [0, 1, 2, 3, 4]
    assert [code(reply) for reply in replies] == [CANCELLED] * 4 + [None]
    assert replies[4]["result"]["revision"] == 1
    (note,) = daemon.settle()
    assert note["params"]["request"] == 4
    assert daemon.call("getSnapshot", list="v")["sections"][0]["items"] == ["x"]


def test_other_lists_methods_and_requests_without_it_are_not_superseded(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="l", items=["a"])
    apply = {"list": "v2", "items": ["a"]}
    asked = [
        compose(0, "a"),
        compose(1, "a", "w"),
        request("applySnapshot", {**apply, "latest": True}, 2),
        request("applySnapshot", apply, 3),
        compose(4, "b", latest=False),
        compose(5, "b", latest=None),
        request("applySnapshot", {**apply, "list": "v3", "latest": True}, 6),
        compose("7", "x"),
    ]
    daemon.send(*asked)
    replies = [daemon.reply() for _ in asked]
    assert [reply["id"] for reply in replies] == [0, 1, 2, 3, 4, 5, 6, "7"]
    assert [code(reply) for reply in replies] == [CANCELLED] + [None] * 7


def test_requests_of_one_batch_do_not_supersede_each_other(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="l", items=["a", "b"])
    daemon.send(compose(0, "a"), [compose(1, "a"), compose(2, "b"), request("getLists", id=3)])
    first, batch = daemon.reply(), daemon.reply()
    assert code(first) == CANCELLED
    assert [code(reply) for reply in batch] == [None] * 3
    daemon.send([compose(4, "a"), compose(5, "b"), request("getLists", id=6)], compose(7, "a"))
    batch, last = daemon.reply(), daemon.reply()
    assert [code(reply) for reply in batch] == [CANCELLED, CANCELLED, None]
    assert code(last) is None


def test_a_failing_request_supersedes_too(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="l", items=["a"])
    wrong = request("applySnapshot", {"list": "l", "latest": True, "items": 5}, 2)
    daemon.send(request("applySnapshot", {"list": "l", "items": ["b"], "latest": True}, 1), wrong)
    assert [code(daemon.reply()) for _ in range(2)] == [CANCELLED, -32602]
    assert daemon.call("getSnapshot", list="l")["sections"][0]["items"] == ["a"]


@pytest.mark.parametrize("latest", [1, "true", [], {}])
def test_latest_is_a_boolean(daemon: Daemon, latest: Any) -> None:
    for method, params in [
        ("applySnapshot", {"list": "l", "items": []}),
        ("compose", {"list": "v", "sources": []}),
    ]:
        answer = daemon.refused(-32602, method, {**params, "latest": latest})
        assert answer.data["pointer"] == "/params/latest"
    assert daemon.call("getLists") == {"lists": []}


@pytest.mark.parametrize("framing", ["ndjson", "lsp"])
def test_floods_of_large_requests(framing: str, rng: random.Random) -> None:
    """However many are superseded, each is answered in order, and revisions form a chain."""
    with Daemon("--self-check", framing=framing) as daemon:
        daemon.call("subscribe", {"list": "l0", "format": "none"})
        last: Dict[str, List[Any]] = {}
        revision = 0
        for turn in range(3):
            asked = []
            for k in range(40):
                items = [{"id": n, "v": k} for n in rng.sample(range(1000), rng.randrange(1000))]
                name = rng.choice(["l0", "l0", "l1"])
                members = {"list": name, "items": items, "latest": True, "format": "none"}
                # The position of the member must not matter.
                params = dict(rng.sample(sorted(members.items()), len(members)))
                asked.append(request("applySnapshot", params, turn * 100 + k))
            final = {message["params"]["list"]: message for message in asked}
            daemon.send(*asked)
            for message in asked:
                reply = daemon.reply()
                assert reply["id"] == message["id"]
                if code(reply) is None:
                    result = reply["result"]
                    if result["list"] == "l0":
                        assert result["baseRevision"] == revision
                        revision = result["revision"]
                else:
                    assert code(reply) == CANCELLED
                last[message["params"]["list"]] = message["params"]["items"]
                if message is final[message["params"]["list"]]:
                    assert code(reply) is None
            for name, items in last.items():
                assert daemon.call("getSnapshot", list=name)["sections"][0]["items"] == items


def test_a_record_of_a_flood_is_replayed(tmp_path: Path) -> None:
    record = tmp_path / "record"
    with Daemon("--record", str(record)) as daemon:
        daemon.call("applySnapshot", list="l", items=["a", "b"])
        daemon.send(*[compose(k, query) for k, query in enumerate(["a", "b", "ab", "b"], 10)])
        assert [code(daemon.reply()) for _ in range(4)] == [CANCELLED] * 3 + [None]
        assert daemon.end() == 0
    answer = subprocess.run([program(), "replay", str(record)], capture_output=True, text=True)
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_superseding_is_by_connection(tmp_path: Path) -> None:
    with Listening(tmp_path / "s") as shared:
        clients = [shared.client() for _ in range(3)]
        clients[0].call("applySnapshot", list="l", items=["abc", "abd", "x"])
        for client in clients:
            client.send(*[compose(k, query) for k, query in enumerate(["a", "ab", "abc", "x"])])
        for client in clients:
            replies = [client.reply() for _ in range(4)]
            assert [reply["id"] for reply in replies] == [0, 1, 2, 3]
            assert [code(reply) for reply in replies] == [CANCELLED] * 3 + [None]
        # One request of each client supersedes none of the others'.
        for k, client in enumerate(clients):
            client.send(compose(10 + k, "b"))
        for k, client in enumerate(clients):
            reply = client.reply()
            assert reply["id"] == 10 + k and code(reply) is None
