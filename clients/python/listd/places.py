"""The words that all modules share: identifiers, items, places, references."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Literal, Mapping, NamedTuple, Optional, Union

ID = Union[str, int]
Item = Union[str, int, Mapping[str, Any]]
Format = Literal["stages", "ops", "jsonPatch", "textEdits", "none"]


class Path(NamedTuple):
    """The place of a row: the index of its section, and its index in that."""

    section: int
    row: int


@dataclass(frozen=True)
class Range:
    """Rows in a run: the first one's place, and how many they are."""

    at: Path
    count: int


Ref = Union[ID, Path, Mapping[str, Any]]


def as_ref(item: Ref) -> Any:
    """What names an item on the wire: an id and an object as they are, a place as an object."""
    return {"path": list(item)} if isinstance(item, Path) else item


def as_refs(items: Optional[Iterable[Ref]]) -> Optional[List[Any]]:
    """What names items on the wire."""
    return None if items is None else [as_ref(item) for item in items]


def path_of(told: Any) -> Optional[Path]:
    """A place as it is told, `None` for none."""
    return None if told is None else Path(*told)


def ranges_of(told: Iterable[Dict[str, Any]]) -> List[Range]:
    """Ranges as the daemon sends them."""
    return [Range(Path(*entry["at"]), entry["count"]) for entry in told]


def paths_of(ranges: Iterable[Range]) -> List[Path]:
    """The single places that ranges cover."""
    return [Path(one.at.section, one.at.row + k) for one in ranges for k in range(one.count)]
