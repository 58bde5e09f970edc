"""Random snapshots, pairs of them, and all small ones."""

from __future__ import annotations

import random
from itertools import permutations, product
from typing import Any, Dict, Iterator, List, Tuple

from rounds import rounds

Section = Dict[str, Any]
Pair = Tuple[List[Section], List[Section]]
PAIRS = rounds(4500)


def item(rng: random.Random, number: int, kind: str) -> Any:
    """The item of a number: a bare value, an object with an id, or one without."""
    if kind == "mixed":
        kind = ("bare", "object", "loose")[number % 3]
    if kind == "bare":
        return number if number % 2 else f"i{number}"
    content = {"v": rng.randrange(2)}
    if kind == "loose":
        return {"n": number, **content}
    if rng.random() < 0.2:
        content["template"] = rng.choice(["Cell", "Wide"])
    return {"id": number, **content}


def snapshot(rng: random.Random, rows: int, sections: int, kind: str) -> List[Section]:
    """At most `rows` rows in at most `sections` sections; only items without an id repeat."""
    names = rng.sample(range(sections + 1), rng.randint(min(1, sections), sections))
    built = [section(rng, name) for name in names]
    if built:
        for number in numbers(rng, rng.randint(0, rows), kind):
            rng.choice(built)["items"].append(item(rng, number, kind))
    return built


def section(rng: random.Random, name: int) -> Section:
    made: Section = {"id": f"s{name}" if name % 3 else name}
    if rng.random() < 0.2:
        made["header"] = rng.choice(["h", {"text": "h"}])
    if rng.random() < 0.1:
        made["headerTemplate"] = rng.choice(["Header", "Tall"])
    return {**made, "items": []}


def numbers(rng: random.Random, count: int, kind: str) -> List[int]:
    if kind == "object":
        return rng.sample(range(count * 2), count)
    if kind in ("bare", "loose"):
        return [rng.randrange(max(2, count)) for _ in range(count)]
    pool = rng.sample([n for n in range(count * 3) if n % 3 == 1], count)
    return [n if rng.random() < 0.4 else 3 * rng.randrange(max(1, count // 2)) for n in pool]


def edited(rng: random.Random, old: List[Section], kind: str) -> List[Section]:
    """The snapshot after a few deletes, inserts, moves and updates of rows and sections."""
    new = [{**section, "items": list(section["items"])} for section in old]
    if rng.random() < 0.3 and len(new) > 1:
        new.insert(rng.randrange(len(new)), new.pop(rng.randrange(len(new))))
    if rng.random() < 0.2 and new:
        gone = new.pop(rng.randrange(len(new)))
        if new:
            rng.choice(new)["items"] += gone["items"][: rng.randrange(3)]
    if rng.random() < 0.2:
        new.insert(rng.randint(0, len(new)), {"id": f"n{rng.randrange(10**9)}", "items": []})
    for _ in range(rng.randrange(6) if new else 0):
        edit_row(rng, new, kind)
    return new


def edit_row(rng: random.Random, new: List[Section], kind: str) -> None:
    source, target = rng.choice(new)["items"], rng.choice(new)["items"]
    if source and rng.random() < 0.7:
        row = source.pop(rng.randrange(len(source)))
        if rng.random() < 0.3:
            return
        if isinstance(row, dict) and rng.random() < 0.4:
            row = {**row, "v": 2}
        target.insert(rng.randint(0, len(target)), row)
    else:
        fresh = item(rng, 3 * rng.randrange(10**6, 10**9) + 1, kind)
        target.insert(rng.randint(0, len(target)), fresh)


KINDS = ("bare", "object", "loose", "mixed")


def pair(rng: random.Random, rows: int = 10, sections: int = 4) -> Pair:
    kind = rng.choice(KINDS)
    old = snapshot(rng, rows, rng.randint(0, sections), kind)
    if rng.random() < 0.5:
        return old, edited(rng, old, kind)
    return old, snapshot(rng, rows, rng.randint(0, sections), kind)


def flat(items: Any) -> List[Section]:
    return [{"id": "main", "items": list(items)}]


def arrangements() -> List[List[Section]]:
    """All orders of all subsets of four items, and all words of up to three letters of two."""
    whole = [list(order) for n in range(5) for order in permutations([1, 2, 3, 4], n)]
    words = [list(word) for n in range(4) for word in product("ab", repeat=n)]
    return [flat(items) for items in whole + words[1:]]


def sectioned() -> Iterator[List[Section]]:
    """All arrangements of three items in the sections s and t, in either order, either missing."""
    for order in permutations([1, 2, 3]):
        yield [{"id": "s", "items": list(order)}]
        for cut in range(4):
            for first, second in ("st", "ts"):
                yield [
                    {"id": first, "items": list(order[:cut])},
                    {"id": second, "items": list(order[cut:])},
                ]
