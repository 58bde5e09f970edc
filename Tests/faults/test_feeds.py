"""Feeds whose folders, files and commands fail: permissions, limits, lost notifications, full disks."""

from __future__ import annotations

import base64
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Dict, Iterator, List, Set

import pytest

from client import Daemon
from feeds import becomes, feed, items, run, shell, state, until
from folders import contents, edit, has, ids, make, opened, paths, problems, update

NOBODY = 65534


@pytest.fixture
def daemon() -> Iterator[Daemon]:
    with Daemon() as running:
        yield running


@pytest.fixture
def nobody(tmp_path: Path) -> Iterator[Path]:
    """A folder of another user than root, who may enter it. Feeds of root have all permissions."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        if os.geteuid() == 0:
            os.chown(folder, NOBODY, NOBODY)
        yield Path(folder)


class Unprivileged(Daemon):
    """A daemon that obeys permissions."""

    def __init__(self, folder: Path) -> None:
        # Other users may lack the permission to run the program in its folder.
        program = folder / "listd"
        program.write_bytes(Path(os.environ["LISTD"]).read_bytes())
        program.chmod(0o755)
        script = f'exec setpriv --reuid {NOBODY} --regid {NOBODY} --clear-groups "$@"'
        runner = folder / "run"
        runner.write_text(f'#!/bin/sh\nset -- {program} "$@"\n' + (script if os.geteuid() == 0 else 'exec "$@"'))
        runner.chmod(0o755)
        before = os.environ["LISTD"]
        os.environ["LISTD"] = str(runner)
        try:
            super().__init__()
        finally:
            os.environ["LISTD"] = before


def test_folders_that_may_not_be_read(nobody: Path) -> None:
    """`error` names one as long as it cannot be read; then its files are there."""
    folder = nobody / "folder"
    make(folder, "a", "closed/b", "sub/deep/c")
    (folder / "closed").chmod(0)
    with Unprivileged(nobody) as daemon:
        feed(daemon, {"folder": str(folder), "depth": "all"})
        has(daemon, "a", "closed", "sub", "sub/deep", "sub/deep/c")
        until(lambda: state(daemon).get("error") == f"cannot read {folder}/closed: Permission denied")
        (folder / "closed").chmod(0o755)
        has(daemon, "a", "closed", "closed/b", "sub", "sub/deep", "sub/deep/c")
        until(lambda: "error" not in state(daemon))
        before = ids(daemon)
        (folder / "sub").chmod(0)
        until(lambda: "sub" in state(daemon).get("error", ""))
        (folder / "sub").chmod(0o755)
        until(lambda: "error" not in state(daemon))
        has(daemon, "a", "closed", "closed/b", "sub", "sub/deep", "sub/deep/c")
        assert ids(daemon) == before
        make(folder, "new/")
        (folder / "new").chmod(0)
        until(lambda: "error" in state(daemon))
        (folder / "new").rmdir()
        until(lambda: "error" not in state(daemon))


def test_a_folder_that_loses_its_permissions(nobody: Path) -> None:
    folder = nobody / "folder"
    make(folder, "a", "sub/b")
    with Unprivileged(nobody) as daemon:
        feed(daemon, {"folder": str(folder), "depth": "all"})
        has(daemon, "a", "sub", "sub/b")
        folder.chmod(0)
        until(lambda: "Permission denied" in state(daemon).get("error", ""))
        folder.chmod(0o755)
        until(lambda: "error" not in state(daemon))
        has(daemon, "a", "sub", "sub/b")


def test_a_file_that_may_not_be_read(nobody: Path) -> None:
    path = nobody / "rows"
    path.write_text("a\n")
    with Unprivileged(nobody) as daemon:
        feed(daemon, {"file": str(path)})
        becomes(daemon, ["a"])
        path.chmod(0)
        until(lambda: "Permission denied" in state(daemon).get("error", ""))
        assert items(daemon) == ["a"]
        path.chmod(0o644)
        until(lambda: "error" not in state(daemon))
        with path.open("a") as file:
            file.write("b\n")
        becomes(daemon, ["a", "b"])
        path.chmod(0)
        assert "Permission denied" in daemon.refused(-31014, "feed", list="m", **{"from": {"file": str(path)}}).message


@pytest.mark.skipif(sys.platform != "linux", reason="needs notifications that can be lost")
def test_lost_notifications(daemon: Daemon, tmp_path: Path) -> None:
    """While the daemon is stopped, more files are made and removed than notifications are kept."""
    kept = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    make(tmp_path, "a", "sub/b")
    feed(daemon, {"folder": str(tmp_path), "depth": "all"})
    has(daemon, "a", "sub", "sub/b")
    daemon.call("subscribe", list="l", format="none")
    before = ids(daemon)
    os.kill(daemon.process.pid, signal.SIGSTOP)
    for k in range(kept):
        path = tmp_path / f"{k % 100}"
        path.touch()
        path.unlink()
    make(tmp_path, "c", "sub/d", "new/e")
    (tmp_path / "sub/b").rename(tmp_path / "z")
    os.kill(daemon.process.pid, signal.SIGCONT)
    has(daemon, "a", "c", "sub", "sub/d", "new", "new/e", "z")
    until(lambda: not state(daemon).get("stale"))
    assert ids(daemon)["z"] == before["sub/b"]
    states = [one["params"]["state"] for one in daemon.notifications if one["method"] == "didFeed"]
    assert any(one.get("stale") for one in states) and not states[-1].get("stale")


@pytest.fixture
def limited() -> Iterator[Any]:
    """Starts a daemon that may watch only some folders."""

    def start(watches: int) -> Daemon:
        words = ["unshare", "--user", "--map-root-user", "sh", "-c"]
        limit = f"echo {watches} > /proc/sys/user/max_inotify_watches"
        if subprocess.run([*words, limit], capture_output=True).returncode:
            pytest.skip("no limits of users here")
        script = Path(folder, "run")
        script.write_text(
            f"#!/bin/sh\nexec {' '.join(words)} '{limit} && exec \"$0\" \"$@\"' {os.environ['LISTD']} \"$@\"\n"
        )
        script.chmod(0o755)
        before = os.environ["LISTD"]
        os.environ["LISTD"] = str(script)
        try:
            return Daemon()
        finally:
            os.environ["LISTD"] = before

    with tempfile.TemporaryDirectory() as folder:
        yield start


def test_too_few_watches(limited: Any, tmp_path: Path) -> None:
    """The state is stale, and the folder is read again and again until all can be watched."""
    make(tmp_path, *(f"d{k}/a" for k in range(10)))
    expected = {f"d{k}" for k in range(10)} | {f"d{k}/a" for k in range(10)}
    with limited(4) as daemon:
        feed(daemon, {"folder": str(tmp_path), "depth": "all"})
        has(daemon, *expected)
        until(lambda: state(daemon).get("stale"))
        make(tmp_path, "d9/b", "d1/b")
        has(daemon, *expected, "d9/b", "d1/b")
        assert state(daemon)["stale"]
        for k in range(2, 10):
            subprocess.run(["rm", "-r", str(tmp_path / f"d{k}")], check=True)
        until(lambda: not state(daemon).get("stale"))
        has(daemon, "d0", "d0/a", "d1", "d1/a", "d1/b")


def settled_descriptors(process: int) -> Set[int]:
    """The descriptors of a process that are open at several moments, because a file is opened to be read."""
    moments = []
    for _ in range(10):
        moments.append({int(number) for number in os.listdir(f"/proc/{process}/fd")})
        time.sleep(0.03)
    return set.intersection(*moments)


def test_too_few_descriptors(daemon: Daemon, tmp_path: Path) -> None:
    """What cannot be opened is reported, and read as soon as it can be."""
    make(tmp_path, "folder/a", "rows")
    feed(daemon, {"folder": str(tmp_path / "folder"), "depth": "all"})
    feed(daemon, {"file": str(tmp_path / "rows"), "follow": True}, "rows")
    has(daemon, "a")
    process = daemon.process.pid
    used = settled_descriptors(process)
    old = resource.prlimit(process, resource.RLIMIT_NOFILE)
    resource.prlimit(process, resource.RLIMIT_NOFILE, (max(used) + 1, old[1]))
    # Descriptors below the limit that are free.
    for source in ({"command": ["true"]}, {"file": str(tmp_path / "rows")}, {"folder": str(tmp_path)}):
        assert "Too many open files" in daemon.refused(-31014, "feed", list="m", **{"from": source}).message
    make(tmp_path, "folder/sub/b")
    has(daemon, "a", "sub")
    until(lambda: "Too many open files" in state(daemon).get("error", ""))
    (tmp_path / "rows").unlink()
    (tmp_path / "rows").write_text("x\n")
    until(lambda: "Too many open files" in state(daemon, "rows").get("error", ""))
    resource.prlimit(process, resource.RLIMIT_NOFILE, old)
    has(daemon, "a", "sub", "sub/b")
    becomes(daemon, ["x"], "rows")
    for name in ("l", "rows"):
        until(lambda name=name: "error" not in state(daemon, name))
    assert run(daemon, {"command": ["echo", "y"]}, "m") == ["y"]


def test_an_edit_without_room(daemon: Daemon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cycle of three names needs a file with its steps, and the trash one about each file."""
    folder = tmp_path / "folder"
    make(folder, "a", "b", "c", "d")
    known = opened(daemon, folder, "a", "b", "c", "d")
    before = contents(folder)
    process = daemon.process.pid
    old = resource.prlimit(process, resource.RLIMIT_FSIZE)
    resource.prlimit(process, resource.RLIMIT_FSIZE, (0, old[1]))
    cycle = [update(id=known[name], name=new) for name, new in ("ab", "bc", "ca")]
    rename = update(id=known["d"], name="e")
    refused = daemon.refused(-31014, "editSnapshot", list="l", edits=[rename, *cycle])
    assert refused.data["problems"] and "File too large" in refused.message
    assert contents(folder) == before and set(os.listdir(folder)) == set(before)
    edit(daemon, rename)
    resource.prlimit(process, resource.RLIMIT_FSIZE, old)
    edit(daemon, *cycle)
    assert contents(folder) == {"b": "a", "c": "b", "a": "c", "e": "d"}
    assert ids(daemon) == {"b": known["a"], "c": known["b"], "a": known["c"], "e": known["d"]}


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="needs to mount")
def test_an_edit_on_a_full_disk(daemon: Daemon, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "nr_inodes=9", "none", str(disk)]).returncode:
        pytest.skip("no mounting here")
    try:
        make(disk, "a", "b", "c", "sub/d")
        known = opened(daemon, disk, "a", "b", "c", "sub", "sub/d")
        before = contents(disk)
        new: List[Any] = [{"edit": "insertItems", "items": [{"name": f"n{k}", "type": "folder"} for k in range(5)]}]
        moved = update(id=known["a"], path="sub/a")
        refused = daemon.refused(-31014, "editSnapshot", list="l", edits=[moved, *new])
        assert "No space left" in refused.message and refused.data["problems"]
        assert contents(disk) == before
        # The trash of a disk is on it.
        trashed = {"edit": "deleteItems", "items": [known["sub"]]}
        (disk / "x1").touch()
        (disk / "x2").touch()
        daemon.refused(-31014, "editSnapshot", list="l", edits=[moved, trashed])
        assert {name: text for name, text in contents(disk).items() if name in before} == before
        assert problems(daemon, trashed)
        (disk / "x1").unlink()
        (disk / "x2").unlink()
        edit(daemon, moved)
        assert contents(disk)["sub/a"] == "a"
    finally:
        subprocess.run(["umount", "-l", str(disk)])


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="limits another process")
def test_rows_that_the_journal_cannot_take(tmp_path: Path) -> None:
    """They wait until the disk has room. Nothing is lost, and the state says why."""
    folder, journal, rows = tmp_path / "folder", tmp_path / "journal", tmp_path / "rows"
    make(folder, "a")
    rows.write_text("a\n")
    with Daemon("--journal", str(journal)) as daemon:
        feed(daemon, {"folder": str(folder)})
        feed(daemon, {"file": str(rows), "follow": True}, "followed")
        has(daemon, "a")
        becomes(daemon, ["a"], "followed")
        process, unlimited = daemon.process.pid, (resource.RLIM_INFINITY,) * 2
        resource.prlimit(process, resource.RLIMIT_FSIZE, (journal.stat().st_size, resource.RLIM_INFINITY))
        make(folder, "b")
        with rows.open("a") as file:
            file.write("b\n")
        for name in ("l", "followed"):
            until(lambda name=name: "journal" in state(daemon, name).get("error", ""))
        assert paths(daemon) == {"a"} and items(daemon, "followed") == ["a"]
        (folder / "a").rename(folder / "c")
        resource.prlimit(process, resource.RLIMIT_FSIZE, unlimited)
        has(daemon, "b", "c")
        becomes(daemon, ["a", "b"], "followed")
        for name in ("l", "followed"):
            until(lambda name=name: "error" not in state(daemon, name))
        daemon.process.kill()
    with Daemon("--journal", str(journal)) as daemon:
        assert paths(daemon) == {"b", "c"} and items(daemon, "followed") == ["a", "b"]


