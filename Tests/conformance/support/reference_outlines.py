"""Outlines as plain functions: the tree of a view's items, and the items that are shown."""

from __future__ import annotations

from typing import Any, Dict, Hashable, List, Optional, Set

from reference_views import MISSING, Entry, Shelf, divided, kept, member, sort
from values import key

ADDED = ("$level", "$children", "$expanded")


def alike(name: Any, id: Any) -> Hashable:
    """The name of another item of the same ordinary list, from the same sources, by its id."""
    return ("id", key(id)) if name[0] in ("id", "value") else (name[0], alike(name[1], id))


def is_id(value: Any) -> bool:
    if isinstance(value, bool) or value is MISSING:
        return False
    return isinstance(value, str) or hasattr(value, "__int__") and value == int(value)


class Outline:
    """The items of a view as a tree, by their names."""

    def __init__(
        self, view: Dict[str, Any], base: List[Shelf], states: Dict[Hashable, bool]
    ) -> None:
        self.tree, self.states = view["tree"], states
        self.entries: Dict[Hashable, Entry] = {}
        for shelf in base:
            for entry in shelf.entries:
                self.entries.setdefault(entry.name, entry)
        self.parents = {name: self.named_parent(name) for name in self.entries}
        self.cyclic = {name for name in self.parents if self.is_cyclic(name)}
        for name in self.cyclic:
            self.parents[name] = None
        matching = kept(view, base)
        self.matched = len(matching)
        own = {entry.name: entry for entry in matching}
        self.kept: Set[Hashable] = set(own)
        for name in own:
            self.kept.update(self.ancestors(name))
        self.forced: Set[Hashable] = set()
        if view.get("match", {}).get("query", "").strip():
            for name in own:
                self.forced.update(self.ancestors(name))
        ranked = []
        for name in self.kept:
            below = [own[one] for one in own if one == name or name in self.ancestors(one)]
            best = max(below, key=lambda entry: (entry.score, -entry.length))
            ranked.append(
                self.entries[name]._replace(score=best.score, length=best.length)
            )
        places = {name: place for place, name in enumerate(self.entries)}
        ranked.sort(key=lambda entry: places[entry.name])
        sort(view, ranked)
        self.sorted = [entry.name for entry in ranked]
        roots = [self.entries[name] for name in self.sorted if self.parents[name] is None]
        shelves = divided(view, base, roots)
        self.all = [Shelf(s.own, self.below(s.entries, False)) for s in shelves]
        self.shown = []
        for s in shelves:
            some = self.below(s.entries, True)
            head = s.own.get("header")
            if isinstance(view.get("sections"), dict):
                s = Shelf({**s.own, "header": {**head, "count": len(some)}}, some)
            self.shown.append(Shelf(s.own, some))
        self.all = [Shelf(a.own, b.entries) for a, b in zip((s for s in self.shown), self.all)]

    def named_parent(self, name: Any) -> Optional[Hashable]:
        id = member(self.entries[name].item, self.tree["parent"])
        if id is None or not is_id(id):
            return None
        parent = alike(name, id)
        return parent if parent in self.entries else None

    def is_cyclic(self, name: Hashable) -> bool:
        other = self.parents[name]
        for _ in self.entries:
            if other is None or other == name:
                return other == name
            other = self.parents[other]
        return False

    def ancestors(self, name: Hashable) -> List[Hashable]:
        """The ancestors of an item, from its parent to the root."""
        found: List[Hashable] = []
        parent = self.parents[name]
        while parent is not None:
            found.append(parent)
            parent = self.parents[parent]
        return found

    def children(self, name: Hashable) -> List[Hashable]:
        return [one for one in self.sorted if self.parents[one] == name]

    def descendants(self, name: Hashable) -> List[Hashable]:
        return [one for one in self.sorted if name in self.ancestors(one)]

    def is_lazy(self, name: Hashable) -> bool:
        item = self.entries[name].item
        return isinstance(item, dict) and item.get("lazy") is True

    def has_state(self, name: Hashable) -> bool:
        """Reports whether an item is expanded, by an edit or by `open`."""
        if name in self.states:
            return self.states[name]
        if self.is_lazy(name) and not self.children(name):
            return False
        open = self.tree.get("open", "none")
        if isinstance(open, str):
            return open == "all"
        return len(self.ancestors(name)) < open

    def is_expanded(self, name: Hashable) -> bool:
        return name in self.forced or self.has_state(name)

    def is_shown(self, name: Hashable) -> bool:
        return all(self.is_expanded(one) for one in self.ancestors(name))

    def shown_ancestor(self, name: Hashable) -> Hashable:
        """The item, or its nearest ancestor that is shown."""
        return next(one for one in [name, *self.ancestors(name)] if self.is_shown(one))

    def below(self, roots: List[Entry], shown: bool) -> List[Entry]:
        """Items and their descendants, each as its row shows it."""
        found: List[Entry] = []
        rest = [entry.name for entry in reversed(roots)]
        while rest:
            name = rest.pop()
            found.append(self.entries[name]._replace(item=self.row(name)))
            if not shown or self.is_expanded(name):
                rest += reversed(self.children(name))
        return found

    def row(self, name: Hashable) -> Dict[str, Any]:
        item, children = self.entries[name].item, self.children(name)
        if isinstance(item, dict):
            made = {k: v for k, v in item.items() if k not in ADDED}
        else:
            made = {} if isinstance(item, list) else {"id": item, "text": item}
        made.update({"$level": len(self.ancestors(name)), "$children": len(children)})
        if children or self.is_lazy(name):
            made["$expanded"] = self.is_expanded(name)
        return made

    def edit(self, edit: Dict[str, Any], names: List[Hashable]) -> None:
        """Applies an edit of the expansion."""
        kind = edit["edit"]
        branches = [name for name in self.sorted if self.children(name)]
        if kind in ("expandAll", "collapseAll"):
            self.states.update({name: kind == "expandAll" for name in branches})
        for name in names:
            if kind == "revealItems":
                self.states.update({one: True for one in self.ancestors(name)})
                continue
            self.states[name] = kind == "expandItems"
            if edit.get("deep"):
                below = [one for one in branches if name in self.ancestors(one)]
                self.states.update({one: kind == "expandItems" for one in below})
