"""Identifies the items of rows, as the daemon does."""

from __future__ import annotations

import json
from typing import Any, List, Optional, Sequence, Union

from .kinds import is_object
from .places import ID

Names = Union[str, Sequence[str]]
"""The members that identify items without `id`: `"pid"`, `"metadata.name"`, or several."""


def names_of(key: Optional[Names]) -> Union[str, List[str], None]:
    """A key as JSON."""
    if callable(key):
        raise TypeError("a key is the name of a member, or several, not a function: items may have an `id` instead")
    return key if key is None or isinstance(key, str) else list(key)


def id_of(row: Any, key: Optional[Names]) -> Optional[ID]:
    """The identifier of a row's item: its `id`, the item itself if it is a string or an integer, or the values of the
    members that `key` names. `None` if it has none."""
    item = row.get("$item", row) if is_object(row) else row
    id = item.get("id") if is_object(item) else item
    if id is not None or key is None:
        return as_id(id)
    values = [member(item, name) for name in ([key] if isinstance(key, str) else key)]
    if None in values:
        return None
    if len(values) == 1 and as_id(values[0]) is not None:
        return as_id(values[0])
    return ",".join(json.dumps(canonical(one), ensure_ascii=False, separators=(",", ":")) for one in values)


def as_id(value: Any) -> Optional[ID]:
    """A value as an identifier; `None` if it is neither a string nor an integer."""
    value = canonical(value)
    return value if isinstance(value, (str, int)) and not isinstance(value, bool) else None


def canonical(value: Any) -> Any:
    """A value, but `1.0` is `1`."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def member(item: Any, name: str) -> Any:
    """A member by its whole name, else by its path."""
    if not is_object(item) or name in item:
        return item.get(name) if is_object(item) else None
    for step in name.split("."):
        item = item.get(step) if is_object(item) else None
    return item
