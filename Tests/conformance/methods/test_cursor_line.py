"""The line of the cursor within its row."""

# Promise: A cursor keeps its line of a row of several lines, for all clients, and goes to the first line of the row
#   that follows a deleted one or has collapsed it. Also `test_stays.lua`, `test_stays.vim`, `listd-tall-tests.el`.

from __future__ import annotations

import random
from typing import Any, Dict, List, Optional, Tuple

import pytest

from client import Daemon, Refused
from shared_daemon import Listening
from text_mirror import TextMirror
from values import dumps, rows_of

pytestmark = pytest.mark.needs("getText", "subscribe", "textEdits")


def line(daemon: Daemon, index: int, name: str = "l") -> Dict[str, Any]:
    return {"line": index, "textRevision": daemon.call("getText", list=name)["textRevision"]}


def cursor_line(daemon: Daemon, name: str = "l") -> Optional[int]:
    return daemon.call("getText", list=name)["cursorLine"]


def item(id: Any, text: str, **more: Any) -> Dict[str, Any]:
    return {"id": id, "text": text, **more}


def apply(daemon: Daemon, *items: Any, **params: Any) -> Any:
    return daemon.call("applySnapshot", list="l", items=list(items), **params)


def test_the_line_stays_in_its_row(daemon: Daemon) -> None:
    apply(daemon, item(1, "a\nb\nc\nd"), item(2, "x\ny"))
    answer = daemon.call("select", list="l", cursor=line(daemon, 2), format="textEdits")
    assert (answer["cursor"], answer["cursorLine"]) == ([0, 0], 2)
    apply(daemon, item(0, "z\nz"), item(1, "a\nb\nc\nd"), item(2, "x\ny"))
    assert cursor_line(daemon) == 4
    apply(daemon, item(1, "a\nb"))
    assert cursor_line(daemon) == 1, "the last line of a row that has become shorter"
    apply(daemon, item(2, "x\ny"), item(1, "a\nb\nc\nd"))
    assert cursor_line(daemon) == 4, "it is remembered"
    daemon.call("editSnapshot", list="l", edits=[{"edit": "moveItems", "items": [1], "before": 2}])
    assert cursor_line(daemon) == 2
    daemon.call("registerTemplates", templates={"Cell": "{id}\n{text}"})
    assert cursor_line(daemon) == 2
    daemon.call("registerTemplates", templates={"Cell": "{id}"})
    assert cursor_line(daemon) == 0


def test_another_row_begins_with_its_first_line(daemon: Daemon) -> None:
    rows = [item(1, "a\nb\nc"), item(2, "x\ny\nz"), item(3, "p\nq")]
    apply(daemon, *rows, cursor=1)
    daemon.call("select", list="l", cursor=line(daemon, 2))
    apply(daemon, *rows[1:])
    assert cursor_line(daemon) == 0
    apply(daemon, *rows[1:], cursor=line(daemon, 2))
    assert cursor_line(daemon) == 2
    apply(daemon, item(4, "n\nm"), *rows[1:], cursorPolicy="stay")
    assert cursor_line(daemon) == 0
    edit = {"edit": "deleteItems", "items": [4]}
    daemon.call("editSnapshot", list="l", edits=[edit], cursor=line(daemon, 6))
    assert cursor_line(daemon) == 4
    daemon.call("editSnapshot", list="l", edits=[{"edit": "deleteItems", "items": [3]}])
    assert cursor_line(daemon) == 0
    daemon.call("select", list="l", cursor=line(daemon, 1))
    assert cursor_line(daemon) == 1
    daemon.call("select", list="l", cursor=2)
    assert cursor_line(daemon) == 0, "a cursor that is set without a line"


def test_a_line_of_an_old_text_is_counted_in_that_text(daemon: Daemon) -> None:
    apply(daemon, item(1, "a\nb\nc"), item(2, "x\ny\nz"))
    old = line(daemon, 5)
    apply(daemon, item(2, "x\ny\nz\nw"), item(1, "a"))
    daemon.call("select", list="l", cursor=old)
    assert cursor_line(daemon) == 2
    apply(daemon, item(2, "x"), item(1, "a"))
    daemon.call("select", list="l", cursor=old)
    assert cursor_line(daemon) == 0
    apply(daemon, item(2, "x\ny\nz\nw"), item(1, "a"))
    assert cursor_line(daemon) == 2


