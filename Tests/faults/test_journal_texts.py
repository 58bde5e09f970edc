"""The numbers of texts are never reused, whenever a daemon ends."""

# Promise: No number of a text is used for two texts of a list, whenever daemons end. Also `Tests/faults`.

from __future__ import annotations

import random
from pathlib import Path
from typing import Dict, Set, Tuple

import pytest

from client import Daemon
from rounds import rounds


class Reader:
    """Remembers the text of a list for each number, over all daemons."""

    def __init__(self) -> None:
        self.texts: Dict[Tuple[str, int], str] = {}
        self.last: Dict[str, int] = {}

    def note(self, name: str, number: int, text: str) -> None:
        known = self.texts.setdefault((name, number), text)
        assert known == text, f"{number} of {name} stands for two texts: {known!r}, {text!r}"

    def read(self, daemon: Daemon, name: str) -> int:
        answer = daemon.call("getText", list=name)
        self.note(name, answer["textRevision"], answer["text"])
        return answer["textRevision"]


def test_an_unseen_change_of_a_text_takes_a_number(journal: Path) -> None:
    """The text is read, changed by a daemon in which nobody reads it, and read again."""
    reader = Reader()
    for round in range(6):
        with Daemon("--journal", str(journal)) as daemon:
            daemon.call("applySnapshot", list="l", items=[round])
            daemon.process.kill()
        with Daemon("--journal", str(journal)) as daemon:
            first = reader.read(daemon, "l")
            assert first > reader.last.get("l", 0)
            reader.last["l"] = first
            daemon.process.kill()


def test_edits_of_another_daemon_s_text_do_not_fit(journal: Path) -> None:
    with Daemon("--journal", str(journal)) as daemon:
        for name in ("a", "b", "c"):
            daemon.call("applySnapshot", list=name, items=[name])
        number = daemon.call("getText", list="c")["textRevision"]
    with Daemon("--journal", str(journal)) as daemon:
        daemon.call("applySnapshot", list="c", items=["d"])
    with Daemon("--journal", str(journal)) as daemon:
        answer = daemon.call("applySnapshot", list="c", items=["d", "e"], format="textEdits")
        assert answer["baseTextRevision"] > number
        assert answer["textRevision"] > answer["baseTextRevision"]


def test_a_request_that_changes_nothing_takes_no_number(journal: Path) -> None:
    reader = Reader()
    with Daemon("--journal", str(journal)) as daemon:
        daemon.call("applySnapshot", list="l", items=[1])
    for change in range(4):
        with Daemon("--journal", str(journal)) as daemon:
            daemon.call("applySnapshot", list="l", items=[1])
            daemon.call("registerTemplates", templates={})
            reader.read(daemon, "l")
            daemon.process.kill()
        with Daemon("--journal", str(journal)) as daemon:
            if change:
                daemon.call("registerTemplates", templates={"Cell": f"{change} {{text}}"})
            reader.read(daemon, "l")


@pytest.mark.parametrize("seed", range(6))
def test_whatever_comes_between(journal: Path, seed: int) -> None:
    rng = random.Random(seed)
    reader = Reader()
    names = ["a", "b", "c"]
    for _ in range(rounds(25)):
        with Daemon("--journal", str(journal)) as daemon:
            known: Set[str] = {entry["list"] for entry in daemon.call("getLists")["lists"]}
            for _ in range(rng.randrange(7)):
                name = rng.choice(names)
                kind = rng.randrange(9)
                if kind < 3:
                    items = rng.sample(range(4), rng.randrange(1, 4))
                    format = rng.choice(["textEdits", "none"])
                    answer = daemon.call("applySnapshot", list=name, items=items, format=format)
                    known.add(name)
                    if format == "textEdits" and rng.random() < 0.5:
                        now = daemon.call("getText", list=name)
                        reader.note(name, answer["textRevision"], now["text"])
                elif kind == 3 and name in known:
                    daemon.call("removeList", list=name)
                    known.discard(name)
                elif kind == 4 and name in known:
                    daemon.call("select", list=name, items=[{"path": [0, 0]}])
                elif kind == 5:
                    daemon.call("registerTemplates", templates={
                        "Cell": rng.choice(["{text}", "{selected:*|}{text}", "- {text}"])
                    })  # fmt: skip
                elif kind == 6:
                    daemon.call("compose", list="all", sources=rng.sample(names, 2))
                    known.add("all")
                elif known:
                    reader.read(daemon, rng.choice(sorted(known)))
            if rng.random() < 0.5:
                daemon.process.kill()


def test_templates_of_one_list_outlive_the_daemon_and_not_the_list(journal: Path) -> None:
    with Daemon("--journal", str(journal)) as daemon:
        daemon.call("registerTemplates", templates={"Cell": "1 {text}"})
        daemon.call("registerTemplates", templates={"Cell": "2 {text}"}, list="l")
        daemon.call("registerTemplates", templates={"Cell": "3 {text}"}, list="later")
        for name in ("l", "m"):
            daemon.call("applySnapshot", list=name, items=["a"])
    for ending in ("end", "kill", "remove", "end"):
        with Daemon("--journal", str(journal)) as daemon:
            texts = [daemon.call("getText", list=name)["text"] for name in ("l", "m")]
            assert texts[1] == "1 a\n"
            if ending == "kill":
                daemon.process.kill()
            elif ending == "remove":
                assert texts[0] == "2 a\n"
                daemon.call("removeList", list="l")
                daemon.call("applySnapshot", list="l", items=["a"])
                daemon.call("applySnapshot", list="later", items=["a"])
    with Daemon("--journal", str(journal)) as daemon:
        texts = [daemon.call("getText", list=name)["text"] for name in ("l", "m", "later")]
        assert texts == ["1 a\n", "1 a\n", "3 a\n"]
