"""Templates, the text of a list, and edits of it."""

from __future__ import annotations

import random
from typing import Any, List

import pytest

from gen import edited, snapshot
from values import dumps
from wire import Daemon

pytestmark = pytest.mark.needs("getText", "registerTemplates")


def text(daemon: Daemon) -> str:
    return daemon.call("getText", list="l")["text"]


def apply(daemon: Daemon, *items: Any, **own: Any) -> None:
    daemon.call("applySnapshot", list="l", sections=[{"id": "s", **own, "items": list(items)}])


def register(daemon: Daemon, **templates: str) -> None:
    assert daemon.call("registerTemplates", templates=templates) is None


@pytest.mark.parametrize(
    "template, item, line",
    [
        ("{text}", "a", "a"), ("{id}:{text}", 5, "5:5"), ("{a.b}", {"id": 1, "a": {"b": "x"}}, "x"),
        ("[{nope}]", {"id": 1}, "[]"), ("{v}", {"id": 1, "v": None}, ""),
        ("{{{v}}}", {"v": 1}, "{1}"),
        ("{v}", {"id": 1, "v": [1, {"a": True}]}, '[1,{"a":true}]'), ("é{text}🙂", "ü", "éü🙂"),
        ("{v}", {"id": 1, "v": "a\nb"}, "a\nb"), ("{v}", {"id": 1, "v": "a\r\nb\rc"}, "a\nb\nc"),
        ("{selected:*|-}{text}", "a", "-a"), ("{cursor:>| }{text}", "a", " a"), ("", "a", ""),
    ],
)  # fmt: skip
def test_templates(daemon: Daemon, template: str, item: Any, line: str) -> None:
    register(daemon, Cell=template)
    apply(daemon, item)
    assert text(daemon) == line + "\n"


@pytest.mark.parametrize("template", ["{", "}", "{text", "text}", "{{}", "{text}}"])
def test_an_unbalanced_brace(daemon: Daemon, template: str) -> None:
    daemon.refused(-32602, "registerTemplates", templates={"Cell": template})


def test_headers_footers_and_templates(daemon: Daemon) -> None:
    register(daemon, Head="# {text}", Bold="*{text}*")
    apply(daemon, {"id": 1, "text": "a", "template": "Bold"}, "b", header="H",
          headerTemplate="Head", footer={"text": "F"})  # fmt: skip
    assert text(daemon) == "# H\n*a*\nb\nF\n"


def test_parts_take_their_members_first(daemon: Daemon) -> None:
    register(daemon, Line="{who}: {text}")
    part = {"template": "Line", "text": "p"}
    apply(
        daemon,
        {"id": 1, "who": "W", "text": "i", "parts": [part, {"template": "Spacing", "lines": 2}]},
    )
    assert text(daemon) == "W: p\n\n\n"


def test_a_template_that_nobody_registered(daemon: Daemon) -> None:
    daemon.call("initialize")
    apply(
        daemon,
        {"id": 1, "text": "a", "template": "Nope"},
        {"id": 2, "text": "b", "template": "Nope"},
    )
    assert text(daemon) == "a\nb\n"
    notes = [note for note in daemon.settle() if note["method"] == "window/logMessage"]
    assert len(notes) == 1 and "Nope" in notes[0]["params"]["message"]


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
        told = daemon.call(
            "applySnapshot", {"list": "l", "sections": state, "format": "textEdits", **more}
        )
        after = daemon.call("getText", list="l")
        got = apply_edits(before["text"], told["textEdits"])
        assert got == after["text"], (
            f"\n  before: {before['text']!r}\n  edits:  {dumps(told['textEdits'])}\n"
            f"  got:    {got!r}\n  wanted: {after['text']!r}"
        )
        assert told["baseTextRevision"] == before["textRevision"]
        assert told["textRevision"] == after["textRevision"]
        assert told["cursorLine"] == after["cursorLine"]


def apply_edits(text: str, edits: List[Any]) -> str:
    """LSP edits of whole lines, ascending, apart, all in the old text."""
    lines = text.split("\n")[:-1]
    result, done = [], 0
    for edit in edits:
        start, end = edit["range"]["start"], edit["range"]["end"]
        assert start["character"] == end["character"] == 0
        assert done <= start["line"] <= end["line"] <= len(lines), dumps(edits)
        assert not result or start["line"] > done, f"neighbours are one edit: {dumps(edits)}"
        fresh = edit["newText"]
        assert fresh == "" or fresh.endswith("\n")
        result += lines[done : start["line"]] + fresh.split("\n")[:-1]
        done = end["line"]
    return "".join(line + "\n" for line in result + lines[done:])


