"""Text for editors: columns, spans, moves of lines, selected lines."""

from __future__ import annotations

import random
import unicodedata
from typing import Any, Dict, List, Optional

import pytest

from client import Daemon
from random_snapshots import edited, snapshot
from text_mirror import TextMirror
from values import dumps

pytestmark = pytest.mark.needs("getText", "registerTemplates")


def register(daemon: Daemon, *, to: Optional[str] = None, **templates: str) -> None:
    params: Dict[str, Any] = {"templates": templates}
    assert daemon.call("registerTemplates", {**params, **({"list": to} if to else {})}) is None


def text(daemon: Daemon, name: str = "l") -> Dict[str, Any]:
    return daemon.call("getText", list=name)


def apply(daemon: Daemon, *items: Any, **params: Any) -> Dict[str, Any]:
    return daemon.call("applySnapshot", list="l", items=list(items), **params)


# Templates of a list, columns


def test_templates_of_a_list(daemon: Daemon) -> None:
    register(daemon, Cell="1 {text}", Bold="*{text}*")
    register(daemon, to="l", Cell="2 {text}")
    apply(daemon, "a", {"id": 1, "text": "b", "template": "Bold"})
    daemon.call("applySnapshot", list="m", items=["a"])
    daemon.call("compose", list="c", sources=["l", "m"])
    assert [text(daemon, name)["text"] for name in "lmc"] == ["2 a\n*b*\n", "1 a\n", "1 a\n*b*\n1 a\n"]
    daemon.call("subscribe", list="l", format="textEdits")
    register(daemon, to="c", Cell="3 {text}")
    register(daemon, to="l", Bold="_{text}_")
    assert text(daemon, "c")["text"] == "3 a\n*b*\n3 a\n"
    (note,) = [note["params"] for note in daemon.settle()]
    assert note["textEdits"][0]["newText"] == "_b_\n"
    daemon.call("removeList", list="l")
    apply(daemon, "a")
    assert text(daemon)["text"] == "1 a\n"


