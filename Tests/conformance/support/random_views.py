"""Random items and definitions of views."""

from __future__ import annotations

import random
from typing import Any, Dict, List

WORDS = [
    "file10", "File9", "file009", "Äpfel", "äpfel", "b", "B2", "b10", "", "a\u0000b", "ẞ", "ß",
    "💥", "f" + "x" * 90 + "0",
]  # fmt: skip
VALUES = [
    None, True, False, 0, 1, 2, 10, -1, 1.5, 2.50, 1e3, -0.25, 10**20, "1", "x", "y", "true", [1],
    {"b": 1, "a": 2},
]  # fmt: skip


def item(rng: random.Random, id: int) -> Any:
    if rng.random() < 0.15:
        return f"bare {id}"
    made: Dict[str, Any] = {"id": id}
    if rng.random() < 0.8:
        made["n"] = rng.choice(WORDS)
    if rng.random() < 0.8:
        made["g"] = rng.choice(VALUES)
    if rng.random() < 0.3:
        made["in"] = {"k": rng.choice(VALUES), "tags": rng.sample(WORDS, 2)}
    if rng.random() < 0.15:
        made["in.k"] = rng.choice(VALUES)
    if rng.random() < 0.1:
        made["selectable"] = False
    return made


def section(rng: random.Random, id: Any, ids: List[int]) -> Dict[str, Any]:
    made = {"id": id, "items": [item(rng, one) for one in ids]}
    if rng.random() < 0.7:
        made["selectionMode"] = rng.choice(["multiple", "multiple", "single", "none"])
    if rng.random() < 0.3:
        made["header"] = rng.choice(WORDS)
    return made


def sections(rng: random.Random, first: int, most: int = 12) -> List[Dict[str, Any]]:
    ids = [first + k for k in rng.sample(range(20), rng.randint(0, most))]
    cut = rng.randint(0, len(ids))
    names = rng.sample(["s", 1, "1", "t"], 2)
    return [section(rng, names[0], ids[:cut]), section(rng, names[1], ids[cut:])]


def condition(rng: random.Random, depth: int = 2) -> Dict[str, Any]:
    if depth and rng.random() < 0.4:
        some = [condition(rng, depth - 1) for _ in range(rng.randint(0, 3))]
        return rng.choice([{"all": some}, {"any": some}, {"not": condition(rng, depth - 1)}])
    name = rng.choice(["n", "g", "g", "in.k", "in.tags", "id", "text", "nothing"])
    values = WORDS if rng.random() < 0.4 else VALUES
    plain = [value for value in values if isinstance(value, (str, int, float, bool))]
    return {"member": name, **rng.choice([
        {"is": rng.choice(values)},
        {"in": rng.sample(values, rng.randint(0, 9))},
        {"from": rng.choice(plain)},
        {"to": rng.choice(plain)},
        {"from": rng.choice(plain), "to": rng.choice(plain)},
        {"contains": rng.choice(["file", "0", "", "ä", 1, None, rng.choice(WORDS)])},
        {"exists": rng.random() < 0.5},
    ])}  # fmt: skip


def definition(rng: random.Random) -> Dict[str, Any]:
    view: Dict[str, Any] = {}
    if rng.random() < 0.5:
        view["where"] = condition(rng)
    if rng.random() < 0.4:
        view["match"] = match(rng)
    if rng.random() < 0.2:
        view["distinct"] = rng.choice(["g", "n", "in.k"])
    if rng.random() < 0.6:
        view["sort"] = [sort_key(rng, "match" in view) for _ in range(rng.randint(0, 3))]
    if rng.random() < 0.7:
        view["sections"] = rng.choice(["keep", "merge", "merge", {"by": "g"}, {"by": "in.k"}])
    if rng.random() < 0.4:
        view["window"] = {"count": rng.randint(0, 6)}
        if rng.random() < 0.6:
            view["window"]["start"] = rng.randint(0, 9)
    if rng.random() < 0.5:
        view["selection"] = rng.choice(["own", "source", "source"])
    if rng.random() < 0.6:
        view["selectionMode"] = rng.choice(["multiple", "multiple", "single", "none"])
    return view


def match(rng: random.Random) -> Dict[str, Any]:
    # "f0" often matches a long text alone, with a negative score.
    terms = [*["f0"] * 6, "f", "i0", "e1", "B", "b", "0", "ä", "ap", "ß", "!9", "!b", "!F", "xyz"]
    rng.shuffle(terms)
    made: Dict[str, Any] = {"query": " ".join(terms[: rng.randint(0, 2)])}
    if rng.random() < 0.9:
        made["members"] = rng.choice([["n"], ["n", "g"], ["in.k"], ["id", "n"], ["text"]])
    return made


def sort_key(rng: random.Random, has_match: bool) -> Dict[str, Any]:
    names = ["n", "g", "id", "text", "in.k", "$source", "nothing"]
    made = {"by": rng.choice(names + (["$score", "$length"] * 3 if has_match else []))}
    if rng.random() < 0.4:
        made["order"] = rng.choice(["ascending", "descending"])
    if rng.random() < 0.5:
        made["as"] = rng.choice(["value", "natural"])
    return made
