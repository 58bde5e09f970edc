"""A copy of a text that only applies notifications: its lines, their spans, and the cursor's line."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

from text_edits import apply_edits
from values import dumps

Spans = List[Tuple[int, int, str]]


class TextMirror:
    """What a subscriber knows of a text. `spans` are those of each line if they are sent, else `None`."""

    def __init__(self, whole: Dict[str, Any]) -> None:
        self.text: str = whole["text"]
        self.number: int = whole["textRevision"]
        self.spans: Optional[List[Spans]] = None
        if "spans" in whole:
            brought = by_line(whole["spans"])
            self.spans = [brought.pop(line, []) for line in range(self.text.count("\n"))]
            assert not brought, "spans of lines that are not there"
        self.take_marks(whole)

    def take_marks(self, state: Dict[str, Any]) -> None:
        self.cursor_line: Optional[int] = state.get("cursorLine")
        self.selected: Any = state.get("selectedLines")

    def select(self, state: Dict[str, Any]) -> None:
        """Applies a `didSelect`."""
        assert state["textRevision"] == self.number, dumps(state)
        self.take_marks(state)

    def change(self, change: Dict[str, Any]) -> None:
        """Applies a `didChange`."""
        assert change["baseTextRevision"] == self.number, dumps(change)
        self.number = change["textRevision"]
        self.text = apply_edits(self.text, change["textEdits"])
        if self.spans is not None:
            brought, old, self.spans, end = by_line(change["spans"]), self.spans, [], 0
            for edit in change["textEdits"]:
                self.spans += old[end : edit["range"]["start"]["line"]]
                for _ in range(edit["newText"].count("\n")):
                    self.spans.append(brought.pop(len(self.spans), []))
                end = edit["range"]["end"]["line"]
            self.spans += old[end:]
            assert not brought, f"spans of lines that were not inserted: {dumps(change)}"
        self.take_marks(change)

    def remove(self) -> None:
        """Applies a `didRemove`: the text is empty and has the number 0."""
        self.text, self.number, self.cursor_line = "", 0, None
        self.spans = None if self.spans is None else []
        self.selected = None if self.selected is None else []

    def check(self, whole: Dict[str, Any]) -> None:
        """Checks that the copy equals an answer to `getText` with all members."""
        other = TextMirror(whole)
        assert (self.text, self.number) == (other.text, other.number)
        assert self.cursor_line == other.cursor_line, f"{self.cursor_line}: {dumps(whole)}"
        if self.spans is not None:
            assert self.spans == other.spans, f"{dumps(self.spans)}: {dumps(whole)}"
        if self.selected is not None:
            assert self.selected == other.selected, f"{self.selected}: {dumps(whole)}"


def by_line(spans: List[Any]) -> Dict[int, Spans]:
    """The spans of each line. They are ascending, and none is empty."""
    found: Dict[int, Spans] = {}
    last = (-1, -1, -1)
    for span in spans:
        place = (span["line"], span["start"], span["end"])
        assert last <= place and span["start"] < span["end"], dumps(spans)
        last = place
        found.setdefault(span["line"], []).append((span["start"], span["end"], span["group"]))
    return found
