"""Actions and events of `listd pick` that are bound to keys: jumps, exclusion, tracking, timers, texts of commands."""

from __future__ import annotations

import os
import re
import subprocess
from typing import Set

import pytest
from picking import LISTD, NUMBERS, Screen, make_screen  # noqa: F401
from test_pick_and_fzf import FZF


def test_a_jump_goes_to_a_label(screen: Screen) -> None:
    screen.start(NUMBERS, "--bind=ctrl-t:jump,ctrl-x:jump-accept,jump-cancel:change-header(none)", "--jump-labels=xyz")
    screen.shows(2, "> line 1")
    screen.keys("C-t")
    screen.until(lambda rows: rows[2:6] == ["x line 1", "y line 2", "z line 3", "  line 4"])
    screen.type("z")
    screen.until(lambda rows: rows[2:5] == ["  line 1", "  line 2", "> line 3"])
    screen.keys("C-t", "q")
    screen.until(lambda rows: rows[0] == ">" and rows[2:4] == ["  none", "  line 1"])
    screen.keys("C-x", "y")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"line 2\n")


def test_lines_are_excluded(screen: Screen) -> None:
    """Those that were excluded match no query, and are in no place."""
    given = "".join(f"{number}\n" for number in range(70_001)).encode()
    screen.start(given, "--bind=ctrl-t:exclude,ctrl-x:exclude-multi,ctrl-l:last", "--no-sort", "--tac")
    screen.shows(2, "> 70000", *(f"  {number}" for number in range(69_999, 69_988, -1)))
    screen.keys("C-t")
    screen.until(lambda rows: rows[1:4] == ["  70,000/70,000", "> 69999", "  69998"])
    screen.keys("Down", "Tab", "Down", "Tab", "C-x")
    screen.until(lambda rows: rows[1:6] == ["  69,998/69,998", "  69999", "  69997", "> 69995", "  69994"])
    screen.keys("C-l", "C-t")
    screen.until(lambda rows: rows[1] == "  69,997/69,997" and rows[-2:] == ["  2", "> 1"])
    screen.type("^69")
    screen.until(lambda rows: rows[1:6] == ["  1,109/69,997", "> 69999", "  69997", "  69995", "  69994"])
    screen.keys("C-t", "C-u", "Tab", "Tab", "C-l", "Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"69997\n69995\n")


def test_actions_wait_for_the_search(screen: Screen) -> None:
    screen.start("seq 300000", "--bind=start:change-query(^277777$)+wait+accept")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"277777\n")


def test_waiting_is_cancelled(screen: Screen) -> None:
    """Other keys are ignored meanwhile, and what follows in the actions is not done."""
    pipe = screen.folder / "pipe"
    os.mkfifo(pipe)
    screen.start(f"cat {pipe}", "--bind=ctrl-t:wait+accept")
    with open(pipe, "wb", buffering=0) as source:
        source.write(b"one\ntwo\n")
        screen.shows(1, "2/2 …", "> one", "  two")
        screen.keys("C-t", "x", "C-c", "Down", "Enter")
        screen.until(lambda rows: rows == [""])
    assert (screen.end(), screen.out.read_bytes()) == (0, b"two\n")


def test_the_cursor_is_kept_on_its_line(screen: Screen) -> None:
    screen.start("seq 30", "--track", "--bind=ctrl-t:toggle-track,ctrl-x:track-current")
    screen.shows(2, "> 1")
    screen.keys(*["Down"] * 11)
    screen.type("1")
    screen.until(lambda rows: rows[1] == "  12/30" and "> 12" in rows)
    screen.keys("C-u")
    screen.until(lambda rows: rows[1] == "  30/30" and "> 12" in rows)
    screen.keys("C-t")
    screen.type("2")
    screen.until(lambda rows: rows[1:3] == ["  12/30", "> 2"])
    screen.keys("Down", "C-x", "C-u")
    screen.until(lambda rows: rows[1] == "  30/30" and "> 20" in rows)
    screen.keys("Up")
    screen.type("3")
    screen.until(lambda rows: rows[1:3] == ["  4/30", "> 3"])


def test_events_that_repeat(screen: Screen) -> None:
    times = screen.folder / "times"
    screen.start("seq 3", f"--bind=every(0.02):execute-silent(echo >>{times})+reload-sync(seq $(wc -l <{times}))")
    screen.until(lambda rows: re.match(r" +(\d+)/\1$", rows[1]) and int(rows[1].split("/")[1]) > 9 and rows[2] == "> 1")
    screen.keys("Escape")
    assert screen.end() == 130


def test_texts_of_commands(screen: Screen) -> None:
    binding = (
        "focus:transform-footer(echo foot {})+transform-border-label(echo [{}])+transform-preview-label(echo {n}),"
        "ctrl-t:transform-nth(echo 2)+transform-search(echo b)+transform-pointer(echo !),result-final:change-ghost(typed)"
    )
    screen.start(b"a b\nb c\n", "--border", "--preview=echo x", "--footer=first", f"--bind={binding}")
    screen.until(
        lambda rows: "[a b]" in rows[0] and "─0─" in rows[1] and "> typed" in rows[1] and "foot a b" in rows[-2]
    )
    screen.keys("C-t")
    screen.until(lambda rows: "1/2" in rows[2] and "! a b" in rows[3])


