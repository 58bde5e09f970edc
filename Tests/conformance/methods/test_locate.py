"""locate with `match`: where items match, and searching a list without filtering it."""

# Promise: Where an item matches, and which items match next, equals a search through all alignments.

from __future__ import annotations

import random
from typing import Any, Dict, List

import pytest

from client import Daemon
from random_views import item, match
from reference_match import matched, text_of
from values import dumps

pytestmark = pytest.mark.needs("locate")


def units(text: str) -> List[bytes]:
    """The UTF-16 code units of a text."""
    code = text.encode("utf-16-le")
    return [code[k : k + 2] for k in range(0, len(code), 2)]


def check(answer: Any, one: Any, wanted: Dict[str, Any]) -> None:
    rank = matched(one, wanted)
    if rank is None:
        assert answer is None, dumps([one, wanted, answer])
        return
    assert answer["score"] == rank[0], dumps([one, wanted, answer])
    length = 0
    for name, ranges in answer["ranges"].items():
        text = text_of(one, name)
        length += len(text)
        assert ranges and all(start < end for start, end in ranges)
        assert all(a[1] < b[0] for a, b in zip(ranges, ranges[1:])), dumps(answer)
        assert ranges[-1][1] <= len(units(text))
    assert length == rank[1], dumps([one, wanted, answer])


def test_scores_and_ranges_and_the_next_match(daemon: Daemon, rng: random.Random) -> None:
    for _ in range(150):
        items = [item(rng, k) for k in range(rng.randint(0, 12))]
        ids = [one["id"] if isinstance(one, dict) else one for one in items]
        daemon.call("applySnapshot", list="a", items=items, format="none")
        wanted = match(rng)
        paths = [[0, k] for k in range(len(items))]
        answer = daemon.call("locate", list="a", items=ids, paths=paths, match=wanted)
        for k, one in enumerate(items):
            check(answer["items"][k]["match"], one, wanted)
            assert answer["paths"][k]["match"] == answer["items"][k]["match"]
        hits = [k for k, one in enumerate(items) if matched(one, wanted) is not None]
        backward = rng.random() < 0.5
        params: Dict[str, Any] = {"list": "a", "match": wanted, "count": rng.randint(0, 5)}
        if backward:
            params["direction"] = "backward"
        order = hits[::-1] if backward else hits
        if items and rng.random() < 0.6:
            start = rng.randrange(len(items))
            params["from"] = ids[start]
            later = [k for k in order if (k < start if backward else k > start)]
            order = later + [k for k in order if k not in later]
        answer = daemon.call("locate", params)
        assert answer["total"] == len(hits)
        assert [one["at"] for one in answer["matches"]] == [[0, k] for k in order][: params["count"]]


def test_a_match_has_the_identifier_of_its_section(daemon: Daemon) -> None:
    sections = [{"id": "s", "items": ["fig"]}, {"id": 2, "items": ["kiwi", {"id": "f", "text": "fig"}]}]
    daemon.call("applySnapshot", list="a", sections=sections, format="none")
    daemon.call("applySnapshot", list="b", items=["figs"], format="none")
    daemon.call("compose", list="c", sources=["a", "b"], format="none")
    view = {"sections": "merge"}
    daemon.call("compose", list="v", sources=["a"], view=view, format="none")
    found = {
        name: daemon.call("locate", list=name, match={"query": "fig"}, count=3)["matches"]
        for name in "abcv"
    }
    where = {name: [(one["at"], one["sectionId"]) for one in found[name]] for name in "abcv"}
    assert where == {
        "a": [([0, 0], "s"), ([1, 1], 2)],
        "b": [([0, 0], "main")],
        "c": [([0, 0], "a/s"), ([1, 1], "a/2"), ([2, 0], "b/main")],
        "v": [([0, 0], "main"), ([0, 2], "main")],
    }


def test_the_match_of_a_view(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="a", items=["💥fig", "kiwi"], format="none")
    view = {"match": {"query": "fg"}}
    daemon.call("compose", list="v", sources=["a"], view=view, format="none")
    answer = daemon.call("locate", list="v", paths=[[0, 0]], match=True)["paths"][0]["match"]
    assert answer["ranges"] == {"text": [[2, 3], [4, 5]]}
    assert daemon.refused(-32602, "locate", list="a", items=["kiwi"], match=True).data["pointer"] == (
        "/params/match"
    )
    assert daemon.refused(-32602, "locate", list="a", items=["kiwi"], count=1).data["pointer"] == (
        "/params/count"
    )
    refused = daemon.refused(-31005, "locate", {"list": "a", "match": {"query": ""}, "from": "x"})
    assert refused.data["missing"] == ["x"]
