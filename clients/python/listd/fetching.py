"""Reads what a change does not contain: contents of its rows. Costs what changed, not what the list has."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from functools import partial
from typing import Any, Awaitable, Callable, List, Mapping, TypeVar

from . import calls
from .changes import Change
from .each import Asking, Known, RowChange, Rows, row_changes
from .errors import ListdError
from .rows import Sections
from .tracing import Missing, Tracer

T = TypeVar("T")


def fetched(change: Change) -> Asking[List[RowChange]]:
    """The rows of a change of a list. Yields the calls that it needs."""
    revisions = (change.base_revision, change.revision)
    old, new = (_at(change.list, one) for one in revisions)
    asked: Any = change
    if asked.stages is None:
        asked = yield calls.diff(old, new, content="both")
    stages = asked.stages
    with suppress(Missing):
        return row_changes(Tracer(stages).trace, change.key)
    with suppress(Missing):
        # Rows that move are deleted and inserted with their contents, but so are all rows of sections that move.
        moves = None if asked.sections.moves and not asked.rows.moves else False
        asked = yield calls.diff(old, new, content="both", moves=moves)
        known = Tracer(asked.stages).trace
        before = Rows([*known.deleted.items(), *((entry.from_, entry.old) for entry in known.entries.values())])
        after = Rows((path, entry.new) for path, entry in known.entries.items())
        trace = Tracer(stages, Counter(path.section for path in known.deleted).__getitem__).trace
        # Rows that are not in the difference are the same: they were reloaded, or others were moved instead of them.
        same = {path: entry for path, entry in trace.entries.items() if entry.from_ and entry.from_ not in before}
        after.update(Rows((path, entry.new) for path, entry in same.items()))
        unknown = [path for path in same if path not in after]
        found: Any = (yield calls.locate(change.list, paths=unknown)) if unknown else None
        if found and found["revision"] == change.revision:
            after.update((path, row["content"]) for path, row in zip(unknown, found["paths"]) if row)
        before.update(Rows((entry.from_, after[path]) for path, entry in same.items()))
        return row_changes(trace, change.key, before.__getitem__, after.__getitem__)
    # The list has changed since, or rows are repeated and were identified differently.
    whole: List[Known] = []
    for revision in revisions:
        sections: Sections = (yield calls.snapshot(change.list, revision)).sections if revision else []
        whole.append(Known(sections))
    return row_changes(Tracer(stages, whole[0].length).trace, change.key, whole[0].row, whole[1].row)


def _at(name: str, revision: int) -> Mapping[str, Any]:
    return {"list": name, "revision": revision} if revision else {"sections": []}


def answered(asking: Asking[T], ask: Callable[[Any], Any]) -> T:
    """The result of `asking`, whose calls `ask` performs."""
    step: Callable[[], Any] = partial(next, asking)
    try:
        while True:
            call = step()
            try:
                step = partial(asking.send, ask(call))
            except ListdError as why:
                step = partial(asking.throw, why)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]


async def awaited(asking: Asking[T], ask: Callable[[Any], Awaitable[Any]]) -> T:
    """The result of `asking`, whose calls `ask` performs."""
    step: Callable[[], Any] = partial(next, asking)
    try:
        while True:
            call = step()
            try:
                step = partial(asking.send, await ask(call))
            except ListdError as why:
                step = partial(asking.throw, why)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
