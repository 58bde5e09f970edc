"""What the program prints about itself, and how it answers a wrong command line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, List

import pytest

from test_command import run
from wire import ROOT, Daemon


def commands() -> List[str]:
    """The commands that the program's own help names."""
    usage = run("--help").out.decode().split("\n\n")[1]
    return re.findall(r"listd ([a-z][a-z-]*)", usage)


def test_every_command_describes_itself() -> None:
    assert {"diff", "replay", "help"} <= set(commands())
    for name in commands():
        told = run(name, "--help")
        assert told.code == 0 and told.err == "", name
        text = told.out.decode()
        assert text.startswith(f"listd {name}: ") and f"Usage: listd {name}" in text
        assert run("help", name) == told
        assert run(name, "-h") == told


def test_the_help_fits_a_terminal() -> None:
    for words in ([], *([name] for name in commands())):
        for line in run("help", *words).out.decode().splitlines():
            assert len(line) <= 100, line


def test_help_of_the_daemon() -> None:
    told = run("--help")
    assert told.code == 0 and told.err == ""
    assert run("help") == run("-h") == told


def test_choices_are_the_only_values() -> None:
    for name in commands():
        text = run("help", name).out.decode()
        for option, choices in re.findall(r"^  (--[a-z-]+) (\S*\|\S*)", text, re.M):
            told = run(name, f"{option}=nonsense")
            assert told.code == 2 and choices.split("|")[0] in told.err, option


@pytest.mark.parametrize(
    "words, says",
    [
        (["help", "dif"], "did you mean diff?"),
        (["help", "diff", "replay"], "one command"),
        (["rplay"], "did you mean replay?"),
        (["--framming=lsp"], "did you mean --framing?"),
        (["diff", "--fromat=ops", "a", "b"], "did you mean --format?"),
        (["diff", "--format=op", "a", "b"], "did you mean ops?"),
        (["diff", "--format"], "--format needs a value"),
        (["replay", "--show=1"], "--show takes no value"),
        (["--log-level=loud"], "error, warning, info or debug"),
        (["diff", "--", "--help"], "two files"),
    ],
)
def test_a_wrong_command_line(words: List[str], says: str) -> None:
    told = run(*words)
    assert told.code == 2 and told.out == b"" and says in told.err, told


def test_a_value_is_not_an_option(tmp_path: Path) -> None:
    told = run("diff", "--format", "--help")
    assert told.code == 2 and "not --help" in told.err


def told_version() -> Any:
    with Daemon() as daemon:
        return daemon.call("initialize", {})


def test_one_version() -> None:
    """The program, the handshake, the change log and the package have the same version."""
    told = told_version()
    version = told["serverInfo"]["version"]
    said = run("--version").out.decode()
    assert said == f"listd {version} (protocol {told['protocolVersion']})\n"
    log = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.findall(r"^## (\d+\.\d+\.\d+)", log, re.M)[0] == version
    assert f"version {told['protocolVersion']}\n" in (ROOT / "protocol.md").read_text("utf-8")
