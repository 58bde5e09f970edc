"""feed: how the items of lists that the daemon fills are selected."""

# Promise: The section that a feed makes has the selection mode of the request, whatever is read, again and again.

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from client import Daemon, Json
from feeds import becomes, feed, items, run, shell, state, until
from folders import has, make

pytestmark = pytest.mark.needs("feed")
MULTIPLE = {"id": "main", "selectionMode": "multiple"}


def section(daemon: Daemon) -> Json:
    """The only section of the list without its items."""
    [found] = daemon.call("getSnapshot", list="l")["sections"]
    return {name: value for name, value in found.items() if name != "items"}


def replace(path: Path, text: str) -> None:
    """Puts another file in the place of one."""
    other = path.with_name("other")
    other.write_text(text)
    other.replace(path)


@pytest.mark.parametrize(
    "source",
    [
        {"command": ["cat", "rows"], "every": 100},
        {"file": "rows"},
        {"file": "rows", "follow": True},
        {"file": "rows", "format": "json"},
    ],
)
def test_rows_that_are_read_again(daemon: Daemon, tmp_path: Path, source: Json) -> None:
    """All rows can be selected before and after the rows are read again, and stay selected."""
    rows = tmp_path / "rows"
    rows.write_text('["a","b"]' if source.get("format") else "a\nb\n")
    place = {"cwd": str(tmp_path)} if "command" in source else {"file": str(rows)}
    answer = feed(daemon, {**source, **place}, selectionMode="multiple")
    assert answer["state"]["items"] == 0 and section(daemon) == MULTIPLE
    becomes(daemon, ["a", "b"])
    daemon.call("select", list="l", action="all")
    replace(rows, '["c","a","b"]' if source.get("format") else "c\na\nb\n")
    becomes(daemon, ["c", "a", "b"])
    assert section(daemon) == MULTIPLE
    assert daemon.call("getSelection", list="l")["items"] == ["a", "b"]
    daemon.call("select", list="l", items=["c"])
    assert daemon.call("getSelection", list="l")["items"] == ["c", "a", "b"]


def test_rows_that_arrive(daemon: Daemon) -> None:
    run(daemon, shell("echo a; sleep 0.1; echo b"), selectionMode="multiple", allowsEmptySelection=False)
    assert section(daemon) == {**MULTIPLE, "allowsEmptySelection": False}
    daemon.call("select", list="l", items=["a", "b"])
    daemon.call("select", list="l", items=["a", "b"], action="deselect")
    assert daemon.call("getSelection", list="l")["items"] == ["b"]


def test_no_rows(daemon: Daemon) -> None:
    assert run(daemon, shell("true"), selectionMode="none") == []
    assert section(daemon) == {"id": "main", "selectionMode": "none"}


def test_rows_of_which_some_are_refused(daemon: Daemon) -> None:
    rows = '{"id":1,"parts":7}\n{"id":2}'
    source = {"command": ["printf", "%s", rows], "format": "ndjson"}
    assert run(daemon, source, selectionMode="multiple") == [{"id": 2}]
    assert section(daemon) == MULTIPLE


def test_sections_have_their_own_mode(daemon: Daemon) -> None:
    document = '{"sections":[{"id":1,"items":["a"]},{"id":2,"selectionMode":"none","items":[]}]}'
    source = {"command": ["echo", document], "format": "json"}
    feed(daemon, source, selectionMode="multiple")
    until(lambda: not state(daemon)["running"])
    sections = daemon.call("getSnapshot", list="l")["sections"]
    assert sections == [{"id": 1, "items": ["a"]}, {"id": 2, "selectionMode": "none", "items": []}]


def test_folders(daemon: Daemon, tmp_path: Path) -> None:
    """Also one that vanishes and is made again, and one that is edited."""
    folder = tmp_path / "folder"
    make(folder, "a", "b")
    feed(daemon, {"folder": str(folder)}, selectionMode="multiple", allowsEdits=True)
    has(daemon, "a", "b")
    daemon.call("select", list="l", action="all")
    edit = {"edit": "updateItems", "items": [{"id": item["id"], "name": "new " + item["name"]} for item in items(daemon)]}
    daemon.call("editSnapshot", list="l", edits=[edit])
    assert len(daemon.call("getSelection", list="l")["items"]) == 2 and section(daemon) == MULTIPLE
    shutil.rmtree(folder)
    has(daemon)
    assert section(daemon) == MULTIPLE
    make(folder, "c")
    has(daemon, "c")
    assert section(daemon) == MULTIPLE


def test_another_feed_has_its_own_mode(daemon: Daemon) -> None:
    run(daemon, shell("echo a; echo b"), selectionMode="multiple")
    daemon.call("select", list="l", action="all")
    run(daemon, shell("echo a; echo b"), selectionMode="none")
    assert section(daemon) == {"id": "main", "selectionMode": "none"}
    assert daemon.call("getSelection", list="l")["items"] == []
    run(daemon, shell("echo a; echo b"))
    assert section(daemon) == {"id": "main"}
    feed(daemon, None, selectionMode="multiple")
    assert section(daemon) == {"id": "main"}


@pytest.mark.parametrize("name, value", [("selectionMode", "many"), ("allowsEmptySelection", "no"), ("selectionMode", 1)])
def test_other_values(daemon: Daemon, name: str, value: Any) -> None:
    refusal = daemon.refused(-32602, "feed", list="l", **{"from": shell("true"), name: value})
    assert refusal.data["pointer"] == f"/params/{name}"
    if name == "selectionMode":
        assert all(word in refusal.message for word in ("none", "single", "multiple"))
    assert daemon.call("getLists") == {"lists": []}


def test_journals_and_records(tmp_path: Path) -> None:
    """A list that was filled keeps the mode without its feed, and a replay makes it."""
    from twin import replay

    from client import PATIENCE, program

    journal, record = str(tmp_path / "journal"), str(tmp_path / "record")
    with Daemon("--journal", journal, "--record", record) as daemon:
        daemon.call("subscribe", list="l", format="ops")
        run(daemon, shell("echo a; echo b"), selectionMode="multiple")
    with Daemon("--journal", journal) as daemon:
        assert section(daemon) == MULTIPLE
        daemon.call("select", list="l", action="all")
        assert daemon.call("getSelection", list="l")["items"] == ["a", "b"]
    assert replay(program(), record, PATIENCE) == ""
