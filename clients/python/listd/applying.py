"""Applies ops to lists.

Sections are dictionaries as in a snapshot, but their `items` are rows (see `rows`). `apply_stages` and `apply_ops`
return copies, which share the rows; `perform` changes the sections themselves, in time by the number of ops.

All are strict: they accept what UIKit's `performBatchUpdates` would accept, and raise `OutOfStep` for anything
else, such as indices out of range.
"""

from __future__ import annotations

from functools import partial
from typing import (
    Any, Callable, Dict, FrozenSet, Generic, Iterable, Iterator, List, Mapping, Optional, Sequence, Set,
    Tuple, TypeVar,
)  # fmt: skip

from .errors import OutOfStep
from .ops import (
    DeleteItems, DeleteSections, InsertItems, InsertSections, MoveItems, MoveSections, Op,
    ReconfigureItems, ReconfigureSections, ReloadItems, ReloadSections, SelectItems,
    SelectionOp, Stage,
)  # fmt: skip
from .places import Path
from .rows import Sections, in_row_form

T = TypeVar("T")
CONTENT = (ReloadSections, ReconfigureSections, ReloadItems, ReconfigureItems)
FEW = 100  # With more ranges a list is written anew, because each range moves the rest of it.


def apply_stages(sections: Sections, stages: Iterable[Stage]) -> Sections:
    """The sections after batch updates in sequence."""
    after = copied(sections)
    perform(after, list(stages))
    return after


def apply_ops(sections: Sections, ops: Iterable[Op]) -> Sections:
    """The sections after ops in sequence. Each op applies to the result of the previous one."""
    after = copied(sections)
    perform(after, [[op] for op in ops], is_sequence=True)
    return after


def steps(
    sections: Sections, stages: Sequence[Stage]
) -> Iterator[Tuple[Sections, Stage, Sections]]:
    """Yields each stage with the sections before and after it."""
    for stage in stages:
        after = apply_stages(sections, [stage])
        yield sections, stage, after
        sections = after


def copied(sections: Iterable[Mapping[str, Any]]) -> Sections:
    """Sections that can be changed without changing the given ones. The rows are shared."""
    return [{**section, "items": list(section["items"])} for section in sections]


def perform(sections: Sections, stages: Sequence[Stage], is_sequence: bool = False) -> None:
    """Applies stages to the sections themselves; if it fails, they are as they were.

    Changes of content are alone in the last stage, unless `is_sequence` is true. O(ops), with a copy of the rest of
    a section's rows for each range of rows that is inserted or removed; but of all its rows once for many ranges."""
    undo: List[Callable[[], None]] = []
    try:
        for number, stage in enumerate(stages, 1):
            contents = [isinstance(op, CONTENT) for op in stage]
            if not any(contents):
                _rearrange(sections, stage, undo)
            elif all(contents) and (is_sequence or number == len(stages)):
                _set_contents(sections, stage, undo)
            else:
                raise OutOfStep("changes of content are not alone in the last stage")
    except BaseException:
        for step in reversed(undo):
            step()
        raise


class Runs(Generic[T]):
    """Ranges of indices, each with a value: what a stage removes from a list, or inserts into one."""

    def __init__(self) -> None:
        self.runs: List[Tuple[int, int, T]] = []

    def add(self, start: int, count: int, value: T) -> None:
        """Adds a range, which may be empty."""
        if count > 0:
            self.runs.append((start, count, value))

    def in_order(self) -> List[Tuple[int, int, T]]:
        """The ranges in ascending order. Raises `OutOfStep` if two of them share an index."""
        self.runs.sort(key=lambda run: run[0])
        end = 0
        for start, count, _ in self.runs:
            if start < end:
                raise OutOfStep(f"there is no index {start}" if start < 0 else f"index {start} is used twice")
            end = start + count
        return self.runs


