"""How often a random test turns."""

from __future__ import annotations

import os

FACTOR = float(os.environ.get("LISTD_ROUNDS", "1"))


def rounds(count: int) -> int:
    """The count times `LISTD_ROUNDS`, which is 1 unless it is set, but at least one."""
    return max(1, round(count * FACTOR))
