#!/usr/bin/env python3
"""Counts the instructions of edits of items with parts, and of what follows such edits.

usage: parts.py DAEMON

They are counted in lists of 1,000 and of 20,000 items, of three rows each, and may not cost more than twice
as much in the longer one. They also have a ceiling in thousands of instructions a request, about 15 per cent
above what was counted when it was set.
"""

import sys

from report import Report
from views import SORT

# By what follows the edits, thousands of instructions for one.
CEILINGS = {
    "nothing": 420,
    "a patch": 415,
    "a text": 670,
    "a composite": 720,
    "a view": 1_560,
    "an outline": 1_540,
    "differences": 960,
}


def item(number, change=0):
    """A post with a headline, a body and a footer."""
    return {
        "id": number,
        "n": number * 7919 % 10007,
        "parts": [
            {"template": "Head", "text": f"Message number {number} — hello"},
            {"id": "body", "text": f"Version {change}"},
            {"template": "Foot", "likes": change},
        ],
    }


def start(size, name):
    made = [("applySnapshot", {"list": "a", "items": [item(k) for k in range(size)], "format": "none"})]
    view = {
        "a composite": {},
        "a view": {"view": SORT},
        "an outline": {"view": {**SORT, "tree": {"parent": "up"}}},
    }.get(name)
    if view is not None:
        made.append(("compose", {"list": "v", "sources": ["a"], **view, "format": "none"}))
    form = {"a text": "textEdits", "a patch": "jsonPatch"}.get(name, "ops")
    return [*made, ("subscribe", {"list": "a" if view is None else "v", "format": form})]


def edits(size, count):
    """Changes a part, moves, inserts and deletes, one item after the other."""
    made = []
    for k in range(count):
        number = (k * 617 + 3) % size
        edit = [
            {"edit": "updateItems", "items": [item(number, k + 1)]},
            {"edit": "moveItems", "items": [number], "before": (number + size // 2) % size},
            {"edit": "appendItems", "items": [item(size + k)]},
            {"edit": "deleteItems", "items": [(number + 1) % size]},
        ][k % 4]
        made.append(("editSnapshot", {"list": "a", "edits": [edit], "format": "none"}))
    return made


def returns(size, count):
    """Edits, each followed by the difference from a revision a few edits ago."""
    made = []
    for k, edit in enumerate(edits(size, count)):
        past = {"list": "a", "revision": max(1, k - 3)}
        made += [edit, ("diff", {"from": past, "to": {"list": "a"}})]
    return made[:count]


def main():
    report = Report(sys.argv[1])
    for name, ceiling in CEILINGS.items():
        kind = returns if name == "differences" else edits
        report.compare(name, ceiling, lambda size, name=name: start(size, name), kind)
    report.end()


if __name__ == "__main__":
    main()