def test_collapsing_leads_to_the_first_line_of_the_ancestor(daemon: Daemon) -> None:
    apply(daemon, item("top", "t\nu\nv"), item("child", "c\nd", up="top"), item("last", "l"))
    view = {"tree": {"parent": "up", "open": "all"}}
    daemon.call("compose", list="o", sources=["l"], view=view)
    daemon.call("select", list="o", cursor=line(daemon, 4, "o"))
    assert cursor_line(daemon, "o") == 4
    daemon.call("editSnapshot", list="o", edits=[{"edit": "collapseItems", "items": ["last", "top"]}])
    assert cursor_line(daemon, "o") == 0
    daemon.call("select", list="o", cursor=line(daemon, 1, "o"))
    daemon.call("editSnapshot", list="o", edits=[{"edit": "expandItems", "items": ["top"]}])
    assert cursor_line(daemon, "o") == 1
    daemon.call("editSnapshot", list="o", edits=[], cursor=line(daemon, 2, "o"))
    assert cursor_line(daemon, "o") == 2
    daemon.call("compose", list="o", view={**view, "sort": [{"by": "id", "order": "descending"}]})
    assert daemon.call("getText", list="o")["text"] == "t\nu\nv\nc\nd\nl\n"
    daemon.call("compose", list="o", view={**view, "sort": [{"by": "id"}]})
    assert daemon.call("getText", list="o")["text"] == "l\nt\nu\nv\nc\nd\n"
    assert cursor_line(daemon, "o") == 3


@pytest.mark.parametrize("method", ["select", "editSnapshot", "applySnapshot"])
def test_subscribers_are_notified_of_another_line(daemon: Daemon, method: str) -> None:
    apply(daemon, item(1, "a\nb\nc"))
    daemon.call("subscribe", list="l", format="textEdits")
    more = {"select": {}, "editSnapshot": {"edits": []}, "applySnapshot": {"items": [item(1, "a\nb\nc")]}}[method]
    for index in (1, 2, 2):
        daemon.call(method, list="l", cursor=line(daemon, index), **more)
    heard = [(note["method"], note["params"]["cursorLine"]) for note in daemon.settle()]
    assert heard == [("didSelect", 1), ("didSelect", 2)]
    daemon.call("subscribe", list="l")
    daemon.call(method, list="l", cursor=line(daemon, 0), **more)
    assert daemon.settle() == [], "other formats have no lines"


def test_it_ends_with_the_list_and_with_a_request_that_fails(daemon: Daemon) -> None:
    apply(daemon, item(1, "a\nb\nc"))
    daemon.call("select", list="l", cursor=line(daemon, 1))
    daemon.refused(-31005, "select", list="l", items=[9], cursor=line(daemon, 2))
    assert cursor_line(daemon) == 1
    daemon.call("removeList", list="l")
    apply(daemon, item(1, "a\nb\nc"), cursor=1)
    assert cursor_line(daemon) == 0


# Against a model that remembers the row and the index of the line in it

STEPS = 150
VIEWS: Dict[str, List[Any]] = {
    "v": [{"sort": [{"by": "text"}]}, {"where": {"member": "id", "from": 2}}, {"window": {"count": 3}}],
    "o": [{"tree": {"parent": "up", "open": 1}}, {"tree": {"parent": "up"}, "sort": [{"by": "text"}]}],
}


class Model:
    """The rows of each text of a list, and what is known of the cursor."""

    def __init__(self) -> None:
        self.texts: Dict[int, List[Tuple[Any, int]]] = {}
        self.row: Any = None
        self.index = 0

    def take(self, snapshot: Dict[str, Any], text: Dict[str, Any], index: Optional[int]) -> Optional[int]:
        """Records a state; `index` is the line that a request has set. Returns the line of the cursor."""
        lines: List[Tuple[Any, int]] = []
        cursor, first, count = None, None, 0
        for number, section in enumerate(snapshot["sections"]):
            for place, row in enumerate(rows_of(section["items"])):
                shown = row.content.get("$part", row.content)["text"].count("\n") + 1
                if [number, place] == snapshot["cursor"]:
                    cursor, first, count = row.identity, len(lines), shown
                lines += [(row.identity, index) for index in range(shown)]
        assert text["text"].count("\n") == len(lines)
        self.texts[text["textRevision"]] = lines
        if cursor is None:
            self.row, self.index = None, 0
            return None
        kept = self.index if cursor == self.row else 0
        self.row, self.index = cursor, kept if index is None else index
        return first + min(self.index, count - 1)


