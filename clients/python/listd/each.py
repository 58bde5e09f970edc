"""Splits a change into rows that were deleted, inserted, moved and updated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import (
    Any, Callable, Dict, Generator, Generic, List, Literal, Mapping, Optional, Sequence, TypeVar,
)  # fmt: skip

from .errors import OutOfStep
from .kinds import ItemT, is_object
from .ops import Op, Stage
from .places import ID, Path
from .rows import Sections, in_row_form
from .tracing import UNKNOWN, Trace, Tracer, traced_sequence

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


class Missing(Exception):
    """A row whose content was not received."""


class Known:
    """A list all of whose rows are known."""

    def __init__(self, sections: Sections, has_rows: bool = False) -> None:
        self._sections, self._has_rows = sections, has_rows
        self._in_rows: Dict[int, List[Any]] = {}

    @property
    def sections(self) -> Sections:
        """The sections with rows."""
        return [{"items": self._rows(index)} for index in range(len(self._sections))]

    def row(self, path: Path) -> Any:
        """The row at a path."""
        rows = self._rows(path.section)
        if path.row >= len(rows):
            raise OutOfStep(f"there is no row {path.row} among {len(rows)} in the old list")
        return rows[path.row]

    def deleted_with(self, section: int, changed: int) -> int:
        """The number of rows that were deleted with a section."""
        return len(self._rows(section)) + changed

    def _rows(self, section: int) -> List[Any]:
        if not 0 <= section < len(self._sections):
            raise OutOfStep(f"there is no section {section} in the old list")
        if section not in self._in_rows:
            one = self._sections[section]
            self._in_rows[section] = one["items"] if self._has_rows else in_row_form(one)["items"]
        return self._in_rows[section]


class Partial:
    """The rows that changes into a list insert and update."""

    def __init__(self) -> None:
        self._rows: Dict[Path, Any] = {}
        self._sections: Dict[int, int] = {}

    def add(self, stages: Sequence[Stage]) -> None:
        """Adds the contents of a change that leads to the list."""
        trace = Tracer(stages, Nothing()).trace
        self._sections.update(trace.sections)
        self.add_rows({
            path: entry.new for path, entry in trace.entries.items() if entry.new is not UNKNOWN
        })  # fmt: skip

    def add_rows(self, rows: Mapping[Path, Any]) -> None:
        """Adds rows."""
        self._rows.update(rows)

    def has(self, path: Path) -> bool:
        """Whether the row at a path is known."""
        return path in self._rows

    def row(self, path: Path) -> Any:
        """The row at a path."""
        if path not in self._rows:
            raise Missing(path)
        return self._rows[path]

    def deleted_with(self, section: int, changed: int) -> int:
        """The number of rows that were deleted with a section. The change back inserts them with
        it."""
        if section not in self._sections:
            raise Missing(section)
        return self._sections[section]


class Nothing:
    """A list whose deleted rows do not matter."""

    def deleted_with(self, section: int, changed: int) -> int:
        """No rows."""
        return 0


def trace_of(stages: Optional[Sequence[Stage]], ops: Optional[Sequence[Op]], old: Known) -> Trace:
    """Traces a change of a known list."""
    return traced_sequence(old.sections, ops) if ops is not None else Tracer(stages or [], old).trace


def row_changes(
    trace: Trace, old: Callable[[Path], Any], new: Optional[Callable[[Path], Any]] = None
) -> List[RowChange]:
    """The changes of rows: deletes in the old order, then the others in the new order. `old` and `new` return rows of
    the lists before and after the change. Without `new` a row whose content is not in the change is as it was."""
    found: List[RowChange] = []
    for path in sorted(trace.deleted):
        row = old(path)
        found.append(RowChange("delete", id_of(row), row, None, path, None))
    for path in sorted(trace.entries):
        entry = trace.entries[path]
        before = None if entry.from_ is None else old(entry.from_)
        is_same = entry.new is UNKNOWN and entry.from_ is not None and not entry.is_updated
        if entry.new is not UNKNOWN:
            after = entry.new
        else:
            after = before if is_same or new is None else new(path)
        kinds: List[Kind] = ["insert"] if entry.from_ is None else []
        if entry.is_moved:
            kinds.append("move")
        if entry.is_updated:
            kinds.append("update")
        found += [RowChange(kind, id_of(after), before, after, entry.from_, path) for kind in kinds]
    return found


def id_of(row: Any) -> Optional[ID]:
    """The identifier of a row's item: its `id`, or the row itself if it is a string or an
    integer."""
    item = row.get("$item", row) if is_object(row) else row
    found = item.get("id") if is_object(item) else item
    return found if isinstance(found, (str, int)) else None


Asking = Generator[Any, Any, T]
"""Yields calls, and gets their results."""
