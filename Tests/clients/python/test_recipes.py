"""The recipes of clients/README.md, run as they are."""

# Promise: The recipes of `clients/README.md` do what they describe.

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Dict, List, Tuple

import listd
import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "clients" / "README.md").read_text()
RECIPES = PAGE[PAGE.index("## Recipes") : PAGE.index("## The seven duties")]
PYTHON: List[Tuple[str, str]] = re.findall(
    r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", RECIPES, re.M | re.S
)


def pod(name: str, phase: str) -> Dict[str, object]:
    return {"metadata": {"name": name, "uid": f"u-{name}"}, "status": {"phase": phase}}


@pytest.fixture
def recipe_folder(tmp_path: Path) -> Path:
    """A folder with the files and programs that the recipes use."""
    received = [
        [pod("web-1", "Running"), pod("db-1", "Running"), pod("web-2", "Running")],
        [pod("web-2", "Running"), pod("web-3", "Pending"), pod("web-1", "Failed")],
    ]
    for number, pods in enumerate(received, 1):
        (tmp_path / f"pods-{number}").write_text(json.dumps({"items": pods}))
    # The second run prints the second file.
    program(tmp_path / "bin/kubectl", f"cd {tmp_path}; cat pods-1 && mv pods-2 pods-1 2>/dev/null || :")
    (tmp_path / "bin/listd").symlink_to(listd.find())
    (tmp_path / "old.csv").write_text("id,name,balance\n1,Anna,10\n2,Ben,100\n3,Cleo,1\n")
    (tmp_path / "new.csv").write_text("id,name,balance\n1,Anna,10\n2,Ben,150\n4,Dan,7\n")
    return tmp_path


def program(path: Path, body: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


def environment(folder: Path) -> Dict[str, str]:
    found = {name: value for name, value in os.environ.items() if name != "LISTD"}
    path = f"{folder}/bin:{os.environ['PATH']}"
    return {**found, "PATH": path, "PYTHONPATH": str(ROOT / "clients" / "python")}


@pytest.mark.parametrize("number", range(len(PYTHON)))
def test_recipes_in_python(recipe_folder: Path, number: int) -> None:
    code, wanted = PYTHON[number]
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=recipe_folder, env=environment(recipe_folder), timeout=60,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert ran.stdout.decode() == wanted


def test_there_are_recipes() -> None:
    assert len(PYTHON) == 2 and len(re.findall("^```sh$", RECIPES, re.M)) == 1


def test_processes_in_a_terminal(recipe_folder: Path) -> None:
    """Runs in a terminal: a key moves the cursor, and Enter prints the process."""
    command = re.findall(r"^```sh\n(.*?)^```$", RECIPES, re.M | re.S)[0]
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(ROOT)
        os.execve("/bin/sh", ["sh", "-c", f"exec {command}"], environment(recipe_folder))
    shown, end = b"", time.monotonic() + 60
    asked = [(b"COMMAND", b"j"), (b"\x1b[7m", b"\r"), (b"\x1b[?1049l", b"")]
    while asked and time.monotonic() < end:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        shown += os.read(terminal, 1 << 16)
        if asked[0][0] in shown:
            sign, keys = asked.pop(0)
            shown = shown.split(sign, 1)[1]
            os.write(terminal, keys)
    assert not asked, shown
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    os.close(terminal)
