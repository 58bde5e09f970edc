"""`listd diff` with values that count as equal, the options of other programs, and ragged CSV."""

# Promise: Values are compared with tolerances, and options mean what they mean to GNU diff.

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any, List

import pytest

from client import PATIENCE
from command import Files

pytestmark = pytest.mark.needs("listd diff")


@pytest.mark.parametrize("old, new, tolerance, same", [
    ("1.00", "1.01", "0.01", True), ("1.00", "1.02", "0.01", False), ("1e3", "1001", "1", True),
    ("-1", "1", "2", True), ("x", "y", "5", False), ("", "0", "1", False), ("10", "10.0", "0", True),
])  # fmt: skip
def test_a_tolerance(files: Files, old: str, new: str, tolerance: str, same: bool) -> None:
    args = ["--tolerance", tolerance]
    table = [f"id,v\n1,{value}\n".encode() for value in (old, new)]
    assert files.ask(*table, "--key=id", "--input=csv", *args).code == int(not same)
    if old and new:
        lines = [f"a {value}\n".encode() for value in (old, new)]
        assert files.ask(*lines, "--key-field=1", *args).code == int(not same)
    if old[-1:].isdigit() and new[-1:].isdigit():
        rows = [f'[{{"id":1,"v":[{value}]}}]'.encode() for value in (old, new)]
        assert files.ask(*rows, "--key=id", *args).code == int(not same)


def test_tolerances_that_make_no_sense(files: Files) -> None:
    for wrong in ("-1", "x", "nan", "inf"):
        assert files.ask(b"", b"", f"--tolerance={wrong}").code == 2


SPACES = [
    ("a b", "a  b", "b"), ("a b", "a b  ", "b"), ("a b", " ab", "w"), ("a\tb", "a b", "b"), ("a b", "a b\r", "b"),
    ("A b", "a B", "i"), ("É", "é", "i"), ("A b", "ab", "iw"),
]  # fmt: skip


@pytest.mark.parametrize("old, new, options", SPACES)
def test_space_and_capitals(files: Files, old: str, new: str, options: str) -> None:
    text = [f"x\n{value}\ny\n".encode() for value in (old, new)]
    rows = [[{"id": 1, "v": [value]}] for value in (old, new)]
    table = [f'id,v\n1,"{value}"\n'.encode() for value in (old, new)]
    for sides, args in ((text, []), (rows, ["--key=id"]), (table, ["--key=id", "--input=csv"])):
        assert files.ask(*sides, *args, f"-{options}").code == 0, args
        assert files.ask(*sides, *args).code == 1
        for fewer in ("bwi" if "b" in options else "wi").replace("w", "" if "b" in options else "w"):
            if fewer not in options:
                assert files.ask(*sides, *args, f"-{fewer}").code == 1 or "i" == fewer == options
    long = {"b": "--ignore-space-change", "w": "--ignore-space", "i": "--ignore-case"}
    assert files.ask(*text, *(long[option] for option in options)).code == 0


def test_a_patch_without_differences_of_space(files: Files, tmp_path: Path) -> None:
    old = "".join(f"line {n}\n" for n in range(30))
    new = old.replace("line 3\n", "line   3\n").replace("line 5\n", "other 5\n").replace("line 29\n", "  line 29")
    answer = files.ask(old.encode(), new.encode(), "-uw")
    assert b"line   3" not in answer.out and b"+other 5" in answer.out
    (tmp_path / "was").write_text(old)
    subprocess.run(
        ["patch", "-s", "--fuzz=0", "-o", tmp_path / "is", tmp_path / "was"],
        input=answer.out, check=True, timeout=PATIENCE,
    )  # fmt: skip
    assert (tmp_path / "is").read_text() == old.replace("line 5\n", "other 5\n")


def test_short_options(files: Files) -> None:
    old, new = b"".join(b"%d\n" % n for n in range(20)), b"".join(b"%d\n" % n for n in range(20) if n != 9)
    unified = files.ask(old, new, "--format=unified")
    assert files.ask(old, new, "-u") == files.ask(old, new, "-ru") == unified
    wanted = files.ask(old, new, "--format=unified", "--context=1")
    assert files.ask(old, new, "-U1") == files.ask(old, new, "-U", "1") == files.ask(old, new, "-rU", "1") == wanted
    assert files.ask(old, new, "-q").out.decode() == f"Files {files.old} and {files.new} differ\n"
    assert files.ask(old, old, "-q").out == b""
    for wrong in ("-z", "-uz", "-U", "-Ux"):
        answer = files.ask(old, new, wrong)
        assert answer.code == 2 and "try listd diff --help" in answer.err, wrong


def test_ragged_tables_are_read(files: Files) -> None:
    old = b'id,na"me,v\n1,a"b,x\n2,"c"d,y\n3\n4,e,z,more\n'
    new = old.replace(b'a"b', b'a"c').replace(b'"c"d', b"cd").replace(b"3\n", b"3,f\n").replace(b"more", b"less")
    answer = files.ask(old, new, "--key=id", "--input=csv")
    text = answer.out.decode()
    assert '~ 1  na"me: a"b → a"c' in text and '~ 3  na"me: (absent) → f' in text and "4: more → less" in text
    assert text.endswith("3 changed\n") and answer.err.count("line 4 has") == 2
    # A record without the key is identified by its whole text.
    rest = files.ask(b"a,id\n1,2\n3\n", b"a,id\n1,2\n4\n", "--key=id", "--input=csv").out.decode()
    assert "- 3" in rest and "+ 4" in rest


def test_labels_are_the_names_in_the_output(files: Files) -> None:
    for form in ("--context=3", "-u"):
        text = files.ask(b"a\n", b"b\n", form, "--label=one", "--label", "two words").out.decode()
        assert text.startswith("--- one\n+++ two words")
    assert files.ask(b"a\n", b"b\n", "--label=one").out.decode().startswith(f"--- one\n+++ {files.new}\n")
