"""Reproducible archives: their bytes depend only on the names, contents and modes of their
files."""

from __future__ import annotations

import gzip
import io
import os
import sys
import tarfile
import time
import zipfile
from pathlib import Path
from typing import Dict, NamedTuple


class Entry(NamedTuple):
    content: bytes
    is_executable: bool = False

    @property
    def mode(self) -> int:
        return 0o755 if self.is_executable else 0o644


def entry(path: Path) -> Entry:
    return Entry(path.read_bytes(), os.access(path, os.X_OK))


def moment() -> int:
    """The time of all files, in seconds since 1970: `SOURCE_DATE_EPOCH`, or the earliest time of
    a zip file."""
    return int(os.environ.get("SOURCE_DATE_EPOCH", 315532800))


def write_tar(path: Path, entries: Dict[str, Entry]) -> None:
    """Writes a compressed tar file. Each folder precedes its files."""
    folders = {str(parent) for name in entries for parent in Path(name).parents} - {"."}
    with path.open("wb") as file, gzip.GzipFile("", "wb", 9, file, moment()) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
            for name in sorted([*entries, *folders]):
                info = tarfile.TarInfo(name)
                info.mtime = moment()
                if name in folders:
                    info.type, info.mode = tarfile.DIRTYPE, 0o755
                    tar.addfile(info)
                else:
                    info.size, info.mode = len(entries[name].content), entries[name].mode
                    tar.addfile(info, io.BytesIO(entries[name].content))


def write_zip(path: Path, entries: Dict[str, Entry]) -> None:
    """Writes a zip file, in the order of its entries."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for name, one in entries.items():
            info = zipfile.ZipInfo(name, time.gmtime(moment())[:6])
            info.create_system = 3  # Unix, so that modes are kept.
            info.external_attr = (0o100000 | one.mode) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(info, one.content)


def main() -> None:
    """`archive.py TREE NAME OUT` packs a folder under a name."""
    tree, name, out = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    files = (path for path in tree.rglob("*") if path.is_file())
    write_tar(out, {f"{name}/{path.relative_to(tree)}": entry(path) for path in files})


if __name__ == "__main__":
    main()
