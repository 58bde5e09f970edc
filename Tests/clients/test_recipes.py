"""The recipes of `clients/recipes`, shown by `listd watch` and `listd pick` from what programs print."""

# Promise: Each recipe shows and prints the rows of what its program prints, and its keys act on the row with the
#   cursor.

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Dict, List, Tuple

import pytest
from picking import LISTD, Screen, make_screen  # noqa: F401

RECIPES = Path(__file__).resolve().parents[2] / "clients/recipes"

# What the program of a recipe prints, and what `listd pick` prints of its rows.
CANNED: Dict[str, Tuple[str, List[str]]] = {
    "branches": ("main  2 hours ago  Fix it\ndev  3 days ago  Try it\n", ["main", "dev"]),
    "changes": (" M a/b.c\n?? new file\n", ["a/b.c", "new file"]),
    "connections": ('ESTAB 0 0 10.0.0.2:22 10.0.0.9:5100 users:(("sshd",pid=7,fd=4))\n', ["10.0.0.9:5100"]),
    "disks": ("Mounted on Type Size Used Avail Use%\n/ ext4 30G 10G 20G 34%\n/boot vfat 1G 1M 1G 1%\n", ["/", "/boot"]),
    "docker": (
        "CONTAINER ID   NAMES   STATE     STATUS         IMAGE\n0123456789ab   web     running   Up 2 minutes   nginx\n",
        ["web"],
    ),
    "failed": ("a.service loaded failed failed A service\n", ["a.service"]),
    "images": ("REPOSITORY   TAG       IMAGE ID       CREATED       SIZE\nnginx  latest  a1b2c3  2 days ago  180MB\n", ["a1b2c3"]),
    "links": ("lo  UNKNOWN  127.0.0.1/8 ::1/128\neth0  UP  10.0.0.2/24\n", ["lo", "eth0"]),
    "log": ("a1b2c3  2026-01-02  Ann Other         Fix it\nd4e5f6  2026-01-01  Bob               Try it\n", ["a1b2c3", "d4e5f6"]),
    "mail": (">N   1 Ann  Mon Jan  5 10:00  20/700  Hello\n U   2 Bob  Mon Jan  5 11:00  20/700  Re: Hello\n", []),
    "memory": ("    PID USER       RSS %MEM COMMAND\n     12 ann      90000  3.0 firefox -P\n      1 root      9000  0.1 init\n", ["12", "1"]),
    "mounts": ("/ /dev/sda1 ext4 rw,relatime\n/proc proc proc rw\n", ["/", "/proc"]),
    "nodes": ("NAME   STATUS   ROLES    AGE   VERSION\nn1   Ready   control   4d   v1.30\n", ["n1"]),
    "packages": ("Listing...\ncurl/stable 8.1 amd64 [upgradable from: 8.0]\n", ["curl/stable"]),
    "pods": ("NAMESPACE   NAME   READY   STATUS    RESTARTS   AGE\nshop   web-1   1/1   Running   0   3d\n", ["web-1"]),
    "ports": ('tcp LISTEN 0 128 0.0.0.0:22 0.0.0.0:* users:(("sshd",pid=7,fd=3))\n', ["0.0.0.0:22"]),
    "ps": (
        "    PID USER     %CPU %MEM     ELAPSED COMMAND\n     12 ann      30.0  3.0       10:00 firefox -P\n"
        "      1 root      0.1  0.1  2-01:00:00 init\n",
        ["12", "1"],
    ),
    "sessions": ("ann  pts/0  2026-01-02 10:00 (10.0.0.9)\nann  tty1  2026-01-02 09:00\n", ["ann", "ann"]),
    "tags": ("v2  2026-01-02  Version 2\nv1  2025-01-02  Version 1\n", ["v2", "v1"]),
    "tmux": ("work  3 windows  1 attached\nplay  1 windows  0 attached\n", ["work", "play"]),
    "units": ("cron.service loaded active running Regular tasks\nssh.service loaded active running Shell\n", ["cron.service", "ssh.service"]),
    "usage": ("8\t./a file\n120\t./b\n", ["./b", "./a file"]),
}  # fmt: skip


def environment(folder: Path, name: str, printed: str) -> Dict[str, str]:
    """The settings in which the program of a recipe prints a text, and nothing else is installed."""
    command = json.loads((RECIPES / f"{name}.json").read_text("utf-8"))["command"]
    programs = folder / "bin"
    programs.mkdir()
    (folder / "printed").write_text(printed)
    stub = programs / re.split(r"\W", command)[0]
    stub.write_text(f'#!/bin/sh\ncat "{folder}/printed"\n')
    stub.chmod(0o755)
    (folder / "listd").mkdir()
    (folder / "listd/recipes").symlink_to(RECIPES)
    return {
        **os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "XDG_CONFIG_HOME": str(folder), "SHELL": "/bin/sh",
        "FZF_DEFAULT_OPTS": "", "LC_ALL": "C.UTF-8",
    }  # fmt: skip


