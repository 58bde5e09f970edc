"""What a change is: between two snapshots, and of a list."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import astuple, dataclass, field
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Tuple, Union

from . import protocol
from .each import RowChange, row_changes
from .errors import ListdError
from .frames import frame_of
from .identity import Names
from .ops import (
    Op, Patch, Stage, TextEdit, read_ops, read_patch, read_stages, read_text_edits,
)  # fmt: skip
from .places import ID, Path, Range, path_of, ranges_of
from .showing import brief, table_of_changes
from .tracing import Missing, Tracer, missing

JSONObject = Mapping[str, Any]
SHOWN = 1000  # Larger changes are shown without their rows.


@dataclass(frozen=True)
class Counts:
    """The numbers of changed rows or sections. One that moved and changed counts as both."""

    deletes: int
    inserts: int
    moves: int
    updates: int

    def __str__(self) -> str:
        return ", ".join(f"{n} {verb}" for n, verb in self.told()) or "nothing"

    def told(self) -> List[Tuple[int, str]]:
        """The nonzero numbers, each with its verb."""
        verbs = ("deleted", "inserted", "moved", "updated")
        return [(n, verb) for n, verb in zip(astuple(self), verbs) if n]

    @staticmethod
    def read(value: JSONObject) -> Counts:
        """Converts a received value."""
        return Counts(value["deletes"], value["inserts"], value["moves"], value["updates"])


@dataclass(frozen=True)
class Deselected:
    """A row that was deselected: its old path, and whether it was deleted."""

    id: Optional[ID]
    at: Path
    gone: bool


@dataclass(frozen=True)
class ViewNumbers:
    """The numbers of items of a view and its sources."""

    start: int
    """The index of the first shown item among those of the view."""
    matched: int
    """The number of items of the view without its window."""
    total: int
    """The number of items of its sources."""
    shown: Optional[int] = None
    """The number of items of an outline that would be shown without its window."""

    @staticmethod
    def read(value: Optional[JSONObject]) -> Optional[ViewNumbers]:
        """Converts a received value."""
        if value is None:
            return None
        return ViewNumbers(value["start"], value["matched"], value["total"], value.get("shown"))


@dataclass(frozen=True, repr=False)
class Difference:
    """The difference between two snapshots, in one of the formats."""

    format: str
    stages: Optional[List[Stage]]
    ops: Optional[List[Op]]
    json_patch: Optional[List[Patch]]
    text_edits: Optional[List[TextEdit]]
    reload: bool
    """Whether the ops are too many to be included: show the whole snapshot."""
    rows: Optional[Counts]
    sections: Optional[Counts]
    base_revision: Optional[int]
    revision: Optional[int]
    wire: JSONObject = field(repr=False, compare=False)
    """The JSON value as received."""
    key: Optional[Names] = field(repr=False, compare=False)
    """The members that identify items without `id`."""

    def __bool__(self) -> bool:
        """Whether anything changed."""
        is_new = self.base_revision != self.revision and self.format == "none"
        return self.reload or is_new or any(one.told() for one in (self.rows, self.sections) if one)

    def __str__(self) -> str:
        """The numbers of changed rows and sections: `1 deleted, 2 inserted; 1 section moved`."""
        if self.rows is None or self.sections is None:
            return "changed" if self else "nothing changed"
        parts = [str(self.rows)] if self.rows.told() else []
        if self.sections.told():
            counted = ((n, "section" if n == 1 else "sections", v) for n, v in self.sections.told())
            parts.append(", ".join(" ".join(map(str, words)) for words in counted))
        return "; ".join(parts) or "nothing changed"

    def __repr__(self) -> str:
        every = (self.stages, self.ops, self.json_patch, self.text_edits)
        ops = "".join(f": {brief(one)}" for one in every if one)
        return f"<{self._title}, {self}{ops}>"

    def _repr_html_(self) -> str:
        """The changes of rows as a table, if there are not too many."""
        caption, counts = f"{self._title}: {self}", self.rows
        total = sum((counts.deletes, counts.inserts, counts.moves, counts.updates)) if counts else 0
        try:
            return table_of_changes(caption, list(self.each()) if total <= SHOWN else [])
        except (ValueError, ListdError):  # The rows are not known.
            return table_of_changes(caption, [])

    @property
    def _title(self) -> str:
        return "Difference"

    def to_frame(self) -> Any:
        """The changes row by row as a `DataFrame` of pandas."""
        return frame_of([
            {"kind": row.kind, "id": row.id, "old": row.old, "new": row.new, "from": row.from_, "to": row.to}
            for row in self.each()
        ])  # fmt: skip

    def each(self) -> Iterator[RowChange]:
        """The changes row by row (`kind`, `id`, `old`, `new`, `from_`, `to`). Deletes are first.

        What a change of a list does not contain is requested from the daemon, in time by the number of changed rows; with
        `content="both"`, only rows that have moved are. With asyncio, use `await list.each(change)`. A difference needs
        the format `stages`, `content="both"` and `moves=False`; a change may also have the format `ops` or `none`."""
        if not self.has_rows:
            raise ValueError(f"a change in the format {self.format} does not describe rows")
        return iter(self._row_changes())

    @property
    def has_rows(self) -> bool:
        """Whether its rows can be read: its format is that of stages."""
        return self.stages is not None

    def _row_changes(self) -> List[RowChange]:
        with suppress(Missing):
            return row_changes(Tracer(self.stages).trace, self.key) if self.stages is not None else missing(self)
        raise ValueError('some rows are unknown: request `content="both"` and `moves=False`')

    @staticmethod
    def read(value: JSONObject, key: Optional[Names] = None) -> Difference:
        """Converts a received value."""
        return Difference(**_difference(value, key))


@dataclass(frozen=True, repr=False)
class Change(Difference):
    """A change of a list, with the selection and the cursor after it."""

    base_revision: int
    revision: int
    wire: protocol.Change = field(repr=False, compare=False)
    """The JSON value as received."""
    list: str
    selection: List[Range]
    cursor: Optional[Path]
    deselected: List[Deselected]
    base_text_revision: Optional[int]
    text_revision: Optional[int]
    cursor_line: Optional[int]
    request: Optional[Union[str, int]]
    """The id of the causing request, if a subscription reports it."""
    view: Optional[ViewNumbers] = None
    """The numbers of a view."""
    origin: Optional[Callable[[Change], List[RowChange]]] = field(default=None, repr=False, compare=False)
    """Reads the rows of the change from its daemon. It does not keep the daemon alive, and is not pickled."""

    @property
    def _title(self) -> str:
        return f"Change of {self.list!r} from revision {self.base_revision} to {self.revision}"

    def _row_changes(self) -> List[RowChange]:
        return super()._row_changes() if self.origin is None else self.origin(self)

    @property
    def has_rows(self) -> bool:
        """Whether its rows can be read: its format is that of ops, or leaves them to the subscription."""
        return self.format in ("stages", "ops", "none")

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "origin": None}

    @staticmethod
    def read(value: JSONObject, key: Optional[Names] = None) -> Change:
        """Converts a received value."""
        return Change(
            **_difference(value, key),
            list=value["list"],
            selection=ranges_of(value["selection"]),
            cursor=path_of(value["cursor"]),
            deselected=[
                Deselected(entry.get("id"), Path(*entry["at"]), entry["gone"])
                for entry in value.get("deselected", ())
            ],
            **text_revisions(value),
            request=value.get("request"),
            view=ViewNumbers.read(value.get("view")),
        )


def _difference(value: JSONObject, key: Optional[Names]) -> Dict[str, Any]:
    """The common members of changes and differences."""
    counts = value.get("counts")
    return {
        "format": value["format"],
        "stages": read_stages(value["stages"]) if "stages" in value else None,
        "ops": read_ops(value["ops"]) if "ops" in value else None,
        "json_patch": read_patch(value["jsonPatch"]) if "jsonPatch" in value else None,
        "text_edits": read_text_edits(value["textEdits"]) if "textEdits" in value else None,
        "reload": value.get("reload", False),
        "rows": Counts.read(counts["rows"]) if counts else None,
        "sections": Counts.read(counts["sections"]) if counts else None,
        "base_revision": value.get("baseRevision"),
        "revision": value.get("revision"),
        "wire": value,
        "key": key,
    }


def text_revisions(value: JSONObject) -> Dict[str, Any]:
    """The members that belong to text edits."""
    return {
        "base_text_revision": value.get("baseTextRevision"),
        "text_revision": value.get("textRevision"),
        "cursor_line": value.get("cursorLine"),
    }
