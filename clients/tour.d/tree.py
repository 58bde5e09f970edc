"""The files of one state as a snapshot for listd: sections are folders, items are files.

A file's id is a serial number that follows it through renames, so that a file that goes to another
folder is the same row in another section. A folder's id follows it in the same way: a folder that
takes over most of the files of a folder that goes is that folder under a new name.
"""

import itertools
import json
from collections import Counter

TEMPLATES = {"120000": "Symlink", "160000": "Submodule"}


class Changes:
    """What leads from one state to the next; paths are bytes."""

    def __init__(self):
        self.gone = []  # paths
        self.renamed = []  # (old path, new path); the new ones are in put, too
        self.put = {}  # path -> (mode, blob)


class File:
    """One file: the item that listd is told, and the same as JSON."""

    __slots__ = ("id", "item", "json")

    def __init__(self, ident, name, mode, blob):
        self.id = ident
        self.item = {"id": ident, "text": shown(name), "blob": blob, "mode": mode}
        if mode in TEMPLATES:
            self.item["template"] = TEMPLATES[mode]
        self.json = encoded(self.item)


class Folder:
    """One folder with the files that are directly in it."""

    def __init__(self, path):
        self.id = None
        self.path = path
        self.files = {}  # name -> File

    def refresh(self):
        """Makes the section anew; one that was handed out is never changed."""
        own = {"id": self.id, "header": shown(self.path) + "/" if self.path else "./"}
        files = [self.files[name] for name in sorted(self.files)]
        self.section = {**own, "items": [file.item for file in files]}
        items = ",".join(file.json for file in files)
        self.json = f'{encoded(own)[:-1]},"items":[{items}]}}'.encode()


class Tree:
    """The state that all changes so far lead to."""

    def __init__(self):
        self.folders = {}  # path -> Folder, of those that hold files
        self.order = []  # folders as they are shown
        self.rows = 0
        self._file_ids = itertools.count(1)
        self._folder_ids = itertools.count(1)

    def take(self, changes):
        """Goes on to the next state."""
        touched, was = set(), {}
        for old, _ in changes.renamed:
            was[old] = self._remove(old, touched)
        for path in changes.gone:
            self._remove(path, touched)
        source = {new: old for old, new in changes.renamed}
        for path, (mode, blob) in changes.put.items():
            self._put(path, mode, blob, was.get(source.get(path)), touched)
        self._name_folders(changes.renamed)
        for path in touched:
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

    def _remove(self, path, touched):
        place, _, name = path.rpartition(b"/")
        touched.add(place)
        self.rows -= 1
        return self.folders[place].files.pop(name)

    def _put(self, path, mode, blob, was, touched):
        place, _, name = path.rpartition(b"/")
        if place not in self.folders:
            self.folders[place] = Folder(place)
        files = self.folders[place].files
        known = was or files.get(name)
        self.rows += name not in files
        files[name] = File(known.id if known else next(self._file_ids), name, mode, blob)
        touched.add(place)

    def _name_folders(self, renamed):
        """Gives each new folder an id: that of the one it takes over, or the next. The root is
        never another folder renamed."""
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
    """A name for people and for JSON: as it is, or quoted as git quotes it."""
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
