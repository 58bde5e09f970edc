"""Lines of a list's text as references to its items."""

# Promise: A line of the last 64 texts refers to its row; edits since any of them lead to the current text; spans
#   and selected lines are those of the text after any edits, and after the list was removed and made again. Also
#   `test_text_for_editors.py`, `test_text_subscribers.py`.

from __future__ import annotations

import random
from typing import Any, Dict, List

import pytest

from client import Daemon
from random_snapshots import edited, snapshot

pytestmark = pytest.mark.needs("getText", "registerTemplates")


def text(daemon: Daemon) -> Dict[str, Any]:
    return daemon.call("getText", list="l")


def apply(daemon: Daemon, *items: Any, **params: Any) -> Dict[str, Any]:
    return daemon.call("applySnapshot", list="l", items=list(items), **params)


def test_a_line_is_a_reference(daemon: Daemon) -> None:
    sections = [
        {"id": "s", "header": "H", "selectionMode": "multiple", "items": ["a\nb", "c", "d"]},
        {"id": "t", "selectionMode": "multiple", "items": ["e"], "footer": "F"},
    ]
    daemon.call("applySnapshot", list="l", sections=sections)
    number = text(daemon)["textRevision"]

    def line(index: int) -> Dict[str, Any]:
        return {"line": index, "textRevision": number}

    answer = daemon.call("select", list="l", items=[line(2), line(4)], action="select")
    assert answer["selection"] == [{"at": [0, 0], "count": 1}, {"at": [0, 2], "count": 1}]
    answer = daemon.call("select", list="l", cursor=line(5))
    assert answer["cursor"] == [1, 0]
    assert daemon.call("locate", list="l", items=[line(0), line(3), line(6), line(7)])["items"] == [
        None, {"at": [0, 1], "sectionId": "s"}, None, None,
    ]  # fmt: skip
    for lost in (line(0), line(6), line(99), {"line": 1, "textRevision": number + 50}):
        error = daemon.refused(-31005, "select", list="l", items=[lost])
        assert error.data["missing"] == [lost]
    edits = [{"edit": "moveItems", "items": [line(4)], "before": line(1)},
             {"edit": "deleteItems", "items": [line(3)]}]  # fmt: skip
    answer = daemon.call("editSnapshot", list="l", edits=edits, selected=[line(5)], cursor=line(4))
    assert answer["cursor"] == [0, 0] and answer["selection"] == [{"at": [1, 0], "count": 1}]
    assert text(daemon)["text"] == "H\nd\na\nb\ne\nF\n"
    answer = apply(daemon, "e", "x", "a\nb", selected=[line(1)], cursor=line(5))
    assert answer["cursor"] == [0, 0] and answer["selection"] == [{"at": [0, 2], "count": 1}]


def test_a_line_leads_to_an_item_whose_row_went_away(daemon: Daemon) -> None:
    parts = [{"id": "p", "text": "p"}, {"id": "q", "text": "q"}]
    item = {"id": "with parts", "parts": parts}
    apply(daemon, "a", item, "c")
    number = text(daemon)["textRevision"]
    references = [{"line": index, "textRevision": number} for index in range(4)]
    apply(daemon, {**item, "parts": parts[:1]}, "c")
    apply(daemon, "c", {**item, "parts": parts[:1]}, "a")
    answer = daemon.call("locate", list="l", items=references)["items"]
    assert [one["at"] for one in answer] == [[0, 2], [0, 1], [0, 1], [0, 0]]
    assert daemon.call("select", list="l", items=[references[2]])["selection"] == [{"at": [0, 1], "count": 1}]
    daemon.call("editSnapshot", list="l", edits=[{"edit": "deleteItems", "items": [references[0]]}])
    daemon.refused(-31005, "select", list="l", items=[references[0]])
    assert daemon.call("locate", list="l", items=references[:2])["items"][0] is None


def test_a_line_of_a_row_that_is_collapsed(daemon: Daemon) -> None:
    apply(daemon, {"id": "top"}, {"id": "child", "up": "top"}, {"id": "last"})
    view = {"tree": {"parent": "up", "open": "all"}}
    daemon.call("compose", list="o", sources=["l"], view=view)
    number = daemon.call("getText", list="o")["textRevision"]
    child = {"line": 1, "textRevision": number}
    collapse = {"edit": "collapseItems", "items": ["top"]}
    daemon.call("editSnapshot", list="o", edits=[collapse])
    assert daemon.call("locate", list="o", items=[child])["items"] == [None]
    daemon.call("editSnapshot", list="o", edits=[{"edit": "revealItems", "items": [child]}])
    assert daemon.call("locate", list="o", items=[child])["items"][0]["at"] == [0, 1]


def test_a_line_of_a_revision_that_is_not_kept() -> None:
    with Daemon("--history-bytes=0") as daemon:
        apply(daemon, "a", "b")
        number = text(daemon)["textRevision"]
        for _ in range(3):
            apply(daemon, "b")
            apply(daemon, "b", "a" * 1000)
            apply(daemon, "a", "b")
        line = {"line": 0, "textRevision": number}
        daemon.refused(-31005, "select", list="l", items=[line])
        assert daemon.call("locate", list="l", items=[line])["items"] == [None]


def test_a_line_of_a_list_without_a_text_is_not_an_item(daemon: Daemon) -> None:
    apply(daemon, "a")
    daemon.refused(-31005, "select", list="l", items=[{"line": 0, "textRevision": 1}])
    daemon.refused(-32602, "select", list="l", items=[{"line": 0}])
    daemon.refused(-32602, "select", list="l", items=[{"line": 0, "textRevision": 1, "id": "a"}])


def test_lines_of_the_last_64_texts_are_known(daemon: Daemon) -> None:
    """Against a model that keeps the owner of each line of each text."""
    rng = random.Random(11)
    daemon.call("registerTemplates", templates={"Cell": "{selected:x|-}{v}"})
    state: List[Any] = snapshot(rng, 12, 3, "object")
    for section in state:
        section["header"] = "H"
        section["selectionMode"] = "multiple"
    daemon.call("applySnapshot", list="l", sections=state)
    known: Dict[int, List[Any]] = {}
    for _ in range(150):
        number = text(daemon)["textRevision"]
        count = len(text(daemon)["text"].split("\n")) - 1
        owners = daemon.call("locate", list="l", lines=list(range(count)))["lines"]
        rows = daemon.call("getSnapshot", list="l", window={"start": 0, "count": 999})["rows"]
        ids = {tuple(row["at"]): row["content"]["id"] for row in rows}
        known[number] = [ids.get(tuple(owner.get("at", ()))) for owner in owners]
        old = rng.choice(sorted(known)[-60:])
        place = rng.randrange(len(known[old]) + 1)
        wanted = known[old][place] if place < len(known[old]) else None
        answer = daemon.call("locate", list="l", items=[{"line": place, "textRevision": old}])["items"][0]
        if wanted in ids.values() and wanted is not None:
            assert answer is not None and ids[tuple(answer["at"])] == wanted, (old, number, place)
        else:
            assert answer is None
        if rng.random() < 0.3 and ids:
            chosen = rng.sample(sorted(ids.values(), key=str), min(2, len(ids)))
            daemon.call("select", list="l", items=chosen)
            continue
        state = edited(rng, state, "object")
        for section in state:
            for item in section["items"]:
                if rng.random() < 0.2:
                    item["v"] = rng.choice(["1", "a\nb", "a\r\nb\n"])
        if not any(section["items"] for section in state):
            state = snapshot(rng, 12, 3, "object")
        daemon.call("applySnapshot", list="l", sections=state)
