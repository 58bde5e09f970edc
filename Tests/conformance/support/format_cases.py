"""Random snapshots with headers, parts and long texts, what they contain, and their default text."""

from __future__ import annotations

import copy
import random
from typing import Any, Dict, List, Tuple

from values import Sect, identity, sects

HEADERS = ("one", "two\nlines", {"text": "of an object"}, {"text": "a\r\nb"}, None)
WORDS = ("a", "b", "a\nb", "a\nc\nb", "", "\n", "é\U0001f642", "x\ry")
Sections = List[Dict[str, Any]]


def item(rng: random.Random, number: int) -> Any:
    """The item of a number: always of the same kind, with random content."""
    text = rng.choice(WORDS)
    kind = number % 5
    if kind == 0:
        return f"i{number}\nbare" if number % 2 else number
    if kind == 1:
        return {"text": text, "n": number}
    made: Dict[str, Any] = {"id": number, "text": text}
    if rng.random() < 0.2:
        made["template"] = rng.choice(["Cell", "Wide"])
    if kind == 2 and rng.random() < 0.8:
        made["parts"] = parts(rng)
    return made


def parts(rng: random.Random) -> List[Any]:
    made: List[Any] = [{"id": name, "text": rng.choice(WORDS)} for name in rng.sample("pqr", 2)]
    made += ["bare", {"template": "Wide"}, {"template": "Spacing", "lines": rng.randrange(3)}]
    made += [{"template": "Spacing"}] * 2
    return rng.sample(made, rng.randrange(len(made) + 1))


def section(rng: random.Random, name: Any) -> Dict[str, Any]:
    made: Dict[str, Any] = {"id": name}
    for member in ("header", "footer", "a/b", "c~d", "", "note"):
        if rng.random() < 0.3:
            made[member] = rng.choice(HEADERS)
    if rng.random() < 0.2:
        made["headerTemplate"] = rng.choice(["Header", "Cell"])
    return {**made, "items": []}


def snapshot(rng: random.Random) -> Sections:
    """Up to four sections; bare items and objects without an id repeat."""
    made = [section(rng, name) for name in rng.sample(["s", 1, "1", "t", "u"], rng.randint(0, 4))]
    numbers = rng.sample(range(16), rng.randint(0, 12)) if made else []
    numbers += [n for n in numbers if n % 5 < 2 and rng.random() < 0.4]
    for number in numbers:
        rng.choice(made)["items"].append(item(rng, number))
    return made


def edited(rng: random.Random, old: Sections) -> Sections:
    """A few changes of the old one."""
    new = copy.deepcopy(old)
    if new and rng.random() < 0.3:
        new.insert(rng.randrange(len(new)), new.pop(rng.randrange(len(new))))
    if new and rng.random() < 0.2:
        gone = new.pop(rng.randrange(len(new)))
        if new:
            rng.choice(new)["items"] += gone["items"][:2]
    for entry in new:
        if rng.random() < 0.2:
            entry.update(header=rng.choice(HEADERS))
        for place, old_item in enumerate(entry["items"]):
            if rng.random() < 0.2 and isinstance(old_item, dict) and "id" in old_item:
                entry["items"][place] = item(rng, old_item["id"])
    for _ in range(rng.randrange(4) if new else 0):
        source, target = rng.choice(new)["items"], rng.choice(new)["items"]
        if source:
            target.insert(rng.randint(0, len(target)), source.pop(rng.randrange(len(source))))
    return new


def pair(rng: random.Random) -> Tuple[Sections, Sections]:
    old = snapshot(rng)
    return old, (edited(rng, old) if rng.random() < 0.6 else snapshot(rng))


def pairs(rng: random.Random, count: int) -> List[Tuple[Sections, Sections]]:
    return [pair(rng) for _ in range(count)]


def contents(doc: List[Sect]) -> Any:
    return [[sect.own, [row.content for row in sect.rows]] for sect in doc]


def lines(text: str) -> List[str]:
    return text.split("\n")[:-1]


def apply_edits(text: str, edits: List[Any]) -> str:
    """Applies LSP edits to a list of lines, from the last to the first."""
    result = lines(text)
    for edit in reversed(edits):
        start, end = edit["range"]["start"], edit["range"]["end"]
        assert start["character"] == end["character"] == 0
        result[start["line"] : end["line"]] = lines(edit["newText"])
    return "".join(line + "\n" for line in result)


def rendered(sections: Sections) -> List[Tuple[Any, List[str]]]:
    """Each header, row and footer with its identity and its lines, by the default templates."""
    blocks: List[Tuple[Any, List[str]]] = []
    for entry, sect in zip(sections, sects(sections)):
        name = ("section", identity(entry["id"]))
        blocks.append(((name, "header"), words(entry.get("header"))))
        blocks += [((row.identity), row_lines(row.content)) for row in sect.rows]
        blocks.append(((name, "footer"), words(entry.get("footer"))))
    return blocks


def row_lines(content: Any) -> List[str]:
    if not isinstance(content, dict) or "$part" not in content:
        return words(content)
    part, owner = content["$part"], content["$item"]
    if not isinstance(part, dict):
        return words(part)
    if part.get("template") == "Spacing":
        return [""] * part.get("lines", 1)
    return words({**owner, **part})


def words(value: Any) -> List[str]:
    if value is None:
        return []
    text = str(value.get("text", "")) if isinstance(value, dict) else str(value)
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def plain(doc: Any) -> Any:
    """The contents without headers and footers that are null."""
    return [
        [
            {k: v for k, v in own.items() if v is not None or k not in ("header", "footer")},
            rows,
        ]
        for own, rows in doc
    ]
