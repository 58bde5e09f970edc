#!/usr/bin/env python3
"""Counts how the instructions of a session grow with its size, and compares it with a ceiling.

usage: growth.py DAEMON

Linear work doubles with the size, quadratic work takes four times as much. Sessions that a
stranger's data could make expensive are here, each in two sizes, of which the second is twice or a given
number of times the first; starting is not counted.
"""

# Promise: Twice as much data takes about twice as long: deep and wide composites, look-ups of repeated items and of
#   sections, removals, spans, edits of outlines, templates, subscriptions, cancellations.

import json
import sys

from instructions import count, run

# A little above two, because of sorting and of tables that have just grown.
CEILING = 2.6

# The highest ratio of instructions with cancellations that cancel nothing to those without.
CANCELLATION_CEILING = 4


def compose(name, *sources):
    return "compose", {"list": name, "sources": list(sources), "format": "none"}


def show(name, items):
    return "applySnapshot", {"list": name, "items": items, "format": "none"}


def diamonds(levels):
    """Two lists at each level, each composed of both below; the lowest ones are empty."""
    return [
        compose(f"{name}{level + 1}", f"a{level}", f"b{level}")
        for level in range(levels)
        for name in "ab"
    ]


def chain(levels):
    return [compose(f"c{level + 1}", f"c{level}") for level in range(levels)]


def changes_through_a_chain(levels):
    return [show("c0", ["a", "b"]), *chain(levels), *(show("c0", ["a", name]) for name in "xyz")]


def chain_from_its_end(levels):
    return [compose(f"c{level}", f"c{level + 1}") for level in range(levels)]


def chain_from_the_middle(levels):
    """The levels in an order in which most are inserted between others."""
    return [compose(f"c{k * 37 % levels + 1}", f"c{k * 37 % levels}") for k in range(levels)]


def removals(count):
    names = [f"l{number}" for number in range(count)]
    return [show(name, []) for name in names] + [("removeList", {"list": name}) for name in names]


def occurrences(count):
    items = [{"id": "x", "occurrence": number} for number in range(count)]
    return [show("l", ["x"] * count), ("locate", {"list": "l", "items": items})]


