"""Fixtures: the Python client of the repository, a daemon, and faulty daemons."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "clients" / "python"), str(ROOT / "Tests" / "conformance" / "support")]

import listd  # noqa: E402


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "needs(*features): skipped if the daemon lacks one")


@pytest.fixture(autouse=True)
def skip_missing_features(request: pytest.FixtureRequest) -> None:
    needs = [name for marker in request.node.iter_markers("needs") for name in marker.args]
    if needs and not request.getfixturevalue("probe").supports(*needs):
        pytest.skip(f"this listd lacks some of {', '.join(needs)}")


@pytest.fixture(scope="session")
def probe() -> Iterator[listd.Daemon]:
    with listd.spawn() as running:
        yield running


@pytest.fixture
def daemon() -> Iterator[listd.Daemon]:
    with listd.spawn() as running:
        yield running


@pytest.fixture
def inbox(daemon: listd.Daemon) -> listd.NamedList:
    return daemon.list("inbox")


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """A generator that is seeded with the name of the test."""
    return random.Random(request.node.name)


FAKE = '''#!{python}
import json, os, sys, time

def ask():
    line = sys.stdin.readline()
    if not line:
        sys.exit()
    return json.loads(line)

def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()

def reply(id, result):
    say(json.dumps({{"jsonrpc": "2.0", "id": id, "result": result}}) + "\\n")

capabilities = {{"methods": [], "formats": [], "maxMessageBytes": {limit}}}
reply(
    ask()["id"],
    {{
        "serverInfo": {{"version": {version!r}}}, "protocolVersion": {protocol},
        "capabilities": capabilities,
    }},
)
ask()
{body}
'''


@pytest.fixture
def fake(tmp_path: Path) -> Callable[..., str]:
    """A program that replies to `initialize` and then runs a given body."""

    def write(
        body: str, limit: Any = 1 << 20, version: str = listd.__version__, protocol: int = 1
    ) -> str:
        program = tmp_path / "fake"
        values = {"python": sys.executable, "version": version, "protocol": protocol}
        program.write_text(FAKE.format(body=body, limit=limit, **values))
        program.chmod(0o755)
        return str(program)

    return write
