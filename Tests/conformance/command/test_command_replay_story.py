"""`listd replay --story` and records that have nothing to compare."""

# Promise: A record is printed as a story and as a page; redacted, it contains nothing of its lists, has the
#   documented lengths and names only, and fails with the same errors.

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, List

import pytest

from client import PATIENCE, Outcome, program
from command import check_policy

pytestmark = pytest.mark.needs("listd replay")

REQUESTS = [
    {"method": "applySnapshot", "params": {"list": "mail", "items": [
        {"id": 1, "text": "Hello"}, {"id": 2, "text": "Salary"}, {"id": 3, "text": "Lunch"}]}},
    {"method": "editSnapshot", "params": {"list": "mail", "edits": [
        {"edit": "moveItems", "items": [3], "before": 1},
        {"edit": "updateItems", "items": [{"id": 2, "text": "Salary\u001b[2J", "unread": 5}]}]}},
    {"method": "compose", "params": {"list": "all", "sources": ["mail"]}},
    {"method": "select", "params": {"list": "mail", "items": [17]}},
    {"method": "editSnapshot", "params": {"list": "mail", "edits": [
        {"edit": "deleteItems", "items": [1]}]}},
    {"method": "removeList", "params": {"list": "all"}},
]  # fmt: skip


def run(*args: Any) -> Outcome:
    done = subprocess.run(
        [program(), "replay", *map(str, args)], capture_output=True, timeout=PATIENCE
    )
    return Outcome(done.returncode, done.stdout, done.stderr.decode())


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "record.ndjson"
    sent = "".join(
        json.dumps({"jsonrpc": "2.0", "id": n, **request}) + "\n"
        for n, request in enumerate(REQUESTS, 1)
    )
    subprocess.run(
        [program(), "--record", str(path)], input=sent.encode(), check=True, capture_output=True
    )
    return path


def heads(answer: Outcome) -> List[str]:
    return [line.split("ms  ")[1].split("  [")[0] for line in answer.out.decode().splitlines()
        if "ms  " in line]  # fmt: skip


def test_a_story(record: Path) -> None:
    answer = run("--story", record)
    assert answer.code == 0 and answer.err == ""
    assert heads(answer) == [
        "#1 applySnapshot mail  r0 → r1", "#2 editSnapshot mail  r1 → r2",
        "#3 compose all  r0 → r1", "#4 select mail", "#5 editSnapshot mail  r2 → r3",
        "#6 removeList all  r2 → r0",
    ]  # fmt: skip
    text = answer.out.decode()
    assert "✗ -31005" in text and "\x1b" not in text
    assert "> 3  Lunch" in text and "< 3  Lunch" in text and "- 1  Hello" in text
    assert "all  r1 → r2" in text, "composites follow"


def test_a_part_of_a_story(record: Path) -> None:
    assert heads(run("--story", "--id", "2", record)) == ["#2 editSnapshot mail  r1 → r2"]
    assert heads(run("--story", "--errors", record)) == ["#4 select mail"]
    assert len(heads(run("--story", "--list", "all", record))) == 3
    assert run("--id", "2", record).code == 2


def test_a_record_without_answers_fails(tmp_path: Path, record: Path) -> None:
    empty = tmp_path / "empty"
    for text in ("", '{"title": "nothing happened"}\n'):
        empty.write_text(text)
        answer = run(empty)
        assert answer.code == 1 and "no answers" in answer.err
        assert run(record, empty).code == 1 and run("--story", empty).code == 1


def test_a_redacted_record_has_no_texts_and_the_same_story(
    record: Path, tmp_path: Path
) -> None:
    out = tmp_path / "redacted.ndjson"
    assert run("--redact", out, record).code == 0
    text = out.read_text()
    for word in ("Hello", "Salary", "Lunch", "mail", "all"):
        assert f'"{word}' not in text, word
    answer = run(out)
    assert answer.code == 0 and "all the same" in answer.out.decode()

    def shape(path: Path) -> List[Any]:
        """The events of a story, without names."""
        found: List[Any] = []
        for line in path.read_text().splitlines():
            message = json.loads(line).get("message", {})
            result = message.get("result") or {}
            found.append((message.get("method"), message.get("error", {}).get("code"),
                result.get("counts") if isinstance(result, dict) else None))  # fmt: skip
        return [entry for entry in found if any(entry)]

    assert shape(out) == shape(record)
    # Numbers that are not identifiers are kept.
    assert '"unread":5' in text
    journal = tmp_path / "journal"
    for _ in range(2):
        subprocess.run(
            [program(), "--journal", journal, "--record", tmp_path / "with-journal"],
            input=b'{"jsonrpc":"2.0","id":1,"method":"applySnapshot","params":{"list":"a","items":[1]}}\n',
            check=True, capture_output=True,
        )  # fmt: skip
    refused = run("--redact", out, tmp_path / "with-journal")
    assert refused.code == 1 and "journal" in refused.err


