"""editSnapshot: each edit, against plain arrays."""

# Promise: Edits by identifier have the same result as edits of arrays, also many in one request. Also
#   `test_many_edits_at_once_of_arrays`.

from __future__ import annotations

import copy
import random
from typing import Any, Callable, Dict, List, Tuple

import pytest

from change_laws import check
from client import Daemon
from values import dumps, picture, same

pytestmark = pytest.mark.needs("editSnapshot")
Sections = List[Dict[str, Any]]
EDITS = 120


class Plain:
    """Sections as plain arrays, and the edits on them."""

    def __init__(self, sections: Sections) -> None:
        self.sections = copy.deepcopy(sections)

    def find(self, id: Any) -> Tuple[List[Any], int]:
        for section in self.sections:
            for row, item in enumerate(section["items"]):
                if item["id"] == id:
                    return section["items"], row
        raise KeyError(id)

    def ids(self) -> List[Any]:
        return [item["id"] for section in self.sections for item in section["items"]]

    def section(self, id: Any) -> Dict[str, Any]:
        return next(section for section in self.sections if section["id"] == id)

    def put(self, items: List[Any], edit: Dict[str, Any]) -> None:
        if "before" in edit or "after" in edit:
            row_list, row = self.find(edit.get("before", edit.get("after")))
            row += "after" in edit
            row_list[row:row] = items
        else:
            target = self.section(edit["section"]) if "section" in edit else self.sections[-1]
            target["items"] += items

    def take(self, ids: List[Any]) -> List[Any]:
        taken = []
        for id in ids:
            row_list, row = self.find(id)
            taken.append(row_list.pop(row))
        return taken

    def apply(self, edit: Dict[str, Any]) -> None:
        kind = edit["edit"]
        if kind in ("appendItems", "insertItems"):
            self.put(edit["items"], edit)
        elif kind == "deleteItems":
            self.take(edit["items"])
        elif kind == "moveItems":
            self.put(self.take(edit["items"]), edit)
        elif kind in ("updateItems", "putItems"):
            known = set(self.ids())
            for item in edit["items"]:
                if item["id"] in known:
                    row_list, row = self.find(item["id"])
                    row_list[row] = item
            self.put([item for item in edit["items"] if item["id"] not in known], edit)
        elif kind == "deleteAllItems":
            self.sections = []
        else:
            self.apply_to_sections(kind, edit)

    def apply_to_sections(self, kind: str, edit: Dict[str, Any]) -> None:
        if kind == "deleteSections":
            self.sections = [s for s in self.sections if s["id"] not in edit["sections"]]
        elif kind == "updateSections":
            for fresh in edit["sections"]:
                section = self.section(fresh["id"])
                items = section["items"]
                section.clear()
                section.update({**fresh, "items": items})
        else:
            fresh = [{"items": [], **section} for section in edit.get("sections", [])]
            if kind == "moveSection":
                fresh = [self.section(edit["section"])]
                self.sections.remove(fresh[0])
            place = len(self.sections)
            if "before" in edit or "after" in edit:
                near = self.section(edit.get("before", edit.get("after")))
                place = self.sections.index(near) + ("after" in edit)
            self.sections[place:place] = fresh


