#!/usr/bin/env python3
"""Counts the instructions that views take for edits of their source, moves of a window, shared selections
and queries, and outlines for items that are expanded and collapsed.

usage: views.py DAEMON [NAME...]

Queries are counted as a user types them into a picker of paths, which shows all paths before the first
letter.

What follows single items is counted in lists of 1,000 and of 20,000 items, and may not cost more than
twice as much in the longer one; it also has a ceiling in thousands of instructions a request. A view is
subscribed to, so that its notifications count. Edits that create, delete and move groups are counted among
100 and among 8,000 groups, also without a subscriber.
"""

# Promise: The cost of an edit of a view's source, also one that creates, deletes or moves groups, of a move of its
#   window, and of an item that is expanded or collapsed hardly grows with the list; lines that are appended between
#   queries have a ceiling.

import sys

from report import Report

WHERE = {"where": {"member": "n", "to": 8000}}
SORT = {"sort": [{"by": "n"}, {"by": "text"}]}
GROUPS = {"sections": {"by": "g"}}
WINDOW = {"window": {"start": 100, "count": 40}}
MATCH = {"match": {"query": "mes 7"}}

# By view, its definition, and thousands of instructions for an edit of its source.
VIEWS = {
    "where": (WHERE, 178),
    "sort": (SORT, 226),
    "match": (MATCH, 253),
    "groups": ({**SORT, **GROUPS}, 270),
    "window": ({**WHERE, **SORT, **WINDOW}, 195),
    "groups in a window": ({**WHERE, **SORT, **GROUPS, **WINDOW}, 210),
    "matches in a window": ({**MATCH, **WINDOW}, 201),
}

# Numbers of groups, and thousands of instructions for an edit that creates, deletes and moves groups, with a
# subscriber and without.
FEW_AND_MANY = (100, 8_000)
GROUPED = {"groups created": (True, 380), "groups created unseen": (False, 345)}

# By outline, what it is beside its tree, and thousands of instructions to expand or collapse an item and for
# an edit of its source.
OUTLINES = {
    "outline": ({}, 395, 197),
    "sorted outline": (SORT, 340, 355),
    "filtered outline": ({**WHERE, **SORT, **GROUPS}, 350, 335),
    "outline in a window": ({**SORT, **WINDOW}, 300, 340),
    "matched outline in a window": ({**MATCH, **WINDOW}, 165, 221),
}

# The number of children of an item of an outline that has any.
CHILDREN = 10

# Thousands of instructions for a move of a window, for an edit or a selection in a list that shares its
# selection with a view, and for a query on 20,000 items and on as many paths.
MOVE = 183
MARKED = 191
QUERY = 3_170
TYPED = 12_600

# The same for lines that are appended after each query, beside what the queries cost alone, and for a request
# that changes 300 of 20,000 items of a sorted view.
ARRIVING = 1_610
SCATTERED = 34_000

# The queries of a user who types and deletes.
TYPING = ["", "s", "sr", "src", "src m", "src ma", "src", "srcmai", "srcmain", "", "R", "README", "'se"]
TYPING += ["'serv", "test !src", "^/usr", "lib$", "json$ | py$", "confi", "usrlibpy"]


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


def edits(size, count, item=item):
    """Changes, moves, inserts and deletes one item after the other. `item` makes one with a number."""
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


def member(number, group):
    return {"id": number, "text": f"Message number {number} — hello", "g": f"group {group}"}


