"""Random requests of all kinds, with the parts of their answers that are known beforehand."""

from __future__ import annotations

import copy
import random
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional

from client import notice, request
from features import features
from random_edits import Draws
from reference_edits import Arrays, Wrong
from session_model import Effect, Plain, World, has_duplicates

ORDINARY = ["a", "b", "c"]
COMPOSITES = ["m", "n", "o"]
FORMATS = ["stages", "ops", "jsonPatch"]


@dataclass
class Asked:
    """A request, and the parts of its answer that are known beforehand."""

    message: Dict[str, Any]
    code: int = 0
    effects: List[Effect] = field(default_factory=list)
    subscriptions: Dict[str, str] = field(default_factory=dict)
    removed: str = ""
    subscribed: str = ""
    doc: Any = None
    plain: Optional[Plain] = None
    hidden: Any = ()

    @property
    def id(self) -> Any:
        return self.message.get("id")

    @property
    def params(self) -> Dict[str, Any]:
        return self.message["params"]


class Questions:
    """Draws the requests of a random session. The model is the state after the latest request."""

    def __init__(self, rng: random.Random, kinds: str) -> None:
        self.rng = rng
        self.composites = COMPOSITES if kinds == "all" else []
        self.world = World()
        plain = kinds != "all"
        self.draws = {name: Draws(rng, 20 * k, plain) for k, name in enumerate(ORDINARY)}
        self.formats = [name for name in FORMATS if name in features()]
        self.number = 0

    def ask(self) -> Asked:
        """A request of any kind. The model is updated by it."""
        kinds = [self.apply] * 6 + [self.edit] * 8 + [self.select] * 6 + [self.compose] * 2
        kinds += [self.subscribe] * 2 + [self.unsubscribe, self.remove, self.go_back, self.go_back]
        if not self.composites:
            kinds = [self.edit] * 30 + [self.select, self.apply, self.subscribe]
        return self.rng.choice(kinds)()

    def message(self, method: str, params: Any) -> Dict[str, Any]:
        if self.rng.random() < 0.1:
            return notice(method, params)
        self.number += 1
        return request(method, params, self.rng.choice([self.number, f"n{self.number}"]))

    def asked(self, method: str, params: Any, **more: Any) -> Asked:
        return Asked(self.message(method, params), subscriptions=dict(self.world.subscribed), **more)

    def changing(self, method: str, params: Any, name: str, make: Callable[[], None],
                 forced: Any = ({}, {})) -> Asked:  # fmt: skip
        """A request that changes a list, unless an item that it selects is missing."""
        before = copy.copy(self.world.lists), copy.copy(self.world.lists.get(name))
        effects = self.world.change(name, make, forced)
        code = self.decorate(name, params)
        if code:
            now = self.world.lists.get(name)
            self.world.lists = before[0]
            if now is not None and name in before[0]:
                now.sections, now.sources = before[1].sections, before[1].sources
            return self.asked(method, params, code=code)
        return self.asked(method, params, effects=effects, plain=effects[0].plain)

    def decorate(self, name: str, params: Dict[str, Any]) -> int:
        """Adds optional params of a change. Returns the error that they cause."""
        if self.rng.random() < 0.3:
            params["content"] = True
        if self.rng.random() < 0.15:
            params["format"] = self.rng.choice(["none", *self.formats])
        if self.rng.random() < 0.3:
            params["cursorPolicy"] = self.rng.choice(["follow", "stay", "first"])
        if self.rng.random() < 0.02:
            params["baseRevision"] = 10**9
            return -31003
        code = 0
        if self.rng.random() < 0.2:
            params["selected"], code = self.refs(name, self.rng.randrange(4))
        if self.rng.random() < 0.1 and not code:
            [params["cursor"]], code = self.refs(name, 1, selectable=False)
        return code

    def refs(self, name: str, count: int, selectable: bool = True) -> Any:
        """References to items, and the error that they cause."""
        entries = self.world.entries(name)
        refs, missing, barred = [], False, False
        for _ in range(count):
            ref, entry = self.ref(name, entries, selectable)
            refs.append(ref)
            missing = missing or entry is None
            barred = barred or (entry is not None and not entry.selectable)
        return refs, -31005 if missing else -31009 if barred and selectable else 0

    def ref(self, name: str, entries: List[Any], selectable: bool) -> Any:
        good = [entry for entry in entries if entry.selectable] if selectable else entries
        good = [entry for entry in good if not empty(entry.item)]
        if not good or self.rng.random() < 0.02:
            return 9999, None
        entry = self.rng.choice(good if self.rng.random() < 0.98 else entries)
        if not empty(entry.item) and self.rng.random() < 0.3:
            return {"path": list(entry.at)}, entry
        item = entry.item
        id = item["id"] if isinstance(item, dict) and "id" in item else item
        if isinstance(id, dict):
            return ({"path": list(entry.at)}, entry) if not empty(item) else (9999, None)
        ref: Any = id
        if self.rng.random() < 0.4:
            ref = {"id": id, "source": self.rng.choice(sorted(entry.ways))}
        found = self.world.find(name, ref)
        if found is not None and empty(found.item) and not selectable:
            return ref, None
        return ref, found

    def apply(self) -> Asked:
        name = self.rng.choice(ORDINARY + self.composites[:1])
        if name in COMPOSITES:
            if name in self.world.lists:
                params = {"list": name, "items": []}
                return self.asked("applySnapshot", params, code=-31007)
            name = "a"
        draws, plain = self.draws[name], self.world.lists.get(name)
        if self.rng.random() < 0.04:
            bad = [{"id": "s", "items": [{"id": 1}, "x"]}, {"id": "t", "items": [1]}]
            return self.asked("applySnapshot", {"list": name, "sections": bad}, code=-31004)
        if plain and self.rng.random() < 0.7:
            fresh = draws.changed(plain.sections)
        else:
            fresh = draws.snapshot()
        return self.changing(
            "applySnapshot", {"list": name, "sections": fresh}, name, lambda: self.put(name, fresh)
        )

    def put(self, name: str, sections: Any) -> None:
        self.world.lists.setdefault(name, Plain(name)).sections = sections

    def go_back(self) -> Asked:
        """Returns to an older revision, or copies another list."""
        name, other = self.rng.choice(ORDINARY), self.rng.choice(ORDINARY + self.composites)
        plain = self.world.lists.get(other)
        params = {"list": name, "snapshot": {"list": other}}
        if plain is None:
            return self.asked("applySnapshot", params, code=-31001)
        sections = self.world.sections(other)
        if plain.past and self.rng.random() < 0.8:
            revision = self.rng.choice(list(plain.past)[-8:])
            params["snapshot"]["revision"], sections = revision, plain.past[revision]
        if has_duplicates(sections):
            return self.asked("applySnapshot", params, code=-31004)
        return self.changing("applySnapshot", params, name, lambda: self.put(name, sections))

    def edit(self) -> Asked:
        name = self.rng.choice(ORDINARY * 3 + self.composites)
        plain = self.world.lists.get(name)
        if plain is None or plain.sources is not None:
            edits = [{"edit": "deleteAllItems"}]
            code = -31007 if plain else -31001
            return self.asked("editSnapshot", {"list": name, "edits": edits}, code=code)
        arrays, edits = Arrays(plain.sections), []
        for _ in range(self.rng.choice([1, 1, 2, 3])):
            edits.append(self.draws[name].edit(arrays))
            try:
                arrays.make(copy.deepcopy(edits[-1]))
            except Wrong as wrong:
                params = {"list": name, "edits": edits}
                return self.asked("editSnapshot", params, code=wrong.code)
        return self.changing(
            "editSnapshot", {"list": name, "edits": edits}, name,
            lambda: self.put(name, arrays.sections), arrays.forced(),
        )  # fmt: skip

    def select(self) -> Asked:
        name = self.rng.choice(ORDINARY + self.composites)
        if name not in self.world.lists:
            return self.asked("select", {"list": name, "action": "none"}, code=-31001)
        kinds = ["toggle", "select", "deselect", "replace", "extend", "all", "none", "invert"]
        params: Dict[str, Any] = {"list": name, "action": self.rng.choice(kinds)}
        code = 0
        if params["action"] in kinds[:5]:
            params["items"], code = self.refs(name, self.rng.randrange(1, 4))
        elif self.rng.random() < 0.4:
            ids = [section["id"] for section in self.world.sections(name)]
            params["section"] = self.rng.choice(ids or ["nowhere"])
            code = 0 if ids else -31006
        if self.rng.random() < 0.2:
            [params["cursor"]], wrong = self.refs(name, 1, selectable=False)
            code = code or wrong
        hidden = self.world.hidden(name)
        return self.asked(
            "select", params, code=code, plain=self.world.lists[name], hidden=hidden
        )

    def compose(self) -> Asked:
        name = self.rng.choice(COMPOSITES + ORDINARY[:1])
        others = [one for one in COMPOSITES if one != name or self.rng.random() < 0.1]
        pool = ORDINARY + others
        sources = self.rng.sample(pool, self.rng.randint(0, 3))
        params: Dict[str, Any] = {"list": name, "sources": sources}
        plain = self.world.lists.get(name)
        if plain is not None and plain.sources is None:
            return self.asked("compose", params, code=-32602)
        if any(self.world.leads(source, name) for source in sources):
            return self.asked("compose", params, code=-31010)
        if name in ORDINARY:
            return self.unsubscribe()

        def make() -> None:
            self.world.lists.setdefault(name, Plain(name)).sources = sources

        return self.changing("compose", params, name, make)

    def subscribe(self) -> Asked:
        name = self.rng.choice(ORDINARY + self.composites)
        form = self.rng.choice(self.formats)
        plain = self.world.lists.get(name)
        params: Dict[str, Any] = {"list": name, "format": form}
        past = plain.past if plain else {}
        if past and self.rng.random() < 0.6:
            params["since"] = self.rng.choice([*list(past)[-6:], 0])
        self.world.subscribed[name] = form
        asked = self.asked("subscribe", params, subscribed=name, plain=plain)
        self.number += 1
        asked.message = request("subscribe", params, self.number)
        asked.doc = self.world.sects(name)
        return asked

    def unsubscribe(self) -> Asked:
        name = self.rng.choice(ORDINARY + self.composites)
        self.world.subscribed.pop(name, None)
        return self.asked("unsubscribe", {"list": name}, removed="-" + name)

    def remove(self) -> Asked:
        name = self.rng.choice(ORDINARY + self.composites)
        if name not in self.world.lists:
            return self.asked("removeList", {"list": name}, code=-31001)
        effects = self.world.change(name, lambda: self.world.lists.pop(name) and None)
        effects = [effect for effect in effects if effect.plain.name != name]
        return self.asked("removeList", {"list": name}, effects=effects, removed=name)


def empty(item: Any) -> bool:
    return isinstance(item, dict) and item.get("parts") == []
