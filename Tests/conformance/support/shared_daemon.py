"""A daemon that listens at a socket, and its clients."""

from __future__ import annotations

import queue
import socket
import subprocess
import threading
import time
from pathlib import Path
from typing import Any, Iterable, List, Union

import twin
from client import PATIENCE, Daemon, DaemonEnded, program, shorten


class Socket(Daemon):
    """A client with its own connection to a socket. Like `Daemon`, without the process."""

    def __init__(self, path: Union[str, Path], framing: str = "ndjson") -> None:
        self.framing = framing
        self.sent = None
        self.notifications: List[Any] = []
        self.errors = ""
        self.last_id = 0
        self.inbox: "queue.Queue[Any]" = queue.Queue()
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(str(path))
        self.process: Any = self
        self.stdout = self.socket.makefile("rb")
        self.stdin = self
        self.closed = False
        self.threads = [threading.Thread(target=self.listen, daemon=True)]
        self.threads[0].start()

    def listen(self) -> None:
        try:
            super().listen()
        except OSError:
            self.inbox.put(None)

    def write(self, data: bytes) -> None:
        self.socket.sendall(data)

    def flush(self) -> None:
        pass

    def epitaph(self) -> str:
        return "the connection has ended"

    def end(self) -> int:
        """Ends the input, and waits until the daemon has closed the connection."""
        self.socket.shutdown(socket.SHUT_WR)
        self.threads[0].join(PATIENCE)
        return 0

    def close(self) -> None:
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.threads[0].join(PATIENCE)
        self.stdout.close()
        self.socket.close()


class Listening:
    """A daemon that listens at a path, without standard input."""

    def __init__(self, path: Union[str, Path], *args: str, **more: Any) -> None:
        self.path = str(path)
        self.clients: List[Daemon] = []
        self.record = ""
        if twin.is_recordable(args):
            self.record = f"{path}.record"
            args = (*args, "--record", self.record)
        more = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, **more}
        self.process = subprocess.Popen(
            [program(), "--listen", self.path, *args], stderr=subprocess.PIPE, **more
        )
        self.watch = threading.Timer(PATIENCE * 3, self.process.kill)
        self.watch.start()
        wait_for(self.path, self.process)

    def __enter__(self) -> "Listening":
        return self

    def __exit__(self, *_: Any) -> None:
        for client in self.clients:
            client.close()
        self.watch.cancel()
        self.process.kill()
        self.process.communicate()
        if self.record:
            assert not twin.replay(program(), self.record, PATIENCE)

    def client(self, framing: str = "ndjson") -> Socket:
        """A client with a socket of its own."""
        client = Socket(self.path, framing)
        self.clients.append(client)
        return client

    def joined(self, framing: str = "ndjson") -> Daemon:
        """A client that runs `listd connect`."""
        client = Daemon("connect", self.path, framing=framing)
        self.clients.append(client)
        return client

    def stop(self, signal: int) -> str:
        """Sends a signal and waits for the exit code 0. Returns the messages on standard error."""
        self.process.send_signal(signal)
        answer = self.process.communicate(timeout=PATIENCE)[1].decode()
        assert self.process.returncode == 0, (self.process.returncode, answer)
        return answer


def wait_for(path: str, process: "subprocess.Popen[bytes]") -> None:
    """Waits until a daemon listens."""
    start = time.monotonic()
    while time.monotonic() - start < PATIENCE:
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(path)
                return
            except OSError:
                pass
        if process.poll() is not None:
            break
        time.sleep(0.005)
    process.kill()
    raise DaemonEnded(shorten(process.communicate()[1].decode()))


def settle(clients: Iterable[Daemon]) -> List[List[Any]]:
    """Waits for all earlier requests. Returns the notifications of each client since the last call."""
    return [client.settle() for client in clients]
