"""`listd diff`: two files, for people and for programs."""

# Promise: `listd diff` reports differences for people and programs, and by its exit code. Also `LineTests`,
#   `DrawingTests`.

from __future__ import annotations

import copy
import random
import re
import subprocess
from pathlib import Path
from typing import Any, List

import jsonpatch
import pytest

from apply_ops import Contents, apply_ops, apply_stages
from client import PATIENCE, program
from command import Files, on_a_terminal, run_diff
from format_cases import contents, edited, plain, rendered, snapshot
from text_edits import apply_edits
from values import same, sects

pytestmark = pytest.mark.needs("listd diff")


def lines(text: bytes) -> List[str]:
    if not text:
        return []
    return (text[:-1] if text.endswith(b"\n") else text).decode().split("\n")


def text_of(rng: random.Random) -> bytes:
    kinds = ["", "a", "b", "c", "d\re", "é", '"\\\t', "{x"]
    words = [rng.choice(kinds) for _ in range(rng.randrange(9))]
    return "\n".join(words).encode() + rng.choice([b"\n", b""])


def variant(rng: random.Random, text: bytes) -> bytes:
    words = lines(text)
    for _ in range(rng.randrange(3)):
        words.insert(rng.randint(0, len(words)), rng.choice(["", "new", "a"]))
        if rng.random() < 0.5:
            words.pop(rng.randrange(len(words)))
    return "\n".join(words).encode() + rng.choice([b"\n", b""])


def test_lines_in_every_format(files: Files, rng: random.Random) -> None:
    for _ in range(60):
        old = text_of(rng)
        new = variant(rng, old) if rng.random() < 0.7 else text_of(rng)
        a, b = lines(old), lines(new)
        doc = sects([{"id": "main", "items": a}])
        stages, ops, patch, edits = (
            files.change(old, new, name) for name in ("stages", "ops", "jsonPatch", "textEdits")
        )
        for got in (apply_stages(doc, stages, Contents()), apply_ops(doc, ops)):
            assert [row.content for row in got[0].rows] == b, (old, new, stages, ops)
        snapshot = {"sections": [{"id": "main", "items": a}]}
        patched = jsonpatch.apply_patch(snapshot, patch)
        assert patched["sections"][0]["items"] == b, (old, new, patch)
        shown = [
            "".join(line + "\n" for word in words for line in re.split("\n|\r", word))
            for words in (a, b)
        ]
        assert apply_edits(shown[0], edits) == shown[1], (old, new, edits)
        for name in ("none", "stages"):
            assert files.ask(old, new, "--format", name).code == int(old != new)
        people = files.ask(old, new)
        assert people.code == int(old != new) and bool(people.out) == (old != new), (old, new)


def test_snapshots_in_every_format(files: Files, rng: random.Random) -> None:
    for _ in range(40):
        old = snapshot(rng)
        new = edited(rng, old)
        patch = files.change({"sections": old}, {"sections": new}, "jsonPatch")
        got = jsonpatch.apply_patch({"sections": copy.deepcopy(old)}, patch)
        got, wanted = (plain(contents(sects(side))) for side in (got["sections"], new))
        assert same(got, wanted)
        edits = files.change({"sections": old}, {"sections": new}, "textEdits")
        texts = [
            "".join(line + "\n" for _, block in rendered(side) for line in block)
            for side in (old, new)
        ]
        assert apply_edits(texts[0], edits) == texts[1]
        people = files.ask({"sections": old}, {"sections": new})
        assert people.code in (0, 1) and bool(people.out) == bool(people.code)


def test_the_drawing(files: Files) -> None:
    answer = files.ask(b"a\nb\nc\nd\ne\nf\n", b"f\na\nc\nd\ne\nX\n").out.decode()
    assert answer.splitlines() == [
        f"--- {files.old}",
        f"+++ {files.new}",
        "@@ -1,6 +1,6 @@",
        " 6 →  1  > f",
        " 1    2    a",
        " 2       - b",
        " 3    3    c",
        " 4    4    d",
        " 5    5    e",
        " 6 →  1  < f",
        "      6  + X",
        "1 deleted, 1 inserted, 1 moved",
    ]


def test_the_drawing_of_sections(files: Files) -> None:
    old = [{"id": "s", "items": [{"id": 1, "v": 1}, 2]}, {"id": "t", "items": ["x"]}]
    new = [{"id": "t", "items": ["x", 2]}, {"id": "s", "items": [{"id": 1, "v": 2}]}]
    answer = files.ask({"sections": old}, {"sections": new}).out.decode()
    assert "~ 1  v: 1 → 2" in answer and '> 2  (from {"id":"s"})' in answer
    assert answer.splitlines()[-1] == "1 moved, 1 changed; sections: 1 moved"
    whole = files.ask({"sections": old}, {"sections": new}, "--whole").out.decode()
    assert '{"id": 1, "v": 1}' in whole and '{"id": 1, "v": 2}' in whole


def test_far_from_the_change_nothing_is_shown(files: Files) -> None:
    words = [str(n) for n in range(1000)]
    old = "\n".join(words).encode()
    new = "\n".join(words[:500] + ["new"] + words[500:900] + words[901:]).encode()
    for context in range(5):
        answer = files.ask(old, new, f"--context={context}").out.decode().splitlines()
        assert len(answer) == 2 + 2 * (1 + 2 * context + 1) + 1, answer
        assert answer[3 + context] == "      501  + new" and answer[-2 - context] == "901        - 900"
    assert files.ask(old, new).out == files.ask(old, new, "--context", "3").out


