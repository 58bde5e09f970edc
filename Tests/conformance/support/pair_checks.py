"""Requests changes from a daemon, checks the laws, and shrinks a failing pair."""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

import pytest

from apply_ops import Broken
from change_laws import check
from client import Daemon, Refused, shorten
from random_snapshots import Pair, Section
from values import dumps, picture

Result = Dict[str, Any]
Ask = Callable[[Daemon, Sequence[Pair]], List[Result]]
SHRINKS = 300


def by_diff(daemon: Daemon, pairs: Sequence[Pair]) -> List[Result]:
    """The changes as `diff` returns them, without contents."""
    return daemon.pipeline([diff_call(pair) for pair in pairs])


def by_diff_with_content(daemon: Daemon, pairs: Sequence[Pair]) -> List[Result]:
    return daemon.pipeline([diff_call(pair, content=True) for pair in pairs])


def diff_call(pair: Pair, **more: Any) -> Tuple[str, Any]:
    return "diff", {"from": {"sections": pair[0]}, "to": {"sections": pair[1]}, **more}


def by_apply(daemon: Daemon, pairs: Sequence[Pair]) -> List[Result]:
    """The changes as `applySnapshot` returns them, with contents."""
    calls = []
    for old, new in pairs:
        calls.append(("applySnapshot", {"list": "l", "sections": old, "format": "none"}))
        calls.append(("applySnapshot", {"list": "l", "sections": new, "content": True}))
    return daemon.pipeline(calls)[1::2]


ASKS: Dict[str, Ask] = {
    "diff": by_diff, "diff with content": by_diff_with_content, "applySnapshot": by_apply,
}  # fmt: skip


def broken(pair: Pair, result: Result, content: bool) -> Optional[str]:
    """The law that the result breaks, if any."""
    try:
        check(pair[0], pair[1], result["stages"], result["counts"], content)
    except Broken as law:
        return str(law)
    return None


def check_pairs(daemon: Daemon, ask: Ask, pairs: Sequence[Pair], batch: int = 100) -> None:
    """Checks pairs. Fails with the smallest pair found that breaks a law."""
    content = ask is not by_diff
    for start in range(0, len(pairs), batch):
        some = pairs[start : start + batch]
        for pair, result in zip(some, ask(daemon, some)):
            law = broken(pair, result, content)
            if law:
                pytest.fail(report(*shrunk(daemon, ask, pair, result, law)), pytrace=False)


def shrunk(
    daemon: Daemon, ask: Ask, pair: Pair, result: Result, law: str
) -> Tuple[Pair, Result, str]:
    """Removes rows and sections as long as a law remains broken."""
    tries = SHRINKS
    smaller = simpler(pair)
    while tries:
        tries -= 1
        candidate = next(smaller, None)
        if candidate is None:
            break
        try:
            answer = ask(daemon, [candidate])[0]
        except Refused:
            continue
        why = broken(candidate, answer, ask is not by_diff)
        if why:
            pair, result, law = candidate, answer, why
            smaller = simpler(pair)
    return pair, result, law


def simpler(pair: Pair) -> Iterator[Pair]:
    """The pairs with one row or section removed from one side or both."""
    yield from without(pair, lambda side: [(s, None) for s in range(len(side))])
    rows = sum(len(section["items"]) for side in pair for section in side)
    if rows < 400:
        yield from without(pair, row_places)


def row_places(side: List[Section]) -> List[Tuple[int, Optional[int]]]:
    return [(s, r) for s, section in enumerate(side) for r in range(len(section["items"]))]


def without(pair: Pair, find: Callable[[List[Section]], Any]) -> Iterator[Pair]:
    old, new = pair
    for place in find(old):
        gone = at(old, place)
        twins = [other for other in find(new) if at(new, other) == gone]
        if twins:
            yield drop(old, place), drop(new, twins[0])
        yield drop(old, place), new
    for place in find(new):
        yield old, drop(new, place)


def at(side: List[Section], place: Tuple[int, Optional[int]]) -> Any:
    section = side[place[0]]
    return section["id"] if place[1] is None else section["items"][place[1]]


def drop(side: List[Section], place: Tuple[int, Optional[int]]) -> List[Section]:
    s, r = place
    if r is None:
        return side[:s] + side[s + 1 :]
    items = side[s]["items"]
    return side[:s] + [{**side[s], "items": items[:r] + items[r + 1 :]}] + side[s + 1 :]


def report(pair: Pair, result: Result, law: str) -> str:
    stages = "\n".join(
        f"  stage {index}: " + " ".join(dumps(op) for op in stage)
        for index, stage in enumerate(result["stages"])
    )
    method, params = diff_call(pair)
    return (
        f"{law}\n  from: {picture(pair[0])}\n  to:   {picture(pair[1])}\n{shorten(stages, 4000)}\n"
        f"  counts: {dumps(result['counts'])}\n  ask:  {method} {shorten(dumps(params))}"
    )
