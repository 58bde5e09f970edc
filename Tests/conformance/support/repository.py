"""The repository that the suite is part of. A copy of the suite in another folder has none."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def page(name: str) -> str:
    """The text of a document of the repository. Skips the test, or its module, if there is none."""
    path = ROOT / name
    if not path.is_file():
        pytest.skip(f"there is no {name} here", allow_module_level=True)
    return path.read_text("utf-8")
