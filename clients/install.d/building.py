"""Finds the program of this checkout, or builds it if necessary."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
BUILT = os.path.join(ROOT, ".build", "release", "listd")
STAMP = os.path.join(ROOT, ".build", "tour-built")
# Debugging information, which a program that is only used does not need, takes time and a third of the memory.
BUILD = "swift build -c release -debug-info-format none {} --product listd --quiet"
# A static program starts in half the time. If it cannot be linked, only the libraries of Swift are static. On macOS they
# are part of the system.
LINKS = [""] if sys.platform == "darwin" else ["-Xswiftc -static-executable", "--static-swift-stdlib"]


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
    why = "its sources have changed" if os.path.exists(BUILT) else "the first time takes two to three minutes"
    print(f"Building listd ({why}) ...", end=" ", file=sys.stderr, flush=True)
    start = time.monotonic()
    for link in LINKS:
        command = BUILD.format(link)
        code, output = run_alone(command.split(), ROOT, os.environ | {"LISTD_DAEMON": "1"})
        if not code and os.path.exists(BUILT):
            break
    else:
        print("failed.", file=sys.stderr)
        raise Trouble(f"{output.decode(errors='replace').rstrip()}\n`{command}` failed")
    print(f"done in {time.monotonic() - start:.0f} s.", file=sys.stderr)
    with open(STAMP, "w"):
        os.utime(STAMP)


def run_alone(words, folder, environment):
    """Runs a command with a process group of its own. Returns its exit code and its output.

    A signal that asks the script to end raises `SystemExit` meanwhile, and then the command is ended first, with all
    processes of its group.
    """

    process = None
    ending = []

    def end(number, _):
        ending.append(number)
        if process:
            raise SystemExit(128 + number)

    handlers = {}
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            handlers[number] = signal.signal(number, end)
    try:
        process = subprocess.Popen(
            words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=environment, start_new_session=True,
        )  # fmt: skip
        # A signal that arrived before could not end the command yet.
        if ending:
            raise SystemExit(128 + ending[0])
        output, _ = process.communicate()
        return process.returncode, output
    finally:
        if process and process.returncode is None:
            end_group(process)
        for number, handler in handlers.items():
            signal.signal(number, handler)


def end_group(process):
    """Interrupts a process, so that it ends the processes that it has started, and then ends what is left."""
    with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
        process.send_signal(signal.SIGINT)
        process.wait(10)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def sources():
    """The sources of the daemon. They include folders, because deleting a file changes its
    folder."""
    yield os.path.join(ROOT, "Package.swift")
    for folder, _, names in os.walk(os.path.join(ROOT, "Sources")):
        yield folder
        yield from (os.path.join(folder, name) for name in names if not name.endswith(".md"))


def newest(paths):
    return max((os.stat(path).st_mtime for path in paths if os.path.exists(path)), default=0)
