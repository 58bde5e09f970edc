"""A list of three sections, one of them empty, for tests of the methods that read it."""

from __future__ import annotations

from typing import Any

from client import Daemon

SECTIONS = [
    {"id": "s", "header": "H", "color": {"r": 1}, "items": ["a", {"id": 2, "v": [1]}]},
    {"id": 5, "items": []},
    {"id": "t", "selectionMode": "multiple", "items": [{"x": 1}, 7, 8]},
]


def apply(daemon: Daemon, sections: Any = SECTIONS, name: str = "l") -> int:
    return daemon.call("applySnapshot", list=name, sections=sections)["revision"]
