"""Reads the rows of a file or of a command's output as items of a list, by the rules of `listd set`.

Beyond these, text that begins with a line of headers, such as the output of ps, df, docker and kubectl, has columns.
In a column of numbers, also of CSV and TSV, values are numbers. Without a key, a first column without repeated or
empty values is the key.
"""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import PurePath
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Union

SUFFIXES = {
    ".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".json": "json", ".ndjson": "ndjson", ".jsonl": "ndjson",
}  # fmt: skip
INPUTS = ["auto", "text", "csv", "tsv", "json", "ndjson", "snapshot"]
NUMBER = re.compile(r"-?(0|[1-9]\d{0,14})(\.\d{1,15})?")
FIRST = 1 << 17  # bytes of a large file whose rows are read before the others
AT_ONCE = 5000  # rows that are parsed at once, while other threads wait
SAMPLE = 200  # lines by which it is decided whether text has columns
ItemID = Union[str, int]


class Unreadable(Exception):
    """A file is not what the options or its name say."""


class Identity(NamedTuple):
    """What identifies a row: members, or fields of a line from 1."""

    members: Sequence[str] = ()
    fields: Sequence[int] = ()


def kind_of(data: bytes, name: str, kind: str) -> str:
    """The kind of a file with this name and content, if `kind` is "auto"."""
    if kind == "auto":
        kind = SUFFIXES.get(PurePath(name).suffix.lower(), "")
    return kind or ("json" if data[:4096].lstrip()[:1] in (b"{", b"[") else "text")


def first_items(data: bytes, name: str, kind: str, identity: Identity) -> List[Any]:
    """The items of the first lines of a large file, without the last one, which may continue on other lines; none if
    the file is small or need not consist of lines."""
    kind = kind_of(data, name, kind)
    if len(data) < 16 * FIRST or kind in ("json", "snapshot"):
        return []
    return items(data[: data.rfind(b"\n", 0, FIRST) + 1], name, kind, identity)[:-1]


def items(data: bytes, name: str, kind: str, identity: Identity) -> List[Any]:
    """The items of a file with this name and content. `kind` is one of `INPUTS`."""
    kind = kind_of(data, name, kind)
    if kind in ("json", "snapshot", "ndjson"):
        found = documents(data) if kind == "ndjson" else of_document(data)
        return [with_id(one, identity.members) for one in found] if identity.members else found
    # As names of files, bytes that are not UTF-8 are visible.
    text = data.decode("utf-8", "backslashreplace")
    if kind in ("csv", "tsv"):
        rows = csv.reader(io.StringIO(text, newline=""), delimiter="," if kind == "csv" else "\t")
        return of_records([row for row in rows if row], identity.members)
    lines = text.splitlines()
    if identity.fields:
        return [{"id": field(line, identity.fields), "text": line} for line in lines]
    columns = columns_of(lines)
    return of_records(columns, identity.members) if columns else list(lines)


def field(line: str, numbers: Iterable[int]) -> str:
    words = line.split()
    found = [words[number - 1] if number <= len(words) else "" for number in numbers]
    return found[0] if len(found) == 1 else json.dumps(found, ensure_ascii=False)


def documents(data: bytes) -> List[Any]:
    lines = [line for line in data.split(b"\n") if line.strip()]
    found: List[Any] = []
    try:
        for start in range(0, len(lines), AT_ONCE):
            # One document is read faster than many.
            some = lines[start : start + AT_ONCE]
            found += json.loads(b"[" + b",".join(some) + b"]")
            if len(found) != start + len(some):
                raise ValueError
        return as_items(found, data)
    except (ValueError, RecursionError):
        found.clear()
    for number, line in enumerate(data.split(b"\n"), 1):
        try:
            found += [json.loads(line)] if line.strip() else []
        except (ValueError, RecursionError) as why:
            raise Unreadable(f"line {number} is not JSON: {why}") from None
    return as_items(found, data)


def of_document(data: bytes) -> List[Any]:
    try:
        whole = json.loads(data)
    except (ValueError, RecursionError) as why:
        # Several documents, one a line, are often named .json.
        if b"\n" in data.strip():
            return documents(data)
        raise Unreadable(f"it is not JSON: {why}") from None
    if isinstance(whole, dict) and isinstance(whole.get("sections"), list):
        sections = [one for one in whole["sections"] if isinstance(one, dict)]
        return [item for section in sections for item in section.get("items", [])]
    if isinstance(whole, dict) and isinstance(whole.get("items"), list):
        whole = whole["items"]
    if isinstance(whole, dict):
        return [
            {**value, "id": name} if isinstance(value, dict) else {"id": name, "text": show(value), "value": value}
            for name, value in whole.items()
        ]  # fmt: skip
    if not isinstance(whole, list):
        raise Unreadable("it is neither an array nor an object")
    return as_items(whole, data)


def as_items(values: List[Any], data: bytes) -> List[Any]:
    """Values as items. Almost all documents need no change."""
    is_strange = b'"$' in data or b'"parts"' in data or b"\\u" in data
    return [
        as_item(one) if is_strange or type(one) is not dict or not is_id(one.get("id", 0)) else one for one in values
    ]  # fmt: skip


