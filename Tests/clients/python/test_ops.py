"""The meaning of ops, without a daemon."""

from __future__ import annotations

from typing import Any, Dict, List

import pytest
from listd import OutOfStep, Path, apply_ops, apply_patch, apply_selection, apply_stages
from listd import apply_text_edits, in_rows
from listd.ops import Patch, SelectItems, TextEdit, read_op, read_ops, read_patch, read_stages


def sections(picture: str) -> List[Dict[str, Any]]:
    """Sections from a picture: `"a b | c"` has sections 0 and 1, and `"x: a | y:"` names
    them."""
    made = []
    for number, part in enumerate(picture.split("|") if picture else []):
        name, _, items = part.rpartition(":")
        made.append({"id": name.strip() or number, "items": items.split()})
    return made


def op(name: str, **members: Any) -> Dict[str, Any]:
    return {"op": name, "count": 1, **{key.rstrip("_"): value for key, value in members.items()}}


@pytest.mark.parametrize("old, new, stage", [
    ("a b c", "c a b", [op("moveItems", from_=[0, 2], to=[0, 0])]),
    ("a b c d", "c d a b", [op("moveItems", from_=[0, 0], to=[0, 2], count=2)]),
    ("a b c", "b x", [op("deleteItems", at=[0, 0]), op("deleteItems", at=[0, 2]),
                      op("insertItems", at=[0, 1], items=["x"])]),
    ("a | b", "0: | 1: b a", [op("moveItems", from_=[0, 0], to=[1, 1])]),
    ("a | b", "1: b | 0: a", [op("moveSections", from_=1, to=0)]),
    ("a | b c", "1: c | 2: x y",
     [op("deleteSections", at=0),
      op("insertSections", at=1, rows=[2], sections=[{"id": "2", "items": ["x", "y"]}]),
      op("deleteItems", at=[1, 0])]),
    ("", "", []),
])  # fmt: skip
def test_the_ops_of_a_stage_are_simultaneous(old: str, new: str, stage: List[Any]) -> None:
    before = sections(old)
    after = apply_stages(before, read_stages([stage]))
    wanted = [(str(s["id"]), s["items"]) for s in sections(new)]
    assert [(str(s["id"]), s["items"]) for s in after] == wanted
    assert before == sections(old)


def test_content_changes_are_last() -> None:
    stages = [
        [op("moveItems", from_=[0, 1], to=[0, 0])],
        [op("reconfigureSections", at=0, sections=[{"id": "n"}]),
         op("reloadItems", at=[0, 0], items=["B"]),
         op("reconfigureItems", at=[0, 1], items=["A"])],
    ]  # fmt: skip
    after = apply_stages(sections("a b"), read_stages(stages))
    assert after == [{"id": "n", "items": ["B", "A"]}]


@pytest.mark.parametrize("stages", [
    [[op("deleteItems", at=[0, 0]), op("deleteItems", at=[0, 0])]],
    [[op("deleteItems", at=[0, 0]), op("moveItems", from_=[0, 0], to=[0, 0])]],
    [[op("deleteItems", at=[0, 3])]],
    [[op("deleteItems", at=[2, 0])]],
    [[op("deleteItems", at=[0, -1])]],
    [[op("insertItems", at=[0, 0], items=["x"]), op("insertItems", at=[0, 0], items=["y"])]],
    [[op("insertItems", at=[0, 4], items=["x"])]],
    [[op("insertItems", at=[0, 0])]],
    [[op("insertItems", at=[0, 0], items=["x", "y"])]],
    [[op("insertSections", at=0, rows=[2], sections=[{"id": 9, "items": ["x"]}])]],
    [[op("insertSections", at=4, rows=[0], sections=[{"id": 9, "items": []}])]],
    [[op("deleteSections", at=0), op("deleteItems", at=[0, 0])]],
    [[op("moveSections", from_=0, to=1), op("insertItems", at=[1, 0], items=["x"])]],
    [[op("deleteItems", at=[0, 0]), op("reconfigureItems", at=[0, 0], items=["x"])]],
    [[op("reconfigureItems", at=[0, 0], items=["x"])], [op("deleteItems", at=[0, 0])]],
    [[op("reloadItems", at=[0, 0], items=["x"]), op("reloadItems", at=[0, 0], items=["y"])]],
])  # fmt: skip
def test_invalid_stages_are_rejected(stages: List[Any]) -> None:
    with pytest.raises(OutOfStep):
        apply_stages(sections("a b c | d"), read_stages(stages))


@pytest.mark.parametrize("received", [
    {"op": "fold"}, {}, {"op": "deleteItems", "at": [0, 0]}, {"op": "moveItems", "count": 1},
    {"op": "deleteItems", "at": [0, 0, 0], "count": 1},
])  # fmt: skip
def test_invalid_ops_are_rejected(received: Any) -> None:
    with pytest.raises(OutOfStep):
        read_op(received)


def test_unknown_members_are_ignored() -> None:
    read = read_op({**op("deleteItems", at=[0, 1]), "why": "because"})
    assert (read.at, read.count) == (Path(0, 1), 1)


