"""clients/tour on small generated repositories and folders, with the daemon."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

TOUR = Path(__file__).resolve().parents[2] / "clients" / "tour"


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path / "repository")


class Repository:
    """A git repository that is independent of the user's settings."""

    def __init__(self, path):
        self.path = path
        path.mkdir()
        self.git("init", "-q")

    def git(self, *arguments):
        subprocess.run(
            ["git", "-c", "user.name=T", "-c", "user.email=t@example.org", *arguments],
            cwd=self.path, env=clean(), check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip

    def write(self, path, text):
        file = os.path.join(os.fsencode(self.path), os.fsencode(path))
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(file, "w") as out:
            out.write(text)

    def commit(self, title):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", title)


def clean(**more):
    """The environment without git's and the user's settings."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_") and k != "NO_COLOR"}
    home = {"HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    return {**kept, **home, "LC_ALL": "C.UTF-8", **more}


def tour(*arguments, code=0, cwd=None, **environment):
    ran = subprocess.run(
        [sys.executable, str(TOUR), *map(str, arguments)], cwd=cwd, env=clean(**environment),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60,
    )  # fmt: skip
    assert ran.returncode == code, ran.stdout.decode() + ran.stderr.decode()
    return (ran.stdout + ran.stderr).decode()


def changes_of(output):
    """The lines of changes after each headline, by the title of the headline."""
    steps = {}
    for line in output.split("\n\n")[0].splitlines()[1:]:
        if line.startswith("    "):
            steps[title].append(line.strip())
        else:
            title = line[54:]
            steps[title] = []
    return steps


def text(name):
    """A text that git does not consider similar to another file."""
    return "".join(f"{name} line {number}\n" for number in range(20))


def test_each_commit_lists_its_files(repository):
    repository.write("README", text("readme"))
    repository.write("src/a.c", text("a"))
    repository.write("src/b.c", text("b"))
    repository.commit("first")
    repository.commit("empty")
    repository.write("src/a.c", text("a") + "more\n")
    repository.git("rm", "-q", "src/b.c")
    repository.write("src/c.c", text("c"))
    repository.commit("insert, delete, change")
    output = tour("--long", repository.path)
    assert changes_of(output) == {
        "first": [
            "+ ./  folder, 1 file", "+ src/  folder, 2 files",
            "+ README", "+ src/a.c", "+ src/b.c",
        ],
        "empty": [],
        "insert, delete, change": ["* src/a.c", "- src/b.c", "+ src/c.c"],
    }  # fmt: skip
    assert "commits     3, each answer replayed and equal to its snapshot" in output


# Promise: A renamed file is one row that moves. Also `test_a_folder_is_inserted_deleted_and_moved`.
def test_a_renamed_file_moves(repository):
    for name in "abcd":
        repository.write(f"src/{name}.c", text(name))
    repository.write("lib/z.c", text("z"))
    repository.commit("first")
    repository.git("mv", "src/b.c", "lib/b.c")
    repository.commit("to another folder")
    repository.git("mv", "src/a.c", "src/x.c")
    repository.commit("to another name")
    repository.git("mv", "src/c.c", "new.c")
    repository.write("new.c", text("c") + "more\n")
    repository.commit("to the root, changed")
    steps = changes_of(tour(repository.path))
    assert steps["to another folder"] == ["> src/b.c → lib/b.c"]
    assert steps["to another name"] == ["> src/a.c → src/x.c"]
    assert steps["to the root, changed"] == [
        "+ ./  folder",
        "> src/c.c → new.c  changed",
    ]


def test_a_folder_is_inserted_deleted_and_moved(repository):
    repository.write("keep", text("keep"))
    for name in "abc":
        repository.write(f"old/{name}", text(name))
    repository.commit("first")
    repository.git("mv", "old", "young")
    repository.commit("renamed")
    repository.git("mv", "young/a", "a")
    repository.git("rm", "-q", "young/b", "young/c")
    repository.commit("deleted except one")
    steps = changes_of(tour(repository.path))
    assert steps["renamed"] == ["> old/ → young/  folder, 3 files in it"]
    assert steps["deleted except one"][0].startswith("- young/  folder")
    assert "> young/a → a" in steps["deleted except one"]


def test_many_commits_need_only_the_minimal_moves(repository):
    for number in range(30):
        repository.write(f"f{number % 4}/n{number:02}", text(number))
    repository.commit("first")
    for turn in range(12):
        for number in range(turn % 3, 30, 5):
            old = next(repository.path.glob(f"*/*n{number:02}"))
            new = repository.path / f"f{(number * 7 + turn) % 6}" / f"{turn * 5 % 7}-n{number:02}"
            new.parent.mkdir(exist_ok=True)
            old.rename(new)
        repository.commit(f"turn {turn}")
    output = tour("--short", repository.path)
    moves = re.search(r"moves +(\d+), (\d+) at least", output)
    assert moves[1] == moves[2] != "0"


# Promise: File names may be any bytes.
def test_odd_names_links_and_submodules(repository):
    repository.write("with space/and\ttab", text("tab"))
    repository.write('quo"te', text("quote"))
    repository.write(b"latin-\xe9", text("latin"))
    repository.write("grün/naïve", text("utf-8"))
    (repository.path / "link").symlink_to("nowhere")
    commit = "1" * 40
    repository.commit("odd")
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{commit},module")
    repository.git("commit", "-q", "-m", "a submodule")
    repository.git("rm", "-q", "--cached", "module")
    (repository.path / "link").unlink()
    repository.write("link", text("link"))
    repository.write("-n\nl", text("newline"))
    repository.commit("a link is a file\x1b[31m")
    steps = changes_of(tour("--long", repository.path))
    assert '+ "latin-\\351"' in steps["odd"]
    assert '+ with space/"and\\011tab"' in steps["odd"]
    assert "+ grün/naïve" in steps["odd"] and '+ quo"te' in steps["odd"]
    assert steps["a submodule"] == ["+ module"]
    assert steps["a link is a file [31m"] == [
        '+ "-n\\012l"', "* link  120000 → 100644", "- module",
    ]  # fmt: skip


def test_a_merge_is_compared_with_its_first_parent(repository):
    repository.write("a", text("a"))
    repository.commit("first")
    repository.git("branch", "side")
    repository.write("b", text("b"))
    repository.commit("here")
    repository.git("checkout", "-q", "side")
    repository.write("c", text("c"))
    repository.commit("there")
    repository.git("checkout", "-q", "-")
    repository.git("merge", "-q", "-m", "merge", "side")
    steps = changes_of(tour(repository.path))
    assert list(steps) == ["first", "here", "merge"]
    assert steps["merge"] == ["+ c"]


def test_settings_of_git_change_nothing(repository):
    repository.write("a/a", text("a"))
    repository.commit("first")
    repository.git("mv", "a/a", "b")
    repository.commit("second")
    plain = tour("--long", repository.path).split("\n\n")[0]
    for setting in (
        "log.showRoot=false", "log.diffMerges=off", "log.showSignature=true", "color.ui=always",
        "diff.renames=false", "diff.relative=true", "log.date=relative", "core.quotePath=true",
    ):  # fmt: skip
        repository.git("config", *setting.split("="))
    assert tour("--long", cwd=repository.path).startswith(plain)
    repository.write("inner/c", text("c"))
    assert tour("--long", cwd=repository.path / "inner").startswith(plain)


def test_the_latest_commits_alone(repository):
    for name in "abcd":
        repository.write(name, text(name))
        repository.commit(name)
    output = tour("--limit", "2", "--short", cwd=repository.path)
    assert list(changes_of(output)) == ["(where the walk starts)", "c", "d"]
    assert tour("--limit", "0", code=2)


def test_two_folders(tmp_path):
    for path in ("old/a", "old/sub/b", "old/c", "new/a", "new/other/b", "new/d"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text(path[-1]))
    (tmp_path / "new/a").write_text("changed")
    os.mkfifo(tmp_path / "new/pipe")
    output = tour(tmp_path / "old", tmp_path / "new")
    assert changes_of(output)[str(tmp_path / "new")] == [
        "> sub/ → other/  folder, 1 file in it", "* a", "- c", "+ d",
    ]  # fmt: skip


def test_a_folder_without_history(tmp_path):
    (tmp_path / "a").write_text("a")
    output = tour("--long", tmp_path, GIT_CEILING_DIRECTORIES=str(tmp_path.parent))
    assert changes_of(output) == {str(tmp_path): ["+ ./  folder, 1 file", "+ a"]}


@pytest.mark.parametrize("environment, coloured", [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colour_is_for_terminals(repository, environment, coloured):
    repository.write("a", text("a"))
    repository.commit("first")
    ours, theirs = pty.openpty()
    subprocess.run(
        [sys.executable, str(TOUR), str(repository.path)], stdout=theirs,
        env=clean(TERM="xterm", **environment), stdin=subprocess.DEVNULL, check=True, timeout=60,
    )  # fmt: skip
    os.close(theirs)
    assert (b"\x1b[32m" in os.read(ours, 1 << 16)) == coloured
    os.close(ours)
    assert "\x1b" not in tour(repository.path)


WRONG = """#!{python}
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    result = {{"baseRevision": 0, "revision": 1, "stages": {stages}}}
    print(json.dumps({{"jsonrpc": "2.0", "id": request["id"], "result": result}}), flush=True)
"""


@pytest.mark.parametrize("stages, why", [
    ([], "is not the snapshot"),
    ([[{"op": "deleteItems", "at": [0, 0], "count": 1}]], "cannot be applied"),
    ([[{"op": "insertSections", "at": 1, "count": 0, "rows": [], "sections": []}]], "not the snap"),
    ([[{"op": "insertSections", "at": 0, "count": 1, "rows": [2], "sections": [{"items": []}]}]],
     "number of rows"),
    ([[{"op": "fold"}]], "cannot be applied"),
])  # fmt: skip
# Promise: `clients/tour` detects a wrong answer.
def test_a_wrong_answer_is_reported(repository, tmp_path, stages, why):
    repository.write("a", text("a"))
    repository.commit("first")
    daemon = tmp_path / "wrong"
    daemon.write_text(WRONG.format(python=sys.executable, stages=stages))
    daemon.chmod(0o755)
    output = tour(repository.path, code=1, LISTD=str(daemon))
    assert "WRONG ANSWER" in output and why in output


def test_errors_are_reported(tmp_path):
    assert "is not a folder" in tour(tmp_path / "nowhere", code=2)
    assert "not an executable program" in tour(tmp_path, code=2, LISTD=str(tmp_path / "nothing"))
    assert "middle" in tour(tmp_path, code=1, LISTD="/bin/true")
