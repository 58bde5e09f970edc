"""Tests of the suite's own implementations, with stages by hand and by the reference differ."""

from __future__ import annotations

import copy
import random
from typing import Any, List

import pytest

import reference_diff
from apply_ops import Broken, Contents, apply_ops, apply_stages
from change_laws import check, increasing
from pair_checks import simpler
from random_snapshots import Pair, pair, sectioned
from reference_selection import Selected
from values import identity, key, part_rows, same, sects


def main(*items: Any) -> List[Any]:
    return [{"id": "main", "items": list(items)}]


def op(name: str, at: Any = None, count: int = 1, **more: Any) -> Any:
    return {"op": name, **({} if at is None else {"at": at}), "count": count, **more}


def move(source: Any, to: Any, count: int = 1) -> Any:
    kind = "moveItems" if isinstance(to, list) else "moveSections"
    return {"op": kind, "from": source, "to": to, "count": count}


GOOD: Any = [
    (main(1, 2, 3), main(3, 1, 2), [[move([0, 2], [0, 0])]]),
    (main(1, 2, 3), main(2), [[op("deleteItems", [0, 0]), op("deleteItems", [0, 2])]]),
    (main(1, 2), main(0, 2, 3, 4), [[op("deleteItems", [0, 0]), op("insertItems", [0, 0]),
     op("insertItems", [0, 2], 2)]]),
    (main(*range(6)), main(*range(3, 6), *range(3)), [[move([0, 0], [0, 3], 3)]]),
    ([], main(1), [[op("insertSections", 0, rows=[1])]]),
    (main({"id": 1}), main({"id": 1, "v": 2}), [[op("reconfigureItems", [0, 0])]]),
]  # fmt: skip

BAD: Any = [
    ("replay law", main(1, 2), main(2, 1), []),
    ("least law", main(1, 2, 3), main(3, 1, 2), [[move([0, 0], [0, 1], 2)]]),
    ("least law", main(1), main(1), [[move([0, 0], [0, 0])]]),
    ("identity law", main(1, 2), main(1, 2),
     [[op("deleteItems", [0, 0]), op("insertItems", [0, 0])]]),
    ("an empty stage", main(1), main(1), [[]]),
    ("not one range", main(1, 2), main(),
     [[op("deleteItems", [0, 0]), op("deleteItems", [0, 1])]]),
    ("used twice", main(1, 2, 3), main(3),
     [[op("deleteItems", [0, 0], 2), op("deleteItems", [0, 1])]]),
    ("out of order", main(1), main(2), [[op("insertItems", [0, 0]), op("deleteItems", [0, 0])]]),
    ("beyond", main(), main(1), [[op("insertItems", [0, 1])]]),
    ("no row", main(1), main(), [[op("deleteItems", [0, 0], 2)]]),
    ("no section", main(1), main(), [[op("deleteItems", [1, 0])]]),
    ("writes to a section", [], main(1),
     [[op("insertSections", 0, rows=[0]), op("insertItems", [0, 0])]]),
    ("reads from a section", main(1), [], [[op("deleteSections", 0), op("deleteItems", [0, 0])]]),
    ("answer None, not reconfigure", main({"id": 1}), main({"id": 1, "v": 2}), []),
    ("answer reloadItems", main({"id": 1}), main({"id": 1, "v": 2}), [[op("reloadItems", [0, 0])]]),
    ("in stage 1, not 0", main(1, 2), main(3), [[op("deleteItems", [0, 0], 2)],
     [op("insertItems", [0, 0])]]),
    ("before the last", main({"id": 1}, 2), main({"id": 1, "v": 2}),
     [[op("reconfigureItems", [0, 0])], [op("deleteItems", [0, 1])]]),
    ("beside content", main({"id": 1}, 2), main({"id": 1, "v": 2}),
     [[op("deleteItems", [0, 1]), op("reconfigureItems", [0, 0])]]),
]  # fmt: skip


@pytest.mark.parametrize("old, new, stages", GOOD)
def test_good_stages(old: Any, new: Any, stages: Any) -> None:
    check(old, new, stages)


@pytest.mark.parametrize("law, old, new, stages", BAD)
def test_bad_stages(law: str, old: Any, new: Any, stages: Any) -> None:
    with pytest.raises(Broken, match=law):
        check(old, new, stages)


def test_a_pairing_that_costs_more_than_the_plain_one() -> None:
    old, new = main("x", "a", "b", "c", "x"), main("x", "a", "b", "c")
    check(old, new, [[op("deleteItems", [0, 4])]])
    stages = [[op("deleteItems", [0, 0]), move([0, 4], [0, 0])]]
    with pytest.raises(Broken, match="the k-th"):
        check(old, new, stages)


