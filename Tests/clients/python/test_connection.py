"""Connecting and disconnecting, and their errors."""

# Promise: If the daemon dies, is silent or sends invalid messages, all pending calls fail. Also `test_aio.py`,
#   `Tests/clients/shell.sh`.

from __future__ import annotations

import json
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable

import listd
import pytest
from listd import finding

ROOT = Path(__file__).resolve().parents[3]
Fake = Callable[..., str]


def test_closing_ends_the_session(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with listd.spawn(log=log) as daemon:
        daemon.list("inbox").apply(["ä"])
    with pytest.raises(listd.Closed):
        daemon.lists()
    daemon.close()
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    asked = [line["message"].get("method") for line in lines if line["from"] == "client"]
    assert asked == ["initialize", "initialized", "applySnapshot", "shutdown", "exit"]
    answered = [line["message"]["id"] for line in lines if line["from"] == "server"]
    assert answered == [1, 2, 3]
    assert all(set(line) == {"at", "from", "message"} for line in lines)
    subprocess.run([listd.find(), "replay", log], check=True, timeout=30)


def test_the_daemon_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("named", "bin/listd", "listd", "repository/.build/debug/listd"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setattr(finding, "REPOSITORY", tmp_path / "repository")
    monkeypatch.setattr(finding, "PACKAGES", [tmp_path / "lib" / "python3.9" / "site-packages"])
    monkeypatch.setenv("LISTD", str(tmp_path / "named"))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert listd.find() == str(tmp_path / "named")
    monkeypatch.delenv("LISTD")
    assert listd.find() == str(tmp_path / "bin/listd")
    (tmp_path / "bin/listd").unlink()
    assert listd.find() == str(tmp_path / "listd")
    (tmp_path / "listd").unlink()
    assert listd.find() == str(tmp_path / "repository/.build/debug/listd")
    (tmp_path / "repository/.build/debug/listd").unlink()
    with pytest.raises(listd.DaemonNotFound):
        listd.find()
    monkeypatch.setenv("LISTD", str(tmp_path / "nothing"))
    with pytest.raises(listd.DaemonNotFound, match="nothing"):
        listd.find()


def test_attaching_to_a_running_daemon() -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([listd.find()], stdin=pipe, stdout=pipe) as process:
        with listd.attach(process.stdout, process.stdin) as daemon:
            daemon.list("l").apply(["a"])
            assert [received.list for received in daemon.lists()] == ["l"]
        assert process.wait(10) == 0


def test_a_daemon_behind_a_socket() -> None:
    ours, theirs = socket.socketpair()
    process = subprocess.Popen([listd.find()], stdin=theirs.fileno(), stdout=theirs.fileno())
    theirs.close()
    with listd.attach(ours.makefile("rb"), ours.makefile("wb")) as daemon:
        assert daemon.lists() == []
    assert process.wait(10) == 0
    ours.close()


def test_the_end_of_the_daemon_fails_all_waiting_calls(fake: Fake) -> None:
    body = """
first = ask()
reply(first["id"], {"list": "l", "revision": 0, "snapshot": {"sections": []},
                    "selection": [], "cursor": None})
second = ask()
reply(second["id"], {"list": "m", "revision": 0, "snapshot": {"sections": []},
                     "selection": [], "cursor": None})
ask(), ask()
print("out of luck", file=sys.stderr)
sys.exit(3)
"""
    daemon = listd.spawn(fake(body))
    news = daemon.list("l").subscribe()
    ended: "queue.Queue[Any]" = queue.Queue()
    daemon.list("m").listen(lambda _: None, ended=ended.put)
    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(daemon.lists) for _ in range(2)]
        caught = [future.exception(10) for future in asked]
    assert news.next(timeout=10)
    with pytest.raises(listd.DaemonGone):
        news.next(timeout=10)
    with pytest.raises(listd.DaemonGone):
        list(news)
    for why in [*caught, ended.get(timeout=10)]:
        assert isinstance(why, listd.DaemonGone)
        assert why.code == 3 and "out of luck" in str(why)
    with pytest.raises(listd.DaemonGone):
        daemon.lists()
    started = time.monotonic()
    daemon.close()
    assert time.monotonic() - started < 5


def test_the_daemon_is_killed() -> None:
    with listd.spawn() as daemon:
        assert daemon._process
        threading.Timer(0.2, daemon._process.send_signal, [signal.SIGKILL]).start()
        with pytest.raises(listd.DaemonGone) as gone:
            while True:
                daemon.lists()
        assert gone.value.code == -signal.SIGKILL


@pytest.mark.parametrize("body, why", [
    ("ask()\nsay('{\"jsonrpc\": \"2.0\",')", "middle of a message"),
    ("ask()\nsay('Hello!\\n')\nask()", "invalid message"),
    ("ask()\nsay('[1, 2]\\n')\nask()", "invalid message"),
    ("ask()\nos.write(1, b'{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":\"\\xff\"}\\n')\nask()", "invalid message"),
    ("ask()\nos.close(1)\nask()", "ended"),
])  # fmt: skip
def test_invalid_messages_end_the_session(fake: Fake, body: str, why: str) -> None:
    daemon = listd.spawn(fake(body))
    with pytest.raises(listd.DaemonGone, match=why):
        daemon.lists()
    daemon.close()


def test_a_program_that_is_not_a_daemon() -> None:
    with pytest.raises(listd.DaemonGone):
        listd.spawn("/bin/true")


def test_half_lines_and_many_at_once(fake: Fake) -> None:
    body = """
one, two = ask()["id"], ask()["id"]
text = '{"jsonrpc":"2.0","id":%d,"result":{"lists":[]}}\\r\\n\\n'
text = text % one + text % two
for piece in text[:9], text[9:20], text[20:]:
    say(piece)
    time.sleep(0.05)
ask()
"""
    with listd.spawn(fake(body)) as daemon:
        with ThreadPoolExecutor(2) as pool:
            asked = [pool.submit(daemon.lists) for _ in range(2)]
            assert [future.result(10) for future in asked] == [[], []]


def test_a_request_of_the_daemon_is_answered(fake: Fake) -> None:
    body = """
mine = ask()["id"]
say('{"jsonrpc":"2.0","id":1,"method":"window/ask"}\\n')
answer = ask()
reply(mine, {"lists": [], "answer": answer})
ask()
"""
    with listd.spawn(fake(body)) as daemon:
        answer = daemon.call("getLists")["answer"]
        assert answer["id"] == 1 and answer["error"]["code"] == -32601


def test_an_error_without_an_id_is_for_the_oldest_request(fake: Fake) -> None:
    body = """
ask()
error = {"code": -32700, "message": "not understood"}
say(json.dumps({"jsonrpc": "2.0", "id": None, "error": error}) + "\\n")
ask()
"""
    with listd.spawn(fake(body)) as daemon:
        with pytest.raises(listd.Refused, match="not understood"):
            daemon.lists()


def test_timeouts_cancel(fake: Fake) -> None:
    body = """
late, cancel = ask(), ask()
reply(late["id"], {"lists": "too late"})
reply(ask()["id"], cancel)
ask()
"""
    with listd.spawn(fake(body)) as daemon:
        with pytest.raises(listd.TimedOut):
            daemon.call("getLists", timeout=0.1)
        cancel = daemon.call("getLists")
        assert cancel["method"] == "$/cancelRequest" and cancel["params"] == {"id": 2}


def test_a_daemon_that_does_not_read(fake: Fake) -> None:
    daemon = listd.spawn(fake("time.sleep(60)", limit=1 << 30))
    daemon.timeout = 0.2
    with pytest.raises(TimeoutError):
        daemon.list("l").apply(["x" * 1_000_000])
    with pytest.raises(listd.TimedOut):
        daemon.list("l", timeout=0.1).snapshot()
    daemon.close(timeout=0.2)


def test_big_messages(daemon: listd.Daemon, inbox: listd.NamedList) -> None:
    items = [{"id": number, "text": "🙂" * 40} for number in range(60_000)]
    inbox.apply(items)
    assert inbox.snapshot().sections[0]["items"] == items


def test_a_message_that_is_too_large(fake: Fake) -> None:
    body = """
reply(ask()["id"], {"lists": []})
ask()
"""
    with listd.spawn(fake(body, limit=1000)) as daemon:
        with pytest.raises(listd.MessageTooLarge) as large:
            daemon.list("l").apply(["x" * 1000])
        assert large.value.data["limit"] == 1000 < large.value.data["bytes"]
        assert daemon.lists() == []


def test_many_threads(daemon: listd.Daemon) -> None:
    def work(number: int) -> None:
        own = daemon.list(f"list {number}")
        for step in range(50):
            own.apply(list(range(step)))
            assert own.window(0, 0).total == step

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert sorted(received.items for received in daemon.lists()) == [49] * 8


def test_the_daemon_ends_with_a_program_that_does_not_close_it() -> None:
    program = f"""
import sys
sys.path.insert(0, {str(ROOT / "clients" / "python")!r})
import listd
daemon = listd.spawn()
print(daemon._process.pid)
"""
    ran = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, timeout=30)
    assert ran.returncode == 0
    pid = int(ran.stdout)
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        if "Z" in Path(f"/proc/{pid}/stat").read_text().split(")")[1][:3]:
            return
        time.sleep(0.05)
    raise AssertionError("the daemon still runs")
