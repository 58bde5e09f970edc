"""Features for scripts: keys, values that JSON lacks, changes row by row, and readable
messages."""

# Promise: In Python the rows of a change are those of a comparison of both lists; errors name the item; every
#   public name is documented, and typed for users (basedpyright, if it is installed).

from __future__ import annotations

import asyncio
import datetime
import inspect
import json
import os
import pydoc
import random
import signal
import subprocess
import sys
from decimal import Decimal
from typing import Any, Callable, Dict, List

import listd
import pytest
from listd import Change, NamedList, Path, Snapshot, aio

Fake = Callable[..., str]


def test_a_key_identifies_items(inbox: NamedList) -> None:
    rows = [{"pid": 1, "meta": {"name": "a"}}, {"pid": 2, "meta": {"name": "b"}}]
    inbox.apply(rows, key="pid")
    assert inbox.snapshot().items == rows
    assert inbox.apply(rows[::-1], key="pid").rows == listd.Counts(0, 0, 1, 0)
    assert inbox.apply(rows, key="pid").rows == listd.Counts(0, 0, 1, 0)
    assert inbox.apply(rows, key="meta.name").rows == listd.Counts(2, 2, 0, 0)
    assert inbox.apply(sections=[{"id": "s", "items": rows}], key="meta.name").rows == listd.Counts(0, 0, 2, 0)
    inbox.select("b")
    assert inbox.selection().items == [rows[1]] and "id" not in rows[0]


def test_values_that_json_lacks(inbox: NamedList) -> None:
    day = datetime.date(2026, 1, 2)
    rows = [{"n": Decimal("1.50"), "when": [day], "at": {"day": day}}]
    change = inbox.apply(rows, key="n", default=str)
    received = {"n": "1.50", "when": ["2026-01-02"], "at": {"day": "2026-01-02"}}
    assert inbox.snapshot().sections[0]["items"] == [received] and [row.id for row in change.each()] == ["1.50"]


@pytest.mark.parametrize(
    "items, key, error, received",
    [
        ([{"id": 1}, {"id": 2, "x": [1, {3}]}], None, TypeError, r"items\[1\]\.x\[1\]: a set is not"),
        ([{"id": 1, "v": float("nan")}], None, ValueError, r"items\[0\]\.v: nan is not"),
        ([{"id": 1, (1, 2): 3}], None, TypeError, r"items\[0\]: a tuple cannot be the name"),
        ([{"pid": 1}, {"p": 2}], "pid", ValueError, r"items/1/pid: missing"),
        ([{"m": 1}], "m.n", ValueError, r"items/0/m\.n: missing"),
        ([7], lambda item: item, TypeError, r"a key is the name of a member, or several, not a function"),
        ("abc", None, TypeError, "items is one str"),
        ({"id": 1}, None, TypeError, "items is one dict"),
    ],
)
def test_errors_name_the_item(
    inbox: NamedList, items: Any, key: Any, error: Any, received: str
) -> None:
    with pytest.raises(error, match=received):
        inbox.apply(items, key=key)
    assert inbox.apply(["a"]).revision == 1, "the connection continues"


def test_what_was_received_can_be_passed_on(inbox: NamedList) -> None:
    with inbox.subscribe() as news:
        inbox.apply(["a"], format="ops", content=True)
        inbox.select("a")
        received = [news.next(10) for _ in range(3)]
    assert [type(one).__name__ for one in received] == ["Snapshot", "Change", "Selected"]
    assert json.loads(json.dumps(received[1].wire))["stages"][0][0]["op"] == "insertSections"
    assert received[2].wire["ops"] == [{"op": "selectItems", "at": [0, 0], "count": 1}]
    assert listd.news.read_news("didChange", received[1].wire) == received[1]


def test_words_for_people(inbox: NamedList) -> None:
    change = inbox.apply(["a", "b", "c"])
    assert (str(change), bool(change)) == ("3 inserted; 1 section inserted", True)
    change = inbox.apply(["c", "a", "d"])
    assert (str(change), bool(change)) == ("1 deleted, 1 inserted, 1 moved", True)
    assert "MoveItems" in repr(change)
    same = inbox.apply(["c", "a", "d"])
    assert (str(same), bool(same)) == ("nothing changed", False)
    silent = inbox.apply(["x"], format="none")
    assert (str(silent), bool(silent)) == ("changed", True)
    assert bool(inbox.apply(["y"], max_ops=0)) and not inbox.apply(["y"], format="none")
    assert bool(inbox.edit(listd.edits.reload_items("y")))


