"""Generates TypeScript from the document: declarations for clients, and blocks of the manual."""

from __future__ import annotations

import json
import re
import textwrap
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Set, Tuple

from document import Json, members, name_of, parameters, resolved

WIDTH = 108
OPEN = "[{name}: string]: unknown"


def reachable(document: Json, schemas: List[Any]) -> Set[str]:
    """The names of the types that schemas refer to, and those of which they are made."""
    found: Set[str] = set()
    rest = list(schemas)
    while rest:
        value = rest.pop()
        if isinstance(value, list):
            rest += value
        elif isinstance(value, dict):
            name = name_of(value)
            if name in document["components"]["schemas"] and name not in found:
                found.add(name)
                rest.append(document["components"]["schemas"][name])
            rest += [one for key, one in value.items() if key != "enum"]
    return found


def given(document: Json) -> Set[str]:
    """The types that clients send, and those that extend them."""
    schemas = document["components"]["schemas"]
    sent = [method["params"] for method in document["methods"] if "x-direction" not in method]
    found = reachable(document, [*sent, document["components"]["contentDescriptors"]])
    for name, schema in schemas.items():
        if any(name_of(base) in found for base in schema.get("allOf", [])):
            found.add(name)
    return found


@dataclass
class Printer:
    """Prints schemas as types."""

    document: Json
    integer: str = "number"
    readonly: bool = False

    def type(self, schema: Any, inside: bool = False) -> str:
        """The type of a schema; in parentheses if it is a union `inside` another type."""
        if schema is True or schema == {}:
            return "unknown"
        if schema is False:
            return "never"
        if name := name_of(schema):
            return self.integer if name == "Count" else name
        if "const" in schema or "enum" in schema:
            words = schema.get("enum", [schema.get("const")])
            return self.union([json.dumps(word) for word in words], inside)
        if "anyOf" in schema:
            return self.union([self.type(one) for one in schema["anyOf"]], inside)
        if isinstance(schema.get("type"), list):
            return self.union([self.type({"type": one}) for one in schema["type"]], inside)
        kind = schema.get("type")
        if kind == "array":
            return self.array(schema)
        if kind == "object":
            return self.object(schema)
        return {"integer": self.integer}.get(kind, kind or "unknown")

    def union(self, types: List[str], inside: bool) -> str:
        types = list(dict.fromkeys(types))
        return f"({' | '.join(types)})" if inside and len(types) > 1 else " | ".join(types)

    def array(self, schema: Json) -> str:
        items = schema["items"]
        if isinstance(items, list):
            labels = [f"{one['title']}: {self.type({**one, 'title': ''})}" for one in items]
            return f"[{', '.join(labels)}]"
        if schema.get("minItems") == schema.get("maxItems") == 2:
            return f"[{self.type(items)}, {self.type(items)}]"
        return ("readonly " if self.readonly else "") + self.type(items, inside=True) + "[]"

    def object(self, schema: Json) -> str:
        found, required, is_open = members(self.document, schema)
        more = schema.get("additionalProperties")
        if not found:
            return f"{{ [name: string]: {self.type(more) if isinstance(more, dict) else 'unknown'} }}"
        parts = [self.member(name, one, name in required) for name, one in found.items()]
        return "{ " + "; ".join(parts + ([OPEN.format(name="content")] if is_open else [])) + " }"

    def parts(
        self, name: str, schema: Json, words: Callable[[Any], str]
    ) -> Tuple[List[str], List[Tuple[str, str]]]:
        """The types that an object extends, and its own members with their comments."""
        bases = [name_of(one) for one in schema.get("allOf", []) if name_of(one)]
        own: Json = next((one for one in schema.get("allOf", [schema]) if not name_of(one)), {})
        found, required = own.get("properties", {}), own.get("required", [])
        parts = [(self.member(one, found[one], one in required), words(found[one])) for one in found]
        if own.get("additionalProperties") is True:
            parts.append((OPEN.format(name="own" if "Section" in name else "content"), ""))
        return bases, parts

    def member(self, name: str, schema: Any, required: bool) -> str:
        word = name if name.replace("$", "_").isidentifier() else json.dumps(name)
        return f"{word}{'' if required else '?'}: {self.type(schema)}"


def description(schema: Any) -> str:
    return schema.get("description", "") if isinstance(schema, dict) else ""


