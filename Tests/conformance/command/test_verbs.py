"""`listd set` and `get`: lists of a daemon from the shell."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, List

import pytest

from client import Outcome, frame
from shared_daemon import Listening
from verbs import Fake, Verbs, run

pytestmark = pytest.mark.needs("listd set", "listd get", "listd watch")


# Promise: `listd set` makes a list of any file that `listd diff` reads, or reports why not and changes nothing;
#   `listd get` prints the list. Also `test_verbs.py`.
class TestSet:
    def test_lines(self, verbs: Verbs) -> None:
        assert verbs.after(b"a\nb\r\n\nc") == ["a", "b", "", "c"]
        assert verbs.after(b"\xef\xbb\xbfa\n") == ["a"]
        assert verbs.after(b"") == []
        assert verbs.after("ä \"\\\t\x01\n".encode()) == ["ä \"\\\t\x01"]
        assert verbs.after(b"[1]\n", "--input", "text") == ["[1]"]

    # Promise: Columns are as wide as in a second implementation with Python's Unicode data.
    def test_columns(self, verbs: Verbs) -> None:
        response = verbs.after(b"  7 root init\n 12 ann  sh\r\n \n", "--key-field", "1")
        rows = [{"id": "7", "text": "  7 root init"}, {"id": "12", "text": " 12 ann  sh"}, " "]
        assert response == rows
        response = verbs.after(b"7 root\n7 ann\n", "--key-field=2,1")
        assert [row["id"] for row in response] == ['["root","7"]', '["ann","7"]']

    def test_json(self, verbs: Verbs) -> None:
        rows = [{"id": 1, "text": "a"}, "b", 3, {"n": 1.50}]
        for sent in (rows, {"items": rows}, {"items": rows, "kind": "x"}):
            for indent in (None, 2):
                assert verbs.after(json.dumps(sent, indent=indent).encode()) == rows
        assert verbs.after(b'{"id":1}\n{"id":2}\n') == [{"id": 1}, {"id": 2}]
        assert verbs.after(b'{"id":1}\n') == [{"id": 1}]
        assert verbs.after(b'{"items":[]}') == []

    def test_keys_of_json(self, verbs: Verbs) -> None:
        rows = [{"meta": {"name": "a"}, "n": 1}, {"meta": {"name": "b"}, "n": 2}]
        for sent in (json.dumps(rows), json.dumps({"kind": "List", "pods": rows})):
            response = verbs.after(sent.encode(), "--key", "meta.name")
            assert response == [{"id": name, **row} for name, row in zip("ab", rows)]
        response = verbs.after(b'[{"k":1},{"k":"1"},{"k":1.5},{"k":true}]', "--key", "k")
        assert [row["id"] for row in response] == [1, "1", "1.5", "true"]
        assert verbs.after(b'[{"k":1,"l":"x"}]', "--key=l,k")[0]["id"] == '["x",1]'
        assert verbs.after(b'[{"id":null,"k":1}]', "--key", "k") == [{"id": 1, "k": 1}]
        assert verbs.after(b'[{"id":5,"k":1}]', "--key", "id") == [{"id": 5, "k": 1}]

    def test_objects_of_objects(self, verbs: Verbs) -> None:
        response = verbs.after(b'{"ann":{"age":3},"bob":7,"":{}}', "--input", "json")
        assert response == [
            {"id": "ann", "age": 3}, {"id": "bob", "text": "bob: 7", "value": 7}, {"id": ""}
        ]  # fmt: skip

    def test_csv(self, verbs: Verbs, tmp_path: Path) -> None:
        sent = b'id,name\r\n1,"Ann ""A"""\r\n2,\n'
        rows = [
            {"id": "1", "text": '1,"Ann ""A"""', "name": 'Ann "A"'},
            {"id": "2", "text": "2,", "name": ""},
        ]
        assert verbs.after(sent, "--key", "id") == rows
        path = tmp_path / "file.csv"
        path.write_bytes(sent)
        assert verbs.after(b"", path, "--key", "id") == rows
        assert verbs.after(b"", path) == rows, "the name says what it is"
        response = verbs.after(b"text\tk\na\tb\n", "--key", "k")
        assert response == [{"id": "b", "text": "a", "k": "b"}]
        response = verbs.after(b"1;2\n3;4\n", "--key", "2", "--input", "csv")
        assert response == [{"id": "2", "text": "1;2"}, {"id": "4", "text": "3;4"}]

    def test_get_prints_the_list(self, verbs: Verbs) -> None:
        sections = [
            {"id": "a", "header": {"text": "H"}, "items": ["x", {"id": 1, "n": 1.50}]},
            {"id": 2, "items": [], "own": [1, {"": None}]},
        ]
        verbs.client.call("applySnapshot", list="from", sections=sections)
        response = verbs.get("from")
        assert response.lines == [{"sections": sections}]
        assert verbs.set("to", sent=response.out) == Outcome(0, b"", "")
        assert verbs.get("to") == response

    def test_the_list_changes_by_the_least(self, verbs: Verbs) -> None:
        verbs.after(b"a 1\nb 2\nc 3\n", "--key-field", "1")
        verbs.client.call("subscribe", list="l", format="ops")
        verbs.after(b"c 3\na 1\nb 5\n", "--key-field", "1")
        (note,) = verbs.client.settle()
        assert [op["op"] for op in note["params"]["ops"]] == ["moveItems", "reconfigureItems"]
        verbs.after(b"c 3\na 1\nb 5\n", "--key-field", "1")
        assert verbs.client.settle() == [], "nothing has changed"

    @pytest.mark.parametrize(
        "words, sent, says",
        [
            (["--key", "id"], b'[{"id":1},{}]', 'item 2, in line 1, has no member "id"'),
            (["--key", "id"], b"x\n", "cannot determine whether this is JSON, CSV or TSV"),
            (["--key", "k"], b'[{"id":1,"k":2}]', 'item 1 has an "id" besides its key'),
            (["--key", "k"], b"id,k\n1,2\n", 'there is a column "id" besides the key'),
            (["--key", "k"], b"a,b\n1,2\n", 'there is no column "k", only a, b'),
            (["--key-field", "3"], b"a b\n", "line 1 has no column 3, only 2"),
            (["--key-field", "3", "--input", "csv"], b"a b\n", "--key-field is for text"),
            (["--key", "3", "--input", "text"], b"a b\n", "use --key-field"),
            ([], b'{"items":[1', "a snapshot that is not JSON"),
            ([], b"[1, 2", "not JSON"),
            (["--input", "csv"], b'a,b\n"c\n', "line 2: a quotation mark that is not closed"),
            (["--input", "csv"], b"a,b\nc\n", "line 2 has 1 fields instead of 2"),
            (["--input", "json"], b"", "not JSON"),
            ([], b"a\0", "standard input is a binary file: it has a NUL at byte 1"),
            ([], b"a\xff", "standard input is not UTF-8 at byte 1"),
        ],
    )
    def test_what_cannot_be_read(
        self, verbs: Verbs, words: List[str], sent: bytes, says: str
    ) -> None:
        verbs.after(b"before\n")
        response = verbs.set("l", *words, sent=sent)
        assert response.code == 2 and response.out == b"" and says in response.err, response
        assert "--help" not in response.err and response.err.count("\n") == 1, response.err
        assert verbs.items("l") == ["before"]

    def test_what_the_daemon_refuses(self, verbs: Verbs) -> None:
        response = verbs.set("l", sent=b'[{"id":1},{"id":1}]')
        assert response.code == 1 and "the daemon refuses the list l: " in response.err, response
        response = verbs.set("l", sent=b"[1, true]")
        assert response.code == 1 and "/items/1" in response.err and "/params" not in response.err, response
        verbs.client.call("compose", list="c", sources=["l"])
        response = verbs.set("c", sent=b"a\n")
        assert response.code == 1 and response.err.count("\n") == 1, response
        response = verbs.get("l")
        assert response.code == 1 and response.err.startswith('listd: no list "l"'), response

    def test_missing_files(self, verbs: Verbs, tmp_path: Path) -> None:
        response = verbs.set("l", tmp_path / "none")
        assert response.code == 2 and "No such file" in response.err
        response = verbs.set("l", tmp_path)
        assert response.code == 2 and "is a directory" in response.err

    def test_a_message_that_is_too_long(self, tmp_path: Path) -> None:
        with Listening(tmp_path / "small", "--max-message-bytes", "1000") as shared:
            response = Verbs(shared).set("l", sent=b"x" * 1000)
            assert response.code == 1 and "takes at most 1000" in response.err, response

    def test_large_lists(self, verbs: Verbs) -> None:
        rows = "".join(f"{k} row {k}\n" for k in range(100_000)).encode()
        assert len(verbs.after(rows, "--key-field", "1")) == 100_000

    def test_text(self, verbs: Verbs) -> None:
        response = verbs.get("l", "--text")
        assert response.code == 1 and response.out == b"" and "no list" in response.err, response
        verbs.client.call("registerTemplates", templates={"Cell": "* {text}"})
        verbs.after(b"a\nb\n")
        assert verbs.get("l", "--text") == Outcome(0, b"* a\n* b\n", "")


