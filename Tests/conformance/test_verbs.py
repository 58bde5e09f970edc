"""`listd set`, `get` and `watch`: lists of a daemon from the shell, and what a command prints."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import signal
import socket
import struct
import subprocess
import termios
import threading
import time
from pathlib import Path
from typing import Any, Iterator, List, Optional

import pytest

from sharing import Listening
from wire import PATIENCE, Outcome, frame, program

pytestmark = pytest.mark.needs("listd set", "listd get", "listd watch")


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[Listening]:
    with Listening(tmp_path / "s") as running:
        yield running


def run(*words: Any, sent: bytes = b"", **more: Any) -> Outcome:
    environment = {key: value for key, value in os.environ.items() if key != "LISTD_SOCKET"}
    done = subprocess.run(
        [program(), *map(str, words)], input=sent, capture_output=True, timeout=PATIENCE,
        env={**environment, **more},
    )  # fmt: skip
    return Outcome(done.returncode, done.stdout, done.stderr.decode())


class Verbs:
    """The verbs with a daemon's socket, by an option or by the environment."""

    def __init__(self, shared: Listening) -> None:
        self.path = shared.path
        self.client = shared.client()

    def set(self, *words: Any, sent: bytes = b"") -> Outcome:
        return run("set", *words, sent=sent, LISTD_SOCKET=self.path)

    def get(self, name: str, *words: Any) -> Outcome:
        return run("get", name, *words, "--socket", self.path)

    def items(self, name: str) -> Any:
        told = self.get(name)
        assert told.code == 0 and told.err == "", told
        (section,) = told.lines[0]["sections"]
        assert section["id"] == "main"
        return section["items"]

    def after(self, content: bytes, *words: Any) -> Any:
        """The items after a list was set."""
        told = self.set("l", *words, sent=content)
        assert told == Outcome(0, b"", ""), told
        return self.items("l")


@pytest.fixture
def verbs(shared: Listening) -> Verbs:
    return Verbs(shared)


