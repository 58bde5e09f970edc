"""Outlines against their definition as plain functions, combined with all features of views."""

from __future__ import annotations

import os
import random
from typing import Any, Dict, Hashable, List

import pytest

import random_views
from client import Daemon
from rounds import rounds
from values import dumps, same
from view_session import SOURCES, Session

pytestmark = pytest.mark.needs("compose", "subscribe")
STEPS = rounds(120)
KINDS = ["expandItems", "collapseItems", "expandItems", "collapseItems", "revealItems",
         "expandAll", "collapseAll"]  # fmt: skip


def item(rng: random.Random, id: int) -> Any:
    """An item whose parent is another item, itself, or missing."""
    made = random_views.item(rng, id)
    if isinstance(made, dict):
        chance = rng.random()
        if chance < 0.75:
            made["up"] = id - id % 100 + rng.randrange(20)
        elif chance < 0.85:
            made["up"] = rng.choice([None, "x", str(id), 1.5, [1], True, {"id": 1}, float(id - 1)])
        if rng.random() < 0.2:
            made["lazy"] = rng.choice([True, True, False, "true"])
    return made


def sections(rng: random.Random, first: int, most: int = 14) -> List[Dict[str, Any]]:
    made = random_views.sections(rng, first, most)
    for section in made:
        section["items"] = [
            item(rng, one["id"]) if isinstance(one, dict) else one for one in section["items"]
        ]
    return made


def definition(rng: random.Random) -> Dict[str, Any]:
    made = random_views.definition(rng)
    if rng.random() < 0.8:
        made.pop("distinct", None)
        made["tree"] = {"parent": rng.choice(["up", "up", "up", "up", "in.k"])}
        if rng.random() < 0.6:
            made["tree"]["open"] = rng.choice(["none", "all", "all", 0, 1, 2, 7])
        if rng.random() < 0.5:
            made.pop("where", None)
        if "match" in made and rng.random() < 0.5:
            made.pop("match")
            made["sort"] = [k for k in made.get("sort", []) if k["by"] not in ("$score", "$length")]
    return made


class Outlines(Session):
    """Random sessions with edits of the expansion."""

    definition = staticmethod(definition)
    item = staticmethod(item)
    sections = staticmethod(sections)

    def __init__(self, daemon: Daemon, rng: random.Random) -> None:
        self.wanted: List[Any] = []
        super().__init__(daemon, rng)

    def step(self) -> None:
        outlines = [name for name in SOURCES if self.model.views[name].outline is not None]
        if not outlines or self.rng.random() < 0.5:
            return super().step()
        self.picked = {name: self.shown_picks(name) for name in SOURCES}
        self.edit(self.rng.choice(outlines))
        self.check()

    def edit(self, name: str) -> None:
        rng, view = self.rng, self.model.views[name]
        anchor = view.anchor
        edits: List[Dict[str, Any]] = []
        expanded: List[Hashable] = []
        before = view.outline
        closed = {one for one in before.kept if not before.has_state(one)}
        for _ in range(rng.randint(1, 3)):
            edit: Dict[str, Any] = {"edit": rng.choice(KINDS)}
            names: List[Hashable] = []
            if not edit["edit"].endswith("All"):
                all = [entry.name for entry in self.entries(name)]
                names = [rng.choice(all) for _ in range(rng.randint(0, 3))] if all else []
                edit["items"] = [self.ref(name, one) for one in names]
                if rng.random() < 0.3 and edit["edit"] != "revealItems":
                    edit["deep"] = rng.choice([True, True, False])
            edits.append(edit)
            view.outline.edit(edit, names)
            expanded += names if edit["edit"] == "expandItems" else []
            # Paths refer to the rows after the edits before them; the anchor follows all edits at once.
            view.update(view.base)
            view.anchor = anchor
        self.model.update()
        now = view.outline
        awaited = [
            one for one in dict.fromkeys(expanded)
            if one in closed and now.has_state(one) and now.is_lazy(one) and not now.children(one)
        ]  # fmt: skip
        if awaited:
            self.wanted.append({"list": name, "items": [self.reference(name, one) for one in awaited]})
        self.daemon.call("editSnapshot", list=name, edits=edits)

    def reference(self, list: str, name: Hashable) -> Any:
        """The reference to an item in notifications."""
        ref = self.ref_by_id(list, name)
        if not ref.pop("isAmbiguous"):
            return ref["id"]
        shown = {
            entry.name: [s, r]
            for s, shelf in enumerate(self.model.shelves(list))
            for r, entry in enumerate(shelf.entries)
        }
        return {"path": shown[name]} if name in shown else ref

    def ref_by_id(self, list: str, name: Hashable) -> Dict[str, Any]:
        entries = self.entries(list)
        ids = [e.item["id"] if isinstance(e.item, dict) else e.item for e in entries]
        id = next(id for id, e in zip(ids, entries) if e.name == name)
        alike = [e.name for other, e in zip(ids, entries) if same(other, id)]
        return {"id": id, "occurrence": alike.index(name), "isAmbiguous": len(alike) > 1}

    def awaited(self, notes: List[Any]) -> None:
        heard = [note["params"] for note in notes if note["method"] == "didExpand"]
        for params in heard:
            params.pop("request")
        assert same(heard, self.wanted), dumps([heard, self.wanted])
        self.wanted = []


@pytest.mark.parametrize("seed", range(6))
def test_outlines_are_what_their_definition_says(daemon: Daemon, seed: int) -> None:
    session = Outlines(daemon, random.Random(f"outlines {seed}" + os.environ.get("LISTD_SEED", "")))
    session.check()
    for _ in range(STEPS):
        session.step()