# Promise: A daemon of another version is reported. Also `test_verbs.py`.
class TestTheDaemon:
    def test_a_socket_has_to_be_named(self) -> None:
        for words in (["set", "l"], ["get", "l"], ["watch", "l"]):
            response = run(*words)
            assert response.code == 2 and "LISTD_SOCKET" in response.err, response

    def test_nobody_listens(self, tmp_path: Path) -> None:
        for words in (["set", "l"], ["get", "l"], ["watch", "l"]):
            response = run(*words, "--socket", tmp_path / "s")
            assert response.code == 1 and "no listd listens at" in response.err, response

    @pytest.mark.parametrize(
        "answer, says",
        [
            (
                {"result": {"serverInfo": {"name": "listd", "version": "9.8"},
                            "protocolVersion": 2}},
                "is listd 9.8 (protocol 2), and this is listd ",
            ),
            (
                {"error": {"code": -32602, "message": "this version has no protocolVersion 1"}},
                "has no protocolVersion 1",
            ),
            ({"result": {}}, "an unknown version"),
        ],
    )  # fmt: skip
    def test_another_version(self, tmp_path: Path, answer: Any, says: str) -> None:
        with Fake(tmp_path / "s", frame({"jsonrpc": "2.0", "id": 1, **answer})):
            response = run("get", "l", "--socket", tmp_path / "s")
            assert response.code == 1 and says in response.err, response
            assert response.err.count("\n") == 1 and "protocol 1" in response.err or "error" in answer

    @pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\0" * 100])
    def test_something_else_listens(self, tmp_path: Path, answer: bytes) -> None:
        with Fake(tmp_path / "s", answer):
            response = run("get", "l", "--socket", tmp_path / "s")
            assert response.code == 1 and response.err.count("\n") == 1, response

    def test_connect_names_the_other_version(self, tmp_path: Path) -> None:
        reply = {"serverInfo": {"name": "listd", "version": "9.8"}, "protocolVersion": 1}
        sent = frame({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}})
        answer = frame({"jsonrpc": "2.0", "id": 1, "result": reply})
        with Fake(tmp_path / "s", answer):
            response = run("connect", tmp_path / "s", sent=sent)
            assert response.out == answer
            assert "is listd 9.8 (protocol 1), and this is listd " in response.err

    def test_connect_is_silent_about_its_own_version(self, shared: Listening) -> None:
        sent = frame({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}})
        response = run("connect", shared.path, sent=sent)
        assert response.code == 0 and response.err == ""
