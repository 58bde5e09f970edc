#!/usr/bin/env python3
"""Counts the instructions of a snapshot with one changed row under everything that shows its list.

usage: ways.py DAEMON [NAME...]

A list of 20,000 items is alone, or is shown by a composite, a view, an outline, as text or with the contents before
each change, or one of 6,000 is kept by a journal, which is not written anew while it is so short. With any of them, a
snapshot may cost a number of times what it costs alone, after snapshots and after edits; and the first edit after a
snapshot may cost a number of times one after an edit. So may a snapshot of items with parts.
"""

# Promise: A snapshot with one changed row costs hardly more under a composite, a view, an outline, a text or a
#   journal than alone, after snapshots and after edits.

import sys
import tempfile

from instructions import request, run

SIZE = 20_000
SHORT = 6_000
SORT = {"sort": [{"by": "n"}]}
WINDOW = {"window": {"start": 100, "count": 40}}

# What shows the list, and how many times what it costs alone a snapshot may cost. A long `memcpy` takes other numbers of
# instructions at other addresses, which is up to a fortieth of a snapshot.
WAYS = {
    "alone": ([], 1.03),
    "composite": ([None], 1.3),
    "where": ([{"where": {"member": "n", "to": 8000}}], 1.3),
    "sort": ([SORT], 1.3),
    "match": ([{"match": {"query": "mes 7"}, **WINDOW}], 1.3),
    "groups": ([{**SORT, "sections": {"by": "g"}}], 1.3),
    "outline": ([{"tree": {"parent": "up"}, **WINDOW}], 1.3),
    "matched outline": ([{"tree": {"parent": "up"}, "match": {"query": "mes 7"}, **WINDOW}], 1.3),
    "four views": ([{**SORT, **WINDOW}] * 4, 1.9),
    "text": (["text"], 1.3),
    "contents before": (["both"], 1.3),
    "journal": (["journal"], 1.3),
}

# The same for a list of 20,000 items of three rows, and how many times it may cost after edits.
PARTS = (9.7, 31.5)

# How many times an edit after an edit one may cost that follows a snapshot.
EDIT = 5

# The number of requests that are counted, after the first few.
FEW = 4
SPAN = 8


def item(number, change=0):
    return {
        "id": number,
        "text": f"Message number {number} — hello",
        "n": (number * 7919 + change * 31) % 10007,
        "g": f"group {number % 20}",
        "up": number // 10 if number >= 10 else None,
    }


def card(number, change=0):
    """An item of three rows."""
    parts = [{"template": name, "text": f"{name} {number} {change}"} for name in ("Head", "Body", "Foot")]
    return {**item(number, change), "parts": parts}


def snapshot(size, change, made=item):
    """A snapshot in which one item differs from the one with another number."""
    items = [made(number) for number in range(size)]
    items[change * 617 % size] = made(change * 617 % size, 1)
    return "applySnapshot", {"list": "a", "items": items, "format": "none"}


def edit(size, change, made=item):
    edits = [{"edit": "updateItems", "items": [made((change * 617 + 9) % size, change + 2)]}]
    return "editSnapshot", {"list": "a", "edits": edits, "format": "none"}


def start(size, shown):
    made = [snapshot(size, 0, card if "parts" in shown else item)]
    for number, view in enumerate(shown):
        if view == "text":
            made.append(("registerTemplates", {"templates": {"Cell": "{text}"}}))
            made.append(("subscribe", {"list": "a", "format": "textEdits"}))
        elif view == "both":
            form = {"content": "both", "moves": False, "members": ["n"]}
            made.append(("subscribe", {"list": "a", **form}))
        elif view not in ("journal", "parts"):
            made.append(
                ("compose", {"list": f"v{number}", "sources": ["a"], "format": "none"} | ({"view": view} if view else {}))
            )
            made.append(("subscribe", {"list": f"v{number}", "format": "ops"}))
    return made


def thousands(daemon, size, shown, made):
    """Returns the thousands of instructions for the requests that `made` returns by a number."""

    def count(number):
        asked = start(size, shown) + [one for k in range(number) for one in made(k)]
        data = b"".join(request(k, *one) for k, one in enumerate(asked))
        if "journal" not in shown:
            return run(daemon, data, len(asked))
        with tempfile.TemporaryDirectory() as folder:
            return run(daemon, data, len(asked), "--journal", folder + "/journal")

    return (count(FEW + SPAN) - count(FEW)) * 1000 / SPAN


def main():
    daemon = sys.argv[1]
    costs = []
    wrong = []
    sizes = {name: SHORT if name == "journal" else SIZE for name in sys.argv[2:] or [*WAYS, "parts"]}
    lone = {
        size: thousands(daemon, size, [], lambda k, size=size: [snapshot(size, k + 1)])
        for size in set(sizes.values())
    }
    for name, size in sizes.items():
        shown, ratio = WAYS.get(name, ([name], PARTS[0]))
        after = PARTS[1] if name == "parts" else ratio + 0.3
        alone = lone[size]
        one = card if name == "parts" else item
        sent = thousands(daemon, size, shown, lambda k: [snapshot(size, k + 1, one)])
        edits = thousands(daemon, size, shown, lambda k: [edit(size, k, one)])
        both = thousands(daemon, size, shown, lambda k: [snapshot(size, k + 1, one), edit(size, k, one)])
        costs.append(f"{name} {sent:.0f} ({sent / alone:.2f}, after edits {(both - edits) / alone:.2f}), edit {edits:.0f}")
        if sent > ratio * alone:
            wrong.append(f"{name}: a snapshot takes {sent:.0f} thousand instructions, over {ratio} times {alone:.0f}")
        if both > after * alone + EDIT * edits:
            wrong.append(f"{name}: a snapshot and an edit take {both:.0f} thousand instructions")
    print("thousands of instructions: " + ", ".join(costs))
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
