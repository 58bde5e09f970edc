"""Members that are missing or `null`, and requests that are named like notifications."""

from __future__ import annotations

from typing import Any, Dict, List

import pytest

from client import Daemon

MAIN = {"id": "main", "items": ["a", "b"]}


def view(**where: Any) -> Dict[str, Any]:
    return {"list": "v", "sources": ["l"], "view": {"where": where}}


def edit(name: str, **members: Any) -> Dict[str, Any]:
    return {"list": "l", "edits": [{"edit": name, **members}]}


MISSING: List[Any] = [
    ("compose", {"list": "v", "sources": ["l"], "view": {"where": {"is": 1}}}, "where/member"),
    ("compose", view(exists=True), "where/member"),
    ("compose", view(member="a"), "where"),
    ("compose", view(), "where"),
    ("compose", view(all=[{"not": {}}]), "where/all/0/not"),
    ("select", {"list": "l", "action": "replace"}, "items"),
    ("editSnapshot", edit("insertItems", items=["c"]), "edits/0"),
    ("editSnapshot", edit("moveItems", items=["a"]), "edits/0"),
    ("editSnapshot", edit("insertSections", sections=[]), "edits/0"),
    ("editSnapshot", {"list": "l", "edits": [{"edit": None}]}, "edits/0/edit"),
    ("applySnapshot", {"list": "l"}, ""),
    ("applySnapshot", {"list": "l", "snapshot": {"revision": 1}}, "snapshot"),
    ("applySnapshot", {"list": "l", "sections": [{"id": None, "items": []}]}, "sections/0/id"),
    ("applySnapshot", {"list": "l", "sections": [{"id": 1, "items": None}]}, "sections/0/items"),
    ("diff", {"from": {"items": []}, "to": {}}, "to"),
    ("locate", {"list": "l", "items": [{"textRevision": 0}]}, "items/0/line"),
]


@pytest.mark.needs("compose", "editSnapshot", "locate")
@pytest.mark.parametrize("method, params, pointer", MISSING)
def test_missing_members_are_called_so(
    daemon: Daemon, method: str, params: Any, pointer: str
) -> None:
    daemon.call("applySnapshot", list="l", sections=[MAIN])
    answer = daemon.refused(-32602, method, params)
    wanted = "/params" + "".join(
        "/" + name for name in (["view"] if method == "compose" else []) + [pointer] if name
    )
    assert answer.data["pointer"] == wanted
    assert answer.message.startswith(f"{wanted}: missing, expected ")


@pytest.mark.needs("compose")
@pytest.mark.parametrize(
    "where, second",
    [
        ({"any": [], "all": []}, "all"),
        ({"all": [], "any": []}, "any"),
        ({"not": {"all": []}, "all": []}, "all"),
        ({"member": "n", "is": 1, "not": {"all": []}}, "not"),
        ({"is": 1, "member": "n", "all": []}, "all"),
        ({"member": "n", "exists": True, "is": 1}, "is"),
    ],
)
def test_the_second_kind_of_a_condition_is_refused(
    daemon: Daemon, where: Any, second: str
) -> None:
    daemon.call("applySnapshot", list="l", sections=[MAIN])
    answer = daemon.refused(-32602, "compose", view(**where))
    assert answer.data["pointer"] == f"/params/view/where/{second}"


@pytest.mark.needs("editSnapshot")
def test_items_of_a_section_that_are_null_are_absent(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="l", sections=[MAIN])
    for id, name in [(1, "appendSections"), (2, "insertSections")]:
        more = {"after": "main"} if name == "insertSections" else {}
        daemon.call("editSnapshot", edit(name, sections=[{"id": id, "items": None}], **more))
    daemon.call("editSnapshot", edit("updateSections", sections=[{"id": 1, "items": None, "x": 2}]))
    sections = daemon.call("getSnapshot", list="l")["sections"]
    assert [section["id"] for section in sections] == ["main", 2, 1]
    assert sections[2] == {"id": 1, "x": 2, "items": []}


@pytest.mark.needs("locate", "getText")
@pytest.mark.parametrize(
    "reference",
    [
        {"id": "b", "line": None},
        {"path": [0, 1], "line": None, "textRevision": None},
        {"line": 1, "textRevision": 1, "id": None, "path": None},
    ],
)
def test_members_of_references_that_are_null_are_absent(daemon: Daemon, reference: Any) -> None:
    daemon.call("applySnapshot", list="l", sections=[MAIN])
    assert daemon.call("getText", list="l")["textRevision"] == 1
    (found,) = daemon.call("locate", list="l", items=[reference])["items"]
    assert found["at"] == [0, 1]
    for more in ({"id": "b"}, {"path": [0, 1]}):
        params = {"list": "l", "items": [{"line": 1, "textRevision": 1, **more}]}
        answer = daemon.refused(-32602, "locate", params)
        assert answer.data["pointer"] == f"/params/items/0/{next(iter(more))}"


@pytest.mark.parametrize("method", ["$/cancelRequest", "$/setTrace", "$/other"])
def test_requests_with_names_of_notifications_are_unknown(daemon: Daemon, method: str) -> None:
    daemon.refused(-32601, method, {"id": 1})


@pytest.mark.needs("getText", "subscribe")
def test_the_text_of_no_list_has_the_number_0(daemon: Daemon) -> None:
    for more in ({}, {"spans": True}, {"spans": True, "sinceText": 0}):
        answer = daemon.call("subscribe", list="none", format="textEdits", **more)
        assert answer["textRevision"] == 0
    assert daemon.call("getText", list="none")["textRevision"] == 0


@pytest.mark.needs("editSnapshot")
def test_long_edits_report_their_progress(daemon: Daemon) -> None:
    items = [{"id": number, "n": 1} for number in range(60_000)]
    daemon.call("applySnapshot", list="l", items=items, format="none")
    changed = [{**item, "n": 2} for item in items]
    put = {"edit": "putItems", "items": changed}
    from_edits = {"from": {"list": "l", "edits": [put]}, "to": {"list": "l"}}
    for method, params in [
        ("diff", from_edits),
        ("applySnapshot", {"list": "l", "snapshot": {"list": "l", "revision": 1, "edits": [put]}}),
        ("applySnapshot", {"list": "l", "snapshot": {"list": "l", "revision": 1}}),
        ("editSnapshot", {"list": "l", "edits": [put]}),
        ("editSnapshot", {"list": "l", "edits": [{"edit": "deleteAllItems"}]}),
    ]:
        daemon.call(method, {**params, "format": "none", "workDoneToken": "t"})
        kinds = [
            note["params"]["value"]["kind"]
            for note in daemon.settle()
            if note["method"] == "$/progress"
        ]
        assert kinds[0] == "begin" and kinds[-1] == "end" and kinds.count("begin") == 1
