"""A recorded session is a bug report: it can be run again."""

from __future__ import annotations

import base64
import json
import os
import re
import resource
import subprocess
from pathlib import Path
from typing import List

import pytest

from client import PATIENCE, Daemon, frame, line, notice, program, request, session


def replay(*args: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [program(), "replay", *args], capture_output=True, text=True, timeout=PATIENCE
    )


def lines(record: Path) -> List[dict]:
    return [json.loads(text) for text in record.read_text().splitlines()]


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return tmp_path / "session.ndjson"


def apply(items: list, id: int = 1) -> dict:
    return request("applySnapshot", {"list": "l", "items": items}, id)


def pretty(message: dict) -> bytes:
    return frame(json.dumps(message, indent=2).encode())


# Promise: A record has both directions, also input that is not a message, and everything that was answered before a
#   crash. Also `test_a_killed_daemon_has_recorded_what_it_answered`.
@pytest.mark.parametrize("framing", ["ndjson", "lsp"])
def test_both_directions(record: Path, framing: str) -> None:
    wrap = line if framing == "ndjson" else pretty
    bad = b"{oops\n" if framing == "ndjson" else frame(b"\xff{") + b"nonsense\r\n\r\n"
    sent = [wrap(apply([1, 2])), bad, wrap([apply([2, 1], 2), notice("initialized")])]
    sent += [wrap(notice("exit"))]
    outcome = session(b"".join(sent), "--record", str(record))
    assert outcome.code == 1
    answer = lines(record)
    replies = outcome.lines if framing == "ndjson" else outcome.framed
    assert [entry["message"] for entry in answer if entry["from"] == "server"] == replies
    raws = [base64.b64decode(entry["raw"]) for entry in answer if "raw" in entry]
    assert raws == ([b"{oops"] if framing == "ndjson" else [b"\xff{", b"nonsense\r\n"])
    assert all(isinstance(entry["at"], int) for entry in answer)
    again = replay(str(record))
    assert again.returncode == 0, again.stdout


def test_a_killed_daemon_has_recorded_what_it_answered(record: Path) -> None:
    with Daemon("--record", str(record)) as daemon:
        replies = [daemon.call("applySnapshot", list="l", items=[k]) for k in range(50)]
        daemon.process.kill()
    answer = [entry["message"]["result"] for entry in lines(record) if entry["from"] == "server"]
    assert answer == replies
    assert replay(str(record)).returncode == 0


# Promise: A truncated record is replayed up to its last whole line; one that cannot be written anew is kept. Also
#   `test_a_record_without_room_ends_where_it_ends`, `test_recording_anew_that_fails_loses_nothing`.
def test_a_record_that_was_cut_short(record: Path) -> None:
    session(line(apply([1])) + line(apply([2], 2)), "--record", str(record))
    whole = record.read_bytes()
    for end in range(whole.index(b"\n") + 1, len(whole) - 1, 17):
        record.write_bytes(whole[:end])
        outcome = replay(str(record))
        assert outcome.returncode == 0, outcome.stdout
        assert (f"{record} ends inside line" in outcome.stderr) == (b"\n" not in whole[end - 1 : end + 1])
    record.write_bytes(b"{}\n")
    assert replay(str(record)).returncode == 1


# Promise: A cancellation is recorded where it took effect, and only then.
def test_cancellations_stand_where_they_took_effect(record: Path) -> None:
    slow = apply([{"id": k, "text": "x" * 100} for k in range(30_000)])
    sent = [slow, apply([1], 2), apply([2], 3), notice("$/cancelRequest", {"id": 2})]
    sent += [notice("$/cancelRequest", {"id": 77}), apply([3], 4)]
    outcome = session(b"".join(map(line, sent)), "--record", str(record))
    codes = [reply.get("error", {}).get("code") for reply in outcome.lines]
    answer = [entry["message"] for entry in lines(record)]
    cancelled = [entry["params"]["id"] for entry in answer if entry.get("method") == "$/cancelRequest"]
    assert cancelled == ([2] if codes[1] == -32800 else [])
    assert replay(str(record)).returncode == 0


