"""The ops of a change, as dataclasses.

`DeleteItems(at=Path(0, 3), count=2)` is `{"op": "deleteItems", "at": [0, 3], "count": 2}` on the
wire; `from`, which Python keeps for itself, is `from_`. What an op brings in (`sections`, `items`)
is there where `content` was asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union

from .errors import OutOfStep
from .places import Path


@dataclass(frozen=True)
class DeleteSections:
    """Sections are deleted."""

    at: int
    count: int


@dataclass(frozen=True)
class InsertSections:
    """Sections are inserted, with as many rows as `rows` says."""

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
    """Own members changed, and with them the template of the header or the footer."""

    at: int
    count: int
    sections: Optional[Sequence[Mapping[str, Any]]] = None


@dataclass(frozen=True)
class ReconfigureSections:
    """Own members changed."""

    at: int
    count: int
    sections: Optional[Sequence[Mapping[str, Any]]] = None


@dataclass(frozen=True)
class DeleteItems:
    """Rows are deleted."""

    at: Path
    count: int


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
    """The content changed, and with it the template: a row's view must be made anew."""

    at: Path
    count: int
    items: Optional[Sequence[Any]] = None


@dataclass(frozen=True)
class ReconfigureItems:
    """The content changed: a row's view can stay."""

    at: Path
    count: int
    items: Optional[Sequence[Any]] = None


@dataclass(frozen=True)
class SelectItems:
    """Rows are selected."""

    at: Path
    count: int


@dataclass(frozen=True)
class DeselectItems:
    """Rows are not selected any more."""

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
    """Takes the lines from `start` up to `end` for the whole lines of `text`."""

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


def read_op(told: Mapping[str, Any]) -> Any:
    """The op that the daemon tells; members that are not known are passed over."""
    kind = KINDS.get(told.get("op", ""))
    if kind is None:
        raise OutOfStep(f"an op that nobody knows: {told}")
    return _read(kind, told)


def read_ops(told: Sequence[Mapping[str, Any]]) -> List[Any]:
    """Ops as the daemon sends them."""
    return [read_op(op) for op in told]


def read_stages(told: Sequence[Sequence[Mapping[str, Any]]]) -> List[Stage]:
    """Stages as the daemon sends them."""
    return [read_ops(stage) for stage in told]


def read_patch(told: Sequence[Mapping[str, Any]]) -> List[Patch]:
    """A JSON Patch as the daemon sends it."""
    return [_read(Patch, op) for op in told]


def read_text_edits(told: Sequence[Mapping[str, Any]]) -> List[TextEdit]:
    """Text edits as the daemon sends them."""
    return [
        TextEdit(edit["range"]["start"]["line"], edit["range"]["end"]["line"], edit["newText"])
        for edit in told
    ]


def _read(kind: Callable[..., Any], told: Mapping[str, Any]) -> Any:
    members = {}
    try:
        for field in fields(kind):  # type: ignore[arg-type]
            name = field.name.rstrip("_")
            if name in told:
                is_path = name in ("at", "from", "to") and isinstance(told[name], list)
                members[field.name] = Path(*told[name]) if is_path else told[name]
        return kind(**members)
    except TypeError as why:
        raise OutOfStep(f"an op that is not as it should be: {told}") from why
