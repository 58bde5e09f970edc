#!/usr/bin/env python3
"""Counts the instructions that queries of one to eight letters take, and compares them with ceilings.

usage: queries.py DAEMON

Terms of each length have loops over vectors of their own. A loop that the compiler does not vectorize takes
many times as much as those of the lengths beside it. The same queries in several members, and in orders that
have the score, are compared with those of one member in the default order.
"""

# Promise: A query takes no more than its ceiling, no more than twice a query with a letter less or more, in several
#   members no more than twice in each alone, and little more if the order is spelled out.

import random
import sys

from instructions import count, item

ROWS = 4_000
MANY_ROWS = 16_000
WORDS = ("abcdefgh", "hgfedcba")

# The number of queries that are counted, after the first few.
FEW = 4
SPAN = 20

# How many times as much a query may take as one with a letter less or more.
BESIDE = 2

# By the sign of the term and what is shown, thousands of instructions for a query of each length.
CEILINGS = {
    ("", "all"): (1300, 2190, 2610, 3360, 6170, 6790, 7400, 7950),
    ("", "best"): (425, 510, 524, 537, 688, 726, 765, 785),
    ("'", "all"): (1330, 2350, 2390, 2470, 2840, 2920, 2990, 3070),
}

# Queries that are typed, the first of which prepares the texts and the order.
TYPED = ("e", "m", "me", "mes", "mes 7", "p", "pre", "7")

# By the members and the order, the most that these queries may take, in times of what they take in each of the
# members alone and in the default order. Many texts are equally good, so that the length decides.
TIMES = {
    ("text", "nobody"): {(): 1.1},
    ("text", "secondaryText"): {(): 2.05, ("$score",): 1.2, ("$score", "n"): 1.85},
    ("text",): {("$score", "$length"): 1.1, ("$score",): 1.35, ("$score", "n"): 2.2, ("n", "$score"): 1.9},
}


def row(rng):
    """A text with the letters of both words in order, and next to each other."""

    def some(count):
        return "".join(rng.choice("stuvwxyz/-_ 0") for _ in range(count))

    spread = "".join(letter + some(rng.randrange(2)) for letter in "".join(WORDS))
    return spread + some(48 - len(spread)) + rng.choice(" /-s").join(WORDS)


def query(sign, length, shown, number):
    """A query that does not narrow the one before it. All scores are computed unless the best are shown."""
    view = {"match": {"query": sign + WORDS[number % 2][:length]}, "window": {"count": 1}}
    if shown == "all":
        view["sort"] = []
    return ("compose", {"list": "v", "sources": ["a"], "view": view, "format": "none"})


def typed(daemon, members, sort):
    """Returns the million instructions of all queries but the first."""
    view = {"match": {"query": "", "members": members}, "window": {"count": 40}}
    if sort:
        view["sort"] = [{"by": by} for by in sort]
    items = [{**item(number), "n": number * 7919 % 1009} for number in range(MANY_ROWS)]
    session = [("applySnapshot", {"list": "a", "items": items, "format": "none"})]
    for text in TYPED:
        match = {"query": text, "members": members}
        session.append(("compose", {"list": "v", "sources": ["a"], "view": {**view, "match": match}, "format": "none"}))
    return count(daemon, session) - count(daemon, session[:2])


def members_and_orders(daemon):
    """Returns how many times as much queries take, and which take too much."""
    alone = {member: typed(daemon, [member], ()) for member in ("text", "secondaryText")}
    answer, wrong = [], []
    for members, orders in TIMES.items():
        whole = sum(alone.get(member, 0) for member in members)
        for sort, ceiling in orders.items():
            times = typed(daemon, list(members), sort) / whole
            name = " and ".join(members) + (f" by {', '.join(sort)}" if sort else "")
            answer.append(f"{name} {times:.2f}")
            if times > ceiling:
                wrong.append(f"queries in {name} take {times:.2f} times as much, over {ceiling}")
    return answer, wrong


def main():
    rng = random.Random(20261126)
    items = [{"id": number, "text": row(rng)} for number in range(ROWS)]
    start = [("applySnapshot", {"list": "a", "items": items, "format": "none"})]
    start += [query("", 1, "all", number) for number in range(FEW)]
    few = count(sys.argv[1], start)
    answer, wrong = [], []
    for (sign, shown), ceilings in CEILINGS.items():
        costs = []
        for length, ceiling in enumerate(ceilings, 1):
            queries = [query(sign, length, shown, number) for number in range(SPAN)]
            cost = (count(sys.argv[1], start + queries) - few) * 1000 / SPAN
            name = f"{sign}{WORDS[0][:length]} ({shown})"
            if cost > ceiling:
                wrong.append(f"{name} takes {cost:.0f} thousand instructions, over {ceiling}")
            if costs and not costs[-1] / BESIDE <= cost <= costs[-1] * BESIDE:
                wrong.append(f"{name} takes {cost:.0f} thousand instructions, a letter less {costs[-1]:.0f}")
            costs.append(cost)
        answer.append(f"{sign}a to {sign}{WORDS[0]} ({shown}) " + " ".join(f"{cost:.0f}" for cost in costs))
    print("thousands of instructions: " + ", ".join(answer))
    times, dear = members_and_orders(sys.argv[1])
    print("times as much: " + ", ".join(times))
    wrong += dear
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
