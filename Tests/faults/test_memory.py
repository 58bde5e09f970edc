"""Memory stays constant whatever is inserted and deleted, also with many lists."""

# Promise: Memory stays constant, also over 10,000 snapshots of new rows; tiny revisions stay within their budget;
#   10,000 lists are possible.

from __future__ import annotations

import os
import resource
import signal
import subprocess
from pathlib import Path
from typing import Any, Dict, List

import pytest

from client import PATIENCE, Daemon, frame, line, program, request, session
from rounds import rounds


def memory(daemon: Daemon) -> int:
    """Resident memory, in bytes."""
    pages = int(Path(f"/proc/{daemon.process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def churn(daemon: Daemon, numbers: range) -> None:
    """Snapshots of items that were never sent before: with ids, without ids, with parts."""
    for k in numbers:
        calls = []
        for n in range(10):
            own = f"{k}-{n}-" + "x" * 40
            items = [
                *({"id": f"{own}{m}", "text": own, "template": f"T{k % 7}"} for m in range(10)),
                *({"value": f"{own}{m}"} for m in range(5)),
                {"id": f"p{own}", "parts": [f"a{own}", {"id": f"b{own}"}, {"template": f"T{own}"}]},
            ]
            section = {"id": f"s{own}", "items": items, "headerTemplate": f"H{own}", "header": "h"}
            calls.append(("applySnapshot", {"list": f"l{n % 3}", "sections": [section]}))
        daemon.pipeline(calls)


def test_flat_over_ten_thousand_snapshots_of_new_items() -> None:
    with Daemon("--history-bytes", "1M") as daemon:
        daemon.call("compose", list="all", sources=["l0", "l1", "l2"])
        churn(daemon, range(200))
        before = memory(daemon)
        churn(daemon, range(200, 200 + rounds(800)))
        after = memory(daemon)
        assert after < before * 1.25 + (4 << 20), f"{before} bytes became {after}"
        answer = daemon.call("getSnapshot", list="all")
        assert len(answer["sections"]) == 3


@pytest.mark.parametrize("count, journaled", [(10_000, False), (1_000, True)])
def test_flat_over_a_day_of_new_rows(tmp_path: Path, count: int, journaled: bool) -> None:
    """Ten thousand snapshots of a thousand rows, all of them new."""
    args = ("--journal", str(tmp_path / "journal")) if journaled else ()
    rows = ",".join('{"id":"@ %d","text":"row %d of @","n":@}' % (n, n) for n in range(1000))
    template = (
        '{"jsonrpc":"2.0","id":@,"method":"applySnapshot","params":'
        '{"list":"l","format":"%s","items":[' + rows + "]}}\n"
    )
    early, sizes = 0, []
    with Daemon("--history-bytes", "4M", *args) as daemon:
        for k in range(count):
            format = "stages" if k % 50 == 0 else "none"
            daemon.raw((template % format).replace("@", str(k)).encode())
            assert daemon.reply()["result"]["revision"] == k + 1
            if k == count // 5:
                early = memory(daemon)
            if k > count // 5 and k % 100 == 0:
                sizes.append(memory(daemon))
        assert daemon.call("getSnapshot", list="l")["sections"][0]["items"][-1]["n"] == count - 1
    assert max(sizes) < early * 1.15 + (4 << 20), f"{early} bytes became {max(sizes)}"


@pytest.mark.parametrize("count", [10, 2000])
def test_tiny_revisions_keep_to_the_budget(count: int) -> None:
    """The memory of a revision beside its texts is counted, too."""
    items = [{"id": k, "text": 0} for k in range(count)]
    with Daemon("--history-bytes", "8M") as daemon:
        daemon.call("applySnapshot", list="l", items=items)
        for start in range(0, 40_000, 500):
            calls: List[Any] = []
            for k in range(start, start + 500):
                items[3] = {"id": 3, "text": k}
                edits = [{"edit": "updateItems", "items": [items[3]]}]
                calls.append(
                    ("applySnapshot", {"list": "l", "items": list(items), "format": "none"})
                    if count == 10
                    else ("editSnapshot", {"list": "l", "edits": edits, "format": "none"})
                )
            daemon.pipeline(calls)
        assert memory(daemon) < 32 << 20, memory(daemon)
        revision = daemon.call("getLists")["lists"][0]["revision"]
        answer = daemon.call("getSnapshot", list="l", revision=revision - 100)
        assert answer["sections"][0]["items"][3] == {"id": 3, "text": 40_000 - 101}


def test_identifiers_that_are_given_back_are_not_mixed_up() -> None:
    """Old revisions, selections and parts are unchanged, however many identifiers were released."""
    with Daemon("--history-bytes", "256M") as daemon:
        items = [{"id": f"k{k}", "parts": [f"p{k}", {"id": k}]} for k in range(50)]
        daemon.call("applySnapshot", list="kept", items=items, selected=["k7", "k30"])
        first = daemon.call("getSnapshot", list="kept")
        daemon.call("applySnapshot", list="kept", items=items[::-1])
        churn(daemon, range(150))
        again = daemon.call("getSnapshot", list="kept", revision=first["revision"])
        assert again["sections"] == first["sections"] and again["selection"] == first["selection"]
        answer = daemon.call("applySnapshot", list="kept", items=items)
        counts = answer["counts"]["rows"]
        assert counts["inserts"] == counts["deletes"] == counts["updates"] == 0
        assert answer["selection"] == first["selection"]


def test_ten_thousand_lists(tmp_path: Path) -> None:
    with Daemon("--journal", str(tmp_path / "journal")) as daemon:
        for start in range(0, 10_000, 500):
            daemon.pipeline([
                ("applySnapshot", {"list": f"l{k}", "items": [k, "x"]})
                for k in range(start, start + 500)
            ])  # fmt: skip
        assert len(daemon.call("getLists")["lists"]) == 10_000
        used = memory(daemon)
        assert used < 100 << 20, used
    with Daemon("--journal", str(tmp_path / "journal")) as daemon:
        assert len(daemon.call("getLists")["lists"]) == 10_000
        answer = daemon.call("getSnapshot", list="l9999")
        assert answer["sections"][0]["items"] == [9999, "x"]


@pytest.mark.parametrize("item", [{}, {"parts": ["p"]}])
def test_replaced_texts_release_their_memory(item: Dict[str, Any]) -> None:
    with Daemon("--history-bytes", "1M") as daemon:
        daemon.call("applySnapshot", list="l", items=[{"id": k} for k in range(50)])
        sizes = []
        for round in range(3):
            for k in range(rounds(2000)):
                items = [{"id": 7, "text": f"{round} {k} " + "x" * 10_000, **item}]
                edits = [{"edit": "updateItems", "items": items}]
                daemon.call("editSnapshot", list="l", edits=edits, format="none")
            sizes.append(memory(daemon))
        assert sizes[-1] < sizes[0] + (8 << 20), sizes


@pytest.mark.parametrize("item", [{}, {"parts": ["p", {"id": "q", "text": "r"}]}])
def test_rows_do_not_keep_the_message_that_they_came_in(item: Dict[str, Any]) -> None:
    with Daemon("--history-bytes", "1M") as daemon:
        items: List[Any] = [{"id": k} for k in range(1000)]
        daemon.call("applySnapshot", list="l", items=items)
        for k in range(999):
            items[k] = {"id": k, "text": "a row", **item}
            items[-1] = {"id": 999, "text": f"{k} " + "x" * 100_000}
            edits = [{"edit": "updateItems", "items": [items[k], items[-1]]}]
            daemon.call("editSnapshot", list="l", edits=edits, format="none")
        assert memory(daemon) < 64 << 20, memory(daemon)
        assert daemon.call("getSnapshot", list="l")["sections"][0]["items"] == items
        rows = daemon.call("getSnapshot", list="l", window={"start": 0, "count": 2})["rows"]
        rest = {"id": 0, "text": "a row"}
        parts = [{"$part": part, "$item": rest} for part in item.get("parts", [])]
        assert [row["content"] for row in rows] == (parts or items[:2])


def test_large_identifiers_release_their_memory() -> None:
    with Daemon("--history-bytes", "1M") as daemon:
        for k in range(1000):
            items = [{"text": f"{k} " + "x" * 200_000}]
            daemon.call("applySnapshot", list="l", items=items, format="none")
        assert memory(daemon) < 150 << 20, memory(daemon)
        answer = daemon.call("getSnapshot", list="l")
        assert answer["sections"][0]["items"] == items


def test_going_back_and_forth_releases_memory() -> None:
    items = [{"id": k, "text": "x" * 100} for k in range(1000)]
    others = [{"id": k, "text": "y" * 100} for k in range(499)] + items[499:]
    with Daemon("--history-bytes", "1M") as daemon:
        revision = daemon.call("applySnapshot", list="l", items=items)["revision"]
        daemon.call("applySnapshot", list="l", items=others)
        sizes = []
        for _ in range(3):
            for _ in range(rounds(500)):
                answer = daemon.call(
                    "applySnapshot", list="l", snapshot={"list": "l", "revision": revision}
                )
                revision = answer["baseRevision"]
            sizes.append(memory(daemon))
        assert sizes[-1] < sizes[0] + (8 << 20), sizes


def test_a_large_list_that_is_shown_again_takes_little_beside_its_texts() -> None:
    """Two snapshots are in memory at once; memory that one frees is used by the next."""

    def row(number: int) -> Dict[str, Any]:
        return {
            "id": f"item-{number:07}",
            "text": f"Message number {number} of a conversation",
            "secondaryText": f"preview {number % 7919}",
        }

    rows = [row(number) for number in range(300_000)]
    with Daemon() as daemon:
        for k in range(6):
            daemon.call("applySnapshot", list="l", items=rows, format="none")
            for place in range(k, len(rows), 400):
                rows[place] = {**rows[place], "text": f"Message changed in round {k}"}
            rows[1000 * k : 1000 * k] = [row(300_000 + 100 * k + n) for n in range(100)]
            rows.append(rows.pop(2000 * k))
        status = Path(f"/proc/{daemon.process.pid}/status").read_text()
        peak = next(int(line.split()[1]) for line in status.splitlines() if "VmHWM" in line)
        assert peak < 134 << 10, peak


def test_removed_lists_release_their_memory() -> None:
    with Daemon() as daemon:
        sizes = []
        for round in range(6):
            for k in range(rounds(300)):
                items = [f"{round} {k} {n} " + "x" * 100 for n in range(50)]
                daemon.pipeline([
                    ("applySnapshot", {"list": "short", "items": items}),
                    ("removeList", {"list": "short"}),
                ])  # fmt: skip
            sizes.append(memory(daemon))
        assert sizes[-1] < sizes[1] * 1.25 + (4 << 20), sizes


@pytest.mark.parametrize("sent", [
    b"Content-Length: 250000000\r\n\r\n", frame(request("applySnapshot", {"list": "m", "items": ["x" * 99_000_000]})),
], ids=["header", "message"])  # fmt: skip
# Promise: If memory runs out, the journal holds what was acknowledged.
def test_out_of_memory_loses_nothing_that_was_acknowledged(journal: Path, sent: bytes) -> None:
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (120 << 20, 120 << 20))
    small = frame(request("applySnapshot", {"list": "l", "items": [1]}))
    process = subprocess.Popen(
        [program(), "--journal", str(journal)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=limit,
        env={**os.environ, "SWIFT_BACKTRACE": "enable=no"},
    )  # fmt: skip
    out, _ = process.communicate(small + sent, timeout=PATIENCE)
    assert -process.returncode in (signal.SIGABRT, signal.SIGILL, signal.SIGTRAP) and b'"revision":1' in out
    kept = session(line(request("getLists")), "--journal", str(journal))
    assert kept.code == 0 and kept.err == "" and kept.lines[0]["result"]["lists"][0]["list"] == "l"
