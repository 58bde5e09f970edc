"""The exact ops of typical changes."""

from __future__ import annotations

from typing import Any, List

import pytest

from apply_ops import Op
from client import Daemon
from pair_checks import by_diff, check_pairs, diff_call


def main(*items: Any) -> List[Any]:
    return [{"id": "main", "items": list(items)}]


def lists(**sections: Any) -> List[Any]:
    return [{"id": name, "items": list(items)} for name, items in sections.items()]


def answer(daemon: Daemon, old: List[Any], new: List[Any], **more: Any) -> Any:
    """The stages of a change that keeps the laws, too."""
    check_pairs(daemon, by_diff, [(old, new)])
    method, params = diff_call((old, new), **more)
    return daemon.call(method, params)["stages"]


def move(source: Any, target: Any, count: int = 1) -> Op:
    return {"op": "moveItems", "from": source, "to": target, "count": count}


def test_two_moves_are_the_fewest(daemon: Daemon) -> None:
    [stage] = answer(daemon, main(1, 2, 3, 4, 5, 6), main(1, 4, 2, 5, 6, 3))
    assert sum(op["count"] for op in stage) == 2


def test_two_swapped_of_ten_are_two_moves(daemon: Daemon) -> None:
    new = main(0, 8, 2, 3, 4, 5, 6, 7, 1, 9)
    [stage] = answer(daemon, main(*range(10)), new)
    assert stage == [move([0, 8], [0, 1]), move([0, 1], [0, 8])]


def test_the_first_of_a_thousand_moves_to_the_end(daemon: Daemon) -> None:
    stages = answer(daemon, main(*range(1000)), main(*range(1, 1000), 0))
    assert stages == [[move([0, 0], [0, 999])]]


def test_the_last_of_a_thousand_moves_to_the_front(daemon: Daemon) -> None:
    stages = answer(daemon, main(*range(1000)), main(999, *range(999)))
    assert stages == [[move([0, 999], [0, 0])]]


def test_a_row_moves_to_a_new_section(daemon: Daemon) -> None:
    stages = answer(daemon, lists(s1=[1, 2]), lists(s1=[1], s2=[2]))
    arrival = {"op": "insertSections", "at": 1, "count": 1, "rows": [0]}
    assert stages == [[arrival], [move([0, 1], [1, 0])]]


def test_a_section_is_deleted_after_its_rows_moved(daemon: Daemon) -> None:
    stages = answer(daemon, lists(s1=[1], s2=[2, 3]), lists(s1=[1, 2]))
    gone = {"op": "deleteSections", "at": 1, "count": 1}
    assert stages == [[move([1, 0], [0, 1])], [gone]]


def test_rows_go_from_a_vanishing_to_a_new_section(daemon: Daemon) -> None:
    stages = answer(daemon, lists(a=[1, 2, 9]), lists(b=[1, 2, 8]))
    kinds = [[op["op"] for op in stage] for stage in stages]
    assert kinds == [["insertSections"], ["moveItems"], ["deleteSections"]]
    assert stages[0][0]["rows"] == [1] and stages[1][0]["count"] == 2


def test_rows_that_end_with_their_section_are_not_deleted(daemon: Daemon) -> None:
    stages = answer(daemon, lists(a=[1], b=[2, 3]), lists(a=[1]))
    assert stages == [[{"op": "deleteSections", "at": 1, "count": 1}]]


def test_a_new_section_arrives_with_its_rows(daemon: Daemon) -> None:
    new = [{"id": "a", "items": []}, {"id": "b", "header": "B", "items": [1, 2]}]
    stages = answer(daemon, lists(a=[]), new, content=True)
    arrival = {"op": "insertSections", "at": 1, "count": 1, "rows": [2], "sections": new[1:]}
    assert stages == [[arrival]]


def test_new_sections_are_one_range(daemon: Daemon) -> None:
    stages = answer(daemon, [], lists(a=[1], b=[], c=[2, 3]))
    assert stages == [[{"op": "insertSections", "at": 0, "count": 3, "rows": [1, 0, 2]}]]


def test_a_block_of_rows_moves_as_one(daemon: Daemon) -> None:
    stages = answer(daemon, main(*"abcdefgh"), main(*"defghabc"))
    assert stages == [[move([0, 0], [0, 5], 3)]]


def test_a_block_of_sections_moves_as_one(daemon: Daemon) -> None:
    stages = answer(daemon, lists(a=[], b=[], c=[], d=[], e=[]), lists(c=[], d=[], e=[], a=[], b=[]))
    assert stages == [[{"op": "moveSections", "from": 0, "to": 3, "count": 2}]]


