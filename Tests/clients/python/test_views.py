"""Views in the client."""

# Promise: At every revision, a view equals its definition applied to its sources, with its window, numbers and
#   selection.

from __future__ import annotations

import random

import listd
import pytest
from listd import Mirror, ViewNumbers


def test_a_view_and_its_numbers(daemon: listd.Daemon, rng: random.Random) -> None:
    source, view, mirror = daemon.list("l"), daemon.list("view"), Mirror()
    view.compose(["l"], view={"where": {"member": "n", "from": 1}, "sort": [{"by": "n"}]})
    with view.subscribe() as news:
        mirror.take(news.next(30))
        assert mirror.view == ViewNumbers(0, 0, 0)
        for _ in range(20):
            items = [{"id": id, "n": rng.randrange(4)} for id in rng.sample(range(9), 6)]
            before = mirror.revision, mirror.view
            source.apply(items)
            received = view.snapshot()
            if (received.revision, received.view) != before:
                mirror.take(news.next(30))
            kept = sorted((item for item in items if item["n"] >= 1), key=lambda item: item["n"])
            assert mirror.sections[0]["items"] == kept if kept else True
            assert mirror.view == ViewNumbers(0, len(kept), 6) == received.view
    change = view.compose(view={"sections": "merge", "window": {"start": 2, "count": 3}})
    assert change.view == ViewNumbers(2, 6, 6)
    assert view.compose(["l"]).view is None


@pytest.mark.needs("locate.match")
def test_matches_of_items_and_the_next_matching_items(daemon: listd.Daemon) -> None:
    source, view = daemon.list("l"), daemon.list("view")
    source.apply(["abc", "xyz", "a-b"])
    view.compose(["l"], view={"match": {"query": "ab"}})
    received = view.locate(items=["abc", "a-b"], match=True)["items"]
    assert [one["match"]["ranges"]["text"] for one in received] == [[[0, 2]], [[0, 1], [2, 3]]]
    assert source.locate(items=["xyz"], match={"query": "ab"})["items"][0]["match"] is None
    query = {"query": "ab"}
    found = source.locate(match=query, after="abc", direction="backward", count=2)
    assert ([one["id"] for one in found["matches"]], found["total"]) == (["a-b", "abc"], 2)
