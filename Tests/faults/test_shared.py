"""Clients that are killed, stop reading, or send half messages or too many: the others go on."""

# Promise: Killed clients, half messages, floods and a lack of descriptors do not affect other clients.

from __future__ import annotations

import json
import random
import resource
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path
from typing import Any, Dict, List

import pytest

from client import PATIENCE, Daemon, frame, line, request
from rounds import rounds
from followers import FORMATS, Follower
from shared_daemon import Listening

LIMIT = 4 << 20


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s"


def memory(process: Any) -> int:
    """The most resident memory so far, in bytes."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) << 10


def big(k: int, rows: int = 100) -> List[Dict[str, Any]]:
    """Rows of a kilobyte, all of them new."""
    return [{"id": f"{k}/{row}", "text": f"{k} {row} " + "x" * 1000} for row in range(rows)]


class StoppedReader:
    """A client that subscribes and does not read until `read` is called."""

    def __init__(self, path: Path, subscriptions: List[Dict[str, Any]]) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(str(path))
        self.file = self.socket.makefile("rb")
        self.replies = [self.call("subscribe", one) for one in subscriptions]

    def call(self, method: str, params: Any) -> Any:
        self.socket.sendall(line(request(method, params)))
        while True:
            answer = json.loads(self.file.readline())
            if "id" in answer:
                return answer["result"]

    def read_all(self) -> List[Any]:
        """Sends a request. Returns all notifications before its reply."""
        self.socket.sendall(line(request("getLists", id="end")))
        answer: List[Any] = []
        while not answer or answer[-1].get("id") != "end":
            answer.append(json.loads(self.file.readline()))
        return answer[:-1]


def test_a_stopped_reader_is_sent_one_least_change(path: Path) -> None:
    with Listening(path) as shared:
        writer = shared.client()
        writer.call("registerTemplates", templates={"Cell": "{selected:*|-}{cursor:>| } {text}"})
        for name in FORMATS:
            writer.call("applySnapshot", list=name, items=big(0, 10))
        reader = StoppedReader(path, [{"list": name, "format": name} for name in FORMATS])
        mirrors = {
            name: Follower(name, answer, writer.call("getText", list=name))
            for name, answer in zip(FORMATS, reader.replies)
        }
        for k in range(1, 41):
            for name in FORMATS:
                items = big(0, 10)[k % 10 :] + big(k, 60)
                section = {"id": "main", "selectionMode": "multiple", "items": items}
                writer.call("applySnapshot", list=name, sections=[section])
                writer.call("select", list=name, action="all" if k % 3 else "invert")
        answer = reader.read_all()
        per_list: Dict[str, int] = dict.fromkeys(FORMATS, 0)
        for note in answer:
            params = note["params"]
            assert "request" not in params and "reload" not in params
            mirrors[params["list"]].hear(note["method"], params)
            per_list[params["list"]] += note["method"] == "didChange"
        for name in FORMATS:
            mirrors[name].check(writer, name)
        assert max(per_list.values()) < 40, "what piled up was sent as one change"
        # Afterwards it works as before.
        for name in FORMATS:
            writer.call("applySnapshot", list=name, items=["a"])
        for note in reader.read_all():
            mirrors[note["params"]["list"]].hear(note["method"], note["params"])
        for name in FORMATS:
            mirrors[name].check(writer, name)


def test_what_a_stopped_reader_no_longer_has_is_reloaded(path: Path) -> None:
    with Listening(path, "--history-bytes", "0") as shared:
        writer = shared.client()
        names = ["l", "removed", "made again", "same"]
        for name in names:
            writer.call("applySnapshot", list=name, items=["a", "b"])
        reader = StoppedReader(path, [{"list": name, "format": "ops"} for name in names])
        for k in range(100):
            writer.call("applySnapshot", list="l", items=big(k))
        for name in names[1:3]:
            writer.call("removeList", list=name)
        writer.call("applySnapshot", list="made again", items=["c"])
        revision = writer.call("getSnapshot", list="l")["revision"]
        answer = [(note["method"], note["params"]) for note in reader.read_all()]
        reloads = [params for _, params in answer if params.get("reload")]
        assert [(params["list"], params["revision"]) for params in reloads] == [("l", revision)]
        last = [params for _, params in answer if params["list"] == "l"]
        assert [two["baseRevision"] for two in last[1:]] == [one["revision"] for one in last[:-1]]
        rest = [(method, params) for method, params in answer if params["list"] != "l"]
        assert ("didRemove", {"list": "removed"}) in rest
        again = [(m, p.get("baseRevision"), p.get("ops")) for m, p in rest if p["list"] == names[2]]
        assert [one[0] for one in again] == ["didRemove", "didChange"] and again[1][1] == 0
        assert not [params for _, params in rest if params["list"] == "same"]


def test_a_stopped_reader_is_sent_what_left_the_selection(path: Path) -> None:
    """Not what views do not show any more and is still selected: in them, or below views between."""
    with Listening(path) as shared:
        writer = shared.client()
        writer.call("applySnapshot", list="noise", items=[])
        items = [{"id": id, "n": 1} for id in "abcd"]
        section = {"id": "s", "selectionMode": "multiple", "items": items}
        writer.call("applySnapshot", list="l", sections=[section])
        where = {"where": {"member": "n", "is": 1}, "selection": "source"}
        writer.call("compose", list="v", sources=["l"], view=where)
        writer.call("compose", list="w", sources=["v"], view={"selection": "source"})
        writer.call("compose", list="own", sources=["l"], view={"window": {"count": 3}})
        writer.call("select", list="l", action="all")
        writer.call("select", list="own", action="all")
        names = ["noise", "v", "w", "own"]
        reader = StoppedReader(path, [{"list": name, "format": "ops"} for name in names])
        for k in range(100):
            writer.call("applySnapshot", list="noise", items=big(k))
        items = [{"id": "new"}, {"id": "a", "n": 2}, {"id": "b", "n": 1}, {"id": "c", "n": 1}]
        writer.call("applySnapshot", list="l", sections=[{**section, "items": items}])
        writer.call("select", list="l", action="deselect", items=["b"])
        last = {note["params"]["list"]: note["params"] for note in reader.read_all()}
        left = {name: [(one["id"], one["gone"]) for one in last[name]["deselected"]] for name in names}
        assert [left["v"], left["w"]] == [[("b", False), ("d", True)]] * 2
        assert left["own"] == []


def test_a_stopped_reader_is_sent_the_line_of_the_cursor(path: Path) -> None:
    with Listening(path) as shared:
        writer = shared.client()
        writer.call("applySnapshot", list="noise", items=[])
        writer.call("applySnapshot", list="l", items=["a\nb\nc"], cursor="a\nb\nc")
        text = {"list": "l", "format": "textEdits"}
        reader = StoppedReader(path, [{"list": "noise"}, text])
        for k in range(100):
            writer.call("applySnapshot", list="noise", items=big(k))
        number = writer.call("getText", list="l")["textRevision"]
        writer.call("select", list="l", cursor={"line": 2, "textRevision": number})
        notes = [note for note in reader.read_all() if note["params"]["list"] == "l"]
        assert [(note["method"], note["params"]["cursorLine"]) for note in notes] == [("didSelect", 2)]


def test_a_text_that_a_stopped_reader_no_longer_has_is_reloaded(path: Path) -> None:
    """Its revision is no longer kept, and the list has become longer and shorter."""
    with Listening(path, "--history-bytes", "0") as shared:
        writer = shared.client()
        writer.call("applySnapshot", list="l", items=["a", "b"])
        reader = StoppedReader(path, [{"list": "l", "format": "textEdits"}])
        for items in (big(1000, 200), ["a"]):
            for k in range(100):
                writer.call("applySnapshot", list="l", items=big(k))
            writer.call("applySnapshot", list="l", items=items)
            last = reader.read_all()[-1]["params"]
            assert last["reload"] and last["revision"] == writer.call("getText", list="l")["revision"]


@pytest.mark.parametrize("rows, count, most", [(9, 1, 1.25), (9, 8, 1), (100, 8, 0.25), (700, 8, 0.25)])
def test_a_stopped_reader_costs_what_may_wait_for_it(
    path: Path, rows: int, count: int, most: float
) -> None:
    """Long notifications are kept once for all readers, short ones are copied."""
    changes = 100 + 9 * LIMIT // (1000 * rows * 4)
    with Listening(path, "--history-bytes", "0") as shared:
        writer = shared.client()
        reading = StoppedReader(path, [{"list": "l"}])
        for k in range(50):
            writer.call("applySnapshot", list="l", items=big(k, rows))
            reading.read_all()
        before = memory(shared.process)
        readers = [StoppedReader(path, [{"list": "l"}]) for _ in range(count)]
        for k in range(50, changes):
            writer.call("applySnapshot", list="l", items=big(k, rows))
            reading.read_all()
        used = (memory(shared.process) - before) / count
        assert used <= most * LIMIT, used
        for reader in readers:
            answer = reader.read_all()
            assert answer[-1]["params"]["revision"] == changes
            assert len(answer) > 3


def test_replies_wait_for_a_client_and_other_clients_do_not(path: Path) -> None:
    with Listening(path) as shared:
        other, slow = shared.client(), StoppedReader(path, [])
        other.call("applySnapshot", list="l", items=big(0, 200))
        before = memory(shared.process)
        slow.socket.settimeout(0.5)
        sent = 0
        try:
            for k in range(400):
                slow.socket.sendall(line(request("getSnapshot", {"list": "l"}, k)))
                sent += 1
        except TimeoutError:
            pass
        slow.socket.settimeout(PATIENCE)
        for k in range(50):
            other.call("applySnapshot", list="other", items=[k])
        assert memory(shared.process) - before < 5 * LIMIT
        for k in range(sent):
            assert json.loads(slow.file.readline())["id"] == k


def test_requests_of_clients_are_taken_in_turn(path: Path) -> None:
    with Listening(path) as shared:
        flood, other = shared.client(), shared.client()
        rows = [f"row {k}" for k in range(20_000)]
        flood.call("applySnapshot", list="l", items=rows)
        count = 40
        data = []
        for k in range(count):
            random.Random(k).shuffle(rows)
            data.append(line(request("applySnapshot", {"list": "l", "items": rows}, k)))
        flood.raw(b"".join(data[:2]))
        flood.reply()
        sender = threading.Thread(target=flood.raw, args=[b"".join(data[2:])])
        sender.start()
        seen = []
        while not seen or seen[-1] < count + 1:
            seen.append(other.call("getLists")["lists"][0]["revision"])
        sender.join()
        # It was answered between them, and not after all of them.
        assert len(set(seen)) > 5, seen


@pytest.mark.parametrize("framing", ["ndjson", "lsp"])
def test_half_a_message_does_not_affect_other_clients(path: Path, framing: str) -> None:
    whole = request("applySnapshot", {"list": "l", "items": ["never"]})
    data = line(whole) if framing == "ndjson" else frame(whole)
    with Listening(path) as shared:
        other = shared.client()
        for length in range(1, len(data) - 1, 7):
            with socket.socket(socket.AF_UNIX) as half:
                half.connect(str(path))
                half.sendall(data[:length])
        assert other.call("getLists") == {"lists": []}


def test_killed_clients_change_nothing_for_the_others(path: Path, tmp_path: Path) -> None:
    rng = random.Random(7)
    with Listening(path) as shared:
        survivor = shared.client()
        answer = survivor.call("subscribe", list="l", format="ops")
        mirror = Follower("l", answer, {"text": "", "textRevision": 0})
        for _ in range(rounds(10)):
            victim = Daemon("connect", str(path), framing=rng.choice(["ndjson", "lsp"]))
            for name in "lm":
                victim.send(request("subscribe", {"list": name, "format": rng.choice(FORMATS)}, 1))
            items: List[str] = []
            for k in range(rng.randrange(20)):
                items = [str(rng.randrange(50)) for _ in range(rng.randrange(200))]
                victim.send(request("applySnapshot", {"list": "l", "items": items}, k + 2))
                if rng.random() < 0.3:
                    survivor.call("applySnapshot", list="m", items=items)
            if rng.random() < 0.5:
                victim.receive()
            if rng.random() < 0.5:
                half = frame if victim.framing == "lsp" else line
                data = half(request("applySnapshot", {"list": "l", "items": items}, "half"))
                victim.raw(data[: rng.randrange(1, len(data))])
            time.sleep(rng.random() * 0.005)
            victim.process.kill()
            victim.close()
            for note in survivor.settle():
                mirror.hear(note["method"], note["params"])
        # The last requests may still be served.
        while survivor.call("getSnapshot", list="l")["revision"] != mirror.revision:
            for note in survivor.settle():
                mirror.hear(note["method"], note["params"])
        mirror.check(survivor, "ops")
        assert survivor.call("getLists")["lists"]


@pytest.mark.parametrize("padding", [0, 1 << 14])
def test_a_connection_ends_well_with_the_process_of_its_client(path: Path, padding: int) -> None:
    with Listening(path) as shared:
        other = shared.client()
        editor = subprocess.Popen(["sleep", "600"])
        bridge = Daemon("connect", str(path))
        info = {"name": "x" * padding}
        bridge.call("initialize", processId=editor.pid, clientInfo=info)
        bridge.call("applySnapshot", list="l", items=["a"])
        editor.kill()
        editor.wait()
        assert bridge.process.wait(timeout=PATIENCE) == 0
        assert other.call("getLists")["lists"]
        bridge.close()


def test_descriptors_that_are_used_up_are_reported(path: Path) -> None:
    def few() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24))

    with Listening(path, preexec_fn=few) as shared:
        first = shared.client()
        sockets = []
        refused = 0
        for _ in range(40):
            one = socket.socket(socket.AF_UNIX)
            one.settimeout(PATIENCE)
            one.connect(str(path))
            try:
                one.sendall(line(request("getLists")))
                refused += one.recv(1) == b""
            except OSError:
                refused += 1
            sockets.append(one)
        assert 15 < refused < 40
        assert first.call("getLists") == {"lists": []}
        for one in sockets:
            one.close()
        time.sleep(0.2)
        assert shared.client().call("getLists") == {"lists": []}
        assert shared.stop(signal.SIGTERM).count("Too many open files") == 1


def test_many_clients_with_many_subscriptions(path: Path) -> None:
    with Listening(path) as shared:
        clients = [shared.client() for _ in range(100)]
        names = [f"list {k}" for k in range(100)]
        for client in clients:
            client.pipeline([("subscribe", {"list": name}) for name in names])
        for k, name in enumerate(names):
            clients[k].call("applySnapshot", list=name, items=[name])
        for k, client in enumerate(clients):
            answer = client.settle()
            assert [note["params"]["list"] for note in answer] == names
            assert [i for i, note in enumerate(answer) if "request" in note["params"]] == [k]
