"""`listd diff` of unusual files. If they cannot be compared: a message, exit code 2, and no output."""

# Promise: Files that cannot be compared are reported before anything is written. Also
#   `test_invalid_files_are_reported_and_nothing_is_drawn`.

from __future__ import annotations

import contextlib
import json
import os
import re
import resource
import subprocess
import threading
import time
from pathlib import Path
from typing import Any, List

import pytest

from client import PATIENCE, program
from command import Files, run_diff

pytestmark = pytest.mark.needs("listd diff")


def link(path: Path) -> str:
    with contextlib.suppress(OSError):
        return os.readlink(path)
    return ""


def refused(old: Any, new: Any, words: str, *args: str) -> None:
    for left, right in ((old, new), (new, old)):
        answer = run_diff(*args, left, right)
        assert answer.code == 2 and answer.out == b"" and words in answer.err, answer


@pytest.mark.parametrize("args", [[], ["--quiet"], ["--format=unified"], ["--key-field=1"]])
def test_files_that_cannot_be_read(files: Files, tmp_path: Path, args: Any) -> None:
    files.ask(b"a\n", b"a\n")
    large = tmp_path / "large"
    with open(large, "wb") as file:
        file.write(b"b\n" * (1 << 17))
        file.truncate(2 << 30)
    refused(files.old, tmp_path, "is a directory", *args)
    refused(files.old, tmp_path / "missing", "No such file", *args)
    refused(files.old, large, "2 GiB", *args)


def test_large_files_may_be_equal(tmp_path: Path) -> None:
    with open(tmp_path / "old", "wb") as file:
        file.truncate((2 << 30) + 5)
    os.link(tmp_path / "old", tmp_path / "new")
    answer = run_diff(tmp_path / "old", tmp_path / "new", "--key=id")
    assert (answer.code, answer.out, answer.err) == (0, b"", "")


def test_bytes_that_are_not_utf_8_are_escaped(files: Files, tmp_path: Path) -> None:
    old, new = "caf\u00e9\nth\u00e9\n".encode("latin-1"), "caf\u00e9\nth\u00ea\n".encode("latin-1")
    answer = files.ask(old, new)
    assert answer.code == 1 and answer.err == ""
    assert [line[9:] for line in answer.out.decode().splitlines()[3:-1]] == [
        "  caf\\xe9", "- th\\xe9", "+ th\\xea",
    ]  # fmt: skip
    assert files.ask(old, old).code == 0
    assert files.ask(b"\xe2\x82\n", b"\xef\xbf\xbd\n").code == 1
    assert "\\xe9" in files.ask(b'{"items": []}', b"\xe9\n").out.decode()
    page = files.ask(old, new, "--format=html").out.decode()
    assert "th\\xe9" in page
    patch = files.ask(old, new, "--format=unified").out
    assert b"-th\xe9\n+th\xea\n" in patch
    change = json.loads(files.ask(old, new, "--format=json").out)["changes"][0]
    assert change == {"op": "delete", "from": 2, "old": {"text": "th\ufffd", "bytes": "dGjp"}}
    table = [f"id;v\n1;{value}\n".encode("latin-1") for value in "éê"]
    assert "~ 1  v: \\xe9 → \\xea" in files.ask(*table, "--key=id", "--input=csv").out.decode()
    lines = [b"a \xe9\n", b"a \xea\n"]
    assert "~ a  2: \\xe9 → \\xea" in files.ask(*lines, "--key-field=1").out.decode()


def test_joiners_are_shown_between_letters(files: Files) -> None:
    family, word = "👨\u200d👩\u200d👧 family", "می\u200cخواهم"
    text = files.ask(f"{family}\n{word}\na\u200db\n".encode(), b"").out.decode()
    assert family in text and word in text and "a\\u200db" in text


