"""Kills at every write, short and interrupted writes, and syncs, by a preloaded library."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Dict, Iterator, List

import pytest
from test_record import replay

from client import PATIENCE, Daemon, line, program, request
from rounds import rounds
from values import loads

Environment = Dict[str, str]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc") or shutil.which("clang")
    if not compiler:
        pytest.skip("no compiler of C")
    path = tmp_path_factory.mktemp("library") / "disturb.so"
    source = Path(__file__).parent / "disturb.c"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", path, source, "-ldl"], check=True)
    return path


def run(library: Path, sent: List[dict], *args: str, **disturb: str) -> subprocess.CompletedProcess:
    """A whole session of a daemon that is disturbed."""
    env = {**os.environ, "LD_PRELOAD": str(library)}
    env.update({f"DISTURB_{name.upper()}": value for name, value in disturb.items()})
    return subprocess.run(
        [program(), *args], input=b"".join(map(line, sent)), capture_output=True, timeout=PATIENCE, env=env
    )


def applies(count: int, rows: int = 12, width: int = 40) -> List[dict]:
    return [
        request("applySnapshot", {"list": f"l{k % 2}", "items": [f"{k} {n} {'x' * width}" for n in range(rows)]}, k)
        for k in range(count)
    ]


# A journal is not written anew below 1 MiB; these do that twice, in several pieces.
LONG = {"count": 30, "width": 12_500}


def restarted(journal: Path) -> Dict[str, list]:
    with Daemon("--journal", str(journal)) as daemon:
        lists = daemon.call("getLists")["lists"]
        response = [daemon.call("getSnapshot", list=entry["list"]) for entry in lists]
        assert daemon.end() == 0 and "damaged" not in daemon.errors
    return {snapshot["list"]: snapshot["sections"][0]["items"] for snapshot in response}


def changes_of_files(log: Path) -> List[str]:
    return [name for name in log.read_text().splitlines() if name in ("write", "cut", "rename", "remove")]


# Promise: They survive a kill at each write, truncation, rename and removal. Also `test_killed_again_and_again`.
@pytest.mark.parametrize("sync", [(), ("--journal-sync",)])
def test_killed_at_every_change_of_a_file(library: Path, tmp_path: Path, sync: tuple) -> None:
    """Kills before and in the middle of each write, and before each truncation, rename and removal."""
    sent = applies(**LONG)
    log = tmp_path / "log"
    whole = run(library, sent, "--journal", str(tmp_path / "whole"), *sync, log=str(log))
    assert whole.returncode == 0
    changes = changes_of_files(log)
    assert changes.count("rename") >= 1, "it is to be killed while it writes the file anew, too"
    assert changes.count("write") > len(sent) + 2 * changes.count("rename"), "in several pieces"
    for number in range(1, len(changes) + 1):
        folder = tmp_path / str(number)
        folder.mkdir()
        journal = folder / "journal"
        outcome = run(library, sent, "--journal", str(journal), *sync, kill=str(number))
        assert outcome.returncode == -9, changes[number - 1]
        acknowledged = [loads(text)["id"] for text in outcome.stdout.decode().split("\n")[:-1]]
        for daemon in range(2):
            now = restarted(journal)
            for name in ("l0", "l1"):
                mine = [call for call in sent if call["params"]["list"] == name]
                seen = [call["id"] for call in mine if call["id"] in acknowledged]
                possible = [call["params"]["items"] for call in mine if call["id"] >= max(seen, default=0)]
                assert name in now or not seen, (number, changes[number - 1])
                assert name not in now or now[name] in possible, (number, changes[number - 1])
            assert os.listdir(folder) == ["journal"], "what was left behind is removed"
        shutil.rmtree(folder)


def test_killed_again_and_again(library: Path, journal: Path) -> None:
    """Each daemon is killed at a later change of a file; the next one has all acknowledged changes."""
    last: Dict[str, int] = {}
    items: Dict[int, list] = {}
    number = 0
    for round in range(rounds(40)):
        sent = []
        for call in applies(30, rows=20, width=2000):
            number += 1
            items[number] = [f"{number} {text}" for text in call["params"]["items"]]
            sent.append(request("applySnapshot", {**call["params"], "items": items[number]}, number))
        outcome = run(library, sent, "--journal", str(journal), kill=str(1 + round * 7 % 31))
        for text in outcome.stdout.decode().split("\n")[:-1]:
            response = loads(text)
            last[response["result"]["list"]] = response["id"]
        now = restarted(journal)
        for name, least in last.items():
            assert int(now[name][0].split()[0]) >= least
            assert now[name] == items[int(now[name][0].split()[0])]


# Promise: Short and interrupted writes lose nothing. Also `test_sockets_with_small_buffers`.
def test_short_and_interrupted_writes(library: Path, journal: Path, tmp_path: Path) -> None:
    sent = applies(80, width=2000)
    record, log = tmp_path / "record", tmp_path / "log"
    outcome = run(
        library, sent, "--journal", str(journal), "--record", str(record), short="1", log=str(log)
    )
    replies = [loads(text) for text in outcome.stdout.decode().splitlines()]
    assert outcome.returncode == 0 and all("result" in reply for reply in replies) and len(replies) == 80
    changes = changes_of_files(log)
    assert changes.count("write") > 3 * len(sent) and "rename" in changes
    assert restarted(journal) == {call["params"]["list"]: call["params"]["items"] for call in sent[-2:]}
    assert replay(str(record)).returncode == 0


def steps(log: Path) -> Iterator[str]:
    yield from log.read_text().splitlines()


# Promise: With `--journal-sync`, nothing is answered before it is on the disk; waiting changes are synced together;
#   a new file's name is synced, too. Also `test_the_name_of_the_file_is_on_the_disk`.
def test_nothing_is_answered_before_it_is_on_the_disk(library: Path, journal: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    sent = applies(200)
    outcome = run(library, sent, "--journal", str(journal), "--journal-sync", log=str(log))
    assert outcome.returncode == 0 and outcome.stdout.count(b'"result"') == 200
    unsynced, answers, syncs = False, 0, 0
    for step in steps(log):
        if step == "write":
            unsynced = True
        elif step == "sync":
            unsynced, syncs = False, syncs + 1
        elif step == "answer":
            assert not unsynced, "answered before it was synced"
            answers += 1
    assert answers and syncs < 100, f"{syncs} syncs of {len(sent)} requests that were there at once"


def test_the_name_of_the_file_is_on_the_disk(library: Path, journal: Path, tmp_path: Path) -> None:
    """The folder is synced when the file is created, and each time a new one replaces it."""
    log = tmp_path / "log"
    run(library, applies(80, width=2000), "--journal", str(journal), "--journal-sync", log=str(log))
    response = list(steps(log))
    assert response.index("sync folder") < response.index("write")
    renames = [place for place, step in enumerate(response) if step == "rename"]
    assert renames
    for place in renames:
        assert response[place - 1] == "sync", "what is not on the disk has got the name"
        assert response[place + 1] == "sync folder"


def test_without_being_asked_nothing_is_synced_but_new_files(
    library: Path, journal: Path, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    run(library, applies(80, width=2000), "--journal", str(journal), log=str(log))
    response = list(steps(log))
    assert response.count("rename") > 0
    assert response.count("sync") == response.count("rename") == response.count("sync folder")


# Promise: The unfinished file of a killed daemon is removed, and no file of another program. Also
#   `test_a_foreign_file_is_not_overwritten`, `test_a_journal_is_not_overwritten_by_a_record`.
@pytest.mark.parametrize("content", [b"", b'{"listd":"jou', b'{"listd":"journal","version":1}\nrest'])
def test_what_a_killed_daemon_has_left_is_removed(journal: Path, content: bytes) -> None:
    new = Path(f"{journal}.new")
    new.write_bytes(content)
    with Daemon("--journal", str(journal)) as daemon:
        daemon.call("applySnapshot", list="l", items=[1])
        assert not new.exists()


def test_a_foreign_file_is_not_overwritten(journal: Path) -> None:
    new = Path(f"{journal}.new")
    new.write_text("mine\n")
    journal.touch(mode=0o640)
    with Daemon("--journal", str(journal)) as daemon:
        for call in applies(200, width=1000):
            daemon.call(call["method"], call["params"])
        before = daemon.call("getSnapshot", list="l0")["sections"][0]["items"]
        assert daemon.end() == 0
        reported = daemon.errors.count("exists and is not a journal")
    assert new.read_text() == "mine\n"
    assert 1 <= reported < 8, "reported each time it would have been rewritten, and not with every request"
    assert restarted(journal)["l0"] == before
    new.unlink()
    with Daemon("--journal", str(journal)) as daemon:
        for call in applies(80):
            daemon.call(call["method"], call["params"])
    assert journal.stat().st_size < 1_100_000 and journal.stat().st_mode & 0o777 == 0o640
