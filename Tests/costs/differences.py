#!/usr/bin/env python3
"""Counts the instructions of `diff` between states of one list: revisions, with and without edits, and of
returning to one.

usage: differences.py DAEMON

They are counted in lists of 1,000 and of 20,000 items, and may not cost more than twice as much in the
longer one. They also have a ceiling in thousands of instructions a request, about 15 per cent above what
was counted when it was set.
"""

import sys

from report import compare_all
from views import edits, item

# The number of revisions by single edits, behind which there is one by a whole snapshot.
REVISIONS = 8

# By comparison, thousands of instructions for a request.
CEILINGS = {
    "edits": 256,
    "edits as a patch": 279,
    "edits as ops": 278,
    "edits on both sides": 542,
    "edits of an old revision": 649,
    "neighbouring revisions": 409,
    "neighbouring snapshots": 966,
    "edits and returns": 143,
}


def start(size, name):
    """A list of three revisions by snapshots and some by edits."""
    rows = [item(k) for k in range(size)]
    some = [*rows[:300], item(size, 1), *rows[301:700], *rows[701:]]
    return [
        *(("applySnapshot", {"list": "a", "items": n, "format": "none"}) for n in (rows, some, rows)),
        *edits(size, REVISIONS),
    ]


def differences(name, size, count):
    """Comparisons of some kind, each in another part of the list."""

    def change(k):
        number = (k * 617 + 13) % size
        return [
            {"edit": "updateItems", "items": [item(number, k + 1)]},
            {"edit": "moveItems", "items": [number + 1], "before": (number + size // 2) % size},
            {"edit": "appendItems", "items": [item(2 * size + k)]},
        ]

    def ask(k):
        list = {"list": "a"}
        edited = {**list, "edits": change(k)}
        old = 3 + 1 + k % (REVISIONS - 1)
        states = {
            "edits on both sides": (edited, {**list, "edits": change(k + 1)}),
            "edits of an old revision": ({**list, "revision": old}, {**edited, "revision": old}),
            "neighbouring revisions": ({**list, "revision": old}, {**list, "revision": old + 1}),
            "neighbouring snapshots": ({**list, "revision": 1 + k % 2}, {**list, "revision": 2 + k % 2}),
        }
        formats = {"edits as a patch": "jsonPatch", "edits as ops": "ops"}
        old, new = states.get(name, (list, edited))
        return "diff", {"from": old, "to": new, "format": formats.get(name, "stages")}

    def turn(k):
        back = {"snapshot": {"list": "a", "revision": 3 + REVISIONS + k - 1}}
        edited = ("editSnapshot", {"list": "a", "edits": change(k), "format": "none"})
        return ("applySnapshot", {"list": "a", **back}) if k % 2 else edited

    return [(turn if name == "edits and returns" else ask)(k) for k in range(count)]


if __name__ == "__main__":
    compare_all(sys.argv[1], CEILINGS, start, differences)