def test_bindings_of_bindings(screen: Screen) -> None:
    screen.start(b"a\n", "--bind=x:trigger(y,z),y:put(1),z:put(2),w:toggle-bind(y),v:trigger(v)")
    screen.shows(2, "> a")
    screen.type("xwy")
    screen.shows(0, "> 12y")
    screen.type("wy")
    screen.shows(0, "> 12y1")
    screen.type("v")
    screen.shows(1, "the actions of v trigger themselves")


def test_another_program_searches_first(screen: Screen) -> None:
    """As fzf's documentation has it: a program searches for what is typed, until a key lets the picker match."""
    for name, text in [("one", "apple tart\nplum tart\n"), ("two", "apple pie\nfig pie\n"), ("three", "apple cider\n")]:
        (screen.folder / name).write_text(text)
    search = "grep -n {q} one two three || true"
    screen.size = (60, 20)
    screen.start(
        f"cd {screen.folder}; true", "--disabled", "--ansi", "--prompt=1> ", "--delimiter=:", "--sync",
        "--color=hl:-1:underline,hl+:-1:underline:reverse", f"--bind=start:reload:cd {screen.folder}; {search}",
        f"--bind=change:reload:cd {screen.folder}; {search}",
        "--bind=alt-enter:unbind(change,alt-enter)+change-prompt(2> )+enable-search+clear-query",
        f"--preview=cat {screen.folder}/{{1}}", "--preview-window=up,40%,border-bottom,+{2}+1/3,~1",
        "--bind=enter:become(echo {1} line {2})",
    )  # fmt: skip
    screen.until(lambda rows: "1>" in rows and "  5/5" in rows)
    screen.type("apple")
    found = ["1> apple", "  3/3", "> one:1:apple tart", "  two:1:apple pie", "  three:1:apple cider"]
    screen.until(lambda rows: rows[-5:] == found)
    screen.keys("M-Enter")
    screen.until(lambda rows: "2>" in rows and "  3/3" in rows)
    screen.type("wopie")
    screen.until(lambda rows: "2> wopie" in rows and "> two:1:apple pie" in rows and rows[0] == "apple pie")
    screen.keys("Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"two line 1\n")


def test_a_key_switches_between_two_inputs(screen: Screen) -> None:
    switch = (
        "--bind=ctrl-t:transform:[ \"$FZF_PROMPT\" = 'Files> ' ] && echo 'change-prompt(Folders> )+reload(echo a; echo b)'"
        " || echo 'change-prompt(Files> )+reload(echo x; echo y; echo z)'"
    )
    screen.start("echo x; echo y; echo z", "--prompt=Files> ", "--header=Ctrl-T", switch)
    screen.until(lambda rows: rows == ["Files>", "  3/3", "  Ctrl-T", "> x", "  y", "  z"])
    screen.keys("C-t")
    screen.until(lambda rows: rows == ["Folders>", "  2/2", "  Ctrl-T", "> a", "  b"])
    screen.keys("C-t")
    screen.until(lambda rows: rows == ["Files>", "  3/3", "  Ctrl-T", "> x", "  y", "  z"])
    screen.keys("Escape")
    assert screen.end() == 130


def test_every_action_of_fzf_is_known() -> None:
    """An action or event that `listd pick` has not is refused by name, and named in its help."""
    manual = subprocess.run([FZF, "--man"], stdout=subprocess.PIPE, env={**os.environ, "MANWIDTH": "200"}).stdout.decode()
    events = manual[manual.index("AVAILABLE EVENTS") : manual.index("AVAILABLE ACTIONS")]
    actions = manual[manual.index("AVAILABLE ACTIONS") : manual.index("ACTION COMPOSITION")]
    helped = subprocess.run([LISTD, "pick", "--help"], stdout=subprocess.PIPE).stdout.decode()
    refused = set(re.findall(r"[a-z-]+", helped[helped.index("and these actions and events:") :]))
    tried: Set[str] = set()
    for name, argument in re.findall(r"^ {11}([a-z/-]+)(\(?)", actions, re.M):
        binding = f"a:{name}" + ("(1)" if argument else "")
        ran = subprocess.run([LISTD, "pick", "-f", "", "--bind", binding], input=b"a\n", stderr=subprocess.PIPE)
        said = ran.stderr.decode()
        is_there = ran.returncode == 0 or f"{name} needs an argument" in said
        assert is_there != (f"does not have fzf's action {name}" in said), (name, said)
        assert is_there != (name in refused), name
        tried.add(name)
    for name in re.findall(r"^ {7}([a-z-]+(?:\(N\))?)$", events, re.M):
        binding = f"{name.replace('N', '2')}:abort"
        ran = subprocess.run([LISTD, "pick", "-f", "", "--bind", binding], input=b"a\n", stderr=subprocess.PIPE)
        assert (ran.returncode == 0) != (name in refused), (name, ran.stderr)
        tried.add(name)
    assert len(tried) > 140 and refused - {"and", "these", "actions", "events", "bg-transform"} <= tried
