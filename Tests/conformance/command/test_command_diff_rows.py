"""`listd diff` of rows as programs write them: which member or column identifies them."""

# Promise: Rows of the output of programs are identified as they are written.

from __future__ import annotations

from pathlib import Path
from typing import Any, List

import pytest

from command import Files, run_diff

pytestmark = pytest.mark.needs("listd diff")


LISTING = b"total 8\n-rw-r--r-- 1 root root 12 Nov 1 10:00 a\n-rw-r--r-- 1 root root 3 Nov 2 10:00 b\n"


def test_lines_without_the_column_are_text(files: Files) -> None:
    new = LISTING.replace(b"total 8", b"total 12").replace(b" 12 ", b" 99 ")
    answer = files.ask(LISTING, new, "--key-field", "9")
    text = answer.out.decode()
    assert "~ a  5: 12 → 99" in text and "- total 8" in text and "+ total 12" in text
    assert answer.err.count("line 1 has no column 9, only 2") == 2
    assert text.endswith("1 deleted, 1 inserted, 1 changed\n")
    # Only keys are reported if they repeat.
    blank = b"\n\n" + LISTING + b"--\n--\n"
    assert "repeats" not in files.ask(blank, blank + b"--\n", "--key-field=9").err


def test_separators(files: Files) -> None:
    old = b"root:x:0:0:root, admin:/root:/bin/sh\r\nuser:x:1000::,,,:/home/user:/bin/sh\r\n"
    new = old.replace(b"/home/user:/bin/sh", b"/home/user:/bin/zsh")
    for args in (["--key-field=1", "--separator", ":"], ["--key-field=1,3", "-d:"], ["--key=1", "-d", ":"]):
        answer = files.ask(old, new, *args)
        assert answer.err == "" and answer.out.decode().endswith("1 changed\n"), (args, answer)
        assert "7: /bin/sh → /bin/zsh" in answer.out.decode()
    tabs = b"a b\t1\nc\t2\n"
    assert "~ a b  2: 1 → 3" in files.ask(tabs, b"a b\t3\nc\t2\n", "--key-field=1", "-d", "tab").out.decode()
    semicolons = b"id|v\n1|a,b\n"
    answer = files.ask(semicolons, b"id|v\n1|a,c\n", "--key=id", "--separator=|")
    assert "~ 1  v: a,b → a,c" in answer.out.decode()
    for wrong in ("", "ab", "é", "\n"):
        assert files.ask(b"", b"", "--key-field=1", f"--separator={wrong}").code == 2


def test_names_of_columns_of_text(files: Files) -> None:
    old = b"  PID %CPU COMMAND\n    1  0.0 init\n   20  9.5 vim notes one\n"
    new = b"  PID %CPU COMMAND\n    1  0.5 init\n   20  9.5 vim notes two\n"
    text = files.ask(old, new, "--key-field", "PID").out.decode()
    assert "~ 1  %CPU: 0.0 → 0.5" in text and "~ 20  COMMAND: vim notes one → vim notes two" in text
    ignored = files.ask(old, new, "--key-field=1", "--ignore=%CPU")
    assert ignored.err == "" and ignored.out.decode().endswith("\n1 changed\n")
    assert files.ask(old, new, "--key-field=2,1", "--ignore", "2").code == 1
    assert "no column \"USER\"" in files.ask(old, new, "--key-field=USER").err
    # Without names on both sides, there are only numbers.
    assert "2: 0.0 → 0.5" in files.ask(old, new.partition(b"\n")[2], "--key-field=1").out.decode()


@pytest.mark.parametrize("old, new, args", [
    (b"a 1\n", b"a 2\n", ["--key-field=1"]), (b"a\n", b"b\n", []),
    (b"id,v\n1,a\n", b"id,v\n1,b\n", ["--key=id"]), ([{"id": 1, "v": 1}], [{"id": 1, "v": 2}], ["--key=id"]),
    ({"items": [{"id": 1, "v": 1}]}, {"items": [{"id": 1, "v": 2}]}, []),
])  # fmt: skip
def test_a_pattern_that_ignores_nothing_is_noted(files: Files, old: Any, new: Any, args: List[str]) -> None:
    answer = files.ask(old, new, *args, "--ignore=nope.*")
    assert answer.code == 1 and answer.err.startswith("listd: note: --ignore") and answer.err.count("\n") == 1
    if args == ["--key=id"]:
        assert files.ask(old, new, *args, "--ignore=v").err == ""


def pods(*rows: Any) -> Any:
    return {"kind": "List", "items": [{"metadata": {"namespace": a, "name": b}, "v": v} for a, b, v in rows]}


