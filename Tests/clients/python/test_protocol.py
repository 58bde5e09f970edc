"""The whole protocol, through the client and its mirror."""

# Promise: A copy of a list that applies changes in any format equals the list. Also `test_sessions.py`,
#   `Tests/clients/python`.

from __future__ import annotations

import pathlib
import queue
import random
import re
from typing import Any, Callable, List

import listd
import pytest
from random_snapshots import edited, snapshot
from listd import Change, Mirror, NamedList, Path, Removed, Selected, Snapshot, edits, in_rows
from listd import paths_of
from listd.errors import REFUSALS
from values import same

STEPS = 60


def walk(rng: random.Random, kind: str, rows: int = 12) -> Any:
    """Yields snapshots, each of them an edited copy of the previous one."""
    state = snapshot(rng, rows, 4, kind)
    for _ in range(STEPS):
        yield state
        state = edited(rng, state, kind)


def check(mirror: Mirror, inbox: NamedList) -> None:
    """Asserts that the mirror equals the daemon's list."""
    there = inbox.snapshot()
    assert same(mirror.sections, in_rows(there.sections))
    assert mirror.document is None or same(mirror.document["sections"], there.sections)
    assert mirror.revision == there.revision
    assert (mirror.selection, mirror.cursor) == (there.selection, there.cursor)


@pytest.mark.parametrize("format", [
    "stages",
    pytest.param("ops", marks=pytest.mark.needs("ops")),
    pytest.param("jsonPatch", marks=pytest.mark.needs("jsonPatch")),
])  # fmt: skip
@pytest.mark.parametrize("kind", ["object", "mixed"])
def test_a_mirror_follows_snapshots(
    inbox: NamedList, rng: random.Random, format: Any, kind: str
) -> None:
    mirror = Mirror()
    for sections in walk(rng, kind):
        change = inbox.apply(sections=sections, format=format, content=True)
        mirror.take(change)
        assert same(mirror.sections, in_rows(sections))
        rows = [row for section in mirror.sections for row in section["items"]]
        if rows and kind == "object":
            mirror.take(inbox.select(rng.choice(rows)["id"], cursor=rng.choice(rows)["id"]))
        check(mirror, inbox)


@pytest.mark.parametrize("format", [
    "stages", pytest.param("ops", marks=pytest.mark.needs("ops")),
])  # fmt: skip
def test_parts(inbox: NamedList, rng: random.Random, format: Any) -> None:
    mirror = Mirror()
    for _ in range(STEPS):
        items = [
            {"id": id, "v": rng.randrange(2),
             "parts": rng.sample(["a", {"template": "T", "x": rng.randrange(2)}, 3], 2)}
            for id in rng.sample(range(8), 5)
        ]  # fmt: skip
        mirror.take(inbox.apply(items, format=format, content=True))
        check(mirror, inbox)


@pytest.mark.needs("textEdits", "getText", "registerTemplates")
def test_a_mirror_of_the_text(
    daemon: listd.Daemon, inbox: NamedList, rng: random.Random
) -> None:
    daemon.register_templates({"Cell": "{cursor:>| }{selected:*| }{id}\n  {v}"})
    inbox.apply([])
    mirror = Mirror()
    mirror.take(inbox.text())
    for sections in walk(rng, "object"):
        mirror.take(inbox.apply(sections=sections, format="textEdits"))
        rows = [row["id"] for section in sections for row in section["items"]]
        if rows:
            cursor = rng.choice(rows)
            mirror.take(inbox.select(rng.choice(rows), cursor=cursor, format="textEdits"))
        there = inbox.text()
        assert mirror.text == there.text
        assert mirror.text_revision == there.text_revision
        assert mirror.cursor_line == there.cursor_line


