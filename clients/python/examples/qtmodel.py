"""A list as a Qt model: sections with their rows as children. For PyQt5, PyQt6 and PySide6.

    model = ListModel()
    view = QTreeView()
    view.setModel(model)
    for news in inbox.subscribe("ops"):       # or inbox.listen, with a signal to the thread of Qt
        model.take(news)

Every op is one pair of signals, so selections, expanded rows and persistent indexes follow their rows.
"""

from __future__ import annotations

from typing import Any, List, Optional

import listd
from listd.applying import contents, inserted_sections
from listd.rows import in_rows

try:
    from PyQt5.QtCore import QAbstractItemModel, QModelIndex, Qt
except ImportError:
    try:
        from PyQt6.QtCore import QAbstractItemModel, QModelIndex, Qt
    except ImportError:
        from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt

# Versions of Qt for Python differ in these names.
DISPLAY = getattr(Qt, "ItemDataRole", Qt).DisplayRole
CONTENT = getattr(Qt, "ItemDataRole", Qt).UserRole
"""The role for the whole row, or for a section's own members."""
SECTIONS, ROWS = "Sections", "Items"


class Node:
    """A section or a row. Model indexes refer to it, also after it has moved to another
    section."""

    def __init__(self, content: Any, parent: "Optional[Node]" = None) -> None:
        self.content, self.parent = content, parent
        self.children: List[Node] = []

    def add(self, contents: Any) -> "Node":
        self.children = [Node(content, self) for content in contents]
        return self


class ListModel(QAbstractItemModel):  # type: ignore[misc]
    """A model that follows a subscription in the format `ops`."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self.root = Node(None)
        self.revision = 0

    def take(self, news: listd.News) -> None:
        """Applies news. Raises `OutOfStep` if they do not follow the model's revision."""
        if isinstance(news, listd.Snapshot):
            self._reset(in_rows(news.sections))
            self.revision = news.revision
        elif isinstance(news, listd.Removed):
            self._reset([])
            self.revision = 0
        elif isinstance(news, listd.Change):
            if news.base_revision != self.revision or news.ops is None:
                raise listd.OutOfStep(f"a change from {news.base_revision} for a model at {self.revision}")
            for op in news.ops:
                self._apply(op)
            self.revision = news.revision

    def _reset(self, sections: Any) -> None:
        self.beginResetModel()
        self.root = Node(None)
        self.root.children = [self._section(section) for section in sections]
        self.endResetModel()

    def _section(self, section: Any) -> Node:
        own = {name: value for name, value in section.items() if name != "items"}
        return Node(own, self.root).add(section["items"])

    def _apply(self, op: Any) -> None:
        verb = type(op).__name__.replace(SECTIONS, "").replace(ROWS, "")
        if verb == "Move":
            self._move(*self._position(op.from_), *self._position(op.to), op.count)
            return
        parent, row = self._position(op.at)
        if verb == "Delete":
            self.beginRemoveRows(self._index(parent), row, row + op.count - 1)
            del parent.children[row : row + op.count]
            self.endRemoveRows()
        elif verb == "Insert":
            self.beginInsertRows(self._index(parent), row, row + op.count - 1)
            if parent is self.root:
                nodes = [self._section(section) for section in inserted_sections(op)]
            else:
                nodes = [Node(content, parent) for content in contents(op, op.items)]
            parent.children[row:row] = nodes
            self.endInsertRows()
        else:  # Reload or Reconfigure
            changed = contents(op, op.sections if parent is self.root else op.items)
            for content, node in zip(changed, parent.children[row : row + op.count]):
                node.content = content
            first, last = (self.index(one, 0, self._index(parent)) for one in (row, row + op.count - 1))
            self.dataChanged.emit(first, last)

    def _move(self, source: Node, start: int, target: Node, to: int, count: int) -> None:
        # Qt expects the destination index from before the rows are removed.
        before = to + count if source is target and to > start else to
        source_index, target_index = self._index(source), self._index(target)
        if not self.beginMoveRows(source_index, start, start + count - 1, target_index, before):
            raise listd.OutOfStep(f"Qt refuses a move from {start} to {before}")
        nodes = source.children[start : start + count]
        del source.children[start : start + count]
        target.children[to:to] = nodes
        for node in nodes:
            node.parent = target
        self.endMoveRows()

    def _position(self, at: Any) -> "tuple[Node, int]":
        return (self.root, at) if isinstance(at, int) else (self.root.children[at.section], at.row)

    def _index(self, node: Node) -> Any:
        if node.parent is None:
            return QModelIndex()
        return self.createIndex(node.parent.children.index(node), 0, node)

    def _node(self, index: Any) -> Node:
        node: Node = index.internalPointer() if index.isValid() else self.root
        return node

    def index(self, row: int, column: int, parent: Any = QModelIndex()) -> Any:
        children = self._node(parent).children if parent.column() <= 0 else []
        if column != 0 or not 0 <= row < len(children):
            return QModelIndex()
        return self.createIndex(row, column, children[row])

    def parent(self, index: Any = None) -> Any:
        if index is None:
            return super().parent()
        parent = self._node(index).parent
        return QModelIndex() if parent is None else self._index(parent)

    def rowCount(self, parent: Any = QModelIndex()) -> int:
        return len(self._node(parent).children) if parent.column() <= 0 else 0

    def columnCount(self, parent: Any = QModelIndex()) -> int:
        return 1

    def data(self, index: Any, role: int = DISPLAY) -> Any:
        if not index.isValid() or role not in (DISPLAY, CONTENT):
            return None
        value = self._node(index).content
        if role == CONTENT:
            return value
        part = value.get("$part", value) if isinstance(value, dict) else value
        if not isinstance(part, dict):
            return str(part)
        return str(part.get("text", part.get("header", part.get("id", ""))))
