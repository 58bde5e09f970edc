"""Types that all modules share: identifiers, items, paths and references."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Literal, Mapping, NamedTuple, Optional, Union

ID = Union[str, int]
Item = Union[str, int, Mapping[str, Any]]
Format = Literal["stages", "ops", "jsonPatch", "textEdits", "none"]


class Path(NamedTuple):
    """The path of a row: the index of its section, and its index in the section."""

    section: int
    row: int


@dataclass(frozen=True)
class Range:
    """A range of rows: the path of the first one, and their number."""

    at: Path
    count: int


Ref = Union[ID, Path, Mapping[str, Any]]


def as_ref(item: Ref) -> Any:
    """A reference as JSON: an id or an object is unchanged, a path becomes an object."""
    return {"path": list(item)} if isinstance(item, Path) else item


def as_refs(items: Optional[Iterable[Ref]]) -> Optional[List[Any]]:
    """References as JSON."""
    return None if items is None else [as_ref(item) for item in items]


def path_of(value: Any) -> Optional[Path]:
    """Converts a received path; `None` for `null`."""
    return None if value is None else Path(*value)


def ranges_of(values: Iterable[Dict[str, Any]]) -> List[Range]:
    """Converts received ranges."""
    return [Range(Path(*entry["at"]), entry["count"]) for entry in values]


def paths_of(ranges: Iterable[Range]) -> List[Path]:
    """The paths of all rows in ranges."""
    return [Path(one.at.section, one.at.row + k) for one in ranges for k in range(one.count)]
