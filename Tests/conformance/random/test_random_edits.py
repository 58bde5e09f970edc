"""Random edits, right and wrong, against plain arrays."""

from __future__ import annotations

import copy
import random
from typing import Any, Dict, List, Tuple

import pytest

from change_laws import check
from client import Daemon, request
from mirror import Mirror
from random_edits import Draws
from reference_edits import Arrays, Edit, Sections, Wrong
from rounds import rounds
from values import dumps, picture, same

pytestmark = pytest.mark.needs("editSnapshot")
EDITS = rounds(1500)
ROUND = 25


def resolved(error: Any, message: Any) -> None:
    """Checks that pointers lead to the values that they report."""
    pointers = [error["data"]["pointer"]] if "pointer" in error["data"] else []
    for entry in error["data"].get("duplicates", []):
        pointers += entry["pointers"]
    for pointer in pointers:
        value = message
        for name in pointer.split("/")[1:]:
            assert not isinstance(value, (str, int)), pointer
            value = value[int(name)] if isinstance(value, list) else value.get(name)


class Story:
    """One list, the arrays that it must equal, and its revisions so far."""

    def __init__(self, rng: random.Random, share: float) -> None:
        self.rng, self.draws, self.share = rng, Draws(rng, plain=share < 0.5), share
        self.sections: Sections = []
        self.past: Dict[int, Sections] = {}
        self.revision = 0

    def draw(self) -> Tuple[List[Edit], Arrays, Any, int]:
        """Edits, their result, and the error of the first invalid one."""
        arrays = Arrays(self.sections, self.past.get)
        edits: List[Edit] = []
        for index in range(self.rng.choice([1, 1, 2, 3, 5])):
            edits.append(self.draws.edit(arrays, self.past))
            try:
                arrays.make(copy.deepcopy(edits[-1]))
            except Wrong as wrong:
                edits += [self.draws.edit(arrays)] if self.rng.random() < 0.3 else []
                return edits, arrays, wrong, index
        return edits, arrays, None, 0

    def run(self, daemon: Daemon, count: int) -> None:
        asked, expected = [], []
        for number in range(count):
            if self.rng.random() < 0.04:
                self.sections = self.draws.snapshot()
                params = {"list": "l", "sections": self.sections, "content": True}
                asked.append(request("applySnapshot", params, 2 * number))
                expected.append((Arrays(self.sections), None, 0))
            else:
                edits, arrays, wrong, index = self.draw()
                params = {"list": "l", "edits": edits, "content": True}
                asked.append(request("editSnapshot", params, 2 * number))
                expected.append((arrays, wrong, index))
                if wrong is None:
                    self.sections = arrays.sections
            # The list need not be read between consecutive edits.
            seen = self.rng.random() < self.share
            other = "getSnapshot" if seen else "unsubscribe"
            asked.append(request(other, {"list": "l"}, 2 * number + 1))
        daemon.send(*asked)
        for message, (arrays, wrong, index) in zip(asked[::2], expected):
            answer, got = daemon.reply(), daemon.reply()["result"]
            self.compare(message, answer, got, arrays, wrong, index)

    def compare(
        self, message: Any, answer: Any, got: Any, arrays: Arrays, wrong: Any, index: int
    ) -> None:
        old = self.past.get(self.revision, [])
        story = f"\n  from: {picture(old)}\n  ask:  {dumps(message['params'])}\n"
        if wrong is not None:
            error = answer.get("error")
            story += f"  want: {wrong} in edit {index}\n  answer: {dumps(answer)}"
            assert error and (error["code"], error["data"]["edit"]) == (wrong.code, index), story
            for name, value in wrong.data.items():
                assert same(error["data"][name], value), story
            resolved(error, message)
            assert got is None or got["revision"] == self.revision, story
            assert got is None or same(got["sections"], old), story
            return
        assert "result" in answer, story + f"  answer: {dumps(answer)}"
        answer, new = answer["result"], arrays.sections
        story += f"  to:   {picture(new)}\n  got:  {got and picture(got['sections'])}\n"
        assert got is None or same(got["sections"], new), story
        story += f"  answer: {dumps(answer)}"
        try:
            check(old, new, answer["stages"], answer["counts"], True, arrays.forced())
        except AssertionError as law:
            pytest.fail(f"{law}{story}", pytrace=False)
        assert answer["baseRevision"] == self.revision, story
        fresh = not same(old, new) or self.revision == 0
        assert (answer["revision"] > self.revision) == fresh, story
        assert got is None or answer["revision"] == got["revision"], story
        self.revision = answer["revision"]
        self.past[self.revision] = new


