"""Splits a change into rows that were deleted, inserted, moved and updated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, List, Literal, Optional, Sequence

from .applying import content, rearranged
from .kinds import is_object
from .ops import (
    InsertItems, InsertSections, MoveItems, Op, ReconfigureItems, ReconfigureSections, ReloadItems,
    ReloadSections, Stage,
)  # fmt: skip
from .places import ID, Path
from .rows import Sections, in_rows

Kind = Literal["delete", "insert", "move", "update"]
UPDATES = (ReloadItems, ReconfigureItems, ReloadSections, ReconfigureSections)
VERBS = {"delete": "deleted", "insert": "inserted", "move": "moved", "update": "updated"}


@dataclass(frozen=True)
class RowChange:
    """A change of one row. A row that was moved and updated has two changes."""

    kind: Kind
    id: Optional[ID]
    """The identifier of its item; `None` if it has none."""
    old: Any
    """The row before; `None` if it was inserted."""
    new: Any
    """The row after; `None` if it was deleted."""
    from_: Optional[Path]
    """The old path; `None` if it was inserted."""
    to: Optional[Path]
    """The new path; `None` if it was deleted."""

    def __str__(self) -> str:
        shown = self.id if self.id is not None else self.old if self.new is None else self.new
        paths = [f"{path.section}.{path.row}" for path in (self.from_, self.to) if path]
        position = " to ".join(paths) if self.kind == "move" else paths[-1]
        text = f"{VERBS[self.kind]} {shown} {'from' if self.kind == 'move' else 'at'} {position}"
        return f"{text}: {self.old!r} is now {self.new!r}" if self.kind == "update" else text


class _Row:
    """A row that is tracked through the stages."""

    def __init__(self, old: Any, new: Any, from_: Optional[Path]) -> None:
        self.old, self.new, self.from_ = old, new, from_
        self.is_moved = self.is_updated = False


def each(
    before: Sections, stages: Sequence[Stage], after: Optional[Callable[[], Sections]] = None
) -> Iterator[RowChange]:
    """The changes of rows: deletes in the old order, then the others in the new order.

    `before` has items or rows. `after` is called if the stages lack contents. O(rows)."""
    old = in_rows(before)
    for index, section in enumerate(old):
        rows = enumerate(section["items"])
        section["items"] = [_Row(row, row, Path(index, number)) for number, row in rows]
    now: Sections = old
    is_incomplete = False
    for stage in stages:
        if any(isinstance(op, UPDATES) for op in stage):
            for op in stage:
                is_incomplete |= _update(now, op)
        else:
            for op in stage:
                if isinstance(op, MoveItems):
                    for k in range(op.count):
                        now[op.from_.section]["items"][op.from_.row + k].is_moved = True
            tracked = [_tracked(op) for op in stage]
            is_incomplete |= any(
                (op.items if isinstance(op, InsertItems) else op.sections) is None
                for op in stage if isinstance(op, (InsertItems, InsertSections))
            )  # fmt: skip
            now = rearranged(now, tracked)
    if is_incomplete and after:
        for complete, section in zip(in_rows(after()), now):
            for new, row in zip(complete["items"], section["items"]):
                row.new = new
    kept = {id(row) for section in now for row in section["items"]}
    for section in old:
        for row in section["items"]:
            if id(row) not in kept:
                yield RowChange("delete", id_of(row.old), row.old, None, row.from_, None)
    for index, section in enumerate(now):
        for number, row in enumerate(section["items"]):
            yield from _changes(row, Path(index, number))


def _changes(row: _Row, to: Path) -> Iterator[RowChange]:
    def change(kind: Kind) -> RowChange:
        return RowChange(kind, id_of(row.new), row.old, row.new, row.from_, to)

    if row.from_ is None:
        yield change("insert")
    if row.is_moved:
        yield change("move")
    if row.is_updated:
        yield change("update")


def _tracked(op: Op) -> Op:
    """The op with tracked rows as inserted rows."""
    if isinstance(op, InsertItems):
        items = op.items or [None] * op.count
        return InsertItems(op.at, op.count, [_Row(None, item, None) for item in items])
    if isinstance(op, InsertSections):
        sections: List[Dict[str, Any]] = [
            {"items": [None] * rows} if op.sections is None else dict(in_rows([op.sections[k]])[0])
            for k, rows in enumerate(op.rows)
        ]
        for section in sections:
            section["items"] = [_Row(None, item, None) for item in section["items"]]
        return InsertSections(op.at, op.count, op.rows, sections)
    return op


def _update(now: Sections, op: Op) -> bool:
    """Sets new contents. Returns whether the op lacks them."""
    if not isinstance(op, (ReloadItems, ReconfigureItems)):
        return False
    for k in range(op.count):
        row = now[op.at.section]["items"][op.at.row + k]
        row.is_updated = True
        if op.items is not None:
            row.new = content(op, op.items, k)
    return op.items is None


def id_of(row: Any) -> Optional[ID]:
    """The identifier of a row's item: its `id`, or the row itself if it is a string or an
    integer."""
    item = row.get("$item", row) if is_object(row) else row
    found = item.get("id") if is_object(item) else item
    return found if isinstance(found, (str, int)) else None
