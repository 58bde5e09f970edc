"""Applies JSON Patches (RFC 6902) and text edits."""

from __future__ import annotations

from typing import Any, Dict, List, Sequence

from .errors import OutOfStep
from .kinds import is_array
from .ops import Patch, TextEdit


def apply_patch(document: Any, patch: Sequence[Patch]) -> Any:
    """The document after the operations. The argument is not changed, and what does not change is shared."""
    root: Any = {"": document}
    fresh: Dict[int, Any] = {}
    for op in patch:
        try:
            _perform(root, op, fresh)
        except (LookupError, ValueError, TypeError) as why:
            raise OutOfStep(f"a patch does not fit: {op}") from why
    return root.get("")


def _perform(root: Any, op: Patch, fresh: Dict[int, Any]) -> None:
    path = ["", *_steps(op.path)]
    if op.op == "test":
        if _at(root, path) != op.value:
            raise OutOfStep(f"a test fails: {op}")
    elif op.op == "add":
        _add(_owner(root, path, fresh), path[-1], op.value)
    elif op.op == "remove":
        _remove(_owner(root, path, fresh), path[-1])
    elif op.op == "replace":
        _replace(_owner(root, path, fresh), path[-1], op.value)
    elif op.op in ("move", "copy"):
        source = ["", *_steps(op.from_ or "")]
        value = _at(root, source)
        if op.op == "move":
            _remove(_owner(root, source, fresh), source[-1])
        _add(_owner(root, path, fresh), path[-1], value)
    else:
        raise OutOfStep(f"an unknown operation: {op}")


def _owner(root: Any, path: Sequence[str], fresh: Dict[int, Any]) -> Any:
    """The value that contains the last step. Those on the path are copied once; `fresh` has the copies, by their
    identities."""
    owner = root
    for step in path[:-1]:
        key = _key(owner, step)
        value = owner[key]
        if id(value) not in fresh:
            value = list(value) if is_array(value) else dict(value)
            owner[key] = fresh[id(value)] = value
        owner = value
    return owner


def _steps(pointer: str) -> List[str]:
    """The steps of a JSON Pointer (RFC 6901)."""
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def _at(value: Any, path: Sequence[str]) -> Any:
    for step in path:
        value = value[_key(value, step)]
    return value


def _key(owner: Any, step: str) -> Any:
    if not is_array(owner):
        return step
    if not step.isdecimal():
        raise LookupError(step)
    return int(step)


def _add(owner: Any, step: str, value: Any) -> None:
    if not is_array(owner):
        owner[step] = value
        return
    index = len(owner) if step == "-" else _key(owner, step)
    if index > len(owner):
        raise LookupError(step)
    owner.insert(index, value)


def _remove(owner: Any, step: str) -> None:
    del owner[_key(owner, step)]


def _replace(owner: Any, step: str, value: Any) -> None:
    key = _key(owner, step)
    owner[key]  # Raises if it does not exist.
    owner[key] = value


def apply_text_edits(text: str, edits: Sequence[TextEdit]) -> str:
    """The text after edits of whole lines. All edits refer to lines of the old text."""
    lines = text.split("\n")
    last = len(lines) - 1  # Every line ends with a line feed.
    result: List[str] = []
    done = 0
    for edit in edits:
        if not done <= edit.start <= edit.end <= last:
            raise OutOfStep(f"an edit is beyond the {last} lines, or out of order: {edit}")
        result += [line + "\n" for line in lines[done : edit.start]] + [edit.text]
        done = edit.end
    return "".join(result + [line + "\n" for line in lines[done:last]])
