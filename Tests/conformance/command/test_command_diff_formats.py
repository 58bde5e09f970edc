"""`listd diff --format unified` and `html`, and the drawing, read by other programs."""

from __future__ import annotations

import html.parser
import random
import re
import shutil
import subprocess
from pathlib import Path
from typing import List

import pytest

from client import PATIENCE, program
from command import Files, check_policy, on_a_terminal, run_diff

pytestmark = pytest.mark.needs("listd diff")


def text_of(rng: random.Random, words: List[str], count: int) -> bytes:
    text = "\n".join(rng.choice(words) for _ in range(count)).encode()
    return text + rng.choice([b"\n", b"\n", b""])


def shuffled_blocks(rng: random.Random, text: bytes) -> bytes:
    """Moves, deletes and inserts some lines."""
    lines = text.split(b"\n")
    for _ in range(rng.randrange(4)):
        start = rng.randint(0, len(lines))
        block = lines[start : start + rng.randrange(12)]
        del lines[start : start + len(block)]
        place = rng.randint(0, len(lines))
        lines[place:place] = block if rng.random() < 0.7 else [b"new", b"", b"}"]
    return b"\n".join(lines)


def pairs(rng: random.Random) -> List[tuple]:
    few = ["", "a", "b", "}", "  return x", "é"]
    many = [f"line {n} of many words {n * n}" for n in range(200)]
    made = [(b"", b""), (b"", b"a"), (b"a", b""), (b"a", b"a\n"), (b"\n", b""), (b"a\r\n", b"a\n")]
    for _ in range(120):
        old = text_of(rng, rng.choice([few, many, few + many]), rng.choice([1, 5, 60, 400]))
        new = shuffled_blocks(rng, old) if rng.random() < 0.8 else text_of(rng, few, 20)
        made.append((old, new))
    return made


# Promise: `patch` and `git apply` turn the old file into the new one with a unified diff. Also
#   `test_git_applies_what_is_printed`.
def test_patch_applies_what_is_printed(files: Files, rng: random.Random, tmp_path: Path) -> None:
    result = tmp_path / "result"
    for old, new in pairs(rng):
        context = rng.choice(["0", "1", "3", "5"])
        answer = files.ask(old, new, "--format=unified", "--context", context)
        assert answer.code == int(old != new) and bool(answer.out) == (old != new)
        if old == new:
            continue
        result.write_bytes(old)
        done = subprocess.run(
            ["patch", "--silent", "--fuzz=0", "-o", str(tmp_path / "out"), str(result)],
            input=answer.out, capture_output=True, timeout=PATIENCE,
        )  # fmt: skip
        assert done.returncode == 0, (done.stdout, answer.out, old, new)
        assert (tmp_path / "out").read_bytes() == new, (answer.out, old, new)


def test_git_applies_what_is_printed(tmp_path: Path, rng: random.Random) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    for n, (old, new) in enumerate(pairs(rng)[:40]):
        if old == new or not old or not new:
            continue
        for side, text in (("a", old), ("b", new)):
            (tmp_path / side).mkdir(exist_ok=True)
            (tmp_path / side / f"f {n}").write_bytes(text)
        patch = subprocess.run(
            [shutil.which("env") or "env", "-C", str(tmp_path), program(), "diff",
             "--format=unified", f"a/f {n}", f"b/f {n}"], capture_output=True, timeout=PATIENCE,
        ).stdout  # fmt: skip
        (tmp_path / f"f {n}").write_bytes(old)
        subprocess.run(
            ["git", "apply", "--whitespace=nowarn"], cwd=tmp_path, input=patch, check=True
        )
        assert (tmp_path / f"f {n}").read_bytes() == new


