"""The handshake, shutdown, and the end of the process."""

from __future__ import annotations

import os
import subprocess

import pytest

from client import Daemon, line, notice, program, request, session

ASK = line(request("getLists", id=9))


def test_initialize(daemon: Daemon) -> None:
    answer = daemon.call("initialize", clientInfo={"name": "t"}, capabilities={}, trace="off")
    assert answer["serverInfo"]["name"] == "listd" and isinstance(answer["serverInfo"]["version"], str)
    assert answer["protocolVersion"] == 1
    capabilities = answer["capabilities"]
    methods = {"applySnapshot", "diff", "select", "getSelection", "getSnapshot", "getLists"}
    assert methods | {"removeList"} <= set(capabilities["methods"])
    assert {"stages", "none"} <= set(capabilities["formats"])
    assert capabilities["maxMessageBytes"] == 256 * 1024 * 1024


def test_every_method_that_is_named_exists(daemon: Daemon) -> None:
    for method in daemon.call("initialize")["capabilities"]["methods"]:
        if method not in ("initialize", "initialized", "shutdown", "exit") and "/" not in method:
            daemon.send(request(method, {"list": 0, "nope": 0}, method))
            assert daemon.reply()["error"]["code"] == -32602, method


def test_every_method_and_feature_may_be_required() -> None:
    with Daemon() as daemon:
        capabilities = daemon.call("initialize")["capabilities"]
    for name in {*capabilities["methods"], *capabilities["features"]}:
        with Daemon() as daemon:
            daemon.call("initialize", require=[name])
    with Daemon() as daemon:
        refusal = daemon.refused(-32602, "initialize", require=["select", "no.such"])
        assert refusal.data["missing"] == ["no.such"]


def test_the_limit_is_in_the_capabilities() -> None:
    with Daemon("--max-message-bytes=5000") as daemon:
        assert daemon.call("initialize")["capabilities"]["maxMessageBytes"] == 5000


def test_the_handshake_is_optional_and_happens_once(daemon: Daemon) -> None:
    daemon.call("getLists")
    daemon.call("initialize")
    daemon.notify("initialized", {})
    daemon.refused(-32600, "initialize", {})
    daemon.call("getLists")


def test_nothing_is_served_after_shutdown(daemon: Daemon) -> None:
    assert daemon.call("shutdown") is None
    daemon.refused(-32600, "getLists")
    daemon.refused(-32600, "shutdown")
    daemon.refused(-32600, "initialize", {})
    daemon.notify("applySnapshot", {"list": "l", "items": []})
    daemon.notify("exit")
    assert daemon.end() == 0


@pytest.mark.parametrize(
    "sent, code, replies",
    [
        (line(request("shutdown")) + line(notice("exit")), 0, 1),
        (line(notice("exit")), 1, 0),
        (line(request("shutdown")), 0, 1),
        (ASK + line(notice("exit")) + ASK, 1, 1),
        (line(request("shutdown")) + line(notice("exit")) + ASK, 0, 1),
        (line([request("shutdown"), notice("exit")]), 0, 1),
    ],
)
def test_exit_codes(sent: bytes, code: int, replies: int) -> None:
    outcome = session(sent)
    assert (outcome.code, len(outcome.lines)) == (code, replies)
    assert outcome.err == ""


def test_exit_ends_the_process_while_input_is_open(daemon: Daemon) -> None:
    daemon.call("shutdown")
    daemon.notify("exit")
    assert daemon.process.wait(5) == 0


def test_a_closed_output_ends_the_process_quietly() -> None:
    reading, writing = os.pipe()
    process = subprocess.Popen(
        [program()], stdin=subprocess.PIPE, stdout=writing, stderr=subprocess.PIPE
    )
    os.close(writing)
    os.close(reading)
    _, errors = process.communicate(ASK * 100, timeout=10)
    assert process.returncode >= 0 and errors == b""


@pytest.mark.parametrize("way", ["initialize", "argument"])
def test_it_ends_with_its_client(way: str) -> None:
    client = subprocess.Popen(["sleep", "60"])
    argument = [f"--client-process-id={client.pid}"] if way == "argument" else []
    with Daemon(*argument) as daemon:
        if way == "initialize":
            daemon.call("initialize", processId=client.pid)
        daemon.call("getLists")
        client.kill()
        client.wait()
        daemon.process.wait(10)


def test_help_and_version() -> None:
    helped, version = session(b"", "--help"), session(b"", "--version")
    assert helped.code == version.code == 0
    assert b"--framing" in helped.out and b"listd" in version.out


@pytest.mark.parametrize(
    "argument", ["--nope", "--framing=xml", "--max-message-bytes=x", "--max-message-bytes=-1"]
)
def test_a_wrong_argument(argument: str) -> None:
    outcome = session(b"", argument)
    assert outcome.code != 0 and outcome.err.strip() and outcome.out == b""


def test_shutdown_takes_no_params(daemon: Daemon) -> None:
    for params in ({"a": 1}, [1]):
        daemon.send(request("shutdown", params, 1))
        assert daemon.reply()["error"]["code"] == -32602
    assert daemon.call("getLists") == {"lists": []}
