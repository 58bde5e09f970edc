"""Clients that live on notifications alone, in every format, while all kinds of requests come."""

from __future__ import annotations

import copy
import random
from typing import Any, Dict, List, Tuple

import jsonpatch
import pytest

from gen import edited, section, snapshot
from ops import Contents, apply_ops, apply_stages
from test_text import apply_edits
from values import dumps, places, same, sects
from wire import Daemon, Refused

pytestmark = pytest.mark.needs("compose", "subscribe", "editSnapshot", "textEdits", "jsonPatch")

LISTS = ("a", "b")
COMPOSITES = {"c": ["a", "b"], "d": ["b", "c"], "e": ["d", "missing", "a"]}
FORMATS = ("stages", "ops", "jsonPatch", "textEdits")
STEPS = 120


class Follower:
    """What one subscriber knows of a list."""

    def __init__(self, name: str, told: Dict[str, Any], text: Dict[str, Any]) -> None:
        self.name, self.revision = name, told["revision"]
        self.sections = told.get("snapshot", {"sections": []})["sections"]
        self.doc = sects(self.sections)
        self.text, self.text_revision = text["text"], text["textRevision"]
        assert told.get("text", self.text) == self.text
        self.selected = set(places(told["selection"]))
        self.cursor = told["cursor"]

    def hear(self, method: str, params: Dict[str, Any]) -> None:
        self.cursor = params["cursor"]
        if method == "didSelect":
            for op in params["ops"]:
                (self.selected.update if op["op"] == "selectItems" else self.drop)(places([op]))
            assert self.selected == set(places(params["selection"]))
            return
        assert params["baseRevision"] == self.revision, dumps(params)
        self.revision = params["revision"]
        self.selected = set(places(params["selection"]))
        self.take(params)

    def drop(self, gone: Any) -> None:
        assert self.selected >= set(gone)
        self.selected -= set(gone)

    def take(self, params: Dict[str, Any]) -> None:
        told = params[params["format"]]
        if params["format"] == "stages":
            self.doc = apply_stages(self.doc, told, Contents())
        elif params["format"] == "ops":
            self.doc = apply_ops(self.doc, told)
        elif params["format"] == "jsonPatch":
            before = {"sections": copy.deepcopy(self.sections)}
            self.sections = jsonpatch.apply_patch(before, told)["sections"]
            self.doc = sects(self.sections)
        else:
            assert params["baseTextRevision"] == self.text_revision, dumps(params)
            self.text = apply_edits(self.text, told)
            self.text_revision = params["textRevision"]

    def check(self, daemon: Daemon, format: str) -> None:
        told = daemon.call("getSnapshot", list=self.name)
        assert (told["revision"], told["cursor"]) == (self.revision, self.cursor)
        assert set(places(told["selection"])) == self.selected
        if format == "textEdits":
            text = daemon.call("getText", list=self.name)
            assert (text["text"], text["textRevision"]) == (self.text, self.text_revision)
            return
        wanted = sects(told["sections"])
        assert same(plain(self.doc), plain(wanted)), dumps(told["sections"])


def plain(doc: Any) -> List[Any]:
    return [[sect.own, [row.content for row in sect.rows]] for sect in doc]


def with_extras(rng: random.Random, sections: List[Any]) -> List[Any]:
    """The sections with modes, and some items with parts or that cannot be selected."""

    def item(value: Any) -> Any:
        if not isinstance(value, dict) or "id" not in value or rng.random() < 0.7:
            return value
        parts = [{"id": k, "text": rng.choice("xyz")} for k in rng.sample(range(4), 3)]
        if rng.random() < 0.5:
            return {**value, "selectable": False}
        return {**value, "parts": parts[: rng.randrange(4)]}

    return [
        {
            **{name: value for name, value in one.items() if name != "items"},
            "selectionMode": rng.choice(["single", "multiple", "multiple", "none"]),
            "items": list(map(item, one["items"])),
        }
        for one in sections
    ]


