"""Where the daemon is."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Iterator

from .errors import DaemonNotFound

HERE = Path(os.path.abspath(__file__)).parent
# Installers may leave links to files that they keep elsewhere.
PACKAGES = list(dict.fromkeys([HERE.parent, Path(__file__).resolve().parent.parent]))
REPOSITORY = Path(__file__).resolve().parent.joinpath("../../..").resolve()
ADVICE = (
    "there is no listd: install one (pip install listd brings it where there is a wheel for the"
    " system), put it on PATH, or set LISTD to its path"
)


def find() -> str:
    """The daemon's path: what `LISTD` names, else the one that was installed with this package, else
    `listd` on `PATH`, else the newest build in the repository that this package is part of."""
    named = os.environ.get("LISTD")
    if named:
        found = shutil.which(named)
        if found is None:
            raise DaemonNotFound(f"LISTD={named} is no program that can be run")
        return found
    for path in (path for packages in PACKAGES for path in companions(packages)):
        if path.is_file() and os.access(path, os.X_OK):
            return str(path)
    found = shutil.which("listd")
    if found is not None:
        return found
    builds = [REPOSITORY / ".build" / kind / "listd" for kind in ("release", "debug")]
    there = [build for build in builds if os.access(build, os.X_OK)]
    if not there:
        raise DaemonNotFound(ADVICE)
    return str(max(there, key=lambda build: build.stat().st_mtime))


def companions(packages: Path) -> Iterator[Path]:
    """Where a program is that was installed with the packages of a folder.

    It depends on where they are and not on which Python runs: they may belong to another environment.
    """
    # pip install --target FOLDER
    yield packages / "bin" / "listd"
    above = packages.parents
    if len(above) < 3:
        return
    # PREFIX/lib/python3.12/site-packages: an environment, the user's folder or the system.
    if packages.name in ("site-packages", "dist-packages") and above[0].name.startswith("python"):
        yield above[2] / "bin" / "listd"
    # PREFIX/share/listd/python: the tarball, the Debian package and clients/install.
    if [above[1].name, above[0].name, packages.name] == ["share", "listd", "python"]:
        yield above[2] / "bin" / "listd"