class TestSet:
    def test_lines(self, verbs: Verbs) -> None:
        assert verbs.after(b"a\nb\r\n\nc") == ["a", "b", "", "c"]
        assert verbs.after(b"\xef\xbb\xbfa\n") == ["a"]
        assert verbs.after(b"") == []
        assert verbs.after("ä \"\\\t\x01\n".encode()) == ["ä \"\\\t\x01"]
        assert verbs.after(b"[1]\n", "--input", "text") == ["[1]"]

    def test_columns(self, verbs: Verbs) -> None:
        told = verbs.after(b"  7 root init\n 12 ann  sh\r\n \n", "--key-field", "1")
        rows = [{"id": "7", "text": "  7 root init"}, {"id": "12", "text": " 12 ann  sh"}, " "]
        assert told == rows
        told = verbs.after(b"7 root\n7 ann\n", "--key-field=2,1")
        assert [row["id"] for row in told] == ['["root","7"]', '["ann","7"]']

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
            told = verbs.after(sent.encode(), "--key", "meta.name")
            assert told == [{"id": name, **row} for name, row in zip("ab", rows)]
        told = verbs.after(b'[{"k":1},{"k":"1"},{"k":1.5},{"k":true}]', "--key", "k")
        assert [row["id"] for row in told] == [1, "1", "1.5", "true"]
        assert verbs.after(b'[{"k":1,"l":"x"}]', "--key=l,k")[0]["id"] == '["x",1]'
        assert verbs.after(b'[{"id":null,"k":1}]', "--key", "k") == [{"id": 1, "k": 1}]
        assert verbs.after(b'[{"id":5,"k":1}]', "--key", "id") == [{"id": 5, "k": 1}]

    def test_objects_of_objects(self, verbs: Verbs) -> None:
        told = verbs.after(b'{"ann":{"age":3},"bob":7,"":{}}', "--input", "json")
        assert told == [
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
        told = verbs.after(b"text\tk\na\tb\n", "--key", "k")
        assert told == [{"id": "b", "text": "a", "k": "b"}]
        told = verbs.after(b"1;2\n3;4\n", "--key", "2", "--input", "csv")
        assert told == [{"id": "2", "text": "1;2"}, {"id": "4", "text": "3;4"}]

    def test_what_get_prints_is_the_list(self, verbs: Verbs) -> None:
        sections = [
            {"id": "a", "header": {"text": "H"}, "items": ["x", {"id": 1, "n": 1.50}]},
            {"id": 2, "items": [], "own": [1, {"": None}]},
        ]
        verbs.client.call("applySnapshot", list="from", sections=sections)
        told = verbs.get("from")
        assert told.lines == [{"sections": sections}]
        assert verbs.set("to", sent=told.out) == Outcome(0, b"", "")
        assert verbs.get("to") == told

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
            (["--key", "id"], b"x\n", "cannot see whether this is JSON, CSV or TSV"),
            (["--key", "k"], b'[{"id":1,"k":2}]', 'item 1 has an "id" besides its key'),
            (["--key", "k"], b"id,k\n1,2\n", 'there is a column "id" besides the key'),
            (["--key", "k"], b"a,b\n1,2\n", 'there is no column "k", only a, b'),
            (["--key-field", "3"], b"a b\n", "line 1 has 2 columns, and no column 3"),
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
        told = verbs.set("l", *words, sent=sent)
        assert told.code == 2 and told.out == b"" and says in told.err, told
        assert "--help" not in told.err and told.err.count("\n") == 1, told.err
        assert verbs.items("l") == ["before"]

    def test_what_the_daemon_refuses(self, verbs: Verbs) -> None:
        told = verbs.set("l", sent=b'[{"id":1},{"id":1}]')
        assert told.code == 1 and "the daemon refuses the list l: " in told.err, told
        told = verbs.set("l", sent=b"[1, true]")
        assert told.code == 1 and "/items/1" in told.err and "/params" not in told.err, told
        verbs.client.call("compose", list="c", sources=["l"])
        told = verbs.set("c", sent=b"a\n")
        assert told.code == 1 and told.err.count("\n") == 1, told
        told = verbs.get("l")
        assert told.code == 1 and told.err.startswith('listd: no list "l"'), told

    def test_missing_files(self, verbs: Verbs, tmp_path: Path) -> None:
        told = verbs.set("l", tmp_path / "none")
        assert told.code == 2 and "No such file" in told.err
        told = verbs.set("l", tmp_path)
        assert told.code == 2 and "is a directory" in told.err

    def test_a_message_that_is_too_long(self, tmp_path: Path) -> None:
        with Listening(tmp_path / "small", "--max-message-bytes", "1000") as shared:
            told = Verbs(shared).set("l", sent=b"x" * 1000)
            assert told.code == 1 and "takes at most 1000" in told.err, told

    def test_large_lists(self, verbs: Verbs) -> None:
        rows = "".join(f"{k} row {k}\n" for k in range(100_000)).encode()
        assert len(verbs.after(rows, "--key-field", "1")) == 100_000

    def test_text(self, verbs: Verbs) -> None:
        told = verbs.get("l", "--text")
        assert told.code == 1 and told.out == b"" and "no list" in told.err, told
        verbs.client.call("registerTemplates", templates={"Cell": "* {text}"})
        verbs.after(b"a\nb\n")
        assert verbs.get("l", "--text") == Outcome(0, b"* a\n* b\n", "")


class TestTheDaemon:
    def test_a_socket_has_to_be_named(self) -> None:
        for words in (["set", "l"], ["get", "l"], ["watch", "l"]):
            told = run(*words)
            assert told.code == 2 and "LISTD_SOCKET" in told.err, told

    def test_nobody_listens(self, tmp_path: Path) -> None:
        for words in (["set", "l"], ["get", "l"], ["watch", "l"]):
            told = run(*words, "--socket", tmp_path / "s")
            assert told.code == 1 and "no listd listens at" in told.err, told

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
            told = run("get", "l", "--socket", tmp_path / "s")
            assert told.code == 1 and says in told.err, told
            assert told.err.count("\n") == 1 and "protocol 1" in told.err or "error" in answer

    @pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\0" * 100])
    def test_something_else_listens(self, tmp_path: Path, answer: bytes) -> None:
        with Fake(tmp_path / "s", answer):
            told = run("get", "l", "--socket", tmp_path / "s")
            assert told.code == 1 and told.err.count("\n") == 1, told

    def test_connect_names_the_other_version(self, tmp_path: Path) -> None:
        reply = {"serverInfo": {"name": "listd", "version": "9.8"}, "protocolVersion": 1}
        sent = frame({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}})
        answer = frame({"jsonrpc": "2.0", "id": 1, "result": reply})
        with Fake(tmp_path / "s", answer):
            told = run("connect", tmp_path / "s", sent=sent)
            assert told.out == answer
            assert "is listd 9.8 (protocol 1), and this is listd " in told.err

    def test_connect_is_silent_about_its_own_version(self, shared: Listening) -> None:
        sent = frame({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}})
        told = run("connect", shared.path, sent=sent)
        assert told.code == 0 and told.err == ""


