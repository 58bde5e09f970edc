"""Views as plain functions of lists: their items, sections and windows."""

from __future__ import annotations

import json
from decimal import Decimal
from functools import cmp_to_key
from typing import Any, Dict, Hashable, List, NamedTuple, Optional

from session_model import tag
from values import Sect, identity, key, own, rows_of

MISSING = object()


class Entry(NamedTuple):
    """An item in a view or a composite."""

    name: Hashable
    item: Any
    source: int
    section: int
    score: int = 0
    length: int = 0


class Shelf(NamedTuple):
    """A section with its own members."""

    own: Dict[str, Any]
    entries: List[Entry]


def member(item: Any, path: str) -> Any:
    """The value that a member has, or MISSING."""
    if not isinstance(item, dict):
        return item if path in ("text", "id") and not isinstance(item, list) else MISSING
    if path in item:
        return item[path]
    for name in path.split("."):
        if not isinstance(item, dict) or name not in item:
            return MISSING
        item = item[name]
    return item


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)


def kind(value: Any) -> int:
    """The rank of a value's type in the order."""
    if value is MISSING or value is None:
        return 0
    if isinstance(value, bool):
        return 2 if value else 1
    return 3 if is_number(value) else 4 if isinstance(value, str) else 5


def satisfies(item: Any, condition: Dict[str, Any]) -> bool:
    if "all" in condition:
        return all(satisfies(item, one) for one in condition["all"])
    if "any" in condition:
        return any(satisfies(item, one) for one in condition["any"])
    if "not" in condition:
        return not satisfies(item, condition["not"])
    value = member(item, condition["member"])
    value = None if value is MISSING else value
    if "is" in condition:
        return key(value) == key(condition["is"])
    if "in" in condition:
        return any(key(value) == key(one) for one in condition["in"])
    if "exists" in condition:
        return (value is not None) == condition["exists"]
    if "contains" in condition:
        wanted = condition["contains"]
        if isinstance(value, str):
            return isinstance(wanted, str) and wanted in value
        return isinstance(value, list) and any(key(one) == key(wanted) for one in value)
    bounds = [(condition.get("from"), 1), (condition.get("to"), -1)]
    return all(
        bound is None or (alike(bound, value) and sign * plain_order(value, bound) >= 0)
        for bound, sign in bounds
    )


def alike(one: Any, other: Any) -> bool:
    """Reports whether two values are both strings, both numbers or both booleans."""
    return any(is_it(one) and is_it(other) for is_it in (
        is_number, lambda v: isinstance(v, str), lambda v: isinstance(v, bool)
    ))  # fmt: skip


def sign(one: Any, other: Any) -> int:
    return (one > other) - (one < other)


def plain_order(one: Any, other: Any) -> int:
    if kind(one) != kind(other):
        return sign(kind(one), kind(other))
    return sign(one, other) if kind(one) in (3, 4) else 0


def fold(letter: str) -> str:
    """Simple case folding, if full folding or lower case give one letter."""
    for folded in (letter.casefold(), letter.lower()):
        if len(folded) == 1:
            return folded
    return letter


def natural_order(one: Any, other: Any) -> int:
    if kind(one) != 4 or kind(other) != 4:
        return plain_order(one, other)
    a, b = pieces(one), pieces(other)
    for left, right in zip(a, b):
        if isinstance(left, int) and isinstance(right, int):
            order = sign(left, right)
        else:
            order = sign(str(left)[0], str(right)[0])
        if order:
            return order
    return sign(len(a), len(b)) or sign(one, other)


def pieces(text: str) -> List[Any]:
    """Folded letters, and runs of digits as numbers."""
    made: List[Any] = []
    digits = ""
    for letter in text + "\0":
        if letter in "0123456789" and letter:
            digits += letter
            continue
        if digits:
            made.append(int(digits))
            digits = ""
        made.append(fold(letter))
    return made[:-1]


