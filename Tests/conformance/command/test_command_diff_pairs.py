"""`listd diff` on everyday files: the drawing is what a person would expect."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import List

import pytest

from client import PATIENCE
from command import Files
from repository import ROOT, page

pytestmark = pytest.mark.needs("listd diff")

PACKAGES = """\
ii  bash           5.2.15-2+b2   amd64  GNU Bourne Again SHell
ii  libc6:amd64    2.36-9        amd64  GNU C Library: Shared libraries
ii  linux-image-1  6.1.27        amd64  Linux 6.1
rc  oldtool        1.0           amd64  was removed
ii  zlib1g:amd64   1:1.2.13      amd64  compression library
"""


def answer(files: Files, old: str, new: str, *args: str) -> List[str]:
    outcome = files.ask(old.encode(), new.encode(), *args)
    assert outcome.code == 1 and outcome.err == ""
    lines = outcome.out.decode().splitlines()
    changed = [line[9:] for line in lines[3:-1] if line[8:9] != " " or line[9:11] != "  "]
    return [line for line in changed if line[:2] in ("- ", "+ ", "~ ", "> ", "< ")] + lines[-1:]


def test_packages_before_and_after_an_upgrade(files: Files) -> None:
    new = PACKAGES.replace("2.36-9 ", "2.36-9+deb12u1 ").replace("ii  linux-image-1", "ii  linux-image-2")
    new = "".join(line for line in new.splitlines(True) if "oldtool" not in line)
    assert answer(files, PACKAGES, new, "--key-field", "2") == [
        "~ libc6:amd64  3: 2.36-9 → 2.36-9+deb12u1",
        "- ii  linux-image-1  6.1.27        amd64  Linux 6.1",
        "- rc  oldtool        1.0           amd64  was removed",
        "+ ii  linux-image-2  6.1.27        amd64  Linux 6.1",
        "2 deleted, 1 inserted, 1 changed",
    ]


def test_processes_by_their_number(files: Files) -> None:
    old = "  PID STAT  %CPU COMMAND\n    1 Ss     0.0 init\n  812 S      0.3 cron\n 2001 R     97.0 cc1\n"
    new = "  PID STAT  %CPU COMMAND\n 2002 R     91.0 cc1\n    1 Ss     0.0 init\n  812 R      0.9 cron\n"
    assert answer(files, old, new, "--key-field=1", "--ignore=3") == [
        "+  2002 R     91.0 cc1", "~ 812  STAT: S → R", "-  2001 R     97.0 cc1",
        "1 deleted, 1 inserted, 1 changed",
    ]  # fmt: skip


def test_an_export_with_notes_in_quotes(files: Files) -> None:
    old = 'id,name,note\n1,Ann,"likes ""tea"""\n2,Bob,"two\nlines"\n3,Cleo,\n'
    new = 'id,name,note\r\n3,Cleo,""\r\n1,"Ann","likes ""tea"""\r\n2,Bob,"two\nrows"\r\n'
    assert answer(files, old, new, "--key=id", "--input=csv") == [
        "> 3,Cleo,\"\"", "~ 2  note: two\\nlines → two\\nrows", "< 3,Cleo,", "1 moved, 1 changed",
    ]  # fmt: skip


def test_a_lock_file(files: Files) -> None:
    packages = {
        "": {"name": "app", "dependencies": {"left": "^1.0.0"}},
        "node_modules/left": {"version": "1.0.0", "integrity": "sha512-AAAA"},
        "node_modules/right": {"version": "2.0.0", "integrity": "sha512-BBBB"},
    }
    changed = {key: dict(value) for key, value in packages.items()}
    changed["node_modules/left"].update(version="1.0.1", integrity="sha512-CCCC")
    old, new = (
        json.dumps({"name": "app", "lockfileVersion": 3, "packages": all}, indent=2)
        for all in (packages, changed)
    )
    lines = files.ask(old.encode(), new.encode(), "--input=json").out.decode().splitlines()
    assert [line.strip() for line in lines[-3:]] == [
        "3    3  ~ packages  node_modules/left.version: 1.0.0 → 1.0.1",
        "node_modules/left.integrity: sha512-AAAA → sha512-CCCC",
        "1 changed",
    ]


