#!/usr/bin/env python3
"""Writes what is made of Sources/ListServer/protocol.json, the description of the protocol.

    Tests/schema/generate.py            writes it anew
    Tests/schema/generate.py --check    reports what would change, and exits with 1 if something would

The files are the document itself in its own layout, the types of the clients for Node and Python, what
`listd --schema NAME` prints, and the table of errors in protocol.md.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Dict

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

import dictionaries  # noqa: E402
import document  # noqa: E402
import manual  # noqa: E402
import shapes  # noqa: E402
import typescript  # noqa: E402

MANUAL = document.ROOT / "protocol.md"


def files() -> Dict[Path, str]:
    """The expected text of each file."""
    read = document.load()
    clients = document.ROOT / "clients"
    return {
        document.SOURCE: document.text(read) + "\n",
        **{clients / "node" / name: text for name, text in typescript.declarations(read).items()},
        clients / "python/listd/protocol.py": dictionaries.module(read),
        shapes.PATH: shapes.text(read),
        MANUAL: manual.page(read, MANUAL.read_text("utf-8")),
    }


def main() -> int:
    differing = [
        path for path, text in files().items()
        if not path.exists() or path.read_text("utf-8") != text
    ]  # fmt: skip
    for path in differing:
        print(path.relative_to(document.ROOT))
        if "--check" not in sys.argv:
            path.parent.mkdir(exist_ok=True)
            path.write_text(files()[path], "utf-8")
    return 1 if differing and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
