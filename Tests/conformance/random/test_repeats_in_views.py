"""Views of lists with repeated items: edits, and whole snapshots of the same content."""

# Promise: Edits of lists with repeated items are shown by views as whole snapshots are, with as many revisions.

from __future__ import annotations

import random
from typing import Any, Dict, List

import pytest

from client import Daemon, Refused
from rounds import rounds
from values import same

pytestmark = pytest.mark.needs("editSnapshot", "compose")
KINDS = ["insert", "append", "delete", "move", "move", "reload"]
SORT = {"sort": [{"by": "v"}]}
VIEWS: Dict[str, Any] = {
    "where": {"where": {"member": "v", "to": 1}},
    "sorted": SORT,
    "merged": {"sort": [{"by": "$source"}, {"by": "v", "order": "descending"}], "sections": "merge"},
    "window": {**SORT, "window": {"start": 1, "count": 4}},
    "groups": {**SORT, "sections": {"by": "v"}},
    "first": {"distinct": "w"},
    "matched": {"match": {"query": "b", "members": ["t"]}, "window": {"count": 5}},
    "shared": {**SORT, "window": {"start": 0, "count": 3}, "selection": "source"},
}


class Pair:
    """Two daemons with equal lists. In one the lists are edited, in the other they are replaced."""

    def __init__(self, edited: Daemon, replaced: Daemon, rng: random.Random) -> None:
        self.daemons, self.rng = [edited, replaced], rng
        self.lists: Dict[str, List[List[Any]]] = {}
        for name in "pq":
            self.lists[name] = [[self.item() for _ in range(rng.randrange(5))] for _ in range(2)]
            self.both("applySnapshot", list=name, sections=self.sections(name))
        for name, view in VIEWS.items():
            self.both("compose", list=name, sources=["p", "q"], view=view)
        self.both("compose", list="over", sources=["sorted", "window"])
        self.both("compose", list="again", sources=["groups", "over"], view={"where": {"member": "v", "from": 1}})
        self.views = [*VIEWS, "over", "again"]
        if rng.random() < 0.7:
            tree = {"tree": {"parent": "w", "open": "all"}}
            self.both("compose", list="outline", sources=["q", "p"], view={**tree, **rng.choice([{}, SORT])})
            self.both("compose", list="branches", sources=["outline"], view={**tree, "window": {"start": 1, "count": 5}})
            self.views += ["outline", "branches"]
        for name in self.views:
            edited.call("subscribe", list=name, format=rng.choice(["ops", "stages", "textEdits", "jsonPatch"]))

    def both(self, method: str, **params: Any) -> List[Any]:
        return [daemon.call(method, params) for daemon in self.daemons]

    def item(self) -> Any:
        if self.rng.random() < 0.15:
            return self.rng.randrange(2)
        return {"v": self.rng.randrange(3), "w": self.rng.randrange(2), "t": self.rng.choice(["a", "b", "ab"])}

    def sections(self, name: str) -> List[Any]:
        return [{"id": index, "items": items} for index, items in enumerate(self.lists[name])]

    def change(self) -> None:
        name = self.rng.choice("pq")
        sections = self.lists[name]
        edits = []
        for _ in range(self.rng.choice([1, 1, 2, 5])):
            filled = [index for index, items in enumerate(sections) if items]
            index = self.rng.choice(filled) if filled else 0
            items = sections[index]
            row = self.rng.randrange(len(items)) if items else 0
            kind = self.rng.choice(KINDS) if items else "append"
            target = self.rng.randrange(2)
            if kind == "insert":
                item = self.item()
                edits.append({"edit": "insertItems", "items": [item], "before": {"path": [index, row]}})
                items.insert(row, item)
            elif kind == "append":
                item = self.item()
                edits.append({"edit": "appendItems", "items": [item], "section": target})
                sections[target].append(item)
            elif kind == "delete":
                edits.append({"edit": "deleteItems", "items": [{"path": [index, row]}]})
                items.pop(row)
            elif kind == "reload":
                edits.append({"edit": "reloadItems", "items": [{"path": [index, row]}]})
            else:
                edits.append({"edit": "moveItems", "items": [{"path": [index, row]}], "section": target})
                sections[target].append(items.pop(row))
        self.daemons[0].call("editSnapshot", list=name, edits=edits)
        self.daemons[1].call("applySnapshot", list=name, sections=self.sections(name))

    def move_window(self) -> None:
        name = self.rng.choice(["window", "shared"])
        window = {"start": self.rng.randrange(8), "count": self.rng.randrange(6)}
        self.both("compose", list=name, sources=["p", "q"], view={**VIEWS[name], "window": window})

    def fail(self) -> None:
        """An edit that fails after others of its request."""
        first = {"edit": "appendItems", "items": [self.item()], "section": 0}
        edits = [first, {"edit": "deleteItems", "items": [{"path": [0, 99]}]}]
        with pytest.raises(Refused):
            self.daemons[0].call("editSnapshot", list="p", edits=edits)

    def replace(self) -> None:
        name = self.rng.choice("pq")
        self.rng.choice(self.lists[name]).append(self.item())
        self.both("applySnapshot", list=name, sections=self.sections(name))

    def select(self) -> None:
        name = self.rng.choice(self.views)
        total = self.daemons[0].call("getSnapshot", list=name, window={"start": 0, "count": 0})["total"]
        if total:
            row = {"start": self.rng.randrange(total), "count": 1}
            at = self.daemons[0].call("getSnapshot", list=name, window=row)["rows"][0]["at"]
            self.daemons[0].call("select", list=name, items=[{"path": at}], cursor={"path": at})

    def read(self, members: List[str]) -> List[Any]:
        states = []
        for name in self.views:
            edited, replaced = self.both("getSnapshot", list=name)
            for member in members:
                assert same(edited.get(member), replaced.get(member)), (name, member, edited, replaced)
            states.append(edited)
        return states


@pytest.mark.parametrize("selects", [False, True])
def test_repeated_items_are_shown_like_snapshots(selects: bool, rng: random.Random) -> None:
    for _ in range(rounds(10)):
        with Daemon("--self-check") as edited, Daemon() as replaced:
            pair = Pair(edited, replaced, rng)
            members = ["sections", "view"] if selects else ["sections", "view", "revision"]
            for _ in range(20):
                pair.change()
                pair.read(members)
                rng.choice([pair.move_window, pair.move_window, pair.fail, pair.replace])()
                if selects:
                    pair.select()
                pair.read(members)
            edited.settle()
