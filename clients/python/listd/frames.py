"""Data frames in and out. The package does not import their libraries until a frame is wanted."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Dict, Iterable, List, Optional

from .kinds import is_object

Frame = Any
"""A `DataFrame` of pandas or polars, or a `Table` of pyarrow."""


def records(frame: Any, keeps_dates: bool = False) -> Optional[List[Dict[str, Any]]]:
    """The rows of a data frame as objects; `None` for other values.

    Missing values are `None`, and dates are strings as in ISO 8601 unless `keeps_dates` is true. An index of pandas
    is a column if it has a name."""
    for method in ("to_dicts", "to_pylist"):  # polars, pyarrow
        if hasattr(frame, method):
            rows: List[Dict[str, Any]] = getattr(frame, method)()
            return rows
    if not (hasattr(frame, "iloc") and hasattr(frame, "columns")):
        return None
    if any(name is not None for name in frame.index.names):
        frame = frame.reset_index()
    names = [str(name) for name in frame.columns]
    columns = [_values(frame.iloc[:, index], keeps_dates) for index in range(len(names))]
    return [dict(zip(names, row)) for row in zip(*columns)]


def _values(column: Any, keeps_dates: bool) -> List[Any]:
    is_there = column.notna()
    if not is_there.all():
        column = column.astype(object).where(is_there, None)
    values: List[Any] = column.tolist()
    if keeps_dates or not any(hasattr(value, "isoformat") for value in values[:1000]):
        return values
    return [value.isoformat() if hasattr(value, "isoformat") else value for value in values]


def frame_of(rows: Iterable[Any]) -> Frame:
    """A `DataFrame` of pandas with a row for each object. Strings and integers are items with this `id`."""
    return import_module("pandas").DataFrame([row if is_object(row) else {"id": row, "text": row} for row in rows])