def test_changes_that_do_not_fit_are_rejected(inbox: NamedList) -> None:
    mirror = Mirror()
    inbox.apply(["a"], content=True)
    second = inbox.apply(["a", "b"], content=True)
    with pytest.raises(listd.OutOfStep):
        mirror.take(second)
    mirror.take(inbox.snapshot())
    changes: List[Callable[[], Change]] = [
        lambda: inbox.apply(["b", "c"]),
        lambda: inbox.apply(["d"], format="none"),
        lambda: inbox.apply(["e", "f", "g"], max_ops=1),
    ]
    for change in changes:
        with pytest.raises(listd.OutOfStep):
            mirror.take(change())
        mirror.take(inbox.snapshot())
        check(mirror, inbox)


def test_restoring_a_revision_and_copying(daemon: listd.Daemon, inbox: NamedList) -> None:
    first = inbox.apply(["a", "b"]).revision
    inbox.apply(["b", "c"])
    assert inbox.snapshot(first).sections[0]["items"] == ["a", "b"]
    inbox.apply(snapshot={"list": "inbox", "revision": first})
    assert inbox.snapshot().sections[0]["items"] == ["a", "b"]
    copy = daemon.list("copy")
    copy.apply(snapshot="inbox", base_revision=0)
    assert copy.snapshot().sections == inbox.snapshot().sections
    with pytest.raises(listd.StaleRevision) as stale:
        copy.apply([], base_revision=0)
    assert stale.value.data["current"] == copy.snapshot().revision
    assert {received.list for received in daemon.lists()} == {"inbox", "copy"}
    daemon.list("view").compose(["copy"], view={"where": {"member": "id", "is": "b"}})
    view = daemon.lists()[-1]
    assert (view.sources, view.definition, view.reading) == (["copy"], {"where": {"member": "id", "is": "b"}}, False)
    assert view.view is not None and view.view.matched == view.rows
    daemon.list("view").remove()
    copy.remove()
    with pytest.raises(listd.ListNotFound):
        copy.snapshot()


def test_a_difference(daemon: listd.Daemon, inbox: NamedList) -> None:
    received = daemon.diff(["a", "b"], ["b", "a", "c"], content=True)
    assert received.stages is not None and received.rows is not None
    after = listd.apply_stages([{"id": "main", "items": ["a", "b"]}], received.stages)
    assert after[0]["items"] == ["b", "a", "c"]
    assert (received.rows.inserts, received.rows.moves) == (1, 1)
    inbox.apply(["a"])
    assert daemon.diff("inbox", ["a"]).stages == []


def test_windows_and_selections(inbox: NamedList) -> None:
    inbox.apply(sections=[
        {"id": 1, "items": ["a", "b"], "selectionMode": "multiple"}, {"id": 2, "items": ["c"]},
    ], selected=["a"], cursor=Path(1, 0))  # fmt: skip
    window = inbox.window(1, 5)
    assert (window.total, window.start) == (3, 1)
    assert [(row.at, row.content) for row in window.rows] == [((0, 1), "b"), ((1, 0), "c")]
    assert window.cursor == Path(1, 0)
    inbox.select("b")
    assert inbox.selection().items == ["a", "b"]
    received = inbox.select(action="invert", section=1)
    assert received.selection == [] and inbox.selection().items == []
    inbox.select("b", "c", action="replace")
    gone = inbox.apply(["c"])
    assert [(one.at, one.gone) for one in gone.deselected] == [(Path(0, 1), True)]
    assert paths_of(gone.selection) == [Path(0, 0)]
    inbox.select(action="replace")
    assert inbox.selection().items == []
    with pytest.raises(listd.ItemNotFound):
        inbox.select("nobody")


