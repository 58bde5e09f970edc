"""The document itself: generated files, its names, and compatibility with older clients."""

from __future__ import annotations

import copy
import json
import re
from typing import Any, Callable, List

import pytest

import generate
import manual
from checking import Checker
from compatibility import Comparison
from document import RELEASED, ROOT, SOURCE, Json, error_codes, load, methods, name_of
from client import Daemon, session

PAGE = generate.MANUAL.read_text("utf-8")


def test_generated_files_are_up_to_date() -> None:
    for path, text in generate.files().items():
        where = path.relative_to(ROOT)
        assert path.read_text("utf-8") == text, f"{where}: run Tests/schema/generate.py"


def test_the_daemon_has_it() -> None:
    printed = session(b"", "--schema")
    assert (printed.code, printed.out) == (0, SOURCE.read_bytes())
    for framing in ("ndjson", "lsp"):
        with Daemon(framing=framing) as daemon:
            assert daemon.call("rpc.discover") == load()
            assert "rpc.discover" in daemon.call("initialize", {})["capabilities"]["features"]
            assert daemon.call("rpc.discover", {}) == load()
            assert daemon.refused(-32602, "rpc.discover", {"x": 1}).data["pointer"] == "/params/x"
            daemon.call("shutdown")
            daemon.refused(-32600, "rpc.discover")


def test_it_names_what_the_daemon_names(document: Json) -> None:
    with Daemon() as daemon:
        capabilities = daemon.call("initialize", {})["capabilities"]
    requests = [name for name, method in methods(document).items() if "result" in method]
    assert sorted(requests) == sorted([*capabilities["methods"], "rpc.discover"])
    assert document["components"]["schemas"]["Format"]["enum"] == capabilities["formats"]
    codes = (ROOT / "Sources/JSONRPC/ErrorCode.swift").read_text("utf-8")
    named = {name: int(code) for name, code in re.findall(r"let (\w+) = ErrorCode\(rawValue: (-\d+)", codes)}
    assert {name: one["code"] for name, one in document["components"]["errors"].items()} == named
    for name, code in named.items():
        assert f"| {code} | `{name}` |" in PAGE, f"no row for {name}"


def test_every_name_is_used_and_explained(document: Json) -> None:
    """The manual shows each type and each message once."""
    shown = manual.names(PAGE)
    assert len(shown) == len(set(shown)), "a type is shown twice"
    types = set(document["components"]["schemas"]) - {"Count", "MemberName"}
    messages = {name for name, one in methods(document).items() if one["params"] or "result" in one}
    hidden = {"shutdown", "rpc.discover"}
    sent = {name for name, one in methods(document).items() if name_of(one.get("x-params")) == ""}
    sent = {name for name in sent if methods(document)[name].get("x-direction") == "server"}
    assert (types | messages | sent) - hidden - set(shown) == set()
    text = json.dumps(document)
    for name, schema in document["components"]["schemas"].items():
        assert f'schemas/{name}"' in text, f"nobody refers to {name}"
        assert schema.get("description"), f"{name} has no description"


def test_errors_are_those_that_the_manual_names(document: Json) -> None:
    """The line "Errors:" of a method and the document name the same codes."""
    for name, method in methods(document).items():
        section = re.search(rf"^### (?:.*, )?{re.escape(name)}\n(.*?)(?=^##)", PAGE, re.M | re.S)
        line = re.search(r"^Errors: (.*?)\n\n", section[1], re.M | re.S) if section else None
        if line is not None and "result" in method:
            answer = {int(code) for code in re.findall(r"-3\d{4}", line[1])} - {-32602}
            assert answer == set(error_codes(document, method)) - {-31011}, name


def test_older_clients_get_along(document: Json) -> None:
    assert Comparison(load(RELEASED), document).compare() == []


def change(where: str, edit: Callable[[Any], Any]) -> Callable[[Json], None]:
    def make(document: Json) -> None:
        *path, last = where.split("/")
        value = document
        for name in path:
            value = value[int(name)] if isinstance(value, list) else value[name]
        value[last] = edit(value[last])

    return make


TYPES = "components/schemas/"
BREAKS = [
    change("methods", lambda all: [one for one in all if one["name"] != "diff"]),
    change(TYPES + "Change/allOf", lambda all: all[:-1]),
    change(TYPES + "Format/enum", lambda words: words[1:]),
    change(TYPES + "Op/anyOf", lambda forms: forms[1:]),
    change(TYPES + "Edit/anyOf", lambda forms: forms[:-1]),
    change(TYPES + "ID/type", lambda types: types[:1]),
    change(TYPES + "ItemObject/required", lambda names: ["id"]),
    change(TYPES + "Counts/required", lambda names: names[1:]),
    change(TYPES + "Count/minimum", lambda least: 1),
    change("components/contentDescriptors/cursor/required", lambda flag: True),
    change("components/errors/staleRevision/code", lambda code: -1),
    change("components/errors/staleRevision/data/required", lambda names: names[:-1]),
]


@pytest.mark.parametrize("number", range(len(BREAKS)))
def test_incompatible_changes_are_found(document: Json, number: int) -> None:
    broken = copy.deepcopy(document)
    where: List[Any] = []
    broken["components"]["schemas"]["ItemObject"]["required"] = []
    broken["components"]["contentDescriptors"]["cursor"]["required"] = False
    assert Comparison(document, broken).compare() == where
    BREAKS[number](broken)
    assert Comparison(document, broken).compare() != []


def test_additions_are_compatible(document: Json) -> None:
    """A newer document may have more of everything."""
    newer = copy.deepcopy(document)
    newer["methods"].append({**newer["methods"][0], "name": "another"})
    types = newer["components"]["schemas"]
    types["Format"]["enum"].append("another")
    types["Op"]["anyOf"].append({"type": "object", "properties": {"op": {"const": "another"}}})
    types["Counts"]["properties"]["another"] = {"type": "integer"}
    types["View"]["properties"]["another"] = {"type": "string"}
    content = newer["components"]["contentDescriptors"]["content"]
    content["schema"] = {"anyOf": [content["schema"], {"type": "null"}]}
    assert Comparison(document, newer).compare() == []
    assert Comparison(newer, document).compare() != []
