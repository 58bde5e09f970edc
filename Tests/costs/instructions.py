#!/usr/bin/env python3
"""Counts the instructions of the daemon for fixed sessions, and compares each with a ceiling.

usage: instructions.py DAEMON

Instructions repeat to a fraction of a per cent where time does not, so that a change that makes a
session dearer is seen on any machine. A ceiling is ten per cent above what was counted when it was
set; where work gets cheaper, lower it.
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile

ROWS = 20_000

# Millions of instructions, including the start and the end of the process.
CEILINGS = {
    "start": 3,
    "first": 24.9,
    "same": 27,
    "realistic": 30.9,
    "shuffle": 54.8,
    "in turn": 36.5,
    "look-ups": 33.2,
    "small": 47,
    "updates": 60.6,
    "moves": 69.1,
}


def item(number, change=0):
    return {
        "id": f"item-{number:07}",
        "text": f"Message number {number} — hello",
        "secondaryText": f"preview {number * 7919 % 10000 + change}",
    }


def realistic(rows, rng):
    """Of a thousand rows, 2.5 each are deleted, inserted, moved and changed."""
    rows = list(rows)
    some = len(rows) // 400
    for place in sorted(rng.sample(range(len(rows)), some), reverse=True):
        del rows[place]
    for place in rng.sample(range(len(rows)), some):
        rows[place] = item(place, 1)
    for _ in range(some):
        rows.insert(rng.randrange(len(rows)), rows.pop(rng.randrange(len(rows))))
    for number in range(some):
        rows.insert(rng.randrange(len(rows)), item(ROWS + number))
    seen = set()
    return [row for row in rows if not (row["id"] in seen or seen.add(row["id"]))]


def sessions():
    rng = random.Random(20261120)
    rows = [item(number) for number in range(ROWS)]
    shuffled = rng.sample(rows, len(rows))
    changed = realistic(rows, rng)
    half = slice(0, ROWS // 2)

    def show(name, rows):
        return "applySnapshot", {"list": name, "items": rows}

    def edit(kind, **members):
        return "editSnapshot", {"list": "a", "edits": [{"edit": kind, **members}]}

    few = rows[:1000]
    some = [row["id"] for row in rows[:: ROWS // 20]]
    look = [("locate", {"list": "a", "items": some}), ("select", {"list": "a", "items": some[:1]})]
    return {
        "start": [],
        "first": [show("a", rows)],
        "same": [show("a", rows)] * 2,
        "realistic": [show("a", rows), show("a", changed)],
        "shuffle": [show("a", rows), show("a", shuffled)],
        # Lists with the same identifiers, in turn; a single list takes as much.
        "in turn": [show(name, part[half]) for part in (rows, changed, rows) for name in "ab"],
        "look-ups": [show("a", rows)] + look * 50,
        "small": [show("a", [item(0, change)]) for change in range(1000)],
        "updates": [show("a", few)] + [edit("updateItems", items=[item(k, 1)]) for k in range(1000)],
        "moves": [show("a", few)]
        + [edit("moveItems", items=[few[k]["id"]], before=few[k - 500]["id"]) for k in range(1000)],
    }


def request(number, method, params):
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    body = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def count(daemon, requests):
    """Returns the million instructions of a session of requests."""
    data = b"".join(request(number, *asked) for number, asked in enumerate(requests))
    return run(daemon, data, len(requests))


def run(daemon, data, answers, *options):
    """Returns the million instructions that the daemon takes for some input and that many answers."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as input:
        # How much of a pipe can be read at a time depends on the load of the machine.
        input.write(data)
        input.seek(0)
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", daemon, *options]
        ended = subprocess.run(
            command,
            stdin=input,
            capture_output=True,
            timeout=300,
            env={**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"},
        )
    replies = ended.stdout.count(b'"result":')
    if ended.returncode or replies != answers:
        sys.exit(f"exit {ended.returncode}, {replies} replies\n{ended.stderr.decode()}")
    return int(re.search(rb"Collected : (\d+)", ended.stderr)[1]) / 1e6


def main():
    dear = []
    answer = []
    for name, requests in sessions().items():
        millions = count(sys.argv[1], requests)
        answer.append(f"{name} {millions:.1f}")
        if millions > CEILINGS[name]:
            dear.append(f"{name} takes {millions:.1f} million instructions, over {CEILINGS[name]}")
    print("millions of instructions: " + ", ".join(answer))
    if dear:
        sys.exit("\n".join(dear))


if __name__ == "__main__":
    main()
