"""A client that only hears notifications, through random requests of all kinds."""

from __future__ import annotations

import copy
import os
import random
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional

import pytest

from arrays import Arrays, Wrong
from conftest import features
from draws import Draws
from mirror import Mirror, check_cursor, check_marks
from model import check_trace, trace
from ops import Broken, need
from values import dumps, key, loads, picture, sects
from wire import Daemon, notice, request, shorten
from world import Effect, Plain, World, has_duplicates

pytestmark = pytest.mark.needs("editSnapshot", "compose", "subscribe")
REQUESTS = int(os.environ.get("LISTD_REQUESTS", "4000"))
ROUND = 30
ORDINARY = ["a", "b", "c"]
COMPOSITES = ["m", "n", "o"]
SHAPES = {"stages": "stages", "ops": "ops", "jsonPatch": "jsonPatch"}


@dataclass
class Asked:
    """A request, and all that is known of its answer beforehand."""

    message: Dict[str, Any]
    code: int = 0
    effects: List[Effect] = field(default_factory=list)
    told: Dict[str, str] = field(default_factory=dict)
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


class Session:
    """A random session: it asks in rounds, and compares all that it is told."""

    def __init__(self, daemon: Daemon, rng: random.Random) -> None:
        self.daemon, self.rng = daemon, rng
        self.world = World()
        self.draws = {name: Draws(rng, 20 * k) for k, name in enumerate(ORDINARY)}
        self.mirrors: Dict[str, Mirror] = {}
        self.revisions: Dict[str, int] = {}
        self.lasts: Dict[str, int] = {}
        self.formats = [name for name in SHAPES if name in features()]
        self.number = 0
        self.waiting: Optional[Any] = None

    # What is asked

    def ask(self) -> Asked:
        """A request of any kind; the world is as it will be after it."""
        kinds = [self.apply] * 6 + [self.edit] * 8 + [self.select] * 6 + [self.compose] * 2
        kinds += [self.subscribe] * 2 + [self.unsubscribe, self.remove, self.go_back, self.go_back]
        return self.rng.choice(kinds)()

    def message(self, method: str, params: Any) -> Dict[str, Any]:
        if self.rng.random() < 0.1:
            return notice(method, params)
        self.number += 1
        return request(method, params, self.rng.choice([self.number, f"n{self.number}"]))

    def asked(self, method: str, params: Any, **more: Any) -> Asked:
        return Asked(self.message(method, params), told=dict(self.world.told), **more)

    def changing(self, method: str, params: Any, name: str, make: Callable[[], None],
                 forced: Any = ({}, {})) -> Asked:  # fmt: skip
        """A request that changes a list unless what it selects is not there."""
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
        """Adds what may stand beside a change, and gives the error that it leads to."""
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
        """References to items, and the error that they lead to."""
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
        name = self.rng.choice(ORDINARY + COMPOSITES[:1])
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
        """To an older revision, or to a copy of another list."""
        name, other = self.rng.choice(ORDINARY), self.rng.choice(ORDINARY + COMPOSITES)
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
        name = self.rng.choice(ORDINARY * 3 + COMPOSITES)
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
        name = self.rng.choice(ORDINARY + COMPOSITES)
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
        pool = ORDINARY + [other for other in COMPOSITES if other != name or self.rng.random() < 0.1]
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
        name = self.rng.choice(ORDINARY + COMPOSITES)
        form = self.rng.choice(self.formats)
        plain = self.world.lists.get(name)
        params: Dict[str, Any] = {"list": name, "format": form}
        past = plain.past if plain else {}
        if past and self.rng.random() < 0.6:
            params["since"] = self.rng.choice([*list(past)[-6:], 0])
        self.world.told[name] = form
        asked = self.asked("subscribe", params, subscribed=name, plain=plain)
        self.number += 1
        asked.message = request("subscribe", params, self.number)
        asked.doc = self.world.sects(name)
        return asked

    def unsubscribe(self) -> Asked:
        name = self.rng.choice(ORDINARY + COMPOSITES)
        self.world.told.pop(name, None)
        return self.asked("unsubscribe", {"list": name}, removed="-" + name)

    def remove(self) -> Asked:
        name = self.rng.choice(ORDINARY + COMPOSITES)
        if name not in self.world.lists:
            return self.asked("removeList", {"list": name}, code=-31001)
        effects = self.world.change(name, lambda: self.world.lists.pop(name) and None)
        effects = [effect for effect in effects if effect.plain.name != name]
        return self.asked("removeList", {"list": name}, effects=effects, removed=name)

    # What is told

    def next(self) -> Any:
        message = self.waiting if self.waiting is not None else loads(self.daemon.receive())
        self.waiting = None
        return message

    def round(self, count: int) -> None:
        groups: List[List[Asked]] = []
        for _ in range(count):
            size = self.rng.choice([2, 3]) if self.rng.random() < 0.04 else 1
            groups.append([self.ask() for _ in range(size)])
        messages = [g[0].message if len(g) == 1 else [a.message for a in g] for g in groups]
        names = list(self.world.lists)
        messages.append(request("getLists", {}, "lists"))
        for name in names:
            messages += [request(m, {"list": name}, m) for m in ("getSnapshot", "getSelection")]
        self.daemon.send(*messages)
        for group in groups:
            self.hear(group)
        self.compare(names)

    def hear(self, group: List[Asked]) -> None:
        replies: Dict[Any, Any] = {}
        if any(asked.id is not None for asked in group):
            told = self.next()
            told = told if isinstance(told, list) else [told]
            need(
                [reply.get("id") for reply in told] == [a.id for a in group if a.id is not None],
                f"another reply than to {shorten(dumps([a.message for a in group]))}: "
                f"{shorten(dumps(told))}",
            )
            replies = {reply["id"]: reply for reply in told}
        for asked in group:
            try:
                self.answered(asked, replies.get(asked.id))
            except (Broken, KeyError) as broken:
                state = "".join(
                    f"\n  {e.plain.name}: {shorten(dumps([[s.own, [r.content for r in s.rows]] for s in e.old]))}"
                    for e in asked.effects
                )
                pytest.fail(f"{broken!r}\n  asked: {dumps(asked.message)}{state}"
                            f"\n  reply: {dumps(replies.get(asked.id))}", pytrace=False)  # fmt: skip

    def answered(self, asked: Asked, reply: Any) -> None:
        result = None
        if reply is not None:
            code = reply.get("error", {}).get("code", 0)
            need(code == asked.code, f"told {shorten(dumps(reply))}, not {asked.code}")
            result = reply.get("result")
        if asked.code:
            return
        if asked.removed:
            self.hear_end(asked)
        if asked.subscribed:
            self.hear_subscription(asked, result)
        if asked.effects and not asked.removed and result is not None:
            self.check_reply(asked, result)
        wanted = {e.plain.name for e in asked.effects if is_told(e) and e.plain.name in asked.told}
        self.hear_changes(asked, wanted)
        name = asked.params["list"]
        if asked.plain is not None and name in asked.told and name not in wanted:
            if not asked.subscribed:
                self.hear_selection(asked, result)

    def hear_end(self, asked: Asked) -> None:
        name = asked.removed.lstrip("-")
        if asked.removed[0] == "-":
            self.mirrors.pop(name, None)
            return
        self.lasts[name] = self.revisions.pop(name)
        if name in asked.told:
            note = self.note(asked, "didRemove")
            need(note["list"] == name, f"told {note}")
            if name in self.mirrors:
                self.mirrors[name] = Mirror([], {"revision": 0, "selection": [], "cursor": None})

    def note(self, asked: Asked, *methods: str) -> Any:
        message = self.next()
        need(message.get("method") in methods, f"told {shorten(dumps(message))}, not {methods}")
        told = message["params"]
        wanted = {"request": asked.id} if asked.id is not None else {}
        got = {"request": told["request"]} if "request" in told else {}
        need(got == wanted, f"told {got}, not {wanted}: {dumps(message)}")
        return told

    def hear_subscription(self, asked: Asked, result: Any) -> None:
        name = asked.subscribed
        need(result["revision"] == self.revisions.get(name, 0), f"revision of {result}")
        if "snapshot" in result:
            doc = sects(result["snapshot"]["sections"])
            self.mirrors[name] = Mirror(doc, result)
        else:
            since = asked.params["since"]
            past = asked.plain.past.get(since, []) if asked.plain else []
            self.mirrors[name] = Mirror(sects(past), {**result, "revision": since})
            self.mirrors[name].change(result)
        self.compare_doc(name, asked.doc)

    def check_reply(self, asked: Asked, result: Any) -> None:
        effect = asked.effects[0]
        name, base = effect.plain.name, self.revisions.get(effect.plain.name, 0)
        need((result["list"], result["baseRevision"]) == (name, base), f"base {base}")
        self.check_revision(effect, result)
        form = asked.params.get("format", "none" if name in asked.told else "stages")
        need(result["format"] == form, f"format {form}")
        need(form == "none" or SHAPES[form] in result, f"no {form}")
        if form == "stages":
            told = trace(effect.old, effect.new, result["stages"])
            content = asked.params.get("content", False)
            check_trace(told, result["stages"], result["counts"], content, effect.forced)

    def check_revision(self, effect: Effect, told: Any) -> None:
        base, now = told["baseRevision"], told["revision"]
        last = max(base, self.lasts.get(effect.plain.name, 0))
        need(now > last if effect.is_revision else now == base, f"revision {now} after {base}")

    def hear_changes(self, asked: Asked, wanted: Any) -> None:
        effects = {effect.plain.name: effect for effect in asked.effects}
        given = "selected" in asked.params
        heard: List[str] = []
        while len(heard) < len(wanted):
            told = self.note(asked, "didChange")
            name = told["list"]
            need(name in wanted and name not in heard, f"told of {name}, not {wanted}: {dumps(told)}")
            made = {s for n in heard for s in effects[n].sources}
            need(name not in made, f"{name} is told after what it makes: {heard}")
            heard.append(name)
            effect, mirror = effects[name], self.mirrors[name]
            need(told["baseRevision"] == self.revisions.get(name, 0), f"base of {dumps(told)}")
            self.check_revision(effect, told)
            if told["format"] == "stages":
                traced = trace(effect.old, effect.new, told["stages"])
                check_trace(traced, told["stages"], told["counts"], True, effect.forced)
                first = name == asked.params["list"]
                check_marks(told, traced, mirror.selection, effect.hidden, given and first)
                if "cursor" not in asked.params or not first:
                    policy = asked.params.get("cursorPolicy", "follow") if first else "follow"
                    check_cursor(told, traced, mirror.cursor, policy)
            mirror.change(told)
            self.compare_doc(name, effect.new)
        for effect in asked.effects:
            if effect.is_revision:
                self.advance(effect, asked)

    def advance(self, effect: Effect, asked: Asked) -> None:
        """Notes a revision; of a list that nobody hears of it is asked for later."""
        name = effect.plain.name
        mirror = self.mirrors.get(name) if name in asked.told else None
        if mirror:
            self.revisions[name] = mirror.revision
        else:
            last = max(self.revisions.get(name, 0), self.lasts.get(name, 0))
            self.revisions[name] = last + 1
        effect.plain.past[self.revisions[name]] = effect.sections

    def hear_selection(self, asked: Asked, result: Any) -> None:
        mirror = self.mirrors[asked.params["list"]]
        # An item without rows may be selected, and only a notification may tell of it.
        unseen = bool(self.world_hidden(asked))
        if result is None or unseen:
            self.waiting = self.next()
            told = self.waiting.get("params", {}) if isinstance(self.waiting, dict) else {}
            if told.get("list") == asked.params["list"] and "ops" in told:
                if told.get("request") == asked.id:
                    mirror.select(self.note(asked, "didSelect"), unseen)
            return
        after = Mirror([], {**result, "revision": 0})
        if (after.selection, after.cursor) != (mirror.selection, mirror.cursor):
            mirror.select(self.note(asked, "didSelect"))
            need(
                (after.selection, after.cursor) == (mirror.selection, mirror.cursor),
                "the reply and the notification tell different selections",
            )

    def world_hidden(self, asked: Asked) -> Any:
        return asked.effects[0].hidden if asked.effects else asked.hidden

    def compare_doc(self, name: str, doc: Any) -> None:
        wanted = Mirror(doc, {"revision": 0, "selection": [], "cursor": None})
        mirror = self.mirrors[name]
        need(
            mirror.contents() == wanted.contents(),
            f"the mirror of {name} has {dumps(mirror.doc)}, not {dumps(doc)}",
        )

    def compare(self, names: List[str]) -> None:
        """Every list is as it is thought to be, and every mirror as its list."""
        lists = {entry["list"]: entry for entry in self.next()["result"]["lists"]}
        need(set(lists) == set(names), f"lists {sorted(lists)}, not {sorted(names)}")
        for name in names:
            got, selected = self.next()["result"], self.next()["result"]
            sections = self.world.sections(name)
            need(key(got["sections"]) == key(sections), f"{name} is {picture(got['sections'])}, "
                 f"not {picture(sections)}")  # fmt: skip
            marks = {k: got[k] for k in ("list", "revision", "selection", "cursor")}
            need(marks == {k: selected[k] for k in marks}, f"{selected} beside {marks}")
            need(got["revision"] == self.revisions[name], f"{name} at {got['revision']}, "
                 f"not {self.revisions[name]}")  # fmt: skip
            entry = lists[name]
            count = sum(len(section["items"]) for section in sections)
            rows = sum(len(sect.rows) for sect in self.world.sects(name))
            sources = self.world.lists[name].sources
            need((entry["revision"], entry["sections"], entry["items"], entry["rows"])
                 == (got["revision"], len(sections), count, rows), f"{entry}")  # fmt: skip
            need(entry.get("sources") == sources, f"{entry}")
            need(entry["selected"] == len(selected["items"]), f"{entry}: {selected}")
            mirror = self.mirrors.get(name)
            if mirror:
                now = Mirror([], got)
                need((mirror.revision, mirror.selection, mirror.cursor)
                     == (now.revision, now.selection, now.cursor),
                     f"the mirror of {name} has {mirror.selection} {mirror.cursor}: {got}")  # fmt: skip
                self.compare_doc(name, self.world.sects(name))
            past = self.world.lists[name].past
            for revision in list(past)[:-30]:
                del past[revision]


def empty(item: Any) -> bool:
    return isinstance(item, dict) and item.get("parts") == []


def is_told(effect: Effect) -> bool:
    return effect.is_revision or any(
        place_is_kept(effect, place) for place in [*effect.forced[0], *effect.forced[1]]
    )


def place_is_kept(effect: Effect, place: Any) -> bool:
    """Whether what is forced was there before: what is new is told as such."""
    if isinstance(place, int):
        return key(effect.new[place].own["id"]) in [key(s.own["id"]) for s in effect.old]
    row = effect.new[place[0]].rows[place[1]]
    return row.identity in [other.identity for s in effect.old for other in s.rows]


def test_a_mirror_of_everything(daemon: Daemon, rng: random.Random) -> None:
    session = Session(daemon, rng)
    for _ in range(REQUESTS // ROUND + 1):
        session.round(ROUND)
