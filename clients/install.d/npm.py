"""Packs the client for Node as `npm pack` does: `npm.py OUT`. The bytes depend only on the files."""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from archive import entry, write_tar  # noqa: E402

CLIENTS = Path(__file__).resolve().parents[1]
NODE = CLIENTS / "node"


def pack(out: Path) -> None:
    """Writes the package to a file."""
    about = json.loads((NODE / "package.json").read_text("utf-8"))
    paths = [NODE / "package.json", NODE / "README.md"]
    for pattern in about["files"]:
        for path in sorted(NODE.glob(pattern)):
            paths += sorted(path.rglob("*")) if path.is_dir() else [path]
    entries = {f"package/{path.relative_to(NODE)}": entry(path) for path in paths if path.is_file()}
    entries["package/LICENSE"] = entry(CLIENTS.parent / "LICENSE")
    write_tar(out, entries)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: npm.py OUT")
    pack(Path(sys.argv[1]))
