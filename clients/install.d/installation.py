"""Copies a staged folder to a prefix, and removes it by checksum."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import Dict, Iterable, Iterator, List, Tuple

from building import Trouble
from stage import SUMS

# The folders that an installation has created, relative to its prefix.
FOLDERS = "share/doc/listd/FOLDERS"


@contextlib.contextmanager
def prepared(prefix: Path) -> Iterator[List[Path]]:
    """Creates the main folders of a prefix, and checks that files can be created in them. Yields the new folders; more
    may be appended. If the body fails, those that are empty are removed."""
    created: List[Path] = []
    try:
        for name in ("bin", os.path.dirname(SUMS)):
            _create(prefix / name, created)
            tempfile.TemporaryFile(dir=prefix / name).close()
        yield created
    except BaseException:
        _remove_empty(created)
        raise


def install(staged: Path, prefix: Path, created: List[Path]) -> int:
    """Copies all files, each with an atomic rename. Returns their number. Other files of an earlier
    installation are removed. New folders are appended to `created`."""
    new = listed(staged)
    before = listed(prefix) if (prefix / SUMS).exists() else {}
    for name in [*new, SUMS]:
        path = prefix / name
        _create(path.parent, created)
        temporary = path.with_name(f".{path.name}.new")
        shutil.copy(staged / name, temporary)
        os.replace(temporary, path)
    folders = {*_folders(prefix), *(os.path.relpath(folder, prefix) for folder in created)}
    (prefix / FOLDERS).write_text("".join(f"{name}\n" for name in sorted(folders)))
    for name in before.keys() - new.keys():
        _remove(prefix, name, before[name])
    _remove_empty(prefix / name for name in _folders(prefix))
    return len(new) + 2


def uninstall(prefix: Path) -> Tuple[int, List[Path]]:
    """Removes the installed files, and the folders that were created for them if they are empty. Returns the number of
    files, and the files that were changed since, which are kept."""
    if not (prefix / SUMS).exists():
        raise Trouble(f"there is no installation in {prefix}")
    files = listed(prefix)
    folders = [prefix / name for name in _folders(prefix)]
    changed = [prefix / name for name, sum in files.items() if not _remove(prefix, name, sum)]
    for name in (SUMS, FOLDERS):
        _remove(prefix, name, None)
    _remove_empty(folders)
    return len(files) + 2 - len(changed), changed


def listed(folder: Path) -> Dict[str, str]:
    """The checksums of a folder's files, by path."""
    pairs = (line.split("  ", 1) for line in (folder / SUMS).read_text().splitlines())
    return {name: sum for sum, name in pairs}


def _folders(prefix: Path) -> List[str]:
    path = prefix / FOLDERS
    return path.read_text().splitlines() if path.exists() else []


def _create(folder: Path, created: List[Path]) -> None:
    """Creates a folder and those that lead to it, and appends the new ones to `created`."""
    for path in [*reversed(folder.parents), folder]:
        if not path.is_dir():
            path.mkdir()
            created.append(path)


def _remove_empty(folders: Iterable[Path]) -> None:
    # A folder is removed before those that contain it.
    for folder in sorted(map(os.path.normpath, folders), key=len, reverse=True):
        with contextlib.suppress(OSError):
            os.rmdir(folder)


def _remove(prefix: Path, name: str, sum: "str | None") -> bool:
    """Removes a file if it still has its checksum. Returns whether it does not exist any more."""
    path = prefix / name
    if not path.exists():
        return True
    if sum is not None and hashlib.sha256(path.read_bytes()).hexdigest() != sum:
        return False
    path.unlink()
    return True
