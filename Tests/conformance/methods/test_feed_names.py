"""feed: folders whose items are shown by their types, and stay those of their names."""

# Promise: With the identity of names, a file that takes the place of another one, as programs save, has its identifier,
#   and one that is only renamed or moved keeps its own.

from __future__ import annotations

import os
import random
import signal
from pathlib import Path
from typing import Dict

import pytest

from client import Daemon
from feeds import feed, items, until
from folders import edit, has, ids, make, update

pytestmark = pytest.mark.needs("feed")


def test_templates(daemon: Daemon, tmp_path: Path) -> None:
    """The text of a folder has a template for each type."""
    make(tmp_path, "a", "sub/")
    (tmp_path / "link").symlink_to("a")
    feed(daemon, {"folder": str(tmp_path), "templates": True})
    has(daemon, "a", "sub", "link")
    assert {item["name"]: item["template"] for item in items(daemon)} == {"a": "File", "sub": "Folder", "link": "Link"}
    daemon.call("compose", list="sorted", sources=["l"], view={"sort": [{"by": "name"}]})
    templates = {"File": "{name} {size:bytes}", "Folder": "{name}/", "Link": "{name} -> {target}"}
    daemon.call("registerTemplates", templates=templates)
    assert daemon.call("getText", list="sorted")["text"] == "a 1B\nlink -> a\nsub/\n"


def sizes(daemon: Daemon) -> Dict[str, int]:
    return {item["path"]: item["size"] for item in items(daemon)}


@pytest.mark.parametrize("depth", ["lazy", "all"])
def test_a_file_in_the_place_of_another_one(daemon: Daemon, tmp_path: Path, depth: str) -> None:
    """However it was made: under another name, beside a backup, or again."""
    make(tmp_path, "a", "b", "c", "d")
    feed(daemon, {"folder": str(tmp_path), "depth": depth, "hidden": True, "identity": "name"})
    has(daemon, "a", "b", "c", "d")
    before = ids(daemon)
    (tmp_path / ".a.new").write_text("longer")
    has(daemon, "a", "b", "c", "d", ".a.new")
    (tmp_path / ".a.new").rename(tmp_path / "a")
    # The daemon looks when all is done.
    daemon.process.send_signal(signal.SIGSTOP)
    (tmp_path / "b").rename(tmp_path / "b~")
    (tmp_path / "b").write_text("longer")
    (tmp_path / "c").rename(tmp_path / "e")
    daemon.process.send_signal(signal.SIGCONT)
    has(daemon, "a", "b", "b~", "d", "e")
    until(lambda: sizes(daemon)["a"] == sizes(daemon)["b"] == 6)
    now = ids(daemon)
    assert (now["a"], now["b"], now["d"], now["e"]) == (before["a"], before["b"], before["d"], before["c"])
    assert now["b~"] not in before.values()
    # The replaced file is followed.
    (tmp_path / "a").rename(tmp_path / "z")
    has(daemon, "z", "b", "b~", "d", "e")
    assert ids(daemon)["z"] == before["a"]
    # Names that are exchanged stay.
    before = ids(daemon)
    daemon.process.send_signal(signal.SIGSTOP)
    for old, new in (("z", "t"), ("d", "z"), ("t", "d")):
        (tmp_path / old).rename(tmp_path / new)
    daemon.process.send_signal(signal.SIGCONT)
    until(lambda: sizes(daemon)["z"] == 1 and sizes(daemon)["d"] == 6)
    assert ids(daemon) == before


@pytest.mark.parametrize("seed", range(3))
def test_random_changes(daemon: Daemon, tmp_path: Path, rng: random.Random, seed: int) -> None:
    """A name keeps its identifier; a new name has that of the file if its old name is free, or one of its own."""
    feed(daemon, {"folder": str(tmp_path), "identity": "name"})
    files: Dict[str, str] = {}  # What they contain.
    held, known, count = [], set(), 0
    for _ in range(30):
        before, files_before = ids(daemon), dict(files)
        known |= {*before.values()}
        daemon.process.send_signal(signal.SIGSTOP)
        for _ in range(rng.randrange(1, 5)):
            name, other = rng.sample("abcdefgh", 2)
            change = rng.randrange(4)
            if change == 0 and name in files:
                (tmp_path / name).unlink()
                del files[name]
            elif change == 1 and name in files:
                (tmp_path / name).rename(tmp_path / other)
                files[other] = files.pop(name)
            elif change > 1:
                count += 1
                (tmp_path / "new").write_text(str(count))
                # The number of a file that is open is not used again.
                held.append(os.open(tmp_path / "new", os.O_RDONLY))
                (tmp_path / "new").rename(tmp_path / name)
                files[name] = str(count)
        daemon.process.send_signal(signal.SIGCONT)
        until(lambda: {item["name"]: item["size"] for item in items(daemon)} == {n: len(f) for n, f in files.items()})
        daemon.settle()
        until(lambda: ids(daemon).keys() == files.keys())
        now = ids(daemon)
        assert len({*now.values()}) == len(now)
        for name, file in files.items():
            was = [old for old, same in files_before.items() if same == file and old not in files]
            if name in before:
                assert now[name] == before[name]
            elif was:
                assert now[name] == before[was[0]]
            else:
                assert now[name] not in known
    for number in held:
        os.close(number)


def test_a_file_and_a_folder(daemon: Daemon, tmp_path: Path) -> None:
    """What takes the place of something else is another item."""
    make(tmp_path, "a", "b/x")
    feed(daemon, {"folder": str(tmp_path), "depth": "all", "identity": "name"})
    has(daemon, "a", "b", "b/x")
    before = ids(daemon)
    (tmp_path / "a").unlink()
    (tmp_path / "b").rename(tmp_path / "a")
    has(daemon, "a", "a/x")
    assert ids(daemon)["a"] == before["b"]


def test_edits(daemon: Daemon, tmp_path: Path) -> None:
    """An edit names files by identifiers, which stay theirs."""
    make(tmp_path, "a", "b")
    feed(daemon, {"folder": str(tmp_path), "identity": "name"}, allowsEdits=True)
    has(daemon, "a", "b")
    before = ids(daemon)
    (tmp_path / "n").write_text("new")
    (tmp_path / "n").replace(tmp_path / "a")
    until(lambda: sizes(daemon).get("a") == 3)
    edit(daemon, update(id=before["a"], name="b"), update(id=before["b"], name="a"))
    assert ids(daemon) == {"a": before["b"], "b": before["a"]}
    assert (tmp_path / "b").read_text() == "new"
    daemon.settle()
    assert ids(daemon) == {"a": before["b"], "b": before["a"]}


def test_other_identities(daemon: Daemon, tmp_path: Path) -> None:
    source = {"folder": str(tmp_path), "identity": "path"}
    assert daemon.refused(-32602, "feed", list="l", **{"from": source}).data["pointer"] == "/params/from/identity"