def width(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def fitted(value: str, align: str, columns: int, cuts: bool) -> str:
    """The text of a column, by a second implementation."""
    if cuts and sum(map(width, value)) > columns:
        kept = ""
        for char in value:
            if sum(map(width, kept + char)) > columns - 1:
                break
            kept += char
        value = kept + "…"
    room = max(0, columns - sum(map(width, value)))
    left = {"<": 0, ">": room, "^": room // 2}[align or "<"]
    return " " * left + value + " " * (room - left)


def test_columns(daemon: Daemon) -> None:
    rng = random.Random(3)
    for _ in range(150):
        align, columns = rng.choice(["", "<", ">", "^"]), rng.randrange(1, 12)
        cuts, group = rng.random() < 0.5, rng.choice(["", "#G"])
        word = "".join(rng.choice(["a", "é", "e\u0301", "日", "🙂", "b", " "]) for _ in range(rng.randrange(8)))
        other = "".join(rng.choice("xy漢") for _ in range(rng.randrange(6)))
        register(daemon, Cell=f"[{{v:{align}{columns}{'…' if cuts else ''}{group}}}]")
        apply(daemon, {"id": 1, "v": word + "\n" + other})
        wanted = "[" + "\n".join(fitted(one, align, columns, cuts) for one in (word, other)) + "]\n"
        assert text(daemon)["text"] == wanted, (align, columns, cuts, word)


@pytest.mark.parametrize("template", [
    "{a:}", "{a:x}", "{a:<}", "{a:…}", "{a:>…}", "{a:0}", "{a:1001}", "{a:3x}", "{a:3#}", "{a:3#a b}",
    "{a:#}", "{a:-3}", "{=x}", "{=x#}", "{=x", "{a:3<}", "{a:3…}}",
])  # fmt: skip
def test_what_is_not_a_column(daemon: Daemon, template: str) -> None:
    register(daemon, Cell="{text}")
    error = daemon.refused(-32602, "registerTemplates", templates={"Row": "x", "Cell": template})
    assert error.data["pointer"] == "/params/templates/Cell"
    assert error.message.startswith("/params/templates/Cell: ")
    apply(daemon, "a")
    assert text(daemon)["text"] == "a\n"


# Spans


def groups(answer: Dict[str, Any], lines: List[str], start: int = 0) -> List[Any]:
    """The spans as pairs of a group and the text that they cover."""
    return [
        (span["line"], lines[span["line"] - start][span["start"] : span["end"]], span["group"])
        for span in answer["spans"]
    ]


def test_spans_of_a_text(daemon: Daemon) -> None:
    register(daemon, Cell="{=> #Mark}{id:>3#Number} {text:#Text}{none:#Empty}", Header="{text:#Title}")
    daemon.call("applySnapshot", list="l", sections=[
        {"id": "s", "header": "H", "items": [{"id": 5, "text": "ab"}, {"id": 12, "text": "c\nd"}]}])
    answer = daemon.call("getText", list="l", spans=True)
    lines = answer["text"].split("\n")
    assert groups(answer, lines) == [
        (0, "H", "Title"), (1, "> ", "Mark"), (1, "  5", "Number"), (1, "ab", "Text"),
        (2, "> ", "Mark"), (2, " 12", "Number"), (2, "c", "Text"), (3, "d", "Text"),
    ]  # fmt: skip
    answer = daemon.call("getText", list="l", spans=True, lines={"start": 3, "count": 9})
    assert (answer["text"], answer["start"], answer["lineCount"]) == ("d\n", 3, 4)
    assert groups(answer, answer["text"].split("\n"), 3) == [(3, "d", "Text")]
    assert "spans" not in daemon.call("getText", list="l")


@pytest.mark.parametrize("encoding, spans", [("utf-8", (5, 7)), ("utf-16", (3, 4)), ("utf-32", (2, 3))])
def test_offsets_are_in_the_chosen_unit(daemon: Daemon, encoding: str, spans: Any) -> None:
    encodings = ["utf-7", encoding, "utf-16"]
    answer = daemon.call("initialize", capabilities={"general": {"positionEncodings": encodings}})
    assert answer["capabilities"]["positionEncoding"] == encoding
    register(daemon, Cell="🙂 {text:#T}")
    apply(daemon, "é")
    (span,) = daemon.call("getText", list="l", spans=True)["spans"]
    assert (span["start"], span["end"]) == spans


def test_matches_are_spans(daemon: Daemon) -> None:
    register(daemon, Cell="{name:>8…} {path:#Path}")
    items = [{"id": k, "name": name, "path": f"/{name}"} for k, name in enumerate(["main", "a domain", "rain"])]
    daemon.call("applySnapshot", list="l", items=items)
    view = {"match": {"query": "mai", "members": ["name"]}}
    daemon.call("compose", list="v", sources=["l"], view=view)
    answer = daemon.call("subscribe", list="v", format="textEdits", spans=True)
    assert groups(answer, answer["text"].split("\n")) == [
        (0, "mai", "match"), (0, "/main", "Path"), (1, "mai", "match"), (1, "/a domain", "Path"),
    ]  # fmt: skip
    # The same rows with another match: the lines are sent again because of their spans.
    answer = daemon.call("compose", list="v", view={"match": {"query": "'ain", "members": ["name"]}, "where": {
        "not": {"member": "id", "is": 2}}})
    (note,) = [note["params"] for note in daemon.settle()]
    assert note["baseTextRevision"] == note["textRevision"]
    assert groups(note, text(daemon, "v")["text"].split("\n")) == [
        (0, "ain", "match"), (0, "/main", "Path"), (1, "ain", "match"), (1, "/a domain", "Path"),
    ]  # fmt: skip
    answer = daemon.call("locate", list="v", paths=[[0, 1]], match=True, text=True)["paths"][0]
    assert answer["match"]["spans"] == [{"line": 1, "start": 5, "end": 8}]
    assert answer["match"]["ranges"] == {"name": [[5, 8]]}
    answer = daemon.call("locate", list="l", items=[2], match={"query": "r", "members": ["path"]}, text=True)
    assert answer["items"][0]["match"]["spans"] == [{"line": 2, "start": 10, "end": 11}]


def test_edits_bring_spans_of_their_lines(daemon: Daemon) -> None:
    rng = random.Random(5)
    register(daemon, Cell="{selected:*| }{v:<6…#V} {id:#ID}", Header="{=#none#x}{text:#H}")
    state = snapshot(rng, 10, 3, "object")
    daemon.call("applySnapshot", list="l", sections=state)
    mirror = TextMirror(daemon.call("subscribe", list="l", format="textEdits", spans=True, selectedLines=True))
    for _ in range(60):
        state = edited(rng, state, "object")
        for section in state:
            section["selectionMode"] = "multiple"
            section["header"] = "h"
        daemon.call("applySnapshot", list="l", sections=state)
        items = [item["id"] for section in state for item in section["items"]]
        if items:
            daemon.call("select", list="l", items=rng.sample(items, min(len(items), 2)))
        for note in daemon.settle():
            if note["method"] == "didChange":
                check_moves(note["params"])
                mirror.change(note["params"])
        answer = daemon.call("getText", list="l", spans=True, selectedLines=True)
        mirror.check(answer)
        shown = {line for start, end in answer["selectedLines"] for line in range(start, end)}
        lines = answer["text"].split("\n")
        assert shown == {line for line, one in enumerate(lines) if one.startswith("*")}


# Moves of lines


def test_moves_of_lines(daemon: Daemon) -> None:
    apply(daemon, "a", "b\nB", "c", "d", "e", format="textEdits")
    answer = apply(daemon, "c", "d", "e", "b\nB", "a", format="textEdits")
    assert answer["moves"] == [{"from": 1, "to": 3, "count": 2}, {"from": 0, "to": 5, "count": 1}]
    answer = apply(daemon, "c", "d", "e", "b\nB", {"id": "x"}, format="textEdits")
    assert answer["moves"] == []
    answer = daemon.call(
        "diff", {"from": {"items": ["a", "b", "c"]}, "to": {"items": ["b", "c", "a"]}, "format": "textEdits"})
    assert answer["moves"] == [{"from": 0, "to": 2, "count": 1}]
    answer = daemon.call("select", list="l", items=["c"], format="textEdits")
    assert answer["moves"] == []


# Subscriptions


def check_moves(answer: Any) -> None:
    """Each moved line is in the lines that an edit deletes and in those that one inserts."""
    shift, deleted, inserted = 0, set(), set()
    for edit in answer["textEdits"]:
        start, end = (edit["range"][name]["line"] for name in ("start", "end"))
        count = edit["newText"].count("\n")
        deleted |= set(range(start, end))
        inserted |= set(range(start + shift, start + shift + count))
        shift += count - (end - start)
    moved = [(move[name] + k) for name in ("from", "to") for move in answer["moves"] for k in range(move["count"])]
    half = len(moved) // 2
    assert set(moved[:half]) <= deleted and set(moved[half:]) <= inserted, dumps(answer)
    assert len(set(moved[:half])) == len(set(moved[half:])) == half
    assert moved[half:] == sorted(moved[half:])


def test_moves_since_a_text(daemon: Daemon) -> None:
    rows = [{"id": k, "text": f"row {k}"} for k in range(8)]
    daemon.call("applySnapshot", list="l", items=rows)
    known = text(daemon)["textRevision"]
    move = {"edit": "moveItems", "items": [1], "after": 6}
    daemon.call("editSnapshot", list="l", edits=[move])
    daemon.call("editSnapshot", list="l", edits=[{"edit": "appendItems", "items": ["z"]}])
    change = {"edit": "updateItems", "items": [{"id": 1, "text": "changed"}, {"id": 3, "text": "too"}]}
    daemon.call("editSnapshot", list="l", edits=[change, {"edit": "deleteItems", "items": [0]}])
    answer = daemon.call("subscribe", list="l", format="textEdits", sinceText=known)
    assert answer["moves"] == [{"from": 1, "to": 5, "count": 1}]
    check_moves(answer)
    back = [{"edit": "moveItems", "items": [1], "after": 2}, {"edit": "moveItems", "items": [1], "before": 2}]
    daemon.call("editSnapshot", list="l", edits=back)
    answer = daemon.call("subscribe", list="l", format="textEdits", sinceText=known)
    assert answer["moves"] == []


def test_spans_since_a_text(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="l", items=["ab", "bb", "ba"])
    sort = [{"by": "id"}]
    view = {"match": {"query": "b", "members": ["id"]}, "sort": sort}
    daemon.call("compose", list="v", sources=["l"], view=view)
    known = daemon.call("getText", list="v", spans=True)["textRevision"]
    daemon.call("compose", list="v", view={**view, "match": {"query": "b | a", "members": ["id"]}})
    now = daemon.call("getText", list="v", spans=True)
    form = {"list": "v", "format": "textEdits", "sinceText": known}
    assert now["textRevision"] == known
    answer = daemon.call("subscribe", spans=True, **form)
    lines = {edit["range"]["start"]["line"] for edit in answer["textEdits"]}
    assert {span["line"] for span in answer["spans"]} >= lines
    assert answer["spans"] == [span for span in now["spans"] if span["line"] in lines]
    assert daemon.call("subscribe", **form)["textEdits"] == []


def test_a_subscription_since_a_text(daemon: Daemon) -> None:
    rng = random.Random(8)
    state = snapshot(rng, 15, 3, "object")
    daemon.call("applySnapshot", list="l", sections=state)
    known = {}
    for _ in range(60):
        answer = text(daemon)
        known[answer["textRevision"]] = answer["text"]
        state = edited(rng, state, "object")
        daemon.call("applySnapshot", list="l", sections=state)
    now = text(daemon)
    for number, old in known.items():
        answer = daemon.call("subscribe", list="l", format="textEdits", sinceText=number)
        assert (answer["baseTextRevision"], answer["textRevision"]) == (number, now["textRevision"])
        check_moves(answer)
        lines = old.split("\n")[:-1]
        for edit in reversed(answer["textEdits"]):
            span = slice(edit["range"]["start"]["line"], edit["range"]["end"]["line"])
            lines[span] = edit["newText"].split("\n")[:-1]
        assert "".join(line + "\n" for line in lines) == now["text"]
    answer = daemon.call("subscribe", list="l", format="textEdits", sinceText=max(known) + 99)
    assert answer["text"] == now["text"] and "textEdits" not in answer and "snapshot" not in answer
    daemon.refused(-32602, "subscribe", list="l", sinceText=1)


def test_the_line_of_a_cursor_without_lines(daemon: Daemon) -> None:
    apply(daemon, "a", {"id": 1, "template": "Spacing", "lines": 0}, cursor=1)
    assert text(daemon)["cursorLine"] == 1
    assert daemon.call("locate", list="l", items=[1], text=True)["items"][0]["line"] == 1
    apply(daemon, {"id": 1, "template": "Spacing", "lines": 0})
    assert text(daemon)["cursorLine"] == 0
