"""Runs listd as a child process, with one message a line."""

import contextlib
import fcntl
import json
import subprocess
import time

from building import Trouble
from replay import Wrong
from tree import encoded


class Daemon:
    """A daemon with one list. It gets one request at a time."""

    def __init__(self, path, name="tour"):
        self.name = encoded(name).encode()
        self.sent = self.received = 0  # bytes
        self.seconds = []  # of each round trip
        self._id = 0
        try:
            # In its own session it is not interrupted by Ctrl-C; the tour then closes its input.
            self._process = subprocess.Popen(
                [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
                start_new_session=True,
            )  # fmt: skip
        except OSError as why:
            raise Trouble(f"{path} does not start: {why}") from why
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                fcntl.fcntl(pipe, 1031, 1 << 20)  # F_SETPIPE_SZ, on Linux
        self._replies = open(self._process.stdout.fileno(), "rb", 1 << 18, closefd=False)

    def apply_snapshot(self, sections, base):
        """Sends `applySnapshot` with sections that are JSON already. Returns the result."""
        self._id += 1
        message = (
            b'{"jsonrpc":"2.0","id":%d,"method":"applySnapshot","params":{"list":%b,'
            b'"baseRevision":%d,"format":"stages","content":true,"sections":%b}}\n'
        ) % (self._id, self.name, base, sections)
        start = time.perf_counter()
        line = self._exchange(message)
        self.seconds.append(time.perf_counter() - start)
        self.sent += len(message)
        self.received += len(line)
        try:
            reply = json.loads(line)
        except ValueError as why:
            raise Wrong(f"a reply is not JSON: {why}") from why
        if not isinstance(reply, dict) or reply.get("id") != self._id:
            raise Wrong(f"a reply to another request: {line[:400]!r}")
        if not isinstance(reply.get("result"), dict):
            raise Wrong(f"an error: {json.dumps(reply.get('error'))[:2000]}")
        return reply["result"]

    def close(self):
        """Closes the input, which ends the daemon. An exit code other than 0 is an error."""
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            code = self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        if code:
            raise Wrong(f"listd ended with exit code {code}")

    def _exchange(self, message):
        rest = memoryview(message)
        try:
            while rest:
                rest = rest[self._process.stdin.write(rest) :]
        except BrokenPipeError:
            pass  # the missing reply is reported below
        line = self._replies.readline()
        if not line.endswith(b"\n"):
            raise Wrong("listd ended in the middle of a reply")
        return line