def reference(before: Any, after: Any) -> Dict[Any, Any]:
    """The expected changes of rows by identifier, without moves."""
    old, new = ({item["id"]: item for s in received for item in s["items"]} for received in (before, after))
    received: Dict[Any, Any] = {("delete", id): (old[id], None) for id in old.keys() - new.keys()}
    received.update({("insert", id): (None, new[id]) for id in new.keys() - old.keys()})
    same = {id for id in old.keys() & new.keys() if old[id] == new[id]}
    changed = (old.keys() & new.keys()) - same
    return {**received, **{("update", id): (old[id], new[id]) for id in changed}}


def paths(sections: Any) -> Dict[Any, Path]:
    return {
        item["id"]: Path(index, row)
        for index, section in enumerate(sections)
        for row, item in enumerate(section["items"])
    }


def random_sections(rng: random.Random) -> List[Dict[str, Any]]:
    names = rng.sample("abcd", rng.randrange(1, 5))
    made: List[Dict[str, Any]] = [{"id": name, "items": []} for name in names]
    for id in rng.sample(range(10), rng.randrange(10)):
        rng.choice(made)["items"].append({"id": id, "n": rng.randrange(2)})
    return made


@pytest.mark.parametrize("format", ["stages", "ops"])
@pytest.mark.parametrize("content", [True, None])
def test_a_change_row_by_row(
    inbox: NamedList, rng: random.Random, format: listd.Format, content: Any
) -> None:
    before: List[Dict[str, Any]] = []
    for _ in range(25):
        after = random_sections(rng)
        change = inbox.apply(sections=after, format=format, content=content)
        received = list(change.each())
        assert received == list(inbox.each(change))
        moves = [one for one in received if one.kind == "move"]
        found = {(one.kind, one.id): (one.old, one.new) for one in received if one.kind != "move"}
        assert found == reference(before, after)
        assert change.rows is not None and len(moves) == change.rows.moves
        assert len(received) == len(found) + len(moves)
        old, new = paths(before), paths(after)
        for one in received:
            assert (one.from_, one.to) == (old.get(one.id), new.get(one.id)), one
        before = after


def test_row_by_row_by_hand(daemon: listd.Daemon, inbox: NamedList) -> None:
    parts = {"id": 1, "parts": ["head", {"id": "t", "text": "Hi"}]}
    inbox.apply([parts, "x", {"no": "id"}])
    change = inbox.apply(["x", {**parts, "parts": ["head", {"id": "t", "text": "Ho"}]}])
    received = [(one.kind, one.id, str(one)) for one in change.each()]
    assert received[0] == ("delete", None, "deleted {'no': 'id'} at 0.3")
    assert received[1][:2] == ("move", "x") and received[1][2] == "moved x from 0.2 to 0.0"
    assert received[2][:2] == ("update", 1) and "'Ho'" in received[2][2]
    difference = daemon.diff(["a", "b"], ["b", "c"], content="both", moves=False)
    assert [str(one) for one in difference.each()] == ["deleted a at 0.0", "inserted c at 0.1"]
    with pytest.raises(ValueError, match="request `content="):
        list(daemon.diff(["a", "b"], ["b", "c"], content=True).each())
    with pytest.raises(ValueError, match="jsonPatch"):
        list(inbox.apply([], format="jsonPatch").each())


def test_row_by_row_with_asyncio() -> None:
    async def work() -> None:
        async with await aio.spawn() as daemon:
            inbox = daemon.list("l")
            await inbox.apply(["a", "b"])
            received = await inbox.each(await inbox.apply(["b", "c"]))
            assert [str(one) for one in received] == ["deleted a at 0.0", "inserted c at 0.1"]

    asyncio.run(asyncio.wait_for(work(), 30))


def test_signatures_of_methods() -> None:
    for of_daemon, of_list in ((listd.Daemon, NamedList), (aio.Daemon, aio.NamedList)):
        received = inspect.signature(of_daemon.diff)
        assert list(received.parameters) == ["self", "old", "new", "format", "content", "moves", "max_ops", "key"]
        assert received.return_annotation == "Difference"
        assert list(inspect.signature(of_daemon.lists).parameters) == ["self"]
        assert list(inspect.signature(of_list.apply).parameters)[:2] == ["self", "items"]
        assert "key" in pydoc.render_doc(of_list.apply) and "identifies items" in pydoc.render_doc(of_list)


