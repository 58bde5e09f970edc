"""The requests of the protocol: the parameters of each method, and how its result is read.

`client` and `aio` offer these as methods of their daemons and lists, without the parameter `name`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import (
    Any, Callable, Dict, Generic, Iterable, List, Literal, Mapping, Optional, Sequence, TypeVar, Union,
)  # fmt: skip

from . import edits, protocol
from .edits import Edit
from .identity import Names, names_of
from .kinds import is_mapping
from .news import News, read_news
from .places import ID, Format, Item, Path, Ref, as_ref, as_refs
from .preparing import Default, prepared
from .protocol import OpContents
from .changes import Change, Difference
from .results import Fed, Listed, Selected, Selection, Snapshot, Text, Window

T = TypeVar("T")
CursorPolicy = Literal["follow", "stay", "first"]
Action = Literal["toggle", "select", "deselect", "replace", "extend", "all", "none", "invert"]
SnapshotRef = Union[str, Iterable[Item], Mapping[str, Any]]


@dataclass(frozen=True)
class Call(Generic[T]):
    """A request that has not been sent."""

    method: str
    params: Dict[str, Any]
    read: Callable[[Any], T]
    default: Optional[Default] = None
    """Converts parameters that JSON lacks."""


def apply(
    name: str, items: Optional[Iterable[Any]] = None, *,
    sections: Optional[Iterable[Mapping[str, Any]]] = None,
    snapshot: Optional[SnapshotRef] = None, base_revision: Optional[int] = None,
    format: Optional[Format] = None, content: Optional[OpContents] = None,
    moves: Optional[bool] = None, max_ops: Optional[int] = None, selected: Optional[Iterable[Ref]] = None,
    cursor: Optional[Ref] = None, cursor_policy: Optional[CursorPolicy] = None,
    key: Optional[Names] = None, default: Optional[Default] = None, latest: Optional[bool] = None,
) -> Call[Change]:  # fmt: skip
    """Sends the present content of the list: its items, its sections, or a stored snapshot.

    The items may be a data frame of pandas or polars. `key` identifies items without `id`: the name of a member
    (`"pid"`, `"metadata.name"`), or several names. `default` converts values that JSON cannot represent, such as dates: `default=str`. With `latest`, a later call with `latest`
    cancels this one if it is still waiting. With `content="both"` ops have the contents before, too, and with
    `moves=False` rows are deleted and inserted instead of moved."""
    names = names_of(key)  # It is sent first: the daemon reads items while they arrive.
    params = _given(
        list=name, key=names, items=prepared(items, default), sections=_sections(sections, default),
        snapshot=None if snapshot is None else _snapshot(snapshot), latest=latest,
        **_change(base_revision, format, content, moves, max_ops, selected, cursor, cursor_policy),
    )  # fmt: skip
    return Call("applySnapshot", params, partial(Change.read, key=names), default)


def edit(
    name: str, *changes: Edit, base_revision: Optional[int] = None,
    format: Optional[Format] = None, content: Optional[OpContents] = None,
    moves: Optional[bool] = None, max_ops: Optional[int] = None, selected: Optional[Iterable[Ref]] = None,
    cursor: Optional[Ref] = None, cursor_policy: Optional[CursorPolicy] = None, key: Optional[Names] = None,
) -> Call[Change]:  # fmt: skip
    """Edits items and sections by identifier (see `edits`), as one change. `key` is as in `apply`."""
    names = names_of(key)
    params = _given(
        list=name, key=names, edits=list(changes),
        **_change(base_revision, format, content, moves, max_ops, selected, cursor, cursor_policy),
    )  # fmt: skip
    return Call("editSnapshot", params, partial(Change.read, key=names))


def compose(
    name: str, sources: Optional[Iterable[str]] = None, *,
    view: Optional[protocol.View] = None, base_revision: Optional[int] = None,
    format: Optional[Format] = None, content: Optional[OpContents] = None,
    moves: Optional[bool] = None, max_ops: Optional[int] = None, selected: Optional[Iterable[Ref]] = None,
    cursor: Optional[Ref] = None, cursor_policy: Optional[CursorPolicy] = None,
    latest: Optional[bool] = None, temporary: Optional[bool] = None,
) -> Call[Change]:  # fmt: skip
    """Makes the list a composite of the sections of other lists, in order, or a view of their items.

    `view` is as in the protocol: `{"where": …, "sort": …, "window": …}`. Without `sources` the list keeps
    its present ones; without `view` it is not a view. With `latest`, a later call with `latest` cancels
    this one if it is still waiting. A `temporary` list is removed when the connection ends."""
    params = _given(
        list=name, sources=_listed(sources), view=view, latest=latest, temporary=temporary,
        **_change(base_revision, format, content, moves, max_ops, selected, cursor, cursor_policy),
    )  # fmt: skip
    return Call("compose", params, Change.read)


def expand(
    name: str, *items: Ref, deep: bool = False, format: Optional[Format] = None
) -> Call[Change]:
    """Expands items of an outline; if `deep` is true, also all items below them."""
    return edit(name, edits.expand_items(*items, deep=deep), format=format)


def collapse(
    name: str, *items: Ref, deep: bool = False, format: Optional[Format] = None
) -> Call[Change]:
    """Collapses items of an outline; if `deep` is true, also all items below them."""
    return edit(name, edits.collapse_items(*items, deep=deep), format=format)


def reveal(name: str, *items: Ref, format: Optional[Format] = None) -> Call[Change]:
    """Expands all items above the given items of an outline."""
    return edit(name, edits.reveal_items(*items), format=format)


def expand_all(name: str, *, format: Optional[Format] = None) -> Call[Change]:
    """Expands all items of an outline that have children."""
    return edit(name, edits.expand_all(), format=format)


def collapse_all(name: str, *, format: Optional[Format] = None) -> Call[Change]:
    """Collapses all items of an outline that have children."""
    return edit(name, edits.collapse_all(), format=format)


def diff(
    old: SnapshotRef, new: SnapshotRef, *, format: Optional[Format] = None,
    content: Optional[OpContents] = None, moves: Optional[bool] = None, max_ops: Optional[int] = None,
    key: Optional[Names] = None,
) -> Call[Difference]:  # fmt: skip
    """The difference between two snapshots. Each one is items, an object with `sections`, the name of a
    list, or an object with `list` and `revision`. `key` is as in `apply`."""
    names = names_of(key)
    params = _given(
        key=names, **{"from": _snapshot(old)}, to=_snapshot(new), format=format, content=content,
        moves=moves, maxOps=max_ops,
    )  # fmt: skip
    return Call("diff", params, partial(Difference.read, key=names))


def select(
    name: str, *items: Ref, action: Optional[Action] = None, section: Optional[ID] = None,
    cursor: Optional[Ref] = None, format: Optional[Literal["ops", "textEdits", "none"]] = None,
) -> Call[Selected]:  # fmt: skip
    """Changes the selection. Without `action`, toggles the items like a tap."""
    params = _given(
        list=name, items=as_refs(items) or None, action=action, section=section,
        cursor=None if cursor is None else as_ref(cursor), format=format,
    )  # fmt: skip
    if action == "replace":
        params["items"] = as_refs(items)
    return Call("select", params, Selected.read)


def selection(name: str) -> Call[Selection[Any]]:
    """The selected items and the cursor."""
    return Call("getSelection", {"list": name}, Selection.read)


def snapshot(
    name: str, revision: Optional[int] = None, *, members: Optional[Iterable[str]] = None
) -> Call[Snapshot[Any]]:
    """The whole list at its present or an earlier revision. Of the members of items, it has only the given ones."""
    return Call("getSnapshot", _given(list=name, revision=revision, members=_listed(members)), Snapshot.read)


def window(
    name: str, start: int, count: int, revision: Optional[int] = None, *, members: Optional[Iterable[str]] = None
) -> Call[Window[Any]]:
    """A range of rows, counted over all sections."""
    params = _given(
        list=name, revision=revision, window={"start": start, "count": count}, members=_listed(members)
    )
    return Call("getSnapshot", params, Window.read)


def locate(
    name: str, *, items: Optional[Iterable[Ref]] = None, paths: Optional[Iterable[Path]] = None,
    sections: Optional[Iterable[ID]] = None, lines: Optional[Iterable[int]] = None,
    text: Optional[bool] = None, match: Union[bool, protocol.Match, Mapping[str, Any], None] = None,
    after: Optional[Ref] = None, direction: Optional[Literal["forward", "backward"]] = None,
    count: Optional[int] = None,
) -> Call[Dict[str, Any]]:  # fmt: skip
    """Finds items and sections, and what is at paths and lines. The result has the same names, and `None`
    for what is not found.

    `match` also reports how they match: `{"query": …}`, or `True` in a view that has a match. On its own it
    searches the list: `matches` are the first `count` items that match, from `after` in a direction."""
    params = _given(
        list=name, items=as_refs(items), paths=_listed(paths), sections=_listed(sections),
        lines=_listed(lines), text=text, match=match, direction=direction, count=count,
        **{"from": None if after is None else as_ref(after)},
    )  # fmt: skip
    return Call("locate", params, dict)


def feed(
    name: str, source: Optional[protocol.Feed], *, key: Union[Names, int, Sequence[Union[str, int]], None] = None,
    allows_edits: Optional[bool] = None, selection_mode: Optional[protocol.SelectionMode] = None,
    allows_empty_selection: Optional[bool] = None,
) -> Call[Fed]:  # fmt: skip
    """Lets the daemon fill the list and keep it up to date: with the output of a command (`{"command": ["ps"],
    "every": 1000}`), the rows of a file (`{"file": "prices.csv", "format": "csv"}`), or the files of a folder
    (`{"folder": ".", "depth": "all"}`). `None` ends that."""
    params = _given(
        key=key, allowsEdits=allows_edits, selectionMode=selection_mode,
        allowsEmptySelection=allows_empty_selection,
    )  # fmt: skip
    return Call("feed", {"list": name, "from": source, **params}, Fed.read)


def text(name: str) -> Call[Text]:
    """The list as text."""
    return Call("getText", {"list": name}, Text.read)


def remove(name: str) -> Call[None]:
    """Removes the list."""
    return Call("removeList", {"list": name}, _nothing)


def subscribe(
    name: str, format: Optional[Format], content: Optional[OpContents], since: Optional[int], moves: Optional[bool],
    members: Optional[Iterable[str]],
) -> Call[News]:  # fmt: skip
    """Subscribes to the changes of the list."""
    params = _given(
        list=name, format=format, content=content, since=since, moves=moves, members=_listed(members)
    )
    return Call("subscribe", params, partial(read_news, "subscribe"))


def unsubscribe(name: str) -> Call[None]:
    """Ends the subscription."""
    return Call("unsubscribe", {"list": name}, _nothing)


def lists() -> Call[List[Listed]]:
    """All lists."""
    return Call("getLists", {}, Listed.read_all)


def register_templates(templates: Mapping[str, str]) -> Call[None]:
    """Registers templates, which format items as lines of text, by name."""
    return Call("registerTemplates", {"templates": dict(templates)}, _nothing)


def _given(**members: Any) -> Dict[str, Any]:
    """The members that are not `None`."""
    return {name: value for name, value in members.items() if value is not None}


def _listed(values: Optional[Iterable[Any]]) -> Optional[List[Any]]:
    return None if values is None else list(values)


def _sections(
    sections: Optional[Iterable[Mapping[str, Any]]], default: Optional[Default]
) -> Optional[List[Any]]:
    if sections is None:
        return None
    return [
        {**section, "items": prepared(section["items"], default)} if "items" in section else section
        for section in sections
    ]


def _snapshot(ref: SnapshotRef) -> Any:
    if isinstance(ref, str):
        return {"list": ref}
    if not is_mapping(ref):
        return {"items": prepared(ref)}
    items, sections = prepared(ref.get("items")), _sections(ref.get("sections"), None)
    return {**ref, **_given(items=items, sections=sections)}


def _change(
    base_revision: Optional[int], format: Optional[Format], content: Optional[OpContents],
    moves: Optional[bool], max_ops: Optional[int], selected: Optional[Iterable[Ref]], cursor: Optional[Ref],
    cursor_policy: Optional[CursorPolicy],
) -> Dict[str, Any]:  # fmt: skip
    """The parameters of all methods that change a list."""
    return {
        "baseRevision": base_revision, "format": format, "content": content, "moves": moves, "maxOps": max_ops,
        "selected": as_refs(selected), "cursor": None if cursor is None else as_ref(cursor),
        "cursorPolicy": cursor_policy,
    }  # fmt: skip


def _nothing(result: Any) -> None:
    return None
