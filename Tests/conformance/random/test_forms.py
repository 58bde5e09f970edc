"""Changes with the contents before, without moves, and with some members, in all combinations.

Each change is applied to the list as the client has it, by the code that clients/README.md shows, and each
`old` is compared with what it names there. The daemon checks itself, too.
"""

# Promise: The contents before a change, changes without moves and contents with some members are what a plain
#   implementation makes of the whole. Also `LawTests`.

from __future__ import annotations

import copy
import random
from typing import Any, Dict, List, Tuple

import pytest

from client import Daemon, Refused

pytestmark = pytest.mark.needs("key", "content.both", "members", "moves")

VIEWS: List[Any] = [
    None, {"sort": [{"by": "n"}]}, {"where": {"member": "n", "to": 5}}, {"sections": {"by": "g"}},
    {"match": {"query": "t"}, "window": {"start": 0, "count": 4}}, {"tree": {"parent": "p", "open": "all"}},
]  # fmt: skip
KEYS: List[Any] = [None, None, "k", ["g", "k"], "a.b"]
MEMBERS: List[Any] = [None, None, ["n"], ["a.b", "text"], ["a", "no"], [], ["a.c.d", "k"]]


def cut(content: Any, members: Any) -> Any:
    """The second, obvious implementation of `members`."""
    if members is None or not isinstance(content, dict):
        return content
    if "$part" in content:
        return {name: cut(value, members) for name, value in content.items()}
    kept: Dict[str, Any] = {}
    for name, value in content.items():
        if name in ("id", "template", *members) or name.startswith("$"):
            kept[name] = value
        elif name == "parts":
            kept[name] = [cut(part, members) for part in value]
    for name in members:
        value, path = content, name.split(".")
        for step in path if name not in content else []:
            value = value.get(step, cut) if isinstance(value, dict) else cut
        if name in content or value is cut:
            continue
        place = kept
        for step in path[:-1]:
            place = place.setdefault(step, {})
        place[path[-1]] = value
    for name in {member.split(".")[0] for member in members if "." in member} - set(members):
        # What a path leads into is there even if the path leads nowhere.
        if isinstance(content.get(name), dict):
            kept.setdefault(name, {})
    return kept


def position(at: Any, k: int) -> Tuple[int, ...]:
    return (at + k,) if isinstance(at, int) else (at[0], at[1] + k)


def apply(sections: List[Any], stage: List[Any], form: Dict[str, Any]) -> None:
    def around(p: Tuple[int, ...]) -> List[Any]:
        return sections if len(p) == 1 else sections[p[0]]["items"]

    deleted: List[Tuple[int, ...]] = []
    inserted: List[Tuple[Tuple[int, ...], Any]] = []
    for op in stage:
        assert form.get("moves", True) or not op["op"].startswith("move"), op
        content = op.get("sections") or op.get("items")
        assert ("old" in op) == (form["content"] == "both" and op["op"][:2] in ("de", "re")), op
        for k in range(op["count"]):
            source = position(op["from"] if "from" in op else op["at"], k)
            if op["op"].startswith("insert"):
                inserted.append((source, content[k]))
                continue
            before = around(source)[source[-1]]
            if "old" in op:
                whole = op["op"].startswith("delete") or len(source) == 2
                own = before if whole else {n: v for n, v in before.items() if n != "items"}
                assert op["old"][k] == own, op
            if op["op"].startswith("re"):
                items = {"items": before["items"]} if len(source) == 1 else {}
                around(source)[source[-1]] = {**content[k], **items} if items else content[k]
            else:
                deleted.append(source)
                if "to" in op:
                    inserted.append((position(op["to"], k), before))
    for p in sorted(deleted, reverse=True):
        del around(p)[p[-1]]
    for p, what in sorted(inserted, key=lambda pair: pair[0]):
        around(p).insert(p[-1], what)


