"""`listd since`: what differs from the last run."""

# Promise: `listd since` reports what differs from the last run that succeeded, and loses nothing. Also
#   `Tests/conformance/command`.

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any, List

import pytest

from client import PATIENCE, Outcome, program

pytestmark = pytest.mark.needs("listd since")

OLD = b"sku,price\na,1\nb,2\n"
NEW = b"sku,price\nb,3\na,1\nc,4\n"


class Since:
    """Runs `listd since` with a state folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kept = folder / "state/listd/since"

    def __call__(self, *words: Any, sent: bytes = b"", **more: str) -> Outcome:
        environment = {**os.environ, "XDG_STATE_HOME": str(self.folder / "state"), **more}
        done = subprocess.run(
            [program(), "since", *map(str, words)], input=sent, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, timeout=PATIENCE, env=environment, cwd=self.folder,
        )  # fmt: skip
        return Outcome(done.returncode, done.stdout, done.stderr.decode())


@pytest.fixture
def since(tmp_path: Path) -> Since:
    return Since(tmp_path)


def test_runs_are_compared(since: Since) -> None:
    words = ["prices", "--key", "sku", "--stat"]
    assert since(*words, sent=OLD) == Outcome(0, b"", "")
    assert since(*words, sent=OLD) == Outcome(0, b"", "")
    answer = since(*words, sent=NEW)
    assert (answer.code, answer.err) == (1, "") and answer.out == b"1 inserted, 1 moved, 1 changed\n"
    assert since(*words, sent=NEW) == Outcome(0, b"", "")
    assert (since.kept / "prices").read_bytes() == NEW
    assert (since.kept / "prices").stat().st_mode & 0o777 == 0o600
    # Other names have rows of their own.
    assert since("others", sent=OLD) == Outcome(0, b"", "")


def test_changes_for_programs(since: Since) -> None:
    words = ["prices", "--key", "sku", "--format", "ndjson", "--unordered"]
    since(*words, sent=OLD)
    answer = since(*words, sent=NEW)
    assert answer.code == 1
    assert {json.loads(line)["op"] for line in answer.out.splitlines()} == {"change", "insert"}


def test_files_and_commands(since: Since) -> None:
    (since.folder / "f.csv").write_bytes(OLD)
    assert since("a", "f.csv").code == since("b", "--", "cat", "f.csv").code == 0
    (since.folder / "f.csv").write_bytes(NEW)
    assert since("a", "f.csv").out.startswith(b"--- f.csv\n+++ f.csv\n")
    assert since("b", "--", "cat f.csv").out.startswith(b"--- b\n+++ b\n")


@pytest.mark.parametrize("words", [["--", "echo x; exit 3"], ["--", "/no/such", "x"], ["nosuch"], ["--key", "x"]])
def test_what_fails_changes_nothing(since: Since, words: List[str]) -> None:
    since("l", sent=OLD)
    answer = since("l", *words, sent=NEW)
    assert answer.code == 2 and answer.out == b"" and answer.err.startswith("listd: "), answer
    assert (since.kept / "l").read_bytes() == OLD
    assert since("m", *words, sent=NEW).code == 2 and not (since.kept / "m").exists()


def test_peek_and_forget(since: Since) -> None:
    since("l", sent=OLD)
    assert [since("l", "--peek", sent=NEW).code for _ in range(2)] == [1, 1]
    assert since("l", "--forget") == Outcome(0, b"", "")
    assert since("l", "--forget") == Outcome(0, b"", "")
    assert since("l", "--peek", sent=NEW).code == 0 and not (since.kept / "l").exists()


def test_a_command_reads_the_changes(since: Since) -> None:
    action = ["--quiet", "--exec", 'cat >>told; echo "$LISTD_CHANGE" >>told']
    since("l", *action, sent=b"a\n")
    assert since("l", *action, sent=b"a\n").code == 0 and not (since.folder / "told").exists()
    assert since("l", *action, sent=b"b\n") == Outcome(1, b"", "")
    told = (since.folder / "told").read_text().splitlines()
    assert [json.loads(line)["op"] for line in told[:2]] == ["delete", "insert"]
    assert told[2:] == ["1 deleted, 1 inserted"]
    answer = since("l", "--quiet", "--exec", "exit 3", sent=b"c\n")
    assert answer.code == 2 and "--exec: exit status 3" in answer.err
    assert (since.kept / "l").read_bytes() == b"b\n"


def test_output_that_cannot_be_written(since: Since) -> None:
    since("l", sent=OLD)
    environment = {**os.environ, "XDG_STATE_HOME": str(since.folder / "state")}
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [program(), "since", "l"], input=NEW, stdout=full, stderr=subprocess.PIPE, env=environment
        )
    assert done.returncode == 2 and b"No space left" in done.stderr
    assert (since.kept / "l").read_bytes() == OLD


def test_a_run_that_was_killed_or_goes_on(since: Since) -> None:
    since("l", sent=OLD)
    (since.kept / "l.new").write_bytes(b"half")
    assert since("l", "--quiet", sent=NEW).code == 1 and (since.kept / "l").read_bytes() == NEW
    assert sorted(os.listdir(since.kept)) == ["l", "l.lock"]
    environment = {**os.environ, "XDG_STATE_HOME": str(since.folder / "state")}
    started = since.folder / "started"
    words = [program(), "since", "l", "--", f"touch {started}; exec sleep 600"]
    with subprocess.Popen(words, env=environment) as other:
        while not started.exists():
            time.sleep(0.01)
        answer = since("l", sent=OLD)
        assert answer.code == 2 and "it is in use by another listd" in answer.err
        other.terminate()
    assert (since.kept / "l").read_bytes() == NEW


def test_where_rows_are_kept(since: Since) -> None:
    home = str(since.folder / "home")
    assert since("l", sent=OLD, XDG_STATE_HOME="", HOME=home).code == 0
    assert (since.folder / "home/.local/state/listd/since/l").read_bytes() == OLD
    answer = since("l", sent=OLD, XDG_STATE_HOME="", HOME="")
    assert answer.code == 2 and "neither XDG_STATE_HOME nor HOME" in answer.err
    (since.folder / "file").write_text("")
    answer = since("l", sent=OLD, XDG_STATE_HOME=str(since.folder / "file"))
    assert answer.code == 2 and "cannot make the folder" in answer.err


@pytest.mark.parametrize(
    "words, says",
    [
        ([], "takes a name"), (["a", "b", "c"], "takes a name"), (["a", "--"], "takes a name"),
        (["a", "b", "--", "ls"], "takes a name"), (["../x"], "cannot name a file"),
        (["a/b"], "cannot name a file"), ([""], "cannot name a file"), (["--label", "x", "l"], "unknown option"),
    ],
)  # fmt: skip
def test_a_wrong_command_line(since: Since, words: List[str], says: str) -> None:
    answer = since(*words, sent=OLD)
    assert answer.code == 2 and says in answer.err and not since.kept.exists(), answer