def test_versions_times_and_log_messages_are_not_compared(record: Path) -> None:
    sent = [request("initialize"), notice("applySnapshot", {"list": 1}), apply([1], 2)]
    session(b"".join(map(line, sent)), "--record", str(record))
    answer = lines(record)
    answer[1]["message"]["result"]["serverInfo"]["version"] = "99"
    log = next(entry for entry in answer if entry["message"].get("method") == "window/logMessage")
    log["message"]["params"]["message"] = "other words"
    record.write_text("".join(json.dumps({**entry, "at": 7}) + "\n" for entry in answer))
    assert replay(str(record)).returncode == 0


@pytest.mark.parametrize("is_batch", [False, True])
def test_the_words_of_an_error_are_not_compared(record: Path, is_batch: bool) -> None:
    """Its code and its data do."""
    refused = request("getLists", {"verbose": True})
    session(line([refused, refused] if is_batch else refused), "--record", str(record))
    entries = lines(record)
    reply = entries[1]["message"][1] if is_batch else entries[1]["message"]

    def replayed(**changed: object) -> int:
        error = reply["error"]
        reply["error"] = {**error, **changed}
        record.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
        reply["error"] = error
        return replay(str(record)).returncode

    assert replayed() == 0 and replayed(message="other words") == 0
    assert replayed(code=-32600) == 1
    assert replayed(data={**reply["error"]["data"], "pointer": "/params"}) == 1


@pytest.mark.parametrize("change", [
    ('"revision":2', '"revision":3'), ('"id":2,"result"', '"id":"2","result"'),
    ('"inserts":1', '"inserts":1.0'), ('"list":"l","baseRevision":1', '"baseRevision":1,"list":"l"'),
])  # fmt: skip
# Promise: The first difference is shown with its request; recording anew fails. Also `test_recording_anew_fails`.
def test_the_first_difference_is_shown(record: Path, change: tuple) -> None:
    session(line(apply([1])) + line(apply([2], 2)), "--record", str(record))
    first, second, third, fourth = record.read_text().splitlines()
    assert change[0] in fourth
    record.write_text("\n".join([first, second, third, fourth.replace(*change)]) + "\n")
    outcome = replay(str(record))
    assert outcome.returncode == 1
    assert f"{record}:4" in outcome.stdout and '"items"' in outcome.stdout.replace(" ", "")
    assert change[1] in outcome.stdout and change[0] in outcome.stdout


def test_an_answer_too_few_and_one_too_many(record: Path) -> None:
    session(line(apply([1])) + line(apply([2], 2)), "--record", str(record))
    answer = record.read_text().splitlines()
    record.write_text("\n".join(answer[:1] + answer[2:]) + "\n")
    outcome = replay(str(record))
    assert outcome.returncode == 1 and "nothing" in outcome.stdout
    record.write_text("\n".join([*answer, answer[-1]]) + "\n")
    assert replay(str(record)).returncode == 1


def test_recording_anew_fails(record: Path) -> None:
    session(line(apply([1])) + line(apply([2], 2)), "--record", str(record))
    right = record.read_text()
    record.write_text('{"title":"a story"}\n' + right.replace('"revision":2', '"revision":9'))
    assert replay(str(record)).returncode == 1
    assert replay("--rerecord", str(record)).returncode == 1
    assert record.read_text() == '{"title":"a story"}\n' + right
    assert replay(str(record)).returncode == 0


def test_options_are_part_of_the_session(record: Path) -> None:
    sent = line(apply([1])) + line(apply(["x" * 2000], 2)) + line(apply([3], 3))
    session(sent, "--record", str(record), "--max-message-bytes=1000")
    outcome = replay(str(record))
    assert outcome.returncode == 0, outcome.stdout
    assert "-31008" in replay("--show", str(record)).stdout


def test_the_library_is_shown() -> None:
    sessions = sorted((Path(__file__).parents[1] / "Sessions").glob("*.ndjson"))
    assert len(sessions) > 40
    for path in sessions:
        title = json.loads(path.read_text().splitlines()[0])["title"]
        assert replay("--show", str(path)).stdout.startswith(title + "\n")


