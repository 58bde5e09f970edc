"""Items with parts in lists, composites, views and outlines: edits, and whole snapshots of the same content."""

from __future__ import annotations

import random
from typing import Any, Dict, List, Optional

import pytest

from client import Daemon, Refused
from random_edits import Draws
from reference_edits import Arrays
from rounds import rounds
from values import same

pytestmark = pytest.mark.needs("editSnapshot", "compose")
SORT = {"sort": [{"by": "v"}, {"by": "id", "order": "descending"}]}
VIEWS: Dict[str, Any] = {
    "over": None,
    "where": {"where": {"member": "v", "to": 1}},
    "sorted": {**SORT, "window": {"start": 1, "count": 4}},
    "groups": {**SORT, "sections": {"by": "v"}},
    "outline": {**SORT, "tree": {"parent": "up", "open": 1}},
    "shown": {"tree": {"parent": "up", "open": 2}, "window": {"start": 0, "count": 5}},
}
READS = ["getSnapshot", "getSelection", "getText"]


def attempt(daemon: Daemon, method: str, asked: Dict[str, Any]) -> Optional[Any]:
    """The result of a request that may be refused, or `None`."""
    try:
        return daemon.call(method, asked)
    except Refused:
        return None


class TreeDraws(Draws):
    """Items with identifiers, of which most have parts and a parent."""

    def item(self, number: Optional[int] = None) -> Any:
        made = super().item(number)
        if self.chance(0.6):
            made["up"] = self.rng.randrange(self.stock)
        if self.chance(0.5):
            names = self.rng.sample("abcd", self.rng.randrange(4))
            made["parts"] = [{"id": name, "v": self.rng.randrange(2)} for name in names]
        return made


class Pair:
    """Two daemons with equal lists. In one the list is edited, in the other it is replaced."""

    def __init__(self, edited: Daemon, replaced: Daemon, rng: random.Random) -> None:
        self.daemons, self.rng, self.draws = [edited, replaced], rng, TreeDraws(rng, plain=True)
        self.arrays = Arrays(self.draws.snapshot())
        self.both("applySnapshot", list="l", sections=self.arrays.sections)
        for name, view in VIEWS.items():
            more = {} if view is None else {"view": view}
            self.both("compose", list=name, sources=["l"], **more)
        self.both("compose", list="top", sources=["groups", "outline"])
        self.lists = ["l", *VIEWS, "top"]
        for name in self.lists:
            edited.call("subscribe", list=name, format=rng.choice(["ops", "stages", "textEdits", "jsonPatch"]))

    def both(self, method: str, **params: Any) -> List[Any]:
        return [daemon.call(method, params) for daemon in self.daemons]

    def change(self) -> None:
        edits = [self.draws.valid(self.arrays) for _ in range(self.rng.choice([1, 1, 2, 5]))]
        policy = {"cursorPolicy": self.rng.choice(["follow", "follow", "stay", "first"])}
        self.daemons[0].call("editSnapshot", list="l", edits=edits, **policy)
        sections = self.arrays.sections
        self.daemons[1].call("applySnapshot", list="l", sections=sections, **policy)

    def mark(self) -> None:
        """Selects and deselects items, and moves the cursor, by the paths of rows."""
        name = self.rng.choice(self.lists)
        total = self.daemons[0].call("getSnapshot", list=name, window={"start": 0, "count": 0})["total"]
        if total == 0:
            return
        window = {"start": self.rng.randrange(total), "count": 2}
        rows = self.daemons[0].call("getSnapshot", list=name, window=window)["rows"]
        items = [{"path": row["at"]} for row in rows if self.rng.random() < 0.7]
        more = {"cursor": {"path": rows[0]["at"]}} if self.rng.random() < 0.6 else {}
        action = self.rng.choice(["toggle", "toggle", "select", "replace", "extend"])
        asked = {"list": name, "action": action, "items": items, **more}
        answers = [attempt(daemon, "select", asked) for daemon in self.daemons]
        assert (answers[0] is None) == (answers[1] is None), (asked, answers)

    def expand(self) -> None:
        name, edit = self.rng.choice(["outline", "shown"]), self.rng.choice(["expandAll", "collapseAll"])
        self.both("editSnapshot", list=name, edits=[{"edit": edit}])

    def read(self) -> None:
        for name in self.lists:
            for method in READS:
                edited, replaced = self.both(method, list=name)
                for member in ("revision", "textRevision"):
                    edited.pop(member, None), replaced.pop(member, None)
                assert same(edited, replaced), (name, method, edited, replaced)
        rows = [[(one["items"], one["rows"]) for one in got["lists"]] for got in self.both("getLists")]
        assert rows[0] == rows[1]


@pytest.mark.parametrize("stories", [12])
def test_edits_are_shown_like_snapshots(stories: int, rng: random.Random) -> None:
    for _ in range(rounds(stories)):
        with Daemon("--self-check") as edited, Daemon() as replaced:
            pair = Pair(edited, replaced, rng)
            for _ in range(15):
                pair.change()
                pair.read()
                rng.choice([pair.mark, pair.mark, pair.expand])()
                pair.read()
            edited.settle()
