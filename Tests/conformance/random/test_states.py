"""States of a list, its revisions with edits made, compared with each other and with arrays."""

from __future__ import annotations

import random
from typing import Any, Dict, List, Tuple

import pytest

from change_laws import check
from client import Daemon
from random_edits import Draws
from reference_edits import Arrays, Sections
from rounds import rounds
from values import dumps, same

pytestmark = pytest.mark.needs("editSnapshot")
FORMATS = ["ops", "jsonPatch", "none"]


def paths(sections: Sections) -> List[List[int]]:
    counts = [sum(len(one.get("parts", "1")) for one in s["items"]) for s in sections]
    return [[section, row] for section, count in enumerate(counts) for row in range(count)]


class Story:
    """A list of items with identifiers, and its revisions so far."""

    def __init__(self, daemon: Daemon, rng: random.Random) -> None:
        self.daemon, self.rng, self.draws = daemon, rng, Draws(rng, plain=True)
        self.past: Dict[int, Sections] = {}
        sections = self.draws.snapshot()
        self.revision = daemon.call("applySnapshot", list="l", sections=sections)["revision"]
        self.past[self.revision] = sections

    def change(self) -> None:
        arrays = Arrays(self.past[self.revision], self.past.get)
        edits = [self.draws.valid(arrays) for _ in range(self.rng.choice([1, 1, 2, 4]))]
        self.revision = self.daemon.call("editSnapshot", list="l", edits=edits)["revision"]
        self.past[self.revision] = arrays.sections

    def state(self) -> Tuple[Dict[str, Any], Sections]:
        """A reference to a state, and its sections."""
        revision = self.rng.choice([self.revision, *self.past])
        named = self.rng.random() < 0.7 or revision != self.revision
        reference: Dict[str, Any] = {"list": "l", **({"revision": revision} if named else {})}
        arrays = Arrays(self.past[revision], self.past.get)
        if self.rng.random() < 0.6:
            reference["edits"] = [
                self.draws.valid(arrays) for _ in range(self.rng.choice([1, 1, 2, 4]))
            ]
        return reference, arrays.sections

    def compare(self) -> None:
        (old, before), (new, after) = self.state(), self.state()
        answer = self.daemon.call("diff", {"from": old, "to": new, "content": True})
        try:
            check(before, after, answer["stages"], answer["counts"], content=True)
        except AssertionError as law:
            story = f"\n  {dumps(old)}\n  {dumps(new)}\n  {dumps(answer)}"
            pytest.fail(f"{law}{story}", pytrace=False)
        revisions = {
            name: state.get("revision", self.revision)
            for name, state in [("baseRevision", old), ("revision", new)]
            if "edits" not in state
        }
        assert {name: answer.get(name) for name in revisions} == revisions
        assert len({"baseRevision", "revision"} & set(answer)) == len(revisions)
        # The daemon checks the other formats itself.
        self.daemon.call("diff", {"from": old, "to": new, "format": self.rng.choice(FORMATS)})

    def mark(self) -> None:
        """Selects a few items, and moves the cursor."""
        rows = [
            {"id": item["id"]} for one in self.past[self.revision] for item in one["items"]
            if one.get("selectionMode") == "multiple" and item.get("selectable", True)
        ]  # fmt: skip
        if rows:
            chosen = self.rng.sample(rows, min(len(rows), 3))
            self.daemon.call("select", list="l", action="toggle", items=chosen)
            shown = [{"path": path} for path in paths(self.past[self.revision])]
            self.daemon.call("select", list="l", cursor=self.rng.choice([None, *shown]))

    def go_back(self) -> None:
        """Gives the list the content of a state, which does to it what a snapshot does to its copy."""
        before = self.past[self.revision]
        self.daemon.call("applySnapshot", list="copy", sections=before, format="none")
        marks = self.daemon.call("getSelection", list="l")
        items = [{"id": one["id"]} for one in marks["items"]]
        self.daemon.call("select", list="copy", action="replace", items=items, cursor=None)
        if marks["cursor"] is not None:
            cursor = {"path": marks["cursor"]}
            self.daemon.call("select", list="copy", cursor=cursor)
        reference, after = self.state()
        more = self.rng.choice([{}, {}, {"cursorPolicy": "first"}, {"selected": []}])
        calls = [
            ("applySnapshot", {"list": "l", "snapshot": reference, "content": True, **more}),
            ("applySnapshot", {"list": "copy", "sections": after, "content": True, **more}),
        ]
        answer, other = self.daemon.pipeline(calls)
        check(before, after, answer["stages"], answer["counts"], content=True)
        for name in ["selection", "cursor", "deselected", "counts"]:
            assert answer[name] == other[name], (name, reference, answer, other)
        self.revision = answer["revision"]
        self.past[self.revision] = after
        self.daemon.call("removeList", list="copy")

    def read(self) -> None:
        got = self.daemon.call("getSnapshot", list="l")
        assert got["revision"] == self.revision
        assert same(got["sections"], self.past[self.revision])


@pytest.mark.parametrize("stories", [25])
def test_a_list_returns_to_a_state(stories: int, rng: random.Random) -> None:
    with Daemon("--self-check") as daemon:
        for _ in range(rounds(stories)):
            story = Story(daemon, rng)
            daemon.call("compose", list="over", sources=["l"])
            daemon.call("subscribe", list="over", format=rng.choice(["stages", "textEdits"]))
            for _ in range(12):
                for _ in range(rng.randint(1, 3)):
                    story.change()
                story.mark()
                story.go_back()
                story.read()
            daemon.settle()
            daemon.call("removeList", list="over")
            daemon.call("removeList", list="l")


@pytest.mark.parametrize("stories", [40])
def test_states_of_a_list_are_compared(stories: int, rng: random.Random) -> None:
    with Daemon("--self-check") as daemon:
        for _ in range(rounds(stories)):
            story = Story(daemon, rng)
            for _ in range(12):
                story.change()
                for _ in range(rng.randrange(4)):
                    story.compare()
                if rng.random() < 0.3:
                    story.read()
            story.read()
            daemon.call("removeList", list="l")
