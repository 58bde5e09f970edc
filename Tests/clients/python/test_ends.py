"""How a connection ends: a daemon that dies in any state, cancelled tasks, forks, and daemons that nobody closes."""

# Promise: In Python a daemon may die in any state, and a task be cancelled in any: nothing hangs, threads and
#   processes end, and the exception is `DaemonGone` or `CancelledError`. Also `Tests/clients/python`.

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Callable, Dict, List

import listd
import pytest
from listd import Closed, DaemonGone, Snapshot, aio, edits

PACKAGE = Path(__file__).resolve().parents[3] / "clients" / "python"
BIG = [{"id": id, "text": "x" * 100} for id in range(100_000)]


def kill(daemon: Any) -> None:
    daemon._process.send_signal(signal.SIGKILL)


def in_time(work: Callable[[], Any]) -> Any:
    """The result of work in a thread, which must not hang."""
    results: List[Any] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as why:
            results.append(why)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(30)
    assert results, "it hangs"
    if isinstance(results[0], BaseException):
        raise results[0]
    return results[0]


def idle(daemon: listd.Daemon) -> None:
    kill(daemon)
    daemon.lists()


def in_a_request(daemon: listd.Daemon) -> None:
    daemon._process.send_signal(signal.SIGSTOP)
    threading.Timer(0.1, kill, [daemon]).start()
    daemon.lists()


def in_a_large_message(daemon: listd.Daemon) -> None:
    """The pipe is full, and the rest of the message cannot be written."""
    daemon._process.send_signal(signal.SIGSTOP)
    threading.Timer(0.3, kill, [daemon]).start()
    daemon.list("a").apply(BIG)


def in_a_large_reply(daemon: listd.Daemon) -> None:
    daemon.list("a").apply(BIG)
    threading.Timer(0.02, kill, [daemon]).start()
    while True:
        daemon.list("a").snapshot()


def in_a_subscription(daemon: listd.Daemon) -> None:
    with daemon.list("a").subscribe() as news:
        assert isinstance(next(news), Snapshot)
        kill(daemon)
        next(news)


def in_a_callback(daemon: listd.Daemon) -> None:
    failed: "List[BaseException]" = []
    ended = threading.Event()

    def heard(_: Any) -> None:
        kill(daemon)
        try:
            daemon.lists()
        except listd.ListdError as why:
            failed.append(why)

    def end(why: Any) -> None:
        failed.append(why)
        ended.set()

    daemon.list("a").listen(heard, ended=end)
    assert ended.wait(10) and len(failed) == 2 and failed[0] is failed[1]
    raise failed[0]


def in_reading_the_rows_of_a_change(daemon: listd.Daemon) -> None:
    daemon.list("a").apply(["a", "b"])
    change = daemon.list("a").edit(edits.delete_items("a"))
    kill(daemon)
    change.each()


STATES = [
    idle, in_a_request, in_a_large_message, in_a_large_reply, in_a_subscription, in_a_callback,
    in_reading_the_rows_of_a_change,
]  # fmt: skip


@pytest.mark.parametrize("state", STATES)
def test_a_daemon_that_dies(state: Callable[[listd.Daemon], None]) -> None:
    daemon = listd.spawn()
    with pytest.raises(DaemonGone) as gone:
        in_time(lambda: state(daemon))
    assert gone.value.code == -signal.SIGKILL
    assert repr(daemon).startswith("<listd.Daemon: listd ended")
    with pytest.raises(DaemonGone):
        daemon.list("a").subscribe()
    in_time(daemon.close)
    assert not [thread for thread in daemon._link._threads if thread.is_alive()]


def test_a_daemon_that_dies_while_it_is_closed() -> None:
    daemon = listd.spawn()
    news = daemon.list("a").subscribe()
    daemon._process.send_signal(signal.SIGSTOP)
    threading.Timer(0.1, kill, [daemon]).start()
    in_time(daemon.close)
    assert isinstance(next(news), Snapshot)
    with pytest.raises(DaemonGone):
        next(news)
    with pytest.raises(DaemonGone):
        daemon.lists()
    daemon.close()


def test_a_daemon_that_is_stopped_is_killed_when_it_is_closed() -> None:
    daemon = listd.spawn(timeout=0.2)
    daemon._process.send_signal(signal.SIGSTOP)
    with pytest.raises(listd.TimedOut):
        daemon.lists()
    in_time(lambda: daemon.close(timeout=0.2))
    assert daemon._process.returncode == -signal.SIGKILL


def run(work: Any) -> Any:
    return asyncio.run(asyncio.wait_for(work, 30))


async def later(seconds: float, work: Callable[[], None]) -> None:
    await asyncio.sleep(seconds)
    work()


async def idle_async(daemon: aio.Daemon) -> None:
    kill(daemon)
    await daemon.lists()


async def in_a_large_message_async(daemon: aio.Daemon) -> None:
    daemon._process.send_signal(signal.SIGSTOP)
    task = asyncio.create_task(later(0.3, lambda: kill(daemon)))
    await daemon.list("a").apply(BIG)
    await task


async def in_a_subscription_async(daemon: aio.Daemon) -> None:
    async with await daemon.list("a").subscribe() as news:
        async for _ in news:
            kill(daemon)


