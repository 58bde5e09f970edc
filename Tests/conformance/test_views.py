"""Views against their definition as plain functions, at every revision and in every format."""

from __future__ import annotations

import copy
import random
from typing import Any, Dict, List, Tuple

import pytest

from arrays import Arrays
from mirror import Mirror
from model import check
from selection import Selected
from values import dumps, key, places, same
from views import View, Views
from wire import Daemon

pytestmark = pytest.mark.needs("compose", "subscribe")

STEPS = 150
SOURCES = {"v": ["a", "b"], "c": ["a", "b"], "w": ["v", "a"], "x": ["c", "missing"], "y": ["w"]}
WORDS = ["file10", "File9", "file009", "Äpfel", "äpfel", "b", "B2", "b10", "", "a\u0000b", "ẞ", "ß", "💥"]
VALUES = [None, True, False, 0, 1, 2, 10, -1, 1.5, 2.50, 1e3, -0.25, 10**20, "1", "x", "y", "true", [1], {"b": 1, "a": 2}]


def item(rng: random.Random, id: int) -> Any:
    if rng.random() < 0.15:
        return f"bare {id}"
    made: Dict[str, Any] = {"id": id}
    if rng.random() < 0.8:
        made["n"] = rng.choice(WORDS)
    if rng.random() < 0.8:
        made["g"] = rng.choice(VALUES)
    if rng.random() < 0.3:
        made["in"] = {"k": rng.choice(VALUES), "tags": rng.sample(WORDS, 2)}
    if rng.random() < 0.1:
        made["selectable"] = False
    return made


def section(rng: random.Random, id: Any, ids: List[int]) -> Dict[str, Any]:
    made = {"id": id, "items": [item(rng, one) for one in ids]}
    if rng.random() < 0.7:
        made["selectionMode"] = rng.choice(["multiple", "multiple", "single", "none"])
    if rng.random() < 0.3:
        made["header"] = rng.choice(WORDS)
    return made


def sections(rng: random.Random, first: int, most: int = 12) -> List[Dict[str, Any]]:
    ids = [first + k for k in rng.sample(range(20), rng.randint(0, most))]
    cut = rng.randint(0, len(ids))
    names = rng.sample(["s", 1, "1", "t"], 2)
    return [section(rng, names[0], ids[:cut]), section(rng, names[1], ids[cut:])]


def condition(rng: random.Random, depth: int = 2) -> Dict[str, Any]:
    if depth and rng.random() < 0.4:
        some = [condition(rng, depth - 1) for _ in range(rng.randint(0, 3))]
        return rng.choice([{"all": some}, {"any": some}, {"not": condition(rng, depth - 1)}])
    name = rng.choice(["n", "g", "g", "in.k", "in.tags", "id", "text", "nothing"])
    values = WORDS if rng.random() < 0.4 else VALUES
    plain = [value for value in values if isinstance(value, (str, int, float, bool))]
    return {"member": name, **rng.choice([
        {"is": rng.choice(values)},
        {"in": rng.sample(values, rng.randint(0, 9))},
        {"from": rng.choice(plain)},
        {"to": rng.choice(plain)},
        {"from": rng.choice(plain), "to": rng.choice(plain)},
        {"contains": rng.choice(["file", "0", "", "ä", 1, None, rng.choice(WORDS)])},
        {"exists": rng.random() < 0.5},
    ])}  # fmt: skip


def definition(rng: random.Random) -> Dict[str, Any]:
    view: Dict[str, Any] = {}
    if rng.random() < 0.5:
        view["where"] = condition(rng)
    if rng.random() < 0.2:
        view["distinct"] = rng.choice(["g", "n", "in.k"])
    if rng.random() < 0.6:
        view["sort"] = [sort_key(rng) for _ in range(rng.randint(0, 3))]
    if rng.random() < 0.7:
        view["sections"] = rng.choice(["keep", "merge", "merge", {"by": "g"}, {"by": "in.k"}])
    if rng.random() < 0.4:
        view["window"] = {"count": rng.randint(0, 6)}
        if rng.random() < 0.6:
            view["window"]["start"] = rng.randint(0, 9)
    if rng.random() < 0.6:
        view["selectionMode"] = rng.choice(["multiple", "multiple", "single", "none"])
    return view


