"""Standard descriptors that are closed at the start, and output that cannot be written."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
from pathlib import Path
from typing import Dict, List, Tuple

import pytest

from client import PATIENCE, line, notice, program, request

CLOSED = {0: "<&-", 1: ">&-", 2: "2>&-"}
SENT = b"".join(map(line, [
    request("applySnapshot", {"list": "p", "items": ["one", "two"]}),
    notice("removeList", {"list": "nope"}),
    request("applySnapshot", {"list": "p", "items": ["two", "three"]}, 2),
    notice("removeList", {"list": "nope"}),
    request("applySnapshot", {"list": "q", "items": ["four"]}, 3),
]))  # fmt: skip


def run(folder: Path, closed: Tuple[int, ...], files: Tuple[str, ...], sent: bytes) -> Dict[str, bytes]:
    """The files of a session whose daemon is started with some descriptors closed."""
    folder.mkdir()
    words: List[str] = []
    for name in files:
        words += [f"--{name}", str(folder / name)]
    script = f'exec "$0" "$@" {" ".join(CLOSED[number] for number in closed)}'
    done = subprocess.run(
        ["bash", "-c", script, program(), *words], input=sent, capture_output=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    contents = {name: (folder / name).read_bytes() for name in files}
    if "record" in contents:
        contents["record"] = re.sub(rb'"at":\d+', b'"at":0', contents["record"])
    return contents


@pytest.mark.parametrize("files", [("journal",), ("record",), ("journal", "record")])
@pytest.mark.parametrize(
    "closed", [numbers for count in range(4) for numbers in itertools.combinations(range(3), count)]
)
# Promise: Closed standard descriptors, in all combinations, do not damage journals and records.
def test_files_do_not_get_what_is_written_to_closed_descriptors(
    tmp_path: Path, closed: Tuple[int, ...], files: Tuple[str, ...]
) -> None:
    sent = b"" if 0 in closed else SENT
    expected = run(tmp_path / "open", (), files, sent)
    assert run(tmp_path / "closed", closed, files, sent) == expected
    assert not sent or all(expected.values())


FULL = [
    ([], line(request("getLists"))), (["--help"], b""), (["--version"], b""),
    (["replay", "--show", "-"], b'{"title":"t"}\n'), (["replay", "-"], b'{"title":"t"}\n'),
]  # fmt: skip


# Promise: Output that cannot be written is reported; closed output is not. Also
#   `test_a_drawing_that_cannot_be_written_is_reported`, `test_closed_output_is_not_an_error`.
@pytest.mark.parametrize("words, sent", FULL)
def test_output_that_cannot_be_written_is_reported(words: List[str], sent: bytes) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [program(), *words], input=sent, stdout=full, stderr=subprocess.PIPE, timeout=PATIENCE
        )
    assert done.returncode == 1
    assert b"standard output" in done.stderr and b"No space left" in done.stderr


def test_a_drawing_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("a\n")
    (tmp_path / "new").write_text("b\n")
    command = [program(), "diff", str(tmp_path / "old"), str(tmp_path / "new")]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=PATIENCE)
    assert done.returncode == 2 and b"standard output" in done.stderr


def test_a_change_whose_answer_cannot_be_written_is_kept(journal: Path) -> None:
    sent = line(request("applySnapshot", {"list": "l", "items": [1]}))
    command = [program(), "--journal", str(journal)]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            command, input=sent, stdout=full, stderr=subprocess.PIPE, timeout=PATIENCE
        )
    assert done.returncode == 1
    again = subprocess.run(command, input=line(request("getLists")), capture_output=True, timeout=PATIENCE)
    assert again.returncode == 0 and b'"list":"l"' in again.stdout


@pytest.mark.parametrize("words", [[], ["--help"], ["--version"]])
def test_closed_output_is_not_an_error(words: List[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        done = subprocess.run(
            [program(), *words], input=line(request("getLists")), stdout=pipe, stderr=subprocess.PIPE,
            timeout=PATIENCE, restore_signals=False,
        )  # fmt: skip
    assert done.returncode == 0 and done.stderr == b""
