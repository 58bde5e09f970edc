"""Manual pages: of the commands, from their help, and of the protocol, from its Markdown."""

from __future__ import annotations

from typing import List

import roff
from commands import Command



def of_command(command: Command, commands: List[Command], version: str) -> str:
    """The manual page of a command, in section 1, with references to the others."""
    lines = [roff.header(command.title, 1, version, "User commands"), ".SH NAME"]
    lines.append(f"{roff.text(command.title)} \\- {roff.text(command.summary)}")
    lines.append(".SH SYNOPSIS")
    for usage in command.usage:
        words = usage.split()
        own = 1 if not command.name else 2
        lines += [f".B {roff.text(' '.join(words[:own]))}", roff.text(" ".join(words[own:])), ".br"]
    lines.append(".SH DESCRIPTION")
    first = True
    for note in command.notes:
        if note.startswith("  "):
            # The end of an example enables hyphenation again.
            lines += [".PP", ".EX", roff.literal(_dedented(note)), ".EE", ".nh"]
        else:
            lines += ([] if first else [".PP"]) + [roff.text(" ".join(note.split()))]
        first = False
    if first:
        lines.append(roff.text(f"The command {command.summary}."))
    lines.append(".SH OPTIONS")
    for option in command.options:
        value = f" \\fI{roff.text(option.value)}\\fR" if option.value else ""
        lines += [".TP", f"\\fB{roff.text(option.name)}\\fR{value}", roff.text(option.text)]
    lines.append(".SH SEE ALSO")
    others = [one.title for one in commands if one is not command]
    lines += [f".BR {roff.text(title)} (1)," for title in others] + [".BR listd\\-protocol (7)"]
    return "\n".join(lines) + "\n"


def of_protocol(page: str, version: str) -> str:
    """The manual page of the protocol, in section 7."""
    head = [
        roff.header("listd-protocol", 7, version, "The protocol of listd"),
        # Terminals have no pages, over which rows of tables do not break.
        ".if n .pl 30000v", ".SH NAME",
        "listd\\-protocol \\- the JSON\\-RPC protocol of listd",
    ]  # fmt: skip
    return "\n".join([*head, ".SH DESCRIPTION", roff.from_markdown(page)]) + "\n"


def _dedented(note: str) -> str:
    return "\n".join(line[2:] for line in note.splitlines())
