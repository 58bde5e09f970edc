"""A tiny client of listd: spawn, frame, call, collect, and never hang."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

import twin
from values import dumps, loads

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = float(os.environ.get("LISTD_PATIENCE", "60"))
Json = Dict[str, Any]


def program() -> str:
    """The daemon under test: $LISTD, or the newest build in this repository."""
    if os.environ.get("LISTD"):
        return os.environ["LISTD"]
    builds = [ROOT / ".build" / kind / "listd" for kind in ("release", "debug")]
    found = [path for path in builds if path.exists()]
    if not found:
        raise FileNotFoundError("no listd: run `swift build` or set LISTD to its path")
    return str(max(found, key=lambda path: path.stat().st_mtime))


def shorten(text: str, limit: int = 1500) -> str:
    return text if len(text) <= limit else f"{text[:limit]} … ({len(text)} characters)"


class Refused(AssertionError):
    """An error reply."""

    def __init__(self, request: str, error: Json) -> None:
        self.code: int = error["code"]
        self.message: str = error["message"]
        self.data: Json = error.get("data") or {}
        self.text = dumps(error)
        super().__init__(f"\n  asked:   {shorten(request)}\n  refused: {shorten(self.text)}")


class DaemonEnded(AssertionError):
    """The daemon ended, or was ended because it did not answer in time."""


@dataclass(frozen=True)
class Outcome:
    """The exit code and the output of a whole session."""

    code: int
    out: bytes
    err: str

    @property
    def lines(self) -> List[Any]:
        """The replies of an NDJSON session."""
        assert self.out == b"" or self.out.endswith(b"\n"), f"no whole last line: {self.out!r}"
        return [loads(line) for line in self.out.decode("utf-8").split("\n")[:-1]]

    @property
    def framed(self) -> List[Any]:
        """The replies of a session with headers."""
        rest, found = self.out, []
        while rest:
            head, gap, rest = rest.partition(b"\r\n\r\n")
            fields = dict(line.split(b": ", 1) for line in head.split(b"\r\n"))
            assert gap and b"Content-Length" in fields, f"no header: {head!r}"
            length = int(fields[b"Content-Length"])
            assert length <= len(rest), f"a body of {len(rest)} bytes, response {length}"
            found.append(loads(rest[:length].decode("utf-8")))
            rest = rest[length:]
        return found


def session(sent: Union[bytes, Iterable[bytes]], *args: str) -> Outcome:
    """Runs one whole session: sends the chunks, closes, waits for the end."""
    chunks = [sent] if isinstance(sent, bytes) else list(sent)
    process = subprocess.Popen(
        [program(), *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    watch = threading.Timer(PATIENCE, process.kill)
    watch.start()
    try:
        for chunk in chunks[:-1]:
            process.stdin.write(chunk)
            process.stdin.flush()
        out, err = process.communicate(chunks[-1] if chunks else None)
    finally:
        watch.cancel()
    assert process.returncode != -9, f"no end within {PATIENCE} s"
    return Outcome(process.returncode, out, err.decode("utf-8", "replace"))


def request(method: str, params: Any = None, id: Any = 1, **more: Any) -> Json:
    return {"jsonrpc": "2.0", "id": id, **notice(method, params), **more}


def notice(method: str, params: Any = None) -> Json:
    message: Json = {"jsonrpc": "2.0", "method": method}
    return message if params is None else {**message, "params": params}


def encode(message: Any) -> bytes:
    return json.dumps(message, ensure_ascii=False).encode("utf-8")


def line(message: Any) -> bytes:
    return encode(message) + b"\n"


def frame(message: Any) -> bytes:
    body = message if isinstance(message, bytes) else encode(message)
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


class Daemon:
    """A running listd. `call` returns replies; `notifications` collects notifications.

    When it is closed, its messages are compared with those of its twin.
    """

    def __init__(self, *args: str, framing: str = "ndjson") -> None:
        self.args = args
        self.framing = framing
        self.notifications: List[Json] = []
        self.errors = ""
        self.last_id = 0
        # The messages of both sides for the twin; `sent` is `None` if they are not all known.
        self.sent: Optional[List[bytes]] = []
        self.received: List[bytes] = []
        self.inbox: "queue.Queue[Optional[bytes]]" = queue.Queue()
        self.process = subprocess.Popen(
            [program(), *args],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self.threads = [
            threading.Thread(target=body, daemon=True) for body in (self.listen, self.overhear)
        ]
        for thread in self.threads:
            thread.start()
        self.watch = threading.Timer(PATIENCE, self.process.kill)
        self.watch.start()

    def __enter__(self) -> "Daemon":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def listen(self) -> None:
        out = self.process.stdout
        while True:
            head = out.readline()
            if self.framing == "lsp" and head:
                length = int(head.split(b":")[1])
                while out.readline().strip():
                    pass
                head = out.read(length)
            self.inbox.put(head or None)
            if not head:
                return
            if self.sent is not None:
                self.received.append(head.rstrip(b"\n"))

    def overhear(self) -> None:
        self.errors = self.process.stderr.read().decode("utf-8", "replace")

    def raw(self, data: bytes) -> None:
        self.sent = None
        self.write(data)

    def write(self, data: bytes) -> None:
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except (BrokenPipeError, ValueError) as error:
            raise DaemonEnded(f"listd takes no more input: {error}; {self.epitaph()}") from None

    def send(self, *messages: Any) -> None:
        if self.sent is not None:
            self.sent += map(encode, messages)
            if sum(map(len, self.sent[-len(messages) :])) > twin.COMPARED_BYTES:
                self.sent = None
        self.write(b"".join(map(line if self.framing == "ndjson" else frame, messages)))

    def receive(self) -> str:
        """The next message, as text."""
        try:
            data = self.inbox.get(timeout=PATIENCE)
        except queue.Empty:
            data = None
        if data is None:
            self.inbox.put(None)
            raise DaemonEnded(f"no more messages; {self.epitaph()}")
        return data.decode("utf-8")

    def epitaph(self) -> str:
        try:
            code = self.process.wait(2)
        except subprocess.TimeoutExpired:
            return "it still runs"
        self.threads[1].join(2)
        return f"exit code {code}, stderr: {shorten(self.errors)}"

    def reply(self) -> Any:
        """The next message that is not a notification."""
        while True:
            message = loads(self.receive())
            if isinstance(message, list) or "method" not in message:
                return message
            self.notifications.append(message)

    def call(self, method: str, params: Any = None, **members: Any) -> Any:
        """The result of a request; raises `Refused` for an error."""
        return self.pipeline([(method, members if params is None else params)])[0]

    def pipeline(self, calls: Sequence[Tuple[str, Any]]) -> List[Any]:
        """Sends all requests before reading the first reply."""
        sent = [
            request(name, params, self.last_id + k) for k, (name, params) in enumerate(calls, 1)
        ]
        self.last_id += len(sent)
        self.send(*sent)
        answers = [self.reply() for _ in sent]
        return [self.result(asked, answer) for asked, answer in zip(sent, answers)]

    def result(self, asked: Json, answer: Any) -> Any:
        assert isinstance(answer, dict) and answer.get("id") == asked["id"], (
            f"\n  asked: {shorten(dumps(asked))}\n  response:  {shorten(dumps(answer))}"
        )
        if "error" in answer:
            assert set(answer) == {"jsonrpc", "id", "error"}, dumps(answer)
            raise Refused(dumps(asked), answer["error"])
        assert set(answer) == {"jsonrpc", "id", "result"}, dumps(answer)
        return answer["result"]

    def refused(self, code: int, method: str, params: Any = None, **members: Any) -> Refused:
        """The error of a request that must fail with the code."""
        params = members if params is None else params
        try:
            response = self.call(method, params)
        except Refused as refusal:
            assert refusal.code == code, f"not {code}:{refusal}"
            return refusal
        raise AssertionError(
            f"\n  asked: {shorten(dumps([method, params]))}\n"
            f"  response:  {shorten(dumps(response))}\n  not:   error {code}"
        )

    def notify(self, method: str, params: Any = None) -> None:
        self.send(notice(method, params))

    def settle(self) -> List[Json]:
        """Waits for all earlier requests. Returns the notifications since the last call."""
        self.call("getLists")
        response, self.notifications = self.notifications, []
        return response

    def end(self) -> int:
        """Ends the input and returns the exit code."""
        if not self.process.stdin.closed:
            self.process.stdin.close()
        code = self.process.wait(PATIENCE)
        for thread in self.threads:
            thread.join(PATIENCE)
        return code

    def close(self) -> None:
        self.watch.cancel()
        try:
            self.process.stdin.close()
            self.process.wait(2)
        except (BrokenPipeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        for thread in self.threads:
            thread.join(PATIENCE)
        self.process.stdout.close()
        self.process.stderr.close()
        self.compare_with_twin()

    def compare_with_twin(self) -> None:
        if self.process.returncode != 0 or not self.sent:
            return
        if twin.is_comparable(self.args, self.sent):
            theirs = twin.answers(program(), self.args, self.sent, self.framing, PATIENCE)
            difference = twin.first_difference(self.received, theirs)
            assert not difference, f"another process sends other bytes: {difference}"
