"""A session with views, checked against their definition as plain functions."""

from __future__ import annotations

import copy
import random
from typing import Any, Dict, List, Tuple

from client import Daemon
from mirror import Mirror
from random_views import definition, item, sections
from reference_edits import Arrays
from reference_selection import Selected
from reference_views import View, Views
from values import dumps, places, same

SOURCES = {"v": ["a", "b"], "c": ["a", "b"], "w": ["v", "a"], "x": ["c", "missing"], "y": ["w"]}


class Session:
    """A daemon, the expected lists, and a mirror for each view."""

    definition = staticmethod(definition)
    item = staticmethod(item)
    sections = staticmethod(sections)

    def __init__(self, daemon: Daemon, rng: random.Random) -> None:
        self.daemon, self.rng, self.model = daemon, rng, Views()
        self.revisions: Dict[str, int] = {}
        self.selected: Dict[str, Selected] = {}
        self.picked: Dict[str, List[Any]] = {name: [] for name in SOURCES}
        self.mirrors: Dict[str, Mirror] = {}
        for number, name in enumerate("ab"):
            self.model.lists[name] = self.sections(rng, 100 * number)
            daemon.call("applySnapshot", list=name, sections=self.model.lists[name], format="none")
        for name, sources in SOURCES.items():
            self.compose(name, View(sources, None if name == "c" else self.definition(rng)), False)
        self.mirrors = {
            name: Mirror(answer["snapshot"]["sections"], answer)
            for name in ["a", "b", *SOURCES]
            for format in [rng.choice(["stages", "ops", "jsonPatch"])]
            for answer in [daemon.call("subscribe", list=name, format=format)]
        }
        self.before = {name: view.identities() for name, view in self.model.views.items()}
        self.counted = {name: view.numbers() for name, view in self.model.views.items()}

    def compose(self, name: str, view: View, is_again: bool = True, selects: bool = False) -> Any:
        params: Dict[str, Any] = {"list": name}
        if not is_again or self.rng.random() < 0.3:
            params["sources"] = view.sources
        if view.view is not None:
            params["view"] = view.view
        elif "sources" not in params:
            params["view"] = None
        if not is_again:
            self.model.compose(name, view)
            return self.daemon.call("compose", params)
        before = {one: self.shown_picks(one) for one in SOURCES}
        self.model.compose(name, view)
        if selects:
            params["selected"] = self.replaced(name)
        self.picked = before
        return self.daemon.call("compose", params)

    def step(self) -> None:
        rng = self.rng
        chance = rng.random()
        self.picked = {name: self.shown_picks(name) for name in SOURCES}
        if chance < 0.3:
            self.select(rng.choice(["a", "b", *SOURCES]))
        elif chance < 0.6:
            name = rng.choice("ab")
            self.model.lists[name] = self.changed(name)
            more: Dict[str, Any] = {}
            self.model.update()
            if rng.random() < 0.3:
                more["selected"] = self.replaced(name)
            now = self.model.lists[name]
            self.daemon.call("applySnapshot", list=name, sections=now, **more)
        elif chance < 0.7:
            self.remove_one()
        else:
            name = rng.choice([name for name in SOURCES if name != "c"])
            old = self.model.views[name]
            view = View(old.sources, self.definition(rng))
            view.base = old.base
            if old.outline is not None and "tree" in view.view:
                view.states = dict(old.states)
            self.anchor(view, old)
            self.compose(name, view, selects=rng.random() < 0.3)
        self.check()

    def is_shared(self, name: str) -> bool:
        view = self.model.views.get(name)
        return view is not None and (view.view or {}).get("selection") == "source"

    def owner(self, name: str, id: Any) -> Tuple[str, Any]:
        """The selections that decide whether an item of a list is selected."""
        while self.is_shared(name):
            name, id = id
        return name, id

    def replaced(self, name: str) -> List[Any]:
        """References to a few items of a list, which become its selection."""
        free = self.free(name)
        some = self.rng.sample(free, self.rng.randint(0, min(3, len(free))))
        refs = [self.ref(name, one, False) for one in some]
        self.act(name, "replace", some)
        return refs

    def free(self, name: str) -> List[Any]:
        """The items of a list that can be selected."""
        def is_free(id: Any) -> bool:
            list, inner = self.owner(name, id)
            picks = self.carry(list)
            return any(inner in picks.selectable(s) for s in picks.sections)

        return [entry.name for entry in self.entries(name) if is_free(entry.name)]

    def entries(self, name: str) -> List[Any]:
        """All items of a list, of a view without its window."""
        view = self.model.views.get(name)
        return [e for s in (view.all if view else self.model.shelves(name)) for e in s.entries]

    def act(self, name: str, action: str, some: List[Any]) -> None:
        """Selects in a list, or in its sources if a view shows their selection."""
        picks = self.carry(name)
        if not self.is_shared(name):
            return picks.act(action, some)
        lists = [one for one in ["a", "b", *SOURCES] if not self.is_shared(one)]
        kept = {one: self.carry(one) for one in lists}
        names = [entry.name for entry in self.entries(name)]

        def keeper(id: Any) -> Tuple[Selected, Any, str]:
            list, inner = self.owner(name, id)
            picks = kept[list]
            home = picks.home(inner)
            return picks, inner, picks.mode(home) if inner in picks.selectable(home) else "none"

        if picks.shown is not None:
            names = [name for name in names if name in picks.shown]

        def drop(ids: Any) -> None:
            for id in picks.scope(set(ids)):
                own, inner, _ = keeper(id)
                own.ids.discard(inner)

        if action == "extend" and picks.anchor is not None:
            drop(picks.extension)
            picks.extension = set()
            last, (own, inner, mode) = some[-1], keeper(some[-1])
            if mode == "single":
                picks.extension = {last} if inner not in own.ids else set()
                own.act("select", [inner])
                return None
            order = [entry.name for entry in self.entries(name)]
            ends = sorted((order.index(picks.anchor), order.index(last)))
            for id in [one for one in order[ends[0] : ends[1] + 1] if one in names]:
                own, inner, mode = keeper(id)
                if mode == "multiple" and inner not in own.ids:
                    own.ids.add(inner)
                    picks.extension.add(id)
            return None
        picks.extension = set()
        if action in ("replace", "extend", "none"):
            drop(names)
        if action in ("all", "invert"):
            for list, inner in {self.owner(name, id): None for id in names}:
                own = kept[list]
                home = own.home(inner)
                if own.mode(home) == "multiple" and inner in own.selectable(home):
                    own.ids ^= {inner} if action == "invert" else {inner} - own.ids
        done: Dict[Any, Any] = {}
        for id in some:
            own, inner, _ = keeper(id)
            if done.setdefault(self.owner(name, id), id) == id:
                own.act("select" if action in ("replace", "extend") else action, [inner])
        if action in ("toggle", "select", "replace", "extend") and some:
            picks.anchor = some[-1]
        return None

    def picks(self, name: str) -> Selected:
        """The selection of a view, by the names of its items."""
        view = self.model.views.get(name)
        now = [
            {**s.own, "items": [self.pick(entry) for entry in s.entries]}
            for s in (view.all if view else self.model.shelves(name))
        ]
        picks = self.selected.setdefault(name, Selected(now))
        picks.sections = now
        picks.shown = None
        if view is not None and view.outline is not None:
            picks.shown = {entry.name for s in view.outline.shown for entry in s.entries}
        return picks

    @staticmethod
    def pick(entry: Any) -> Dict[str, Any]:
        is_free = entry.item.get("selectable", True) if isinstance(entry.item, dict) else True
        return {"id": entry.name, "selectable": is_free}

    def carry(self, name: str) -> Selected:
        """The selection after a change: only selectable items, in `single` sections the first one."""
        picks = self.picks(name)
        there = {one["id"] for s in picks.sections for one in s["items"]}
        picks.anchor = picks.anchor if picks.anchor in there else None
        picks.extension &= there
        if self.is_shared(name):
            picks.ids = set()
            for id in there:
                list, inner = self.owner(name, id)
                if inner in self.carry(list).ids:
                    picks.ids.add(id)
            return picks
        picks.ids &= {id for s in picks.sections for id in picks.selectable(s)}
        for s in picks.sections:
            if picks.mode(s) == "single":
                inside = [one["id"] for one in s["items"] if one["id"] in picks.ids]
                picks.ids -= set(inside[1:])
        return picks

    def shown_picks(self, name: str) -> List[Tuple[Any, Tuple[int, int]]]:
        """The selected items that a view shows, and their paths."""
        ids = self.carry(name).ids
        return [
            (entry.name, (s, r))
            for s, shelf in enumerate(self.model.shelves(name))
            for r, entry in enumerate(shelf.entries)
            if entry.name in ids
        ]

    def select(self, name: str) -> None:
        rng = self.rng
        action = rng.choice(["toggle", "toggle", "select", "deselect", "replace", "extend", "all",
                             "none", "invert"])  # fmt: skip
        free = self.free(name)
        params: Dict[str, Any] = {"list": name, "action": action}
        some: List[Any] = []
        if action not in ("all", "none", "invert"):
            some = [rng.choice(free) for _ in range(rng.randint(1, 3))] if free else []
            some = some[:1] if action == "extend" else some
            if not some:
                return
            params["items"] = [self.ref(name, one) for one in some]
        self.act(name, action, some)
        answer = self.daemon.call("select", params)
        assert [tuple(at) for at in places(answer["selection"])] == [
            at for _, at in self.shown_picks(name)
        ], dumps(params)

    def ref(self, list: str, name: Any, is_old: bool = True) -> Any:
        """A reference to an item of a list, shown or not."""
        shelves = self.model.shelves(list)
        shown = [entry.name for s in shelves for entry in s.entries]
        if is_old and name in shown and self.rng.random() < 0.4:
            at = [(s, r) for s, shelf in enumerate(shelves) for r in range(len(shelf.entries))]
            return {"path": at[shown.index(name)]}
        entries = self.entries(list)
        one = next(entry.item for entry in entries if entry.name == name)
        id = one["id"] if isinstance(one, dict) else one
        same_id = [
            e.name for e in entries if (e.item["id"] if isinstance(e.item, dict) else e.item) == id
        ]
        return {"id": id, "occurrence": same_id.index(name)}

    def anchor(self, view: View, old: View) -> None:
        """Sometimes anchors the window at an item, given by its id or by a path in the view."""
        if "window" not in view.view or self.rng.random() < 0.5:
            return
        entries = [(entry.name, entry.item) for s in view.base for entry in s.entries]
        shown = [entry for s in old.shown for entry in s.entries]
        if shown and self.rng.random() < 0.4:
            sects = old.sections()
            place = self.rng.randrange(len(shown))
            paths = [[k, row] for k, one in enumerate(sects) for row in range(len(one["items"]))]
            view.anchor, ref = shown[place].name, {"path": paths[place]}
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
            return self.sections(rng, first)
        for _ in range(rng.randint(1, 4)):
            items = rng.choice(now)["items"] if now else []
            if items and rng.random() < 0.6:
                at = rng.randrange(len(items))
                one = items.pop(at)
                if rng.random() < 0.4:
                    continue
                if isinstance(one, dict) and rng.random() < 0.6:
                    one = self.item(rng, one["id"])
                    if not isinstance(one, dict):
                        continue
                rng.choice(now)["items"].append(one)
            elif now:
                used = [o["id"] for s in now for o in s["items"] if isinstance(o, dict)]
                free = [first + k for k in range(20) if first + k not in used]
                made = self.item(rng, rng.choice(free)) if free else "bare"
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

    def hear(self) -> List[str]:
        """Applies notifications. Returns the names of their lists."""
        notes = self.daemon.settle()
        self.awaited(notes)
        notes = [note for note in notes if note["method"] != "didExpand"]
        lists = [note["params"]["list"] for note in notes]
        assert len(set(lists)) == len(lists), dumps(notes)
        for place, name in enumerate(lists):
            assert not set(lists[place:]) & set(SOURCES.get(name, [])), lists
        for note in notes:
            if note["method"] == "didChange":
                self.heard(note["params"])
            elif note["method"] == "didSelect":
                self.mirrors[note["params"]["list"]].select(note["params"])
        return lists

    def check(self) -> None:
        lists = self.hear()
        for name in "ab":
            shown = {at for _, at in self.shown_picks(name)}
            assert self.mirrors[name].selection == shown, name
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
                    assert name in lists, f"{name} has new numbers and no subscriber was notified"
            else:
                assert "view" not in snapshot and "definition" not in entries[name]
            self.before[name] = view.identities()
            self.counted[name] = view.numbers()

    def awaited(self, notes: List[Any]) -> None:
        assert all(note["method"] != "didExpand" for note in notes)

    def check_selection(self, name: str, snapshot: Any, entry: Any) -> None:
        picks = self.carry(name)
        shown = [at for _, at in self.shown_picks(name)]
        assert [tuple(at) for at in places(snapshot["selection"])] == shown, name
        assert self.mirrors[name].selection == set(shown), name
        assert entry["selected"] == len(picks.ids)
        answer = self.daemon.call("getSelection", list=name)["items"]
        items = [e.item for e in self.model.views[name].matched() if e.name in picks.ids]
        assert same(answer, items), name

    def heard(self, params: Dict[str, Any]) -> None:
        view = self.model.views.get(params["list"])
        self.mirrors[params["list"]].change(params)
        if view is not None and view.view is not None:
            assert params["view"] == view.numbers(), dumps(params)
        if view is None:
            return
        now = {entry.name for entry in view.matched()}
        left = self.carry(params["list"]).ids
        picked = self.picked[params["list"]]
        if self.is_shared(params["list"]):
            # An item that is filtered out, also of a source, is still selected where its selection is stored.
            for id, _ in picked:
                keeper, inner = self.owner(params["list"], id)
                if inner in self.carry(keeper).ids:
                    left = left | {id}
        wanted = [{"at": list(at), "gone": id not in now} for id, at in picked if id not in left]
        answer = [{k: one[k] for k in ("at", "gone")} for one in params["deselected"]]
        assert answer == wanted, dumps([view.view, params])