@pytest.mark.needs("editSnapshot")
def test_every_edit(inbox: NamedList) -> None:
    mirror = Mirror()
    steps: List[List[edits.Edit]] = [
        [edits.append_sections({"id": "s"}), edits.append_items({"id": 1}, {"id": 2})],
        [edits.insert_items({"id": 0}, before=1), edits.insert_items({"id": 3}, after=Path(0, 2))],
        [edits.update_items({"id": 1, "v": 1}), edits.put_items({"id": 2, "v": 2}, {"id": 4})],
        [edits.insert_sections({"id": "t", "items": [{"id": 9}]}, before="s"),
         edits.insert_sections({"id": "u"}, after="s")],
        [edits.move_items(1, 2, section="u"), edits.move_items(9, after=3)],
        [edits.move_section("u", before="t"), edits.update_sections({"id": "t", "header": "T"})],
        [edits.reload_items(1), edits.reconfigure_items(2)],
        [edits.reload_sections("t"), edits.reconfigure_sections("u")],
        [edits.delete_items(1, {"id": 2}), edits.delete_sections("t")],
        [edits.delete_all_items()],
    ]  # fmt: skip
    inbox.apply(sections=[])
    mirror.take(inbox.snapshot())
    for step in steps:
        mirror.take(inbox.edit(*step, content=True))
        check(mirror, inbox)
    assert mirror.sections == []
    with pytest.raises(listd.SectionNotFound) as missing:
        inbox.edit(edits.delete_all_items(), edits.append_items("x", section="nope"))
    assert missing.value.data["missing"] == ["nope"] and missing.value.data["edit"] == 1


@pytest.mark.needs("compose")
def test_a_composition(daemon: listd.Daemon) -> None:
    one, two, both = (daemon.list(name) for name in ("one", "two", "both"))
    one.apply(["a"])
    mirror = Mirror()
    mirror.take(both.compose(["one", "two"], content=True))
    check(mirror, both)
    two.apply(["a", "b"])
    assert [s["id"] for s in both.snapshot().sections] == ["one/main", "two/main"]
    both.select({"id": "a", "source": "two"})
    assert both.snapshot().selection[0].at == Path(1, 0)
    with pytest.raises(listd.ReadOnlyList):
        both.apply([])
    with pytest.raises(listd.CompositionCycle):
        one_more = daemon.list("one more")
        one_more.compose(["both"])
        both.compose(["one more"])


@pytest.mark.needs("locate")
def test_locating_items_paths_and_sections(inbox: NamedList) -> None:
    inbox.apply(sections=[{"id": "s", "items": ["a", {"id": 1, "text": "t"}]}])
    received = inbox.locate(items=["a", 1, "b"], paths=[Path(0, 1), Path(4, 0)], sections=["s", "t"])
    assert [one and one["at"] for one in received["items"]] == [[0, 0], [0, 1], None]
    assert received["paths"][0]["content"] == {"id": 1, "text": "t"} and received["paths"][1] is None
    assert received["sections"] == [0, None]


@pytest.mark.needs("subscribe")
@pytest.mark.parametrize("format", [
    "stages",
    pytest.param("ops", marks=pytest.mark.needs("ops")),
    pytest.param("jsonPatch", marks=pytest.mark.needs("jsonPatch")),
])  # fmt: skip
def test_a_subscription_is_iterated_over(
    inbox: NamedList, rng: random.Random, format: Any
) -> None:
    mirror = Mirror()
    with inbox.subscribe(format) as news:
        for sections in walk(rng, "object"):
            before = mirror.revision
            revision = inbox.apply(sections=sections).revision
            while mirror.revision != revision or before == 0:
                before = 1
                mirror.take(news.next(timeout=10))
            assert same(mirror.sections, in_rows(sections))
        inbox.apply(["a", "b"])
        inbox.select("b", cursor="a")
        received = [news.next(timeout=10) for _ in range(2)]
        assert [type(one) for one in received] == [Change, Selected]
        for one in received:
            mirror.take(one)
        check(mirror, inbox)
        inbox.remove()
        gone = news.next(timeout=10)
        assert gone == Removed("inbox")
        mirror.take(gone)
        assert (mirror.revision, mirror.sections) == (0, [])
    assert list(news) == []


