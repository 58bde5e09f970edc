"""The memory of many edits in one request, and its release."""

# Promise: Many edits in a request, also of an outline unless they name many rows by path, take at most 20 times
#   the memory of their message, and release it.

from __future__ import annotations

import time
from pathlib import Path

import pytest

from client import PATIENCE, Daemon, line, request
from many_edits import HEAPS, OUTLINE_HEAPS


def status(daemon: Daemon, field: str) -> int:
    """A size from the kernel's account of the process, in bytes."""
    text = Path(f"/proc/{daemon.process.pid}/status").read_text()
    return next(int(words.split()[1]) << 10 for words in text.splitlines() if field in words)


def measured(daemon: Daemon, kind: str, count: int) -> "tuple[int, int, int]":
    """Makes edits of a kind; returns the memory before, the most since then, and the message's size."""
    sections, edits = {**HEAPS, **OUTLINE_HEAPS}[kind](count)
    edited = "v" if kind in OUTLINE_HEAPS else "l"
    daemon.call("applySnapshot", list="l", sections=sections, format="none")
    if edited == "v":
        daemon.call("compose", list="v", sources=["l"], view={"tree": {"parent": "up"}}, format="none")
        # The first edit prepares the outline for those that follow.
        daemon.call("editSnapshot", list="v", edits=[{"edit": "expandItems", "items": [0]}])
    before = status(daemon, "VmRSS")
    # Resets the peak.
    Path(f"/proc/{daemon.process.pid}/clear_refs").write_text("5")
    daemon.call("editSnapshot", list=edited, edits=edits)
    size = len(line(request("editSnapshot", {"list": edited, "edits": edits})))
    return before, status(daemon, "VmHWM"), size


@pytest.mark.parametrize("kind", [*HEAPS, *OUTLINE_HEAPS])
def test_many_edits_take_a_multiple_of_their_message(kind: str) -> None:
    with Daemon() as daemon:
        before, most, size = measured(daemon, kind, 20_000)
        assert most - before <= 20 * size, f"{(most - before) / size:.1f} times {size} bytes"


def test_many_edits_release_their_memory() -> None:
    with Daemon() as daemon:
        before, most, size = measured(daemon, "appendItems", 100_000)
        assert most - before <= 20 * size, f"{(most - before) / size:.1f} times {size} bytes"
        daemon.call("removeList", list="l")
        end = time.monotonic() + PATIENCE / 2
        while status(daemon, "VmRSS") - before > 5 * size:
            assert time.monotonic() < end, f"{status(daemon, 'VmRSS') - before} bytes are kept"
            time.sleep(0.1)