def start_groups(count, is_subscribed):
    """A view of groups of two items."""
    requests = start(0, GROUPS)[: 3 if is_subscribed else 2]
    items = [member(k, k // 2) for k in range(2 * count)]
    requests[0] = "applySnapshot", {"list": "a", "items": items, "format": "none"}
    return requests


def groupings(groups, count):
    """Gives the first item of a group a group of its own, which moves the rest of the other one, and then
    the second item, which deletes that; and undoes both."""
    made = []
    for k in range(count):
        group = (k // 4 * 617 + 3) % groups
        number, own = [(0, True), (1, True), (0, False), (1, False)][k % 4]
        item = member(2 * group + number, groups + group if own else group)
        edit = {"edit": "updateItems", "items": [item]}
        made.append(("editSnapshot", {"list": "a", "edits": [edit], "format": "none"}))
    return made


def branch(number, change=0):
    """An item of an outline of a few levels."""
    above = {"up": (number - 1) // CHILDREN} if number > 0 else {}
    return {**item(number, change), **above}


def start_outline(size, view):
    """An outline of which the first levels are expanded."""
    view = {**view, "tree": {"parent": "up", "open": 2}}
    return [
        ("applySnapshot", {"list": "a", "items": [branch(k) for k in range(size)], "format": "none"}),
        ("compose", {"list": "v", "sources": ["a"], "view": view, "format": "none"}),
        ("subscribe", {"list": "v", "format": "ops"}),
    ]


def expansions(size, count):
    """Expands and collapses items with children, and reveals others."""
    made = []
    for k in range(count):
        number = 11 + k // 4 * 7 % 80
        edit = [
            {"edit": "expandItems", "items": [number]},
            {"edit": "collapseItems", "items": [1 + number // 10], "deep": True},
            {"edit": "revealItems", "items": [number]},
            {"edit": "collapseItems", "items": [number]},
        ][k % 4]
        made.append(("editSnapshot", {"list": "v", "edits": [edit], "format": "none"}))
    return made


def branch_edits(size, count):
    """Changes items without children, moves them, gives them other parents, inserts and deletes them."""
    made = []
    last = size - 1
    for k in range(count):
        number = last - k * 37 % (size // 2)
        moved = {**branch(number, k + 1), "up": (number * 7) % (size // 20)}
        edit = [
            {"edit": "updateItems", "items": [branch(number, k + 1)]},
            {"edit": "moveItems", "items": [number], "before": number - size // 3},
            {"edit": "updateItems", "items": [moved]},
            {"edit": "appendItems", "items": [branch(size + k)]},
            {"edit": "deleteItems", "items": [size + k - 1]},
            # An item that is shown and has children.
            {"edit": "updateItems", "items": [branch(1 + k % 90, k + 1)]},
        ][k % 6]
        made.append(("editSnapshot", {"list": "a", "edits": [edit], "format": "none"}))
    return made


def moves(view, count):
    return [
        ("compose", {"list": "v", "view": {**view, "window": {"start": k % 7 * 3, "count": 40}}})
        for k in range(count)
    ]


def scattered(count):
    """Changes the sort keys of items here and there."""
    numbers = [[(k * 300 + n) * 7919 % 20_000 for n in range(300)] for k in range(count)]
    batches = [[item(number, number * 613 + k) for number in row] for k, row in enumerate(numbers)]
    return [
        ("editSnapshot", {"list": "a", "edits": [{"edit": "updateItems", "items": items}], "format": "none"})
        for items in batches
    ]


def start_marking(size):
    section = {"id": "s", "selectionMode": "multiple", "items": [item(k) for k in range(size)]}
    view = {**SORT, **WINDOW, "selection": "source"}
    return [
        ("applySnapshot", {"list": "a", "sections": [section], "format": "none"}),
        ("compose", {"list": "v", "sources": ["a"], "view": view, "format": "none"}),
        ("subscribe", {"list": "v", "format": "ops"}),
    ]


def marks(size, count):
    """Edits, and items that are selected by way of the view and by way of its source."""
    made = []
    for k in range(count):
        number = (k * 617 + 3) % size
        edit = {"edit": "updateItems", "items": [item(number, k + 1)]}
        made.append([
            ("editSnapshot", {"list": "a", "edits": [edit], "format": "none"}),
            ("select", {"list": "v", "items": [number]}),
            ("select", {"list": "v", "items": [{"path": [0, k]}], "cursor": {"path": [0, k]}}),
            ("select", {"list": "a", "items": [number]}),
        ][k % 4])  # fmt: skip
    return made


def queries(count):
    words = ["m", "me", "mes", "mess", "mess 7", "mess 70", "numb", "hello 9"]
    return [
        ("compose", {"list": "v", "view": {"match": {"query": words[k % 8]}, **WINDOW}})
        for k in range(count)
    ]


def path(number):
    """A path of 60 to 110 characters."""
    words = "src main lib config test server README share messages Session python3 index view core".split()
    made, state = "/usr" if number % 3 else "/home/user", number
    while len(made) < 60 + number % 50:
        state = (state * 1103515245 + 12345) % 2**31
        made += "/-"[state // 97 % 4 == 0] + words[state // 1009 % len(words)]
    return f"{made}{number}.{('json', 'py', 'swift', 'c')[number % 4]}"


def start_typing(size):
    items = [{"id": number, "text": path(number)} for number in range(size)]
    return [("applySnapshot", {"list": "a", "items": items, "format": "none"}), *typed(2)]


def typed(count):
    """Queries as a picker sends them: without a match if nothing is typed."""
    queries = (TYPING[k % len(TYPING)] for k in range(count))
    views = ({"match": {"query": query}} if query else {} for query in queries)
    view = {"selection": "source", "window": {"start": 0, "count": 40}}
    return [
        ("compose", {"list": "v", "sources": ["a"], "view": {**view, **one}, "format": "none"})
        for one in views
    ]


def arriving(count):
    """Queries, after each of which lines are appended to the source."""
    made = []
    for k, query in enumerate(typed(count)):
        items = [{"id": 100_000 + k * 10 + n, "text": path(100_000 + k * 10 + n)} for n in range(10)]
        edits = [{"edit": "appendItems", "items": items}]
        made += [query, ("editSnapshot", {"list": "a", "edits": edits, "format": "none"})]
    return made


def main():
    report = Report(sys.argv[1])

    def compare(name, ceiling, view, made, start=start):
        report.compare(name, ceiling, lambda size: start(size, view), made)

    others = ["move", "marked", "query", "typed", "arriving", "scattered"]
    chosen = sys.argv[2:] or [*VIEWS, *GROUPED, *OUTLINES, *others]
    for name, (view, ceiling) in VIEWS.items():
        if name in chosen:
            compare(name, ceiling, view, edits)
    for name, (is_subscribed, ceiling) in GROUPED.items():
        if name in chosen:
            begin = lambda groups, seen=is_subscribed: start_groups(groups, seen)
            report.compare(name, ceiling, begin, groupings, FEW_AND_MANY)
    for name, (view, expanded, edited) in OUTLINES.items():
        if name in chosen:
            compare(name + " expanded", expanded, view, expansions, start_outline)
            compare(name + " edited", edited, view, branch_edits, start_outline)
    view = {**WHERE, **SORT, **WINDOW}
    if "move" in chosen:
        compare("move", MOVE, view, lambda size, count: moves(view, count))
    if "marked" in chosen:
        report.compare("marked", MARKED, start_marking, marks)
    if "query" in chosen:
        report.check("query", QUERY, start(20_000, {**MATCH, **WINDOW}), queries)
    if "typed" in chosen:
        report.check("typed", TYPED, start_typing(20_000), typed)
    if "arriving" in chosen:
        report.differ("arriving", ARRIVING, start_typing(20_000), arriving, typed)
    if "scattered" in chosen:
        report.check("scattered", SCATTERED, start(20_000, SORT)[:2], scattered)
    report.end()


if __name__ == "__main__":
    main()