def order_of(keys: List[Dict[str, Any]]) -> Any:
    def compare(one: Entry, other: Entry) -> int:
        for by in keys:
            if by["by"] == "$source":
                order = sign(one.source, other.source)
            elif by["by"] == "$score":
                order = sign(one.score, other.score)
                if "order" not in by:
                    order = -order
            elif by["by"] == "$length":
                order = sign(one.length, other.length)
            else:
                order_by = natural_order if by.get("as") == "natural" else plain_order
                order = order_by(member(one.item, by["by"]), member(other.item, by["by"]))
            if order:
                return -order if by.get("order") == "descending" else order
        return 0

    return cmp_to_key(compare)


def shortest(value: Any) -> Any:
    """A value whose numbers are integers if they can be."""
    if isinstance(value, dict):
        return {name: shortest(one) for name, one in sorted(value.items())}
    if isinstance(value, list):
        return [shortest(one) for one in value]
    if is_number(value):
        return int(value) if value == int(value) else float(value)
    return value


def text_of(value: Any) -> str:
    if value is None or value is MISSING:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(shortest(value) if is_number(value) else value, ensure_ascii=False,
                      separators=(",", ":"), default=float)  # fmt: skip


def section_id(value: Any) -> Any:
    value = shortest(None if value is MISSING else value)
    if isinstance(value, str) or is_number(value) and isinstance(value, int):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def kept(view: Dict[str, Any], shelves: List[Shelf]) -> List[Entry]:
    """The items that satisfy `where`, `match` and `distinct`, in the order of the sources."""
    entries = [entry for shelf in shelves for entry in shelf.entries]
    if "where" in view:
        entries = [entry for entry in entries if satisfies(entry.item, view["where"])]
    if "match" in view:
        from reference_match import matched

        found = [(entry, matched(entry.item, view["match"])) for entry in entries]
        entries = [
            entry._replace(score=rank[0], length=rank[1]) for entry, rank in found if rank
        ]
    if "distinct" in view:
        first, seen = [], set()
        for entry in entries:
            value = member(entry.item, view["distinct"])
            if value is not MISSING and value is not None:
                if key(value) in seen:
                    continue
                seen.add(key(value))
            first.append(entry)
        entries = first
    return entries


def sort(view: Dict[str, Any], entries: List[Entry]) -> None:
    by_score = [{"by": "$score", "order": "descending"}, {"by": "$length"}]
    entries.sort(key=order_of(view.get("sort", by_score if "match" in view else [])))


def arranged(view: Dict[str, Any], shelves: List[Shelf]) -> List[Shelf]:
    """All sections of a view without its window, including empty ones."""
    entries = kept(view, shelves)
    sort(view, entries)
    return divided(view, shelves, entries)


def divided(
    view: Dict[str, Any], shelves: List[Shelf], entries: List[Entry]
) -> List[Shelf]:
    """Sorted items in sections."""
    extra = {name: view[name] for name in ("selectionMode", "allowsEmptySelection") if name in view}
    sections = view.get("sections", "keep")
    if sections == "merge":
        return [Shelf({"id": "main", **extra}, entries)]
    if sections == "keep":
        return [
            Shelf(shelf.own, [entry for entry in entries if entry.section == s])
            for s, shelf in enumerate(shelves)
        ]
    groups: Dict[Any, List[Entry]] = {}
    for entry in entries:
        groups.setdefault(key(section_id(member(entry.item, sections["by"]))), []).append(entry)
    return [Shelf(grouped(group, sections["by"], extra), group) for group in groups.values()]


def grouped(group: List[Entry], by: str, extra: Dict[str, Any]) -> Dict[str, Any]:
    value = member(group[0].item, by)
    answer = None if value is MISSING else value
    header = {"text": text_of(value), "value": answer, "count": len(group)}
    return {"id": section_id(value), "header": header, **extra}


