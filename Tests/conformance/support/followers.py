"""Subscribers that apply every notification in one format, and the requests that cause these."""

from __future__ import annotations

import copy
import random
from typing import Any, Dict, List, Tuple

import jsonpatch

from apply_ops import Contents, apply_ops, apply_stages
from client import Daemon
from random_snapshots import edited, section, snapshot
from text_mirror import TextMirror
from values import dumps, places, same, sects

LISTS = ("a", "b")
COMPOSITES = {"c": ["a", "b"], "d": ["b", "c"], "e": ["d", "missing", "a"]}
FORMATS = ("stages", "ops", "jsonPatch", "textEdits")


class Follower:
    """The state of a list that one subscriber knows."""

    def __init__(self, name: str, answer: Dict[str, Any], text: Dict[str, Any]) -> None:
        self.name, self.revision = name, answer["revision"]
        self.sections = answer.get("snapshot", {"sections": []})["sections"]
        self.doc = sects(self.sections)
        self.text = TextMirror({**text, **answer})
        self.selected = set(places(answer["selection"]))
        self.cursor = answer["cursor"]

    def hear(self, method: str, params: Dict[str, Any]) -> None:
        self.cursor = params["cursor"]
        if method == "didSelect":
            for op in params["ops"]:
                (self.selected.update if op["op"] == "selectItems" else self.drop)(places([op]))
            assert self.selected == set(places(params["selection"]))
            if params.get("format") == "textEdits":
                self.text.select(params)
            return
        assert params["baseRevision"] == self.revision, dumps(params)
        self.revision = params["revision"]
        self.selected = set(places(params["selection"]))
        self.take(params)

    def drop(self, gone: Any) -> None:
        assert self.selected >= set(gone)
        self.selected -= set(gone)

    def take(self, params: Dict[str, Any]) -> None:
        answer = params[params["format"]]
        if params["format"] == "stages":
            self.doc = apply_stages(self.doc, answer, Contents())
        elif params["format"] == "ops":
            self.doc = apply_ops(self.doc, answer)
        elif params["format"] == "jsonPatch":
            before = {"sections": copy.deepcopy(self.sections)}
            self.sections = jsonpatch.apply_patch(before, answer)["sections"]
            self.doc = sects(self.sections)
        else:
            self.text.change(params)

    def check(self, daemon: Daemon, format: str) -> None:
        answer = daemon.call("getSnapshot", list=self.name)
        assert (answer["revision"], answer["cursor"]) == (self.revision, self.cursor)
        assert set(places(answer["selection"])) == self.selected
        if format == "textEdits":
            extras = {"spans": self.text.spans is not None, "selectedLines": True}
            self.text.check(daemon.call("getText", list=self.name, **extras))
            return
        wanted = sects(answer["sections"])
        assert same(plain(self.doc), plain(wanted)), dumps(answer["sections"])


def plain(doc: Any) -> List[Any]:
    return [[sect.own, [row.content for row in sect.rows]] for sect in doc]


def with_extras(rng: random.Random, sections: List[Any]) -> List[Any]:
    """The sections with selection modes; some items have parts or are not selectable."""

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
    """Random requests about two lists and their composites."""

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
        answer = self.daemon.call("getSnapshot", list=name, window={"start": 0, "count": 500})
        return [{"path": row["at"]} for row in answer["rows"]]

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
