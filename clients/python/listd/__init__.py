"""A client of listd, a daemon that keeps lists and computes their changes. Start a daemon with `spawn`:

    with listd.spawn() as daemon:
        inbox = daemon.list("inbox")
        change = inbox.apply(["Anna", "Ben"], content=True)

`listd.aio` is the same client for asyncio, `listd.edits` has the edits for `NamedList.edit`, and
`listd.protocol` has the types of all messages.
"""

from . import aio, edits, ops, protocol
from .applying import apply_ops, apply_selection, apply_stages
from .client import Daemon, NamedList, attach, connect, spawn
from .each import RowChange
from .errors import (
    Closed, CompositeTooLarge, CompositionCycle, DaemonGone, DaemonNotFound, DuplicateIdentifier,
    FeedFailed, InvalidParams, ItemNotFound, JournalFailed, ListdError, ListNotFound, MessageTooLarge, NotAllowed,
    NotSelectable, OutOfStep, ReadOnlyList, Refused, RequestCancelled, RevisionNotFound,
    SectionNotFound, StaleRevision, TimedOut, VersionMismatch,
)  # fmt: skip
from .finding import find
from .identity import id_of
from .mirror import Mirror
from .news import Expanded, News, Removed
from .patching import apply_patch, apply_text_edits
from .places import ID, Format, Item, Path, Range, Ref, paths_of
from .changes import Change, Counts, Deselected, Difference, ViewNumbers
from .results import Fed, Listed, Row, Selected, Selection, Snapshot, Text, Window
from .rows import in_rows, rows_of
from .subscriptions import Listening, Subscription
from .version import VERSION as __version__

__all__ = [
    "ID", "__version__", "Change", "Closed", "CompositeTooLarge", "CompositionCycle", "Counts",
    "Daemon", "DaemonGone", "DaemonNotFound", "Deselected", "Difference", "DuplicateIdentifier",
    "Expanded", "Fed", "FeedFailed", "Format", "InvalidParams", "Item", "ItemNotFound", "JournalFailed", "ListNotFound",
    "ListdError", "Listed", "Listening", "MessageTooLarge", "Mirror", "NamedList", "News",
    "NotAllowed", "NotSelectable", "OutOfStep", "Path", "Range", "ReadOnlyList", "Ref", "Refused", "Removed",
    "RequestCancelled", "RevisionNotFound", "Row", "RowChange", "SectionNotFound", "Selected", "Selection",
    "Snapshot", "StaleRevision", "Subscription", "Text", "TimedOut", "VersionMismatch",
    "ViewNumbers", "Window", "aio", "apply_ops", "apply_patch", "apply_selection", "apply_stages",
    "apply_text_edits", "attach", "connect", "edits", "find", "id_of", "in_rows", "ops", "paths_of", "protocol",
    "rows_of", "spawn",
]  # fmt: skip
