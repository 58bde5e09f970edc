"""Waits for what feeds do."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any, Callable, List, Optional

from client import PATIENCE, Daemon, Json


def until(found: Callable[[], Any], what: str = "it") -> Any:
    """Waits until something is true, and returns it."""
    end = time.monotonic() + PATIENCE / 2
    while time.monotonic() < end:
        if value := found():
            return value
        time.sleep(0.01)
    raise AssertionError(f"{what} does not happen")


def items(daemon: Daemon, name: str = "l") -> List[Any]:
    sections = daemon.call("getSnapshot", list=name)["sections"]
    return [item for section in sections for item in section["items"]]


def state(daemon: Daemon, name: str = "l") -> Json:
    [found] = [one for one in daemon.call("getLists")["lists"] if one["list"] == name]
    return found["state"]


def feed(daemon: Daemon, source: Json, name: str = "l", **more: Any) -> Json:
    return daemon.call("feed", list=name, **{"from": source}, **more)


def shell(script: str, **more: Any) -> Json:
    return {"command": ["sh", "-c", script], **more}


def run(daemon: Daemon, source: Json, name: str = "l", **more: Any) -> List[Any]:
    """Runs a command to its end. Returns the items."""
    feed(daemon, source, name, **more)
    until(lambda: not state(daemon, name)["running"], "the end of the command")
    return items(daemon, name)


def becomes(daemon: Daemon, expected: List[Any], name: str = "l") -> None:
    """Waits until a list has some items."""
    try:
        until(lambda: items(daemon, name) == expected)
    except AssertionError:
        assert items(daemon, name) == expected, state(daemon, name)


def exists(process: int) -> bool:
    """Whether a process runs; one that was not waited for does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def number_in(path: Path) -> int:
    """The process ID that a command writes to a file."""
    return int(until(lambda: path.exists() and path.read_text().strip(), "a process ID"))


def group_of(process: int) -> Optional[int]:
    try:
        return os.getpgid(process)
    except ProcessLookupError:
        return None
