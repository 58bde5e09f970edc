"""Broken input is refused, and the session continues."""

from __future__ import annotations

import pytest

from client import encode, frame, line, request, session

LISTS = request("getLists")
ANSWER = {"jsonrpc": "2.0", "id": 1, "result": {"lists": []}}
ENCODINGS = {"ndjson": (line, lambda body: body + b"\n"), "lsp": (frame, frame)}


def params(value: bytes) -> bytes:
    head = b'{"jsonrpc":"2.0","id":1,"method":"getLists","params":{"_x":'
    return head + value + b"}}"


def answer(body: bytes, framing: str, *args: str) -> list:
    """The replies to a good message, the body, and a good message."""
    good, bad = ENCODINGS[framing]
    outcome = session(good(LISTS) + bad(body) + good(LISTS), *args)
    assert outcome.code == 0
    return outcome.lines if framing == "ndjson" else outcome.framed


def check_refused(body: bytes, framing: str) -> None:
    first, refusal, last = answer(body, framing)
    assert first == last == ANSWER
    assert refusal["id"] is None and refusal["error"]["code"] == -32700, refusal
    assert isinstance(refusal["error"]["message"], str)


BAD_VALUES = [
    b"01", b"+1", b".5", b"1.", b"1e", b"-", b"0x1", b"1_0", b"NaN", b"Infinity", b"tru", b"nulL",
    b"True", b"'a'", b'"a', b'"\x01"', b'"\x1f"', b'"\t"', b'"\\x"', b'"\\u12"', b'"\\u12G4"',
    b"[1,]", b"[,1]", b"[1 2]", b'{"a":1,}', b'{"a"}', b"{a:1}", b'{"a":}', b'{"a" 1}', b"{1:1}",
    b"[1}", b'{"a":1]', b"", b"//", b"1}}{", b"\xc2\xa01", b"\x0b1", b"1\x00",
]  # fmt: skip


@pytest.mark.parametrize("framing", ENCODINGS)
@pytest.mark.parametrize("value", BAD_VALUES)
def test_input_that_is_not_json(value: bytes, framing: str) -> None:
    check_refused(params(value), framing)


NOT_UTF8 = [
    b"\xff", b"\xfe", b"\x80", b"\xbf", b"\xc2", b"\xc0\x80", b"\xc1\xbf", b"\xe0\x80\x80",
    b"\xe2\x82", b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xf0\x80\x80\x80", b"\xf4\x90\x80\x80",
    b"\xf5\x80\x80\x80", b"\xf0\x9f\x99", b"\xe2\x28\xa1",
]  # fmt: skip


@pytest.mark.parametrize("framing", ENCODINGS)
@pytest.mark.parametrize("data", NOT_UTF8)
@pytest.mark.parametrize("pad", [0, 61])
def test_what_is_not_utf8(data: bytes, framing: str, pad: int) -> None:
    check_refused(params(b'"' + b"p" * pad + data + b'"'), framing)


GOOD_VALUES = [
    b"-0", b"0.0", b"1E+5", b"1e-400", b"1e400", b"123456789012345678901234567890", b'"\\/\\b\\f"',
    b'"\x7f"', b'"\\ud83d\\ude00"', b'"\\u0000"', b" [ ] ", b"{ }", b'{"":{}}', b'{"a":1,"a":2}',
    b'"\xf4\x8f\xbf\xbf"', b'"\xef\xbb\xbf"', b'"\xe2\x80\xa8"', b"[[],[[]],{}]", b"\t1\r",
]  # fmt: skip


@pytest.mark.parametrize("framing", ENCODINGS)
@pytest.mark.parametrize("value", GOOD_VALUES)
def test_what_is_json(value: bytes, framing: str) -> None:
    assert answer(params(value), framing) == [ANSWER] * 3


@pytest.mark.parametrize("framing", ENCODINGS)
@pytest.mark.parametrize("body", [b"{oops", b"hello", b"{} {}", b"[", b"]", b'{"a":1}}'])
def test_a_whole_message_that_is_not_json(body: bytes, framing: str) -> None:
    check_refused(body, framing)


