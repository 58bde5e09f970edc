"""`listd git-merge`: rows and members are merged, and nothing is lost."""

# Promise: `listd git-merge` merges rows and members, marks conflicts, and loses nothing.

from __future__ import annotations

import copy
import csv
import io
import json
import os
import random
import re
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import pytest

from client import PATIENCE, Outcome, program
from command import run
from test_command_diff_keys import FORMS

pytestmark = pytest.mark.needs("listd git-merge")

Row = Dict[str, Any]
COLUMNS = ["id", "name", "city"]


class Merge:
    def __init__(self, folder: Path) -> None:
        self.paths = [folder / name for name in ("base", "ours", "theirs")]

    def ask(self, base: Any, ours: Any, theirs: Any, *args: str) -> Tuple[int, str, Outcome]:
        """The exit code, the file of ours, and what was printed."""
        for path, content in zip(self.paths, (base, ours, theirs)):
            path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        outcome = run("git-merge", *args, *self.paths)
        return outcome.code, self.paths[1].read_bytes().decode(), outcome


@pytest.fixture
def merge(tmp_path: Path) -> Merge:
    return Merge(tmp_path)


def parsed(form: str, text: str) -> List[Row]:
    if form in ("csv", "tsv"):
        return [dict(row) for row in csv.DictReader(io.StringIO(text, newline=""), delimiter="\t" if form == "tsv" else ",")]
    if form == "ndjson":
        return [json.loads(line) for line in text.splitlines()]
    document = json.loads(text)
    return document if form == "array" else document["items" if form == "list" else "found"]


def sides(text: str) -> Tuple[str, str, str]:
    """The texts of both sides of a file with conflicts, and of the base if it is shown."""
    conflict = re.compile(r"<<<<<<< ours\n(.*?)(?:\|{7} base\n(.*?))?=======\n(.*?)>>>>>>> theirs\n", re.S)
    return conflict.sub(r"\1", text), conflict.sub(r"\3", text), conflict.sub(r"\2", text)