def test_colour_is_for_terminals(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert b"\x1b" not in files.ask(b"a\n", b"b\n").out
    assert b"\x1b[32m" in on_a_terminal(files) and b"\x1b[31m" in on_a_terminal(files)
    assert b"\x1b" not in on_a_terminal(files, NO_COLOR="1")
    assert b"\x1b" not in on_a_terminal(files, TERM="dumb")


def test_kinds_of_files(files: Files) -> None:
    snapshot = {"items": ["a", "b"]}
    assert files.ask(snapshot, b"a\nb\n").code == 0
    assert files.ask(b"\n {}\n", b"\n {}\n").code == 0
    assert files.ask(b'{"name": 1}\n', b'{"name": 2}\n').code == 1
    # An object with other members is a document, of which nothing is ignored.
    assert files.ask({**snapshot, "list": "l", "revision": 3}, snapshot).code == 1
    a, b = ({**snapshot, "kind": kind} for kind in "ab")
    assert files.ask(a, b).code == 1 and files.ask(a, a).code == 0
    log = b'{"items":[1],"ts":1}\n{"items":[2],"ts":2}\n'
    assert files.ask(log, log).code == 0 and files.ask(log, log[:-1]).code == 1
    assert files.ask({"items": []}, {"sections": []}).code == 1
    assert files.ask(b"", {"items": []}).code == 0


def test_trouble(files: Files) -> None:
    twins = {"items": [{"id": 1}, {"id": 1}]}
    for old, new in (
        (twins, {"items": []}), ({"items": [1]}, b'{"items": [1'), ({"items": 1}, {"items": []}),
        ({"items": [], "sections": []}, {"items": []}),
    ):  # fmt: skip
        answer = files.ask(old, new)
        assert answer.code == 2 and answer.out == b"" and answer.err.startswith("listd: ")
    wrong = (["--format", "opps"], ["--format"], [files.old], ["x", "y", "z"], [files.old, "/"])
    for args in wrong:
        assert run_diff(*args).code == 2


def test_a_file_may_be_named_like_an_option(tmp_path: Path) -> None:
    for name in ("-a", "-b"):
        (tmp_path / name).write_text(name)
    done = subprocess.run(
        [program(), "diff", "--", "-a", "-b"], cwd=tmp_path, capture_output=True, timeout=PATIENCE
    )
    assert done.returncode == 1 and b"1 deleted, 1 inserted" in done.stdout


@pytest.mark.parametrize("args", [
    ["--format=stages"], ["--format=ops"], ["--format=jsonPatch"], ["--format=textEdits"],
    ["--input=json"], ["--input=ndjson", "--key=id"], ["--input=snapshot"],
])  # fmt: skip
def test_what_is_not_utf_8_is_not_json(files: Files, args: List[str]) -> None:
    for old, new in [(b"a\xff\n", b"b\n"), (b"b\n", b"a\xe9"), (b"\xc0\x80", b"\xc0\x80\n"),
        (b'{"items":["\xed\xa0\x80"]}', b"")]:  # fmt: skip
        if args[0][-4:] in ("shot", "json") and old == b"b\n":
            continue
        answer = files.ask(old, new, *args)
        assert answer.code == 2 and answer.out == b"" and "UTF-8" in answer.err


def test_a_byte_order_mark_is_not_part_of_values(files: Files) -> None:
    mark = b"\xef\xbb\xbf"
    snapshot = b'{"items":["a","b"]}'
    for old, new in [(mark + snapshot, snapshot), (snapshot, mark + b"a\nb\n")]:
        for args in ([], ["--format=ops"], ["--format=none"]):
            assert files.ask(old, new, *args).code == 0
    # In text it is reported, because the files differ; no item contains it.
    assert files.ask(mark + b"a\nb\n", b"a\nb\n").code == 1
    answer = files.change(mark + b"a\nb\n", b"x\na\nb\n", "textEdits")
    assert [edit["newText"] for edit in answer] == ["x\n"]


@pytest.mark.parametrize("text", [b'{"items":["a","b"', b'{"items": [1, 2,]}', b'{"items":[]} x',
    b' {"x": 1, "sections": [{"id":1,"items":[]}', b'{"sections":['])  # fmt: skip
def test_a_snapshot_that_is_cut_off_is_trouble(files: Files, text: bytes) -> None:
    for old, new in [(text, b"a\n"), (b'{"items":[]}', text), (text, text + b" ")]:
        for args in ([], ["--format=stages"], ["--format=none"]):
            answer = files.ask(old, new, *args)
            assert answer.code == 2 and answer.out == b"" and "JSON" in answer.err


def test_a_text_may_begin_with_a_bracket(files: Files) -> None:
    for text in (b"[section]\nkey = 1\n", b"{\n  color: red;\n}\n", b'{"name": "x",\n', b"[1, 2\n"):
        answer = files.ask(text, text + b"z\n")
        assert answer.code == 1 and answer.err == "" and b"+ z" in answer.out


def test_equal_sides_have_no_change_in_any_format(files: Files) -> None:
    old = {"sections": [{"id": 1, "header": None, "items": [{"id": 1, "text": 1.0}]}]}
    new = {"sections": [{"id": 1, "items": [{"id": 1, "text": 1}]}]}
    for name in ("stages", "ops", "jsonPatch", "textEdits"):
        assert files.change(old, new, name) == []
    assert files.ask(old, new).code == 0
