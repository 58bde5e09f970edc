"""`listd git-diff` in a repository of its own."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from client import PATIENCE, program

pytestmark = pytest.mark.needs("listd git-diff")


class Repository:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.name", "n")
        self.git("config", "user.email", "e")

    def git(self, *args: str) -> str:
        env = {**os.environ, "GIT_PAGER": "cat", "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(self.folder)}
        done = subprocess.run(
            ["git", *args], cwd=self.folder, env=env, capture_output=True, timeout=PATIENCE
        )
        assert done.returncode == 0, (args, done.stderr)
        return done.stdout.decode()

    def commit(self, **files: str) -> None:
        self.write(**files)
        self.git("add", "-A")
        self.git("commit", "-qm", "c")

    def write(self, **files: str) -> None:
        for name, text in files.items():
            (self.folder / name.replace("_", ".")).write_text(text)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


def test_every_file(repository: Repository) -> None:
    repository.commit(a_txt="x\ny\nz\n", b_txt="gone\n", d_txt="one\ntwo\nthree\nfour\n")
    repository.write(a_txt="y\nz\nx\n", c_txt="come\n")
    (repository.folder / "b.txt").unlink()
    repository.git("mv", "d.txt", "e.txt")
    repository.write(e_txt="one\ntwo\nthree\nfive\n")
    repository.git("add", "-A")
    answer = repository.git("-c", f"diff.external={program()} git-diff", "diff", "--cached", "-M")
    assert "--- a/a.txt\n+++ b/a.txt\n" in answer and " > x\n" in answer and " < x\n" in answer
    assert "--- a/b.txt\n+++ /dev/null\n" in answer and "--- /dev/null\n+++ b/c.txt\n" in answer
    assert "d.txt renamed to e.txt" in answer and "+ five" in answer


def test_a_driver_for_some_files(repository: Repository) -> None:
    repository.git("config", "diff.csv.command", f"{program()} git-diff --key id")
    repository.commit(
        **{"_gitattributes": "*.csv diff=csv\n"}, t_csv="id,v\n1,a\n2,b\n", t_txt="q\n"
    )
    repository.write(t_csv="id,v\n2,b\n1,c\n", t_txt="r\n")
    answer = repository.git("diff")
    assert "1  v: a → c" in answer and "diff --git a/t.txt b/t.txt" in answer
    # A file that is not CSV or not text does not make git fail.
    repository.write(t_csv='id,v\n1,"a\n')
    assert '+ 1,"a' in repository.git("diff", "t.csv")
    (repository.folder / "t.csv").write_bytes(b"\x00\x01")
    assert repository.git("diff", "t.csv") == "Binary files a/t.csv and b/t.csv differ\n"
    os.chmod(repository.folder / "t.txt", 0o755)
    repository.git("config", "diff.external", f"{program()} git-diff")
    assert "t.txt: mode 100644 → 100755" in repository.git("diff", "t.txt")


def test_a_conflict(repository: Repository) -> None:
    repository.commit(f="a\n")
    repository.git("checkout", "-qb", "other")
    repository.commit(f="b\n")
    repository.git("checkout", "-q", "main")
    repository.commit(f="c\n")
    subprocess.run(["git", "merge", "other"], cwd=repository.folder, capture_output=True)
    answer = repository.git("-c", f"diff.external={program()} git-diff", "diff", "--cached")
    assert "* Unmerged path f" in answer


def test_a_text_conversion(repository: Repository) -> None:
    repository.git("config", "diff.json.textconv", f"{program()} git-diff --textconv --key id")
    rows = [{"id": "a", "v": [1, {"w": "x"}]}, {"id": "b", "v": []}]
    repository.commit(**{"_gitattributes": "*.json diff=json\n"}, t_json=json.dumps(rows))
    rows[0]["v"][1]["w"] = "y\nz"  # type: ignore[index]
    repository.commit(t_json=json.dumps(rows))
    answer = repository.git("log", "-p", "-1")
    assert "\n-a  v[1].w: x\n+a  v[1].w: y z\n" in answer and "\n a  v[0]: 1\n" in answer


def test_difftool(repository: Repository) -> None:
    repository.commit(f="a\nb\n")
    repository.write(f="a\nc\n")
    answer = repository.git("difftool", "--no-prompt", "--extcmd", f"{program()} diff")
    assert "- b" in answer and "+ c" in answer


def test_other_arguments_are_refused() -> None:
    for args in ([], ["a", "b"], ["--textconv"], ["--textconv", "a", "b"], ["--textconv", "/"]):
        done = subprocess.run([program(), "git-diff", *args], capture_output=True, timeout=PATIENCE)
        assert done.returncode == 2 and done.stdout == b"" and done.stderr


CODE = {
    "a_py": ("class A:\n    def one(self):\n        pass\n" + "    x = 1\n" * 6, "    def one(self):"),
    "a_md": ("intro\n\n## Chapter\n" + "text\n" * 6, "## Chapter"),
    "a_swift": ("struct S {\n  private static func f() {\n" + "    g()\n" * 6, "  private static func f() {"),
    "a_rs": ("pub(crate) fn f<T>() {\n" + "    g();\n" * 6, "pub(crate) fn f<T>() {"),
    "a_c": ("int f(void)\n{\n" + "  g();\n" * 6, "int f(void)"),
}


def test_hunks_name_the_function(repository: Repository) -> None:
    repository.commit(**{name: text + "last\n" for name, (text, _) in CODE.items()})
    repository.write(**{name: text + "other\n" for name, (text, _) in CODE.items()})
    answer = repository.git("-c", f"diff.external={program()} git-diff", "diff")
    for name, (_, function) in CODE.items():
        part = answer[answer.index("--- a/" + name.replace("_", ".")) :]
        header = next(line for line in part.splitlines() if line.startswith("@@"))
        assert header.endswith(f" @@ {function}"), header


def test_several_files_are_drawn_alike(repository: Repository) -> None:
    long = "".join(f"{n}\n" for n in range(500))
    repository.commit(a_txt="x\n", b_txt=long, c_bin="\0")
    repository.write(a_txt="y\n", b_txt=long.replace("\n450\n", "\nnew\n"), c_bin="\0\0")
    answer = repository.git("-c", f"diff.external={program()} git-diff", "diff")
    assert not answer.startswith("\n") and "inserted\n\n--- a/b.txt" in answer and "\n\nBinary files a/c.bin" in answer
    assert {line.index("  - ") for line in answer.splitlines() if "  - " in line} == {11}


def test_all_files_together(repository: Repository) -> None:
    repository.commit(a_txt="x\n", b_txt="1\n")
    repository.write(a_txt="y\n", b_txt="2\n")
    repository.git("config", "alias.listd-diff", "difftool -d -t listd")
    repository.git("config", "difftool.listd.cmd", f'{program()} diff --label a --label b "$LOCAL" "$REMOTE"')
    answer = repository.git("listd-diff")
    assert answer.startswith("--- a/a.txt\n+++ b/a.txt\n") and "\n\n--- a/b.txt\n" in answer
    assert answer.endswith("\n\n2 files differ: 2 deleted, 2 inserted\n")
