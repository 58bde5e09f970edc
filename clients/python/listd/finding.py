"""Finds the daemon."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Iterator

from .errors import DaemonNotFound

HERE = Path(os.path.abspath(__file__)).parent
# Installers may create links to files in other folders.
PACKAGES = list(dict.fromkeys([HERE.parent, Path(__file__).resolve().parent.parent]))
REPOSITORY = Path(__file__).resolve().parent.joinpath("../../..").resolve()
ADVICE = (
    "there is no listd: install one (pip install listd includes it if there is a wheel for the system),"
    " put it on PATH, or set LISTD to its path"
)


def find() -> str:
    """The path of the daemon: the one that `LISTD` names, or the one that is installed with this package, or
    `listd` on `PATH`, or the newest build in the repository that contains this package."""
    named = os.environ.get("LISTD")
    if named:
        found = shutil.which(named)
        if found is None:
            raise DaemonNotFound(f"LISTD={named} is not an executable program")
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
    """The possible paths of a program that was installed with the packages of a folder.

    They depend on the folder, not on the running Python: packages may belong to another environment.
    """
    # pip install --target FOLDER
    yield packages / "bin" / "listd"
    above = packages.parents
    if len(above) < 3:
        return
    # PREFIX/lib/python3.12/site-packages: an environment, the user's packages or the system's.
    if packages.name in ("site-packages", "dist-packages") and above[0].name.startswith("python"):
        yield above[2] / "bin" / "listd"
    # PREFIX/share/listd/python: the tarball, the Debian package and clients/install.
    if [above[1].name, above[0].name, packages.name] == ["share", "listd", "python"]:
        yield above[2] / "bin" / "listd"
