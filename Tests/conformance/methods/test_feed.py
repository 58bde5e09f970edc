"""feed: lists that the daemon fills with what commands print."""

# Promise: A list that the daemon fills has the rows of its command or file, in every format, and only these;
#   clients cannot change it. Also `test_feed_files.py`.

from __future__ import annotations

import base64
import os
import signal
from pathlib import Path
from typing import Any, List

import pytest

from client import Daemon, Json
from feeds import becomes, exists, feed, group_of, items, number_in, run, shell, state, until
from shared_daemon import Listening

pytestmark = pytest.mark.needs("feed")


def test_the_rows_of_a_command(daemon: Daemon) -> None:
    """The list begins empty, and has its rows and the exit code at the end."""
    daemon.call("applySnapshot", list="l", items=["old"])
    answer = feed(daemon, shell("printf 'a\\nb\\r\\na\\nhalf'"))
    assert answer["list"] == "l" and answer["revision"] >= 2
    assert answer["state"] == {"running": True, "items": 0}
    until(lambda: not state(daemon)["running"])
    assert items(daemon) == ["a", "b", "a", "half"]
    assert state(daemon) == {"running": False, "items": 4, "exitCode": 0}


def test_the_list_of_lists_has_the_feed(daemon: Daemon) -> None:
    source = shell("exit 3", cwd="/", env={"A": "b", "B": None})
    assert run(daemon, source) == []
    daemon.call("applySnapshot", list="m", items=[])
    fed, other = daemon.call("getLists")["lists"]
    assert fed["feed"] == source and fed["state"]["exitCode"] == 3
    assert "feed" not in other and "state" not in other
    answer = feed(daemon, None)
    assert answer == {"list": "l", "revision": fed["revision"], "state": None}
    assert "feed" not in daemon.call("getLists")["lists"][0]


@pytest.mark.parametrize(
    "source, key, rows",
    [
        (shell("printf '1 a\\n2 b\\n2 c\\nx'"), 1, [
            {"id": "1", "text": "1 a"}, {"id": "2", "text": "2 b"}, {"id": "x", "text": "x"},
        ]),
        (shell("printf 'PID CMD\\n1 init\\n'"), "PID", [
            {"id": "PID", "text": "PID CMD"}, {"id": "1", "text": "1 init"},
        ]),
        (shell("printf '{\"id\":1}\\n\\n{\"id\":1}\\n{\"id\":1.5}\\n7\\nnull\\n{\\n\"x\"\\n\"x\"'", format="ndjson"),
         None, [{"id": 1}, 7, "x", "x"]),
        (shell("printf '{\"k\":\"a\"}\\n{}\\n{\"k\":\"b\",\"id\":\"c\"}'", format="ndjson"), "k",
         [{"id": "a", "k": "a"}]),
        (shell("printf 'k,v\\na,\"1\n2\"\\na,3\\nb\\nc,4\\n'", format="csv"), "k", [
            {"id": "a", "text": 'a,"1\n2"', "k": "a", "v": "1\n2"},
            {"id": "c", "text": "c,4", "k": "c", "v": "4"},
        ]),
        (shell("printf 'k\\tv\\na\\t1\\n'", format="tsv"), None, [{"text": "a\t1", "k": "a", "v": "1"}]),
        (shell("printf 'a,1\\nb,2\\n'", format="csv"), [1], [
            {"id": "a", "text": "a,1"}, {"id": "b", "text": "b,2"},
        ]),
        (shell("echo '[{\"id\":1},{\"id\":1},\"x\",null]'", format="json"), None, [{"id": 1}, "x"]),
        (shell("echo '{\"a\":{\"n\":1}}'", format="json"), None, [{"id": "a", "n": 1}]),
    ],
)  # fmt: skip
def test_formats(daemon: Daemon, source: Json, key: Any, rows: List[Any]) -> None:
    """Rows are those of `listd set`; what is not a row, or has a key that came before, is left out."""
    assert run(daemon, source, **({} if key is None else {"key": key})) == rows


def test_what_was_left_out_is_counted(daemon: Daemon) -> None:
    run(daemon, shell("printf 'x\\n{}\\ny\\nz'", format="ndjson"))
    assert items(daemon) == [{}]
    assert "3 rows" in state(daemon)["error"] and "line 1" in state(daemon)["error"]