class Lists:
    """Random sections of a list, and edits of it."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.key = rng.choice(KEYS)
        self.hasParts = rng.random() < 0.2
        self.ids = set(range(rng.randrange(2, 14)))

    @property
    def named(self) -> Dict[str, Any]:
        return {} if self.key is None else {"key": self.key}

    def item(self, n: int) -> Any:
        rng = self.rng
        item: Dict[str, Any] = {
            "text": f"t{n % 5}", "n": rng.randrange(9), "g": rng.choice("xyz"), "k": n if n % 2 else f"s{n}",
            "a": {"b": f"n{n}", "c": rng.choice([rng.randrange(3), {"d": 1, "e": 2}])},
        }  # fmt: skip
        if self.key is None:
            item["id"] = f"x{n}"
            item["p"] = rng.choice([None, "x1", "x2"])
        if isinstance(self.key, list):
            item["g"] = "c"
        if self.hasParts and n % 3 == 0:
            item["parts"] = [{"id": k, "n": rng.randrange(3)} for k in range(rng.randrange(4))]
        return item

    def sections(self) -> List[Any]:
        rng = self.rng
        for _ in range(rng.randrange(4)):
            self.ids ^= {rng.randrange(20)}
        ids = sorted(self.ids)
        if rng.random() < 0.4:
            rng.shuffle(ids)
        names = list("ABCD")
        if rng.random() < 0.4:
            rng.shuffle(names)
        names = names[: rng.randrange(1, 5)]
        cuts = [0, *sorted(rng.randrange(len(ids) + 1) for _ in names[1:]), len(ids)]
        return [
            {"id": name, "header": rng.choice("hi"), "items": [self.item(n) for n in ids[a:b]]}
            for name, a, b in zip(names, cuts, cuts[1:])
        ]

    def edits(self) -> List[Any]:
        rng = self.rng
        n = rng.randrange(20)
        some: List[Any] = [
            {"edit": "putItems", "items": [self.item(n)], "section": "A"},
            {"edit": "updateItems", "items": [self.item(n)]},
            {"edit": "appendItems", "items": [self.item(rng.randrange(20, 40))]},
            {"edit": "deleteItems", "items": [{"path": [0, 0]}]},
            {"edit": "moveItems", "items": [{"path": [0, 0]}], "after": {"path": [0, 1]}},
            {"edit": "deleteSections", "sections": ["B"]},
            {"edit": "reloadItems", "items": [{"path": [0, 0]}]},
        ]
        return rng.sample(some, rng.randrange(1, 4))


@pytest.mark.parametrize("seed", range(60))
def test_random_sessions(seed: int) -> None:
    rng = random.Random(seed)
    lists = Lists(rng)
    with Daemon("--self-check") as daemon:
        forms: Dict[str, Dict[str, Any]] = {}
        mirrors: Dict[str, List[Any]] = {}
        for name in ["l", "v0", "v1"]:
            view = rng.choice(VIEWS)
            if name != "l":
                made = {"list": name, "sources": ["l"], **({"view": view} if view else {})}
                daemon.call("compose", made)
            form = {
                "format": rng.choice(["stages", "ops"]), "content": rng.choice([True, "both"]),
                "moves": rng.choice([True, False]),
            }  # fmt: skip
            members = rng.choice(MEMBERS)
            daemon.call("subscribe", {"list": name, **form, **({} if members is None else {"members": members})})
            forms[name], mirrors[name] = {**form, "members": members}, []
        for _ in range(10):
            asked = rng.choice(["applySnapshot", "applySnapshot", "editSnapshot"])
            params = {"sections": lists.sections()} if asked == "applySnapshot" else {"edits": lists.edits()}
            own = {"format": rng.choice(["stages", "ops", "jsonPatch", "textEdits"]), "content": "both"}
            try:
                daemon.call(asked, {"list": "l", **params, **lists.named, **own})
            except Refused as refused:
                assert refused.code in (-31001, -31004, -31005, -31006, -32602), refused
            for note in daemon.settle():
                if note["method"] == "didChange":
                    change, form = note["params"], forms[note["params"]["list"]]
                    steps = change["stages"] if form["format"] == "stages" else [[op] for op in change["ops"]]
                    for step in steps:
                        apply(mirrors[change["list"]], step, form)
                    if not form["moves"]:
                        assert change["counts"]["rows"]["moves"] == 0
            for name, mirror in mirrors.items():
                if name not in [entry["list"] for entry in daemon.call("getLists")["lists"]]:
                    continue
                shown = copy.deepcopy(mirror)
                for section in shown:
                    section.pop("items")
                wanted = daemon.call("getSnapshot", list=name)["sections"]
                assert shown == [{n: v for n, v in section.items() if n != "items"} for section in wanted]
                window = daemon.call("getSnapshot", list=name, window={"start": 0, "count": 1000})
                contents = [cut(row["content"], forms[name]["members"]) for row in window["rows"]]
                assert [row for section in mirror for row in section["items"]] == contents
