"""The examples of a page: conversations in fenced blocks, one session per chapter.

A line of a block begins with `-->` (sent) or `<--` (received) and goes on in the lines below that
are indented by four spaces. To write anew what is received in a page:

    python3 Tests/conformance/support/examples.py protocol.md
"""

from __future__ import annotations

import re
import shlex
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import List, Tuple

from client import Daemon, request
from values import loads

WIDTH = 100
SENTINEL = "is that all?"


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
    for number, line in enumerate(text.split("\n")):
        if inside and line.startswith("```"):
            inside = False
        elif inside:
            read(found[-1], line, number)
        elif line.startswith("## "):
            found.append(Chapter(line[3:]))
        elif line.startswith("```jsonl"):
            inside = True
            found[-1].arguments += shlex.split(line[8:])
            found[-1].steps.append(Step(number + 1, lines=(number + 1, number + 1)))
    for chapter in found:
        chapter.steps = [step for step in chapter.steps if step.sent]
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
                answer = answers(daemon, step)
                edits.append((step.lines, [row for message in answer for row in wrapped(message)]))
    for (start, end), rows in reversed(edits):
        lines[start:end] = rows
    return "\n".join(lines)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        page = Path(name)
        page.write_text(written(page.read_text("utf-8")), "utf-8")
