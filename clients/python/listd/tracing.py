"""Follows rows through the stages of a change, by counting: no row is visited that does not change."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from .applying import CONTENT, Runs, StageRuns, contents, inserted_sections
from .ops import (
    DeleteItems, DeleteSections, InsertItems, InsertSections, MoveItems, MoveSections, Op,
    ReconfigureItems, ReloadItems, Stage,
)  # fmt: skip
from .places import Path

UNKNOWN: Any = object()
"""The content of a row that a change does not contain."""


class Missing(Exception):
    """A row or a section that a change does not contain."""


def missing(place: Any) -> Any:
    """Raises `Missing`."""
    raise Missing(place)


@dataclass
class Entry:
    """A row that a change has inserted, moved or updated."""

    from_: Optional[Path] = None
    """Its path before the change; `None` if it was inserted."""
    old: Any = UNKNOWN
    """Its content before if the change contains it."""
    new: Any = UNKNOWN
    """Its content if the change contains it."""
    is_moved: bool = False
    is_updated: bool = False


@dataclass
class Trace:
    """The rows of a change."""

    deleted: Dict[Path, Any] = field(default_factory=dict)
    """The contents of deleted rows, by their paths before the change."""
    entries: Dict[Path, Entry] = field(default_factory=dict)
    """The other rows of the change, by their paths after it."""


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
    """Traces stages. O(rows that change · log ops). `length` returns the number of rows of a section of the old list."""

    def __init__(self, stages: Sequence[Stage], length: Callable[[int], int] = missing) -> None:
        self.trace: Trace = Trace()
        self._length = length
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
            self._delete(op.at, given(op, op.old), number)
        elif isinstance(op, DeleteSections):
            for index, section in enumerate(given(op, op.old), op.at):
                unknown = section is UNKNOWN
                rows = [UNKNOWN] * self._rows_in(index, number) if unknown else section["items"]
                self._delete(Path(index, 0), rows, number)
        elif isinstance(op, InsertItems):
            self._insert(op.at, given(op, op.items), number)
        elif isinstance(op, InsertSections):
            for index, rows in enumerate(inserted_rows(op), op.at):
                self._insert(Path(index, 0), rows, number)
        elif isinstance(op, MoveItems):
            for from_, to in zip(paths(op.from_, op.count), paths(op.to, op.count)):
                entry = self._entry(to, number)
                origin = self._original(from_, number)
                if entry and origin:
                    entry.from_, entry.is_moved = origin, True
        elif isinstance(op, (ReloadItems, ReconfigureItems)):
            for path, old, new in zip(paths(op.at, op.count), given(op, op.old), given(op, op.items)):
                entry = self._entry(path, number)
                if entry:
                    entry.from_ = self._original(path, number)
                    entry.old, entry.new, entry.is_updated = old, new, entry.from_ is not None

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

    def _delete(self, at: Path, rows: Sequence[Any], number: int) -> None:
        for path, row in zip(paths(at, len(rows)), rows):
            original = self._original(path, number)
            if original:
                self.trace.deleted[original] = row

    def _insert(self, at: Path, rows: Sequence[Any], number: int) -> None:
        for path, row in zip(paths(at, len(rows)), rows):
            entry = self._entry(path, number)
            if entry:
                entry.new = row

    def _rows_in(self, section: int, number: int) -> int:
        """The number of rows of a section when a stage deletes it."""
        growth = 0
        for one in reversed(self._maps[:number]):
            before = one.section_before(section)
            if before is None:
                return 0  # It was inserted by the same change.
            growth += one.growth(before)
            section = before
        return self._length(section) + growth


def paths(at: Path, count: int) -> Iterator[Path]:
    """The paths of consecutive rows."""
    return (Path(at.section, row) for row in range(at.row, at.row + count))


def given(op: Op, received: Optional[Sequence[Any]]) -> List[Any]:
    """The contents of an op, each of which is unknown if it was not received."""
    return [UNKNOWN] * op.count if received is None else contents(op, received)


def inserted_rows(op: InsertSections) -> List[List[Any]]:
    """The rows of inserted sections."""
    if op.sections is None:
        return [[UNKNOWN] * count for count in op.rows]
    return [section["items"] for section in inserted_sections(op)]
