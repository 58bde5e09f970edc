"""`listd feed`, `files`, `lists` and `rm`: lists of the user's daemon that it fills itself."""

# Promise: `listd feed` and `listd files` fill lists of the user's daemon, which they start once; `listd files`
#   prints every file of the folder, byte for byte; `listd lists` and `rm` print and remove them.

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import threading
from pathlib import Path
from typing import Any, Iterator, List, Set

import pytest

from client import Outcome, line, request
from feeds import becomes, exists, number_in, until
from folders import make
from shared_daemon import Listening, Socket
from verbs import Verbs, run

pytestmark = pytest.mark.needs("listd feed", "listd files", "listd lists", "listd rm")

DONE = Outcome(0, b"", "")


@pytest.fixture
def user(tmp_path: Path) -> Iterator[Path]:
    """The folder of a user's sockets. A daemon that was started there is ended."""
    folder = tmp_path / "user"
    folder.mkdir(mode=0o700)
    yield folder
    try:
        os.kill(listener(folder / "listd.socket"), signal.SIGKILL)
    except OSError:
        pass


def listener(path: Path) -> int:
    """The process that listens at a path."""
    with socket.socket(socket.AF_UNIX) as probe:
        probe.connect(str(path))
        size = struct.calcsize("3i")
        return struct.unpack("3i", probe.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))[0]


