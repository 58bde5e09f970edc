"""A session as a value: which bytes to send, and who waits for what comes back."""

from __future__ import annotations

import itertools
import json
import logging
from typing import Any, Dict, List, Mapping, Optional, Protocol, Tuple

from .errors import ListdError, MessageTooLarge, refusal
from .kinds import is_object
from .preparing import encode
from .traffic import Traffic

logger: logging.Logger = logging.getLogger("listd")
LEVELS = {1: logging.ERROR, 2: logging.WARNING, 3: logging.INFO, 4: logging.DEBUG}
METHOD_NOT_FOUND = {"code": -32601, "message": "this client answers no requests"}


class Waiting(Protocol):
    """A future, of threads or of asyncio."""

    def done(self) -> bool:
        """Whether it has a result or an exception."""
        ...

    def set_result(self, result: Any, /) -> None:
        """Takes the result."""

    def set_exception(self, exception: Any, /) -> None:
        """Takes the exception."""


class Listener(Protocol):
    """Who is told what happens to one list."""

    def hear(self, method: str, params: Mapping[str, Any]) -> None:
        """Takes news."""

    def end(self, why: Optional[ListdError]) -> None:
        """Takes the end, with the reason if this side did not close."""


class Channel:
    """The listeners of one list, who share its subscription."""

    def __init__(self) -> None:
        self.wanted: Any = None
        self.listeners: List[Listener] = []
        self.pending = 0


Waiter = Tuple[Waiting, Optional[Listener], Any]


class Conversation:
    """Frames messages, matches replies by id, hands notifications to listeners by list.

    It reads and writes nothing itself, and knows neither threads nor loops.
    """

    def __init__(self, traffic: Optional[Traffic] = None) -> None:
        self.limit: Optional[int] = None
        """The bytes that a message may have."""
        self.over: Optional[ListdError] = None
        """Why nothing more can be asked."""
        self._channels: Dict[str, Channel] = {}
        self._traffic = traffic
        self._ids = itertools.count(1)
        # In the order of the requests; with a listener, where it is to hear the answer first.
        self._waiting: Dict[int, Waiter] = {}
        self._chunks: List[bytes] = []  # A line that has begun.

    def ask(
        self, method: str, params: Any, waiting: Waiting, listener: Optional[Listener] = None
    ) -> bytes:
        """The bytes of a request, whose reply goes to `waiting`. A `listener` hears a good one,
        too, and from then on what is told of the list that the reply is about."""
        if self.over:
            raise self.over
        id = next(self._ids)
        line = self._line({"jsonrpc": "2.0", "id": id, "method": method}, params)
        self._waiting[id] = waiting, listener, params
        if listener:
            self._channel(params).pending += 1
        return line

    def tell(self, method: str, params: Any = None) -> bytes:
        """The bytes of a notification."""
        if self.over:
            raise self.over
        return self._line({"jsonrpc": "2.0", "method": method}, params)

    def give_up(self, waiting: Waiting) -> bytes:
        """Forgets a request that nobody waits for any more; the bytes that cancel it."""
        for id, (one, listener, params) in self._waiting.items():
            if one is waiting:
                del self._waiting[id]
                if listener:
                    self._channel(params).pending -= 1
                return b"" if self.over else self.tell("$/cancelRequest", {"id": id})
        return b""

    def receive(self, data: bytes) -> bytes:
        """Takes bytes that came, in any pieces; the bytes to send in return, mostly none."""
        if b"\n" not in data:
            self._chunks.append(data)
            return b""
        *lines, rest = b"".join([*self._chunks, data]).split(b"\n")
        self._chunks = [rest]
        return b"".join(self._take(line) for line in lines if line.strip())

    @property
    def in_the_midst(self) -> bool:
        """Whether a message has begun and not ended."""
        return any(self._chunks)

    def end(self, why: ListdError, closed: bool = False) -> None:
        """Fails everything that waits; listeners just end where this side has `closed`."""
        if self.over:
            return
        self.over = why
        waiting, self._waiting = list(self._waiting.values()), {}
        for one, _, _ in waiting:
            if not one.done():
                one.set_exception(why)
        channels, self._channels = list(self._channels.values()), {}
        for channel in channels:
            for listener in channel.listeners:
                listener.end(None if closed else why)
        if self._traffic:
            self._traffic.close()

    def _line(self, message: Dict[str, Any], params: Any = None) -> bytes:
        if params is not None:
            message["params"] = params
        body = encode(message)
        if self.limit is not None and len(body) > self.limit:
            data = {"reason": "messageTooLarge", "limit": self.limit, "bytes": len(body)}
            raise MessageTooLarge(-31008, f"a message of {len(body)} bytes", data)
        if self._traffic:
            self._traffic.note("client", body)
        return body + b"\n"

    def _take(self, line: bytes) -> bytes:
        if self._traffic:
            self._traffic.note("server", line)
        message = json.loads(line)
        if not is_object(message) or message.get("jsonrpc") != "2.0":
            raise ValueError(f"no JSON-RPC: {line[:200]!r}")
        if "method" not in message:
            self._settle(message)
        elif "id" in message:
            return self._line({"jsonrpc": "2.0", "id": message["id"], "error": METHOD_NOT_FOUND})
        else:
            self._hear(message["method"], message.get("params") or {})
        return b""

    def _settle(self, reply: Mapping[str, Any]) -> None:
        id: Any = reply["id"]
        if id is None and self._waiting:
            # Replies come in the order of the requests: what was not understood is the oldest.
            id = next(iter(self._waiting))
        if id not in self._waiting:
            logger.debug("a reply that nobody waits for: %s", id)
            return
        waiting, listener, params = self._waiting.pop(id)
        if listener:
            self._channel(params).pending -= 1
        if waiting.done():
            logger.debug("a reply to a request that was given up: %s", id)
        elif "error" in reply:
            waiting.set_exception(refusal(reply["error"]))
        else:
            if listener:
                self._begin(listener, params, reply["result"])
            waiting.set_result(reply["result"])

    def leave(self, listener: Listener, name: str) -> bool:
        """Ends a listener, if it still listens; returns whether the subscription is to end, too."""
        channel = self._channels.get(name)
        if channel is None or listener not in channel.listeners:
            return False
        channel.listeners.remove(listener)
        listener.end(None)
        return not channel.listeners and not channel.pending

    def _channel(self, params: Mapping[str, Any]) -> Channel:
        return self._channels.setdefault(params["list"], Channel())

    def _begin(
        self, listener: Listener, params: Mapping[str, Any], told: Mapping[str, Any]
    ) -> None:
        """Any number may listen to a list in one format; another format takes the place of it."""
        channel = self._channel(params)
        wanted = params.get("format", "stages"), params.get("content", True)
        if channel.wanted != wanted:
            for before in channel.listeners:
                before.end(None)
            channel.wanted, channel.listeners = wanted, []
        channel.listeners.append(listener)
        listener.hear("subscribe", told)

    def _hear(self, method: str, params: Mapping[str, Any]) -> None:
        if method == "window/logMessage":
            logger.log(LEVELS.get(params.get("type", 3), logging.INFO), "%s", params.get("message"))
        elif isinstance(params.get("list"), str) and params["list"] in self._channels:
            for listener in list(self._channels[params["list"]].listeners):
                listener.hear(method, params)
        else:
            logger.debug("%s, which nobody listens to: %s", method, params)
