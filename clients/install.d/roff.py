"""Converts text and Markdown to the source of a manual page."""

from __future__ import annotations

import re
from typing import List


def header(title: str, section: int, version: str, manual: str) -> str:
    # The first line passes pages with tables through tbl.
    return f"'\\\" t\n.TH {text(title).upper()} {section} \"\" \"listd {version}\" \"{manual}\"\n.nh\n.ad l"


def text(words: str) -> str:
    """Escapes a paragraph."""
    words = words.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    words = words.replace("`", "\\(ga").replace("^", "\\(ha").replace("~", "\\(ti")
    return re.sub(r"^(?=[.'])", r"\\&", words, flags=re.M)


def literal(block: str) -> str:
    """Escapes literal lines."""
    return "\n".join(re.sub(r"^(?=[.'])", r"\\&", text(line)) for line in block.split("\n"))


def from_markdown(page: str) -> str:
    """Converts headings, paragraphs, lists, tables and fenced blocks. Links become their
    text."""
    lines: List[str] = []
    page = re.sub(r"^<!--.*?-->\n", "", page, flags=re.M)
    # Empty lines separate blocks, except in fenced blocks.
    fenced = re.split(r"^```[^\n]*\n(.*?)^```$\n?", page, flags=re.M | re.S)
    for index, part in enumerate(fenced):
        if index % 2:
            # The end of an example enables hyphenation again.
            lines += [".PP", ".EX", literal(part.rstrip("\n")), ".EE", ".nh"]
        else:
            for block in re.split(r"\n\s*\n", part.strip("\n")):
                lines += _block(block)
    return "\n".join(lines)


def _block(block: str) -> List[str]:
    block = block.strip("\n")
    if not block:
        return []
    if heading := re.match(r"(#+) (.*)", block):
        depth, title = len(heading[1]), heading[2]
        rest = _block(block[heading.end() :])
        if depth == 1:
            return rest
        if depth == 2:
            return [f'.SH "{inline(title).upper()}"', *rest]
        return [f'.SS "{inline(title)}"', *rest]
    if re.match(r"\[[^]]*\]\(#", block) and "·" in block:
        return []  # The table of contents.
    if block.startswith("|"):
        return _table(block.splitlines())
    if re.match(r"[*-] |\d+\. ", block):
        items = re.split(r"\n(?=[*-] |\d+\. )", block)
        lines = []
        for item in items:
            mark, _, words = item.partition(" ")
            mark = "\\(bu" if mark in "*-" else mark
            lines += [f".IP {mark} 3", inline(" ".join(words.split()))]
        return lines
    return [".PP", inline(" ".join(block.split()))]


def _table(lines: List[str]) -> List[str]:
    rows = [
        [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip()[1:-1])]
        for line in lines
    ]
    columns = len(rows[0])
    out = [".TS", "tab(\t);", "\t".join(["lb"] * columns).replace("\t", " ")]
    # A column is as wide as its longest word, which is not broken.
    plain = [[re.sub(r"\]\([^)]*\)", "", cell) for cell in row] for row in rows]
    words = [max(len(word) for row in plain for word in ["", *row[k].split()]) for k in range(columns)]
    out += [" ".join(f"lw({word}n)" if word > 14 else "l" for word in words[:-1]) + " lx."]
    # Text blocks have a fixed share of the page width; plain cells have the width of their words.
    widths = [max(len(row[k]) for row in plain) for k in range(columns)]
    for index, row in enumerate(rows):
        if index != 1:  # The line below the headings.
            cells = [
                inline(cell) if columns > 3 and widths[k] < 24 else f"T{{\n{inline(cell)}\nT}}"
                for k, cell in enumerate(row)
            ]
            out.append("\t".join(cells))
    return [".PP", *out, ".TE"]


def inline(words: str) -> str:
    """Converts code and emphasis to bold, and links to their text."""
    words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", words)
    parts = re.split(r"(`+)(.+?)\1", words)
    out = []
    for index, part in enumerate(parts):
        if index % 3 == 0:
            for number, piece in enumerate(re.split(r"\*\*(.+?)\*\*", part)):
                out.append(f"\\fB{text(piece)}\\fR" if number % 2 else text(piece))
        elif index % 3 == 2:
            out.append(f"\\fB{text(part)}\\fR")
    return re.sub(r"^(?=[.'])", r"\\&", "".join(out))
