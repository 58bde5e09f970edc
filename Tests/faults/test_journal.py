"""Lists outlive the process, and no acknowledged change is lost."""

from __future__ import annotations

import os
import random
import signal
import subprocess
from pathlib import Path
from typing import Any, Dict, List

import pytest

from client import PATIENCE, Daemon, line, program, request, session
from rounds import rounds

HEADER = b'{"listd":"journal","version":2}\n'


def state(daemon: Daemon) -> Dict[str, Any]:
    """The complete state of the lists that a client can read."""
    lists = daemon.call("getLists")["lists"]
    return {
        "lists": lists,
        "snapshots": [daemon.call("getSnapshot", list=entry["list"]) for entry in lists],
        "texts": [daemon.call("getText", list=entry["list"])["text"] for entry in lists],
        "selections": [daemon.call("getSelection", list=entry["list"]) for entry in lists],
    }


def restarted(journal: Path) -> Dict[str, Any]:
    with Daemon("--journal", str(journal)) as daemon:
        return state(daemon)


CALLS = [
    ("applySnapshot", {"list": "a", "items": [1, "x", {"id": "y", "n": [1.50, "é"]}, {}, []]}),
    ("select", {"list": "a", "items": ["x"], "cursor": 1}),
    ("applySnapshot", {"list": "b", "sections": []}),
    ("applySnapshot", {"list": "b", "sections": [
        {"id": "s", "header": "h", "selectionMode": "multiple", "items": list(range(50))},
        {"own": {"a": None}, "items": ["t"], "id": "t"},
    ], "selected": [3, 4, 5, 9]}),
    ("applySnapshot", {"list": "b", "sections": [
        {"own": {"a": None}, "items": [7, "t"], "id": "t"},
        {"id": "s", "header": "H", "selectionMode": "multiple", "items": list(range(8, 60))},
    ]}),
    ("applySnapshot", {"list": "\0\"\\é", "items": ["a", "a", "b"], "selected": [{"id": "a", "occurrence": 1}]}),
    ("applySnapshot", {"list": "gone", "items": [1]}),
    ("removeList", {"list": "gone"}),
    ("applySnapshot", {"list": "again", "items": [1]}),
    ("removeList", {"list": "again"}),
    ("applySnapshot", {"list": "again", "items": [2]}),
    ("applySnapshot", {"list": "parts", "items": [
        {"id": "p", "template": "T", "parts": [{"template": "H"}, "bare", {"id": 1}]}, {"id": "q", "parts": []},
    ], "cursor": {"path": [0, 2]}}),
    ("compose", {"list": "both", "sources": ["later", "a", "deeper"]}),
    ("compose", {"list": "deeper", "sources": ["b", "parts"]}),
    ("select", {"list": "both", "items": [{"id": "y", "source": "a"}], "cursor": "x"}),
    ("editSnapshot", {"list": "b", "edits": [
        {"edit": "moveItems", "items": [9], "section": "t"}, {"edit": "appendItems", "items": ["z"]},
    ], "selected": [9]}),
    ("applySnapshot", {"list": "later", "items": [{"id": 5}]}),
    ("removeList", {"list": "a"}),
    ("applySnapshot", {"list": "b", "snapshot": {"list": "again"}}),
    ("registerTemplates", {"templates": {"Cell": "{cursor:>| }{selected:*| }{text} {{", "T": "t{id}"}}),
    ("registerTemplates", {"templates": {"T": "u{id}\n", "H": "h"}}),
]  # fmt: skip


@pytest.mark.parametrize("sync", [(), ("--journal-sync",)])
@pytest.mark.parametrize("framing", ["ndjson", "lsp"])
def test_lists_outlive_the_process(journal: Path, framing: str, sync: tuple) -> None:
    with Daemon("--journal", str(journal), *sync, framing=framing) as daemon:
        for method, params in CALLS:
            daemon.call(method, params)
        before = state(daemon)
        assert daemon.end() == 0
    assert restarted(journal) == before
    assert restarted(journal) == before


