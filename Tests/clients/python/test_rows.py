"""The rows of a change: what `each` reports, and what it reads for that."""

# Promise: In Python the rows of a change have the contents of both lists, and reading them costs what has changed;
#   a mirror that cannot follow is as it was. Also `Tests/clients/python`.

from __future__ import annotations

import gc
import io
import pickle
import random
from typing import Any, Dict, List

import listd
import pytest
from listd import Mirror, NamedList, Path, edits, in_rows


def random_sections(rng: random.Random) -> List[Dict[str, Any]]:
    """Sections whose items repeat, have parts, or have no identifiers."""
    made: List[Dict[str, Any]] = [
        {"id": name, "header": rng.randrange(2), "items": []} for name in rng.sample("abcd", rng.randrange(1, 5))
    ]
    for id in rng.choices(range(8), k=rng.randrange(14)):
        if id < 2:
            item: Any = ["x", {"n": rng.randrange(2)}][id]
        elif any(one == id or isinstance(one, dict) and one.get("id") == id for s in made for one in s["items"]):
            continue
        else:
            item = {"id": id, "n": rng.randrange(2)}
            if id == 7:
                item["parts"] = ["p", "q", "r"][: rng.randrange(4)]
        rng.choice(made)["items"].append(item)
    return made


def check(before: Any, after: Any, rows: List[listd.RowChange]) -> None:
    """Contents and paths are those of both lists, and the other rows are the same in both."""
    old, new = ([section["items"] for section in in_rows(one)] for one in (before, after))
    for row in rows:
        assert row.from_ is None or old[row.from_.section][row.from_.row] == row.old, row
        assert row.to is None or new[row.to.section][row.to.row] == row.new, row
        assert (row.from_ is None, row.to is None) == (row.kind == "insert", row.kind == "delete")
    for side, places in ((old, {row.from_ for row in rows}), (new, {row.to for row in rows})):
        for index, section in enumerate(side):
            side[index] = [row for number, row in enumerate(section) if (index, number) not in places]
    assert sorted(map(repr, sum(old, []))) == sorted(map(repr, sum(new, [])))


@pytest.mark.parametrize("moves", [True, False])
@pytest.mark.parametrize("content", [None, True, "both"])
@pytest.mark.parametrize("format", ["stages", "ops"])
def test_rows_of_random_changes(
    inbox: NamedList, rng: random.Random, format: listd.Format, content: Any, moves: bool
) -> None:
    before: List[Dict[str, Any]] = []
    for _ in range(100):
        after = random_sections(rng)
        change = inbox.apply(sections=after, format=format, content=content, moves=moves)
        asked = list(change.each())
        check(before, after, asked)
        copy = pickle.loads(pickle.dumps(change))
        assert list(inbox.each(copy)) == asked
        if content == "both" and not moves and format == "stages":
            assert list(copy.each()) == asked
        elif format == "ops" or content is None and asked:
            with pytest.raises(ValueError, match="request `content="):
                copy.each()
        before = after


def test_rows_that_are_not_requested() -> None:
    """Deletes, inserts and updates with the contents before are complete."""
    traffic = io.BytesIO()
    with listd.spawn(log=traffic) as daemon:
        inbox = daemon.list("inbox")
        with inbox.subscribe(content="both") as news:
            next(news)
            inbox.apply(["a", {"id": "b", "n": 1}])
            inbox.apply([{"id": "b", "n": 2}, "c"])
            inbox.apply(["c", {"id": "b", "n": 2}])
            size = traffic.tell()
            next(news)
            rows = [(row.kind, row.id, row.old, row.new) for row in next(news).each()]  # type: ignore[union-attr]
            assert rows == [
                ("delete", "a", "a", None), ("update", "b", {"id": "b", "n": 1}, {"id": "b", "n": 2}),
                ("insert", "c", None, "c"),
            ]  # fmt: skip
            assert traffic.tell() == size
            [row] = next(news).each()  # type: ignore[union-attr]
            assert (row.kind, row.id) == ("move", "c") and traffic.tell() > size


def test_rows_of_composites_and_views(daemon: listd.Daemon, inbox: NamedList, rng: random.Random) -> None:
    composite, view = daemon.list("composite"), daemon.list("view")
    composite.compose(["inbox", "other"])
    view.compose(["inbox"], view={"sort": [{"by": "n"}], "sections": "merge"})
    for followed in (composite, view):
        with followed.subscribe() as news:
            whole = next(news)
            assert isinstance(whole, listd.Snapshot)
            before = whole.sections
            for _ in range(40):
                inbox.apply(sections=random_sections(rng))
                after = followed.snapshot()
                if before == after.sections:
                    continue
                change = next(news)
                assert isinstance(change, listd.Change)
                check(before, after.sections, list(change.each()))
                before = after.sections
                assert change.revision == after.revision


