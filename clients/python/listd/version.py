"""The versions of this client and of compatible daemons."""

from __future__ import annotations

import pkgutil
from typing import Any, Mapping, Tuple

from .errors import VersionMismatch

VERSION = (pkgutil.get_data("listd", "version.txt") or b"").decode().strip()
PROTOCOL = 1


def check(reply: Mapping[str, Any]) -> str:
    """Checks the versions in the reply to `initialize`. Returns a warning if the daemon is older than this
    client, otherwise an empty string.

    Raises `VersionMismatch` if the daemon has another version of the protocol."""
    daemon = reply["serverInfo"]["version"]
    protocol = reply.get("protocolVersion", PROTOCOL)
    if protocol != PROTOCOL:
        raise VersionMismatch(
            f"listd {daemon} has version {protocol} of the protocol, and this client ({VERSION}) has"
            f" version {PROTOCOL}: install a listd and a client of the same version"
        )
    if numbers(daemon) < numbers(VERSION):
        return f"listd {daemon} is older than this client ({VERSION}), which may use features that it lacks"
    return ""


def numbers(version: str) -> Tuple[int, ...]:
    """`MAJOR.MINOR` as numbers."""
    parts = version.split(".")[:2]
    return tuple(int(part) if part.isdigit() else 0 for part in parts)
