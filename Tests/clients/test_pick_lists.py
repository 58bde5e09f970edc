"""`listd pick --list` on lists of a daemon, which searches them."""

# Promise: A picker of a daemon's list of 100,000 items takes little memory and CPU, whatever is typed; its view is
#   removed when it ends or is killed; cursor and marks follow items that change, move and are deleted; it ends if the
#   daemon does. Its first rows are there before anything that takes time in a long list.

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Iterator, List

import pytest

from picking import LISTD, PATIENCE, Screen
from picking import make_screen  # noqa: F401, a fixture

sys.path.append(str(Path(__file__).parents[1] / "conformance" / "support"))
from shared_daemon import Listening, Socket  # noqa: E402

PAGE = os.sysconf("SC_CLK_TCK")


@pytest.fixture(name="daemon")
def make_daemon(tmp_path: Path) -> Iterator[Listening]:
    # The path of a socket is limited to 107 bytes.
    with Listening(os.path.relpath(tmp_path / "s")) as daemon:
        yield daemon


@pytest.fixture(name="client")
def make_client(daemon: Listening) -> Socket:
    return daemon.client()


def start(screen: Screen, daemon: Listening, name: str, *words: str) -> None:
    command = [LISTD, "pick", "--reverse", "--multi", "--list", name, "--socket", daemon.path, *words]
    screen.run(["bash", "-c", f"echo $$ >{screen.folder}/pid.new; mv {screen.folder}/pid.new {screen.folder}/pid; "
                              "exec \"$@\"", "bash", *command])  # fmt: skip


def process(screen: Screen) -> int:
    path = screen.folder / "pid"
    end = time.monotonic() + PATIENCE
    while not path.exists() and time.monotonic() < end:
        time.sleep(0.01)
    return int(path.read_text())


