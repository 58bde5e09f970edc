"""A folder as a tree that is read lazily: a folder is read when it is expanded.

    python3 tree.py ~/projects

At the prompt, a number expands or collapses the folder in that line, `+` expands all folders that were
read, `-` collapses all, a word shows matching files, an empty line shows all files, and `q` quits.
"""

from __future__ import annotations

import os
import sys
from typing import Any, Dict, List, Optional

import listd
from listd import Expanded, edits
from listd.protocol import View

TEMPLATE = "{indent:  }{expanded:v|>| } {name}"


class Explorer:
    """The files of a folder in the list `name`, and an outline of them in `name.tree`."""

    def __init__(self, daemon: listd.Daemon, folder: str, name: str = "files") -> None:
        self.folder = folder
        self.files = daemon.list(name)
        self.tree = daemon.list(name + ".tree")
        self.files.apply(items_of(folder, None))
        self.filter("")
        daemon.register_templates({"Cell": TEMPLATE})
        self.listening = self.tree.listen(self.hear)

    def hear(self, news: listd.News) -> None:
        """Adds the files of folders that were expanded for the first time."""
        if isinstance(news, Expanded):
            found = [item for id in news.items for item in items_of(self.folder, id)]
            if found:
                self.files.edit(edits.put_items(*found))

    def filter(self, query: str) -> None:
        """Shows the files whose names match, with their folders; all files if the query is
        empty."""
        view: View = {"tree": {"parent": "folder"}, "sort": [
            {"by": "isFile"}, {"by": "name", "as": "natural"}]}  # fmt: skip
        if query:
            view["match"] = {"query": query, "members": ["name"]}
        self.tree.compose([self.files.name], view=view, latest=True)

    def toggle(self, line: int) -> None:
        """Expands or collapses the folder in a line."""
        rows = self.tree.window(line, 1).rows
        if rows and "$expanded" in rows[0].content:
            verb = self.tree.collapse if rows[0].content["$expanded"] else self.tree.expand
            verb(rows[0].content["id"])

    def close(self) -> None:
        """Stops listening."""
        self.listening.close()


def items_of(root: str, folder: Optional[str]) -> List[Dict[str, Any]]:
    """The content of a folder below `root` as items. Folders are lazy: their children are read
    later."""
    try:
        with os.scandir(os.path.join(root, folder or "")) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError as why:
        print(f"{folder or root}: {why.strerror}", file=sys.stderr)
        return []
    items: List[Dict[str, Any]] = []
    for entry in found:
        is_file = not entry.is_dir(follow_symlinks=False)
        id = os.path.join(folder, entry.name) if folder else entry.name
        # A name need not be UTF-8.
        name = os.fsencode(entry.name).decode(errors="backslashreplace")
        item = {"id": id, "name": name, "isFile": is_file}
        items.append({**item, **({} if is_file else {"lazy": True}),
                      **({"folder": folder} if folder else {})})  # fmt: skip
    return items


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
        explorer.close()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else ".")
