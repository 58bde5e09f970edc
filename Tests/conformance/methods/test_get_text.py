"""getText: the text of a list, its revisions, and edits of it."""

from __future__ import annotations

import random

import pytest

from client import Daemon
from random_snapshots import edited, snapshot
from text_edits import apply_edits
from text_requests import apply, register, text
from values import dumps

pytestmark = pytest.mark.needs("getText", "registerTemplates")


def test_the_text_revision(daemon: Daemon) -> None:
    register(daemon, Cell="{selected:*| }{text}")
    apply(daemon, "a")
    seen = [daemon.call("getText", list="l")["textRevision"]]
    daemon.call("select", list="l", items=["a"])
    seen.append(daemon.call("getText", list="l")["textRevision"])
    register(daemon, Cell="{text}")
    seen.append(daemon.call("getText", list="l")["textRevision"])
    assert seen == sorted(set(seen))
    assert daemon.call("getText", list="l")["textRevision"] == seen[-1]


@pytest.mark.needs("textEdits")
def test_edits_of_the_text(daemon: Daemon, rng: random.Random) -> None:
    register(daemon, Cell="{cursor:>| }{selected:*| }{id}\n  {v}")
    state = snapshot(rng, 10, 3, "object")
    daemon.call("applySnapshot", list="l", sections=state)
    for _ in range(80):
        before = daemon.call("getText", list="l")
        state = edited(rng, state, "object")
        ids = [item["id"] for section in state for item in section["items"]]
        more = {"cursor": rng.choice(ids)} if ids else {}
        answer = daemon.call(
            "applySnapshot", {"list": "l", "sections": state, "format": "textEdits", **more}
        )
        after = daemon.call("getText", list="l")
        got = apply_edits(before["text"], answer["textEdits"])
        assert got == after["text"], (
            f"\n  before: {before['text']!r}\n  edits:  {dumps(answer['textEdits'])}\n"
            f"  got:    {got!r}\n  wanted: {after['text']!r}"
        )
        assert answer["baseTextRevision"] == before["textRevision"]
        assert answer["textRevision"] == after["textRevision"]
        assert answer["cursorLine"] == after["cursorLine"]


@pytest.mark.needs("textEdits", "subscribe")
def test_a_subscriber_is_sent_every_change_of_the_text(daemon: Daemon) -> None:
    apply(daemon, "a", "b", selectionMode="multiple")
    daemon.call("subscribe", list="l", format="textEdits")
    mirror = text(daemon)
    steps = [
        lambda: register(daemon, Cell="{cursor:>| }{selected:*| }{text}"),
        lambda: daemon.call("select", list="l", items=["b"], cursor="a"),
        lambda: apply(daemon, "b", "c", "a", selectionMode="multiple"),
    ]
    for step in steps:
        step()
        for note in daemon.settle():
            assert note["method"] == "didChange"
            mirror = apply_edits(mirror, note["params"]["textEdits"])
        assert mirror == text(daemon)


@pytest.mark.needs("textEdits", "subscribe")
def test_the_first_text_of_a_list_is_an_edit_of_nothing(daemon: Daemon) -> None:
    daemon.call("subscribe", list="l", format="textEdits")
    for _ in range(2):
        apply(daemon, "a", "b")
        (answer,) = [note["params"] for note in daemon.settle()]
        assert answer["baseTextRevision"] == 0
        assert apply_edits("", answer["textEdits"]) == "a\nb\n"
        daemon.call("removeList", list="l")
        assert [note["method"] for note in daemon.settle()] == ["didRemove"]
    answer = daemon.call("applySnapshot", list="other", items=["a"], format="textEdits")
    assert answer["baseTextRevision"] == 0 and apply_edits("", answer["textEdits"]) == "a\n"


@pytest.mark.needs("locate")
def test_lines(daemon: Daemon) -> None:
    register(daemon, Cell="{text}")
    apply(daemon, "a\nb", "c", header="H", footer="F")
    answer = daemon.call("locate", list="l", lines=[0, 1, 2, 3, 4, 5], items=["a\nb", "c"], text=True)
    assert answer["lines"] == [
        {"section": 0, "header": True, "sectionId": "s"}, {"at": [0, 0], "sectionId": "s"},
        {"at": [0, 0], "sectionId": "s"}, {"at": [0, 1], "sectionId": "s"},
        {"section": 0, "footer": True, "sectionId": "s"}, None,
    ]  # fmt: skip
    assert answer["items"] == [
        {"at": [0, 0], "sectionId": "s", "line": 1, "lineCount": 2},
        {"at": [0, 1], "sectionId": "s", "line": 3, "lineCount": 1},
    ]  # fmt: skip


def test_edits_of_a_list_that_is_new(daemon: Daemon) -> None:
    """A list that does not exist has an empty text, in a reply and for a subscriber."""
    answer = daemon.call("applySnapshot", list="l", items=["a", "b"], format="textEdits")
    assert (answer["baseTextRevision"], apply_edits("", answer["textEdits"])) == (0, "a\nb\n")
    answer = daemon.call("compose", list="c", sources=["l"], format="textEdits")
    assert (answer["baseTextRevision"], apply_edits("", answer["textEdits"])) == (0, "a\nb\n")
    daemon.call("subscribe", list="n", format="textEdits")
    for items in (["x", "y"], ["y"]):
        daemon.call("applySnapshot", list="n", items=items)
    daemon.call("removeList", list="n")
    daemon.call("applySnapshot", list="n", items=["z"])
    first, second, removed, again = (message["params"] for message in daemon.settle())
    assert "textEdits" not in removed and first["baseTextRevision"] == 0
    after = apply_edits(apply_edits("", first["textEdits"]), second["textEdits"])
    assert (after, second["baseTextRevision"]) == ("y\n", first["textRevision"])
    assert (again["baseTextRevision"], apply_edits("", again["textEdits"])) == (0, "z\n")
    assert again["textRevision"] > second["textRevision"]


def test_a_subscription_since_now_begins_with_no_edits(daemon: Daemon) -> None:
    apply(daemon, "a", "b")
    known = daemon.call("getText", list="l")["textRevision"]
    answer = daemon.call("subscribe", list="l", format="textEdits", sinceText=known)
    assert answer["textEdits"] == [] and answer["baseTextRevision"] == answer["textRevision"] == known
    assert text(daemon) == "a\nb\n"

