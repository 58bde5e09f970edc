#!/usr/bin/env python3
"""Counts the instructions of edits of items with parts, and of what follows such edits.

usage: parts.py DAEMON

They are counted in lists of 1,000 and of 20,000 items, of three rows each, and may not cost more than twice
as much in the longer one. They also have a ceiling in thousands of instructions a request, about 15 per cent
above what was counted when it was set.
"""

# Promise: An edit of an item with parts costs no more in a long list, nor does what follows it.

import sys

from report import compare_all
from views import SORT, edits

# By what follows the edits, thousands of instructions for one.
CEILINGS = {
    "nothing": 168,
    "a patch": 161,
    "a text": 285,
    "a composite": 284,
    "a view": 386,
    "an outline": 437,
    "differences": 394,
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


def compared(size, count):
    """Edits, each followed by the difference from a revision a few edits ago."""
    made = []
    for k, edit in enumerate(edits(size, count, item)):
        past = {"list": "a", "revision": max(1, k - 3)}
        made += [edit, ("diff", {"from": past, "to": {"list": "a"}})]
    return made[:count]


def made(name, size, count):
    return compared(size, count) if name == "differences" else edits(size, count, item)


if __name__ == "__main__":
    compare_all(sys.argv[1], CEILINGS, start, made)
