"""Lists that the daemon fills, through the clients and their mirrors."""

# Promise: Without permission, descriptors, watches or room on the disk, and after lost notifications, a feed says
#   so, loses nothing, and is complete as soon as it can be. Also `Tests/faults`.

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Callable, List

import listd
import pytest
from listd import Fed, Mirror, NamedList


def test_a_list_is_filled_and_followed(inbox: NamedList) -> None:
    mirror = Mirror()
    with inbox.subscribe() as news:
        fed = inbox.feed({"command": ["sh", "-c", "echo a; echo b; exit 3"]}, selection_mode="multiple")
        assert (fed.list, fed.state and fed.state["running"]) == ("inbox", True)
        while not (isinstance(event := news.next(20), Fed) and event.state and "exitCode" in event.state):
            mirror.take(event)
        mirror.take(event)
    assert event.state == {"running": False, "items": 2, "exitCode": 3, "error": event.state.get("error")}
    assert event.revision is None and event.wire["list"] == "inbox"
    assert mirror.sections == inbox.snapshot().sections and inbox.snapshot().items == ["a", "b"]
    assert mirror.sections[0]["selectionMode"] == "multiple"
    with pytest.raises(listd.ReadOnlyList):
        inbox.apply([])
    ended = inbox.feed(None)
    assert ended.state is None and ended.revision == mirror.revision
    inbox.apply([])


def test_rows_of_a_file_by_the_key_of_the_list(daemon: listd.Daemon, tmp_path: Path) -> None:
    file, jobs = tmp_path / "jobs.ndjson", daemon.list("jobs", key="pid")
    file.write_text('{"pid": 1, "n": 1}\n{"pid": 2, "n": 1}\n')
    heard: List[Any] = []
    with jobs.subscribe() as news:
        jobs.feed({"file": str(file), "format": "ndjson"})
        while not (heard and isinstance(heard[-1], Fed)):
            heard.append(news.next(20))
        file.write_text('{"pid": 2, "n": 2}\n')
        while not isinstance(change := news.next(20), listd.Change):
            pass
        assert sorted((row.kind, row.id) for row in change.each()) == [("delete", 1), ("update", 2)]
    with pytest.raises(listd.FeedFailed):
        jobs.feed({"file": str(tmp_path / "none")})


def test_feeds_with_asyncio(tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch()

    async def work() -> None:
        async with await listd.aio.spawn() as daemon:
            files = daemon.list("files")
            assert (await files.feed({"folder": str(tmp_path), "depth": "all"}, allows_edits=True)).state
            async with await files.subscribe() as news:
                mirror = Mirror()
                async for event in news:
                    mirror.take(event)
                    if any(row["name"] == "a.txt" for one in mirror.sections for row in one["items"]):
                        return

    asyncio.run(asyncio.wait_for(work(), 30))


def test_notifications_of_another_kind_are_ignored(fake: Callable[..., str]) -> None:
    """A newer daemon may send others about a list."""
    program = fake(
        """
asked = ask()
reply(asked["id"], {"list": "l", "revision": 0, "snapshot": {"sections": []}, "selection": [], "cursor": None})
say('{"jsonrpc":"2.0","method":"didDance","params":{"list":"l","steps":3}}\\n')
say('{"jsonrpc":"2.0","method":"didRemove","params":{"list":"l"}}\\n')
ask()
"""
    )
    daemon = listd.spawn(program)
    news = daemon.list("l").subscribe()
    assert [type(news.next(20)) for _ in range(2)] == [listd.Snapshot, listd.Removed]
    daemon.close(0.1)
