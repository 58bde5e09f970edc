"""Creates the folder of installed files: `stage.py PROGRAM FOLDER`.

`clients/install` copies these files to a prefix; the tarball and the Debian package contain them, too.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Dict, Iterator

sys.dont_write_bytecode = True
import commands  # noqa: E402
import completions  # noqa: E402
import llms  # noqa: E402
import manual  # noqa: E402

CLIENTS = Path(__file__).resolve().parents[1]
ROOT = CLIENTS.parent
SUMS = "share/doc/listd/SHA256SUMS"
DOCUMENTS = ["LICENSE", "CHANGELOG.md", "protocol.md"]
CARRIED = [
    "emacs", "neovim", "node", "python/examples", "python/listd", "recipes", "shell", "vim", "web", "web/protocol",
]  # fmt: skip


def stage(program: str, folder: Path) -> None:
    for name, content in pages(program).items():
        write(folder / name, content.encode())
    for name in DOCUMENTS:
        write(folder / "share/doc/listd" / name, (ROOT / name).read_bytes())
    for source in clients():
        write(folder / "share/listd" / source.relative_to(CLIENTS), source.read_bytes(), source)
    write(folder / "share/doc/listd/llms.txt", llms.text(program).encode())
    write_program(Path(program), folder / "bin/listd")
    write(folder / SUMS, sums(folder).encode())


def write_program(program: Path, path: Path) -> Path:
    """Copies a program without the parts that are not needed to run it."""
    write(path, program.read_bytes(), program)
    if strip := shutil.which("strip"):
        # The first two sections depend on the folder of the build. The others are for stack traces, which
        # need the symbols as well; they take an eighth of the program.
        sections = [".note.gnu.build-id", ".swift_modhash", ".eh_frame", ".eh_frame_hdr"]
        removed = [flag for section in sections for flag in ("-R", section)]
        flags = ["-x"] if sys.platform == "darwin" else ["--strip-all", *removed]
        subprocess.run([strip, *flags, str(path)], check=True)
    return path


def pages(program: str) -> Dict[str, str]:
    """Manual pages and completions, by path."""
    all_commands, version = commands.read(program), commands.version(program)
    described = [command for command in all_commands if command.name != "help"]
    found = {
        f"share/man/man1/{command.title}.1": manual.of_command(command, described, version)
        for command in described
    }
    protocol = (ROOT / "protocol.md").read_text("utf-8")
    found["share/man/man7/listd-protocol.7"] = manual.of_protocol(protocol, version)
    found["share/bash-completion/completions/listd"] = completions.bash(all_commands)
    found["share/zsh/site-functions/_listd"] = completions.zsh(all_commands)
    found["share/fish/vendor_completions.d/listd.fish"] = completions.fish(all_commands)
    return found


def clients() -> Iterator[Path]:
    """The files of the clients, without files that tools generate."""
    for name in CARRIED:
        for path in [CLIENTS / name, *sorted((CLIENTS / name).rglob("*"))]:
            is_generated = path.suffix in (".pyc", ".elc") or path.name == "tags"
            if path.is_file() and not is_generated:
                yield path


def write(path: Path, content: bytes, like: "Path | None" = None) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(0o755 if like and os.access(like, os.X_OK) else 0o644)


def sums(folder: Path) -> str:
    """The checksums of all files of a folder, in the format of `sha256sum`."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n"
        for path in files
    )


if __name__ == "__main__":
    if len(sys.argv) != 3 or not shutil.which(sys.argv[1]):
        sys.exit("usage: stage.py PROGRAM FOLDER")
    stage(sys.argv[1], Path(sys.argv[2]))