def test_a_function_that_moved(files: Files) -> None:
    def function(name: str, lines: int) -> str:
        body = "".join(f"    total += {name}_{n}(x)\n" for n in range(lines))
        return f"def {name}(x):\n    total = 0\n{body}    return total\n\n\n"

    parts = [function(name, 4) for name in ("alpha", "beta", "gamma", "delta")]
    old, new = "".join(parts), "".join([parts[2], parts[0], parts[1], parts[3]])
    lines = answer(files, old, new)
    # The one function moves, not the two that it passes; common lines may be kept.
    moved = [line for line in lines if line.startswith("> ")]
    assert moved[0] == "> def gamma(x):" and moved[2:6] == [
        f">     total += gamma_{n}(x)" for n in range(4)
    ]
    assert lines[-1] == f"{len(moved)} moved" and len(moved) <= 9


def changed(patch: bytes) -> int:
    """The number of changed lines of a patch of one file."""
    text = patch.decode()
    return sum(line[:1] in "+-" for line in text[text.find("\n@@") + 1 :].splitlines() if line)


def test_blocks_among_similar_ones(files: Files, rng: random.Random) -> None:
    """No more lines change than in git's patches, and their hunks are hardly more."""

    def package(name: int) -> str:
        needs = "".join(f"      p{n}: {n % 9}.0.0\n" for n in range(name, name + name % 4))
        return (
            f"  /p{name}@{name % 5}.0.{name % 11}:\n    resolution: {{integrity: {name * 7919:x}}}\n"
            f"    engines: {{node: '>={10 + name % 3 * 2}'}}\n    dev: {str(name % 2 > 0).lower()}\n"
            + (f"    dependencies:\n{needs}" if needs else "") + "\n"
        )  # fmt: skip

    for share in (0.02, 0.1, 0.4):
        names = rng.sample(range(2_000), 900)
        kept = [name for name in names if rng.random() > share]
        added = {name for name in rng.sample(range(2_000), int(900 * share)) if name not in names}
        sides = [sorted(names), sorted({*kept, *added})]
        old, new = ("".join(map(package, side)).encode() for side in sides)
        ours = files.ask(old, new, "--format=unified").out
        for how in ("--histogram", "--minimal", "--diff-algorithm=myers"):
            theirs = subprocess.run(
                ["git", "diff", "--no-index", "--no-color", how, files.old, files.new],
                capture_output=True, timeout=PATIENCE,
            ).stdout  # fmt: skip
            assert changed(ours) <= changed(theirs), how
            assert "myers" in how or ours.count(b"\n@@") <= theirs.count(b"\n@@") + 1, how


def history(path: str) -> List[bytes]:
    """The versions of a file of this repository after each of its last commits."""
    def git(*args: str) -> bytes:
        return subprocess.run(
            ["git", "-C", str(ROOT), *args], capture_output=True, timeout=PATIENCE
        ).stdout  # fmt: skip

    commits = git("log", "-8", "--format=%H", "--", path).decode().split()
    return [git("show", f"{commit}:{path}") for commit in reversed(commits)]


@pytest.mark.parametrize("path", ["protocol.md", "README.md", "Package.swift", "Tests/README.md"])
def test_the_history_of_this_repository(files: Files, tmp_path: Path, path: str) -> None:
    page(path)
    texts = history(path)
    for old, new in zip(texts, texts[1:]):
        patch = files.ask(old, new, "--format=unified")
        assert patch.code == int(old != new)
        (tmp_path / "was").write_bytes(old)
        if old != new:
            subprocess.run(
                ["patch", "-s", "--fuzz=0", "-o", tmp_path / "is", tmp_path / "was"],
                input=patch.out, check=True, timeout=PATIENCE,
            )  # fmt: skip
            assert (tmp_path / "is").read_bytes() == new
        # No more lines than GNU diff reports.
        lines = patch.out.decode().splitlines()[2:]
        ours = sum(line[:1] in "+-" for line in lines if line)
        (tmp_path / "b").write_bytes(new)
        theirs = subprocess.run(
            ["diff", "-d", tmp_path / "was", tmp_path / "b"], capture_output=True, timeout=PATIENCE
        ).stdout.decode().splitlines()  # fmt: skip
        least = sum(line[:2] in ("< ", "> ") for line in theirs)
        assert ours <= least, (ours, least)
