"""`listd git-diff` in a repository of its own."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import List

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


# By a suffix, and git's driver that an attribute names: lines of code.
CODE = {
    ("py", "python"): ["class A:", "    def one(self):", "async def two():", "x = 1", "    define = 2", "@cached"],
    ("md", "markdown"): ["# Book", "text", "## Chapter", "#!no", "- item"],
    ("rb", "ruby"): ["module M", "  class A < B", "  def f(x)", "classes = 1", "end"],
    ("rs", "rust"): [
        "pub(crate) fn f<T>() {", "impl<T> A for B {", "  unsafe fn g() {", "macro_rules! m {", "let fn_x = 1", "use a::b",
    ],
    ("go", "golang"): ["func f() {", "func (a *A) g(x int) error {", "type T struct {", "  x := func1()", "var y = 1"],
    ("c", "cpp"): ["int f(void)", "static struct s *g(int a)", "out:", "\tcall();", "} while (x);", "#define X", "default:"],
    ("java", "java"): [
        "public final class A extends B {", "    @Override", "    public static <T> List<T> f(int a, int b) {",
        "        return f(a);", "        if (x) {", "        call(x);", "    int g()", "interface I {", "        int x = f(1);",
    ],
    ("cs", "csharp"): ["public class A", "    public override int F(int x)", "        while (x) {", "        G(x);", "namespace N"],
    ("kt", "kotlin"): ["class A(val x: Int) {", "    private fun f() = 1", "    val fun1 = 2", "interface I {"],
    ("php", "php"): ["class A {", "    public static function f() {", "    $function = 1;", "interface I {"],
    ("sh", "bash"): ["one() {", "function two {", "  three () {", "echo (x)", "if true; then", "x=$(f)"],
    ("pl", "perl"): ["package A;", "sub f {", "  print;", "my $sub = 1;"],
    ("ex", "elixir"): ["defmodule A do", "  def f(x) do", "  defp g(x) do", "  default = 1", "end"],
    ("txt", ""): ["Word", "_x", "$y", "  z", "1 one", "- item", "key: value"],
}


def headers(text: str) -> List[str]:
    return [line.split(" @@", 1)[1].strip() for line in text.splitlines() if line.startswith("@@")]


@pytest.mark.parametrize("suffix, driver", CODE)
def test_hunks_name_what_git_names(repository: Repository, suffix: str, driver: str) -> None:
    """Every line is in front of a change."""
    filler = "\t+1\n" * 8
    old = "".join(f"{line}\n{filler}\t+2\n{filler}" for line in CODE[suffix, driver])
    name = f"code.{suffix}"
    (repository.folder / name).write_text(old)
    attribute = f"*.{suffix} diff={driver}\n" if driver else ""
    (repository.folder / ".gitattributes").write_text(attribute)
    repository.git("add", "--all")
    repository.git("commit", "-qm", "code")
    (repository.folder / name).write_text(old.replace("+2", "+3"))
    expected = headers(repository.git("diff"))
    answer = headers(repository.git("-c", f"diff.external={program()} git-diff", "diff"))
    assert len(expected) == len(answer) == len(CODE[suffix, driver])
    # In some languages git shows only a part of the line.
    assert all(name.startswith(part) and bool(name) == bool(part) for name, part in zip(answer, expected)), answer


# Files that git has no driver for.
OTHER_CODE = {
    "a_swift": ("struct S {\n  private static func f() {\n" + "    g()\n" * 6, "  private static func f() {"),
    "a_lua": ("local function f()\n" + "  g()\n" * 6, "local function f()"),
    "a_el": ("(defun f ()\n" + "  (g)\n" * 6, "(defun f ()"),
    "a_toml": ("[part]\n" + "a = 1\n" * 6, "[part]"),
}


def test_hunks_name_the_function(repository: Repository) -> None:
    repository.commit(**{name: text + "last\n" for name, (text, _) in OTHER_CODE.items()})
    repository.write(**{name: text + "other\n" for name, (text, _) in OTHER_CODE.items()})
    answer = repository.git("-c", f"diff.external={program()} git-diff", "diff")
    for name, (_, function) in OTHER_CODE.items():
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