def declarations(document: Json) -> Dict[str, str]:
    """The files of declarations for clients, by their names."""
    sent = given(document)
    parts: Dict[str, List[str]] = {"sent": [], "received": []}
    for name, schema in document["components"]["schemas"].items():
        if name not in ("Count", "MemberName"):
            part = parts["sent" if name in sent else "received"]
            part += declaration(Printer(document, readonly=name in sent), name, schema)
    parts["methods"] = methods(document)
    found = {f"protocol/{name}.d.ts": module(name, parts) for name in parts}
    exports = [f'export * from "./protocol/{name}.js";' for name in parts]
    return {"protocol.d.ts": "\n".join([*head("The shapes of the protocol"), *exports]) + "\n", **found}


SUBJECTS = {
    "sent": "What clients send", "received": "What clients receive",
    "methods": "The requests and the notifications",
}  # fmt: skip


def head(subject: str) -> List[str]:
    """The first lines of a file."""
    words = f"{subject}, written by Tests/schema/generate.py from Sources/ListServer/protocol.json."
    return [f"// {line}" for line in textwrap.wrap(words, 97)] + [""]


def module(name: str, parts: Dict[str, List[str]]) -> str:
    """The file of a part, with its imports from the others."""
    own = "\n".join(parts[name])
    lines = head(SUBJECTS[name])
    for other, declared in parts.items():
        names = re.findall(r"^export (?:type|interface) (\w+)", "\n".join(declared), re.M)
        used = sorted(one for one in names if other != name and re.search(rf"\b{one}\b", own))
        if used:
            line = textwrap.fill(", ".join(used), WIDTH - 4, initial_indent="  ", subsequent_indent="  ")
            lines += ["import type {", line + ",", f'}} from "./{other}.js";']
    return "\n".join([*lines, *([""] if len(lines) > 2 else []), own]) + "\n"


def methods(document: Json) -> List[str]:
    """The declarations of requests and notifications."""
    lines = ["/** The params and the result of each request. */", "export interface Methods {"]
    for method in document["methods"]:
        if "result" in method:
            lines += entry(Printer(document, readonly=True), method)
    lines += ["}", "/** The params of each notification that the daemon sends. */"]
    lines.append("export interface Notifications {")
    for method in document["methods"]:
        if method.get("x-direction") == "server":
            printed = Printer(document).type(method["x-params"])
            lines.append(f"  {quoted(method['name'])}: {printed};")
    return [*lines, "}"]


def quoted(name: str) -> str:
    return name if name.isidentifier() else json.dumps(name)


def entry(printer: Printer, method: Json) -> List[str]:
    """The entry of a request among the methods."""
    result = Printer(printer.document).type(method["result"]["schema"])
    lines = [f"  /** {method['summary']} */", f"  {quoted(method['name'])}: {{", "    params: {"]
    if not method["params"]:
        return [*lines[:2], "    params: {};", f"    result: {result};", "  };"]
    for one in parameters(printer.document, method):
        words = f"/** {one['summary']} */ " if "summary" in one else ""
        printed = printer.member(one["name"], one["schema"], one.get("required", False))
        lines.append(f"      {words}{printed};")
    if method.get("x-params", {}).get("additionalProperties"):
        lines.append(f"      {OPEN.format(name='other')};")
    return lines + ["    };", f"    result: {result};", "  };"]


def declaration(printer: Printer, name: str, schema: Json) -> List[str]:
    """The declaration of a type, with its comment."""
    words = [f"/** {schema['description']} */"] if "description" in schema else []
    whole = resolved(printer.document, schema)
    is_object = whole.get("type") == "object" or "allOf" in whole
    if not is_object:
        if "anyOf" in schema and len(line := f"export type {name} = {printer.type(schema)};") > WIDTH:
            options = [f"  | {printer.type(one)}" for one in schema["anyOf"]]
            return [*words, f"export type {name} =", *options[:-1], options[-1] + ";"]
        return [*words, f"export type {name} = {printer.type(schema)};"]
    bases, parts = printer.parts(name, schema, description)
    head = f"export interface {name}" + (f" extends {', '.join(bases)}" if bases else "")
    line = f"{head} {{ {'; '.join(part for part, _ in parts)} }}"
    if len(line) <= WIDTH and not any(words for _, words in parts):
        return [*words, line]
    body = ["  " + (f"/** {words} */ " if words else "") + part + ";" for part, words in parts]
    return [*words, head + " {", *body, "}"]
