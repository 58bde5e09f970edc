"""A client's copy of a list that is updated only by notifications."""

from __future__ import annotations

import copy
from typing import Any, Dict, List, Optional, Set, Tuple

from apply_ops import Contents, apply_ops, apply_stages, need
from change_laws import Trace
from values import Row, Sect, dumps, key, places, sects

Place = Tuple[int, int]


class Mirror:
    """Sections with rows, the selection and the cursor; for patches, sections with items."""

    def __init__(self, sections: List[Any], answer: Dict[str, Any]) -> None:
        # Copied, because a source that is reached in two ways must not share its list of items.
        plain = [one for one in sections if isinstance(one, dict)]
        self.whole = {"sections": [{**one, "items": [*one["items"]]} for one in plain]}
        self.doc: List[Sect] = sects(sections)
        self.revision: int = answer["revision"]
        self.mark(answer)

    def mark(self, answer: Dict[str, Any]) -> None:
        self.selection: Set[Place] = set(places(answer["selection"]))
        self.cursor: Optional[Place] = answer["cursor"] and tuple(answer["cursor"])

    def change(self, answer: Dict[str, Any]) -> None:
        """Applies a `didChange`."""
        need(answer["baseRevision"] == self.revision, f"from {self.revision}: {answer}")
        if answer["format"] == "stages":
            self.doc = apply_stages(self.doc, answer["stages"], Contents())
        elif answer["format"] == "ops":
            self.doc = apply_ops(self.doc, answer["ops"])
        else:
            for op in answer["jsonPatch"]:
                self.whole = patched(self.whole, op)
            self.doc = sects(self.whole["sections"])
        self.revision = answer["revision"]
        self.mark(answer)

    def select(self, answer: Dict[str, Any], unseen: bool = False) -> None:
        """Applies a `didSelect`, whose ops and selection must agree."""
        before, cursor = set(self.selection), self.cursor
        for op in answer["ops"]:
            some = set(places([op]))
            if op["op"] == "selectItems":
                need(not some & before, f"selects what is selected: {op}")
                before |= some
            else:
                need(op["op"] == "deselectItems" and some <= before, f"deselects others: {op}")
                before -= some
        self.mark(answer)
        need(before == self.selection, f"ops lead to {sorted(before)}: {answer}")
        need(unseen or bool(answer["ops"]) or cursor != self.cursor, f"an empty notification: {answer}")

    def contents(self) -> List[Any]:
        return [(key(s.own), [key(row.content) for row in s.rows]) for s in self.doc]


def patched(document: Any, op: Dict[str, Any]) -> Any:
    """The document after one operation of RFC 6902."""
    document = copy.deepcopy(document)
    kind, value = op["op"], op.get("value")
    if kind == "move":
        value = taken(document, op["from"])
    target, name = parent(document, op["path"])
    if kind == "remove":
        taken(document, op["path"])
    elif isinstance(target, dict):
        target[name] = value
    elif kind == "replace":
        target[int(name)] = value
    else:
        target.insert(len(target) if name == "-" else int(name), value)
    return document


def parent(document: Any, pointer: str) -> Tuple[Any, str]:
    names = [name.replace("~1", "/").replace("~0", "~") for name in pointer.split("/")[1:]]
    for name in names[:-1]:
        document = document[int(name) if isinstance(document, list) else name]
    return document, names[-1]


def taken(document: Any, pointer: str) -> Any:
    target, name = parent(document, pointer)
    return target.pop(int(name) if isinstance(target, list) else name)


def check_marks(
    answer: Dict[str, Any], trace: Trace, selection: Set[Place], hidden: Set[Any], given: bool
) -> None:  # fmt: skip
    """Checks that the selection followed its items, and that `deselected` lists what left it."""
    now = set(places(answer["selection"]))
    owners = {
        (s, r): owner(row) for s, sect in enumerate(trace.old) for r, row in enumerate(sect.rows)
    }
    stays = {owner(row) for sect in trace.new for row in sect.rows}
    left = [tuple(entry["at"]) for entry in answer["deselected"]]
    need(len(set(left)) == len(left) or hidden, f"twice in {answer}")
    shown = [
        (at, entry)
        for at, entry in zip(left, answer["deselected"])
        if at in selection and id_of(trace.old[at[0]].rows[at[1]]) == entry.get("id")
    ]
    need(len(shown) == len(left) or hidden, f"deselected what was not selected: {answer}")
    stayed = {row.old: row.new for row in trace.rows if row.old is not None}
    for at, entry in shown:
        gone = at not in stayed and owners[at] not in stays and owners[at] not in hidden
        need(entry["gone"] == gone or not gone and at not in stayed, f"gone of {entry} in {answer}")
    if given:
        return
    off = {place for at, _ in shown for place in item_rows(trace, at)}
    for old, new in stayed.items():
        wanted = old in selection and old not in off
        need((new in now) == wanted, f"row {old} → {new}: {new in now}, not {wanted}: {answer}")
    kept = {owners[at] for at in selection - off}
    for row in trace.rows:
        if row.old is None and row.new in now:
            name = owner(trace.new[row.new[0]].rows[row.new[1]])
            need(name in kept or name in hidden, f"new row {row.new} is selected: {answer}")


def item_rows(trace: Trace, at: Place) -> List[Place]:
    """All rows of the item that has a row at a path."""
    rows = trace.old[at[0]].rows
    name = owner(rows[at[1]])
    found = [at]
    for r in [*range(at[1] + 1, len(rows))]:
        if not isinstance(rows[r].content, dict) or "$part" not in rows[r].content:
            break
        if owner(rows[r]) != name:
            break
        found.append((at[0], r))
    return found


def owner(row: Row) -> Any:
    """The identity of a row's item, with all sources it comes from."""
    name = row.identity
    if len(name) == 3:
        return name[0]
    if name[0] in ("id", "value"):
        return name
    return (name[0], owner(Row(name[1], row.content)))


def check_cursor(answer: Any, traced: Any, cursor: Any, policy: str) -> None:
    """Checks that the cursor followed its policy."""
    new = [(s, r) for s, sect in enumerate(traced.new) for r in range(len(sect.rows))]
    old = [(s, r) for s, sect in enumerate(traced.old) for r in range(len(sect.rows))]
    stayed = {row.old: row.new for row in traced.rows if row.old is not None}
    wanted = after(old, new, stayed, traced, cursor, policy)
    got = answer["cursor"] and tuple(answer["cursor"])
    need(got == wanted, f"cursor {cursor} → {got}, not {wanted} by {policy}: {dumps(answer)}")


def after(old: Any, new: Any, stayed: Any, traced: Any, cursor: Any, policy: str) -> Any:
    if not new:
        return None
    if policy == "first":
        return new[0]
    if cursor is None:
        return None
    place = old.index(cursor)
    if policy == "follow":
        if cursor in stayed:
            return stayed[cursor]
        row = traced.old[cursor[0]].rows[cursor[1]]
        for s, r in new if is_alone(row) else []:
            if owner(traced.new[s].rows[r]) == owner(row):
                return (s, r)
        for row in old[place:] + old[:place][::-1]:
            if row in stayed:
                return stayed[row]
    return new[min(place, len(new) - 1)]



def id_of(row: Row) -> Any:
    """The identifier of a row's item, `None` if it has none."""
    item = row.content
    if isinstance(item, dict):
        item = item.get("$item", item)
    return item.get("id") if isinstance(item, dict) else item


def is_alone(row: Row) -> bool:
    """Reports whether no other item has the identifier."""
    return isinstance(row.content, dict) and ("id" in row.content or "$item" in row.content)
