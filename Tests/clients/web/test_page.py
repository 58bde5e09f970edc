"""The page that shows a folder, in Chromium."""

from __future__ import annotations

import os
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
from browser import Tab

from bridge import listd  # isort: skip

PAGE = Path(__file__).resolve().parents[3] / "clients" / "web" / "page"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "folder"
    made.mkdir()
    for age, name in enumerate("abc"):
        (made / name).write_text(name)
        os.utime(made / name, (1000 - age, 1000 - age))
    return made


@pytest.fixture
def address(folder: Path, serve: Callable[..., str]) -> str:
    return serve("page", folder, "--port=0")


NAMES = "[...document.querySelectorAll('li span')].map(one => one.textContent)"


def test_rows_move_with_their_content(folder: Path, address: str, browser: Tab) -> None:
    browser.open(address)
    browser.wait(NAMES, ["a", "b", "c"])
    browser.run(
        "window.rows = [...document.querySelectorAll('li')];"
        "const note = rows[1].querySelector('input'); note.value = 'mine'; note.focus();"
        "note.setSelectionRange(2, 2)"
    )
    (folder / "a").unlink()
    (folder / "c").rename(folder / "renamed")
    (folder / "new").write_text("new")
    os.utime(folder / "new", (1001, 1001))
    (folder / "b").write_text("longer")
    os.utime(folder / "b", (900, 900))
    browser.wait(NAMES, ["new", "renamed", "b"])
    browser.wait("document.querySelectorAll('small')[2].textContent", "6 B")
    assert browser.run(
        "const now = [...document.querySelectorAll('li')];"
        "now[1] === rows[2] && now[2] === rows[1] && now.length === 3"
    ), "rows were created again"
    held = "[document.activeElement === rows[1].querySelector('input'),"
    held += " document.activeElement.value, document.activeElement.selectionStart]"
    assert browser.run(held) == [True, "mine", 2]
    for name in ("new", "renamed", "b"):
        (folder / name).unlink()
    browser.wait(NAMES, [])


def test_other_sites_do_not_see_it(address: str) -> None:
    for path in ("", "events", "none"):
        there = address.replace("?", f"{path}?")
        asked = urllib.request.Request(there, headers={"Host": "example.com:80"})
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(asked, timeout=30)


def run(words: List[Any]) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [sys.executable, "-B", str(PAGE), *map(str, words)], stderr=subprocess.PIPE, timeout=30
    )


def test_errors_of_the_program(tmp_path: Path, address: str) -> None:
    assert b"is not a folder" in run([tmp_path / "none"]).stderr
    taken = run([tmp_path, "--port", urlsplit(address).port])
    assert taken.returncode == 1 and b"port" in taken.stderr
    path = tmp_path / "socket"
    missing = run([tmp_path, "--connect", path])
    assert missing.returncode == 1 and b"no listd listens at" in missing.stderr
    for words in (["--list", "l"], [tmp_path, "--connect", path, "--list", "l"]):
        assert run(words).returncode == 2


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
        backups.apply([{"id": 1, "text": "home"}, {"id": 2, "text": "mail"}, "bare"])
        browser.open(serve("page", "--port=0", "--connect", path, "--list", "backups"))
        browser.wait(NAMES, ["home", "mail", "bare"])
        assert browser.run("document.querySelector('h1').textContent") == "backups"
        browser.run("window.rows = [...document.querySelectorAll('li')]")
        backups.apply(["bare", {"id": 2, "text": "mail ok"}, {"id": 3, "text": "new"}])
        browser.wait(NAMES, ["bare", "mail ok", "new"])
        moved = "[...document.querySelectorAll('li')].map((row) => rows.indexOf(row))"
        assert browser.run(moved) == [2, 1, -1]
        process.kill()
        browser.wait("document.getElementById('status').textContent", "Not connected; trying again")


def test_a_folder_in_a_shared_daemon(folder: Path, tmp_path: Path, serve: Callable[..., str]) -> None:
    path = tmp_path / "socket"
    with shared(path), listd.connect(str(path)) as other:
        serve("page", folder, "--port=0", "--connect", path)
        with other.list("files").subscribe() as news:
            snapshot = news.next(30)
            assert [item["text"] for item in snapshot.sections[0]["items"]] == ["a", "b", "c"]
            (folder / "a").unlink()
            assert news.next(30).rows.deletes == 1


def test_a_page_ends_with_the_daemon_that_it_is_connected_to(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    with shared(path) as process:
        words = [sys.executable, "-B", str(PAGE), "--port=0", "--connect", str(path), "--list=l"]
        page = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert page.stdout and b"shows the list l" in page.stdout.readline()
        process.kill()
        assert b"page: " in page.communicate(timeout=30)[1] and page.returncode == 1