def redacted(tmp_path: Path, *messages: Any) -> List[Any]:
    """The messages of a client after they were redacted. They may not contain the word "secret"."""
    path, out = tmp_path / "messages", tmp_path / "redacted"
    sent = [{"at": 0, "from": "client", "message": message} for message in messages]
    answer = {"at": 0, "from": "server", "message": {}}
    path.write_text("".join(json.dumps(line) + "\n" for line in [*sent, answer]))
    assert run("--redact", out, path).code == 0
    assert run(out).code == 0, "the redacted record has the answers to its requests"
    assert "secret" not in out.read_text().lower()
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    return [line["message"] for line in lines if line.get("from") == "client"]


def call(method: str, params: Any, **more: Any) -> Any:
    return {"jsonrpc": "2.0", "method": method, "params": params, **more}


def test_names_that_are_not_of_the_protocol_are_redacted(tmp_path: Path) -> None:
    found = redacted(
        tmp_path, call("secretMethod", {}, id="secret"), call("getSnapshot", {"list": "l", "secret": 1}, id=2),
        call("getSnapshot", {"list": "l", "$secret": 1, "_secret": {"list": "Secret"}}, id=3),
        call("editSnapshot", {"list": "l", "edits": [{"edit": "secretEdit", "secret\u0131": []}]}, id=4),
        call("initialize", {"require": ["secret", "rpc.discover"], "capabilities": {"secret": True}}, id=5),
        call("applySnapshot", {"list": "l", "format": "secret", "items": [], "cursorPolicy": "follow"}, secret=1),
    )  # fmt: skip
    assert [message["params"].get("list") for message in found[1:3]] == [found[1]["params"]["list"]] * 2
    assert sorted(name[0] for name in found[2]["params"]) == ["$", "_", "l"]
    assert found[5]["params"]["cursorPolicy"] == "follow" and "format" in found[5]["params"]
    assert list(found[3]["params"]["edits"][0])[0] == "edit"


def test_what_a_redacted_record_keeps(tmp_path: Path) -> None:
    templates = {"Cell": "- {name} {mark:#Group}", "Other": "literal"}
    items = [{"id": 1, "name": "secret", "template": "Cell", "size": 9, "more": {"member": "secret"}}]
    view = {"where": {"member": "name", "is": "secret"}, "match": {"query": "secret", "members": ["name"], "case": "smart"},
        "tree": {"parent": "up", "open": "all"}, "sort": [{"by": "name", "order": "descending", "as": "natural"}],
        "selection": "source", "sections": "merge", "distinct": "name"}  # fmt: skip
    sections = [{"id": "secret", "selectionMode": "multiple", "header": "secret", "items": items}]
    found = redacted(
        tmp_path, call("registerTemplates", {"templates": templates}), call("$/cancelRequest", {"id": 77}),
        call("applySnapshot", {"list": "secret", "sections": sections}),
        [call("compose", {"list": "v", "sources": ["secret"], "view": view}, id=77)],
    )  # fmt: skip
    assert found[0]["params"]["templates"] == templates
    assert found[1]["params"] == {"id": 77} and found[3][0]["id"] == 77
    (section,) = found[2]["params"]["sections"]
    (item,) = section["items"]
    token = section["id"]
    assert item == {**items[0], "name": token, "more": {"member": token}}
    assert section["selectionMode"] == "multiple" and section["header"] == token
    assert found[3][0]["params"]["view"] == {
        **view, "where": {"member": "name", "is": token}, "match": {**view["match"], "query": token},
    }  # fmt: skip


def test_tokens_have_rounded_lengths_and_are_as_different_as_texts(tmp_path: Path) -> None:
    texts = ["a", "b", "A", "é", "e\u0301", "\ud800", "\ud801", "12345678", "123456789", "x" * 17, "x\ny/a", "", "a"]
    (message,) = redacted(tmp_path, call("applySnapshot", {"list": "l", "items": texts[:-1]}, id=1))
    tokens = message["params"]["items"]
    assert len(set(tokens)) == len(tokens), tokens
    assert [len(token) for token in tokens] == [8] * 8 + [16, 24, 26, 0]
    assert tokens[10].split("/")[1] == tokens[0]
    (one, other) = redacted(tmp_path, *[call("applySnapshot", {"list": "l", "items": texts}, id=1)] * 2)
    assert one == other and one["params"]["items"][0] == one["params"]["items"][-1] == tokens[0]


