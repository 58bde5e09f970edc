"""`listd git-diff` in a repository of its own."""

# Promise: git draws with `listd git-diff`, which never fails because of a file.
# Promise: Hunks name functions, and files are drawn alike, also by `git listd-diff`.

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Dict, List, Tuple

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
    return [line.split(" @@", 1)[1].rstrip()[1:] for line in text.splitlines() if line.startswith("@@")]


def hunks(repository: Repository, lines: List[str], path: str, attributes: Dict[str, str]) -> Tuple[List[str], List[str]]:
    """The names in the hunks of listd and of git, of a file in which every line is in front of a change."""
    filler = "\t+1\n" * 8
    old = "".join(f"{line}\n{filler}\t+2\n{filler}" for line in lines)
    for name, text in {**attributes, path: old}.items():
        (repository.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (repository.folder / name).write_text(text)
    repository.git("add", "--all")
    repository.git("commit", "-qm", "code", "--allow-empty")
    (repository.folder / path).write_text(old.replace("+2", "+3"))
    expected = headers(repository.git("diff", "--", path))
    answer = headers(repository.git("-c", f"diff.external={program()} git-diff", "diff", "--", path))
    assert len(expected) == len(answer) == len(lines)
    return answer, expected


@pytest.mark.parametrize("suffix, driver", CODE)
def test_hunks_name_what_git_names(repository: Repository, suffix: str, driver: str) -> None:
    name = f"code.{suffix}"
    (repository.folder / ".git/info/attributes").write_text(f"*.{suffix} diff={driver}\n" if driver else "")
    _, expected = hunks(repository, CODE[suffix, driver], name, {})
    # Without the attribute the suffix decides.
    (repository.folder / ".git/info/attributes").unlink()
    answer = headers(repository.git("-c", f"diff.external={program()} git-diff", "diff"))
    # In some languages git shows only a part of the line.
    assert all(name.startswith(part) and bool(name) == bool(part) for name, part in zip(answer, expected)), answer


# Lines of code of git's other drivers.
OTHER_DRIVERS = {
    "ada": ["procedure P (X : in T) is", "   function F return T;", "package A is new B;", "task body T is", "x := 1;"],
    "bibtex": ["@book{key,", "  title = {A}", "@article{other", "text"],
    "css": ["p.header {", "color: red;", "@media print", "a:hover,", "#id {", "div:"],
    "dts": ["/ {", "\tlabel: node@1 {", "\t&other {", "\tvalue = <1>;", "\tnode {"],
    "fortran": ["      subroutine s(x)", "end program p", "! comment", "module procedure p", "  integer function f(a)"],
    "fountain": ["INT. HOUSE - DAY", "EXT. GARDEN", "Words.", ".FORCED"],
    "html": ["<h1>One</h1>", '  <h2 class="x">Two</h2>', "<p>h1</p>", "<header>"],
    "matlab": ["function y = f(x)", "classdef A", "%% Part", "x = 1", "  function g"],
    "objc": ["- (void)one:(int)x", "+ (id) two", "@implementation A", "int f(int x)", "  return(x);", "x = 1;"],
    "pascal": ["procedure P;", "function F: Integer;", "T = class(A)", "implementation", "x := 1;"],
    "scheme": ["(define (f x) x)", "  (define y 1)", "(display 1)", "(module m", "(defun g"],
    "tex": ["\\section{One}", "\\subsubsection*{Two}", "\\textbf{x}", "\\chapter{Three}", "text"],
}


@pytest.mark.parametrize("driver", [*OTHER_DRIVERS, *(driver for _, driver in CODE if driver)])
def test_attributes_name_drivers(repository: Repository, driver: str) -> None:
    lines = OTHER_DRIVERS.get(driver) or next(text for (_, name), text in CODE.items() if name == driver)
    answer, expected = hunks(repository, lines, "folder/a.unknown", {"folder/.gitattributes": f"*.unknown diff={driver}\n"})
    # In some languages git shows only a part of the line.
    assert all(name.startswith(part) and bool(name) == bool(part) for name, part in zip(answer, expected)), (answer, expected)


@pytest.mark.parametrize("where", [".gitattributes", ".git/info/attributes", ".config/git/attributes", "named"])
def test_patterns_of_the_configuration(repository: Repository, where: str) -> None:
    repository.git("config", "diff.own.xfuncname", "!^let is\n^let ([a-z]+)\n^var .*$")
    repository.git("config", "diff.python.xfuncname", "^let .*")
    repository.git("config", "diff.old.funcname", "^\\(let\\) x")
    if where == "named":
        repository.git("config", "core.attributesFile", str(repository.folder / "named"))
    lines = ["let x = 1", "let is = 2", "  let y", "var z", "let abc", "def f():"]
    for driver in ("own", "python", "old", "unknown"):
        answer, expected = hunks(repository, lines, "a.py", {where: f"*.py diff={driver}\n"})
        if driver == "unknown":
            expected = ["", "", "", "", "", "def f():"]
        assert answer == expected, driver


def test_attributes_in_other_folders(repository: Repository) -> None:
    """In `git difftool`, in a linked work tree, and if git is called in a folder."""
    attributes = {".gitattributes": "/folder/** diff=own\n"}
    repository.git("config", "diff.own.xfuncname", "^let .*")
    repository.git("config", "difftool.listd.cmd", f'{program()} diff "$LOCAL" "$REMOTE"')
    lines = ["let x = 1", "other", "let y"]
    expected = ["let x = 1", "let x = 1", "let y"]
    hunks(repository, lines, "folder/a.py", attributes)
    for command in (["difftool", "-d", "-t", "listd"], ["difftool", "-y", "-x", f"{program()} diff"]):
        assert headers(repository.git(*command)) == expected, command
        assert headers(repository.git("-C", "folder", *command)) == expected, command
    external = ["-c", f"diff.external={program()} git-diff", "diff"]
    assert headers(repository.git("-C", "folder", *external)) == expected
    repository.git("commit", "-qam", "new")
    repository.git("worktree", "add", "-q", "../linked", "HEAD")
    linked = repository.folder.parent / "linked" / "folder" / "a.py"
    (linked.parent.parent / ".gitattributes").unlink()
    (repository.folder / ".git" / "info" / "attributes").write_text(attributes[".gitattributes"])
    linked.write_text(linked.read_text().replace("+3", "+4"))
    assert headers(repository.git("-C", str(linked.parent), *external, "--", ".")) == expected


def test_one_process_of_git_for_all_files(repository: Repository) -> None:
    """And none if no attribute names a driver."""
    lines = "".join(f"{n}\n" for n in range(30))
    names = [f"{n}.x" for n in range(5)]
    repository.commit(**{name.replace(".", "_"): lines for name in names})
    repository.write(**{name.replace(".", "_"): lines + "30\n" for name in names})
    repository.git("config", "difftool.listd.cmd", f'{program()} diff "$LOCAL" "$REMOTE"')
    folder = repository.folder / "bin"
    folder.mkdir()
    (folder / "git").write_text(f'#!/bin/sh\necho "$1" >>{folder}/calls\nPATH=${{PATH#*:}} exec git "$@"\n')
    (folder / "git").chmod(0o755)
    command = f'PATH={folder}:$PATH {program()} diff "$LOCAL" "$REMOTE"'
    for attributes, calls in (("* text\n", ""), ("* diff=python\n", "check-attr\n"), ("* -diff\n*.x diff=own\n", "check-attr\n")):
        (repository.folder / ".gitattributes").write_text(attributes)
        repository.git("-c", f"difftool.listd.cmd={command}", "difftool", "-d", "-t", "listd")
        found = (folder / "calls").read_text() if (folder / "calls").exists() else ""
        assert found == calls, attributes
        (folder / "calls").unlink(missing_ok=True)


# Files that git has no driver for.
OTHER_CODE = {
    "a_swift": ("struct S {\n  private static func f() {\n" + "    g()\n" * 6, "private static func f() {"),
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