def test_a_record_that_cannot_be_written(tmp_path: Path) -> None:
    outcome = session(line(apply([1])), "--record", str(tmp_path / "no" / "file"))
    assert outcome.code == 1 and outcome.out == b"" and "no/file" in outcome.err
    outcome = session(line(apply([1])) + line(apply([2])), "--record", "/dev/full")
    assert outcome.code == 0 and len(outcome.lines) == 2 and outcome.err.count("/dev/full") == 1


def test_replaying_needs_a_file(tmp_path: Path) -> None:
    assert replay().returncode == 2
    assert replay("--sho", "x").returncode == 2
    assert replay(str(tmp_path / "none")).returncode == 1


def test_recording_anew_that_fails_loses_nothing(record: Path) -> None:
    session(line(apply([1])) + line(apply([2], 2)), "--record", str(record))
    right = record.read_text()
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))
    command = [program(), "replay", "--rerecord", str(record)]
    outcome = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, preexec_fn=limit)
    assert outcome.returncode == 1 and str(record) in outcome.stderr
    assert record.read_text() == right and os.listdir(record.parent) == [record.name]


def test_a_record_without_room_ends_where_it_ends(record: Path) -> None:
    """The recorded part is replayed; the session continues."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
    process = subprocess.Popen(
        [program(), "--record", str(record)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limit,
    )  # fmt: skip
    sent = b"".join(line(apply([k], k)) for k in range(40))
    out, err = process.communicate(sent, timeout=PATIENCE)
    assert process.returncode == 0 and out.count(b'"result"') == 40
    assert err.count(str(record).encode()) == 1 and record.stat().st_size == 5000
    outcome = replay(str(record))
    assert outcome.returncode == 0 and "ends inside line" in outcome.stderr


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


# Promise: Records are private, and only a record is overwritten. Also `test_only_a_record_is_overwritten`,
#   `test_a_closed_journal_is_not_overwritten_by_a_record`, `test_a_record_is_recorded_over`,
#   `test_a_pipe_is_refused_as_a_record`.
@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_records_are_private(record: Path, umask: int) -> None:
    sent = line(apply([1]))
    for before in (None, 0o644):
        if before is not None:
            record.write_bytes(b"")
            record.chmod(before)
        command = [program(), "--record", str(record)]
        subprocess.run(command, input=sent, timeout=PATIENCE, check=True, stdout=subprocess.DEVNULL,
                       preexec_fn=lambda: os.umask(umask))  # fmt: skip
        assert mode(record) == 0o600
        command = [program(), "replay", "--rerecord", str(record)]
        subprocess.run(command, timeout=PATIENCE, stdout=subprocess.DEVNULL,
                       preexec_fn=lambda: os.umask(umask))  # fmt: skip
        assert mode(record) == 0o600


OTHERS = [
    b"hello\n", b"\n", b" ", b"x" * 100_000, b"{}\n", b"[]\n", b'{"title":1}\n', b'{"items":["a"]}\n',
    b'{"title":"My list","items":["a"]}\n', b'{"at":1}\n', b'{"at":1,"from":"me","message":{}}\n',
    b'{"at":7,"temperature":20', b'{"listd":"journal","version":1}\n', b'{"listd":"journal","version":2}\n',
]  # fmt: skip


@pytest.mark.parametrize("content", OTHERS, ids=range(len(OTHERS)))
def test_only_a_record_is_overwritten(record: Path, content: bytes) -> None:
    record.write_bytes(content)
    link = record.with_name("link")
    link.symlink_to(record)
    for path in (record, link):
        outcome = session(line(apply([1])), "--record", str(path))
        assert outcome.code == 1 and outcome.out == b"" and str(path) in outcome.err
        assert record.read_bytes() == content


def test_a_closed_journal_is_not_overwritten_by_a_record(record: Path) -> None:
    session(line(apply([1])), "--journal", str(record))
    before = record.read_bytes()
    outcome = session(line(apply([2])), "--record", str(record))
    assert outcome.code == 1 and record.read_bytes() == before


def test_a_record_is_recorded_over(record: Path, tmp_path: Path) -> None:
    """Also one that was cut short, that was edited, or that begins with the lists of a journal."""
    sent, other = line(apply([1])), line(request("getLists"))
    session(sent, "--record", str(record))
    whole = record.read_bytes()
    lists = str(tmp_path / "journal")
    session(line(apply(["x" * 100_000])), "--journal", lists)
    session(other, "--journal", lists, "--record", str(record))
    begun = record.read_bytes()
    assert len(begun) > 100_000
    spaced = b'{ "title" : "a story" }\n' + json.dumps(json.loads(whole.splitlines()[0])).encode() + b"\n"
    torn = [whole[:end] for end in (1, 8, 60)] + [begun[:end] for end in (30, 90_000)]
    for content in [b"", whole, begun, spaced, *torn]:
        record.write_bytes(content)
        outcome = session(other, "--record", str(record))
        assert outcome.code == 0, (content[:80], outcome.err)
        assert b"getLists" in record.read_bytes() and b"applySnapshot" not in record.read_bytes()


@pytest.mark.parametrize("has_reader", [False, True])
def test_a_pipe_is_refused_as_a_record(record: Path, has_reader: bool) -> None:
    os.mkfifo(record)
    reader = os.open(record, os.O_RDONLY | os.O_NONBLOCK) if has_reader else None
    outcome = session(line(apply([1])), "--record", str(record))
    assert outcome.code == 1 and outcome.out == b"" and str(record) in outcome.err
    if reader is not None:
        os.close(reader)


EVIL = "\x1b]0;pwn\x07\r\u009b2J\x7f" + "\u00ad\u180e\u202eexe\u202c\u2066x\u2069\u200e\u200f\u061c\u2028\ufeff"


def is_plain(text: str) -> bool:
    hidden = "\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    return not re.search(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{hidden}]", text)


def test_control_and_invisible_characters_are_not_shown_raw(record: Path, tmp_path: Path) -> None:
    answer = session(line(notice("removeList", {"list": EVIL}))).err
    assert "pwn" in answer and "\\u001b" in answer and is_plain(answer)
    answer = session(b"", "--" + EVIL).err
    assert "pwn" in answer and is_plain(answer)
    answer = session(b"", "--journal", str(tmp_path / EVIL / "x")).err
    assert "pwn" in answer and is_plain(answer)
    story = json.dumps({"title": EVIL, "options": ["--log-level=" + "error"]})
    asked = json.dumps({"at": 0, "from": "client", "message": apply([EVIL])}, ensure_ascii=False)
    other = json.dumps({"at": 0, "from": "server", "message": {"id": EVIL}}, ensure_ascii=False)
    raw = json.dumps({"at": 0, "from": "client", "raw": base64.b64encode(EVIL.encode()).decode()})
    record.write_text("\n".join([story, asked, other, raw]) + "\n")
    for words in ([str(record)], ["--show", str(record)]):
        outcome = replay(*words)
        assert "pwn" in outcome.stdout and is_plain(outcome.stdout), outcome.stdout
        assert "\\u202eexe\\u202c" in outcome.stdout
    page = tmp_path / "page.html"
    assert replay("--html", str(page), str(record)).returncode == 0
    assert "pwn" in page.read_text() and is_plain(page.read_text())
    (tmp_path / "old").write_text(EVIL.replace("\r", "") + "\n", newline="")
    for content in (EVIL + "x\n", json.dumps({"items": [EVIL]}, ensure_ascii=False)):
        (tmp_path / "new").write_text(content, newline="")
        words = [program(), "diff", str(tmp_path / "old"), str(tmp_path / "new")]
        outcome = subprocess.run(words, capture_output=True, timeout=PATIENCE)
        text = outcome.stdout.decode()
        assert outcome.returncode == 1 and "pwn" in text and is_plain(text), text
