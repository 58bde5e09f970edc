"""`listd watch` in a terminal. tmux sends the keys and captures the screen."""

# Promise: On a terminal it is a table whose rows are followed by identity, at any size and whatever lines have;
#   signals leave nothing behind.

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import time
from pathlib import Path
from typing import Any, Iterator, List, Tuple

import pytest
from picking import PATIENCE, Screen

LISTD = os.environ["LISTD"]
PRICES = "id,name,price\n1,apple,10\n2,pear,20\n3,fig,30\n4,日本,40\n"


class Table(Screen):
    """A table in its own terminal, and the files that it shows."""

    def watch(self, *words: Any, before: str = "", after: str = "") -> "Table":
        """Starts `listd watch` in a shell. `before` is a part of its command line, `after` follows it."""
        command = shlex.join([LISTD, "watch", *map(str, words)])
        script = self.folder / "script"
        script.write_text(
            f"cd {shlex.quote(str(self.folder))}; {before} {command} {after}\n"
            f"echo $? >{self.status}.new; mv {self.status}.new {self.status}; sleep 600\n"
        )
        columns, rows = map(str, self.size)
        environment = ["-e", "LC_ALL=C.UTF-8", "-e", "NO_COLOR=", "-e", "LISTD_SOCKET="]
        self.tmux("new-session", "-d", "-x", columns, "-y", rows, *environment, f"bash {script}")
        return self

    def write(self, text: str, name: str = "prices.csv") -> None:
        """Replaces a file at once."""
        (self.folder / "new").write_text(text)
        (self.folder / "new").rename(self.folder / name)

    def body(self, *lines: str) -> None:
        """Waits until these lines follow each other. The number of blanks between words does not matter."""

        def is_there(rows: List[str]) -> bool:
            words = [row.split() for row in rows]
            starts = range(len(rows) - len(lines) + 1)
            return any(words[k : k + len(lines)] == [line.split() for line in lines] for k in starts)

        self.until(is_there)

    def cells(self) -> List[Tuple[str, str]]:
        """The characters of the screen, each with the codes of its style."""
        cells: List[Tuple[str, str]] = []
        style = ""
        for codes, text in re.findall(r"\x1b\[([\d;]*)m|([^\x1b])", self.tmux("capture-pane", "-p", "-e").decode()):
            style = style if text else codes
            cells += [(text, style)] if text else []
        return cells

    def process(self) -> int:
        """The process of listd."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for folder in Path("/proc").glob("[0-9]*"):
                try:
                    is_it = (folder / "cwd").resolve() == self.folder.resolve()
                    if is_it and b"watch" in (folder / "cmdline").read_bytes().split(b"\0")[1:2]:
                        return int(folder.name)
                except OSError:
                    continue
            time.sleep(0.02)
        raise AssertionError("listd does not run")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path, (60, 12))
    made.write(PRICES)
    yield made
    made.tmux("kill-server")


def test_rows_are_followed_by_their_identity(table: Table) -> None:
    table.watch("-n", "0.1", "prices.csv").body("1 apple 10", "2 pear 20")
    # The marks of one tick may be gone before they are seen, but the counts of a paused table stay.
    table.keys("p")
    table.until(lambda rows: "paused  1/1" in rows[0])
    table.write("id,name,price\n3,fig,30\n1,apple,11\n5,plum,5\n4,日本,40\n")
    table.until(lambda rows: "paused  1/2" in rows[0])
    table.keys("l")
    table.body(
        "id name price",
        "↑2 3 fig 30",
        "1 apple 11",
        "- 2 pear 20",
        "+ 5 plum 5",
        "4 日本 40",
    )
    table.until(lambda rows: rows[-1].rstrip().endswith("+1  -1  ↕1  ~1  4 rows"))
    table.keys("h")
    table.body("3 fig 30", "4 日本 40")
    table.keys("h")
    table.until(lambda rows: "there is no earlier reading" in rows[-1])
    table.keys("p")
    table.until(lambda rows: "paused" not in rows[0] and "fig" in rows[2])
    table.keys("q")
    assert table.end() == 0 and "prices" not in "".join(table.rows())


def test_the_colour_of_a_change_fades(table: Table) -> None:
    wait = "while [ ! -e next ]; do sleep 0.02; done; rm next"
    table.watch("-n", "0.1", "--key", "id", "--", f"{wait}; cat prices.csv")

    def next_run() -> None:
        (table.folder / "next").touch()

    def style() -> str:
        return "".join(style for text, style in table.cells() if text == "ø")

    next_run()
    table.until(lambda rows: "apple" in rows[2])
    table.write(PRICES.replace("10", "ø"))
    seen = [style()]
    for _ in range(4):
        next_run()
        table.until(lambda _: style() != seen[-1])
        seen.append(style())
    # Three colours, and then none.
    assert len(set(seen[1:])) == 4 and "214" in seen[1] and "214" in seen[2], seen


def test_a_query_narrows_and_a_column_sorts(table: Table) -> None:
    table.watch("prices.csv").body("1 apple 10")
    table.keys("/")
    table.type("'p")
    table.body("1 apple 10", "2 pear 20")
    table.until(lambda rows: rows[-1].startswith("/'p") and rows[-1].rstrip().endswith("2/4"))
    table.keys("Enter", "s")
    table.until(lambda rows: rows[1].startswith("> (as they were read)"))
    table.keys("Down", "Down", "Enter", "s", "Enter")
    table.body("id name▼ price", "2 pear 20", "1 apple 10")
    table.keys("Escape")
    table.body("2 pear 20", "3 fig 30", "1 apple 10")


def test_groups_marks_and_the_whole_row(table: Table) -> None:
    table.write("id,kind\n1,a\n2,b\n3,a\n")
    table.watch("prices.csv").body("1 a", "2 b")
    table.keys("g", "Down", "Down", "Enter")
    table.body("a (2)", "1 a", "3 a", "b (1)", "2 b")
    table.keys("Down", "Down", "Space")
    table.body("a (2)", "1 a", "* 3 a", "b (1)", "> 2 b")
    table.until(lambda rows: rows[-1].rstrip().endswith("1 marked  3 rows"))
    table.keys("Up", "Enter")
    table.body("id    3", "kind  a")
    table.write("id,kind\n3,c\n")
    table.body("id    3", "kind  c")
    table.keys("q", "?")
    table.until(lambda rows: rows[1].startswith("↑ ↓ j k"))


def test_the_cursor_stays_with_its_row(table: Table) -> None:
    table.write("id\n" + "".join(f"{k}\n" for k in range(100)))
    table.watch("-n", "0.1", "prices.csv").body("0")
    table.keys("End", "PageUp", "Up")
    table.until(lambda rows: any(re.match(r"> +90$", row.rstrip()) for row in rows))
    at = [row.startswith(">") for row in table.rows()].index(True)
    table.write("id\n" + "".join(f"{k}\n" for k in range(50, 100)))
    table.until(lambda rows: rows[-1].rstrip().endswith("50 rows") and re.match(r"> +90$", rows[at].rstrip()))


@pytest.mark.parametrize(
    "printed, lines",
    [
        ("  PID COMMAND\n    1 init -x\n   22 b\n", ["PID COMMAND", "1 init -x", "22 b"]),
        ('[{"id":"x","m":{"n":1}}]', ["id m.n", "x 1"]),
        ("[a] b\n[c] d\n", ["[a] b", "[c] d"]),
    ],
)
def test_columns_of_what_is_printed(table: Table, printed: str, lines: List[str]) -> None:
    table.write(printed, "printed")
    table.watch("--", "cat printed").body(*lines)


def test_a_folder(table: Table) -> None:
    (table.folder / "files").mkdir()
    (table.folder / "files/one").write_text("12345")
    table.watch("files").until(lambda rows: re.match(r" +one +file +5  \d{4}-", rows[2]))


@pytest.mark.parametrize("size", [(10, 2), (1, 1), (40, 10), (20, 3), (300, 60)])
def test_any_size(table: Table, size: Tuple[int, int]) -> None:
    table.size = size
    table.watch("prices.csv")
    table.until(lambda rows: any("1" in row for row in rows))
    for keys in ("j", "Space", "s", "Escape", "?", "Escape", "Enter", "Escape", "/", "x", "Enter", "Escape"):
        table.keys(keys)
    for columns, rows in [(80, 24), (1, 1), (10, 2), (33, 7)] * 5:
        table.tmux("resize-window", "-x", str(columns), "-y", str(rows))
    table.until(lambda rows: "prices.csv" in rows[0] and "apple" in rows[2])
    table.keys("q")
    assert table.end() == 0


def test_it_is_stopped_and_continued(table: Table) -> None:
    table.watch("prices.csv", before="set -m;").body("1 apple 10")
    process = table.process()
    os.kill(process, signal.SIGTSTP)
    # The shell goes on with the script.
    assert table.end() == 128 + signal.SIGTSTP
    table.until(lambda rows: "apple" not in "".join(rows))
    os.kill(process, signal.SIGKILL)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGSEGV, signal.SIGABRT])
def test_signals_leave_nothing_behind(table: Table, number: signal.Signals) -> None:
    table.watch("prices.csv", after="; stty -a | grep -o '.icanon' >mode").body("1 apple 10")
    os.kill(table.process(), number)
    table.end()
    assert (table.folder / "mode").read_text().strip() == "icanon"
    table.until(lambda rows: "apple" not in "".join(rows))
    assert table.tmux("display", "-p", "#{cursor_flag} #{alternate_on} #{mouse_any_flag}").split() == [b"1", b"0", b"0"]


def test_a_command_that_floods_does_not_stop_keys(table: Table) -> None:
    table.watch("--", "yes").until(lambda rows: rows[-1].rstrip().endswith("10,001 rows"))
    table.keys("p")
    table.until(lambda rows: "paused" in rows[0])
    table.keys("q")
    assert table.end() == 0


def test_a_command_is_shown_as_it_prints(table: Table) -> None:
    table.watch("--", "echo one; sleep 600").body("one")
    table.keys("q")
    assert table.end() == 0


def test_hostile_lines_are_texts(table: Table) -> None:
    table.watch("--", r"printf '\033[31mred\033[2J\a\302\233x\n\342\200\256abc\n'")
    table.until(lambda rows: "red" in rows[1] and "abc" in rows[2] and "x" in rows[1])
    assert r"[31mred" in table.rows()[1] and ("abc", "31") not in table.cells()


def test_what_fails_is_reported_and_it_goes_on(table: Table) -> None:
    table.watch("-n", "0.1", "--", "cat prices.csv || exit 7").body("id,name,price")
    (table.folder / "prices.csv").unlink()
    table.until(lambda rows: rows[-1].startswith("exit status 7: cat: prices.csv"))
    table.write(PRICES)
    table.until(lambda rows: rows[-1].startswith("? keys"))


def test_a_command_runs_on_a_change(table: Table) -> None:
    action = 'cat >>told; echo "$LISTD_CHANGE" >>told; echo oops; exit 3'
    table.watch("-n", "0.1", "--key", "id", "prices.csv", "--exec", action).body("1 apple 10")
    table.write(PRICES.replace("10", "11"))
    table.until(lambda rows: rows[-1].startswith("--exec: exit status 3") and "oops" not in "".join(rows))
    assert (table.folder / "told").read_text() == (
        '{"op":"change","key":["1"],"from":2,"to":2,"fields":{"price":["10","11"]}}\n1 changed\n'
    )


@pytest.mark.parametrize("before", ["TERM=dumb", "TERM="])
def test_without_a_cursor_it_prints(table: Table, before: str) -> None:
    table.watch("prices.csv", before=before).body("1 1 id,name,price", "2 2 1,apple,10")


def test_closed_descriptors(table: Table) -> None:
    table.watch("prices.csv", after="<&- 2>&-").body("1 apple 10")
    table.keys("j")
    table.body(">        1  apple        10")
    table.keys("q")
    assert table.end() == 0
    for words in (["prices.csv"], ["--", "ls"]):
        done = subprocess.run(
            ["bash", "-c", f"cd {table.folder}; {shlex.join([LISTD, 'watch', *words])} >&-"], timeout=PATIENCE
        )
        assert done.returncode == 0
