#!/usr/bin/env python3
"""Publishes the changes of a list to a Redis stream, and follows them on other machines.

    fanout.py publish LIST [--redis HOST:PORT] [--socket PATH] [--keep N]
    fanout.py follow LIST [--redis HOST:PORT] [--socket PATH] [--state FILE]

The stream counts its own revisions, which are also the ids of its entries: `REVISION-0`.

    listd:LIST            the stream: the last N changes, each with `epoch` and `patch`, a JSON Patch
    listd:LIST:snapshot   {"epoch", "revision", "document"}: the whole list at one of these revisions
    listd:LIST:epoch      a new value whenever the stream starts again

A publisher that is restarted publishes the difference from the published state as one change. A follower
resumes with the revision in its `--state` file; if the changes since then are no longer in the stream, it
loads the snapshot. It prints what it receives, or stores it in a list of a local daemon. The script needs
only the standard library.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import secrets
import socket
import sys
import time
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.dont_write_bytecode = True

import listd  # noqa: E402

Document = Dict[str, Any]
EMPTY: Document = {"sections": []}
PAUSE = 1.0  # seconds between attempts to reach Redis
BREATH = 2000  # milliseconds between checks whether the stream was restarted


class RedisError(Exception):
    """An error reply of Redis."""


class Redis:
    """A connection to Redis. Call it with the words of a command."""

    def __init__(self, address: str) -> None:
        if "/" in address:
            self._socket = socket.socket(socket.AF_UNIX)
            self._socket.connect(address)
        else:
            host, _, port = address.rpartition(":")
            self._socket = socket.create_connection((host, int(port)), timeout=60)
        self._file = self._socket.makefile("rb")

    def __call__(self, *words: Any) -> Any:
        sent = [str(word).encode() for word in words]
        self._socket.sendall(
            b"*%d\r\n" % len(sent) + b"".join(b"$%d\r\n%b\r\n" % (len(one), one) for one in sent)
        )
        return self._read()

    def _read(self) -> Any:
        line = self._file.readline()
        if not line.endswith(b"\r\n"):
            raise EOFError("Redis has closed the connection")
        kind, rest = line[:1], line[1:-2].decode()
        if kind == b"-":
            # Redis is starting: try again later.
            raise (OSError if rest.startswith("LOADING") else RedisError)(rest)
        if kind == b"+":
            return rest
        count = int(rest)
        if kind == b":" or count < 0:
            return count if kind == b":" else None
        if kind == b"*":
            return [self._read() for _ in range(count)]
        data = self._file.read(count + 2)
        if len(data) < count + 2:
            raise EOFError("Redis has closed the connection")
        return data[:-2].decode()

    def close(self) -> None:
        self._file.close()
        self._socket.close()


class Replica:
    """The state of a list in the stream: its epoch, a revision, and the document at that
    revision."""

    def __init__(self, redis: Redis, name: str) -> None:
        self.redis, self.key = redis, f"listd:{name}"
        self.epoch = ""
        self.revision = 0
        self.document = EMPTY

    def load(self) -> bool:
        """Loads the snapshot. Returns whether there is one."""
        state = self.redis("GET", f"{self.key}:snapshot")
        if state:
            self.set(state)
        return bool(state)

    def set(self, state: str) -> None:
        """Loads the result of `state`."""
        members = json.loads(state)
        self.epoch, self.revision = str(members["epoch"]), int(members["revision"])
        self.document = dict(members["document"])

    def state(self) -> str:
        return json.dumps(
            {"epoch": self.epoch, "revision": self.revision, "document": self.document}
        )

    def entries(self, block: Optional[int] = None) -> List[Any]:
        """The changes after the revision. Waits up to `block` milliseconds for the first one."""
        waiting = [] if block is None else ["BLOCK", block]
        reply = self.redis("XREAD", *waiting, "STREAMS", self.key, f"{self.revision}-0")
        return reply[0][1] if reply else []

    def take(self, entry: Any) -> Optional[Any]:
        """Applies a change. Returns its patch, or `None` if it is not the next change."""
        fields = dict(zip(entry[1][::2], entry[1][1::2]))
        if entry[0] != f"{self.revision + 1}-0" or fields["epoch"] != self.epoch:
            return None
        patch = json.loads(fields["patch"])
        self.document = listd.apply_patch(self.document, listd.ops.read_patch(patch))
        self.revision += 1
        return patch


class Publisher(Replica):
    """Publishes one list of a daemon."""

    def __init__(self, daemon: listd.Daemon, name: str, redis: Redis, keep: int = 1000) -> None:
        super().__init__(redis, name)
        self.daemon, self.name, self.keep = daemon, name, keep
        self._saved = 0

    def run(self) -> None:
        """Publishes changes until the daemon or Redis ends."""
        self._load_published()
        names = self.daemon.list(self.name)
        with names.subscribe("jsonPatch") as news:
            for event in news:
                if isinstance(event, listd.Snapshot):
                    self._reach({"sections": event.sections})
                elif isinstance(event, listd.Removed):
                    self._reach(EMPTY)
                elif isinstance(event, listd.Change) and (event.reload or event.json_patch is None):
                    self._reach({"sections": names.snapshot().sections})
                elif isinstance(event, listd.Change) and event.json_patch:
                    self._publish(event.wire["jsonPatch"])

    def _load_published(self) -> None:
        if self.load():
            self._saved = self.revision
            for entry in self.entries():
                if self.take(entry) is None:
                    break
            else:
                return
        # Nothing usable is published: start a new stream.
        self.epoch, self.revision, self.document = secrets.token_hex(8), 0, EMPTY
        self.redis("MULTI")
        self.redis("DEL", self.key)
        self.redis("SET", f"{self.key}:epoch", self.epoch)
        self.redis("SET", f"{self.key}:snapshot", self.state())
        self.redis("EXEC")
        self._saved = 0

    def _reach(self, document: Document) -> None:
        """Publishes the change from the published document to another one."""
        difference = self.daemon.diff(self.document, document, format="jsonPatch", content=True)
        if patch := difference.wire["jsonPatch"]:
            self._publish(patch)

    def _publish(self, patch: Any) -> None:
        entry = [f"{self.revision + 1}-0", ["epoch", self.epoch, "patch", json.dumps(patch)]]
        self.redis("XADD", self.key, "MAXLEN", self.keep, entry[0], *entry[1])
        self.take(entry)
        # The changes since the snapshot must stay in the stream.
        if self.revision - self._saved >= max(1, self.keep // 2):
            self.redis("SET", f"{self.key}:snapshot", self.state())
            self._saved = self.revision


class Follower(Replica):
    """Follows a list, starting at the revision in its state file."""

    def __init__(self, redis: Redis, name: str, state: Optional[Path] = None) -> None:
        super().__init__(redis, name)
        self._state = state
        with contextlib.suppress(FileNotFoundError):
            if state:
                self.set(state.read_text("utf-8"))

    def changes(self) -> Iterator[Optional[Any]]:
        """Yields the patch of each change, or `None` after a snapshot; the document is up to date."""
        while True:
            if self.redis("GET", f"{self.key}:epoch") != self.epoch:
                if self.load():
                    yield self._done(None)
                else:
                    time.sleep(PAUSE)
                continue
            for entry in self.entries(BREATH):
                patch = self.take(entry)
                if patch is None:
                    # The changes in between are no longer in the stream.
                    self.load()
                yield self._done(patch)
                if patch is None:
                    break

    def _done(self, patch: Optional[Any]) -> Optional[Any]:
        if self._state:
            new = self._state.with_name(self._state.name + ".new")
            new.write_text(self.state(), "utf-8")
            os.replace(new, self._state)
        return patch


def publish(words: argparse.Namespace, redis: Redis) -> None:
    with listd.connect(words.socket) as daemon:
        Publisher(daemon, words.list, redis, words.keep).run()


def follow(words: argparse.Namespace, redis: Redis) -> None:
    follower = Follower(redis, words.list, words.state)
    with contextlib.ExitStack() as stack:
        shown = None
        if words.socket or os.environ.get("LISTD_SOCKET"):
            shown = stack.enter_context(listd.connect(words.socket)).list(words.list)
            if follower.epoch:
                shown.apply(sections=follower.document["sections"], format="none")
        for patch in follower.changes():
            if shown:
                shown.apply(sections=follower.document["sections"], format="none")
            line: Dict[str, Any] = {"revision": follower.revision}
            line.update({"patch": patch} if patch is not None else follower.document)
            print(json.dumps(line), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="A list of listd on many machines, by Redis.")
    parser.add_argument("what", choices=["publish", "follow"])
    parser.add_argument("list")
    parser.add_argument("--redis", default="localhost:6379", help="HOST:PORT, or a socket's path")
    parser.add_argument("--socket", help="the daemon's socket ($LISTD_SOCKET)")
    parser.add_argument("--keep", type=int, default=1000, help="number of changes to keep in the stream")
    parser.add_argument("--state", type=Path, help="the file for a follower's state")
    words = parser.parse_args()
    while True:
        try:
            redis = Redis(words.redis)
            try:
                (publish if words.what == "publish" else follow)(words, redis)
            finally:
                redis.close()
        except (OSError, EOFError) as error:
            print(f"fanout: {error}; trying again", file=sys.stderr, flush=True)
            time.sleep(PAUSE)
        except (listd.ListdError, RedisError) as error:
            sys.exit(f"fanout: {error}")
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()