class Editor:
    """Draws random edits that are valid for a state."""

    def __init__(self, rng: random.Random, plain: Plain) -> None:
        self.rng, self.plain, self.last = rng, plain, 1000

    def fresh(self) -> List[Any]:
        made = [
            {"id": self.last + k, "v": self.rng.randrange(9)} for k in range(self.rng.randint(1, 3))
        ]
        self.last += len(made)
        return made

    def some(self) -> List[Any]:
        ids = self.plain.ids()
        return self.rng.sample(ids, self.rng.randint(1, min(3, len(ids))))

    def near(self, ids: List[Any]) -> Dict[str, Any]:
        return {self.rng.choice(["before", "after"]): self.rng.choice(ids)}

    def edit(self) -> Dict[str, Any]:
        sections = [section["id"] for section in self.plain.sections]
        ids = self.plain.ids()
        choices: List[Callable[[], Dict[str, Any]]] = [self.append_sections]
        if sections:
            choices += [self.append, self.put_items, self.update_section]
        if len(sections) > 1:
            choices += [self.move_section, self.delete_section]
        if len(ids) > 4:
            choices += [self.insert, self.delete, self.move, self.move, self.update]
        return self.rng.choice(choices)()

    def section_id(self) -> Any:
        return self.rng.choice(self.plain.sections)["id"]

    def append_sections(self) -> Dict[str, Any]:
        self.last += 1
        fresh = {"id": f"s{self.last}", "header": "h", "items": self.fresh()}
        if self.plain.sections and self.rng.random() < 0.5:
            near = self.near([section["id"] for section in self.plain.sections])
            return {"edit": "insertSections", "sections": [fresh], **near}
        return {"edit": "appendSections", "sections": [fresh, {"id": f"e{self.last}"}]}

    def append(self) -> Dict[str, Any]:
        where = {"section": self.section_id()} if self.rng.random() < 0.7 else {}
        return {"edit": "appendItems", "items": self.fresh(), **where}

    def put_items(self) -> Dict[str, Any]:
        known = [{"id": id, "v": "put"} for id in self.plain.ids()[:1]]
        return {"edit": "putItems", "items": known + self.fresh(), "section": self.section_id()}

    def update_section(self) -> Dict[str, Any]:
        own = {"id": self.section_id(), "footer": self.rng.choice(["f", "g"])}
        return {"edit": "updateSections", "sections": [own]}

    def move_section(self) -> Dict[str, Any]:
        one, other = self.rng.sample([section["id"] for section in self.plain.sections], 2)
        return {"edit": "moveSection", "section": one, **self.near([other])}

    def delete_section(self) -> Dict[str, Any]:
        return {"edit": "deleteSections", "sections": [self.section_id()]}

    def insert(self) -> Dict[str, Any]:
        return {"edit": "insertItems", "items": self.fresh(), **self.near(self.plain.ids())}

    def delete(self) -> Dict[str, Any]:
        return {"edit": "deleteItems", "items": self.some()}

    def move(self) -> Dict[str, Any]:
        some = self.some()
        if self.rng.random() < 0.3:
            return {"edit": "moveItems", "items": some, "section": self.section_id()}
        rest = [id for id in self.plain.ids() if id not in some]
        return {"edit": "moveItems", "items": some, **self.near(rest)}

    def update(self) -> Dict[str, Any]:
        items = [{"id": id, "v": self.rng.randrange(3)} for id in self.some()]
        return {"edit": "updateItems", "items": items}


def test_random_edits(daemon: Daemon, rng: random.Random) -> None:
    plain = Plain([{"id": "s", "items": [{"id": k, "v": 0} for k in range(9)]}])
    editor = Editor(rng, plain)
    daemon.call("applySnapshot", list="l", sections=plain.sections)
    for _ in range(EDITS):
        old, edits = copy.deepcopy(plain.sections), []
        for _ in range(rng.randint(1, 4)):
            edits.append(editor.edit())
            plain.apply(copy.deepcopy(edits[-1]))
        answer = daemon.call("editSnapshot", list="l", edits=edits, content=True)
        got = daemon.call("getSnapshot", list="l")["sections"]
        story = (
            f"\n  from:  {picture(old)}\n  edits: {dumps(edits)}\n"
            f"  to:    {picture(plain.sections)}\n  got:   {picture(got)}\n"
        )
        assert same(got, plain.sections), story
        check(old, plain.sections, answer["stages"], answer["counts"], content=True)


def start(daemon: Daemon) -> int:
    sections = [{"id": "s", "items": [{"id": 1}, {"id": 2}]}, {"id": "t", "items": ["x", "x"]}]
    return daemon.call("applySnapshot", list="l", sections=sections)["revision"]


