"""The version handshake, finding an installed daemon, and `python -m listd`."""

# Promise: The Python client finds the daemon that was installed with it, and refuses one that does not fit. Also
#   `Tests/clients/python`, `Tests/release`.

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Callable

import listd
import pytest
from listd import finding, version

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "clients" / "python"


def test_the_versions_are_those_of_the_program(probe: listd.Daemon) -> None:
    assert probe.version == listd.__version__
    received = subprocess.run([listd.find(), "--version"], stdout=subprocess.PIPE, timeout=30).stdout
    assert received.decode() == f"listd {listd.__version__} (protocol {version.PROTOCOL})\n"


def test_another_protocol(fake: Callable[..., str]) -> None:
    program = fake("time.sleep(60)", version="9.1.0", protocol=2)
    with pytest.raises(listd.VersionMismatch, match=r"listd 9\.1\.0 has version 2"):
        listd.spawn(program)

    async def spawn() -> None:
        await listd.aio.spawn(program)

    with pytest.raises(listd.VersionMismatch, match=listd.__version__):
        asyncio.run(spawn())


@pytest.mark.parametrize(
    "received, warns", [("0.0.9", True), ("0", True), (listd.__version__, False), ("99.0", False)]
)
def test_an_older_daemon(
    fake: Callable[..., str], caplog: pytest.LogCaptureFixture, received: str, warns: bool
) -> None:
    with caplog.at_level(logging.WARNING, logger="listd"):
        with listd.spawn(fake("reply(ask()['id'], None); ask()", version=received)):
            pass
    assert ("older than this client" in caplog.text) == warns


@pytest.mark.parametrize(
    "packages, program",
    [
        ("/srv/env/lib/python3.12/site-packages", "/srv/env/bin/listd"),
        ("/home/me/.local/lib/python3.9/site-packages", "/home/me/.local/bin/listd"),
        ("/usr/local/lib/python3.11/dist-packages", "/usr/local/bin/listd"),
        ("/usr/lib/python3/dist-packages", "/usr/bin/listd"),
        ("/usr/share/listd/python", "/usr/bin/listd"),
        ("/opt/target", "/opt/target/bin/listd"),
        ("/", "/bin/listd"),
    ],
)
def test_paths_of_an_installed_daemon(packages: str, program: str) -> None:
    assert Path(program) in finding.companions(Path(packages))


def test_a_vendored_package_finds_only_its_own_daemon() -> None:
    found = [str(path) for path in finding.companions(Path("/opt/app/lib/vendor"))]
    assert found == ["/opt/app/lib/vendor/bin/listd"]


def test_the_program_as_a_module(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE), "LISTD": listd.find()}

    def run(*words: str, sent: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            [sys.executable, "-m", "listd", *words], input=sent, env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=30,
        )  # fmt: skip

    assert run("--version").stdout.startswith(b"listd ")
    old = tmp_path / "old"
    old.write_text("a\nb\n")
    assert run("diff", str(old), "-", sent=b"a\nb\n").returncode == 0
    assert run("diff", str(old), "-", sent=b"b\na\n").returncode == 1
    asked = b'{"jsonrpc":"2.0","id":1,"method":"getLists"}\n'
    assert run(sent=asked).stdout == b'{"jsonrpc":"2.0","id":1,"result":{"lists":[]}}\n'
    environment["LISTD"] = str(tmp_path / "nothing")
    refused = run()
    assert refused.returncode == 1 and b"LISTD=" in refused.stderr and b"Trace" not in refused.stderr
