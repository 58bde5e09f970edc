"""The examples of a page: conversations in fenced blocks, one session per chapter.

A line of a block begins with `-->` (sent) or `<--` (received) and goes on in the lines below that
are indented by four spaces. What is sent is a method and its params, or a whole message; `short` is
how the answers are shown. To write anew what is received in a page:

    python3 Tests/conformance/support/examples.py protocol.md clients/README.md
"""

from __future__ import annotations

import json
import re
import shlex
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, List, Tuple

from client import Daemon, request
from values import dumps, loads

WIDTH = 120
SENTINEL = "is that all?"
NOTIFICATIONS = ("initialized", "exit", "$/setTrace", "$/cancelRequest")
MANY = 8
# What `…` stands for at the end of an object, and if it is empty.
OMITTED = ("list", "format", "counts")
EMPTY = {"selection": [], "cursor": None, "deselected": [], "moves": []}


@dataclass
class Step:
    """Messages that are sent together, and those received for them, which are at `lines`."""

    line: int
    sent: List[str] = field(default_factory=list)
    received: List[str] = field(default_factory=list)
    lines: Tuple[int, int] = (0, 0)


@dataclass
class Chapter:
    """The examples of one chapter, a session with a daemon started with `arguments`."""

    title: str
    arguments: List[str] = field(default_factory=list)
    steps: List[Step] = field(default_factory=list)


def chapters(text: str) -> List[Chapter]:
    """The chapters of a page that have examples."""
    found: List[Chapter] = []
    inside = False
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if inside and line.startswith("```"):
            inside = False
        elif inside:
            read(found[-1], line, number)
        elif line.startswith("## "):
            found.append(Chapter(line[3:]))
        elif line.startswith("```jsonl") and lines[number + 1].startswith("--> "):
            inside = True
            found[-1].arguments += shlex.split(line[8:])
            found[-1].steps.append(Step(number + 1, lines=(number + 1, number + 1)))
    for chapter in found:
        chapter.steps = [step for step in chapter.steps if step.sent]
        whole_messages(chapter)
    return [chapter for chapter in found if chapter.steps]


def read(chapter: Chapter, line: str, number: int) -> None:
    step = chapter.steps[-1]
    mark, text = line[:4], line[4:]
    if mark == "--> " and step.received:
        chapter.steps.append(Step(number, [text], lines=(number + 1, number + 1)))
        return
    assert mark in ("--> ", "<-- ", "    "), f"line {number + 1} is no example: {line}"
    if mark == "    ":
        (step.received or step.sent)[-1] += text
    else:
        (step.sent if mark == "--> " else step.received).append(text)
    if not step.received:
        step.lines = (number + 1, number + 1)
    else:
        step.lines = (step.lines[0], number + 1)


def whole_messages(chapter: Chapter) -> None:
    """Replaces each method with its params by the whole message."""
    number = 0
    for step in chapter.steps:
        for index, line in enumerate(step.sent):
            if line[0] in "{[":
                continue
            method, _, params = line.partition(" ")
            message = {"jsonrpc": "2.0", "method": method}
            if method not in NOTIFICATIONS:
                number += 1
                message = {"jsonrpc": "2.0", "id": number, "method": method}
            # The params are sent as they are written, to the digit.
            given = f',"params":{params}' if params else ""
            step.sent[index] = dumps(message)[:-1] + given + "}"


def answers(daemon: Daemon, step: Step) -> List[str]:
    """The messages that the daemon sends for a step, until it is idle or ends."""
    daemon.raw("".join(line + "\n" for line in step.sent).encode("utf-8"))
    if any('"exit"' in line for line in step.sent):
        return []
    daemon.send(request("getLists", id=SENTINEL))
    answer: List[str] = []
    while True:
        message = daemon.receive().rstrip("\n")
        value = loads(message)
        if isinstance(value, dict) and value.get("id") == SENTINEL:
            return answer
        answer.append(message)


def short(message: str) -> str:
    """A received message as the page shows it."""
    value = json.loads(message, parse_float=lambda digits: f"⟨{digits}⟩")
    if not isinstance(value, dict) or value.get("id", "") is None:
        return message
    if "method" in value:
        return f"{value['method']} {dumps(shortened(value['params'], 'params'))}"
    if "error" in value:
        return f"error {dumps(value['error'])}"
    return dumps(shortened(value["result"], "result"))


def shortened(value: Any, part: str = "") -> Any:
    """A value without what `…` stands for; `part` is that of the message."""
    if isinstance(value, list):
        if len(value) > MANY and all(isinstance(one, str) for one in value):
            return [*value[:2], "…"]
        return [shortened(one) for one in value]
    if not isinstance(value, dict):
        return value
    if not part or not {"revision", "counts"} & set(value):
        return {name: shortened(one) for name, one in value.items()}
    kept = {
        name: shortened(one) for name, one in value.items()
        if name not in OMITTED and not (name in EMPTY and one == EMPTY[name])
        and not (name == "baseRevision" and part == "result")
    }  # fmt: skip
    return {**kept, "…": ""} if len(kept) < len(value) else kept


def printed(text: str) -> str:
    """What is shown, with numbers as they were sent and the signs for what is not shown."""
    text = re.sub('"⟨([^⟩]*)⟩"', r"\1", text)
    return text.replace('"…":""', "…").replace('"…"', "…")


def wrapped(message: str) -> List[str]:
    """A message as lines of the page, broken after commas."""
    pieces = re.findall(r'(?:"(?:[^"\\]|\\.)*"|\[[0-9,]+\]|[^",])*,?', message)
    lines = ["<-- "]
    for piece in pieces:
        if len(lines[-1]) + len(piece) > WIDTH and lines[-1].strip() not in ("", "<--"):
            lines.append("    ")
        lines[-1] += piece
    return lines


def written(text: str) -> str:
    """The page with the present answers of a daemon."""
    lines = text.split("\n")
    edits = []
    for chapter in chapters(text):
        with Daemon(*chapter.arguments) as daemon:
            for step in chapter.steps:
                answer = [printed(short(message)) for message in answers(daemon, step)]
                edits.append((step.lines, [row for message in answer for row in wrapped(message)]))
    for (start, end), rows in reversed(edits):
        lines[start:end] = rows
    return "\n".join(lines)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        page = Path(name)
        page.write_text(written(page.read_text("utf-8")), "utf-8")
