#!/usr/bin/env python3
"""Counts the instructions of requests that change a text with a subscriber.

usage: texts.py DAEMON

They are counted in lists of 1,000 and of 20,000 items, and may not cost more than twice as much in the
longer one. They also have a ceiling in thousands of instructions a request, about 15 per cent above what
was counted when it was set.
"""

import sys

from report import compare_all
from views import SORT, branch_edits, edits, expansions, item, start_outline

TEMPLATES = {"Cell": "{cursor:>| }{selected:*| } {text:20#Name} {n}"}

# By kind of request, thousands of instructions for one.
CEILINGS = {
    "edits": 166,
    "edits with spans": 187,
    "edits of many sections": 170,
    "edits with marks": 249,
    "marks": 170,
    "edits and look-ups": 90,
    "edits of a view": 289,
    "edits of an outline": 505,
    "edits of an outline and look-ups": 175,
    "expansions": 513,
}


def start(size, name):
    """A list, or a view or an outline of it, whose text is followed."""
    listed = "v" if "view" in name or "outline" in name or name == "expansions" else "a"
    items = [item(k) for k in range(size)]
    content = {"sections": [{"id": "s", "selectionMode": "multiple", "items": items}]}
    if name == "edits of many sections":
        content = {
            "sections": [
                {"id": f"s{k}", "header": f"Section {k}", "items": items[k : k + 10]}
                for k in range(0, size, 10)
            ]
        }
    made = [("applySnapshot", {"list": "a", **content, "format": "none"})]
    if name == "edits of a view":
        made.append(("compose", {"list": "v", "sources": ["a"], "view": SORT, "format": "none"}))
    elif listed == "v":
        made = start_outline(size, SORT)[:-1]
    form = {"format": "textEdits", "spans": "spans" in name, "selectedLines": "spans" in name}
    return [
        ("registerTemplates", {"templates": TEMPLATES}),
        *made,
        ("subscribe", {"list": listed, **form}),
    ]


def marks(size, count):
    """Selects and deselects items, and moves the cursor."""
    made = []
    for k in range(count):
        number = (k * 617 + 3) % size
        mark = [{"cursor": number}, {"action": "toggle", "items": [number]}][k % 2]
        made.append(("select", {"list": "a", **mark, "format": "none"}))
    return made


def marked(size, count):
    return [
        (method, {**params, "cursor": (k * 617 + 5) % size})
        for k, (method, params) in enumerate(edits(size, count))
    ]


def looked_up(size, count, edits=edits, listed="a"):
    """Edits, each after questions that an editor asks when the cursor moves."""
    made = []
    for k, edit in enumerate(edits(size, count)):
        number = (k * 617 + 5) % size
        asked = {"items": [number], "paths": [[0, number]], "lines": [number], "text": True}
        made += [("locate", {"list": listed, **asked}), ("getSelection", {"list": listed}), edit]
    return made[:count]


def looked_up_in_outline(size, count):
    return looked_up(size, count, branch_edits, "v")


REQUESTS = {
    "edits and look-ups": looked_up,
    "edits with marks": marked,
    "marks": marks,
    "edits of an outline": branch_edits,
    "edits of an outline and look-ups": looked_up_in_outline,
    "expansions": expansions,
}


def made(name, size, count):
    return REQUESTS.get(name, edits)(size, count)


if __name__ == "__main__":
    compare_all(sys.argv[1], CEILINGS, start, made)
