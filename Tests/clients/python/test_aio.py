"""The client for asyncio."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
from typing import Any, Awaitable, Callable, List

import listd
import pytest
from listd import Change, DaemonGone, Mirror, Selected, Snapshot, aio

Fake = Callable[..., str]


def run(work: Callable[[], Awaitable[Any]]) -> None:
    async def with_timeout() -> None:
        await asyncio.wait_for(work(), 30)

    asyncio.run(with_timeout())


def test_a_mirror_follows_snapshots() -> None:
    async def work() -> None:
        async with await aio.spawn() as daemon:
            inbox, mirror = daemon.list("inbox"), Mirror()
            for items in (["a", "b"], ["b", "c", "a"], ["c"]):
                mirror.take(await inbox.apply(items, content=True))
                assert mirror.sections == (await inbox.snapshot()).sections
            with pytest.raises(listd.ListNotFound):
                await daemon.list("nope").snapshot()
            assert daemon.supports("applySnapshot") and not daemon.supports("fold")
        with pytest.raises(listd.Closed):
            await daemon.lists()

    run(work)


def test_many_at_once() -> None:
    async def work() -> None:
        async with await aio.spawn() as daemon:
            inbox = daemon.list("inbox")
            changes = await asyncio.gather(*(inbox.apply([number]) for number in range(100)))
            assert [change.revision for change in changes] == list(range(1, 101))

    run(work)


@pytest.mark.needs("subscribe")
def test_subscriptions() -> None:
    async def work() -> None:
        async with await aio.spawn() as daemon:
            inbox, other = daemon.list("inbox"), daemon.list("other")
            heard: List[Any] = []
            listening = await other.listen(heard.append, ended=heard.append)
            async with await inbox.subscribe() as news:
                await inbox.apply(["a", "b"])
                await inbox.select("a", cursor="b")
                await other.apply(["c"])
                received = [await news.__anext__() for _ in range(3)]
                assert [type(one) for one in received] == [Snapshot, Change, Selected]
                mirror = Mirror()
                for one in received:
                    mirror.take(one)
                assert mirror.cursor == (0, 1)
            assert [one async for one in news] == []
            await listening.close()
            await other.apply([])
            assert [type(one) for one in heard] == [Snapshot, Change, type(None)]

    run(work)


def test_a_cancelled_call_ends_even_if_its_answer_has_just_arrived(monkeypatch: Any) -> None:
    async def work() -> None:
        async with await aio.spawn() as daemon:
            receive = daemon._conversation.receive

            def receive_and_cancel(data: bytes) -> bytes:
                monkeypatch.undo()
                answer = receive(data)
                task.cancel()
                return answer

            async def call_for_ever() -> None:
                while True:
                    await daemon.lists()

            task = asyncio.ensure_future(call_for_ever())
            monkeypatch.setattr(daemon._conversation, "receive", receive_and_cancel)
            done, _ = await asyncio.wait({task}, timeout=10)
            assert done and task.cancelled()

    run(work)


def test_the_end_of_the_daemon_fails_all_waiting_calls(fake: Fake) -> None:
    body = """
for name in "lm":
    reply(ask()["id"], {"list": name, "revision": 0, "snapshot": {"sections": []},
                        "selection": [], "cursor": None})
ask(), ask()
print("out of luck", file=sys.stderr)
sys.exit(3)
"""

    async def work() -> None:
        daemon = await aio.spawn(fake(body))
        ended: List[Any] = []
        news = await daemon.list("l").subscribe()
        await daemon.list("m").listen(lambda _: None, ended=ended.append)
        failed = await asyncio.gather(daemon.lists(), daemon.lists(), return_exceptions=True)
        assert isinstance(await news.__anext__(), Snapshot)
        with pytest.raises(DaemonGone):
            await news.__anext__()
        for why in [*failed, *ended]:
            assert isinstance(why, DaemonGone) and why.code == 3 and "out of luck" in str(why)
        assert len(ended) == 1
        await daemon.close()

    run(work)


def test_the_daemon_is_killed() -> None:
    async def work() -> None:
        async with await aio.spawn() as daemon:
            assert daemon._process
            daemon._process.send_signal(signal.SIGKILL)
            with pytest.raises(DaemonGone) as gone:
                while True:
                    await daemon.lists()
            assert gone.value.code == -signal.SIGKILL

    run(work)


def test_timeouts_and_cancelled_tasks_cancel(fake: Fake) -> None:
    body = """
asked = [ask() for _ in range(4)]
reply(asked[2]["id"], {"lists": "too late"})
reply(ask()["id"], [asked[1]["params"], asked[3]["params"]])
ask()
"""

    async def work() -> None:
        async with await aio.spawn(fake(body)) as daemon:
            with pytest.raises(listd.TimedOut):
                await daemon.call("getLists", timeout=0.1)
            task = asyncio.create_task(daemon.lists())
            await asyncio.sleep(0.05)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert await daemon.call("getLists") == [{"id": 2}, {"id": 3}]

    run(work)


def test_programs_that_are_not_daemons(fake: Fake) -> None:
    async def work() -> None:
        with pytest.raises(DaemonGone):
            await aio.spawn("/bin/true")
        daemon = await aio.spawn(fake("ask()\nsay('Hello!\\n')\nask()"))
        with pytest.raises(DaemonGone, match="invalid message"):
            await daemon.lists()
        await daemon.close()
        daemon = await aio.spawn(fake("time.sleep(60)"))
        daemon.timeout = 0.1
        with pytest.raises(listd.TimedOut):
            await daemon.lists()
        await daemon.close(timeout=0.1)

    run(work)


def test_attaching_to_a_running_daemon() -> None:
    async def work() -> None:
        ours, theirs = socket.socketpair()
        process = subprocess.Popen(
            [listd.find()], stdin=theirs.fileno(), stdout=theirs.fileno()
        )
        theirs.close()
        reader, writer = await asyncio.open_connection(sock=ours)
        async with await aio.attach(reader, writer) as daemon:
            big: List[listd.Item] = ["x" * 1_000_000, "y" * 1_000_000]
            await daemon.list("l").apply(big)
            assert (await daemon.list("l").snapshot()).sections[0]["items"] == big
        assert process.wait(10) == 0

    run(work)
