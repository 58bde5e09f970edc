"""The query, an editable line."""

from __future__ import annotations


class Prompt:
    """A text and its caret."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.caret = len(text)

    def take(self, key: str) -> bool:
        """Edits the text with a key. Returns whether the key is an editing key."""
        if len(key) == 1:
            self._replace(self.caret, self.caret, key)
        elif key in ("left", "ctrl-b"):
            self.caret = max(self.caret - 1, 0)
        elif key in ("right", "ctrl-f"):
            self.caret = min(self.caret + 1, len(self.text))
        elif key in ("home", "ctrl-a"):
            self.caret = 0
        elif key in ("end", "ctrl-e"):
            self.caret = len(self.text)
        elif key in ("backspace", "ctrl-h"):
            self._replace(max(self.caret - 1, 0), self.caret)
        elif key in ("delete", "ctrl-d"):
            self._replace(self.caret, self.caret + 1)
        elif key == "ctrl-w":
            self._replace(self._word(), self.caret)
        elif key == "ctrl-u":
            self._replace(0, self.caret)
        else:
            return False
        return True

    def _replace(self, start: int, end: int, by: str = "") -> None:
        self.text = self.text[:start] + by + self.text[end:]
        self.caret = start + len(by)

    def _word(self) -> int:
        """The start of the word before the caret."""
        return self.text[: self.caret].rstrip().rfind(" ") + 1
