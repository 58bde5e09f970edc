"""The command: diff, record and replay, journal, self-check."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from client import Daemon, line, request, session
from command import run


def written(path: Path, value: Any) -> Path:
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


@pytest.mark.needs("listd diff")
def test_diff_of_snapshots(tmp_path: Path) -> None:
    old = written(tmp_path / "old", {"items": [1, 2, 3]})
    new = written(tmp_path / "new", {"items": [3, 1, 2]})
    assert run("diff", old, old).code == 0
    answer = run("diff", "--format=stages", old, new)
    assert answer.code == 1 and b"moveItems" in answer.out
    assert run("diff", "--format=none", old, new).code == 1
    people = run("diff", old, new)
    assert people.code == 1 and people.out.strip() and b"\x1b" not in people.out


@pytest.mark.needs("listd diff")
def test_diff_of_lines_and_standard_input(tmp_path: Path) -> None:
    old = written(tmp_path / "old", "a\nb\n")
    assert run("diff", old, "-", sent=b"a\nb\n").code == 0
    assert run("diff", old, "-", sent=b"a\nc\n").code == 1
    assert run("diff", "-", old, sent=b"").code == 1


@pytest.mark.needs("listd diff")
def test_diff_in_trouble(tmp_path: Path) -> None:
    old = written(tmp_path / "old", {"items": [{"id": 1}, {"id": 1}]})
    other = written(tmp_path / "new", {"items": []})
    for args in ([old, other], [other, old], [old, tmp_path / "none"], [old], ["--nope", old, old]):
        answer = run("diff", *args)
        assert answer.code == 2 and answer.err.strip(), args


@pytest.mark.needs("--record", "listd replay")
def test_a_recorded_session_is_replayed(tmp_path: Path) -> None:
    record = tmp_path / "session.ndjson"
    sent = line(request("applySnapshot", {"list": "l", "items": [1]})) + b"{oops\n"
    assert session(sent, f"--record={record}").code == 0
    entries = [json.loads(text) for text in record.read_text().splitlines()]
    answer = [entry for entry in entries if "from" in entry]
    assert [entry["from"] for entry in answer] == ["client", "server"] * 2
    assert answer[0]["message"]["method"] == "applySnapshot" and isinstance(answer[0]["at"], int)
    assert base64.b64decode(answer[2]["raw"]).strip() == b"{oops"
    assert run("replay", record).code == 0
    spoiled = record.read_text().replace('"revision":', '"revision":9')
    other = written(tmp_path / "other.ndjson", spoiled)
    differs = run("replay", other)
    assert differs.code == 1 and (differs.out or differs.err)


def journaled(path: Path, *more: str) -> Daemon:
    return Daemon(f"--journal={path}", *more)


@pytest.mark.needs("--journal")
@pytest.mark.parametrize("more", [[], ["--journal-sync"]])
def test_lists_outlive_the_process(tmp_path: Path, more: Any) -> None:
    path = tmp_path / "journal"
    with journaled(path, *more) as daemon:
        daemon.call("applySnapshot", list="l", items=["a", "b"], selected=["b"], cursor="a")
        daemon.call("applySnapshot", list="m", items=[])
        daemon.call("removeList", list="m")
        before = daemon.call("getSnapshot", list="l")
        daemon.process.kill()
        daemon.process.wait()
    with journaled(path, *more) as daemon:
        assert daemon.call("getSnapshot", list="l") == before
        assert len(daemon.call("getLists")["lists"]) == 1
        answer = daemon.call("applySnapshot", list="m", items=[1])
        assert answer["revision"] > 1 and answer["baseRevision"] == 0


# Promise: A torn last line is removed and reported; with damage, another kind of file or another daemon, listd does
#   not start and changes nothing. Also `test_damage_in_the_middle_is_not_removed`,
#   `test_a_file_that_is_not_a_journal_is_not_changed`, `test_a_second_daemon_is_refused`.
@pytest.mark.needs("--journal")
def test_a_torn_tail_is_cut_and_reported(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with journaled(path) as daemon:
        daemon.call("applySnapshot", list="l", items=["a"])
        first = len(path.read_bytes())
        daemon.call("applySnapshot", list="l", items=["a", "b"])
    data = path.read_bytes()
    path.write_bytes(data[: (first + len(data)) // 2])
    with journaled(path) as daemon:
        answer = daemon.call("getSnapshot", list="l")["sections"][0]["items"]
        assert answer == ["a"]
        daemon.call("applySnapshot", list="l", items=["c"])
        daemon.end()
        assert daemon.errors.strip()
    with journaled(path) as daemon:
        assert daemon.call("getSnapshot", list="l")["sections"][0]["items"] == ["c"]


@pytest.mark.needs("--journal")
def test_a_journal_is_locked_and_must_be_one(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with journaled(path) as daemon:
        daemon.call("getLists")
        second = session(b"", f"--journal={path}")
        assert second.code == 1 and second.err.strip()
    other = written(tmp_path / "other", "not a journal\n" * 9)
    assert session(b"", f"--journal={other}").code == 1
    assert other.read_text() == "not a journal\n" * 9


@pytest.mark.needs("--self-check")
def test_self_check_does_not_change_answers() -> None:
    sent = line(request("applySnapshot", {"list": "l", "items": [1, 2]}))
    sent += line(request("applySnapshot", {"list": "l", "items": [2, 1, 3]}))
    sent += line(request("subscribe", {"list": "not yet", "since": 0}))
    assert session(sent, "--self-check").out == session(sent).out