@pytest.fixture(params=["merge", "diff3"])
def style(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The style of conflicts in git's configuration."""
    for name, value in (("COUNT", "1"), ("KEY_0", "merge.conflictStyle"), ("VALUE_0", request.param)):
        monkeypatch.setenv(f"GIT_CONFIG_{name}", value)
    return str(request.param)


def edited(rng: random.Random, rows: List[Row], mark: str) -> List[Row]:
    new = [dict(row) for row in rows if rng.random() > 0.12]
    for row in new:
        if rng.random() < 0.3:
            row[rng.choice(["name", "city"])] = rng.choice([mark, "a,b", 'q"x', "same"])
    if rng.random() < 0.3:
        rng.shuffle(new)
    for n in range(rng.randrange(3)):
        key = rng.choice([f"{mark}{n}", f"both{n}"])
        if all(row["id"] != key for row in new):
            new.insert(rng.randint(0, len(new)), {"id": key, "name": rng.choice("ab"), "city": ""})
    return new


def expected(base: Optional[Row], ours: Optional[Row], theirs: Optional[Row]) -> Tuple[List[Optional[Row]], bool]:
    """The row in the texts of both sides and of the base, and whether there is a conflict."""
    if ours is None or theirs is None:
        present = ours or theirs
        if present is None or present == base:
            return [None] * 3, False
        return ([present] * 3, False) if base is None else ([ours, theirs, base], True)
    left, right, old_row, conflict = {}, {}, {}, False
    for name in COLUMNS:
        old, a, b = (base or {}).get(name), ours[name], theirs[name]
        if a == b or old == b:
            left[name] = right[name] = old_row[name] = a
        elif old == a:
            left[name] = right[name] = old_row[name] = b
        else:
            left[name], right[name], old_row[name], conflict = a, b, old, True
    return [left, right, None if conflict and base is None else old_row], conflict


def order(base: List[str], ours: List[str], theirs: List[str]) -> List[str]:
    """The winner's keys in its order."""
    def is_reordered(side: List[str]) -> bool:
        return [key for key in side if key in base] != [key for key in base if key in side]

    return theirs if is_reordered(theirs) and not is_reordered(ours) else ours


@pytest.mark.parametrize("form", FORMS)
def test_random_edits_of_both_sides(merge: Merge, rng: random.Random, form: str, style: str) -> None:
    write = FORMS[form]
    for _ in range(25):
        base = [{"id": f"k{n}", "name": rng.choice("ab"), "city": "x"} for n in range(rng.randint(1, 8))]
        ours, theirs = (edited(rng, base, mark) or base for mark in ("o", "t"))
        code, text, outcome = merge.ask(write(base), write(ours), write(theirs), "--key=id")
        assert outcome.err == "", outcome
        keyed = [{row["id"]: row for row in rows} for rows in (base, ours, theirs)]
        wanted: List[Dict[str, Row]] = [{}, {}, {}][: 3 if style == "diff3" else 2]
        conflict = False
        for key in set().union(*keyed):
            rows, differs = expected(*(side.get(key) for side in keyed))
            conflict = conflict or differs
            for side, row in zip(wanted, rows):
                if row is not None:
                    side[key] = row
        assert code == int(conflict), (text, base, ours, theirs)
        if form in ("array", "list", "rows") and not all(wanted):
            continue
        for mine, whole in zip(wanted, sides(text)):
            found = parsed(form, whole)
            assert len(found) == len(mine) and {row["id"]: row for row in found} == mine, (text, base, ours, theirs)
            keys = [row["id"] for row in found]
            ordered = [key for key in order(*map(list, keyed)) if key in mine]
            assert [key for key in keys if key in ordered] == ordered, (text, base, ours, theirs)


def test_the_text_around_changes_is_kept(merge: Merge) -> None:
    base = '{\n  "kind": "List",\n  "items": [\n    {"id": 1,  "a": 1, "b": 1},\n    {"id": 2, "c": [1, 2]}\n  ]\n}\n'
    ours = base.replace('"a": 1', '"a": 2').replace('"kind": "List"', '"kind": "Ours"')
    theirs = base.replace('"b": 1', '"b": 3').replace("[1, 2]}", '[1]},\n    {"id": 3}')
    code, text, _ = merge.ask(base.encode(), ours.encode(), theirs.encode(), "--key=id")
    assert code == 0 and text == (
        '{\n  "kind": "Ours",\n  "items": [\n    {"id": 1,  "a": 2,  "b": 3},\n    {"id": 2, "c": [1]},\n    {"id": 3}\n  ]\n}\n'
    )
    table = b'\xef\xbb\xbfid;v;w\r\n1;"a;b";x\r\n2;c;y\r\n'
    code, text, _ = merge.ask(table, table.replace(b"y", b"z"), table.replace(b"c;", b'"d";'), "--key=id")
    assert code == 0 and text.encode() == table.replace(b"c;y", b'"d";z')


def test_columns_that_one_side_adds(merge: Merge) -> None:
    base, theirs = b"id,v\n1,a\n2,b\n", b"id,v\n1,c\n2,b\n3,d\n"
    code, text, _ = merge.ask(base, b"id,w,v\n1,x,a\n2,y,b\n", theirs, "--key=id")
    assert (code, text) == (0, "id,w,v\n1,x,c\n2,y,b\n3,,d\n")
    # A column that one side deletes and the other changes is not a row's matter.
    code, text, outcome = merge.ask(base, b"id\n1\n2\n", theirs, "--key=id")
    assert code == 1 and "merged as text" in outcome.err and "<<<<<<<" in text
    code, text, _ = merge.ask(base, b"id\n1\n2\n", b"id,v\n2,b\n1,a\n", "--key=id")
    assert (code, text) == (0, "id\n2\n1\n")


def test_nested_members_and_elements(merge: Merge) -> None:
    base = [{"id": 1, "spec": {"c": [{"name": "a", "image": 1}, {"name": "b", "image": 1}], "n": 1}}]
    ours, theirs = copy.deepcopy(base), copy.deepcopy(base)
    ours[0]["spec"]["c"][0]["image"] = 2
    ours[0]["spec"]["c"].insert(0, {"name": "i"})
    theirs[0]["spec"]["c"][1]["image"] = 3
    theirs[0]["spec"]["n"] = 2
    code, text, _ = merge.ask(base, ours, theirs, "--key", "id")
    assert code == 0 and json.loads(text) == [
        {"id": 1, "spec": {"c": [{"name": "i"}, {"name": "a", "image": 2}, {"name": "b", "image": 3}], "n": 2}}
    ]
    settings = {"a": 1, "b": {"x": 1, "y": 1}}
    code, text, _ = merge.ask(settings, {"a": 2, "b": {"x": 1, "y": 1}}, {"a": 1, "b": {"x": 1, "y": 2}, "c": 3})
    assert code == 0 and json.loads(text) == {"a": 2, "b": {"x": 1, "y": 2}, "c": 3}


def test_a_conflict_is_marked_as_git_marks_it(merge: Merge, monkeypatch: pytest.MonkeyPatch) -> None:
    base = "id,v\n" + "".join(f"{n},a\n" for n in range(5))
    ours, theirs = (base.replace("2,a", f"2,{value}") for value in "bc")
    code, text, _ = merge.ask(base.encode(), ours.encode(), theirs.encode(), "--key=id")
    marks = "<<<<<<< ours\n2,b\n=======\n2,c\n>>>>>>> theirs\n"
    assert (code, text) == (1, base.replace("2,a\n", marks))
    merge.ask(base.encode(), ours.encode(), theirs.encode(), "--key=id")
    for path, content in zip(merge.paths, (base, ours, theirs)):
        path.write_text(content)
    printed = run("git-merge", "--key=id", "--print", *merge.paths, "9", "x.csv", "HEAD", "topic")
    assert "<<<<<<<<< HEAD\n2,b\n=========\n2,c\n>>>>>>>>> topic\n" in printed.out.decode()
    assert printed.code == 1 and merge.paths[1].read_text() == ours
    assert "|||||||" not in text
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'merge.conflictStyle'='zdiff3'")
    code, text, _ = merge.ask(base.encode(), ours.encode(), theirs.encode(), "--key=id")
    assert text == base.replace("2,a\n", marks.replace("=======", "||||||| base\n2,a\n======="))
    monkeypatch.undo()
    deleted = base.replace("2,a\n", "")
    code, text, _ = merge.ask(base.encode(), deleted.encode(), theirs.encode(), "--key=id")
    assert (code, text) == (1, base.replace("2,a\n", "<<<<<<< ours\n=======\n2,c\n>>>>>>> theirs\n"))


def test_other_files_are_merged_as_text(merge: Merge) -> None:
    base = "".join(f"line {n}\n" for n in range(9)).encode()
    code, text, outcome = merge.ask(base, base.replace(b"line 1", b"one"), base.replace(b"line 7", b"seven"))
    assert code == 0 and "one" in text and "seven" in text and "merged as text" in outcome.err
    twins = b"id,v\n1,a\n1,b\n"
    code, _, outcome = merge.ask(twins, twins + b"2,c\n", twins, "--key=id")
    assert code == 0 and "repeats" in outcome.err
    assert run("git-merge", "--key=id", "missing", "missing", "missing").code == 129
    for words in (["a", "b"], ["a", "b", "c", "x"], ["--nope"]):
        assert run("git-merge", *words).code == 2


def test_git_merges_branches(tmp_path: Path) -> None:
    def git(*args: str, code: int = 0) -> str:
        env = {**os.environ, "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(tmp_path)}
        done = subprocess.run(["git", *args], cwd=tmp_path, env=env, capture_output=True, timeout=PATIENCE)
        assert done.returncode == code, done
        return done.stdout.decode()

    def commit(text: str) -> None:
        (tmp_path / "t.csv").write_text(text)
        git("add", "-A")
        git("-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "c")

    git("init", "-q", "-b", "main")
    git("config", "merge.csv.driver", f"{program()} git-merge --key id %O %A %B %L %P")
    git("config", "user.name", "n")
    git("config", "user.email", "e")
    (tmp_path / ".gitattributes").write_text("*.csv merge=csv\n")
    commit("id,v,w\n1,a,a\n2,b,b\n")
    git("checkout", "-qb", "other")
    commit("id,v,w\n1,a,z\n2,b,b\n3,c,c\n")
    git("checkout", "-q", "main")
    commit("id,v,w\n1,y,a\n2,b,b\n4,d,d\n")
    git("merge", "-q", "-m", "m", "other")
    assert (tmp_path / "t.csv").read_text() == "id,v,w\n1,y,z\n2,b,b\n4,d,d\n3,c,c\n"
    git("checkout", "-q", "other")
    commit("id,v,w\n1,q,z\n2,b,b\n3,c,c\n")
    git("checkout", "-q", "main")
    assert "CONFLICT" in git("merge", "-q", "-m", "m", "other", code=1)
    assert ">>>>>>> theirs" in (tmp_path / "t.csv").read_text()
