"""The exceptions of this package."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional, Type


class ListdError(Exception):
    """The base class of all exceptions of this package."""


class DaemonNotFound(ListdError):
    """No daemon can be found or reached."""


class VersionMismatch(ListdError):
    """The daemon has another version of the protocol."""


class DaemonGone(ListdError):
    """The daemon ended or sent an invalid message. No more requests are possible."""

    def __init__(self, why: str, code: Optional[int] = None, stderr: str = "") -> None:
        self.why: str = why
        self.code: Optional[int] = code
        self.stderr: str = stderr
        text = why if code is None else f"{why} (exit code {code})"
        super().__init__(f"{text}: {stderr.strip()}" if stderr.strip() else text)


class Closed(ListdError):
    """This side has closed the connection."""


class TimedOut(ListdError, TimeoutError):
    """No reply in time. A cancellation was sent, but the request may still be performed."""


class OutOfStep(ListdError):
    """A change does not fit the copy that it is applied to. Read the list again."""


class Refused(ListdError):
    """An error reply of the daemon: its code, message and data."""

    def __init__(self, code: int, message: str, data: Optional[Mapping[str, Any]] = None) -> None:
        self.code: int = code
        self.message: str = message
        self.data: Mapping[str, Any] = data or {}
        super().__init__(f"{message} ({code})")


class InvalidParams(Refused, ValueError):
    """`data`: `pointer`, `expected`."""


class RequestCancelled(Refused):
    """The request was cancelled and has changed nothing."""


class ListNotFound(Refused):
    """`data`: `list`, `nearest`."""


class RevisionNotFound(Refused):
    """`data`: `list`, `revision`, `oldest`, `current`."""


class StaleRevision(Refused):
    """`data`: `list`, `baseRevision`, `current`."""


class DuplicateIdentifier(Refused):
    """`data`: `duplicates`, each with `id` and `pointers`."""


class ItemNotFound(Refused):
    """`data`: `missing`."""


class SectionNotFound(Refused):
    """`data`: `missing`."""


class ReadOnlyList(Refused):
    """`data`: `list`, `sources`."""


class MessageTooLarge(Refused):
    """`data`: `limit`, `bytes`."""


class NotSelectable(Refused):
    """`data`: `items`."""


class CompositionCycle(Refused):
    """`data`: `cycle`."""


class JournalFailed(Refused):
    """`data`: `path`, `why`."""


class CompositeTooLarge(Refused):
    """`data`: `list`, `sections`, `items`, `rows`, `bytes`, `limit`."""


class NotAllowed(Refused):
    """The daemon starts no commands and reads no files."""


class FeedFailed(Refused):
    """`data`: `list`, `why`."""


REFUSALS: Dict[int, Type[Refused]] = {
    -32602: InvalidParams,
    -32800: RequestCancelled,
    -31001: ListNotFound,
    -31002: RevisionNotFound,
    -31003: StaleRevision,
    -31004: DuplicateIdentifier,
    -31005: ItemNotFound,
    -31006: SectionNotFound,
    -31007: ReadOnlyList,
    -31008: MessageTooLarge,
    -31009: NotSelectable,
    -31010: CompositionCycle,
    -31011: JournalFailed,
    -31012: CompositeTooLarge,
    -31013: NotAllowed,
    -31014: FeedFailed,
}


def refusal(error: Mapping[str, Any]) -> Refused:
    """The exception for the `error` of a reply."""
    code = error["code"]
    return REFUSALS.get(code, Refused)(code, error["message"], error.get("data"))