def test_rows_that_only_the_lists_refuse_are_left_out(daemon: Daemon) -> None:
    rows = '{"id":1,"parts":7}\n{"id":2}\n{"id":3,"$item":1}'
    assert run(daemon, {"command": ["printf", "%s", rows], "format": "ndjson"}) == [{"id": 2}]
    assert "2 rows" in state(daemon)["error"]


def test_bytes_that_are_not_utf_8(daemon: Daemon) -> None:
    assert run(daemon, shell("printf 'a\\377b\\nc\\n'")) == [
        {"text": "a\\xffb", "bytes": base64.b64encode(b"a\xffb").decode()}, "c",
    ]  # fmt: skip
    assert run(daemon, shell("printf 'k\\376 v\\n'"), key=1) == [
        {"id": "k\\xfe", "text": "k\\xfe v", "bytes": base64.b64encode(b"k\xfe v").decode()}
    ]


def test_a_line_that_is_too_long_is_left_out(daemon: Daemon) -> None:
    assert run(daemon, shell("echo a; head -c 300000000 /dev/zero | tr '\\0' x; echo; echo b")) == ["a", "b"]
    assert "line 2" in state(daemon)["error"]


def test_rows_arrive_while_the_command_runs(daemon: Daemon) -> None:
    daemon.call("subscribe", list="l")
    feed(daemon, shell("echo a; sleep 0.2; echo b; sleep 60"))
    becomes(daemon, ["a", "b"])
    assert state(daemon) == {"running": True, "items": 2}
    changes = [one for one in daemon.notifications if one["method"] == "didChange"]
    assert [one["params"]["counts"]["rows"]["inserts"] for one in changes[-2:]] == [1, 1]


def test_a_command_that_runs_again_and_again(daemon: Daemon, tmp_path: Path) -> None:
    """Each run is a snapshot. A run that fails keeps the rows."""
    path = tmp_path / "rows"
    path.write_text("a 1\nb 2\n")
    daemon.call("subscribe", list="l", format="ops")
    feed(daemon, {"command": ["cat", "rows"], "cwd": str(tmp_path), "every": 100}, key=1)
    becomes(daemon, [{"id": "a", "text": "a 1"}, {"id": "b", "text": "b 2"}])
    path.rename(tmp_path / "away")
    until(lambda: state(daemon).get("exitCode") == 1)
    assert len(items(daemon)) == 2 and state(daemon)["running"]
    (tmp_path / "new").write_text("b 2\na 1\nc 3\n")
    (tmp_path / "new").rename(path)
    until(lambda: len(items(daemon)) == 3)
    until(lambda: state(daemon).get("exitCode") == 0)
    last = [one for one in daemon.notifications if one["method"] == "didChange"][-1]["params"]
    assert last["counts"]["rows"] == {"deletes": 0, "inserts": 1, "moves": 1, "updates": 0}
    assert "error" not in state(daemon)


def test_subscribers_are_sent_the_state(daemon: Daemon) -> None:
    daemon.call("subscribe", list="l", format="none")
    run(daemon, shell("kill -9 $$"))
    [sent] = [one["params"] for one in daemon.notifications if one["method"] == "didFeed"]
    assert sent["list"] == "l" and sent["state"] == state(daemon)
    assert sent["state"]["signal"] == "SIGKILL" and not sent["state"]["running"]


def test_errors_are_logged(daemon: Daemon) -> None:
    daemon.call("initialize")
    run(daemon, shell("echo oh no >&2"))
    [sent] = [one["params"] for one in daemon.notifications if one["method"] == "window/logMessage"]
    assert sent == {"type": 2, "message": "l: oh no"}


def test_what_cannot_begin_fails_and_changes_nothing(daemon: Daemon, tmp_path: Path) -> None:
    run(daemon, shell("echo a"))
    before = daemon.call("getLists")
    for source in (
        {"command": ["/no/such/program"]}, {"command": [str(tmp_path)]}, {"command": [""]},
        {"command": ["true"], "cwd": "/no/such/folder"}, {"command": ["true"], "env": {"": "x"}},
        {"command": ["a\0b"]}, {"file": str(tmp_path / "none")}, {"file": str(tmp_path)}, {"file": "/dev/zero"},
    ):  # fmt: skip
        refusal = daemon.refused(-31014, "feed", list="l", **{"from": source})
        assert refusal.data["reason"] == "feedFailed" and refusal.data["why"] in refusal.message
    assert daemon.call("getLists") == before and items(daemon) == ["a"]


