"""`listd diff` of two folders."""

# Promise: Folders are compared file by file, also for git.

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from client import PATIENCE, program
from command import check_policy, run_diff

pytestmark = pytest.mark.needs("listd diff")


def fill(folder: Path, **files: Any) -> Path:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


@pytest.fixture
def pair(tmp_path: Path) -> Any:
    old = fill(tmp_path / "a", one_txt="x\ny\n", sub__two_txt="1\n", gone="g", same="s", t_csv="id,v\n1,a\n", bin=b"\0a")
    new = fill(tmp_path / "b", one_txt="x\nz\n", sub__two_txt="2\n", come="c", same="s", t_csv="id,v\n1,b\n", bin=b"\0b")
    return old, new


def test_the_files_of_two_folders(pair: Any) -> None:
    old, new = pair
    answer = run_diff(old, new)
    assert answer.code == 1
    parts = answer.out.decode().split("\n\n")
    assert parts[0].startswith(f"Binary files {old}/bin and {new}/bin differ\nOnly in {new}: come\nOnly in {old}: gone")
    assert f"--- {old}/one.txt\n+++ {new}/one.txt\n" in parts[1] and parts[1].endswith("1 deleted, 1 inserted")
    assert f"--- {old}/sub/two.txt" in parts[2]
    assert "~ 1  v: a → b" in parts[3] and "the key is id" in answer.err
    assert parts[4] == "4 files differ: 2 deleted, 2 inserted, 1 changed\n"
    # The texts of all files begin at the same column.
    assert {line.index("  - ") for line in answer.out.decode().splitlines() if "  - " in line} == {11}
    assert run_diff(old, old).code == 0 and run_diff(old, old).out == b""
    assert run_diff("-q", old, new).out.decode().count("differ") == 4
    assert run_diff("--stat", old, new).out.decode().count(": ") == 6
    assert run_diff("--quiet", old, new).out == b"" and run_diff("--quiet", old, new).code == 1
    page = run_diff("--format=html", old, new).out.decode()
    check_policy(page)
    links, names = re.findall('<a href="#(.*?)">(.*?)</a>', page), re.findall('<h2 id="(.*?)">(.*?)</h2>', page)
    assert links == names and [name for _, name in names] == [f"{new}/{name}" for name in ("one.txt", "sub/two.txt", "t.csv")]
    assert page.count(f"<p>4 files differ: 2 deleted, 2 inserted, 1 changed</p>") == 1
    assert re.findall('<p class="changed">([A-Z][a-z]+)', page) == ["Binary", "Only", "Only"]
    assert run_diff("--format=html", old, old).out == b""
    assert run_diff("--format=json", old, new).code == 2 and run_diff(old, new / "come").code == 2


def test_blank_lines_separate_files(tmp_path: Path) -> None:
    fill(tmp_path / "a", a_txt="1\n", b="b", c_txt="1\n", d="d", e=b"\0a", f_txt="1\n")
    fill(tmp_path / "b", a_txt="2\n", c_txt="2\n", e=b"\0b", f_txt="2\n")
    parts = run_diff(tmp_path / "a", tmp_path / "b").out.decode().replace(f"{tmp_path}/", "").split("\n\n")
    assert [part.splitlines()[0] for part in parts] == [
        "--- a/a.txt", "Only in a: b", "--- a/c.txt", "Only in a: d", "--- a/f.txt",
        "4 files differ: 3 deleted, 3 inserted",
    ]  # fmt: skip
    assert parts[3] == "Only in a: d\nBinary files a/e and b/e differ"


def test_absent_files_as_empty_ones(pair: Any, tmp_path: Path) -> None:
    old, new = pair
    fill(new, added__deep__x_txt="1\n2\n", void="")
    (new / "added" / "loop").symlink_to(".")
    answer = run_diff("-N", old, new)
    text = answer.out.decode()
    assert f"--- {old}/gone\n+++ /dev/null\n@@ -1 +0,0 @@" in text and "Only in" not in text
    assert f"--- /dev/null\n+++ {new}/added/deep/x.txt\n@@ -0,0 +1,2 @@" in text and "void" not in text
    assert text.endswith("\n\n7 files differ: 3 deleted, 5 inserted, 1 changed\n")
    assert answer.code == 2 and "loop is a link to a folder that it is in" in answer.err
    (new / "added" / "loop").unlink()
    assert f"\n{old}/gone: 1 deleted\n" in run_diff("-N", "--stat", old, new).out.decode()
    # Of two files, too.
    assert run_diff("-N", new / "come", new / "nothing", "--stat").out == b"1 deleted\n"
    assert run_diff("-N", new / "no", new / "nothing").code == 0
    (new / "bin").write_bytes(b"\0a")
    patch = subprocess.run(
        [program(), "diff", "-Nu", "a", "b"], cwd=tmp_path, capture_output=True, timeout=PATIENCE
    ).stdout
    subprocess.run(["patch", "-s", "-p1"], cwd=old, input=patch, check=True, timeout=PATIENCE)
    (new / "void").unlink()
    assert run_diff(old, new).out == b""


def test_a_patch_of_folders(pair: Any, tmp_path: Path) -> None:
    old, new = pair
    patch = subprocess.run(
        [program(), "diff", "-ru", "a", "b"], cwd=tmp_path, capture_output=True, timeout=PATIENCE
    ).stdout
    subprocess.run(["patch", "-s", "-p1"], cwd=old, input=patch, check=True, timeout=PATIENCE)
    for name in ("one.txt", "sub/two.txt", "t.csv"):
        assert (old / name).read_bytes() == (new / name).read_bytes()


def test_what_is_not_a_file(pair: Any) -> None:
    old, new = pair
    os.mkfifo(old / "pipe")
    (new / "pipe").write_text("x")
    (old / "kind").mkdir()
    (new / "kind").write_text("x")
    for folder, target in ((old, "p"), (new, "q")):
        (folder / "broken").symlink_to(target)
        (folder / "loop").symlink_to(".")
    (old / "link").symlink_to("same")
    (new / "link").write_text("other\n")
    answer = run_diff(old, new)
    text = answer.out.decode()
    assert f"File {old}/pipe is a fifo while file {new}/pipe is a regular file\n" in text
    assert f"File {old}/kind is a directory while file {new}/kind is a regular file\n" in text
    assert f"Symbolic links {old}/broken and {new}/broken differ\n" in text
    assert f"--- {old}/link\n" in text and f"--- {old}/one.txt\n" in text
    assert answer.code == 2 and "loop is a link to a folder that it is in" in answer.err


def test_git_difftool_of_folders(tmp_path: Path) -> None:
    def git(*args: str) -> str:
        env = {**os.environ, "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(tmp_path)}
        done = subprocess.run(["git", *args], cwd=tmp_path, env=env, capture_output=True, timeout=PATIENCE)
        return done.stdout.decode()

    git("init", "-q")
    fill(tmp_path, a_txt="x\n", b_txt="y\n")
    git("add", "-A")
    git("-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "c")
    fill(tmp_path, a_txt="z\n", b_txt="w\n", new__c_txt="n\n")
    git("add", "new")
    tool = f'difftool.listd.cmd={program()} diff -N --label a --label b "$LOCAL" "$REMOTE"'
    text = git("-c", tool, "difftool", "-d", "-t", "listd", "HEAD")
    assert "- x" in text and "+ z" in text and "+ w" in text and "3 files differ" in text
    assert "--- /dev/null\n+++ b/new/c.txt\n" in text and "  + n\n" in text
