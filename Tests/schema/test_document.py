"""The document itself: generated files, its names, and compatibility with older clients."""

from __future__ import annotations

import copy
import json
import re
from typing import Any, Callable, List

import pytest

import generate
import manual
import shapes
from compatibility import Comparison
from document import RELEASED, ROOT, SOURCE, Json, error_codes, load, methods
from client import Daemon, session

PAGE = generate.MANUAL.read_text("utf-8")


# Promise: The types of the clients and what `listd --schema NAME` prints are generated from the schema, and
#   compile; the manual is at most 66 KB. Also `test_the_program_prints_the_shapes_of_a_name`,
#   `test_the_manual_is_short`, `Tests/clients/node/types.test.js`.
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
    named = {name: int(code) for name, code in re.findall(r"case (\w+) = (-\d+)", codes)}
    assert {name: one["code"] for name, one in document["components"]["errors"].items()} == named
    for name, code in named.items():
        assert f"| {code} | `{name}` |" in PAGE, f"no row for {name}"


def test_every_name_is_used_and_explained(document: Json) -> None:
    """The manual names each message, and its links lead to where they say."""
    places = manual.anchors(PAGE)
    for name, method in methods(document).items():
        _, _, anchor = method.get("externalDocs", {}).get("url", "").partition("#")
        assert (anchor or places[name]) in places.values(), name
        assert f"`{name}" in PAGE or name in places, name
    for target in re.findall(r"\]\(#([\w-]+)\)", PAGE):
        assert target in places.values(), target
    text = json.dumps(document)
    for name, schema in document["components"]["schemas"].items():
        assert f'schemas/{name}"' in text, f"nobody refers to {name}"
        assert schema.get("description"), f"{name} has no description"


def test_the_manual_is_short() -> None:
    """The first page suffices for a client, and the whole is no longer than what was promised."""
    first = PAGE[PAGE.index("## One page for a client"):PAGE.index("## Transport")]
    assert len(first.encode()) < 4_600 and len(PAGE.encode()) <= 66_000


def test_the_program_prints_the_shapes_of_a_name(document: Json) -> None:
    every = shapes.blocks(document)
    for name, lines in every.items():
        printed = session(b"", "--schema", name)
        assert printed.code == 0
        first, *others = printed.out.decode().split("\n\n")
        assert first.rstrip("\n").split("\n") == lines
        known = {"\n".join(one) for one in every.values()}
        assert {other.rstrip("\n") for other in others} <= known
        # Nothing that is printed refers to something that is not.
        code = re.sub(r"//.*|\"[^\"]*\"", "", printed.out.decode())
        declared = set(re.findall(r"^(?:interface|type) (\w+)", code, re.M))
        assert set(re.findall(r"\b[A-Z]\w+", code)) <= declared, name
    wrong = session(b"", "--schema", "aplySnapshot")
    assert (wrong.code, wrong.out) == (2, b"") and "did you mean applySnapshot?" in wrong.err


def test_every_error_is_described_once(document: Json) -> None:
    """`--schema METHOD` names the errors of a request, and the manual has each code in its table."""
    for name, method in methods(document).items():
        text = session(b"", "--schema", name).out.decode()
        named = re.search(r"^// Errors of its own: (.*)\.$", text, re.M)
        reasons = re.findall(r"\w+", named[1]) if named else []
        assert [document["components"]["errors"][one]["code"] for one in reasons] == error_codes(document, method)


# Promise: Clients of the last release's schema work with the present one.
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
