"""Connects to the socket of a shared daemon."""

from __future__ import annotations

import contextlib
import os
import socket
from typing import Optional, Union

from .errors import DaemonNotFound


def socket_path(path: Optional[str]) -> str:
    """The given path, the path in `LISTD_SOCKET`, or that of the user's daemon."""
    path = path or os.environ.get("LISTD_SOCKET")
    folder = os.environ.get("XDG_RUNTIME_DIR")
    if not path and not folder:
        raise DaemonNotFound("name the daemon's socket, or set LISTD_SOCKET to its path")
    return path or f"{folder}/listd.socket"


def connected(path: str) -> socket.socket:
    """A connection to the daemon that listens at a path."""
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(path)
    except OSError as error:
        connection.close()
        raise DaemonNotFound(f"no listd listens at {path}: {error}") from error
    return connection


class SocketWriter:
    """The writing side of a socket, as a file."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection

    def write(self, data: Union[bytes, memoryview]) -> int:
        return self._connection.send(data)

    def flush(self) -> None:
        pass

    def close(self) -> None:
        """Ends the sending direction. The socket is closed when its reading side is closed,
        too."""
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_WR)
        self._connection.close()