@pytest.mark.needs("textEdits", "subscribe")
def test_a_subscriber_hears_every_change_of_the_text(daemon: Daemon) -> None:
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
        (told,) = [note["params"] for note in daemon.settle()]
        assert told["baseTextRevision"] == 0
        assert apply_edits("", told["textEdits"]) == "a\nb\n"
        daemon.call("removeList", list="l")
        assert [note["method"] for note in daemon.settle()] == ["didRemove"]
    told = daemon.call("applySnapshot", list="other", items=["a"], format="textEdits")
    assert told["baseTextRevision"] == 0 and apply_edits("", told["textEdits"]) == "a\n"


@pytest.mark.needs("locate")
def test_lines(daemon: Daemon) -> None:
    register(daemon, Cell="{text}")
    apply(daemon, "a\nb", "c", header="H", footer="F")
    told = daemon.call("locate", list="l", lines=[0, 1, 2, 3, 4, 5], items=["a\nb", "c"], text=True)
    assert told["lines"] == [
        {"section": 0, "header": True, "sectionId": "s"}, {"at": [0, 0], "sectionId": "s"},
        {"at": [0, 0], "sectionId": "s"}, {"at": [0, 1], "sectionId": "s"},
        {"section": 0, "footer": True, "sectionId": "s"}, None,
    ]  # fmt: skip
    assert told["items"] == [
        {"at": [0, 0], "sectionId": "s", "line": 1, "lineCount": 2},
        {"at": [0, 1], "sectionId": "s", "line": 3, "lineCount": 1},
    ]  # fmt: skip


def test_edits_of_a_list_that_is_new(daemon: Daemon) -> None:
    """What does not exist has an empty text, in a reply and for a subscriber."""
    told = daemon.call("applySnapshot", list="l", items=["a", "b"], format="textEdits")
    assert (told["baseTextRevision"], apply_edits("", told["textEdits"])) == (0, "a\nb\n")
    told = daemon.call("compose", list="c", sources=["l"], format="textEdits")
    assert (told["baseTextRevision"], apply_edits("", told["textEdits"])) == (0, "a\nb\n")
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
    told = daemon.call("subscribe", list="l", format="textEdits", sinceText=known)
    assert told["textEdits"] == [] and told["baseTextRevision"] == told["textRevision"] == known
    assert text(daemon) == "a\nb\n"


@pytest.mark.parametrize("lines, count, warnings", [
    (0, 0, 0), (3, 3, 0), (2.0, 2, 0), (1e2, 100, 0), (1000, 1000, 0), (None, 1, 0), (1001, 1000, 1),
    (10**30, 1000, 1), (-1, 0, 1), (-1e99, 0, 1), (1.5, 1, 1), ("3", 1, 1), ([], 1, 1),
    (True, 1, 1), ({"n": 3}, 1, 1),
])  # fmt: skip
def test_spacing(daemon: Daemon, lines: Any, count: int, warnings: int) -> None:
    daemon.call("initialize", {})
    apply(daemon, *({"id": k, "template": "Spacing", "lines": lines} for k in range(3)))
    assert text(daemon) == "\n" * (3 * count)
    told = [note for note in daemon.settle() if note["method"] == "window/logMessage"]
    assert len(told) == warnings


@pytest.mark.parametrize("template, line", [
    ("{selected:{{x}}|{{y}}}", "{y}"), ("{selected:{{x}}|y}{{", "y{"), ("{selected:x|}}{{}", "}{"),
    ("{{{selected:x|y}}}", "{y}"), ("{cursor:{{{{|}}}}}", "}}"), ("{cursor:>|{{}", "{"),
    ("{selected:x|y}}}", "y}"), ("{selected:a}}b|c}", "c"), ("{selected:x|y|z}", "y|z"),
])  # fmt: skip
def test_braces_in_alternatives(daemon: Daemon, template: str, line: str) -> None:
    register(daemon, Cell=template)
    apply(daemon, "i")
    assert text(daemon) == line + "\n"


@pytest.mark.parametrize("template", ["{selected:x|y}}", "{selected:{x}|y}", "{selected:x|{}",
    "{selected:x", "{cursor:{{x|y", "{cursor:x}}|y"])  # fmt: skip
def test_an_unbalanced_brace_in_alternatives(daemon: Daemon, template: str) -> None:
    daemon.refused(-32602, "registerTemplates", templates={"Cell": template})
