"""What ops mean.

Sections are dictionaries as in a snapshot, but that `items` holds rows (see `rows`). None that is
given is ever changed: what comes out is new, and shares what stays as it is.

`apply_stages` is strict: it takes what UIKit's `performBatchUpdates` would take, and raises
`OutOfStep` for all else, as for places that are not there.
"""

from __future__ import annotations

from typing import (
    Any, Dict, FrozenSet, Iterator, List, Mapping, Optional, Sequence, Set, Tuple,
    TypeVar,
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
SECTION_CONTENT = (ReloadSections, ReconfigureSections)
ROW_CONTENT = (ReloadItems, ReconfigureItems)


def apply_stages(sections: Sections, stages: Sequence[Stage]) -> Sections:
    """The sections after batch updates, one after the other."""
    for _, _, sections in steps(sections, stages):
        pass
    return sections


def steps(
    sections: Sections, stages: Sequence[Stage]
) -> Iterator[Tuple[Sections, Stage, Sections]]:
    """Each stage with the sections before and after it."""
    for number, stage in enumerate(stages, 1):
        content = [isinstance(op, SECTION_CONTENT + ROW_CONTENT) for op in stage]
        if not any(content):
            after = rearranged(sections, stage)
        elif all(content) and number == len(stages):
            after = with_content(sections, stage)
        else:
            raise OutOfStep("changes of content do not stand alone in the last stage")
        yield sections, stage, after
        sections = after


def rearranged(before: Sections, stage: Stage) -> Sections:
    """One stage of deletes, inserts and moves, all at once: what leaves its place is named by
    places before the stage, what comes to a place by places after it."""
    left: Set[int] = set()
    came: Dict[int, Dict[str, Any]] = {}
    left_rows: Dict[int, Set[int]] = {}  # by section before
    came_rows: Dict[int, Dict[int, Any]] = {}  # by section after

    def leave_row(section: int, row: int) -> Any:
        rows = _element(before, section)["items"]
        return _leave(rows, row, left_rows.setdefault(section, set()))

    for op in stage:
        for k in range(op.count):
            if isinstance(op, DeleteSections):
                _leave(before, op.at + k, left)
            elif isinstance(op, InsertSections):
                _come(came, op.at + k, arriving(op, k))
            elif isinstance(op, MoveSections):
                _come(came, op.to + k, _leave(before, op.from_ + k, left))
            elif isinstance(op, DeleteItems):
                leave_row(op.at.section, op.at.row + k)
            elif isinstance(op, InsertItems):
                rows = came_rows.setdefault(op.at.section, {})
                _come(rows, op.at.row + k, content(op, op.items, k))
            elif isinstance(op, MoveItems):
                rows = came_rows.setdefault(op.to.section, {})
                row = leave_row(op.from_.section, op.from_.row + k)
                _come(rows, op.to.row + k, row)
    if left & set(left_rows) or set(came) & set(came_rows):
        raise OutOfStep("rows change in a section that the same stage deletes, inserts or moves")

    staying = [
        {**section, "items": _without(section["items"], left_rows[index])}
        if index in left_rows
        else section
        for index, section in enumerate(before)
        if index not in left
    ]
    after = _woven(staying, came)
    for index, rows in came_rows.items():
        section = _element(after, index)
        after[index] = {**section, "items": _woven(section["items"], rows)}
    return after


def with_content(before: Sections, stage: Sequence[Op]) -> Sections:
    """New content in places that stay, each named once."""
    after = list(before)
    changed: Set[int] = set()
    changed_rows: Dict[int, Set[int]] = {}
    for op in stage:
        for k in range(op.count):
            if isinstance(op, (ReloadSections, ReconfigureSections)):
                old = _leave(after, op.at + k, changed)
                after[op.at + k] = {**content(op, op.sections, k), "items": old["items"]}
            elif isinstance(op, (ReloadItems, ReconfigureItems)):
                index, row = op.at.section, op.at.row + k
                if index not in changed_rows:
                    section = _element(after, index)
                    after[index] = {**section, "items": list(section["items"])}
                rows = after[index]["items"]
                _leave(rows, row, changed_rows.setdefault(index, set()))
                rows[row] = content(op, op.items, k)
    return after


def apply_ops(sections: Sections, ops: Sequence[Op]) -> Sections:
    """The sections after ops in sequence, each on the result of the one before."""
    after = [{**section, "items": list(section["items"])} for section in sections]

    def rows(path: Path) -> List[Any]:
        items: List[Any] = _element(after, path.section)["items"]
        return items

    for op in ops:
        numbers = range(op.count)
        if isinstance(op, DeleteSections):
            _take(after, op.at, op.count)
        elif isinstance(op, InsertSections):
            _put(after, op.at, [arriving(op, k) for k in numbers])
        elif isinstance(op, MoveSections):
            _put(after, op.to, _take(after, op.from_, op.count))
        elif isinstance(op, DeleteItems):
            _take(rows(op.at), op.at.row, op.count)
        elif isinstance(op, InsertItems):
            _put(rows(op.at), op.at.row, [content(op, op.items, k) for k in numbers])
        elif isinstance(op, MoveItems):
            run = _take(rows(op.from_), op.from_.row, op.count)
            _put(rows(op.to), op.to.row, run)
        else:
            after = with_content(after, [op])
    return after


def apply_selection(selected: FrozenSet[Path], ops: Sequence[SelectionOp]) -> FrozenSet[Path]:
    """The places that are selected after ops of a selection."""
    for op in ops:
        places = {Path(op.at.section, op.at.row + k) for k in range(op.count)}
        selected = selected | places if isinstance(op, SelectItems) else selected - places
    return selected


def content(op: Op, contents: Optional[Sequence[Any]], k: int) -> Any:
    """The k-th of what an op brings in."""
    if contents is None:
        raise OutOfStep(f"an op without content, which goes with content=True: {op}")
    if len(contents) != op.count:
        raise OutOfStep(f"{len(contents)} contents for {op.count} places: {op}")
    return contents[k]


def arriving(op: InsertSections, k: int) -> Dict[str, Any]:
    """The k-th section that comes, in rows: those that are new to the list."""
    section: Mapping[str, Any] = content(op, op.sections, k)
    come = in_row_form(section)
    if len(come["items"]) != content(op, op.rows, k):
        raise OutOfStep(f"a section does not come with as many rows as told: {op}")
    return come


def _element(elements: Sequence[T], place: int) -> T:
    if not 0 <= place < len(elements):
        raise OutOfStep(f"there is no place {place} among {len(elements)}")
    return elements[place]


def _leave(elements: Sequence[T], place: int, left: Set[int]) -> T:
    """What leaves its place, which it can do once."""
    if place in left:
        raise OutOfStep(f"place {place} is named twice")
    left.add(place)
    return _element(elements, place)


def _come(came: Dict[int, T], place: int, element: T) -> None:
    if place in came:
        raise OutOfStep(f"place {place} is filled twice")
    came[place] = element


def _without(elements: Sequence[T], left: Set[int]) -> List[T]:
    return [element for place, element in enumerate(elements) if place not in left]


def _woven(staying: Sequence[T], came: Mapping[int, T]) -> List[T]:
    """What came at its places; what stays in the places between, in its order."""
    size = len(staying) + len(came)
    if any(not 0 <= place < size for place in came):
        raise OutOfStep(f"a place beyond the {size} after the stage is filled")
    rest = iter(staying)
    return [came[place] if place in came else next(rest) for place in range(size)]


def _take(elements: List[T], start: int, count: int) -> List[T]:
    """Takes a run out of a list."""
    if not 0 <= start <= len(elements) - count:
        raise OutOfStep(f"there are no places {start}..{start + count} among {len(elements)}")
    run = elements[start : start + count]
    del elements[start : start + count]
    return run


def _put(elements: List[T], start: int, run: List[T]) -> None:
    """Puts a run into a list."""
    if not 0 <= start <= len(elements):
        raise OutOfStep(f"there is no place {start} among {len(elements)}")
    elements[start:start] = run
