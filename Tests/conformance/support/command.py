"""Runs the program with arguments, and `listd diff` with two files."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import pty
import re
import subprocess
from pathlib import Path
from typing import Any

from client import PATIENCE, Outcome, program


def run(*args: Any, sent: bytes = b"") -> Outcome:
    done = subprocess.run(
        [program(), *map(str, args)], input=sent, capture_output=True, timeout=PATIENCE
    )
    return Outcome(done.returncode, done.stdout, done.stderr.decode())


def run_diff(*args: Any, sent: bytes = b"") -> Outcome:
    return run("diff", *args, sent=sent)


def check_policy(page: str) -> None:
    """Checks that a page may have the inline script and style sheet that it has, and nothing else."""
    policy = "default-src 'none'; "
    for name in ("script", "style"):
        codes = re.findall(f"<{name}>(.*?)</{name}>", page, re.S)
        hashes = (base64.b64encode(hashlib.sha256(code.encode()).digest()).decode() for code in codes)
        policy += "".join(f"{name}-src 'sha256-{one}'; " for one in hashes)
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}base-uri \'none\'; form-action \'none\'">'
    assert meta in page, f"the page does not have the policy of its code: {meta}"
    # A policy protects from what follows it.
    assert not re.search("<(script|style|title)", page.partition(meta)[0])
    assert not re.search("<[^>]* style=", page)


class Files:
    """Two files that are rewritten for each comparison."""

    def __init__(self, folder: Path) -> None:
        self.old, self.new = folder / "old", folder / "new"

    def ask(self, old: Any, new: Any, *args: str) -> Outcome:
        for path, content in ((self.old, old), (self.new, new)):
            written = content if isinstance(content, bytes) else json.dumps(content).encode()
            path.write_bytes(written)
        return run_diff(*args, self.old, self.new)

    def change(self, old: Any, new: Any, name: str) -> Any:
        outcome = self.ask(old, new, f"--format={name}")
        assert outcome.err == "" and outcome.code in (0, 1), outcome
        return outcome.lines[0]


def on_a_terminal(files: Files, **environment: str) -> bytes:
    """The output of `listd diff` on a terminal."""
    leader, follower = pty.openpty()
    env = {**os.environ, "TERM": "xterm", **environment}
    process = subprocess.Popen(
        [program(), "diff", str(files.old), str(files.new)],
        stdin=subprocess.DEVNULL, stdout=follower, env=env,
    )  # fmt: skip
    os.close(follower)
    seen = b""
    while True:
        try:
            more = os.read(leader, 4096)
        except OSError:
            more = b""
        if not more:
            break
        seen += more
    os.close(leader)
    assert process.wait(PATIENCE) == 1
    return seen
