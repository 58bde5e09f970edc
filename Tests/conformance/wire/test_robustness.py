"""Corrupted input of all kinds: each is answered, without an internal error or an early exit."""

from __future__ import annotations

import random
from typing import List

import pytest

from client import encode, frame, line, notice, request, session
from rounds import rounds

SPOILED = rounds(1500)
ITEMS = [
    {"id": 1, "v": [1.5, None, "é\n"]},
    "x",
    7,
    {"t": {}},
    {"id": "p", "parts": ["a", {"id": 1}]},
]
SECTIONS = [
    {"id": "s", "header": "H", "items": ITEMS, "selectionMode": "multiple"},
    {"id": 2, "items": ["x", {"id": 9, "selectable": False}], "allowsEmptySelection": True},
]
APPLY = {"list": "l", "sections": SECTIONS, "content": True, "selected": ["x"], "cursor": 1}
EDITS = [
    {"edit": "insertItems", "items": [{"id": 3, "v": "é"}, {"id": 4}], "before": "x"},
    {"edit": "updateItems", "items": [{"id": 1, "parts": [{"id": 1}, {"id": 1}]}]},
    {"edit": "moveItems", "items": [{"path": [0, 0]}], "after": {"id": 7, "occurrence": 0}},
    {"edit": "appendSections", "sections": [{"id": "t", "items": [{"id": 8, "$item": 1}]}]},
    {"edit": "deleteItems", "items": [{"line": 1, "textRevision": 1}]},
]
SEEDS = [
    request("applySnapshot", APPLY),
    *(request("editSnapshot", {"list": "l", "edits": EDITS[:count]}) for count in range(1, 6)),
    request("applySnapshot", {"list": "l", "items": ["x", 7, "x"], "cursorPolicy": "stay"}),
    request("diff", {"from": {"list": "l"}, "to": {"items": ITEMS}, "maxOps": 9}),
    request("select", {"list": "l", "action": "extend", "items": [{"id": "x", "occurrence": 1}]}),
    request("select", {"list": "l", "items": [{"path": [0, 1], "revision": 1}], "cursor": 7}),
    request("getSnapshot", {"list": "l", "revision": 1, "window": {"start": 1, "count": 3}}),
    request("getSelection", {"list": "l"}),
    request("initialize", {"clientInfo": {}, "capabilities": {}}),
    [request("getLists"), notice("removeList", {"list": "l"})],
]
SPICE = [
    b"{", b"}", b"[", b"]", b'"', b"\\", b",", b":", b"null", b"-1", b"1e999", b"\\u0000", b"\xff",
    b"99999999999999999999", b"-9223372036854775808", b"9223372036854775807", b"0", b" ", b"{}",
]  # fmt: skip


def spoiled(rng: random.Random, data: bytes) -> bytes:
    """The bytes with a few removed, repeated or replaced."""
    for _ in range(rng.randint(1, 3)):
        start = rng.randrange(len(data))
        end = min(len(data), start + rng.choice([1, 1, 1, 2, 5, 30]))
        middle = rng.choice([b"", data[start:end] * 2, rng.choice(SPICE), rng.choice(SPICE)])
        data = data[:start] + middle + data[end:] or b" "
    return data


def sent(rng: random.Random) -> List[bytes]:
    return [spoiled(rng, encode(rng.choice(SEEDS))) for _ in range(SPOILED)]


@pytest.mark.parametrize("framing", ["ndjson", "lsp"])
@pytest.mark.parametrize("round", range(2))
def test_spoiled_messages(rng: random.Random, framing: str, round: int) -> None:
    messages = sent(rng)
    wrap, bare = (line, lambda data: data + b"\n") if framing == "ndjson" else (frame, frame)
    last = wrap(request("getLists", id="last"))
    outcome = session(b"".join(map(bare, messages)) + last, f"--framing={framing}")
    answer = outcome.lines if framing == "ndjson" else outcome.framed
    assert outcome.code == 0 and answer[-1]["id"] == "last" and "result" in answer[-1]
    replies = [reply for entry in answer for reply in (entry if isinstance(entry, list) else [entry])]
    for reply in replies:
        if "method" not in reply:
            assert set(reply) in ({"jsonrpc", "id", "result"}, {"jsonrpc", "id", "error"}), reply
            assert reply.get("error", {}).get("code") != -32603, reply


@pytest.mark.parametrize("round", range(3))
def test_spoiled_headers(rng: random.Random, round: int) -> None:
    """With any input, the process exits with 0 or 1."""
    whole = b"".join(frame(rng.choice(SEEDS)) for _ in range(40))
    for _ in range(10):
        outcome = session(spoiled(rng, whole), "--framing=lsp", "--max-message-bytes=100000")
        assert outcome.code in (0, 1), outcome.err
        assert outcome.framed


@pytest.mark.parametrize("form", ["stages", "ops", "jsonPatch", "textEdits"])
def test_the_deepest_content_is_answered_and_checked(form: str) -> None:
    """A message is nested 512 deep at most; its answer, which is checked, is nested deeper."""
    for depth, code in [(505, None), (508, None), (509, -32700)]:
        item = "[" * depth + "]" * depth
        params = f'"content":true,"format":"{form}","items":[{{"x":{item}}}]'
        asked = f'{{"jsonrpc":"2.0","id":1,"method":"applySnapshot","params":{{"list":"l",{params}}}}}\n'
        answers = session(asked.encode(), "--self-check").lines
        assert [answer.get("error", {}).get("code") for answer in answers] == [code]
