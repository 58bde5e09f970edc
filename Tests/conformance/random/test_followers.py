"""Clients that only apply notifications, in every format, during all kinds of requests."""

# Promise: A client that only applies notifications has the same lists as the daemon, in every format. Also
#   `test_subscribe.py`.

from __future__ import annotations

import random
from typing import Dict

import pytest

from client import Daemon, Refused
from followers import COMPOSITES, FORMATS, LISTS, Follower, World
from rounds import rounds
from values import dumps

pytestmark = pytest.mark.needs("compose", "subscribe", "editSnapshot", "textEdits", "jsonPatch")

STEPS = rounds(120)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("round", range(4))
def test_followers(daemon: Daemon, rng: random.Random, format: str, round: int) -> None:
    cell = "{cursor:>| }{selected:*| } {id} {text}{v}"
    daemon.call("registerTemplates", templates={"Cell": cell})
    world = World(daemon, rng)
    followers: Dict[str, Follower] = {}
    for name in LISTS:
        daemon.call("applySnapshot", list=name, items=[])
    for name, sources in COMPOSITES.items():
        daemon.call("compose", list=name, sources=sources)
    for name in [*LISTS, *COMPOSITES]:
        answer = daemon.call("subscribe", list=name, format=format)
        followers[name] = Follower(name, answer, daemon.call("getText", list=name))
    for _ in range(STEPS):
        method, params = world.step()
        try:
            daemon.call(method, params)
        except Refused as refusal:
            assert refusal.code in (-31001, -31002, -31004, -31005, -31006, -31009, -32602), refusal
            assert daemon.settle() == []
        for message in daemon.settle():
            answer = message["params"]
            if message["method"] != "window/logMessage":
                followers[answer["list"]].hear(message["method"], answer)
        for follower in followers.values():
            try:
                follower.check(daemon, format)
            except AssertionError as error:
                story = f"{follower.name} after {method} {dumps(params)}"
                raise AssertionError(f"{story}\n{error}") from error
