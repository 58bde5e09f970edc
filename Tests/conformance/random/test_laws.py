"""The laws of changes over random pairs, large pairs, and all small ones."""

from __future__ import annotations

import random

import pytest

from client import Daemon
from pair_checks import ASKS, check_pairs
from random_snapshots import PAIRS, arrangements, edited, pair, sectioned, snapshot


@pytest.mark.parametrize("ask", ASKS)
@pytest.mark.parametrize("rows, sections", [(5, 2), (10, 4), (14, 7)])
def test_random_pairs(
    daemon: Daemon, rng: random.Random, ask: str, rows: int, sections: int
) -> None:
    check_pairs(daemon, ASKS[ask], [pair(rng, rows, sections) for _ in range(PAIRS // 3)])


@pytest.mark.parametrize("kind", ["bare", "object", "loose", "mixed"])
@pytest.mark.parametrize("sections", [1, 20])
def test_large_pairs(daemon: Daemon, rng: random.Random, kind: str, sections: int) -> None:
    pairs = []
    for rows in (1000, 3000):
        old = snapshot(rng, rows, sections, kind)
        pairs.append((old, edited(rng, old, kind)))
        pairs.append((old, snapshot(rng, rows, sections, kind)))
    check_pairs(daemon, ASKS["applySnapshot"], pairs, batch=1)


def test_many_sections(daemon: Daemon, rng: random.Random) -> None:
    pairs = []
    for kind in ("bare", "object"):
        old = snapshot(rng, 800, 300, kind)
        pairs += [(old, snapshot(rng, 800, 300, kind)), (old, rng.sample(old, len(old)))]
    check_pairs(daemon, ASKS["applySnapshot"], pairs, batch=1)


def test_all_small_flat_pairs(daemon: Daemon) -> None:
    lists = arrangements()
    check_pairs(daemon, ASKS["diff"], [(old, new) for old in lists for new in lists])


def test_all_layouts_in_two_sections(daemon: Daemon) -> None:
    layouts = list(sectioned())
    olds = layouts[:9]
    check_pairs(daemon, ASKS["diff"], [(old, new) for old in olds for new in layouts])
    check_pairs(daemon, ASKS["diff"], [(new, old) for old in olds for new in layouts])


def test_a_shuffle_of_thousands(daemon: Daemon, rng: random.Random) -> None:
    order = list(range(4000))
    rng.shuffle(order)
    old = [{"id": "main", "items": list(range(4000))}]
    check_pairs(daemon, ASKS["diff"], [(old, [{"id": "main", "items": order}])])
