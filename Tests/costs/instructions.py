#!/usr/bin/env python3
"""Counts the instructions that the daemon takes for fixed sessions and holds each to a ceiling.

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

# Millions of instructions, start and end of the process among them.
CEILINGS = {
    "start": 3,
    "first": 48,
    "same": 54,
    "realistic": 59,
    "shuffle": 125,
    "in turn": 63,
}


def item(number, change=0):
    return {
        "id": f"item-{number:07}",
        "text": f"Message number {number} — hello",
        "secondaryText": f"preview {number * 7919 % 10000 + change}",
    }


def realistic(rows, rng):
    """Of a thousand rows 2.5 each go, come, move and change."""
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
    return {
        "start": [],
        "first": [("a", rows)],
        "same": [("a", rows)] * 2,
        "realistic": [("a", rows), ("a", changed)],
        "shuffle": [("a", rows), ("a", shuffled)],
        # Lists with the same identifiers, in turn; a list alone takes as much.
        "in turn": [(name, part[half]) for part in (rows, changed, rows) for name in "ab"],
    }


def request(number, name, rows):
    params = {"list": name, "items": rows}
    message = {"jsonrpc": "2.0", "id": number, "method": "applySnapshot", "params": params}
    body = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def count(daemon, snapshots):
    """Returns how many million instructions a session takes."""
    data = b"".join(request(number, *snapshot) for number, snapshot in enumerate(snapshots))
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", daemon]
        run = subprocess.run(
            command,
            input=data,
            capture_output=True,
            timeout=300,
            env={**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"},
        )
    replies = run.stdout.count(b'"result":')
    if run.returncode or replies != len(snapshots):
        sys.exit(f"exit {run.returncode}, {replies} replies\n{run.stderr.decode()}")
    return int(re.search(rb"Collected : (\d+)", run.stderr)[1]) / 1e6


def main():
    dear = []
    told = []
    for name, snapshots in sessions().items():
        millions = count(sys.argv[1], snapshots)
        told.append(f"{name} {millions:.1f}")
        if millions > CEILINGS[name]:
            dear.append(f"{name} takes {millions:.1f} million instructions, over {CEILINGS[name]}")
    print("millions of instructions: " + ", ".join(told))
    if dear:
        sys.exit("\n".join(dear))


if __name__ == "__main__":
    main()
