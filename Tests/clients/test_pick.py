"""`clients/pick` in a terminal. tmux sends the keys and captures the screen."""

from __future__ import annotations

import importlib
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Iterator

import pytest
from picking import PATIENCE, PICK, Screen

ROOT = Path(__file__).resolve().parents[2]
NUMBERS = "".join(f"line {number}\n" for number in range(1, 3001)).encode()
sys.path[:0] = [str(ROOT / "clients" / name) for name in ("pick.d", "python")]


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    made = Screen(tmp_path)
    yield made
    made.tmux("kill-server")


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
    screen.shows(11, "── 2 marked", " *line 5", " *line 177")
    screen.keys("C-w", "C-w")
    screen.type("77$")
    screen.until(lambda rows: rows[1].startswith("  30/") and rows[2:4] == ["> line 77", " *line 177"])
    screen.keys("Up", "Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"line 5\nline 177\n")


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


def test_one_line_is_chosen_with_single(screen: Screen) -> None:
    screen.start(NUMBERS, "--single", "--query", "line 12").shows(2, "> line 12")
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
    screen.until(lambda rows: rows[5:8] == ["  ␛[31mred␇", "  tab here", "  \ufffdright"])
    screen.shows(10, "nul␀")
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
    screen.start(b"one\ntwo\0three\0", "--read0", "--print0").shows(1, "2/2", "> one␊two", "  three")
    screen.keys("M-a")
    screen.shows(1, "2/2 (2 marked)")
    screen.keys("Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"one\ntwo\0three\0")


def test_lines_of_a_megabyte(screen: Screen) -> None:
    long = [b"x" * (1 << 19) + b" number %d " % number + b"y" * (1 << 19) for number in range(4)]
    screen.start(b"short\n" + b"\n".join(long))
    screen.shows(1, "5/5", "> short", *["  " + "x" * 55 + ".."] * 4)
    screen.type("number 3")
    screen.until(lambda rows: rows[1] == "  1/5" and rows[2].endswith("xx number 3.."))
    screen.until(lambda _: screen.bold(2) == "number3")
    screen.keys("Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, long[3] + b"\n")


def test_the_order_of_lines_is_kept_with_no_sort(screen: Screen) -> None:
    screen.start(b"a x b\nab\n", "--no-sort", "--query", "ab")
    screen.shows(1, "2/2", "> a x b", "  ab")


def test_resized(screen: Screen) -> None:
    screen.start(NUMBERS).shows(-1, "line 12")
    screen.keys("End", "NPage")
    screen.shows(-1, "> line 12")
    screen.tmux("resize-window", "-x", "30", "-y", "6")
    screen.until(lambda rows: rows[2:] == ["  line 9", "  line 10", "  line 11", "> line 12"])
    screen.tmux("resize-window", "-x", "90", "-y", "40")
    screen.until(lambda rows: len(rows) == 40 and "> line 12" in rows)
    screen.tmux("resize-window", "-x", "4", "-y", "2")
    time.sleep(0.2)
    screen.tmux("resize-window", "-x", "60", "-y", "14")
    screen.until(lambda rows: len(rows) == 14 and "> line 12" in rows)
    screen.keys("Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"line 12\n")


def test_a_daemon_that_dies_is_reported(screen: Screen) -> None:
    screen.start("yes").until(lambda rows: rows[2] == "> y")
    daemon = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid=,args="], stdout=subprocess.PIPE, check=True
    ).stdout.decode()  # fmt: skip
    [pick] = [row.split()[0] for row in daemon.splitlines()
              if str(PICK) in row and " bash " not in row and str(screen.folder) not in row
              and is_in(row.split()[0], screen.folder)]  # fmt: skip
    [child] = [row.split()[0] for row in daemon.splitlines() if row.split()[1] == pick]
    os.kill(int(child), 9)
    assert (screen.end(), screen.out.read_bytes()) == (2, b"")
    assert screen.errors().startswith("pick: listd ended")


def is_in(pid: str, folder: Path) -> bool:
    """Whether a process writes its errors to a file in a folder."""
    try:
        return os.readlink(f"/proc/{pid}/fd/2").startswith(str(folder))
    except OSError:
        return False


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
    assert (screen.end(), screen.out.read_bytes()) == (0, b"number 999999\nthe very last\n")


def test_a_missing_terminal_exits_with_2(tmp_path: Path) -> None:
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    ran = subprocess.run(
        [sys.executable, PICK], input=b"a\n", stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=environment, start_new_session=True,
    )  # fmt: skip
    assert ran.returncode == 2 and ran.stdout == b""
    assert b"there is no terminal to choose in" in ran.stderr


def test_missing_input_or_daemon_exits_with_2(screen: Screen) -> None:
    script = screen.folder / "all"
    script.write_text(
        f"cd {screen.folder}; for i in 1 2 3 4; do case $i in 1) {PICK};; 2) {PICK} <&-;;"
        f" 3) seq 3 | LISTD=/nowhere {PICK};; 4) seq 3 | TERM=dumb {PICK};; esac 2>err$i >out;"
        f" echo $? >>status.new; done; mv status.new {screen.status}; sleep 600\n"
    )
    screen.tmux("new-session", "-d", f"LISTD={os.environ['LISTD']} bash {script}")
    end = time.monotonic() + PATIENCE
    while not screen.status.exists() and time.monotonic() < end:
        time.sleep(0.02)
    errors = [(screen.folder / f"err{number}").read_text() for number in (1, 2, 3, 4)]
    assert screen.status.read_text().split() == ["2"] * 4, errors
    assert "lines are read from standard input" in errors[0] and errors[1] == errors[0]
    assert "LISTD=/nowhere" in errors[2] and "cannot be used" in errors[3]


def test_help() -> None:
    ran = subprocess.run([PICK, "--help"], stdout=subprocess.PIPE, check=True)
    assert b"find / | pick" in ran.stdout and b"Tab Shift-Tab" in ran.stdout
    assert b"130" in ran.stdout


@pytest.mark.parametrize("separator", [b"\n", b"\0"])
def test_lines_split_into_any_chunks(separator: bytes) -> None:
    Lines = importlib.import_module("lines").Lines
    rng = random.Random(7)
    for _ in range(2000):
        alphabet = [separator, b"a", "é".encode(), b"\xff", b"\r", b"bc"]
        data = b"".join(rng.choices(alphabet, k=rng.randrange(12)))
        wanted = data.split(separator)
        if not wanted[-1]:
            wanted.pop()
        made, texts, at = Lines(separator), [], 0
        while at < len(data):
            size = rng.randrange(1, 5)
            texts += made.add(data[at : at + size])
            at += size
        texts += made.finish()
        assert [made.raw(index) for index in range(len(made))] == wanted
        assert texts == [one.decode("utf-8", "replace") for one in wanted]
        assert texts == [made.text(index) for index in range(len(made))]


def test_matches_are_in_the_visible_part_of_a_line() -> None:
    drawing = importlib.import_module("drawing")
    rng = random.Random(11)
    for _ in range(5000):
        text = "".join(rng.choices("ab日e\u0301\t\x1b😀", k=rng.randrange(60)))
        points = sorted(rng.sample(range(len(text) + 1), rng.randrange(0, min(len(text), 6) + 1)))
        spans = list(zip(points[::2], points[1::2]))
        columns = rng.randrange(10, 40)
        pieces = drawing.runs(text, spans, columns)
        assert sum(drawing.width(one) for piece, _ in pieces for one in piece) <= columns
        if sum(map(drawing.width, text)) <= columns:
            assert "".join(piece for piece, _ in pieces) == drawing.printable(text)
            marked = "".join(text[first:past] for first, past in spans)
            assert "".join(p for p, matches in pieces if matches) == drawing.printable(marked)
        elif spans:
            last = drawing.printable(text[spans[-1][1] - 1])
            shown = [piece for piece, matches in pieces if matches]
            assert shown and shown[-1].endswith(last), (text, spans, columns, pieces)
