"""What can go wrong, as exceptions."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional, Type


class ListdError(Exception):
    """Anything that this package raises by itself."""


class DaemonNotFound(ListdError):
    """There is no listd to start."""


class VersionMismatch(ListdError):
    """The daemon speaks another version of the protocol."""


class DaemonGone(ListdError):
    """The daemon ended, or says what is no message: nothing more can be asked of it."""

    def __init__(self, why: str, code: Optional[int] = None, stderr: str = "") -> None:
        self.why: str = why
        self.code: Optional[int] = code
        self.stderr: str = stderr
        told = why if code is None else f"{why} (exit code {code})"
        super().__init__(f"{told}: {stderr.strip()}" if stderr.strip() else told)


class Closed(ListdError):
    """The connection was closed by this side."""


class TimedOut(ListdError, TimeoutError):
    """No answer in time. The daemon was told to cancel the request, and may yet have done it."""


class OutOfStep(ListdError):
    """A change that does not fit the copy that it is to be applied to: read the list anew."""


class Refused(ListdError):
    """An error that the daemon answers: its code, its message and its data."""

    def __init__(self, code: int, message: str, data: Optional[Mapping[str, Any]] = None) -> None:
        self.code: int = code
        self.message: str = message
        self.data: Mapping[str, Any] = data or {}
        super().__init__(f"{message} ({code})")


class InvalidParams(Refused):
    """`data`: `pointer`, `expected`."""


class RequestCancelled(Refused):
    """The request was cancelled, and has changed nothing."""


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
}


def refusal(error: Mapping[str, Any]) -> Refused:
    """The exception for the `error` of a reply."""
    code = error["code"]
    return REFUSALS.get(code, Refused)(code, error["message"], error.get("data"))
