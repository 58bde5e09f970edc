#!/usr/bin/env python3
"""Prints what listd promises, and the tests that check it: comments that begin with `Promise:`.

    Tests/run promises [WORD…]     those that contain all words
    Tests/run promises --check     reports tests that are named and do not exist, and exits with 1

A comment ends at the next promise, or at a line that is not indented like its second one. After `Also` it
names further tests.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ["Tests", "Sources/listd-fuzz"]
LEFT_OUT = ("Tests/Corpus/", "Tests/Sessions/", "Tests/run.d/")
BEGINNING = re.compile(r"^( *(?:///|//|#|--|;;) )Promise: (.*)$")


class Promise(NamedTuple):
    words: str
    others: List[str]
    file: str
    line: int


def promises(files: Dict[str, str]) -> Iterator[Promise]:
    """All promises, by file."""
    for name, text in files.items():
        lines = text.split("\n")
        for number, line in enumerate(lines):
            if not (found := BEGINNING.match(line)):
                continue
            words = [found[2]]
            for more in lines[number + 1 :]:
                if not more.startswith(found[1] + "  "):
                    break
                words.append(more[len(found[1]) :].strip())
            text, _, others = " ".join(words).partition(" Also `")
            yield Promise(text, re.findall(r"`([^`]+)`", "`" + others), name, number + 1)


def sources() -> Dict[str, str]:
    """The texts of all files of tests, by their names."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *FOLDERS]
    listed = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE)
    names = [name for name in sorted(listed.stdout.decode().split()) if not name.startswith(LEFT_OUT)]
    return {name: (ROOT / name).read_text("utf-8", "replace") for name in names if (ROOT / name).is_file()}


def missing(files: Dict[str, str]) -> List[str]:
    """Tests that promises name and that do not exist."""
    # What is between backticks, such as the names that are checked, is not code.
    code = re.sub(r"`[^`\n]*`", "", "\n".join(files.values()))
    words = set(re.findall(r"[\w-]+", code))
    found = []
    for promise in promises(files):
        for other in promise.others:
            exists = (ROOT / other).exists() or any(name.endswith("/" + other) for name in files)
            if not exists and other not in words:
                found.append(f"{promise.file}:{promise.line}: {other} does not exist")
    return found


def main() -> int:
    files = sources()
    if sys.argv[1:] == ["--check"]:
        found = missing(files)
        for line in found:
            print(line)
        count = len(list(promises(files)))
        print(f"promises: {count}, {len(found)} tests missing")
        return 1 if found or count < 200 else 0
    for promise in promises(files):
        row = f"{promise.words} ({', '.join([f'{promise.file}:{promise.line}', *promise.others])})"
        if all(word.lower() in row.lower() for word in sys.argv[1:]):
            print(f"* {row}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
