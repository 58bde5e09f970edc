"""The twin of a daemon: another process, with another hash seed and framing, and with --self-check unless
the daemon has it, that is sent the same messages and must send the same bytes."""

# Promise: The same messages are answered with the same bytes by another process, with other hashes, framing and
#   `--self-check`; records of shared daemons replay to the same answers. Also `test_twins.py`.

from __future__ import annotations

import json
import os
import subprocess
from typing import List, Sequence

# What a daemon keeps in files or shares with others, and what is answered differently in time.
KEPT = ("--record", "--journal")
SHARED = (*KEPT, "--listen", "connect", "--client-process-id")
TIMED = (b'"feed"', b'"$/cancelRequest"', b'"latest"', b'"workDoneToken"', b'"$/setTrace"', b'"processId"')
# Each answer is checked in a time that grows with the lists.
CHECKED_BYTES = 200_000
COMPARED_BYTES = 20_000_000


def is_recordable(args: Sequence[str]) -> bool:
    """Whether a daemon may record its sessions, so that its twin replays them."""
    return os.environ.get("LISTD_TWIN") != "0" and not any(arg.startswith(KEPT) for arg in args)


def is_comparable(args: Sequence[str], sent: Sequence[bytes]) -> bool:
    """Whether the answers depend on nothing but the messages."""
    if os.environ.get("LISTD_TWIN") == "0" or any(arg.startswith(SHARED) for arg in args):
        return False
    if sum(map(len, sent)) > COMPARED_BYTES:
        return False
    return not any(word in message for message in sent for word in TIMED)


def answers(
    program: str, args: Sequence[str], sent: Sequence[bytes], framing: str, patience: float
) -> List[bytes]:
    """What the twin sends. `framing` is that of the daemon."""
    args = [arg for arg in args if arg != "--self-check"] if "--self-check" in args else [
        *args, *(["--self-check"] if sum(map(len, sent)) <= CHECKED_BYTES else [])
    ]  # fmt: skip
    if framing == "lsp":
        data = b"".join(message + b"\n" for message in sent)
    else:
        data = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(m), m) for m in sent)
    made = subprocess.run(
        [program, *args], input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        timeout=patience,
    )  # fmt: skip
    return messages(made.stdout, "ndjson" if framing == "lsp" else "lsp")


def messages(out: bytes, framing: str) -> List[bytes]:
    """The messages in the output of a daemon."""
    if framing == "ndjson":
        return out.splitlines()
    found = []
    while out:
        head, _, out = out.partition(b"\r\n\r\n")
        length = int(head.rpartition(b"Content-Length:")[2].split()[0])
        found.append(out[:length])
        out = out[length:]
    return found


def first_difference(ours: Sequence[bytes], theirs: Sequence[bytes]) -> str:
    """Where the messages of two daemons differ; empty if they do not."""
    for number, (a, b) in enumerate(zip(ours, theirs)):
        if a != b and not is_log(a, b):
            return f"message {number}\n  daemon: {a[:2000]!r}\n  twin:   {b[:2000]!r}"
    if len(ours) != len(theirs):
        return f"{len(ours)} messages, and {len(theirs)} of the twin"
    return ""


def is_log(a: bytes, b: bytes) -> bool:
    """Whether both are messages for people, which may name the framing."""
    return all(json.loads(m).get("method") == "window/logMessage" for m in (a, b))


def replay(program: str, record: str, patience: float) -> str:
    """Replays the record of a daemon in another process. Returns what differs; empty if nothing."""
    made = subprocess.run(
        [program, "replay", record], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        timeout=patience,
    )  # fmt: skip
    said = made.stdout.decode("utf-8", "replace")
    return "" if made.returncode == 0 or "no answers to compare" in said else said
