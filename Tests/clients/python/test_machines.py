"""Lists on several machines, through a Redis stream and through ssh."""

# Promise: Through Redis a list is equal on other machines, whichever process is killed or restarted; followers
#   resume by revision. Also `Tests/clients/python`.

from __future__ import annotations

import getpass
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List

import listd
import pytest

EXAMPLE = Path(__file__).resolve().parents[3] / "clients/python/examples/fanout.py"
PATIENCE = 30.0


def wait(what: str, condition: Callable[[], Any]) -> Any:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.02)
    raise AssertionError(f"timed out: {what}")


class Machines:
    """A Redis server, and daemons and example programs that use it, each with a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.redis = folder / "redis"
        self.processes: Dict[str, "subprocess.Popen[bytes]"] = {}

    def start(self, name: str, *words: str, **more: Any) -> "subprocess.Popen[bytes]":
        self.processes[name] = subprocess.Popen(words, **more)
        return self.processes[name]

    def start_redis(self) -> None:
        self.start(
            "redis", "redis-server", "--port", "0", "--unixsocket", str(self.redis), "--save", "",
            "--dir", str(self.folder), stdout=subprocess.DEVNULL,
        )  # fmt: skip
        wait("redis", self.redis.exists)

    def daemon(self, name: str) -> listd.Daemon:
        path = self.folder / name
        self.start(name, listd.find(), "--listen", str(path), stdin=subprocess.DEVNULL)
        wait("a daemon", path.exists)
        return listd.connect(str(path))

    def fanout(self, name: str, *words: str) -> "subprocess.Popen[bytes]":
        return self.start(
            name, sys.executable, str(EXAMPLE), *words, "--redis", str(self.redis),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={key: value for key, value in os.environ.items() if key != "LISTD_SOCKET"},
        )  # fmt: skip

    def publish(self, *words: str) -> None:
        self.fanout("publisher", "publish", "l", "--socket", str(self.folder / "one"), *words)

    def follow(self) -> None:
        state = ["--state", str(self.folder / "state")]
        self.fanout("follower", "follow", "l", "--socket", str(self.folder / "two"), *state)

    def kill(self, name: str) -> str:
        """Kills a process. Returns its output."""
        process = self.processes.pop(name)
        process.kill()
        return (process.communicate(timeout=PATIENCE)[0] or b"").decode()


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    found = Machines(tmp_path)
    found.start_redis()
    yield found
    for name in list(found.processes):
        found.kill(name)


def items(daemon: listd.Daemon) -> List[Any]:
    try:
        return [item for section in daemon.list("l").snapshot().sections for item in section["items"]]
    except listd.ListNotFound:
        return []


def agree(one: listd.Daemon, two: listd.Daemon) -> None:
    wait("the same list", lambda: items(one) == items(two))


def test_followers_resume_by_revision_and_after_a_gap(machines: Machines) -> None:
    rng = random.Random(1)
    one, two = machines.daemon("one"), machines.daemon("two")
    source = one.list("l")

    def change(count: int) -> None:
        for _ in range(count):
            ids = rng.sample(range(40), rng.randrange(40))
            source.apply([{"id": k, "n": rng.randrange(3), "a/b~c": "é\n"} for k in ids])

    change(1)
    machines.publish("--keep", "20")
    machines.follow()
    change(30)
    agree(one, two)
    before = machines.kill("follower")
    assert '"patch"' in before
    change(5)
    source.select(source.snapshot().sections[0]["items"][0]["id"])
    machines.follow()
    agree(one, two)
    resumed = [json.loads(line) for line in machines.kill("follower").splitlines()]
    assert resumed and all("patch" in received for received in resumed), "it resumes by revision"
    change(100)
    machines.follow()
    agree(one, two)
    received = [json.loads(line) for line in machines.kill("follower").splitlines()]
    assert "sections" in received[0], "after a gap it loads the snapshot"
    assert [b["revision"] - a["revision"] for a, b in zip(received, received[1:])] == [1] * (len(received) - 1)


def test_a_publisher_that_is_killed_publishes_what_was_missed(machines: Machines) -> None:
    one, two = machines.daemon("one"), machines.daemon("two")
    source = one.list("l")
    machines.publish()
    machines.follow()
    source.apply(["a", "b", "c"])
    agree(one, two)
    for k in range(3):
        machines.kill("publisher")
        source.apply(["c", "a", k])
        machines.publish()
        agree(one, two)
    source.remove()
    agree(one, two)
    source.apply(["new"])
    agree(one, two)
    # A daemon without a journal loses its lists.
    one.close()
    machines.kill("one")
    (machines.folder / "one").unlink()
    machines.processes["publisher"].wait(PATIENCE)
    one = machines.daemon("one")
    one.list("l").apply(["other"])
    machines.publish()
    agree(one, two)


def test_redis_that_starts_anew_begins_a_new_stream(machines: Machines) -> None:
    one, two = machines.daemon("one"), machines.daemon("two")
    source = one.list("l")
    machines.publish()
    machines.follow()
    for k in range(10):
        source.apply([k])
    agree(one, two)
    machines.kill("redis")
    machines.redis.unlink()
    source.apply(["while Redis was down"])
    machines.start_redis()
    source.apply(["after it was restarted"])
    agree(one, two)
    source.apply(["later"])
    agree(one, two)


@pytest.fixture
def ssh(tmp_path: Path) -> Iterator[List[str]]:
    """The words of a command that runs other commands with ssh on this machine."""
    program = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin")
    assert program, "openssh-server is installed"
    for name in ("host", "user"):
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / name], check=True
        )
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    config = tmp_path / "config"
    config.write_text(
        f"ListenAddress 127.0.0.1\nPort {port}\nHostKey {tmp_path}/host\nStrictModes no\n"
        f"AuthorizedKeysFile {tmp_path}/user.pub\nUsePAM no\nPidFile {tmp_path}/pid\n"
    )
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)
    process = subprocess.Popen([program, "-D", "-e", "-f", config], stderr=subprocess.DEVNULL)
    options = [
        "-i", f"{tmp_path}/user", "-o", "StrictHostKeyChecking=no", "-o", "LogLevel=ERROR",
        "-o", f"UserKnownHostsFile={tmp_path}/known", "-o", "BatchMode=yes", "-F", "none",
    ]  # fmt: skip
    words = ["ssh", *options, "-p", str(port), f"{getpass.getuser()}@127.0.0.1"]
    wait("sshd", lambda: subprocess.run([*words, "true"]).returncode == 0)
    yield words
    process.terminate()
    process.wait(PATIENCE)


# Promise: Through ssh a client uses a daemon of another machine, and the reason for an end is reported. Also
#   `test_a_broken_ssh_connection_is_reported`.
def test_ssh_is_a_transport(machines: Machines, ssh: List[str]) -> None:
    one = machines.daemon("one")
    remote = [*ssh, listd.find(), "connect", str(machines.folder / "one")]
    with listd.spawn(*remote) as far:
        with far.list("l").subscribe() as news:
            mirror = listd.Mirror()
            mirror.take(news.next(PATIENCE))
            one.list("l").apply(["a", {"id": 1, "text": "é" * 100_000}])
            mirror.take(news.next(PATIENCE))
            assert mirror.sections == one.list("l").snapshot().sections
        far.list("l").apply(["b"])
    assert items(one) == ["b"]
    assert one.lists(), "the daemon continues after the end of the connection"


def test_a_broken_ssh_connection_is_reported(machines: Machines, ssh: List[str]) -> None:
    machines.daemon("one")
    far = listd.spawn(*ssh, listd.find(), "connect", str(machines.folder / "one"))
    far.lists()
    machines.processes["one"].send_signal(signal.SIGKILL)
    with pytest.raises(listd.DaemonGone) as gone:
        for _ in range(1000):
            far.lists()
    assert "closed the connection" in str(gone.value)
    with pytest.raises(listd.DaemonGone) as absent:
        listd.spawn(*ssh, listd.find(), "connect", str(machines.folder / "none"))
    assert "no listd listens at" in str(absent.value)
