"""Random selections and changes against plain sets, in a list and in what is made of it."""

from __future__ import annotations

import copy
import random
from typing import Any, Dict, List

import pytest

from client import Daemon, request
from random_snapshots import edited, snapshot
from reference_selection import Selected
from rounds import rounds
from session_model import tag
from values import dumps, picture, places

pytestmark = pytest.mark.needs("compose")
STEPS = rounds(2500)
ACTIONS = ("toggle", "toggle", "select", "deselect", "replace", "extend", "extend", "extend",
           "all", "none", "invert")  # fmt: skip
BASE = 10**10


class Following(Selected):
    """A selection that follows its list."""

    def place(self, id: Any) -> List[int]:
        return next(
            [s, r]
            for s, section in enumerate(self.sections)
            for r, item in enumerate(section["items"])
            if item["id"] == id
        )

    def carry(self, sections: Any) -> List[Dict[str, Any]]:
        """Moves on to the next sections. Returns the expected `deselected`."""
        was = sorted((self.place(id), id) for id in self.ids)
        self.sections = sections
        stay = {id for section in sections for id in self.selectable(section)}
        there = {item["id"] for section in sections for item in section["items"]}
        self.ids &= stay
        for section in sections:
            if self.mode(section) == "single":
                for extra in sorted(self.inside(section), key=self.place)[1:]:
                    self.ids.discard(extra)
        self.extension &= there
        self.anchor = self.anchor if self.anchor in there else None
        return [
            {"id": id, "at": at, "gone": id not in there} for at, id in was if id not in self.ids
        ]


class Story:
    """The lists a and b and their composite c, each with its selection and its cursor."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lists = {name: self.dressed(self.based(snapshot(rng, 8, 3, "object"), name))
                      for name in "ab"}  # fmt: skip
        self.models = {name: Following(self.sections(name)) for name in "abc"}
        self.asked: List[Any] = []
        self.wanted: List[Any] = []

    def based(self, sections: Any, name: str, by: int = BASE) -> Any:
        """Snapshots of b have other ids than those of a."""
        if name == "a":
            return sections
        return [
            {**s, "items": [{**item, "id": item["id"] + by} for item in s["items"]]}
            for s in sections
        ]

    def sections(self, name: str) -> Any:
        if name != "c":
            return copy.deepcopy(self.lists[name])
        return [{**s, "id": tag(one, s["id"])} for one in "ab" for s in self.sections(one)]

    def dressed(self, sections: Any) -> Any:
        """With other modes, and other items that cannot be selected."""
        for one in sections:
            if self.rng.random() < 0.3:
                one["selectionMode"] = self.rng.choice(["none", "single", "multiple", "multiple"])
            if self.rng.random() < 0.1:
                one["allowsEmptySelection"] = self.rng.random() < 0.5
            for item in one["items"]:
                if self.rng.random() < 0.08:
                    item["selectable"] = not item.get("selectable", True)
        return sections

    def change(self, name: str) -> None:
        fresh = self.based(self.sections(name), name, -BASE)
        fresh = edited(self.rng, fresh, "object")
        if self.rng.random() < 0.1:
            fresh = snapshot(self.rng, 8, 3, "object")
        self.lists[name] = self.dressed(self.based(copy.deepcopy(fresh), name))
        model = self.models[name]
        left = model.carry(self.sections(name))
        self.models["c"].carry(self.sections("c"))
        params = {"list": name, "sections": self.sections(name)}
        self.ask("applySnapshot", params, {"deselected": left, **self.marks(name)})

    def recompose(self) -> None:
        sources = self.rng.choice([["a"], ["a", "b"], ["b"]])
        model = self.models["c"]
        whole = self.sections("c")
        inner = [s for s in whole if s["id"].split("/")[0] in sources]
        left = model.carry(inner)
        asked = {"list": "c", "sources": sources}
        self.ask("compose", asked, {"deselected": left, **self.marks("c")})
        model.carry(whole)
        self.ask("compose", {"list": "c", "sources": ["a", "b"]}, self.marks("c"))

    def act(self, name: str) -> None:
        model, action = self.models[name], self.rng.choice(ACTIONS)
        params: Dict[str, Any] = {"list": name, "action": action}
        before = set(model.ids)
        if action in ("all", "none", "invert"):
            if model.sections and self.rng.random() < 0.5:
                params["section"] = self.rng.choice(model.sections)["id"]
            model.act(action, [], params.get("section"))
        else:
            some = [id for section in model.sections for id in model.selectable(section)]
            if not some:
                return
            count = 1 if action == "extend" else self.rng.randint(1, 3)
            params["items"] = [self.rng.choice(some) for _ in range(count)]
            model.act(action, params["items"])
        ops = {
            "deselectItems": sorted(model.place(id) for id in before - model.ids),
            "selectItems": sorted(model.place(id) for id in model.ids - before),
        }
        self.ask("select", params, {"ops": ops, **self.marks(name)})

    def marks(self, name: str) -> Dict[str, Any]:
        model = self.models[name]
        return {"selection": sorted(model.place(id) for id in model.ids)}

    def ask(self, method: str, params: Any, wanted: Any) -> None:
        self.asked.append(request(method, params, len(self.asked)))
        self.wanted.append((wanted, picture(self.models[params["list"]].sections)))
        for name in "abc":
            self.asked.append(request("getSelection", {"list": name}, len(self.asked)))
            ids = sorted(self.models[name].ids, key=self.models[name].place)
            self.wanted.append(({**self.marks(name), "ids": ids}, ""))


def answer(result: Any) -> Dict[str, Any]:
    """The selection in a reply, as single paths instead of ranges."""
    said = {"selection": [list(at) for at in places(result["selection"])]}
    if "deselected" in result:
        said["deselected"] = result["deselected"]
    if "ops" in result:
        said["ops"] = {
            kind: [list(at) for at in places(op for op in result["ops"] if op["op"] == kind)]
            for kind in ("deselectItems", "selectItems")
        }
    if "items" in result:
        said["ids"] = [item["id"] for item in result["items"]]
    return said


def test_selections_of_sets(daemon: Daemon, rng: random.Random) -> None:
    story = Story(rng)
    for name in "ab":
        daemon.call("applySnapshot", list=name, sections=story.sections(name))
    daemon.call("compose", list="c", sources=["a", "b"])
    for _ in range(STEPS):
        chance = rng.random()
        if chance < 0.25:
            story.change(rng.choice("ab"))
        elif chance < 0.28:
            story.recompose()
        else:
            story.act(rng.choice("abc"))
        if len(story.asked) > 200:
            compare(daemon, story)
    compare(daemon, story)


def compare(daemon: Daemon, story: Story) -> None:
    daemon.send(*story.asked)
    for asked, (wanted, state) in zip(story.asked, story.wanted):
        reply = daemon.reply()
        assert "result" in reply, f"{dumps(asked)}\n  answer: {dumps(reply)}"
        got = answer(reply["result"])
        for name, value in wanted.items():
            assert got[name] == value, (
                f"\n  list:  {state}\n  asked: {dumps(asked)}\n"
                f"  {name}: {got[name]}\n  not:   {value}"
            )
    story.asked.clear()
    story.wanted.clear()
