"""What protocol.md and README.md show is what the daemon does."""

from __future__ import annotations

import os
import random
import re
import subprocess
from pathlib import Path
from typing import Any, Callable, Dict, List

import pytest

from examples import Chapter, answers, chapters
from gen import pair
from values import dumps, key, loads, own
from wire import PATIENCE, ROOT, Daemon, program

PAGE = (ROOT / "protocol.md").read_text("utf-8")


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


def test_every_error_has_a_row() -> None:
    codes = (ROOT / "Sources/JSONRPC/ErrorCode.swift").read_text("utf-8")
    for name, code in re.findall(r"let (\w+) = ErrorCode\(rawValue: (-\d+)\)", codes):
        assert f"| {code} | `{name}` |" in PAGE, f"no row for {name}"


def rows(daemon: Daemon) -> List[List[Any]]:
    """The contents of the rows of `l`, by section."""
    told = daemon.call("getSnapshot", list="l", window={"start": 0, "count": 1000})
    found: List[List[Any]] = []
    for row in told["rows"]:
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
    """The page's own code applies whatever is told."""
    [code] = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    names: Dict[str, Callable[..., Any]] = {}
    exec(code, names)
    shown: List[Any] = []
    for _ in range(400):
        for sections in pair(rng):
            sections = parted(rng, sections)
            told = daemon.call(
                "applySnapshot", list="l", sections=sections, content=True, format=format
            )
            stages = told["stages"] if format == "stages" else [[op] for op in told["ops"]]
            for stage in stages:
                names["apply"](shown, stage)
            wanted = rows(daemon)
            wanted += [[] for _ in range(len(shown) - len(wanted))]
            got = [section["items"] for section in shown]
            assert key(got) == key(wanted), dumps(stages)
            assert key(list(map(own, shown))) == key(list(map(own, sections)))


def test_the_commands_of_the_readme(tmp_path: Path) -> None:
    """Each block of commands that is followed by its output."""
    readme = (ROOT / "README.md").read_text("utf-8")
    shown = re.findall(r"```sh\n([^`]*)```\n\n```(?:json|text)\n([^`]*)```", readme)
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
