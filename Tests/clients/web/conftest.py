"""Fixtures: a browser, and the programs whose pages it opens."""

# Promise: In a browser rows that move are not recreated, and keep focus, selection and typed text, with
#   `moveBefore` and without.
# Promise: `listd page` shows files, folders, commands and lists that other programs write, keeps rows that can no
#   longer be read, connects again after a restart, and ends with the daemon of others. Also `test_page.py`.

from __future__ import annotations

import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Iterator, List

import pytest
from browser import Browser, Tab

ROOT = Path(__file__).resolve().parents[3]
WEB = ROOT / "clients" / "web"
sys.path.insert(0, str(WEB))
sys.dont_write_bytecode = True

from bridge import Bridge, listd  # noqa: E402

PAGE = """<!doctype html><meta charset="utf-8"><div id="list"></div>
<script type="module">
  import { connect, DOMList } from "/listd/listd.js";
  window.bridge = connect();
  window.list = bridge.list("l");
  function fill(row, item, isNew) {
    if (isNew) row.append(document.createElement("span"), document.createElement("input"));
    row.firstChild.textContent = JSON.stringify(item);
  }
  window.view = new DOMList(document.getElementById("list"), list, {
    label: "l", templates: { Cell: fill, Other: fill },
  });
</script>"""



@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    running = Browser(tmp_path_factory.mktemp("profile"))
    yield running
    running.close()


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Tab]:
    tab = chromium.tab()
    yield tab
    tab.close()


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which programs keep the secret of their addresses."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
def programs(state: Path) -> Iterator["List[subprocess.Popen[bytes]]"]:
    """The programs that `serve` has started."""
    running: "List[subprocess.Popen[bytes]]" = []
    yield running
    for process in running:
        process.terminate()
        process.wait()
        assert process.stdout
        process.stdout.close()


@pytest.fixture
def serve(programs: "List[subprocess.Popen[bytes]]") -> Callable[..., str]:
    """Starts a program of clients/web. Returns the address that it prints."""

    def start(*words: Any) -> str:
        process = subprocess.Popen(
            [sys.executable, "-B", *map(str, [WEB / words[0], *words[1:]])], stdout=subprocess.PIPE
        )
        programs.append(process)
        assert process.stdout
        found = re.match(r"http://localhost:\d+/\?token=\S+", process.stdout.readline().decode())
        assert found
        return found[0]

    return start


@pytest.fixture
def bridge(tmp_path: Path) -> Iterator[Bridge]:
    (tmp_path / "index.html").write_text(PAGE)
    (tmp_path / ".secret.html").write_text("secret")
    (tmp_path.parent / "beside.html").write_text("secret")
    with listd.spawn() as daemon:
        running = Bridge(daemon, tmp_path, methods=["applySnapshot"])
        uncaught: List[Any] = []
        running._server.handle_error = lambda *_: uncaught.append(sys.exc_info()[1])  # type: ignore
        running.start()
        yield running
        running.close()
        assert [one for one in uncaught if not isinstance(one, (ConnectionError, socket.timeout))] == []