class Page(html.parser.HTMLParser):
    """Collects the rows of a page, and checks that all elements are closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: List[List[str]] = []
        self.open: List[str] = []
        self.classes: List[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list) -> None:
        if tag in ("meta",):
            return
        assert tag not in ("link", "img") and "src" not in dict(attrs), "the page stands alone"
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
            self.classes.append(dict(attrs).get("class") or "")
        if tag == "td":
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "td" in self.open:
            self.rows[-1][-1] += data


def test_a_page(files: Files) -> None:
    old = b"keep\nthis\nold <b>&amp; word\nmoved line of text\nx\ny\nz\n"
    new = b"moved line of text\nkeep\nthis\nnew <b>&amp; word\nx\ny\nz\n"
    answer = files.ask(old, new, "--format=html")
    page = Page(answer.out.decode())
    assert answer.code == 1 and page.open == []
    check_policy(answer.out.decode())
    rows = {tuple(row[:2]) + (row[3],) for row in page.rows if len(row) == 4}
    assert ("3", "", "old <b>&amp; word") in rows and ("", "4", "new <b>&amp; word") in rows
    assert "arrived" in page.classes and "departed" in page.classes
    assert "<del>old</del>" in answer.out.decode() and "<ins>new</ins>" in answer.out.decode()
    assert files.ask(old, old, "--format=html").out == b""


def test_a_page_of_a_table(files: Files) -> None:
    old = b'id,name,note\n1,Ann,"a, b"\n2,Bob,<i>\n3,Cleo,\n'
    new = b'id,name,note\n1,Ann,"a, c"\n3,Cleo,\n4,Dan,x\n'
    text = files.ask(old, new, "--key=id", "--input=csv", "--format=html").out.decode()
    rows = [tuple(row) for row in Page(text).rows]
    check_policy(text)
    assert re.findall('<th scope="col">(.*?)</th>', text)[3:] == ["id", "name", "note"]
    assert not any("id" in row for row in rows), "the names of the columns are not a row"
    assert ("2", "2", "~", "1", "Ann", "a, b → a, c") in rows and "<del>a, b</del> → <ins>a, c</ins>" in text
    assert ("3", "", "−", "2", "Bob", "<i>") in rows and ("", "4", "+", "4", "Dan", "x") in rows
    # Changed names are a row.
    renamed = files.ask(old, new.replace(b"note", b"remark"), "--key=id", "--input=csv", "--format=html").out.decode()
    assert "note" in renamed and "remark" in renamed
    # Files with other columns are drawn as text.
    other = files.ask(old, b"id,name\n1,Ann\n", "--key=id", "--input=csv", "--format=html").out.decode()
    assert {len(row) for row in Page(other).rows} <= {0, 4}


def test_a_page_of_json(files: Files) -> None:
    old = [{"id": 1, "name": "a", "tags": ["x", "y"]}, {"id": 2, "name": "b"}, {"id": 3, "name": "c"}]
    new = [{"id": 3, "name": "c"}, {"id": 1, "name": "a", "tags": ["x", "z"], "more": "<i>"}, {"id": 4}]
    text = files.ask(old, new, "--key=id", "--format=html").out.decode()
    rows = [tuple(row) for row in Page(text).rows]
    assert re.findall('<th scope="col">(.*?)</th>', text)[3:] == ["id", "name", "tags", "more"]
    assert ("1", "2", "~", "1", "a", "[1]: y → z", '(absent) → "<i>"') in rows
    assert ("2", "", "−", "2", "b", "", "") in rows and ("", "3", "+", "4", "", "", "") in rows
    assert "<b>4</b>" in text
    # Members of an object by their names, and the text around them.
    document = {"n": 1, "items": [{"id": 1, "v": 1}]}, {"n": 2, "items": [{"id": 1, "v": 2}]}
    rows = [tuple(row) for row in Page(files.ask(*document, "--key=id", "--format=html").out.decode()).rows]
    assert ("1", "1", "~", "1", "1 → 2") in rows and ("", "", "~", "(document)  n: 1 → 2") in rows
    named = {"a": {"v": 1}, "b": {"v": 2}}, {"a": {"v": 1}, "b": {"v": 3}}
    rows = [tuple(row) for row in Page(files.ask(*named, "--input=json", "--format=html").out.decode()).rows]
    assert ("2", "2", "~", "b", "2 → 3") in rows
    # Rows that are not flat, or not alike, are drawn as text.
    nested = [[{"id": 1, "a": {"b": n}, "c": [1]}] for n in (1, 2)]
    many = [[{"id": i, f"m{i}": n} for i in range(30)] for n in (1, 2)]
    for pair in (nested, many, [[1, {"a": 1}], [2, {"a": 1}]]):
        text = files.ask(*pair, "--input=json", "--format=html").out.decode()
        assert {len(row) for row in Page(text).rows} <= {0, 4} and 'class="cells"' not in text


def test_trivial_lines_do_not_move(files: Files) -> None:
    def function(name: str) -> str:
        return f"func {name}() {{\n  if {name} {{\n    return\n  }}\n}}\n\n"

    names = "abcdefghij"
    old = "".join(map(function, names))
    new = "".join(map(function, "bcdea")) + "".join(map(function, "fghij"))
    answer = files.ask(old.encode(), new.encode()).out.decode()
    assert answer.endswith("6 moved\n") or answer.endswith("moved\n")
    marked = [line for line in answer.splitlines() if "  > " in line]
    assert any("func a()" in line for line in marked)
    # A brace alone does not move.
    alone = files.ask(b"a\n}\nb\nc\nd\n", b"a\nb\nc\nd\n}\n").out.decode()
    assert alone.endswith("1 deleted, 1 inserted\n")


def test_control_characters_are_shown(files: Files) -> None:
    answer = files.ask(b"a\x1b[31mred\n", "b\x07\u202eb\u200b\x9b\n".encode()).out.decode()
    assert "\x1b" not in answer and "a\\u001b[31mred" in answer and "b\\u0007\\u202eb\\u200b\\u009b" in answer


def test_lines_are_cut_to_the_width(files: Files) -> None:
    wide = "漢字" * 60
    answer = files.ask(wide.encode(), (wide + "x").encode(), "--width", "40").out.decode()
    for line in answer.splitlines():
        columns = sum(2 if ord(c) > 0x2E80 else 1 for c in line)
        assert columns <= 40 or line.startswith(("---", "+++")), line
    assert "…" in answer


def test_words_are_marked_on_a_terminal(files: Files) -> None:
    files.ask(b"the quick brown fox\n", b"the slow brown fox\n")
    seen = on_a_terminal(files)
    assert b"quick" in seen and b"the quick" not in seen and b" brown fox" in seen


def test_differences_in_the_end_of_the_last_line(files: Files) -> None:
    answer = files.ask(b"a\nb", b"a\nb\n")
    assert answer.code == 1 and "\\ No newline at end of file" in answer.out.decode()


def test_a_closed_output_is_not_an_error(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"".join(b"%d\n" % n for n in range(200_000)))
    (tmp_path / "new").write_bytes(b"")
    done = subprocess.run(
        ["bash", "-c", f"{program()} diff old new | head -1; exit ${{PIPESTATUS[0]}}"],
        cwd=tmp_path, capture_output=True, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 1 and done.stdout == b"--- old\n" and done.stderr == b""
    full = run_diff("--quiet", "/dev/full", "/dev/full")
    assert full.code in (0, 2)
    with open("/dev/full", "wb") as sink:
        answer = subprocess.run(
            [program(), "diff", "old", "new"], cwd=tmp_path, stdout=sink,
            stderr=subprocess.PIPE, timeout=PATIENCE,
        )  # fmt: skip
    assert answer.returncode == 2 and b"No space left" in answer.stderr




DEEP = "[" * 508 + "%s" + "]" * 508
SNAPSHOTS = [
    # As deep as a message may be.
    ('{"items":[{"id":1,"x":%s}]}' % (DEEP % ""), '{"items":[{"id":1,"x":%s}]}' % (DEEP % "1"), 1),
    # An empty object counts as an empty array.
    ('{"items":{}}', '{"items":["a"]}', 1),
    ('{"items":{}}', '{"items":[]}', 0),
    ('{"sections":{}}', '{"sections":[{"id":1,"items":{}}]}', 1),
    # Items without rows.
    ('{"items":[{"id":"x","parts":[]}]}', '{"items":[]}', 1),
    ('{"items":[{"id":"x","parts":[],"a":1}]}', '{"items":[{"id":"x","parts":[],"a":2}]}', 1),
    (
        '{"items":[{"id":"x","parts":[]},{"id":"y","parts":[]}]}',
        '{"items":[{"id":"y","parts":[]},{"id":"x","parts":[]}]}',
        1,
    ),
]


@pytest.mark.parametrize("old, new, code", SNAPSHOTS)
@pytest.mark.parametrize(
    "args", [[], ["--stat"], ["--whole"], ["--format=html"], ["--format=jsonPatch"], ["--quiet"]]
)
def test_unusual_snapshots(files: Files, old: str, new: str, code: int, args: List[str]) -> None:
    for left, right in ((old, new), (new, old)):
        answer = files.ask(left.encode(), right.encode(), *args)
        assert answer.code == code, answer.err
        if "--quiet" not in args and "--format=jsonPatch" not in args:
            assert bool(answer.out) == (code == 1)