def edits_of_repeats(count):
    """Edits of equal items by occurrence, in one edit and in many, and look-ups after them."""
    items = [{"id": "x", "occurrence": number} for number in range(count)]
    one = [{"edit": "deleteItems", "items": [{"id": "x", "occurrence": number}]} for number in range(count // 4)]
    paths = [[0, row] for row in range(count // 4)]
    return [
        show("l", ["x"] * count),
        *(
            ("editSnapshot", {"list": "l", "edits": edits, "format": "none"})
            for edits in (one, [{"edit": "deleteItems", "items": items[: count // 2]}])
        ),
        ("locate", {"list": "l", "items": items, "paths": paths}),
        ("editSnapshot", {"list": "l", "edits": [{"edit": "appendItems", "items": ["x"] * count}]}),
        ("select", {"list": "l", "action": "replace", "items": items[:1]}),
    ]


def paths_of_repeats(count):
    paths = [[0, row] for row in range(count)]
    return [show("l", ["x"] * count), ("locate", {"list": "l", "paths": paths})]


def sections(count):
    some = [{"id": number, "items": [f"r{number}"]} for number in range(count)]
    params = {
        "list": "l",
        "items": [f"r{number}" for number in range(count)],
        "paths": [[number, 0] for number in range(count)],
        "sections": list(range(count)),
        "lines": list(range(count)),
        "text": True,
    }
    return [
        ("applySnapshot", {"list": "l", "sections": some, "format": "none"}),
        ("locate", params),
    ]


def one_of_many_sources(count):
    """The same item from each of many sources, referenced in three ways."""
    names = [f"s{number}" for number in range(count)]
    sources = [{"id": "x", "source": name} for name in names]
    occurrences = [{"id": "x", "occurrence": number} for number in range(count)]
    return [show(name, ["x"]) for name in names] + [
        compose("all", *names),
        ("locate", {"list": "all", "items": sources + occurrences}),
        ("locate", {"list": "all", "paths": [[number, 0] for number in range(count)]}),
    ]


def outline(count):
    """A chain of items, each the parent of the next, and a cycle of them; all are shown."""
    items = [{"id": 0}, *({"id": number, "up": number - 1} for number in range(1, count))]
    view = {"tree": {"parent": "up"}, "sort": [{"by": "id"}], "match": {"query": "", "members": ["id"]}}
    params = {"list": "v", "view": view, "format": "none"}
    names = list(range(count))
    edits = [
        {"edit": "revealItems", "items": names}, {"edit": "collapseItems", "items": names, "deep": True},
        {"edit": "expandAll"}, {"edit": "collapseItems", "items": [count - 3, count - 2]},
    ]  # fmt: skip
    query = {**view, "match": {"query": str(count - 1), "members": ["id"]}}
    return [
        show("l", items), ("compose", {**params, "sources": ["l"]}),
        *(("editSnapshot", {"list": "v", "edits": [edit], "format": "none"}) for edit in edits),
        ("select", {"list": "v", "cursor": count - 3}), ("compose", {**params, "view": query}),
        ("editSnapshot", {"list": "v", "edits": [{"edit": "collapseAll"}], "format": "none"}),
        ("compose", params), show("l", [{"id": 0, "up": count - 1}, *items[1:]]),
    ]  # fmt: skip


def spans(template, count):
    """The text of a few rows whose template has many groups, with and without line ends between them."""
    items = [{"id": number, "text": "é" * 20} for number in range(5)]
    edit = {"edit": "updateItems", "items": [{"id": 2, "text": "ê" * 20}]}
    return [
        ("registerTemplates", {"templates": {"Cell": template * count}}),
        show("l", items),
        ("subscribe", {"list": "l", "format": "textEdits", "spans": True}),
        ("editSnapshot", {"list": "l", "edits": [edit]}),
        ("getText", {"list": "l", "spans": True}),
    ]


def spans_of_a_line(count):
    return spans("{text:#A}", count)


def spans_of_many_lines(count):
    return spans("{text:#A}\n", count)


def edits_of_a_chain(count):
    """Items of a chain that are revealed, expanded and collapsed in turn, in one request each."""
    items = [{"id": number, "up": number - 1} for number in range(count)]
    deepest = {"edit": "revealItems", "items": [count - 1]}
    collapse = {"edit": "collapseItems", "items": [0]}
    deep = [{"edit": kind, "items": [0], "deep": True} for kind in ("expandItems", "collapseItems")]
    all = [{"edit": kind} for kind in ("expandAll", "collapseAll")]
    each = [{"edit": "expandItems", "items": [number], "deep": True} for number in range(count)]
    turns = ([deepest], [deepest, collapse], deep, all)
    heaps = [*(turn * (count // len(turn)) for turn in turns), each]
    # The same edits alone, and with a reference to an older revision, whose items are paired with all items.
    return [
        show("l", items), ("compose", {"list": "v", "sources": ["l"], "view": {"tree": {"parent": "up"}}}),
        *(
            ("editSnapshot", {"list": "v", "edits": edits + last, "format": "none"})
            for last in ([], [{"edit": "collapseItems", "items": [{"path": [0, 0], "revision": 1}]}])
            for edits in heaps
        ),
    ]


def subscriptions_to_what_is_known(count):
    """A list that an edit has made, and as many clients' requests that have its revision and its text already."""
    add = {"edit": "appendItems", "items": ["last"]}
    known = [{"since": 2}, {"format": "textEdits", "sinceText": 2}]
    return [
        show("l", list(range(count))), ("subscribe", {"list": "l", "format": "textEdits"}),
        ("editSnapshot", {"list": "l", "edits": [add]}),
        *(("subscribe", {"list": "l", **form}) for form in known * (count // 2)),
    ]  # fmt: skip


def templates(count):
    """A request for each name, and for each of as many lists."""
    one = {"Cell": "{text}"}
    return [
        *(("registerTemplates", {"templates": {f"C{number}": "{text}"}}) for number in range(count)),
        *(("registerTemplates", {"list": f"l{number}", "templates": one}) for number in range(count)),
    ]


def deep_members(depth):
    """Values at a depth, by which items are chosen, sorted, grouped, matched, nested and shown."""
    name = ".".join(["a"] * depth)
    items = [f'{"{"}"id":{k},' + '"a":{' * (depth - 1) + f'"a":"x{k}"' + "}" * depth for k in range(20)]
    view = {
        "where": {"member": name, "exists": True}, "match": {"query": "x", "members": [name]},
        "tree": {"parent": name}, "sort": [{"by": name}], "sections": {"by": name},
    }  # fmt: skip
    return [
        ("registerTemplates", {"templates": {"Cell": "{" + name + "}"}}),
        show("l", [json.loads(item) for item in items]),
        ("compose", {"list": "v", "sources": ["l"], "view": view, "format": "none"}),
        ("getText", {"list": "l"}),
    ]


SESSIONS = [
    (diamonds, 16),
    (chain, 128),
    (changes_through_a_chain, 128),
    (chain_from_its_end, 128),
    (chain_from_the_middle, 128),
    (removals, 2000),
    (occurrences, 4000),
    (edits_of_repeats, 4000),
    (paths_of_repeats, 4000),
    (sections, 8000),
    (one_of_many_sources, 400),
    (outline, 4000),
    (deep_members, 100, 4),
    (spans_of_a_line, 1000, 4),
    (spans_of_many_lines, 1000, 4),
    (edits_of_a_chain, 300),
    (subscriptions_to_what_is_known, 1000),
    (templates, 500),
]


def cancelling(requests, cancels):
    """Small requests, each followed by a cancellation of another id if it `cancels`."""
    lines = []
    for number in range(requests):
        lines.append(b'{"jsonrpc":"2.0","id":%d,"method":"getLists"}\n' % number)
        if cancels:
            params = b'{"id":"other %d"}' % number
            lines.append(b'{"jsonrpc":"2.0","method":"$/cancelRequest","params":%b}\n' % params)
    return b"".join(lines)


def main():
    daemon = sys.argv[1]
    start = count(daemon, [])
    wrong = []
    answer = []

    def check(name, less, more, ceiling):
        ratio = (more - start) / (less - start)
        answer.append(f"{name} {ratio:.1f}")
        if ratio > ceiling:
            wrong.append(f"{name}: {more:.1f} is {ratio:.1f} times {less:.1f}, over {ceiling}")

    for session, size, *factors in SESSIONS:
        name = session.__name__.replace("_", " ")
        factor = factors[0] if factors else 2
        less, more = (count(daemon, session(n)) for n in (size, factor * size))
        check(name, less, more, CEILING * factor / 2)
    less, more = (run(daemon, cancelling(2000, cancels), 2000) for cancels in (False, True))
    check("cancellations", less, more, CANCELLATION_CEILING)
    print("growth: " + ", ".join(answer))
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
