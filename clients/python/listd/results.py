"""What the daemon answers and tells, as dataclasses."""

from __future__ import annotations

from dataclasses import astuple, dataclass, field
from functools import partial
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Tuple, Union

from . import protocol
from .each import RowChange, each
from .ops import (
    Op, Patch, SelectionOp, Stage, TextEdit, read_ops, read_patch, read_stages, read_text_edits,
)  # fmt: skip
from .kinds import is_mapping
from .places import ID, Path, Range, path_of, ranges_of
from .rows import Sections

Told = Mapping[str, Any]
Fetch = Callable[[int], Sections]


@dataclass(frozen=True)
class Counts:
    """How many single ones; one that moves and changes counts in both."""

    deletes: int
    inserts: int
    moves: int
    updates: int

    def __str__(self) -> str:
        return ", ".join(f"{n} {verb}" for n, verb in self.told()) or "nothing"

    def told(self) -> List[Tuple[int, str]]:
        """The numbers that are not 0, each with its verb."""
        verbs = ("deleted", "inserted", "moved", "updated")
        return [(n, verb) for n, verb in zip(astuple(self), verbs) if n]

    @staticmethod
    def read(told: Told) -> Counts:
        """Reads what the daemon sent."""
        return Counts(told["deletes"], told["inserts"], told["moves"], told["updates"])


@dataclass(frozen=True)
class Deselected:
    """What left the selection: its place before the change, and whether it is gone itself."""

    id: Optional[ID]
    at: Path
    gone: bool


@dataclass(frozen=True)
class ViewNumbers:
    """Which items of its sources a view shows."""

    start: int
    """The index of the first item that is shown, among those of the view."""
    matched: int
    """How many items the view has without its window."""
    total: int
    """How many items its sources have."""
    shown: Optional[int] = None
    """Of an outline, how many items would be shown without its window."""

    @staticmethod
    def read(told: Optional[Told]) -> Optional[ViewNumbers]:
        """Reads what the daemon sent."""
        if told is None:
            return None
        return ViewNumbers(told["start"], told["matched"], told["total"], told.get("shown"))


@dataclass(frozen=True)
class Difference:
    """What leads from one snapshot to another, in one of the formats."""

    format: str
    stages: Optional[List[Stage]]
    ops: Optional[List[Op]]
    json_patch: Optional[List[Patch]]
    text_edits: Optional[List[TextEdit]]
    reload: bool
    """Whether it is too much to be told: show the whole snapshot anew."""
    rows: Optional[Counts]
    sections: Optional[Counts]
    base_revision: Optional[int]
    revision: Optional[int]
    wire: Told = field(repr=False, compare=False)
    """The JSON value as it was received: what a program passes on."""

    def __bool__(self) -> bool:
        """Whether anything changed."""
        is_new = self.base_revision != self.revision and self.format == "none"
        return self.reload or is_new or any(one.told() for one in (self.rows, self.sections) if one)

    def __str__(self) -> str:
        """How many rows and sections changed: `1 deleted, 2 inserted; 1 section moved`."""
        if self.rows is None or self.sections is None:
            return "changed" if self else "nothing changed"
        told = [str(self.rows)] if self.rows.told() else []
        if self.sections.told():
            counted = ((n, "section" if n == 1 else "sections", v) for n, v in self.sections.told())
            told.append(", ".join(" ".join(map(str, words)) for words in counted))
        return "; ".join(told) or "nothing changed"

    def each(self, before: Any = None) -> Iterator[RowChange]:
        """The changes row by row (`kind`, `id`, `old`, `new`, `from_`, `to`): deletes first.

        `before` is what the list was: items, sections, a `Snapshot` or a `Mirror`. Without it a change
        that `apply`, `edit` or `compose` of a list returned asks the daemon; with asyncio, use
        `await list.each(change)`. The format is `stages` or `ops`."""
        stages = self.stages if self.ops is None else [[op] for op in self.ops]
        if stages is None:
            raise ValueError(f"a change in the format {self.format} does not say what happened to rows")
        fetch: Optional[Fetch] = getattr(self, "_fetch", None)
        if before is None and fetch is None:
            raise ValueError("what the list was is not known: pass `before`")
        old = fetch(self.base_revision or 0) if before is None and fetch else sections_of(before)
        return each(old, stages, partial(fetch, self.revision or 0) if fetch else None)

    @staticmethod
    def read(told: Told) -> Difference:
        """Reads what the daemon sent."""
        return Difference(**_difference(told))


@dataclass(frozen=True)
class Change(Difference):
    """A change of a list, with what is selected and where the cursor is after it."""

    base_revision: int
    revision: int
    wire: protocol.Change = field(repr=False, compare=False)
    """The JSON value as it was received: what a program passes on."""
    list: str
    selection: List[Range]
    cursor: Optional[Path]
    deselected: List[Deselected]
    base_text_revision: Optional[int]
    text_revision: Optional[int]
    cursor_line: Optional[int]
    request: Optional[Union[str, int]]
    """The id of the request that was the cause, where a subscription tells of one."""
    view: Optional[ViewNumbers] = None
    """The numbers of a view."""

    @staticmethod
    def read(told: Told) -> Change:
        """Reads what the daemon sent."""
        return Change(
            **_difference(told),
            list=told["list"],
            selection=ranges_of(told["selection"]),
            cursor=path_of(told["cursor"]),
            deselected=[
                Deselected(entry.get("id"), Path(*entry["at"]), entry["gone"])
                for entry in told.get("deselected", ())
            ],
            **_text_revisions(told),
            request=told.get("request"),
            view=ViewNumbers.read(told.get("view")),
        )


