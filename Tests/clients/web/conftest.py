"""A browser for all tests, and the programs whose pages it opens."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest
from browser import Browser, Tab

ROOT = Path(__file__).resolve().parents[3]
WEB = ROOT / "clients" / "web"
sys.path.insert(0, str(WEB))
sys.dont_write_bytecode = True


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
def serve() -> Iterator[Callable[..., str]]:
    """Starts a program of clients/web; returns the address that it prints."""
    running = []

    def start(*words: Any) -> str:
        process = subprocess.Popen(
            [sys.executable, "-B", *map(str, [WEB / words[0], *words[1:]])], stdout=subprocess.PIPE
        )
        running.append(process)
        assert process.stdout
        found = re.match(r"http://localhost:\d+/\?token=\S+", process.stdout.readline().decode())
        assert found
        return found[0]

    yield start
    for process in running:
        process.kill()
        process.wait()
        process.stdout.close()