def as_item(value: Any) -> Any:
    """A value as an item. Members that mean something else in an item are left out."""
    if isinstance(value, dict):
        if "id" in value and not is_id(value["id"]):
            value = {**value, "id": show(value["id"])}
        reserved = [name for name in value if name[:1] == "$" or name == "parts"]
        return {name: one for name, one in value.items() if name not in reserved} if reserved else value
    return value if is_id(value) else show(value)


def is_id(value: Any) -> bool:
    return isinstance(value, str) or type(value) is int


def show(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def with_id(item: Any, members: Sequence[str]) -> Any:
    if not isinstance(item, dict):
        return item
    found = [member(item, name) for name in members]
    if None in found:
        raise Unreadable(f"a row has no {members[found.index(None)]}: {show(item)[:80]}")
    id = found[0] if len(found) == 1 else found
    item["id"] = id if is_id(id) else show(id)
    return item


def member(item: Dict[str, Any], path: str) -> Any:
    if path in item:
        return item[path]
    name, _, rest = path.partition(".")
    inner = item.get(name)
    return member(inner, rest) if rest and isinstance(inner, dict) else None


def of_records(rows: Sequence[Sequence[str]], members: Sequence[str]) -> List[Any]:
    """Records below a header as items."""
    if not rows:
        return []
    names = unique([name.strip() or f"column {number}" for number, name in enumerate(rows[0], 1)])
    for name in members:
        if name not in names:
            raise Unreadable(f"there is no column {name}, only {', '.join(names)}")
    # Missing fields at the end are empty.
    columns = list(zip(*([*row, *[""] * (len(names) - len(row))][: len(names)] for row in rows[1:])))
    if not members:
        # What does not identify rows cannot be their `id`.
        names = ["Id" if name == "id" and not is_key(column) else name for name, column in zip(names, columns)] or names
        members = ["id"] if "id" in names else names[:1] if columns and is_key(columns[0]) else []
    values: List[Iterable[Any]] = [numbers(column) or column for column in columns]
    found = [dict(zip(names, row)) for row in zip(*values)]
    if not members:
        return found
    texts = list(zip(*(columns[names.index(name)] for name in members)))
    ids = (one[0] if len(one) == 1 else json.dumps(one, ensure_ascii=False) for one in texts)
    return [{**item, "id": id} for item, id in zip(found, ids)]


def is_key(column: Sequence[str]) -> bool:
    return all(column) and len(set(column)) == len(column)


def unique(names: Iterable[str]) -> List[str]:
    found: List[str] = []
    for name in names:
        name = name.lstrip("$") or "column"
        while name in found or name == "parts":
            name += "'"
        found.append(name)
    return found


def numbers(column: Sequence[str]) -> Optional[List[Any]]:
    """The numbers that a column consists of, with `None` for empty fields."""
    if not any(column) or not all(not one or NUMBER.fullmatch(one) for one in column):
        return None
    return [(float(one) if "." in one else int(one)) if one else None for one in column]


def columns_of(lines: Sequence[str]) -> Optional[List[List[str]]]:
    """The fields of lines below a line of headers; `None` if it is another text.

    Headers are in capital letters, or above a column of numbers.
    """
    sample = [line.expandtabs() for line in lines[:SAMPLE] if line.strip()]
    cuts = list(gaps(sample))
    # A word of a header with nothing below it is part of the header before.
    fields = [split(line, cuts) for line in sample[1:]]
    cuts = [cut for number, cut in enumerate(cuts, 1) if any(row[number] for row in fields)]
    if len(sample) < 2 or not cuts:
        return None
    head, *rows = ([split(line, cuts) for line in sample])
    titles = lines[0].split()
    is_capital = lines[0].upper() == lines[0] and all(re.search("[A-Z%]", one) for one in titles)
    if not all(head) or not (is_capital or any(map(is_number_below, head, zip(*rows)))):
        return None
    # Wide values move those after them. Words do not depend on positions, but only the last column may have several.
    words = [line.split(None, len(titles) - 1) for line in sample]
    if head == titles and words == [head, *rows] or are_moved(head, words):
        return [line.split(None, len(titles) - 1) for line in lines if line.strip()]
    return [split(line.expandtabs(), cuts) for line in lines if line.strip()]


def is_number_below(head: str, column: Sequence[str]) -> bool:
    return numbers(column) is not None and not NUMBER.fullmatch(head)


def are_moved(head: Sequence[str], words: Sequence[Sequence[str]]) -> bool:
    """Whether a column of fields is several ones, which wide numbers in all but the last one have moved together."""
    if any(len(one) != len(words[0]) for one in words):
        return False
    columns, at = list(zip(*words)), 0
    for names in (one.split() for one in head):
        if len(names) > 1 and all(numbers(column[1:]) for column in columns[at : at + len(names) - 1]):
            return True
        at += len(names)
    return False


def gaps(lines: Sequence[str]) -> Iterator[int]:
    """The positions between the words of the first line at which all lines have a space."""
    for gap in re.finditer(r"(?<=\S)\s+(?=\S)", lines[0] if lines else ""):
        free = [at for at in range(*gap.span()) if all(line[at : at + 1] in ("", " ") for line in lines)]
        if free:
            yield free[-1]


def split(line: str, cuts: Sequence[int]) -> List[str]:
    return [line[start:end].strip() for start, end in zip([0, *cuts], [*cuts, None])]
