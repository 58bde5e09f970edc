"""Where the daemon is."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from .errors import DaemonNotFound

REPOSITORY = Path(__file__).resolve().parents[3]


def find() -> str:
    """The daemon's path: what `LISTD` names, else `listd` on `PATH`, else the newest build in the
    repository that this package is part of."""
    named = os.environ.get("LISTD")
    if named:
        found = shutil.which(named)
        if found is None:
            raise DaemonNotFound(f"LISTD={named} is no program that can be run")
        return found
    found = shutil.which("listd")
    if found is not None:
        return found
    builds = [REPOSITORY / ".build" / kind / "listd" for kind in ("release", "debug")]
    there = [build for build in builds if os.access(build, os.X_OK)]
    if not there:
        raise DaemonNotFound("there is no listd: set LISTD to its path, or put it on PATH")
    return str(max(there, key=lambda build: build.stat().st_mtime))
