"""The examples of protocol.md and README.md are what the daemon does."""

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
from examples import Chapter, answers, chapters
from random_snapshots import pair
from repository import page
from values import dumps, key, loads, own

PAGE = page("protocol.md")


@pytest.mark.parametrize("chapter", chapters(PAGE), ids=lambda chapter: chapter.title)
def test_conversations(chapter: Chapter) -> None:
    with Daemon(*chapter.arguments) as daemon:
        for step in chapter.steps:
            wanted = [loads(message) for message in step.received]
            got = [loads(message) for message in answers(daemon, step)]
            assert list(map(key, got)) == list(map(key, wanted)), (
                f"protocol.md:{step.line}\n  sent:   {step.sent}\n"
                f"  wanted: {dumps(wanted)}\n  got:    {dumps(got)}"
            )


def test_every_method_has_an_example() -> None:
    with Daemon() as daemon:
        methods = daemon.call("initialize", {})["capabilities"]["methods"]
    shown = [line for chapter in chapters(PAGE) for step in chapter.steps for line in step.sent]
    for method in methods:
        assert re.search(rf"^### (.*, )?{method}\b", PAGE, re.M), f"no section for {method}"
        assert any(f'"method":"{method}"' in line for line in shown), f"no example of {method}"


def test_every_file_names_its_chapters() -> None:
    files = {path.stem for path in Path(__file__).parent.rglob("test_*.py")}
    assert set(CLAUSES) == files
    headings = set(re.findall(r"^##+ (.*)", PAGE, re.M))
    named = {clause for clauses in CLAUSES.values() for clause in clauses}
    assert named <= headings, named - headings
    # Chapters without a file of tests: tables, and chapters that only their examples test.
    shown = {"All messages", "Lists", "Changing lists", "Reading", "Composing", "Subscribing"}
    shown |= {"initialized, $/setTrace", "rpc.discover", "Four sequences", "listd connect", "listd page"}
    shown |= {"Versions and compatibility"}
    assert headings - named == shown, (headings - named) ^ shown


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


@pytest.mark.parametrize("format", ["stages", "ops"])
def test_the_algorithm(daemon: Daemon, rng: random.Random, format: str) -> None:
    """The code of the page applies every change."""
    [code] = re.findall(r"```python\n(.*?)```", PAGE, re.S)
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


@pytest.mark.parametrize("name", ["README.md", "protocol.md"])
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
