"""subscribe with `textEdits`: the first text, notifications of the cursor, `maxOps`, and removed lists."""

# Promise: A subscriber with `textEdits` starts with the text, and always knows the line of the cursor.

from __future__ import annotations

from typing import Any, Dict

import pytest

from client import Daemon
from text_edits import apply_edits

pytestmark = pytest.mark.needs("textEdits", "subscribe", "getText")


def notification(daemon: Daemon) -> Dict[str, Any]:
    [note] = daemon.settle()
    return {"method": note["method"], **note["params"]}


def test_the_answer_is_the_text(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="l", items=["a", "b"], cursor="b", selected=["a"])
    answer = daemon.call("subscribe", list="l", format="textEdits")
    text = daemon.call("getText", list="l")
    assert answer["text"] == "a\nb\n" and "snapshot" not in answer
    for member in ("revision", "text", "textRevision", "cursorLine"):
        assert answer[member] == text[member]
    assert answer["selection"] == [{"at": [0, 0], "count": 1}] and answer["cursor"] == [0, 1]


def test_did_select_has_the_line_of_the_cursor(daemon: Daemon) -> None:
    """The templates do not show the cursor, so that the text does not change."""
    revision = daemon.call("applySnapshot", list="l", items=["a", "b\nc", "d"])["revision"]
    number = daemon.call("subscribe", list="l", format="textEdits")["textRevision"]
    daemon.call("select", list="l", cursor="d")
    note = notification(daemon)
    assert (note["method"], note["format"]) == ("didSelect", "textEdits")
    assert (note["revision"], note["textRevision"], note["cursorLine"]) == (revision, number, 3)
    assert note["ops"] == [] and note["cursor"] == [0, 2]
    assert daemon.call("getText", list="l")["cursorLine"] == 3


@pytest.mark.parametrize("format", ["stages", "ops", "jsonPatch", "textEdits"])
def test_a_subscription_has_max_ops(daemon: Daemon, format: str) -> None:
    daemon.call("applySnapshot", list="l", items=[1, 2, 3, 4, 5])
    daemon.call("subscribe", list="l", format=format, maxOps=1)
    daemon.call("applySnapshot", list="l", items=[0, 1, 2, 3, 4, 5])
    assert "reload" not in notification(daemon)
    daemon.call("applySnapshot", list="l", items=[9, 0, 1, 8, 3, 4, 5, 7])
    note = notification(daemon)
    assert note["reload"] is True and format not in note and "counts" in note
    daemon.refused(-32602, "subscribe", list="l", maxOps=-1)


def test_a_list_that_does_not_exist_has_an_empty_text(daemon: Daemon) -> None:
    def empty() -> bool:
        answer = daemon.call("getText", list="l")
        return (answer["text"], answer["textRevision"], answer["cursorLine"]) == ("", 0, None)

    assert empty()
    answer = daemon.call("subscribe", list="l", format="textEdits")
    assert (answer["text"], answer["textRevision"], answer["revision"]) == ("", 0, 0)
    daemon.call("applySnapshot", list="l", items=["a"])
    daemon.call("removeList", list="l")
    assert [note["method"] for note in daemon.settle()] == ["didChange", "didRemove"] and empty()
    daemon.call("applySnapshot", list="l", items=["b"])
    note = notification(daemon)
    assert note["baseTextRevision"] == 0 and apply_edits("", note["textEdits"]) == "b\n"