class Fake:
    """Something that listens, answers the first bytes, and ends the connection."""

    def __init__(self, path: Path, answer: bytes) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(str(path))
        self.socket.listen()
        self.answer = answer
        self.thread = threading.Thread(target=self.serve, daemon=True)

    def serve(self) -> None:
        connection, _ = self.socket.accept()
        connection.recv(1 << 16)
        connection.sendall(self.answer)
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(1 << 16):
            pass
        connection.close()

    def __enter__(self) -> "Fake":
        self.thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self.thread.join(PATIENCE)
        self.socket.close()


class Watch:
    """`listd watch`, whose output is read line by line."""

    def __init__(self, *words: Any, **more: Any) -> None:
        self.process = subprocess.Popen(
            [program(), "watch", *map(str, words)], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, **more,
        )  # fmt: skip
        self.timer = threading.Timer(PATIENCE, self.process.kill)
        self.timer.start()

    def __enter__(self) -> "Watch":
        return self

    def __exit__(self, *_: Any) -> None:
        self.timer.cancel()
        self.process.kill()
        self.process.communicate()

    def line(self) -> str:
        """The next line, the time of the day as TIME."""
        told = self.process.stdout.readline().decode()
        assert told.endswith("\n"), (told, self.process.poll(), self.process.stderr.read())
        return re.sub(r"^\d\d:\d\d:\d\d  ", "TIME  ", told[:-1])

    def lines(self, count: int) -> List[str]:
        return [self.line() for _ in range(count)]

    def end(self) -> Outcome:
        out, err = self.process.communicate(timeout=PATIENCE)
        return Outcome(self.process.returncode, out, err.decode())