def test_every_request_is_kept(journal: Path) -> None:
    """After each request the daemon is killed and started again."""
    for method, params in CALLS:
        with Daemon("--journal", str(journal)) as daemon:
            daemon.call(method, params)
            before = state(daemon)
            daemon.process.kill()
        assert restarted(journal) == before


def test_revisions_are_not_used_again(journal: Path) -> None:
    seen = []
    for _ in range(3):
        with Daemon("--journal", str(journal)) as daemon:
            seen.append(daemon.call("applySnapshot", list="l", items=[len(seen)])["revision"])
            seen.append(daemon.call("applySnapshot", list="l", items=[len(seen)])["revision"])
            daemon.call("removeList", list="l")
            daemon.process.kill()
    assert seen == [1, 2, 3, 4, 5, 6]


def test_the_anchor_of_an_extension_is_kept(journal: Path) -> None:
    section = {"id": "s", "selectionMode": "multiple", "items": list(range(9))}
    with Daemon("--journal", str(journal)) as daemon:
        daemon.call("applySnapshot", list="l", sections=[section])
        daemon.call("select", list="l", items=[2])
    with Daemon("--journal", str(journal)) as daemon:
        response = daemon.call("select", list="l", action="extend", items=[5])
    assert response["selection"] == [{"at": [0, 2], "count": 4}]


def test_content_is_returned_as_it_was_written(journal: Path) -> None:
    item = b'{"id":1, "n":[1.0,1e400,-0,12345678901234567890.50],"s":"\\u00e9\\/"}'
    deep = b'{"id":2,"d":' + b"[" * 505 + b"]" * 505 + b"}"
    apply = b'{"jsonrpc":"2.0","id":1,"method":"applySnapshot","params":{"list":"l","items":[%s,%s]}}\n'
    session(apply % (item, deep), "--journal", str(journal))
    out = session(line(request("getSnapshot", {"list": "l"})), "--journal", str(journal)).out
    assert item in out and deep in out


def test_a_torn_tail_is_cut_and_reported(journal: Path) -> None:
    with Daemon("--journal", str(journal)) as daemon:
        for method, params in CALLS[:4]:
            daemon.call(method, params)
        before = state(daemon)
        kept = journal.stat().st_size
        daemon.call("applySnapshot", list="a", items=list(range(100)))
    whole = journal.read_bytes()
    for end in {*range(kept + 1, len(whole), 23), len(whole) - 1}:
        journal.write_bytes(whole[:end])
        with Daemon("--journal", str(journal)) as daemon:
            assert state(daemon) == before
            assert daemon.end() == 0
            assert f"{end - kept} bytes" in daemon.errors
        assert journal.read_bytes() == whole[:kept]


def test_a_torn_first_line(journal: Path) -> None:
    for end in range(len(HEADER)):
        journal.write_bytes(HEADER[:end])
        with Daemon("--journal", str(journal)) as daemon:
            daemon.call("applySnapshot", list="l", items=[1])
            before = state(daemon)
        assert restarted(journal) == before


@pytest.mark.parametrize("content", [
    b"hello\n", b"\0" * 5000, b"{}\n", b'{"listd":"journal","version":3}\n',
    b'{"listd":"journal"}\n', b"x" * len(HEADER), HEADER[:-1] + b" \n",
])  # fmt: skip
def test_a_file_that_is_not_a_journal_is_not_changed(journal: Path, content: bytes) -> None:
    journal.write_bytes(content)
    outcome = session(line(request("getLists")), "--journal", str(journal))
    assert outcome.code == 1 and outcome.out == b"" and str(journal) in outcome.err
    assert ("another version" in outcome.err) == (b'"journal",' in content)
    assert journal.read_bytes() == content


def test_damage_in_the_middle_is_not_removed(journal: Path) -> None:
    with Daemon("--journal", str(journal)) as daemon:
        for method, params in CALLS[:4]:
            daemon.call(method, params)
    content = bytearray(journal.read_bytes())
    content[len(HEADER) + 40] ^= 1
    journal.write_bytes(content)
    outcome = session(line(request("getLists")), "--journal", str(journal))
    assert outcome.code == 1 and "damaged" in outcome.err
    assert journal.read_bytes() == content


