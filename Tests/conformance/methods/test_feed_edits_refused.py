"""editSnapshot on the list of a folder: what is refused or undone, and changes nothing."""

from __future__ import annotations

import os
import resource
import shutil
import tempfile
from pathlib import Path
from typing import Iterator

import pytest

from client import Daemon
from feeds import feed, state, until
from folders import contents, edit, has, ids, make, opened, paths, problems, update

pytestmark = pytest.mark.needs("feed")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "folder"
    path.mkdir()
    return path


@pytest.fixture(autouse=True)
def trash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The trash of the user is one of the test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "Trash"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Path]:
    """A folder on another file system than that of the user's trash."""
    memory = Path("/dev/shm")
    if not memory.is_dir() or memory.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("no second file system")
    with tempfile.TemporaryDirectory(dir=memory) as path:
        yield Path(path)


def test_without_a_trash_nothing_is_deleted(daemon: Daemon, elsewhere: Path) -> None:
    own = Path(f"/dev/shm/.Trash-{os.getuid()}")
    if own.exists():
        pytest.skip("the file system has a trash")
    make(elsewhere, "a", "b")
    known = opened(daemon, elsewhere, "a", "b")
    own.write_text("")
    try:
        deletion = {"edit": "deleteItems", "items": [known["a"]]}
        assert problems(daemon, update(id=known["b"], name="c"), deletion) == [known["a"]]
        assert contents(elsewhere) == {"a": "a", "b": "b"}
    finally:
        own.unlink()


def test_the_trash_of_another_file_system(daemon: Daemon, elsewhere: Path, trash: Path) -> None:
    own = Path(f"/dev/shm/.Trash-{os.getuid()}")
    if own.exists():
        pytest.skip("the file system has a trash")
    make(elsewhere, "a", "sub/b")
    known = opened(daemon, elsewhere, "a", "sub", "sub/b")
    try:
        edit(daemon, {"edit": "deleteItems", "items": [known["sub/b"]]})
        assert (own / "files/b").read_text() == "sub/b" and not trash.exists()
        assert f"Path={elsewhere.name}/sub/b\n" in (own / "info/b.trashinfo").read_text()
    finally:
        shutil.rmtree(own)


def test_an_existing_name_is_not_overwritten(daemon: Daemon, folder: Path) -> None:
    """Also one that the list does not show."""
    make(folder, "a", "b", "c", ".hidden", "ignored.o", "sub/")
    (folder / ".gitignore").write_text("*.o\n")
    known = opened(daemon, folder, "a", "b", "c", "sub")
    before = contents(folder)
    for name in ("b", ".hidden", "ignored.o", "sub"):
        assert problems(daemon, update(id=known["c"], name="z"), update(id=known["a"], name=name)) == [known["a"]]
    assert problems(daemon, {"edit": "insertItems", "items": [{"name": "b", "type": "file"}]}) == [None]
    both = problems(daemon, update(id=known["a"], name="z"), update(id=known["b"], name="z"))
    assert sorted(both) == sorted([known["a"], known["b"]])
    assert contents(folder) == before
    assert ids(daemon) == known


@pytest.mark.parametrize("name", ["", ".", "..", "x/y", "a\0b", "n" * 256, ".listd-edit-1-1"])
def test_names_that_no_file_can_have(daemon: Daemon, folder: Path, name: str) -> None:
    make(folder, "a")
    known = opened(daemon, folder, "a")
    assert problems(daemon, update(id=known["a"], name=name)) == [known["a"]]
    assert problems(daemon, {"edit": "insertItems", "items": [{"name": name, "type": "file"}]}) == [None]
    assert contents(folder) == {"a": "a"}


@pytest.mark.parametrize("path", ["../x", "/x", "sub/../x", "sub//x", "sub/", "none/x", "a/x", ""])
def test_paths_that_lead_nowhere(daemon: Daemon, folder: Path, path: str) -> None:
    make(folder, "a", "sub/b")
    known = opened(daemon, folder, "a", "sub", "sub/b")
    assert problems(daemon, update(id=known["a"], path=path)) == [known["a"]]
    assert contents(folder) == {"a": "a", "sub": None, "sub/b": "sub/b"}


