"""Views are restored with their definition, their window and their selection."""

# Promise: Views are restored from the journal, with the anchor of their window.

from __future__ import annotations

import random
from pathlib import Path

from client import Daemon


def state(daemon: Daemon) -> list:
    """Whole lists, with what is selected and where the cursor is."""
    lists = daemon.call("getLists")["lists"]
    return [
        [entry, daemon.call("getSnapshot", list=entry["list"]),
         daemon.call("getSelection", list=entry["list"])["items"]]
        for entry in lists
    ]  # fmt: skip


def item(rng: random.Random, id: int) -> dict:
    return {"id": id, "n": rng.randrange(9), "up": rng.randrange(16), "lazy": rng.random() < 0.2}


def view(rng: random.Random) -> dict:
    made: dict = {"where": {"member": "n", "from": rng.randrange(5)}, "sort": [{"by": "n"}]}
    made["sections"] = rng.choice(["keep", "merge", {"by": "n"}])
    made["selectionMode"] = "multiple"
    made["selection"] = rng.choice(["own", "source"])
    if rng.random() < 0.5:
        made["tree"] = {"parent": "up", "open": rng.choice(["none", "all", 1])}
    if rng.random() < 0.7:
        made["window"] = {"count": 3, "start": rng.randrange(4)}
    return made


def test_views_outlive_the_daemon(tmp_path: Path, rng: random.Random) -> None:
    journal = str(tmp_path / "journal")
    names = ["v", "w"]
    definitions: dict = {}
    for life in range(12):
        with Daemon("--journal", journal) as daemon:
            if life == 0:
                items = [item(rng, k) for k in range(12)]
                many = {"id": "main", "selectionMode": "multiple", "items": items}
                daemon.call("applySnapshot", list="a", sections=[many])
                for name, sources in (("v", ["a"]), ("w", ["v", "a"])):
                    definitions[name] = view(rng)
                    daemon.call("compose", list=name, sources=sources, view=definitions[name])
            else:
                assert state(daemon) == before
            for _ in range(6):
                name = rng.choice(names)
                shown = daemon.call("getSnapshot", list=name)["sections"]
                ids = [item["id"] for section in shown for item in section["items"]]
                paths = [
                    {"path": [s, r]}
                    for s, one in enumerate(shown)
                    for r in range(len(one["items"]))
                ]
                chance = rng.random()
                if chance < 0.4:
                    moved = item(rng, rng.randrange(12))
                    edits = [{"edit": "deleteItems", "items": [moved["id"]]}]
                    whole = daemon.call("getSnapshot", list="a")["sections"]
                    there = [item["id"] for item in whole[0]["items"]]
                    edits = edits if moved["id"] in there else []
                    edits.append({"edit": "insertItems", "items": [moved], "before": rng.choice(
                        [id for id in there if id != moved["id"]])})
                    daemon.call("editSnapshot", list="a", edits=edits)
                elif chance < 0.55 and "tree" in definitions[name]:
                    kind = rng.choice(["expandItems", "collapseItems"])
                    edit = {"edit": kind, "items": rng.sample(paths, min(2, len(paths)))}
                    all = {"edit": rng.choice(["expandAll", "collapseAll"])}
                    daemon.call("editSnapshot", list=name, edits=[edit, all][: rng.randint(1, 2)])
                elif chance < 0.7 and ids:
                    some, cursor = rng.choice(paths), rng.choice(paths)
                    daemon.call("select", list=name, items=[some], cursor=cursor)
                else:
                    made = view(rng)
                    if ids:
                        made["window"] = {
                            "count": 3, "start": {"item": rng.choice(paths), "before": 1}
                        }
                    daemon.call("compose", list=name, view=made)
                    definitions[name] = made
            before = state(daemon)
