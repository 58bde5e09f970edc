"""`listd watch`: the changes of a list, a file, a folder, and of a command's output.

The table on a terminal is in Tests/clients/test_watching.py."""

from __future__ import annotations

import json
import re
import signal
import time
from pathlib import Path
from typing import List

import pytest

from client import PATIENCE
from feeds import exists, number_in
from shared_daemon import Listening
from verbs import Verbs, Watch, run

pytestmark = pytest.mark.needs("listd set", "listd get", "listd watch")


# Promise: `listd watch` draws every change of a list, a file, a folder or of a command's output, and ends when its
#   output is closed. Also `TestWatchingCommands`, `TestWatchingFiles`.
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

    def test_a_list_that_does_not_exist_yet(self, verbs: Verbs) -> None:
        with Watch("l", "--socket", verbs.path) as watch:
            assert watch.line() == "TIME  l  there is no such list yet"
            verbs.client.call("applySnapshot", list="l", items=["a"])
            assert watch.line() == "TIME  l  revision 0 → 1"

    def test_the_text_of_a_record_is_not_drawn_beside_its_columns(self, verbs: Verbs) -> None:
        def content(balance: int) -> bytes:
            return f"id,name,balance\n1,Ann,{balance}\n".encode()

        verbs.set("l", "--key", "id", "--input", "csv", sent=content(100))
        with Watch("l", "--socket", verbs.path) as watch:
            watch.lines(2)
            verbs.set("l", "--key", "id", "--input", "csv", sent=content(150))
            answer = watch.lines(4)
            assert answer[2:] == [" 1    1  ~ 1  balance: 100 → 150", "1 changed"]
            items = [{"id": 1, "text": "a10", "n": 1}]
            verbs.client.call("applySnapshot", list="l", items=items)
            watch.lines(5)
            items[0]["text"] = "b10"
            verbs.client.call("applySnapshot", list="l", items=items)
            assert watch.lines(3)[2] == " 1    1  ~ 1  text: a10 → b10"

    def test_messages(self, verbs: Verbs) -> None:
        verbs.client.call("applySnapshot", list="l", items=["a"])
        with Watch("l", "--json", "--socket", verbs.path) as watch:
            answer = json.loads(watch.line())
            assert answer["result"]["snapshot"]["sections"][0]["items"] == ["a"]
            verbs.client.call("applySnapshot", list="l", items=["b"])
            verbs.client.call("select", list="l", items=["b"])
            verbs.client.notify("removeList", {"list": "l"})
            answer = [json.loads(line) for line in watch.lines(3)]
            assert [note["method"] for note in answer] == ["didChange", "didSelect", "didRemove"]
            assert [op["op"] for op in answer[0]["params"]["ops"]] == ["deleteItems", "insertItems"]
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
                    answer = watch.end()
                    assert answer.code == 1 and "has closed the connection" in answer.err, answer

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
                answer = watch.line()
                if found := re.search(r"revision (\d+) → (\d+)$", answer):
                    assert int(found[1]) == revisions[-1]
                    revisions.append(int(found[2]))


