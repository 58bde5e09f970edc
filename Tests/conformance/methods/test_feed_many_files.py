"""feed: folders with many files, what they cost, and changes while they are read."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import time
from pathlib import Path

import pytest

from client import Daemon, Refused
from feeds import feed, items, state, until
from folders import edit, find, ids, paths, update

pytestmark = pytest.mark.needs("feed")


def time_of(daemon: Daemon) -> int:
    """The processor time that a daemon has used, in nanoseconds."""
    tasks = Path(f"/proc/{daemon.process.pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks)


def test_many_names_of_one_file(tmp_path: Path) -> None:
    """Not all of them are looked at again for each: the cost is not that of as many files times their number."""
    used = []
    for name in ("files", "names"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "0").touch()
        for number in range(1, 3000):
            if name == "names":
                os.link(folder / "0", folder / str(number))
            else:
                (folder / str(number)).touch()
        with Daemon() as daemon:
            feed(daemon, {"folder": str(folder)})
            until(lambda: state(daemon)["items"] == 3000)
            (folder / "0").rename(folder / "last")
            until(lambda: "last" in paths(daemon))
            assert len(paths(daemon)) == 3000
            used.append(time_of(daemon))
    assert used[1] < 8 * used[0]


def test_a_change_among_many_files(tmp_path: Path) -> None:
    """It costs as much among 20,000 files as among 1,000, also if a sorted and a matched view show them."""
    used = []
    for count in (1, 20):
        for number in range(count):
            folder = tmp_path / str(count) / str(number)
            folder.mkdir(parents=True)
            for file in range(1000):
                (folder / f"file{file}").touch()
        sort = [{"by": "modified", "order": "descending"}]
        with Daemon() as daemon:
            feed(daemon, {"folder": str(tmp_path / str(count)), "depth": "all"})
            until(lambda: state(daemon)["items"] == 1001 * count)
            daemon.call("compose", list="sorted", sources=["l"], view={"sort": sort, "window": {"count": 50}})
            match = {"query": "file9", "members": ["path"]}
            daemon.call("compose", list="matched", sources=["l"], view={"match": match, "window": {"count": 50}})
            for number in range(45):
                if number == 5:  # The first change prepares the views for others.
                    before = time_of(daemon)
                modified = 2_000_000_000 + number
                os.utime(folder / f"file{number}", (modified, modified))
                time.sleep(0.03)
            until(lambda: items(daemon, "sorted")[0]["name"] == "file44")
            used.append(time_of(daemon) - before)
    assert used[1] < 3 * used[0]


def test_many_files(daemon: Daemon, tmp_path: Path) -> None:
    for k in range(20):
        (tmp_path / f"d{k}").mkdir()
        for n in range(100):
            (tmp_path / f"d{k}/{n}").touch()
    feed(daemon, {"folder": str(tmp_path), "depth": "all"})
    until(lambda: state(daemon)["items"] == 2020)
    shutil.move(str(tmp_path / "d0"), str(tmp_path / "d1/d0"))
    until(lambda: "d1/d0/99" in paths(daemon))
    assert paths(daemon) == find(tmp_path)


def test_changes_while_a_folder_is_read(daemon: Daemon, tmp_path: Path, rng: random.Random) -> None:
    """Files that are moved, removed and renamed by the list before all are in it are in the end where they are."""
    folder = tmp_path / "folder"
    for k in range(100):
        (folder / f"d{k}").mkdir(parents=True)
        for n in range(200):
            (folder / f"d{k}/{n}").touch()
    daemon.call("subscribe", list="l", format="none")
    feed(daemon, {"folder": str(folder), "depth": "all"}, allowsEdits=True)
    round, renamed = 0, 0
    while renamed < 10:
        here, there = (folder / f"d{rng.randrange(100)}" for _ in range(2))
        files = sorted(here.iterdir())
        if files:
            files[0].rename(there / f"moved {round}")
            files[-1].unlink(missing_ok=True)
        found = [item["id"] for item in items(daemon) if item["type"] == "file"]
        if found:
            with contextlib.suppress(Refused):
                edit(daemon, update(id=rng.choice(found), name=f"renamed {round}"))
                renamed += 1
        round += 1
    expected = find(folder)
    until(lambda: paths(daemon) == expected)
    assert len(ids(daemon)) == len({*ids(daemon).values()}) == len(items(daemon)) == len(expected)


def test_folders_that_are_moved_while_a_folder_is_read(daemon: Daemon, tmp_path: Path) -> None:
    """Some are moved from a folder that was read to one that was not, and all keep their identifiers."""
    folder = tmp_path / "folder"
    for k in range(100):
        (folder / f"d{k}/sub").mkdir(parents=True)
        for n in range(100):
            (folder / f"d{k}/{n}").touch()
    daemon.call("subscribe", list="l", format="none")
    feed(daemon, {"folder": str(folder), "depth": "all"})
    until(lambda: state(daemon)["items"])
    daemon.process.send_signal(signal.SIGSTOP)
    for k in range(0, 100, 2):
        (folder / f"d{k}").rename(folder / f"d{k + 1}/d{k}")
    daemon.process.send_signal(signal.SIGCONT)
    before = {item["path"]: item["id"] for item in items(daemon) if item["type"] == "folder"}
    expected = find(folder)
    until(lambda: paths(daemon) == expected)
    after = ids(daemon)
    for k in range(0, 100, 2):
        path = f"d{k + 1}/d{k}"
        assert before.get(f"d{k}", after[path]) == after[path]
