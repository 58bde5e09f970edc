"""The news of a subscription."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Mapping, Optional, Union

from .changes import Change, JSONObject
from .identity import Names
from .results import Fed, Selected, Snapshot, Text


@dataclass(frozen=True)
class Removed:
    """The list was removed. The subscription continues."""

    list: str
    wire: JSONObject = field(repr=False, compare=False, default_factory=dict[str, Any])
    """The JSON value as received."""

    @staticmethod
    def read(value: JSONObject) -> Removed:
        """Converts a received value."""
        return Removed(value["list"], value)


@dataclass(frozen=True)
class Expanded:
    """Items of an outline with `"lazy": true` and no children were expanded: add their children to the
    source."""

    list: str
    items: List[Any]
    """References to the items: their identifiers, if these are unambiguous."""
    request: Optional[Union[str, int]] = None
    """The id of the causing request, if a subscription reports it."""
    wire: JSONObject = field(repr=False, compare=False, default_factory=dict[str, Any])
    """The JSON value as received."""

    @staticmethod
    def read(value: JSONObject) -> Expanded:
        """Converts a received value."""
        return Expanded(value["list"], value["items"], value.get("request"), value)


News = Union[Snapshot, Text, Change, Selected, Expanded, Fed, Removed]
READERS: Dict[str, Callable[[Mapping[str, Any], Optional[Names]], News]] = {
    "didChange": Change.read,
    "didSelect": lambda value, key: Selected.read(value),
    "didExpand": lambda value, key: Expanded.read(value),
    "didFeed": lambda value, key: Fed.read(value),
    "didRemove": lambda value, key: Removed.read(value),
}
"""By the method of a notification. Other ones are ignored."""


def read_news(method: str, value: JSONObject, key: Optional[Names] = None) -> News:
    """Converts a notification, or the result of `subscribe`: a change since the given revision, the whole
    list, or its text. `key` names the members that identify its items."""
    if method in READERS:
        return READERS[method](value, key)
    if "text" in value:
        return Text.read(value)
    return Snapshot.read(value) if "snapshot" in value else Change.read(value, key)