class TestWatchingCommands:
    def counting(self, folder: Path, *outputs: str) -> List[str]:
        """A command that prints each text once, and then repeats the last one."""
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
            answer = watch.end()
            assert (answer.code, answer.out, answer.err) == (-signal.SIGINT, b"", "")

    def test_one_word_is_a_script(self) -> None:
        with Watch("-n1", "--", "echo a; echo b") as watch:
            assert watch.lines(3)[1:] == [" 1    1    a", " 2    2    b"]

    def test_records(self, tmp_path: Path) -> None:
        command = self.counting(tmp_path, "printf 'id,n\\n1,2\\n'", "printf 'id,n\\n1,3\\n'")
        with Watch("-n", "0.1", "--key", "id", "--", *command) as watch:
            watch.lines(4)
            assert watch.lines(3)[1:] == [" 1    1    id,n", " 2    2  ~ 1  n: 2 → 3"]

    def test_changes_for_programs(self, tmp_path: Path) -> None:
        command = self.counting(
            tmp_path, "printf 'id,n\\n1,2\\n'", "printf 'id,n\\n2,2\\n1,3\\n'"
        )
        words = ["-n", "0.1", "--key", "id", "--format", "ndjson"]
        with Watch(*words, "--exec", 'cat; echo "$LISTD_CHANGE"', "--", *command) as watch:
            changes = [
                {"op": "insert", "key": ["2"], "to": 2, "new": {"id": "2", "n": "2"}},
                {"op": "change", "key": ["1"], "from": 2, "to": 3, "fields": {"n": ["2", "3"]}},
            ]
            # Those that are printed, and those that the command reads.
            answer = watch.lines(5)
            assert answer.pop(4) == "1 inserted, 1 changed"
            assert sorted(map(json.loads, answer), key=str) == sorted(changes * 2, key=str)

    def test_nothing_and_something(self, tmp_path: Path) -> None:
        command = self.counting(tmp_path, ":", "printf 'id\\n1\\n'", ":", "printf 'id\\n2\\n'")
        with Watch("-n", "0.1", "--key", "id", "--input", "csv", "--", *command) as watch:
            watch.line()
            answer = watch.lines(15)
            assert answer[4::5] == ["2 inserted", "2 deleted", "2 inserted"], answer

    def test_failures_are_reported_and_it_goes_on(self, tmp_path: Path) -> None:
        command = self.counting(
            tmp_path, "echo 1 a", "echo oops >&2; exit 3", "echo '['", "kill $$", "echo 2 b"
        )
        with Watch("-n", "0.1", "--key-field", "2", "--", *command) as watch:
            watch.lines(2)
            assert watch.lines(4)[-1] == "1 deleted"
            answer = watch.lines(4)
            assert answer[-1] == "1 inserted", answer
            watch.process.terminate()
            answer = watch.end().err.splitlines()
            assert answer[0] == "oops" and answer[1] == "listd: exit status 3"
            assert "has no column 2, only 1" in answer[2]
            assert answer[3] == "listd: ended by signal 15"

    def test_a_command_that_ignores_sigterm_is_killed(self, tmp_path: Path) -> None:
        endless = "trap '' TERM; echo $$ > pid; while :; do sleep 0.01; done"
        with Watch("-n", "0.1", "--", *self.counting(tmp_path, "echo a", endless)) as watch:
            watch.lines(2)
            process = number_in(tmp_path / "pid")
            watch.process.stdout.close()
            assert watch.process.wait(PATIENCE) == 0
            assert not exists(process)

    @pytest.mark.parametrize(
        "words, says",
        [
            (["--", "/no/such/program", "x"], "cannot run /no/such/program: No such file"),
            (["--key-field", "2", "--", "echo", "a"], "has no column 2, only 1"),
            (["--", "printf", "\\000"], "is a binary file"),
            (["--", "printf", "\\377"], "is not UTF-8"),
        ],
    )
    def test_what_cannot_be_watched(self, words: List[str], says: str) -> None:
        answer = run("watch", *words)
        assert answer.code == 2 and answer.out == b"" and says in answer.err, answer
        assert "--help" not in answer.err

    @pytest.mark.parametrize(
        "words, says",
        [
            ([], "one file, folder or list, or a command after --"),
            (["a", "b"], "one file, folder or list, or a command after --"),
            (["--"], "one file, folder or list, or a command after --"),
            (["a", "--", "ls"], "one file, folder or list, or a command after --"),
            (["-n", "0", "--", "ls"], "a number of seconds from 0.1"),
            (["-n", "x", "--", "ls"], "a number of seconds from 0.1"),
            (["-x", "--", "ls"], "unknown option -x"),
            (["-n"], "-n needs a value"),
            (["--json", "--", "ls"], "--json is for lists of a daemon"),
            (["--socket", "s", "-n", "1", "l"], "-n is for files, and for a command after --"),
            (["--key", "k", "l"], "--key is for files, and for a command after --"),
            (["--format", "ops", "l"], "--format ops needs --json"),
            (["--format", "ndjson", "--json", "l"], "leave it out, or --format ndjson"),
            (["--json", "/"], "--json is for lists of a daemon, not for a file"),
            (["--once", "--exec", "ls", "/"], "--once prints the rows once: leave --exec out"),
            (["--json", "--exec", "ls", "l"], "--json prints messages: leave --exec out"),
            (["--plain", "--columns", "2", "--", "ls"], "--columns is for a table"),
        ],
    )
    def test_a_wrong_command_line(self, words: List[str], says: str) -> None:
        answer = run("watch", *words)
        assert answer.code == 2 and answer.out == b"" and says in answer.err, answer

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


