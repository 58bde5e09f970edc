"""The commands of listd, parsed from the output of `listd help`."""

from __future__ import annotations

import re
import subprocess
from typing import List, NamedTuple


class Option(NamedTuple):
    name: str
    value: str  # The placeholder, or all values separated by |; empty if there is none.
    text: str

    @property
    def takes_next(self) -> bool:
        """Whether the next word is its value: one in brackets may be left out, or follow a sign."""
        return bool(self.value) and self.value[0] != "["

    @property
    def choices(self) -> List[str]:
        return self.value.split("|") if "|" in self.value else []


class Command(NamedTuple):
    name: str  # Empty for the daemon itself.
    summary: str
    usage: List[str]
    options: List[Option]
    notes: List[str]  # Paragraphs. Indented ones are literal.

    @property
    def title(self) -> str:
        return f"listd-{self.name}" if self.name else "listd"

    @property
    def takes_files(self) -> bool:
        return self._takes(r"\b(FILE|DIR|PATH|OLD|NEW|BASE)\b")

    @property
    def takes_lists(self) -> bool:
        return self._takes(r"\.\.\. NAME\b")

    @property
    def takes_recipes(self) -> bool:
        return self._takes(r"\bRECIPE\b")

    @property
    def takes_programs(self) -> bool:
        """Whether another program and its arguments follow `--`."""
        return self._takes("-- COMMAND")

    def _takes(self, operands: str) -> bool:
        return any(re.search(operands, line) for line in self.usage)


def read(program: str) -> List[Command]:
    """All commands. The daemon is first."""
    daemon = command(program, "")
    names = [line.split()[1] for line in daemon.usage if re.match(r"listd [a-z]", line)]
    return [daemon, *(command(program, name) for name in names)]


def command(program: str, name: str) -> Command:
    words = [program, "help", name] if name else [program, "help"]
    text = subprocess.run(words, check=True, stdout=subprocess.PIPE, timeout=60).stdout.decode()
    title, usage, options, *notes = text.rstrip("\n").split("\n\n")
    return Command(
        name, title.partition(": ")[2],
        [line.replace("Usage:", "").strip() for line in usage.splitlines()],
        [
            Option(name, value.strip(), " ".join(text.split()))
            for name, value, text in re.findall(
                r"^  (--[a-z0-9-]+|-[a-z])( \S+)?(?:\s{2,}|\n\s+)(.*(?:\n {6,}.*)*)", options, re.M
            )
        ],
        notes,
    )  # fmt: skip


def version(program: str) -> str:
    output = subprocess.run([program, "--version"], check=True, stdout=subprocess.PIPE, timeout=60)
    return output.stdout.decode().split()[1]