class TestWatchingLists:
    def test_changes_are_drawn(self, verbs: Verbs) -> None:
        verbs.client.call("applySnapshot", list="l", items=["a", "b", {"id": 1, "n": 1}])
        with Watch("l", "--socket", verbs.path) as watch:
            assert watch.lines(4) == [
                "TIME  l  revision 1", " 1    1    a", " 2    2    b", ' 3    3    1  {"id": 1, "n": 1}'
            ]  # fmt: skip
            verbs.client.call("applySnapshot", list="l", items=[{"id": 1, "n": 2}, "a"])
            assert watch.lines(6) == [
                "TIME  l  revision 1 → 2",
                "@@ -1,3 +1,2 @@",
                " 3 →  1  > 1  n: 1 → 2",
                " 1    2    a",
                " 2       - b",
                ' 3 →  1  < 1  {"id": 1, "n": 1}',
            ]
            assert watch.line() == "1 deleted, 1 moved, 1 changed"
            verbs.client.call("select", list="l", items=["a"])
            verbs.client.notify("removeList", {"list": "l"})
            assert watch.line() == "TIME  l  removed"
            assert watch.lines(3)[-1].startswith(" 2       - a")
            assert watch.line() == "2 deleted; sections: 1 deleted"
            verbs.client.call("applySnapshot", list="l", items=["c"])
            assert watch.line().startswith("TIME  l  revision 0 → ")

    def test_a_list_that_is_not_there_yet(self, verbs: Verbs) -> None:
        with Watch("l", "--socket", verbs.path) as watch:
            assert watch.line() == "TIME  l  there is no such list yet"
            verbs.client.call("applySnapshot", list="l", items=["a"])
            assert watch.line() == "TIME  l  revision 0 → 1"

    def test_messages(self, verbs: Verbs) -> None:
        verbs.client.call("applySnapshot", list="l", items=["a"])
        with Watch("l", "--json", "--socket", verbs.path) as watch:
            told = json.loads(watch.line())
            assert told["result"]["snapshot"]["sections"][0]["items"] == ["a"]
            verbs.client.call("applySnapshot", list="l", items=["b"])
            verbs.client.call("select", list="l", items=["b"])
            verbs.client.notify("removeList", {"list": "l"})
            told = [json.loads(line) for line in watch.lines(3)]
            assert [note["method"] for note in told] == ["didChange", "didSelect", "didRemove"]
            assert [op["op"] for op in told[0]["params"]["ops"]] == ["deleteItems", "insertItems"]
        with Watch("l", "--json", "--format", "jsonPatch", "--socket", verbs.path) as watch:
            watch.line()
            verbs.client.call("applySnapshot", list="l", items=["a"])
            assert json.loads(watch.line())["params"]["format"] == "jsonPatch"

    def test_the_end_of_the_daemon(self, shared: Listening) -> None:
        for words in (["l"], ["l", "--json"]):
            with Watch(*words, "--socket", shared.path) as watch:
                watch.line()
                if words[-1] == "--json":
                    shared.process.kill()
                    told = watch.end()
                    assert told.code == 1 and "has closed the connection" in told.err, told

    def test_nobody_reads(self, verbs: Verbs) -> None:
        for words in (["l"], ["l", "--json"]):
            with Watch(*words, "--socket", verbs.path) as watch:
                watch.line()
                watch.process.stdout.close()
                assert watch.process.wait(PATIENCE) == 0
                assert watch.process.stderr.read() == b""

    def test_a_watcher_follows_at_its_own_speed(self, verbs: Verbs) -> None:
        with Watch("l", "--socket", verbs.path) as watch:
            watch.line()
            for k in range(300):
                verbs.client.call("applySnapshot", list="l", items=[f"{k} {j}" for j in range(99)])
            revisions = [0]
            while revisions[-1] != 300:
                told = watch.line()
                if found := re.search(r"revision (\d+) → (\d+)$", told):
                    assert int(found[1]) == revisions[-1]
                    revisions.append(int(found[2]))


