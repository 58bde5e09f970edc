#!/usr/bin/env python3
"""Counts the memory of a list of paths that is shuffled, of one with a view of what matches a query, and of one
with the files of a folder.

usage: memory.py DAEMON

Counted are the most resident bytes of the process that belonged to no file, for each item, beside the bytes
of the items in the messages: of a folder, beside those of an empty one. They hardly depend on the machine. A ceiling is about seven per cent above what
was counted when it was set.
"""

# Promise: A shuffle of 100,000 rows takes few bytes beside the two snapshots and its answer, of which only two are
#   kept at a time. Also `aShuffleReleasesTheTextBefore`.
# Promise: A list of 100,000 paths with a view that matches them takes few bytes beside its text, loaded at once, by
#   edits, or by edits while the view shows what matches. More views of the list share what the first one has prepared.

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time

from instructions import request
from views import path, typed

ROWS = 100_000

# The items of an edit, and of an edit by a picker.
SOME = 7_000
FEW = 1_000

# The folders, and the files in each.
FOLDERS = 100
FILES = 300

# Bytes an item: beside one of two snapshots, or most of them for the texts prepared for matching.
CEILINGS = {
    "a shuffle": 310,
    "a snapshot": 245,
    "four views": 245,
    "edits": 256,
    "edits and queries": 274,
    "edits of a picker": 306,
    "a folder": 383,
}


def session(name, items):
    """Returns the requests that make the list and the view."""
    if name == "a shuffle":
        return [show(items, "stages"), show(random.Random(1).sample(items, len(items)), "stages")]
    queries = typed(18)
    if name == "a snapshot":
        return [show(items), *queries]
    if name == "four views":
        others = [(call, {**made, "list": f"v{k}"}) for k in range(3) for call, made in queries[:4]]
        return [show(items), *queries, *others]
    # A picker shows what matches while lines are appended.
    some, shown = (FEW, 2) if name == "edits of a picker" else (SOME, 1)
    made = [show([]), *queries[:shown]]
    for start in range(0, len(items), some):
        edit = {"edit": "appendItems", "items": items[start : start + some]}
        made.append(("editSnapshot", {"list": "a", "edits": [edit], "format": "none"}))
        if name == "edits and queries":
            made.append(queries[start // SOME + 1])
    return made + queries


def show(items, format="none"):
    section = {"id": "s", "selectionMode": "multiple", "items": items}
    return "applySnapshot", {"list": "a", "sections": [section], "format": format}


def answer(stream):
    """Reads a message and returns it."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        line = stream.readline()
        if not line:
            sys.exit("the daemon has ended")
        head += line
    return json.loads(stream.read(int(re.search(rb"(?i)content-length: (\d+)", head)[1])))


def reading(folder, replies):
    """Yields the requests that fill a list with the files of a folder, until all are in it."""
    yield "feed", {"list": "a", "from": {"folder": folder, "depth": "all"}}
    while "lists" not in replies[-1] or "reading" in replies[-1]["lists"][0]:
        time.sleep(0.01)
        yield "getLists", {}


def count_folder(daemon):
    """Returns the bytes for each file of a folder."""
    with tempfile.TemporaryDirectory() as folder:
        replies = []
        least = count(daemon, reading(folder, replies), replies)
        for number in range(FOLDERS):
            os.mkdir(f"{folder}/folder-{number:03}")
            for file in range(FILES):
                os.close(os.open(f"{folder}/folder-{number:03}/file-{file:03}.swift", os.O_CREAT))
        most = count(daemon, reading(folder, replies), replies)
        found = FOLDERS * (FILES + 1)
        if replies[-1]["lists"][0]["state"]["items"] != found:
            sys.exit(f"the folder has {found} files, not those of {replies[-1]}")
        return (most - least) / found


def count(daemon, requests, replies=None):
    """Returns the most private bytes that the daemon had for some requests, and appends the replies."""
    environment = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}
    with subprocess.Popen(
        [daemon], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    ) as process:
        for number, asked in enumerate(requests):
            process.stdin.write(request(number, *asked))
            process.stdin.flush()
            while (reply := answer(process.stdout)).get("id") != number:
                pass
            if "result" not in reply:
                sys.exit(f"{asked[0]}: {reply}")
            if replies is not None:
                replies.append(reply["result"])
        with open(f"/proc/{process.pid}/status") as status:
            sizes = dict(re.findall(r"(VmHWM|RssFile):\s*(\d+) kB", status.read()))
            private = (int(sizes["VmHWM"]) - int(sizes["RssFile"])) * 1024
        process.stdin.close()
    return private


def main():
    items = [{"id": number, "text": path(number)} for number in range(ROWS)]
    text = len(json.dumps(items, separators=(",", ":")))
    wrong, counted = [], []
    for name, ceiling in CEILINGS.items():
        if name == "a folder":
            bytes = count_folder(sys.argv[1])
        else:
            bytes = (count(sys.argv[1], session(name, items)) - text) / ROWS
        counted.append(f"{name} {bytes:.0f}")
        if bytes > ceiling:
            wrong.append(f"{name}: {bytes:.0f} bytes an item, over {ceiling}")
    print("bytes an item: " + ", ".join(counted))
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
