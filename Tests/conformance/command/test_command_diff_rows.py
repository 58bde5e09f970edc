"""`listd diff` of rows as programs write them: which member or column identifies them."""

from __future__ import annotations

from typing import Any, List

import pytest

from command import Files

pytestmark = pytest.mark.needs("listd diff")


LISTING = b"total 8\n-rw-r--r-- 1 root root 12 Nov 1 10:00 a\n-rw-r--r-- 1 root root 3 Nov 2 10:00 b\n"


def test_lines_without_the_column_are_text(files: Files) -> None:
    new = LISTING.replace(b"total 8", b"total 12").replace(b" 12 ", b" 99 ")
    answer = files.ask(LISTING, new, "--key-field", "9")
    text = answer.out.decode()
    assert "~ a  5: 12 → 99" in text and "- total 8" in text and "+ total 12" in text
    assert answer.err.count("line 1 has 2 columns, and no column 9") == 2
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
