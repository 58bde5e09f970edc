"""The files of one state as a snapshot for listd: sections are folders, items are files.

A file's id is a serial number that follows it through renames, so that a file that changes its folder is the
same row in another section. A folder's id follows it likewise: a folder that receives most of the files of a
deleted folder is that folder under a new name.
"""

import itertools
import json
from collections import Counter

TEMPLATES = {"120000": "Symlink", "160000": "Submodule"}


class Changes:
    """The changes from one state to the next. Paths are bytes."""

    def __init__(self):
        self.deleted = []  # paths
        self.renamed = []  # (old path, new path); the new ones are in `updated`, too
        self.updated = {}  # path -> (mode, blob)


class File:
    """A file: its item, and the item as JSON."""

    __slots__ = ("id", "item", "json")

    def __init__(self, ident, name, mode, blob):
        self.id = ident
        self.item = {"id": ident, "text": shown(name), "blob": blob, "mode": mode}
        if mode in TEMPLATES:
            self.item["template"] = TEMPLATES[mode]
        self.json = encoded(self.item)


class Folder:
    """A folder and the files directly in it."""

    def __init__(self, path):
        self.id = None
        self.path = path
        self.files = {}  # name -> File

    def refresh(self):
        """Creates the section again. A section that was returned is never changed."""
        own = {"id": self.id, "header": shown(self.path) + "/" if self.path else "./"}
        files = [self.files[name] for name in sorted(self.files)]
        self.section = {**own, "items": [file.item for file in files]}
        items = ",".join(file.json for file in files)
        self.json = f'{encoded(own)[:-1]},"items":[{items}]}}'.encode()


class Tree:
    """The state after all changes so far."""

    def __init__(self):
        self.folders = {}  # path -> Folder, for folders that contain files
        self.order = []  # folders in their order
        self.rows = 0
        self._file_ids = itertools.count(1)
        self._folder_ids = itertools.count(1)

    def apply(self, changes):
        """Moves on to the next state."""
        modified, renamed = set(), {}
        for old, _ in changes.renamed:
            renamed[old] = self._remove(old, modified)
        for path in changes.deleted:
            self._remove(path, modified)
        source = {new: old for old, new in changes.renamed}
        for path, (mode, blob) in changes.updated.items():
            self._store(path, mode, blob, renamed.get(source.get(path)), modified)
        self._name_folders(changes.renamed)
        for path in modified:
            folder = self.folders[path]
            if folder.files:
                folder.refresh()
            else:
                del self.folders[path]
        if len(self.order) != len(self.folders) or not all(f.files for f in self.order):
            by_parts = sorted(self.folders, key=lambda path: path.split(b"/"))
            self.order = [self.folders[path] for path in by_parts]

    def sections(self):
        """The snapshot as Python values."""
        return [folder.section for folder in self.order]

    def json(self):
        """The snapshot's sections as JSON."""
        return b"[" + b",".join([folder.json for folder in self.order]) + b"]"

    def _remove(self, path, modified):
        parent, _, name = path.rpartition(b"/")
        modified.add(parent)
        self.rows -= 1
        return self.folders[parent].files.pop(name)

    def _store(self, path, mode, blob, old, modified):
        parent, _, name = path.rpartition(b"/")
        if parent not in self.folders:
            self.folders[parent] = Folder(parent)
        files = self.folders[parent].files
        known = old or files.get(name)
        self.rows += name not in files
        files[name] = File(known.id if known else next(self._file_ids), name, mode, blob)
        modified.add(parent)

    def _name_folders(self, renamed):
        """Gives each new folder an id: that of the folder that it replaces, or the next one. The root never
        replaces another folder."""
        took = Counter()
        for old, new in renamed:
            left, to = (self.folders[path.rpartition(b"/")[0]] for path in (old, new))
            if to.id is None and not left.files and left.path and to.path:
                took[left, to] += 1
        heirs = set()
        for (left, to), _ in took.most_common():
            if to.id is None and left not in heirs:
                to.id = left.id
                heirs.add(left)
        for folder in self.folders.values():
            if folder.id is None:
                folder.id = f"folder {next(self._folder_ids)}"


def encoded(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def shown(name):
    """A name for output and for JSON: unchanged, or quoted as git quotes it."""
    try:
        text = name.decode("utf-8")
        if text.isprintable():
            return text
    except UnicodeDecodeError:
        pass
    quoted = "".join(
        "\\" + chr(byte) if byte in b'"\\'
        else chr(byte) if 32 <= byte < 127
        else f"\\{byte:03o}"
        for byte in name
    )
    return f'"{quoted}"'
