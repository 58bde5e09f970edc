"""Recorded sessions, sent to two processes with different hashes, framings and checks: the same bytes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import List

import pytest

import twin
from client import PATIENCE, ROOT, program

SESSIONS = sorted((ROOT / "Tests" / "Sessions").glob("*.ndjson"))


def sent(path: Path) -> List[bytes]:
    """The messages of the first client, as they were written."""
    found = []
    for line in path.read_bytes().splitlines():
        entry = json.loads(line)
        if entry.get("from") != "client" or entry.get("connection", 1) != 1 or "message" not in entry:
            continue
        found.append(line[line.index(b'"message":') + len(b'"message":') : -1])
    return found


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_a_recorded_session_has_the_same_bytes(path: Path) -> None:
    messages = sent(path)
    if not twin.is_comparable([], messages):
        pytest.skip("its answers depend on time")
    ours = twin.answers(program(), ["--self-check"], messages, "lsp", PATIENCE)
    theirs = twin.answers(program(), [], messages, "ndjson", PATIENCE)
    assert ours and not twin.first_difference(ours, theirs)
