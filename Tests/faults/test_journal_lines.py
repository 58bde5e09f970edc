"""The lines of a journal are chained; journals of version 1, which are not, are read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import List

import pytest
from test_journal import CALLS, HEADER, restarted, state

from client import Daemon, line, request, session

UNCHAINED = HEADER.replace(b"2", b"1")
MASK = (1 << 64) - 1


def folded(value: int) -> int:
    product = (value ^ 0xA0761D6478BD642F) * 0xE7037ED1A0B428DB
    return product >> 64 ^ product & MASK


def checksum(text: bytes, seed: int) -> int:
    total = seed ^ len(text) * 0x9E3779B97F4A7C15 & MASK
    whole = len(text) // 8 * 8
    for place in range(0, whole, 8):
        total = folded(total ^ int.from_bytes(text[place : place + 8], "little"))
    return folded(total ^ int.from_bytes(b"\1" + text[whole:], "big"))


def chained(changes: List[bytes]) -> bytes:
    """A journal of these changes, each with a checksum that depends on the one before."""
    seed, lines = checksum(HEADER, 0), [HEADER]
    for change in changes:
        seed = checksum(change, seed)
        lines.append(b"%016x %s\n" % (seed, change))
    return b"".join(lines)


def unchained(changes: List[bytes]) -> bytes:
    return UNCHAINED + b"".join(b"%016x %s\n" % (checksum(change, 0), change) for change in changes)


def changes(journal: Path) -> List[bytes]:
    return [text[17:] for text in journal.read_bytes().splitlines()[1:]]


@pytest.fixture
def lists(journal: Path) -> dict:
    """The lists of a journal that was written by many requests."""
    with Daemon("--journal", str(journal)) as daemon:
        for method, params in CALLS:
            daemon.call(method, params)
        return state(daemon)


def test_the_checksums_are_chained(journal: Path, lists: dict) -> None:
    assert len(changes(journal)) > 10 and journal.read_bytes() == chained(changes(journal))


def test_damaged_lines_are_refused(journal: Path, lists: dict) -> None:
    whole = journal.read_bytes().splitlines(keepends=True)
    for place in range(1, len(whole)):
        here, before, after = whole[place : place + 1], whole[:place], whole[place + 1 :]
        damages = [before + here + here + after, before + [here[0][:-2] + b"\n"] + after]
        if after:
            damages += [before + after, before + after[:1] + here + after[1:], before + [here[0][:-1]] + after]
        for damaged in map(b"".join, damages):
            journal.write_bytes(damaged)
            outcome = session(line(request("getLists")), "--journal", str(journal))
            assert outcome.code == 1 and outcome.out == b"" and "damaged at byte" in outcome.err
            assert journal.read_bytes() == damaged


def test_a_last_line_that_was_altered_is_not_taken_for_a_torn_one(journal: Path, lists: dict) -> None:
    whole = journal.read_bytes()
    start = whole.rindex(b"\n", 0, -1) + 1
    for place in [*range(start, len(whole), 7), len(whole) - 1]:
        damaged = bytearray(whole)
        damaged[place] ^= 4
        journal.write_bytes(damaged)
        outcome = session(line(request("getLists")), "--journal", str(journal))
        assert outcome.code == 1 and outcome.out == b"" and f"damaged at byte {start}\n" in outcome.err
        assert journal.read_bytes() == damaged
    # The repair that the manual describes: everything before the damage.
    journal.write_bytes(whole[:start])
    assert restarted(journal)


# Promise: Journals of version 1 are read, and written anew as soon as possible. Also
#   `test_a_journal_that_cannot_be_written_anew_is_continued_as_it_is`.
def test_journals_that_are_not_chained_are_read_and_written_anew(journal: Path, lists: dict) -> None:
    journal.write_bytes(unchained(changes(journal)))
    journal.chmod(0o640)
    assert restarted(journal) == lists
    assert journal.read_bytes() == chained(changes(journal)) and journal.stat().st_mode & 0o777 == 0o640
    assert os.listdir(journal.parent) == [journal.name]
    assert restarted(journal) == lists


def test_damage_of_journals_that_are_not_chained(journal: Path, lists: dict) -> None:
    whole = unchained(changes(journal))
    for place in range(len(UNCHAINED), len(whole), 97):
        damaged = bytearray(whole)
        damaged[place] ^= 1
        journal.write_bytes(damaged)
        outcome = session(line(request("getLists")), "--journal", str(journal))
        assert outcome.code == 1 and "damaged" in outcome.err and journal.read_bytes() == damaged
    journal.write_bytes(whole + whole[len(UNCHAINED) :][:50])
    assert restarted(journal) == lists


def test_a_journal_that_cannot_be_written_anew_is_continued_as_it_is(journal: Path, lists: dict) -> None:
    """A foreign file has the name that the new file needs."""
    journal.write_bytes(unchained(changes(journal)))
    new = Path(f"{journal}.new")
    new.write_text("mine\n")
    with Daemon("--journal", str(journal)) as daemon:
        assert state(daemon) == lists
        daemon.call("applySnapshot", list="more", items=[1, 2])
        daemon.call("applySnapshot", list="more", items=[1, 2, 3])
        after = state(daemon)
        assert daemon.end() == 0 and "exists and is not a journal" in daemon.errors
    assert journal.read_bytes() == unchained(changes(journal)) and new.read_text() == "mine\n"
    new.unlink()
    assert restarted(journal) == after
    assert journal.read_bytes() == chained(changes(journal))


def test_names_with_a_dollar_that_an_earlier_version_accepted_are_kept(journal: Path) -> None:
    view = {"where": {"member": "!x", "exists": False}, "match": {"query": "a", "members": ["text", "!x"]},
            "sort": [{"by": "!x"}], "tree": {"parent": "!x"}}  # fmt: skip
    with Daemon("--journal", str(journal)) as daemon:
        daemon.call("registerTemplates", templates={"Cell": "{text}{!x}"})
        daemon.call("applySnapshot", list="l", items=["a", "b"])
        daemon.call("compose", list="v", sources=["l"], view=view)
        before = state(daemon)
    journal.write_bytes(chained([change.replace(b"!x", b"$x") for change in changes(journal)]))
    assert str(restarted(journal)) == str(before).replace("!x", "$x")