def test_a_folder_is_not_a_journal(tmp_path: Path) -> None:
    outcome = session(line(request("getLists")), "--journal", str(tmp_path))
    assert outcome.code == 1 and outcome.out == b"" and outcome.err


def test_a_second_daemon_is_refused(journal: Path) -> None:
    with Daemon("--journal", str(journal)) as daemon:
        for k in range(300):
            daemon.call("applySnapshot", list="l", items=[k, "x" * 5000])
            if k % 50 == 0:
                outcome = session(line(request("getLists")), "--journal", str(journal))
                assert outcome.code == 1 and outcome.out == b"" and "in use" in outcome.err
        before = state(daemon)
    assert restarted(journal) == before


# Promise: The size of the journal is bounded by its content.
def test_the_file_is_written_anew_when_it_has_grown(journal: Path, tmp_path: Path) -> None:
    with Daemon("--journal", str(journal)) as daemon:
        sizes = []
        for k in range(2000):
            items = [f"{k} {n} {'x' * 80}" for n in range(20)]
            daemon.call("applySnapshot", list=f"l{k % 3}", items=items)
            sizes.append(journal.stat().st_size)
        before = state(daemon)
    assert max(sizes) < (1 << 20) + 40_000
    assert 1 <= sum(now < last for last, now in zip(sizes, sizes[1:])) <= 5, "only if it is large"
    assert restarted(journal) == before
    assert os.listdir(tmp_path) == [journal.name]


# Promise: A journal is written anew a piece with each request, and a kill at any moment leaves a complete one. Also
#   `test_killed_at_every_change_of_a_file`, `JournalRewriteTests`.
def test_a_new_file_is_written_in_pieces(journal: Path, tmp_path: Path) -> None:
    new, items = Path(f"{journal}.new"), [{"id": k, "text": "x" * 100} for k in range(40_000)]
    with Daemon("--journal", str(journal)) as daemon:
        daemon.call("getLists")
        old = os.stat(journal).st_ino
        daemon.call("applySnapshot", list="l", items=items, format="none")
        sizes = []
        while new.exists():
            sizes.append(new.stat().st_size)
            edit = {"edit": "updateItems", "items": [{"id": len(sizes), "text": "y"}]}
            daemon.call("editSnapshot", list="l", edits=[edit], format="none")
        assert len(sizes) > 10 and max(b - a for a, b in zip([0, *sizes], sizes)) < 600_000, sizes
        assert os.stat(journal).st_ino != old
        daemon.call("editSnapshot", list="l", edits=[{"edit": "deleteItems", "items": [1, 9]}], format="none")
        before = state(daemon)
        daemon.process.kill()
    assert restarted(journal) == before
    assert os.listdir(tmp_path) == [journal.name]


def test_a_new_file_that_is_not_complete_is_removed_at_the_end(journal: Path, tmp_path: Path) -> None:
    items = [{"id": k, "text": "x" * 100} for k in range(40_000)]
    with Daemon("--journal", str(journal)) as daemon:
        daemon.call("applySnapshot", list="l", items=items, format="none")
        assert len(os.listdir(tmp_path)) == 2
        assert daemon.end() == 0
    assert os.listdir(tmp_path) == [journal.name]
    with Daemon("--journal", str(journal)) as daemon:
        assert daemon.call("getSnapshot", list="l")["sections"][0]["items"] == items


