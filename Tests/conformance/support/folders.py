"""Folders whose files are the items of lists, and edits of these."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, List, Optional, Set

from client import Daemon, Json
from feeds import feed, items, state, until


def make(folder: Path, *paths: str) -> None:
    """Makes files; folders for paths with a slash at the end."""
    for path in paths:
        where = folder / path
        where.parent.mkdir(parents=True, exist_ok=True)
        if path.endswith("/"):
            where.mkdir()
        else:
            where.write_text(path)


def paths(daemon: Daemon, name: str = "l") -> Set[str]:
    return {item["path"] for item in items(daemon, name)}


def ids(daemon: Daemon) -> Dict[str, str]:
    return {item["path"]: item["id"] for item in items(daemon)}


def has(daemon: Daemon, *expected: str) -> None:
    """Waits until a list has the files with some paths, and no others."""
    try:
        until(lambda: paths(daemon) == set(expected))
    except AssertionError:
        assert paths(daemon) == set(expected), state(daemon)


def opened(daemon: Daemon, folder: Path, *expected: str, **more: Any) -> Dict[str, str]:
    """Fills the list, and returns the identifiers of its files by their paths."""
    feed(daemon, {"folder": str(folder), "depth": "all", **more}, allowsEdits=True)
    has(daemon, *expected)
    return ids(daemon)


def edit(daemon: Daemon, *edits: Json, **more: Any) -> Json:
    return daemon.call("editSnapshot", list="l", edits=list(edits), **more)


def update(**names: Any) -> Json:
    return {"edit": "updateItems", "items": [names]}


def contents(folder: Path) -> Dict[str, Optional[str]]:
    """The files below a folder with their contents, and the folders with none."""
    return {
        str(path.relative_to(folder)): None if path.is_dir() else path.read_text()
        for path in folder.rglob("*")
    }  # fmt: skip


def problems(daemon: Daemon, *edits: Json) -> List[Any]:
    """What is wrong with an edit that is refused; a dry run says the same."""
    refused = daemon.refused(-31014, "editSnapshot", list="l", edits=list(edits))
    assert refused.data["reason"] == "feedFailed" and refused.data["list"] == "l" and refused.data["why"]
    plan = edit(daemon, *edits, dryRun=True)
    assert plan["problems"] == refused.data["problems"]
    return [problem["id"] for problem in refused.data["problems"]]


def find(folder: Path) -> Set[str]:
    """The paths below a folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}
