"""Creates llms.txt (https://llmstxt.org): what listd is, its commands, and the page for a client."""

from __future__ import annotations

import re
from pathlib import Path

import commands

ROOT = Path(__file__).resolve().parents[2]


def text(program: str) -> str:
    """The whole page."""
    readme = (ROOT / "README.md").read_text("utf-8")
    manual = (ROOT / "protocol.md").read_text("utf-8")
    about = next(one for one in readme.split("\n\n") if one[0].isalpha())
    first = re.search(r"^## One page for a client\n(.*?)^## ", manual, re.M | re.S)
    assert first
    # Links of the manual lead into it.
    page = re.sub(r"\]\(#", "](protocol.md#", first[1]).strip()
    lines = [
        f"- `{line.split(' ', 1)[0]} {one.name}`: {one.summary}"
        for one in commands.read(program) for line in one.usage[:1] if one.name
    ]  # fmt: skip
    return f"""# listd {commands.version(program)}

> {" ".join(about.split())}

`listd help COMMAND` describes a command, `listd --schema NAME` prints the shapes of a method, a type or an error in
TypeScript, and `listd --schema` all of them as an OpenRPC document. Clients are in `share/listd`: `python`, `node`, `web`,
`shell`, `neovim`, `vim`, `emacs`. In Python: `import listd; daemon = listd.spawn(); daemon.list("a").apply(["x", "y"])`.

## Commands

{chr(10).join(lines)}

## A client

{page}

## More

- [protocol.md](protocol.md): requests, views, matching, outlines, text, feeds, several clients, errors, limits
- [clients/README.md](clients/README.md): the clients, a cookbook, and how to write a client
- [README.md](README.md): how to begin, how fast, and when to use something else
"""
