"""The examples of protocol.md, README.md and the cookbook are what the daemon does."""

# Promise: The examples of `protocol.md` are what the daemon does; every method has one, and every chapter has
#   tests.

from __future__ import annotations

import os
import random
import re
import subprocess
from pathlib import Path
from typing import Any, Callable, Dict, List

import pytest

from clauses import CLAUSES
from client import PATIENCE, Daemon, program
from examples import Chapter, answers, chapters, printed, short
from random_snapshots import pair
from repository import page
from values import dumps, key, own

PAGE = page("protocol.md")
COOKBOOK = page("clients/README.md")


@pytest.mark.parametrize("chapter", chapters(PAGE) + chapters(COOKBOOK), ids=lambda chapter: chapter.title)
def test_conversations(chapter: Chapter) -> None:
    with Daemon(*chapter.arguments) as daemon:
        for step in chapter.steps:
            got = [printed(short(message)) for message in answers(daemon, step)]
            assert got == step.received, f"line {step.line}\n  sent: {step.sent}"


def test_what_is_left_out_has_the_value_that_the_manual_says() -> None:
    """`…` stands for nothing else than the intro of the manual names."""
    whole: Dict[str, Any] = {
        "list": "l", "baseRevision": 1, "revision": 2, "format": "stages", "stages": [], "counts": {},
        "selection": [], "cursor": None, "deselected": [], "view": {"start": 0},
    }  # fmt: skip
    message = {"jsonrpc": "2.0", "id": 1, "result": whole}
    assert printed(short(dumps(message))) == '{"revision":2,"stages":[],"view":{"start":0},…}'
    whole.update(selection=[{"at": [0, 0], "count": 1}], cursor=[0, 0], deselected=[{"at": [0, 1]}])
    for name in ("selection", "cursor", "deselected"):
        assert f'"{name}":' in short(dumps(message))
    change = {"jsonrpc": "2.0", "method": "didChange", "params": whole}
    assert '"baseRevision":1' in short(dumps(change)) and '"list"' not in short(dumps(change))


def test_every_method_has_an_example() -> None:
    with Daemon() as daemon:
        methods = daemon.call("initialize", {})["capabilities"]["methods"]
    shown = [line for chapter in chapters(PAGE) for step in chapter.steps for line in step.sent]
    for method in methods:
        assert re.search(rf"^### (.*, )?{method}(,|$)", PAGE, re.M), f"no section for {method}"
        assert any(f'"method":"{method}"' in line for line in shown), f"no example of {method}"


def test_every_file_names_its_chapters() -> None:
    files = {path.stem for path in Path(__file__).parent.rglob("test_*.py")}
    assert set(CLAUSES) == files
    headings = set(re.findall(r"^##+ (.*)", PAGE, re.M))
    named = {clause for clauses in CLAUSES.values() for clause in clauses}
    described = {"listd", *(f"listd {command}" for command in commands())}
    assert named <= headings | described, named - headings - described
    # Chapters without a file of tests: those that have sections, and those that only other tests cover.
    assert headings - named == {"Lists", "Requests", "Feeds", "Versions"}


def commands() -> List[str]:
    """The commands in the program's help."""
    usage = subprocess.run([program(), "help"], capture_output=True, text=True, timeout=PATIENCE).stdout
    return re.findall(r"^(?:Usage:|      ) listd ([a-z-]+)", usage, re.M)


def rows(daemon: Daemon) -> List[List[Any]]:
    """The contents of the rows of `l`, by section."""
    answer = daemon.call("getSnapshot", list="l", window={"start": 0, "count": 1000})
    found: List[List[Any]] = []
    for row in answer["rows"]:
        while len(found) <= row["at"][0]:
            found.append([])
        found[row["at"][0]].append(row["content"])
    return found


def parted(rng: random.Random, sections: List[Any]) -> List[Any]:
    """The sections, some of whose items with an id have parts."""

    def part(number: int) -> Any:
        return rng.choice([number, {"id": number, "v": rng.random()}, {"template": "Spacing"}])

    def item(item: Any) -> Any:
        if not isinstance(item, dict) or "id" not in item or rng.random() < 0.6:
            return item
        return {**item, "parts": [part(k) for k in rng.sample(range(5), rng.randrange(4))]}

    return [{**section, "items": list(map(item, section["items"]))} for section in sections]


# Promise: The code in `clients/README.md` applies every change; clients that know only the first page of
#   `protocol.md`, in Python and Perl, hold what the daemon does. Also `test_first_page.py`.
@pytest.mark.parametrize("format", ["stages", "ops"])
def test_the_algorithm(daemon: Daemon, rng: random.Random, format: str) -> None:
    """The code of the cookbook applies every change."""
    [code] = re.findall(r"### Applying a change\n.*?```python\n(.*?)```", COOKBOOK, re.S)
    names: Dict[str, Callable[..., Any]] = {}
    exec(code, names)
    shown: List[Any] = []
    for _ in range(400):
        for sections in pair(rng):
            sections = parted(rng, sections)
            answer = daemon.call(
                "applySnapshot", list="l", sections=sections, content=True, format=format
            )
            stages = answer["stages"] if format == "stages" else [[op] for op in answer["ops"]]
            for stage in stages:
                names["apply"](shown, stage)
            wanted = rows(daemon)
            wanted += [[] for _ in range(len(shown) - len(wanted))]
            got = [section["items"] for section in shown]
            assert key(got) == key(wanted), dumps(stages)
            assert key(list(map(own, shown))) == key(list(map(own, sections)))


# Promise: The commands in `README.md` print what it shows; every block of commands in `README.md` is run. Also
#   `test_readme.py`, `Tests/release`.
@pytest.mark.parametrize("name", ["README.md"])
def test_commands(tmp_path: Path, name: str) -> None:
    """Each block of commands that is followed by its output."""
    text = page(name)
    shown = re.findall(r"```sh\n([^`]*)```\n\n```(?:json|text)\n([^`]*)```", text)
    assert shown
    (tmp_path / ".build/release").mkdir(parents=True)
    (tmp_path / ".build/release/listd").symlink_to(Path(program()).resolve())
    path = f"{tmp_path}/.build/release:{os.environ['PATH']}"
    for commands, output in shown:
        commands = re.sub(r"^swift build .*\n", "", commands, flags=re.M)
        ran = subprocess.run(
            ["bash", "-c", commands], cwd=tmp_path, env={**os.environ, "PATH": path},
            capture_output=True, timeout=PATIENCE, text=True,
        )  # fmt: skip
        assert ran.stdout == output, ran.stderr
