"""Applies JSON Patches (RFC 6902) and text edits."""

from __future__ import annotations

from typing import Any, Callable, List, Sequence

from .errors import OutOfStep
from .kinds import is_array
from .ops import Patch, TextEdit


def apply_patch(document: Any, patch: Sequence[Patch]) -> Any:
    """The document after the operations. The argument is not changed."""
    for op in patch:
        try:
            document = _patched(document, op)
        except (LookupError, ValueError, TypeError) as why:
            raise OutOfStep(f"a patch does not fit: {op}") from why
    return document


def _patched(document: Any, op: Patch) -> Any:
    path = _steps(op.path)
    if op.op == "add":
        return _changed(document, path, lambda owner, step: _add(owner, step, op.value))
    if op.op == "remove":
        return _changed(document, path, _remove)
    if op.op == "replace":
        return _changed(document, path, lambda owner, step: _replace(owner, step, op.value))
    if op.op == "test":
        if _at(document, path) != op.value:
            raise OutOfStep(f"a test fails: {op}")
        return document
    source = _steps(op.from_ or "")
    value = _at(document, source)
    if op.op == "move":
        document = _changed(document, source, _remove)
    elif op.op != "copy":
        raise OutOfStep(f"an unknown operation: {op}")
    return _changed(document, path, lambda owner, step: _add(owner, step, value))


def _steps(pointer: str) -> List[str]:
    """The steps of a JSON Pointer (RFC 6901)."""
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def _at(value: Any, path: Sequence[str]) -> Any:
    for step in path:
        value = value[_key(value, step)]
    return value


def _changed(value: Any, path: Sequence[str], change: Callable[[Any, str], None]) -> Any:
    """A copy with a change at the end of the path. Other parts are shared."""
    if not path:
        root = {"": value}
        change(root, "")
        return root.get("")
    copy: Any = list(value) if is_array(value) else dict(value)
    if len(path) == 1:
        change(copy, path[0])
    else:
        step = _key(copy, path[0])
        copy[step] = _changed(copy[step], path[1:], change)
    return copy


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
