"""Outlines and superseding in the client, and the example that explores a folder."""

# Promise: An outline is the walk of its tree, whatever is expanded, filtered, sorted, selected, windowed and
#   changed, and its expansion is restored from the journal. Also `test_outline_clauses.py`, `test_outline_rows.py`,
#   `OutlineTests`, `test_views_outlive_the_daemon`.

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path
from typing import Any, List

import pytest

import listd
from listd import Change, Expanded, Mirror, ViewNumbers, edits

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "clients" / "python" / "examples"))
import tree  # noqa: E402

ITEMS = [
    {"id": "a"}, {"id": "b", "up": "a"}, {"id": "c", "up": "b"}, {"id": "d", "up": "b"},
    {"id": "e", "lazy": True},
]  # fmt: skip


def ids(received: listd.NamedList) -> List[str]:
    return [item["id"] for section in received.snapshot().sections for item in section["items"]]


def test_methods_of_outlines(daemon: listd.Daemon) -> None:
    outline, mirror = daemon.list("outline"), Mirror()
    daemon.list("l").apply(ITEMS)
    made = outline.compose(["l"], view={"tree": {"parent": "up"}})
    assert made.view == ViewNumbers(0, 5, 5, 2)
    with outline.subscribe() as news:
        mirror.take(news.next(30))
        assert outline.expand("a").format == "none"
        assert ids(outline) == ["a", "b", "e"]
        outline.expand("a", deep=True)
        assert ids(outline) == ["a", "b", "c", "d", "e"]
        outline.collapse_all()
        assert ids(outline) == ["a", "e"]
        outline.reveal("d")
        assert ids(outline) == ["a", "b", "c", "d", "e"]
        outline.collapse("a", deep=True)
        outline.expand("a")
        assert ids(outline) == ["a", "b", "e"]
        outline.expand_all()
        outline.edit(edits.expand_items("e"), edits.collapse_items(listd.Path(0, 1)))
        for _ in range(8):
            mirror.take(news.next(30))
        assert mirror.sections == outline.snapshot().sections
        received = news.next(30)
        assert isinstance(received, Expanded) and (received.list, received.items) == ("outline", ["e"])
        assert received.request is not None
        before = mirror.sections
        mirror.take(received)
        assert mirror.sections == before


def test_a_superseded_request_is_cancelled_and_the_last_one_performed() -> None:
    async def main() -> None:
        async with await listd.aio.spawn() as daemon:
            await daemon.list("l").apply(["abc", "abd", "x"])
            found = daemon.list("found")
            received = await asyncio.gather(
                *[
                    found.compose(["l"], view={"match": {"query": query}}, latest=True)
                    for query in ("a", "ab", "abc")
                ],
                return_exceptions=True,
            )
            assert isinstance(received[-1], Change) and received[-1].view == ViewNumbers(0, 1, 3)
            assert all(isinstance(one, (Change, listd.RequestCancelled)) for one in received)
            await daemon.list("l").apply([{"id": 1}, {"id": 2, "up": 1}], latest=True)
            await found.compose(view={"tree": {"parent": "up"}})
            assert (await found.expand(1)).view == ViewNumbers(0, 2, 2, 2)
            assert (await found.collapse_all()).view == ViewNumbers(0, 2, 2, 1)
            assert (await found.reveal(2)).view == ViewNumbers(0, 2, 2, 2)
            assert (await found.collapse(1)).view == ViewNumbers(0, 2, 2, 1)
            assert (await found.expand_all()).view == ViewNumbers(0, 2, 2, 2)

    asyncio.run(main())


def test_a_folder_is_explored_lazily(daemon: listd.Daemon, tmp_path: Path) -> None:
    for name in ("b/c/d.txt", "b/e10.txt", "b/e9.txt", "f.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    explorer = tree.Explorer(daemon, str(tmp_path))
    assert explorer.tree.text().text == "> b\n  f.txt\n"
    explorer.toggle(0)
    settle(explorer, "v b\n  > c\n    e9.txt\n    e10.txt\n  f.txt\n")
    assert paths(explorer) == ["b", "b/c", "b/e10.txt", "b/e9.txt", "f.txt"]
    explorer.toggle(0)
    settle(explorer, "> b\n  f.txt\n")
    explorer.toggle(0)
    settle(explorer, "v b\n  > c\n    e9.txt\n    e10.txt\n  f.txt\n")
    explorer.toggle(1)
    settle(explorer, "v b\n  v c\n      d.txt\n    e9.txt\n    e10.txt\n  f.txt\n")
    assert len(paths(explorer)) == 6
    (tmp_path / "b" / "c" / "d.txt").rename(tmp_path / "g.txt")
    settle(explorer, "v b\n  v c\n    e9.txt\n    e10.txt\n  f.txt\n  g.txt\n")
    (tmp_path / "g.txt").rename(tmp_path / "b" / "c" / "d.txt")
    explorer.filter("d")
    settle(explorer, "v b\n  v c\n      d.txt\n")
    explorer.filter("")
    settle(explorer, "v b\n  v c\n      d.txt\n    e9.txt\n    e10.txt\n  f.txt\n")


def paths(explorer: tree.Explorer) -> List[str]:
    """The paths of the files that were read."""
    return sorted(item["path"] for item in explorer.files.snapshot().sections[0]["items"])


def settle(explorer: tree.Explorer, wanted: str) -> None:
    """Waits until the daemon has read what was expanded."""
    deadline = time.monotonic() + 30
    while explorer.tree.text().text != wanted and time.monotonic() < deadline:
        time.sleep(0.01)
    assert explorer.tree.text().text == wanted
