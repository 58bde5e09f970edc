#!/usr/bin/env python3
"""Compares the public declarations of modules with lists in files, so that none becomes public by accident.

usage: declarations.py [--write] SYMBOL_GRAPH...

The list of a module is in Declarations beside this file; --write writes it. A symbol graph is what
`swiftc -emit-symbol-graph` makes.
"""

import difflib
import json
import sys
from pathlib import Path

LISTS = Path(__file__).resolve().parent / "Declarations"


def main(*arguments):
    writes = arguments[:1] == ("--write",)
    differences = []
    for path in arguments[1 if writes else 0 :]:
        graph = json.loads(Path(path).read_text())
        list_file = LISTS / f"{graph['module']['name']}.txt"
        found = sorted({line(symbol) for symbol in graph["symbols"] if is_written(symbol)})
        if len(found) < 20:
            sys.exit(f"only {len(found)} public declarations were found in {path}")
        if writes:
            LISTS.mkdir(exist_ok=True)
            list_file.write_text("".join(f"{entry}\n" for entry in found))
        expected = list_file.read_text().splitlines()
        differences += difflib.unified_diff(expected, found, str(list_file), "public", lineterm="", n=0)
    if differences:
        sys.exit("\n".join([*differences, "if that is intended: Tests/library.d/declarations.py --write"]))


def is_written(symbol):
    """Returns whether a symbol is in the sources. Those of the compiler have no location."""
    return "location" in symbol and "::SYNTHESIZED::" not in symbol["identifier"]["precise"]


def line(symbol):
    """Returns the path of a declaration and the declaration without its attributes."""
    text = "".join(part["spelling"] for part in symbol["declarationFragments"] if part["kind"] != "attribute")
    return f"{'.'.join(symbol['pathComponents'])}: {' '.join(text.split())}"


if __name__ == "__main__":
    main(*sys.argv[1:])
