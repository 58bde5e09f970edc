"""`listd diff --format json`, `ndjson` and `csv`: the changes for programs."""

# Promise: The changes for programs lead from the old rows to the new ones, and are the same in each format.

from __future__ import annotations

import csv
import io
import json
import random
from typing import Any, Dict, List

import pytest

from command import Files
from test_command_diff_keys import FORMS, edited, fewest_moves

pytestmark = pytest.mark.needs("listd diff")

Row = Dict[str, Any]


def changes(files: Files, old: Any, new: Any, *args: str) -> List[Dict[str, Any]]:
    """The changes, which are the same in all formats."""
    lines = files.ask(old, new, *args, "--format=ndjson")
    document = files.ask(old, new, *args, "--format=json")
    found = [json.loads(line) for line in lines.out.splitlines()]
    assert lines.code == document.code == int(bool(found)), (lines, document)
    read = json.loads(document.out)
    assert read["changes"] == found and read["old"] == str(files.old) and read["new"] == str(files.new)
    table = list(csv.DictReader(io.StringIO(files.ask(old, new, *args, "--format=csv").out.decode())))
    assert sum(max(1, len(change.get("fields", ()))) for change in found) == len(table)
    assert {row["op"] for row in table} == {change["op"] for change in found}
    for change in found:
        for name, (before, after) in change.get("fields", {}).items():
            numbers = {side: str(change.get(side, "")) for side in ("from", "to")}
            wanted = {"field": name, "old": before, "new": after, **numbers}
            if isinstance(before, str) and isinstance(after, str):
                assert any(wanted.items() <= row.items() for row in table), (wanted, table)
    return found


def applied(rows: List[Row], found: List[Dict[str, Any]], count: int, first: int) -> List[Row]:
    """The new rows, from the old ones and the changes. Numbers begin with `first`."""
    kept = list(rows)
    placed: Dict[int, Row] = {}
    for change in found:
        if change["op"] != "insert":
            row = rows[change["from"] - first]
            assert change["key"] == [row["id"]]
            if change["op"] == "delete":
                assert change["old"] == row
            if change["op"] in ("delete", "move") or change.get("moved"):
                kept.remove(row)
        if change["op"] in ("move", "insert") or change.get("moved"):
            placed[change["to"] - first] = change["new"] if change["op"] == "insert" else row
    rest = iter(kept)
    new = [dict(placed[n]) if n in placed else dict(next(rest)) for n in range(count)]
    for change in found:
        for name, (before, after) in change.get("fields", {}).items():
            row = new[change["to"] - first]
            assert row[name] == before
            row[name] = after
    return new


@pytest.mark.parametrize("form", FORMS)
def test_changes_lead_from_the_old_rows_to_the_new_ones(files: Files, rng: random.Random, form: str) -> None:
    for _ in range(12):
        old = [
            {"id": f"k{n}", "name": rng.choice("ab"), "city": rng.choice(["", "x,y", 'a "b"'])}
            for n in range(rng.randint(1, 12))
        ]
        rng.shuffle(old)
        new = edited(rng, old) or [{"id": "x", "name": "", "city": ""}]
        found = changes(files, FORMS[form](old), FORMS[form](new), "--key=id")
        # The names of columns are the first row.
        first = 2 if form in ("csv", "tsv") else 1
        assert applied(old, found, len(new), first) == new, (old, new, found)
        moves = [change for change in found if change["op"] == "move" or change.get("moved")]
        assert len(moves) == fewest_moves([row["id"] for row in old], [row["id"] for row in new])


def test_the_form_of_a_change(files: Files) -> None:
    old = [{"id": 1, "v": {"a": 1, "b": "x"}}, {"id": 2}]
    new = [{"id": 1, "v": {"a": 1.5, "c": None}}, {"id": 3}]
    assert changes(files, old, new, "--key", "id") == [
        {"op": "change", "key": [1], "from": 1, "to": 1,
         "fields": {"v.a": [1, 1.5], "v.b": ["x", None], "v.c": [None, None]}},
        {"op": "delete", "key": [2], "from": 2, "old": {"id": 2}},
        {"op": "insert", "key": [3], "to": 2, "new": {"id": 3}},
    ]  # fmt: skip
    assert changes(files, {"n": 1, "items": old}, {"n": 2, "items": old}, "--key=id") == [
        {"op": "change", "part": "document", "fields": {"n": [1, 2]}}
    ]
    assert changes(files, old, old[::-1], "--key=id", "--unordered") == []
    assert changes(files, b"a\nb\n", b"b\na\nc\n")[-1] == {"op": "insert", "to": 3, "new": "c"}


def test_changes_of_sections(files: Files) -> None:
    old = {"sections": [{"id": "s", "items": [{"id": 1, "v": 1}, 2]}, {"id": "t", "items": ["x"]}]}
    new = {"sections": [{"id": "t", "n": 1, "items": ["x", 2]}, {"id": "s", "items": [{"id": 1, "v": 2}]}]}
    found = changes(files, old, new)
    assert {"op": "move", "from": 2, "to": 2, "fromSection": "s", "toSection": "t", "new": 2} in found
    assert any(change.get("part") == "section" and change["new"] == {"id": "t", "n": 1} for change in found)
