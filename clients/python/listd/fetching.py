"""Reads what a change does not contain: the old contents of its rows. Costs what changed, not what the list has."""

from __future__ import annotations

from typing import Any, Awaitable, Callable, List, Mapping, TypeVar

from . import calls
from .each import Asking, Known, Missing, Partial, RowChange, row_changes
from .errors import ReadOnlyList, Refused
from .places import Path, as_refs
from .changes import Change
from .rows import Sections
from .tracing import Tracer

T = TypeVar("T")
LARGE = 10_000


def fetched(change: Change) -> Asking[List[RowChange]]:
    """The rows of a change of a list. Yields the calls that it needs."""
    old: Mapping[str, Any] = _at(change.list, change.base_revision) if change.base_revision else {"sections": []}
    new = _at(change.list, change.revision)
    stages = change.stages
    before, after = Partial(), Partial()
    counts = change.rows
    try:
        if counts and stages is not None:
            wanted = counts.deletes + counts.moves + counts.updates + counts.inserts * change.lacks_content
            if wanted > LARGE:
                raise Missing  # The whole lists are read in less time.
        if stages is None or change.lacks_content:
            ahead = yield calls.diff(old, new, content=True)
            after.add(ahead.stages)
            stages = ahead.stages if stages is None else stages
        if change.base_revision and any(stages):
            back = yield calls.diff(new, old, content=True)
            before.add(back.stages)
        trace = Tracer(stages, before).trace
        # What no difference contains: rows that moved, and rows that were reloaded and are the same.
        moved = {entry.from_: path for path, entry in trace.entries.items() if entry.from_}
        yield from _add_rows(before, old, change, moved)
        if change.lacks_content:
            same = {path: path for path, entry in trace.entries.items() if entry.is_updated}
            yield from _add_rows(after, new, change, same)
        return row_changes(trace, before.row, after.row)
    except Missing:
        whole: List[Known] = []
        for revision in (change.base_revision, change.revision):
            sections: Sections = (yield calls.snapshot(change.list, revision)).sections if revision else []
            whole.append(Known(sections))
        trace = Tracer(stages or [], whole[0]).trace
        return row_changes(trace, whole[0].row, whole[1].row)


def _add_rows(
    known: Partial, whole: Mapping[str, Any], change: Change, places: Mapping[Path, Path]
) -> Asking[None]:
    """Adds rows of a list, by their paths in it, if they are not known; `places` has also their paths after the change.
    They are the difference of the whole list from what remains without them or, if the list cannot be edited, rows of
    the present list."""
    unknown = {path: place for path, place in places.items() if not known.has(path)}
    if not unknown:
        return
    edit = {"edit": "deleteItems", "items": as_refs(unknown)}
    rest: Mapping[str, Any] = {**whole, "edits": [edit]}
    try:
        known.add((yield calls.diff(rest, whole, content=True)).stages)
    except ReadOnlyList:
        found = yield calls.locate(change.list, paths=unknown.values())
        if found["revision"] == change.revision:
            rows = zip(unknown, found["paths"])
            known.add_rows({path: row["content"] for path, row in rows if row})


def _at(name: str, revision: int) -> Mapping[str, Any]:
    return {"list": name, "revision": revision}




def answered(asking: Asking[T], ask: Callable[[Any], Any]) -> T:
    """The result of `asking`, whose calls `ask` performs."""
    try:
        call = next(asking)
        while True:
            try:
                result = ask(call)
            except Refused as why:
                call = asking.throw(why)
            else:
                call = asking.send(result)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]


async def awaited(asking: Asking[T], ask: Callable[[Any], Awaitable[Any]]) -> T:
    """The result of `asking`, whose calls `ask` performs."""
    try:
        call = next(asking)
        while True:
            try:
                result = await ask(call)
            except Refused as why:
                call = asking.throw(why)
            else:
                call = asking.send(result)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
