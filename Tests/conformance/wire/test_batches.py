"""The limit of the answer to a batch."""

# Promise: The answer to a batch has a limit, and requests beyond it change nothing.

from __future__ import annotations

from client import Daemon, encode, line, notice, request, session

LIMIT = 64 << 20


def test_the_rest_of_a_batch_with_a_long_answer_is_not_served() -> None:
    """Earlier requests are served; later ones, and notifications, change nothing."""
    text = "x" * 10_000_000
    with Daemon() as daemon:
        daemon.call("applySnapshot", list="l", items=[text])
        batch = [request("getSnapshot", {"list": "l"}, k) for k in range(6)]
        batch += [request("applySnapshot", {"list": "before", "items": [1]}, 6)]
        batch += [request("getSnapshot", {"list": "l"}, k) for k in (7, 8)]
        batch += [request("applySnapshot", {"list": "after", "items": [1]}, "r"), 1, {}, {"id": 1, "result": 2}]
        batch += [notice("removeList", {"list": "before"}), {"jsonrpc": "2.0", "id": None, "method": 1}]
        daemon.send(batch)
        replies = daemon.reply()
        assert [reply["id"] for reply in replies] == [*range(9), "r", None]
        assert all("result" in reply for reply in replies[:7])
        for reply in replies[8:]:
            error = reply["error"]
            assert error["code"] == -31008 and error["data"]["reason"] == "messageTooLarge"
            assert error["data"]["limit"] == LIMIT <= error["data"]["bytes"] < LIMIT + 11_000_000
        assert [entry["list"] for entry in daemon.call("getLists")["lists"]] == ["l", "before"]
        assert daemon.end() == 0 and daemon.errors.count("batch") == 1


def test_values_that_are_not_requests_do_not_multiply() -> None:
    outcome = session(b"[" + b"1," * 700_000 + b"1]\n" + line(request("getLists")))
    assert outcome.code == 0 and LIMIT < len(outcome.out) < LIMIT + 1000
    assert outcome.out.endswith(b'"result":{"lists":[]}}\n')


def test_notifications_that_follow_count() -> None:
    """Notifications of a batch are sent after its answer."""
    texts = ["x" * 1_000_000, "y" * 1_000_000]
    with Daemon() as daemon:
        for name, text in zip("ab", texts):
            daemon.call("applySnapshot", list=name, items=[{"id": 1, "text": text}])
        daemon.call("subscribe", list="l", content=True)
        params = [{"list": "l", "snapshot": {"list": "ab"[k % 2]}, "format": "none"} for k in range(100)]
        batch = [notice("applySnapshot", each) for each in params] + [request("getLists", id="last")]
        daemon.send(batch)
        [reply] = daemon.reply()
        assert reply["id"] == "last" and reply["error"]["code"] == -31008
        daemon.call("getLists")
        response = [n for n in daemon.notifications if n["method"] == "didChange"]
        assert 60 < len(response) < 70 and sum(len(encode(n)) for n in response) < LIMIT + 2_000_000
        assert daemon.call("getSnapshot", list="l")["revision"] == response[-1]["params"]["revision"]
