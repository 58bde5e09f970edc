"""Draws the screen: the query, the numbers of lines, matching lines, and marked lines."""

from __future__ import annotations

import curses
import unicodedata
from typing import List, Tuple

from finder import Finder, Spans
from prompt import Prompt
from terminal import Terminal

HEAD = 2
"""The number of rows above the lines."""
MOST_MARKED = 6
"""The largest number of marked lines below the others; they take at most a quarter of the
screen."""


def list_height(rows: int, marked: int) -> int:
    """The number of rows for lines, if `marked` lines are marked."""
    return max(rows - HEAD - pane_height(rows, marked), 1)


def pane_height(rows: int, marked: int) -> int:
    """The number of rows for marked lines, including the heading with their number."""
    shown = min(marked, MOST_MARKED, rows // 4)
    return shown + 1 if shown else 0


def draw(terminal: Terminal, finder: Finder, prompt: Prompt) -> None:
    """Draws the whole screen; curses writes only the differences."""
    window, styles = terminal.window, terminal.styles
    rows, columns = window.getmaxyx()
    window.erase()
    text, caret = field(prompt.text, prompt.caret, columns - 3)
    put(window, 0, 0, "> ", styles["prompt"])
    put(window, 0, 2, text)
    put(window, 1, 0, fit(numbers(finder), columns - 1), styles["info"])
    for row in range(min(finder.height, rows - HEAD)):
        index = finder.top + row
        if index < len(finder.ids):
            draw_line(terminal, finder, HEAD + row, index, columns)
    draw_marked(terminal, finder, rows, columns)
    window.move(0, min(2 + caret, columns - 1))
    window.refresh()


def numbers(finder: Finder) -> str:
    """The numbers of matching and of all lines."""
    marked = f" ({finder.mark_count:,} marked)" if finder.mark_count else ""
    return f"  {finder.matched:,}/{finder.total:,}{marked}{' …' if finder.reading else ''}"


def draw_line(terminal: Terminal, finder: Finder, row: int, index: int, columns: int) -> None:
    styles, id = terminal.styles, finder.ids[index]
    base = styles["current"] if index == finder.index else styles["plain"]
    put(terminal.window, row, 0, ">" if index == finder.index else " ", base)
    is_marked = finder.is_marked(id)
    put(terminal.window, row, 1, "*" if is_marked else " ", base | styles["mark"] if is_marked else base)
    column = 2
    for text, matches in runs(finder.lines.text(id), finder.spans.get(id, []), columns - 3):
        put(terminal.window, row, column, text, base | styles["match"] if matches else base)
        column += sum(map(width, text))
    if index == finder.index:
        put(terminal.window, row, column, " " * (columns - 1 - column), base)


def draw_marked(terminal: Terminal, finder: Finder, rows: int, columns: int) -> None:
    height = pane_height(rows, finder.mark_count)
    if not height:
        return
    first, shown = rows - height, height - 1
    more = finder.mark_count - shown
    title = f"── {finder.mark_count:,} marked" + (f", {more:,} of them not shown " if more else " ")
    put(terminal.window, first, 0, fit(title, columns - 1), terminal.styles["info"])
    for row, id in zip(range(first + 1, rows), finder.marked()):
        put(terminal.window, row, 1, "*", terminal.styles["mark"])
        for text, _ in runs(finder.lines.text(id), [], columns - 3):
            put(terminal.window, row, 2, text)


def put(window: "curses.window", row: int, column: int, text: str, style: int = 0) -> None:
    """Writes text. Characters that the terminal's encoding lacks become question marks."""
    try:
        window.addstr(row, column, text.encode(window.encoding, "replace").decode(window.encoding), style)
    except curses.error:  # It does not fit, such as on a screen with two rows.
        pass


def runs(text: str, spans: Spans, columns: int) -> List[Tuple[str, bool]]:
    """The part of a line that fits into `columns` columns and contains the last match, in matching and
    other pieces. O(columns), independent of the length of the line."""
    last = spans[-1][1] if spans else 0
    start = 0
    if last and not fits(text, columns) and not fits(text[:last], columns - 2):
        start = last
        used = 4  # for the dots on either side
        while start and used + width(text[start - 1]) <= columns and last - start < 4 * columns:
            start -= 1
            used += width(text[start])
    pieces = [("..", False)] if start else []
    room = columns - 2 * bool(start)
    shown = text[start : start + 4 * columns]
    end = start + len(fit(shown, room))
    if end < len(text):
        end = start + len(fit(shown, room - 2))
    at = start
    for first, past in [*spans, (end, end)]:
        first, past = max(min(first, end), at), min(past, end)
        if first > at:
            pieces.append((printable(text[at:first]), False))
        if past > first:
            pieces.append((printable(text[first:past]), True))
        at = max(at, past)
    return pieces + ([("..", False)] if end < len(text) else [])


def fits(text: str, columns: int) -> bool:
    """Whether a text fits into `columns` columns. O(columns)."""
    return len(text) <= 4 * columns and len(fit(text, columns)) == len(text)


def fit(text: str, columns: int) -> str:
    """The beginning of a text that fits into `columns` columns."""
    used = 0
    for index, character in enumerate(text):
        used += width(character)
        if used > columns:
            return text[:index]
    return text


def field(text: str, caret: int, columns: int) -> Tuple[str, int]:
    """The visible part of a query, and the column of the caret in it."""
    start = caret
    used = 0
    while start and used + width(text[start - 1]) < columns:
        start -= 1
        used += width(text[start])
    return printable(fit(text[start : start + 4 * columns], columns)), used


def width(character: str) -> int:
    """The number of columns of a character as `printable` shows it."""
    if " " <= character < "\x7f":
        return 1
    kind = unicodedata.category(character)
    if kind in ("Mn", "Me") or character in "\u200b\u200c\u200d":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def printable(text: str) -> str:
    """The text with symbols for characters that would control the terminal."""
    return text if text.isascii() and text.isprintable() else "".join(map(sign, text))


def sign(character: str) -> str:
    """A character, or the symbol for it."""
    if character == "\t":
        return " "
    if character < " ":
        return chr(0x2400 + ord(character))
    hidden = unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp", "Cn", "Co", "Cs")
    return "\ufffd" if hidden and character not in "\u200b\u200c\u200d" else character