def test_subscriptions_share_notifications(daemon: listd.Daemon, inbox: NamedList) -> None:
    first, second = inbox.subscribe(), inbox.subscribe(content=True)
    heard: List[Any] = []
    listening = inbox.listen(heard.append, "stages")
    inbox.apply(["a"])
    for news in (first, second):
        assert [type(news.next(10)) for _ in range(2)] == [Snapshot, Change]
    first.close()
    inbox.apply(["b"])
    assert second.next(10).revision == 2  # type: ignore[union-attr]
    second.close()
    listening.close()
    assert inbox.apply(["c"]).format == "stages", "the subscription has ended"
    third = inbox.subscribe()
    assert third.next(10).revision == 3  # type: ignore[union-attr]
    third.close()


def test_callbacks_that_are_coroutines(inbox: NamedList) -> None:
    async def callback(news: listd.News) -> None:
        raise AssertionError

    with pytest.raises(TypeError, match="listd.aio"):
        inbox.listen(callback)  # type: ignore[arg-type]

    async def work() -> None:
        received: List[str] = []
        ended: "asyncio.Future[Any]" = asyncio.get_running_loop().create_future()

        async def slow(news: listd.News) -> None:
            received.append(f"{type(news).__name__} begins")
            await asyncio.sleep(0.02)
            received.append("ends")
            if len(received) == 4:
                raise ValueError("a failing callback does not end the subscription")

        async with await aio.spawn() as daemon:
            inbox = daemon.list("l")
            listening = await inbox.listen(slow, ended=ended.set_result)
            await inbox.apply(["a"])
            await inbox.apply(["b"])
            await listening.close()
            assert await asyncio.wait_for(ended, 10) is None
        news = ["Snapshot", "Change", "Change"]
        assert received == [word for name in news for word in (f"{name} begins", "ends")]

    asyncio.run(asyncio.wait_for(work(), 30))


SCRIPT = """
import sys, time
import listd
with listd.spawn() as daemon:
    try:
        print("ready", flush=True)
        time.sleep(30)
    except KeyboardInterrupt:
        print(daemon.list("l").apply(["a"]).revision, flush=True)
"""


def test_an_interrupt_of_a_script_does_not_reach_its_daemon() -> None:
    path = os.pathsep.join(sys.path)
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, start_new_session=True,
        env={**os.environ, "PYTHONPATH": path},
    ) as process:  # fmt: skip
        assert process.stdout and process.stdout.readline() == b"ready\n"
        os.killpg(process.pid, signal.SIGINT)  # A terminal sends the signal to the whole group.
        assert process.stdout.read() == b"1\n"
    assert process.returncode == 0


def test_a_remote_daemon_does_not_get_a_process_id(tmp_path: Any) -> None:
    # Like ssh and docker: another program runs the daemon where process IDs differ.
    remote = tmp_path / "ssh"
    remote.write_text('#!/bin/sh\nshift\ntee "$0.log" | "$@"\n')
    remote.chmod(0o755)
    log = tmp_path / "ssh.log"
    with listd.spawn(str(remote), "host", listd.find()) as daemon:
        daemon.lists()
    first = json.loads(log.read_text().splitlines()[0])
    assert first["params"]["processId"] is None

    async def work() -> None:
        async with await aio.spawn(str(remote), "host", listd.find()) as daemon:
            await daemon.lists()

    asyncio.run(asyncio.wait_for(work(), 30))
    assert json.loads(log.read_text().splitlines()[0])["params"]["processId"] is None


def test_every_public_name_is_documented() -> None:
    public = [(name, getattr(listd, name)) for name in listd.__all__]
    for module in (listd, aio, listd.edits, listd.ops, listd.protocol, listd.news):
        assert inspect.getdoc(module), module
        public += [(name, one) for name, one in vars(module).items() if not name.startswith("_")]
    seen = 0
    for name, value in public:
        is_ours = getattr(value, "__module__", "").startswith("listd")
        if not is_ours or not (inspect.isclass(value) or inspect.isfunction(value)):
            continue
        assert inspect.getdoc(value), name
        for member, method in inspect.getmembers(value, inspect.isfunction):
            seen += 1
            if not member.startswith("_"):
                assert inspect.getdoc(method), f"{name}.{member}"
    assert seen > 100
