"""The states of a folder on disk, for what has no history."""

import hashlib
import os
import stat
import sys

from tree import Changes


class Disk:
    """What was last seen, and how the folders that are looked at now differ from it."""

    def __init__(self):
        self.files = {}  # path -> (mode, blob)
        self._known = {}  # path on disk -> (its stamp, blob), so that only what changed is read

    def look(self, root):
        """The changes from the last state to what is in `root` now."""
        now = {}
        self._walk(os.fsencode(root), b"", now)
        before, self.files = self.files, now
        changes = Changes()
        gone = [path for path in before if path not in now]
        changes.put = {path: now[path] for path in now if before.get(path) != now[path]}
        changes.renamed = renames(
            {path: before[path] for path in gone},
            {path: now[path] for path in changes.put if path not in before},
        )
        followed = {old for old, _ in changes.renamed}
        changes.gone = [path for path in gone if path not in followed]
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
                continue  # it went while we looked
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


def renames(gone, come):
    """The files that only changed their paths: one that went and one that came, with the same
    contents, that no other one of those has — or no other one of the same name."""
    pairs = []
    for key in (lambda path, file: (file[1], os.path.basename(path)), lambda path, file: file[1]):
        went, came = alone(gone, key), alone(come, key)
        for content in went:
            if content in came:
                old, new = went[content], came[content]
                pairs.append((old, new))
                del gone[old], come[new]
    return pairs


def alone(files, key):
    """The files whose key no other one has, by that key."""
    found = {}
    for path, file in files.items():
        found.setdefault(key(path, file), []).append(path)
    return {content: paths[0] for content, paths in found.items() if len(paths) == 1}
