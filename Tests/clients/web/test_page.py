"""The page that shows a folder, in Chromium."""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Callable, List
from urllib.parse import urlsplit

import pytest
from browser import Tab

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


def test_rows_move_with_all_that_is_in_them(folder: Path, address: str, browser: Tab) -> None:
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
    ), "rows were made anew"
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


def told(words: List[Any]) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [sys.executable, "-B", str(PAGE), *map(str, words)], stderr=subprocess.PIPE, timeout=30
    )


def test_what_cannot_be_shown(tmp_path: Path, address: str) -> None:
    assert b"is not a folder" in told([tmp_path / "none"]).stderr
    taken = told([tmp_path, "--port", urlsplit(address).port])
    assert taken.returncode == 1 and b"port" in taken.stderr
