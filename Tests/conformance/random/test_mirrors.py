"""A client that only applies notifications, during random requests of all kinds."""

from __future__ import annotations

import random
from typing import Any, Dict, List, Optional

import pytest

from apply_ops import Broken, need
from change_laws import check_trace, trace
from client import Daemon, request, shorten
from mirror import Mirror, check_cursor, check_marks
from random_requests import Asked, Questions
from rounds import rounds
from session_model import Effect
from values import dumps, key, loads, picture

pytestmark = pytest.mark.needs("editSnapshot", "compose", "subscribe")
REQUESTS = rounds(4000)
ROUND = 30


class Session:
    """A random session in rounds, which checks all answers and notifications."""

    def __init__(self, daemon: Daemon, rng: random.Random, kinds: str) -> None:
        self.daemon, self.rng = daemon, rng
        self.questions = Questions(rng, kinds)
        self.world = self.questions.world
        self.mirrors: Dict[str, Mirror] = {}
        self.revisions: Dict[str, int] = {}
        self.lasts: Dict[str, int] = {}
        self.waiting: Optional[Any] = None

    def next(self) -> Any:
        message = self.waiting if self.waiting is not None else loads(self.daemon.receive())
        self.waiting = None
        return message

    def round(self, count: int) -> None:
        groups: List[List[Asked]] = []
        for _ in range(count):
            size = self.rng.choice([2, 3]) if self.rng.random() < 0.04 else 1
            groups.append([self.questions.ask() for _ in range(size)])
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
            answer = self.next()
            answer = answer if isinstance(answer, list) else [answer]
            need(
                [reply.get("id") for reply in answer] == [a.id for a in group if a.id is not None],
                f"another reply than to {shorten(dumps([a.message for a in group]))}: "
                f"{shorten(dumps(answer))}",
            )
            replies = {reply["id"]: reply for reply in answer}
        for asked in group:
            try:
                self.answered(asked, replies.get(asked.id))
            except (Broken, KeyError) as broken:
                state = "".join(f"\n  {e.plain.name}: {drawn(e.old)}" for e in asked.effects)
                answer = dumps(replies.get(asked.id))
                pytest.fail(
                    f"{broken!r}\n  asked: {dumps(asked.message)}{state}\n  reply: {answer}",
                    pytrace=False,
                )

    def answered(self, asked: Asked, reply: Any) -> None:
        result = None
        if reply is not None:
            code = reply.get("error", {}).get("code", 0)
            need(code == asked.code, f"answer {shorten(dumps(reply))}, not {asked.code}")
            result = reply.get("result")
        if asked.code:
            return
        if asked.removed:
            self.hear_end(asked)
        if asked.subscribed:
            self.hear_subscription(asked, result)
        if asked.effects and not asked.removed and result is not None:
            self.check_reply(asked, result)
        wanted = {e.plain.name for e in asked.effects if is_notified(e) and e.plain.name in asked.subscriptions}
        self.hear_changes(asked, wanted)
        name = asked.params["list"]
        if asked.plain is not None and name in asked.subscriptions and name not in wanted:
            if not asked.subscribed:
                self.hear_selection(asked, result)

    def hear_end(self, asked: Asked) -> None:
        name = asked.removed.lstrip("-")
        if asked.removed[0] == "-":
            self.mirrors.pop(name, None)
            return
        self.lasts[name] = self.revisions.pop(name)
        if name in asked.subscriptions:
            note = self.note(asked, "didRemove")
            need(note["list"] == name, f"wrong list: {note}")
            if name in self.mirrors:
                self.mirrors[name] = Mirror([], {"revision": 0, "selection": [], "cursor": None})

    def note(self, asked: Asked, *methods: str) -> Any:
        message = self.next()
        need(message.get("method") in methods, f"answer {shorten(dumps(message))}, not {methods}")
        answer = message["params"]
        bears = asked.id is not None and message["method"] != "didRemove"
        wanted = {"request": asked.id} if bears else {}
        got = {"request": answer["request"]} if "request" in answer else {}
        need(got == wanted, f"answer {got}, not {wanted}: {dumps(message)}")
        return answer

    def hear_subscription(self, asked: Asked, result: Any) -> None:
        name = asked.subscribed
        need(result["revision"] == self.revisions.get(name, 0), f"revision of {result}")
        if "snapshot" in result:
            self.mirrors[name] = Mirror(result["snapshot"]["sections"], result)
        else:
            since = asked.params["since"]
            past = asked.plain.past.get(since, []) if asked.plain else []
            self.mirrors[name] = Mirror(past, {**result, "revision": since})
            self.mirrors[name].change(result)
        self.compare_doc(name, asked.doc)

    def check_reply(self, asked: Asked, result: Any) -> None:
        effect = asked.effects[0]
        name, base = effect.plain.name, self.revisions.get(effect.plain.name, 0)
        need((result["list"], result["baseRevision"]) == (name, base), f"base {base}")
        self.check_revision(effect, result)
        form = asked.params.get("format", "none" if name in asked.subscriptions else "stages")
        need(result["format"] == form, f"format {form}")
        need(form == "none" or form in result, f"no {form}")
        if form == "stages":
            answer = trace(effect.old, effect.new, result["stages"])
            content = asked.params.get("content", False)
            check_trace(answer, result["stages"], result["counts"], content, effect.forced)

    def check_revision(self, effect: Effect, answer: Any) -> None:
        base, now = answer["baseRevision"], answer["revision"]
        last = max(base, self.lasts.get(effect.plain.name, 0))
        need(now > last if effect.is_revision else now == base, f"revision {now} after {base}")

    def hear_changes(self, asked: Asked, wanted: Any) -> None:
        effects = {effect.plain.name: effect for effect in asked.effects}
        given = "selected" in asked.params
        heard: List[str] = []
        while len(heard) < len(wanted):
            answer = self.note(asked, "didChange")
            name = answer["list"]
            fits = name in wanted and name not in heard
            need(fits, f"answer of {name}, not {wanted}: {dumps(answer)}")
            made = {s for n in heard for s in effects[n].sources}
            need(name not in made, f"{name} is notified after its composites: {heard}")
            heard.append(name)
            effect, mirror = effects[name], self.mirrors[name]
            need(answer["baseRevision"] == self.revisions.get(name, 0), f"base of {dumps(answer)}")
            self.check_revision(effect, answer)
            if answer["format"] == "stages":
                traced = trace(effect.old, effect.new, answer["stages"])
                check_trace(traced, answer["stages"], answer["counts"], True, effect.forced)
                first = name == asked.params["list"]
                check_marks(answer, traced, mirror.selection, effect.hidden, given and first)
                if "cursor" not in asked.params or not first:
                    policy = asked.params.get("cursorPolicy", "follow") if first else "follow"
                    check_cursor(answer, traced, mirror.cursor, policy)
            mirror.change(answer)
            self.compare_doc(name, effect.new)
        for effect in asked.effects:
            if effect.is_revision:
                self.advance(effect, asked)

    def advance(self, effect: Effect, asked: Asked) -> None:
        """Records a revision; if nobody is subscribed to the list, it is requested later."""
        name = effect.plain.name
        mirror = self.mirrors.get(name) if name in asked.subscriptions else None
        if mirror:
            self.revisions[name] = mirror.revision
        else:
            last = max(self.revisions.get(name, 0), self.lasts.get(name, 0))
            self.revisions[name] = last + 1
        effect.plain.past[self.revisions[name]] = effect.sections

    def hear_selection(self, asked: Asked, result: Any) -> None:
        mirror = self.mirrors[asked.params["list"]]
        # An item without rows may be selected, which only a notification reports.
        unseen = bool(hidden(asked))
        if result is None or unseen:
            self.waiting = self.next()
            message = self.waiting if isinstance(self.waiting, dict) else {}
            answer = message.get("params", {})
            if message.get("method") == "didSelect" and answer["list"] == asked.params["list"]:
                if answer.get("request") == asked.id:
                    mirror.select(self.note(asked, "didSelect"), unseen)
            return
        after = Mirror([], {**result, "revision": 0})
        if (after.selection, after.cursor) != (mirror.selection, mirror.cursor):
            mirror.select(self.note(asked, "didSelect"))
            need(
                (after.selection, after.cursor) == (mirror.selection, mirror.cursor),
                "the reply and the notification have different selections",
            )

    def compare_doc(self, name: str, doc: Any) -> None:
        wanted = Mirror(doc, {"revision": 0, "selection": [], "cursor": None})
        mirror = self.mirrors[name]
        need(
            mirror.contents() == wanted.contents(),
            f"the mirror of {name} has {dumps(mirror.doc)}, not {dumps(doc)}",
        )

    def compare(self, names: List[str]) -> None:
        """Checks that every list equals the model, and every mirror its list."""
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
                     f"mirror of {name}: {mirror.selection} {mirror.cursor}: {got}")  # fmt: skip
                self.compare_doc(name, self.world.sects(name))
            past = self.world.lists[name].past
            for revision in list(past)[:-30]:
                del past[revision]


def drawn(doc: Any) -> str:
    return shorten(dumps([[sect.own, [row.content for row in sect.rows]] for sect in doc]))


def hidden(asked: Asked) -> Any:
    """The items without rows of the list that a request is about."""
    return asked.effects[0].hidden if asked.effects else asked.hidden


def is_notified(effect: Effect) -> bool:
    return effect.is_revision or any(
        place_is_kept(effect, place) for place in [*effect.forced[0], *effect.forced[1]]
    )


def place_is_kept(effect: Effect, place: Any) -> bool:
    """Reports whether a forced row was in the list before: a new row is an insert."""
    if isinstance(place, int):
        return key(effect.new[place].own["id"]) in [key(s.own["id"]) for s in effect.old]
    row = effect.new[place[0]].rows[place[1]]
    return row.identity in [other.identity for s in effect.old for other in s.rows]


@pytest.mark.parametrize("kinds", ["all", "edits"])
def test_a_mirror_of_everything(daemon: Daemon, rng: random.Random, kinds: str) -> None:
    session = Session(daemon, rng, kinds)
    for _ in range(REQUESTS // ROUND // (1 if kinds == "all" else 3) + 1):
        session.round(ROUND)
