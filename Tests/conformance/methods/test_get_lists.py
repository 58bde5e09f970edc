"""getLists: the sizes of all lists."""

from __future__ import annotations

from client import Daemon
from three_sections import apply


def test_lists(daemon: Daemon) -> None:
    revision = apply(daemon)
    other = apply(daemon, [], name="empty")
    daemon.call("select", list="l", items=["a", 7, 8])
    answer = {entry["list"]: entry for entry in daemon.call("getLists")["lists"]}
    assert answer == {
        "l": {
            "list": "l", "revision": revision, "sections": 3, "items": 5, "rows": 5, "selected": 3,
        },
        "empty": {
            "list": "empty", "revision": other, "sections": 0, "items": 0, "rows": 0, "selected": 0,
        },
    }  # fmt: skip