def test_binary_output(daemon: Daemon) -> None:
    """Each line has its bytes, whatever they are."""
    output = bytes(random.Random(7).getrandbits(8) for _ in range(200_000))
    with tempfile.NamedTemporaryFile() as file:
        file.write(output)
        file.flush()
        run(daemon, {"command": ["cat", file.name]})
    expected = output.split(b"\n")
    if not expected[-1]:
        expected.pop()
    found = [
        base64.b64decode(item["bytes"]) if isinstance(item, dict) else item.encode() for item in items(daemon)
    ]
    assert [line.rstrip(b"\r") for line in found] == [line.rstrip(b"\r") for line in expected]


def test_a_line_without_an_end(daemon: Daemon, tmp_path: Path) -> None:
    """300 MB of one line, of a command that does not end and of a followed file, use bounded memory."""
    path = tmp_path / "rows"
    path.write_text("a\n")
    feed(daemon, {"file": str(path), "follow": True}, "file")
    becomes(daemon, ["a"], "file")
    feed(daemon, shell("echo a; head -c 300000000 /dev/zero | tr '\\0' x; sleep 0.1; echo; echo b; sleep 60"))
    with path.open("ab") as file:
        for _ in range(300):
            file.write(b"y" * 1_000_000)
        file.write(b"\nb\n")
    for name in ("file", "l"):
        until(lambda name=name: items(daemon, name) == ["a", "b"])
    until(lambda: "line 2" in state(daemon, "file").get("error", ""))
    status = Path(f"/proc/{daemon.process.pid}/status").read_text()
    [peak] = [int(row.split()[1]) for row in status.splitlines() if row.startswith("VmHWM")]
    assert peak < 400_000, "kilobytes"