class TestWatchingCommands:
    def counting(self, folder: Path, *outputs: str) -> List[str]:
        """A command that prints another text each time, and the last for ever."""
        for number, output in enumerate(outputs):
            (folder / f"out{number}").write_text(output)
        script = (
            f'cd "{folder}"; n=$(cat n 2>/dev/null || echo 0); echo $((n + 1)) >n; '
            f"[ $n -lt {len(outputs)} ] || n={len(outputs) - 1}; . ./out$n"
        )
        return ["sh", "-c", script]

    def test_moves_are_known(self, tmp_path: Path) -> None:
        command = self.counting(tmp_path, "printf '1 a\\n2 b\\n'", "printf '2 c\\n1 a\\n'")
        with Watch("-n", "0.1", "--key-field", "1", "--", *command) as watch:
            assert watch.line().startswith("TIME  Every 0.1 s: sh -c ")
            assert watch.lines(2) == [" 1    1    1 a", " 2    2    2 b"]
            watch.line()
            assert watch.lines(4) == [
                "@@ -1,2 +1,2 @@", " 2 →  1  > 2  2: b → c", " 1    2    1 a", " 2 →  1  < 2 b"
            ]  # fmt: skip
            assert watch.line() == "1 moved, 1 changed"
            watch.process.send_signal(signal.SIGINT)
            told = watch.end()
            assert (told.code, told.out, told.err) == (-signal.SIGINT, b"", "")

    def test_one_word_is_a_script(self) -> None:
        with Watch("-n1", "--", "echo a; echo b") as watch:
            assert watch.lines(3)[1:] == [" 1    1    a", " 2    2    b"]

    def test_records(self, tmp_path: Path) -> None:
        command = self.counting(tmp_path, "printf 'id,n\\n1,2\\n'", "printf 'id,n\\n1,3\\n'")
        with Watch("-n", "0.1", "--key", "id", "--", *command) as watch:
            watch.lines(4)
            assert watch.lines(3)[1:] == [" 1    1    id,n", " 2    2  ~ 1  n: 2 → 3"]

    def test_nothing_and_something(self, tmp_path: Path) -> None:
        command = self.counting(tmp_path, ":", "printf 'id\\n1\\n'", ":", "printf 'id\\n2\\n'")
        with Watch("-n", "0.1", "--key", "id", "--input", "csv", "--", *command) as watch:
            watch.line()
            told = watch.lines(15)
            assert told[4::5] == ["2 inserted", "2 deleted", "2 inserted"], told

    def test_failures_are_reported_and_it_goes_on(self, tmp_path: Path) -> None:
        command = self.counting(
            tmp_path, "echo 1 a", "echo oops >&2; exit 3", "echo '['", "kill $$", "echo 2 b"
        )
        with Watch("-n", "0.1", "--key-field", "2", "--", *command) as watch:
            watch.lines(2)
            assert watch.lines(4)[-1] == "1 deleted"
            told = watch.lines(4)
            assert told[-1] == "1 inserted", told
            watch.process.terminate()
            told = watch.end().err.splitlines()
            assert told[0] == "oops" and told[1] == "listd: exit status 3"
            assert "has 1 columns, and no column 2" in told[2]
            assert told[3] == "listd: ended by signal 15"

    @pytest.mark.parametrize(
        "words, says",
        [
            (["--", "/no/such/program", "x"], "cannot run /no/such/program: No such file"),
            (["--key-field", "2", "--", "echo", "a"], "and no column 2"),
            (["--", "printf", "\\000"], "is a binary file"),
            (["--", "printf", "\\377"], "is not UTF-8"),
        ],
    )
    def test_what_cannot_be_watched(self, words: List[str], says: str) -> None:
        told = run("watch", *words)
        assert told.code == 2 and told.out == b"" and says in told.err, told
        assert "--help" not in told.err

    @pytest.mark.parametrize(
        "words, says",
        [
            ([], "one list, or a command after --"),
            (["a", "b"], "one list, or a command after --"),
            (["--"], "one list, or a command after --"),
            (["a", "--", "ls"], "one list, or a command after --"),
            (["-n", "0", "--", "ls"], "a number of seconds from 0.1"),
            (["-n", "x", "--", "ls"], "a number of seconds from 0.1"),
            (["-x", "--", "ls"], "unknown option -x"),
            (["-n"], "-n needs a value"),
            (["--json", "--", "ls"], "--json is for lists of a daemon"),
            (["-n", "1", "l"], "-n is for a command after --"),
            (["--key", "k", "l"], "--key is for a command after --"),
            (["--format", "ops", "l"], "--format needs --json"),
        ],
    )
    def test_a_wrong_command_line(self, words: List[str], says: str) -> None:
        told = run("watch", *words)
        assert told.code == 2 and told.out == b"" and says in told.err, told

    def test_the_command_ends_with_it(self, tmp_path: Path) -> None:
        script = f"echo $$ >{tmp_path}/pid; exec sleep 100"
        for number in (signal.SIGTERM, None):
            with Watch("--", script) as watch:
                while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
                    time.sleep(0.01)
                process = int((tmp_path / "pid").read_text())
                if number:
                    watch.process.send_signal(number)
                else:
                    watch.process.stdout.close()
                watch.process.wait(PATIENCE)
                for _ in range(500):
                    if not Path(f"/proc/{process}/cmdline").exists():
                        break
                    if b"sleep" not in Path(f"/proc/{process}/cmdline").read_bytes():
                        break
                    time.sleep(0.01)
                else:
                    raise AssertionError("the command goes on")
            (tmp_path / "pid").unlink()


