"""`listd page`: what it shows, its errors, its end and its restart, and the copies that it writes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Callable, Iterator, List
from urllib.parse import urlsplit

import pytest
from browser import Browser, Tab
from test_table import COUNT, HEADERS, column, group, query, sort

from bridge import listd  # isort: skip
import bundle  # isort: skip
from reading import Identity  # isort: skip
from sources import File  # isort: skip

CLIENTS = Path(__file__).resolve().parents[3] / "clients"
PAGE = CLIENTS / "web" / "page"
STATE = "document.getElementById('state').textContent"
LOST = "document.getElementById('lost').textContent"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "folder"
    (made / "d").mkdir(parents=True)
    for age, name in enumerate("abc"):
        (made / name).write_text(name * 2000)
        os.utime(made / name, (1000 - age, 1000 - age))
    os.utime(made / "d", (900, 900))
    return made


def test_a_folder(folder: Path, serve: Callable[..., str], browser: Tab) -> None:
    browser.open(serve("page", folder, "--port=0"))
    browser.wait(column(0), ["a", "b", "c", "d"])
    assert browser.run(HEADERS) == ["name", "type", "size", "modified"]
    assert browser.run(column(1)) == ["file", "file", "file", "folder"]
    assert browser.run(column(2))[:3] == ["2.0 kB"] * 3
    browser.run("window.rows = [...document.querySelectorAll('.listd-row')]; rows[1].focus()")
    (folder / "c").rename(folder / "renamed")
    (folder / "new").write_text("new")
    os.utime(folder / "new", (1001, 1001))
    (folder / "a").unlink()
    os.utime(folder / "b", (950, 950))
    browser.wait(column(0), ["new", "renamed", "b", "d"])
    moved = "[...document.querySelectorAll('.listd-row')].map((row) => rows.indexOf(row))"
    assert browser.run(moved) == [-1, 2, 1, 3], "a renamed file keeps its row"
    assert browser.run("document.activeElement === rows[1]")
    shutil.rmtree(folder)
    browser.wait(STATE, f"cannot read {folder}: No such file or directory")
    browser.wait(column(0), [])
    (folder / "d").mkdir(parents=True)
    browser.wait(column(0), ["d"])
    browser.wait(STATE, "")


def test_a_command(tmp_path: Path, serve: Callable[..., str], browser: Tab) -> None:
    output = tmp_path / "output"
    output.write_text("PID  %CPU COMMAND\n  7   0.5 sh -c a\n 12  10.0 vim b c\n")
    browser.open(serve("page", "--port=0", "-n=0.1", "--", f"cat {output}"))
    browser.wait(column(0), ["7", "12"])
    assert browser.run(HEADERS) == ["PID", "%CPU", "COMMAND"] and browser.run(column(2)) == ["sh -c a", "vim b c"]
    sort(browser, "%CPU")
    sort(browser, "%CPU")
    # The two requests may be carried out in either order, which the page then mends.
    rows = "(window.rows = [...document.querySelectorAll('.listd-row')])"
    browser.wait(f"{rows}.map((row) => row.firstChild.textContent)", ["12", "7"])
    output.write_text("PID  %CPU COMMAND\n  7  20.0 sh -c a\n 12  10.0 vim b c\n")
    browser.wait(column(1), ["20.0", "10.0"])
    moved = "[...document.querySelectorAll('.listd-row')].map((row) => rows.indexOf(row))"
    assert browser.run(moved) == [1, 0]
    output.unlink()
    browser.wait(STATE, f"cat {output}: the command exited with 1")
    assert browser.run(column(0)) == ["7", "12"], "the rows are kept"
    output.write_text("PID  %CPU COMMAND\n  7  20.0 sh -c a\n")
    browser.wait(column(0), ["7"])
    browser.wait("document.getElementById('state').hidden")


def test_a_page_that_waits_for_its_rows(tmp_path: Path, serve: Callable[..., str], browser: Tab) -> None:
    go = tmp_path / "go"
    command = f"while ! test -e {go}; do sleep 0.05; done"
    browser.open(serve("page", "--port=0", "-n", "60", "--", command))
    browser.wait("window.scroller?.list.view !== undefined")
    browser.wait(STATE, "Reading …")
    shown = "[document.getElementById('count').textContent, empty.hidden, table.ariaBusy]"
    assert browser.run(shown) == ["Loading …", True, "true"]
    go.touch()
    browser.wait(shown, ["0 rows", False, "false"])
    assert browser.run(STATE) == ""


def test_the_first_rows_of_a_large_file(tmp_path: Path, serve: Callable[..., str], browser: Tab) -> None:
    """They are read before the others, and those that follow do not replace them."""
    texts = {
        "a.ndjson": "".join(json.dumps({"id": id, "text": "x" * 40}) + "\n" for id in range(45_000)),
        "a.csv": "id,text\n" + "".join(f'{id},"a {"x" * 40}\n{id}"\n' for id in range(45_000)),
        "a.txt": "".join(f"{id} {'x' * 50}\n" for id in range(45_000)),
        "a.json": json.dumps([{"id": id, "text": "x" * 40} for id in range(45_000)], indent=0),
    }
    for name, text in texts.items():
        path = tmp_path / name
        path.write_text(text)
        source = File(str(path), "auto", Identity())
        whole = source.read()
        assert whole and len(whole) == 45_000 and not source.is_partial and source.read() is None
        source = File(str(path), "auto", Identity())
        source.shows_first = True
        if name != "a.json":
            first = source.read()
            assert source.is_partial and first and first == whole[: len(first)] and len(first) > 500
        assert source.read() == whole and not source.is_partial and source.read() is None
    browser.open(serve("page", "--port=0", tmp_path / "a.csv"))
    browser.wait("window.scroller?.list.rows.length > 0")
    browser.wait(COUNT, "45,000 rows")
    browser.wait(STATE, "")
    # A repeated row is named, wherever it is.
    with open(tmp_path / "a.ndjson", "a") as file:
        file.write('{"id": 1, "text": "again"}\n')
    browser.open(serve("page", "--port=0", tmp_path / "a.ndjson"))
    browser.wait("window.scroller?.list.rows.length > 0")
    browser.wait(STATE, "a.ndjson: duplicate identifier 1")


def test_rows_of_a_command_that_does_not_end(
    programs: List[Any], serve: Callable[..., str], browser: Tab
) -> None:
    browser.open(serve("page", "--port=0", "--", "echo $$; echo second; exec sleep 1000"))
    browser.wait(column(0) + ".length", 2)
    process = int(browser.run(column(0))[0])
    programs[0].terminate()
    programs[0].wait()
    with pytest.raises(ProcessLookupError):
        while True:
            os.kill(process, 0)
            time.sleep(0.05)


@contextmanager
def shared(path: Path) -> "Iterator[subprocess.Popen[bytes]]":
    """A daemon that listens at a path."""
    process = subprocess.Popen([listd.find(), "--listen", str(path)], stdin=subprocess.DEVNULL)
    while not path.exists() and process.poll() is None:
        time.sleep(0.01)
    yield process
    process.kill()
    process.wait()


def test_a_list_that_other_programs_change(
    tmp_path: Path, serve: Callable[..., str], browser: Tab
) -> None:
    path = tmp_path / "socket"
    with shared(path) as process, listd.connect(str(path)) as cron:
        backups = cron.list("backups")
        backups.apply([{"id": 1, "name": "home", "phase": "ok"}, {"id": 2, "name": "mail"}, "bare"])
        browser.open(serve("page", "--port=0", "--connect", path, "--list", "backups"))
        browser.wait(HEADERS, ["id", "name", "phase", "text"])
        assert browser.run("document.querySelector('h1').textContent") == "backups"
        browser.wait(column(3), ["", "", "bare"])
        browser.run("window.rows = [...document.querySelectorAll('.listd-row')]")
        backups.apply(["bare", {"id": 2, "name": "mail", "phase": "failed"}, {"id": 3, "name": "new"}])
        browser.wait(column(1), ["", "mail", "new"])
        moved = "[...document.querySelectorAll('.listd-row')].map((row) => rows.indexOf(row))"
        assert browser.run(moved) == [2, 1, -1]
        # The selection is that of the list.
        browser.click(".listd-row:nth-child(2)")
        browser.wait("document.querySelectorAll('[aria-selected=true]').length", 1)
        assert [one["id"] for one in backups.selection().items] == [2]
        assert {one.list for one in cron.lists() if not one.list.startswith("page/")} == {"backups"}
        process.kill()
        browser.wait(LOST, "Not connected. Trying again; the rows are those of before.")
        assert browser.run(column(1)) == ["", "mail", "new"]


def test_a_folder_in_a_shared_daemon(folder: Path, tmp_path: Path, serve: Callable[..., str]) -> None:
    path = tmp_path / "socket"
    with shared(path), listd.connect(str(path)) as other:
        with other.list("files").subscribe() as news:
            assert news.next(30).revision == 0
            serve("page", folder, "--port=0", "--connect", path)
            for kind, count in (("inserts", 4), ("deletes", 1)):
                while count > 0:
                    change = news.next(30)
                    count -= getattr(change.rows, kind) if isinstance(change, listd.Change) else 0
                (folder / "a").unlink(missing_ok=True)


def test_the_list_of_a_page_goes_with_a_bridge_that_is_killed(
    folder: Path, tmp_path: Path, programs: List[Any], serve: Callable[..., str]
) -> None:
    path = tmp_path / "socket"
    with shared(path), listd.connect(str(path)) as other:
        address = urlsplit(serve("page", folder, "--port=0", "--connect", path))
        asked = {"method": "compose", "params": {"list": "page/1", "sources": ["files"]}}
        headers = {"Content-Type": "application/json", "Cookie": f"listd-{address.port}={address.query[6:]}"}
        url = f"http://localhost:{address.port}/call"
        urllib.request.urlopen(urllib.request.Request(url, json.dumps(asked).encode(), headers), timeout=30)
        assert "page/1" in {one.list for one in other.lists()}
        programs[-1].kill()
        end = time.monotonic() + 30
        while "page/1" in {one.list for one in other.lists()}:
            assert time.monotonic() < end
            time.sleep(0.01)


def test_a_page_ends_with_the_daemon_that_it_is_connected_to(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    with shared(path) as process:
        words = [sys.executable, "-B", str(PAGE), "--port=0", "--connect", str(path), "--list=l"]
        page = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert page.stdout and b"shows l;" in page.stdout.readline()
        process.kill()
        assert b"listd page: " in page.communicate(timeout=30)[1] and page.returncode == 1


def test_a_page_connects_again_after_a_restart(
    tmp_path: Path, state: Path, programs: List[Any], serve: Callable[..., str], browser: Tab
) -> None:
    file = tmp_path / "rows"
    file.write_text("a\nb\nc\n")
    address = serve("page", "--port=0", file)
    port = str(urlsplit(address).port)
    programs[0].kill()
    programs[0].wait()
    address = serve("page", "--port", port, file)
    browser.open(address)
    browser.wait(column(0), ["a", "b", "c"])
    browser.run("window.rows = [...document.querySelectorAll('.listd-row')]; rows[0].focus()")
    programs[1].send_signal(signal.SIGKILL)
    programs[1].wait()
    browser.wait(LOST, "Not connected. Trying again; the rows are those of before.")
    # The order that is asked for meanwhile is that of the rows that come.
    sort(browser, "text")
    sort(browser, "text")
    # The revisions of the new daemon have the same numbers, and mean other lists.
    file.write_text("b\nd\n")
    assert serve("page", "--port", port, file) == address
    browser.wait(column(0), ["d", "b"])
    browser.wait("document.getElementById('lost').hidden")
    now = "[...document.querySelectorAll('.listd-row')].map((row) => rows.indexOf(row))"
    assert browser.run(now) == [-1, 1]
    file.write_text("e\nb\nd\n")
    browser.wait(column(0), ["e", "d", "b"])
    secret = state / "listd" / "page-secret"
    assert secret.stat().st_mode & 0o777 == 0o600 and len(secret.read_bytes()) == 32
    # Others could have read it.
    secret.chmod(0o644)
    programs[2].kill()
    programs[2].wait()
    assert serve("page", "--port", port, file) != address
    browser.wait(LOST, "This address is not valid any more. Open the one that the program prints.")


def test_a_page_whose_daemon_dies(tmp_path: Path, programs: List[Any], serve: Callable[..., str], browser: Tab) -> None:
    """While rows arrive, the program ends, and the page keeps the rows and what it is asked for."""
    file = tmp_path / "rows"
    file.write_text("b\na\n")
    browser.open(serve("page", "--port=0", file))
    browser.wait(column(0), ["b", "a"])
    children = Path(f"/proc/{programs[0].pid}/task/{programs[0].pid}/children").read_text().split()
    for child in children:
        os.kill(int(child), signal.SIGKILL)
    assert programs[0].wait(30) == 1
    browser.wait(LOST, "Not connected. Trying again; the rows are those of before.")
    sort(browser, "text")
    query(browser, "a")
    assert browser.run(column(0)) == ["b", "a"] and browser.run("query.value") == "a"


def test_other_sites_do_not_see_it(folder: Path, serve: Callable[..., str]) -> None:
    address = serve("page", folder, "--port=0")
    for path in ("", "events", "none"):
        there = address.replace("?", f"{path}?")
        asked = urllib.request.Request(there, headers={"Host": "example.com:80"})
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(asked, timeout=30)


def run(*words: Any, program: Any = None, sent: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    start = [program] if program else [sys.executable, "-B", PAGE]
    return subprocess.run([*map(str, [*start, *words])], input=sent, capture_output=True, timeout=60)


def test_errors_of_the_program(tmp_path: Path, serve: Callable[..., str]) -> None:
    assert b"is neither a file nor a folder" in run(tmp_path / "none").stderr
    taken = run(tmp_path, "--port", urlsplit(serve("page", tmp_path, "--port=0")).port)
    assert taken.returncode == 1 and b"port" in taken.stderr
    path = tmp_path / "socket"
    missing = run(tmp_path, "--connect", path)
    assert missing.returncode == 1 and b"no listd listens at" in missing.stderr
    (tmp_path / "bad.json").write_text("[1,")
    bad = run("--html=-", tmp_path / "bad.json")
    assert bad.returncode == 1 and b"it is not JSON" in bad.stderr and not bad.stdout
    for words in (
        ["--list", "l"], [tmp_path, "--connect", path, "--list", "l"], ["--"], ["a", "--", "b"], ["-n", "1"],
        ["-n", "0", "--", "ls"], ["--connect", path, "--list", "a/b"], ["--seconds", "1"], ["--html=a", "--port=1"],
        ["--connect", path, "--list", "l", "--key", "id"], ["--key-field", "0"], ["--input", "xml"],
    ):  # fmt: skip
        assert run(*words).returncode == 2, words


def test_the_command_of_listd(tmp_path: Path, state: Path) -> None:
    """`listd page` starts the program that is installed with it."""
    prefix = tmp_path / "prefix"
    (prefix / "bin").mkdir(parents=True)
    (prefix / "share").mkdir()
    program = prefix / "bin" / "listd"
    shutil.copy(listd.find(), program)
    without = run("page", "--html=-", program=program)
    assert without.returncode == 1 and b"are not beside" in without.stderr
    (prefix / "share" / "listd").symlink_to(CLIENTS)
    made = run("page", "--html=-", "--key", "a", "-", program=program, sent=b'{"a":1}\n{"a":2}')
    assert made.returncode == 0 and b'"id": 2' in made.stdout and not made.stderr
    for words, said in ((["--keys", "a"], b"did you mean --key"), (["a", "b"], b"unrecognized"), (["--"], b"after --")):
        wrong = run("page", *words, program=program)
        assert wrong.returncode == 2 and said in wrong.stderr


# Promise: A copy of the table plays, is sorted, filtered and grouped without a daemon. Also `test_page.py`.
class TestCopies:
    ROWS = [{"id": id, "name": name, "kind": kind} for id, name, kind in
            [(1, "</script><b>", "x"), (2, "Ben", "y"), (10, "ben", "x"), (3, "Anna", None)]]  # fmt: skip

    @pytest.fixture
    def copy(self, tmp_path: Path, chromium: Browser) -> Iterator[Tab]:
        """A copy with one change, made without a clock."""
        changes = [{"at": 400, "stages": [[
            {"op": "deleteItems", "at": [0, 3], "count": 1},
            {"op": "insertItems", "at": [0, 0], "count": 1, "items": [{"id": 4, "name": "Eva"}]},
        ]]}]  # fmt: skip
        sections = [{"id": "main", "items": self.ROWS}]
        shown = {"list": "rows", "title": "people", "recording": {"sections": sections, "changes": changes}}
        (tmp_path / "copy.html").write_text(bundle.page(CLIENTS / "web" / "table.html", shown))
        tab = chromium.tab()
        tab.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
        tab.open((tmp_path / "copy.html").as_uri())
        tab.wait(column(0), ["1", "2", "10", "3"])
        yield tab
        tab.close()

    def test_it_is_sorted_filtered_and_grouped(self, copy: Tab) -> None:
        sort(copy, "name")
        copy.wait(column(1), ["</script><b>", "Anna", "ben", "Ben"])
        query(copy, "ben")
        copy.wait(column(1), ["ben", "Ben"])
        assert copy.run(COUNT) == "2 of 4"
        for text, ids in (
            ("Ben", ["2"]), ("!ben", ["1", "3"]), ("^a", ["3"]), ("a$ | 'be", ["3", "2", "10"]), ("<b", ["1"]),
        ):  # fmt: skip
            query(copy, text)
            copy.wait(f"[{column(0)}.toSorted().join(), {COUNT}]", [",".join(sorted(ids)), f"{len(ids)} of 4"])
        query(copy, "")
        group(copy, "kind")
        headers = "[...document.querySelectorAll('.listd-header')].map((one) => one.textContent)"
        copy.wait(headers, ["–1", "x2", "y1"])
        copy.click(".listd-row")
        copy.wait("document.querySelectorAll('[aria-selected=true]').length", 1)

    def test_it_plays(self, copy: Tab) -> None:
        seek = "time.value = {}; time.dispatchEvent(new Event('input')), 0"
        copy.run("window.rows = [...document.querySelectorAll('.listd-row')]")
        copy.run(seek.format(400))
        copy.wait(column(0), ["4", "1", "2", "10"])
        moved = "[...document.querySelectorAll('.listd-row')].map((row) => rows.indexOf(row))"
        assert copy.run(moved) == [-1, 0, 1, 2]
        copy.run(seek.format(0))
        copy.wait(column(0), ["1", "2", "10", "3"])
        copy.click("#play")
        copy.wait(column(0), ["4", "1", "2", "10"])
        assert copy.run("clock.textContent") == "0.4 of 0.4 s"

    def test_it_is_written_by_the_program(self, tmp_path: Path, state: Path, browser: Tab) -> None:
        file, made = tmp_path / "rows", tmp_path / "copy.html"
        file.write_text("1\n")
        step = f"cat {file}; echo $(($(tail -n1 {file}) + 1)) >> {file}"
        done = run("--html", made, "--seconds", "1.5", "-n", "0.1", "--", step)
        assert done.returncode == 0 and not done.stdout and b" changes" in done.stderr
        browser.open(made.as_uri())
        browser.wait("document.querySelectorAll('.listd-row').length > 1")
        file.write_text("</script>\n")
        assert run("--html", made, file).returncode == 0
        browser.open(made.as_uri())
        browser.wait(column(0), ["</script>"])
        assert browser.run("player.hidden")
        json.loads(browser.run("shown.textContent"))
