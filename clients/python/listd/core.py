"""What the clients with and without a loop share of a daemon."""

from __future__ import annotations

import os
import re
from typing import Any, Mapping, Optional

from .conversation import Conversation, logger
from .traffic import Log, Traffic
from .version import check


class Core:
    """What is known of a daemon, and the conversation with it."""

    def __init__(self, timeout: Optional[float], log: Optional[Log]) -> None:
        self.timeout: Optional[float] = timeout
        """How many seconds an answer may take."""
        self.capabilities: Mapping[str, Any] = {}
        """What the daemon can do, as `initialize` answered."""
        self.version: str = ""
        """The daemon's version."""
        self._conversation = Conversation(None if log is None else Traffic(log))

    def supports(self, *features: str) -> bool:
        """Whether the daemon has methods, formats and features."""
        names = ("methods", "formats", "features")
        told = {one for name in names for one in self.capabilities.get(name, ())}
        return told.issuperset(features)

    def _greeted(self, told: Mapping[str, Any]) -> None:
        """Takes the answer of `initialize`."""
        if warning := check(told):
            logger.warning(warning)
        self.capabilities = told["capabilities"]
        self.version = told["serverInfo"]["version"]
        self._conversation.limit = self.capabilities.get("maxMessageBytes")


def is_here(program: str) -> bool:
    """Whether a program is the daemon itself, and not one that runs it elsewhere, such as `ssh`."""
    return re.match("listd", os.path.basename(program)) is not None
