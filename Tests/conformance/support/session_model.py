"""A model of a session: ordinary lists, composites, and subscriptions, as plain values."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Dict, FrozenSet, List, NamedTuple, Optional, Set, Tuple

from change_laws import Forced
from reference_edits import Sections, clash, shelves
from values import Row, Sect, identity, key, own, rows_of


def tag(source: str, id: Any) -> str:
    """The id of a section in a composite."""
    plain = isinstance(id, int) or not (
        re.fullmatch(r"-?\d+", id) or (len(id) > 1 and id[0] == id[-1] == '"')
    )
    return f"{source}/{id if plain else json.dumps(id)}"


class Entry(NamedTuple):
    """An item of a list: the lists that it comes through, its position, and its section."""

    ways: FrozenSet[str]
    at: Tuple[int, int]
    item: Any
    section: Dict[str, Any]

    @property
    def selectable(self) -> bool:
        item = self.item if isinstance(self.item, dict) else {}
        mode = self.section.get("selectionMode", "single")
        return mode != "none" and item.get("selectable", True)


@dataclass(eq=False)
class Plain:
    """A list from its creation to its removal."""

    name: str
    sections: Sections = field(default_factory=list)
    sources: Optional[List[str]] = None
    past: Dict[int, Sections] = field(default_factory=dict)


class Effect(NamedTuple):
    """The effect of a request on one list."""

    plain: Plain
    old: List[Sect]
    new: List[Sect]
    sections: Sections
    sources: List[str]
    hidden: Set[Any]
    forced: Forced
    is_revision: bool


class World:
    """The lists, and the subscriptions with their formats."""

    def __init__(self) -> None:
        self.lists: Dict[str, Plain] = {}
        self.subscribed: Dict[str, str] = {}

    def sections(self, name: str) -> Sections:
        plain = self.lists.get(name)
        if plain is None or plain.sources is None:
            return plain.sections if plain else []
        return [
            {**section, "id": tag(source, section["id"])}
            for source in plain.sources
            for section in self.sections(source)
        ]

    def sects(self, name: str) -> List[Sect]:
        """The rows of a list, distinguished by the sources that they come through."""
        plain = self.lists.get(name)
        if plain is None or plain.sources is None:
            answer = plain.sections if plain else []
            return [Sect(own(section), rows_of(section["items"])) for section in answer]
        return [
            Sect(
                {**sect.own, "id": tag(source, sect.own["id"])},
                [Row((source, row.identity), row.content) for row in sect.rows],
            )
            for source in plain.sources
            for sect in self.sects(source)
        ]

    def forced(self, name: str, at: str, forced: Forced) -> Forced:
        """The forced updates of the list `at`, as positions in a composite of it."""
        if name == at:
            return forced
        sections, rows, before = {}, {}, 0
        for source in self.lists[name].sources or []:
            if source in self.lists:
                inner = self.forced(source, at, forced)
                sections.update({s + before: kind for s, kind in inner[0].items()})
                rows.update({(s + before, r): kind for (s, r), kind in inner[1].items()})
                before += len(self.sections(source))
        return sections, rows

    def entries(self, name: str) -> List[Entry]:
        plain = self.lists[name]
        if plain.sources is None:
            found = []
            for s, section in enumerate(plain.sections):
                row = 0
                for item in section["items"]:
                    found.append(Entry(frozenset([name]), (s, row), item, section))
                    row += len(rows_of([item]))
            return found
        found, before = [], 0
        for source in plain.sources:
            if source in self.lists:
                for entry in self.entries(source):
                    at = (entry.at[0] + before, entry.at[1])
                    found.append(entry._replace(ways=entry.ways | {name}, at=at))
                before += len(self.sections(source))
        return found

    def find(self, name: str, ref: Any) -> Optional[Entry]:
        """The item with an id, which may be given as an object."""
        ref = ref if isinstance(ref, dict) else {"id": ref}
        found = [
            entry
            for entry in self.entries(name)
            if identity(entry.item) == ("id", key(ref["id"]))
            and ref.get("source", name) in entry.ways
        ]
        occurrence = ref.get("occurrence", 0)
        return found[occurrence] if occurrence < len(found) else None

    def hidden(self, name: str) -> Set[Any]:
        """The items of a list without rows, distinguished by the sources that they come through."""
        plain = self.lists.get(name)
        if plain is not None and plain.sources is not None:
            return {(source, one) for source in plain.sources for one in self.hidden(source)}
        items = [item for section in plain.sections for item in section["items"]] if plain else []
        return {identity(item) for item in items if not rows_of([item])}

    def dependents(self, name: str) -> Set[str]:
        found: Set[str] = set()
        for other, plain in self.lists.items():
            if other not in found and name in (plain.sources or []):
                found |= {other} | self.dependents(other)
        return found

    def leads(self, source: str, to: str) -> bool:
        plain = self.lists.get(source)
        return source == to or any(self.leads(s, to) for s in (plain and plain.sources) or [])

    def change(self, name: str, make: Any, forced: Forced = ({}, {})) -> List[Effect]:
        """Changes a list by `make`. Returns the effects on the list, then on its composites."""
        names = [name, *self.dependents(name)]
        before = {one: self.sects(one) for one in names}
        hidden = {one: self.hidden(one) for one in names}
        sections = {one: key(self.sections(one)) for one in names}
        was = {one: one in self.lists for one in names}
        plain = self.lists.get(name)
        make()
        effects = []
        for one in [name, *self.dependents(name)]:
            now = self.lists.get(one) or plain
            here = self.forced(one, name, forced) if one in self.lists else ({}, {})
            old, new = before.get(one, []), self.sects(one)
            fresh = not was.get(one) or sections[one] != key(self.sections(one))
            if fresh or here[0] or here[1] or one == name:
                unseen = hidden.get(one, set()) | self.hidden(one)
                effects.append(
                    Effect(
                        now, old, new, self.sections(one), now.sources or [], unseen, here, fresh
                    )
                )
        return effects


def has_duplicates(sections: Sections) -> bool:
    names = Counter(key(section["id"]) for section in sections)
    boxes = [box for shelf in shelves(sections) for box in shelf.items]
    return max(names.values(), default=0) > 1 or clash(boxes, [])
