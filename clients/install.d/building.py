"""Finds the program of this checkout, or builds it if necessary."""

import os
import shutil
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
BUILT = os.path.join(ROOT, ".build", "release", "listd")
STAMP = os.path.join(ROOT, ".build", "tour-built")
# On macOS the library is part of the system.
STATIC = "" if sys.platform == "darwin" else "--static-swift-stdlib "
BUILD = f"swift build -c release {STATIC}--product listd --quiet"


class Trouble(Exception):
    """An error outside of listd that stops a script."""


def find():
    """The path of the daemon: `LISTD`, or the program of this checkout, which is built if
    necessary."""
    if named := os.environ.get("LISTD"):
        found = shutil.which(named)
        if not found:
            raise Trouble(f"LISTD={named} is not an executable program")
        return os.path.abspath(found)
    if newest([BUILT, STAMP]) <= newest(sources()) or not os.path.exists(BUILT):
        build()
    return BUILT


def build():
    if not shutil.which("swift"):
        raise Trouble(
            "listd must be built, but Swift is not installed: install Swift 6.2 or newer"
            " (https://swift.org/install), or name a built listd: LISTD=/path/to/listd"
        )
    why = "its sources have changed" if os.path.exists(BUILT) else "the first time takes a minute"
    print(f"Building listd ({why}) ...", end=" ", file=sys.stderr, flush=True)
    start = time.monotonic()
    done = subprocess.run(
        BUILD.split(), cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, env=os.environ | {"LISTD_DAEMON": "1"},
    )  # fmt: skip
    if done.returncode or not os.path.exists(BUILT):
        print("failed.", file=sys.stderr)
        raise Trouble(f"{done.stdout.decode(errors='replace').rstrip()}\n`{BUILD}` failed")
    print(f"done in {time.monotonic() - start:.0f} s.", file=sys.stderr)
    with open(STAMP, "w"):
        os.utime(STAMP)


def sources():
    """The sources of the daemon. They include folders, because deleting a file changes its
    folder."""
    yield os.path.join(ROOT, "Package.swift")
    for folder, _, names in os.walk(os.path.join(ROOT, "Sources")):
        yield folder
        yield from (os.path.join(folder, name) for name in names if not name.endswith(".md"))


def newest(paths):
    return max((os.stat(path).st_mtime for path in paths if os.path.exists(path)), default=0)