def pick(daemon: Listening, *words: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [LISTD, "pick", "--socket", daemon.path, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env={**os.environ, "FZF_DEFAULT_OPTS": ""}, start_new_session=True,
    )  # fmt: skip


def views(client: Socket) -> List[str]:
    return [one["list"] for one in client.call("getLists")["lists"] if one["list"].startswith("listd:pick:")]


def until_no_view(client: Socket) -> None:
    end = time.monotonic() + PATIENCE
    while views(client):
        assert time.monotonic() < end, views(client)
        time.sleep(0.01)


def put(client: Socket, name: str, items: List[Any]) -> None:
    client.call("applySnapshot", list=name, items=items, format="none")


def test_what_is_shown_of_an_item(screen: Screen, daemon: Listening, client: Socket) -> None:
    put(client, "files:/x", [
        {"id": 1, "name": "main.c", "path": "src/main.c"}, {"id": 2, "name": "a.h", "path": "src/a\nb.h"},
        {"id": 3, "name": "only"}, {"id": 4, "size": 5}, "bare", 7,
    ])  # fmt: skip
    start(screen, daemon, "files:/x")
    screen.shows(1, "6/6", "> src/main.c", "  src/a b.h", "  only", '  {"id": 4, "size": 5}', "  bare", "  7")
    screen.type("src h")
    screen.shows(1, "1/6", "> src/a b.h")
    assert screen.bold(2).replace(" ", "") == "src/ab.h"[:3] + "h"
    screen.keys("Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"src/a b.h\n")


def test_members_that_are_named(screen: Screen, daemon: Listening, client: Socket) -> None:
    put(client, "l", [{"id": 1, "text": "x", "n": 10, "of": {"a": "red"}}, {"id": 2, "text": "y", "n": 21}])
    start(screen, daemon, "l", "--columns", "n,of.a")
    screen.shows(1, "2/2", "> 10  red", "  21")
    screen.type("red")
    screen.shows(1, "1/2", "> 10  red")
    screen.keys("C-u")
    screen.type("y")
    screen.shows(1, "0/2")
    screen.keys("Escape")
    assert screen.end() == 130


def test_a_query_without_a_screen(daemon: Listening, client: Socket) -> None:
    put(client, "l", ["abc", "xabc", "ab", "aXc", "b"])
    result = pick(daemon, "--list", "l", "--filter", "abc")
    assert (result.returncode, result.stdout) == (0, b"abc\nxabc\n"), result.stderr
    assert pick(daemon, "--list", "l", "--filter", "ac", "--no-sort").stdout == b"abc\nxabc\naXc\n"
    assert pick(daemon, "--list", "l", "--filter", "").stdout == b"abc\nxabc\nab\naXc\nb\n"
    assert pick(daemon, "--list", "l", "--filter", "'ac ^a", "--exact").stdout == b"abc\naXc\n"
    assert pick(daemon, "--list", "l", "--filter", "ac", "--exact").returncode == 1
    assert pick(daemon, "--list", "l", "--filter", "XC", "+i").returncode == 1
    assert pick(daemon, "--list", "l", "-1", "-q", "^ab$").stdout == b"ab\n"
    assert pick(daemon, "--list", "l", "-0", "-q", "nothing").returncode == 1
    assert pick(daemon, "--list", "none", "--filter", "").returncode == 1
    until_no_view(client)


@pytest.mark.parametrize("option", ["--tac", "--nth=1", "--with-nth=1", "--header-lines=1", "--tiebreak=end", "--tail=2"])
def test_options_that_are_for_lines(daemon: Listening, option: str) -> None:
    result = pick(daemon, "--list", "l", option)
    words = f"{option.split('=')[0]} is for lines, not for a list of a daemon"
    assert (result.returncode, words in result.stderr.decode()) == (2, True), result.stderr


def test_a_list_that_changes(screen: Screen, daemon: Listening, client: Socket) -> None:
    """The cursor and the marks stay with items, and what is printed is what they are at last."""
    put(client, "l", [{"id": number, "text": f"item {number}"} for number in range(6)])
    start(screen, daemon, "l")
    screen.shows(2, "> item 0", *[f"  item {number}" for number in range(1, 6)])
    screen.keys("Tab", "Tab", "Tab")
    screen.until(lambda rows: rows[2:6] == [" *item 0", " *item 1", " *item 2", "> item 3"])
    client.call("editSnapshot", list="l", format="none", edits=[
        {"edit": "insertItems", "items": [{"id": 10, "text": "new"}], "before": 0},
        {"edit": "deleteItems", "items": [1]}, {"edit": "updateItems", "items": [{"id": 2, "text": "two"}]},
    ])  # fmt: skip
    screen.until(
        lambda rows: rows[1:6] == ["  6/6 (2 marked)", "  new", " *item 0", " *two", "> item 3"]
    )
    screen.type("item")
    screen.until(lambda rows: rows[1:4] == ["  4/6 (2 marked)", ">*item 0", "  item 3"])
    client.call("editSnapshot", list="l", format="none", edits=[
        {"edit": "appendItems", "items": [{"id": 11, "text": "item"}]},
    ])  # fmt: skip
    screen.until(lambda rows: rows[1:4] == ["  5/7 (2 marked)", "> item", " *item 0"])
    screen.keys("Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"item 0\ntwo\n")


def test_a_list_that_is_removed(screen: Screen, daemon: Listening, client: Socket) -> None:
    start(screen, daemon, "l")
    screen.shows(1, "0/0")
    put(client, "l", [{"id": 1, "path": "a/one"}, {"id": 2, "path": "two"}])
    screen.shows(1, "2/2", "> a/one", "  two")
    screen.type("o")
    screen.shows(1, "2/2", "> a/one", "  two")
    screen.keys("Tab")
    screen.until(lambda rows: rows[1:4] == ["  2/2 (1 marked)", " *a/one", "> two"])
    client.call("removeList", list="l")
    screen.shows(1, "0/0")
    screen.keys("C-u")
    screen.shows(1, "0/0")
    put(client, "l", [{"id": 3, "path": "three"}])
    screen.shows(1, "1/1", "> three")
    screen.keys("Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"three\n")


def test_the_cursor_far_from_the_window(screen: Screen, daemon: Listening, client: Socket) -> None:
    """Rows that are inserted before the window, more than it has, do not move the cursor to another item."""
    items = [{"id": number, "text": f"x{number}"} for number in range(3000)]
    put(client, "l", items)
    start(screen, daemon, "l")
    screen.shows(2, "> x0", *[f"  x{number}" for number in range(1, 12)])
    screen.keys("M->")
    screen.until(lambda rows: "> x2999" in rows)
    screen.keys("Up", "Up", "Tab")
    screen.until(lambda rows: " *x2997" in rows and "> x2998" in rows)
    more = [{"id": number, "text": f"x{number}"} for number in range(3000, 4000)]
    put(client, "l", more + items)
    screen.until(lambda rows: "4,000/4,000" in rows[1] and "> x2998" in rows and " *x2997" in rows)
    screen.type("x")
    screen.until(lambda rows: rows[2].startswith("> x"))
    screen.keys("M->")
    # Of equal scores and lengths, the last in the list.
    screen.until(lambda rows: "> x2999" in rows)
    put(client, "l", [*items, *more, {"id": 4000, "text": "x4000"}])
    # The key is pressed when the picker shows the list.
    screen.until(lambda rows: "4,001/4,001" in rows[1] and "> x2999" in rows)
    screen.keys("Down")
    screen.until(lambda rows: "> x3000" in rows)
    # What is printed of a marked item is what it is now.
    client.call("editSnapshot", list="l", format="none", edits=[
        {"edit": "updateItems", "items": [{"id": 2997, "text": "changed"}]},
    ])  # fmt: skip
    screen.until(lambda rows: " *changed" in rows)
    screen.keys("Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"changed\n")


def test_marks_of_all_that_match(screen: Screen, daemon: Listening, client: Socket) -> None:
    put(client, "l", [{"id": number, "text": f"x{number}"} for number in range(40_000)])
    start(screen, daemon, "l")
    screen.type("7")
    screen.until(lambda rows: rows[1].startswith("  13,756/40,000"))
    screen.keys("M-a")
    screen.until(lambda rows: rows[1] == "  13,756/40,000 (13,756 marked)")
    screen.keys("Enter")
    assert screen.end() == 0
    assert sorted(screen.out.read_text().split()) == sorted(f"x{n}" for n in range(40_000) if "7" in str(n))
    until_no_view(client)


def test_items_that_are_left_out(screen: Screen, daemon: Listening, client: Socket) -> None:
    put(client, "l", [{"id": "a", "text": "one"}, {"id": "b", "text": "two"}, {"id": "c", "text": "three"}])
    start(screen, daemon, "l", "--bind", "ctrl-x:exclude")
    screen.shows(2, "> one", "  two", "  three")
    screen.keys("C-x")
    screen.shows(1, "2/3", "> two", "  three")
    screen.type("t")
    screen.shows(1, "2/3", "> two", "  three")
    screen.keys("C-x")
    screen.shows(1, "1/3", "> three")
    screen.keys("C-u")
    screen.shows(1, "1/3", "> three")
    screen.keys("Escape")
    assert screen.end() == 130


def test_lists_of_every_kind(screen: Screen, daemon: Listening, client: Socket) -> None:
    client.call("applySnapshot", list="a", format="none", sections=[
        {"id": "s", "items": ["x", "x", "", "\u001b[1m", 5, {"text": ""}, {"text": 7}]}, {"id": "t", "items": [{"id": "y", "text": "other"}, {"v": [1]}]},
    ])  # fmt: skip
    client.call("compose", list="b", sources=["a"], view={"where": {"member": "text", "exists": True}})
    client.call("compose", list="c", sources=["b", "a"])
    client.call("compose", list="w", sources=["c"], view={"sections": "merge", "window": {"start": 3, "count": 9}})
    assert len(pick(daemon, "--list", "w", "--filter", "").stdout.splitlines()) == 9
    start(screen, daemon, "c")
    screen.until(lambda rows: rows[1].startswith("  17/17"))
    screen.type("oth")
    screen.shows(1, "2/17", "> other", "  other")
    screen.keys("Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"other\n")


def test_a_daemon_that_dies(screen: Screen, daemon: Listening, client: Socket) -> None:
    put(client, "l", ["a", "b"])
    start(screen, daemon, "l")
    screen.shows(2, "> a", "  b")
    daemon.process.kill()
    assert screen.end() == 1
    assert "has closed the connection" in screen.errors()
    daemon.record = ""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_picker_that_is_killed(screen: Screen, daemon: Listening, client: Socket, how: int) -> None:
    put(client, "l", ["a", "b"])
    start(screen, daemon, "l", "--query", "a")
    screen.shows(1, "1/2", "> a")
    assert len(views(client)) == 1
    os.kill(process(screen), how)
    until_no_view(client)


def test_a_reload_ends_the_view(screen: Screen, daemon: Listening, client: Socket) -> None:
    put(client, "l", ["a", "b"])
    start(screen, daemon, "l", "--query", "a", "--bind", "ctrl-r:reload(echo abc; echo ad)")
    screen.shows(1, "1/2", "> a")
    screen.keys("C-r")
    screen.shows(1, "2/2", "> ad", "  abc")
    until_no_view(client)
    put(client, "l", ["ax"])
    client.settle()
    screen.keys("Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"ad\n")


def test_the_cost_of_a_long_list(screen: Screen, daemon: Listening, client: Socket) -> None:
    """Neither memory nor CPU of the picker depends on the length of the list."""
    items = [{"id": n, "path": f"folder{n % 1000:04}/some/more/folders/file{n:06}.txt"} for n in range(100_000)]
    put(client, "l", items)
    start(screen, daemon, "l")
    screen.until(lambda rows: rows[1].startswith("  100,000/100,000"))
    for text, count in [("f", "100,000"), ("older", "100,000"), ("0999", "3,430"), ("99.t", "10")]:
        screen.type(text)
        screen.until(lambda rows, count=count: rows[1].startswith("  ") and "/100,000" in rows[1])
    screen.keys("C-u", "M->")
    screen.until(lambda rows: "> folder0999/some/more/folders/file099999.txt" in rows)
    number = process(screen)
    status = Path(f"/proc/{number}/status").read_text()
    most = int(status.split("VmHWM:")[1].split()[0])
    ticks = sum(map(int, Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[11:13]))
    assert most < 48 << 10, f"{most} KiB"
    assert ticks < PAGE, f"{ticks} of {PAGE} ticks"
    screen.keys("Enter")
    assert screen.end() == 0


def test_two_pickers_of_a_list(screen: Screen, daemon: Listening, client: Socket, tmp_path: Path) -> None:
    put(client, "l", ["a", "b"])
    (tmp_path / "other").mkdir()
    other = Screen(tmp_path / "other")
    try:
        start(screen, daemon, "l", "--query", "a")
        start(other, daemon, "l", "--query", "b")
        screen.shows(1, "1/2", "> a")
        other.shows(1, "1/2", "> b")
        assert len(set(views(client))) == 2
        screen.keys("Enter")
        assert screen.end() == 0
        other.keys("C-u")
        other.shows(1, "2/2", "> a", "  b")
    finally:
        other.tmux("kill-server")


def test_the_first_rows_are_read_first(screen: Screen, tmp_path: Path) -> None:
    """Only then what takes time in a long list: the subscription, and with a query the view."""
    path, record = os.path.relpath(tmp_path / "r"), tmp_path / "record"
    with Listening(path, "--record", str(record)) as daemon:
        client = daemon.client()
        put(client, "l", ["a", "b"])
        start(screen, daemon, "l", "--columns", "text", "--query", "a")
        screen.shows(1, "1/2", "> a")
        put(client, "l", ["a", "ba"])
        screen.shows(1, "2/2", "> a", "  ba")
        screen.keys("Escape")
        assert screen.end() == 130
        entries = [json.loads(line) for line in record.read_text().splitlines()]
    mine = [one for one in entries if one.get("connection") == 2 and one["from"] == "client"]
    asked = [one["message"]["method"] for one in mine if "message" in one]
    assert asked[:5] == ["initialize", "getSnapshot", "subscribe", "compose", "getSnapshot"], asked
