"""Converts Python values to items that JSON can represent."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, Iterable, List, Optional, Union, cast

from .kinds import is_mapping, is_object, is_sequence

Key = Union[str, Callable[[Any], Any]]
Default = Callable[[Any], Any]


def prepared(
    items: Optional[Iterable[Any]], key: Optional[Key], default: Optional[Default]
) -> Optional[List[Any]]:
    """The items with their `id` from `key`, and with values that JSON lacks converted by
    `default`."""
    if items is None:
        return None
    if isinstance(items, (str, bytes)) or is_mapping(items):
        raise TypeError(f"items is one {type(items).__name__}, not a list of items")
    if key is None and default is None:
        return list(items)
    return [_item(f"items[{index}]", item, key, default) for index, item in enumerate(items)]


def _item(path: str, item: Any, key: Optional[Key], default: Optional[Default]) -> Any:
    id = None if key is None else _key(path, item, key)
    value = item if default is None else plain(item, default)
    if key is None:
        return value
    if not is_mapping(value):
        raise TypeError(f"{path} is a {type(item).__name__}: only objects can have a key")
    return {**value, "id": id if default is None else plain(id, default)}


def _key(path: str, item: Any, key: Key) -> Any:
    try:
        if callable(key):
            return key(item)
        if key in item:
            return item[key]
        found = item
        for name in key.split("."):
            found = found[name]
        return found
    except (LookupError, TypeError, AttributeError) as why:
        raise ValueError(f"{path} has no key {key if isinstance(key, str) else ''}: {why!r}") from why


def plain(value: Any, default: Default) -> Any:
    """The value, with nested values that JSON lacks converted by `default`."""
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if is_mapping(value):
        return {name: plain(member, default) for name, member in value.items()}
    if is_sequence(value):
        return [plain(member, default) for member in value]
    return plain(default(value), default)


def encode(message: Any) -> bytes:
    """The JSON text of a message. Errors contain the path of an invalid parameter."""
    try:
        return json.dumps(message, separators=(",", ":"), allow_nan=False).encode()
    except (TypeError, ValueError) as why:
        found = _fault(message.get("params"), "")
        if not found:
            raise
        raise type(why)(f"{found[0]}: {found[1]}") from why


def _fault(value: Any, path: str) -> "Optional[tuple[str, str]]":
    """The path of the first value that JSON lacks, and a description of the problem."""
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return path, f"{value} is not a JSON number"
    members: Dict[str, Any] = {}
    if is_object(value):
        for name in cast("Iterable[Any]", value):
            if not (name is None or isinstance(name, (str, int, float))):
                return path, f"a {type(name).__name__} cannot be the name of a member"
        members = {f"{path}.{name}" if path else str(name): one for name, one in value.items()}
    elif is_sequence(value):
        members = {f"{path}[{index}]": one for index, one in enumerate(value)}
    elif value is not None and not isinstance(value, (str, bool, int, float)):
        return path, f"a {type(value).__name__} is not JSON; `default` may convert it"
    for name, one in members.items():
        if found := _fault(one, name):
            return found
    return None