@pytest.mark.parametrize(
    "broken",
    [
        b"Content-Length: abc\r\n\r\n",
        b"Content-Length: -5\r\n\r\n",
        b"Content-Length: \r\n\r\n",
        b"Content-Length: 12 13\r\n\r\n",
        b"Content-Length: 99999999999999999999999999\r\n\r\n",
        b"Content-Type: text/plain\r\n\r\n",
        b"no header at all\r\n\r\n",
        b'Content-Length: x\r\n\r\n{"jsonrpc":"2.0"}\r\n',
        b"Content-Length: x\r\n\r\nfirst\r\nsecond\r\n\r\nthird\r\n",
    ],
)
def test_a_broken_header(broken: bytes) -> None:
    outcome = session(frame(LISTS) + broken + frame(LISTS) + frame(LISTS))
    first, refusal, *rest = outcome.framed
    code = refusal["error"]["code"]
    assert first == ANSWER and rest == [ANSWER] * 2
    assert code == -32700 or (code == -31008 and b"9999" in broken)
    assert refusal["id"] is None and outcome.code == 0


def test_an_empty_body_is_not_json() -> None:
    check_refused(b"", "lsp")


@pytest.mark.parametrize("framing", ENCODINGS)
@pytest.mark.parametrize("size", [1001, 5000, 3_000_000])
def test_a_message_that_is_too_large(framing: str, size: int) -> None:
    body = params(b"1").ljust(size)
    first, refusal, last = answer(body, framing, "--max-message-bytes=1000")
    assert first == last == ANSWER
    assert refusal["id"] is None and refusal["error"]["code"] == -31008
    data = refusal["error"]["data"]
    assert data == {"reason": "messageTooLarge", "limit": 1000, "bytes": size}


@pytest.mark.parametrize("framing", ENCODINGS)
def test_a_message_of_just_the_limit(framing: str) -> None:
    body = params(b'"' + b"p" * 100 + b'"')
    assert answer(body, framing, f"--max-message-bytes={len(body)}") == [ANSWER] * 3


def nested(depth: int, opening: bytes, closing: bytes) -> bytes:
    """A request with a value so that the message is nested that deep."""
    return params(opening * (depth - 2) + b"1" + closing * (depth - 2))


BRACKETS = [(b"[", b"]"), (b'{"a":', b"}")]


@pytest.mark.parametrize("framing", ENCODINGS)
@pytest.mark.parametrize("opening, closing", BRACKETS)
def test_nesting(framing: str, opening: bytes, closing: bytes) -> None:
    assert answer(nested(512, opening, closing), framing) == [ANSWER] * 3
    check_refused(nested(513, opening, closing), framing)


@pytest.mark.parametrize("framing", ENCODINGS)
@pytest.mark.parametrize("opening, closing", BRACKETS)
def test_millions_of_brackets(framing: str, opening: bytes, closing: bytes) -> None:
    check_refused(opening * 3_000_000, framing)
    check_refused(nested(1_000_000, opening, closing), framing)


def test_deep_content_is_kept_and_compared() -> None:
    deep = b"[" * 500 + b"1" + b"]" * 500
    apply = b'{"jsonrpc":"2.0","id":%d,"method":"applySnapshot","params":{"list":"l","items":[%s]}}'
    outcome = session(b"\n".join(apply % (k, b'{"id":1,"v":' + deep + b"}") for k in (1, 2)))
    assert outcome.lines[1]["result"]["stages"] == []


def test_broken_messages_change_nothing() -> None:
    apply = encode(request("applySnapshot", {"list": "l", "items": [1]}))
    outcome = session(apply[:-2] + b"\n" + apply + b"x\n" + line(LISTS))
    assert [reply.get("error", {}).get("code") for reply in outcome.lines] == [-32700, -32700, None]
    assert outcome.lines[2]["result"] == {"lists": []}
