"""Clients that stop reading, close a pipe, write byte by byte, or send signals."""

# Promise: A client that stops reading, dies, or writes byte by byte disturbs nothing and loses nothing.

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

import pytest

from client import PATIENCE, Daemon, frame, line, program, request
from rounds import rounds

SNAPSHOT = request("applySnapshot", {"list": "l", "items": ["x" * 400 + str(k) for k in range(9000)]})
LARGE = line(SNAPSHOT)
READ = line(request("getSnapshot", {"list": "l"}))


def started(*args: str, **more) -> subprocess.Popen:
    return subprocess.Popen(
        [program(), *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more
    )  # fmt: skip


def memory(process: subprocess.Popen) -> int:
    """Resident memory, in bytes."""
    pages = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def test_a_client_that_stops_reading_costs_bounded_memory() -> None:
    process = started()
    process.stdin.write(LARGE)
    process.stdin.flush()
    os.set_blocking(process.stdin.fileno(), False)
    sent, most, idle = 0, 0, 0
    data = READ * 2000
    while idle < 20:
        try:
            sent += os.write(process.stdin.fileno(), data)
            idle = 0
        except BlockingIOError:
            idle += 1
            time.sleep(0.02)
        most = max(most, memory(process))
    assert sent < 40 << 20 and most < 120 << 20, (sent, most)
    process.kill()
    process.communicate()


def test_a_client_that_reads_late_gets_everything() -> None:
    process = started()
    process.stdin.write(LARGE + READ * 30)
    process.stdin.flush()
    time.sleep(0.3)
    out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0 and out.count(b"\n") == 31


@pytest.mark.parametrize("journaled", [False, True])
def test_a_client_that_stops_reading_loses_nothing(tmp_path: Path, journaled: bool) -> None:
    """Sends many more requests than all buffers hold, then reads all answers, in order."""
    journal = ("--journal", str(tmp_path / "journal")) if journaled else ()
    process = started("--history-bytes", "1M", *journal)
    count = 30_000
    asked = (
        line(request("applySnapshot", {"list": "l", "items": [k, "x" * 900]}, k)) for k in range(count)
    )
    writer = threading.Thread(target=lambda: (process.stdin.writelines(asked), process.stdin.close()))
    writer.start()
    time.sleep(0.5)
    most = memory(process)
    assert writer.is_alive(), "the daemon is to stop taking what it cannot answer"
    for k in range(count):
        response = process.stdout.readline()
        assert response.startswith(b'{"jsonrpc":"2.0","id":%d,"result":{' % k)
        if k % 1000 == 0:
            most = max(most, memory(process))
    writer.join(PATIENCE)
    assert process.stdout.read() == b"" and process.wait(PATIENCE) == 0
    assert most < 64 << 20, most


def test_sockets_with_small_buffers() -> None:
    """Reads and writes are partial."""
    mine, other = socket.socketpair()
    for end in (mine, other):
        for size in (socket.SO_SNDBUF, socket.SO_RCVBUF):
            end.setsockopt(socket.SOL_SOCKET, size, 4096)
    process = subprocess.Popen([program()], stdin=other, stdout=other)
    other.close()
    sender = threading.Thread(target=lambda: (mine.sendall(LARGE + READ), mine.shutdown(socket.SHUT_WR)))
    sender.start()
    response = b""
    while block := mine.recv(1 << 16):
        response += block
    sender.join(PATIENCE)
    lines = response.splitlines()
    assert process.wait(PATIENCE) == 0 and len(lines) == 2
    assert json.loads(lines[1])["result"]["sections"][0]["items"] == json.loads(LARGE)["params"]["items"]


# Promise: A client that writes before it reads does not wait.
def test_a_client_that_writes_before_it_reads_does_not_wait() -> None:
    """Short requests whose answers fill the pipe, then a long one, and only then is anything read."""
    process = started()
    items = ["x" * 400 + str(k) for k in range(600)]
    for message in (request("applySnapshot", {"list": "l", "items": items}), request("getLists")):
        process.stdin.write(line(message))
        process.stdin.flush()
        process.stdout.readline()
    data = READ * 8 + LARGE + READ
    writer = threading.Thread(
        target=lambda: (process.stdin.write(data), process.stdin.close()), daemon=True
    )
    writer.start()
    writer.join(PATIENCE)
    kept_waiting = writer.is_alive()
    if kept_waiting:
        process.kill()
    assert not kept_waiting
    response = [json.loads(text)["result"] for text in process.stdout.read().splitlines()]
    assert process.wait(PATIENCE) == 0 and len(response) == 10
    assert all(answer["sections"][0]["items"] == items for answer in response[:8])
    assert response[9]["sections"][0]["items"] == SNAPSHOT["params"]["items"]


def test_large_messages_in_pieces() -> None:
    """They are parsed while they are received, and answered as if they were received at once."""
    draws = random.Random(4)
    asked = []
    # In reused memory, bytes that have not been received yet look like another message.
    for number, text in enumerate("xyxyxyxyxyxxyyxxyyxxyyxxyy"):
        items: list = [{"id": k, "text": text * 36} for k in range(30_000)]
        if number % 9 == 8:
            draws.shuffle(items)
            items.append("y" * 700_000)
        asked.append(request("applySnapshot", {"list": "l", "items": items, "content": True}, number))
        asked.append(request("getLists", {}, f"after {number}"))
    whole = started()
    expected, _ = whole.communicate(b"".join(map(line, asked)), timeout=PATIENCE)
    with Daemon("--history-bytes", "1M", framing="lsp") as daemon:
        for message, answer in zip(asked, expected.splitlines()):
            rest = frame(message)
            while rest:
                count = draws.choice([1, 40, 5_000, 70_000, 300_000, 1_300_000])
                daemon.raw(rest[:count])
                rest = rest[count:]
                time.sleep(draws.random() * 0.004)
            assert daemon.receive().encode() == answer


def test_a_closed_output_ends_the_process() -> None:
    process = started()
    process.stdout.close()
    process.stdin.write(LARGE + READ)
    try:
        process.stdin.flush()
        process.stdin.close()
    except BrokenPipeError:
        pass
    assert process.wait(PATIENCE) == 0 and process.stderr.read() == b""


@pytest.mark.parametrize("wrap", [line, frame])
@pytest.mark.parametrize("cut", [1, 20, len(LARGE) // 2, len(LARGE) - 2])
def test_an_input_that_ends_inside_a_message(cut: int, wrap) -> None:
    process = started()
    out, err = process.communicate(wrap(SNAPSHOT)[:cut], timeout=PATIENCE)
    assert process.returncode == 1 and out == b"" and err


def test_a_killed_client_leaves_no_daemon(tmp_path: Path) -> None:
    script = f"exec 3> >({program()} >/dev/null; echo ended > {tmp_path}/end); kill -9 $$"
    subprocess.run(["bash", "-c", script], timeout=PATIENCE)
    deadline = time.monotonic() + PATIENCE
    while not (tmp_path / "end").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert (tmp_path / "end").exists()


@pytest.mark.parametrize("wrap", [line, frame])
def test_byte_by_byte(wrap) -> None:
    process = started()
    data = b"".join(wrap(request("applySnapshot", {"list": "l", "items": [k]})) for k in range(5))
    for k in range(len(data)):
        os.write(process.stdin.fileno(), data[k : k + 1])
    out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0 and out.count(b'"revision":') == 5


def test_signals_do_not_disturb() -> None:
    """Stopping and continuing a process interrupts its reads and writes."""
    with Daemon() as daemon:
        for k in range(rounds(60)):
            daemon.send(request("applySnapshot", {"list": "l", "items": [k, "x" * 100_000]}, k))
            daemon.process.send_signal(signal.SIGSTOP if k % 2 else signal.SIGWINCH)
            daemon.process.send_signal(signal.SIGCONT)
            assert daemon.reply()["result"]["revision"] == k + 1


def test_non_blocking_pipes() -> None:
    inward, outward = os.pipe(), os.pipe()
    for end in (inward[0], outward[1]):
        os.set_blocking(end, False)
    process = subprocess.Popen([program()], stdin=inward[0], stdout=outward[1])
    os.close(inward[0])
    os.close(outward[1])
    with os.fdopen(inward[1], "wb") as sink, os.fdopen(outward[0], "rb") as source:
        sink.write(LARGE)
        sink.flush()
        source.readline()
        sink.write(READ * 3)
        sink.flush()
        time.sleep(0.2)
        response = [source.readline() for _ in range(3)]
        assert all(len(text) > 3_000_000 for text in response)
    assert process.wait(PATIENCE) == 0
