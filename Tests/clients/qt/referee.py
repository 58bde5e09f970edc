"""Applies random changes to a Qt model that QAbstractItemModelTester checks: `referee.py COUNT`.

The tester ends the program at the first signal or answer that violates Qt's rules for models."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any, Dict, List

from PyQt5.QtCore import QCoreApplication, QPersistentModelIndex
from PyQt5.QtTest import QAbstractItemModelTester

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "clients" / "python"), str(ROOT / "clients" / "python" / "examples")]
sys.dont_write_bytecode = True

import listd  # noqa: E402
from qtmodel import CONTENT, ListModel  # noqa: E402


def sections(rng: random.Random) -> List[Dict[str, Any]]:
    names = rng.sample("abc", rng.randrange(1, 4))
    made: List[Dict[str, Any]] = [{"id": n, "header": rng.randrange(2), "items": []} for n in names]
    for id in rng.sample(range(8), rng.randrange(8)):
        item: Dict[str, Any] = {"id": id, "text": str(rng.randrange(2))}
        if id % 4 == 0:
            item["parts"] = [{"id": part} for part in rng.sample("xyz", rng.randrange(4))]
        rng.choice(made)["items"].append(item)
    return made


def key(row: Any) -> Any:
    """The identity of a row or a section."""
    part = row.get("$part", {})
    return (row.get("$item", row)["id"], part.get("id"))


def indexes(model: ListModel) -> Dict[Any, Any]:
    found = {}
    for number in range(model.rowCount()):
        section = model.index(number, 0)
        found[key(model.data(section, CONTENT))] = section
        for row in range(model.rowCount(section)):
            index = model.index(row, 0, section)
            found[key(model.data(index, CONTENT))] = index
    return found


def main(count: int) -> None:
    application = QCoreApplication([])
    rng, model = random.Random(5), ListModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    kept: Dict[Any, QPersistentModelIndex] = {}
    moves = 0
    with listd.spawn() as daemon:
        inbox = daemon.list("l")
        news = inbox.subscribe("ops")
        model.take(news.next(30))
        for _ in range(count):
            content = sections(rng)
            revision = inbox.apply(sections=content).revision
            if revision != model.revision:
                change = news.next(30)
                assert isinstance(change, listd.Change) and change.rows and change.sections
                moves += change.rows.moves + change.sections.moves
                model.take(change)
            now = indexes(model)
            # A persistent index follows its row, and is invalid if the row was deleted.
            for name, index in kept.items():
                assert index.isValid() == (name in now), name
                assert not index.isValid() or index == now[name], name
            kept = {name: QPersistentModelIndex(index) for name, index in now.items()}
            shown = [[key(model.data(model.index(row, 0, model.index(number, 0)), CONTENT))
                      for row in range(model.rowCount(model.index(number, 0)))]
                     for number in range(model.rowCount())]  # fmt: skip
            assert shown == [[key(row) for row in one["items"]] for one in listd.in_rows(content)]
    print(f"{count} changes with {moves} moves")
    del tester, application


main(int(sys.argv[1]))
