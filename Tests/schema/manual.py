"""Generates the table of errors in protocol.md from the document, and finds what the manual names.

The table stands between `<!-- table: errors -->` and `<!-- end of table -->`.
"""

from __future__ import annotations

import re
from typing import Dict

from document import Json

TABLE = re.compile(r"^(<!-- table: errors -->\n)(.*?)^(<!-- end of table -->)$", re.M | re.S)


def page(document: Json, text: str) -> str:
    """The page with its table generated again."""
    return TABLE.sub(lambda found: found[1] + errors(document) + found[3], text)


def anchors(text: str) -> Dict[str, str]:
    """The headings that name a message, each with its anchor."""
    found: Dict[str, str] = {}
    for title in re.findall(r"^##+ (.*)$", text, re.M):
        found[title] = slug(title)
        for name in title.split(", "):
            found.setdefault(name, slug(title))
    return found


def slug(title: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def errors(document: Json) -> str:
    """The codes of errors."""
    rows = ["| code | `reason` | when |", "| --- | --- | --- |"]
    for reason, error in document["components"]["errors"].items():
        rows.append(f"| {error['code']} | `{reason}` | {error['message']} |")
    return "".join(row + "\n" for row in rows)
