"""Queries, changes of the sources and selections in turn, as in a picker while lines arrive.

The view has more items than it needs for its window. A new view of the same sources must have the same items.
"""

from __future__ import annotations

import random
from typing import Any, Dict, List

import pytest

from client import Daemon, Refused
from rounds import rounds

pytestmark = pytest.mark.needs("compose", "editSnapshot", "select", "locate")

STEPS = rounds(60)
WORDS = "src main lib config test server README share messages python3 index".split()
QUERIES = ["s", "src", "sr m", "mai", "1", "12", "lib", "conf", "'test", "x", ""]
WINDOWS = [0, 0, 0, 3, 50, 10_000]
SORTS: List[Dict[str, Any]] = [{"by": "$score"}, {"by": "n"}]


class Typing:
    def __init__(self, daemon: Daemon, rng: random.Random) -> None:
        self.daemon, self.rng, self.count = daemon, rng, 0
        self.selection = rng.choice([{}, {"selection": "source"}])
        self.sources = rng.choice([["a"], ["a", "b"]])
        for name in "ab":
            items = self.items(rng.choice([40, 200, 400]))
            daemon.call("applySnapshot", list=name, items=items, format="none")
        self.view: Dict[str, Any] = {}
        self.type()

    def item(self, number: int) -> Dict[str, Any]:
        text = "/".join(self.rng.choices(WORDS, k=self.rng.randrange(1, 5)))
        return {"id": number, "text": f"{text}{number}", "n": self.rng.randrange(20)}

    def items(self, count: int) -> List[Dict[str, Any]]:
        self.count += count
        return [self.item(number) for number in range(self.count - count, self.count)]

    def any(self) -> int:
        return self.rng.randrange(self.count)

    def type(self) -> None:
        rng = self.rng
        query = rng.choice(QUERIES)
        self.view = {**self.selection, "match": {"query": query}}
        if rng.random() < 0.1:
            del self.view["match"]
        elif query and rng.random() < 0.15:
            self.view["sort"] = SORTS
        if rng.random() < 0.1:
            self.view["where"] = {"member": "n", "to": 12}
        if rng.random() < 0.2:
            self.view["sections"] = "keep"
        if rng.random() < 0.9:
            self.view["window"] = {"start": rng.choice(WINDOWS), "count": rng.choice([1, 5, 12])}
        self.daemon.call("compose", list="v", sources=self.sources, view=self.view)

    def change(self) -> None:
        rng, kind = self.rng, self.rng.random()
        if kind < 0.4:
            edits: List[Any] = [{"edit": "appendItems", "items": self.items(rng.choice([1, 3, 20]))}]
        elif kind < 0.55:
            edits = [{"edit": "insertItems", "before": self.any(), "items": self.items(2)}]
        elif kind < 0.7:
            edits = [{"edit": "updateItems", "items": [self.item(self.any())]}]
        elif kind < 0.8:
            item, other = rng.sample(range(self.count), 2)
            edits = [{"edit": "moveItems", "items": [item], "before": other}]
        elif kind < 0.85:
            edits = [{"edit": "appendSections", "sections": [{"id": self.count, "items": self.items(3)}]}]
        else:
            # The first rows of the view, or other ones.
            shown = self.daemon.call("getSnapshot", list="v")["sections"]
            first = [item["id"] for section in shown for item in section["items"]]
            edits = [{"edit": "deleteItems", "items": first or [self.any()]}]
        self.ask("editSnapshot", list=rng.choice("ab"), edits=edits)

    def ask(self, method: str, **params: Any) -> Any:
        try:
            return self.daemon.call(method, params)
        except Refused as refusal:
            assert refusal.code == -31005, refusal
            return None

    def step(self) -> None:
        rng, kind = self.rng, self.rng.random()
        if kind < 0.3:
            self.type()
        elif kind < 0.4 and "window" in self.view:
            window = {"start": rng.choice(WINDOWS), "count": rng.choice([1, 12, 40])}
            self.view = {**self.view, "window": window}
            self.daemon.call("compose", list="v", sources=self.sources, view=self.view)
        elif kind < 0.5:
            self.ask("select", list=rng.choice("av"), items=[rng.choice([self.any(), {"path": [0, 0]}])])
        elif kind < 0.55:
            self.ask("locate", list="v", items=[self.any(), self.any()])
        elif kind < 0.6:
            self.ask("applySnapshot", list="b", items=self.items(100))
        else:
            self.change()

    def check(self) -> None:
        self.daemon.call("compose", list="new", sources=self.sources, view=self.view)
        view, new = (self.daemon.call("getSnapshot", list=name) for name in ("v", "new"))
        assert view["sections"] == new["sections"]
        assert view.get("view") == new.get("view")
        self.daemon.call("removeList", list="new")


@pytest.mark.parametrize("round", range(6))
@pytest.mark.parametrize("args", [[], ["--history-bytes", "2K"]])
def test_a_view_follows_changes_between_queries(
    rng: random.Random, args: List[str], round: int
) -> None:
    with Daemon(*args) as daemon:
        typing = Typing(daemon, rng)
        daemon.call("subscribe", list="v", format="ops")
        for step in range(STEPS):
            typing.step()
            if step % 8 == 0:
                typing.check()
