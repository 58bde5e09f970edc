"""Messages of recorded sessions and of the manual's examples are valid."""

# Promise: Every message of the manual and of the recorded sessions is valid by `listd --schema`; params that it
#   forbids, with one member removed, renamed or retyped, are refused with the pointer to it; params that it allows
#   are never refused as malformed, and the answers are valid. Also `Tests/schema/test_params.py`.

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, List, Tuple

import pytest

from checking import Checker
from document import ROOT, Json
from client import Daemon
from examples import Chapter, answers, chapters

SESSIONS = sorted((ROOT / "Tests/Sessions").glob("*.ndjson"))
PAGE = (ROOT / "protocol.md").read_text("utf-8")


def whole(messages: List[str]) -> List[Any]:
    """The messages that are JSON."""
    found = []
    for message in messages:
        try:
            found.append(json.loads(message))
        except ValueError:
            pass
    return found


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_recorded_sessions(checker: Checker, path: Path) -> None:
    lines = whole(path.read_text("utf-8").splitlines())
    connections = {line.get("connection", 1) for line in lines}
    for connection in connections:
        messages = [
            (line["from"], line["message"]) for line in lines
            if "message" in line and line.get("connection", 1) == connection
        ]  # fmt: skip
        assert checker.conversation(messages) == []


@pytest.mark.parametrize("chapter", chapters(PAGE), ids=lambda chapter: chapter.title)
def test_examples_of_the_manual(checker: Checker, chapter: Chapter) -> None:
    messages: List[Tuple[str, Any]] = []
    with Daemon(*chapter.arguments) as daemon:
        for step in chapter.steps:
            messages += [("client", one) for one in whole(step.sent)]
            messages += [("server", one) for one in whole(answers(daemon, step))]
    assert checker.conversation(messages) == []


def test_what_is_checked_can_fail(checker: Checker) -> None:
    """An unknown member, a missing one, and one of another type are found."""
    session = ROOT / "Tests/Sessions/a-first-conversation.ndjson"
    lines = whole(session.read_text("utf-8").splitlines())
    messages = [(line["from"], line["message"]) for line in lines if "message" in line]
    results = [one for sender, one in messages if sender == "server" and one.get("result")]
    assert len(results) > 2
    for message in results:
        result = message["result"]
        for name in list(result):
            kept = result.pop(name)
            if name in ("list", "revision", "serverInfo"):
                assert checker.conversation(messages), f"without {name}"
            result[name] = [None]
            assert checker.conversation(messages), f"{name} of another kind"
            result[name] = kept
        result["another"] = 1
        assert checker.conversation(messages)
        del result["another"]
    assert checker.conversation(messages) == []
