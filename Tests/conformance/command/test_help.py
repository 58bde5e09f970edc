"""The help texts, and the errors of a wrong command line."""

# Promise: Every command has a help text, and the error of a wrong command line suggests what was meant; the
#   program, the handshake and the change log have the same version.

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, List

import pytest

from client import Daemon
from command import run
from repository import page


def commands() -> List[str]:
    """The commands in the program's help."""
    usage = run("--help").out.decode().split("\n\n")[1]
    return re.findall(r"listd ([a-z][a-z-]*)", usage)


def test_every_command_describes_itself() -> None:
    assert {"diff", "replay", "help"} <= set(commands())
    for name in commands():
        answer = run(name, "--help")
        assert answer.code == 0 and answer.err == "", name
        text = answer.out.decode()
        assert text.startswith(f"listd {name}: ") and f"Usage: listd {name}" in text
        assert run("help", name) == answer
        assert run(name, "-h") == answer


def test_the_help_fits_a_terminal() -> None:
    for words in ([], *([name] for name in commands())):
        for line in run("help", *words).out.decode().splitlines():
            assert len(line) <= 100, line


def test_help_of_the_daemon() -> None:
    answer = run("--help")
    assert answer.code == 0 and answer.err == ""
    assert run("help") == run("-h") == answer


def test_choices_are_the_only_values() -> None:
    for name in commands():
        text = run("help", name).out.decode()
        for option, choices in re.findall(r"^  (--[a-z-]+) (\S*\|\S*)", text, re.M):
            answer = run(name, f"{option}=nonsense")
            assert answer.code == 2 and choices.split("|")[0] in answer.err, option


@pytest.mark.parametrize(
    "words, says",
    [
        (["help", "dif"], "did you mean diff?"),
        (["help", "diff", "replay"], "one command"),
        (["rplay"], "did you mean replay?"),
        (["--schema", "more"], "the protocol has no more"),
        (["--version", "more"], "unknown command more"),
        (["--framming=lsp"], "did you mean --framing?"),
        (["connect", "--start", "/tmp/socket", "--schema"], "unknown option --schema"),
        (["diff", "--fromat=ops", "a", "b"], "did you mean --format?"),
        (["diff", "--format=op", "a", "b"], "did you mean ops?"),
        (["diff", "--format"], "--format needs a value"),
        (["replay", "--show=1"], "--show takes no value"),
        (["--log-level=loud"], "error, warning, info or debug"),
        (["diff", "--", "--help"], "two files"),
    ],
)
def test_a_wrong_command_line(words: List[str], says: str) -> None:
    answer = run(*words)
    assert answer.code == 2 and answer.out == b"" and says in answer.err, answer


def test_a_value_is_not_an_option(tmp_path: Path) -> None:
    answer = run("diff", "--format", "--help")
    assert answer.code == 2 and "not --help" in answer.err


def test_the_changes_that_the_help_of_diff_shows(tmp_path: Path) -> None:
    (tmp_path / "old.csv").write_text("id,name\n1,Ann\n2,Bob\n3,Cleo\n")
    (tmp_path / "new.csv").write_text("id,name\n3,Cleo\n1,Anna\n4,Dan\n")
    answer = run("diff", tmp_path / "old.csv", tmp_path / "new.csv", "--key", "id", "--format", "ndjson")
    shown = re.findall(r"^  (\{\"op\".*)$", run("help", "diff").out.decode(), re.M)
    assert answer.out.decode().splitlines() == shown and len(shown) == 4


def handshake_version() -> Any:
    with Daemon() as daemon:
        return daemon.call("initialize", {})


def test_one_version() -> None:
    """The program, the handshake, the change log and the package have the same version."""
    answer = handshake_version()
    version = answer["serverInfo"]["version"]
    said = run("--version").out.decode()
    assert said == f"listd {version} (protocol {answer['protocolVersion']})\n"
    log = page("CHANGELOG.md")
    assert re.findall(r"^## (\d+\.\d+\.\d+)", log, re.M)[0] == version
    assert f"version {answer['protocolVersion']}\n" in page("protocol.md")
    schema = run("--schema").out.decode()
    since = {tuple(map(int, v.split("."))) for v in re.findall(r'"x-since": *"([0-9.]+)"', schema)}
    assert since and max(since) <= tuple(map(int, version.split("."))), "newer than the program"
