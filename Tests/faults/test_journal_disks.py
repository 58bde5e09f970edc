"""A journal on disks that are full, small or may not be written."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Dict, List

import pytest

from client import PATIENCE, Daemon, line, program, request, session
from test_journal import restarted, state
from values import loads


def limited(journal: Path, limit: int) -> subprocess.Popen:
    """A daemon whose files cannot grow past a limit."""
    return subprocess.Popen(
        [program(), "--journal", str(journal)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )  # fmt: skip


# Promise: A change that cannot be written to the journal is refused and undone. Also `test_a_small_disk`,
#   `test_a_device_without_room`.
def test_a_full_disk(journal: Path) -> None:
    calls: List[dict] = []
    for k in range(40):
        calls.append(request("applySnapshot", {"list": "l", "items": [k, f"{k}" * 150]}, len(calls)))
        calls.append(request("getSnapshot", {"list": "l"}, len(calls)))
    process = limited(journal, 5000)
    out, err = process.communicate(b"".join(map(line, calls)), timeout=PATIENCE)
    assert process.returncode == 0, err
    replies = [loads(text) for text in out.decode().splitlines()]
    failed = [r["error"] for r in replies if "error" in r]
    assert failed and len(replies) == len(calls)
    for error in failed:
        assert error["code"] == -31011
        assert error["data"]["path"] == str(journal) and error["data"]["why"]
    current = None
    for call, reply in zip(calls, replies):
        if call["method"] == "getSnapshot":
            assert reply["result"]["sections"][0]["items"] == current
        elif "result" in reply:
            current = call["params"]["items"]
    assert restarted(journal)["snapshots"][0]["sections"][0]["items"] == current


def test_a_first_change_that_fails_leaves_nothing(journal: Path) -> None:
    process = limited(journal, 0)
    calls = [request("applySnapshot", {"list": "l", "items": [1]}), request("getLists", id=2)]
    out, _ = process.communicate(b"".join(map(line, calls)), timeout=PATIENCE)
    assert b"-31011" in out.splitlines()[0] and b'"lists":[]' in out.splitlines()[1]


def test_a_device_without_room() -> None:
    outcome = session(
        line(request("applySnapshot", {"list": "l", "items": [1]})) + line(request("getLists")),
        "--journal", "/dev/full",
    )  # fmt: skip
    first, second = outcome.lines
    assert first["error"]["data"] == {
        "reason": "journalFailed", "path": "/dev/full", "why": "No space left on device",
    }  # fmt: skip
    assert second["result"] == {"lists": []}


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="needs to mount")
def test_a_small_disk(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(disk)]).returncode:
        pytest.skip("no mounting here")
    try:
        journal = disk / "journal"
        with Daemon("--journal", str(journal)) as daemon:
            kept: Dict[str, list] = {}
            refusals = 0
            for k in range(60):
                name, items = f"l{k % 7}", [f"{k} {n} {k * n}" for n in range(900)]
                daemon.send(request("applySnapshot", {"list": name, "items": items}, k))
                if "result" in daemon.reply():
                    kept[name] = items
                else:
                    refusals += 1
            assert refusals
            before = state(daemon)
        subprocess.run(["mount", "-o", "remount,size=1m", str(disk)], check=True)
        assert restarted(journal) == before
        response = {s["list"]: s["sections"][0]["items"] for s in before["snapshots"]}
        assert response == kept
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        for name in ("new", journal.name):
            outcome = session(line(request("getLists")), "--journal", str(disk / name))
            assert outcome.code == 1 and outcome.out == b"" and "Read-only" in outcome.err
        subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
        assert restarted(journal) == before
    finally:
        subprocess.run(["umount", str(disk)])