async def in_rows_async(daemon: aio.Daemon) -> None:
    change = await daemon.list("a").apply(["a"])
    kill(daemon)
    await daemon.list("a").each(change)


@pytest.mark.parametrize(
    "state", [idle_async, in_a_large_message_async, in_a_subscription_async, in_rows_async]
)
def test_a_daemon_that_dies_with_asyncio(state: Any) -> None:
    async def work() -> None:
        daemon = await aio.spawn()
        with pytest.raises(DaemonGone) as gone:
            await state(daemon)
        assert gone.value.code == -signal.SIGKILL
        with pytest.raises(DaemonGone):
            await daemon.lists()
        await daemon.close()
        assert not [task for task in asyncio.all_tasks() if "_read" in repr(task)]

    run(work())


async def follow(daemon: aio.Daemon) -> None:
    async with await daemon.list("a").subscribe() as news:
        async for _ in news:
            pass


@pytest.mark.parametrize("when", ["closing", "closed", "dead", "used"])
def test_a_cancelled_follower_is_cancelled(when: str) -> None:
    async def work() -> None:
        daemon = await aio.spawn()
        task = asyncio.create_task(follow(daemon))
        await daemon.list("a").apply(["a"])
        if when == "dead":
            kill(daemon)
        task.cancel()
        if when in ("closing", "closed"):
            await daemon.close()
        with pytest.raises(asyncio.CancelledError):
            await task
        await daemon.close()

    run(work())


def test_a_closed_connection_ends_followers() -> None:
    async def work() -> None:
        daemon = await aio.spawn()
        tasks = [asyncio.create_task(follow(daemon)) for _ in range(3)]
        await daemon.list("a").apply(["a"])
        await daemon.close()
        assert await asyncio.gather(*tasks) == [None] * 3

    run(work())


def test_cancelling_a_close_kills_the_daemon() -> None:
    async def work() -> None:
        daemon = await aio.spawn()
        process: Any = daemon._process
        process.send_signal(signal.SIGSTOP)
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(daemon.close(), 0.2)
        assert await process.wait() == -signal.SIGKILL
        with pytest.raises(Closed):
            await daemon.lists()

    run(work())


def in_child(daemon: listd.Daemon, news: listd.Subscription, found: Any) -> None:
    texts: Dict[str, str] = {}
    news.next()
    for name, use in (("lists", daemon.lists), ("news", news.next), ("list", lambda: daemon.list("a").apply([1]))):
        start = time.monotonic()
        try:
            use()
        except Closed as why:
            texts[name] = str(why)
        assert time.monotonic() - start < 5
    news.close()
    daemon.close()
    with listd.spawn() as own:
        texts["own"] = str(own.list("a").apply(["b"]).revision)
    found.put(texts)


def test_a_forked_process_has_no_connection() -> None:
    context = multiprocessing.get_context("fork")
    with listd.spawn() as daemon:
        news = daemon.list("a").subscribe()
        found = context.SimpleQueue()
        child = context.Process(target=in_child, args=(daemon, news, found))
        child.start()
        child.join(20)
        assert child.exitcode == 0
        texts = found.get()
        assert "before it was forked: open another one" in texts["lists"]
        assert texts["lists"] == texts["list"] == texts["news"] and texts["own"] == "1"
        assert daemon.list("a").apply(["a"]).revision == 1
        assert [type(news.next(5)) for _ in range(2)] == [Snapshot, listd.Change]


def test_a_daemon_that_nobody_closes_is_a_warning() -> None:
    daemon = listd.spawn()
    process: Any = daemon._process
    assert repr(daemon) == f"<listd.Daemon {daemon.version}, process {process.pid}>"
    assert repr(daemon.list("a")) == f"<list 'a' of {daemon!r}>"
    with pytest.warns(ResourceWarning, match=r"^unclosed <listd.Daemon .*, process \d+>$"):
        del daemon
        gc.collect()
    assert process.wait(10) == 0

    async def work() -> None:
        daemon = await aio.spawn()
        process: Any = daemon._process
        with pytest.warns(ResourceWarning, match=r"^unclosed <listd.aio.Daemon .*, process \d+>$"):
            del daemon
            gc.collect()
        assert await process.wait() == 0

    run(work())


def test_a_daemon_that_was_closed_is_no_warning() -> None:
    code = """
import asyncio, listd
with listd.spawn() as daemon:
    daemon.list("a").listen(print)
async def main():
    async with await listd.aio.spawn() as daemon:
        await daemon.list("a").apply(["a"])
asyncio.run(main())
"""
    ran = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", code], stderr=subprocess.PIPE, timeout=30,
        env={**os.environ, "PYTHONPATH": str(PACKAGE)}, check=True,
    )  # fmt: skip
    assert ran.stderr == b""


def test_waiting_without_a_limit(fake: Callable[..., str]) -> None:
    body = "first = ask(); time.sleep(0.3); reply(first['id'], {'lists': []})\nask()"
    with listd.spawn(fake(body)) as daemon:
        daemon.timeout = 0.1
        assert daemon.call("getLists", timeout=float("inf")) == {"lists": []}
