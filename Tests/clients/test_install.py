"""Tests of `clients/install`, manual pages and completions."""

# Promise: An installation is complete, and can be removed except for files that were changed since.
# Promise: Manual pages and completions have every option of the help.

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Dict, List

import pytest

ROOT = Path(__file__).resolve().parents[2]
INSTALL = ROOT / "clients" / "install"
LISTD = os.environ["LISTD"]
sys.path.insert(0, str(ROOT / "clients" / "install.d"))

import commands  # noqa: E402

COMMANDS = commands.read(LISTD)


def run(*words: Any, **more: Any) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60,
        encoding="utf-8", **more,
    )  # fmt: skip


def install(*words: Any, **environment: str) -> "subprocess.CompletedProcess[str]":
    return run(
        sys.executable, INSTALL, *words, env={**os.environ, "LISTD": LISTD, **environment}
    )


def files(folder: Path) -> List[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("prefix")
    result = install(folder)
    assert result.returncode == 0, result.stderr
    assert f"{folder}/bin" in result.stdout
    return folder


def test_installed_files(prefix: Path) -> None:
    there = files(prefix)
    for name in (
        "bin/listd", "share/man/man1/listd.1", "share/man/man1/listd-diff.1",
        "share/man/man7/listd-protocol.7", "share/bash-completion/completions/listd",
        "share/zsh/site-functions/_listd", "share/fish/vendor_completions.d/listd.fish",
        "share/doc/listd/LICENSE", "share/doc/listd/llms.txt", "share/listd/shell/listd.bash",
        "share/listd/python/listd/version.txt", "share/listd/neovim/plugin/listd.lua",
    ):  # fmt: skip
        assert name in there
    assert not [name for name in there if name.endswith((".pyc", ".new"))]
    result = run(prefix / "bin/listd", "--version").stdout
    assert result == run(LISTD, "--version").stdout
    sums = run("sha256sum", "--check", "--quiet", "share/doc/listd/SHA256SUMS", cwd=prefix)
    assert sums.returncode == 0, sums.stdout


def test_the_installed_clients_find_the_installed_program(prefix: Path) -> None:
    source = f"source {prefix}/share/listd/shell/listd.bash; listd_find"
    found = run("bash", "-c", source, env={"PATH": "/usr/bin:/bin"})
    assert found.stdout == f"{prefix}/bin/listd\n", found.stderr
    result = run(
        sys.executable, "-B", "-c", "import listd; print(listd.find())",
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(prefix / "share/listd/python")},
    )  # fmt: skip
    assert result.stdout == f"{prefix}/bin/listd\n", result.stderr


def test_the_installed_screens_run(prefix: Path) -> None:
    """The screens need only the installed files."""
    folder = prefix / "share/listd/web/examples"
    screens = [path for path in folder.iterdir() if path.is_file() and not path.suffix]
    assert len(screens) == 5
    for screen in screens:
        words = [sys.executable, "-B", str(screen)]
        with subprocess.Popen(
            [*words, str(prefix)] if screen.name == "explorer" else words,
            env={"PATH": "/usr/bin:/bin"}, stdout=subprocess.PIPE,
        ) as process:  # fmt: skip
            assert process.stdout
            assert process.stdout.readline().startswith(b"http://localhost:"), screen
            process.kill()


def test_installed_again_and_removed(tmp_path: Path) -> None:
    assert install(tmp_path).returncode == 0
    (tmp_path / "bin/mine").write_text("mine")
    (tmp_path / "share/man/man1/listd-old.1").write_text("of an older version")
    sums = tmp_path / "share/doc/listd/SHA256SUMS"
    old = run("sha256sum", "share/man/man1/listd-old.1", cwd=tmp_path).stdout
    sums.write_text(sums.read_text() + old)
    assert install(tmp_path).returncode == 0
    assert not (tmp_path / "share/man/man1/listd-old.1").exists()
    changed = tmp_path / "share/zsh/site-functions/_listd"
    changed.write_text("changed")
    result = install("--uninstall", tmp_path)
    assert result.returncode == 0 and f"{changed} was changed" in result.stderr
    assert files(tmp_path) == ["bin/mine", "share/zsh/site-functions/_listd"]
    again = install("--uninstall", tmp_path)
    assert again.returncode == 1 and "no installation" in again.stderr