@pytest.mark.needs("subscribe")
def test_a_subscription_since_a_revision(inbox: NamedList) -> None:
    mirror = Mirror()
    mirror.take(inbox.apply(["a"], content=True))
    inbox.apply(["b", "a"])
    with inbox.subscribe(since=mirror.revision) as news:
        mirror.take(news.next(timeout=10))
        check(mirror, inbox)


@pytest.mark.needs("subscribe")
def test_callbacks(daemon: listd.Daemon, inbox: NamedList) -> None:
    received: "queue.Queue[Any]" = queue.Queue()

    def callback(news: listd.News) -> None:
        received.put((type(news), daemon.lists()))
        raise ValueError("a failing callback does not end the subscription")

    listening = inbox.listen(callback, ended=received.put)
    assert received.get(timeout=10)[0] is Snapshot
    inbox.apply(["a"])
    kind, lists = received.get(timeout=10)
    assert kind is Change and lists[0].rows == 1
    listening.close()
    assert received.get(timeout=10) is None
    inbox.apply(["b"])
    daemon.lists()
    assert received.empty()


@pytest.mark.needs("subscribe")
def test_the_format_of_the_last_subscription_counts(inbox: NamedList) -> None:
    first, second = inbox.subscribe(), inbox.subscribe(content=False)
    assert isinstance(first.next(timeout=10), Snapshot)
    inbox.apply(["a"])
    assert list(first) == []
    first.close()
    received = [second.next(timeout=10) for _ in range(2)]
    assert [type(one) for one in received] == [Snapshot, Change]
    inbox.apply(["b"])
    assert isinstance(second.next(timeout=10), Change)


@pytest.mark.needs("subscribe", "textEdits")
def test_a_subscription_to_the_text(daemon: listd.Daemon, inbox: NamedList) -> None:
    inbox.apply(["a", "b"])
    mirror = Mirror()
    with inbox.subscribe("textEdits") as news:
        mirror.take(news.next(timeout=10))
        mirror.take(inbox.text())
        steps: List[Callable[[], Any]] = [
            lambda: daemon.register_templates({"Cell": "{cursor:>| }{selected:*| }{text}"}),
            lambda: inbox.select("b", cursor="a"),
            lambda: inbox.apply(["b", "c", "a"]),
        ]
        for step in steps:
            step()
            mirror.take(news.next(timeout=10))
            assert mirror.text == inbox.text().text


def test_errors_of_the_daemon(daemon: listd.Daemon, inbox: NamedList) -> None:
    with pytest.raises(listd.DuplicateIdentifier) as twice:
        inbox.apply([{"id": 1}, {"id": 1}])
    assert twice.value.code == -31004
    assert len(twice.value.data["duplicates"][0]["pointers"]) == 2
    with pytest.raises(listd.InvalidParams) as unknown:
        daemon.call("applySnapshot", {"list": "l", "itmes": []})
    assert unknown.value.data["reason"] == "invalidParams"
    with pytest.raises(listd.Refused) as nothing:
        daemon.call("fold")
    assert nothing.value.code == -32601
    assert daemon.lists() == []


def test_each_error_of_the_manual_has_an_exception() -> None:
    manual = (pathlib.Path(__file__).resolve().parents[3] / "protocol.md").read_text()
    documented = {int(code): reason for code, reason in re.findall(r"(?m)^\| (-310\d\d) \| `(\w+)` \|", manual)}
    known = {code: one.__name__[0].lower() + one.__name__[1:] for code, one in REFUSALS.items() if code in documented}
    assert known == documented and len(known) > 10
    assert all(getattr(listd, one.__name__) is one for one in REFUSALS.values())


def test_odd_strings(inbox: NamedList) -> None:
    items: List[listd.Item] = ["é", "e\u0301", "🙂", "a\nb", "\u2028", "\udcff", 2**70, -1]
    mirror = Mirror()
    mirror.take(inbox.apply(items, content=True))
    assert mirror.sections[0]["items"] == items
    check(mirror, inbox)
    with pytest.raises(ValueError):
        inbox.apply([{"id": 1, "v": float("nan")}])