def sort_key(rng: random.Random) -> Dict[str, Any]:
    made = {"by": rng.choice(["n", "g", "id", "text", "in.k", "$source", "nothing"])}
    if rng.random() < 0.4:
        made["order"] = rng.choice(["ascending", "descending"])
    if rng.random() < 0.5:
        made["as"] = rng.choice(["value", "natural"])
    return made


def flat(sects: List[Dict[str, Any]]) -> List[Tuple[int, int]]:
    return [(s, r) for s, section in enumerate(sects) for r in range(len(section["items"]))]


class Session:
    """A daemon and the lists as they should be, with a mirror for each view."""

    def __init__(self, daemon: Daemon, rng: random.Random) -> None:
        self.daemon, self.rng, self.model = daemon, rng, Views()
        self.revisions: Dict[str, int] = {}
        self.selected: Dict[str, Selected] = {}
        self.picked: Dict[str, List[Any]] = {name: [] for name in SOURCES}
        for number, name in enumerate("ab"):
            self.model.lists[name] = sections(rng, 100 * number)
            daemon.call("applySnapshot", list=name, sections=self.model.lists[name], format="none")
        for name, sources in SOURCES.items():
            self.compose(name, View(sources, None if name == "c" else definition(rng)), False)
        self.mirrors = {
            name: Mirror(told["snapshot"]["sections"], told)
            for name in SOURCES
            for told in [daemon.call("subscribe", list=name, format=rng.choice(["stages", "ops", "jsonPatch"]))]
        }
        self.before = {name: view.identities() for name, view in self.model.views.items()}
        self.counted = {name: view.numbers() for name, view in self.model.views.items()}

    def compose(self, name: str, view: View, is_again: bool = True, **more: Any) -> Any:
        params = {"list": name, **more}
        if not is_again or self.rng.random() < 0.3:
            params["sources"] = view.sources
        if view.view is not None:
            params["view"] = view.view
        elif "sources" not in params:
            params["view"] = None
        self.model.compose(name, view)
        return self.daemon.call("compose", params)

    def step(self) -> None:
        rng = self.rng
        chance = rng.random()
        self.picked = {name: self.shown_picks(name) for name in SOURCES}
        if chance < 0.3:
            self.select(rng.choice([*SOURCES]))
        elif chance < 0.6:
            name = rng.choice("ab")
            self.model.lists[name] = self.changed(name)
            self.daemon.call("applySnapshot", list=name, sections=self.model.lists[name])
            self.model.update()
        elif chance < 0.7:
            self.remove_one()
        else:
            name = rng.choice([name for name in SOURCES if name != "c"])
            old = self.model.views[name]
            view = View(old.sources, definition(rng))
            view.base = old.base
            self.anchor(view, old)
            more: Dict[str, Any] = {}
            if rng.random() < 0.2:
                more["selected"] = []
            self.compose(name, view, **more)
            if more:
                self.selected[name].act("replace", [])
        self.check()

    def picks(self, name: str) -> Selected:
        """The selection of a view, of which every item is known by its name."""
        view = self.model.views[name]
        now = [
            {**s.own, "items": [self.pick(entry) for entry in s.entries]} for s in view.all
        ]
        picks = self.selected.setdefault(name, Selected(now))
        picks.sections = now
        return picks

    @staticmethod
    def pick(entry: Any) -> Dict[str, Any]:
        is_free = entry.item.get("selectable", True) if isinstance(entry.item, dict) else True
        return {"id": entry.name, "selectable": is_free}

    def carry(self, name: str) -> Selected:
        """The selection after a change: what may still be selected, in single sections the first."""
        picks = self.picks(name)
        there = {one["id"] for s in picks.sections for one in s["items"]}
        free = {id for s in picks.sections for id in picks.selectable(s)}
        picks.ids &= free
        picks.anchor = picks.anchor if picks.anchor in there else None
        picks.extension &= there
        for s in picks.sections:
            if picks.mode(s) == "single":
                inside = [one["id"] for one in s["items"] if one["id"] in picks.ids]
                picks.ids -= set(inside[1:])
        return picks

    def shown_picks(self, name: str) -> List[Tuple[Any, Tuple[int, int]]]:
        """The selected items that a view shows, and where."""
        view = self.model.views[name]
        entries = [entry for s in view.shown for entry in s.entries]
        ids = self.carry(name).ids
        return [(e.name, at) for e, at in zip(entries, flat(view.sections())) if e.name in ids]

    def select(self, name: str) -> None:
        rng, view, picks = self.rng, self.model.views[name], self.carry(name)
        action = rng.choice(["toggle", "toggle", "select", "deselect", "replace", "extend", "all",
                             "none", "invert"])  # fmt: skip
        free = [id for s in picks.sections for id in picks.selectable(s)]
        params: Dict[str, Any] = {"list": name, "action": action}
        some: List[Any] = []
        if action not in ("all", "none", "invert"):
            some = [rng.choice(free) for _ in range(rng.randint(1, 3))] if free else []
            some = some[:1] if action == "extend" else some
            if not some:
                return
            params["items"] = [self.ref(view, one) for one in some]
        picks.act(action, some)
        told = self.daemon.call("select", params)
        assert [tuple(at) for at in places(told["selection"])] == [
            at for _, at in self.shown_picks(name)
        ], dumps([view.view, params])

    def ref(self, view: View, name: Any) -> Any:
        """A reference to an item of a view, shown or not."""
        shown = [entry.name for s in view.shown for entry in s.entries]
        if name in shown and self.rng.random() < 0.4:
            return {"path": flat(view.sections())[shown.index(name)]}
        entries = view.matched()
        one = next(entry.item for entry in entries if entry.name == name)
        id = one["id"] if isinstance(one, dict) else one
        same_id = [
            e.name for e in entries if (e.item["id"] if isinstance(e.item, dict) else e.item) == id
        ]
        return {"id": id, "occurrence": same_id.index(name)}

    def anchor(self, view: View, old: View) -> None:
        """Sometimes the window begins at an item, named by its id or by a place in the view."""
        if "window" not in view.view or self.rng.random() < 0.5:
            return
        entries = [(entry.name, entry.item) for s in view.base for entry in s.entries]
        shown = [entry for s in old.shown for entry in s.entries]
        if shown and self.rng.random() < 0.4:
            sects = old.sections()
            place = self.rng.randrange(len(shown))
            view.anchor, ref = shown[place].name, {"path": flat(sects)[place]}
        elif entries:
            view.anchor, one = self.rng.choice(entries)
            id = one["id"] if isinstance(one, dict) else one
            same_id = [e for e in entries if (e[1]["id"] if isinstance(e[1], dict) else e[1]) == id]
            ref = {"id": id, "occurrence": [e[0] for e in same_id].index(view.anchor)}
        else:
            return
        view.view["window"]["start"] = {"item": ref, "before": self.rng.randint(0, 3)}

    def changed(self, name: str) -> List[Dict[str, Any]]:
        rng, first = self.rng, 100 * "ab".index(name)
        now = copy.deepcopy(self.model.lists[name])
        if rng.random() < 0.1:
            return sections(rng, first)
        for _ in range(rng.randint(1, 4)):
            items = rng.choice(now)["items"] if now else []
            if items and rng.random() < 0.6:
                at = rng.randrange(len(items))
                one = items.pop(at)
                if rng.random() < 0.4:
                    continue
                if isinstance(one, dict) and rng.random() < 0.6:
                    one = item(rng, one["id"])
                    if not isinstance(one, dict):
                        continue
                rng.choice(now)["items"].append(one)
            elif now:
                used = [o["id"] for s in now for o in s["items"] if isinstance(o, dict)]
                free = [first + k for k in range(20) if first + k not in used]
                made = item(rng, rng.choice(free)) if free else "bare"
                if made not in [o for s in now for o in s["items"]]:
                    items.insert(rng.randint(0, len(items)), made)
        return now

    def remove_one(self) -> None:
        name = self.rng.choice("ab")
        gone = [o["id"] for s in self.model.lists[name] for o in s["items"] if isinstance(o, dict)]
        if not gone:
            return
        some = self.rng.sample(gone, self.rng.randint(1, min(3, len(gone))))
        self.daemon.call("editSnapshot", list=name, edits=[{"edit": "deleteItems", "items": some}])
        arrays = Arrays(self.model.lists[name])
        arrays.make({"edit": "deleteItems", "items": some})
        self.model.lists[name] = arrays.sections
        self.model.update()

    def check(self) -> None:
        notes = self.daemon.settle()
        told = [note["params"] for note in notes if note["method"] == "didChange"]
        lists = [params["list"] for params in told]
        assert len(set(lists)) == len(lists), lists
        order = [name for name in SOURCES if name in lists]
        assert lists == order or set(lists) == set(order), lists
        for params in told:
            self.heard(params)
        for note in notes:
            if note["method"] == "didSelect":
                self.mirrors[note["params"]["list"]].select(note["params"])
        entries = {e["list"]: e for e in self.daemon.call("getLists")["lists"]}
        for name, view in self.model.views.items():
            snapshot = self.daemon.call("getSnapshot", list=name)
            context = dumps([view.sources, view.view, [s.own for s in view.base]])
            assert same(snapshot["sections"], view.sections()), (
                f"{context}\ntold: {dumps(snapshot['sections'])}\nwant: {dumps(view.sections())}"
            )
            self.check_selection(name, snapshot, entries[name])
            mirror = self.mirrors[name]
            assert mirror.revision == snapshot["revision"], name
            is_same = self.before[name] == view.identities()
            assert (self.revisions.get(name, snapshot["revision"]) == snapshot["revision"]) == (
                is_same or name not in self.revisions
            ), f"{name}: {context}"
            self.revisions[name] = snapshot["revision"]
            if view.view is not None:
                assert snapshot["view"] == view.numbers(), context
                assert entries[name]["view"] == view.numbers()
                assert same(entries[name]["definition"], view.view)
                if is_same and self.counted[name] != view.numbers():
                    assert name in lists, f"{name} has new numbers and nobody was told"
            else:
                assert "view" not in snapshot and "definition" not in entries[name]
            self.before[name] = view.identities()
            self.counted[name] = view.numbers()

    def check_selection(self, name: str, snapshot: Any, entry: Any) -> None:
        picks = self.carry(name)
        shown = [at for _, at in self.shown_picks(name)]
        assert [tuple(at) for at in places(snapshot["selection"])] == shown, name
        assert self.mirrors[name].selection == set(shown), name
        assert entry["selected"] == len(picks.ids)
        told = self.daemon.call("getSelection", list=name)["items"]
        items = [e.item for e in self.model.views[name].matched() if e.name in picks.ids]
        assert same(told, items), name

    def heard(self, params: Dict[str, Any]) -> None:
        view = self.model.views[params["list"]]
        self.mirrors[params["list"]].change(params)
        if view.view is not None:
            assert params["view"] == view.numbers(), dumps(params)
        now = {entry.name for entry in view.matched()}
        left = self.carry(params["list"]).ids
        wanted = [
            {"at": list(at), "gone": id not in now}
            for id, at in self.picked[params["list"]]
            if id not in left
        ]
        told = [{k: one[k] for k in ("at", "gone")} for one in params["deselected"]]
        assert told == wanted, dumps([view.view, params])


@pytest.mark.parametrize("seed", range(6))
def test_views_are_what_their_definition_says(daemon: Daemon, seed: int) -> None:
    session = Session(daemon, random.Random(f"views {seed}"))
    session.check()
    for _ in range(STEPS):
        session.step()
