"""The comments of a source file, or the prose of a document, line by line."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Iterator, Tuple

HASH = r"(?:^|\s)#(?!!)(.*)"
SLASHES = r"//+(.*)|^\s*/?\*+(.*)"
# By suffix, what begins a comment in a line; the suffixes that are not here are not checked.
COMMENTS = {
    ".swift": r"//+(.*)", ".js": SLASHES, ".mjs": SLASHES, ".ts": SLASHES, ".c": SLASHES,
    ".css": SLASHES, ".go": SLASHES, ".lua": r"--+(.*)", ".el": r"(?:^|\s);+(.*)",
    ".vim": r"^\s*[\"#](.*)|\s#\s(.*)", ".sh": HASH, ".bash": HASH, ".yml": HASH, ".py": HASH,
    "": HASH, ".md": r"^(.*)", ".txt": r"^(.*)",
}  # fmt: skip
DESCRIPTION = re.compile(r'"(?:description|summary|title)": "(.*)"')
STRING = re.compile(r'(?<!\S)"(?:[^"\\]|\\.)*"|(?<=[^\s"])"(?:[^"\\\n]|\\.)*"')


def is_checked(path: str) -> bool:
    return Path(path).suffix in COMMENTS or path.endswith("protocol.json")


def prose(path: str, text: str) -> str:
    """A line for each line of the file, empty if it is code."""
    suffix, lines = Path(path).suffix, text.split("\n")
    if suffix == ".json":
        return "\n".join(" ".join(DESCRIPTION.findall(line)) for line in lines)
    comment = re.compile(COMMENTS[suffix])
    is_document = suffix in (".md", ".txt")
    found = []
    for line in lines:
        code = line if is_document or suffix == ".vim" else STRING.sub('""', line)
        match = comment.search(code)
        found.append("".join(group or "" for group in match.groups()).strip() if match else "")
    if suffix == ".py" or lines[0].startswith("#!") and "python" in lines[0]:
        for first, last in docstrings(text):
            found[first - 1 : last] = [line.strip(' "') for line in lines[first - 1 : last]]
    return without_code("\n".join(found))


def docstrings(text: str) -> Iterator[Tuple[int, int]]:
    """The numbers of the first and the last line of each string that is a statement."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            if isinstance(node.value.value, str):
                yield node.lineno, node.end_lineno or node.lineno


def without_code(text: str) -> str:
    """The text without fenced blocks, code and quotations. Lines keep their numbers."""

    def blank(match: "re.Match[str]") -> str:
        return re.sub(r"[^\n]+", "…", match[0])

    text = re.sub(r"^```.*?^```", blank, text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"``?[^`\n]+(?:\n[^`\n]+)?``?", blank, text)
    return re.sub(r'"[^"\n]+(?:\n[^"\n]+)?"|“[^”]+”', blank, text)
