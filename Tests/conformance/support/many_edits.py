"""Requests with many edits of one kind, for tests of their cost."""

from __future__ import annotations

import random
from typing import Any, Callable, Dict, List, Tuple

Edit = Dict[str, Any]

# By kind, functions of a number of edits: the sections before them, and the edits.
Heap = Callable[[int], Tuple[List[Any], List[Edit]]]


def rows(count: int) -> List[Any]:
    """A section of rows whose identifiers are numbers."""
    return [{"id": "s", "items": [{"id": k} for k in range(count)]}]


def split(count: int) -> List[Any]:
    """Items of which every third one has two rows and every third one none."""
    parts: List[Any] = [{}, {"parts": ["a", "b"]}, {"parts": []}]
    return [{"id": "s", "items": [{"id": k, **parts[k % 3]} for k in range(count)]}]


def sections(count: int) -> List[Any]:
    return [{"id": k, "items": [{"id": f"i{k}"}]} for k in range(count)]


def mixed(count: int) -> List[int]:
    return random.Random(count).sample(range(count), count)


def each(kind: str, values: List[Any], member: str = "items", **more: Any) -> List[Edit]:
    """An edit for each of some values."""
    return [{"edit": kind, member: [value], **more} for value in values]


def new(count: int) -> List[str]:
    return [f"n{k}" for k in range(count)]


def moves(places: List[Any]) -> List[Edit]:
    """Moves each row before the one that follows it in the list."""
    return [
        {"edit": "moveItems", "items": [one], "before": other}
        for one, other in zip(places, places[1:] + places[:1])
    ]


def many_parts(count: int, change: int) -> Dict[str, Any]:
    parts = [{"id": k, "text": (k % 7 == 0) * change} for k in range(count)]
    return {"id": "i", "n": change % 2, "parts": parts}


