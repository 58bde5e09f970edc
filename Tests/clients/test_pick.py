"""`listd pick` in a terminal: queries, lines, marks, and lists that live. tmux sends the keys and captures the screen."""

# Promise: A line can be picked while lines arrive, from the first key on; marks survive every query and stay on
#   their lines when a list is read again; lines are printed byte for byte; an input without an end does not fill the
#   memory.

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from pathlib import Path

import pytest
from picking import LISTD, NUMBERS, PATIENCE, Screen, make_screen  # noqa: F401


def test_the_line_that_was_typed_is_printed(screen: Screen) -> None:
    screen.start(NUMBERS).shows(1, "3,000/3,000")
    screen.type("l2999")
    screen.until(lambda rows: rows == ["> l2999", "  1/3,000", "> line 2999"])
    screen.until(lambda _: screen.bold(2) == "l2999")
    screen.keys("Enter")
    assert (screen.end(), screen.out.read_bytes(), screen.errors()) == (0, b"line 2999\n", "")


def test_marks_survive_the_query(screen: Screen) -> None:
    screen.start(NUMBERS).shows(1, "3,000/3,000")
    screen.type("77$")
    screen.shows(2, "> line 77")
    screen.keys("Down", "Tab", "C-u")
    screen.shows(1, "3,000/3,000 (1 marked)")
    screen.type("^line\\ 5$")
    screen.shows(1, "1/3,000 (1 marked)")
    screen.keys("Tab")
    screen.until(lambda rows: rows[1:3] == ["  1/3,000 (2 marked)", ">*line 5"])
    screen.shows(11, "── 2 marked", " *line 177", " *line 5")
    screen.keys("C-w", "C-w")
    screen.type("77$")
    screen.until(lambda rows: rows[1].startswith("  30/") and rows[2:4] == ["> line 77", " *line 177"])
    screen.keys("Up", "Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"line 177\nline 5\n")


def test_all_matching_lines_are_marked_and_unmarked(screen: Screen) -> None:
    screen.start(NUMBERS).shows(1, "3,000/3,000")
    screen.type("00$")
    screen.until(lambda rows: rows[1].startswith("  30/"))
    screen.keys("M-a")
    last = [" *line 100", " *line 200", " *line 300"]
    screen.until(lambda rows: rows[1] == "  30/3,000 (30 marked)" and rows[-3:] == last)
    screen.until(lambda rows: rows[-4].startswith("── 30 marked, 27 of them not shown"))
    screen.type(" !000")
    screen.shows(1, "27/3,000 (30 marked)")
    screen.keys("M-n")
    screen.shows(1, "27/3,000 (3 marked)")
    screen.keys("Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"line 1000\nline 2000\nline 3000\n")


def test_one_line_is_chosen_without_multi(screen: Screen) -> None:
    screen.start(NUMBERS, "+m", "--query", "line 12").shows(2, "> line 12")
    screen.keys("Tab", "Down", "Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"line 120\n")


@pytest.mark.parametrize("given, query", [(NUMBERS, "xyz"), (b"", "")])
def test_no_match_exits_with_1(screen: Screen, given: bytes, query: str) -> None:
    total = f"{len(given.splitlines()):,}"
    screen.start(given, "--query", query).shows(1, f"0/{total}")
    screen.keys("Enter")
    assert (screen.end(), screen.out.read_bytes(), screen.errors()) == (1, b"", "")


@pytest.mark.parametrize("key", ["Escape", "C-c", "C-g", "C-d"])
def test_an_abort_exits_with_130(screen: Screen, key: str) -> None:
    screen.start("yes").until(lambda rows: rows[2] == "> y")  # It does not end.
    screen.keys("Tab", key)
    assert (screen.end(), screen.out.read_bytes(), screen.errors()) == (130, b"", "")


def test_keys_edit_the_query(screen: Screen) -> None:
    screen.start(NUMBERS).shows(1, "3,000/3,000")
    screen.keys("a", "b", " ", "c", "C-w", "Left", "BSpace", "Home", "x", "Right", "y", "End", "z")
    screen.shows(0, "> xay z")
    screen.keys("C-a", "DC", "C-e", "C-u", "é", "日")
    screen.shows(0, "> é日")
    screen.keys("C-d", "Escape")
    assert screen.end() == 130


def test_keys_move_the_cursor(screen: Screen) -> None:
    screen.start(NUMBERS).shows(1, "3,000/3,000")
    screen.keys("NPage", "NPage", "Down", "C-n")
    screen.until(lambda rows: rows[2] == "  line 14" and rows[-1] == "> line 25")
    screen.keys("PPage", "Up")
    screen.shows(2, "> line 13")
    screen.keys("M->")
    screen.until(lambda rows: rows[2] == "  line 2989" and rows[-1] == "> line 3000")
    screen.keys("Up", "PPage")
    screen.shows(2, "> line 2988")
    screen.keys("M-<")
    screen.shows(2, "> line 1")
    for _ in range(40):  # Beyond the rows that the view has at first.
        screen.keys("NPage")
    screen.until(lambda rows: any(row == "> line 441" for row in rows))
    screen.keys("Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"line 441\n")


def test_lines_are_shown_and_matched_while_they_arrive(screen: Screen, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    screen.start(f"cat {pipe}", "--query", "b")
    with open(pipe, "wb", buffering=0) as source:
        source.write(b"ab\nxx\naab\nhalf a")
        screen.shows(1, "2/3 …", "> ab", "  aab")
        source.write(b" line with b\nb\n")
        screen.shows(1, "4/5 …", "> b", "  half a line with b", "  ab", "  aab")
        # The best line is the current one until another one is chosen. Then the cursor follows that
        # one.
        screen.keys("Down")
        screen.shows(3, "> half a line with b")
        source.write(b"b 1\nb 2\nb 3\n")
        screen.shows(6, "> half a line with b")
        source.write(b"bb\nno end b")
    screen.until(lambda rows: rows[1] == "  9/10")
    screen.keys("Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"half a line with b\n")


def test_lines_of_any_bytes(screen: Screen) -> None:
    lines = [
        b"caf\xe9 latin", "日本語 wide".encode(), "e\u0301 combined".encode(), b"\x1b[31mred\x07",
        b"tab\there", "\u202eright".encode(), b"", "\U0001f600 face".encode(), b"nul\0",
    ]  # fmt: skip
    screen.start(b"\n".join(lines))
    screen.until(lambda rows: rows[1:4] == ["  9/9", "> caf\ufffd latin", "  日本語 wide"])
    screen.until(lambda rows: rows[5:8] == [r"  \u001b[31mred\u0007", "  tab     here", r"  \u202eright"])
    screen.shows(10, r"nul\u0000")
    screen.type("本w")
    screen.until(lambda rows: rows[1] == "  1/9" and screen.bold(2) == "本w")
    screen.keys("C-u")
    screen.type("face")
    screen.until(lambda rows: rows[1] == "  1/9" and screen.bold(2) == "face")
    screen.keys("C-u", "M-a")
    screen.shows(1, "9/9 (9 marked)")
    screen.keys("Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"\n".join(lines) + b"\n")


def test_names_that_end_with_nul(screen: Screen) -> None:
    screen.start(b"one\ntwo\0three\0", "--read0", "--print0").shows(1, "2/2", r"> one\ntwo", "  three")
    screen.keys("M-a")
    screen.shows(1, "2/2 (2 marked)")
    screen.keys("Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"one\ntwo\0three\0")


def test_lines_of_a_megabyte(screen: Screen) -> None:
    long = [b"x" * (1 << 19) + b" number %d " % number + b"y" * (1 << 19) for number in range(4)]
    screen.start(b"short\n" + b"\n".join(long))
    screen.shows(1, "5/5", "> short", *["  " + "x" * 56 + "··"] * 4)
    screen.type("number 3")
    screen.until(lambda rows: rows[1] == "  1/5" and "xx number 3 y" in rows[2] and rows[2].startswith("> ··"))
    screen.until(lambda _: screen.bold(2) == "number3")
    screen.keys("Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, long[3] + b"\n")


def test_the_order_of_lines_is_kept_with_no_sort(screen: Screen) -> None:
    screen.start(b"a x b\nab\n", "--no-sort", "--query", "ab")
    screen.shows(1, "2/2", "> a x b", "  ab")


def test_a_million_lines(screen: Screen) -> None:
    screen.start("seq -f 'number %.0f' 1000000; printf 'the very last\\n'", "--query", "thelast")
    screen.type("x")
    screen.keys("BSpace")
    screen.until(lambda rows: rows[1:3] == ["  1/1,000,001", "> the very last"])
    screen.keys("Tab", "C-u")
    screen.shows(1, "1,000,001/1,000,001 (1 marked)")
    screen.type("999999")
    screen.shows(1, "1/1,000,001 (1 marked)")
    screen.keys("Tab", "Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"the very last\nnumber 999999\n")


def test_the_last_lines_of_an_input_that_does_not_end(screen: Screen) -> None:
    """Memory does not grow, the header stays, and a marked line is printed although others have replaced it."""
    memory = screen.folder / "memory"
    binding = f"--bind=ctrl-t:execute-silent(grep VmRSS /proc/$PPID/status >{memory}.new; mv {memory}.new {memory})"
    screen.start("echo head; seq 1 inf", "--tail=1000", "--header-lines=1", "--no-sort", "--tac", "--query=99", binding)
    screen.until(lambda rows: rows[2] == "  head" and re.match(r" +\d+/1,000 …", rows[1]) and rows[3].startswith("> "))
    screen.keys("Tab")
    screen.until(lambda rows: "(1 marked)" in rows[1])
    marked = next(row for row in reversed(screen.rows()) if row.startswith(" *"))[2:]
    # More than 100 MB of lines are read.
    screen.until(lambda rows: f" *{marked}" in rows and int(rows[3][2:]) > 15_000_000)
    screen.keys("C-t")
    screen.until(lambda _: memory.exists())
    assert int(memory.read_text().split()[1]) < 150_000, memory.read_text()
    screen.keys("Enter")
    assert (screen.end(), screen.out.read_text()) == (0, f"{marked}\n")


def test_an_input_that_is_larger_than_memory(screen: Screen) -> None:
    """The lines that fit are there; whoever needs all of them gets none."""
    limited = f"ulimit -d 1000000; yes | {LISTD} pick"
    screen.size = (90, 14)
    screen.run(["bash", "-c", f"{limited} --reverse --query 'y$'"])
    screen.until(lambda rows: rows[1].endswith("and no memory for more: --tail N keeps the last lines") and rows[2] == "> y")
    screen.keys("Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"y\n")
    ran = subprocess.run(["bash", "-c", f"{limited} -f n"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert (ran.returncode, ran.stdout) == (2, b"") and b"no memory for all lines: --tail N keeps" in ran.stderr


def test_a_list_that_lives(screen: Screen) -> None:
    rows = screen.folder / "rows"
    rows.write_text("a 1\nb 2\nc 3\n")
    screen.run([LISTD, "pick", "-m", "--reverse", "--interval=0.1", "--id-nth=1", "--watch", "--", "cat", str(rows)])
    screen.shows(2, "> a 1", "  b 2", "  c 3")
    screen.keys("Down", "Tab")
    screen.until(lambda rows: rows[1:5] == ["  3/3 (1 marked)", "  a 1", " *b 2", "> c 3"])
    rows.write_text("new 0\nc 33\na 1\nb 22\n")
    shown = ["  new 0", "> c 33", "  a 1", " *b 22"]
    screen.until(lambda found: found[2:6] == shown and found[-1] == " *b 22")
    screen.keys("Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"b 22\n")


def test_a_command_that_does_not_end(screen: Screen) -> None:
    """Its last rows are shown while it runs."""
    pipe = screen.folder / "pipe"
    os.mkfifo(pipe)
    screen.run([LISTD, "pick", "-m", "--reverse", "--query", "!x", "--watch", "--", "cat", str(pipe)])
    with open(pipe, "wb", buffering=0) as source:
        source.write(b"one\ntwo\n")
        screen.shows(2, "> one", "  two")
        screen.keys("Down", "Tab")
        screen.until(lambda rows: rows[2:4] == ["  one", ">*two"])
        source.write(b"three\n")
        screen.until(lambda rows: rows[2:5] == ["  one", ">*two", "  three"])
        # The first one may be a header. Of the others, the last ten thousand are shown.
        source.write(30_000 * b"x\n" + b"four\n")
        screen.until(lambda rows: [row[2:] for row in rows[2:]] == ["one", "four"])
        screen.keys("Escape")
        assert screen.end() == 130


def test_a_list_of_a_daemon(screen: Screen) -> None:
    """Items are identified by their ids, not by their texts."""
    socket = screen.folder / "socket"
    daemon = subprocess.Popen([LISTD, "--listen", str(socket)], stdin=subprocess.DEVNULL)

    def put(*items: "tuple[int, str]") -> None:
        given = json.dumps([{"id": id, "text": text} for id, text in items]).encode()
        subprocess.run([LISTD, "set", "--socket", str(socket), "things"], input=given, check=True)

    try:
        end = time.monotonic() + PATIENCE
        while not socket.exists() and time.monotonic() < end:
            time.sleep(0.01)
        put((1, "one"), (2, "two\nlines"), (3, "three"))
        screen.run([LISTD, "pick", "-m", "--reverse", "--list", "things", "--socket", str(socket)])
        screen.shows(2, "> one", "  two lines", "  three")
        screen.keys("Down", "Tab")
        screen.until(lambda rows: rows[1:5] == ["  3/3 (1 marked)", "  one", " *two lines", "> three"])
        put((3, "drei"), (4, "vier"), (2, "zwei"))
        screen.until(lambda rows: rows[2:5] == ["> drei", "  vier", " *zwei"])
        screen.keys("Enter")
        assert (screen.end(), screen.out.read_bytes()) == (0, b"zwei\n")
    finally:
        daemon.kill()
        daemon.wait()


def test_files_as_they_change(screen: Screen) -> None:
    folder = screen.folder / "files"
    (folder / "sub").mkdir(parents=True)
    (folder / ".gitignore").write_text("*.o\n")
    for name in ("sub/b", "sub/x.o", "a"):
        (folder / name).write_text("")
    screen.run(["bash", "-c", f"cd {folder}; {LISTD} pick --reverse --query ' !gitignore' --files"])
    screen.shows(2, "> a", "  sub/b")
    screen.keys("Down")
    (folder / "an").write_text("")
    screen.shows(2, "a", "> sub/b", "  an")
    (folder / "a").unlink()
    screen.shows(2, "> sub/b", "  an")
    screen.keys("Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"sub/b\n")


def test_many_files_that_come_and_go(screen: Screen) -> None:
    """Lines keep their places; those of deleted files are neither shown nor found, nor are their marks."""
    folder = screen.folder / "files"
    folder.mkdir()
    names = [f"f{number:03}" for number in range(300)]
    for name in names:
        (folder / name).write_text("")
    command = f"{LISTD} pick --multi --reverse --no-sort --bind=ctrl-t:last --files"
    screen.run(["bash", "-c", f"cd {folder}; {command}"])
    screen.until(lambda rows: rows[1:3] == ["  300/300", "> f000"])
    screen.keys("Tab", "Tab", "C-t")
    screen.until(lambda rows: "(2 marked)" in rows[1] and "> f299" in rows)
    for name in names[0:1] + names[2:290:3]:
        (folder / name).unlink()
    (folder / "sub").mkdir()
    for name in ("new", "other"):
        (folder / "sub" / name).write_text("")
    (folder / "sub").rename(folder / "moved")
    left = [name for name in names if (folder / name).exists()]
    shown = [*left, "moved/new", "moved/other"]

    # The cursor is still on its line.
    screen.until(lambda rows: rows[1] == f"  {len(shown)}/{len(shown)} (1 marked)" and "> f299" in rows)
    screen.keys("Home")
    screen.type("f")
    first = [f">*{left[0]}", *(f"  {name}" for name in left[1:5])]
    screen.until(lambda rows: rows[2:7] == first and rows[1] == f"  {len(left)}/{len(shown)} (1 marked)")
    screen.keys("C-u", "C-t")
    screen.until(lambda rows: "> moved/other" in rows and "  moved/new" in rows)
    screen.keys("C-u", "Enter")
    assert (screen.end(), screen.out.read_text()) == (0, "f001\n")
