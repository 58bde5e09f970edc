"""Converts Python values to JSON: items, and the text of a message.

`orjson` is used if it is installed. Messages with values that it refuses and JSON allows, such as integers beyond 64
bits, are encoded by `json`, so that both accept the same values and write the same JSON.
"""

from __future__ import annotations

import contextlib
import json
import math
from enum import Enum
from importlib import import_module
from itertools import chain
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Set, Tuple, cast
from uuid import UUID

from .frames import records
from .kinds import is_mapping, is_object, is_sequence

orjson: Any = None
with contextlib.suppress(ImportError):
    orjson = import_module("orjson")

Default = Callable[[Any], Any]
CONTAINERS: Any = (dict, list, tuple)
VALUES: Any = getattr(dict, "values")
DEEPEST = 512  # The daemon refuses messages that are nested deeper.
WRONG = (TypeError, ValueError, RecursionError)


def prepared(items: Optional[Iterable[Any]], default: Optional[Default] = None) -> Optional[List[Any]]:
    """The items as a list. A data frame is its rows."""
    if items is None:
        return None
    if isinstance(items, (str, bytes)) or is_mapping(items):
        raise TypeError(f"items is one {type(items).__name__}, not a list of items")
    rows = records(items, keeps_dates=default is not None)
    return list(items) if rows is None else rows


def encode(message: Any, default: Optional[Default] = None) -> bytes:
    """The JSON text of a message. `default` converts values that JSON lacks. Errors contain the path of an invalid
    parameter."""

    def convert(value: Any) -> Any:
        return converted(value, default)

    if orjson:
        try:
            encoded: bytes = orjson.dumps(message, convert, OPTIONS)
            # It writes null for numbers that are not finite. In large messages `in` takes four times as long.
            if encoded.rfind(b"null") < 0 or is_finite(message):
                return encoded
        except TypeError:
            pass
    try:
        return json.dumps(message, separators=(",", ":"), allow_nan=False, default=convert).encode()
    except WRONG as why:
        params = message.get("params") if is_object(message) else message
        found = next(faults(params, "", (), convert), None)
        if not found:
            raise
        path, problem = found
        kind = TypeError if isinstance(why, TypeError) else ValueError
        raise kind(f"{path}: {problem}" if path else problem) from why


OPTIONS: Any = orjson and orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME


def converted(value: Any, default: Optional[Default]) -> Any:
    """A value that JSON lacks, in terms of values that it has."""
    if is_sequence(value):  # A named tuple.
        return list(value)
    if is_mapping(value):
        return dict(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, UUID):
        return str(value)
    if hasattr(value, "dtype") and getattr(value, "shape", None) == ():  # A number of numpy.
        value = value.item()
        if value is None or isinstance(value, (str, bool, int)):
            return value
        if isinstance(value, float):
            return finite(value)
    if default is None:
        if hasattr(value, "index") and hasattr(value, "to_dict"):  # A row of pandas.
            return value.to_dict()
        raise TypeError(f"a {type(value).__name__} is not JSON; `default` may convert it")
    result = default(value)
    return finite(result) if isinstance(result, float) else result


def finite(value: float) -> float:
    """The number, which must be one of JSON."""
    if not math.isfinite(value):
        raise ValueError(f"{value} is not a JSON number")
    return value


def is_finite(value: Any) -> bool:
    """Whether all numbers in a value are finite. The value contains no cycle."""
    level: List[Any] = [value]
    while level:
        objects: List[Any] = [one for one in level if isinstance(one, dict)]
        arrays: List[Any] = [one for one in level if not isinstance(one, dict)]

        def members() -> Iterator[Any]:
            return chain(chain.from_iterable(map(VALUES, objects)), chain.from_iterable(arrays))

        kinds: Set[Any] = set(map(type, members()))
        floats = {kind for kind in kinds if issubclass(kind, float)}
        if floats and not all(map(math.isfinite, [one for one in members() if type(one) in floats])):
            return False
        outer = {kind for kind in kinds if issubclass(kind, CONTAINERS)}
        level = [one for one in members() if type(one) in outer] if outer else []
    return True


def faults(
    value: Any, path: str, above: Tuple[int, ...], convert: Default
) -> Iterator[Tuple[str, str]]:
    """The paths of the values that JSON lacks, each with a description of the problem. `above` has the identities
    of the values that contain this one."""
    if isinstance(value, float):
        if not math.isfinite(value):
            yield path, f"{value} is not a JSON number"
        return
    if isinstance(value, int) and not isinstance(value, bool):
        try:
            str(value)
        except ValueError:
            yield path, f"an integer of {value.bit_length()} bits is too long"
    if value is None or isinstance(value, (str, bool, int)):
        return
    if id(value) in above:
        yield path, "the value contains itself"
        return
    if len(above) > DEEPEST:
        yield path, f"the value is nested deeper than {DEEPEST}"
        return
    if is_object(value):
        for name in cast("Iterable[Any]", value):
            if not (name is None or isinstance(name, (str, int, float))):
                yield path, f"a {type(name).__name__} cannot be the name of a member"
                return
        members: Dict[str, Any] = {f"{path}.{name}" if path else str(name): one for name, one in value.items()}
    elif is_sequence(value):
        members = {f"{path}[{index}]": one for index, one in enumerate(value)}
    else:
        try:
            members = {path: convert(value)}
        except Exception as why:
            yield path, str(why)
            return
    for name, one in members.items():
        yield from faults(one, name, (*above, id(value)), convert)
