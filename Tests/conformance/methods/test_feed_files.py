"""feed: lists that the daemon fills with the rows of files, which others write, replace and remove."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from client import Daemon
from feeds import becomes, feed, items, state, until

pytestmark = pytest.mark.needs("feed")


def replace(path: Path, text: str) -> None:
    """Puts another file in the place of one."""
    new = path.with_suffix(".new")
    new.write_text(text)
    new.rename(path)


def test_a_file_is_read_again_when_it_changes(daemon: Daemon, tmp_path: Path) -> None:
    path = tmp_path / "rows"
    path.write_text("a\nb")
    daemon.call("subscribe", list="l")
    feed(daemon, {"file": str(path)})
    becomes(daemon, ["a", "b"])
    with path.open("a") as file:
        file.write("\nc\n")
    becomes(daemon, ["a", "b", "c"])
    replace(path, "c\na\nb\n")
    becomes(daemon, ["c", "a", "b"])
    last = [one for one in daemon.notifications if one["method"] == "didChange"][-1]["params"]
    assert last["counts"]["rows"] == {"deletes": 0, "inserts": 0, "moves": 1, "updates": 0}
    path.write_text("")
    becomes(daemon, [])
    assert state(daemon) == {"running": True, "items": 0}


def test_a_file_that_vanishes_keeps_its_rows(daemon: Daemon, tmp_path: Path) -> None:
    path = tmp_path / "rows"
    path.write_text("a\n")
    daemon.call("subscribe", list="l", format="none")
    feed(daemon, {"file": str(path)})
    becomes(daemon, ["a"])
    path.unlink()
    until(lambda: "No such file" in state(daemon).get("error", ""))
    assert items(daemon) == ["a"] and state(daemon)["running"]
    assert any("error" in one["params"]["state"] for one in daemon.notifications if one["method"] == "didFeed")
    path.write_text("b\n")
    becomes(daemon, ["b"])
    until(lambda: "error" not in state(daemon))


def test_a_link_is_followed(daemon: Daemon, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    path = tmp_path / "folder/rows"
    path.write_text("a\n")
    (tmp_path / "link").symlink_to(path)
    feed(daemon, {"file": str(tmp_path / "link")})
    becomes(daemon, ["a"])
    replace(path, "b\n")
    becomes(daemon, ["b"])


def test_formats_of_files(daemon: Daemon, tmp_path: Path) -> None:
    path = tmp_path / "rows"
    path.write_text("k,v\na,1\nb\n")
    feed(daemon, {"file": str(path), "format": "csv"}, key="k")
    becomes(daemon, [{"id": "a", "text": "a,1", "k": "a", "v": "1"}])
    until(lambda: "line 3" in state(daemon).get("error", ""))
    replace(path, '[{"k":1},{"k":2},{"k":1}]')
    feed(daemon, {"file": str(path), "format": "json"}, key="k")
    becomes(daemon, [{"id": 1, "k": 1}, {"id": 2, "k": 2}])
    replace(path, '[{"k":1}')
    until(lambda: "not JSON" in state(daemon).get("error", ""))
    assert len(items(daemon)) == 2


def test_appended_rows_are_appended(daemon: Daemon, tmp_path: Path) -> None:
    """A row is complete when its line is."""
    path = tmp_path / "log"
    path.write_text("a\nb")
    daemon.call("subscribe", list="l")
    feed(daemon, {"file": str(path), "follow": True})
    becomes(daemon, ["a"])
    with path.open("a") as file:
        file.write("c")
        file.flush()
        file.write("\nd\n")
        file.flush()
        becomes(daemon, ["a", "bc", "d"])
        file.write("e\n")
    becomes(daemon, ["a", "bc", "d", "e"])
    last = [one for one in daemon.notifications if one["method"] == "didChange"][-1]["params"]
    assert last["counts"]["rows"] == {"deletes": 0, "inserts": 1, "moves": 0, "updates": 0}


def test_a_followed_file_that_shrinks_or_is_replaced_begins_again(daemon: Daemon, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("a\nb\nc\n")
    feed(daemon, {"file": str(path), "follow": True})
    becomes(daemon, ["a", "b", "c"])
    path.write_text("c\n")
    becomes(daemon, ["c"])
    path.write_text("")
    becomes(daemon, [])
    with path.open("a") as file:
        file.write("x\n")
    becomes(daemon, ["x"])
    replace(path, "y\nz\n")
    becomes(daemon, ["y", "z"])
    path.unlink()
    until(lambda: "No such file" in state(daemon).get("error", ""))
    assert items(daemon) == ["y", "z"]
    path.write_text("new\n")
    becomes(daemon, ["new"])
    with path.open("a") as file:
        file.write("more\n")
    becomes(daemon, ["new", "more"])


def test_a_followed_file_with_keys(daemon: Daemon, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("k,v\na,1\n")
    feed(daemon, {"file": str(path), "format": "csv", "follow": True}, key="k")
    becomes(daemon, [{"id": "a", "text": "a,1", "k": "a", "v": "1"}])
    with path.open("a") as file:
        file.write("a,2\nb,3\n")
    until(lambda: len(items(daemon)) == 2)
    assert items(daemon)[1]["id"] == "b"
    until(lambda: "line 3 has the key" in state(daemon).get("error", ""))


def test_named_pipes(daemon: Daemon, tmp_path: Path) -> None:
    """What was written until a pipe is closed is its content; with follow, it is appended."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    feed(daemon, {"file": str(path)})
    assert items(daemon) == []
    for rows in (["a", "b"], ["b"]):
        path.write_text("\n".join(rows))
        becomes(daemon, rows)
    feed(daemon, {"file": str(path), "follow": True})
    with path.open("w") as file:
        file.write("a\n")
        file.flush()
        becomes(daemon, ["a"])
        file.write("b\nc")
        file.flush()
        becomes(daemon, ["a", "b"])
    becomes(daemon, ["a", "b", "c"])
    path.write_text("d\n")
    becomes(daemon, ["a", "b", "c", "d"])


def test_rows_left_in_a_named_pipe(daemon: Daemon, tmp_path: Path) -> None:
    """Rows are read that a writer has left in a pipe before the feed opens it."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        path.write_text("a\nb")
        feed(daemon, {"file": str(path)})
        becomes(daemon, ["a", "b"])
    finally:
        os.close(reader)


def test_a_file_that_is_always_being_written(daemon: Daemon, tmp_path: Path) -> None:
    path = tmp_path / "rows"
    path.write_text("")
    feed(daemon, {"file": str(path), "follow": True})

    def write() -> None:
        for k in range(2000):
            with path.open("a") as file:
                file.write(f"{k}\n" if k % 3 else f"{k}\npart")
                file.flush()
                if k % 3 == 0:
                    file.write("\n")

    writer = threading.Thread(target=write)
    writer.start()
    writer.join()
    expected = [row for k in range(2000) for row in ([str(k)] if k % 3 else [str(k), "part"])]
    becomes(daemon, expected)


def test_an_ended_feed_reads_no_more(daemon: Daemon, tmp_path: Path) -> None:
    path = tmp_path / "rows"
    path.write_text("a\n")
    feed(daemon, {"file": str(path)})
    becomes(daemon, ["a"])
    feed(daemon, None)
    path.write_text("b\n")
    other = tmp_path / "other"
    other.write_text("c\n")
    feed(daemon, {"file": str(other)}, name="other")
    becomes(daemon, ["c"], "other")
    assert items(daemon) == ["a"]
