"""Builds the Python package: a wheel that includes the daemon, and a source distribution.

This is the backend that pip calls (PEP 517, PEP 660). It needs only Python. The daemon is the program that
`LISTD` names, or it is built by Swift. If it cannot be built, the installation fails; `LISTD=none` installs the client
alone.
"""

from __future__ import annotations

import base64
import hashlib
import os
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any, Dict, Optional

sys.dont_write_bytecode = True
PYTHON = Path(__file__).resolve().parents[1]
ROOT = PYTHON.parents[1]
INSTALLING = PYTHON.parent / "install.d"
if not INSTALLING.is_dir():
    raise SystemExit(f"{PYTHON} is a part of listd, and is installed from its sources: pip install LISTD/clients/python")
sys.path.insert(0, str(INSTALLING))

from archive import Entry, entry, write_tar, write_zip  # noqa: E402
from building import Trouble, find  # noqa: E402
from stage import write_program  # noqa: E402

VERSION = (PYTHON / "listd" / "version.txt").read_text().strip()
NAME = f"listd-{VERSION}"
PYTHONS = "\n".join(f"Classifier: Programming Language :: Python :: 3.{minor}" for minor in range(9, 15))
METADATA = f"""\
Metadata-Version: 2.1
Name: listd
Version: {VERSION}
Summary: The daemon that keeps lists and computes how they change, with its client
Author: The listd authors
License: Apache-2.0
License-File: LICENSE
Keywords: diff,list,batch updates,json-rpc,fuzzy,asgi
Classifier: Development Status :: 4 - Beta
Classifier: Framework :: AsyncIO
Classifier: Intended Audience :: Developers
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Operating System :: MacOS
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
{PYTHONS}
Classifier: Typing :: Typed
Requires-Python: >=3.9
Provides-Extra: fast
Requires-Dist: orjson; extra == "fast"
Provides-Extra: frames
Requires-Dist: pandas; extra == "frames"
Description-Content-Type: text/markdown

"""
PROJECT = """\
[build-system]
requires = []
build-backend = "listd_backend"
backend-path = ["clients/python/backend"]
"""
# `listd page` starts a program below the folder in which it is installed. This one is that of the package.
PAGE = """\
#!/usr/bin/env python3
import glob, os, runpy, sys

prefix = os.path.realpath(__file__)
for _ in range(4):
    prefix = os.path.dirname(prefix)
found = [prefix, *glob.glob(os.path.join(prefix, "lib", "python3*", "*-packages"))]
packages = [path for path in found if os.path.exists(os.path.join(path, "listd", "web", "page"))]
if not packages:
    sys.exit("listd page: the Python package listd is not installed with this program")
sys.path.insert(0, packages[0])
runpy.run_path(os.path.join(packages[0], "listd", "web", "page"), run_name="__main__")
"""
# Files that only tests need, which are most of the repository, and a demonstration.
LEFT_OUT = ("Tests/Corpus/", "Tests/Sessions/", "processes.html")


def build_wheel(folder: str, settings: Any = None, metadata: Any = None) -> str:
    """Writes a wheel into a folder. Returns its name."""
    program = daemon()
    entries = sources()
    if program:
        entries[f"{NAME}.data/scripts/listd"] = Entry(program, True)
        entries[f"{NAME}.data/data/share/listd/web/page"] = Entry(PAGE.encode(), True)
        for recipe in sorted((PYTHON.parent / "recipes").glob("*.json")):
            entries[f"{NAME}.data/data/share/listd/recipes/{recipe.name}"] = entry(recipe)
    platform = os.environ.get("LISTD_PLATFORM") or _platform()
    return _write(folder, entries, platform if program else "any")


def build_editable(folder: str, settings: Any = None, metadata: Any = None) -> str:
    """Writes a wheel that refers to this folder and to the builds of its repository."""
    return _write(folder, {"listd.pth": Entry(f"{PYTHON}\n".encode())}, "any")


def build_sdist(folder: str, settings: Any = None) -> str:
    """Writes a source distribution of the daemon and its clients into a folder. Returns its
    name."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, stdout=subprocess.PIPE)
    names = [name for name in listed.stdout.decode().split("\0") if name]
    entries = {
        f"{NAME}/{name}": entry(ROOT / name)
        for name in names
        if not name.startswith(LEFT_OUT) and (ROOT / name).is_file()
    }
    entries[f"{NAME}/pyproject.toml"] = Entry(PROJECT.encode())
    entries[f"{NAME}/PKG-INFO"] = Entry(_metadata())
    write_tar(Path(folder, f"{NAME}.tar.gz"), entries)
    return f"{NAME}.tar.gz"


def sources() -> Dict[str, Entry]:
    """The files of the package, with the scripts and programs for pages in it."""
    found = [path for path in (PYTHON / "listd").rglob("*") if path.suffix in (".py", ".typed", ".txt")]
    entries = {f"listd/{path.relative_to(PYTHON / 'listd')}": entry(path) for path in sorted(found)}
    for path in sorted((PYTHON.parent / "web").iterdir()):
        if path.suffix in ("", ".css", ".html", ".js", ".py", ".ts") and path.is_file() and path.name not in LEFT_OUT:
            entries[f"listd/web/{path.name}"] = entry(path)
    for path in sorted((PYTHON.parent / "node" / "protocol").glob("*.d.ts")):
        entries[f"listd/web/protocol/{path.name}"] = entry(path)
    return entries


def daemon() -> Optional[bytes]:
    """The program without debugging information; `None` with `LISTD=none`."""
    if os.environ.get("LISTD") == "none":
        return None
    try:
        program = Path(find())
    except Trouble as why:
        raise SystemExit(f"listd cannot be built: {why}. LISTD=none installs the client alone.") from None
    with tempfile.TemporaryDirectory() as folder:
        return write_program(program, Path(folder, "listd")).read_bytes()


def _platform() -> str:
    """The platform of a program that is built here, in the form of a wheel's name."""
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


def _metadata() -> bytes:
    return METADATA.encode() + (PYTHON / "README.md").read_bytes()


def _write(folder: str, entries: Dict[str, Entry], platform: str) -> str:
    own = f"{NAME}.dist-info"
    tags = "".join(f"Tag: py3-none-{tag}\n" for tag in platform.split("."))
    pure = "true" if platform == "any" else "false"
    wheel = f"Wheel-Version: 1.0\nGenerator: listd\nRoot-Is-Purelib: {pure}\n{tags}"
    entries = {
        **entries,
        f"{own}/LICENSE": entry(ROOT / "LICENSE"),
        f"{own}/METADATA": Entry(_metadata()),
        f"{own}/WHEEL": Entry(wheel.encode()),
    }
    lines = [f"{name},{_sum(one.content)},{len(one.content)}\n" for name, one in entries.items()]
    entries[f"{own}/RECORD"] = Entry("".join([*lines, f"{own}/RECORD,,\n"]).encode())
    name = f"{NAME}-py3-none-{platform}.whl"
    write_zip(Path(folder, name), entries)
    return name


def _sum(content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest())
    return f"sha256={digest.rstrip(b'=').decode()}"


if __name__ == "__main__":
    print(build_wheel(sys.argv[1]), build_sdist(sys.argv[1]))