@pytest.mark.parametrize("size", [(4, 2), (8, 4), (12, 6)])
def test_the_plainest_differ_keeps_the_laws(rng: random.Random, size: Any) -> None:
    for _ in range(400):
        check_plain(pair(rng, *size))


def test_the_plainest_differ_in_two_sections() -> None:
    layouts = list(sectioned())
    for old in layouts[:9]:
        for new in layouts:
            check_plain((old, new))
            check_plain((new, old))


def check_plain(some: Pair) -> None:
    stages = reference_diff.stages(*some)
    try:
        check(*some, stages)
    except Broken as law:
        raise AssertionError(f"{law}\n  from {some[0]}\n  to   {some[1]}\n  {stages}") from None


def test_spoiled_stages_are_found(rng: random.Random) -> None:
    shifted = 0
    for _ in range(400):
        old, new = pair(rng, 8, 3)
        stages = reference_diff.stages(old, new)
        if stages:
            # Of equal items, either may be moved: a shifted op may be another right change.
            shifts = not (repeats(old) or repeats(new)) and rng.random() < 0.75
            shifted += shifts
            with pytest.raises((Broken, IndexError)):
                check(old, new, spoiled(rng, stages, shifts))
    assert shifted > 20


def repeats(sections: Any) -> bool:
    """Whether items have the same identity."""
    items = [identity(item) for one in sections for item in one["items"]]
    return len(set(items)) < len(items)


def spoiled(rng: random.Random, stages: Any, shifts: bool) -> Any:
    """The stages with one op shifted by a row or a section, or without it."""
    worse = copy.deepcopy(stages)
    stage = rng.choice(worse)
    victim = rng.choice(stage)
    if not shifts:
        stage.remove(victim)
        return [stage for stage in worse if stage]
    name = rng.choice([name for name in ("at", "from", "to") if name in victim])
    if isinstance(victim[name], list):
        victim[name] = [victim[name][0], victim[name][1] + 1]
    else:
        victim[name] += 1
    return worse


def test_contents_are_replayed() -> None:
    stages = [
        [op("insertItems", [0, 1], items=[{"id": 2}])],
        [op("reconfigureItems", [0, 0], items=[{"id": 1, "v": 1}])],
    ]
    doc = apply_stages(sects(main({"id": 1})), stages, Contents())
    assert [row.content for row in doc[0].rows] == [{"id": 1, "v": 1}, {"id": 2}]


def test_sequential_ops() -> None:
    ops = [
        op("insertSections", 1, rows=[1], sections=[{"id": "t", "items": [9]}]),
        {"op": "moveItems", "from": [0, 0], "to": [1, 1], "count": 2},
        op("deleteItems", [0, 0]),
        {"op": "moveSections", "from": 0, "to": 1, "count": 1},
        op("insertItems", [1, 0], 2, items=[7, 8]),
    ]
    doc = apply_ops(sects(main(1, 2, 3)), ops)
    contents = [[row.content for row in sect.rows] for sect in doc]
    assert contents == [[9, 1, 2], [7, 8]]


def test_values() -> None:
    assert same(1, 1.0) and same({"a": [1]}, {"a": [1.0]}) and not same(True, 1)
    assert not same("1", 1) and not same(None, False) and key("a") != key(["a"])
    assert identity("x") == identity({"id": "x", "v": 1}) != identity({"v": 1})
    rows = part_rows({"id": 1, "parts": ["a", {"template": "T"}, {"template": "T"}]})
    assert len({row.identity for row in rows}) == 3
    assert rows[0].content == {"$part": "a", "$item": {"id": 1}}


def test_increasing() -> None:
    assert [increasing(v) for v in ([], [1], [3, 1, 2], [2, 2], [1, 3, 2, 4])] == [0, 1, 2, 1, 3]


def test_a_failing_pair_gets_smaller() -> None:
    assert (main(1), main(1)) in simpler((main(1, 2), main(2, 1)))
    assert ([], []) in simpler((main(), main()))


def test_the_plain_selection() -> None:
    items = [{"id": k} for k in range(5)]
    model = Selected([{"id": "s", "selectionMode": "multiple", "items": items}])
    model.act("toggle", [1])
    model.act("extend", [3])
    model.act("extend", [2])
    assert model.ids == {1, 2}
    model.act("invert", [], "s")
    assert model.ids == {0, 3, 4}
