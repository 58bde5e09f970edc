"""JSON values, identities and rows, as the protocol defines them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Dict, Hashable, Iterable, List, Optional


def loads(text: Any) -> Any:
    """Parses JSON and keeps every number exactly."""
    return json.loads(text, parse_float=Decimal)


def dumps(value: Any) -> str:
    """Compact JSON, with the text of decimals as strings (only messages for people need it)."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def key(value: Any) -> Hashable:
    """A key that is equal for two JSON values if they are the same value."""
    if value is None or isinstance(value, bool):
        return ("literal", str(value))
    if isinstance(value, float):
        return ("number", Decimal(repr(value)))
    if isinstance(value, (int, Decimal)):
        return ("number", value)
    if isinstance(value, str):
        return ("string", value)
    if isinstance(value, dict):
        return ("object", frozenset((name, key(member)) for name, member in value.items()))
    return ("array", tuple(key(element) for element in value))


def same(one: Any, other: Any) -> bool:
    """Reports whether two JSON values are the same: 1 is 1.0, and true is not 1."""
    return key(one) == key(other)


def identity(item: Any) -> Hashable:
    """The identity of an item: its id, a bare value itself, else the whole value."""
    if not isinstance(item, dict):
        return ("id", key(item))
    return ("id", key(item["id"])) if "id" in item else ("value", key(item))


@dataclass(frozen=True)
class Row:
    """A row: an item or one of its parts."""

    identity: Hashable
    content: Any

    @property
    def template(self) -> str:
        part = self.content
        if isinstance(part, dict) and "$part" in part:
            part = part["$part"]
        return part.get("template", "Cell") if isinstance(part, dict) else "Cell"


def rows_of(items: Iterable[Any]) -> List[Row]:
    rows: List[Row] = []
    for item in items:
        if isinstance(item, dict) and "parts" in item:
            rows += part_rows(item)
        else:
            rows.append(Row(identity(item), item))
    return rows


def part_rows(item: Dict[str, Any]) -> List[Row]:
    rest = {name: value for name, value in item.items() if name != "parts"}
    seen: Dict[Hashable, int] = {}
    rows: List[Row] = []
    for part in item["parts"]:
        name = part_name(part)
        number = seen.get(name, 0)
        seen[name] = number + 1
        rows.append(Row((identity(item), name, number), {"$part": part, "$item": rest}))
    return rows


def part_name(part: Any) -> Hashable:
    if isinstance(part, dict) and "id" not in part:
        return ("template", part.get("template", "Cell"))
    return ("id", key(part["id"] if isinstance(part, dict) else part))


@dataclass
class Sect:
    """A section with its own members, or a token for them, and its rows."""

    own: Any
    rows: List[Any]


def own(section: Dict[str, Any]) -> Dict[str, Any]:
    """The content of a section: all its members except `items`."""
    return {name: value for name, value in section.items() if name != "items"}


def sects(sections: Iterable[Any]) -> List[Sect]:
    """Sections with their rows. Values that are sections already are returned as they are."""
    return [
        section if isinstance(section, Sect) else Sect(own(section), rows_of(section["items"]))
        for section in sections
    ]


def sections_of(snapshot: Dict[str, Any]) -> List[Dict[str, Any]]:
    """The sections of a snapshot in either form."""
    if "items" in snapshot:
        return [{"id": "main", "items": snapshot["items"]}]
    return snapshot["sections"]


def places(ranges: Iterable[Dict[str, Any]]) -> List[tuple]:
    """The paths that ranges cover."""
    return [(entry["at"][0], entry["at"][1] + k) for entry in ranges for k in range(entry["count"])]


def label(item: Any) -> str:
    if isinstance(item, dict) and "$part" in item:
        return f"{label(item['$item'])}/{label(item['$part'])}"
    if not isinstance(item, dict):
        return dumps(item)
    rest = {name: value for name, value in item.items() if name != "id"}
    return (dumps(item["id"]) if "id" in item else "") + (dumps(rest) if rest else "*")


def picture(sections: Iterable[Dict[str, Any]], limit: Optional[int] = 2000) -> str:
    """A snapshot in one line: `"s1" {own}: 1 2 3 | "s2": 4`."""
    answer = " | ".join(
        f"{label(own(section))}: " + " ".join(label(item) for item in section["items"])
        for section in sections
    )
    return answer if limit is None or len(answer) <= limit else answer[:limit] + " …"
