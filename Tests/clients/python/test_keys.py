"""Lists whose items are identified by members, and what subscriptions of them may leave out."""

# Promise: In Python items without `id` have the identifiers that the daemon gives them; mirrors equal their lists
#   whatever a subscription leaves out. Also `Tests/clients/python`.

from __future__ import annotations

import asyncio
import io
import pickle
import random
from typing import Any, Dict, List

import listd
import pytest
from listd import Mirror, NamedList, aio, edits, id_of

KEYS: List[Any] = ["k", "a.b", ["k"], ["k", "a.b"], ["a.b", "n"]]


def random_value(rng: random.Random) -> Any:
    return rng.choice([
        rng.randrange(-3, 4), float(rng.randrange(3)), rng.randrange(9) + 0.5, -0.0, 1e21, 2**70, True, None, "",
        f"s{rng.randrange(9)}", 'ä"\\\n\u2028\b\f\x7f', [1, {"z": "\\t", "a": None}], {"b": rng.randrange(3)},
    ])  # fmt: skip


def test_identifiers_are_those_of_the_daemon(inbox: NamedList, rng: random.Random) -> None:
    refused = 0
    for _ in range(400):
        key = rng.choice(KEYS)
        item: Any = {"k": random_value(rng), "a": {"b": random_value(rng)}, "n": rng.randrange(3)}
        if rng.random() < 0.2:
            item["a.b"] = random_value(rng)
        if rng.random() < 0.2:
            item["id"] = rng.choice([None, "own", 3, 4.0])
        if rng.random() < 0.1:
            item = rng.choice(["bare", 7])
        elif rng.random() < 0.1:
            item["parts"] = ["p"]
        try:
            inbox.apply([item], key=key, selected=[listd.Path(0, 0)])
        except listd.InvalidParams as why:
            refused += 1
            assert "missing" in str(why) and id_of(item, key) is None
            continue
        row = inbox.window(0, 1).rows[0].content
        [gone] = inbox.apply([]).deselected
        assert gone.id == id_of(item, key) == id_of(row, key), (key, item)
        assert type(gone.id) is type(id_of(row, key))
    assert 5 < refused < 200


def test_items_without_an_identifier() -> None:
    for item in ({"n": 1}, 1.5, None, True, [1], {"id": None}, {"$item": {"n": 1}, "$part": 1}):
        assert id_of(item, None) is None
    assert id_of({"n": None}, "n") is id_of({"a": 1}, "a.b") is id_of({"n": 1}, ["n", "m"]) is None


def test_a_list_with_a_key(daemon: listd.Daemon) -> None:
    jobs = daemon.list("jobs", key="pid")
    with jobs.subscribe(content="both") as news:
        next(news)
        jobs.apply([{"pid": 1, "state": "runs"}, {"pid": 2, "state": "runs"}])
        jobs.edit(edits.put_items({"pid": 2, "state": "ended"}, {"pid": 3, "state": "runs"}))
        change = jobs.edit(edits.delete_items(1))
        found = [[(row.kind, row.id) for row in next(news).each()] for _ in range(3)]  # type: ignore[union-attr]
        assert found == [[("insert", 1), ("insert", 2)], [("update", 2), ("insert", 3)], [("delete", 1)]]
    [row] = jobs.each(pickle.loads(pickle.dumps(change)))
    assert (row.id, row.old) == (1, {"pid": 1, "state": "runs"})
    assert jobs.apply([{"pid": 2, "state": "ended"}]).to_frame()["id"].tolist() == [3]
    assert "<td>2</td>" in jobs.apply([])._repr_html_()
    # One call may name others.
    assert [row.id for row in jobs.apply([{"a": "x", "b": 1}], key=("a", "b")).each()] == ['"x",1']


def test_the_key_is_sent_before_the_items() -> None:
    """The daemon reads them while they arrive, and compares them with those before."""
    traffic = io.BytesIO()
    with listd.spawn(log=traffic) as daemon:
        daemon.list("l").apply([{"k": 1}], key="k")
    [sent] = [line for line in traffic.getvalue().splitlines() if b'"applySnapshot","params"' in line]
    assert 0 < sent.index(b'"key":"k"') < sent.index(b'"items"')


