"""feed: lists that the daemon fills with the files of folders, which others change."""

# Promise: The list of a folder is the folder, however deep it is and whatever is made, moved and removed in it; what
#   moves keeps its identifier, and no identifier is used again.

from __future__ import annotations

import base64
import os
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any, Dict, Set

import pytest

from client import Daemon, Json
from feeds import feed, items, state, until
from folders import edit, has, ids, make, update

pytestmark = pytest.mark.needs("feed")


def test_items(daemon: Daemon, tmp_path: Path) -> None:
    make(tmp_path, "a", "sub/b")
    (tmp_path / "link").symlink_to("a")
    (tmp_path / "away").symlink_to("sub")
    feed(daemon, {"folder": str(tmp_path), "depth": "all"})
    has(daemon, "a", "sub", "sub/b", "link", "away")
    found = {item["path"]: item for item in items(daemon)}
    status = (tmp_path / "a").stat()
    assert found["a"] == {
        "id": found["a"]["id"], "name": "a", "path": "a", "type": "file", "size": 1,
        "modified": status.st_mtime_ns // 1_000_000,
    }  # fmt: skip
    assert found["sub"]["type"] == "folder" and "parent" not in found["sub"] and "lazy" not in found["sub"]
    assert found["sub/b"]["parent"] == found["sub"]["id"] and found["sub/b"]["name"] == "b"
    assert found["link"]["type"] == "link" and found["link"]["target"] == "a" and "lazy" not in found["link"]
    assert found["away"]["type"] == "link" and found["away"]["lazy"] is True
    until(lambda: state(daemon) == {"running": True, "items": 5})


@pytest.mark.parametrize(
    "options, left",
    [
        ({"depth": 1}, {"a", "b"}),
        ({"depth": 2}, {"a", "b", "b/c", "b/d"}),
        ({"depth": "all"}, {"a", "b", "b/c", "b/d", "b/d/e"}),
        ({}, {"a", "b"}),
        ({"depth": "all", "hidden": True}, {"a", "b", "b/c", "b/d", "b/d/e", ".x", ".x/y", ".gitignore"}),
        ({"depth": "all", "ignored": True}, {"a", "b", "b/c", "b/d", "b/d/e", "b/no.o"}),
    ],
)
def test_depth_and_hidden_files(daemon: Daemon, tmp_path: Path, options: Json, left: Set[str]) -> None:
    make(tmp_path, "a", "b/c", "b/d/e", ".x/y", "b/no.o")
    (tmp_path / ".gitignore").write_text("*.o\n")
    feed(daemon, {"folder": str(tmp_path), **options})
    has(daemon, *left)


