"""A folder as a tree that is read lazily: a folder is read when it is expanded.

    python3 tree.py ~/projects

At the prompt, a number expands or collapses the folder in that line, `+` expands all folders that were
read, `-` collapses all, a word shows matching files, an empty line shows all files, and `q` quits.
"""

from __future__ import annotations

import sys
from typing import Literal, Union

import listd
from listd import Fed
from listd.protocol import View

Depth = Union[int, Literal["lazy", "all"]]

TEMPLATE = "{indent:  }{expanded:v|>| } {name}"


class Explorer:
    """The files of a folder in the list `name`, which the daemon fills, and an outline of them in `name.tree`."""

    def __init__(self, daemon: listd.Daemon, folder: str, name: str = "files", depth: Depth = "lazy") -> None:
        self.files = daemon.list(name)
        self.tree = daemon.list(name + ".tree")
        self.files.apply([])
        with self.files.subscribe() as news:
            self.files.feed({"folder": folder, "depth": depth, "hidden": True, "ignored": True})
            while not isinstance(news.next(), Fed):
                pass
        self.filter("")
        daemon.register_templates({"Cell": TEMPLATE})

    def filter(self, query: str) -> None:
        """Shows the files whose names match, with their folders; all files if the query is
        empty."""
        view: View = {"tree": {"parent": "parent"}, "sort": [
            {"by": "type", "order": "descending"}, {"by": "name", "as": "natural"}]}  # fmt: skip
        if query:
            view["match"] = {"query": query, "members": ["name"]}
        self.tree.compose([self.files.name], view=view, latest=True)

    def toggle(self, line: int) -> None:
        """Expands or collapses the folder in a line."""
        rows = self.tree.window(line, 1).rows
        if rows and "$expanded" in rows[0].content:
            verb = self.tree.collapse if rows[0].content["$expanded"] else self.tree.expand
            verb(rows[0].content["id"])


def main(folder: str) -> None:
    with listd.spawn() as daemon:
        explorer = Explorer(daemon, folder)
        while True:
            for number, line in enumerate(explorer.tree.text().text.splitlines()):
                print(f"{number:4} {line}")
            try:
                word = input("number, +, -, word or q: ").strip()
            except EOFError:
                break
            if word == "q":
                break
            if word.isdigit():
                explorer.toggle(int(word))
            elif word in "+-" and word:
                (explorer.tree.expand_all if word == "+" else explorer.tree.collapse_all)()
            else:
                explorer.filter(word)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else ".")
