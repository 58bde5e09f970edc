"""Creates the pictures of clients/web/README.md, and its recorded table: `pictures.py FOLDER`."""

from __future__ import annotations

import random
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
    "mail": "bridge.call('open', { id: 4 })",
    "explorer": "view.list.expand(view.list.rows.slice(0, 2))",
}
FILES = [
    "letters/1912/draft.txt", "letters/to Anna.txt", "letters/to Ben.txt", "photos/lake 9.jpg",
    "photos/lake 10.jpg", "photos/bread.jpg", "recipes/curry.txt", "notes.txt", "shopping.txt",
]  # fmt: skip

NAMES = [
    "postgres: checkpointer", "nginx: worker process", "redis-server *:6379", "node server.js", "vim protocol.md", "sshd",
    "swift build -c release", "clang -O2 -c engine.c", "python3 -m pytest", "rsync --archive /srv backup:/srv", "bash",
]  # fmt: skip


def processes(steps: int) -> List[str]:
    """What a system with processes that come and go would print."""
    rng, printed = random.Random(8), []
    running = [(300 + 17 * number, rng.choice(NAMES), rng.random() * 6) for number in range(40)]
    for step in range(steps):
        running = [(pid, name, max(0.0, cpu + rng.gauss(0, 1.5))) for pid, name, cpu in running]
        if step % 3 == 1:
            running.append((1000 + 13 * step, rng.choice(NAMES), 20 * rng.random()))
            running.pop(rng.randrange(len(running)))
        rows = [f"{pid:5} {'root' if pid % 3 else 'anna':5} {cpu:5.1f} {name}" for pid, name, cpu in running]
        printed.append("\n".join(["  PID USER   %CPU COMMAND", *rows, ""]))
    return printed


def record(folder: Path, file: Path) -> None:
    """Writes a copy of the table in which the processes change every half second."""
    for number, text in enumerate(processes(40)):
        (folder / f"ps{number}").write_text(text)
    command = f"cd {folder}; n=$(cat at || echo 0); echo $((n + 1)) > at; cat ps$n"
    words = [EXAMPLES.parent / "page", "--html", file, "--seconds", "15", "-n", "0.4", "--", command]
    subprocess.run([sys.executable, "-B", *map(str, words)], check=True, stderr=subprocess.DEVNULL)
    # The page has the name of what it shows.
    file.write_text(file.read_text().replace(command, "Processes"))


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
        file = EXAMPLES.parent / "processes.html"
        record(Path(profile), file)
        tab = browser.tab()
        tab.open(f"{file.as_uri()}#sort=-%25CPU&group=USER")
        tab.wait("document.querySelectorAll('.listd-row').length > 0")
        (folder / "table.png").write_bytes(tab.picture(880, 560))
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