class TestTheSocketOfTheUser:
    def test_it_is_the_default(self, user: Path) -> None:
        """All commands use the daemon there, and those that write start it."""
        response = run("get", "l", XDG_RUNTIME_DIR=user)
        assert response.code == 1 and f"no listd listens at {user}/listd.socket" in response.err
        assert run("set", "l", "--key-field=1", "--start", sent=b"a\n", XDG_RUNTIME_DIR=user) == DONE
        items = run("get", "l", XDG_RUNTIME_DIR=user).lines[0]["sections"][0]["items"]
        assert items == [{"id": "a", "text": "a"}]
        assert run("lists", "--names", XDG_RUNTIME_DIR=user).out == b"l\n"
        assert "a" in run("watch", "--once", "l", XDG_RUNTIME_DIR=user).out.decode()
        sent = line(request("getLists"))
        assert len(run("connect", sent=sent, XDG_RUNTIME_DIR=user).lines[0]["result"]["lists"]) == 1
        assert run("rm", "l", XDG_RUNTIME_DIR=user) == DONE
        assert run("lists", XDG_RUNTIME_DIR=user) == DONE

    def test_others_have_precedence(self, user: Path, shared: Listening) -> None:
        for words, more in (
            (["set", "a"], {"LISTD_SOCKET": shared.path}),
            (["set", "b", "--socket", shared.path], {"LISTD_SOCKET": str(user / "none")}),
            (["set", "c", "--start"], {"LISTD_SOCKET": shared.path}),
        ):
            assert run(*words, XDG_RUNTIME_DIR=user, **more) == DONE
        assert [one["list"] for one in shared.client().call("getLists")["lists"]] == ["a", "b", "c"]
        assert not os.listdir(user)

    def test_many_at_once_start_one(self, user: Path) -> None:
        responses: List[Outcome] = []

        def store(number: int) -> None:
            responses.append(run("set", number, "--start", sent=b"a\n", XDG_RUNTIME_DIR=user))

        threads = [threading.Thread(target=store, args=[number]) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert responses == [DONE] * 6
        names = run("lists", "--names", XDG_RUNTIME_DIR=user).out.split()
        assert sorted(names) == [b"%d" % number for number in range(6)]

    def test_why_none_can_be_started(self, user: Path) -> None:
        user.chmod(0o777)
        response = run("feed", "l", "--start", "--", "true", XDG_RUNTIME_DIR=user)
        assert response.code == 1 and "other users may write" in response.err, response


class TestFeed:
    def test_a_command(self, verbs: Verbs, tmp_path: Path) -> None:
        """It runs in the current folder, and goes on when `listd feed` has ended."""
        (tmp_path / "rows").write_text("a\nb\n")
        words = ["l", "--", "cat rows; echo $$ > pid; exec sleep 60"]
        assert verbs.feed(*words, cwd=tmp_path) == DONE
        becomes(verbs.client, ["a", "b"])
        process = number_in(tmp_path / "pid")
        assert exists(process)
        assert verbs.feed("--end", "l") == DONE
        until(lambda: not exists(process), "the end of the command")
        assert verbs.items("l") == ["a", "b"]

    def test_the_words_of_a_command(self, verbs: Verbs) -> None:
        assert verbs.feed("l", "--", "printf", "%s\\n", "a b", "--key", "$x") == DONE
        becomes(verbs.client, ["a b", "--key", "$x"])

    def test_a_command_that_runs_again(self, verbs: Verbs, tmp_path: Path) -> None:
        (tmp_path / "rows").write_text("a 1\n")
        assert verbs.feed("-n", "0.1", "--key-field", 1, "l", "--", "cat", "rows", cwd=tmp_path) == DONE
        becomes(verbs.client, [{"id": "a", "text": "a 1"}])
        (tmp_path / "rows").write_text("b 2\n")
        becomes(verbs.client, [{"id": "b", "text": "b 2"}])

    def test_a_file(self, verbs: Verbs, tmp_path: Path) -> None:
        """Its path is one of the current folder, and its name says what it is."""
        (tmp_path / "rows.csv").write_text("k,v\na,1\n")
        assert verbs.feed("l", "rows.csv", "--key", "k", cwd=tmp_path) == DONE
        becomes(verbs.client, [{"id": "a", "text": "a,1", "k": "a", "v": "1"}])
        assert verbs.feed("l", "--input", "text", "--follow", tmp_path / "rows.csv") == DONE
        becomes(verbs.client, ["k,v", "a,1"])
        with (tmp_path / "rows.csv").open("a") as file:
            file.write("b\n")
        becomes(verbs.client, ["k,v", "a,1", "b"])

    def test_a_folder(self, verbs: Verbs, tmp_path: Path) -> None:
        make(tmp_path / "folder", "a", "sub/b", ".c")
        assert verbs.feed("l", "folder", "--edits", cwd=tmp_path) == DONE
        until(lambda: verbs.paths("l") == {"a", "sub", "sub/b"})
        [found] = [item for item in verbs.items("l") if item["name"] == "a"]
        edit = {"edit": "updateItems", "items": [{"id": found["id"], "name": "z"}]}
        verbs.client.call("editSnapshot", list="l", edits=[edit])
        assert (tmp_path / "folder/z").exists()
        assert verbs.feed("l", "--depth=1", "--hidden", "folder", cwd=tmp_path) == DONE
        until(lambda: verbs.paths("l") == {"z", "sub", ".c"})

    def test_what_the_daemon_refuses(self, verbs: Verbs, tmp_path: Path) -> None:
        for words, says in (
            (["l", "none"], f"cannot read {tmp_path}/none: No such file"),
            (["l", "--", "/none", "x"], "cannot run /none: No such file"),
            (["--end", "l"], "no list"),
        ):
            response = verbs.feed(*words, cwd=tmp_path)
            assert response.code == 1 and says in response.err, response
        with Listening(tmp_path / "other", "--no-feeds") as other:
            response = run("feed", "l", "--socket", other.path, "--", "true")
            assert response.code == 1 and "runs no feeds" in response.err, response

    @pytest.mark.parametrize(
        "words, says",
        [
            ([], "takes the name of a list"),
            (["l"], "takes the name of a list"),
            (["l", "a", "b"], "takes the name of a list"),
            (["l", "a", "--", "b"], "takes the name of a list"),
            (["l", "--"], "takes the name of a list"),
            (["--end", "l", "a"], "takes the name of a list"),
            (["--end", "l", "--", "a"], "takes the name of a list"),
            (["l", "a", "-n", "2"], "-n has no effect with a file"),
            (["l", "/", "--follow"], "--follow has no effect with a folder"),
            (["l", "--depth", "2", "--", "a"], "--depth has no effect with a command"),
            (["--end", "l", "--key", "a"], "--key has no effect with --end"),
            (["l", "-n", "0", "--", "a"], "-n is a number"),
            (["l", "/", "--depth", "0"], "--depth is a number"),
        ],
    )
    def test_a_wrong_command_line(self, words: List[str], says: str) -> None:
        response = run("feed", *words, LISTD_SOCKET="/none")
        assert response.code == 2 and says in response.err, response


class TestFiles:
    def test_the_files_of_a_folder(self, verbs: Verbs, tmp_path: Path) -> None:
        folder = tmp_path / "folder"
        make(folder, "a", "sub/b", "sub/.c", ".d", "x.o", "empty/")
        (folder / ".ignore").write_text("*.o\n")
        (folder / "link").symlink_to("a")
        for words, names in (
            ([], {"a", "sub/b", "link"}),
            (["--folders"], {"a", "sub", "sub/b", "empty", "link"}),
            (["--hidden"], {"a", "sub/b", "sub/.c", ".d", ".ignore", "link"}),
            (["--ignored"], {"a", "sub/b", "x.o", "link"}),
        ):
            for _ in range(2):
                assert verbs.files(*words, cwd=folder) == names
        assert verbs.files("folder", cwd=tmp_path) == {"folder/a", "folder/sub/b", "folder/link"}
        assert verbs.files("./sub/", cwd=folder) == {"./sub/b"}
        assert verbs.files(folder) == {f"{folder}/{name}" for name in ("a", "sub/b", "link")}

    def test_they_are_kept_up_to_date(self, verbs: Verbs, tmp_path: Path) -> None:
        make(tmp_path / "folder", "a")
        assert verbs.files(cwd=tmp_path / "folder") == {"a"}
        [name] = run("lists", "--names", "--socket", verbs.path).out.decode().split()
        assert name == f"files:{tmp_path.resolve()}/folder"
        make(tmp_path / "folder", "sub/b")
        until(lambda: verbs.files(cwd=tmp_path / "folder") == {"a", "sub/b"})
        revision = verbs.client.call("getLists")["lists"][0]["revision"]
        assert verbs.files(cwd=tmp_path / "folder") == {"a", "sub/b"}
        assert verbs.client.call("getLists")["lists"][0]["revision"] == revision

    def test_files_that_come_and_go_while_they_are_printed(self, verbs: Verbs, tmp_path: Path) -> None:
        """Each file that stays is printed once."""
        folder = tmp_path / "folder"
        make(folder, *(f"{k}" for k in range(60_000)))
        assert len(verbs.files(cwd=folder)) == 60_000
        with subprocess.Popen(
            [os.environ["LISTD"], "files", "--socket", verbs.path], cwd=folder, stdout=subprocess.PIPE
        ) as process:
            assert process.stdout
            printed = process.stdout.readline()
            # The others do not fit in the pipe.
            gone = [f"{k}" for k in range(0, 60_000, 7)]
            for name in gone:
                (folder / name).unlink()
            make(folder, *(f"new {k}" for k in range(100)))
            (folder / "1").rename(folder / "one")
            left = 60_000 - len(gone) + 100
            until(lambda: verbs.client.call("getLists")["lists"][0]["items"] == left)
            printed += process.stdout.read()
        names = printed.decode().split("\n")[:-1]
        assert len(names) == len(set(names))
        assert set(names) >= {f"{k}" for k in range(2, 60_000) if k % 7} | {f"new {k}" for k in range(100)}
        assert process.returncode == 0

    def test_all_are_there_at_once(self, verbs: Verbs, tmp_path: Path) -> None:
        """While the folder is read for the first time, all who ask for its files wait."""
        expected = {f"d{k}/{n}" for k in range(60) for n in range(100)}
        for k in range(60):
            (tmp_path / f"folder/d{k}").mkdir(parents=True)
            for n in range(100):
                (tmp_path / f"folder/d{k}/{n}").touch()
        found: List[Set[str]] = []

        def ask() -> None:
            found.append(verbs.files(cwd=tmp_path / "folder"))

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [expected] * 4

    def test_names_of_any_bytes(self, verbs: Verbs, tmp_path: Path) -> None:
        """They are printed as they are."""
        folder = os.fsencode(tmp_path) + b"/folder"
        names = {b"\xff/\xfe/c", b"\xff/\xfe/\xc3", b"\xff/d", b"a\nb", b"\\xff", "é".encode()}
        for name in names:
            os.makedirs(os.path.dirname(folder + b"/" + name), exist_ok=True)
            open(folder + b"/" + name, "w").close()
        response = run("files", "-0", "--socket", verbs.path, cwd=folder)
        assert response.code == 0 and set(response.out.split(b"\0")) == {*names, b""}

    def test_what_cannot_be_read(self, verbs: Verbs, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        for name, why in (("none", "No such file"), ("file", "Not a directory")):
            response = run("files", name, "--socket", verbs.path, cwd=tmp_path)
            assert response.code == 1 and response.out == b"", response
            assert f"cannot read {tmp_path}/{name}: {why}" in response.err, response
        assert verbs.client.call("getLists") == {"lists": []}

    def test_a_folder_that_has_vanished(self, verbs: Verbs, tmp_path: Path) -> None:
        """It is read again when it is made again."""
        folder = tmp_path / "folder"
        make(folder, "a")
        assert verbs.files("folder", cwd=tmp_path) == {"folder/a"}
        folder.rename(tmp_path / "away")
        until(lambda: run("files", "folder", "--socket", verbs.path, cwd=tmp_path).code == 1)
        make(folder, "b")
        found = Outcome(0, b"folder/b\n", "")
        until(lambda: run("files", "folder", "--socket", verbs.path, cwd=tmp_path) == found)


class TestLists:
    def test_what_lists_are_made_of(self, verbs: Verbs, tmp_path: Path) -> None:
        client = verbs.client
        client.call("applySnapshot", list="plain", items=["a", "b"])
        client.call("compose", list="made", sources=["plain"])
        verbs.feed("fed", "--", "echo a; exit 3")
        (tmp_path / "rows").write_text("a\n")
        verbs.feed("file", "rows", cwd=tmp_path)
        becomes(client, ["a"], "file")
        until(lambda: client.call("getLists")["lists"][2]["state"].get("exitCode") == 3)
        response = run("lists", "--socket", verbs.path)
        assert response == Outcome(
            0,
            f"plain  2\nmade   2  of plain\nfed    1  /bin/sh -c echo a; exit 3 (ended) (exit code 3)\n"
            f"file   1  {tmp_path.resolve()}/rows\n".encode(),
            "",
        )
        assert run("lists", "--names", "--socket", verbs.path).out == b"plain\nmade\nfed\nfile\n"
        assert run("lists", "--json", "--socket", verbs.path).lines == client.call("getLists")["lists"]

    def test_names_are_aligned_and_printable(self, verbs: Verbs) -> None:
        for name, count in (("a\n\x1b[1m", 100), ("表", 1), ("é", 0)):
            verbs.client.call("applySnapshot", list=name, items=[str(k) for k in range(count)])
        response = run("lists", "--socket", verbs.path)
        assert response.out.decode() == "a\\n\\u001b[1m  100\n表" + " " * 14 + "1\né" + " " * 15 + "0\n"

    def test_removed_lists(self, verbs: Verbs, tmp_path: Path) -> None:
        """Their feeds end; what cannot be removed is reported, and the others are removed."""
        for name in "abc":
            verbs.client.call("applySnapshot", list=name, items=[])
        verbs.feed("fed", "--", "echo $$ > pid; exec sleep 60", cwd=tmp_path)
        process = number_in(tmp_path / "pid")
        response = run("rm", "a", "none", "fed", "b", "--socket", verbs.path)
        assert response.code == 1 and response.err == 'listd: no list "none"\n', response
        assert run("lists", "--names", "--socket", verbs.path).out == b"c\n"
        until(lambda: not exists(process), "the end of the command")
        assert run("rm", LISTD_SOCKET=verbs.path).code == 2

    def test_nobody_listens(self, tmp_path: Path) -> None:
        for words in (["lists"], ["rm", "l"], ["files"], ["feed", "l", "--", "true"]):
            response = run(*words, "--socket", tmp_path / "s") if words[0] != "feed" else run(
                "feed", "--socket", tmp_path / "s", "l", "--", "true"
            )  # fmt: skip
            assert response.code == 1 and "no listd listens at" in response.err, response


def test_a_daemon_that_ends_meanwhile(tmp_path: Path) -> None:
    """A command that waits for a folder to be read fails when the daemon is killed."""
    for k in range(100):
        (tmp_path / f"folder/d{k}").mkdir(parents=True)
        for n in range(100):
            (tmp_path / f"folder/d{k}/{n}").touch()
    with Listening(tmp_path / "s") as shared:
        client: Socket = shared.client()
        responses: List[Any] = []

        def ask() -> None:
            responses.append(run("files", "folder", "--socket", shared.path, cwd=tmp_path))

        thread = threading.Thread(target=ask)
        thread.start()
        until(lambda: client.call("getLists")["lists"])
        os.kill(shared.process.pid, signal.SIGKILL)
        thread.join()
        assert responses[0].code == 0 or "has closed the connection" in responses[0].err, responses
        shared.record = ""
