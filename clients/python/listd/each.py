"""Splits a change into rows that were deleted, inserted, moved and updated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, Generator, Generic, Iterable, List, Literal, Optional, Tuple, TypeVar

from .identity import Names, id_of
from .kinds import ItemT
from .places import ID, Path
from .rows import Sections, in_row_form
from .tracing import UNKNOWN, Missing, Trace, missing

T = TypeVar("T")
Kind = Literal["delete", "insert", "move", "update"]
VERBS = {"delete": "deleted", "insert": "inserted", "move": "moved", "update": "updated"}


@dataclass(frozen=True)
class RowChange(Generic[ItemT]):
    """A change of one row. A row that was moved and updated has two changes."""

    kind: Kind
    id: Optional[ID]
    """The identifier of its item; `None` if it has none."""
    old: Optional[ItemT]
    """The row before; `None` if it was inserted."""
    new: Optional[ItemT]
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


class Known:
    """A list all of whose rows are known."""

    def __init__(self, sections: Sections) -> None:
        self._sections = sections
        self._in_rows: Dict[int, List[Any]] = {}

    def row(self, path: Path) -> Any:
        """The row at a path."""
        return self._rows(path.section)[path.row]

    def length(self, section: int) -> int:
        """The number of rows of a section."""
        return len(self._rows(section))

    def _rows(self, section: int) -> List[Any]:
        if section not in self._in_rows:
            self._in_rows[section] = in_row_form(self._sections[section])["items"]
        return self._in_rows[section]


class Rows(Dict[Path, Any]):
    """The rows that a change contains, by their paths before it or after it."""

    def __init__(self, rows: Iterable[Tuple[Optional[Path], Any]]) -> None:
        super().__init__((path, row) for path, row in rows if path and row is not UNKNOWN)

    def __missing__(self, path: Path) -> Any:
        raise Missing(path)


def row_changes(
    trace: Trace, key: Optional[Names], old: Callable[[Path], Any] = missing, new: Callable[[Path], Any] = missing
) -> List[RowChange]:
    """The changes of rows: deletes in the old order, then the others in the new order. `old` and `new` return rows of
    the lists that the change does not contain."""
    found: List[RowChange] = []
    for path in sorted(trace.deleted):
        row = trace.deleted[path]
        row = old(path) if row is UNKNOWN else row
        found.append(RowChange("delete", id_of(row, key), row, None, path, None))
    for path in sorted(trace.entries):
        entry = trace.entries[path]
        before, after = entry.old, entry.new
        if before is UNKNOWN:
            before = None if entry.from_ is None else old(entry.from_)
        if after is UNKNOWN:
            after = new(path) if entry.from_ is None or entry.is_updated else before
        kinds: List[Kind] = ["insert"] if entry.from_ is None else []
        if entry.is_moved:
            kinds.append("move")
        if entry.is_updated:
            kinds.append("update")
        found += [RowChange(kind, id_of(after, key), before, after, entry.from_, path) for kind in kinds]
    return found


Asking = Generator[Any, Any, T]
"""Yields calls, and gets their results."""
