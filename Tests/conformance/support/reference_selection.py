"""The selection of a list as plain sets: the effect of each action."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Set, Tuple

Section = Dict[str, Any]
Place = Tuple[int, int]


@dataclass
class Selected:
    """A list of objects with ids, and the ids that are selected."""

    sections: List[Section]
    ids: Set[Any] = field(default_factory=set)
    anchor: Optional[Any] = None
    extension: Set[Any] = field(default_factory=set)
    # The items of actions on all items; None for all.
    shown: Optional[Set[Any]] = None

    def mode(self, section: Section) -> str:
        return section.get("selectionMode", "single")

    def allows_none(self, section: Section) -> bool:
        return section.get("allowsEmptySelection", self.mode(section) == "multiple")

    def home(self, id: Any) -> Section:
        return next(s for s in self.sections if any(item["id"] == id for item in s["items"]))

    def selectable(self, section: Section) -> List[Any]:
        if self.mode(section) == "none":
            return []
        return [item["id"] for item in section["items"] if item.get("selectable", True)]

    def scope(self, ids: Set[Any]) -> Set[Any]:
        return ids if self.shown is None else ids & self.shown

    def inside(self, section: Section) -> Set[Any]:
        return self.ids & {item["id"] for item in section["items"]}

    def places(self) -> List[Place]:
        return [
            (s, r)
            for s, section in enumerate(self.sections)
            for r, item in enumerate(section["items"])
            if item["id"] in self.ids
        ]

    def act(self, action: str, items: List[Any], section: Optional[Any] = None) -> None:
        scope = [s for s in self.sections if section in (None, s["id"])]
        if action != "extend":
            self.extension = set()
        if action in ("all", "none", "invert"):
            for one in scope:
                self.act_on_all(action, one)
            return
        if action == "replace":
            for one in scope:
                self.ids -= self.scope(self.inside(one))
        for id in items:
            if action == "extend":
                self.extend(id)
            else:
                self.act_on_one(action, id)
        if action in ("toggle", "select", "replace") and items:
            self.anchor = items[-1]

    def act_on_all(self, action: str, section: Section) -> None:
        if action == "none":
            self.ids -= self.scope(self.inside(section))
        elif self.mode(section) == "multiple":
            eligible = self.scope(set(self.selectable(section)))
            self.ids = self.ids | eligible if action == "all" else self.ids ^ eligible

    def act_on_one(self, action: str, id: Any) -> None:
        section = self.home(id)
        taking = action == "deselect" or (action == "toggle" and id in self.ids)
        if taking:
            if self.inside(section) != {id} or self.allows_none(section):
                self.ids.discard(id)
        else:
            if self.mode(section) == "single":
                self.ids -= self.inside(section)
            self.ids.add(id)

    def extend(self, id: Any) -> None:
        if self.anchor is None:
            if self.shown is None:
                self.ids = set()
            else:
                self.ids -= self.shown
            self.act_on_one("select", id)
            self.anchor = id
            return
        self.ids -= self.scope(self.extension)
        if self.mode(self.home(id)) == "single":
            self.extension = {id} - self.ids
            self.ids -= self.inside(self.home(id))
            self.ids.add(id)
            return
        rows = [item["id"] for section in self.sections for item in section["items"]]
        ends = sorted((rows.index(self.anchor), rows.index(id)))
        eligible = {
            one
            for section in self.sections
            if self.mode(section) == "multiple"
            for one in self.selectable(section)
        }
        self.extension = self.scope(set(rows[ends[0] : ends[1] + 1]) & eligible) - self.ids
        self.ids |= self.extension
