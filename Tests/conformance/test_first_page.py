"""Clients that know only the first page of protocol.md hold what the daemon does."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, Iterator, List

import pytest

from client import program
from random_edits import Draws
from reference_edits import Arrays
from rounds import rounds
from values import key

CLIENTS = Path(__file__).with_name("first_page")
CHANGES = rounds(2_000)
VIEWS: List[Any] = [
    {"sort": [{"by": "v"}], "window": {"count": 5}},
    {"where": {"member": "v", "from": 1}, "sections": "merge"},
    {"sections": {"by": "v"}}, {"match": {"query": "x", "members": ["text", "id"]}}, None,
]  # fmt: skip


class Client:
    """A program of the folder, which follows lists of a daemon of its own."""

    def __init__(self, words: List[str]) -> None:
        self.held: Dict[str, Any] = {}
        self.process = subprocess.Popen(
            [*words, program(), "--self-check"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            encoding="utf-8",
        )  # fmt: skip

    def ask(self, method: str, **params: Any) -> Any:
        self.process.stdin.write(f"{method} {json.dumps(params)}\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        self.held = answer["held"]
        return answer["reply"]

    def close(self) -> int:
        self.process.stdin.close()
        return self.process.wait(timeout=60)


@pytest.fixture(params=["python", "perl"])
def client(request: pytest.FixtureRequest) -> Iterator[Client]:
    perl = shutil.which("perl")
    words = {
        "python": [sys.executable, "-B", str(CLIENTS / "follow.py")],
        "perl": [str(perl), str(CLIENTS / "follow.pl")],
    }
    if request.param == "perl" and perl is None:
        pytest.skip("there is no perl")
    running = Client(words[request.param])
    yield running
    assert running.close() == 0


def rows(sections: List[Any]) -> List[Any]:
    """The sections of a snapshot with their rows."""
    made = []
    for section in sections:
        items: List[Any] = []
        for item in section["items"]:
            parts = item.pop("parts", None) if isinstance(item, dict) else None
            items += [item] if parts is None else [{"$part": part, "$item": item} for part in parts]
        made.append({**section, "items": items})
    return made


def change(rng: random.Random, draws: Draws, client: Client, sections: Any) -> None:
    """Changes the list, which has these sections, or the view. Some requests are refused."""
    arrays = Arrays(sections)
    kind = rng.random()
    if kind < 0.45:
        sections = draws.changed(sections) if rng.random() < 0.8 else draws.snapshot()
        client.ask("applySnapshot", list="l", sections=sections)
    elif kind < 0.7:
        client.ask("editSnapshot", list="l", edits=[draws.valid(arrays) for _ in range(rng.randint(1, 3))])
    elif kind < 0.85:
        named = [draws.ref(arrays, {}) for _ in range(rng.randint(0, 3))]
        client.ask("select", list=rng.choice("lv"), items=named)
    elif kind < 0.95:
        client.ask("compose", list="v", sources=["l"], view=rng.choice(VIEWS))
    elif kind < 0.98:
        # More operations than these are a reload.
        client.ask("subscribe", list=rng.choice("lv"), maxOps=rng.randint(1, 4))
    else:
        client.ask("removeList", list=rng.choice("lv"))


def test_the_first_page_suffices(client: Client, rng: random.Random) -> None:
    draws, seen = Draws(rng), set()
    sections: List[Any] = []
    client.ask("subscribe", list="l")
    client.ask("subscribe", list="v")
    for _ in range(CHANGES):
        change(rng, draws, client, sections)
        for name in "lv":
            reply = client.ask("getSnapshot", list=name)
            held = client.held[name]
            if "error" in reply:
                assert (held["sections"], held["revision"]) == ([], 0)
                sections = [] if name == "l" else sections
                continue
            there = reply["result"]
            seen.add((name, len(there["sections"]) > 1, bool(there["selection"]), there["cursor"] is None))
            if name == "l":
                sections = json.loads(json.dumps(there["sections"]))
            assert key(held["sections"]) == key(rows(there["sections"]))
            for part in ("revision", "selection", "cursor"):
                assert held[part] == there[part], part
    assert len(seen) > 6, "not all kinds of lists were followed"
