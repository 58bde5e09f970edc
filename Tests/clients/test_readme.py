"""The commands of README.md, as a user types them after `clients/install`."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Dict, List

import pytest
from picking import Screen

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "README.md").read_text("utf-8")
FIGURES = ROOT / ".github/speed"
LISTD = os.environ["LISTD"]


def blocks(language: str) -> List[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)


def block(word: str) -> str:
    """The only block of commands that contains a word."""
    [found] = [one for one in blocks("sh") if word in one]
    return found


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home folder in which listd is installed, with a folder that has two files."""
    folder = tmp_path_factory.mktemp("home")
    environment = {**os.environ, "HOME": str(folder), "LISTD": LISTD}
    done = subprocess.run(
        [sys.executable, ROOT / "clients/install"], env=environment, stdout=subprocess.PIPE
    )
    assert done.returncode == 0
    (folder / "files").mkdir()
    for name in ("apple", "banana"):
        (folder / "files" / name).write_text(name)
    return folder


def environment(home: Path, programs: Path) -> Dict[str, str]:
    path = f"{programs}:{home}/.local/bin:/usr/bin:/bin"
    return {"HOME": str(home), "PATH": path, "LC_ALL": "C.UTF-8"}


def test_every_block_is_run() -> None:
    followed = re.findall(r"^```sh\n([^`]*)```\n\n```(?:json|text)$", PAGE, re.M)
    here = [block("nvim"), block("pick"), block("listd page")]
    elsewhere = [block("pip install"), block("clients/tour")]  # Tests/release, and all parts
    assert sorted(blocks("sh")) == sorted([*followed, *here, *elsewhere])
    for line in block("clients/tour").splitlines():
        assert os.access(ROOT / line.split()[0], os.X_OK), line


def test_the_list_in_an_editor(home: Path, tmp_path: Path) -> None:
    editor = tmp_path / "nvim"
    editor.write_text(
        f'#!/bin/sh\nexec {shutil.which("nvim")} --headless --clean -n "$@" '
        "-c 'lua vim.wait(10000, function() return vim.fn.search([[banana]], [[nw]]) > 0 end)' "
        "-c '%print' -c 'qa!'\n"
    )
    editor.chmod(0o755)
    ran = subprocess.run(
        ["bash", "-c", block("nvim")], cwd=home / "files", env=environment(home, tmp_path),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60,
    )  # fmt: skip
    result = ran.stdout.decode()
    assert ran.returncode == 0 and "apple" in result and "banana" in result, result


def test_a_line_is_picked(home: Path, tmp_path: Path) -> None:
    screen = Screen(tmp_path)
    settings = [f"{name}={value}" for name, value in environment(home, tmp_path).items()]
    screen.run(["env", *settings, "bash", "-c", block("pick")])
    try:
        screen.type("files nana")
        # Other paths may match, too, such as those of the tests' folders.
        screen.until(lambda rows: re.match("> .*/files/banana *$", "".join(rows[2:3])))
        screen.keys("Tab", "C-u", "Enter")
        assert screen.end() == 0, screen.errors()
        assert screen.out.read_text() == f"{home}/files/banana\n"
    finally:
        screen.tmux("kill-server")


def test_the_page_in_a_browser(home: Path, tmp_path: Path) -> None:
    command = block("listd page").replace("\n", " --port=0\n")
    process = subprocess.Popen(
        ["bash", "-c", f"exec {command}"], cwd=home / "files", stdout=subprocess.PIPE,
        env=environment(home, tmp_path),
    )  # fmt: skip
    assert process.stdout
    try:
        address = process.stdout.readline().decode().split()[0]
        # A cookie has the token of the address from then on.
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        page = browser.open(address, timeout=30).read()
        assert b"<!doctype html>" in page
        events = browser.open(f"{address.split('?')[0]}events?list=files", timeout=30)
        lines = [events.readline().decode() for _ in range(4)]
        (data,) = [line for line in lines if line.startswith("data: ")]
        items = json.loads(data[len("data: ") :])["sections"][0]["items"]
        assert {item["name"] for item in items} == {"apple", "banana"}
        events.close()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_the_python_session(home: Path, tmp_path: Path) -> None:
    [code] = blocks("python")
    clients = {"PYTHONPATH": str(home / ".local/share/listd/python")}
    subprocess.run(
        [sys.executable, "-B", "-c", code], env={**environment(home, tmp_path), **clients},
        check=True, timeout=60,
    )  # fmt: skip


def test_the_program_for_node(home: Path, tmp_path: Path) -> None:
    [code] = blocks("js")
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules/listd").symlink_to(home / ".local/share/listd/node")
    (tmp_path / "program.mjs").write_text(code)
    ran = subprocess.run(
        ["node", "program.mjs"], cwd=tmp_path, env=environment(home, tmp_path), stdout=subprocess.PIPE,
        check=True, timeout=60,
    )  # fmt: skip
    assert ran.stdout == b"snapshot\n"


def rows(page: str, head: str) -> List[List[str]]:
    """The cells of the table that begins with `head`."""
    table = page[page.index(head) :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def test_the_figures_are_those_of_the_plot() -> None:
    lines = (FIGURES / "figures.ndjson").read_text().splitlines()
    figures = [json.loads(line) for line in lines]
    page = (FIGURES / "README.md").read_text("utf-8")

    def number(cell: str) -> "float | None":
        return None if cell in ("", "–") else float(cell.replace(",", ""))

    shown = [list(map(number, row[1:])) for row in rows(page, "| | ids kept")]
    names = ("keysKept", "string", "int", "difference")
    assert shown == [[one[name] for name in names] for one in figures if "keysKept" in one]
    shown = [list(map(number, row[1:])) for row in rows(page, "| | listd | Python")]
    assert shown == [[one["p50"], one["python"]] for one in figures if "p50" in one]
    few = {float(row[1]) for row in rows(PAGE, "| | ms |")}
    assert few <= {one.get("keysKept", one.get("p50")) for one in figures} and len(few) == 4
