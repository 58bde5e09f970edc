#!/usr/bin/env python3
"""Counts the instructions of a change with many subscribers, and compares them with a ceiling.

usage: sharing.py DAEMON

A change is encoded once for each form that subscribers want; what each of them adds is copied. A client
that does not read is sent one change later; what the daemon keeps of an outline until then does not take
longer if the outline has more items. The daemon listens at a socket, and everything but the changes
themselves is subtracted.
"""

# Promise: A change is encoded once for all its subscribers; one that does not read makes no edit cost more in a
#   longer list.

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from instructions import ROWS, item, realistic

CLIENTS = 100
CHANGES = 4

# The highest ratio of a change with a hundred subscribers of each form to one with one subscriber.
CEILING = 2.0
FORMS = [{"format": "stages"}, {"format": "jsonPatch"}]


# Edits of a view with a subscriber that does not read, and the highest ratio of their instructions in
# lists of these numbers of items.
PAUSES = (20_000, 100_000)
PAUSE_CEILING = 1.1
BIG = 300_000
EDITS = 24


class Client:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))
        self.file = self.socket.makefile("rb")

    def call(self, method, **params):
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        self.socket.sendall(json.dumps(message).encode() + b"\n")
        answer = json.loads(self.file.readline())
        if "result" not in answer:
            sys.exit(f"{method}: {answer}")


def run(daemon, session):
    """Returns the million instructions of a session: a function of the socket's path that returns its clients."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "s")
        process = subprocess.Popen(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", daemon,
             "--listen", str(path)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env={**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"},
        )  # fmt: skip
        try:
            while not path.exists():
                if process.poll() is not None:
                    sys.exit(process.stderr.read().decode())
                time.sleep(0.05)
            clients = session(path)
            process.send_signal(signal.SIGTERM)
            answer = process.communicate(timeout=300)[1]
        finally:
            process.kill()
    del clients
    if process.returncode:
        sys.exit(answer.decode())
    return int(re.search(rb"Collected : (\d+)", answer)[1]) / 1e6


def count(daemon, clients, changes):
    """Returns the million instructions of a session of changes with subscribers of each form."""

    def session(path):
        writer = Client(path)
        rng = random.Random(20261122)
        rows = [item(number) for number in range(ROWS)]
        writer.call("applySnapshot", list="l", items=rows, format="none")
        subscribers = [Client(path) for _ in range(clients * len(FORMS))]
        for index, client in enumerate(subscribers):
            client.call("subscribe", list="l", since=1, **FORMS[index % len(FORMS)])
        for _ in range(changes):
            # All changes have the same form.
            writer.call("applySnapshot", list="l", items=realistic(rows, rng), format="none")
            for client in subscribers:
                if b'"didChange"' not in client.file.readline():
                    sys.exit("a change was not sent")
        return writer, *subscribers

    return run(daemon, session)


def count_of_a_pause(daemon, items, edits):
    """Returns the million instructions of a session of edits with a subscriber that does not read."""

    def session(path):
        writer, idle = Client(path), Client(path)
        rows = [{"id": number, "t": "x"} for number in range(items)]
        writer.call("applySnapshot", list="a", items=rows, format="none")
        writer.call("compose", list="l", sources=["a"], view={"tree": {"parent": "in"}}, format="none")
        idle.call("subscribe", list="l", since=1, content=True)
        for number in range(1 + edits):
            row = {"id": 7, "t": chr(97 + number) * (BIG if number else 1)}
            writer.call(
                "editSnapshot", list="a", edits=[{"edit": "updateItems", "items": [row]}], format="none"
            )
        return writer, idle

    return run(daemon, session)


def main():
    daemon = sys.argv[1]
    one, many = (
        (count(daemon, clients, CHANGES) - count(daemon, clients, 0)) / CHANGES
        for clients in (1, CLIENTS)
    )
    print(f"millions of instructions of a change: to 1 {one:.1f}, to {CLIENTS} {many:.1f}")
    if many > CEILING * one:
        sys.exit(f"{many / one:.1f} times the instructions for {CLIENTS} times the clients, over {CEILING}")
    few, more = (
        (count_of_a_pause(daemon, items, EDITS) - count_of_a_pause(daemon, items, 0)) / EDITS
        for items in PAUSES
    )
    print(f"of an edit of an outline with an idle subscriber: {few:.2f}, of {PAUSES[1]} items {more:.2f}")
    if more > PAUSE_CEILING * few:
        sys.exit(f"{more / few:.2f} times the instructions in a longer list, over {PAUSE_CEILING}")


if __name__ == "__main__":
    main()
