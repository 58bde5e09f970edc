"""Copies a staged folder to a prefix, and removes it again by its checksums."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path
from typing import Dict, List, Tuple

from building import Trouble
from stage import SUMS


def install(staged: Path, prefix: Path) -> int:
    """Copies all files, each by one rename; returns how many. What an earlier installation has more
    is removed."""
    new = listed(staged)
    before = listed(prefix) if (prefix / SUMS).exists() else {}
    for name in [*new, SUMS]:
        path = prefix / name
        path.parent.mkdir(parents=True, exist_ok=True)
        passing = path.with_name(f".{path.name}.new")
        shutil.copy(staged / name, passing)
        os.replace(passing, path)
    for name in before.keys() - new.keys():
        _remove(prefix, name, before[name])
    return len(new) + 1


def uninstall(prefix: Path) -> Tuple[int, List[Path]]:
    """Removes what was installed; returns the number of files, and those that were changed since,
    which are kept."""
    if not (prefix / SUMS).exists():
        raise Trouble(f"there is no installation in {prefix}")
    files = listed(prefix)
    changed = [prefix / name for name, sum in files.items() if not _remove(prefix, name, sum)]
    _remove(prefix, SUMS, None)
    return len(files) + 1 - len(changed), changed


def listed(folder: Path) -> Dict[str, str]:
    """The checksums of a folder's files by their paths."""
    pairs = (line.split("  ", 1) for line in (folder / SUMS).read_text().splitlines())
    return {name: sum for sum, name in pairs}


def _remove(prefix: Path, name: str, sum: "str | None") -> bool:
    """Removes a file and the folders that it leaves empty, if it still has its checksum."""
    path = prefix / name
    if not path.exists():
        return True
    if sum is not None and hashlib.sha256(path.read_bytes()).hexdigest() != sum:
        return False
    path.unlink()
    for parent in path.parents:
        if parent == prefix or any(parent.iterdir()):
            break
        parent.rmdir()
    return True
