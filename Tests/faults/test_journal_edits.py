"""The journal of an edit of a large list is the edit, and many edits restore the list."""

# Promise: The journal of an edit is the edit, and many edits restore the list. Also `Tests/faults`.

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Dict, List

import pytest

from client import Daemon, Refused
from rounds import rounds


def state(daemon: Daemon) -> list:
    """Whole lists, with what is selected and where the cursor is."""
    lists = daemon.call("getLists")["lists"]
    return [lists, *(daemon.call("getSnapshot", list=entry["list"]) for entry in lists)]


class Draws:
    """Random edits, of which some are refused."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.fresh = rng, 0

    def item(self, known: List[object]) -> object:
        if known and self.rng.random() < 0.3:
            return {"id": self.rng.choice(known), "text": str(self.rng.random())}
        self.fresh += 1
        return {"id": f"n{self.fresh}", "text": "x" * self.rng.randrange(9)}

    def edit(self, sections: Dict[object, List[object]]) -> dict:
        rng = self.rng
        ids = [item for items in sections.values() for item in items] or ["none"]
        section = rng.choice([*sections, "none"] if rng.random() < 0.1 else [*sections] or ["none"])
        side = rng.choice(["before", "after"])
        some = rng.sample(ids, min(len(ids), rng.randrange(1, 4)))
        self.fresh += 1
        new = {"id": f"s{self.fresh}", "items": [self.item([]) for _ in range(rng.randrange(3))]}
        return rng.choice([
            {"edit": "insertItems", "items": [self.item([])], side: rng.choice(ids)},
            {"edit": "putItems", "items": [self.item(ids)], "section": section},
            {"edit": "updateItems", "items": [{"id": rng.choice(ids), "text": str(self.fresh)}]},
            {"edit": "deleteItems", "items": some},
            {"edit": "moveItems", "items": some, side: rng.choice(ids)},
            {"edit": "moveItems", "items": some, "section": section},
            {"edit": "appendItems", "items": [self.item([]) for _ in range(rng.randrange(4))]},
            {"edit": "appendSections", "sections": [new]},
            {"edit": "insertSections", "sections": [new], side: section},
            {"edit": "moveSection", "section": section, side: rng.choice([*sections, "none"])},
            {"edit": "updateSections", "sections": [{"id": section, "header": str(self.fresh)}]},
            {"edit": "reloadItems", "items": some},
            {"edit": "deleteSections", "sections": [section]} if rng.random() < 0.2 else
            {"edit": "deleteAllItems"} if rng.random() < 0.02 else
            {"edit": "appendItems", "items": [self.item([])], "section": section},
        ])  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_random_edits_outlive_kills(journal: Path, seed: int) -> None:
    rng = random.Random(seed)
    draws = Draws(rng)
    first = [
        {"id": k, "selectionMode": "multiple", "items": [{"id": 100 * k + n} for n in range(30)]}
        for k in range(4)
    ]
    made = 0
    with Daemon("--journal", str(journal)) as daemon:
        daemon.call("applySnapshot", list="l", sections=first, selected=[3, 110, 325], cursor=207)
        before = state(daemon)
    for _ in range(rounds(12)):
        with Daemon("--journal", str(journal)) as daemon:
            assert state(daemon) == before
            for _ in range(rng.randrange(60)):
                sections = {
                    s["id"]: [item["id"] for item in s["items"]] for s in before[1]["sections"]
                }
                edits = [draws.edit(sections) for _ in range(rng.randrange(1, 4))]
                try:
                    daemon.call("editSnapshot", list="l", edits=edits)
                    made += 1
                except Refused as refusal:
                    assert refusal.code in (-31004, -31005, -31006, -32602), refusal
                # Reading the whole list must not change the journal.
                if rng.random() < 0.15:
                    before = state(daemon)
            before = state(daemon)
            daemon.process.kill()
    assert made > rounds(50)


def edited(journal: Path, rows: int, edits: int) -> tuple:
    """The bytes that each edit of a list adds to its journal, and the list after all edits."""
    with Daemon("--journal", str(journal)) as daemon:
        daemon.call("applySnapshot", list="l", items=[{"id": k, "text": f"{k}"} for k in range(rows)])
        start = journal.stat().st_size
        for k in range(edits):
            at = k * 7919 % rows
            daemon.call("editSnapshot", list="l", edits=[
                {"edit": "insertItems", "items": [{"id": f"n{k}"}], "after": at},
                {"edit": "moveItems", "items": [(at + 5) % rows], "before": (at + 9) % rows},
            ], format="none")  # fmt: skip
        grown = (journal.stat().st_size - start) / edits
        window = {"start": rows // 3, "count": 500}
        return grown, daemon.call("getSnapshot", list="l", window=window)


def test_the_journal_grows_by_the_edit(journal: Path) -> None:
    grown, before = edited(journal, 300_000, 600)
    assert grown < 250, "an edit is written down with its list"
    with Daemon("--journal", str(journal)) as daemon:
        window = {"start": 100_000, "count": 500}
        assert daemon.call("getSnapshot", list="l", window=window) == before


@pytest.mark.parametrize("rows", [200, 3000])
@pytest.mark.parametrize("parts", [False, True])
@pytest.mark.parametrize("repeats", [False, True])
def test_of_a_snapshot_only_what_changes_is_written(
    journal: Path, rows: int, parts: bool, repeats: bool
) -> None:
    def item(k: int) -> dict:
        named: dict = {"text": f"text {k % (rows // 2)}"} if repeats else {"id": k}
        return {**named, "more": "x" * 100, **({"parts": [{"text": f"p {k}"}, {"id": 2}]} if parts else {})}

    items = [item(k) for k in range(rows)]
    with Daemon("--journal", str(journal)) as daemon:
        daemon.call("applySnapshot", list="l", items=items)
        # The texts of the items are in several messages then.
        daemon.call("editSnapshot", list="l", edits=[{"edit": "appendItems", "items": [{"id": "n"}]}])
        items.append({"id": "n"})
        for _ in range(3):
            random.Random(rows).shuffle(items)
            items[7] = {**items[7], "more": "y"}
            start = journal.stat().st_size
            daemon.call("applySnapshot", list="l", items=items, format="none")
            assert journal.stat().st_size - start < 20 * rows
        before = state(daemon)
        daemon.process.kill()
    with Daemon("--journal", str(journal)) as daemon:
        assert state(daemon) == before


def test_of_many_sections_only_those_that_change_are_written(journal: Path) -> None:
    sections = [{"id": f"s{k}", "items": [{"id": f"{k} {n}"} for n in range(3)]} for k in range(9000)]
    with Daemon("--journal", str(journal)) as daemon:
        daemon.call("applySnapshot", list="l", sections=sections)
        daemon.call("editSnapshot", list="l", edits=[{"edit": "reloadItems", "items": ["7 0"]}])
        start = journal.stat().st_size
        for k in range(50):
            daemon.call("editSnapshot", list="l", edits=[
                {"edit": "moveItems", "items": [f"{k} 1"], "section": f"s{k * 91}"},
                {"edit": "moveSection", "section": f"s{k + 100}", "before": f"s{k * 53}"},
            ], format="none")  # fmt: skip
        assert (journal.stat().st_size - start) / 50 < 400
        before = state(daemon)
        daemon.process.kill()
    with Daemon("--journal", str(journal)) as daemon:
        assert state(daemon) == before


def test_the_file_is_written_anew_now_and_then(journal: Path, tmp_path: Path) -> None:
    """A rewritten journal holds the list; then it grows to about twice that size."""
    with Daemon("--journal", str(journal)) as daemon:
        daemon.call("applySnapshot", list="l", items=[{"id": k, "text": "x" * 20} for k in range(2000)])
        rewritten, inode, most = 0, os.stat(journal).st_ino, 0
        for k in range(4000):
            daemon.call("editSnapshot", list="l", edits=[
                {"edit": "updateItems", "items": [{"id": k % 2000, "text": f"{k} {'x' * 800}"}]}
            ], format="none")  # fmt: skip
            now = os.stat(journal)
            rewritten, inode = rewritten + (now.st_ino != inode), now.st_ino
            most = max(most, now.st_size)
        before = state(daemon)
        daemon.process.kill()
    assert 1 <= rewritten <= 3 and most < 5_000_000, (rewritten, most)
    with Daemon("--journal", str(journal)) as daemon:
        assert state(daemon) == before
    assert os.listdir(tmp_path) == [journal.name]
