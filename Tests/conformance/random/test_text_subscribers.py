"""Subscribers to texts, each with its own options, while lists are made, changed and removed."""

from __future__ import annotations

import random
from typing import Any, Dict, List, Tuple

import pytest

from client import Daemon, Refused
from rounds import rounds
from shared_daemon import Listening
from text_mirror import TextMirror
from values import dumps

pytestmark = pytest.mark.needs("--listen", "subscribe", "textEdits", "registerTemplates")

STEPS = rounds(200)
CELLS = ["{text:#A}", "{id:>4#B} {text}", "{selected:*| }{text:#A}{=|#C}", "{text}", "{text}\n{=-#C}{id}"]
VIEWS: List[Any] = [
    {"match": {"query": "a", "members": ["text"]}},
    {"match": {"query": "b", "members": ["text", "id"]}, "selection": "source"},
    {"sort": [{"by": "text", "order": "descending"}]},
]


def step(rng: random.Random) -> Tuple[str, Dict[str, Any]]:
    kind = rng.choice(["apply"] * 4 + ["edit"] * 3 + ["select"] * 2 + ["remove", "compose", "templates"])
    if kind == "apply":
        items = [
            {"id": id, "text": rng.choice(["a", "ab", "b", "a\nb", "é🙂a"])}
            for id in rng.sample(range(8), rng.randrange(6))
        ]
        section = {"id": "s", "selectionMode": "multiple", "items": items}
        return "applySnapshot", {"list": "l", "sections": [section]}
    if kind == "edit":
        item = {"id": rng.randrange(8), "text": rng.choice(["a", "ba", "c"])}
        edit = {"edit": "putItems", "items": [item]}
        if rng.random() < 0.3:
            edit = {"edit": "deleteItems", "items": [item["id"]]}
        return "editSnapshot", {"list": "l", "edits": [edit]}
    if kind == "select":
        return "select", {"list": rng.choice("lv"), "action": rng.choice(["all", "none", "invert"])}
    if kind == "remove":
        return "removeList", {"list": rng.choice("lv")}
    if kind == "compose":
        return "compose", {"list": "v", "sources": ["l"], "view": rng.choice(VIEWS)}
    own = rng.choice([{}, {}, {"list": "l"}, {"list": "v"}])
    return "registerTemplates", {"templates": {"Cell": rng.choice(CELLS)}, **own}


def subscribe(client: Daemon, rng: random.Random, mirrors: Dict[str, TextMirror]) -> None:
    """Subscribes to a list, which need not exist, with other options than before."""
    name = rng.choice("lv")
    options = {"spans": rng.random() < 0.6, "selectedLines": rng.random() < 0.5}
    answer = client.call("subscribe", list=name, format="textEdits", **options)
    mirrors[name] = TextMirror(answer)


def hear(client: Daemon, mirrors: Dict[str, TextMirror]) -> None:
    for note in client.settle():
        params = note["params"]
        if note["method"] == "didChange":
            mirrors[params["list"]].change(params)
        elif note["method"] == "didSelect":
            mirrors[params["list"]].select(params)
        elif note["method"] == "didRemove":
            mirrors[params["list"]].remove()


@pytest.mark.parametrize("check", [(), ("--self-check",)])
@pytest.mark.parametrize("round", range(4))
def test_mirrors_have_the_spans_of_the_text(tmp_path: Any, rng: random.Random, round: int, check: Any) -> None:
    with Listening(tmp_path / "s", *check) as shared:
        clients = [(shared.client(), {}) for _ in range(3)]
        reader = shared.client()
        for number in range(STEPS):
            client, mirrors = rng.choice(clients)
            if rng.random() < 0.15:
                hear(client, mirrors)
                subscribe(client, rng, mirrors)
                continue
            method, params = step(rng)
            try:
                client.call(method, params)
            except Refused as refusal:
                assert refusal.code in (-31001, -31005, -31007), refusal
            # A request for spans gives the text spans, so there are only a few.
            if rng.random() < 0.8:
                continue
            for client, mirrors in clients:
                hear(client, mirrors)
                for name, mirror in mirrors.items():
                    try:
                        mirror.check(reader.call("getText", list=name, spans=True, selectedLines=True))
                    except AssertionError as error:
                        raise AssertionError(f"{name} after {method} {dumps(params)}\n{error}") from error
