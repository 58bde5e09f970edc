"""How results look in a shell and in a notebook, and as data frames."""

# Promise: In Python long lists are short in a shell, tables in a notebook, and data frames. Also
#   `Tests/clients/python`.

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any, List, Optional, Tuple

import listd
import pytest
from listd import NamedList, edits


class Table(HTMLParser):
    """The caption and the cells of a table, which must be well-formed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.caption, self.rows, self._open = "", [], []  # type: str, List[List[str]], List[str]
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: List[Tuple[str, Optional[str]]]) -> None:
        self._open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open[-1] == "caption":
            self.caption += data
        else:
            self.rows[-1][-1] += data


def test_long_lists_are_short_in_a_shell(inbox: NamedList) -> None:
    change = inbox.apply([{"id": id, "text": "x" * 1000} for id in range(10_000)], content=True)
    snapshot = inbox.snapshot()
    for value in (change, snapshot):
        assert len(repr(value)) < 1000 and len(value._repr_html_()) < 10_000, repr(value)
    assert repr(snapshot).startswith("<Snapshot of 'inbox' at revision 1, 10,000 items in 1 section: [{'id': 0")
    assert repr(change).startswith("<Change of 'inbox' from revision 0 to 1, 10000 inserted; 1 section inserted: [[Insert")
    assert repr(inbox.apply(["a"], format="none")) == "<Change of 'inbox' from revision 1 to 2, changed>"
    assert repr(inbox.daemon.diff(["a"], ["a", "b"])).startswith("<Difference, 1 inserted: [[InsertItems")


def test_a_snapshot_as_a_table(inbox: NamedList) -> None:
    inbox.apply([{"id": id, "text": f"<b>{id}</b>"} for id in range(1000)])
    table = Table(inbox.snapshot()._repr_html_())
    assert table.caption == "Snapshot of 'inbox' at revision 1, 1,000 items in 1 section"
    assert table.rows[0] == ["id", "text"] and table.rows[1] == ["0", "<b>0</b>"] and table.rows[-1] == ["999", "<b>999</b>"]
    assert [len(table.rows), table.rows[6]] == [12, ["… 990 more …"]]
    table = Table(inbox._repr_html_())
    assert table.caption == "'inbox' at revision 1, 1,000 rows" and len(table.rows) == 12
    inbox.apply(["a", {"id": 1, "parts": ["head", {"text": "body"}]}])
    assert Table(inbox._repr_html_()).rows == [["text", "id"], ["a", ""], ["head", "1"], ["body", "1"]]
    assert "no list" in inbox.daemon.list("<none>")._repr_html_() and "<none>" not in inbox.daemon.list("<none>")._repr_html_()


def test_a_change_as_a_table(inbox: NamedList) -> None:
    inbox.apply([{"id": id, "text": f"row {id}"} for id in range(5)])
    items = [{"id": 4, "text": "row 4"}, {"id": 0, "text": "new"}, {"id": 1, "text": "row 1"}, {"id": 9, "text": "&"}]
    change = inbox.apply(items)
    table = Table(change._repr_html_())
    assert table.caption == "Change of 'inbox' from revision 1 to 2: 2 deleted, 1 inserted, 1 moved, 1 updated"
    assert [row[:2] for row in table.rows[1:]] == [
        ["delete", "2"], ["delete", "3"], ["move", "4"], ["update", "0"], ["insert", "9"],
    ]  # fmt: skip
    assert table.rows[4][2:] == ["0.0 → 0.1", "text: 'row 0' → 'new'"]
    many = inbox.apply([{"id": id, "text": "z"} for id in range(100, 300)])
    assert len(Table(many._repr_html_()).rows) == 52
    huge = inbox.apply(list(range(3000)))
    assert len(Table(huge._repr_html_()).rows) == 1
    inbox.daemon.close()
    assert Table(many._repr_html_()).rows == [["", "id", "at", ""]]


def test_frames_out(inbox: NamedList) -> None:
    change = inbox.apply([{"id": 1, "n": 1.5}, {"id": 2, "n": None}, "x"])
    frame = inbox.snapshot().to_frame()
    assert list(frame.columns) == ["id", "n", "text"] and list(frame["id"]) == [1, 2, "x"]
    assert inbox.snapshot().items == [{"id": 1, "n": 1.5}, {"id": 2, "n": None}, "x"]
    assert list(change.to_frame()["kind"]) == ["insert"] * 3
    inbox.apply(frame.head(2), key="id")
    deleted = inbox.edit(edits.delete_items(1)).to_frame()
    assert (deleted["kind"][0], deleted["old"][0]["id"], deleted["from"][0]) == ("delete", 1, (0, 0))
    inbox.apply(sections=[{"id": "a", "items": ["x"]}, {"id": "b", "items": [{"id": "y"}]}])
    frame = inbox.snapshot().to_frame()
    assert list(frame["section"]) == ["a", "b"] and list(frame["id"].fillna("")) == ["", "y"]
    difference: Any = inbox.daemon.diff(["a"], ["b"], content="both")
    assert list(difference.to_frame()["kind"]) == ["delete", "insert"]
    difference = inbox.daemon.diff(["a"], ["b"], content=True)
    with pytest.raises(ValueError, match="request `content="):
        difference.to_frame()
    assert Table(difference._repr_html_()).caption == "Difference: 1 deleted, 1 inserted"
