"""Params with one member removed, renamed or retyped."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any, Iterator, List, Set, Tuple

VALUES: Tuple[Any, ...] = (None, True, 7, -1, 2.5, "zz", [], [True], {}, {"zz": 1})


@dataclass
class Mutation:
    """Changed params, and the pointers that the error may have."""

    words: str
    params: Any
    pointers: Set[str]

    def names(self, pointer: str) -> bool:
        """Reports whether a pointer leads to the changed value or into it."""
        return any(pointer == one or pointer.startswith(one + "/") for one in self.pointers)


def mutations(params: Any) -> Iterator[Mutation]:
    """All mutations of params, one at a time; of arrays the first two elements are changed."""
    for path in places(params):
        *outer, last = path
        above, here = pointer(outer), pointer(path)
        for value in VALUES:
            if kind(value) != kind(at(params, path)) or value in (-1, 2.5, [True], {"zz": 1}):
                # Null is the same as a missing member.
                pointers = {here, above} if value is None else {here}
                yield Mutation(f"{here} = {value!r}", changed(params, path, value), pointers)
        if isinstance(last, str):
            gone = removed(params, path)
            yield Mutation(f"{here} removed", gone, {here, above})
            renamed = changed(gone, [*outer, last + "zz"], at(params, path))
            yield Mutation(f"{here} renamed", renamed, {here, above, here + "zz"})


def places(value: Any, path: Tuple[Any, ...] = ()) -> Iterator[List[Any]]:
    """The paths of all values inside of a value."""
    if isinstance(value, dict):
        entries = list(value.items())
    else:
        entries = list(enumerate(value[:2])) if isinstance(value, list) else []
    for name, one in entries:
        yield [*path, name]
        yield from places(one, (*path, name))


def kind(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return str(value)
    return "number" if isinstance(value, (int, float)) else type(value).__name__


def at(value: Any, path: List[Any]) -> Any:
    for name in path:
        value = value[name]
    return value


def changed(params: Any, path: List[Any], value: Any) -> Any:
    params = copy.deepcopy(params)
    at(params, path[:-1])[path[-1]] = value
    return params


def removed(params: Any, path: List[Any]) -> Any:
    params = copy.deepcopy(params)
    del at(params, path[:-1])[path[-1]]
    return params


def pointer(path: List[Any]) -> str:
    """The pointer in a request, as RFC 6901 writes it."""
    words = (str(one).replace("~", "~0").replace("/", "~1") for one in path)
    return "/params" + "".join("/" + word for word in words)
