"""Fixtures, and the marker `needs` for what a daemon may not have yet."""

from __future__ import annotations

import functools
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Iterator

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from sharing import Listening  # noqa: E402
from verbs import Verbs  # noqa: E402
from wire import PATIENCE, Daemon, program  # noqa: E402


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "needs(*features): methods, formats and flags without which a test is skipped"
    )


@functools.lru_cache(maxsize=None)
def features() -> frozenset:
    """Methods and formats of `initialize`, flags and commands (`listd diff`) of `--help`."""
    with Daemon() as daemon:
        told = daemon.call("initialize", {})["capabilities"]
    usage = subprocess.run([program(), "--help"], capture_output=True, timeout=PATIENCE, text=True)
    words = re.findall(r"--[a-z-]+|listd [a-z-]+", usage.stdout)
    return frozenset([*told["methods"], *told["formats"], *words])


def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker in item.iter_markers("needs"):
        missing = [name for name in marker.args if name not in features()]
        if missing:
            pytest.skip(f"this listd has no {', '.join(missing)}")


@pytest.fixture
def daemon() -> Iterator[Daemon]:
    with Daemon() as running:
        yield running


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """A generator that is seeded by the name of the test, and by LISTD_SEED."""
    return random.Random(request.node.name + os.environ.get("LISTD_SEED", ""))


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[Listening]:
    with Listening(tmp_path / "s") as running:
        yield running


@pytest.fixture
def verbs(shared: Listening) -> Verbs:
    return Verbs(shared)