def test_a_list_with_a_key_and_asyncio() -> None:
    async def work() -> None:
        async with await aio.spawn() as daemon:
            jobs = daemon.list("jobs", key="pid")
            heard: "asyncio.Queue[Any]" = asyncio.Queue()
            async with await jobs.subscribe(content="both", moves=False, members=["pid"]) as news:
                await news.__anext__()
                await jobs.listen(heard.put_nowait, content="both", moves=False, members=["pid"])
                await jobs.apply([{"pid": 1, "n": 0}, {"pid": 2, "n": 0}])
                change = await jobs.edit(edits.move_items(2, before=1))
                await heard.get()
                received: Any
                for received in (await news.__anext__(), await heard.get()):
                    assert [(row.kind, row.id) for row in received.each()] == [("insert", 1), ("insert", 2)]
                moved = [(row.kind, row.id, row.old) for row in (await news.__anext__()).each()]  # type: ignore[union-attr]
                assert sorted(moved) == [("delete", 1, {"pid": 1}), ("insert", 1, None)] or moved[0][1] == 2
            [row] = await jobs.each(change)
            assert row.kind == "move" and row.new == {"pid": row.id, "n": 0}

    asyncio.run(asyncio.wait_for(work(), 30))


@pytest.mark.parametrize("format", ["stages", "ops", "jsonPatch"])
@pytest.mark.parametrize("members", [None, ["k", "n"], []])
@pytest.mark.parametrize("moves", [None, False])
def test_mirrors_of_random_changes(
    daemon: listd.Daemon, rng: random.Random, format: listd.Format, members: Any, moves: Any
) -> None:
    """With the old contents and without moves, each change is complete."""
    source, view, mirrors = daemon.list("source", key="k"), daemon.list("view", key="k"), (Mirror(), Mirror())
    view.compose(["source"], view={"sort": [{"by": "n"}]})
    options: Dict[str, Any] = {"content": "both", "moves": moves, "members": members}
    with source.subscribe(format, **options) as first, view.subscribe(format, **options) as second:
        for _ in range(60):
            ids = rng.sample(range(12), rng.randrange(12))
            items = [{"k": id, "n": rng.randrange(3), "text": rng.choice("ab")} for id in ids]
            names = rng.sample("xyz", rng.randrange(1, 4))
            source.apply(sections=[{"id": name, "items": items[index :: len(names)]} for index, name in enumerate(names)])
            for one, mirror, news in ((source, mirrors[0], first), (view, mirrors[1], second)):
                now = one.snapshot(members=members)
                while mirror.revision < now.revision:
                    event = next(news)
                    old = [section["items"] for section in mirror.sections]
                    if isinstance(event, listd.Change) and format == "stages" and moves is False:
                        for row in pickle.loads(pickle.dumps(event)).each():
                            assert row.from_ is None or old[row.from_.section][row.from_.row] == row.old
                            assert members == [] or row.id == (row.old or row.new)["k"]
                    mirror.take(event)
                assert mirror.sections == now.sections
                window = one.window(0, 100, members=members)
                assert [row.content for row in window.rows] == now.items
    wanted = {"k", "n", "text"} if members is None else set(members)
    assert all(set(item) == wanted for item in source.snapshot(members=members).items)


def test_listeners_with_other_options_are_replaced(inbox: NamedList) -> None:
    options: List[Dict[str, Any]] = [
        {}, {"content": "both"}, {"moves": False}, {"members": ["a"]}, {"members": ["a"], "moves": False},
    ]  # fmt: skip
    for index, given in enumerate(options):
        first = inbox.subscribe(**options[index - 1])
        same, other = inbox.subscribe(**options[index - 1]), inbox.subscribe(**given)
        for ended in (first, same):
            assert [type(one).__name__ for one in ended] == ["Snapshot"]
        other.close()