class World:
    """Two lists, and requests of all kinds about them and what is made of them."""

    def __init__(self, daemon: Daemon, rng: random.Random) -> None:
        self.daemon, self.rng = daemon, rng
        self.states: Dict[str, List[Any]] = {name: [] for name in LISTS}

    def step(self) -> Tuple[str, Dict[str, Any]]:
        rng = self.rng
        kind = rng.choice(["apply"] * 4 + ["edit"] * 3 + ["select"] * 4 + ["back", "compose"])
        name = rng.choice(LISTS)
        if kind == "apply":
            fresh = edited(rng, self.states[name], "object")
            if rng.random() < 0.1:
                fresh = snapshot(rng, 8, 3, "object")
            self.states[name] = fresh
            policy = rng.choice(["follow", "stay", "first"])
            return "applySnapshot", {
                "list": name, "sections": with_extras(rng, fresh), "cursorPolicy": policy,
            }  # fmt: skip
        if kind == "back":
            revision = max(0, self.daemon.call("getSnapshot", list=name)["revision"] - 1)
            return "applySnapshot", {"list": name, "snapshot": {"list": name, "revision": revision}}
        if kind == "compose":
            sources = rng.sample(["a", "b", "x"], rng.randrange(4))
            return "compose", {"list": "c", "sources": sources}
        if kind == "select":
            return "select", self.selection(rng.choice([*LISTS, *COMPOSITES]))
        return "editSnapshot", {"list": name, "edits": self.edits(name)}

    def rows(self, name: str) -> List[Any]:
        told = self.daemon.call("getSnapshot", list=name, window={"start": 0, "count": 500})
        return [{"path": row["at"]} for row in told["rows"]]

    def selection(self, name: str) -> Dict[str, Any]:
        rows = self.rows(name)
        params: Dict[str, Any] = {"list": name}
        if rows and self.rng.random() < 0.5:
            params["cursor"] = self.rng.choice(rows)
        action = self.rng.choice(["toggle", "select", "replace", "extend", "all", "none", "invert"])
        params["action"] = action
        if action not in ("all", "none", "invert"):
            params["items"] = self.rng.sample(rows, min(len(rows), self.rng.randrange(3)))
        return params

    def edits(self, name: str) -> List[Any]:
        rng, made = self.rng, []
        for _ in range(rng.randint(1, 3)):
            row, other = (rng.choice(self.rows(name) or [{"path": [0, 0]}]) for _ in "xy")
            fresh = {"id": rng.randrange(10**9), "text": rng.choice("pqr")}
            made.append(
                rng.choice(
                    [
                        {"edit": "appendItems", "items": [fresh]},
                        {"edit": "insertItems", "items": [fresh], "before": row},
                        {"edit": "deleteItems", "items": [row]},
                        {"edit": "moveItems", "items": [row], "after": other},
                        {"edit": rng.choice(["reloadItems", "reconfigureItems"]), "items": [row]},
                        {"edit": "appendSections", "sections": [section(rng, rng.randrange(5))]},
                        {"edit": "putItems", "items": [{"id": rng.randrange(20), "v": 5}]},
                    ]
                )
            )
        return made


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("round", range(4))
def test_followers(daemon: Daemon, rng: random.Random, format: str, round: int) -> None:
    cell = "{cursor:>| }{selected:*| } {id} {text}{v}"
    daemon.call("registerTemplates", templates={"Cell": cell})
    world = World(daemon, rng)
    followers: Dict[str, Follower] = {}
    for name in LISTS:
        daemon.call("applySnapshot", list=name, items=[])
    for name, sources in COMPOSITES.items():
        daemon.call("compose", list=name, sources=sources)
    for name in [*LISTS, *COMPOSITES]:
        told = daemon.call("subscribe", list=name, format=format)
        followers[name] = Follower(name, told, daemon.call("getText", list=name))
    for _ in range(STEPS):
        method, params = world.step()
        try:
            daemon.call(method, params)
        except Refused as refusal:
            assert refusal.code in (-31001, -31002, -31004, -31005, -31006, -31009, -32602), refusal
            assert daemon.settle() == []
        for message in daemon.settle():
            told = message["params"]
            if message["method"] != "window/logMessage":
                followers[told["list"]].hear(message["method"], told)
        for follower in followers.values():
            try:
                follower.check(daemon, format)
            except AssertionError as error:
                story = f"{follower.name} after {method} {dumps(params)}"
                raise AssertionError(f"{story}\n{error}") from error
