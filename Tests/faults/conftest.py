"""Fixtures of the fault tests."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "conformance" / "support"))


def pytest_configure(config: pytest.Config) -> None:
    # Some support modules use the marker of the conformance suite.
    config.addinivalue_line("markers", "needs(*features): as in Tests/conformance")


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """A generator that is seeded by the name of the test."""
    return random.Random(request.node.name)


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "lists.journal"
