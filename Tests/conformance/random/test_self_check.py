"""Sessions in which `--self-check` must change nothing. Each is compared with that of a twin with it."""

# Promise: `--self-check` changes nothing that a client sees, and refuses no right answer. Also `Tests/conformance`.

from __future__ import annotations

import random
from typing import Any, Dict, List

import pytest

from client import Daemon, Refused
from followers import FORMATS
from random_texts import CELLS, VIEWS, Requests
from rounds import rounds

pytestmark = pytest.mark.needs("--self-check", "compose", "editSnapshot", "subscribe", "getText")

STEPS = rounds(150)
REFUSED = (-31001, -31002, -31004, -31005, -31006, -31007, -31009, -32602)


def ask(daemon: Daemon, method: str, params: Dict[str, Any]) -> Any:
    try:
        return daemon.call(method, params)
    except Refused as refusal:
        assert refusal.code in REFUSED, refusal
        return None


def test_an_item_that_cannot_be_selected_is_expanded() -> None:
    with Daemon() as daemon:
        item = {"id": 11, "lazy": True, "selectable": False}
        daemon.call("applySnapshot", list="a", items=[item])
        view = {"tree": {"parent": "p"}, "selection": "source"}
        daemon.call("compose", list="v", sources=["a"], view=view)
        daemon.call("subscribe", list="v")
        daemon.call("editSnapshot", list="v", edits=[{"edit": "expandItems", "items": [11]}])
        assert [note["method"] for note in daemon.settle()] == ["didChange", "didExpand"]


@pytest.mark.parametrize("selection", ["source", "own"])
def test_an_old_revision_has_the_selection_of_items_outside_the_window(selection: str) -> None:
    with Daemon() as daemon:
        daemon.call("applySnapshot", list="a", items=["x", "y", "z"])
        view = {"window": {"count": 2, "start": 1}, "selection": selection}
        daemon.call("compose", list="v", sources=["a"], view=view)
        edit = {"edit": "moveItems", "items": ["x"], "after": "y"}
        daemon.call("editSnapshot", list="a", edits=[edit])
        daemon.call("select", list="a" if selection == "source" else "v", items=["y"])
        assert daemon.call("getSnapshot", list="v")["selection"] == []
        assert daemon.call("getSnapshot", list="v", revision=1)["selection"] == [{"at": [0, 0], "count": 1}]


def test_a_request_that_fails_uses_no_number_of_a_text() -> None:
    with Daemon() as daemon:
        for name in "lmn":
            daemon.call("applySnapshot", list=name, items=["a"])
        edits = [{"edit": "deleteItems", "items": ["missing"]}]
        daemon.refused(-31005, "editSnapshot", list="m", edits=edits, format="textEdits")
        daemon.refused(-31005, "select", list="n", items=["missing"], format="textEdits")
        assert [daemon.call("getText", list=name)["textRevision"] for name in "lmn"] == [1, 2, 3]


def text_options(rng: random.Random) -> Dict[str, Any]:
    if rng.random() < 0.5:
        return {"format": rng.choice(FORMATS)}
    return {"format": "textEdits", "spans": rng.random() < 0.5, "selectedLines": rng.random() < 0.5}


@pytest.mark.parametrize("round", range(3))
@pytest.mark.parametrize("args", [[], ["--history-bytes", "2K"]])
def test_texts(rng: random.Random, args: List[str], round: int) -> None:
    with Daemon(*args) as daemon:
        requests = Requests(daemon, rng)
        daemon.call("registerTemplates", templates={"Cell": CELLS[0]})
        for name in "ab":
            ask(daemon, "applySnapshot", requests.snapshot(name))
        for name, view in VIEWS.items():
            daemon.call("compose", list=name, **view)
        names = ["a", "b", *VIEWS]
        for _ in range(STEPS):
            kind = rng.random()
            name = rng.choice(names)
            if kind < 0.1:
                ask(daemon, "subscribe", {"list": name, **text_options(rng)})
            elif kind < 0.2:
                text = daemon.call("getText", list=name, spans=rng.random() < 0.3)
                lines = text["text"].count("\n")
                cursor = {"line": rng.randrange(lines + 1), "textRevision": text["textRevision"]}
                ask(daemon, "select", {"list": name, "cursor": cursor})
            elif kind < 0.3:
                revision = max(0, daemon.call("getSnapshot", list=name)["revision"] - rng.randrange(4))
                ask(daemon, "getSnapshot", {"list": name, "revision": revision})
            elif kind < 0.35:
                ask(daemon, "unsubscribe", {"list": name})
            else:
                method, params = requests.step()
                if method != "registerTemplates" and rng.random() < 0.4:
                    params = {**params, **text_options(rng)}
                    if method == "select" and params["format"] not in ("textEdits", "ops"):
                        del params["format"]
                ask(daemon, method, params)