@pytest.mark.parametrize("old, new, ops", [
    ("a b c d", "c d a b", [op("moveItems", from_=[0, 2], to=[0, 0], count=2)]),
    ("a b", "x b", [op("deleteItems", at=[0, 0]), op("insertItems", at=[0, 0], items=["x"])]),
    ("a | b", "1: b a", [op("moveItems", from_=[0, 0], to=[1, 1]), op("deleteSections", at=0)]),
    ("a | b | c", "2: c | 0: a | 1: b", [op("moveSections", from_=0, to=1, count=2)]),
])  # fmt: skip
def test_ops_in_sequence(old: str, new: str, ops: List[Any]) -> None:
    after = apply_ops(sections(old), read_ops(ops))
    wanted = [(str(s["id"]), s["items"]) for s in sections(new)]
    assert [(str(s["id"]), s["items"]) for s in after] == wanted


@pytest.mark.parametrize("received", [
    op("deleteItems", at=[0, 2], count=2), op("insertItems", at=[0, 4], items=["x"]),
    op("moveItems", from_=[0, 0], to=[0, 3]), op("deleteSections", at=1),
    op("insertItems", at=[1, 0], items=["x"]),
])  # fmt: skip
def test_ops_beyond_the_end_are_rejected(received: Any) -> None:
    with pytest.raises(OutOfStep):
        apply_ops(sections("a b c"), read_ops([received]))


def test_parts_are_rows() -> None:
    item = {"id": 1, "text": "t", "parts": ["head", {"template": "Spacing"}]}
    [section] = in_rows([{"id": "s", "items": [item, "x", {"id": 2, "parts": []}]}])
    rest = {"id": 1, "text": "t"}
    assert section["items"] == [
        {"$part": "head", "$item": rest}, {"$part": {"template": "Spacing"}, "$item": rest}, "x",
    ]  # fmt: skip


@pytest.mark.parametrize("patch, wanted", [
    ([{"op": "add", "path": "/a/1", "value": 9}], {"a": [1, 9, 2], "b/c": {"~": 0}}),
    ([{"op": "add", "path": "/a/-", "value": 9}], {"a": [1, 2, 9], "b/c": {"~": 0}}),
    ([{"op": "remove", "path": "/a/0"}], {"a": [2], "b/c": {"~": 0}}),
    ([{"op": "replace", "path": "/b~1c/~0", "value": None}], {"a": [1, 2], "b/c": {"~": None}}),
    ([{"op": "move", "from": "/a/0", "path": "/a/1"}], {"a": [2, 1], "b/c": {"~": 0}}),
    ([{"op": "copy", "from": "/a/0", "path": "/x"}], {"a": [1, 2], "b/c": {"~": 0}, "x": 1}),
    ([{"op": "test", "path": "/a", "value": [1, 2]}], {"a": [1, 2], "b/c": {"~": 0}}),
    ([{"op": "replace", "path": "", "value": 5}], 5),
])  # fmt: skip
def test_a_patch(patch: List[Any], wanted: Any) -> None:
    document = {"a": [1, 2], "b/c": {"~": 0}}
    assert apply_patch(document, read_patch(patch)) == wanted
    assert document == {"a": [1, 2], "b/c": {"~": 0}}


@pytest.mark.parametrize("patch", [
    Patch("remove", "/a/2"), Patch("replace", "/b", 1), Patch("add", "/a/3", 1),
    Patch("test", "/a/0", 2), Patch("add", "/a/x", 1), Patch("move", "/a/0", None, "/nope"),
    Patch("fold", "/a"), Patch("remove", "/a/-1"),
])  # fmt: skip
def test_patches_that_do_not_fit_are_rejected(patch: Patch) -> None:
    with pytest.raises(OutOfStep):
        apply_patch({"a": [1, 2]}, [patch])


@pytest.mark.parametrize("old, edits, new", [
    ("", [TextEdit(0, 0, "a\n")], "a\n"),
    ("a\nb\nc\n", [TextEdit(0, 1, ""), TextEdit(2, 3, "C\nD\n")], "b\nC\nD\n"),
    ("a\nb\n", [TextEdit(2, 2, "c\n")], "a\nb\nc\n"),
    ("a\n", [TextEdit(0, 1, "")], ""),
])  # fmt: skip
def test_text_edits(old: str, edits: List[TextEdit], new: str) -> None:
    assert apply_text_edits(old, edits) == new


@pytest.mark.parametrize("edits", [
    [TextEdit(2, 3, "")], [TextEdit(1, 2, ""), TextEdit(0, 1, "")], [TextEdit(1, 0, "")],
])  # fmt: skip
def test_text_edits_that_do_not_fit_are_rejected(edits: List[TextEdit]) -> None:
    with pytest.raises(OutOfStep):
        apply_text_edits("a\nb\n", edits)


def test_a_selection() -> None:
    received = read_ops([op("selectItems", at=[0, 1], count=2), op("deselectItems", at=[0, 2])])
    assert isinstance(received[0], SelectItems)
    assert apply_selection(frozenset({Path(1, 0)}), received) == {Path(0, 1), Path(1, 0)}
