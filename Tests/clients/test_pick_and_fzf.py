"""What `listd pick --filter` prints is what fzf prints, for many queries, options and lines."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Dict, List, Tuple

import pytest
from picking import LISTD

ROOT = Path(__file__).resolve().parents[2]
FZF = shutil.which("fzf", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}") or "fzf"
sys.path.insert(0, str(ROOT / "Tests/match"))
import against_fzf  # noqa: E402


def lines_of(rng: random.Random) -> List[List[str]]:
    words = against_fzf.WORDS + against_fzf.OTHER_WORDS
    return [
        list(against_fzf.paths(rng, 2000)), list(against_fzf.sentences(rng, 1500, words)),
        (ROOT / "protocol.md").read_text("utf-8").split("\n"),
        (ROOT / "Sources/Commands/Picking/ShellScript.swift").read_text("utf-8").split("\n"),
    ]  # fmt: skip


def both(lines: List[str], options: List[str], query: str) -> Tuple[List[str], List[str]]:
    """What both programs print, and the exit code as the last line."""
    given = "".join(f"{line}\n" for line in lines).encode()
    results = []
    for program in ([LISTD, "pick"], [FZF, "--literal"]):
        ran = subprocess.run(
            [*program, *options, "--filter", query], input=given, stdout=subprocess.PIPE,
            env={**os.environ, "FZF_DEFAULT_OPTS": ""},
        )  # fmt: skip
        results.append([*ran.stdout.decode().split("\n"), str(ran.returncode)])
    return results[0], results[1]


SEARCHING = [
    [], ["-e"], ["-i"], ["+i"], ["--tac"], ["-n2"], ["-n", "1,3.."], ["--nth=-1"], ["-d/", "-n2.."], ["-d", "/", "-n-1"],
    ["--with-nth=2.."], ["-d/", "--with-nth", "2,1"], ["-d[/.]", "-n..2"], ["-d,", "--with-nth={1}:{2}"],
    ["-d", r"\s+", "--nth", "2..3"], ["-d=", "--accept-nth=1"],
]  # fmt: skip


@pytest.mark.parametrize("seed", range(len(SEARCHING)))
def test_the_same_lines_are_found(seed: int) -> None:
    rng = random.Random(seed)
    files = lines_of(rng)
    options = SEARCHING[seed]
    for _ in range(60):
        lines = rng.choice(files)
        query = against_fzf.query(rng, [line for line in lines if line])
        ours, theirs = both(lines, options, query)
        assert sorted(ours) == sorted(theirs), (options, query, set(ours) ^ set(theirs))


def test_unsorted_lines_have_the_same_order() -> None:
    rng = random.Random(3)
    files = lines_of(rng)
    for _ in range(60):
        lines = rng.choice(files)
        query = against_fzf.query(rng, [line for line in lines if line])
        ours, theirs = both(lines, ["+s"], query)
        assert ours == theirs, query


@pytest.mark.parametrize("options", [["+s"], ["+s", "--tac"], ["+s", "--header-lines=2"], []])
def test_the_last_lines_are_found(options: List[str]) -> None:
    lines = [f"{number * 7919 % 300_000}" for number in range(300_000)]
    for tail in (1, 1000, 70_000, 150_000, 400_000):
        ours, theirs = both(lines, [*options, "--sync", f"--tail={tail}"], "'97 1$ | ^8")
        assert sorted(ours) == sorted(theirs), (tail, len(ours), len(theirs))


def test_the_best_lines_are_among_the_best() -> None:
    """fzf also compares how long lines are without blanks at their ends, and does not maximize some scores."""
    rng = random.Random(4)
    files = lines_of(rng)[:2]  # The other ones change.
    shared: Dict[str, List[int]] = {}
    for tiebreak in ["length", "index", "begin,length", "end", "chunk", "pathname"]:
        for _ in range(40):
            lines = rng.choice(files)
            query = against_fzf.fuzzy(rng, rng.choice([line for line in lines if line]))
            ours, theirs = both(lines, ["--tiebreak", tiebreak], query)
            counts = shared.setdefault(tiebreak, [0, 0])
            counts[0] += len(set(ours[:10]) & set(theirs[:10]))
            counts[1] += len(set(theirs[:10]))
    for tiebreak, (count, all) in shared.items():
        assert count >= 0.75 * all, (tiebreak, shared)


def test_every_option_of_fzf_is_known() -> None:
    """An option that `listd pick` has not is refused by name, unless it is a default of the environment."""
    helped = subprocess.run([FZF, "--help"], stdout=subprocess.PIPE).stdout.decode()
    options = {*re.findall(r"--[a-z0-9-]+", helped), *re.findall(r"^ +([-+].), --", helped, re.M)}
    assert len(options) > 90
    for option in sorted(options - {"--help", "--version", "-h"}):
        ran = subprocess.run([LISTD, "pick", "-f", "a", option], input=b"", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        said = ran.stderr.decode()
        assert "unknown option" not in said and ran.returncode in (0, 1, 2), said
        if f"does not have fzf's option {option}" in said:
            settings = {**os.environ, "FZF_DEFAULT_OPTS": f"{option} 1"}
            assert subprocess.run([LISTD, "pick", "-f", ""], input=b"a\n", env=settings).returncode == 0, option


def test_names_that_end_with_nul() -> None:
    given = b"one\ntwo\0three\0tow\0"
    ran = [
        subprocess.run([*program, "--read0", "--print0", "-f", "tw"], input=given, stdout=subprocess.PIPE).stdout
        for program in ([LISTD, "pick"], [FZF])
    ]
    assert ran[0] == ran[1] != b""
