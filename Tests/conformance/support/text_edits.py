"""Applies the text edits of a change to the lines of a text."""

from __future__ import annotations

from typing import Any, List

from values import dumps


def apply_edits(text: str, edits: List[Any]) -> str:
    """Applies LSP edits of whole lines, which are ascending, apart, and in lines of the old text."""
    lines = text.split("\n")[:-1]
    result, done = [], 0
    for edit in edits:
        start, end = edit["range"]["start"], edit["range"]["end"]
        assert start["character"] == end["character"] == 0
        assert done <= start["line"] <= end["line"] <= len(lines), dumps(edits)
        assert not result or start["line"] > done, f"neighbours are one edit: {dumps(edits)}"
        fresh = edit["newText"]
        assert fresh == "" or fresh.endswith("\n")
        result += lines[done : start["line"]] + fresh.split("\n")[:-1]
        done = end["line"]
    return "".join(line + "\n" for line in result + lines[done:])