# The bytes of a broken message do not break it in the same way after they were replaced.
RECORDS = sorted(
    path for path in (Path(__file__).resolve().parents[2] / "Sessions").glob("*.ndjson")
    if '"raw"' not in path.read_text()
)  # fmt: skip


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_redacted_session_has_the_same_errors(path: Path, tmp_path: Path) -> None:
    def codes(text: str) -> List[Any]:
        answers = [json.loads(line) for line in text.splitlines()]
        sent = [one["message"] for one in answers if one.get("from") == "server"]
        return [one.get("error", {}).get("code") if isinstance(one, dict) else None for one in sent]

    out = tmp_path / "redacted"
    assert run("--redact", out, path).code == 0
    recorded = codes(path.read_text())
    # A record may end before its last message is answered.
    assert codes(out.read_text())[: len(recorded)] == recorded


def page(record: Path, tmp_path: Path) -> Path:
    out = tmp_path / "page.html"
    assert run("--html", out, record).code == 0
    return out


def test_a_page_is_written_into_a_pipe(record: Path, tmp_path: Path) -> None:
    """Only regular files are replaced, not devices such as /dev/null."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as reading:
        found = reading.submit(pipe.read_text)
        assert run("--html", pipe, record).code == 0
        assert found.result() == page(record, tmp_path).read_text()
    assert pipe.is_fifo()


def test_a_page_has_all_messages(record: Path, tmp_path: Path) -> None:
    text = page(record, tmp_path).read_text()
    data = text.split('<script type="application/json" id="data">')[1].split("</script>")[0]
    turns = json.loads(data)["turns"]
    recorded = [json.loads(line) for line in record.read_text().splitlines()]
    sent = [entry["message"] for entry in recorded if entry.get("from") == "client"]
    answered = [entry["message"] for entry in recorded if entry.get("from") == "server"]
    assert [json.loads(turn["request"]) for turn in turns] == sent
    assert [json.loads(reply) for turn in turns for reply in turn["replies"]] == answered
    assert "src=" not in text and "href=" not in text, "the page stands alone"
    check_policy(text)


@pytest.mark.skipif(not shutil.which("chromium"), reason="there is no chromium")
def test_a_page_in_a_browser(record: Path, tmp_path: Path) -> None:
    """Each request as a browser shows it, compared with the story."""

    def shown(turn: int) -> str:
        done = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000",
             f"--user-data-dir={tmp_path}/profile", "--dump-dom",
             f"file://{page(record, tmp_path)}#{turn}"], capture_output=True, timeout=PATIENCE * 4,
        )  # fmt: skip
        return done.stdout.decode()

    second = shown(2)
    rows = re.findall(r'<li(?: class="(\w*)")?[^>]*><b[^>]*>[^<]*</b><span>([^<]*)</span>', second)
    assert rows == [("mov", "3  Lunch"), ("", "1  Hello"), ("chg", "2  Salary\\u001b[2J"), ("away", "3  Lunch")]
    assert 'aria-current="true">#2 editSnapshot mail' in second and "2 of 6" in second
    last = shown(6)
    assert ">1 deleted" not in last.split('id="lists"')[0] and "6 of 6" in last
    assert "-31005" in shown(4)


def test_a_page_of_some_requests(record: Path, tmp_path: Path) -> None:
    """It begins with the lists as they were before."""
    def turns(*args: str) -> List[Any]:
        assert run("--html", tmp_path / "some.html", *args, record).code == 0
        text = (tmp_path / "some.html").read_text()
        check_policy(text)
        return json.loads(text.split('<script type="application/json" id="data">')[1].split("</script>")[0])["turns"]

    whole = turns()
    assert [turn["request"] for turn in turns("--to", "2")] == [turn["request"] for turn in whole[:2]]
    before, *some = turns("--from", "2", "--to", "3")
    assert [turn["request"] for turn in some] == [turn["request"] for turn in whole[1:3]]
    assert before["method"] == "the lists before request 2" and before["replies"] == []
    (change,) = before["changes"]
    assert {row[0] for row in change["rows"]} == {"="} and change["summary"] == ""
    assert [row[0] for row in change["rows"]].count("=") == len([row for row in whole[0]["changes"][0]["rows"] if row[0] != "-"])
    assert turns("--from", "1") == whole
    for wrong in (["--from=2"], ["--html=x", "--from=0"], ["--html=x", "--from=3", "--to=2"]):
        assert run(*wrong, record).code == 2


@pytest.mark.skipif(not shutil.which("chromium"), reason="there is no chromium")
def test_a_page_opens_at_the_first_change(tmp_path: Path, record: Path) -> None:
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    first = next(index for index, line in enumerate(lines) if line.get("from") == "client")
    asked = {"jsonrpc": "2.0", "id": 90, "method": "getLists"}
    answer = {"jsonrpc": "2.0", "id": 90, "result": {"lists": []}}
    lines[first:first] = [{"at": 0, "from": "client", "message": asked}, {"at": 0, "from": "server", "message": answer}]
    record.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000",
         f"--user-data-dir={tmp_path}/profile", "--dump-dom", f"file://{page(record, tmp_path)}"],
        capture_output=True, timeout=PATIENCE * 4,
    )  # fmt: skip
    assert "2 of 7" in done.stdout.decode()
