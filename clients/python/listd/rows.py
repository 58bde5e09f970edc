"""The rows that a view shows: items or their parts."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Mapping

from .kinds import is_object

Sections = List[Dict[str, Any]]


def rows_of(item: Any) -> List[Any]:
    """The rows of an item: the item itself, or one row for each part, with the item's other
    members."""
    if not is_object(item) or item.get("parts") is None:
        return [item]
    rest = {name: value for name, value in item.items() if name != "parts"}
    return [{"$part": part, "$item": rest} for part in item["parts"]]


def in_rows(sections: Iterable[Mapping[str, Any]]) -> Sections:
    """The sections with rows instead of items. If no item has parts, they are equal."""
    return [in_row_form(section) for section in sections]


def in_row_form(section: Mapping[str, Any]) -> Dict[str, Any]:
    """A section with rows instead of items."""
    return {**section, "items": [row for item in section["items"] for row in rows_of(item)]}