# Promise: `.gitignore` leaves out what git leaves out.
@pytest.mark.parametrize("seed", range(12))
def test_ignore_rules_are_those_of_git(
    daemon: Daemon, tmp_path: Path, rng: random.Random, seed: int
) -> None:
    """The files of a folder with rules at several levels are those that git lists."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    names = ["a", "b", "build", "x y", "é", "a[1]"]
    for _ in range(200):
        parts = [rng.choice(names) for _ in range(rng.randint(0, 3))]
        make(tmp_path, "/".join([*parts, rng.choice(names) + rng.choice([".c", ".o", ".txt"])]))
    rules = [
        "*.c", "!a*.c", "/a", "build/", "a/b", "**/b.o", "b/**", "a/**/x*", "?.c", "[ab].o", "[!a]*.txt",
        "\\a.c", "# b", "x\\ y.o", "é/", "/*/a.o", "a\\[1\\]", "!b.c", "x y ", "**", "!*/", "[[]", "a**b",
        "a[[]1].c", "!/b/", "*/build", "**/a/b.c", "b", "!b.*", "[a-c]", "x?y.*", "[b-a].c", "[[:alpha:]].o",
        "a/***/b.txt", "a[", "b.c\\", "[[:none:]].c", "[!/]/a.txt", "[]a].txt", "a[[:punct:]]1[]].c",
    ]  # fmt: skip
    for where in ["", "a", "b", "build", "a/b"]:
        if (tmp_path / where).is_dir():
            text = "\n".join(rng.sample(rules, 4)) + "\n"
            (tmp_path / where / ".gitignore").write_text(text)
    git = subprocess.run(
        ["git", "-C", str(tmp_path), "-c", "core.quotepath=off", "ls-files", "-z", "-o", "--exclude-per-directory=.gitignore"],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    expected = {path for path in git.split("\0") if path and not any(p.startswith(".") for p in path.split("/"))}
    daemon.call("subscribe", list="l", format="none")
    feed(daemon, {"folder": str(tmp_path), "depth": "all"})
    until(lambda: any(one["method"] == "didFeed" for one in daemon.settle()))
    assert {item["path"] for item in items(daemon) if item["type"] == "file"} == expected


def test_changes_are_followed(daemon: Daemon, tmp_path: Path) -> None:
    make(tmp_path, "a", "sub/b", "sub/deep/c")
    feed(daemon, {"folder": str(tmp_path), "depth": "all"})
    has(daemon, "a", "sub", "sub/b", "sub/deep", "sub/deep/c")
    before = ids(daemon)
    make(tmp_path, "new/x/y")
    has(daemon, "a", "sub", "sub/b", "sub/deep", "sub/deep/c", "new", "new/x", "new/x/y")
    (tmp_path / "a").rename(tmp_path / "sub/deep/z")
    (tmp_path / "sub").rename(tmp_path / "other")
    has(
        daemon, "other", "other/b", "other/deep", "other/deep/c", "other/deep/z", "new", "new/x", "new/x/y"
    )
    now = ids(daemon)
    assert now["other/deep/z"] == before["a"] and now["other"] == before["sub"]
    assert now["other/deep/c"] == before["sub/deep/c"]
    (tmp_path / "other/b").write_text("longer than before")
    until(lambda: {i["path"]: i["size"] for i in items(daemon)}["other/b"] == 18)
    shutil.rmtree(tmp_path / "new")
    (tmp_path / "other/b").unlink()
    has(daemon, "other", "other/deep", "other/deep/c", "other/deep/z")


def test_an_identifier_is_not_used_again(daemon: Daemon, tmp_path: Path) -> None:
    feed(daemon, {"folder": str(tmp_path)})
    seen: Set[str] = set()
    for k in range(20):
        make(tmp_path, "a")
        has(daemon, "a")
        [item] = items(daemon)
        assert item["id"] not in seen
        seen.add(item["id"])
        (tmp_path / "a").unlink()
        has(daemon)


def test_names_of_any_bytes(daemon: Daemon, tmp_path: Path) -> None:
    for name in (b"a\xff", b"a\xfe", b'"\n\\', "é".encode()):
        (Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))).write_text("")
    feed(daemon, {"folder": str(tmp_path)})
    has(daemon, "a\\xff", "a\\xfe", '"\n\\', "é")
    found = {item["name"]: item.get("bytes") for item in items(daemon)}
    assert found == {
        "a\\xff": base64.b64encode(b"a\xff").decode(), "a\\xfe": base64.b64encode(b"a\xfe").decode(),
        '"\n\\': None, "é": None,
    }  # fmt: skip


def test_rules_of_any_folder(daemon: Daemon, tmp_path: Path) -> None:
    """Its name may be any bytes, and a pipe has no rules."""
    folder = os.fsencode(tmp_path) + b"/\xff"
    os.mkdir(folder)
    for name in (b"x", b"y"):
        os.close(os.open(folder + b"/" + name, os.O_CREAT))
    Path(os.fsdecode(folder), ".gitignore").write_text("x")
    os.mkfifo(tmp_path / ".gitignore")
    feed(daemon, {"folder": str(tmp_path), "depth": "all"})
    has(daemon, "\\xff", "\\xff/y")


def test_folders_whose_paths_are_longer_than_the_system_takes(daemon: Daemon, tmp_path: Path) -> None:
    """They are read, followed and edited as others are."""
    name = "n" * 200
    folder = os.open(tmp_path, os.O_RDONLY)
    expected = []
    for level in range(1, 26):
        os.mkdir(name, dir_fd=folder)
        below = os.open(name, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = below
        expected.append("/".join([name] * level))
    deepest = expected[-1] + "/"
    with pytest.raises(OSError):
        os.listdir(tmp_path / deepest)
    try:
        os.close(os.open("a", os.O_CREAT, dir_fd=folder))
        os.symlink("..", "link", dir_fd=folder)
        feed(daemon, {"folder": str(tmp_path), "depth": "all"}, allowsEdits=True)
        has(daemon, *expected, deepest + "a", deepest + "link")
        before = ids(daemon)
        [link] = [item for item in items(daemon) if item["type"] == "link"]
        assert link["target"] == ".." and link["lazy"]
        os.rename("a", "b", src_dir_fd=folder, dst_dir_fd=folder)
        os.mkdir("new", dir_fd=folder)
        has(daemon, *expected, deepest + "b", deepest + "link", deepest + "new")
        assert ids(daemon)[deepest + "b"] == before[deepest + "a"]
        edit(daemon, update(id=before[deepest + "a"], path=deepest + "new/c"))
        assert os.listdir(folder) == ["link", "new"] or os.listdir(folder) == ["new", "link"]
        assert ids(daemon)[deepest + "new/c"] == before[deepest + "a"]
    finally:
        os.close(folder)
        shutil.rmtree(tmp_path / name)


def test_hard_links_are_items_of_their_own(daemon: Daemon, tmp_path: Path) -> None:
    make(tmp_path, "a")
    os.link(tmp_path / "a", tmp_path / "b")
    feed(daemon, {"folder": str(tmp_path)})
    has(daemon, "a", "b")
    before = ids(daemon)
    (tmp_path / "a").rename(tmp_path / "c")
    has(daemon, "b", "c")
    assert ids(daemon) == {"b": before["b"], "c": before["a"]}


def test_folders_are_read_when_they_are_expanded(daemon: Daemon, tmp_path: Path) -> None:
    """They are given up when no outline has them expanded, and files keep their identifiers."""
    make(tmp_path, "a", "sub/b", "sub/deep/c")
    feed(daemon, {"folder": str(tmp_path)})
    has(daemon, "a", "sub")
    for name in ("tree", "other"):
        daemon.call("compose", list=name, sources=["l"], view={"tree": {"parent": "parent"}})
    sub = ids(daemon)["sub"]
    assert next(item for item in items(daemon) if item["name"] == "sub")["lazy"] is True
    for name in ("tree", "other"):
        daemon.call("editSnapshot", list=name, edits=[{"edit": "expandItems", "items": [sub]}])
    has(daemon, "a", "sub", "sub/b", "sub/deep")
    before = ids(daemon)
    daemon.call("editSnapshot", list="tree", edits=[{"edit": "expandItems", "items": [before["sub/deep"]]}])
    has(daemon, "a", "sub", "sub/b", "sub/deep", "sub/deep/c")
    make(tmp_path, "sub/deep/d")
    has(daemon, "a", "sub", "sub/b", "sub/deep", "sub/deep/c", "sub/deep/d")
    daemon.call("editSnapshot", list="tree", edits=[{"edit": "collapseItems", "items": [before["sub/deep"]]}])
    has(daemon, "a", "sub", "sub/b", "sub/deep")
    daemon.call("editSnapshot", list="tree", edits=[{"edit": "collapseItems", "items": [sub]}])
    daemon.settle()
    has(daemon, "a", "sub", "sub/b", "sub/deep")
    daemon.call("removeList", list="other")
    has(daemon, "a", "sub")
    daemon.call("editSnapshot", list="tree", edits=[{"edit": "expandItems", "items": [sub]}])
    has(daemon, "a", "sub", "sub/b", "sub/deep")
    assert ids(daemon) == {path: before[path] for path in ("a", "sub", "sub/b", "sub/deep")}


def test_links_to_folders_are_expanded(daemon: Daemon, tmp_path: Path) -> None:
    """A link to a folder above it does not make a loop."""
    make(tmp_path, "a")
    (tmp_path / "loop").symlink_to(".")
    feed(daemon, {"folder": str(tmp_path), "depth": "all"})
    has(daemon, "a", "loop")
    daemon.call("compose", list="tree", sources=["l"], view={"tree": {"parent": "parent"}})
    daemon.call("editSnapshot", list="tree", edits=[{"edit": "expandItems", "items": [ids(daemon)["loop"]]}])
    has(daemon, "a", "loop", "loop/a", "loop/loop")
    assert len(set(ids(daemon).values())) == 4


def test_a_folder_that_vanishes_and_is_made_again(daemon: Daemon, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    make(folder, "a")
    daemon.call("subscribe", list="l", format="none")
    feed(daemon, {"folder": str(folder)})
    has(daemon, "a")
    folder.rename(tmp_path / "away")
    has(daemon)
    until(lambda: "No such file" in state(daemon).get("error", ""))
    make(folder, "b")
    has(daemon, "b")
    until(lambda: "error" not in state(daemon))
    assert any(one["method"] == "didFeed" for one in daemon.notifications)


def test_rules_that_change(daemon: Daemon, tmp_path: Path) -> None:
    make(tmp_path, "a.o", "b", "sub/c.o")
    feed(daemon, {"folder": str(tmp_path), "depth": "all"})
    has(daemon, "a.o", "b", "sub", "sub/c.o")
    (tmp_path / ".ignore").write_text("*.o")
    has(daemon, "b", "sub")
    (tmp_path / ".ignore").unlink()
    has(daemon, "a.o", "b", "sub", "sub/c.o")


def test_rules_of_a_folder_that_is_moved(daemon: Daemon, tmp_path: Path) -> None:
    make(tmp_path, "a/long/name/x.o", "a/long/name/y", "b/")
    (tmp_path / "a/long/.gitignore").write_text("*.o\n")
    (tmp_path / "b/.gitignore").write_text("y\n")
    feed(daemon, {"folder": str(tmp_path), "depth": "all"})
    has(daemon, "a", "a/long", "a/long/name", "a/long/name/y", "b")
    (tmp_path / "a/long/name").rename(tmp_path / "n")
    has(daemon, "a", "a/long", "b", "n", "n/x.o", "n/y")
    make(tmp_path, "n/z.o")
    has(daemon, "a", "a/long", "b", "n", "n/x.o", "n/y", "n/z.o")
    (tmp_path / "n").rename(tmp_path / "b/n")
    has(daemon, "a", "a/long", "b", "b/n", "b/n/x.o", "b/n/z.o")


def test_without_watching(daemon: Daemon, tmp_path: Path) -> None:
    make(tmp_path, "a")
    feed(daemon, {"folder": str(tmp_path), "watch": False})
    has(daemon, "a")
    make(tmp_path, "b")
    daemon.settle()
    has(daemon, "a")


@pytest.mark.parametrize(
    "source",
    [
        {"folder": ".", "depth": 0}, {"folder": ".", "depth": "deep"}, {"folder": ".", "format": "lines"},
        {"folder": ".", "follow": True}, {"folder": ".", "file": "a"}, {"file": "a", "depth": 1},
    ],
)  # fmt: skip
def test_malformed_sources(daemon: Daemon, source: Json) -> None:
    daemon.refused(-32602, "feed", list="l", **{"from": source})


def test_a_folder_that_cannot_be_read(daemon: Daemon, tmp_path: Path) -> None:
    make(tmp_path, "a")
    for path in ("a", "none", ""):
        where = str(tmp_path / path) if path else ""
        assert daemon.refused(-31014, "feed", list="l", **{"from": {"folder": where}}).data["why"]


@pytest.mark.parametrize("seed", range(3))
def test_random_changes(daemon: Daemon, tmp_path: Path, rng: random.Random, seed: int) -> None:
    """After any changes, made as fast as possible, the list is the folder, and what only moved is the same."""
    folder = tmp_path / "folder"
    make(folder, "a/b/c", "d")
    feed(daemon, {"folder": str(folder), "depth": "all"})
    # The numbers of files that are open are not used again.
    held = [os.open(path, os.O_RDONLY) for path in folder.rglob("*")]
    files: Dict[str, int] = {}
    for _ in range(10):
        for _ in range(30):
            all_paths = [folder, *sorted(folder.rglob("*"))]
            folders = [path for path in all_paths if path.is_dir()]
            where = rng.choice(folders) / rng.choice("abcdefgh")
            some = rng.choice(all_paths)
            change = rng.randrange(5)
            if change == 0 and not where.exists():
                where.mkdir()
                held.append(os.open(where, os.O_RDONLY))
            elif change == 1 and not where.is_dir():
                where.write_text(str(rng.random()))
                held.append(os.open(where, os.O_RDONLY))
            elif change == 2 and some != folder and some not in where.parents and not where.is_dir():
                if some.is_file() or not where.exists():
                    some.rename(where)
            elif change == 3 and some != folder and rng.random() < 0.5:
                shutil.rmtree(some) if some.is_dir() else some.unlink()
            elif change == 4 and some.is_file():
                some.write_text("x" * rng.randrange(20))
        expected = {
            (str(path.relative_to(folder)), path.stat().st_size if path.is_file() else None)
            for path in folder.rglob("*")
        }  # fmt: skip

        def listed() -> Set[Any]:
            return {
                (item["path"], item["size"] if item["type"] == "file" else None) for item in items(daemon)
            }  # fmt: skip

        until(lambda: listed() == expected, f"{expected ^ listed()}")
        found = items(daemon)
        names = {item["id"]: item["path"] for item in found}
        assert len(names) == len(found)
        for item in found:
            above = names[item["parent"]] + "/" if "parent" in item else ""
            assert item["path"] == above + item["name"]
            number = (folder / item["path"]).stat().st_ino
            assert files.setdefault(item["id"], number) == number, "an identifier is of another file"
        assert len(set(files.values())) == len(files), "a file has another identifier"
    for file in held:
        os.close(file)


def test_a_replay_reads_no_folder(tmp_path: Path) -> None:
    from twin import replay

    from client import PATIENCE, program

    folder = tmp_path / "folder"
    make(folder, "sub/b")
    with Daemon("--record", str(tmp_path / "record")) as daemon:
        feed(daemon, {"folder": str(folder)})
        has(daemon, "sub")
        daemon.call("compose", list="tree", sources=["l"], view={"tree": {"parent": "parent"}})
        daemon.call("editSnapshot", list="tree", edits=[{"edit": "expandItems", "items": [ids(daemon)["sub"]]}])
        has(daemon, "sub", "sub/b")
    shutil.rmtree(folder)
    assert replay(program(), str(tmp_path / "record"), PATIENCE) == ""


def test_the_order_of_lists(daemon: Daemon, tmp_path: Path) -> None:
    """Views sort: folders before files, then by name."""
    make(tmp_path, "b", "a/", "c/", "A")
    feed(daemon, {"folder": str(tmp_path)})
    has(daemon, "b", "a", "c", "A")
    daemon.call(
        "compose", list="sorted", sources=["l"],
        view={"sort": [{"by": "type", "order": "descending"}, {"by": "name"}]},
    )  # fmt: skip
    assert [item["type"] for item in items(daemon, "sorted")] == ["folder", "folder", "file", "file"]
