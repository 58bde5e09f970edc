"""`listd watch`: the changes of a list, and of a command's output."""

from __future__ import annotations

import json
import re
import signal
import time
from pathlib import Path
from typing import List

import pytest

from client import PATIENCE
from shared_daemon import Listening
from verbs import Screen, Verbs, Watch, run

pytestmark = pytest.mark.needs("listd set", "listd get", "listd watch")


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
            assert "has 1 columns, and no column 2" in answer[2]
            assert answer[3] == "listd: ended by signal 15"

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
        answer = run("watch", *words)
        assert answer.code == 2 and answer.out == b"" and says in answer.err, answer
        assert "--help" not in answer.err

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
        answer = screen.until("revision 1")
        assert len(answer) == 10 and answer[-1] == "⋮ 93 more lines"
        assert all(len(line) <= 60 for line in answer) and answer[2].endswith("…")
        rows[50] = "new"
        verbs.client.call("applySnapshot", list="l", items=rows)
        answer = screen.until("revision 1 → 2")
        assert answer[2] == "@@ -48,7 +48,7 @@" and answer[-1] == "⋮ 2 more lines", answer
        screen.resize(20, 30)
        screen.process.send_signal(signal.SIGWINCH)
        answer = screen.until("  54")
        assert len(answer) == 11 and all(len(line) <= 30 for line in answer)
        screen.end(signal.SIGINT)

    def test_commands_and_what_goes_wrong(self, tmp_path: Path) -> None:
        script = f'cat "{tmp_path}/rows" || exit 7'
        (tmp_path / "rows").write_text("1 a\n2 b\n")
        screen = Screen("-n", "0.2", "--key-field", "1", "--", script)
        assert screen.until("no change")[1:] == ["no change so far", " 1    1    1 a", " 2    2    2 b"]
        (tmp_path / "new").write_text("2 b\n1 a\n")
        (tmp_path / "new").rename(tmp_path / "rows")
        answer = screen.until("1 moved")
        assert answer[1] == "TIME  1 moved" and [line[9] for line in answer[2:]] == [">", " ", "<"]
        (tmp_path / "rows").unlink()
        answer = screen.until("exit status 7")
        assert answer[1].startswith("exit status 7: cat: ") and len(answer) == 4
        assert [line[9:10] for line in answer[2:]] == ["-", "-"]
        screen.end(signal.SIGHUP)
