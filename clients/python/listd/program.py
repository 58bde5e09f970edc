"""What both clients do to start a daemon and to tell how it ended."""

from __future__ import annotations

import os
from typing import Any, BinaryIO, Dict, List, Optional, Sequence

from .errors import DaemonGone
from .finding import find
from .version import PROTOCOL, VERSION

TAIL = 4000  # bytes of standard error that are told
LAST_MOMENT = 1.0  # second from the end of output to the end of the process


def command(program: Optional[str], args: Sequence[str]) -> List[str]:
    """The words of the command that starts the daemon."""
    return [program or find(), *args]


def greeting(ends_with_us: bool) -> Dict[str, Any]:
    """The parameters of `initialize`. A daemon on this machine is to end when this process does;
    on another the number would be that of some other process."""
    return {
        "processId": os.getpid() if ends_with_us else None,
        "clientInfo": {"name": "listd-python", "version": VERSION},
        "protocolVersion": PROTOCOL, "capabilities": {},
    }  # fmt: skip


def tail(stderr: Optional[BinaryIO]) -> str:
    """The end of what the daemon wrote for people."""
    if stderr is None:
        return ""
    size = os.fstat(stderr.fileno()).st_size
    return os.pread(stderr.fileno(), TAIL, max(size - TAIL, 0)).decode(errors="replace")


def gone(in_the_midst: bool, code: Optional[int], stderr: Optional[BinaryIO]) -> DaemonGone:
    """What a daemon's end means to those who wait for it."""
    why = "listd ended in the midst of a message" if in_the_midst else "listd ended"
    return DaemonGone(why, code, tail(stderr))
