"""A session without input and output: which bytes to send, and which future gets a reply."""

from __future__ import annotations

import itertools
import json
import logging
from typing import Any, Dict, List, Mapping, Optional, Protocol, Tuple

from .errors import Closed, ListdError, MessageTooLarge, refusal
from .kinds import is_object
from .news import READERS
from .preparing import Default, encode
from .traffic import Traffic

logger: logging.Logger = logging.getLogger("listd")
LEVELS = {1: logging.ERROR, 2: logging.WARNING, 3: logging.INFO, 4: logging.DEBUG}
METHOD_NOT_FOUND = {"code": -32601, "message": "this client answers no requests"}


class AnyFuture(Protocol):
    """A future of threads or of asyncio."""

    def done(self) -> bool:
        """Whether it has a result or an exception."""
        ...

    def set_result(self, result: Any, /) -> None:
        """Sets the result."""

    def set_exception(self, exception: Any, /) -> None:
        """Sets the exception."""


class Listener(Protocol):
    """A receiver of the news of one list."""

    def hear(self, method: str, params: Mapping[str, Any]) -> None:
        """Receives news."""

    def end(self, why: Optional[ListdError]) -> None:
        """Receives the end, with the reason if this side has not closed."""


class Channel:
    """The listeners of a list, which share its subscription."""

    def __init__(self) -> None:
        self.wanted: Any = None
        self.listeners: List[Listener] = []
        self.pending = 0


Waiter = Tuple[AnyFuture, Optional[Listener], Any]


class Conversation:
    """Frames messages, matches replies to requests by id, and passes notifications to listeners by list.

    It performs no input or output, and does not depend on threads or event loops.
    """

    def __init__(self, traffic: Optional[Traffic] = None) -> None:
        self.limit: Optional[int] = None
        """The largest size of a message, in bytes."""
        self.failure: Optional[ListdError] = None
        """Why no more requests are possible; `None` if they are."""
        self._channels: Dict[str, Channel] = {}
        self._traffic = traffic
        self._ids = itertools.count(1)
        # In the order of the requests. A listener gets its reply before the future.
        self._waiting: Dict[int, Waiter] = {}
        self._chunks: List[bytes] = []  # An incomplete line.

    def ask(
        self, method: str, params: Any, waiting: AnyFuture, listener: Optional[Listener] = None,
        default: Optional[Default] = None,
    ) -> bytes:  # fmt: skip
        """The bytes of a request. Its reply completes `waiting`. A `listener` receives a successful reply,
        too, and then the notifications about that list. `default` converts parameters that JSON lacks."""
        if self.failure:
            raise self.failure
        id = next(self._ids)
        line = self._line({"jsonrpc": "2.0", "id": id, "method": method}, params, default)
        self._waiting[id] = waiting, listener, params
        if listener:
            self._channel(params).pending += 1
        return line

    def notification(self, method: str, params: Any = None) -> bytes:
        """The bytes of a notification."""
        if self.failure:
            raise self.failure
        return self._line({"jsonrpc": "2.0", "method": method}, params)

    def cancel(self, waiting: AnyFuture) -> bytes:
        """Forgets a request. Returns the bytes that cancel it."""
        for id, (one, listener, params) in self._waiting.items():
            if one is waiting:
                del self._waiting[id]
                if listener:
                    self._channel(params).pending -= 1
                return b"" if self.failure else self.notification("$/cancelRequest", {"id": id})
        return b""

    def receive(self, data: bytes) -> bytes:
        """Processes received bytes, split in any way. Returns the bytes to send in response, if
        any."""
        if b"\n" not in data:
            self._chunks.append(data)
            return b""
        *lines, rest = b"".join([*self._chunks, data]).split(b"\n")
        self._chunks = [rest]
        return b"".join(self._take(line) for line in lines if line.strip())

    @property
    def has_partial_message(self) -> bool:
        """Whether an incomplete message has been received."""
        return any(self._chunks)

    def end(self, why: ListdError, closed: bool = False) -> None:
        """Fails all pending requests. If this side has `closed`, listeners get no reason."""
        if self.failure:
            return
        self.failure = why
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

    def forked(self) -> None:
        """Ends the conversation in a forked process, in which nobody waits for a reply."""
        self._waiting = {}
        self.end(Closed("the connection is that of the process before it was forked: open another one in this process"))

    def _line(
        self, message: Dict[str, Any], params: Any = None, default: Optional[Default] = None
    ) -> bytes:
        if params is not None:
            message["params"] = params
        body = encode(message, default)
        if self.limit is not None and len(body) > self.limit:
            data = {"reason": "messageTooLarge", "limit": self.limit, "bytes": len(body)}
            raise MessageTooLarge(-31008, f"a message of {len(body)} bytes", data)
        if self._traffic:
            self._traffic.write("client", body)
        return body + b"\n"

    def _take(self, line: bytes) -> bytes:
        if self._traffic:
            self._traffic.write("server", line)
        message = json.loads(line)
        if not is_object(message) or message.get("jsonrpc") != "2.0":
            raise ValueError(f"not JSON-RPC: {line[:200]!r}")
        if "method" not in message:
            self._resolve(message)
        elif "id" in message:
            return self._line({"jsonrpc": "2.0", "id": message["id"], "error": METHOD_NOT_FOUND})
        else:
            self._hear(message["method"], message.get("params") or {})
        return b""

    def _resolve(self, reply: Mapping[str, Any]) -> None:
        id: Any = reply["id"]
        if id is None and self._waiting:
            # Replies are in the order of the requests, so a reply without an id is for the oldest
            # one.
            id = next(iter(self._waiting))
        if id not in self._waiting:
            logger.debug("a reply to an unknown request: %s", id)
            return
        waiting, listener, params = self._waiting.pop(id)
        if listener:
            self._channel(params).pending -= 1
        if waiting.done():
            logger.debug("a reply to a cancelled request: %s", id)
        elif "error" in reply:
            waiting.set_exception(refusal(reply["error"]))
        else:
            if listener:
                self._begin(listener, params, reply["result"])
            waiting.set_result(reply["result"])

    def leave(self, listener: Listener, name: str) -> bool:
        """Removes a listener. Returns whether the subscription has to end, too."""
        channel = self._channels.get(name)
        if channel is None or listener not in channel.listeners:
            return False
        channel.listeners.remove(listener)
        listener.end(None)
        return not channel.listeners and not channel.pending

    def _channel(self, params: Mapping[str, Any]) -> Channel:
        return self._channels.setdefault(params["list"], Channel())

    def _begin(
        self, listener: Listener, params: Mapping[str, Any], result: Mapping[str, Any]
    ) -> None:
        """Adds a listener. All listeners of a list have the same options; other ones replace
        them."""
        channel = self._channel(params)
        wanted = {"format": "stages", "content": True, "moves": True, **params, "since": None}
        if channel.wanted != wanted:
            for before in channel.listeners:
                before.end(None)
            channel.wanted, channel.listeners = wanted, []
        channel.listeners.append(listener)
        listener.hear("subscribe", result)

    def _hear(self, method: str, params: Mapping[str, Any]) -> None:
        if method == "window/logMessage":
            logger.log(LEVELS.get(params.get("type", 3), logging.INFO), "%s", params.get("message"))
        elif method in READERS and params.get("list") in self._channels:
            for listener in list(self._channels[params["list"]].listeners):
                listener.hear(method, params)
        else:
            logger.debug("%s without a listener: %s", method, params)