@pytest.mark.parametrize("key, old, new", [
    ("id", [{"id": 1, "v": 1}, {"id": 2, "v": 1}], [{"id": 2, "v": 2}, {"id": 1, "v": 1}]),
    ("name", [{"name": "a", "v": 1}], [{"name": "a", "v": 2}]),
    ("name", [{"id": 1, "name": "a", "v": 1}, {"id": 1, "name": "b"}], [{"id": 1, "name": "a", "v": 2}]),
    ("metadata.name", pods(("x", "a", 1), ("y", "b", 1)), pods(("x", "a", 2), ("y", "b", 1))),
    ("metadata.namespace,metadata.name", pods(("x", "a", 1), ("y", "a", 1)), pods(("x", "a", 2), ("y", "a", 1))),
])  # fmt: skip
def test_a_key_is_found(files: Files, key: str, old: Any, new: Any) -> None:
    found, named = files.ask(old, new), files.ask(old, new, "--key", key)
    assert f"the key is {key}; --key none" in found.err and named.err == ""
    assert found.out == named.out and found.code == named.code == 1
    lines = files.ask(old, new, "--key=none")
    assert lines.err == "" and "@@ -1 +1 @@" in lines.out.decode()
    # A patch is about lines, and quiet files have a key, too.
    assert files.ask(old, new, "--format=unified").err == ""
    assert files.ask(old, old).code == 0


@pytest.mark.parametrize("old, new", [
    ([{"id": 1}, {"id": 1}], [{"id": 1}]), ([{"id": 1}], [{"id": 2}]), ([{"id": 1}, {"v": 1}], [{"id": 1}]),
    ([{"v": 1}], [{"v": 2}]), ({"id": 1, "v": 1}, {"id": 1, "v": 2}), ([1, 2], [1, 3]), (b'[{"id": 1}', b"[{]"),
])  # fmt: skip
def test_no_key_is_found(files: Files, old: Any, new: Any) -> None:
    answer = files.ask(old, new)
    assert answer.code == 1 and answer.err == "" and " @@" in answer.out.decode()


def test_a_key_of_tables_is_found_by_their_names(tmp_path: Path) -> None:
    old, new = tmp_path / "old.csv", tmp_path / "new.csv"
    old.write_text("name,Id,v\na,1,x\nb,2,y\n")
    new.write_text("name,Id,v\nb,2,y\na,1,z\n")
    answer = run_diff(old, new)
    assert "the key is Id;" in answer.err and "~ 1  v: x → z" in answer.out.decode()
    assert run_diff(old, new, "--unordered", "--stat").out == b"1 changed\n"
    assert run_diff(old, new, "--key=none").out.decode().count("@@") == 2
    assert run_diff(old, new, "--input=text").err == ""
    nothing = tmp_path / "empty.csv"
    nothing.write_text("")
    assert run_diff(nothing, new).out.decode().endswith("\n3 inserted\n")


def test_rows_may_be_inside_of_a_document(files: Files) -> None:
    old = {"version": 1, "packages": {"": {"v": 1}, "a/b": {"v": 1}}, "list": [{"n": "x", "v": 1}, {"n": "y"}]}
    new = {"version": 2, "packages": {"": {"v": 1}, "a/b": {"v": 2}}, "list": [{"n": "y"}, {"n": "x", "v": 2}]}
    text = files.ask(old, new, "--rows", "packages").out.decode()
    assert "~ a/b  v: 1 → 2" in text and "~ (document)  version: 1 → 2" in text and "list" in text
    text = files.ask({"d": old}, {"d": new}, "--rows=d.list", "--key=n").out.decode()
    assert "~ x  v: 1 → 2" in text and "d.packages.a/b.v: 1 → 2" in text and text.endswith("1 moved, 2 changed\n")
    changes = files.ask(old, new, "--rows=packages", "--format=ndjson").out.decode().splitlines()
    assert '{"op":"change","key":["a/b"],"from":2,"to":2,"fields":{"v":[1,2]}}' in changes
    for member in ("nope", "version"):
        answer = files.ask(old, new, "--rows", member)
        assert answer.code == 2 and f'no rows at "{member}"' in answer.err
    assert files.ask(old, new, "--rows=list", "--input=csv").code == 2


def rows(files: Files, old: Any, new: Any, *args: str) -> List[str]:
    """The rows of a drawing."""
    outcome = files.ask(old, new, *args)
    assert outcome.code == 1, outcome
    return [line.strip() for line in outcome.out.decode().splitlines()[2:] if not line.startswith("@@")]


