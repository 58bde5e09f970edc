#!/usr/bin/env python3
"""Counts the instructions that views take for edits of their source, moves of a window and queries.

usage: views.py DAEMON

What follows single items is counted in lists of 1,000 and of 20,000 items, and may not cost more than
twice as much in the longer one; each also has a ceiling in thousands of instructions a request. A view is
subscribed to, so that its notifications count.
"""

import sys

from instructions import count

SIZES = (1_000, 20_000)
GROWTH = 2
SPAN = 20

WHERE = {"where": {"member": "n", "to": 8000}}
SORT = {"sort": [{"by": "n"}, {"by": "text"}]}
GROUPS = {"sections": {"by": "g"}}
WINDOW = {"window": {"start": 100, "count": 40}}
MATCH = {"match": {"query": "mes 7"}}

# By view, its definition, and thousands of instructions for an edit of its source.
VIEWS = {
    "where": (WHERE, 990),
    "sort": (SORT, 1240),
    "match": (MATCH, 900),
    "groups": ({**SORT, **GROUPS}, 1230),
    "window": ({**WHERE, **SORT, **WINDOW}, 1040),
    "groups in a window": ({**WHERE, **SORT, **GROUPS, **WINDOW}, 1020),
    "matches in a window": ({**MATCH, **WINDOW}, 945),
}

# Thousands of instructions for a move of a window, and for a query on 20,000 items.
MOVE = 720
QUERY = 11_600


def item(number, change=0):
    return {
        "id": number,
        "text": f"Message number {number} — hello",
        "n": (number * 7919 + change * 31) % 10007,
        "g": f"group {number % 20}",
    }


def start(size, view):
    return [
        ("applySnapshot", {"list": "a", "items": [item(k) for k in range(size)], "format": "none"}),
        ("compose", {"list": "v", "sources": ["a"], "view": view, "format": "none"}),
        ("subscribe", {"list": "v", "format": "ops"}),
    ]


def edits(size, count):
    """Changes, moves, inserts and deletes one item after the other."""
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


def moves(view, count):
    return [
        ("compose", {"list": "v", "view": {**view, "window": {"start": k % 7 * 3, "count": 40}}})
        for k in range(count)
    ]


def queries(count):
    words = ["m", "me", "mes", "mess", "mess 7", "mess 70", "numb", "hello 9"]
    return [
        ("compose", {"list": "v", "view": {"match": {"query": words[k % 8]}, **WINDOW}})
        for k in range(count)
    ]


def each(daemon, begin, made):
    """Thousands of instructions for a request, after the first few."""
    few, all = (count(daemon, begin + made(n)) for n in (4, 4 + SPAN))
    return (all - few) * 1000 / SPAN


def main():
    daemon = sys.argv[1]
    wrong = []
    answer = []

    def check(name, figure, ceiling):
        answer.append(f"{name} {figure:.0f}")
        if figure > ceiling:
            wrong.append(f"{name} takes {figure:.0f} thousand instructions, over {ceiling}")

    def compare(name, ceiling, view, made):
        less, more = (each(daemon, start(n, view), lambda count: made(n, count)) for n in SIZES)
        check(name, more, ceiling)
        answer.append(f"({more / less:.1f})")
        if more > GROWTH * less:
            wrong.append(f"{name}: {more:.0f} is over {GROWTH} times {less:.0f} in a short list")

    chosen = sys.argv[2:] or [*VIEWS, "move", "query"]
    for name, (view, ceiling) in VIEWS.items():
        if name in chosen:
            compare(name, ceiling, view, edits)
    view = {**WHERE, **SORT, **WINDOW}
    if "move" in chosen:
        compare("move", MOVE, view, lambda size, count: moves(view, count))
    if "query" in chosen:
        check("query", each(daemon, start(20_000, {**MATCH, **WINDOW}), queries), QUERY)
    print("thousands of instructions: " + ", ".join(answer))
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
