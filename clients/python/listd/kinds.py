"""Checks the JSON type of values, also for type checkers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Mapping

if TYPE_CHECKING:
    from typing_extensions import TypeGuard, TypeVar

    ItemT = TypeVar("ItemT", default=Any)
else:
    from typing import TypeVar

    ItemT = TypeVar("ItemT")
"""The type of a list's items."""


def is_object(value: Any) -> TypeGuard[Dict[str, Any]]:
    """Whether a received value is an object."""
    return isinstance(value, dict)


def is_mapping(value: Any) -> TypeGuard[Mapping[str, Any]]:
    """Whether a Python value is converted to an object."""
    return isinstance(value, Mapping)


def is_array(value: Any) -> TypeGuard[List[Any]]:
    """Whether a received value is an array."""
    return isinstance(value, list)


def is_sequence(value: Any) -> TypeGuard[List[Any]]:
    """Whether a Python value is converted to an array."""
    return isinstance(value, (list, tuple))