def test_edits_that_no_folder_takes(daemon: Daemon, folder: Path) -> None:
    make(folder, "a/b/c", "d")
    known = opened(daemon, folder, "a", "a/b", "a/b/c", "d")
    assert problems(daemon, update(id=known["a"], path="a/b/a")) == [known["a"]]
    assert problems(daemon, update(id="none", name="x")) == ["none"]
    assert problems(daemon, {"edit": "deleteItems", "items": ["none"]}) == ["none"]
    assert problems(daemon, {"edit": "deleteItems", "items": [known["a"]]}, update(id=known["d"], path="a/d")) == [known["d"]]
    assert problems(daemon, update(id=known["d"], name="x", path="a/y")) == [known["d"]]
    assert problems(daemon, {"edit": "insertItems", "items": [{"name": "x", "type": "file", "parent": known["d"]}]}) == [None]
    for wrong in (
        {"edit": "insertItems", "items": [{"name": "x", "type": "file"}], "after": known["d"]},
        {"edit": "insertItems", "items": [{"name": "x"}]}, {"edit": "insertItems", "items": [{"type": "file"}]},
        {"edit": "insertItems", "items": [{"name": "x", "type": "link"}]}, {"edit": "insertItems", "items": ["x"]},
        {"edit": "updateItems", "items": [{"name": "x"}]}, {"edit": "updateItems", "items": [{"id": known["d"], "name": 1}]},
        {"edit": "deleteItems", "items": [1]}, {"edit": "rename", "items": []},
    ):  # fmt: skip
        daemon.refused(-32602, "editSnapshot", list="l", edits=[wrong])
    for other in ({"edit": "deleteAllItems"}, {"edit": "appendItems", "items": []}, {"edit": "moveItems", "items": [], "section": "main"}):
        assert daemon.refused(-31007, "editSnapshot", list="l", edits=[other]).data["reason"] == "fedList"
    assert daemon.refused(-31007, "applySnapshot", list="l", items=[]).data["reason"] == "fedList"
    daemon.refused(-31003, "editSnapshot", list="l", edits=[update(id=known["d"], name="x")], baseRevision=0)
    assert contents(folder) == {"a": None, "a/b": None, "a/b/c": "a/b/c", "d": "d"}


def test_without_allows_edits_a_list_is_read_only(daemon: Daemon, folder: Path) -> None:
    make(folder, "a")
    feed(daemon, {"folder": str(folder)})
    has(daemon, "a")
    for edits in ([update(id=ids(daemon)["a"], name="b")], [{"edit": "insertItems", "items": [{"name": "x", "type": "file"}]}]):
        assert daemon.refused(-31007, "editSnapshot", list="l", edits=edits).data["reason"] == "fedList"
        assert daemon.refused(-31007, "editSnapshot", list="l", edits=edits, dryRun=True).data["reason"] == "fedList"
    feed(daemon, {"file": str(folder / "a")}, "f", allowsEdits=True)
    assert daemon.refused(-31007, "editSnapshot", list="f", edits=[]).data["reason"] == "fedList"
    daemon.call("applySnapshot", list="plain", items=[])
    daemon.refused(-32602, "editSnapshot", list="plain", edits=[], dryRun=True)
    assert contents(folder) == {"a": "a"}


def test_an_edit_is_undone_if_the_journal_cannot_be_written(
    folder: Path, tmp_path: Path, trash: Path
) -> None:
    make(folder, "a", "b", "c", "d/e")
    journal = tmp_path / "journal"
    with Daemon("--journal", str(journal)) as daemon:
        known = opened(daemon, folder, "a", "b", "c", "d", "d/e")
        before = contents(folder)
        size = journal.stat().st_size
        resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
        edits = [
            update(id=known["a"], name="b"), update(id=known["b"], name="a"), update(id=known["c"], path="d/c"),
            update(id=known["d"], name="D"), {"edit": "deleteItems", "items": [known["d/e"]]},
            {"edit": "insertItems", "items": [{"name": "new", "type": "folder"}]},
        ]  # fmt: skip
        daemon.refused(-31011, "editSnapshot", list="l", edits=edits)
        assert contents(folder) == before and not contents(trash / "files") and not contents(trash / "info")
        resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
        until(lambda: "error" not in state(daemon))
        assert ids(daemon) == known
        edit(daemon, *edits)
        assert contents(folder) == {"a": "b", "b": "a", "D": None, "D/c": "c", "new": None}
        assert paths(daemon) == set(contents(folder))