class StageRuns:
    """The ranges of one stage of deletes, inserts and moves, which happen simultaneously: deletes and sources of moves
    are indices before the stage, inserts and targets of moves are indices after it."""

    def __init__(self, stage: Sequence[Op]) -> None:
        self.removed: Runs[Op] = Runs()
        self.inserted: Runs[Op] = Runs()
        self.removed_rows: Dict[int, Runs[Op]] = {}  # by section index before
        self.inserted_rows: Dict[int, Runs[Op]] = {}  # by section index after
        for op in stage:
            if isinstance(op, DeleteSections):
                self.removed.add(op.at, op.count, op)
            elif isinstance(op, InsertSections):
                self.inserted.add(op.at, op.count, op)
            elif isinstance(op, MoveSections):
                self.removed.add(op.from_, op.count, op)
                self.inserted.add(op.to, op.count, op)
            elif isinstance(op, DeleteItems):
                _of(self.removed_rows, op.at.section).add(op.at.row, op.count, op)
            elif isinstance(op, InsertItems):
                _of(self.inserted_rows, op.at.section).add(op.at.row, op.count, op)
            elif isinstance(op, MoveItems):
                _of(self.removed_rows, op.from_.section).add(op.from_.row, op.count, op)
                _of(self.inserted_rows, op.to.section).add(op.to.row, op.count, op)
        for runs, rows in ((self.removed, self.removed_rows), (self.inserted, self.inserted_rows)):
            whole = {index for start, count, _ in runs.in_order() for index in range(start, start + count)}
            if not whole.isdisjoint(rows):
                raise OutOfStep("rows change in a section that the same stage deletes, inserts or moves")
            for one in rows.values():
                one.in_order()


def _rearrange(sections: Sections, stage: Sequence[Op], undo: List[Callable[[], None]]) -> None:
    stage_runs = StageRuns(stage)
    moved: Dict[int, List[Any]] = {}
    for index, runs in stage_runs.removed_rows.items():
        moved.update(_remove(_Rows(_element(sections, index)), runs.runs, undo))
    moved.update(_remove(_Whole(sections), stage_runs.removed.runs, undo))
    new: List[List[Any]] = [
        inserted_sections(op) if isinstance(op, InsertSections) else moved[id(op)]
        for _, _, op in stage_runs.inserted.runs
    ]
    _insert(_Whole(sections), stage_runs.inserted.runs, new, undo)
    for index, runs in stage_runs.inserted_rows.items():
        new = [
            contents(op, op.items) if isinstance(op, InsertItems) else moved[id(op)]
            for _, _, op in runs.runs
        ]
        _insert(_Rows(_element(sections, index)), runs.runs, new, undo)


class _Whole:
    """A list that keeps its identity."""

    def __init__(self, elements: List[Any]) -> None:
        self.elements: List[Any] = elements

    def set(self, elements: List[Any]) -> None:
        self.elements[:] = elements


class _Rows(_Whole):
    """The rows of a section, which may become another list."""

    def __init__(self, section: Dict[str, Any]) -> None:
        super().__init__(section["items"])
        self.section: Dict[str, Any] = section

    def set(self, elements: List[Any]) -> None:
        self.section["items"] = self.elements = elements


def _remove(
    whole: _Whole, runs: Sequence[Tuple[int, int, Op]], undo: List[Callable[[], None]]
) -> Dict[int, List[Any]]:
    """Removes ascending ranges of a list. Returns the elements of each op, by its identity."""
    elements = whole.elements
    if runs:
        start, count, _ = runs[-1]
        if start + count > len(elements):
            raise OutOfStep(f"there is no range {start}..{start + count} among {len(elements)}")
    found = {id(op): elements[start : start + count] for start, count, op in runs}
    if len(runs) > FEW:
        kept: List[Any] = []
        end = 0
        for start, count, _ in runs:
            kept += elements[end:start]
            end = start + count
        kept += elements[end:]
        _replace(whole, kept, undo)
        return found
    for start, count, op in reversed(runs):
        del elements[start : start + count]
        undo.append(partial(elements.__setitem__, slice(start, start), found[id(op)]))
    return found


