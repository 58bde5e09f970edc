"""The OpenRPC document of the protocol: its file, its layout, and schemas derived from it."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any, Dict, List, Tuple

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "Sources/ListServer/protocol.json"
RELEASED = Path(__file__).with_name("released.json")
WIDTH = 110
Json = Dict[str, Any]


def load(path: Path = SOURCE) -> Json:
    """The document of a file."""
    document: Json = json.loads(path.read_text("utf-8"))
    return document


def text(value: Any, indent: str = "") -> str:
    """A value as JSON: on one line if there is room for it, else a line for each member that is not short."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) < WIDTH or not isinstance(value, (dict, list)) or not value:
        return line
    deeper = indent + "  "
    if isinstance(value, list):
        parts = [(text(one, deeper), is_short(one)) for one in value]
    else:
        parts = [
            (f"{json.dumps(name)}: {text(one, deeper)}", is_short(one)) for name, one in value.items()
        ]
    lines: List[str] = []
    fills = False
    for part, short in parts:
        if fills and short and len(deeper + lines[-1] + part) + 3 < WIDTH:
            lines[-1] += ", " + part
        else:
            lines.append(part)
        fills = short
    opening, closing = ("[", "]") if isinstance(value, list) else ("{", "}")
    return opening + "\n" + ",\n".join(deeper + line for line in lines) + f"\n{indent}{closing}"


def is_short(value: Any) -> bool:
    """Reports whether a value may share its line with others."""
    if isinstance(value, dict):
        return list(value) == ["$ref"]
    return not isinstance(value, list) or all(not isinstance(one, (dict, list)) for one in value)


def name_of(schema: Any) -> str:
    """The name of the type that a schema refers to, if it does nothing else."""
    return str(schema["$ref"]).rsplit("/", 1)[1] if isinstance(schema, dict) and "$ref" in schema else ""


def resolved(document: Json, schema: Any) -> Any:
    """The schema that another one refers to, or that one itself."""
    while name := name_of(schema):
        schema = document["components"]["schemas"][name]
    return schema


def methods(document: Json) -> Dict[str, Json]:
    """The methods by name."""
    return {method["name"]: method for method in document["methods"]}


def parameters(document: Json, method: Json) -> List[Json]:
    """The parameters of a method, the shared ones included."""
    shared = document["components"]["contentDescriptors"]
    return [shared[name_of(one)] if "$ref" in one else one for one in method["params"]]


def params_schema(document: Json, method: Json) -> Json:
    """The schema of all parameters of a method."""
    rule = method.get("x-params", {})
    if "$ref" in rule or "properties" in rule:
        return rule if not method["params"] else {**_object(document, method), "allOf": [rule]}
    return {**_object(document, method), **rule}


def _object(document: Json, method: Json) -> Json:
    given = parameters(document, method)
    return {
        "type": "object",
        "properties": {one["name"]: one["schema"] for one in given},
        "required": [one["name"] for one in given if one.get("required")],
        "additionalProperties": False,
    }


def error_codes(document: Json, method: Json) -> List[int]:
    """The codes of the errors of a method that are not those of every method."""
    errors = document["components"]["errors"]
    return [errors[name_of(one)]["code"] for one in method.get("errors", [])]


def members(document: Json, schema: Json) -> Tuple[Json, List[str], bool]:
    """The members of an object with those of what it extends, which are required, and whether it has
    members of its own kind besides."""
    schema = resolved(document, schema)
    found: Json = {}
    required: List[str] = []
    is_open = schema.get("additionalProperties") is True
    for base in schema.get("allOf", []):
        more, needed, opens = members(document, base)
        found.update(more)
        required += needed
        is_open = is_open or opens
    found.update(schema.get("properties", {}))
    required += schema.get("required", [])
    return found, [name for name in found if name in required], is_open


def closed(document: Json) -> Json:
    """The document with all extensible objects closed: what is sent today."""
    document = copy.deepcopy(document)
    schemas = document["components"]["schemas"]
    originals = copy.deepcopy(document)

    def close(value: Any) -> Any:
        if isinstance(value, list):
            return [close(one) for one in value]
        if not isinstance(value, dict):
            return value
        if "allOf" in value and all("not" not in one for one in value["allOf"]):
            found, required, is_open = members(originals, value)
            value = {
                "type": "object", "properties": found, "required": required,
                "additionalProperties": is_open,
            }  # fmt: skip
        value = {name: one if name == "enum" else close(one) for name, one in value.items()}
        if value.get("type") == "object" and "properties" in value:
            value.setdefault("additionalProperties", False)
        return value

    for name, schema in schemas.items():
        schemas[name] = close(schema)
    for method in document["methods"]:
        for part in ("result", "x-params"):
            if part in method and (part == "result" or not method["params"]):
                method[part] = close(method[part])
    for error in document["components"]["errors"].values():
        error["data"] = close(error["data"])
    return document


def rooted(document: Json, schema: Any) -> Json:
    """A self-contained schema, with the types that it refers to."""
    return {"allOf": [schema], "components": {"schemas": document["components"]["schemas"]}}