def test_a_link_stays_a_link(journal: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(journal)
    with Daemon("--journal", str(link)) as daemon:
        for k in range(200):
            daemon.call("applySnapshot", list="l", items=[f"{k} {n} {'x' * 400}" for n in range(20)])
        before = state(daemon)
    assert journal.stat().st_size < 1 << 20
    assert link.is_symlink() and restarted(journal) == before


def test_an_equal_snapshot_writes_nothing_new(journal: Path) -> None:
    items = [{"id": n, "text": "x" * 100} for n in range(1000)]
    with Daemon("--journal", str(journal)) as daemon:
        daemon.call("applySnapshot", list="l", items=items)
        size = journal.stat().st_size
        items[500]["text"] = "y"
        daemon.call("applySnapshot", list="l", items=items)
        assert journal.stat().st_size - size < 300, "a small change is written small"


def load(rng: random.Random, sent: Dict[int, dict], k: int) -> bytes:
    """A request of a random kind on one of a few lists."""
    name = f"l{rng.randrange(4)}"
    if rng.random() < 0.1:
        sent[k] = request("removeList", {"list": name}, k)
    elif rng.random() < 0.2:
        sent[k] = request("select", {"list": name, "items": [{"path": [0, 0]}]}, k)
    else:
        items = rng.sample(range(60), rng.randrange(40)) + ["x" * rng.randrange(200)]
        sent[k] = request("applySnapshot", {"list": name, "items": items}, k)
    return line(sent[k])


# Promise: Acknowledged changes survive a kill at any moment. Also `test_killed_while_the_file_is_written_anew`,
#   `test_every_request_is_kept`.
@pytest.mark.parametrize("sync", [(), ("--journal-sync",)])
def test_killed_under_load(journal: Path, rng: random.Random, sync: tuple) -> None:
    """Changes that were acknowledged before a kill are there after it."""
    from values import loads

    shown: Dict[str, list] = {}
    highest: Dict[str, int] = {}
    for _ in range(rounds(15)):
        process = subprocess.Popen(
            [program(), "--journal", str(journal), *sync],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        os.set_blocking(process.stdin.fileno(), False)
        sent: Dict[int, dict] = {}
        data = b"".join(load(rng, sent, k) for k in range(rng.randrange(20, 400)))
        os.write(process.stdin.fileno(), data[:60_000])
        answers = [process.stdout.readline() for _ in range(rng.randrange(20))]
        process.send_signal(signal.SIGKILL)
        answers += process.stdout.read().split(b"\n")
        process.wait()
        process.stdin.close()
        process.stdout.close()
        last: Dict[str, tuple] = {}
        for answer in answers:
            try:
                reply = loads(answer.decode())
            except ValueError:
                continue
            call = sent[reply["id"]]
            if "result" not in reply:
                continue
            name = call["params"]["list"]
            if call["method"] == "applySnapshot":
                shown[name] = call["params"]["items"]
                highest[name] = max(highest.get(name, 0), reply["result"]["revision"])
            elif call["method"] == "removeList":
                shown.pop(name, None)
            last[name] = (reply["id"],)
        with Daemon("--journal", str(journal)) as daemon:
            now = {s["list"]: s for s in state(daemon)["snapshots"]}
            assert "damaged" not in daemon.errors
        for name in {*shown, *now}:
            # Requests after the last acknowledged one may have been served, too.
            later = [sent[k] for k in sent if k > last.get(name, (-1,))[0]]
            later = [call for call in later if call["params"]["list"] == name]
            possible = [shown.get(name)] + [
                call["params"].get("items") for call in later if call["method"] != "select"
            ]
            items = now[name]["sections"][0]["items"] if name in now else None
            assert items in possible, f"{name} lost what was acknowledged"
            if name in now:
                assert now[name]["revision"] >= highest.get(name, 0)
                highest[name] = now[name]["revision"]
            shown[name] = items
        shown = {name: items for name, items in shown.items() if items is not None}


def test_killed_while_the_file_is_written_anew(journal: Path, rng: random.Random) -> None:
    for round in range(rounds(10)):
        with Daemon("--journal", str(journal)) as daemon:
            kept = -1
            for k in range(rng.randrange(20, 60)):
                items = [f"{round} {k} {n} {'x' * 400}" for n in range(100)]
                daemon.send(request("applySnapshot", {"list": "l", "items": items}, k))
                if k % 5 == 4:
                    kept = daemon.reply()["id"]
            daemon.process.kill()
        response = restarted(journal)["snapshots"][0]["sections"][0]["items"]
        again, k = map(int, response[0].split()[:2])
        assert again == round and k >= kept
        assert response == [f"{round} {k} {n} {'x' * 400}" for n in range(100)]
