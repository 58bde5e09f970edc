"""`python -m listd` runs the program with the same arguments and exit code."""

from __future__ import annotations

import os
import sys

from .errors import DaemonNotFound
from .finding import find


def main() -> None:
    """Runs the program."""
    try:
        program = find()
    except DaemonNotFound as why:
        sys.exit(f"listd: {why}")
    os.execv(program, ["listd", *sys.argv[1:]])


if __name__ == "__main__":
    main()
