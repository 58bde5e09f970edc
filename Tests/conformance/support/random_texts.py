"""Random requests about lists, views and an outline whose texts are followed."""

from __future__ import annotations

import random
from typing import Any, Dict, List

import random_views
from client import Daemon

LISTS = ("a", "b")
VIEWS: Dict[str, Dict[str, Any]] = {
    "whole": {"sources": ["a", "b"]},
    "found": {
        "sources": ["a"],
        "view": {"match": {"query": "i", "members": ["n", "id"]}, "window": {"start": 0, "count": 9}},
    },
    "grouped": {"sources": ["whole"], "view": {"sections": {"by": "g"}, "sort": [{"by": "n"}]}},
    "shared": {"sources": ["b"], "view": {"selection": "source", "where": {"member": "id", "from": 3}}},
    "outline": {"sources": ["a"], "view": {"tree": {"parent": "up", "open": 1}}},
}
CELLS = [
    "{cursor:>| }{selected:*| } {id} {n:8…#Name} {$level}",
    "{indent:..}{expanded:-|+| }{n}\n{g}",
    "{n}",
    "{selected:*| }{id:>5#Number}",
    "{n:line9…#Name}{id:bytes>6}{g:line}",
]


class Requests:
    """Random requests to a daemon, which is asked for its rows."""

    def __init__(self, daemon: Daemon, rng: random.Random) -> None:
        self.daemon, self.rng, self.fresh = daemon, rng, 1_000

    def item(self, id: Any = None) -> Any:
        if id is None:
            self.fresh += 1
            id = self.fresh
        made: Any = "bare"
        while not isinstance(made, dict):
            made = random_views.item(self.rng, id)
        return {**made, "up": self.rng.choice([None, 1, 2, 3, 100, 101, self.fresh])}

    def rows(self, name: str) -> List[Any]:
        window = {"start": 0, "count": 200}
        answer = self.daemon.call("getSnapshot", list=name, window=window)
        return [{"path": row["at"]} for row in answer["rows"]] or [{"path": [0, 0]}]

    def snapshot(self, name: str) -> Any:
        sections = random_views.sections(self.rng, 100 * LISTS.index(name))
        for section in sections:
            items = [one for one in section["items"] if isinstance(one, dict)]
            section["items"] = [{**one, "up": self.rng.choice([None, 1, 2, 101])} for one in items]
        return {"list": name, "sections": sections}

    def edit(self, name: str) -> Any:
        rng, rows = self.rng, self.rows(name)
        row, other = rng.choice(rows), rng.choice(rows)
        section = rng.choice(["s", 1, "1", "t"])
        return rng.choice([
            {"edit": "putItems", "items": [self.item(100 * LISTS.index(name) + rng.randrange(20))]},
            {"edit": "insertItems", "items": [self.item()], "before": row},
            {"edit": "insertItems", "items": [self.item() for _ in range(70)], "after": row},
            {"edit": "deleteItems", "items": rng.sample(rows, min(len(rows), rng.randrange(1, 4)))},
            {"edit": "moveItems", "items": [row], "after": other},
            {"edit": "reloadItems", "items": [row]},
            {"edit": "updateSections", "sections": [{"id": section, "header": rng.choice("xyz")}]},
            {"edit": "appendSections", "sections": [{"id": self.fresh, "footer": "f", "items": []}]},
            {"edit": "deleteSections", "sections": [section]},
            {"edit": "moveSections", "sections": [section], "before": rng.choice(["s", 1, "t"])},
        ])  # fmt: skip

    def step(self) -> Any:
        rng = self.rng
        kind = rng.choice(["edit"] * 6 + ["select"] * 4 + ["expand"] * 2 + ["view", "apply", "cell"])
        name = rng.choice(LISTS)
        if kind == "apply":
            return "applySnapshot", self.snapshot(name)
        if kind == "cell":
            return "registerTemplates", {"templates": {"Cell": rng.choice(CELLS)}}
        if kind == "view":
            name = rng.choice(["found", "grouped", "outline"])
            view = dict(VIEWS[name]["view"])
            if name == "found":
                view["match"] = {"query": rng.choice(["", "f", "fi", "e1"]), "members": ["n"]}
                view["window"] = {"start": rng.randrange(5), "count": rng.randrange(12)}
            elif name == "grouped":
                view["sort"] = [{"by": rng.choice(["n", "id", "g"])}]
            return "compose", {"list": name, "view": view}
        if kind == "expand":
            all = rng.choice(["expandAll", "collapseAll"])
            items = rng.sample(self.rows("outline"), 1)
            some = {"edit": rng.choice(["expandItems", "collapseItems"]), "items": items}
            edits = [rng.choice([some, some, some, {"edit": all}])]
            return "editSnapshot", {"list": "outline", "edits": edits}
        if kind == "select":
            return "select", self.selection(rng.choice([*LISTS, *VIEWS]))
        edits = [self.edit(name) for _ in range(rng.choice([1, 1, 1, 3]))]
        marks = {"cursor": rng.choice(self.rows(name))} if rng.random() < 0.3 else {}
        return "editSnapshot", {"list": name, "edits": edits, **marks}

    def selection(self, name: str) -> Any:
        rows = self.rows(name)
        params: Dict[str, Any] = {"list": name}
        if self.rng.random() < 0.5:
            params["cursor"] = self.rng.choice(rows)
        action = self.rng.choice(["toggle", "select", "replace", "extend", "all", "none", "invert"])
        if action not in ("all", "none", "invert"):
            params["items"] = self.rng.sample(rows, min(len(rows), self.rng.randrange(4)))
        return {**params, "action": action}
