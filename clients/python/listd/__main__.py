"""`python -m listd` runs the program with the same arguments and exit code."""

from __future__ import annotations

import os
import sys

from .errors import DaemonNotFound
from .finding import PACKAGES, find


def main() -> None:
    """Runs the program."""
    try:
        program = find()
    except DaemonNotFound as why:
        sys.exit(f"listd: {why}")
    if sys.argv[1:2] == ["page"]:
        # The program of the package, in this Python.
        from .web import FOLDER

        paths = os.pathsep.join(path for path in (str(PACKAGES[0]), os.environ.get("PYTHONPATH")) if path)
        found = {**os.environ, "LISTD": program, "PYTHONPATH": paths}
        os.execve(sys.executable, [sys.executable, "-B", str(FOLDER / "page"), *sys.argv[2:]], found)
    os.execv(program, ["listd", *sys.argv[1:]])


if __name__ == "__main__":
    main()
