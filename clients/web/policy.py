"""The Content-Security-Policy of a page that is a file: it may run the code that the file has, and no other."""

from __future__ import annotations

import base64
import contextlib
import hashlib
from html.parser import HTMLParser
from typing import Dict, List, Optional, Set, Tuple

NOTHING = {"default-src": "'none'", "base-uri": "'none'", "form-action": "'none'", "frame-ancestors": "'none'"}


class InlineCode(HTMLParser):
    """Finds the inline scripts and styles of a page: elements, and attributes such as `onclick`."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: Dict[str, List[str]] = {"script": [], "style": []}
        self.attributes: Set[str] = set()
        self._open: Optional[List[str]] = None
        # Browsers hash what they have read, with one kind of line end.
        with contextlib.suppress(AssertionError):  # The parser refuses some declarations.
            self.feed(page.replace("\r\n", "\n").replace("\r", "\n"))
            self.close()

    def handle_starttag(self, tag: str, attrs: List[Tuple[str, Optional[str]]]) -> None:
        for name, value in attrs:
            kind = "style" if name == "style" else "script" if name.startswith("on") else None
            if kind and value:
                self.attributes.add(kind)
                self.found[kind].append(value)
        self._open = self.found.get(tag)
        if self._open is not None:
            self._open.append("")

    def handle_data(self, data: str) -> None:
        if self._open is not None:
            self._open[-1] += data

    def handle_endtag(self, tag: str) -> None:
        self._open = None

    def sources(self, tag: str) -> str:
        """The sources of a policy that allows the inline code of this kind, and files of this server."""
        hashes = (hashlib.sha256(code.encode()).digest() for code in self.found[tag] if code)
        found = ["'self'", *(f"'sha256-{base64.b64encode(one).decode()}'" for one in hashes)]
        # By this name a policy allows also attributes that have one of the hashes.
        return " ".join([*found, "'unsafe-hashes'"] if tag in self.attributes else found)


def page_policy(page: str) -> Dict[str, str]:
    """The Content-Security-Policy of a page: its own scripts and styles, and files of this server."""
    code = InlineCode(page)
    return {
        **NOTHING, "script-src": code.sources("script"), "style-src": code.sources("style"),
        "connect-src": "'self'", "img-src": "'self'",
    }  # fmt: skip
