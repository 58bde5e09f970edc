"""Creates the pictures of clients/web/README.md: `pictures.py FOLDER`."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import List

from browser import Browser

EXAMPLES = Path(__file__).resolve().parents[3] / "clients" / "web" / "examples"
# The actions before each picture.
SCREENS = {
    "settings": "bridge.call('reload')",
    "contacts": "document.querySelector('[data-id=\"Alan Turing\"] input').value = 'tea'",
    "feed": "bridge.call('like', { id: 3 })",
    "home": "bridge.call('open', { id: 'Maps' })",
    "explorer": "view.list.expand(view.list.rows.slice(0, 2))",
}
FILES = [
    "letters/1912/draft.txt", "letters/to Anna.txt", "letters/to Ben.txt", "photos/lake 9.jpg",
    "photos/lake 10.jpg", "photos/bread.jpg", "recipes/curry.txt", "notes.txt", "shopping.txt",
]  # fmt: skip


def operands(name: str, folder: Path) -> List[str]:
    """The operands of a screen's program."""
    if name != "explorer":
        return []
    for file in FILES:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).touch()
    return [str(folder)]


def main(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(Path(profile))
        for name, before in SCREENS.items():
            words = [str(EXAMPLES / name), *operands(name, Path(profile) / "shown")]
            process = subprocess.Popen([sys.executable, "-B", *words], stdout=subprocess.PIPE)
            assert process.stdout
            found = re.match(r"\S+", process.stdout.readline().decode())
            assert found
            tab = browser.tab()
            tab.open(found[0])
            tab.wait("document.querySelectorAll('.listd-row').length > 0")
            tab.run(before)
            tab.run("new Promise((done) => setTimeout(done, 600))")
            (folder / f"{name}.png").write_bytes(tab.picture(440, 560))
            process.kill()
            process.wait()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
