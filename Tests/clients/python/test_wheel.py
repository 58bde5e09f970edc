"""The wheel: what it contains, how it is installed, and builds that fail."""

# Promise: The wheel has the pages, its metadata, and a program for `listd page`; a build that fails is an error.
#   Also `Tests/clients/python`.

from __future__ import annotations

import email.message
import email.parser
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Dict

import listd
import pytest

ROOT = Path(__file__).resolve().parents[3]
BACKEND = ROOT / "clients" / "python" / "backend" / "listd_backend.py"


def build(folder: Path, backend: Path = BACKEND, **environment: str) -> "subprocess.CompletedProcess[str]":
    code = f"import sys; sys.path.insert(0, {str(backend.parent)!r}); import listd_backend; print(listd_backend.build_wheel({str(folder)!r}))"
    plain = {name: value for name, value in os.environ.items() if name != "LISTD"}
    return subprocess.run(
        [sys.executable, "-B", "-c", code], env={**plain, **environment}, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, timeout=300, universal_newlines=True,
    )  # fmt: skip


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    built = build(folder, LISTD=listd.find())
    assert built.returncode == 0, built.stderr
    return folder / built.stdout.strip()


def test_the_metadata(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
        [about] = [name for name in names if name.endswith("/METADATA")]
        read: email.message.Message = email.parser.Parser().parsestr(file.read(about).decode())
    assert (read["Name"], read["Version"], read["Author"]) == ("listd", listd.__version__, "The listd authors")
    classifiers = read.get_all("Classifier", [])
    assert all(f"Programming Language :: Python :: 3.{minor}" in " ".join(classifiers) for minor in range(9, 14))
    assert about.replace("METADATA", read["License-File"]) in names
    assert str(read.get_payload()).startswith("# listd for Python")
    assert {"listd/web/bridge.py", "listd/web/listd.js", "listd/web/asgi.py", "listd/web/page"} <= set(names)
    assert {"listd/web/listd.d.ts", "listd/web/protocol/sent.d.ts", "listd/web/view.d.ts"} <= set(names)


def test_the_installed_wheel(wheel: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "env")], check=True)
    python = str(tmp_path / "env" / "bin" / "python")
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", python, "--quiet", "--disable-pip-version-check", "install", "--no-index", str(wheel)],
        check=True, timeout=120,
    )  # fmt: skip
    plain: Dict[str, str] = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    code = """
import listd, listd.web
assert listd.find().endswith("/env/bin/listd"), listd.find()
assert listd.web.FOLDER.name == "web" and listd.web.FOLDER.parent.name == "listd"
with listd.spawn() as daemon:
    bridge = listd.web.Bridge(daemon, listd.web.FOLDER)
    bridge.start()
    bridge.close()
    print(daemon.list("a").apply(["x"]))
"""
    recipe = [str(tmp_path / "env/bin/listd"), "pick", "disks", "--filter", ""]
    for command in ([python, "-c", code], [python, "-m", "listd", "page", "--help"], recipe):
        ran = subprocess.run(command, env=plain, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        assert ran.returncode == 0 and ran.stdout, ran.stderr.decode()
    # The program that `listd page` starts, with the Python of the system.
    page = tmp_path / "env" / "share" / "listd" / "web" / "page"
    ran = subprocess.run(["python3", "-B", str(page), "--help"], env=plain, stdout=subprocess.PIPE, timeout=60)
    assert ran.returncode == 0 and b"--port" in ran.stdout


def test_a_build_that_fails_is_an_error(tmp_path: Path) -> None:
    refused = build(tmp_path, LISTD="/no/such/listd")
    assert refused.returncode != 0 and "listd cannot be built: LISTD=/no/such/listd is not" in refused.stderr
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "swift").write_text("#!/bin/sh\necho 'error: no such module'; exit 1\n")
    (programs / "swift").chmod(0o755)
    # A copy of the sources, so that there is nothing that was built before.
    copied = tmp_path / "copy"
    for name in ("clients", "Package.swift", "LICENSE", "Sources"):
        source = ROOT / name
        shutil.copytree(source, copied / name) if source.is_dir() else shutil.copy(source, copied / name)
    failed = build(tmp_path, copied / "clients/python/backend/listd_backend.py", PATH=str(programs))
    assert failed.returncode != 0 and "no such module" in failed.stderr and not list(tmp_path.glob("*.whl"))
    (programs / "swift").unlink()
    failed = build(tmp_path, copied / "clients/python/backend/listd_backend.py", PATH=str(programs))
    assert failed.returncode != 0 and "Swift is not installed" in failed.stderr and not list(tmp_path.glob("*.whl"))
    assert "LISTD=none installs the client alone" in failed.stderr
    alone = build(tmp_path, copied / "clients/python/backend/listd_backend.py", LISTD="none")
    assert alone.stdout.strip().endswith("-any.whl") and alone.stderr == ""


def test_a_part_of_the_sources_is_refused(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "clients/python", tmp_path / "python")
    refused = build(tmp_path, tmp_path / "python/backend/listd_backend.py")
    assert refused.returncode != 0 and "is installed from its sources" in refused.stderr