class LongStory(Story):
    """Requests with many edits each."""

    def draw(self) -> Tuple[List[Edit], Arrays, Any, int]:
        arrays = Arrays(self.sections, self.past.get)
        edits: List[Edit] = []
        while len(edits) < 120:
            edit = self.draws.edit(arrays, self.past)
            # Otherwise lists would not grow.
            if edit["edit"] in ("deleteAllItems", "deleteSections") and self.rng.random() < 0.9:
                continue
            trial = copy.deepcopy(arrays)
            try:
                trial.make(copy.deepcopy(edit))
            except Wrong as wrong:
                if self.rng.random() < 0.02:
                    return edits + [edit], arrays, wrong, len(edits)
                continue
            arrays = trial
            edits.append(edit)
        return edits, arrays, None, 0


@pytest.mark.parametrize("share", [1, 0.1])
def test_many_edits_at_once_of_arrays(
    daemon: Daemon, rng: random.Random, share: float
) -> None:
    story = LongStory(rng, share)
    daemon.call("applySnapshot", list="l", sections=[])
    story.revision, story.past = 1, {1: []}
    for _ in range(EDITS // 300):
        story.run(daemon, 5)
        recent = list(story.past)[-12:]
        story.past = {revision: story.past[revision] for revision in recent}


@pytest.mark.parametrize("share", [1, 0.1])
def test_edits_of_arrays(daemon: Daemon, rng: random.Random, share: float) -> None:
    story = Story(rng, share)
    daemon.call("applySnapshot", list="l", sections=[])
    story.revision, story.past = 1, {1: []}
    done = 0
    while done < EDITS:
        story.run(daemon, ROUND)
        done += ROUND
        recent = list(story.past)[-12:]
        story.past = {revision: story.past[revision] for revision in recent}


# Promise: A client that applies the answers to its edits, or is subscribed, has the list without reading it.
@pytest.mark.needs("subscribe", "jsonPatch")
@pytest.mark.parametrize("heard", ["stages", "ops", "jsonPatch"])
def test_a_follower_of_edits_has_the_list(daemon: Daemon, rng: random.Random, heard: str) -> None:
    """By the answers or as a subscriber, without reading the whole list."""
    story = Story(rng, 0)
    answer = daemon.call("applySnapshot", list="l", sections=[])
    asker, hearer = (Mirror([], {**answer, "revision": 1}) for _ in range(2))
    daemon.call("subscribe", list="l", format=heard)
    for number in range(EDITS // 3):
        edits, arrays, wrong, _ = story.draw()
        params = {"list": "l", "edits": edits, "content": True, "format": rng.choice(["stages", "ops"])}
        daemon.notifications = []
        daemon.send(request("editSnapshot", params, number), request("unsubscribe", {"list": "nobody"}))
        answer = daemon.reply()
        daemon.reply()
        assert ("error" in answer) == (wrong is not None)
        if wrong is None:
            asker.change(answer["result"])
            story.sections = arrays.sections
        for news in daemon.notifications:
            if news["method"] == "didChange":
                hearer.change(news["params"])
        expected = Mirror(story.sections, {"revision": 1, "selection": [], "cursor": None}).contents()
        assert asker.contents() == expected, dumps(params)
        assert hearer.contents() == expected and hearer.revision == asker.revision, dumps(params)