def test_all_kinds_in_one_structural_stage(daemon: Daemon) -> None:
    old = lists(gone=[0], a=[1, 2, 3], b=[4, 5])
    new = lists(a=[3, 7, 1], b=[5, 2], new=[8])
    [stage] = answer(daemon, old, new)
    order = ["deleteSections", "insertSections", "deleteItems", "insertItems", "moveItems"]
    kinds = [op["op"] for op in stage]
    assert [kind for kind in order if kind in kinds] == list(dict.fromkeys(kinds))


@pytest.mark.parametrize("new", [{"id": 1, "v": 2}, {"id": 1}, {"id": 1, "v": "1"}, 1])
def test_other_content_is_reconfigured(daemon: Daemon, new: Any) -> None:
    change = {"op": "reconfigureItems", "at": [0, 0], "count": 1}
    assert answer(daemon, main({"id": 1, "v": 1}), main(new)) == [[change]]


def test_another_template_is_reloaded(daemon: Daemon) -> None:
    old = main({"id": 1}, {"id": 2}, {"id": 3})
    new = main({"id": 1, "template": "Wide"}, {"id": 2, "v": 1}, {"id": 3, "template": "Cell"})
    assert answer(daemon, old, new, content=True) == [[
        {"op": "reloadItems", "at": [0, 0], "count": 1, "items": new[0]["items"][:1]},
        {"op": "reconfigureItems", "at": [0, 1], "count": 2, "items": new[0]["items"][1:]},
    ]]  # fmt: skip


@pytest.mark.parametrize(
    "own, kind",
    [
        ({"header": "H"}, "reconfigureSections"),
        ({"footer": {"text": "f"}}, "reconfigureSections"),
        ({"color": 1}, "reconfigureSections"),
        ({"selectionMode": "multiple"}, "reconfigureSections"),
        ({"headerTemplate": "Tall"}, "reloadSections"),
        ({"footerTemplate": "Tall"}, "reloadSections"),
        ({"headerTemplate": "Header"}, "reconfigureSections"),
    ],
)
def test_own_members_of_a_section(daemon: Daemon, own: Any, kind: str) -> None:
    new = {"id": "main", **own}
    stages = answer(daemon, main(1), [{**new, "items": [1]}], content=True)
    assert stages == [[{"op": kind, "at": 0, "count": 1, "sections": [new]}]]


def test_a_change_of_an_object_without_id_is_a_delete_and_an_insert(daemon: Daemon) -> None:
    stages = answer(daemon, main({"t": 1}, "x"), main({"t": 2}, "x"))
    place = {"at": [0, 0], "count": 1}
    assert stages == [[{"op": "deleteItems", **place}, {"op": "insertItems", **place}]]


def test_content_changes_stand_in_final_places(daemon: Daemon) -> None:
    old = main({"id": 1, "v": 1}, {"id": 2}, {"id": 3})
    new = main({"id": 2}, {"id": 3}, {"id": 1, "v": 2})
    change = {"op": "reconfigureItems", "at": [0, 2], "count": 1}
    assert answer(daemon, old, new) == [[move([0, 0], [0, 2])], [change]]


def test_rows_change_inside_a_moved_section_in_a_second_stage(daemon: Daemon) -> None:
    old = lists(a=[1, 2, 3], b=[], c=[])
    stages = answer(daemon, old, lists(b=[], c=[], a=[3, 1, 2]))
    assert len(stages) == 2


def test_of_two_sections_the_one_moves_whose_rows_rest(daemon: Daemon) -> None:
    stages = answer(daemon, lists(a=[1, 2], b=[3, 4]), lists(b=[3, 4], a=[2, 1]))
    assert len(stages) == 1 and stages[0][0]["from"] == 1


def test_equal_snapshots_have_no_stages(daemon: Daemon) -> None:
    assert answer(daemon, main(1, {"a": 1.0}), main(1, {"a": 1})) == []
    assert answer(daemon, [], []) == []


def test_no_sections_and_an_empty_section_differ(daemon: Daemon) -> None:
    assert answer(daemon, [], main()) == [
        [{"op": "insertSections", "at": 0, "count": 1, "rows": [0]}]
    ]
    assert answer(daemon, main(), []) == [[{"op": "deleteSections", "at": 0, "count": 1}]]


def test_repeats_need_no_more_than_the_difference(daemon: Daemon) -> None:
    [stage] = answer(daemon, main(*"aaaa"), main(*"aa"))
    assert stage in ([{"op": "deleteItems", "at": [0, k], "count": 2}] for k in range(3))
    [stage] = answer(daemon, main("a", "b", "a"), main("b", "a"))
    assert stage == [{"op": "deleteItems", "at": [0, 0], "count": 1}]
