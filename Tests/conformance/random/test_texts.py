"""Texts that follow edits, marks, views and outlines. The daemon renders each text again."""

# Promise: A text follows edits, marks, views and outlines, and no part of that costs more in a long text. Also
#   `TextTreeTests`, `Tests/costs/texts.py`.

from __future__ import annotations

import random
from typing import Dict

import pytest

from client import Daemon, Refused
from followers import Follower
from random_texts import CELLS, LISTS, VIEWS, Requests
from rounds import rounds
from values import dumps

pytestmark = pytest.mark.needs("compose", "subscribe", "editSnapshot", "textEdits", "getText")

STEPS = rounds(150)


@pytest.mark.parametrize("round", range(6))
def test_texts_follow_every_request(rng: random.Random, round: int) -> None:
    with Daemon("--self-check") as daemon:
        requests = Requests(daemon, rng)
        daemon.call("registerTemplates", templates={"Cell": CELLS[0]})
        for name in LISTS:
            daemon.call("applySnapshot", **requests.snapshot(name))
        followers: Dict[str, Follower] = {}
        for name in [*LISTS, *VIEWS]:
            if name in VIEWS:
                daemon.call("compose", list=name, **VIEWS[name])
            extras = {"spans": rng.random() < 0.5, "selectedLines": rng.random() < 0.5}
            answer = daemon.call("subscribe", list=name, format="textEdits", **extras)
            followers[name] = Follower(name, answer, daemon.call("getText", list=name))
        for _ in range(STEPS):
            method, params = requests.step()
            try:
                daemon.call(method, params)
            except Refused as refusal:
                assert refusal.code in (-31004, -31005, -31006, -31009, -32602), refusal
            for message in daemon.settle():
                answer = message["params"]
                if message["method"] in ("didChange", "didSelect"):
                    followers[answer["list"]].hear(message["method"], answer)
            for follower in followers.values():
                try:
                    follower.check(daemon, "textEdits")
                except AssertionError as error:
                    story = f"{follower.name} after {method} {dumps(params)}"
                    raise AssertionError(f"{story}\n{error}") from error
