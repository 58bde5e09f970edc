"""The commands that use lists of a daemon as processes, and their output."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import threading
from pathlib import Path
from typing import Any, List, Set

from client import PATIENCE, Outcome, program
from shared_daemon import Listening


def run(*words: Any, sent: bytes = b"", cwd: Any = None, **more: Any) -> Outcome:
    """Runs a command with more variables; without them, it has no daemon."""
    environment = {
        key: value for key, value in os.environ.items() if key not in ("LISTD_SOCKET", "XDG_RUNTIME_DIR")
    }  # fmt: skip
    done = subprocess.run(
        [program(), *map(str, words)], input=sent, capture_output=True, timeout=PATIENCE, cwd=cwd,
        env={**environment, **{name: str(value) for name, value in more.items()}},
    )  # fmt: skip
    return Outcome(done.returncode, done.stdout, done.stderr.decode())


class Verbs:
    """Runs the commands with a daemon's socket, by an option or by the environment."""

    def __init__(self, shared: Listening) -> None:
        self.path = shared.path
        self.client = shared.client()

    def set(self, *words: Any, sent: bytes = b"") -> Outcome:
        return run("set", *words, sent=sent, LISTD_SOCKET=self.path)

    def get(self, name: str, *words: Any) -> Outcome:
        return run("get", name, *words, "--socket", self.path)

    def feed(self, *words: Any, cwd: Any = None) -> Outcome:
        return run("feed", *words, cwd=cwd, LISTD_SOCKET=self.path)

    def files(self, *words: Any, cwd: Any = None) -> Set[str]:
        """What `listd files` prints."""
        response = run("files", *words, cwd=cwd, LISTD_SOCKET=self.path)
        assert response.code == 0 and response.err == "", response
        return set(response.out.decode().splitlines())

    def paths(self, name: str) -> Set[str]:
        """The paths of the files that a list has."""
        return {item["path"] for item in self.items(name)}

    def items(self, name: str) -> Any:
        response = self.get(name)
        assert response.code == 0 and response.err == "", response
        (section,) = response.lines[0]["sections"]
        assert section["id"] == "main"
        return section["items"]

    def after(self, content: bytes, *words: Any) -> Any:
        """The items of a list after `listd set`."""
        response = self.set("l", *words, sent=content)
        assert response == Outcome(0, b"", ""), response
        return self.items("l")


class Fake:
    """A server that answers the first bytes and ends the connection."""

    def __init__(self, path: Path, answer: bytes) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(str(path))
        self.socket.listen()
        self.answer = answer
        self.thread = threading.Thread(target=self.serve, daemon=True)

    def serve(self) -> None:
        connection, _ = self.socket.accept()
        connection.recv(1 << 16)
        connection.sendall(self.answer)
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(1 << 16):
            pass
        connection.close()

    def __enter__(self) -> "Fake":
        self.thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self.thread.join(PATIENCE)
        self.socket.close()


class Watch:
    """`listd watch`, whose output is read line by line."""

    def __init__(self, *words: Any, **more: Any) -> None:
        self.process = subprocess.Popen(
            [program(), "watch", *map(str, words)], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, **more,
        )  # fmt: skip
        self.timer = threading.Timer(PATIENCE, self.process.kill)
        self.timer.start()

    def __enter__(self) -> "Watch":
        return self

    def __exit__(self, *_: Any) -> None:
        self.timer.cancel()
        self.process.kill()
        self.process.communicate()

    def line(self) -> str:
        """The next line, with the time of day replaced by TIME."""
        response = self.process.stdout.readline().decode()
        assert response.endswith("\n"), (response, self.process.poll(), self.process.stderr.read())
        return re.sub(r"^\d\d:\d\d:\d\d  ", "TIME  ", response[:-1])

    def lines(self, count: int) -> List[str]:
        return [self.line() for _ in range(count)]

    def end(self) -> Outcome:
        out, err = self.process.communicate(timeout=PATIENCE)
        return Outcome(self.process.returncode, out, err.decode())
