"""A daemon that is shared by several programs."""

# Promise: Python programs share a daemon by `listd.connect`. Also `Tests/clients/python`.

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Iterator

import listd
import pytest
from listd import Change, Mirror, Snapshot


@pytest.fixture
def path(tmp_path: Path) -> Iterator[str]:
    path = tmp_path / "socket"
    process = subprocess.Popen([listd.find(), "--listen", str(path)], stdin=subprocess.DEVNULL)
    while not path.exists() and process.poll() is None:
        time.sleep(0.01)
    yield str(path)
    process.terminate()
    assert process.wait(30) == 0


def test_two_connections_share_lists(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LISTD_SOCKET", path)
    with listd.connect() as one, listd.connect(path) as two:
        mirror = Mirror()
        with one.list("inbox").subscribe("ops") as news:
            mirror.take(news.next(10))
            two.list("inbox").apply(["a", "b"])
            mirror.take(news.next(10))
            assert mirror.sections == [{"id": "main", "items": ["a", "b"]}]
        two.close()
        assert one.list("inbox").snapshot().revision == 1


def test_changes_by_another_program(path: str) -> None:
    code = "import listd, sys; listd.connect(sys.argv[1]).list('inbox').apply(['x'])"
    with listd.connect(path) as daemon:
        inbox = daemon.list("inbox")
        with inbox.subscribe() as news:
            news.next(10)
            environment = {"PYTHONPATH": str(Path(listd.__file__).parents[1])}
            subprocess.run([sys.executable, "-c", code, path], check=True, env=environment)
            assert isinstance(news.next(10), Change)


def test_asyncio(path: str) -> None:
    async def main() -> None:
        async with await listd.aio.connect(path) as one, await listd.aio.connect(path) as two:
            async with await one.list("inbox").subscribe() as news:
                assert isinstance(await news.__anext__(), Snapshot)
                await two.list("inbox").apply(["a"])
                assert isinstance(await news.__anext__(), Change)

    asyncio.run(asyncio.wait_for(main(), 30))


def test_a_missing_daemon_is_started(tmp_path: Path) -> None:
    path = str(tmp_path / "socket")
    with pytest.raises(listd.DaemonNotFound):
        listd.connect(path)
    words = [path, "--exit-when-idle=0.2"]
    with listd.connect(*words, start=True) as one, listd.connect(*words, start=True) as two:
        one.list("inbox").apply(["a"])
        assert [received.list for received in two.lists()] == ["inbox"]


def test_without_a_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LISTD_SOCKET", raising=False)
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    with pytest.raises(listd.DaemonNotFound, match="LISTD_SOCKET"):
        listd.connect()


def test_the_socket_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LISTD_SOCKET", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    with listd.connect(None, "--exit-when-idle=0.2", start=True), listd.connect() as daemon:
        assert (tmp_path / "listd.socket").exists() and list(daemon.lists()) == []


def test_the_end_of_the_daemon(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    process = subprocess.Popen([listd.find(), "--listen", str(path)], stdin=subprocess.DEVNULL)
    while not path.exists():
        time.sleep(0.01)
    daemon = listd.connect(str(path))
    threading.Timer(0.2, process.kill).start()
    with pytest.raises(listd.DaemonGone):
        for _ in daemon.list("inbox").subscribe():
            pass
    process.wait()
    daemon.close()
