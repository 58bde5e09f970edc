"""Starts a daemon and describes its end, for both clients."""

from __future__ import annotations

import os
from typing import Any, BinaryIO, Dict, List, Optional, Sequence

from .errors import DaemonGone
from .finding import find
from .version import PROTOCOL, VERSION

TAIL = 4000  # bytes of standard error in an exception
LAST_MOMENT = 1.0  # seconds to wait for the process after the end of its output


def command(program: Optional[str], args: Sequence[str]) -> List[str]:
    """The command line that starts the daemon."""
    return [program or find(), *args]


def greeting(ends_with_us: bool) -> Dict[str, Any]:
    """The parameters of `initialize`. A daemon on this machine ends when this process ends; on another
    machine the process ID would refer to another process."""
    return {
        "processId": os.getpid() if ends_with_us else None,
        "clientInfo": {"name": "listd-python", "version": VERSION},
        "protocolVersion": PROTOCOL, "capabilities": {},
    }  # fmt: skip


def tail(stderr: Optional[BinaryIO]) -> str:
    """The end of the daemon's standard error."""
    if stderr is None:
        return ""
    size = os.fstat(stderr.fileno()).st_size
    return os.pread(stderr.fileno(), TAIL, max(size - TAIL, 0)).decode(errors="replace")


def daemon_gone(has_partial_message: bool, code: Optional[int], stderr: Optional[BinaryIO]) -> DaemonGone:
    """The exception for requests that wait when the daemon ends."""
    why = "listd ended in the middle of a message" if has_partial_message else "listd ended"
    return DaemonGone(why, code, tail(stderr))
