"""Mirrors of the lists in twenty clients of one daemon, each of which asks for changes."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, Dict, List

import pytest

from client import Daemon, Refused
from followers import COMPOSITES, FORMATS, LISTS, Follower, World
from shared_daemon import Listening, Socket

pytestmark = pytest.mark.needs("--listen")


def followers(shared: Listening, clients: List[Socket]) -> List[Dict[Any, Follower]]:
    """A follower of every list for each client, with the formats in turn."""
    found = []
    for index, client in enumerate(clients):
        mine = {}
        for place, name in enumerate([*LISTS, *COMPOSITES]):
            format = FORMATS[(index + place) % len(FORMATS)]
            answer = client.call("subscribe", list=name, format=format)
            if format == "textEdits":
                text = client.call("getText", list=name)
            else:
                text = {"text": "", "textRevision": 0}
            mine[name, format] = Follower(name, answer, text)
        found.append(mine)
    return found


def hear(client: Daemon, mine: Dict[Any, Follower]) -> None:
    named = {name: follower for (name, _), follower in mine.items()}
    for note in client.settle():
        if note["method"] in ("didChange", "didSelect"):
            named[note["params"]["list"]].hear(note["method"], note["params"])


# Promise: The mirrors of 20 clients in every format equal the lists; 100 clients with 100 subscriptions each work.
#   Also `test_many_clients_with_many_subscriptions`.
def test_mirrors_of_all_clients_are_the_lists(tmp_path: Path, rng: random.Random) -> None:
    with Listening(tmp_path / "s") as shared:
        first = shared.client()
        first.call("registerTemplates", templates={"Cell": "{selected:*|-} {text}"})
        for name in LISTS:
            first.call("applySnapshot", list=name, items=["a", "b"])
        for name, sources in COMPOSITES.items():
            first.call("compose", list=name, sources=sources)
        clients = [shared.client() for _ in range(20)]
        mirrors = followers(shared, clients)
        worlds = [World(client, rng) for client in clients]
        for _ in range(100):
            index = rng.randrange(len(clients))
            method, params = worlds[index].step()
            try:
                clients[index].call(method, params)
            except Refused:
                pass
            if rng.random() < 0.2:
                index = rng.randrange(len(clients))
                hear(clients[index], mirrors[index])
        for client, mine in zip(clients, mirrors):
            hear(client, mine)
        for mine in mirrors:
            for (_, format), follower in mine.items():
                follower.check(first, format)