@pytest.mark.parametrize("edit", [
    edits.delete_items(7), edits.move_items(1990, before=3), edits.update_items({"id": 9, "text": "x"}),
    edits.append_items("new"), edits.reload_items(5),
])  # fmt: skip
@pytest.mark.parametrize("content", ["both", True, None])
def test_reading_the_rows_costs_what_changed(edit: Any, content: Any) -> None:
    traffic = io.BytesIO()
    with listd.spawn(log=traffic) as daemon:
        inbox = daemon.list("inbox")
        inbox.apply([{"id": id, "text": "row"} for id in range(2000)])
        size = traffic.tell()
        change = inbox.edit(edit, content=content)
        [row] = change.each()
        assert row.id in (7, 1990, 9, "new", 5)
        assert traffic.tell() - size < 4000
        if content is None and row.id == 5:
            return  # Only the present list contains it.
        # Also if the list has changed since.
        inbox.apply(["z"])
        size = traffic.tell()
        assert list(change.each()) == [row]
        assert traffic.tell() - size < 4000
        assert list(inbox.each(pickle.loads(pickle.dumps(change)))) == [row]


def test_the_rows_of_a_change_that_a_subscription_reports(inbox: NamedList) -> None:
    """Its reply has no ops."""
    with inbox.subscribe() as news:
        next(news)
        change = inbox.apply(["a", "b", "c"])
        assert change.format == "none" and [row.id for row in change.each()] == ["a", "b", "c"]
        assert list(change.each()) == list(next(news).each())  # type: ignore[union-attr]
        change = inbox.edit(edits.move_items("c", before="a"))
        assert [(row.kind, row.from_, row.to) for row in change.each()] == [("move", (0, 2), (0, 0))]


def test_changes_are_values(daemon: listd.Daemon, inbox: NamedList) -> None:
    change = inbox.apply(["a", "b"])
    copy = pickle.loads(pickle.dumps(change))
    assert copy == change and copy.wire == change.wire
    assert len(list(change.each())) == 2
    with pytest.raises(ValueError, match="request `content="):
        copy.each()
    snapshot = inbox.snapshot()
    assert pickle.loads(pickle.dumps(snapshot)) == snapshot
    daemon.close()
    with pytest.raises(listd.Closed):
        change.each()


def test_a_change_does_not_keep_its_daemon() -> None:
    daemon = listd.spawn()
    change = daemon.list("a").apply(["a"])
    daemon.close()
    del daemon
    gc.collect()
    with pytest.raises(listd.Closed, match="connection of the change"):
        change.each()


@pytest.mark.parametrize("format", ["stages", "ops"])
def test_a_mirror_that_cannot_follow_is_as_it_was(inbox: NamedList, rng: random.Random, format: listd.Format) -> None:
    """Also if several ops before the one that does not fit were applied."""
    failures = 0
    for _ in range(60):
        inbox.apply(sections=random_sections(rng))
        mirror = Mirror()
        mirror.take(inbox.snapshot())
        change = inbox.apply(sections=random_sections(rng), format=format, content=True)
        # Another list of the same revision.
        mirror.take(listd.Snapshot.read({
            "list": "inbox", "revision": change.base_revision, "sections": random_sections(rng), "selection": [],
            "cursor": None,
        }))  # fmt: skip
        before = [{**section, "items": list(section["items"])} for section in mirror.sections]
        try:
            mirror.take(change)
        except listd.OutOfStep:
            failures += 1
            assert mirror.sections == before and mirror.revision == change.base_revision
    assert failures > 10


def test_many_ranges_at_once(inbox: NamedList, rng: random.Random) -> None:
    """Lists are written anew if more than a few ranges change."""
    mirror = Mirror()
    items = list(range(3000))
    for _ in range(6):
        mirror.take(inbox.apply(items, content=True))
        assert mirror.sections == [{"id": "main", "items": items}]
        rng.shuffle(items)
        items = [item for item in items if item % 7]
        for item in range(500):
            items.insert(rng.randrange(len(items)), 7 * (item + 1) * 10_000 + rng.randrange(10_000))
        items = list(dict.fromkeys(items))
    change = inbox.apply(items, content=True)
    with pytest.raises(listd.OutOfStep):
        short = Mirror()
        short.take(listd.Snapshot.read({
            "list": "inbox", "revision": change.base_revision, "sections": [{"id": "main", "items": [Path(0, 0)]}],
            "selection": [], "cursor": None,
        }))  # fmt: skip
        short.take(change)
