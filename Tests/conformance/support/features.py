"""The features of the daemon under test."""

from __future__ import annotations

import functools
import re
import subprocess

from client import PATIENCE, Daemon, program


@functools.lru_cache(maxsize=None)
def features() -> frozenset:
    """Methods, formats and features of `initialize`, flags and commands (`listd diff`) of `--help`."""
    with Daemon() as daemon:
        answer = daemon.call("initialize", {})["capabilities"]
    usage = subprocess.run([program(), "--help"], capture_output=True, timeout=PATIENCE, text=True)
    words = re.findall(r"--[a-z-]+|listd [a-z-]+", usage.stdout)
    return frozenset([*answer["methods"], *answer["formats"], *answer["features"], *words])
