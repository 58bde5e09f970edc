"""The ops of a change, as dataclasses.

`DeleteItems(at=Path(0, 3), count=2)` is `{"op": "deleteItems", "at": [0, 3], "count": 2}` in JSON.
`from`, a keyword of Python, is `from_`. The content of an op (`sections`, `items`) is present if `content`
was requested, and what was there before (`old`) with `content="both"`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union

from .errors import OutOfStep
from .places import Path


@dataclass(frozen=True)
class DeleteSections:
    """Sections are deleted."""

    at: int
    count: int
    old: Optional[Sequence[Mapping[str, Any]]] = None


@dataclass(frozen=True)
class InsertSections:
    """Sections are inserted, with the given numbers of rows."""

    at: int
    count: int
    rows: Sequence[int]
    sections: Optional[Sequence[Mapping[str, Any]]] = None


@dataclass(frozen=True)
class MoveSections:
    """Sections are moved, with their rows."""

    from_: int
    to: int
    count: int


@dataclass(frozen=True)
class ReloadSections:
    """The own members of sections changed, including the template of the header or the
    footer."""

    at: int
    count: int
    sections: Optional[Sequence[Mapping[str, Any]]] = None
    old: Optional[Sequence[Mapping[str, Any]]] = None


@dataclass(frozen=True)
class ReconfigureSections:
    """The own members of sections changed."""

    at: int
    count: int
    sections: Optional[Sequence[Mapping[str, Any]]] = None
    old: Optional[Sequence[Mapping[str, Any]]] = None


@dataclass(frozen=True)
class DeleteItems:
    """Rows are deleted."""

    at: Path
    count: int
    old: Optional[Sequence[Any]] = None


@dataclass(frozen=True)
class InsertItems:
    """Rows are inserted."""

    at: Path
    count: int
    items: Optional[Sequence[Any]] = None


@dataclass(frozen=True)
class MoveItems:
    """Rows are moved."""

    from_: Path
    to: Path
    count: int


@dataclass(frozen=True)
class ReloadItems:
    """The content of rows changed, including the template: their views must be created again."""

    at: Path
    count: int
    items: Optional[Sequence[Any]] = None
    old: Optional[Sequence[Any]] = None


@dataclass(frozen=True)
class ReconfigureItems:
    """The content of rows changed; their views can be updated."""

    at: Path
    count: int
    items: Optional[Sequence[Any]] = None
    old: Optional[Sequence[Any]] = None


@dataclass(frozen=True)
class SelectItems:
    """Rows are selected."""

    at: Path
    count: int


@dataclass(frozen=True)
class DeselectItems:
    """Rows are deselected."""

    at: Path
    count: int


@dataclass(frozen=True)
class Patch:
    """One operation of a JSON Patch (RFC 6902)."""

    op: str
    path: str
    value: Any = None
    from_: Optional[str] = None


@dataclass(frozen=True)
class TextEdit:
    """Replaces the lines from `start` to before `end` with the complete lines of `text`."""

    start: int
    end: int
    text: str


Op = Union[
    DeleteSections, InsertSections, MoveSections, DeleteItems, InsertItems, MoveItems,
    ReloadSections, ReconfigureSections, ReloadItems, ReconfigureItems,
]  # fmt: skip
Stage = List[Op]
SelectionOp = Union[SelectItems, DeselectItems]

KINDS: Dict[str, Callable[..., Any]] = {
    kind.__name__[0].lower() + kind.__name__[1:]: kind
    for kind in (
        DeleteSections, InsertSections, MoveSections, DeleteItems, InsertItems, MoveItems,
        ReloadSections, ReconfigureSections, ReloadItems, ReconfigureItems,
        SelectItems, DeselectItems,
    )
}  # fmt: skip


def read_op(value: Mapping[str, Any]) -> Any:
    """Converts a received op. Unknown members are ignored."""
    kind = KINDS.get(value.get("op", ""))
    if kind is None:
        raise OutOfStep(f"an unknown op: {value}")
    return _read(kind, value)


def read_ops(value: Sequence[Mapping[str, Any]]) -> List[Any]:
    """Converts received ops."""
    return [read_op(op) for op in value]


def read_stages(value: Sequence[Sequence[Mapping[str, Any]]]) -> List[Stage]:
    """Converts received stages."""
    return [read_ops(stage) for stage in value]


def read_patch(value: Sequence[Mapping[str, Any]]) -> List[Patch]:
    """Converts a received JSON Patch."""
    return [_read(Patch, op) for op in value]


def read_text_edits(value: Sequence[Mapping[str, Any]]) -> List[TextEdit]:
    """Converts received text edits."""
    return [
        TextEdit(edit["range"]["start"]["line"], edit["range"]["end"]["line"], edit["newText"])
        for edit in value
    ]


@lru_cache(maxsize=None)
def _members(kind: Callable[..., Any]) -> Dict[str, str]:
    """The fields of a kind of op by the names of members."""
    return {field.name.rstrip("_"): field.name for field in fields(kind)}  # type: ignore[arg-type]


def _read(kind: Callable[..., Any], value: Mapping[str, Any]) -> Any:
    names, members = _members(kind), {}
    try:
        for name, member in value.items():
            if field := names.get(name):
                is_path = name in ("at", "from", "to") and isinstance(member, list)
                members[field] = Path(*member) if is_path else member
        return kind(**members)
    except TypeError as why:
        raise OutOfStep(f"an invalid op: {value}") from why
