"""What a subscription receives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, List, Optional, Union

from .results import Change, Selected, Snapshot, Text, Told


@dataclass(frozen=True)
class Removed:
    """The list is no more; its subscription stays."""

    list: str
    wire: Told = field(repr=False, compare=False, default_factory=dict[str, Any])
    """The JSON value as it was received: what a program passes on."""

    @staticmethod
    def read(told: Told) -> Removed:
        """Reads what the daemon sent."""
        return Removed(told["list"], told)


@dataclass(frozen=True)
class Expanded:
    """Items of an outline were expanded that say `"lazy": true` and have no children yet: add these to
    the source."""

    list: str
    items: List[Any]
    """The references of the items: identifiers, if these are unambiguous."""
    request: Optional[Union[str, int]] = None
    """The id of the request that was the cause, if a subscription reports one."""
    wire: Told = field(repr=False, compare=False, default_factory=dict[str, Any])
    """The JSON value as it was received: what a program passes on."""

    @staticmethod
    def read(told: Told) -> Expanded:
        """Reads what the daemon sent."""
        return Expanded(told["list"], told["items"], told.get("request"), told)


News = Union[Snapshot, Text, Change, Selected, Expanded, Removed]


def read_news(method: str, told: Told) -> News:
    """Reads a notification, or the answer of `subscribe`: a change from the asked revision,
    or the whole list, or its text."""
    if method == "didSelect":
        return Selected.read(told)
    if method == "didExpand":
        return Expanded.read(told)
    if method == "didRemove":
        return Removed.read(told)
    if "text" in told:
        return Text.read(told)
    return Snapshot.read(told) if "snapshot" in told else Change.read(told)
