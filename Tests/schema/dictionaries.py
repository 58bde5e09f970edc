"""Generates typed dictionaries for Python from the document."""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass, field
from typing import Any, Dict, List

from document import Json, members, name_of, parameters

HEAD = '''"""The JSON of the protocol as typed dictionaries, written by Tests/schema/generate.py from
Sources/ListServer/protocol.json.

`Change` is what a change is on the wire: what `wire` of a `listd.Change` holds. Dictionaries whose
members are a program's own, such as items, are mappings.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Mapping, TypedDict, Union

'''


@dataclass
class Writer:
    """Writes types in the order in which they are named, those without a name after their user."""

    document: Json
    lines: List[str] = field(default_factory=list)
    names: List[str] = field(default_factory=list)
    waiting: List[Any] = field(default_factory=list)

    def type(self, schema: Any, name: str) -> str:
        """The type of a schema; `name` is used if it has no name."""
        if schema is True or schema is False or schema == {}:
            return "Any" if schema is not False else "None"
        if reference := name_of(schema):
            return "int" if reference == "Count" else reference
        if "const" in schema or "enum" in schema:
            words = schema.get("enum", [schema.get("const")])
            return f"Literal[{', '.join(repr(word) for word in words)}]"
        if "anyOf" in schema:
            return self.union([self.type(one, self.option(name, one)) for one in schema["anyOf"]])
        if isinstance(schema.get("type"), list):
            return self.union([self.type({"type": one}, name) for one in schema["type"]])
        kind = schema.get("type")
        if kind == "array":
            items = schema["items"]
            return f"List[{'int' if isinstance(items, list) else self.type(items, name)}]"
        if kind == "object":
            return self.object(schema, name)
        plain = {"string": "str", "boolean": "bool", "integer": "int", "number": "float", "null": "None"}
        return plain[kind]

    def union(self, types: List[str]) -> str:
        types = list(dict.fromkeys(types))
        return types[0] if len(types) == 1 else f"Union[{', '.join(types)}]"

    def option(self, name: str, schema: Json) -> str:
        """The name of one of several objects: of the word or the members that make it different."""
        found = schema.get("properties", {})
        required = schema.get("required", list(found))
        for one in found.values():
            word = one.get("const", one.get("enum", [None])[0]) if isinstance(one, dict) else None
            if isinstance(word, str):
                anchors = [other for other in ("before", "after") if other in required]
                if not anchors and word == "moveItems" and "section" in required:
                    anchors = ["section"]
                return name + capital(word) + "".join(map(capital, anchors))
        words = [one for one in required if one != "member"] or [one for one in found if one != "member"]
        return name + "".join(capital(one.strip("$")) for one in words)

    def object(self, schema: Json, name: str) -> str:
        found, _, is_open = members(self.document, schema)
        more = schema.get("additionalProperties")
        if isinstance(more, dict):
            return f"Dict[str, {self.type(more, name)}]"
        if is_open or not found:
            return "Mapping[str, Any]"
        assert name not in self.names, f"two types would be {name}: name one in the document"
        self.names.append(name)
        self.waiting.append((name, schema))
        return name

    def declare(self, name: str, schema: Json, words: str) -> None:
        """Writes a named type and the types that it needs."""
        found, _, is_open = members(self.document, schema)
        if found and not is_open:
            self.dictionary(name, schema, words)
        else:
            printed = "Mapping[str, Any]" if is_open else self.type(schema, name)
            self.alias(name, quoted(printed))
            self.lines.append(f'"""{words}"""')
        while self.waiting:
            self.dictionary(*self.waiting.pop(0))

    def alias(self, name: str, printed: str) -> None:
        line = f"{name} = {printed}"
        if len(line) > 100:
            inside = ",\n    ".join(options(printed))
            line = f"{name} = Union[\n    {inside},\n]  # fmt: skip"
        self.lines += ["", "", line]

    def dictionary(self, name: str, schema: Json, words: str = "") -> None:
        found, required, _ = members(self.document, schema)
        parts = [
            (suffix, {one: found[one] for one in found if (one in required) == is_required})
            for suffix, is_required in (("Required", True), ("Optional", False))
        ]
        parts = [(suffix, some) for suffix, some in parts if some]
        summary = words or f"{name_words(name)}."
        if len(parts) == 1 and all(map(is_word, parts[0][1])):
            self.part(name, parts[0][1], total=parts[0][0] == "Required", summary=summary)
            return
        for suffix, some in parts:
            self.part(f"_{name}{suffix}", some, total=suffix == "Required", parent=name)
        bases = ", ".join(f"_{name}{suffix}" for suffix, _ in parts)
        self.lines += ["", "", f"class {name}({bases}):", f'    """{summary}"""']

    def part(
        self, name: str, some: Json, *, total: bool, summary: str = "", parent: str = ""
    ) -> None:  # fmt: skip
        parent = parent or name
        typed = {one: self.type(schema, parent + capital(one.strip("$"))) for one, schema in some.items()}
        if all(map(is_word, typed)):
            self.lines += ["", "", f"class {name}(TypedDict{'' if total else ', total=False'}):"]
            if summary:
                self.lines += [f'    """{summary}"""', ""]
            self.lines += [f"    {one}: {printed}" for one, printed in typed.items()]
            return
        entries = [f'    "{one}": {quoted(printed)},' for one, printed in typed.items()]
        end = "})" if total else "}, total=False)"
        self.lines += ["", "", f'{name} = TypedDict("{name}", {{', *entries, end]


def options(printed: str) -> List[str]:
    """The types of a union, whose brackets may be nested."""
    found, depth = [""], 0
    for character in printed[6:-1]:
        depth += (character == "[") - (character == "]")
        if character == "," and not depth:
            found.append("")
        else:
            found[-1] += character
    return [one.strip() for one in found]


def quoted(printed: str) -> str:
    """A type whose names may be those of types that come later."""
    known = {"Any", "Dict", "List", "Literal", "Mapping", "None", "Union", "True", "False"}
    return re.sub(
        r"'[^']*'|\b[A-Z]\w*",
        lambda found: found[0] if found[0] in known or "'" in found[0] else f'"{found[0]}"',
        printed,
    )


def is_word(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name)


def capital(word: str) -> str:
    return word[:1].upper() + word[1:]


def name_words(name: str) -> str:
    """The words of a name: "Edit: insert items before"."""
    first, *rest = re.findall("[A-Z][a-z]*", name)
    return f"{first}: {' '.join(rest).lower()}" if rest else first


def module(document: Json) -> str:
    """The text of the client's module."""
    writer = Writer(document)
    schemas = document["components"]["schemas"]
    writer.names = list(schemas)
    for name, schema in schemas.items():
        if name not in ("Count", "MemberName"):
            writer.declare(name, schema, schema["description"])
    for method in document["methods"]:
        given = parameters(document, method)
        if given and method.get("x-params", {}).get("additionalProperties") is not True:
            name = capital("".join(map(capital, method["name"].strip("$").split("/")))) + "Params"
            schema = {
                "type": "object",
                "properties": {one["name"]: one["schema"] for one in given},
                "required": [one["name"] for one in given if one.get("required")],
            }
            writer.declare(name, schema, f"The params of `{method['name']}`.")
    return HEAD.rstrip("\n") + "\n" + "\n".join(writer.lines) + "\n"
