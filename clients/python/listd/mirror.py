"""A copy of a list that is maintained only by its changes."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Union

from .applying import perform
from .errors import OutOfStep
from .ops import TextEdit
from .patching import apply_patch, apply_text_edits
from .news import Expanded, News
from .places import Path, Range
from .changes import Change, ViewNumbers
from .results import Fed, Selected, Snapshot, Text
from .rows import Sections, in_rows


class Mirror:
    """A copy of a list, maintained by applying its news.

    A mirror begins as a list that does not exist. It accepts changes in any format, but only those that
    follow its revision; others raise `OutOfStep`. Then take a `Snapshot` (or a `Text`) to recover. Changes
    need their content (`content=True`). Changes in terms of rows take time by the number of their ops.
    """

    def __init__(self) -> None:
        self.revision: int = 0
        """The revision of the sections."""
        self._sections: Optional[Sections] = []
        self.document: Optional[Dict[str, Any]] = {"sections": []}
        """The sections with their items; `None` after changes in terms of rows."""
        self.selection: List[Range] = []
        self.cursor: Optional[Path] = None
        self.text: str = ""
        self.text_revision: Optional[int] = None
        self.cursor_line: Optional[int] = None
        self.view: Optional[ViewNumbers] = None
        """The numbers of a view, if the list is one."""

    @property
    def sections(self) -> Sections:
        """The sections, with rows for items (an item with parts has a row for each part). Changes are applied to
        these lists themselves."""
        if self._sections is None:
            self._sections = in_rows(self.document["sections"] if self.document else [])
        return self._sections

    def take(self, news: News) -> None:
        """Applies news. If they do not fit, raises `OutOfStep` and leaves the mirror
        unchanged."""
        if isinstance(news, Snapshot):
            self.revision = news.revision
            self._show({"sections": news.sections})
            self.selection, self.cursor, self.view = news.selection, news.cursor, news.view
        elif isinstance(news, Change):
            self.apply(news)
        elif isinstance(news, Selected):
            if news.text_edits is not None:
                self._edit(news, news.text_edits)
            self.selection, self.cursor = news.selection, news.cursor
        elif isinstance(news, Text):
            self.text, self.text_revision = news.text, news.text_revision
            self.cursor_line = news.cursor_line
        elif not isinstance(news, (Expanded, Fed)):
            self.__dict__.update(Mirror().__dict__)

    def apply(self, change: Change) -> None:
        """Applies a change in any format."""
        if change.reload:
            raise OutOfStep("a change with too many ops, which are not included")
        if change.text_edits is not None:
            self._edit(change, change.text_edits)
        else:
            self._follow(change)
        self.selection, self.cursor, self.view = change.selection, change.cursor, change.view

    def _follow(self, change: Change) -> None:
        if change.base_revision != self.revision:
            raise OutOfStep(f"a change from {change.base_revision} to a mirror at {self.revision}")
        elif change.stages is not None:
            perform(self.sections, change.stages)
        elif change.ops is not None:
            perform(self.sections, [[op] for op in change.ops], is_sequence=True)
        elif change.json_patch is not None:
            if self.document is None:
                raise OutOfStep("a patch of items, but only rows are known")
            self._show(apply_patch(self.document, change.json_patch))
        elif change.revision != change.base_revision:
            raise OutOfStep("a change without ops")
        if change.stages or change.ops:
            self.document = None
        self.revision = change.revision

    def _show(self, document: Dict[str, Any]) -> None:
        # The rows are made when they are needed: a patch takes time by what it changes.
        self.document, self._sections = document, None

    def _edit(self, source: Union[Change, Selected], edits: List[TextEdit]) -> None:
        if source.base_text_revision != self.text_revision:
            raise OutOfStep(
                f"edits of text {source.base_text_revision} to a mirror at {self.text_revision}"
            )
        self.text = apply_text_edits(self.text, edits)
        self.text_revision, self.cursor_line = source.text_revision, source.cursor_line
