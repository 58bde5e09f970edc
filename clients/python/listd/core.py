"""The common part of the clients with and without an event loop."""

from __future__ import annotations

import os
import re
import weakref
from typing import Any, Mapping, Optional

from .conversation import Conversation, logger
from .traffic import Log, Traffic
from .version import check


OPEN: weakref.WeakSet[Core] = weakref.WeakSet()


class Core:
    """The properties of a daemon, and the conversation with it."""

    def __init__(self, timeout: Optional[float], log: Optional[Log]) -> None:
        self.timeout: Optional[float] = timeout
        """The time limit for a reply, in seconds."""
        self.capabilities: Mapping[str, Any] = {}
        """The daemon's capabilities, from the reply to `initialize`."""
        self.version: str = ""
        """The daemon's version."""
        self._conversation = Conversation(None if log is None else Traffic(log))
        self._process: Any = None
        self._is_closed = self._is_forked = False
        OPEN.add(self)

    def __repr__(self) -> str:
        name = "listd.aio.Daemon" if type(self).__module__.endswith("aio") else "listd.Daemon"
        failure, process = self._conversation.failure, self._process
        if failure:
            return f"<{name}: {failure}>"
        return f"<{name} {self.version}, process {process.pid}>" if process else f"<{name} {self.version}>"

    def _forked(self) -> None:
        """Ends the connection in a process that was forked from its own."""
        self._is_forked = True
        self._conversation.forked()

    @property
    def is_open(self) -> bool:
        """Whether requests are possible."""
        return self._conversation.failure is None

    def supports(self, *features: str) -> bool:
        """Whether the daemon has all of the given methods, formats and features."""
        names = ("methods", "formats", "features")
        known = {one for name in names for one in self.capabilities.get(name, ())}
        return known.issuperset(features)

    def _greeted(self, reply: Mapping[str, Any]) -> None:
        """Processes the reply to `initialize`."""
        if warning := check(reply):
            logger.warning(warning)
        self.capabilities = reply["capabilities"]
        self.version = reply["serverInfo"]["version"]
        self._conversation.limit = self.capabilities.get("maxMessageBytes")


def is_local(program: str) -> bool:
    """Whether a program is the daemon itself, and not one that runs it elsewhere, such as
    `ssh`."""
    return re.match("listd", os.path.basename(program)) is not None


def _fork() -> None:
    for daemon in list(OPEN):
        daemon._forked()  # pyright: ignore[reportPrivateUsage]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_fork)
