"""Fixtures, the marker `needs` for features of a daemon, and `clause` for chapters of the protocol."""

# Promise: An answer, applied to the old snapshot, gives the new one. Also `Tests/clients/test_tour.py`.
# Promise: No answer has more moves than necessary. Also `test_many_commits_need_only_the_minimal_moves`.

from __future__ import annotations

import os
import random
import sys
from pathlib import Path
from typing import Iterator, List

import pytest

sys.path.insert(0, str(Path(__file__).parent / "support"))
from clauses import CLAUSES  # noqa: E402
from client import Daemon  # noqa: E402
from command import Files  # noqa: E402
from features import features  # noqa: E402
from shared_daemon import Listening  # noqa: E402
from verbs import Verbs  # noqa: E402


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "needs(*features): methods, formats and flags without which a test is skipped"
    )
    config.addinivalue_line("markers", "clause(heading): a chapter of protocol.md that is tested")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--clause", action="append", help="run only tests of this chapter")


def pytest_collection_modifyitems(config: pytest.Config, items: List[pytest.Item]) -> None:
    """Marks each test by the chapters of its file, and deselects those of other chapters."""
    wanted = set(config.getoption("--clause") or [])
    left = []
    for item in items:
        clauses = CLAUSES.get(item.path.stem, ())
        for clause in clauses:
            item.add_marker(pytest.mark.clause(clause))
        if wanted and not wanted & set(clauses):
            left.append(item)
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in set(left)]


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


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)
