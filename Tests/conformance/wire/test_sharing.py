"""Several clients of one daemon: shared state, and state of each connection."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from client import PATIENCE, Daemon, DaemonEnded, line, notice, request, session
from shared_daemon import Listening, Socket, settle, wait_for

pytestmark = pytest.mark.needs("--listen", "listd connect")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s"


def test_lists_are_shared_and_subscriptions_are_not(path: Path) -> None:
    with Listening(path) as shared:
        one, two, three = shared.client(), shared.joined(), shared.client("lsp")
        one.call("subscribe", list="l")
        three.call("subscribe", list="l", format="ops")
        two.call("registerTemplates", templates={"Cell": "- {text}"})
        answer = two.call("applySnapshot", list="l", items=["a", "b"])
        assert answer["format"] == "stages", "the client that asks has not subscribed"
        assert one.call("applySnapshot", list="l", items=["b"])["format"] == "none"
        assert two.call("getText", list="l")["text"] == "- b\n"
        heard = settle([one, two, three])
        assert heard[1] == []
        for index, notes in ((0, heard[0]), (2, heard[2])):
            assert [note["params"]["revision"] for note in notes] == [1, 2], index
        assert ["request" in note["params"] for note in heard[0]] == [False, True]
        assert ["request" in note["params"] for note in heard[2]] == [False, False]
        one.call("unsubscribe", list="l")
        two.refused(-31003, "applySnapshot", list="l", items=[], baseRevision=1)
        two.call("removeList", list="l")
        heard = settle([one, two, three])
        assert heard[:2] == [[], []]
        assert [note["method"] for note in heard[2]] == ["didRemove"]


def test_each_client_has_a_life_of_its_own(path: Path) -> None:
    with Listening(path) as shared:
        one, two = shared.client(), shared.client()
        one.call("initialize", {})
        two.call("initialize", {})
        two.notify("removeList", {"list": "nothing"})
        heard = settle([one, two])
        assert [len(notes) for notes in heard] == [0, 1]
        one.call("shutdown")
        one.refused(-32600, "getLists")
        assert two.call("getLists") == {"lists": []}
        one.notify("exit")
        with pytest.raises(DaemonEnded):
            one.reply()
        assert two.call("getLists") == {"lists": []}


def test_standard_input_is_a_client_beside_the_socket(path: Path) -> None:
    with Daemon("--listen", str(path)) as first:
        first.call("applySnapshot", list="l", items=["a"])
        second = Socket(path)
        second.call("subscribe", list="l")
        first.call("applySnapshot", list="l", items=["a", "b"])
        (note,) = second.settle()
        assert note["params"]["revision"] == 2
        first.process.stdin.close()
        with pytest.raises(DaemonEnded):
            first.reply()
        assert second.call("getSnapshot", list="l")["revision"] == 2
        second.close()
        first.process.send_signal(signal.SIGTERM)
        assert first.process.wait(PATIENCE) == 0
    assert not path.exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_end_the_daemon_with_everything_in_the_journal(
    path: Path, tmp_path: Path, number: int
) -> None:
    journal = tmp_path / "journal"
    with Listening(path, "--journal", str(journal)) as shared:
        one = shared.client()
        one.call("applySnapshot", list="l", items=["a"])
        assert shared.stop(number) == ""
        assert not path.exists()
    with Daemon("--journal", str(journal)) as again:
        assert again.call("getSnapshot", list="l")["revision"] == 1


def test_the_end_of_a_process_ends_its_connection(path: Path) -> None:
    with Listening(path) as shared:
        process = subprocess.Popen(["sleep", "60"])
        one, two = shared.client(), shared.client()
        one.call("initialize", processId=process.pid)
        two.call("initialize", processId=os.getpid())
        process.kill()
        process.wait()
        with pytest.raises(DaemonEnded):
            one.reply()
        assert two.call("getLists") == {"lists": []}


def test_it_ends_when_it_is_idle(path: Path) -> None:
    with Listening(path, "--exit-when-idle", "0.5") as shared:
        one = shared.client()
        time.sleep(1)
        one.call("getLists")
        one.close()
        assert shared.process.wait(PATIENCE) == 0
        assert not path.exists()
    refused = session(b"", "--exit-when-idle", "1")
    assert refused.code == 2 and "--listen" in refused.err


def test_standard_input_keeps_it_from_being_idle(path: Path) -> None:
    with Daemon("--listen", str(path), "--exit-when-idle", "0.2") as first:
        time.sleep(0.6)
        first.call("getLists")
        first.process.stdin.close()
        assert first.process.wait(PATIENCE) == 0


def test_records_hold_all_connections(path: Path, tmp_path: Path) -> None:
    record = tmp_path / "record"
    with Listening(path, "--record", str(record)) as shared:
        one, two = shared.client(), shared.client("lsp")
        one.call("subscribe", list="l", format="ops")
        two.call("subscribe", list="l", format="textEdits")
        one.raw(b"no JSON\n")
        assert one.reply()["error"]["code"] == -32700
        for k in range(5):
            one.call("applySnapshot", list="l", items=[k])
            two.call("applySnapshot", list="l", items=[k, "x"])
        two.end()
        one.call("applySnapshot", list="l", items=[])
        one.settle()
        shared.stop(signal.SIGTERM)
    replayed = session(b"", "replay", str(record))
    assert replayed.code == 0 and b"all the same" in replayed.out, replayed
    text = record.read_text()
    assert text.count('"connection":2') == 23 and '"event":"leaves"' in text
    record.write_text(text.replace('"items": [4, "x"]', '"items": [5]', 1))
    assert session(b"", "replay", str(record)).code == 1


# Promise: The socket is private, in a safe directory; a stale one is replaced, a live one and other files are kept;
#   one that was removed is made again for clients, and without clients the daemon ends.
class TestThePath:
    def test_the_socket_is_private(self, path: Path) -> None:
        with Listening(path):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600

    def test_a_live_socket_is_refused(self, path: Path) -> None:
        with Listening(path) as shared:
            refused = session(b"", "--listen", str(path))
            assert refused.code == 1 and "another listd listens" in refused.err
            assert shared.client().call("getLists") == {"lists": []}

    def test_a_stale_socket_is_replaced(self, path: Path) -> None:
        with Listening(path) as shared:
            shared.process.kill()
            shared.process.wait()
        assert path.exists()
        with Listening(path) as shared:
            assert shared.client().call("getLists") == {"lists": []}

    @pytest.mark.parametrize("kind", ["file", "folder", "fifo"])
    def test_another_file_is_left_alone(self, path: Path, kind: str) -> None:
        {"file": lambda: path.write_text("mine"), "folder": path.mkdir,
         "fifo": lambda: os.mkfifo(path)}[kind]()  # fmt: skip
        refused = session(b"", "--listen", str(path))
        assert refused.code == 1 and "not a socket" in refused.err
        assert path.exists() and (kind != "file" or path.read_text() == "mine")

    def test_a_folder_that_others_may_write_to_is_refused(self, path: Path) -> None:
        for mode in (0o777, 0o770, 0o1777, 0o702):
            path.parent.chmod(mode)
            refused = session(b"", "--listen", str(path))
            assert refused.code == 1 and "may write" in refused.err, oct(mode)
        path.parent.chmod(0o755)
        with Listening(path):
            pass

    # A daemon that watches a process looks at its path as often as at the process.
    WATCHING = f"--client-process-id={os.getpid()}"

    def test_a_daemon_without_clients_ends_if_its_socket_was_removed(self, path: Path) -> None:
        with Listening(path, self.WATCHING) as shared:
            path.unlink()
            answer = shared.process.communicate(timeout=PATIENCE)[1].decode()
            assert shared.process.returncode == 0 and "no longer this socket" in answer

    @pytest.mark.parametrize("heir", ["daemon", "file", "nothing, not even the folder"])
    def test_a_daemon_whose_path_has_another_file_ends_with_its_last_client(
        self, path: Path, heir: str
    ) -> None:
        (path.parent / "folder").mkdir()
        path = path.parent / "folder" / "s"
        with Listening(path, self.WATCHING) as shared:
            client = shared.client()
            client.call("applySnapshot", list="l", items=["a"])
            aside = path.parent.rename(path.parent.parent / "aside")
            shared.record = str(aside / "s.record")
            if heir != "nothing, not even the folder":
                path.parent.mkdir()
            other = Listening(path) if heir == "daemon" else None
            if heir == "file":
                path.write_text("mine")
            time.sleep(1.2)  # Longer than the time between two looks.
            assert client.call("getSnapshot", list="l")["revision"] == 1
            client.close()
            answer = shared.process.communicate(timeout=PATIENCE)[1].decode()
            assert shared.process.returncode == 0 and "no longer this socket" in answer
            assert (aside / "s").is_socket(), "a socket of that name is not ours to remove"
            if heir == "file":
                assert path.read_text() == "mine"
            if other:
                with other:
                    assert other.client().call("getLists") == {"lists": []}

    def test_a_socket_that_was_removed_is_made_again_for_clients(self, path: Path) -> None:
        with Listening(path, self.WATCHING) as shared:
            client = shared.client()
            client.call("subscribe", list="l")
            for revision in (1, 2, 3):
                path.unlink()
                wait_for(str(path), shared.process)
                assert stat.S_IMODE(path.stat().st_mode) == 0o600
                other = shared.client()
                other.call("applySnapshot", list="l", items=[revision])
                assert settle([client])[0][0]["params"]["revision"] == revision
            refused = session(b"", "--listen", str(path))
            assert refused.code == 1 and "another listd listens" in refused.err
            assert shared.stop(signal.SIGTERM).count("is made again") == 3
        assert not path.exists()

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
    def test_a_folder_of_another_user_is_refused(self, path: Path) -> None:
        os.chown(path.parent, 65534, 65534)
        refused = session(b"", "--listen", str(path))
        assert refused.code == 1 and "belongs to another user" in refused.err

    def test_a_path_that_is_too_long_is_refused(self, path: Path) -> None:
        long = path.parent / ("x" * 108)
        for words in (["--listen", str(long)], ["connect", str(long)]):
            refused = session(b"", *words)
            assert refused.code == 1 and "at most 107 bytes" in refused.err

    def test_a_folder_that_is_missing_is_named(self, path: Path) -> None:
        refused = session(b"", "--listen", str(path / "deeper"))
        assert refused.code == 1 and "No such file" in refused.err

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
    def test_another_user_is_refused(self) -> None:
        # Temporary folders of tests may be inside one that only root can enter.
        with tempfile.TemporaryDirectory(dir="/tmp") as folder, Listening(Path(folder, "s")) as shared:
            path = Path(folder, "s")
            path.chmod(0o666)
            path.parent.chmod(0o755)
            script = (
                "import os, socket, sys\n"
                "os.setgid(65534); os.setuid(65534)\n"
                "s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])\n"
                "print(s.recv(1))\n"
            )
            answer = subprocess.run(
                ["python3", "-c", script, str(path)], capture_output=True, timeout=PATIENCE
            )
            assert answer.returncode != 0 or answer.stdout == b"b''\n", answer
            assert shared.client().call("getLists") == {"lists": []}
            assert "65534" in shared.stop(signal.SIGTERM)


# Promise: `listd connect` answers and exits as a daemon would; many at the same time start one daemon.
class TestConnect:
    def test_it_prints_all_answers_at_the_end_of_its_input(self, path: Path) -> None:
        with Listening(path):
            sent = b"".join(line(request("getLists", id=k)) for k in range(500))
            done = session(sent, "connect", str(path))
            assert done.code == 0 and [answer["id"] for answer in done.lines] == list(range(500))

    @pytest.mark.parametrize(
        "sent",
        [
            b"",
            line(request("getLists")),
            line(request("getLists")).rstrip(b"\n"),
            line(request("getLists"))[:-5],
            b'Content-Length: 20\r\n\r\n{"jsonrpc"',
            line(request("shutdown")) + line(notice("exit")),
            line(request("shutdown")) + line(request("getLists", id=2)),
            line(notice("exit")) + line(request("getLists")),
            line(request("getLists")) + line(notice("exit")),
            line(request("getLists", id="exit")),
            b"[]\n{\n",
        ],
    )
    def test_it_exits_as_the_daemon_would(self, path: Path, sent: bytes) -> None:
        alone = session(sent)
        with Listening(path):
            joined = session(sent, "connect", str(path))
        assert (joined.code, joined.out) == (alone.code, alone.out)

    def test_without_a_daemon_it_fails_with_a_message(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("LISTD_SOCKET", raising=False)
        monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
        failed = session(b"", "connect", str(path))
        assert failed.code == 1 and "no listd listens at" in failed.err
        assert session(b"", "connect").code == 2
        assert session(b"", "connect", str(path), "--self-check").code == 2

    def test_it_starts_a_daemon_once(self, path: Path, tmp_path: Path) -> None:
        journal = tmp_path / "journal"
        words = ["connect", "--start", str(path), "--journal", str(journal)]
        words += ["--exit-when-idle=0.3"]
        clients = [Daemon(*words) for _ in range(8)]
        try:
            for number, client in enumerate(clients):
                client.call("applySnapshot", list=str(number), items=[])
            for client in clients:
                assert len(client.call("getLists")["lists"]) == 8
        finally:
            for client in clients:
                client.close()
        start = time.monotonic()
        while path.exists() and time.monotonic() - start < PATIENCE:
            time.sleep(0.05)
        assert not path.exists()
        with Daemon("--journal", str(journal)) as again:
            assert len(again.call("getLists")["lists"]) == 8

    def test_it_says_why_no_daemon_can_be_started(self, path: Path, tmp_path: Path) -> None:
        (tmp_path / "journal").write_text("something else\n")
        words = ["connect", "--start", str(path), "--journal", str(tmp_path / "journal")]
        failed = session(b"", *words)
        assert failed.code == 1 and "not a journal" in failed.err or "journal" in failed.err

    def test_the_end_of_the_daemon_is_reported(self, path: Path) -> None:
        with Listening(path) as shared:
            joined = shared.joined()
            joined.call("getLists")
            shared.process.kill()
            assert joined.process.wait(PATIENCE) == 1
            joined.threads[1].join(PATIENCE)
            assert "closed the connection" in joined.errors
