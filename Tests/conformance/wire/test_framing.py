"""Both framings: which one, how messages are cut out, and how input ends."""

from __future__ import annotations

import pytest

from client import encode, frame, line, request, session

LISTS = request("getLists")
ANSWER = {"jsonrpc": "2.0", "id": 1, "result": {"lists": []}}
BOM = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    "start", [b"", BOM, b" \t\r\n\n", BOM + b" \n", b"\r\n" + BOM, BOM + b"\r\n\t "]
)
def test_white_space_before_the_first_line(start: bytes) -> None:
    assert session(start + line(LISTS)).lines == [ANSWER]


@pytest.mark.parametrize("start", [b"", BOM, b"\r\n", BOM + b"\n"])
def test_white_space_before_the_first_header(start: bytes) -> None:
    assert session(start + frame(LISTS)).framed == [ANSWER]


def test_a_batch_begins_with_a_bracket() -> None:
    assert session(line([LISTS])).lines == [[ANSWER]]


def test_lines_end_with_or_without_a_carriage_return() -> None:
    sent = encode(LISTS) + b"\r\n" + line(LISTS) + b"\r\n\n   \n\r\n" + line(LISTS)
    assert session(sent).lines == [ANSWER] * 3


def test_the_last_line_needs_no_newline() -> None:
    outcome = session(encode(LISTS))
    assert outcome.lines == [ANSWER] and outcome.code == 0


def test_a_reply_is_one_line() -> None:
    params = {"list": "l", "items": [{"id": "a\nb\r\u2028", "t": "\n"}], "content": True}
    outcome = session(line(request("applySnapshot", params)))
    assert outcome.out.count(b"\n") == 1 and b"\r" not in outcome.out


def test_white_space_inside_a_message_is_written_on_one_line() -> None:
    sent = b'{"jsonrpc":"2.0","id":1,"method":"applySnapshot","params":{"list":"l","items":[\r\n'
    sent += b'{"id":1,\n"v":[1,\r\n2]}],"content":true}}'
    reply = session(frame(sent)).framed[0]
    assert reply["result"]["stages"][0][0]["sections"][0]["items"] == [{"id": 1, "v": [1, 2]}]


def test_header_names_in_any_case_and_other_headers() -> None:
    body = encode(LISTS)
    kind = b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"
    length = b"%d\r\n" % len(body)
    heads = [
        b"Content-Length: " + length + kind,
        kind + b"content-length: " + length,
        b"CONTENT-LENGTH:" + length + b"X-Other: a: b\r\n",
        b"Content-Length:   " + length,
    ]
    sent = b"".join(head + b"\r\n" + body for head in heads)
    assert session(sent).framed == [ANSWER] * 4


def test_replies_have_a_plain_header() -> None:
    assert session(frame(LISTS)).out.startswith(b"Content-Length: ")


@pytest.mark.parametrize("encoded", [line, frame])
def test_any_chunking(encoded) -> None:
    sent = encoded(request("getLists", {"_x": "é—🙂"})) + encoded(LISTS)
    outcome = session(sent[k : k + 1] for k in range(len(sent)))
    answer = outcome.lines if encoded is line else outcome.framed
    assert answer == [ANSWER] * 2


@pytest.mark.parametrize("framing, encoded", [("ndjson", line), ("lsp", frame), ("auto", line)])
def test_the_framing_can_be_named(framing: str, encoded) -> None:
    outcome = session(encoded(LISTS), f"--framing={framing}")
    assert (outcome.framed if framing == "lsp" else outcome.lines) == [ANSWER]


def test_a_named_framing_overrides_the_first_byte() -> None:
    answer = session(b"hello\n" + line(LISTS), "--framing=ndjson").lines
    assert answer[0]["error"]["code"] == -32700 and answer[1] == ANSWER
    answer = session(b"{hello}\r\n\r\n" + frame(LISTS), "--framing=lsp").framed
    assert answer[0]["error"]["code"] == -32700 and answer[1] == ANSWER


@pytest.mark.parametrize("sent", [b"", b"\n", b" \r\n\r\n", BOM, line(LISTS), frame(LISTS)])
def test_input_ends_between_messages(sent: bytes) -> None:
    outcome = session(sent)
    assert outcome.code == 0 and outcome.err == ""


@pytest.mark.parametrize(
    "sent",
    [
        encode(LISTS)[:-1],
        line(LISTS) + b'{"jsonrpc":"2.0',
        frame(LISTS)[:-1],
        frame(LISTS) + b"Content-Length: 10\r\n\r\n",
        frame(LISTS) + b"Content-Len",
        b"Content-Length: 10\r\n",
    ],
)
def test_input_ends_inside_a_message(sent: bytes) -> None:
    outcome = session(sent)
    assert outcome.code == 1 and outcome.err.strip()


def test_all_that_was_asked_is_answered_before_the_end() -> None:
    items = [{"id": k, "text": "x" * 50} for k in range(5000)]
    sent = [
        line(request("applySnapshot", {"list": f"l{k}", "items": items, "content": True}, k))
        for k in range(10)
    ]
    outcome = session(b"".join(sent))
    assert [answer["id"] for answer in outcome.lines] == list(range(10)) and outcome.code == 0


def test_reading_resumes_at_the_second_of_two_lengths() -> None:
    body = encode(request("getLists", id=7))
    wrong = b"Content-Length: 3\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
    answer = session(frame(request("getLists", id=6)) + wrong + frame(request("getLists", id=8)))
    assert [reply["id"] for reply in answer.framed] == [6, None, 7, 8]
    assert answer.framed[1]["error"]["code"] == -32700 and answer.code == 0
    three = b"Content-Length: 3\r\nContent-Length: 4\r\n" + wrong[19:]
    answer = session(frame(request("getLists", id=6)) + three)
    assert [reply["id"] for reply in answer.framed] == [6, None, None, 7]


@pytest.mark.parametrize("size", [90, 101, 102, 300, 9000])
def test_the_end_after_and_inside_a_message_that_is_too_large(size: int) -> None:
    """The last line needs no newline, even if it is too large to be kept; a partial line is cut off."""
    big = request("getLists", {"_": '"}]\\' * size})
    first, whole = line(request("getLists", id=6)), encode(big)
    limit = "--max-message-bytes=100"
    for sent, code in [(whole, 0), (whole + b"\r\n", 0), (whole + b"  ", 0), (whole[:-1], 1),
        (whole[:-2], 1), (whole[: len(whole) // 2], 1), (whole[:102], 1)]:  # fmt: skip
        for chunks in ([first + sent], [first, sent[:50], sent[50:103], sent[103:]]):
            answer = session(chunks, limit)
            assert answer.code == code and (answer.err != "") == (code == 1), sent
            assert [reply["id"] for reply in answer.lines] == [6, None]
            assert answer.lines[1]["error"]["code"] == -31008
