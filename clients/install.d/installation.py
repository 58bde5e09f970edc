"""Copies a staged folder to a prefix, and removes it by checksum."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path
from typing import Dict, List, Tuple

from building import Trouble
from stage import SUMS


def install(staged: Path, prefix: Path) -> int:
    """Copies all files, each with an atomic rename. Returns their number. Other files of an earlier
    installation are removed."""
    new = listed(staged)
    before = listed(prefix) if (prefix / SUMS).exists() else {}
    for name in [*new, SUMS]:
        path = prefix / name
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{path.name}.new")
        shutil.copy(staged / name, temporary)
        os.replace(temporary, path)
    for name in before.keys() - new.keys():
        _remove(prefix, name, before[name])
    return len(new) + 1


def uninstall(prefix: Path) -> Tuple[int, List[Path]]:
    """Removes the installed files. Returns their number, and the files that were changed since, which are
    kept."""
    if not (prefix / SUMS).exists():
        raise Trouble(f"there is no installation in {prefix}")
    files = listed(prefix)
    changed = [prefix / name for name, sum in files.items() if not _remove(prefix, name, sum)]
    _remove(prefix, SUMS, None)
    return len(files) + 1 - len(changed), changed


def listed(folder: Path) -> Dict[str, str]:
    """The checksums of a folder's files, by path."""
    pairs = (line.split("  ", 1) for line in (folder / SUMS).read_text().splitlines())
    return {name: sum for sum, name in pairs}


def _remove(prefix: Path, name: str, sum: "str | None") -> bool:
    """Removes a file if it still has its checksum, and the folders that become empty."""
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
