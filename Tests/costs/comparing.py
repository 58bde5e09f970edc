#!/usr/bin/env python3
"""Counts the instructions of `listd diff`, and compares each with a ceiling.

usage: comparing.py DAEMON

A ceiling is about 15 per cent above what was counted when it was set; where work gets cheaper, lower it.
"""

# Promise: `listd diff` takes no more instructions than its ceilings.

import os
import random
import re
import subprocess
import sys
import tempfile

ROWS = 20_000

# By comparison, millions of instructions, including the start and the end of the process.
CEILINGS = {
    "start": 3.4,
    "few changes": 9.2,
    "scattered changes": 27,
    "moved blocks": 39.5,
    "repeated lines": 378,
    "shuffled lines": 399,
    "by key": 59,
    "equal files by key": 3.7,
}


def pairs():
    """By name, two texts and more arguments."""
    rng = random.Random(20261126)
    rows = [f"{n},row number {n},{n * 7919 % 1000}\n" for n in range(ROWS)]
    few = list(rows)
    few[ROWS // 3] = few[ROWS // 2] = "another\n"
    scattered = [row if rng.random() < 0.99 else f"{n},other,0\n" for n, row in enumerate(rows)]
    blocks = [
        [f"def f{n}():\n", *(f"    call({n}, {k})\n" for k in range(n % 7)), "    return 0\n", "\n", "\n"]
        for n in range(ROWS // 7)
    ]
    moved = list(blocks)
    for _ in range(40):
        moved.insert(rng.randrange(len(moved)), moved.pop(rng.randrange(len(moved))))
    words = [f"word {rng.randrange(30)}\n" for _ in range(ROWS // 2)]
    others = [f"word {rng.randrange(30)}\n" for _ in range(ROWS // 2)]
    shuffled = rng.sample(rows, len(rows))
    key = ("--key", "1", "--input", "csv")
    return {
        "start": (rows[:3], rows[1:4]),
        "few changes": (rows, few),
        "scattered changes": (rows, scattered),
        "moved blocks": (sum(blocks, []), sum(moved, [])),
        "repeated lines": (words, others),
        "shuffled lines": (rows, shuffled),
        "by key": (rows, scattered, *key),
        "equal files by key": (rows, rows, *key),
    }


def count(daemon, old, new, *more):
    """Returns the million instructions of a comparison."""
    with tempfile.TemporaryDirectory() as folder:
        for name, lines in (("old", old), ("new", new)):
            with open(f"{folder}/{name}", "w") as file:
                file.writelines(lines)
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", daemon, "diff"]
        ended = subprocess.run(
            [*command, *more, f"{folder}/old", f"{folder}/new"],
            capture_output=True,
            timeout=300,
            env={**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"},
        )
    if ended.returncode != (old != new):
        sys.exit(f"exit {ended.returncode}\n{ended.stderr.decode()}")
    return int(re.search(rb"Collected : (\d+)", ended.stderr)[1]) / 1e6


def main():
    dear = []
    answer = []
    for name, (old, new, *more) in pairs().items():
        millions = count(sys.argv[1], old, new, *more)
        answer.append(f"{name} {millions:.1f}")
        if millions > CEILINGS[name]:
            dear.append(f"{name} takes {millions:.1f} million instructions, over {CEILINGS[name]}")
    print("millions of instructions: " + ", ".join(answer))
    if dear:
        sys.exit("\n".join(dear))


if __name__ == "__main__":
    main()
