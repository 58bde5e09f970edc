#!/usr/bin/env python3
"""Counts the instructions of requests to lists whose items repeat.

usage: repeats.py DAEMON

Each item is in the list twice. Requests are counted in lists of 1,000 and of 20,000 items, and may not cost
more than twice as much in the longer one. They also have a ceiling in thousands of instructions a request,
about 15 per cent above what was counted when it was set.
"""

import sys

from report import compare_all

# By kind of request, thousands of instructions for one.
CEILINGS = {
    "edits": 214,
    "edits of a composite": 374,
    "edits of a sorted view": 543,
    "edits of a window": 492,
    "edits and returns": 564,
    "differences": 316,
    "look-ups": 70,
}

VIEWS = {
    "edits of a sorted view": {"sort": [{"by": "text"}]},
    "edits of a window": {"distinct": "text", "window": {"start": 100, "count": 50}},
}


def line(number):
    return f"Line number {number} — hello"


def start(size, name):
    lines = [line(k % (size // 2)) for k in range(size)]
    made = [("applySnapshot", {"list": "a", "items": lines, "format": "none"})]
    if name == "edits of a composite":
        made.append(("compose", {"list": "c", "sources": ["a"], "format": "none"}))
        made.append(("subscribe", {"list": "c", "format": "ops"}))
    if name in VIEWS:
        made.append(("compose", {"list": "v", "sources": ["a"], "view": VIEWS[name], "format": "none"}))
        made.append(("subscribe", {"list": "v", "format": "ops"}))
    return made


def edits(size, count):
    """Deletes, moves, inserts and replaces one item after the other, by path and by occurrence."""
    made = []
    for k in range(count):
        number = (k * 617 + 3) % (size // 2)
        row = number + size // 4
        second = {"id": line(number), "occurrence": 1}
        change = [
            [{"edit": "deleteItems", "items": [{"path": [0, row]}]}],
            [{"edit": "moveItems", "items": [{"path": [0, row]}], "before": {"path": [0, 1]}}],
            [{"edit": "insertItems", "items": [line(number)], "before": {"path": [0, row]}}],
            [{"edit": "insertItems", "items": [line(size + k)], "before": second},
             {"edit": "deleteItems", "items": [second]}],
        ][k % 4]  # fmt: skip
        made.append(("editSnapshot", {"list": "a", "edits": change, "format": "ops"}))
    return made


def returns(size, count):
    """Edits, and returns to the revision before."""
    back = {"list": "a", "snapshot": {"list": "a", "revision": 1}, "format": "none"}
    return [request for edit in edits(size, count) for request in (edit, ("applySnapshot", back))][:count]


def differences(size, count):
    """Comparisons of a state of the list with another one."""
    old = {"list": "a"}
    return [
        ("diff", {"from": old, "to": {"list": "a", "edits": params["edits"]}})
        for _, params in edits(size, count)
    ]


def look_ups(size, count):
    """References to the second of two items and to its path, after an edit."""

    def asked(k):
        number = (k * 617 + 3) % (size // 2)
        return {"items": [{"id": line(number), "occurrence": 1}], "paths": [[0, number + size // 2]]}

    return edits(size, 1) + [("locate", {"list": "a", **asked(k)}) for k in range(count - 1)]


REQUESTS = {"edits and returns": returns, "differences": differences, "look-ups": look_ups}


def made(name, size, count):
    return REQUESTS.get(name, edits)(size, count)


if __name__ == "__main__":
    compare_all(sys.argv[1], CEILINGS, start, made)
