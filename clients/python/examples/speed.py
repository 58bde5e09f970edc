#!/usr/bin/env python3
"""Measures what a Python program gets: milliseconds until `apply` has returned the change of a list.

    speed.py [ROWS]...        1,000 and 100,000 by default

Of each snapshot, 1 % has changed: a quarter of it was deleted, inserted, moved and updated each. The columns are taken in
turns, and are medians. "Plain Python" finds the same numbers in the program itself, with a dictionary and the longest
increasing subsequence; it needs no pipe, and no JSON.
"""

from __future__ import annotations

import itertools
import random
import statistics
import sys
import time
from bisect import bisect_left
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.dont_write_bytecode = True

import listd  # noqa: E402
from listd import edits, preparing  # noqa: E402

Rows = List[Dict[str, Any]]
NEW = itertools.count(10**7)


def item(number: int) -> Dict[str, Any]:
    return {"id": f"item-{number:07}", "text": f"Message number {number} — hello", "secondaryText": f"preview {number}"}


def changed(rows: Rows, rng: random.Random) -> Rows:
    after, quarter = list(rows), max(len(rows) // 400, 1)
    for _ in range(quarter):
        after.pop(rng.randrange(len(after)))
    for _ in range(quarter):
        after.insert(rng.randrange(len(after)), item(next(NEW)))
    for _ in range(quarter):
        after.insert(rng.randrange(len(after)), after.pop(rng.randrange(len(after))))
    for _ in range(quarter):
        index = rng.randrange(len(after))
        after[index] = {**after[index], "text": f"changed {rng.random()}"}
    return after


def plain(old: Rows, new: Rows) -> Tuple[int, int, int, int]:
    """The numbers of deletes, inserts, moves and updates."""
    before, after = ({row["id"]: index for index, row in enumerate(rows)} for rows in (old, new))
    kept = [before[row["id"]] for row in new if row["id"] in before]
    tails: List[int] = []
    for index in kept:
        place = bisect_left(tails, index)
        tails[place : place + 1] = [index]
    updates = sum(old[before[row["id"]]] != row for row in new if row["id"] in before)
    return len(old) - len(kept), len(after) - len(kept), len(kept) - len(tails), updates


def measured(work: Callable[[], Any]) -> Tuple[float, Any]:
    start = time.perf_counter()
    result = work()
    return (time.perf_counter() - start) * 1000, result


def measure(size: int, rounds: int) -> Dict[str, float]:
    rng = random.Random(size)
    found: Dict[str, List[float]] = {}
    rows, orjson = [item(number) for number in range(size)], preparing.orjson
    with listd.spawn(timeout=300) as daemon:
        kept = {name: daemon.list(name) for name in ("with orjson", "with json") if orjson or "orjson" not in name}
        for each in (*kept.values(), daemon.list("edited")):
            each.apply(rows)
        news, mirror = daemon.list("edited").subscribe(), listd.Mirror()
        mirror.take(next(news))
        for number in range(rounds):
            after = changed(rows, rng)
            numbers = None
            for name, one in kept.items():
                preparing.orjson = orjson if "orjson" in name else None
                took, change = measured(lambda: one.apply(after))
                found.setdefault(name, []).append(took)
                numbers = change.rows.deletes, change.rows.inserts, change.rows.moves, change.rows.updates
            took, own = measured(lambda: plain(rows, after))
            assert own == numbers, (own, numbers)
            found.setdefault("plain Python", []).append(took)
            took, change = measured(lambda: daemon.list("edited").edit(edits.delete_items(item(number * 3)["id"])))
            found.setdefault("one edit", []).append(took)
            found.setdefault("its each()", []).append(measured(lambda: list(change.each()))[0])
            event = next(news)
            found.setdefault("its Mirror.take", []).append(measured(lambda: mirror.take(event))[0])
            rows = after
        preparing.orjson = orjson
    return {name: statistics.median(times) for name, times in found.items()}


def main() -> None:
    for size in [int(word) for word in sys.argv[1:]] or [1000, 100_000]:
        shown = ", ".join(f"{name} {time:.2f}" for name, time in measure(size, 21 if size <= 10**5 else 5).items())
        print(f"{size:,} rows: {shown}", flush=True)


if __name__ == "__main__":
    main()