CONTAINERS = [{"name": "a", "image": "1"}, {"name": "b", "image": "1"}]


def test_elements_of_arrays_are_paired_by_a_key(files: Files) -> None:
    new = [{"name": "i", "image": "9"}, {"name": "a", "image": "2"}, CONTAINERS[1]]
    old = [{"id": 1, "spec": {"c": CONTAINERS}}]
    assert rows(files, old, [{"id": 1, "spec": {"c": new}}]) == [
        "1    1  ~ 1  spec.c[a].image: 1 → 2",
        'spec.c[i]: (absent) → {"name": "i", "image": "9"}',
        "1 changed",
    ]
    swapped = [{"id": 1, "spec": {"c": CONTAINERS[::-1]}}]
    assert "~ 1  spec.c[]: [a, b] → [b, a]" in rows(files, old, swapped)[0]
    found = files.ask(old, swapped, "--format=ndjson").out.decode()
    assert '"fields":{"spec.c[]":[["a","b"],["b","a"]]}' in found
    assert files.ask(old, swapped, "--unordered").code == 0
    assert files.ask(old, [{"id": 1, "spec": {"c": new}}], "--ignore=spec.c.a.image,spec.c.i").code == 0
    # Elements without a key, or with a key that repeats, are paired by their positions.
    twins = [{"name": "a", "v": 1}, {"name": "a", "v": 2}]
    text = files.ask([{"id": 1, "c": twins}], [{"id": 1, "c": [twins[0], {"name": "a", "v": 3}]}]).out.decode()
    assert "~ 1  c[1].v: 2 → 3" in text


def test_rows_with_other_keys_are_other_things(files: Files) -> None:
    old, new = [{"id": 1}, {"id": 2, "text": "some words here"}], [{"id": 1}, {"id": 3, "text": "some words there"}]
    page = files.ask(old, new, "--format=html").out.decode()
    assert "<del>" not in page and "<ins>" not in page
    assert "<del>" in files.ask(old, new, "--format=html", "--key=none").out.decode()


@pytest.mark.parametrize("old, new, shown", [
    ("x y", "x  y", '"x y" → "x  y"'), ("x", " x", '"x" → " x"'), ("x", "x\t", '"x" → "x\\t"'), ("x y", "x z", "x y → x z"),
    ("", "x", '"" → "x"'),
])  # fmt: skip
def test_values_are_quoted_if_blanks_matter(files: Files, old: str, new: str, shown: str) -> None:
    text = files.ask([{"id": 1, "v": old}], [{"id": 1, "v": new}]).out.decode()
    assert f"v: {shown}\n" in text, text
    if old:
        table = [f'id,v\n1,"{value}"\n'.encode() for value in (old, new)]
        assert "v: " + shown.replace("\\t", "\t") + "\n" in files.ask(*table, "--key=id", "--input=csv").out.decode()


def test_members_beside_the_key(files: Files) -> None:
    old, new = ([{"id": 1, "name": {"first": "Ann"}, "v": v, "w": v}, {"id": 2}] for v in (1, 2))
    assert rows(files, old, new, "--show=name.first,id") == [
        "1    1  ~ 1  (Ann, 1)  v: 1 → 2", "w: 1 → 2", "2    2    2  {\"id\": 2}", "1 changed",
    ]  # fmt: skip
    assert '"show":{"name.first":"Ann"}' in files.ask(old, new, "--show=name.first", "--format=json").out.decode()
    answer = files.ask(old, new, "--show=nope")
    assert answer.code == 1 and "--show nope shows nothing" in answer.err
    table = b"id,name,v\n1,Ann,1\n"
    assert "~ 1  (Ann)  v: 1 → 2" in files.ask(
        table, b"id,name,v\n1,Ann,2\n", "--key=id", "--show=name", "--input=csv"
    ).out.decode()


def test_the_names_of_columns_are_repeated(files: Files) -> None:
    old = "id,v\n" + "".join(f"{n},a\n" for n in range(40))
    new = old.replace("\n5,a", "\n5,b").replace("\n30,a", "\n30,b")
    text = files.ask(old.encode(), new.encode(), "--key=id", "--input=csv").out.decode()
    assert text.count("@@\n           id,v\n") == 2
    first = files.ask(old.encode(), new.replace("\n0,a", "\n0,b").encode(), "--key=id", "--input=csv").out.decode()
    assert first.count("id,v\n") == 2 and first.splitlines()[3] == " 1    1    id,v"
    text = files.ask(old.encode(), new.encode(), "--key=id", "--input=csv", "--unordered").out.decode()
    assert text.count("id,v") == 1
