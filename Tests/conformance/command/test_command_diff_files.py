"""`listd diff` of files that cannot be compared: a message, exit code 2, and no output."""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest

from client import PATIENCE, program
from command import Files, run_diff

pytestmark = pytest.mark.needs("listd diff")


def refused(old: Any, new: Any, words: str, *args: str) -> None:
    for left, right in ((old, new), (new, old)):
        answer = run_diff(*args, left, right)
        assert answer.code == 2 and answer.out == b"" and words in answer.err, answer


@pytest.mark.parametrize("args", [[], ["--quiet"], ["--format=unified"], ["--key-field=1"]])
def test_files_that_are_not_text(files: Files, tmp_path: Path, args: Any) -> None:
    files.ask(b"a\n", b"a\n")
    large = tmp_path / "large"
    with open(large, "wb") as file:
        file.write(b"b\n")
        file.truncate(2 << 30)
    refused(files.old, tmp_path, "is a directory", *args)
    refused(files.old, tmp_path / "missing", "No such file", *args)
    refused(files.old, large, "2 GiB", *args)
    (tmp_path / "binary").write_bytes(b"a\n\x00\x01")
    refused(files.old, tmp_path / "binary", "binary file", *args)
    refused(tmp_path / "binary", tmp_path / "binary", "binary file", *args)
    (tmp_path / "latin").write_bytes(b"a\n" * 200_000 + "é".encode("latin-1") + b"\n")
    refused(files.old, tmp_path / "latin", "not UTF-8 at byte 400000", *args)
    refused(tmp_path / "latin", tmp_path / "latin", "not UTF-8 at byte 400000", *args)


def test_a_pipe_is_read_to_its_end(files: Files, tmp_path: Path) -> None:
    files.ask(b"a\nb\n", b"")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for text, code in ((b"a\nb\n", 0), (b"a\nc\n", 1), (b"a\x00", 2)):
        writer = threading.Thread(target=pipe.write_bytes, args=(text,))
        writer.start()
        assert run_diff(files.old, pipe).code == code
        writer.join(PATIENCE)
    assert run_diff(files.old, "-", sent=b"a\nb\n").code == 0
    assert run_diff(files.old, "-", sent=b"a\n").code == 1


def test_a_file_that_shrinks_while_it_is_read(files: Files, tmp_path: Path) -> None:
    """The other file is a pipe, which delays the comparison."""
    big = tmp_path / "big"
    big.write_bytes(b"line\n" * 1_000_000)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [program(), "diff", big, pipe], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    # The pipe is opened for writing only when listd has opened both.
    with contextlib.suppress(BrokenPipeError), open(pipe, "wb") as writer:
        os.truncate(big, 1000)
        writer.write(b"line\n")
    out, err = process.communicate(timeout=PATIENCE)
    if process.returncode == 2:
        assert out == b"" and b"changed while it was read" in err
    else:
        assert process.returncode == 1 and err == b""


def test_long_lines_and_many(files: Files) -> None:
    long = b"x" * 3_000_000
    answer = files.ask(long + b"\n", long + b"y\n", "--width=60")
    assert answer.code == 1 and len(answer.out) < 1000
    assert files.ask(long, long).code == 0
    words = b"".join(b"%d\n" % n for n in range(300_000))
    answer = files.ask(words, words.replace(b"\n150000\n", b"\n"))
    assert answer.out.decode().splitlines()[2] == "@@ -149998,7 +149998,6 @@"
