"""Edits of a folder are killed at every system call that changes it, on file systems with and without
renames that never replace a file."""

# Promise: Killed at any change of a file, an edit of a folder leaves each file under its old or its new name, at
#   the latest after the next feed. Also `Tests/faults`.

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import pytest
from test_disturbed import library  # noqa: F401

from client import Daemon, DaemonEnded, Json, Refused
from feeds import feed, items, state, until

# The files and folders before the edit, and where each is after it: `None` is the trash.
Plan = Dict[str, Optional[str]]
PLANS: Dict[str, Plan] = {
    "moves": {"a": "d/a", "b": "c", "d/": "d", "d/x": "x"},
    "a chain": {"a": "b", "b": "c", "c": "d", "d": "e"},
    "an exchange": {"a": "b", "b": "a"},
    "cycles": {"a": "b", "b": "c", "c": "a", "d/a": "d/b", "d/b": "d/c", "d/c": "d/a", "d/": "d", "x": "y"},
    "cycles of folders": {"a/": "b", "b/": "c", "c/": "a", "a/x": "b/x", "b/x": "c/x", "c/x": "a/x"},
    "inside out": {"a/": "a/b", "a/b/": "a", "a/b/c": "a/c", "a/d": "a/b/d"},
    "the trash": {"a": None, "b": "a", "d/": None, "d/x": "d"},
}


@pytest.fixture
def disturbed(library: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:  # noqa: F811
    """Starts a disturbed daemon."""

    def start(**disturb: str) -> Daemon:
        with monkeypatch.context() as patch:
            patch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
            patch.setenv("LD_PRELOAD", str(library))
            patch.setenv("LISTD_TWIN", "0")
            for name, value in disturb.items():
                patch.setenv(f"DISTURB_{name.upper()}", value)
            return Daemon()

    return start


def prepare(folder: Path, plan: Plan) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for path in plan:
        where = folder / path
        (where if path.endswith("/") else where.parent).mkdir(parents=True, exist_ok=True)
        if not path.endswith("/"):
            where.write_text(path)


def opened(daemon: Daemon, folder: Path, plan: Plan) -> Dict[str, str]:
    feed(daemon, {"folder": str(folder), "depth": "all"}, allowsEdits=True)
    expected = {path.rstrip("/") for path in plan}
    until(lambda: {item["path"] for item in items(daemon)} == expected)
    return {item["path"]: item["id"] for item in items(daemon)}


def edits(plan: Plan, known: Dict[str, str]) -> List[Json]:
    """What a client sends, in the order of the plan."""
    made: List[Json] = []
    for old, new in plan.items():
        id = known[old.rstrip("/")]
        if new is None:
            made.append({"edit": "deleteItems", "items": [id]})
        elif new != old.rstrip("/"):
            made.append({"edit": "updateItems", "items": [{"id": id, "path": new}]})
    return made


def found(folder: Path) -> List[Tuple[str, str]]:
    """The files below a folder: their contents, which are their first paths, and their paths."""
    return [
        (path.read_text(), str(path.relative_to(folder)))
        for path in sorted(folder.rglob("*")) if path.is_file() and not is_of_steps(path)
    ]  # fmt: skip


def is_of_steps(path: Path) -> bool:
    """Whether a file has the steps of an edit; names in between have a number."""
    return path.name.startswith(".listd-edit-") and not path.suffix


def final(plan: Plan) -> List[Tuple[str, str]]:
    return sorted((old, new) for old, new in plan.items() if new is not None and not old.endswith("/"))


@pytest.mark.parametrize("plain", [False, True], ids=["at once", "in steps"])
@pytest.mark.parametrize("name", PLANS)
def test_killed_at_every_change(disturbed: Any, tmp_path: Path, name: str, plain: bool) -> None:
    plan, folder, trash = PLANS[name], tmp_path / "folder", tmp_path / "data" / "Trash"
    options = {"plain": "1"} if plain else {}
    for number in range(1, 200):
        prepare(folder, plan)
        shutil.rmtree(trash, ignore_errors=True)
        with disturbed(kill=str(number), **options) as daemon:
            known = opened(daemon, folder, plan)
            try:
                daemon.call("editSnapshot", list="l", edits=edits(plan, known))
            except DaemonEnded:
                pass
            else:
                assert sorted(found(folder)) == final(plan)
                break
        contents = [old for old, _ in found(folder)] + [
            path.read_text() for path in trash.rglob("files/**/*") if path.is_file()
        ]
        assert set(contents) == {old for old in plan if not old.endswith("/")}, "a file was lost"
        with disturbed(**options) as daemon:
            feed(daemon, {"folder": str(folder), "depth": "all", "hidden": True})
            until(lambda: state(daemon)["items"] and not left(folder))
            until(lambda: {i["path"] for i in items(daemon)} == {str(p.relative_to(folder)) for p in folder.rglob("*")})
        now = dict(found(folder))
        assert len(now) == len(found(folder)), f"two names at {number}"
        for old, new in plan.items():
            if not old.endswith("/") and old in now:
                assert now[old].rpartition("/")[2] in (old.rpartition("/")[2], (new or old).rpartition("/")[2]), number
    assert number > len([path for path, new in plan.items() if new != path.rstrip("/")]) / (1 if plain else 2)


def left(folder: Path) -> List[str]:
    return [name for _, names, files in os.walk(folder) for name in names + files if name.startswith(".listd-edit-")]


@pytest.mark.parametrize("name, taken", [("moves", "c"), ("moves", "x"), ("a chain", "e"), ("cycles", "y")])
def test_an_existing_name_is_not_overwritten_in_steps(disturbed: Any, tmp_path: Path, name: str, taken: str) -> None:
    """Without renames that never replace a file, another program's file stays, and all is as it was."""
    plan, folder = PLANS[name], tmp_path / "folder"
    prepare(folder, plan)
    with disturbed(plain="1") as daemon:
        known = opened(daemon, folder, plan)
        before = found(folder)
        (folder / taken).write_text("other")
        with pytest.raises(Refused) as refused:
            daemon.call("editSnapshot", list="l", edits=edits(plan, known))
        assert refused.value.code == -31014 and refused.value.data["problems"]
        assert sorted(found(folder)) == sorted([*before, ("other", taken)]) and not left(folder)


def test_the_edit_of_a_live_daemon_is_left_alone(tmp_path: Path) -> None:
    """A file with the steps of an edit that is locked belongs to another daemon."""
    import fcntl

    folder = tmp_path / "folder"
    prepare(folder, {"a": "a"})
    steps = folder / ".listd-edit-1-1"
    steps.write_bytes(b"end")
    with steps.open("rb") as file, Daemon() as daemon:
        fcntl.flock(file, fcntl.LOCK_EX)
        feed(daemon, {"folder": str(folder), "hidden": True})
        until(lambda: [item["path"] for item in items(daemon)] == ["a"])
        daemon.settle()
        assert steps.exists()
        fcntl.flock(file, fcntl.LOCK_UN)
        feed(daemon, {"folder": str(folder), "hidden": True})
        until(lambda: not steps.exists())


def test_nonsense_in_the_file_of_an_edit_changes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    for text in (b"", b"\0" * 50 + b"end", os.urandom(300), b"0\0001\0000" + b"\0a" * 9 + b"\0end"):
        prepare(folder, {"a": "a", "b": "b"})
        (folder / ".listd-edit-1-1").write_bytes(text)
        with Daemon() as daemon:
            feed(daemon, {"folder": str(folder)})
            until(lambda: not left(folder))
            assert sorted(found(folder)) == [("a", "a"), ("b", "b")]