@pytest.mark.parametrize("name", sorted(path.stem for path in RECIPES.glob("*.json")))
def test_a_recipe_shows_and_prints_rows(name: str, tmp_path: Path) -> None:
    text = (RECIPES / f"{name}.json").read_text("utf-8")
    assert len(text.splitlines()) <= 12 and len(json.loads(text)["summary"]) <= 78
    printed, chosen = CANNED[name]
    settings = environment(tmp_path, name, printed)
    words = [LISTD, "watch", "--once", name]
    shown = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=settings, cwd=tmp_path)
    assert (shown.returncode, shown.stderr) == (0, b"")
    table = shown.stdout.decode()
    rows = printed.splitlines()[1 if '"header"' in text or name == "packages" else 0 :]
    for row in rows:
        assert all(word in table for word in row.split()), (row, table)
    words = [LISTD, "pick", name, "--filter", ""]
    picked = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=settings, cwd=tmp_path)
    assert (picked.returncode, picked.stderr) == (0, b"")
    assert picked.stdout.decode().splitlines() == (chosen or rows)


def test_all_recipes_are_in_the_manual() -> None:
    """They are named by `listd help watch`, and at least twenty."""
    helped = subprocess.run([LISTD, "help", "watch"], stdout=subprocess.PIPE, check=True).stdout.decode()
    named = re.search(r"The package has:\n\n((?: {2}\S.*\n)+)", helped)
    assert named and re.findall(r"[\w-]+", named[1]) == sorted(CANNED) and len(CANNED) >= 20


def own(screen: Screen, recipe: str) -> Dict[str, str]:
    """The settings of a user with a recipe."""
    folder = screen.folder / "config/listd/recipes"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "mine.json").write_text(recipe)
    return {**os.environ, "XDG_CONFIG_HOME": str(screen.folder / "config"), "SHELL": "/bin/sh", "FZF_DEFAULT_OPTS": ""}


@pytest.mark.parametrize("command", ["watch", "pick"])
def test_keys_act_on_rows(screen: Screen, command: str) -> None:
    rows, done = screen.folder / "rows", screen.folder / "done"
    rows.write_text("ID NAME\n1 one\n2 two\n3 three\n")
    recipe = {
        "summary": "my rows", "command": f"cat {rows}", "interval": 0.1, "key": 1, "header": 1, "print": "2",
        "columns": "NAME,ID,MISSING",
        "actions": {"ctrl-t": f"execute-silent(echo {{2}} >>{done}; sed -i /{{2}}/d {rows})", "f2": "execute(echo; read x)"},
    }  # fmt: skip
    settings = own(screen, json.dumps(recipe))
    words = f"XDG_CONFIG_HOME={settings['XDG_CONFIG_HOME']} {LISTD} {command} mine"
    screen.run(["bash", "-c", words + (" >/dev/tty" if command == "watch" else "")])
    screen.until(lambda shown: any("my rows" in row for row in shown) and any("three" in row for row in shown))
    # All keys are there before the next frame.
    screen.keys(*(["Down", "Down"] if command == "watch" else ["Up", "Home"]), "C-t")
    screen.until(lambda shown: done.exists() and not any("two" in row for row in shown) and any("three" in row for row in shown))
    assert done.read_text() == "two\n"
    screen.keys("F2")
    screen.until(lambda shown: not any("three" in row for row in shown))
    screen.keys("Enter")
    screen.until(lambda shown: any("three" in row for row in shown))
    screen.keys("q" if command == "watch" else "Enter")
    assert screen.end() == 0
    assert command == "watch" or screen.out.read_text() in ("three\n", "one\n")


@pytest.mark.parametrize(
    "recipe, words",
    [
        ("[]", "a recipe is a JSON object"),
        ('{"command"', "is not JSON"),
        ("{}", 'a recipe needs a member "command"'),
        ('{"comand":"ls"}', 'a recipe has no member "comand"; did you mean "command"?'),
        ('{"command":"ls","interval":0}', '"interval" is a number of seconds from 0.1, not 0'),
        ('{"command":"ls","header":-1}', '"header" is a number of lines, not -1'),
        ('{"command":"ls","actions":{"ctrl-xx":"up"}}', "ctrl-xx is not the name of a key"),
        ('{"command":"ls","actions":{"ctrl-x":"sing"}}', "has no action sing"),
    ],
)
@pytest.mark.parametrize("command", ["watch", "pick"])
def test_bad_recipes_are_refused(screen: Screen, command: str, recipe: str, words: str) -> None:
    settings = own(screen, recipe)
    arguments = ["--once", "mine"] if command == "watch" else ["mine", "-f", ""]
    ran = subprocess.run([LISTD, command, *arguments], stderr=subprocess.PIPE, stdout=subprocess.PIPE, env=settings)
    if command == "watch" and "action" in recipe:
        return  # They are read for a table on a terminal only.
    assert ran.returncode == 2 and words in ran.stderr.decode(), ran.stderr


def test_other_names_are_refused(screen: Screen) -> None:
    settings = own(screen, '{"command":"ls"}')
    for socket in ("", str(screen.folder / "none")):
        ran = subprocess.run(
            [LISTD, "watch", "min"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env={**settings, "LISTD_SOCKET": socket, "XDG_RUNTIME_DIR": ""},
        )  # fmt: skip
        said = ran.stderr.decode()
        assert "there is no file and no recipe min; did you mean mine?; as a list: " in said
        assert (ran.returncode, "no listd listens at" in said) == ((1, True) if socket else (2, False)), said
    for name, words in [("min", "there is no recipe min; did you mean mine?"), ("../mine", "there is no recipe ../mine")]:
        ran = subprocess.run([LISTD, "pick", name], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, env=settings)
        assert ran.returncode == 2 and words in ran.stderr.decode(), ran.stderr
