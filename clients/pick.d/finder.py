"""What the daemon does for the picker: a list of all lines, and a view of those that match."""

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
"""The least lines that the view shows; more than a screen, so that going down one needs no request."""
FEWEST, MOST = 1 << 20, 1 << 24
"""The weight of the lines that one edit brings, at most."""
LOUD = 1 << 16
"""The weight from which on the time of an edit says what a unit of it costs."""
PATIENCE = 120.0
LAST = -1
"""Stands for the last line that matches until it is known."""
Spans = List[Tuple[int, int]]


class Finder:
    """The lines that match a query, those around the current one, and which are marked."""

    def __init__(self, daemon: aio.Daemon, lines: Lines, is_sorted: bool, changed: Callable[[], None]):
        self.lines, self.is_sorted, self.changed = lines, is_sorted, changed
        self.query = ""
        self.reading = True  # whether more lines may arrive
        self.start = self.matched = self.total = 0
        self.ids: List[int] = []  # the lines from `start` on, among those that match
        self.spans: Dict[int, Spans] = {}  # what matched in the lines that are on the screen
        self.marks: List[Tuple[int, int]] = []  # ranges of lines: first and number
        self.index = 0  # in `ids`, of the current line
        self.top = 0  # in `ids`, of the first line on the screen
        self.height = 1
        self.answered = asyncio.Event()  # whether `ids` are those of the query
        self._current: Optional[int] = None  # the line that is followed; None for the best one
        self._source = daemon.list("lines", PATIENCE)
        self._view = daemon.list("shown", PATIENCE)
        self._revision = -1
        self._numbers = (0, 0, 0)  # of the lines that are read next
        self._spanned = ""  # the query that `spans` are of
        self._place: Any = 0  # where the window is to be
        self._composed: Any = None
        self._composing: Optional[asyncio.Future[Any]] = None
        self._stale = asyncio.Event()
        self._fastest = float("inf")  # the least seconds that a unit of weight has taken

    async def begin(self, ended: Callable[[Optional[listd.ListdError]], None]) -> None:
        """Makes the lists, which are empty, and follows the view."""
        section = {"id": "main", "selectionMode": "multiple", "items": []}
        await self._source.apply(sections=[section], format="none")
        await self._compose()
        await self._view.listen(self._hear, "none", ended=ended)

    # Lines that arrive.

    async def feed(self, source: Input) -> None:
        """Appends the lines as they arrive. While an edit is answered the next one gathers, and if
        an edit takes long whatever it brings, such as for views that are made anew, it brings more."""
        def weigh(data: bytes) -> int:  # A line costs something by itself.
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
        """Shows what matches another query, from the best on. A search that has not been answered
        is cancelled."""
        if query == self.query:
            return
        self.query, self._current, self._place = query, None, 0
        self.answered.clear()
        if self._composing:
            self._composing.cancel()
        self._stale.set()

    async def follow(self) -> None:
        """Keeps what is shown up to date."""
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
        return self.query, self._place, self._count()

    async def _compose(self) -> None:
        wanted = self._wanted()
        view: Dict[str, Any] = {"selection": "source"}
        view["window"] = {"start": self._place, "count": self._count()}
        if self.query.strip():
            view["match"] = {"query": self.query}
            if not self.is_sorted:
                view["sort"] = []
        self._composed = None
        try:
            change = await self._view.compose(["lines"], view=view, format="none")
        except listd.ItemNotFound:  # The anchor; the view keeps the window that it has.
            change = None
        self._composed = wanted
        if change and change.view:
            self._numbers = astuple(change.view)[:3]

    def _hear(self, news: Any) -> None:
        """Takes the numbers. If the lines in the window are others, these are read first."""
        numbers = getattr(news, "view", None)
        if numbers:
            self._numbers = astuple(numbers)[:3]
        if getattr(news, "revision", None) != self._revision:
            self._stale.set()
        elif self.answered.is_set():
            self.start, self.matched, self.total = self._numbers
            self.changed()

    async def _read(self) -> None:
        """Asks which lines the view shows, and what matched in those on the screen. The texts are
        known, and are not sent back."""
        composed = self._composed
        query = composed[0]
        found = await self._view.locate(match={"query": ""}, count=self._count())
        ids = [one["id"] for one in found["matches"]]
        if self._current not in (None, LAST) and self._current not in ids:
            if self._anchor() != self._place:
                return self._go_to(self._anchor())
            self._current = ids[min(self.index, len(ids) - 1)] if ids else None
        self._revision = found["revision"]
        self._adopt(ids)
        known = self.spans if query == self._spanned else {}
        visible = ids[self.top : self.top + self.height]
        self.spans, self._spanned = {id: known[id] for id in visible if id in known}, query
        missing = [id for id in visible if id not in self.spans]
        if query.strip() and missing:
            told = await self._view.locate(items=missing, match=True)
            for id, one in zip(missing, told["items"]):
                self.spans[id] = self._spans_of(id, one)
        if composed == self._wanted():
            self.answered.set()
        self.changed()

    def _adopt(self, ids: List[int]) -> None:
        """Keeps the current line on its row of the screen, if it is not the best one."""
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

    def _spans_of(self, id: int, told: Any) -> Spans:
        ranges = told["match"]["ranges"].get("text", []) if told and told.get("match") else []
        if not ranges:
            return []
        text = self.lines.text(id)
        if text.isascii():
            return [(start, end) for start, end in ranges]
        units = text.encode("utf-16-le")  # What the daemon counts, two bytes each.
        return [(_characters(units, start), _characters(units, end)) for start, end in ranges]

    # The current line.

    @property
    def current(self) -> Optional[int]:
        """The current line, if any matches."""
        return self.ids[self.index] if self.ids else None

    def resize(self, height: int) -> None:
        """Shows so many lines."""
        self.height = max(height, 1)
        self._scroll()
        self._stale.set()

    def move(self, rows: int) -> None:
        """Goes to another line, and beyond the lines that the view shows if there are more."""
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
        """Goes to the best line."""
        self._current = None
        self._go_to(0)

    def go_last(self) -> None:
        """Goes to the last line that matches."""
        self._current = LAST
        self._go_to(self.matched)

    def _go_to(self, place: Any) -> None:
        self._place = place
        self.answered.clear()
        self._stale.set()

    def _anchor(self) -> Any:
        """A window around the current line that follows it."""
        if self._current is None:
            return 0
        return {"item": self._current, "before": self._count() // 2}

    # Marked lines.

    async def mark(self) -> None:
        """Marks the current line, or unmarks it."""
        current = self.current
        if current is not None:
            told = await self._source.select(current, action="toggle", format="none")
            self._take_marks(told.selection)

    async def mark_all(self, action: Literal["all", "none"]) -> None:
        """Marks all lines that match, or unmarks them."""
        await self._view.select(action=action, format="none")
        self._take_marks((await self._source.window(0, 0)).selection)

    def _take_marks(self, selection: Sequence[listd.Range]) -> None:
        # The lines are in the order of their indexes, in one section.
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