class TestWatchingFiles:
    def replace(self, path: Path, text: str) -> None:
        (path.parent / "new").write_text(text)
        (path.parent / "new").rename(path)

    def test_a_file(self, tmp_path: Path) -> None:
        path = tmp_path / "f.csv"
        path.write_text("id,n\n1,2\n")
        with Watch("-n", "0.1", "--key", "id", path) as watch:
            assert watch.lines(3) == [f"TIME  {path}", " 1    1    id,n", " 2    2    1,2"]
            self.replace(path, "id,n\n1,3\n")
            assert watch.lines(5)[2:] == [" 1    1    id,n", " 2    2  ~ 1  n: 2 → 3", "1 changed"]
            path.unlink()
            assert watch.lines(5)[-1] == "2 deleted"
            self.replace(path, "id,n\n1,3\n")
            assert watch.lines(5)[-1] == "2 inserted"
            watch.process.terminate()
            assert "No such file" in watch.end().err

    def test_a_folder(self, tmp_path: Path) -> None:
        (tmp_path / "a").write_text("1")
        with Watch("-n", "0.1", tmp_path) as watch:
            assert watch.lines(2)[1].startswith(' 1    1    a  {"id":"a","name":"a","type":"file","size":1,')
            (tmp_path / "b").mkdir()
            assert watch.lines(4)[-1].startswith('      2  + b  {"id":"b","name":"b","type":"folder",')

    @pytest.mark.parametrize("path", ["no/such", "./nosuch"])
    def test_what_is_not_there(self, path: str) -> None:
        answer = run("watch", path)
        assert answer.code == 2 and "No such file" in answer.err, answer


class TestOnce:
    def test_a_table(self, tmp_path: Path) -> None:
        (tmp_path / "f.csv").write_text("id,name\n1,日本\n22,pear\n")
        answer = run("watch", "--once", tmp_path / "f.csv")
        assert (answer.code, answer.err) == (0, "")
        assert answer.out.decode().splitlines() == [" id  name", "  1  日本", " 22  pear"]

    @pytest.mark.parametrize("columns, first", [("NAME,1", "NAME ID"), ("id", "ID"), ("4,x", "ID NAME N")])
    def test_columns(self, columns: str, first: str) -> None:
        answer = run("watch", "--once", "--columns", columns, "--", "printf 'ID NAME N\n1 one 7\n'")
        assert (answer.code, answer.out.decode().splitlines()[0].split()) == (0, first.split())

    def test_many_rows(self) -> None:
        answer = run("watch", "--once", "--", "seq 1234")
        assert answer.out.split() == [str(k).encode() for k in range(1, 1235)]

    def test_a_list(self, verbs: Verbs) -> None:
        sections = [{"id": "s", "items": [{"id": 1, "a": {"b": "x"}}]}, {"id": "t", "items": ["y"]}]
        verbs.client.call("applySnapshot", list="l", sections=sections)
        answer = run("watch", "--once", "l", "--socket", verbs.path)
        assert answer.out.decode().splitlines() == [" id  a.b   text", "s (1)", "  1  x", "t (1)", "           y"]

    def test_a_list_of_texts(self, verbs: Verbs) -> None:
        verbs.set("l", sent=b"a\nb c\n")
        assert run("watch", "--once", "l", "--socket", verbs.path).out == b"a\nb c\n"

    def test_a_command_that_fails(self) -> None:
        answer = run("watch", "--once", "--", "echo a; exit 3")
        assert (answer.code, answer.out, answer.err) == (1, b"a\n", "listd: exit status 3\n")