def test_installing_into_the_home_folder(tmp_path: Path) -> None:
    assert install(HOME=str(tmp_path)).returncode == 0
    assert (tmp_path / ".local/bin/listd").exists()
    assert install("--uninstall", HOME=str(tmp_path)).returncode == 0
    assert files(tmp_path) == []


def test_errors_of_installation(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = install(tmp_path / "file")
    assert result.returncode == 1 and result.stderr.startswith("install: ")
    refused = install(tmp_path / "p", LISTD=str(tmp_path / "none"))
    assert refused.returncode == 1 and "LISTD=" in refused.stderr
    assert not (tmp_path / "p").exists()


def building(folder: Path, swift: str) -> Dict[str, str]:
    """The environment of an installation that must build, with a script as the compiler."""
    (folder / "bin").mkdir()
    program = folder / "bin/swift"
    program.write_text(f"#!/bin/bash\n{swift}\n")
    program.chmod(0o755)
    found = {name: value for name, value in os.environ.items() if name != "LISTD"}
    return {**found, "PATH": f"{folder}/bin:{os.environ['PATH']}"}


@pytest.fixture()
def checkout(tmp_path: Path) -> Path:
    """A checkout in which nothing is built."""
    folder = tmp_path / "checkout"
    shutil.copytree(ROOT / "clients", folder / "clients", symlinks=True)
    (folder / "Sources").mkdir()
    (folder / "Package.swift").write_text("")
    return folder / "clients/install"


def test_the_prefix_is_checked_before_the_build(tmp_path: Path, checkout: Path) -> None:
    environment = building(tmp_path, f"touch {tmp_path}/began; exit 1")
    (tmp_path / "file").write_text("")
    for prefix in ("/proc/x", tmp_path / "file", tmp_path / "file/below"):
        result = run(sys.executable, checkout, prefix, env=environment)
        assert result.returncode == 1 and result.stderr.startswith("install: "), result
        assert not (tmp_path / "began").exists()
    result = run(sys.executable, checkout, tmp_path / "new/prefix", env=environment)
    assert result.returncode == 1 and "failed" in result.stderr
    assert (tmp_path / "began").exists()
    assert not (tmp_path / "new").exists(), "folders that nothing was installed into are removed"


@pytest.mark.skipif(sys.platform == "darwin", reason="programs for macOS use its libraries")
@pytest.mark.parametrize("links_statically", [True, False])
def test_the_program_is_static_if_it_can_be_linked(tmp_path: Path, checkout: Path, links_statically: bool) -> None:
    refusal = "" if links_statically else "[[ $* == *-static-executable* ]] && exit 1"
    built = checkout.parent.parent / ".build/release/listd"
    make = f"mkdir -p {built.parent} && touch {built}"
    environment = building(tmp_path, f"echo $* >>{tmp_path}/calls; {refusal}\n{make}")
    script = "import building; print(building.find())"
    result = run(sys.executable, "-c", script, cwd=checkout.parent / "install.d", env=environment)
    assert result.returncode == 0 and result.stdout == f"{built}\n", result
    calls = (tmp_path / "calls").read_text().splitlines()
    assert "-static-executable" in calls[0] and len(calls) == (1 if links_statically else 2)


def wait_for_end(pid: str) -> None:
    """Waits until a process ends. An orphan may remain as a zombie if nobody waits for it."""
    for _ in range(600):
        state = run("ps", "-o", "stat=", "-p", pid).stdout.strip()
        if state == "" or state.startswith("Z"):
            return
        time.sleep(0.1)
    raise AssertionError(f"process {pid} goes on")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_the_build_ends_with_the_installation(tmp_path: Path, checkout: Path, number: int) -> None:
    # A compiler whose own processes do not end with it.
    pids = tmp_path / "pids"
    environment = building(tmp_path, f"sleep 1000 & echo $! $$ >{pids}.new; mv {pids}.new {pids}; wait")
    words = [sys.executable, str(checkout), str(tmp_path / "prefix")]
    with subprocess.Popen(words, env=environment, stderr=subprocess.DEVNULL) as process:
        while not pids.exists():
            assert process.poll() is None
        process.send_signal(number)
        assert process.wait(60) == 128 + number
    for pid in pids.read_text().split():
        wait_for_end(pid)
    assert not (tmp_path / "prefix").exists()


def test_a_signal_that_arrives_while_the_build_starts(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        f"""
import os, signal, subprocess, sys
sys.path.insert(0, {str(ROOT / "clients/install.d")!r})
import building

class Popen(subprocess.Popen):
    def __init__(self, *words, **more):
        super().__init__(*words, **more)
        print(self.pid, flush=True)
        os.kill(os.getpid(), signal.SIGTERM)

subprocess.Popen = Popen
building.run_alone(["sleep", "1000"], "/", os.environ)
"""
    )
    result = run(sys.executable, script)
    assert result.returncode == 128 + signal.SIGTERM, result
    wait_for_end(result.stdout.strip())


def test_folders_that_were_there_are_kept(tmp_path: Path) -> None:
    (tmp_path / "share/man/man1").mkdir(parents=True)
    for _ in range(2):
        assert install(tmp_path).returncode == 0
    assert install("--uninstall", tmp_path).returncode == 0
    left = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*"))
    assert left == ["share", "share/man", "share/man/man1"]
    assert install(tmp_path / "own/prefix").returncode == 0
    assert install("--uninstall", tmp_path / "own/prefix").returncode == 0
    assert not (tmp_path / "own").exists()


def page(prefix: Path, name: str) -> str:
    """A manual page as text without formatting."""
    result = run("groff", "-Kutf8", "-t", "-man", "-ww", "-Tutf8", "-P-cbou", prefix / "share/man" / name)
    assert result.returncode == 0 and result.stderr == "", result.stderr
    return " ".join(result.stdout.split())


def test_manual_pages_of_commands(prefix: Path) -> None:
    for command in COMMANDS:
        if command.name == "help":
            continue
        shown = page(prefix, f"man1/{command.title}.1")
        assert f"{command.title} - {command.summary}" in shown
        for option in command.options:
            assert f"{option.name} {option.value}".strip() in shown, option
            assert option.text in shown, option
        for note in command.notes:
            assert " ".join(note.split()) in shown


def test_the_manual_page_of_the_protocol(prefix: Path) -> None:
    shown = page(prefix, "man7/listd-protocol.7")
    protocol = (ROOT / "protocol.md").read_text("utf-8")
    for heading in re.findall(r"^### (.*)$", protocol, re.M):
        assert heading.replace("`", "") in shown, heading
    for block in re.findall(r"^```[^\n]+\n(.*?)^```$", protocol, re.M | re.S):
        assert " ".join(block.split()) in shown, block
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)|[`*]+", r"\1", protocol)
    for row in re.findall(r"^\| (.*) \|$", plain, re.M):
        cell = row.split(" | ")[0].replace("\\|", "|")
        assert cell.startswith("---") or cell.split()[0] in shown, row
    assert "```" not in shown and "](" not in shown


BASH = """
source {prefix}/share/bash-completion/completions/listd
COMP_WORDS=({words} '{word}')
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_listd listd '{word}' "${{COMP_WORDS[COMP_CWORD - 1]}}"
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
FISH = "source {prefix}/share/fish/vendor_completions.d/listd.fish; complete -C '{words} {word}'"
# The functions pass their arguments to the shell's own ones, which work only in a terminal.
ZSH = """
_arguments() {{ print -l -- $@; }}
_describe() {{ print -l -- ${{(P)2}}; }}
_normal() {{ (( CURRENT == 1 )) && print -l -- ${{(k)commands[(I)$words[1]*]}} || print -l -- $words[CURRENT]*; }}
compadd() {{ print -l -- ${{(P)2}}; }}
words=({words} '{word}')
CURRENT=${{#words}}
source {prefix}/share/zsh/site-functions/_listd
[[ '{words}' != listd && '{words}' != *help ]] || _listd_commands
{more}
"""


def completed(shell: str, prefix: Path, words: str, word: str, more: str = "") -> List[str]:
    """The words that a shell offers. In zsh it calls `more`, too."""
    script = {"bash": BASH, "fish": FISH, "zsh": ZSH}[shell]
    script = script.format(prefix=prefix, words=words, word=word, more=more)
    environment = {**os.environ, "PATH": f"{prefix}/bin:{os.environ['PATH']}"}
    result = run(shell, "-c", script, env=environment, cwd=prefix)
    return re.findall(r"[-\w.]+", result.stdout)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions(prefix: Path, shell: str) -> None:
    assert shutil.which(shell)
    names = [command.name for command in COMMANDS[1:]]
    assert set(names) <= set(completed(shell, prefix, "listd", ""))
    assert set(names) <= set(completed(shell, prefix, "listd help", ""))
    for command in COMMANDS:
        result = completed(shell, prefix, f"listd {command.name}".strip(), "-")
        assert {option.name for option in command.options} <= set(result), command.title
        for option in command.options:
            if option.choices:
                words = f"listd {command.name} {option.name}"
                assert set(option.choices) <= set(completed(shell, prefix, words, "")), option


def test_help_completes_only_commands(prefix: Path) -> None:
    names = {command.name for command in COMMANDS[1:]}
    assert set(completed("bash", prefix, "listd help", "")) == names


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_of_lists(prefix: Path, tmp_path: Path, shell: str) -> None:
    socket = tmp_path / "socket"
    with subprocess.Popen([LISTD, "--listen", str(socket)], stdin=subprocess.DEVNULL) as daemon:
        while not socket.exists():
            assert daemon.poll() is None
        for name in ("prices", "inbox.new", "a\"b"):
            request = {"jsonrpc": "2.0", "id": 1, "method": "applySnapshot", "params": {"list": name, "items": []}}
            run(LISTD, "connect", socket, input=json.dumps(request) + "\n")
        for words in (
            f"listd watch --socket {socket}", f"listd get --socket={socket}",
            f"listd page --connect {socket} --list",
        ):  # fmt: skip
            if shell == "zsh":
                # The list is read by the function that the arguments name.
                assert "_listd_lists" in completed(shell, prefix, words, "")
                result = completed(shell, prefix, words, "", "_listd_lists")
            else:
                result = completed(shell, prefix, words, "")
            assert {"prices", "inbox.new"} <= set(result), words
        daemon.terminate()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_of_recipes(prefix: Path, shell: str) -> None:
    for words in ("listd watch", "listd pick --multi"):
        result = completed(shell, prefix, words, "", "_listd_recipes")
        assert {"ps", "branches"} <= set(result), words
        assert shell != "zsh" or "_listd_recipes" in result, words


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_of_programs(prefix: Path, shell: str) -> None:
    for words in ("listd watch -n 1 --", "listd page --"):
        assert "sha256sum" in completed(shell, prefix, words, "sha256s"), words
        assert "--key" not in completed(shell, prefix, words, "-"), words
        assert "share" in " ".join(completed(shell, prefix, f"{words} ls", "sh")), words


def test_values_that_are_not_files_complete_to_nothing(prefix: Path) -> None:
    script = f"source {prefix}/share/bash-completion/completions/listd; complete -p listd"
    assert run("bash", "-c", script).stdout == "complete -F _listd listd\n"
    for words in ("listd diff --key", "listd watch -n", "listd diff --context"):
        assert completed("bash", prefix, words, "") == []
    assert "share" in completed("bash", prefix, "listd diff", "")


def test_completions_of_files(prefix: Path) -> None:
    result: Dict[str, List[str]] = {
        "bash": completed("bash", prefix, "listd --record", "sh"),
        "fish": completed("fish", prefix, "listd --record", "sh"),
    }
    assert all("share" in words or "share/" in words for words in result.values()), result


def test_the_page_for_programs_that_read(prefix: Path) -> None:
    """It names every command, has the page for a client, and is at most 3,000 tokens long."""
    text = (prefix / "share/doc/listd/llms.txt").read_text("utf-8")
    assert text.startswith(f"# listd {commands.version(LISTD)}\n\n> ")
    for command in COMMANDS:
        assert not command.name or f"- `listd {command.name}`: {command.summary}\n" in text
    assert "**A stage** is an array of operations" in text and "](#" not in text
    assert len(re.findall(r"\w+|[^\w\s]", text)) < 3_000 and len(text) < 9_000
