"""listd as a child process: found or built, then asked by one message a line."""

import contextlib
import fcntl
import json
import os
import shutil
import subprocess
import sys
import time

from history import Trouble
from replay import Wrong
from tree import encoded

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
BUILT = os.path.join(ROOT, ".build", "release", "listd")
STAMP = os.path.join(ROOT, ".build", "tour-built")
BUILD = "swift build -c release --static-swift-stdlib --product listd --quiet"


def find():
    """The path of the daemon: `LISTD`, or the one of this checkout, built if it has to be."""
    if named := os.environ.get("LISTD"):
        found = shutil.which(named)
        if not found:
            raise Trouble(f"LISTD={named} is no program that can be run")
        return os.path.abspath(found)
    if newest([BUILT, STAMP]) <= newest(sources()) or not os.path.exists(BUILT):
        build()
    return BUILT


def build():
    if not shutil.which("swift"):
        raise Trouble(
            "listd has to be built, and there is no swift here: install Swift 6.2 or newer"
            " (https://swift.org/install), or name a built listd: LISTD=/path/to/listd"
        )
    why = "its sources have changed" if os.path.exists(BUILT) else "the first time takes a minute"
    print(f"Building listd ({why}) ...", end=" ", file=sys.stderr, flush=True)
    start = time.monotonic()
    done = subprocess.run(
        BUILD.split(), cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )  # fmt: skip
    if done.returncode or not os.path.exists(BUILT):
        print("failed.", file=sys.stderr)
        raise Trouble(f"{done.stdout.decode(errors='replace').rstrip()}\n`{BUILD}` failed")
    print(f"done in {time.monotonic() - start:.0f} s.", file=sys.stderr)
    with open(STAMP, "w"):
        os.utime(STAMP)


def sources():
    """What the daemon is made of; its folders too, for a file that went changes its folder."""
    yield os.path.join(ROOT, "Package.swift")
    for folder, _, names in os.walk(os.path.join(ROOT, "Sources")):
        yield folder
        yield from (os.path.join(folder, name) for name in names if not name.endswith(".md"))


def newest(paths):
    return max((os.stat(path).st_mtime for path in paths if os.path.exists(path)), default=0)


class Daemon:
    """A running listd with one list, asked one thing at a time."""

    def __init__(self, path, name="tour"):
        self.name = encoded(name).encode()
        self.sent = self.received = 0  # bytes
        self.seconds = []  # of each round trip
        self._id = 0
        try:
            # A session of its own: Ctrl-C is for the tour, which then closes the daemon's input.
            self._process = subprocess.Popen(
                [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
                start_new_session=True,
            )  # fmt: skip
        except OSError as why:
            raise Trouble(f"{path} does not start: {why}") from why
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                fcntl.fcntl(pipe, 1031, 1 << 20)  # F_SETPIPE_SZ, where there is one
        self._replies = open(self._process.stdout.fileno(), "rb", 1 << 18, closefd=False)

    def apply_snapshot(self, sections, base):
        """The answer to `applySnapshot` with the sections, which are JSON already."""
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
            raise Wrong(f"an answer that is not JSON: {why}") from why
        if not isinstance(reply, dict) or reply.get("id") != self._id:
            raise Wrong(f"an answer to something else: {line[:400]!r}")
        if not isinstance(reply.get("result"), dict):
            raise Wrong(f"an error: {json.dumps(reply.get('error'))[:2000]}")
        return reply["result"]

    def close(self):
        """Ends the input, which ends the daemon; one that does not end well is wrong."""
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
            pass  # the answer's absence tells it
        line = self._replies.readline()
        if not line.endswith(b"\n"):
            raise Wrong("listd ended in the midst of an answer")
        return line
