"""editSnapshot on the list of a folder: what it does to the folder."""

# Promise: Edits of a folder are made whole or not at all, in any order and permutation, and overwrite and lose no
#   file, whoever makes the same names. Also `test_feed_edits_refused.py`.

from __future__ import annotations

import base64
import os
import random
import subprocess
import threading
from pathlib import Path
from typing import List, Set

import pytest

from client import Daemon, Json, Refused
from feeds import items, state, until
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


def test_a_name_renames_and_a_path_moves(daemon: Daemon, folder: Path) -> None:
    make(folder, "a", "sub/b")
    known = opened(daemon, folder, "a", "sub", "sub/b")
    change = edit(daemon, update(id=known["a"], name="z"), content=True)
    assert change["revision"] == change["baseRevision"] + 1
    [[op]] = change["stages"]
    assert op["op"] == "reconfigureItems" and op["items"][0]["path"] == "z"
    assert contents(folder) == {"z": "a", "sub": None, "sub/b": "sub/b"}
    assert ids(daemon) == {"z": known["a"], "sub": known["sub"], "sub/b": known["sub/b"]}
    edit(daemon, update(id=known["a"], path="sub/y"), update(id=known["sub/b"], name="b", path="c"))
    assert contents(folder) == {"sub": None, "sub/y": "a", "c": "sub/b"}
    found = {item["id"]: item for item in items(daemon)}
    assert found[known["a"]]["parent"] == known["sub"] and found[known["a"]]["name"] == "y"
    assert "parent" not in found[known["sub/b"]] and found[known["sub/b"]]["path"] == "c"
    daemon.settle()
    has(daemon, "sub", "sub/y", "c")


def test_whole_items_are_updated(daemon: Daemon, folder: Path) -> None:
    """An item with only another name, as clients have it, and all others as they are."""
    make(folder, "a", "sub/b")
    known = opened(daemon, folder, "a", "sub", "sub/b")
    found = {item["path"]: item for item in items(daemon)}
    before = daemon.call("getSnapshot", list="l")["revision"]
    assert edit(daemon, {"edit": "updateItems", "items": list(found.values())})["revision"] == before
    changed = [{**found["a"], "name": "A"}, {**found["sub"], "name": "s"}, found["sub/b"]]
    edit(daemon, {"edit": "updateItems", "items": changed})
    assert ids(daemon) == {"A": known["a"], "s": known["sub"], "s/b": known["sub/b"]}
    assert contents(folder) == {"A": "a", "s": None, "s/b": "sub/b"}


def test_files_and_folders_are_made(daemon: Daemon, folder: Path) -> None:
    make(folder, "sub/b")
    known = opened(daemon, folder, "sub", "sub/b")
    edit(
        daemon,
        {"edit": "insertItems", "items": [
            {"name": "new", "type": "file"}, {"name": "deep", "type": "folder", "parent": known["sub"]},
        ]},
    )  # fmt: skip
    assert contents(folder) == {"sub": None, "sub/b": "sub/b", "new": "", "sub/deep": None}
    assert paths(daemon) == {"sub", "sub/b", "new", "sub/deep"}
    assert {item["path"]: item["type"] for item in items(daemon)}["sub/deep"] == "folder"
    daemon.settle()
    assert len(set(ids(daemon).values())) == 4


def test_a_folder_is_made_for_what_is_moved(daemon: Daemon, folder: Path) -> None:
    make(folder, "a", "b")
    known = opened(daemon, folder, "a", "b")
    assert problems(daemon, update(id=known["b"], path="none/b")) == [known["b"]]
    edit(daemon, {"edit": "insertItems", "items": [{"name": "a", "type": "folder"}]}, update(id=known["a"], path="a/x"))
    assert contents(folder) == {"a": None, "a/x": "a", "b": "b"}
    assert ids(daemon)["a/x"] == known["a"] and paths(daemon) == {"a", "a/x", "b"}


