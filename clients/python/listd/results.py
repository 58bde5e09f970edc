"""The daemon's results and notifications, except changes, as dataclasses."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Generic, List, Optional, Union

from . import protocol
from .changes import JSONObject, ViewNumbers, text_revisions
from .frames import frame_of
from .kinds import ItemT
from .ops import SelectionOp, TextEdit, read_ops, read_text_edits
from .places import Path, Range, path_of, ranges_of
from .showing import brief, ends, items_of, members, table_of_items


@dataclass(frozen=True, repr=False)
class Snapshot(Generic[ItemT]):
    """A whole list at a revision."""

    list: str
    revision: int
    sections: List[Dict[str, Any]]
    selection: List[Range]
    cursor: Optional[Path]
    wire: JSONObject = field(repr=False, compare=False)
    """The JSON value as received."""
    view: Optional[ViewNumbers] = None
    """The numbers of a view."""

    @property
    def items(self) -> List[ItemT]:
        """The items of all sections."""
        return items_of(self.sections)

    @property
    def _title(self) -> str:
        size, sections = sum(len(section["items"]) for section in self.sections), len(self.sections)
        counted = f"{size:,} item{'s' * (size != 1)} in {sections} section{'s' * (sections != 1)}"
        return f"Snapshot of {self.list!r} at revision {self.revision}, {counted}"

    def __repr__(self) -> str:
        return f"<{self._title}: {brief(self.items)}>"

    def _repr_html_(self) -> str:
        """The first and the last items as a table."""
        items = self.items
        return table_of_items(self._title, *ends(items), len(items))

    def to_frame(self) -> Any:
        """The items as a `DataFrame` of pandas, with a column for their section if there are several."""
        if len(self.sections) < 2:
            return frame_of(self.items)
        return frame_of(
            {"section": section.get("id"), **members(item)} for section in self.sections for item in section["items"]
        )

    @staticmethod
    def read(value: JSONObject) -> Snapshot[Any]:
        """Converts the result of `getSnapshot`, or of `subscribe`, whose sections are in
        `snapshot`."""
        sections = value["snapshot"]["sections"] if "snapshot" in value else value["sections"]
        return Snapshot(
            value["list"], value["revision"], sections,
            ranges_of(value["selection"]), path_of(value["cursor"]), value,
            ViewNumbers.read(value.get("view")),
        )  # fmt: skip


@dataclass(frozen=True)
class Row(Generic[ItemT]):
    """A row in a window."""

    at: Path
    content: ItemT


@dataclass(frozen=True)
class Window(Generic[ItemT]):
    """A range of rows of a list, counted over all sections."""

    list: str
    revision: int
    total: int
    start: int
    rows: List[Row[ItemT]]
    selection: List[Range]
    cursor: Optional[Path]

    def _repr_html_(self) -> str:
        """The rows as a table."""
        rows = [row.content for row in self.rows]
        caption = f"{self.list!r} at revision {self.revision}, {self.total:,} row{'s' * (self.total != 1)}"
        return table_of_items(caption, rows, (), self.total)

    @staticmethod
    def read(value: JSONObject) -> Window[Any]:
        """Converts a received value."""
        rows: List[Row[Any]] = [Row(Path(*row["at"]), row["content"]) for row in value["rows"]]
        return Window(
            value["list"], value["revision"], value["total"], value["start"], rows,
            ranges_of(value["selection"]), path_of(value["cursor"]),
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
    wire: JSONObject = field(repr=False, compare=False)
    """The JSON value as received."""

    @staticmethod
    def read(value: JSONObject) -> Selected:
        """Converts a received value."""
        return Selected(
            list=value["list"],
            revision=value.get("revision"),
            ops=read_ops(value["ops"]) if "ops" in value else None,
            text_edits=read_text_edits(value["textEdits"]) if "textEdits" in value else None,
            selection=ranges_of(value["selection"]),
            cursor=path_of(value["cursor"]),
            **text_revisions(value),
            request=value.get("request"),
            wire=value,
        )


@dataclass(frozen=True)
class Selection(Generic[ItemT]):
    """The selection, with its items."""

    list: str
    revision: int
    selection: List[Range]
    items: List[ItemT]
    cursor: Optional[Path]

    @staticmethod
    def read(value: JSONObject) -> Selection[Any]:
        """Converts a received value."""
        return Selection(
            value["list"], value["revision"], ranges_of(value["selection"]), value["items"],
            path_of(value["cursor"]),
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
    """The selected rows, in a result of `subscribe`."""
    cursor: Optional[Path] = None
    wire: JSONObject = field(repr=False, compare=False, default_factory=dict[str, Any])
    """The JSON value as received."""

    @staticmethod
    def read(value: JSONObject) -> Text:
        """Converts a received value."""
        return Text(
            value["list"], value["revision"], value["textRevision"], value["text"], value["cursorLine"],
            ranges_of(value["selection"]) if "selection" in value else None,
            path_of(value.get("cursor")), value,
        )  # fmt: skip


@dataclass(frozen=True)
class Fed:
    """How the feed of a list is doing."""

    list: str
    state: Optional[protocol.FeedState]
    """`running`, `items`, and what else is known; `None` if the list has no feed."""
    revision: Optional[int] = None
    """The revision of the list, in a result of `feed`."""
    wire: JSONObject = field(repr=False, compare=False, default_factory=dict[str, Any])
    """The JSON value as received."""

    @staticmethod
    def read(value: JSONObject) -> Fed:
        """Converts a received value."""
        return Fed(value["list"], value["state"], value.get("revision"), value)


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
    view: Optional[ViewNumbers] = None
    """The numbers of a view."""
    definition: Optional[protocol.View] = None
    """What a view shows."""
    feed: Optional[protocol.Feed] = None
    """What the daemon fills the list with."""
    state: Optional[protocol.FeedState] = None
    """How far the feed is."""
    reading: bool = False
    """Whether the folder of the feed is being read for the first time."""

    @staticmethod
    def read_all(value: JSONObject) -> List[Listed]:
        """Converts a received value."""
        return [
            Listed(
                entry["list"], entry["revision"], entry["sections"], entry["items"], entry["rows"],
                entry["selected"], entry.get("sources"), ViewNumbers.read(entry.get("view")),
                entry.get("definition"), entry.get("feed"), entry.get("state"), entry.get("reading", False),
            )
            for entry in value["lists"]
        ]  # fmt: skip
