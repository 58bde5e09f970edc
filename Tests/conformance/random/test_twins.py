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


def test_rows_that_repeat_have_the_same_change_in_every_process() -> None:
    """Which pairings are tried depends on what rows have in common, and not on the seed of hashes."""
    old = {3: "", 4: "9 1 6", 5: "x y 9", 7: "6 v 3"}
    new = {0: "1 6 3 6", 2: "", 4: "3 v 3"}
    sides = [{"sections": [{"id": id, "items": rows.split()} for id, rows in side.items()]}
             for side in (old, new)]  # fmt: skip
    message = {"jsonrpc": "2.0", "id": 1, "method": "diff",
               "params": {"from": sides[0], "to": sides[1]}}  # fmt: skip
    sent = [json.dumps(message).encode()]
    assert len({tuple(twin.answers(program(), [], sent, "lsp", PATIENCE)) for _ in range(50)}) == 1


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_a_recorded_session_has_the_same_bytes(path: Path) -> None:
    messages = sent(path)
    if not twin.is_comparable([], messages):
        pytest.skip("its answers depend on time")
    ours = twin.answers(program(), ["--self-check"], messages, "lsp", PATIENCE)
    theirs = twin.answers(program(), [], messages, "ndjson", PATIENCE)
    assert ours and not twin.first_difference(ours, theirs)