def test_deleted_files_are_in_the_trash(daemon: Daemon, folder: Path, trash: Path) -> None:
    make(folder, "a b%", "sub/b", "a/a b%")
    known = opened(daemon, folder, "a b%", "sub", "sub/b", "a", "a/a b%")
    edit(daemon, {"edit": "deleteItems", "items": [known["a b%"], {"id": known["a/a b%"]}, known["sub"]]})
    assert contents(folder) == {"a": None} and paths(daemon) == {"a"}
    assert contents(trash / "files") == {"a b%": "a b%", "a b%.2": "a/a b%", "sub": None, "sub/b": "sub/b"}
    info = (trash / "info/a b%.2.trashinfo").read_text().splitlines()
    assert info[0] == "[Trash Info]" and info[1] == f"Path={folder.resolve()}/a/a%20b%25"
    assert info[2].startswith("DeletionDate=20") and len(info[2]) == len("DeletionDate=2026-01-31T12:00:00")
    assert {path.name for path in (trash / "info").iterdir()} == {
        "a b%.trashinfo", "a b%.2.trashinfo", "sub.trashinfo",
    }  # fmt: skip
    assert trash.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("count", [2, 3, 7])
def test_permutations(daemon: Daemon, folder: Path, count: int) -> None:
    names = [f"f{k}" for k in range(count)]
    make(folder, *names)
    known = opened(daemon, folder, *names)
    edit(daemon, *(update(id=known[f"f{k}"], name=f"f{(k + 1) % count}") for k in range(count)))
    assert contents(folder) == {f"f{(k + 1) % count}": f"f{k}" for k in range(count)}
    assert ids(daemon) == {f"f{(k + 1) % count}": known[f"f{k}"] for k in range(count)}
    assert os.listdir(folder) and set(os.listdir(folder)) == set(names)


def test_a_folder_and_the_folder_that_it_is_in_change_places(daemon: Daemon, folder: Path) -> None:
    make(folder, "a/b/c", "a/d", "e")
    known = opened(daemon, folder, "a", "a/b", "a/b/c", "a/d", "e")
    edit(daemon, update(id=known["a/b"], path="a"), update(id=known["a"], path="a/b"), update(id=known["e"], path="a/b/e"))
    # Paths are those after the edit.
    assert contents(folder) == {"a": None, "a/c": "a/b/c", "a/b": None, "a/b/d": "a/d", "a/b/e": "e"}
    assert ids(daemon) == {
        "a": known["a/b"], "a/c": known["a/b/c"], "a/b": known["a"], "a/b/d": known["a/d"], "a/b/e": known["e"],
    }  # fmt: skip


def test_names_that_other_edits_make_free(daemon: Daemon, folder: Path, trash: Path) -> None:
    make(folder, "a", "b", "d/x")
    known = opened(daemon, folder, "a", "b", "d", "d/x")
    edit(
        daemon,
        {"edit": "deleteItems", "items": [known["b"], known["d"]]},
        update(id=known["d/x"], path="d"), update(id=known["a"], name="b"),
        {"edit": "insertItems", "items": [{"name": "a", "type": "folder"}]},
    )  # fmt: skip
    assert contents(folder) == {"a": None, "b": "a", "d": "d/x"}
    assert contents(trash / "files") == {"b": "b", "d": None}
    now = ids(daemon)
    assert (now["b"], now["d"]) == (known["a"], known["d/x"]) and now["a"] not in known.values()
    edit(daemon, update(id=known["d/x"], name="e"))
    (folder / "e").rename(folder / "f")
    has(daemon, "a", "b", "f")
    assert ids(daemon)["f"] == known["d/x"]


@pytest.mark.parametrize("seed", range(6))
def test_random_permutations(daemon: Daemon, folder: Path, rng: random.Random, seed: int) -> None:
    """Files and folders get any of their names; the tree after that is what the edit says."""
    for _ in range(8):
        folders = ["", *(f"d{k}" for k in range(3)), "d0/e"]
        made = {f"{rng.choice(folders)}/f{k}".lstrip("/") for k in range(12)}
        for path in folders[1:]:
            (folder / path).mkdir(parents=True, exist_ok=True)
        make(folder, *made)
        known = opened(daemon, folder, *made, *folders[1:])
        files = sorted(made)
        targets = rng.sample(files, len(files))
        plan = dict(zip(files, targets))
        edit(daemon, *(update(id=known[old], path=new) for old, new in plan.items()))
        assert {path: text for path, text in contents(folder).items() if text is not None} == {
            plan[old]: old for old in files
        }
        assert {path: id for path, id in ids(daemon).items() if path in made} == {
            plan[old]: known[old] for old in files
        }
        subprocess.run(["rm", "-rf", *(str(path) for path in folder.iterdir())], check=True)


