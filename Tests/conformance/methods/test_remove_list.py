"""removeList: the state that is deleted with a list."""

from __future__ import annotations

from client import Daemon
from three_sections import SECTIONS, apply


def test_a_list_can_be_removed(daemon: Daemon) -> None:
    revision = apply(daemon)
    daemon.call("select", list="l", items=["a"], cursor="a")
    assert daemon.call("removeList", list="l") is None
    assert daemon.call("getLists") == {"lists": []}
    for method in ("getSnapshot", "getSelection", "select", "removeList"):
        refusal = daemon.refused(-31001, method, list="l")
        assert refusal.data["reason"] == "listNotFound"
    answer = daemon.call("applySnapshot", list="l", sections=SECTIONS)
    assert answer["revision"] > revision and answer["baseRevision"] == 0
    assert answer["selection"] == [] and answer["cursor"] is None
    daemon.refused(-31002, "getSnapshot", list="l", revision=revision)
