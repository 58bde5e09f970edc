"""The names of members, wherever they are used: whole, as paths, and with `$`."""

# Promise: A member is found by its whole name, else by its path, wherever members are named; unknown names with `$`
#   are refused. Also `MemberTests`.

from __future__ import annotations

from typing import Any, Dict, List

import pytest

from client import Daemon
from outline_requests import ids, show
from values import dumps

pytestmark = pytest.mark.needs("compose", "locate")

# Items whose member named "a.b" is "one", and others.
ITEMS: List[Any] = [
    {"id": "whole", "a.b": "one", "a": {"b": "two"}},
    {"id": "path", "a": {"b": "one"}},
    {"id": "null", "a.b": None, "a": {"b": "one"}},
    {"id": "again", "a": {"c": "two", "b": "one"}},
    {"id": "deep", "a": {"a": {"b": "one"}, "b": "two"}},
    {"id": "nested", "a": {"a.b": "one"}},
    {"id": "string", "a": "one"},
]  # fmt: skip
ONES = "whole path again"


def view(daemon: Daemon, **view: Any) -> str:
    daemon.call("applySnapshot", list="l", items=ITEMS, format="none")
    daemon.call("compose", list="v", sources=["l"], view=view, format="none")
    return ids(daemon)


def test_a_name_is_looked_up_whole_and_then_as_a_path(daemon: Daemon) -> None:
    assert view(daemon, where={"member": "a.b", "is": "one"}) == ONES
    assert view(daemon, where={"member": "a.b", "exists": False}) == "null nested string"
    assert view(daemon, where={"member": "a.a.b", "exists": True}) == "deep"
    assert view(daemon, match={"query": "one", "members": ["a.b"]}) == ONES
    order = "null nested string whole path again deep"
    assert view(daemon, sort=[{"by": "a.b"}], sections="merge") == order
    assert view(daemon, distinct="a.b") == "whole null deep nested string"
    view(daemon, sections={"by": "a.b"})
    sections = daemon.call("getSnapshot", list="v")["sections"]
    assert [(one["id"], len(one["items"])) for one in sections] == [("one", 3), ("null", 3), ("two", 1)]


def test_the_parent_of_an_item_is_looked_up_the_same(daemon: Daemon) -> None:
    items = [
        {"id": 1}, {"id": 2, "in": {"up": 1}}, {"id": 3, "in.up": 2, "in": {"up": 1}},
        {"id": 4, "in": {"up": {"up": 1}}},
    ]  # fmt: skip
    daemon.call("applySnapshot", list="l", items=items, format="none")
    tree = {"parent": "in.up", "open": "all"}
    daemon.call("compose", list="v", sources=["l"], view={"tree": tree}, format="none")
    rows = daemon.call("getSnapshot", list="v")["sections"][0]["items"]
    assert [(row["id"], row["$level"]) for row in rows] == [(1, 0), (2, 1), (3, 2), (4, 0)]


def test_templates_and_matches_look_names_up_the_same(daemon: Daemon) -> None:
    daemon.call("registerTemplates", templates={"Cell": "{a.b}"})
    daemon.call("applySnapshot", list="l", items=ITEMS, format="none")
    lines = daemon.call("getText", list="l")["text"].splitlines()
    assert lines == ["one", "one", "", "one", "two", "", ""]
    match = {"query": "ne", "members": ["a.b"]}
    found = daemon.call("locate", list="l", items=["whole", "path", "null"], match=match)["items"]
    assert [one["match"] and one["match"]["ranges"] for one in found] == [
        {"a.b": [[1, 3]]}, {"a.b": [[1, 3]]}, None,
    ]  # fmt: skip
    # The members of a part come first, also those on a path.
    item = {"id": 1, "a.b": "item", "parts": [{"id": "p", "a": {"b": "part"}}, {"id": "q"}]}
    daemon.call("applySnapshot", list="l", items=[item], format="none")
    assert daemon.call("getText", list="l")["text"] == "part\nitem\n"