def test_a_dry_run_does_nothing(daemon: Daemon, folder: Path, trash: Path) -> None:
    make(folder, "a", "b", "sub/c")
    known = opened(daemon, folder, "a", "b", "sub", "sub/c")
    plan = edit(
        daemon, update(id=known["a"], name="b"), update(id=known["sub"], name="s"), update(id=known["sub/c"], name="d"),
        {"edit": "deleteItems", "items": [known["b"]]}, {"edit": "insertItems", "items": [{"name": "n", "type": "file", "parent": known["sub"]}]},
        dryRun=True,
    )  # fmt: skip
    assert plan == {
        "changes": [
            {"id": known["a"], "from": "a", "to": "b"}, {"id": known["sub"], "from": "sub", "to": "s"},
            {"id": known["sub/c"], "from": "sub/c", "to": "s/d"}, {"id": known["b"], "from": "b", "to": None},
            {"id": None, "from": None, "to": "s/n"},
        ],
        "problems": [],
    }  # fmt: skip
    assert contents(folder) == {"a": "a", "b": "b", "sub": None, "sub/c": "sub/c"}
    assert not (trash / "files").exists() or not contents(trash / "files")
    assert edit(daemon, update(id=known["a"], name="a"), dryRun=True) == {"changes": [], "problems": []}


def test_names_of_any_bytes(daemon: Daemon, folder: Path) -> None:
    """A name that is not UTF-8 stays if only the folder changes, and is given by its bytes."""
    odd, other = os.fsdecode(b"a\xff"), os.fsdecode(b"b\xfe")
    make(folder, "sub/x")
    (folder / odd).touch()
    known = opened(daemon, folder, "a\\xff", "sub", "sub/x")
    edit(daemon, update(id=known["a\\xff"], path="sub/a\\xff"))
    assert set(contents(folder)) == {"sub", "sub/x", f"sub/{odd}"}
    edit(daemon, update(id=known["a\\xff"], name="b\\xfe", bytes=base64.b64encode(b"b\xfe").decode()))
    assert set(contents(folder)) == {"sub", "sub/x", f"sub/{other}"}
    edit(daemon, update(id=known["a\\xff"], name="plain"))
    assert set(contents(folder)) == {"sub", "sub/x", "sub/plain"}
    assert ids(daemon)["sub/plain"] == known["a\\xff"]


def test_the_answer_has_all_that_has_changed(daemon: Daemon, folder: Path) -> None:
    """A file that another program makes is in the list at the latest with the next change."""
    make(folder, "a")
    known = opened(daemon, folder, "a")
    daemon.call("subscribe", list="l", format="none")
    edit(daemon, update(id=known["a"], name=".hidden"))
    assert contents(folder) == {".hidden": "a"} and paths(daemon) == set()
    (folder / ".hidden").rename(folder / "b")
    has(daemon, "b")
    assert ids(daemon)["b"] == known["a"]


def test_folders_that_are_read_when_they_are_expanded(daemon: Daemon, folder: Path) -> None:
    make(folder, "a", "sub/b", "sub/deep/c")
    known = opened(daemon, folder, "a", "sub", depth="lazy")
    daemon.call("compose", list="tree", sources=["l"], view={"tree": {"parent": "parent"}})
    edit(daemon, update(id=known["a"], path="sub/a"))
    assert paths(daemon) == {"sub"}
    daemon.call("editSnapshot", list="tree", edits=[{"edit": "expandItems", "items": [known["sub"]]}])
    has(daemon, "sub", "sub/a", "sub/b", "sub/deep")
    now = ids(daemon)
    edit(daemon, update(id=known["sub"], name="s"), update(id=now["sub/deep"], path="deep"))
    assert paths(daemon) == {"s", "s/a", "s/b", "deep"}
    daemon.settle()
    assert ids(daemon)["s/b"] == now["sub/b"]


