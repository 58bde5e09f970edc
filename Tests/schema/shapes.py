"""Generates Sources/ListServer/shapes.txt from the document: TypeScript for people.

`listd --schema NAME` prints from it: a block for each method, type, group of parameters and error. Its
first line is `=`, its name, and the names of the other blocks that it refers to.
"""

from __future__ import annotations

import re
from typing import Any, Dict, List, Tuple

from document import ROOT, Json, methods, name_of, parameters
from typescript import OPEN, Printer, description

PATH = ROOT / "Sources/ListServer/shapes.txt"
WIDTH = 100
INTEGER = "type integer = number   // 1, 1.0 and 1e0 are the same"


def text(document: Json) -> str:
    """The whole file."""
    shown = blocks(document)
    out = []
    for name, lines in shown.items():
        code = "\n".join(lines)
        words = set(re.findall(r"[\w$]+", re.sub(r"//.*", "", code)))
        others = [one for one in shown if one in words and one != name and (one[:1].isupper() or one == "integer")]
        out.append(" ".join(["=", name, *others]) + "\n" + code + "\n")
    return "".join(out)


def blocks(document: Json) -> Dict[str, List[str]]:
    """The declarations of each method, type, group of parameters and error."""
    printer = Printer(document, integer="integer")
    found = {name: of_method(printer, method) for name, method in methods(document).items()}
    shared = document["components"]["contentDescriptors"].values()
    for group in dict.fromkeys(one["x-group"] for one in shared if "x-group" in one):
        found[group] = of_group(printer, group)
    for name, schema in document["components"]["schemas"].items():
        if name not in ("Count", "MemberName"):
            found[name] = of_type(printer, name, schema)
    found["integer"] = [INTEGER]
    for reason, error in document["components"]["errors"].items():
        found[reason] = [
            f"// {error['code']}: {error['message']}",
            *of_type(printer, reason[0].upper() + reason[1:] + "Data", error["data"]),
        ]
    return found


def of_type(printer: Printer, name: str, schema: Json) -> List[str]:
    if schema.get("type") != "object" and "allOf" not in schema:
        return of_alias(printer, name, schema)
    return interface(name, *printer.parts(name, schema, description))


def of_alias(printer: Printer, name: str, schema: Json) -> List[str]:
    line = f"type {name} = {printer.type(schema)}"
    if len(line) <= WIDTH - 4 or "anyOf" not in schema:
        return [line]
    return [f"type {name} ="] + [f"  | {printer.type(one)}" for one in schema["anyOf"]]


def of_group(printer: Printer, name: str) -> List[str]:
    """The parameters that several methods share."""
    shared = printer.document["components"]["contentDescriptors"].values()
    return interface(name, [], [parameter(printer, one) for one in shared if one.get("x-group") == name])


def of_method(printer: Printer, method: Json) -> List[str]:
    document = printer.document
    title = "".join(word[:1].upper() + word[1:] for word in re.split(r"\W+", method["name"]))
    shown = [f"// {method['summary']}"]
    if "errors" in method:
        errors = [name_of(one) for one in method["errors"]]
        shown.append(f"// Errors of its own: {', '.join(errors)}.")
    if "x-params" in method and method.get("x-direction") == "server":
        reference = name_of(method["x-params"])
        return shown + (
            [f"type {title}Params = {reference}"] if reference and reference != f"{title}Params"
            else of_type(printer, title + "Params", method["x-params"])
        )  # fmt: skip
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
    if given:
        shown += interface(title + "Params", whole, own)
    if "result" in method:
        shown += of_type(printer, title + "Result", method["result"]["schema"])
    return shown


def parameter(printer: Printer, one: Json) -> Tuple[str, str]:
    return printer.member(one["name"], one["schema"], one.get("required", False)), one.get("summary", "")


def interface(name: str, bases: List[str], parts: List[Tuple[str, str]]) -> List[str]:
    head = f"interface {name}" + (f" extends {', '.join(bases)}" if bases else "")
    line = f"{head} {{ {'; '.join(part for part, _ in parts)} }}" if parts else f"{head} {{}}"
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