@pytest.mark.parametrize("args", [[], ["--key=id"], ["--stat"], ["--format=unified"], ["--color=always"]])
def test_binary_files(files: Files, args: List[str]) -> None:
    binary = b"a\n\x00\x01"
    line = f"Binary files {files.old} and {files.new} differ\n"
    for old, new in ((binary, b"a\n"), (b"", binary), (binary, binary + b"x"), (binary + b"\nx\n", binary + b"\ny\n")):
        answer = files.ask(old, new, *args)
        assert answer.code == 1 and answer.err == "", answer
        assert re.sub("\x1b\\[[0-9;]*m", "", answer.out.decode()) == line
    same = files.ask(binary, binary, *args)
    assert (same.code, same.out, same.err) == (0, b"", "")
    large = b"same line\n" * 100_000 + binary
    assert files.ask(large, large, *args).code == 0
    for old, new in ((large + b"\n1\n", large + b"\n2\n"), (b"a\n", binary + b"\n" * (1 << 22))):
        assert files.ask(old, new, *args).out.decode() == files.ask(binary, b"", *args).out.decode()


@pytest.mark.parametrize("size", [1 << 28, 3 << 30])
def test_large_binary_files_are_not_kept_in_memory(tmp_path: Path, size: int) -> None:
    for name in ("old", "new"):
        with open(tmp_path / name, "wb") as file:
            file.truncate(size)
            file.seek(size // 2 if name == "new" else 0)
            file.write(b"x")
    command = [program(), "diff", "old", "new"]
    limits = lambda: resource.setrlimit(resource.RLIMIT_DATA, (1 << 27, 1 << 27))  # noqa: E731
    answer = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=PATIENCE, preexec_fn=limits)
    assert (answer.returncode, answer.stdout) == (1, b"Binary files old and new differ\n"), answer


def test_binary_files_in_other_formats(files: Files) -> None:
    change = json.loads(files.ask(b"\0", b"a\n", "--format=json").out)["changes"]
    assert change == [{"op": "change", "part": "binary", "fields": {}}]
    assert "Binary files" in files.ask(b"\0", b"a\n", "--format=html").out.decode()
    assert files.ask(b"\0", b"a\n", "--quiet").code == 1
    assert files.ask(b"\0", b"a\n", "--format=ops").code == 2
    refused("/dev/zero", str(files.old), "binary file")


def test_a_pipe_is_read_to_its_end(files: Files, tmp_path: Path) -> None:
    files.ask(b"a\nb\n", b"")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for text, code in ((b"a\nb\n", 0), (b"a\nc\n", 1), (b"a\x00", 1)):
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


@pytest.mark.parametrize("size", [1, 1 << 22])
@pytest.mark.parametrize("change", ["shrink", "grow", "rewrite"])
@pytest.mark.parametrize("args", [[], ["--key=1", "--input=csv"], ["--format=ops"]])
def test_a_file_that_changes_before_it_is_read(tmp_path: Path, size: int, change: str, args: List[str]) -> None:
    """Both files are open before the first one, a pipe, is read to its end."""
    pipe, file = tmp_path / "pipe", tmp_path / "file"
    os.mkfifo(pipe)
    file.write_bytes(b"ab\n" * size)
    os.utime(file, (1, 1))
    process = subprocess.Popen(
        [program(), "diff", *args, pipe, file], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with open(pipe, "wb") as writer:
        limit = time.monotonic() + PATIENCE
        while str(file) not in [link(path) for path in Path(f"/proc/{process.pid}/fd").iterdir()]:
            assert time.monotonic() < limit
            time.sleep(0.01)
        if change == "shrink":
            os.truncate(file, 1)
        else:
            with open(file, "r+b") as other:
                other.seek(0, os.SEEK_END if change == "grow" else os.SEEK_SET)
                other.write(b"z\n")
        writer.write(b"ab\n")
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2 and out == b"" and f"{file} changed while it was read" in err.decode()


def test_long_lines_and_many(files: Files) -> None:
    long = b"x" * 3_000_000
    answer = files.ask(long + b"\n", long + b"y\n", "--width=60")
    assert answer.code == 1 and len(answer.out) < 1000
    assert files.ask(long, long).code == 0
    words = b"".join(b"%d\n" % n for n in range(300_000))
    answer = files.ask(words, words.replace(b"\n150000\n", b"\n"))
    assert answer.out.decode().splitlines()[2] == "@@ -149998,7 +149998,6 @@"
