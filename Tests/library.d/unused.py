#!/usr/bin/env python3
"""Prints the public declarations that a program does not use, and fails if there are any.

usage: unused.py SYNTAX_TREE SYMBOL_GRAPH...

The syntax tree is what `swiftc -dump-ast -dump-ast-format json` prints.
"""

import json
import re
import sys
from pathlib import Path

# Types are used by their members; the standard library calls what a conformance needs.
TYPES = {"struct", "class", "enum", "protocol", "associatedtype", "typealias"}
CALLED_BY_CONFORMANCES = {"encode(to:)", "init(from:)", "hash(into:)"}


def main(tree, *graphs):
    used = set(re.findall(r'"(s:[^"]*)"', Path(tree).read_text()))
    declared = [symbol for graph in graphs for symbol in json.loads(Path(graph).read_text())["symbols"]]
    # Declarations of the compiler have no location.
    own = [symbol for symbol in declared if "location" in symbol and "::SYNTHESIZED::" not in name(symbol)]
    if len(own) < 200:
        sys.exit(f"only {len(own)} public declarations were found")
    unused = [".".join(symbol["pathComponents"]) for symbol in own if is_callable(symbol) and name(symbol) not in used]
    if unused:
        sys.exit("\n".join(f"unused: {declaration}" for declaration in sorted(unused)))


def name(symbol):
    return symbol["identifier"]["precise"]


def is_callable(symbol):
    kind = symbol["kind"]["identifier"].removeprefix("swift.")
    return kind not in TYPES and symbol["pathComponents"][-1] not in CALLED_BY_CONFORMANCES


if __name__ == "__main__":
    main(*sys.argv[1:])