WRONG: Any = [
    ({"edit": "deleteItems", "items": [9, 1, "y"]}, -31005),
    ({"edit": "insertItems", "items": [7], "before": 9}, -31005),
    ({"edit": "insertItems", "items": [7]}, -32602),
    ({"edit": "insertItems", "items": [7], "before": 1, "after": 2}, -32602),
    ({"edit": "appendItems", "items": [{"id": 1}]}, -31004),
    ({"edit": "appendItems", "items": [7], "section": "u"}, -31006),
    ({"edit": "putItems", "items": [{"id": 1, "v": 1}], "section": "u"}, -31006),
    ({"edit": "putItems", "items": [7], "section": "u"}, -31006),
    ({"edit": "putItems", "items": [], "section": "u"}, -31006),
    ({"edit": "moveItems", "items": [1, 2], "before": 2}, -32602),
    ({"edit": "moveItems", "items": [1], "after": 1}, -32602),
    ({"edit": "moveSection", "section": "s", "before": "s"}, -32602),
    ({"edit": "insertItems", "items": [{"id": 1}], "after": 1}, -32602),
    ({"edit": "insertSections", "sections": [{"id": "t"}], "before": "t"}, -32602),
    ({"edit": "moveSection", "section": "s", "before": "u"}, -31006),
    ({"edit": "updateItems", "items": [{"id": 9}]}, -31005),
    ({"edit": "appendSections", "sections": [{"id": "s"}]}, -31004),
    ({"edit": "updateSections", "sections": [{"id": "u"}]}, -31006),
    ({"edit": "updateSections", "sections": [{"id": "s", "items": []}]}, -32602),
    ({"edit": "shuffle"}, -32602),
    ({"edit": "deleteItems", "items": [1], "itms": 1}, -32602),
]


@pytest.mark.parametrize("edit, code", WRONG, ids=dumps)
def test_a_failing_edit_fails_them_all(daemon: Daemon, edit: Any, code: int) -> None:
    revision = start(daemon)
    good = {"edit": "deleteItems", "items": ["x"]}
    refusal = daemon.refused(code, "editSnapshot", list="l", edits=[good, edit, good])
    assert refusal.data["edit"] == 1, refusal
    assert daemon.call("getSnapshot", list="l")["revision"] == revision


def test_edits_that_cancel_out(daemon: Daemon) -> None:
    revision = start(daemon)
    there = {"edit": "moveItems", "items": [1], "after": 2}
    back = {"edit": "moveItems", "items": [1], "before": 2}
    answer = daemon.call("editSnapshot", list="l", edits=[there, back])
    assert answer["revision"] == revision and answer["stages"] == []
    assert daemon.call("editSnapshot", list="l", edits=[])["revision"] == revision


def test_a_forced_update_is_reported(daemon: Daemon) -> None:
    revision = start(daemon)
    edits = [{"edit": "reloadItems", "items": [1]}, {"edit": "reconfigureItems", "items": [2]},
             {"edit": "reloadSections", "sections": ["t"]}]  # fmt: skip
    answer = daemon.call("editSnapshot", list="l", edits=edits)
    assert answer["revision"] == revision
    assert answer["stages"] == [[
        {"op": "reloadSections", "at": 1, "count": 1},
        {"op": "reloadItems", "at": [0, 0], "count": 1},
        {"op": "reconfigureItems", "at": [0, 1], "count": 1},
    ]]  # fmt: skip
    assert answer["counts"]["rows"]["updates"] == 2 and answer["counts"]["sections"]["updates"] == 1


def test_paths_are_after_the_edits_before(daemon: Daemon) -> None:
    revision = start(daemon)
    refs = [1, {"path": [0, 0]}, {"path": [1, 1], "revision": revision}]
    edits = [{"edit": "deleteItems", "items": [ref]} for ref in refs]
    daemon.call("editSnapshot", list="l", edits=edits)
    answer = daemon.call("getSnapshot", list="l")["sections"]
    assert [section["items"] for section in answer] == [[], ["x"]]


def test_delete_all_items(daemon: Daemon) -> None:
    start(daemon)
    answer = daemon.call("editSnapshot", list="l", edits=[{"edit": "deleteAllItems"}])
    assert answer["counts"]["sections"]["deletes"] == 2 and answer["counts"]["rows"]["deletes"] == 4
    assert daemon.call("getSnapshot", list="l")["sections"] == []


@pytest.mark.parametrize("kind", ["appendItems", "putItems"])
def test_items_without_a_section_make_one(daemon: Daemon, kind: str) -> None:
    start(daemon)
    edits = [{"edit": "deleteAllItems"}, {"edit": kind, "items": ["a", {"id": 7}]}]
    answer = daemon.call("editSnapshot", list="l", edits=edits, content=True)
    items = {"id": "main", "items": ["a", {"id": 7}]}
    assert daemon.call("getSnapshot", list="l")["sections"] == [items]
    assert answer["counts"]["sections"]["inserts"] == 1
    daemon.call("applySnapshot", list="e", sections=[])
    daemon.call("editSnapshot", list="e", edits=[{"edit": kind, "items": []}])
    daemon.call("editSnapshot", list="e", edits=[{"edit": kind, "items": ["a", {"id": 7}]}])
    assert daemon.call("getSnapshot", list="e")["sections"] == [items]
    # The identifier is that of `items`, so that nothing changes.
    same = daemon.call("applySnapshot", list="e", items=["a", {"id": 7}])
    assert same["stages"] == []


