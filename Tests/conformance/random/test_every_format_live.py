"""Mirrors that only apply notifications, in every format, while lists change in every way."""

from __future__ import annotations

import copy
import random
from typing import Any, Dict, List

import jsonpatch
import pytest

from apply_ops import Broken, Contents, apply_ops, apply_stages
from client import Daemon, Refused
from format_cases import contents
from random_edits import Draws
from reference_edits import Arrays
from rounds import rounds
from text_edits import apply_edits
from values import dumps, picture, same, sects

pytestmark = pytest.mark.needs("subscribe", "compose", "editSnapshot", "jsonPatch", "textEdits")
STEPS = rounds(150)
TEMPLATES = ("{text}", "{id}: {v}", "{cursor:>| }{selected:[x]|[ ]} {id}\n  {v}", "{selected:*|}{n}")


class Mirror:
    """A client's copy of a list that it follows in one format."""

    def __init__(self, daemon: Daemon, name: str, format: str) -> None:
        self.daemon, self.name, self.format = daemon, name, format
        answer = daemon.call("subscribe", list=name, format=format)
        self.sections = answer.get("snapshot", {"sections": []})["sections"]
        self.doc = sects(self.sections)
        self.revision = answer["revision"]
        self.text: Dict[str, Any] = {"text": "", "textRevision": 0}
        if format == "textEdits" and self.revision:
            self.text = daemon.call("getText", list=name)

    def hear(self, change: Any) -> None:
        assert change["baseRevision"] == self.revision and change["format"] == self.format
        self.revision = change["revision"]
        if self.format == "stages":
            self.doc = apply_stages(self.doc, change["stages"], Contents())
        elif self.format == "ops":
            self.doc = apply_ops(self.doc, change["ops"])
        elif self.format == "jsonPatch":
            document = {"sections": self.sections}
            self.sections = jsonpatch.apply_patch(document, change["jsonPatch"])["sections"]
        else:
            assert change["baseTextRevision"] == self.text["textRevision"], dumps(change)
            grows = change["textRevision"] > change["baseTextRevision"]
            assert grows == bool(change["textEdits"]), dumps(change)
            self.text["textRevision"] = change["textRevision"]
            self.text["text"] = apply_edits(self.text["text"], change["textEdits"])

    def check(self) -> None:
        answer = self.daemon.call("getSnapshot", list=self.name)
        assert answer["revision"] == self.revision
        if self.format == "textEdits":
            fresh = self.daemon.call("getText", list=self.name)
            assert fresh["text"] == self.text["text"]
            assert fresh["textRevision"] == self.text["textRevision"]
        elif self.format == "jsonPatch":
            assert same(self.sections, answer["sections"]), picture(self.sections)
        else:
            wanted = contents(sects(answer["sections"]))
            assert same(contents(self.doc), wanted), dumps(contents(self.doc))


class Life:
    """Two lists and their composite, changed randomly."""

    def __init__(self, daemon: Daemon, rng: random.Random) -> None:
        self.daemon, self.rng = daemon, rng
        self.draws = {name: Draws(rng, base) for name, base in (("a", 0), ("b", 1000))}
        self.states: Dict[str, List[Any]] = {"a": [], "b": []}

    def step(self) -> Any:
        """Requests one change. Returns the request."""
        kind = self.rng.choice(["apply", "edit", "edit", "edit", "select", "cursor", "templates"])
        name = self.rng.choice("ab")
        if kind == "apply":
            fresh = self.draws[name].snapshot()
            self.states[name] = fresh
            return self.ask("applySnapshot", list=name, sections=fresh)
        if kind == "edit":
            arrays = Arrays(self.states[name])
            edits = [copy.deepcopy(self.draws[name].valid(arrays)) for _ in range(2)]
            self.states[name] = arrays.sections
            return self.ask("editSnapshot", list=name, edits=edits)
        if kind == "templates":
            return self.ask("registerTemplates", templates={"Cell": self.rng.choice(TEMPLATES)})
        path = {"path": [self.rng.randrange(2), self.rng.randrange(3)]}
        target = self.rng.choice([name, "c"])
        if kind == "cursor":
            return self.ask("select", list=target, cursor=path)
        return self.ask("select", list=target, items=[path])

    def ask(self, method: str, **params: Any) -> Any:
        try:
            self.daemon.call(method, params)
        except Refused:
            assert method == "select"
        return [method, params]


@pytest.mark.parametrize("format", ["stages", "ops", "jsonPatch", "textEdits"])
def test_mirrors(daemon: Daemon, rng: random.Random, format: str) -> None:
    life = Life(daemon, rng)
    for name in "ab":
        daemon.call("applySnapshot", list=name, sections=[])
    daemon.call("compose", list="c", sources=["a", "b"])
    mirrors = {name: Mirror(daemon, name, format) for name in "abc"}
    daemon.settle()
    for _ in range(STEPS):
        before = {name: picture(mirror.sections) for name, mirror in mirrors.items()}
        asked = life.step()
        notes = [note for note in daemon.settle() if note["method"] == "didChange"]
        answer = f"\n  asked: {dumps(asked)}\n  before: {before}\n  answer: {dumps(notes)}"
        try:
            for note in notes:
                mirrors[note["params"]["list"]].hear(note["params"])
            for mirror in mirrors.values():
                mirror.check()
        except (AssertionError, Broken, jsonpatch.JsonPatchException) as problem:
            pytest.fail(f"{problem}{answer}", pytrace=False)