def random_items(rng: random.Random) -> List[Any]:
    made = []
    for id in rng.sample(range(8), rng.randrange(1, 7)):
        text = "\n".join(rng.choice("abc") for _ in range(rng.choice([1, 2, 4])))
        made.append(item(id, text, up=rng.choice([None, 0, 1, 2])))
        if rng.random() < 0.2:
            made[-1]["parts"] = [{"id": part, "text": rng.choice(["p", "q\nr\ns"])} for part in rng.sample("xyz", 2)]
    return made


def request(rng: random.Random, models: Dict[str, Model]) -> Tuple[str, Dict[str, Any], Optional[int]]:
    """A random request, and the line that it sets in its row."""
    name = rng.choice("lvo")
    model, index = models[name], None
    params: Dict[str, Any] = {"list": name}
    if rng.random() < 0.6 and model.texts:
        number = rng.choice(list(model.texts)[-30:])
        lines = model.texts[number]
        if lines:
            place = rng.randrange(len(lines))
            params["cursor"], index = {"line": place, "textRevision": number}, lines[place][1]
    elif rng.random() < 0.1:
        params["cursor"], index = rng.randrange(8), 0
    kind = rng.random()
    if kind < 0.35 and "cursor" in params:
        return "select", params, index
    if name == "l" and kind < 0.6:
        if rng.random() < 0.3:
            params["cursorPolicy"] = rng.choice(["stay", "first"])
        return "applySnapshot", {**params, "items": random_items(rng)}, index
    if name == "l":
        edits: List[Any] = [{"edit": "putItems", "items": random_items(rng)[:2]}]
        if kind < 0.8:
            edits.append({"edit": "moveItems", "items": [rng.randrange(8)], "before": rng.randrange(8)})
        if kind < 0.7:
            edits = [{"edit": "deleteItems", "items": [rng.randrange(8)]}]
        return "editSnapshot", {**params, "edits": edits}, index
    if name == "o" and kind < 0.8:
        edit = {"edit": rng.choice(["expandItems", "collapseItems", "revealItems"]), "items": [rng.randrange(8)]}
        return "editSnapshot", {**params, "edits": [rng.choice([edit, {"edit": "collapseAll"}])]}, index
    return "compose", {**params, "view": rng.choice(VIEWS[name])}, index


@pytest.mark.parametrize("check", [(), ("--self-check",)])
@pytest.mark.parametrize("round", range(4))
def test_it_follows_every_request(tmp_path: Any, rng: random.Random, round: int, check: Any) -> None:
    with Listening(tmp_path / "s", *check) as shared:
        client, other = shared.client(), shared.client()
        models = {name: Model() for name in "lvo"}
        apply(client, *random_items(rng))
        mirrors: Dict[str, TextMirror] = {}
        for name in models:
            if name in VIEWS:
                client.call("compose", list=name, sources=["l"], view=VIEWS[name][0])
            mirrors[name] = TextMirror(other.call("subscribe", list=name, format="textEdits"))
        done = 0
        for _ in range(STEPS):
            method, params, index = request(rng, models)
            try:
                client.call(method, params)
                done += 1
            except Refused as refusal:
                assert refusal.code in (-31004, -31005, -32602), refusal
                params, index = {"list": None}, None
            for note in other.settle():
                if note["method"] in ("didChange", "didSelect"):
                    mirror = mirrors[note["params"]["list"]]
                    (mirror.change if note["method"] == "didChange" else mirror.select)(note["params"])
            for name, model in models.items():
                text = client.call("getText", list=name)
                snapshot = client.call("getSnapshot", list=name)
                wanted = model.take(snapshot, text, index if name == params["list"] else None)
                story = f"{name} after {method} {dumps(params)}: {dumps(text)}"
                assert text["cursorLine"] == wanted, f"not {wanted}: {story}"
                assert mirrors[name].cursor_line == wanted, f"a subscriber has {mirrors[name].cursor_line}: {story}"
                assert mirrors[name].text == text["text"]
        assert done > STEPS / 2