class Screen:
    """`listd watch` on a terminal of 60 columns and 10 rows."""

    def __init__(self, *words: Any) -> None:
        self.leader, follower = pty.openpty()
        self.resize(10, 60, follower)
        self.process = subprocess.Popen(
            [program(), "watch", *map(str, words)], stdin=follower, stdout=follower,
            stderr=follower, env={**os.environ, "TERM": "xterm", "NO_COLOR": ""},
        )  # fmt: skip
        os.close(follower)
        self.told = b""

    def resize(self, rows: int, columns: int, number: Optional[int] = None) -> None:
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(self.leader if number is None else number, termios.TIOCSWINSZ, size)

    def until(self, text: str) -> List[str]:
        """The lines of the first whole screen that has a text, without colours."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            screens = self.told.decode(errors="replace").split("\x1b[H")
            for index, screen in enumerate(screens[1:], 1):
                if not screen.split("\x1b[?25h")[0].endswith("\x1b[J"):
                    continue
                shown = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", screen)
                if text in shown:
                    self.told = b"\x1b[H".join(s.encode() for s in ["", *screens[index + 1 :]])
                    return re.sub(r"\d\d:\d\d:\d\d", "TIME", shown).split("\r\n")
            if select.select([self.leader], [], [], 0.1)[0]:
                try:
                    self.told += os.read(self.leader, 1 << 16)
                except OSError:
                    break
        raise AssertionError(f"no {text!r} in {self.told!r}")

    def end(self, number: int) -> bytes:
        self.process.send_signal(number)
        told = self.told
        try:
            while data := os.read(self.leader, 1 << 16):
                told += data
        except OSError:
            pass
        os.close(self.leader)
        assert self.process.wait(PATIENCE) == -number
        return told


class TestTheScreen:
    def test_rows_have_the_marks_of_the_last_change(self, verbs: Verbs) -> None:
        verbs.client.call("applySnapshot", list="l", items=["a", "b"])
        screen = Screen("l", "--socket", verbs.path)
        assert screen.until("revision 1") == [
            "l  revision 1", "no change so far", " 1    1    a", " 2    2    b"
        ]  # fmt: skip
        verbs.client.call("applySnapshot", list="l", items=["b", "c"])
        assert screen.until("revision 1 → 2") == [
            "l  revision 1 → 2", "TIME  1 deleted, 1 inserted", " 1       - a", " 2    1    b",
            "      2  + c",
        ]  # fmt: skip
        assert screen.end(signal.SIGTERM).endswith(b"\x1b[?25h\x1b[?1049l")

    def test_what_does_not_fit(self, verbs: Verbs) -> None:
        rows = [f"{k} " + "x" * 100 for k in range(100)]
        verbs.client.call("applySnapshot", list="l", items=rows)
        screen = Screen("l", "--socket", verbs.path)
        told = screen.until("revision 1")
        assert len(told) == 10 and told[-1] == "⋮ 93 more lines"
        assert all(len(line) <= 60 for line in told) and told[2].endswith("…")
        rows[50] = "new"
        verbs.client.call("applySnapshot", list="l", items=rows)
        told = screen.until("revision 1 → 2")
        assert told[2] == "@@ -48,7 +48,7 @@" and told[-1] == "⋮ 2 more lines", told
        screen.resize(20, 30)
        screen.process.send_signal(signal.SIGWINCH)
        told = screen.until("  54")
        assert len(told) == 11 and all(len(line) <= 30 for line in told)
        screen.end(signal.SIGINT)

    def test_commands_and_what_goes_wrong(self, tmp_path: Path) -> None:
        script = f'cat "{tmp_path}/rows" || exit 7'
        (tmp_path / "rows").write_text("1 a\n2 b\n")
        screen = Screen("-n", "0.2", "--key-field", "1", "--", script)
        assert screen.until("no change")[1:] == ["no change so far", " 1    1    1 a", " 2    2    2 b"]
        (tmp_path / "new").write_text("2 b\n1 a\n")
        (tmp_path / "new").rename(tmp_path / "rows")
        told = screen.until("1 moved")
        assert told[1] == "TIME  1 moved" and [line[9] for line in told[2:]] == [">", " ", "<"]
        (tmp_path / "rows").unlink()
        told = screen.until("exit status 7")
        assert told[1].startswith("exit status 7: cat: ") and len(told) == 4
        assert [line[9:10] for line in told[2:]] == ["-", "-"]
        screen.end(signal.SIGHUP)