def _insert(
    whole: _Whole, runs: Sequence[Tuple[int, int, Op]], new: Sequence[List[Any]],
    undo: List[Callable[[], None]],
) -> None:  # fmt: skip
    """Inserts elements into a list, at ascending indices after all are inserted."""
    elements, size = whole.elements, len(whole.elements)
    for start, count, _ in runs:
        if start > size:
            raise OutOfStep(f"an index is beyond the {size} elements after the stage")
        size += count
    if len(runs) > FEW:
        merged: List[Any] = []
        used = 0
        for (start, _, _), run in zip(runs, new):
            kept = start - len(merged)
            merged += elements[used : used + kept]
            merged += run
            used += kept
        merged += elements[used:]
        _replace(whole, merged, undo)
        return
    for (start, count, _), run in zip(runs, new):
        elements[start:start] = run
        undo.append(partial(elements.__delitem__, slice(start, start + count)))


def _replace(whole: _Whole, elements: List[Any], undo: List[Callable[[], None]]) -> None:
    before = whole.elements if isinstance(whole, _Rows) else list(whole.elements)
    undo.append(partial(whole.set, before))
    whole.set(elements)


def _set_contents(sections: Sections, stage: Sequence[Op], undo: List[Callable[[], None]]) -> None:
    """Replaces the content of sections and rows, each at most once."""
    changed: Set[Any] = set()
    for op in stage:
        if isinstance(op, (ReloadSections, ReconfigureSections)):
            for index, own in enumerate(contents(op, op.sections), op.at):
                section = _element(sections, index)
                _mark(changed, index)
                before = dict(section)
                undo.append(partial(_become, section, before))
                _become(section, {**own, "items": section["items"]})
        elif isinstance(op, (ReloadItems, ReconfigureItems)):
            rows: List[Any] = _element(sections, op.at.section)["items"]
            for row, content in enumerate(contents(op, op.items), op.at.row):
                _mark(changed, (op.at.section, row))
                old = _element(rows, row)
                undo.append(partial(rows.__setitem__, row, old))
                rows[row] = content


def _become(section: Dict[str, Any], other: Mapping[str, Any]) -> None:
    section.clear()
    section.update(other)


def apply_selection(selected: FrozenSet[Path], ops: Sequence[SelectionOp]) -> FrozenSet[Path]:
    """The paths of the selected rows after ops of a selection."""
    for op in ops:
        paths = {Path(op.at.section, op.at.row + k) for k in range(op.count)}
        selected = selected | paths if isinstance(op, SelectItems) else selected - paths
    return selected


def contents(op: Op, given: Optional[Sequence[Any]]) -> List[Any]:
    """The contents of an op, as many as its count."""
    if given is None:
        raise OutOfStep(f"an op without content; request it with content=True: {op}")
    if len(given) != op.count:
        raise OutOfStep(f"{len(given)} contents for a count of {op.count}: {op}")
    return list(given)


def inserted_sections(op: InsertSections) -> Sections:
    """The inserted sections, with their inserted rows."""
    inserted = [in_row_form(section) for section in contents(op, op.sections)]
    if [len(section["items"]) for section in inserted] != contents(op, op.rows):
        raise OutOfStep(f"the number of rows of an inserted section is wrong: {op}")
    return inserted


def _of(by_section: Dict[int, Runs[Op]], section: int) -> Runs[Op]:
    if section not in by_section:
        by_section[section] = Runs()
    return by_section[section]


def _element(elements: Sequence[T], index: int) -> T:
    if not 0 <= index < len(elements):
        raise OutOfStep(f"there is no index {index} among {len(elements)}")
    return elements[index]


def _mark(marked: Set[Any], place: Any) -> None:
    if place in marked:
        raise OutOfStep(f"index {place} is used twice")
    marked.add(place)