def _difference(told: Told) -> Dict[str, Any]:
    """What a change and a difference have in common."""
    counts = told.get("counts")
    return {
        "format": told["format"],
        "stages": read_stages(told["stages"]) if "stages" in told else None,
        "ops": read_ops(told["ops"]) if "ops" in told else None,
        "json_patch": read_patch(told["jsonPatch"]) if "jsonPatch" in told else None,
        "text_edits": read_text_edits(told["textEdits"]) if "textEdits" in told else None,
        "reload": told.get("reload", False),
        "rows": Counts.read(counts["rows"]) if counts else None,
        "sections": Counts.read(counts["sections"]) if counts else None,
        "base_revision": told.get("baseRevision"),
        "revision": told.get("revision"),
        "wire": told,
    }


def _text_revisions(told: Told) -> Dict[str, Any]:
    """What comes with text edits."""
    return {
        "base_text_revision": told.get("baseTextRevision"),
        "text_revision": told.get("textRevision"),
        "cursor_line": told.get("cursorLine"),
    }


@dataclass(frozen=True)
class Snapshot:
    """A whole list at a revision."""

    list: str
    revision: int
    sections: List[Dict[str, Any]]
    selection: List[Range]
    cursor: Optional[Path]
    wire: Told = field(repr=False, compare=False)
    """The JSON value as it was received: what a program passes on."""
    view: Optional[ViewNumbers] = None
    """The numbers of a view."""

    @staticmethod
    def read(told: Told) -> Snapshot:
        """The answer of `getSnapshot`, or of `subscribe`, which has the sections one level down."""
        sections = told["snapshot"]["sections"] if "snapshot" in told else told["sections"]
        return Snapshot(
            told["list"], told["revision"], sections,
            ranges_of(told["selection"]), path_of(told["cursor"]), told,
            ViewNumbers.read(told.get("view")),
        )  # fmt: skip


@dataclass(frozen=True)
class Row:
    """A row in a window."""

    at: Path
    content: Any


@dataclass(frozen=True)
class Window:
    """Some rows of a list, counted over all its sections."""

    list: str
    revision: int
    total: int
    start: int
    rows: List[Row]
    selection: List[Range]
    cursor: Optional[Path]

    @staticmethod
    def read(told: Told) -> Window:
        """Reads what the daemon sent."""
        rows = [Row(Path(*row["at"]), row["content"]) for row in told["rows"]]
        return Window(
            told["list"], told["revision"], told["total"], told["start"], rows,
            ranges_of(told["selection"]), path_of(told["cursor"]),
        )  # fmt: skip


@dataclass(frozen=True)
class Selected:
    """A change of the selection or of the cursor."""

    list: str
    revision: Optional[int]
    ops: Optional[List[SelectionOp]]
    text_edits: Optional[List[TextEdit]]
    selection: List[Range]
    cursor: Optional[Path]
    base_text_revision: Optional[int]
    text_revision: Optional[int]
    cursor_line: Optional[int]
    request: Optional[Union[str, int]]
    wire: Told = field(repr=False, compare=False)
    """The JSON value as it was received: what a program passes on."""

    @staticmethod
    def read(told: Told) -> Selected:
        """Reads what the daemon sent."""
        return Selected(
            list=told["list"],
            revision=told.get("revision"),
            ops=read_ops(told["ops"]) if "ops" in told else None,
            text_edits=read_text_edits(told["textEdits"]) if "textEdits" in told else None,
            selection=ranges_of(told["selection"]),
            cursor=path_of(told["cursor"]),
            **_text_revisions(told),
            request=told.get("request"),
            wire=told,
        )


@dataclass(frozen=True)
class Selection:
    """What is selected, with its items."""

    list: str
    revision: int
    selection: List[Range]
    items: List[Any]
    cursor: Optional[Path]

    @staticmethod
    def read(told: Told) -> Selection:
        """Reads what the daemon sent."""
        return Selection(
            told["list"], told["revision"], ranges_of(told["selection"]), told["items"],
            path_of(told["cursor"]),
        )  # fmt: skip


@dataclass(frozen=True)
class Text:
    """A list as text."""

    list: str
    revision: int
    text_revision: int
    text: str
    cursor_line: Optional[int]
    selection: Optional[List[Range]] = None
    """The selected rows, if it is the answer to `subscribe`."""
    cursor: Optional[Path] = None
    wire: Told = field(repr=False, compare=False, default_factory=dict[str, Any])
    """The JSON value as it was received: what a program passes on."""

    @staticmethod
    def read(told: Told) -> Text:
        """Reads what the daemon sent."""
        return Text(
            told["list"], told["revision"], told["textRevision"], told["text"], told["cursorLine"],
            ranges_of(told["selection"]) if "selection" in told else None,
            path_of(told.get("cursor")), told,
        )  # fmt: skip


@dataclass(frozen=True)
class Listed:
    """One of the daemon's lists."""

    list: str
    revision: int
    sections: int
    items: int
    rows: int
    selected: int
    sources: Optional[List[str]] = None

    @staticmethod
    def read_all(told: Told) -> List[Listed]:
        """Reads what the daemon sent."""
        return [
            Listed(
                entry["list"], entry["revision"], entry["sections"], entry["items"], entry["rows"],
                entry["selected"], entry.get("sources"),
            )
            for entry in told["lists"]
        ]  # fmt: skip


def sections_of(known: Any) -> Sections:
    """The sections of items, of sections, of a `Snapshot` or of a `Mirror`."""
    sections = getattr(known, "sections", known)
    if is_mapping(sections):
        return list(sections["sections"]) if "sections" in sections else sections_of(sections["items"])
    listed: List[Any] = list(sections)
    is_sections = sections is not known or all(isinstance(one, dict) and "items" in one for one in listed)
    return listed if is_sections and listed else [{"id": "main", "items": listed}] if listed else []
