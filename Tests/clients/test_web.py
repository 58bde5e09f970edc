"""The page that shows a folder, in Chromium."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Iterator, List

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "clients" / "web" / "page"


class Browser:
    """Chromium without a window, driven by its pipe: messages end with a zero byte."""

    def __init__(self, folder: Path) -> None:
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        assert program, "needs chromium"
        (own_in, its_out), (its_in, own_out) = os.pipe(), os.pipe()

        def take() -> None:
            # Where it reads and writes; the numbers may be those of one another now.
            first, second = os.dup(its_in), os.dup(its_out)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             f"--user-data-dir={folder}"],
            preexec_fn=take, close_fds=False, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(its_out)
        os.close(its_in)
        self.replies, self.questions = open(own_in, "rb"), open(own_out, "wb", buffering=0)
        self.number, self.session, self.rest = 0, None, b""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def call(self, method: str, **params: Any) -> Any:
        self.number += 1
        asked = {"id": self.number, "method": method, "params": params}
        if self.session:
            asked["sessionId"] = self.session
        self.questions.write(json.dumps(asked).encode() + b"\0")
        while True:
            while b"\0" not in self.rest:
                more = self.replies.read1(1 << 16)
                assert more, "the browser has ended"
                self.rest += more
            line, self.rest = self.rest.split(b"\0", 1)
            told = json.loads(line)
            if told.get("id") == self.number:
                assert "error" not in told, told
                return told["result"]

    def run(self, code: str) -> Any:
        told = self.call("Runtime.evaluate", expression=code, returnByValue=True)
        assert "exceptionDetails" not in told, told
        return told["result"].get("value")

    def wait(self, code: str, value: Any) -> None:
        end = time.monotonic() + 30
        while (found := self.run(code)) != value:
            assert time.monotonic() < end, f"{code} is {found}, not {value}"
            time.sleep(0.05)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self.replies.close()
        self.questions.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "folder"
    made.mkdir()
    for age, name in enumerate("abc"):
        (made / name).write_text(name)
        os.utime(made / name, (1000 - age, 1000 - age))
    return made


@pytest.fixture
def address(folder: Path) -> Iterator[str]:
    process = subprocess.Popen(
        [sys.executable, "-B", str(PAGE), str(folder), "--port=0"], stdout=subprocess.PIPE
    )
    assert process.stdout
    found = re.match(r"http://localhost:(\d+)/", process.stdout.readline().decode())
    assert found
    yield f"http://localhost:{found[1]}/"
    process.kill()
    process.wait()
    process.stdout.close()


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    running = Browser(tmp_path / "profile")
    yield running
    running.close()


NAMES = "[...document.querySelectorAll('li span')].map(one => one.textContent)"


def test_rows_move_with_all_that_is_in_them(folder: Path, address: str, browser: Browser) -> None:
    browser.call("Page.navigate", url=address)
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
        asked = urllib.request.Request(address + path, headers={"Host": "example.com:80"})
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(asked, timeout=30)


def told(words: List[Any]) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [sys.executable, "-B", str(PAGE), *map(str, words)], stderr=subprocess.PIPE, timeout=30
    )


def test_what_cannot_be_shown(tmp_path: Path, address: str) -> None:
    assert b"is not a folder" in told([tmp_path / "none"]).stderr
    taken = told([tmp_path, "--port", address.split(":")[2].strip("/")])
    assert taken.returncode == 1 and b"port" in taken.stderr
