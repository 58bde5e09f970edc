"""Lists that are removed when the connection of their client ends."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any, Callable, List

import pytest

from client import PATIENCE, Daemon
from shared_daemon import Listening, Socket, settle

pytestmark = pytest.mark.needs("--listen", "compose.view")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s"


def names(client: Daemon) -> List[str]:
    return [one["list"] for one in client.call("getLists")["lists"]]


def until(is_so: Callable[[], Any]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.002)


def view(client: Daemon, name: str, **more: Any) -> None:
    client.call("compose", list=name, sources=["a/b"], view={"where": {"member": "id", "exists": True}}, **more)


def test_a_temporary_list_ends_with_its_connection(path: Path) -> None:
    with Listening(path) as shared:
        one, two, three = shared.client(), shared.client(), shared.client()
        one.call("applySnapshot", list="a/b", items=["x", "y"])
        for name in ("v1", "v2", "v3", "v4"):
            view(two, name, temporary=True)
        view(two, "kept")
        view(two, "v3", temporary=False)
        # The client that has asked for it last has it.
        view(three, "v4", temporary=True)
        view(two, "v4")
        two.call("removeList", list="v2")
        two.call("applySnapshot", list="v2", items=["ordinary"])
        one.call("compose", list="of", sources=["v1", "v4"])
        one.call("subscribe", list="v1", format="ops")
        one.call("subscribe", list="of", format="ops")
        settle([one])
        two.close()
        until(lambda: "v1" not in names(one))
        heard = one.settle()
        assert [(note["method"], note["params"]["list"]) for note in heard] == [("didRemove", "v1"), ("didChange", "of")]
        assert "request" not in heard[1]["params"]
        assert [op["op"] for op in heard[1]["params"]["ops"]] == ["deleteSections"]
        assert names(one) == ["a/b", "v3", "v4", "kept", "v2", "of"]
        three.notify("exit")
        until(lambda: "v4" not in names(one))
        assert one.call("getSnapshot", list="of")["sections"] == []


def test_a_failed_request_does_not_make_a_list_temporary(path: Path) -> None:
    with Listening(path) as shared:
        one, two = shared.client(), shared.client()
        one.call("applySnapshot", list="a/b", items=["x"])
        view(two, "v")
        two.refused(-31005, "compose", list="v", view={"window": {"start": {"item": "none"}, "count": 1}}, temporary=True)
        two.refused(-31003, "compose", list="v", view={}, temporary=True, baseRevision=9)
        two.refused(-32602, "compose", list="v", view={}, temporary=1)
        two.refused(-32602, "compose", list="w", sources=["a/b"], temporary=True)
        view(two, "last", temporary=True)
        two.close()
        until(lambda: "last" not in names(one))
        assert names(one) == ["a/b", "v"]


def test_a_view_of_a_list_with_a_slash(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="a/b", items=["x", {"id": 2}])
    daemon.call("applySnapshot", list="c", items=["x"])
    daemon.call("compose", list="v", sources=["a/b"], view={})
    assert [section["id"] for section in daemon.call("getSnapshot", list="v")["sections"]] == ["a/b/main"]
    daemon.call("compose", list="w", sources=["v", "c"])
    assert [section["id"] for section in daemon.call("getSnapshot", list="w")["sections"]] == ["v/a/b/main", "c/main"]
    daemon.refused(-32602, "compose", list="v", sources=["a/b", "c"], view={})
    daemon.refused(-32602, "compose", list="v", sources=["a/b"])
    daemon.call("compose", list="v", view=None)
    daemon.call("editSnapshot", list="a/b", edits=[{"edit": "appendItems", "items": ["z"]}])
    assert daemon.call("getSnapshot", list="v")["sections"][0]["items"] == ["x", {"id": 2}, "z"]


def test_no_journal_has_a_temporary_list(path: Path, tmp_path: Path) -> None:
    journal = str(tmp_path / "journal")
    with Listening(path, "--journal", journal) as shared:
        one = shared.client()
        one.call("applySnapshot", list="a/b", items=["x"])
        view(one, "v", temporary=True)
        view(one, "w")
        view(one, "x", temporary=True)
        view(one, "x", temporary=False)
        one.call("compose", list="of", sources=["v", "w"])
        one.call("editSnapshot", list="a/b", edits=[{"edit": "appendItems", "items": ["y"]}])
    os.remove(path)
    with Listening(path, "--journal", journal) as shared:
        again = shared.client()
        assert sorted(names(again)) == ["a/b", "of", "w", "x"]
        sections = again.call("getSnapshot", list="of")["sections"]
        assert [section["items"] for section in sections] == [["x", "y"]]


def test_standard_input(path: Path) -> None:
    with Daemon("--listen", str(path)) as first:
        first.call("applySnapshot", list="a/b", items=["x"])
        view(first, "v", temporary=True)
        second = Socket(path)
        first.notify("exit")
        until(lambda: names(second) == ["a/b"])
        second.close()