def test_edits_while_the_folder_changes(daemon: Daemon, folder: Path) -> None:
    """The list is the folder whatever is written meanwhile; each edit names files as the list had them."""
    make(folder, *(f"f{k}" for k in range(50)))
    opened(daemon, folder, *(f"f{k}" for k in range(50)))
    over = threading.Event()

    def disturb() -> None:
        turn = 0
        while not over.is_set():
            turn += 1
            path = folder / f"other{turn % 20}"
            if path.exists():
                path.rename(folder / f"moved{turn % 30}") if turn % 3 else path.unlink()
            else:
                path.write_text("")

    thread = threading.Thread(target=disturb)
    thread.start()
    try:
        for turn in range(100):
            now = ids(daemon)
            file = sorted(path for path in now if path.startswith(("f", "g")))[turn % 50]
            edit(daemon, update(id=now[file], name=f"g{turn}"))
        # Edits that arrive while the list gets what others have changed.
        files = [now[path] for path in now if path.startswith(("f", "g"))]
        for turn in range(20):
            daemon.pipeline([
                ("editSnapshot", {"list": "l", "edits": [update(id=id, name=f"g{turn}.{k}")]})
                for k, id in enumerate(files)
            ])  # fmt: skip
    finally:
        over.set()
        thread.join()
    until(lambda: paths(daemon) == set(os.listdir(folder)))
    assert sum(name.startswith(("f", "g")) for name in os.listdir(folder)) == 50


@pytest.mark.parametrize("what", ["old", "new"])
def test_another_program_makes_the_same_names(daemon: Daemon, folder: Path, what: str) -> None:
    """It makes names of 2,000 files while these are renamed. None of its files and of the others is lost."""
    count = 2000
    make(folder, *(f"f{k}" for k in range(count)))
    known = opened(daemon, folder, *(f"f{k}" for k in range(count)))
    made: Set[str] = set()
    over = threading.Event()

    def disturb() -> None:
        k = 0
        while not over.is_set():
            name = f"f{k % count}" if what == "old" else f"g{(count - 1 - k) % count}"
            try:
                file = os.open(folder / name, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
            except FileExistsError:
                pass
            else:
                os.write(file, f"other {len(made)}".encode())
                os.close(file)
                made.add(f"other {len(made)}")
            k += 7

    thread = threading.Thread(target=disturb)
    thread.start()
    edits = [update(id=known[f"f{k}"], name=f"g{k}") for k in range(count)]
    refused: List[Json] = []
    try:
        edit(daemon, *edits)
    except Refused as refusal:
        assert refusal.code == -31014
        refused = refusal.data["problems"]
        assert refused
    finally:
        over.set()
        thread.join()
    found = list(contents(folder).values())
    assert sorted(found) == sorted([*made, *(f"f{k}" for k in range(count))]), "a file was lost"
    if not refused:
        assert all((folder / f"g{k}").read_text() == f"f{k}" for k in range(count))
    until(lambda: paths(daemon) == set(contents(folder)))


def test_a_replay_edits_no_folder(folder: Path, tmp_path: Path) -> None:
    from twin import replay

    from client import PATIENCE, program

    make(folder, "a", "b", "c")
    with Daemon("--record", str(tmp_path / "record")) as daemon:
        known = opened(daemon, folder, "a", "b", "c")
        edit(daemon, update(id=known["a"], name="b"), update(id=known["b"], name="a"))
        edit(daemon, {"edit": "insertItems", "items": [{"name": "d", "type": "folder"}]}, dryRun=True)
        problems(daemon, update(id=known["a"], name="c"))
        edit(daemon, {"edit": "deleteItems", "items": [known["c"]]}, {"edit": "insertItems", "items": [{"name": "d", "type": "folder"}]})
        assert contents(folder) == {"a": "b", "b": "a", "d": None}
        daemon.settle()
    subprocess.run(["rm", "-rf", str(folder)], check=True)
    assert replay(program(), str(tmp_path / "record"), PATIENCE) == ""


def test_edits_with_checked_answers(folder: Path) -> None:
    make(folder, "a", "sub/b")
    with Daemon("--self-check") as daemon:
        known = opened(daemon, folder, "a", "sub", "sub/b")
        daemon.call("subscribe", list="l", format="stages")
        edit(daemon, update(id=known["a"], path="sub/a"), {"edit": "insertItems", "items": [{"name": "n", "type": "file"}]})
        edit(daemon, update(id=known["a"], name="x"), dryRun=True)
        edit(daemon, {"edit": "deleteItems", "items": [known["sub/b"]]}, format="none")
        assert paths(daemon) == {"n", "sub", "sub/a"}
        assert "error" not in state(daemon)
