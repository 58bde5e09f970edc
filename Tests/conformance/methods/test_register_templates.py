"""registerTemplates: members, alternatives, headers, parts and spacing."""

from __future__ import annotations

from typing import Any

import pytest

from client import Daemon
from text_requests import apply, register, text

pytestmark = pytest.mark.needs("getText", "registerTemplates")


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


def test_an_unregistered_template(daemon: Daemon) -> None:
    daemon.call("initialize")
    apply(
        daemon,
        {"id": 1, "text": "a", "template": "Nope"},
        {"id": 2, "text": "b", "template": "Nope"},
    )
    assert text(daemon) == "a\nb\n"
    notes = [note for note in daemon.settle() if note["method"] == "window/logMessage"]
    assert len(notes) == 1 and "Nope" in notes[0]["params"]["message"]


@pytest.mark.parametrize("lines, count, warnings", [
    (0, 0, 0), (3, 3, 0), (2.0, 2, 0), (1e2, 100, 0), (1000, 1000, 0), (None, 1, 0), (1001, 1000, 1),
    (10**30, 1000, 1), (-1, 0, 1), (-1e99, 0, 1), (1.5, 1, 1), ("3", 1, 1), ([], 1, 1),
    (True, 1, 1), ({"n": 3}, 1, 1),
])  # fmt: skip
def test_spacing(daemon: Daemon, lines: Any, count: int, warnings: int) -> None:
    daemon.call("initialize", {})
    apply(daemon, *({"id": k, "template": "Spacing", "lines": lines} for k in range(3)))
    assert text(daemon) == "\n" * (3 * count)
    answer = [note for note in daemon.settle() if note["method"] == "window/logMessage"]
    assert len(answer) == warnings


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


@pytest.mark.parametrize("template, value, line", [
    ("{v:line}", "a\nb\r\n\tc\x7f\0é", "a^Jb^M^J^Ic^?^@é"), ("{v}|{v:line}", "plain", "plain|plain"),
    ("{v:line<6}|", "a\n", "a^J   |"), ("{v:line>3…}|", "a\nb", "a^…|"), ("{v:line}", 7, "7"),
    ("{v:bytes} {v:bytes>5}", 999, "999B  999B"), ("{v:bytes}", 0, "0B"), ("{v:bytes}", 1000, "1.0K"),
    ("{v:bytes}", 2048.0, "2.0K"), ("{v:bytes}", 10200, "10K"), ("{v:bytes}", 15 << 20, "15M"),
    ("{v:bytes}", 2**63 - 1, "8.0E"), ("{v:bytes}", -1, "-1"), ("{v:bytes}", "x\n", "x\n"), ("{v:bytes}", None, ""),
])  # fmt: skip
def test_values_in_a_form(daemon: Daemon, template: str, value: Any, line: str) -> None:
    register(daemon, Cell=template)
    apply(daemon, {"id": 1, "v": value})
    assert text(daemon) == line + "\n"


@pytest.mark.parametrize("template", ["{v:lines}", "{v:lin}", "{v:linebytes}", "{v:line<}", "{v:line8#}"])
def test_invalid_columns(daemon: Daemon, template: str) -> None:
    daemon.refused(-32602, "registerTemplates", templates={"Cell": template})


def test_spans_of_values_in_one_line(daemon: Daemon) -> None:
    """They are those of what is shown."""
    register(daemon, Cell="{v:line#Name}")
    apply(daemon, {"id": 1, "v": "a\n\tbc\nd"})
    daemon.call("compose", list="found", sources=["l"], view={"match": {"query": "bc", "members": ["v"]}})
    found = daemon.call("getText", list="found", spans=True)
    assert found["text"] == "a^J^Ibc^Jd\n"
    assert found["spans"] == [
        {"line": 0, "start": 0, "end": 10, "group": "Name"}, {"line": 0, "start": 5, "end": 7, "group": "match"},
    ]  # fmt: skip