HEAPS: Dict[str, Heap] = {
    "appendItems": lambda n: (rows(2), each("appendItems", new(n))),
    "appendItems to a section": lambda n: (
        sections(3), each("appendItems", new(n), section=1),
    ),
    "putItems, new": lambda n: (rows(2), each("putItems", new(n))),
    "putItems, there": lambda n: (
        rows(n), each("putItems", [{"id": k, "text": "x"} for k in mixed(n)]),
    ),
    "insertItems": lambda n: (
        rows(n), [
            {"edit": "insertItems", "items": [{"id": f"n{k}"}], "after": k} for k in mixed(n)
        ],
    ),
    "insertItems at one": lambda n: (rows(2), each("insertItems", new(n), before=1)),
    "insertItems in a row": lambda n: (
        rows(1), [
            {"edit": "insertItems", "items": [f"n{k}"], "after": f"n{k - 1}" if k else 0}
            for k in range(n)
        ],
    ),
    "deleteItems": lambda n: (rows(n), each("deleteItems", mixed(n))),
    "deleteItems of repeated ones": lambda n: (
        [{"id": "s", "items": ["x"] * n}], each("deleteItems", ["x"] * n),
    ),
    "deleteItems of later repeated ones": lambda n: (
        [{"id": "s", "items": ["x", "y"] * n}],
        each("deleteItems", [{"id": "x", "occurrence": k} for k in reversed(range(n))]),
    ),
    "moveItems": lambda n: (rows(n), moves(mixed(n))),
    "moveItems of repeated ones": lambda n: (
        [{"id": "s", "items": ["x", "y"] * n}],
        moves([{"id": "xy"[k % 2], "occurrence": k} for k in mixed(n)]),
    ),
    "moveItems to a section": lambda n: (
        rows(n) + [{"id": "t", "items": []}], each("moveItems", mixed(n), section="t"),
    ),
    "updateItems": lambda n: (
        rows(n), each("updateItems", [{"id": k, "text": "x"} for k in mixed(n)]),
    ),
    "updateItems of one": lambda n: (
        rows(2), each("updateItems", [{"id": 1, "text": k} for k in range(n)]),
    ),
    "reloadItems": lambda n: (rows(n), each("reloadItems", mixed(n))),
    "reconfigureItems": lambda n: (rows(n), each("reconfigureItems", mixed(n))),
    "deleteItems by path": lambda n: (
        split(n), each("deleteItems", [{"path": [0, k]} for k in mixed(n // 2)[: n // 4]]),
    ),
    "moveItems by path": lambda n: (split(n), [
        {"edit": "moveItems", "items": [{"path": [0, k]}], "before": {"path": [0, k + n // 2]}}
        for k in mixed(n // 3)]),
    "updateItems with parts": lambda n: (
        split(n), each("updateItems", [{"id": k, "parts": ["c", "d"]} for k in mixed(n)]),
    ),
    "appendSections": lambda n: (sections(1), each("appendSections", [
        {"id": name} for name in new(n)], "sections")),
    "insertSections": lambda n: (sections(n), [
        {"edit": "insertSections", "sections": [{"id": f"n{k}"}], "after": k} for k in mixed(n)]),
    "deleteSections": lambda n: (sections(n), each("deleteSections", mixed(n), "sections")),
    "reloadSections": lambda n: (sections(n), each("reloadSections", mixed(n), "sections")),
    "reconfigureSections": lambda n: (
        sections(n), each("reconfigureSections", mixed(n), "sections")),
    "updateSections": lambda n: (
        sections(n), each("updateSections", [{"id": k, "x": 1} for k in mixed(n)], "sections")),
    "moveSection": lambda n: (sections(n), [
        {"edit": "moveSection", "section": k, "after": other}
        for k, other in zip(mixed(n), mixed(n)[1:])]),
    "appendItems to sections": lambda n: (
        sections(n), [
            {"edit": "appendItems", "items": [f"n{k}"], "section": k} for k in mixed(n)]),
    "moveItems among sections": lambda n: (
        sections(n), moves([f"i{k}" for k in mixed(n)])),
    "updateItems of one with many parts": lambda n: (
        [{"id": "s", "items": [many_parts(2 * n, 0)]}],
        each("updateItems", [many_parts(2 * n, k) for k in (1, 3)]),
    ),
    "deleteAllItems": lambda n: (rows(n), [{"edit": "deleteAllItems"}] * n),
}  # fmt: skip


def chain(count: int) -> List[Any]:
    """Items of which each is the parent of the next."""
    return [{"id": "s", "items": [{"id": k, "up": k - 1} for k in range(count)]}]


def bush(count: int) -> List[Any]:
    """Items of which each is the parent of ten."""
    return [{"id": "s", "items": [{"id": k, "up": (k - 1) // 10} for k in range(count)]}]


def in_turn(places: List[Any], **more: Any) -> List[Edit]:
    """Expands and collapses items in turn."""
    kinds = ["expandItems", "collapseItems"]
    return [{"edit": kinds[k % 2], "items": [one], **more} for k, one in enumerate(places)]


# Edits of an outline in which the member `up` names the parent.
OUTLINE_HEAPS: Dict[str, Heap] = {
    "revealItems of the deepest": lambda n: (chain(n), each("revealItems", [n - 1] * n)),
    "revealItems": lambda n: (chain(n), each("revealItems", mixed(n))),
    "revealItems below a collapsed one": lambda n: (
        chain(n), [
            {"edit": ("revealItems", "collapseItems")[k % 2], "items": [(n - 1, 0)[k % 2]]}
            for k in range(n)],
    ),
    "expandItems": lambda n: (bush(n), each("expandItems", mixed(n))),
    "expandItems, deep": lambda n: (chain(n), each("expandItems", mixed(n), deep=True)),
    "expandItems and collapseItems": lambda n: (chain(n), in_turn(mixed(n))),
    "expandItems and collapseItems, deep": lambda n: (chain(n), in_turn([0] * n, deep=True)),
    "expandItems and collapseItems by path": lambda n: (bush(n), in_turn([{"path": [0, 0]}] * n)),
    "expandAll and collapseAll": lambda n: (
        bush(n), [{"edit": ("expandAll", "collapseAll")[k % 2]} for k in range(n)],
    ),
}  # fmt: skip