@pytest.mark.skipif(sys.platform != "linux", reason="reads what the system says of threads")
def test_feeds_that_have_nothing_to_do_sleep(daemon: Daemon, tmp_path: Path) -> None:
    """No thread of the daemon or of the guard of a command wakes up while nothing changes."""
    make(tmp_path, "folder/a", "folder/sub/b", "rows")
    feed(daemon, {"folder": str(tmp_path / "folder"), "depth": "all"})
    feed(daemon, {"folder": str(tmp_path / "folder")}, "lazy")
    feed(daemon, {"file": str(tmp_path / "rows")}, "rows")
    feed(daemon, {"file": str(tmp_path / "rows"), "follow": True}, "followed")
    feed(daemon, shell("echo a; sleep 60"), "command")
    feed(daemon, {"command": ["true"], "every": 3_600_000}, "hourly")
    has(daemon, "a", "sub", "sub/b")
    until(lambda: state(daemon, "hourly").get("exitCode") == 0)
    becomes(daemon, ["a"], "command")

    def is_still() -> bool:
        before = wakings(daemon.process.pid)
        time.sleep(2.5)
        return wakings(daemon.process.pid) == before

    until(is_still)


def wakings(process: int) -> Dict[str, int]:
    """How often each thread of a process and of its children has begun to wait."""
    children = subprocess.run(["ps", "--ppid", str(process), "-o", "pid="], stdout=subprocess.PIPE, text=True).stdout
    found = {}
    for one in [str(process), *children.split()]:
        for task in Path("/proc", one, "task").iterdir():
            lines = dict(line.split(":", 1) for line in (task / "status").read_text().splitlines())
            found[task.name] = int(lines["voluntary_ctxt_switches"])
    return found
