"""Recorded sessions, replayed with a mirror of each list that is maintained by notifications."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any, Dict, Iterator, Tuple

import listd
import pytest
from listd import Mirror, Subscription, in_rows
from listd.rows import Sections
from values import same

SESSIONS = sorted((Path(__file__).resolve().parents[2] / "Sessions").glob("*.ndjson"))
ASKED = ("applySnapshot", "editSnapshot", "compose", "select", "removeList", "registerTemplates")


def requests(path: Path) -> Iterator[Tuple[str, Any]]:
    """The recorded requests that can change a list."""
    for line in path.read_text().splitlines():
        record = json.loads(line)
        if record.get("from") == "client":
            message = record.get("message")
            for asked in message if isinstance(message, list) else [message]:
                if isinstance(asked, dict) and asked.get("method") in ASKED:
                    yield asked["method"], asked.get("params")


class Follower:
    """A mirror of a list, and the subscription that maintains it."""

    def __init__(self, inbox: listd.NamedList, format: Any) -> None:
        self.list, self.mirror = inbox, Mirror()
        self.news: Subscription = inbox.subscribe(format)

    def check(self) -> None:
        try:
            there = self.list.snapshot()
        except listd.ListNotFound:
            there = None
        with contextlib.suppress(listd.TimedOut):
            while True:  # All notifications before the reply have arrived.
                self.mirror.take(self.news.next(timeout=0))
        assert self.mirror.revision == (there.revision if there else 0)
        assert same(shown(self.mirror.sections), shown(in_rows(there.sections) if there else []))
        if there:
            assert self.mirror.selection == there.selection
            assert self.mirror.cursor == there.cursor


def shown(sections: Sections) -> Sections:
    """The sections as a view shows them: a null header or footer counts as absent."""
    return [
        {name: value for name, value in section.items()
         if value is not None or name not in ("header", "footer")}
        for section in sections
    ]  # fmt: skip


@pytest.mark.needs("subscribe", "ops", "jsonPatch")
@pytest.mark.parametrize("format", ["stages", "ops", "jsonPatch"])
@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: str(path.stem))
def test_a_mirror_follows_a_session(daemon: listd.Daemon, path: Path, format: Any) -> None:
    followers: Dict[str, Follower] = {}
    for method, params in requests(path):
        name = params.get("list") if isinstance(params, dict) else None
        if isinstance(name, str) and name not in followers:
            followers[name] = Follower(daemon.list(name), format)
        # Numbers that no float can represent, such as 1e400, cannot be sent again.
        with contextlib.suppress(listd.Refused, ValueError):
            daemon.call(method, params)
        for follower in followers.values():
            follower.check()
