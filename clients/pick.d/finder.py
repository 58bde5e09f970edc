"""The daemon's part of the picker: a list of all lines, and a view of the matching ones."""

from __future__ import annotations

import asyncio
import time
from bisect import bisect_right
from dataclasses import astuple
from typing import Any, Callable, Dict, Iterator, List, Literal, Optional, Sequence, Tuple

from lines import Input, Lines

import listd
from listd import aio, edits

WINDOW = 200
"""The least number of lines in the view; more than a screen, so that moving down needs no
request."""
FEWEST, MOST = 1 << 20, 1 << 24
"""The least and the largest limit of the weight of an edit."""
LOUD = 1 << 16
"""The weight from which the time of an edit is used to estimate the time of a unit."""
TIMEOUT = 120.0
LAST = -1
"""Stands for the last matching line until it is known."""
Spans = List[Tuple[int, int]]


class Finder:
    """The lines that match a query, the lines around the current one, and the marked lines."""

    def __init__(self, daemon: aio.Daemon, lines: Lines, is_sorted: bool, changed: Callable[[], None]):
        self.lines, self.is_sorted, self.changed = lines, is_sorted, changed
        self.query = ""
        self.reading = True  # whether more lines may arrive
        self.start = self.matched = self.total = 0
        self.ids: List[int] = []  # the lines from `start` on, among those that match
        self.spans: Dict[int, Spans] = {}  # the matching characters of the lines on the screen
        self.marks: List[Tuple[int, int]] = []  # ranges of lines: first and number
        self.index = 0  # in `ids`, of the current line
        self.top = 0  # in `ids`, of the first line on the screen
        self.height = 1
        self.answered = asyncio.Event()  # whether `ids` are those of the query
        self._current: Optional[int] = None  # the line that the cursor follows; None for the best one
        self._source = daemon.list("lines", TIMEOUT)
        self._view = daemon.list("shown", TIMEOUT)
        self._revision = -1
        self._numbers = (0, 0, 0)  # of the lines that are requested next
        self._spanned = ""  # the query that `spans` are of
        self._start: Any = 0  # the wanted start of the window
        self._composed: Any = None
        self._composing: Optional[asyncio.Future[Any]] = None
        self._stale = asyncio.Event()
        self._fastest = float("inf")  # the least time of a unit of weight, in seconds

    async def begin(self, ended: Callable[[Optional[listd.ListdError]], None]) -> None:
        """Creates the lists, which are empty, and follows the view."""
        section = {"id": "main", "selectionMode": "multiple", "items": []}
        await self._source.apply(sections=[section], format="none")
        await self._compose()
        await self._view.listen(self._hear, "none", ended=ended)

    # Lines that arrive.

    async def feed(self, source: Input) -> None:
        """Appends lines as they arrive. While one edit is performed, the lines of the next are collected. If
        an edit has high fixed costs, such as for views that are recomputed, the next ones are larger."""
        def weigh(data: bytes) -> int:  # A line has a cost of its own.
            return len(data) + 64 * data.count(self.lines.separator)

        most = FEWEST
        while data := await source.take(most, weigh):
            if texts := self.lines.add(data):
                seconds = await self._append(texts)
                weight = weigh(data)
                if weight >= LOUD:
                    self._fastest = min(self._fastest, seconds / weight)
                    fixed = seconds - self._fastest * weight
                    most = int(min(max(fixed / self._fastest, FEWEST), MOST))
        if texts := self.lines.finish():
            await self._append(texts)
        self.reading = False
        self.changed()

    async def _append(self, texts: List[str]) -> float:
        begin = time.monotonic()
        first = len(self.lines) - len(texts)
        items = [{"id": index, "text": text} for index, text in enumerate(texts, first)]
        await self._source.edit(edits.append_items(*items), format="none")
        return time.monotonic() - begin

    # The view.

    def search(self, query: str) -> None:
        """Shows the lines that match another query, beginning with the best. A pending search is
        cancelled."""
        if query == self.query:
            return
        self.query, self._current, self._start = query, None, 0
        self.answered.clear()
        if self._composing:
            self._composing.cancel()
        self._stale.set()

    async def follow(self) -> None:
        """Keeps the shown lines up to date."""
        while True:
            await self._stale.wait()
            self._stale.clear()
            if self._composed != self._wanted():
                self._composing = asyncio.ensure_future(self._compose())
                await asyncio.wait({self._composing})
                task, self._composing = self._composing, None
                if task.cancelled():
                    continue
                task.result()
            await self._read()

    def _count(self) -> int:
        return max(WINDOW, 5 * self.height)

    def _wanted(self) -> Tuple[str, Any, int]:
        return self.query, self._start, self._count()

    async def _compose(self) -> None:
        wanted = self._wanted()
        view: Dict[str, Any] = {"selection": "source"}
        view["window"] = {"start": self._start, "count": self._count()}
        if self.query.strip():
            view["match"] = {"query": self.query}
            if not self.is_sorted:
                view["sort"] = []
        self._composed = None
        try:
            change = await self._view.compose(["lines"], view=view, format="none")
        except listd.ItemNotFound:  # The anchor was not found; the view keeps its window.
            change = None
        self._composed = wanted
        if change and change.view:
            self._numbers = astuple(change.view)[:3]

    def _hear(self, news: Any) -> None:
        """Updates the numbers. If the lines in the window changed, requests them first."""
        numbers = getattr(news, "view", None)
        if numbers:
            self._numbers = astuple(numbers)[:3]
        if getattr(news, "revision", None) != self._revision:
            self._stale.set()
        elif self.answered.is_set():
            self.start, self.matched, self.total = self._numbers
            self.changed()

    async def _read(self) -> None:
        """Requests the lines of the view, and the matching characters of those on the screen. Their texts
        are known and are not requested."""
        composed = self._composed
        query = composed[0]
        found = await self._view.locate(match={"query": ""}, count=self._count())
        ids = [one["id"] for one in found["matches"]]
        if self._current not in (None, LAST) and self._current not in ids:
            if self._anchor() != self._start:
                return self._go_to(self._anchor())
            self._current = ids[min(self.index, len(ids) - 1)] if ids else None
        self._revision = found["revision"]
        self._adopt(ids)
        known = self.spans if query == self._spanned else {}
        visible = ids[self.top : self.top + self.height]
        self.spans, self._spanned = {id: known[id] for id in visible if id in known}, query
        missing = [id for id in visible if id not in self.spans]
        if query.strip() and missing:
            result = await self._view.locate(items=missing, match=True)
            for id, one in zip(missing, result["items"]):
                self.spans[id] = self._spans_of(id, one)
        if composed == self._wanted():
            self.answered.set()
        self.changed()

    def _adopt(self, ids: List[int]) -> None:
        """Keeps the current line on its row of the screen, unless it is the best line."""
        row = self.index - self.top
        self.ids = ids
        self.start, self.matched, self.total = self._numbers
        if self._current is None:
            self.index = 0
        else:
            self.index = len(ids) - 1 if self._current == LAST else ids.index(self._current)
            self._current = ids[self.index] if ids else None
        self.index = max(self.index, 0)
        self.top = self.index - row
        self._scroll()

    def _scroll(self) -> None:
        """Keeps the current line on the screen, and the screen full."""
        self.top = max(self.index - self.height + 1, min(self.top, self.index))
        self.top = max(0, min(self.top, len(self.ids) - self.height))

    def _spans_of(self, id: int, item: Any) -> Spans:
        ranges = item["match"]["ranges"].get("text", []) if item and item.get("match") else []
        if not ranges:
            return []
        text = self.lines.text(id)
        if text.isascii():
            return [(start, end) for start, end in ranges]
        units = text.encode("utf-16-le")  # The daemon counts UTF-16 units, of two bytes.
        return [(_characters(units, start), _characters(units, end)) for start, end in ranges]

    # The current line.

    @property
    def current(self) -> Optional[int]:
        """The current line; `None` if no line matches."""
        return self.ids[self.index] if self.ids else None

    def resize(self, height: int) -> None:
        """Sets the number of lines on the screen."""
        self.height = max(height, 1)
        self._scroll()
        self._stale.set()

    def move(self, rows: int) -> None:
        """Moves to another line, and requests more lines if the view has too few."""
        if not self.ids:
            return
        self.index = max(0, min(self.index + rows, len(self.ids) - 1))
        self._current = self.ids[self.index] if self.start + self.index else None
        self._scroll()
        above, below = self.top, len(self.ids) - self.top - self.height
        lacks_below = below < self.height and self.start + len(self.ids) < self.matched
        if lacks_below or (above < self.height and self.start > 0):
            self._go_to(self._anchor())
        self._stale.set()

    def go_first(self) -> None:
        """Moves to the best line."""
        self._current = None
        self._go_to(0)

    def go_last(self) -> None:
        """Moves to the last matching line."""
        self._current = LAST
        self._go_to(self.matched)

    def _go_to(self, start: Any) -> None:
        self._start = start
        self.answered.clear()
        self._stale.set()

    def _anchor(self) -> Any:
        """The start of a window that follows the current line."""
        if self._current is None:
            return 0
        return {"item": self._current, "before": self._count() // 2}

    # Marked lines.

    async def mark(self) -> None:
        """Marks or unmarks the current line."""
        current = self.current
        if current is not None:
            result = await self._source.select(current, action="toggle", format="none")
            self._take_marks(result.selection)

    async def mark_all(self, action: Literal["all", "none"]) -> None:
        """Marks or unmarks all matching lines."""
        await self._view.select(action=action, format="none")
        self._take_marks((await self._source.window(0, 0)).selection)

    def _take_marks(self, selection: Sequence[listd.Range]) -> None:
        # The lines are in one section, in the order of their indices.
        self.marks = [(range.at.row, range.count) for range in selection]
        self.changed()

    def is_marked(self, id: int) -> bool:
        """Whether a line is marked. O(log ranges)."""
        index = bisect_right(self.marks, (id, len(self.lines))) - 1
        return index >= 0 and id < sum(self.marks[index])

    def marked(self) -> Iterator[int]:
        """The marked lines."""
        return (id for first, count in self.marks for id in range(first, first + count))

    @property
    def mark_count(self) -> int:
        """The number of marked lines."""
        return sum(count for _, count in self.marks)


def _characters(units: bytes, index: int) -> int:
    return len(units[: 2 * index].decode("utf-16-le", "ignore"))
