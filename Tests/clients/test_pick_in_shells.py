"""The key bindings that `listd pick --bash`, `--zsh` and `--fish` print, in these shells in tmux."""

# Promise: Ctrl-R, Ctrl-T, Alt-C and `**` before Tab use `listd pick` in bash, zsh and fish.

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path
from typing import Iterator

import pytest
from picking import LISTD, Screen

SHELLS = {
    "bash": ("bash --norc --noprofile", """PS1='$ '; eval "$(listd pick --bash)"; clear"""),
    "zsh": ("zsh -f", """PS1='$ '; HISTSIZE=9; eval "$(listd pick --zsh)"; clear"""),
    "fish": ("fish --no-config", "function fish_prompt; echo '$ '; end; listd pick --fish | source; clear"),
}


@pytest.fixture(params=list(SHELLS))
def shell(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Screen]:
    """A shell in a folder with two files, with the key bindings."""
    home = tmp_path / "home"
    (home / "a dir/sub").mkdir(parents=True)
    (home / "a dir/some file").write_text("")
    (home / "other").write_text("")
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "listd").symlink_to(os.path.abspath(LISTD))
    screen = Screen(tmp_path)
    settings = {
        "HOME": str(tmp_path), "PATH": f"{programs}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "FZF_DEFAULT_OPTS": "",
        "HISTFILE": "", "INPUTRC": "/dev/null",
    }  # fmt: skip
    command, script = SHELLS[request.param]
    words = ["env", *(f"{name}={value}" for name, value in settings.items()), *command.split()]
    screen.tmux("new-session", "-d", "-x", "70", "-y", "16", "-c", str(home), shlex.join(words))
    screen.type(script + "\n")
    screen.until(lambda rows: rows == ["$"])
    yield screen
    screen.tmux("kill-server")


def test_the_history(shell: Screen) -> None:
    for word in ("one", "two", "one"):
        shell.type(f"echo {word}\n")
        shell.until(lambda rows: rows[-1].strip() == "$" and rows[-2].strip() == word)
    shell.keys("C-r")
    shell.until(lambda rows: any(row.startswith("> echo one") for row in rows))
    shell.type("etwo")
    shell.until(lambda rows: rows[-1].strip() == "> echo two")
    shell.keys("Enter")
    shell.until(lambda rows: rows[-1].strip() == "$ echo two")


def test_files_are_inserted(shell: Screen) -> None:
    shell.type("ls ")
    shell.keys("C-t")
    # Folders are read at the same time.
    shell.until(lambda rows: {row[2:] for row in rows[-2:]} == {"a dir/some file", "other"})
    shell.keys("Tab", "Tab", "Enter")
    quoted = [r"a\ dir/some\ file", "'a dir/some file'"]
    lines = [f"$ ls {name} other" for name in quoted] + [f"$ ls other {name}" for name in quoted]
    shell.until(lambda rows: rows[-1].strip() in lines)


def test_folders_are_entered(shell: Screen) -> None:
    shell.keys("M-c")
    shell.until(lambda rows: rows[-2:] == ["> a dir", "  a dir/sub"])
    shell.type("sub")
    shell.until(lambda rows: rows[-1] == "> a dir/sub")
    shell.keys("Enter")
    shell.until(lambda rows: rows[-1].strip() == "$" and ">" not in "".join(rows))
    shell.type('basename "$PWD"\n')
    shell.until(lambda rows: [row.strip() for row in rows[-2:]] == ["sub", "$"])


def test_two_stars_are_completed(shell: Screen) -> None:
    shell.type("cat so**")
    shell.keys("Tab")
    shell.until(lambda rows: rows[-1].strip() == "> a dir/some file" and "> so" in rows)
    shell.keys("Enter")
    shell.until(lambda rows: rows[-1].strip() in (r"$ cat a\ dir/some\ file", "$ cat 'a dir/some file'"))
    shell.keys("C-u")
    shell.type("cd **")
    shell.keys("Tab")
    shell.until(lambda rows: rows[-2:] == ["> a dir", "  a dir/sub"])
    shell.keys("Escape")
    shell.until(lambda rows: rows[-1].strip() == "$ cd **")
    shell.keys("C-u")
    shell.type("cat oth")
    shell.keys("Tab")
    shell.until(lambda rows: rows[-1].strip() == "$ cat other")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_are_well_formed(shell: str) -> None:
    script = subprocess.run([LISTD, "pick", f"--{shell}"], stdout=subprocess.PIPE, check=True).stdout
    checked = subprocess.run([shell, "-n"], input=script, stderr=subprocess.PIPE)
    assert (checked.returncode, checked.stderr) == (0, b"")
