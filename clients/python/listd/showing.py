"""How results look in a shell and in a notebook."""

from __future__ import annotations

import reprlib
from html import escape
from typing import Any, Dict, Iterable, List, Sequence, Tuple

from .each import RowChange
from .kinds import is_object

ENDS = 5  # rows at the beginning and at the end of a table
MOST = 50  # rows of a table of changes
COLOURS = {"delete": "#d1242f", "insert": "#1a7f37", "move": "#0969da", "update": "#9a6700"}


_repr = reprlib.Repr()
_repr.maxlevel, _repr.maxlist, _repr.maxtuple, _repr.maxdict = 4, 5, 5, 5
_repr.maxother, _repr.maxstring = 120, 60


def brief(value: Any) -> str:
    """A short form of a value or of ops."""
    return _repr.repr(value)


def items_of(sections: Iterable[Any]) -> List[Any]:
    """The items of all sections."""
    return [item for section in sections for item in section["items"]]


def table_of_items(caption: str, start: Sequence[Any], end: Sequence[Any], total: int) -> str:
    """The first and the last items, with a column for each member."""
    rows = [*start, *end]
    names = list(dict.fromkeys(name for row in rows for name in members(row)))
    cells = [[brief_text(members(row).get(name)) if name in members(row) else "" for name in names] for row in rows]
    between = total - len(rows)
    lines = [line(one) for one in cells]
    if between > 0:
        lines.insert(len(start), f'<tr><td colspan="{max(len(names), 1)}">… {between:,} more …</td></tr>')
    return table(caption, names, lines)


def members(row: Any) -> Dict[str, Any]:
    """The members of a row; a string or an integer is its text."""
    if not is_object(row):
        return {"text": row}
    if "$part" in row:
        return {**members(row["$item"]), **members(row["$part"])}
    return row


def table_of_changes(caption: str, changes: Sequence[RowChange]) -> str:
    """The changes of rows, each with its colour."""
    lines: List[str] = []
    for row in changes[:MOST]:
        places = " → ".join(f"{path.section}.{path.row}" for path in (row.from_, row.to) if path)
        colour = f"color: {COLOURS[row.kind]}"
        cells = [row.kind, "" if row.id is None else str(row.id), places, described(row)]
        lines.append(line(cells, colour))
    if len(changes) > MOST:
        lines.append(f'<tr><td colspan="4">… {len(changes) - MOST:,} more …</td></tr>')
    return table(caption, ["", "id", "at", ""], lines)


def described(row: RowChange) -> str:
    """What has changed: the members of an update that differ, otherwise the row."""
    if row.kind != "update":
        return brief(row.old if row.new is None else row.new)
    old, new = members(row.old), members(row.new)
    names = [name for name in dict.fromkeys([*old, *new]) if old.get(name) != new.get(name)]
    return ", ".join(f"{name}: {brief(old.get(name))} → {brief(new.get(name))}" for name in names)


def brief_text(value: Any) -> str:
    """A value as the text of a cell."""
    return value if isinstance(value, str) and len(value) <= 60 else brief(value)


def line(cells: Iterable[str], style: str = "") -> str:
    """A row of a table."""
    tag = f'<tr style="{style}">' if style else "<tr>"
    return tag + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"


def table(caption: str, names: Sequence[str], lines: Iterable[str]) -> str:
    """A table as HTML."""
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def ends(items: Sequence[Any]) -> Tuple[Sequence[Any], Sequence[Any]]:
    """The items at the beginning and at the end of a table."""
    return (items, ()) if len(items) <= 2 * ENDS else (items[:ENDS], items[-ENDS:])
