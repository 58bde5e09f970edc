#!/usr/bin/env python3
"""Publishes the changes of a list to a Redis stream, and follows them on other machines.

    fanout.py publish LIST [--redis HOST:PORT] [--socket PATH] [--keep N]
    fanout.py follow LIST [--redis HOST:PORT] [--socket PATH] [--state FILE]

Revisions are the stream's own, one higher for each change, and the ids of its entries: `REVISION-0`.

    listd:LIST            the stream: the last N changes, each with `epoch` and `patch`, a JSON Patch
    listd:LIST:snapshot   {"epoch", "revision", "document"}: the whole list at one of these revisions
    listd:LIST:epoch      another one if the stream began anew

A publisher that starts again publishes what differs from what it has published, in one change. A
follower resumes with the revision in its `--state`; if the changes since then are not in the stream, it
takes a fresh snapshot. It prints what it gets, or keeps it in a list of a daemon of its own machine. It
needs the standard library alone.
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
PAUSE = 1.0  # seconds until Redis is tried again
BREATH = 2000  # milliseconds until a follower asks whether the stream began anew


class RedisError(Exception):
    """What Redis refuses."""


class Redis:
    """A connection to Redis: call it with the words of a command."""

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
            # One that was just started is to be tried again.
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
    """What the stream says of a list: its epoch, a revision, and the document at that revision."""

    def __init__(self, redis: Redis, name: str) -> None:
        self.redis, self.key = redis, f"listd:{name}"
        self.epoch = ""
        self.revision = 0
        self.document = EMPTY

    def load(self) -> bool:
        """Takes the snapshot; whether there is one."""
        told = self.redis("GET", f"{self.key}:snapshot")
        if told:
            self.set(told)
        return bool(told)

    def set(self, state: str) -> None:
        """Takes what `state` has returned."""
        told = json.loads(state)
        self.epoch, self.revision = str(told["epoch"]), int(told["revision"])
        self.document = dict(told["document"])

    def state(self) -> str:
        return json.dumps(
            {"epoch": self.epoch, "revision": self.revision, "document": self.document}
        )

    def entries(self, block: Optional[int] = None) -> List[Any]:
        """The changes after the revision; waits so many milliseconds for the first."""
        waiting = [] if block is None else ["BLOCK", block]
        told = self.redis("XREAD", *waiting, "STREAMS", self.key, f"{self.revision}-0")
        return told[0][1] if told else []

    def take(self, entry: Any) -> Optional[Any]:
        """Follows a change; returns its patch, or nothing if it is not the next one."""
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
        """Publishes until the daemon or Redis ends."""
        self._read_what_is_published()
        names = self.daemon.list(self.name)
        with names.subscribe("jsonPatch") as news:
            for told in news:
                if isinstance(told, listd.Snapshot):
                    self._reach({"sections": told.sections})
                elif isinstance(told, listd.Removed):
                    self._reach(EMPTY)
                elif isinstance(told, listd.Change) and (told.reload or told.json_patch is None):
                    self._reach({"sections": names.snapshot().sections})
                elif isinstance(told, listd.Change) and told.json_patch:
                    self._publish(told.wire["jsonPatch"])

    def _read_what_is_published(self) -> None:
        if self.load():
            self._saved = self.revision
            for entry in self.entries():
                if self.take(entry) is None:
                    break
            else:
                return
        # There is nothing, or it does not fit together: a new stream.
        self.epoch, self.revision, self.document = secrets.token_hex(8), 0, EMPTY
        self.redis("MULTI")
        self.redis("DEL", self.key)
        self.redis("SET", f"{self.key}:epoch", self.epoch)
        self.redis("SET", f"{self.key}:snapshot", self.state())
        self.redis("EXEC")
        self._saved = 0

    def _reach(self, document: Document) -> None:
        """Publishes what leads to a document."""
        told = self.daemon.diff(self.document, document, format="jsonPatch", content=True)
        if patch := told.wire["jsonPatch"]:
            self._publish(patch)

    def _publish(self, patch: Any) -> None:
        entry = [f"{self.revision + 1}-0", ["epoch", self.epoch, "patch", json.dumps(patch)]]
        self.redis("XADD", self.key, "MAXLEN", self.keep, entry[0], *entry[1])
        self.take(entry)
        # The changes since the snapshot stay in the stream.
        if self.revision - self._saved >= max(1, self.keep // 2):
            self.redis("SET", f"{self.key}:snapshot", self.state())
            self._saved = self.revision


class Follower(Replica):
    """Follows one list, from where its state file says."""

    def __init__(self, redis: Redis, name: str, state: Optional[Path] = None) -> None:
        super().__init__(redis, name)
        self._state = state
        with contextlib.suppress(FileNotFoundError):
            if state:
                self.set(state.read_text("utf-8"))

    def changes(self) -> Iterator[Optional[Any]]:
        """The patch of each change, or nothing for a fresh snapshot; the document is up to date."""
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
            told: Dict[str, Any] = {"revision": follower.revision}
            told.update({"patch": patch} if patch is not None else follower.document)
            print(json.dumps(told), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="A list of listd on many machines, by Redis.")
    parser.add_argument("what", choices=["publish", "follow"])
    parser.add_argument("list")
    parser.add_argument("--redis", default="localhost:6379", help="HOST:PORT, or a socket's path")
    parser.add_argument("--socket", help="the daemon's socket ($LISTD_SOCKET)")
    parser.add_argument("--keep", type=int, default=1000, help="changes that stay in the stream")
    parser.add_argument("--state", type=Path, help="the file in which a follower keeps what it has")
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
