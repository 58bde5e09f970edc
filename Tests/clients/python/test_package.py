"""The package as a whole: its README, its types, and its imports."""

# Promise: The code in the clients' pages runs. Also `Tests/clients/node/types.test.js`,
#   `Tests/clients/web/test_readme.py`, `Tests/clients/shell.sh`.

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import listd
import pytest

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "clients" / "python"
CONFORMANCE = ROOT / "Tests" / "conformance" / "support"
PAGE = (PACKAGE / "README.md").read_text()


def environment() -> "dict[str, str]":
    return {**os.environ, "PYTHONPATH": str(PACKAGE), "MYPYPATH": f"{PACKAGE}:{PACKAGE}/examples:{CONFORMANCE}"}


@pytest.mark.parametrize("number", range(len(re.findall(r"^```python$", PAGE, re.M))))
@pytest.mark.needs("subscribe", "editSnapshot")
def test_the_page_runs(number: int) -> None:
    code = re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)[number]
    subprocess.run([sys.executable, "-c", code], env=environment(), check=True, timeout=30)


def test_the_first_command_of_the_page() -> None:
    command, output = re.findall(r"^```(?:sh)?\n(.*?)^```$", PAGE, re.M | re.S)[:2]
    ran = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, stdout=subprocess.PIPE, timeout=30, check=True
    )
    assert ran.stdout.decode() == output


def test_the_program_that_measures() -> None:
    """It also checks that listd finds the same numbers as a few lines of Python."""
    ran = subprocess.run(
        [sys.executable, "-B", str(PACKAGE / "examples" / "speed.py"), "100"],
        env=environment(), stdout=subprocess.PIPE, timeout=60, check=True,
    )  # fmt: skip
    assert re.match(rb"100 rows: with orjson [0-9.]+, with json .*Mirror.take [0-9.]+$", ran.stdout)


# Promise: The Python client has all its types, for mypy and pyright in their strict modes; the asyncio client has
#   the same methods with the same signatures. Also `test_types_are_strict_for_pyright_too`,
#   `test_types_are_complete_for_users`, `test_methods_have_the_types_of_their_calls`, `test_signatures_of_methods`.
def test_types() -> None:
    examples = [PACKAGE / "examples" / name for name in ("tree.py", "speed.py")]
    sources = [PACKAGE / "listd", *examples, *sorted(Path(__file__).parent.glob("*.py"))]
    flags = ["--strict", "--follow-imports=silent", "--python-version=3.9"]
    cache = ROOT / ".tmp" / "mypy"
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", *flags, f"--cache-dir={cache}", *map(str, sources)],
        env=environment(), cwd=Path(__file__).parent, stdout=subprocess.PIPE, timeout=300,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout.decode()


def pyright(*words: str) -> str:
    """The output of basedpyright."""
    ran = subprocess.run(
        [sys.executable, "-m", "basedpyright", *words], env=environment(), stdout=subprocess.PIPE,
        timeout=300,
    )  # fmt: skip
    return ran.stdout.decode()


def test_types_are_strict_for_pyright_too(tmp_path: Path) -> None:
    strict = {"include": [str(PACKAGE / "listd")], "typeCheckingMode": "strict", "pythonVersion": "3.9"}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(strict))
    received = pyright("-p", str(tmp_path))
    assert received.splitlines()[-1] == "0 errors, 0 warnings, 0 notes", received


def test_types_are_complete_for_users() -> None:
    received = pyright("--verifytypes", "listd", "--ignoreexternal")
    assert "completeness score: 100%" in received, received


USES = """
from typing import TypedDict

import listd

class Mail(TypedDict):
    id: int
    text: str

def typed(mails: "listd.NamedList[Mail]", change: listd.Change) -> None:
    texts = [mail["text"] for mail in mails.snapshot().items]
    for row in mails.each(change):
        if row.new:
            texts.append(row.new["text"])
    mails.compose(["a"], view={"where": {"member": "n", "from": 1}, "sort": [{"by": "id"}], "window": {"count": 3}})
    mails.compose(["a"], view={"sort": [{"bye": "id"}]})

def use(inbox: listd.NamedList) -> None:
    reveal_type(inbox.apply(["a"], key="pid"))
    reveal_type(inbox.daemon.lists())
    inbox.apply(["a"], kye="pid")

async def wait(inbox: listd.aio.NamedList) -> None:
    reveal_type(await inbox.locate(items=[1]))
    reveal_type(await inbox.daemon.diff([], []))
    await inbox.window("a", 3)
"""


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_methods_have_the_types_of_their_calls(tmp_path: Path, checker: str) -> None:
    """For both clients, whose methods share their definitions."""
    (tmp_path / "uses.py").write_text(USES)
    if checker == "mypy":
        command = [sys.executable, "-m", "mypy", f"--cache-dir={ROOT}/.tmp/mypy", "uses.py"]
        ran = subprocess.run(
            command, env=environment(), cwd=tmp_path, stdout=subprocess.PIPE, timeout=300
        )
        received = ran.stdout.decode()
    else:
        # Without a configuration, pyright ignores folders whose name begins with a dot.
        (tmp_path / "pyrightconfig.json").write_text(json.dumps({"include": ["."], "exclude": []}))
        received = pyright("-p", str(tmp_path))
    revealed = [one for one in received.splitlines() if "Revealed type" in one or "Type of" in one]
    for kind in ("Change", "Listed]", "Any]", "Difference"):
        assert kind in revealed.pop(0), received
    assert "kye" in received and received.count(" error: ") == 3, received
    assert re.search(r"uses\.py:16.* error: .*View", received), received


def test_it_needs_the_standard_library_alone() -> None:
    code = f"import sys; sys.path.insert(0, {str(PACKAGE)!r}); import listd"
    subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True, timeout=30)


def test_the_transcript_of_the_clients_guide() -> None:
    page = (ROOT / "clients" / "README.md").read_text()
    found = re.search(r"^```json\n(.*?)^```$", page, re.M | re.S)
    assert found
    lines = [json.loads(line) for line in found[1].splitlines()]
    asked = [line["message"] for line in lines if line["from"] == "client"]
    sent = "".join(json.dumps(message) + "\n" for message in asked)
    ran = subprocess.run([listd.find()], input=sent.encode(), stdout=subprocess.PIPE, timeout=30)
    received = [json.loads(line) for line in ran.stdout.splitlines()]
    wanted = [line["message"] for line in lines if line["from"] == "server"]
    # The daemon's capabilities grow and are not part of the comparison.
    assert {**received[0]["result"], "capabilities": 0}.keys() == wanted[0]["result"].keys()
    assert received[1:] == wanted[1:] and ran.returncode == 0


def test_the_record_of_cron_and_an_editor(tmp_path: Path) -> None:
    page = (ROOT / "clients" / "README.md").read_text("utf-8")
    [record] = re.findall(r"^```jsonl\n(\{\"at\".*?)^```$", page, re.M | re.S)
    (tmp_path / "record").write_text(record, "utf-8")
    ran = subprocess.run(
        [listd.find(), "replay", str(tmp_path / "record")], stdout=subprocess.PIPE, timeout=30
    )
    assert ran.returncode == 0 and b"all the same" in ran.stdout, ran.stdout
    assert record.count('"connection":3') == 3
