"""Fixtures of the tests of the document."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", str(HERE.parents[1] / ".tmp/hypothesis"))
sys.path[:0] = [str(HERE), str(HERE.parent / "conformance" / "support")]

from checking import Checker  # noqa: E402
from document import Json, load  # noqa: E402


def pytest_configure(config: pytest.Config) -> None:
    # Some support modules use the marker of the conformance suite.
    config.addinivalue_line("markers", "needs(*features): as in Tests/conformance")


@pytest.fixture(scope="session")
def document() -> Json:
    return load()


@pytest.fixture(scope="session")
def checker(document: Json) -> Checker:
    return Checker(document)
