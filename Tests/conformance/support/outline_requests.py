"""Requests about one outline, and a short notation of its rows."""

from __future__ import annotations

from typing import Any, List

from client import Daemon

FILES = [
    {"id": "src"}, {"id": "a", "up": "src", "text": "apple"}, {"id": "lib", "up": "src"},
    {"id": "b", "up": "lib", "text": "banana"}, {"id": "c", "up": "lib", "text": "cherry"},
    {"id": "doc"}, {"id": "d", "up": "doc", "text": "date"},
]  # fmt: skip


def show(daemon: Daemon, items: List[Any] = FILES, open: Any = None, **view: Any) -> Any:
    daemon.call("applySnapshot", list="l", items=items, format="none")
    tree = {"parent": "up"} if open is None else {"parent": "up", "open": open}
    return daemon.call("compose", list="v", sources=["l"], view={"tree": tree, **view})


def edit(daemon: Daemon, *edits: Any, **more: Any) -> Any:
    made = [
        {"edit": one} if isinstance(one, str)
        else {"edit": one[0], "items": list(one[1:])} if isinstance(one, tuple) else one
        for one in edits
    ]  # fmt: skip
    return daemon.call("editSnapshot", list="v", edits=made, **more)


def rows(daemon: Daemon, list: str = "v") -> List[Any]:
    sections = daemon.call("getSnapshot", list=list)["sections"]
    return [item for section in sections for item in section["items"]]


def ids(daemon: Daemon, list: str = "v") -> str:
    return " ".join(str(item["id"]) for item in rows(daemon, list))


def picture(daemon: Daemon) -> str:
    """`-src +lib b` for rows that are expanded, collapsed and leaves, with `.` for each level."""
    return " ".join(
        "." * row["$level"] + {True: "-", False: "+", None: ""}[row.get("$expanded")] + str(row["id"])
        for row in rows(daemon)
    )


def notifications(daemon: Daemon, method: str) -> List[Any]:
    return [note["params"] for note in daemon.settle() if note["method"] == method]


# Parents
