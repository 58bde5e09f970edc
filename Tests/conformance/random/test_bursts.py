"""Requests that are sent without waiting, and cancellations that overtake some of them."""

from __future__ import annotations

import random
from typing import Dict, List

import pytest

from client import Daemon, Json, notice, request

CANCELLED = -32800


def burst(rng: random.Random, count: int, first: int) -> List[Json]:
    """Requests about five lists."""
    asked = []
    for id in range(first, first + count):
        name = f"l{rng.randrange(5)}"
        items = [{"id": k, "v": id} for k in rng.sample(range(400), rng.randrange(200))]
        kind = rng.randrange(8)
        if kind == 0:
            asked.append(request("getSnapshot", {"list": "l0"}, id))
        elif kind == 1:
            edits = [{"edit": "putItems", "items": items[:9]}]
            asked.append(request("editSnapshot", {"list": name, "edits": edits}, id))
        elif kind == 2:
            asked.append(request("select", {"list": name, "action": "all"}, id))
        else:
            asked.append(request("applySnapshot", {"list": name, "items": items}, id))
    return asked


def note(lists: Dict[str, Json], asked: Json) -> None:
    params = asked["params"]
    if asked["method"] == "applySnapshot":
        lists[params["list"]] = {item["id"]: item for item in params["items"]}
    elif asked["method"] == "editSnapshot":
        lists[params["list"]].update({item["id"]: item for item in params["edits"][0]["items"]})


@pytest.mark.parametrize("framing", ["ndjson", "lsp"])
def test_each_request_is_answered_once_in_order_or_cancelled(
    framing: str, rng: random.Random
) -> None:
    lists: Dict[str, Json] = {}
    with Daemon(framing=framing) as daemon:
        for name in ("l0", "l1", "l2", "l3", "l4"):
            daemon.call("applySnapshot", {"list": name, "items": []})
            lists[name] = {}
        for turn in range(6):
            asked = burst(rng, 400, turn * 400)
            sent: List[Json] = []
            for place, message in enumerate(asked):
                sent.append(message)
                # Most arrive randomly before or after the answer; a few arrive before their request.
                if rng.random() < 0.3:
                    back = min(place, rng.randrange(40))
                    sent.append(notice("$/cancelRequest", {"id": asked[place - back]["id"]}))
            daemon.send(*sent)
            for message in asked:
                answer = daemon.reply()
                assert answer["id"] == message["id"]
                if "error" in answer:
                    assert answer["error"]["code"] == CANCELLED, answer
                else:
                    note(lists, message)
        for name, items in lists.items():
            sections = daemon.call("getSnapshot", {"list": name})["sections"]
            response = [item for section in sections for item in section["items"]]
            assert {item["id"]: item for item in response} == items
        assert daemon.end() == 0


def test_the_end_of_input_waits_for_what_was_asked(rng: random.Random) -> None:
    asked = [message for message in burst(rng, 300, 0) if message["method"] == "applySnapshot"]
    with Daemon("--self-check") as daemon:
        daemon.send(*asked)
        daemon.process.stdin.close()
        for message in asked:
            assert daemon.reply()["id"] == message["id"]
        assert daemon.end() == 0
