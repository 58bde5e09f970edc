"""Generates parts of protocol.md from the document: blocks of TypeScript, and tables.

A block that begins with "```ts" and names has the declarations of these types and methods; a table
stands between `<!-- table: NAME -->` and `<!-- end of table -->`.
"""

from __future__ import annotations

import re
from typing import Any, Dict, List, Tuple

from document import Json, error_codes, methods, parameters
from typescript import OPEN, Printer, description

WIDTH = 100
INTEGER = "type integer = number                    // 1, 1.0 and 1e0 are the same"
FENCE = re.compile(r"^```ts ([^\n]+)\n(.*?)^```$", re.M | re.S)
TABLE = re.compile(r"^(<!-- table: (\w+) -->\n)(.*?)^(<!-- end of table -->)$", re.M | re.S)


def page(document: Json, text: str) -> str:
    """The page with its blocks and tables generated again."""
    tables = {"messages": messages, "errors": errors, "failures": failures}

    def block(found: "re.Match[str]") -> str:
        names = found[1].split()
        return f"```ts {found[1]}\n" + "".join(line + "\n" for line in lines(document, names)) + "```"

    text = FENCE.sub(block, text)
    return TABLE.sub(lambda found: found[1] + tables[found[2]](document, text) + found[4], text)


def names(text: str) -> List[str]:
    """The names that the blocks of a page declare."""
    return [name for found in FENCE.finditer(text) for name in found[1].split()]


def lines(document: Json, names: List[str]) -> List[str]:
    """Declarations of types and methods."""
    printer = Printer(document, integer="integer")
    shown: List[str] = []
    for name in names:
        if name == "integer":
            shown.append(INTEGER)
        elif name in methods(document):
            shown += of_method(printer, methods(document)[name])
        elif name in document["components"]["schemas"]:
            shown += of_type(printer, name, document["components"]["schemas"][name])
        else:
            shown += of_group(printer, name)
    return shown


def of_type(printer: Printer, name: str, schema: Json) -> List[str]:
    if schema.get("type") != "object" and "allOf" not in schema:
        return of_alias(printer, name, schema)
    return interface(name, *printer.parts(name, schema, note))


def of_alias(printer: Printer, name: str, schema: Json) -> List[str]:
    line = f"type {name} = {printer.type(schema)}"
    if len(line) <= WIDTH - 4 or "anyOf" not in schema:
        return [line]
    return [f"type {name} ="] + [f"  | {printer.type(one)}" for one in schema["anyOf"]]


def of_group(printer: Printer, name: str) -> List[str]:
    """The parameters that several methods share."""
    shared = printer.document["components"]["contentDescriptors"].values()
    group = [one for one in shared if one.get("x-group") == name]
    assert group, f"protocol.md names {name}, which is not in the document"
    return interface(name, [], [parameter(printer, one) for one in group])


def of_method(printer: Printer, method: Json) -> List[str]:
    document = printer.document
    title = "".join(word[:1].upper() + word[1:] for word in re.split(r"\W+", method["name"]))
    if "x-params" in method and method.get("x-direction") == "server":
        return of_type(printer, title + "Params", method["x-params"])
    given = parameters(document, method)
    bases = sorted({one["x-group"] for one in given if "x-group" in one})
    whole = [
        base for base in bases
        if all(
            one in given
            for one in document["components"]["contentDescriptors"].values()
            if one.get("x-group") == base
        )
    ]  # fmt: skip
    own = [parameter(printer, one) for one in given if one.get("x-group") not in whole]
    if method.get("x-params", {}).get("additionalProperties") and own:
        own.append((OPEN.format(name="other"), ""))
    shown = interface(title + "Params", whole, own) if given else []
    if "result" in method:
        schema = method["result"]["schema"]
        shown += of_type(printer, title + "Result", schema)
    return shown


def parameter(printer: Printer, one: Json) -> Tuple[str, str]:
    words = note({"description": one.get("summary", ""), "x-since": one.get("x-since")})
    return printer.member(one["name"], one["schema"], one.get("required", False)), words


def note(schema: Any) -> str:
    """The comment of a member."""
    since = schema.get("x-since") if isinstance(schema, dict) else None
    return " ".join(filter(None, [description(schema), f"({since})" if since else ""]))


def interface(name: str, bases: List[str], parts: List[Tuple[str, str]]) -> List[str]:
    head = f"interface {name}" + (f" extends {', '.join(bases)}" if bases else "")
    line = f"{head} {{ {'; '.join(part for part, _ in parts)} }}"
    if len(line) <= WIDTH - 10 and not any(words for _, words in parts):
        return [line]
    widths = [len(part) for part, words in parts if words and len(part) + len(words) < WIDTH - 10]
    column = min(max(widths, default=0), 44)
    body: List[str] = []
    for part, words in parts:
        line = f"  {part.ljust(column)}   // {words}" if words else f"  {part}"
        if len(line) > WIDTH:
            body.append(f"  // {words}")
            line = f"  {part}"
        body.append(line)
    return [head + " {", *body, "}"]


def anchors(text: str) -> Dict[str, str]:
    """The headings that name a message, each with its anchor."""
    found: Dict[str, str] = {}
    for title in re.findall(r"^###? (.*)$", text, re.M):
        for name in title.split(", "):
            found.setdefault(name, slug(title))
    return found


def slug(title: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def row(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |\n"


def messages(document: Json, text: str) -> str:
    """All messages, with their direction."""
    places = anchors(text)
    shown = row("message", "kind", "since", "") + row("---", "---", "---", "---")
    for name, method in methods(document).items():
        url = method.get("externalDocs", {}).get("url", "")
        place = url.partition("#")[2] or places[name]
        kind = "request" if "result" in method else "notification"
        arrow = "←" if method.get("x-direction") == "server" else "→"
        later: Dict[str, List[str]] = {}
        for one in parameters(document, method):
            if (version := one.get("x-since", first(method))) != first(method):
                later.setdefault(version, []).append(f"`{one['name']}`")
        words = [method["summary"], *(f"{', '.join(some)}: {one}." for one, some in later.items())]
        shown += row(f"[{name}](#{place})", f"{arrow} {kind}", first(method), " ".join(words))
    return shown


def first(method: Json) -> str:
    """The first version that has a method."""
    return str(method.get("x-since", "0.1.0"))


def errors(document: Json, _: str) -> str:
    """The codes of errors, and the members of their data."""
    shown = row("code", "`reason`", "when", "members of `data`") + row("---", "---", "---", "---")
    for reason, error in document["components"]["errors"].items():
        data = error["data"]
        members = []
        for name, schema in data["properties"].items():
            if name in ("reason", "edit"):
                continue
            words = f" ({note(schema)})" if note(schema) else ""
            members.append(f"`{name}{'' if name in data['required'] else '?'}`{words}")
        shown += row(str(error["code"]), f"`{reason}`", error["message"], ", ".join(members))
    return shown


def failures(document: Json, text: str) -> str:
    """The errors of each request."""
    places = anchors(text)
    shown = row("request", "errors of its own") + row("---", "---")
    for name, method in methods(document).items():
        if method.get("errors"):
            codes = ", ".join(f"`{code}`" for code in sorted(error_codes(document, method), reverse=True))
            shown += row(f"[{name}](#{places[name]})", codes)
    return shown
