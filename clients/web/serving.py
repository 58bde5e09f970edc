"""What the bridge and the ASGI app have in common: the files, methods and news that pages get."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any, Dict, Generator, Iterable, Mapping, Optional, Set, Tuple

import listd
from listd.calls import Call
from policy import NOTHING, page_policy

HERE = Path(__file__).resolve().parent
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
MARKUP = {".html", ".svg"}
READING = {"getSnapshot", "getSelection", "getText", "getLists", "locate", "diff", "select"}
OUTLINE = {"expandItems", "collapseItems", "revealItems", "expandAll", "collapseAll"}
OUTLINE_PARAMS = {"list", "edits", "baseRevision", "format", "content"}
LARGEST = 4 << 20  # largest request, in bytes
TEMPORARY = "page/"  # prefix of the names of lists that are removed with their page
BREATH = 15.0  # seconds between keep-alive comments
GRACE = 5.0  # seconds for which the lists of a page are kept after it has left, in case that it returns
RETRY = b"retry: 1000\n\n"  # milliseconds until a page reconnects
STILL_HERE = b": still here\n\n"
STREAM = {"Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no"}
KINDS = {
    listd.Snapshot: "snapshot", listd.Change: "change", listd.Selected: "select",
    listd.Expanded: "expand", listd.Fed: "feed", listd.Removed: "remove",
}  # fmt: skip

Value = Mapping[str, Any]


def file_of(folder: Optional[Path], name: str) -> Optional[Tuple[Path, bytes]]:
    """A file that pages may read and its content: of a folder, or at `listd/` of this one."""
    own = name.startswith("listd/")
    root = HERE if own else folder
    if root is None or "\\" in name or not all(part and part[0] != "." for part in name.split("/")):
        return None
    file = root / (name[len("listd/") :] if own else name)
    # The file may be deleted meanwhile, unreadable, or have a name that the system refuses.
    with contextlib.suppress(OSError, ValueError):
        if file.suffix in TYPES and file.is_file():
            return file, file.read_bytes()
    return None


def headers_of(file: Path, body: bytes, policy: Mapping[str, str]) -> Dict[str, str]:
    """The headers of a file. `policy` replaces directives of its Content-Security-Policy."""
    page = body.decode(errors="replace") if file.suffix in MARKUP else ""
    return headers(f"{TYPES[file.suffix]}; charset=utf-8", {**page_policy(page), **policy})


def headers(kind: str = "application/json", policy: Mapping[str, str] = NOTHING) -> Dict[str, str]:
    """The headers of an answer."""
    return {
        "Content-Type": kind, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer", "Content-Security-Policy": "; ".join(map(" ".join, policy.items())),
    }  # fmt: skip


def requested(body: bytes) -> Tuple[str, Dict[str, Any]]:
    """The method and the parameters of a call."""
    asked: Dict[str, Any] = json.loads(body)
    return str(asked["method"]), asked.get("params") or {}


def allowed(methods: Iterable[str]) -> Set[str]:
    """The methods that pages may call: those that only read, and the given ones. A page never runs commands."""
    return READING | set(methods) - {"feed"}


def check(method: str, params: Value, methods: Iterable[str]) -> None:
    """Refuses methods other than the given ones, and those that change only what the page shows."""
    if not (method in methods or is_of_outline(method, params) or is_of_page(method, params)):
        raise listd.Refused(-32601, f"pages may not call {method}", {"reason": "methodNotFound"})


def is_of_outline(method: str, params: Value) -> bool:
    """Whether a request only expands or collapses rows, which changes no item and no selection."""
    edits = params.get("edits")
    return (
        method == "editSnapshot"
        and OUTLINE_PARAMS.issuperset(params)
        and isinstance(edits, list)
        and len(edits) > 0
        and all(isinstance(edit, dict) and edit.get("edit") in OUTLINE for edit in edits)
    )


def is_of_page(method: str, params: Value) -> bool:
    """Whether a request makes a list that belongs to a page."""
    name = params.get("list")
    return method == "compose" and isinstance(name, str) and name.startswith(TEMPORARY)


def owned(method: str, params: Value, has_temporary: bool) -> Value:
    """The params for the daemon. The list of a page is temporary, or a server that is killed would leave it."""
    return {**params, "temporary": True} if has_temporary and is_of_page(method, params) else params


def result(value: Any) -> bytes:
    """The answer to a call."""
    return json.dumps({"result": value}, allow_nan=False).encode()


def failure(why: Exception) -> bytes:
    """The answer to a call that has failed. An action may raise anything."""
    error: Dict[str, Any]
    if isinstance(why, listd.Refused):
        error = {"code": why.code, "message": why.message, "data": why.data}
    elif isinstance(why, (ValueError, LookupError, TypeError, AttributeError, RecursionError)):
        error = {"code": -32602, "message": str(why), "data": {}}
    else:
        error = {"code": -32603, "message": f"{type(why).__name__}: {why}", "data": {}}
    return json.dumps({"error": error}).encode()


def since(name: str, revision: int, epoch: str) -> Generator[Call[Any], Any, Tuple[str, Value]]:
    """The news for a page that has a revision: the change since then if it is kept, or the whole list. By the `epoch` a
    page knows whether its revision is one of this daemon. Yields the calls that it needs."""
    wanted: Dict[str, Any] = {"list": name}
    try:
        now: Dict[str, Any] = yield Call("getSnapshot", wanted, dict)
    except listd.ListNotFound:
        now = {**wanted, "revision": 0, "sections": [], "selection": [], "cursor": None}
    if 0 < revision <= now["revision"]:
        old, new = ({**wanted, "revision": one} for one in (revision, now["revision"]))
        with contextlib.suppress(listd.Refused):  # The revision is no longer kept.
            change = yield Call("diff", {"from": old, "to": new, "content": True}, dict)
            state = {one: now[one] for one in ("selection", "cursor", "view") if one in now}
            return "change", {**change, **wanted, **state, "epoch": epoch}
    return "snapshot", {**now, "epoch": epoch}


class Events:
    """The events of the stream of a page, which knows its revisions by their ids."""

    def __init__(self, last: Optional[str], names: Iterable[str]) -> None:
        """`last` is the `Last-Event-ID` of the page."""
        known: Any = None
        with contextlib.suppress(ValueError, RecursionError):
            known = json.loads(last or "{}")
        found: Dict[Any, Any] = known if isinstance(known, dict) else {}
        self.revisions = {name: found[name] if type(found.get(name)) is int else 0 for name in names}

    def first(self, name: str, kind: str, value: Value) -> bytes:
        """The event of news."""
        self.revisions[name] = 0 if kind == "remove" else value.get("revision", self.revisions[name])
        return f"id: {json.dumps(self.revisions)}\ndata: {json.dumps({'kind': kind, **value})}\n\n".encode()

    def later(self, name: str, kind: str, value: Value) -> bytes:
        """The event of news that were queued; nothing if an earlier event already includes them."""
        revision, base = self.revisions[name], value.get("baseRevision", 0) if kind in ("change", "snapshot") else -1
        is_old = 0 <= base < value.get("revision", 1) <= revision
        return b"" if is_old or (kind == "snapshot" and value["revision"] == revision) else self.first(name, kind, value)