def test_an_edited_view_looks_names_up_the_same(daemon: Daemon) -> None:
    assert view(daemon, where={"member": "a.b", "is": "one"}) == ONES
    edits = [
        {"edit": "updateItems", "items": [{"id": "null", "a.b": "one"}, {"id": "whole", "a.b": 1}]},
    ]  # fmt: skip
    daemon.call("editSnapshot", list="l", edits=edits)
    assert ids(daemon) == "path null again"


# Definitions that name a member with `$`, the pointer to it, and the name that is suggested.
WRONG: List[Any] = [
    ({"where": {"member": "$x", "is": 1}}, "where/member", "x"),
    ({"where": {"all": [{"not": {"member": "$levle", "is": 1}}]}}, "where/all/0/not/member", "$level"),
    ({"sort": [{"by": "id"}, {"by": "$sorce"}]}, "sort/1/by", "$source"),
    ({"match": {"query": "a"}, "sort": [{"by": "$scor"}]}, "sort/0/by", "$score"),
    ({"sections": {"by": "$level"}}, "sections/by", "level"),
    ({"distinct": "$id"}, "distinct", "id"),
    ({"tree": {"parent": "$parent"}}, "tree/parent", "parent"),
    ({"match": {"query": "a", "members": ["text", "$text"]}}, "match/members/1", "text"),
]


@pytest.mark.parametrize("definition, pointer, nearest", WRONG, ids=dumps)
def test_an_unknown_name_with_a_dollar_is_refused(
    daemon: Daemon, definition: Dict[str, Any], pointer: str, nearest: str
) -> None:
    show(daemon)
    refusal = daemon.refused(-32602, "compose", list="w", sources=["v"], view=definition)
    assert refusal.data["pointer"] == f"/params/view/{pointer}"
    assert refusal.message.endswith(f'did you mean "{nearest}"?')
    assert [one["list"] for one in daemon.call("getLists")["lists"]] == ["l", "v"]


def test_templates_name_no_other_members_with_a_dollar(daemon: Daemon) -> None:
    template = "{indent:  }{text} {$level} {$children} {$expanded}"
    daemon.call("registerTemplates", templates={"Cell": template})
    show(daemon, [{"id": "a"}, {"id": "b", "up": "a", "text": "x"}], open="all")
    assert daemon.call("getText", list="v")["text"] == " 0 1 true\n  x 1 0 \n"
    templates = {"Cell": "{text}", "Header": "{$levl:>3}"}
    refusal = daemon.refused(-32602, "registerTemplates", templates=templates)
    assert refusal.data["pointer"] == "/params/templates/Header"
    assert refusal.message.endswith('did you mean "$level"?')
    assert daemon.call("getText", list="v")["text"] == " 0 1 true\n  x 1 0 \n"


def test_a_match_names_no_member_with_a_dollar(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="l", items=ITEMS, format="none")
    match = {"query": "a", "members": ["$text"]}
    refusal = daemon.refused(-32602, "locate", list="l", match=match)
    assert refusal.data["pointer"] == "/params/match/members/0"


def test_a_view_of_an_outline_filters_and_sorts_by_level(daemon: Daemon) -> None:
    show(daemon, open="all")
    daemon.call("compose", list="all", sources=["v"], format="none")
    for source in ("v", "all"):
        by = {"sort": [{"by": "$level", "order": "descending"}], "sections": "merge"}
        by["where"] = {"any": [{"member": "$level", "from": 2}, {"member": "$level", "is": 0}]}
        daemon.call("compose", list="w", sources=[source], view=by, format="none")
        assert ids(daemon, "w") == "b c src doc"
    daemon.call("editSnapshot", list="v", edits=[{"edit": "collapseItems", "items": ["lib"]}])
    assert ids(daemon, "w") == "src doc"
    for place in ("where", "sort"):
        view = {place: {"member": "$level", "is": 0} if place == "where" else [{"by": "$level"}]}
        refusal = daemon.refused(-32602, "compose", list="w", sources=["l"], view=view)
        pointer = "where/member" if place == "where" else "sort/0/by"
        assert refusal.data["pointer"] == f"/params/view/{pointer}"
        assert "did you mean" in refusal.message