@pytest.mark.parametrize(
    "source, pointer",
    [
        ({}, "/params/from"),
        ({"command": ["a"], "file": "b"}, "/params/from/file"),
        ({"command": []}, "/params/from/command"),
        ({"command": "ls"}, "/params/from/command"),
        ({"command": ["ls", 1]}, "/params/from/command/1"),
        ({"command": ["ls"], "every": 99}, "/params/from/every"),
        ({"command": ["ls"], "follow": True}, "/params/from/follow"),
        ({"command": ["ls"], "env": {"a": 1}}, "/params/from/env/a"),
        ({"file": "a", "cwd": "/"}, "/params/from/cwd"),
        ({"file": "a", "format": "xml"}, "/params/from/format"),
    ],
)
def test_malformed_sources(daemon: Daemon, source: Json, pointer: str) -> None:
    refusal = daemon.refused(-32602, "feed", list="l", **{"from": source})
    assert refusal.data["pointer"] == pointer
    assert daemon.call("getLists") == {"lists": []}


def test_null_is_not_absence(daemon: Daemon) -> None:
    assert daemon.refused(-32602, "feed", list="l").data["pointer"] == "/params/from"
    daemon.refused(-31001, "feed", list="l", **{"from": None})


def test_only_its_feed_changes_a_list(daemon: Daemon) -> None:
    run(daemon, shell("echo a"))
    for method, params in (
        ("applySnapshot", {"items": []}),
        ("editSnapshot", {"edits": [{"edit": "appendItems", "items": ["b"]}]}),
    ):
        refusal = daemon.refused(-31007, method, list="l", **params)
        assert refusal.data == {"reason": "fedList", "list": "l", "sources": []}
    daemon.refused(-32601, "didFeed", list="l", state={"running": True})
    daemon.call("select", list="l", items=["a"], cursor="a")
    daemon.call("compose", list="view", sources=["l"], view={"match": {"query": "a"}})
    assert items(daemon, "view") == ["a"]
    assert daemon.refused(-31007, "feed", list="view", **{"from": shell("echo")}).data["sources"] == ["l"]
    feed(daemon, None)
    daemon.call("applySnapshot", list="l", items=["b"])


def test_a_second_feed_replaces_the_first(daemon: Daemon, tmp_path: Path) -> None:
    feed(daemon, shell("echo $$ > pid; echo old; exec sleep 60", cwd=str(tmp_path)))
    process = number_in(tmp_path / "pid")
    becomes(daemon, ["old"])
    assert run(daemon, shell("echo new")) == ["new"]
    until(lambda: not exists(process), "the end of the first")


# Promise: No process of a feed outlives it or the daemon, however these end. Also
#   `test_what_a_command_leaves_is_ended`.
@pytest.mark.parametrize("ending", ["null", "removeList", "end of input", "SIGTERM", "SIGKILL"])
def test_no_process_is_left(tmp_path: Path, ending: str) -> None:
    """A command that ignores SIGTERM, and those that it has started, are killed with the feed: in its group, in
    another session, and without a parent there."""
    script = (
        "trap '' TERM; (trap '' TERM; echo $(sh -c 'echo $PPID') > child; sleep 60) & "
        "setsid sh -c 'echo $$ > session; sleep 60; sleep 60' & "
        "(setsid sh -c '(echo $(sh -c \"echo \\$PPID\") > orphan; sleep 60; sleep 60) &' &); "
        "echo $$ > pid; wait; sleep 60"
    )
    with Daemon() as daemon:
        feed(daemon, shell(script, cwd=str(tmp_path)))
        processes = [number_in(tmp_path / name) for name in ("pid", "child", "session", "orphan")]
        assert len(set(map(group_of, processes))) == 3
        assert group_of(processes[0]) == processes[0] != os.getpgid(daemon.process.pid)
        if ending == "null":
            feed(daemon, None)
        elif ending == "removeList":
            daemon.call("removeList", list="l")
        elif ending == "end of input":
            daemon.process.stdin.close()
        else:
            daemon.process.send_signal(getattr(signal, ending))
        until(lambda: not any(map(exists, processes)), "the end of the commands")


