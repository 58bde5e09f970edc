"""The first-parent history of a git repository, oldest commit first, from a single git
process."""

import os
import subprocess

from building import Trouble
from tree import Changes

SETTINGS = ["log.diffMerges=separate", "log.showRoot=true", "diff.relative=false"]
LOG = [
    "log", "--first-parent", "--reverse", "-m", "--raw", "-z", "-M", "--no-abbrev", "--no-color",
    "--no-show-signature", "--no-notes", "--no-decorate", "--ignore-submodules=none",
    "--encoding=UTF-8", "--date=short", "--format=tformat:%H%x00%P%x00%cd%x00%s",
]  # fmt: skip


class Commit:
    def __init__(self, name, parents, date, subject):
        self.name = name.decode()
        self.parents = parents.decode().split()
        self.date = date.decode()
        self.title = subject.decode("utf-8", "replace")
        self.changes = Changes()


class History:
    """The latest commits, or all commits, of the repository that contains `path`."""

    def __init__(self, path, limit=None):
        self.path = path
        self.latest = ["-n", str(limit)] if limit else []

    def exists(self):
        """Whether there is a repository with a commit. Raises `Trouble` if git refuses to read
        it."""
        try:
            found = self._git("rev-parse", "--git-dir")
        except FileNotFoundError:
            return False
        if found.returncode:
            why = found.stderr.decode(errors="replace").strip()
            if "not a git repository" in why:
                return False
            raise Trouble(why)
        return self._git("rev-parse", "-q", "--verify", "HEAD^{commit}").returncode == 0

    def count(self):
        counted = self._git("rev-list", "--first-parent", "--count", *self.latest, "HEAD")
        return int(counted.stdout or 0)

    def commits(self):
        """Yields each commit with its changes. `files` returns the files of the first one's
        parent."""
        settings = [word for setting in SETTINGS for word in ("-c", setting)]
        command = ["git", "-C", self.path, *settings, *LOG, *self.latest, "HEAD", "--"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) as git:
            try:
                yield from read(words(git.stdout))
            except GeneratorExit:
                git.terminate()
                raise
        if git.returncode:
            raise Trouble(f"git log failed (exit {git.returncode})")

    def files(self, commit):
        """All files of a commit, as changes from an empty state."""
        listed = self._git("ls-tree", "-r", "-z", "--full-tree", commit)
        if listed.returncode:
            raise Trouble(listed.stderr.decode(errors="replace").strip())
        changes = Changes()
        for entry in listed.stdout.split(b"\0")[:-1]:
            about, path = entry.split(b"\t", 1)
            mode, _, blob = about.decode().split()
            changes.updated[path] = (mode, blob)
        return changes

    def _git(self, *arguments):
        return subprocess.run(
            ["git", "-C", self.path, *arguments], env={**os.environ, "LC_ALL": "C"},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip


def read(stream):
    """Yields the commits in the output of `git log --raw -z`."""
    commit = None
    for word in stream:
        word = word.lstrip(b"\n")
        if word.startswith(b":"):
            _, mode, _, blob, status = word.decode().split(" ")
            path = next(stream, b"")
            if status[0] == "D":
                commit.changes.deleted.append(path)
                continue
            if status[0] == "R":
                old, path = path, next(stream, b"")
                commit.changes.renamed.append((old, path))
            commit.changes.updated[path] = (mode, blob)
        elif word:
            if commit:
                yield commit
            commit = Commit(word, *(next(stream, b"") for _ in range(3)))
    if commit:
        yield commit


def words(stream):
    """Yields the NUL-terminated words of a stream."""
    rest = b""
    while chunk := stream.read1(1 << 16):
        *whole, rest = (rest + chunk).split(b"\0")
        yield from whole
    if rest.strip():
        yield rest
