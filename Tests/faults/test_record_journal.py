"""A record of a daemon that started from a journal is replayed without the journal."""

# Promise: A record of a daemon that started from a journal can be replayed without the journal. Also
#   `Tests/faults`, `restoresTheListsAtTheStart`.

from __future__ import annotations

import json
from pathlib import Path

import pytest
from test_journal import CALLS
from test_record import lines, replay

from client import Daemon, line, request, session


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return tmp_path / "session.ndjson"


ASKED = [
    ("getLists", {}),
    ("getText", {"list": "b"}),
    ("getText", {"list": "both"}),
    ("getSelection", {"list": "both"}),
    ("subscribe", {"list": "deeper", "format": "textEdits"}),
    ("select", {"list": "deep", "action": "extend", "items": [5]}),
    ("editSnapshot", {"list": "b", "edits": [
        {"edit": "appendItems", "items": [{"id": "new", "text": "text"}]}
    ], "format": "textEdits"}),
    ("applySnapshot", {"list": "gone", "items": [1], "format": "textEdits"}),
    ("applySnapshot", {"list": "later", "items": [5, 6], "baseRevision": 1}),
    ("registerTemplates", {"templates": {"Cell": "{text}!"}}),
    ("getSnapshot", {"list": "parts"}),
    ("getSnapshot", {"list": "both"}),
    ("getText", {"list": "both"}),
    ("removeList", {"list": "b"}),
    ("getSnapshot", {"list": "deep"}),
    ("getSnapshot", {"list": "b"}),
]  # fmt: skip


def prepare(journal: Path) -> None:
    """Lists of every kind, over several daemons."""
    deep = {"id": 2, "d": json.loads("[" * 500 + "]" * 500)}
    section = {"id": "s", "selectionMode": "multiple", "items": [deep, *range(3, 12)]}
    for start in (0, len(CALLS) // 2):
        with Daemon("--journal", str(journal)) as daemon:
            for method, params in CALLS[start:][: len(CALLS) // 2 + (start > 0)]:
                daemon.call(method, params)
            daemon.call("getText", list="b")
            daemon.call("applySnapshot", list="own", items=[start, "y"])
            daemon.call("applySnapshot", list="deep", sections=[section], selected=[3])
            daemon.call("select", list="deep", items=[4])
            daemon.call("select", list="deep", action="extend", items=[8])


def test_it_begins_with_the_lists_of_the_journal(journal: Path, record: Path) -> None:
    prepare(journal)
    args = "--journal", str(journal), "--record", str(record)
    with Daemon(*args) as daemon:
        for method, params in ASKED:
            daemon.send(request(method, params, 1))
        answers = [daemon.reply() for _ in ASKED]
        assert "result" in answers[0] and answers[-1]["error"]["code"] == -31001
        assert daemon.end() == 0
    journal.unlink()
    outcome = replay(str(record))
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    assert "all the same" in outcome.stdout
    first, *others = lines(record)
    assert "title" in first and all("from" in entry for entry in others)
    answer = [entry["message"] for entry in others if entry["from"] == "server"]
    assert [message for message in answer if "id" in message] == answers


def test_replay_needs_those_lists(journal: Path, record: Path) -> None:
    """The lists at the beginning matter: with others the answers differ."""
    prepare(journal)
    with Daemon("--journal", str(journal), "--record", str(record)) as daemon:
        daemon.call("getSnapshot", list="own")
    first, rest = record.read_text().split("\n", 1)
    assert '"y"' in first
    record.write_text(first.replace('"y"', '"z"', 1) + "\n" + rest)
    outcome = replay(str(record))
    assert outcome.returncode == 1 and f"{record}:3" in outcome.stdout
    assert '"y"' in outcome.stdout and '"z"' in outcome.stdout


def test_lists_that_cannot_be_made_are_reported(journal: Path, record: Path) -> None:
    prepare(journal)
    session(line(request("getLists")), "--journal", str(journal), "--record", str(record))
    first, rest = record.read_text().split("\n", 1)
    for bad in ('[{"list":"x"}]', "[1]", '[{"list":"x","revision":1,"sections":[[0,1]],"selection":[]}]'):
        story = '{"title":"t","journal":[%s]}' % bad
        record.write_text(story + "\n" + rest)
        outcome = replay(str(record))
        assert outcome.returncode == 1 and f"{record}:1" in outcome.stderr, outcome


def test_the_lists_are_shown(journal: Path, record: Path) -> None:
    with Daemon("--journal", str(journal)) as daemon:
        daemon.call("applySnapshot", list="shopping", items=["apple", "pear"])
    session(line(request("getLists")), "--journal", str(journal), "--record", str(record))
    answer = replay("--show", str(record)).stdout
    assert '"shopping"' in answer.split("getLists")[0] and '"pear"' in answer


def test_recording_anew_keeps_the_lists(journal: Path, record: Path) -> None:
    prepare(journal)
    session(line(request("getLists")), "--journal", str(journal), "--record", str(record))
    right = record.read_text()
    assert '"revision":' in right
    record.write_text(right.replace('"id":1,"result"', '"id":2,"result"'))
    assert replay("--rerecord", str(record)).returncode == 1
    assert record.read_text() == right


def test_without_lists_nothing_is_added(journal: Path, record: Path) -> None:
    session(line(request("getLists")), "--journal", str(journal), "--record", str(record))
    assert [entry["from"] for entry in lines(record)] == ["client", "server"]


def test_a_journal_is_not_overwritten_by_a_record(journal: Path) -> None:
    with Daemon("--journal", str(journal)) as daemon:
        daemon.call("applySnapshot", list="l", items=[1])
        content = journal.read_bytes()
        outcome = session(line(request("getLists")), "--record", str(journal))
        assert outcome.code == 1 and outcome.out == b"" and "in use" in outcome.err
        assert journal.read_bytes() == content
    outcome = session(line(request("getLists")), "--journal", str(journal), "--record", str(journal))
    assert outcome.code == 1 and outcome.out == b"" and str(journal) in outcome.err
    assert journal.read_bytes() == content


def test_a_refused_change_is_not_in_the_journal(record: Path) -> None:
    sent = [request("applySnapshot", {"list": "l", "items": [1]}), request("getLists", id=2)]
    sent += [request("registerTemplates", {"templates": {"Cell": "x"}}, "r"), request("getLists")]
    outcome = session(b"".join(map(line, sent)), "--journal", "/dev/full", "--record", str(record))
    assert [reply.get("error", {}).get("code") for reply in outcome.lines] == [-31011, None] * 2
    answer = replay(str(record))
    assert answer.returncode == 0, answer.stdout