def test_a_command_is_asked_to_end_first(daemon: Daemon, tmp_path: Path) -> None:
    feed(daemon, shell("trap 'echo x > ended; exit' TERM; echo $$ > pid; while :; do sleep 0.01; done", cwd=str(tmp_path)))
    number_in(tmp_path / "pid")
    feed(daemon, None)
    until(lambda: (tmp_path / "ended").exists(), "SIGTERM")


@pytest.mark.parametrize("before", ["", "setsid "])
def test_what_a_command_leaves_is_ended(daemon: Daemon, tmp_path: Path, before: str) -> None:
    """A run ends with its command, even if another process still has its output."""
    run(daemon, shell(before + "sleep 60 & echo $! > pid; echo a", cwd=str(tmp_path)))
    assert items(daemon) == ["a"]
    until(lambda: not exists(number_in(tmp_path / "pid")), "the end of what is left")


def test_a_command_that_is_killed(daemon: Daemon, tmp_path: Path) -> None:
    feed(daemon, shell("echo a; echo $$ > pid; exec sleep 60", cwd=str(tmp_path)))
    os.kill(number_in(tmp_path / "pid"), signal.SIGKILL)
    until(lambda: not state(daemon)["running"])
    assert state(daemon)["signal"] == "SIGKILL" and items(daemon) == ["a"]


def test_feeds_can_be_forbidden() -> None:
    with Daemon("--no-feeds") as daemon:
        refusal = daemon.refused(-31013, "feed", list="l", **{"from": shell("echo a")})
        assert refusal.data["reason"] == "notAllowed"
        assert daemon.call("getLists") == {"lists": []}


def test_a_feed_outlives_its_client(shared: Listening, tmp_path: Path) -> None:
    """All clients see the rows, and the record is replayed without the command."""
    first, second = shared.client(), shared.client()
    second.call("subscribe", list="l")
    feed(first, shell("while ! [ -e go ]; do sleep 0.01; done; echo a; rm go", cwd=str(tmp_path)))
    first.close()
    (tmp_path / "go").touch()
    becomes(second, ["a"])
    until(lambda: not state(second)["running"])
    assert not (tmp_path / "go").exists()


def test_many_feeds_at_once(shared: Listening) -> None:
    client = shared.client()
    for k in range(20):
        feed(client, shell(f"seq {k} 200"), name=f"l{k}")
    for k in range(20):
        until(lambda k=k: not state(client, f"l{k}")["running"])
        assert items(client, f"l{k}") == [str(n) for n in range(k, 201)]


# Promise: A record with a feed is replayed without the command. Also `Tests/Sessions/a-feed.ndjson`.
def test_a_record_has_the_rows(tmp_path: Path) -> None:
    """A replay does not run the command."""
    from twin import replay

    from client import PATIENCE, program

    record = tmp_path / "record"
    with Daemon("--record", str(record)) as daemon:
        daemon.call("subscribe", list="l", format="ops")
        run(daemon, shell("echo a; echo x >> runs; echo b", cwd=str(tmp_path)))
        daemon.refused(-31014, "feed", list="l", **{"from": {"command": ["/none"]}})
        feed(daemon, None)
    assert replay(program(), str(record), PATIENCE) == ""
    assert (tmp_path / "runs").read_text() == "x\n"


def test_the_journal_keeps_the_list(tmp_path: Path) -> None:
    journal = str(tmp_path / "journal")
    with Daemon("--journal", journal) as daemon:
        run(daemon, shell("echo a; echo b"))
    with Daemon("--journal", journal) as daemon:
        [found] = daemon.call("getLists")["lists"]
        assert found["items"] == 2 and "feed" not in found
        daemon.call("applySnapshot", list="l", items=[])


def test_requests_are_answered_while_rows_arrive(daemon: Daemon) -> None:
    feed(daemon, {"command": ["seq", "10000000"]})
    until(lambda: state(daemon)["items"] > 1000)
    for k in range(10):
        daemon.call("applySnapshot", list="other", items=[k])
    assert state(daemon)["running"] and items(daemon, "other") == [9]
    feed(daemon, None)
