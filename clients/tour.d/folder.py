"""The states of a folder on disk, for folders without history."""

import hashlib
import os
import stat
import sys

from tree import Changes


class Disk:
    """The last state that was read, and the changes from it to folders on disk."""

    def __init__(self):
        self.files = {}  # path -> (mode, blob)
        self._known = {}  # path on disk -> (its stamp, blob), so that only changed files are read

    def read(self, root):
        """The changes from the last state to the present content of `root`."""
        now = {}
        self._walk(os.fsencode(root), b"", now)
        before, self.files = self.files, now
        changes = Changes()
        deleted = [path for path in before if path not in now]
        changes.updated = {path: now[path] for path in now if before.get(path) != now[path]}
        changes.renamed = renames(
            {path: before[path] for path in deleted},
            {path: now[path] for path in changes.updated if path not in before},
        )
        followed = {old for old, _ in changes.renamed}
        changes.deleted = [path for path in deleted if path not in followed]
        return changes

    def _walk(self, root, inner, found):
        try:
            entries = sorted(os.scandir(os.path.join(root, inner)), key=lambda entry: entry.name)
        except OSError as why:
            print(f"tour: {why}", file=sys.stderr)
            return
        for entry in entries:
            path = os.path.join(inner, entry.name)
            try:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name != b".git":
                        self._walk(root, path, found)
                elif entry.is_symlink() or entry.is_file():
                    found[path] = self._read(entry)
            except FileNotFoundError:
                continue  # it was deleted meanwhile
            except OSError as why:
                print(f"tour: {why}", file=sys.stderr)

    def _read(self, entry):
        if entry.is_symlink():
            return "120000", hashlib.sha1(os.readlink(entry.path)).hexdigest()
        about = entry.stat()
        mode = "100755" if about.st_mode & stat.S_IXUSR else "100644"
        stamp = (about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns)
        known = self._known.get(entry.path)
        if not known or known[0] != stamp:
            digest = hashlib.sha1()
            with open(entry.path, "rb") as file:
                while chunk := file.read(1 << 20):
                    digest.update(chunk)
            known = self._known[entry.path] = (stamp, digest.hexdigest())
        return mode, known[1]


def renames(deleted, inserted):
    """The files of which only the path changed: a deleted and an inserted file with the same content, if no
    other such file has that content, or no other one with the same name."""
    pairs = []
    for key in (lambda path, file: (file[1], os.path.basename(path)), lambda path, file: file[1]):
        old_files, new_files = unique(deleted, key), unique(inserted, key)
        for content in old_files:
            if content in new_files:
                old, new = old_files[content], new_files[content]
                pairs.append((old, new))
                del deleted[old], inserted[new]
    return pairs


def unique(files, key):
    """The files with a unique key, by key."""
    found = {}
    for path, file in files.items():
        found.setdefault(key(path, file), []).append(path)
    return {content: paths[0] for content, paths in found.items() if len(paths) == 1}
