"""Applies ops to lists.

Sections are dictionaries as in a snapshot, but their `items` are rows (see `rows`). Arguments are never
changed: results are new, and share the unchanged parts.

`apply_stages` is strict: it accepts what UIKit's `performBatchUpdates` would accept, and raises
`OutOfStep` for anything else, such as indices out of range.
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
    """The sections after batch updates in sequence."""
    for _, _, sections in steps(sections, stages):
        pass
    return sections


def steps(
    sections: Sections, stages: Sequence[Stage]
) -> Iterator[Tuple[Sections, Stage, Sections]]:
    """Yields each stage with the sections before and after it."""
    for number, stage in enumerate(stages, 1):
        content = [isinstance(op, SECTION_CONTENT + ROW_CONTENT) for op in stage]
        if not any(content):
            after = rearranged(sections, stage)
        elif all(content) and number == len(stages):
            after = with_content(sections, stage)
        else:
            raise OutOfStep("changes of content are not alone in the last stage")
        yield sections, stage, after
        sections = after


def rearranged(before: Sections, stage: Stage) -> Sections:
    """Applies one stage of deletes, inserts and moves, which happen simultaneously: deletes and sources of
    moves are indices before the stage, inserts and targets of moves are indices after it."""
    removed: Set[int] = set()
    inserted: Dict[int, Dict[str, Any]] = {}
    removed_rows: Dict[int, Set[int]] = {}  # by section index before
    inserted_rows: Dict[int, Dict[int, Any]] = {}  # by section index after

    def remove_row(section: int, row: int) -> Any:
        rows = _element(before, section)["items"]
        return _mark(rows, row, removed_rows.setdefault(section, set()))

    for op in stage:
        for k in range(op.count):
            if isinstance(op, DeleteSections):
                _mark(before, op.at + k, removed)
            elif isinstance(op, InsertSections):
                _fill(inserted, op.at + k, inserted_section(op, k))
            elif isinstance(op, MoveSections):
                _fill(inserted, op.to + k, _mark(before, op.from_ + k, removed))
            elif isinstance(op, DeleteItems):
                remove_row(op.at.section, op.at.row + k)
            elif isinstance(op, InsertItems):
                rows = inserted_rows.setdefault(op.at.section, {})
                _fill(rows, op.at.row + k, content(op, op.items, k))
            elif isinstance(op, MoveItems):
                rows = inserted_rows.setdefault(op.to.section, {})
                row = remove_row(op.from_.section, op.from_.row + k)
                _fill(rows, op.to.row + k, row)
    if removed & set(removed_rows) or set(inserted) & set(inserted_rows):
        raise OutOfStep("rows change in a section that the same stage deletes, inserts or moves")

    kept = [
        {**section, "items": _without(section["items"], removed_rows[index])}
        if index in removed_rows
        else section
        for index, section in enumerate(before)
        if index not in removed
    ]
    after = _merged(kept, inserted)
    for index, rows in inserted_rows.items():
        section = _element(after, index)
        after[index] = {**section, "items": _merged(section["items"], rows)}
    return after


def with_content(before: Sections, stage: Sequence[Op]) -> Sections:
    """Replaces the content of sections and rows, each at most once."""
    after = list(before)
    changed: Set[int] = set()
    changed_rows: Dict[int, Set[int]] = {}
    for op in stage:
        for k in range(op.count):
            if isinstance(op, (ReloadSections, ReconfigureSections)):
                old = _mark(after, op.at + k, changed)
                after[op.at + k] = {**content(op, op.sections, k), "items": old["items"]}
            elif isinstance(op, (ReloadItems, ReconfigureItems)):
                index, row = op.at.section, op.at.row + k
                if index not in changed_rows:
                    section = _element(after, index)
                    after[index] = {**section, "items": list(section["items"])}
                rows = after[index]["items"]
                _mark(rows, row, changed_rows.setdefault(index, set()))
                rows[row] = content(op, op.items, k)
    return after


def apply_ops(sections: Sections, ops: Sequence[Op]) -> Sections:
    """The sections after ops in sequence. Each op applies to the result of the previous one."""
    after = [{**section, "items": list(section["items"])} for section in sections]

    def rows(path: Path) -> List[Any]:
        items: List[Any] = _element(after, path.section)["items"]
        return items

    for op in ops:
        numbers = range(op.count)
        if isinstance(op, DeleteSections):
            _cut(after, op.at, op.count)
        elif isinstance(op, InsertSections):
            _insert(after, op.at, [inserted_section(op, k) for k in numbers])
        elif isinstance(op, MoveSections):
            _insert(after, op.to, _cut(after, op.from_, op.count))
        elif isinstance(op, DeleteItems):
            _cut(rows(op.at), op.at.row, op.count)
        elif isinstance(op, InsertItems):
            _insert(rows(op.at), op.at.row, [content(op, op.items, k) for k in numbers])
        elif isinstance(op, MoveItems):
            run = _cut(rows(op.from_), op.from_.row, op.count)
            _insert(rows(op.to), op.to.row, run)
        else:
            after = with_content(after, [op])
    return after


def apply_selection(selected: FrozenSet[Path], ops: Sequence[SelectionOp]) -> FrozenSet[Path]:
    """The paths of the selected rows after ops of a selection."""
    for op in ops:
        paths = {Path(op.at.section, op.at.row + k) for k in range(op.count)}
        selected = selected | paths if isinstance(op, SelectItems) else selected - paths
    return selected


def content(op: Op, contents: Optional[Sequence[Any]], k: int) -> Any:
    """The k-th content of an op."""
    if contents is None:
        raise OutOfStep(f"an op without content; request it with content=True: {op}")
    if len(contents) != op.count:
        raise OutOfStep(f"{len(contents)} contents for a count of {op.count}: {op}")
    return contents[k]


def inserted_section(op: InsertSections, k: int) -> Dict[str, Any]:
    """The k-th inserted section, with its inserted rows."""
    section: Mapping[str, Any] = content(op, op.sections, k)
    inserted = in_row_form(section)
    if len(inserted["items"]) != content(op, op.rows, k):
        raise OutOfStep(f"the number of rows of an inserted section is wrong: {op}")
    return inserted


def _element(elements: Sequence[T], index: int) -> T:
    if not 0 <= index < len(elements):
        raise OutOfStep(f"there is no index {index} among {len(elements)}")
    return elements[index]


def _mark(elements: Sequence[T], index: int, marked: Set[int]) -> T:
    """Marks an element, which is possible only once, and returns it."""
    if index in marked:
        raise OutOfStep(f"index {index} is used twice")
    marked.add(index)
    return _element(elements, index)


def _fill(inserted: Dict[int, T], index: int, element: T) -> None:
    if index in inserted:
        raise OutOfStep(f"index {index} is used twice")
    inserted[index] = element


def _without(elements: Sequence[T], removed: Set[int]) -> List[T]:
    return [element for index, element in enumerate(elements) if index not in removed]


def _merged(kept: Sequence[T], inserted: Mapping[int, T]) -> List[T]:
    """The inserted elements at their indices, and the kept ones between them, in their order."""
    size = len(kept) + len(inserted)
    if any(not 0 <= index < size for index in inserted):
        raise OutOfStep(f"an index is beyond the {size} elements after the stage")
    rest = iter(kept)
    return [inserted[index] if index in inserted else next(rest) for index in range(size)]


def _cut(elements: List[T], start: int, count: int) -> List[T]:
    """Removes and returns a range of a list."""
    if not 0 <= start <= len(elements) - count:
        raise OutOfStep(f"there is no range {start}..{start + count} among {len(elements)}")
    run = elements[start : start + count]
    del elements[start : start + count]
    return run


def _insert(elements: List[T], start: int, run: List[T]) -> None:
    """Inserts elements into a list."""
    if not 0 <= start <= len(elements):
        raise OutOfStep(f"there is no index {start} among {len(elements)}")
    elements[start:start] = run