class View:
    """A view over time: its definition, its anchor, and what it shows."""

    def __init__(self, sources: List[str], view: Optional[Dict[str, Any]]) -> None:
        self.sources = sources
        self.view = view
        self.base: List[Shelf] = []
        self.anchor: Any = None
        self.all: List[Shelf] = []
        self.shown: List[Shelf] = []
        self.start = 0
        # For an outline: the expansion by edits, and the latest tree.
        self.states: Dict[Hashable, bool] = {}
        self.outline: Any = None

    def names(self) -> List[Hashable]:
        return [entry.name for shelf in self.base for entry in shelf.entries]

    def matched(self) -> List[Entry]:
        return [entry for shelf in self.all for entry in shelf.entries]

    def numbers(self) -> Dict[str, int]:
        if self.outline is None:
            return {"start": self.start, "matched": len(self.matched()), "total": len(self.names())}
        answer = {"start": self.start, "matched": self.outline.matched, "total": len(self.names())}
        return {**answer, "shown": sum(len(s.entries) for s in self.outline.shown)}

    def before_window(self) -> List[Shelf]:
        return self.all if self.outline is None else self.outline.shown

    def update(self, base: List[Shelf]) -> None:
        before = self.names()
        self.base = base
        view = self.view or {}
        self.outline = None
        if "tree" in view:
            from reference_outlines import Outline

            self.states = {one: self.states[one] for one in self.names() if one in self.states}
            self.outline = Outline(view, base, self.states)
            self.all = self.outline.all
        else:
            self.states = {}
            self.all = arranged(view, base)
        window = view.get("window")
        shelves = self.before_window()
        names = [entry.name for shelf in shelves for entry in shelf.entries]
        start, end = 0, len(names)
        if window:
            at = window.get("start", 0)
            if isinstance(at, dict):
                self.move_anchor(before, [entry.name for entry in self.matched()])
                if self.outline is not None and names:
                    self.anchor = self.outline.shown_ancestor(self.anchor)
                index = names.index(self.anchor) if names else 0
                at = max(0, index - at.get("before", 0))
            start = min(at, max(0, len(names) - window["count"]))
            end = start + window["count"]
        self.start = start
        self.shown = []
        hides = any(name in view for name in ("where", "match", "distinct", "window"))
        index = 0
        for shelf in shelves:
            some = shelf.entries[max(0, start - index) : max(0, end - index)]
            index += len(shelf.entries)
            if some or not hides:
                self.shown.append(Shelf(shelf.own, some))

    def move_anchor(self, before: List[Hashable], names: List[Hashable]) -> None:
        """The anchor, or the next item in the order of the sources that the view has."""
        if not names:
            self.anchor = None
        elif self.anchor is None:
            self.anchor = names[0]
        elif self.anchor not in names:
            now = self.names()
            order = now if self.anchor in now else before
            at = order.index(self.anchor)
            left = [one for one in order[at:] + order[:at][::-1] if one in names]
            self.anchor = left[0] if left else names[0]

    def sections(self) -> List[Dict[str, Any]]:
        return [{**s.own, "items": [entry.item for entry in s.entries]} for s in self.shown]

    def identities(self) -> Any:
        """The value by which views are compared."""
        return [
            (key(s.own), [(entry.name, key(entry.item)) for entry in s.entries]) for s in self.shown
        ]

    def sects(self) -> List[Sect]:
        return [
            Sect(s.own, [row for entry in s.entries for row in rows_of([entry.item])])
            for s in self.shown
        ]


class Views:
    """Ordinary lists, composites and views by name, each after its sources."""

    def __init__(self) -> None:
        self.lists: Dict[str, List[Dict[str, Any]]] = {}
        self.views: Dict[str, View] = {}

    def shelves(self, name: str) -> List[Shelf]:
        """The sections that a list shows."""
        if name in self.views:
            return self.views[name].shown
        return [
            Shelf(own(section), [Entry(identity(item), item, 0, s) for item in section["items"]])
            for s, section in enumerate(self.lists.get(name, []))
        ]

    def base(self, sources: List[str]) -> List[Shelf]:
        made: List[Shelf] = []
        for number, source in enumerate(sources):
            for shelf in self.shelves(source):
                entries = [
                    Entry((source, entry.name), entry.item, number, len(made))
                    for entry in shelf.entries
                ]
                made.append(Shelf({**shelf.own, "id": tag(source, shelf.own["id"])}, entries))
        return made

    def compose(self, name: str, view: View) -> None:
        self.views[name] = view
        self.update()

    def update(self) -> None:
        for view in self.views.values():
            view.update(self.base(view.sources))
