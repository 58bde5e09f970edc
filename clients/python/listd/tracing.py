"""Follows rows through the stages of a change, by counting: no row is visited that does not change."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Callable, Dict, Iterator, List, Optional, Protocol, Sequence, Tuple

from .applying import CONTENT, Runs, StageRuns, contents, copied, inserted_sections, perform
from .errors import OutOfStep
from .ops import (
    DeleteItems, DeleteSections, InsertItems, InsertSections, MoveItems, MoveSections, Op,
    ReconfigureItems, ReloadItems, Stage,
)  # fmt: skip
from .places import Path
from .rows import Sections

UNKNOWN: Any = object()
"""The content of a row that a change does not contain."""


@dataclass
class Entry:
    """A row that a change has inserted, moved or updated."""

    from_: Optional[Path] = None
    """Its path before the change; `None` if it was inserted."""
    new: Any = UNKNOWN
    """Its content if the change contains it."""
    is_moved: bool = False
    is_updated: bool = False


@dataclass
class Trace:
    """The rows of a change."""

    deleted: List[Path] = field(default_factory=list)
    """The paths of deleted rows before the change."""
    entries: Dict[Path, Entry] = field(default_factory=dict)
    """The other rows of the change, by their paths after it."""
    sections: Dict[int, int] = field(default_factory=dict)
    """The numbers of rows of the inserted sections, by their indices after the change."""


class Lengths(Protocol):
    """The old list, as far as it has to be known."""

    def deleted_with(self, section: int, changed: int) -> int:
        """The number of rows that were deleted with a section; `changed` are those that were inserted into it before
        that, less those that were removed."""
        ...


class Gaps:
    """The indices outside of ranges, and their ranks among each other."""

    def __init__(self, runs: Optional[Runs[Op]]) -> None:
        self.runs: List[Tuple[int, int, Op]] = runs.in_order() if runs else []
        self._starts = [start for start, _, _ in self.runs]
        self._before = [0, *accumulate(count for _, count, _ in self.runs)]
        self._ranks = [start - before for start, before in zip(self._starts, self._before)]

    @property
    def count(self) -> int:
        """The number of indices inside of ranges."""
        return self._before[-1]

    def find(self, index: int) -> Optional[Tuple[Op, int]]:
        """The value of the range that contains an index, and the position in the range."""
        number = bisect_right(self._starts, index) - 1
        if number < 0:
            return None
        start, count, op = self.runs[number]
        return (op, index - start) if index < start + count else None

    def rank(self, index: int) -> int:
        """The rank of an index outside of ranges."""
        return index - self._before[bisect_right(self._starts, index)]

    def index(self, rank: int) -> int:
        """The index with a rank."""
        return rank + self._before[bisect_right(self._ranks, rank)]


class StageMap:
    """Where one stage moves rows and sections. O(log ops) for each path."""

    def __init__(self, stage: Stage) -> None:
        runs = StageRuns(stage)
        self._removed, self._inserted = Gaps(runs.removed), Gaps(runs.inserted)
        self._removed_rows = {index: Gaps(one) for index, one in runs.removed_rows.items()}
        self._inserted_rows = {index: Gaps(one) for index, one in runs.inserted_rows.items()}

    def growth(self, section: int) -> int:
        """The number of rows that the stage adds to a section, by its index before the stage."""
        after = self.section_after(section)
        removed, inserted = self._removed_rows.get(section), self._inserted_rows.get(after if after is not None else -1)
        return (inserted.count if inserted else 0) - (removed.count if removed else 0)

    def section_after(self, section: int) -> Optional[int]:
        """The index of a section after the stage; `None` if it is deleted."""
        found = self._removed.find(section)
        if found:
            op, offset = found
            return op.to + offset if isinstance(op, MoveSections) else None
        return self._inserted.index(self._removed.rank(section))

    def section_before(self, section: int) -> Optional[int]:
        """The index of a section before the stage; `None` if it is inserted."""
        found = self._inserted.find(section)
        if found:
            op, offset = found
            return op.from_ + offset if isinstance(op, MoveSections) else None
        return self._removed.index(self._inserted.rank(section))

    def after(self, path: Path) -> Optional[Path]:
        """The path of a row after the stage; `None` if it is deleted."""
        rows, row = self._removed_rows.get(path.section), path.row
        if rows:
            found = rows.find(row)
            if found:
                op, offset = found
                return Path(op.to.section, op.to.row + offset) if isinstance(op, MoveItems) else None
            row = rows.rank(row)
        section = self.section_after(path.section)
        if section is None:
            return None
        rows = self._inserted_rows.get(section)
        return Path(section, rows.index(row) if rows else row)

    def before(self, path: Path) -> Optional[Path]:
        """The path of a row before the stage; `None` if it is inserted."""
        rows, row = self._inserted_rows.get(path.section), path.row
        if rows:
            found = rows.find(row)
            if found:
                op, offset = found
                return Path(op.from_.section, op.from_.row + offset) if isinstance(op, MoveItems) else None
            row = rows.rank(row)
        section = self.section_before(path.section)
        if section is None:
            return None
        rows = self._removed_rows.get(section)
        return Path(section, rows.index(row) if rows else row)


class Tracer:
    """Traces stages. O(rows that change · log ops)."""

    def __init__(self, stages: Sequence[Stage], lengths: Lengths) -> None:
        self.trace: Trace = Trace()
        self._lengths = lengths
        self._stages = stages
        # Changes of content move nothing.
        self._maps = [StageMap(stage) for stage in stages]
        moving = [bool(stage) and not isinstance(stage[0], CONTENT) for stage in stages]
        self._later = [
            [one for index, one in enumerate(self._maps) if index > number and moving[index]]
            for number in range(len(stages))
        ]  # fmt: skip
        self._earlier = [
            [one for index, one in enumerate(self._maps) if index < number and moving[index]][::-1]
            for number in range(len(stages))
        ]  # fmt: skip
        for number, stage in enumerate(stages):
            for op in stage:
                self._follow(op, number)

    def _follow(self, op: Op, number: int) -> None:
        if isinstance(op, DeleteItems):
            self._delete(paths(op.at, op.count), number)
        elif isinstance(op, DeleteSections):
            for deleted in range(op.at, op.at + op.count):
                self._delete(paths(Path(deleted, 0), self._rows_in(deleted, number)), number)
        elif isinstance(op, InsertItems):
            new = op.items if op.items is None else contents(op, op.items)
            self._insert(op.at, op.count, new, number)
        elif isinstance(op, InsertSections):
            given = None if op.sections is None else inserted_sections(op)
            for index, count in enumerate(op.rows):
                section: Optional[int] = op.at + index
                self._insert(Path(op.at + index, 0), count, given and given[index]["items"], number)
                for one in self._maps[number + 1 :]:
                    section = None if section is None else one.section_after(section)
                if section is not None:
                    self.trace.sections[section] = count
        elif isinstance(op, MoveItems):
            for from_, to in zip(paths(op.from_, op.count), paths(op.to, op.count)):
                entry = self._entry(to, number)
                origin = self._original(from_, number)
                if entry and origin:
                    entry.from_, entry.is_moved = origin, True
        elif isinstance(op, (ReloadItems, ReconfigureItems)):
            changed = [UNKNOWN] * op.count if op.items is None else contents(op, op.items)
            for path, new in zip(paths(op.at, op.count), changed):
                entry = self._entry(path, number)
                if entry:
                    entry.from_ = self._original(path, number)
                    entry.new, entry.is_updated = new, entry.from_ is not None

    def _entry(self, path: Path, number: int) -> Optional[Entry]:
        """The entry of the row that has a path after a stage; `None` if it is deleted later."""
        after: Optional[Path] = path
        for one in self._later[number]:
            after = None if after is None else one.after(after)
        if after is None:
            return None
        entry = self.trace.entries.get(after)
        if entry is None:
            entry = self.trace.entries[after] = Entry()
        return entry

    def _original(self, path: Path, number: int) -> Optional[Path]:
        """The path before the change of the row that has a path before a stage."""
        before: Optional[Path] = path
        for one in self._earlier[number]:
            before = None if before is None else one.before(before)
        return before

    def _delete(self, deleted: Iterator[Path], number: int) -> None:
        found = (self._original(path, number) for path in deleted)
        self.trace.deleted += [path for path in found if path]

    def _insert(self, at: Path, count: int, new: Optional[Sequence[Any]], number: int) -> None:
        for k, path in enumerate(paths(at, count)):
            entry = self._entry(path, number)
            if entry:
                entry.new = UNKNOWN if new is None else new[k]

    def _rows_in(self, section: int, number: int) -> int:
        """The number of rows of a section when a stage deletes it."""
        growth = 0
        for one in reversed(self._maps[:number]):
            before = one.section_before(section)
            if before is None:
                return 0  # It was inserted by the same change.
            growth += one.growth(before)
            section = before
        return self._lengths.deleted_with(section, growth)


def paths(at: Path, count: int) -> Iterator[Path]:
    """The paths of consecutive rows."""
    return (Path(at.section, row) for row in range(at.row, at.row + count))


def _check(now: Sections, op: Op) -> None:
    """Raises `OutOfStep` if an op names rows that do not exist."""
    at = op.from_ if isinstance(op, MoveItems) else getattr(op, "at", None)
    if isinstance(at, Path) and not isinstance(op, InsertItems):
        if not (0 <= at.section < len(now) and 0 <= at.row <= len(now[at.section]["items"]) - op.count):
            raise OutOfStep(f"there are no such rows: {op}")


def traced_sequence(before: Sections, ops: Sequence[Op]) -> Trace:
    """Traces ops in sequence, each of which may move all rows: in a copy of the list in which rows are numbers, and
    those that the ops name are entries. O(rows), and for each op as `perform`."""
    trace = Trace()
    now = copied([
        {"items": [Path(index, row) for row in range(len(section["items"]))]}
        for index, section in enumerate(before)
    ])  # fmt: skip

    def named(at: Path, count: int, change: Callable[[Entry], None]) -> None:
        rows = now[at.section]["items"]
        for row in range(at.row, at.row + count):
            if isinstance(rows[row], Path):
                rows[row] = Entry(rows[row])
            change(rows[row])

    def delete(rows: Sequence[Any]) -> None:
        found = (row if isinstance(row, Path) else row.from_ for row in rows)
        trace.deleted.extend(path for path in found if path)

    for op in ops:
        shown: Op = op
        _check(now, op)
        if isinstance(op, DeleteItems):
            delete(now[op.at.section]["items"][op.at.row : op.at.row + op.count])
        elif isinstance(op, DeleteSections):
            for section in now[op.at : op.at + op.count]:
                delete(section["items"])
        elif isinstance(op, InsertItems):
            new = [UNKNOWN] * op.count if op.items is None else contents(op, op.items)
            shown = InsertItems(op.at, op.count, [Entry(new=one) for one in new])
        elif isinstance(op, InsertSections):
            inserted = (
                [[UNKNOWN] * count for count in op.rows] if op.sections is None
                else [section["items"] for section in inserted_sections(op)]
            )  # fmt: skip
            sections = [{"items": [Entry(new=one) for one in rows]} for rows in inserted]
            shown = InsertSections(op.at, op.count, op.rows, sections)
        elif isinstance(op, MoveItems):
            named(op.from_, op.count, lambda entry: setattr(entry, "is_moved", entry.from_ is not None))
        elif isinstance(op, (ReloadItems, ReconfigureItems)):
            given = iter([UNKNOWN] * op.count if op.items is None else contents(op, op.items))

            def update(entry: Entry, given: Iterator[Any] = given) -> None:
                entry.new, entry.is_updated = next(given), entry.from_ is not None

            named(op.at, op.count, update)
        if not isinstance(op, CONTENT):
            perform(now, [[shown]], is_sequence=True)
    for index, section in enumerate(now):
        rows = enumerate(section["items"])
        trace.entries.update((Path(index, row), one) for row, one in rows if isinstance(one, Entry))
    return trace
