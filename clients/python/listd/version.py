"""The versions of this client and of the daemons that it understands."""

from __future__ import annotations

import pkgutil
from typing import Any, Mapping, Tuple

from .errors import VersionMismatch

VERSION = (pkgutil.get_data("listd", "version.txt") or b"").decode().strip()
PROTOCOL = 1


def check(told: Mapping[str, Any]) -> str:
    """Compares the versions in the answer to `initialize`; returns what is to be said of a daemon that
    is older than this client, else nothing.

    Raises `VersionMismatch` if the daemon speaks another version of the protocol."""
    daemon = told["serverInfo"]["version"]
    protocol = told.get("protocolVersion", PROTOCOL)
    if protocol != PROTOCOL:
        raise VersionMismatch(
            f"listd {daemon} speaks version {protocol} of the protocol, and this client ({VERSION})"
            f" version {PROTOCOL}: install a listd and a client of the same version"
        )
    if numbers(daemon) < numbers(VERSION):
        return f"listd {daemon} is older than this client ({VERSION}), which may ask too much of it"
    return ""


def numbers(version: str) -> Tuple[int, ...]:
    """`MAJOR.MINOR`, without what comes behind."""
    parts = version.split(".")[:2]
    return tuple(int(part) if part.isdigit() else 0 for part in parts)
