"""`listd replay --serve`: a record answers a client and reports the first message that differs."""

# Promise: A record answers a client with the client's ids, and reports the first message that differs.

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Tuple

import pytest

from client import PATIENCE, Outcome, program
from repository import ROOT

pytestmark = pytest.mark.needs("listd replay")

SESSIONS = ROOT / "Tests/Sessions"
FIRST = {"method": "applySnapshot", "params": {"list": "l", "items": ["a", "b"]}}
SECOND = {"method": "select", "params": {"list": "l", "items": ["b"]}}
SUBSCRIBE = {"method": "subscribe", "params": {"list": "l"}}


def frame(message: Any, lsp: bool = False) -> bytes:
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body) if lsp else body + b"\n"


def request(number: Any, message: Dict[str, Any]) -> Dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, **message}


def serve(path: Path, sent: bytes) -> Outcome:
    done = subprocess.run(
        [program(), "replay", "--serve", str(path)], input=sent, capture_output=True,
        timeout=PATIENCE,
    )  # fmt: skip
    return Outcome(done.returncode, done.stdout, done.stderr.decode())


def make(path: Path, *messages: Any) -> Path:
    """Records the answers of a daemon to messages."""
    subprocess.run(
        [program(), "--record", str(path)], input=b"".join(map(frame, messages)), check=True,
        capture_output=True,
    )  # fmt: skip
    return path


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return make(tmp_path / "r", request(1, FIRST), request(2, SUBSCRIBE), request(3, SECOND))


def messages(outcome: Outcome) -> List[Any]:
    return [json.loads(line) for line in outcome.out.splitlines()]


def sides(path: Path) -> Tuple[List[bytes], List[Any]]:
    """The lines of the client in a record, and the messages of the daemon; none if not all messages are
    JSON of one client."""
    client: List[bytes] = []
    server: List[Any] = []
    for line in path.read_text().splitlines():
        entry = json.loads(line)
        if "from" not in entry:
            continue
        if "message" not in entry or entry.get("connection", 1) != 1:
            return [], []
        if entry["from"] == "server":
            server.append(entry["message"])
        else:
            # Not every number is unchanged by reading and writing it.
            client.append(line[line.index('"message":') + 10 : -1].encode() + b"\n")
    return client, server


@pytest.mark.parametrize("path", sorted(SESSIONS.glob("*.ndjson")), ids=lambda path: path.stem)
def test_every_recorded_session_is_served(path: Path) -> None:
    client, server = sides(path)
    if not client:
        pytest.skip("not all messages are JSON of one client")
    served = serve(path, b"".join(client))
    assert served.err == "" and served.code == 0
    assert messages(served) == server


def test_answers_have_the_ids_of_the_client(record: Path) -> None:
    sent = [request("x", FIRST), request(7.5, SUBSCRIBE), request(None, SECOND)]
    served = serve(record, b"".join(map(frame, sent)))
    assert (served.code, served.err) == (0, "")
    answers = messages(served)
    assert [answer["id"] for answer in answers if "id" in answer] == ["x", 7.5, None]
    assert [m["params"]["request"] for m in answers if "method" in m] == [None]


def test_order_of_members_headers_and_own_members_do_not_count(tmp_path: Path) -> None:
    hello = {"method": "initialize", "params": {"protocolVersion": 1, "clientInfo": {"name": "a"}}}
    path = make(tmp_path / "r", request(1, hello), request(2, FIRST))
    other = {"params": {"protocolVersion": 1, "processId": 5}, "method": "initialize"}
    params = {"_trace": 1, "items": ["a", "b"], "list": "l"}
    sent = [request(1, other), {"params": params, "method": "applySnapshot", "id": 2, "jsonrpc": "2.0"}]
    served = serve(path, b"".join(frame(message, lsp=True) for message in sent))
    assert (served.code, served.err) == (0, "")
    assert served.out.count(b"Content-Length: ") == 2


def test_a_client_that_waits_is_answered(tmp_path: Path) -> None:
    """The recorded client did not wait for its answers."""
    path = tmp_path / "r"
    lines = make(path, request(1, FIRST), request(2, SECOND)).read_text().splitlines()
    client = [line for line in lines if '"client"' in line]
    path.write_text("\n".join(client + [line for line in lines if line not in client]) + "\n")
    command = [program(), "replay", "--serve", str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as served:
        assert served.stdin and served.stdout
        for number, message in [(4, FIRST), (5, SECOND)]:
            served.stdin.write(frame(request(number, message)))
            served.stdin.flush()
            assert json.loads(served.stdout.readline())["id"] == number
        served.stdin.close()
        assert served.wait(PATIENCE) == 0


@pytest.mark.parametrize(
    "sent, words",
    [
        ([request(1, {**FIRST, "params": {"list": "l", "items": ["a", "c"]}})], "at        /params/items/1"),
        ([request(1, {**FIRST, "method": "diff"})], "at        /method"),
        ([{"jsonrpc": "2.0", **FIRST}], "another message"),
        ([[request(1, FIRST)]], "another message"),
        ([request(1, FIRST), request(1, SECOND)], '"method": "subscribe"'),
        ([request(1, FIRST)], "has not sent the next message"),
        ([request(n, m) for n, m in enumerate([FIRST, SUBSCRIBE, SECOND, FIRST])], "no more messages"),
    ],
)  # fmt: skip
def test_the_first_difference_is_named(record: Path, sent: List[Any], words: str) -> None:
    served = serve(record, b"".join(map(frame, sent)))
    assert served.code == 1
    assert words in served.err and str(record) in served.err
    line = int(served.err.split(str(record) + ":")[1].split(":")[0])
    entries = [json.loads(text) for text in record.read_text().splitlines()]
    if "no more" not in words:
        assert entries[line - 1]["from"] == "client"
    # Earlier requests are answered as recorded.
    assert len(messages(served)) <= len(entries) - 3


def test_text_that_is_not_json_is_reported(record: Path) -> None:
    served = serve(record, b"{nonsense\n")
    assert served.code == 1 and "received  {nonsense" in served.err


def test_exit_ends_the_session(tmp_path: Path) -> None:
    end = [request(2, {"method": "shutdown"}), {"jsonrpc": "2.0", "method": "exit"}]
    path = make(tmp_path / "r", request(1, FIRST), *end)
    command = [program(), "replay", "--serve", str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as served:
        assert served.stdin
        for message in [request(8, FIRST), *end]:
            served.stdin.write(frame(message))
        served.stdin.flush()
        assert served.wait(PATIENCE) == 0


def test_it_needs_one_record(record: Path, tmp_path: Path) -> None:
    for files in [[], [record, record], ["-"]]:
        done = subprocess.run(
            [program(), "replay", "--serve", *map(str, files)], input=b"", capture_output=True
        )
        assert done.returncode == 2
    (tmp_path / "no").write_text("nonsense\n")
    assert serve(tmp_path / "no", b"").code == 1