def test_base_revision_and_selection(daemon: Daemon) -> None:
    revision = start(daemon)
    edits = [{"edit": "appendItems", "items": [{"id": 3}], "section": "s"}]
    daemon.refused(-31003, "editSnapshot", list="l", edits=edits, baseRevision=revision + 1)
    answer = daemon.call(
        "editSnapshot", list="l", edits=edits, baseRevision=revision, selected=[3], cursor=3
    )
    assert answer["selection"] == [{"at": [0, 2], "count": 1}] and answer["cursor"] == [0, 2]


def twice(daemon: Daemon, edit: Any) -> Any:
    refusal = daemon.refused(-31004, "editSnapshot", list="l", edits=[edit])
    assert refusal.data["edit"] == 0
    answer = refusal.data["duplicates"]
    return [[entry["id"], *(p[len("/params/edits/0/") :] for p in entry["pointers"])]
        for entry in answer]  # fmt: skip


def test_all_duplicates_of_an_edit_are_reported_together(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="l", sections=[{"id": "s", "items": [{"id": 1}, {"id": 2}]}])
    items = [{"id": 1}, {"id": 3}, 2, {"id": 3}, {"id": 4, "parts": [{"id": 5}, {"id": 5}]}, 1]
    expected = [[1, "items/0", "items/5"], [3, "items/1", "items/3"], [2, "items/2"],
        [5, "items/4/parts/0", "items/4/parts/1"]]  # fmt: skip
    assert twice(daemon, {"edit": "appendItems", "items": items}) == expected
    assert twice(daemon, {"edit": "insertItems", "items": items, "after": 2}) == expected
    expected = [[1, "items/0", "items/5"], [3, "items/1", "items/3"], expected[3]]
    assert twice(daemon, {"edit": "putItems", "items": items}) == expected
    sections = [{"id": "s", "items": [{"id": 2}]}, {"id": "t", "items": [{"id": 7}]},
        {"id": "t", "items": [{"id": 7}]}]  # fmt: skip
    assert twice(daemon, {"edit": "appendSections", "sections": sections}) == [
        ["s", "sections/0"], ["t", "sections/1", "sections/2"], [2, "sections/0/items/0"],
        [7, "sections/1/items/0", "sections/2/items/0"]]  # fmt: skip
    assert twice(daemon, {"edit": "appendSections", "sections": sections[:1]}) == [
        ["s", "sections/0"], [2, "sections/0/items/0"]]  # fmt: skip


def test_the_first_edit_that_fails_is_named(daemon: Daemon) -> None:
    daemon.call("applySnapshot", list="l", items=["x"])
    edits = [{"edit": "deleteItems", "items": ["y"]},
        {"edit": "appendItems", "items": [{"id": 1}, {"id": 1}]}]  # fmt: skip
    assert daemon.refused(-31005, "editSnapshot", list="l", edits=edits).data["edit"] == 0
    assert daemon.refused(-31004, "editSnapshot", list="l", edits=edits[::-1]).data["edit"] == 0


@pytest.mark.parametrize("edit, code, missing", [
    ({"edit": "moveItems", "items": ["y", "x", "z"], "before": "w"}, -31005, ["y", "z", "w"]),
    ({"edit": "moveItems", "items": ["y"], "after": "y"}, -31005, ["y"]),
    ({"edit": "moveItems", "items": ["x"], "after": "y"}, -31005, ["y"]),
    ({"edit": "moveSection", "section": "t", "before": "u"}, -31006, ["t", "u"]),
    ({"edit": "moveSection", "section": "main", "before": "u"}, -31006, ["u"]),
    ({"edit": "moveSection", "section": "t", "before": "t"}, -31006, ["t"]),
])  # fmt: skip
def test_all_that_an_edit_misses(daemon: Daemon, edit: Any, code: int, missing: Any) -> None:
    daemon.call("applySnapshot", list="l", items=["x"])
    assert daemon.refused(code, "editSnapshot", list="l", edits=[edit]).data["missing"] == missing
