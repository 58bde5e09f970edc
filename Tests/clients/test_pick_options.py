"""The options of `listd pick`, most of which are those of fzf: what is printed, bound, shown and refused."""

# Promise: `listd pick` takes fzf's options, keys, placeholders and exit codes, finds the lines that fzf finds, and
#   refuses what it has not. Also `test_pick_actions.py`, `test_pick_and_fzf.py`.

from __future__ import annotations

import re
import shlex
import subprocess
import time

import pytest
from picking import LISTD, NUMBERS, PATIENCE, Screen, make_screen, pick  # noqa: F401


@pytest.mark.parametrize(
    "option, words",
    [
        ("--walker=file", "does not have fzf's option --walker"),
        ("+x", "does not have fzf's option +x"),
        ("--popup", "does not have fzf's option --popup"),
        ("--hieght=3", "unknown option --hieght of listd pick; did you mean --height?"),
        ("--exact=yes", "--exact takes no value"),
        ("--tiebreak=size", "--tiebreak is a list of length"),
        ("--bind=ctrl-x:toggle-raw", "does not have fzf's action toggle-raw"),
        ("--bind=ctrl-xx:up", "ctrl-xx is not the name of a key"),
        ("--layout=revers", "did you mean reverse?"),
        ("--height=much", "--height is a number of rows"),
        ("--nth=0", "--nth: 0 is not a field"),
        ("--preview-window=middle", "--preview-window has no option middle"),
        ("--delimiter=([)", "is not a regular expression"),
        ("--color=fgg:1", "--color has no name fgg; did you mean fg?"),
        ("--color=fg:300", "--color: 300 is not a colour or an attribute"),
        ("--margin=1,2,3,4,5", "--margin is at most four numbers"),
        ("--padding=60%", "--padding is numbers of cells or per cent"),
        ("lines.txt", "reads lines from standard input"),
    ],
)
def test_other_options_are_refused(option: str, words: str) -> None:
    ran = subprocess.run([LISTD, "pick", option], input=b"a\n", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert (ran.returncode, ran.stdout) == (2, b"") and words in ran.stderr.decode(), ran.stderr
    assert b"try listd pick --help" in ran.stderr


def test_default_options_of_the_environment() -> None:
    ran = pick(b"ab\nb a\n", "-f", "ba", FZF_DEFAULT_OPTS="--exact --color 'bg:1' --margin=1 --no-sort")
    assert (ran.returncode, ran.stdout) == (1, b"")
    assert pick(b"", "-f", "a", FZF_DEFAULT_OPTS="--nonsense").returncode == 2


def test_one_or_no_match_needs_no_terminal() -> None:
    assert pick(b"ab\nc\n", "-1", "-q", "a").stdout == b"ab\n"
    ran = pick(b"ab\nc\n", "-1", "-0", "-q", "x", "--print-query")
    assert (ran.returncode, ran.stdout) == (1, b"x\n")
    ran = pick(b"ab\nac\n", "--select-1", "-q", "b", "--print-query", "--expect=f1")
    assert (ran.returncode, ran.stdout) == (0, b"b\n\nab\n")


def test_what_is_printed() -> None:
    lines = b"\x1b[31mone\x1b[m,1\n\x1b[32mtwo\x1b[m,2\n"
    assert pick(lines, "--ansi", "-f", "two").stdout == b"two,2\n"
    assert pick(b"a,1\nb,2\n", "-d,", "--nth=2", "-f", "2").stdout == b"b,2\n"
    assert pick(b"a,1\nb,2\n", "-d,", "--with-nth=1", "-f", "2").returncode == 1
    assert pick(b"a,1\nb,2\n", "-d,", "--accept-nth=1", "-f", "1").stdout == b"a\n"
    assert pick(b"a,1\nb,2\n", "-d,", "--accept-nth={2}-{1}", "-f", "1").stdout == b"1-a\n"
    assert pick(b"h\na\n\xff\0", "--header-lines=1", "--print0", "-f", "").stdout == b"a\0\xff\0\0"
    assert pick(b"1\n2\n3\n", "--tac", "-f", "").stdout == b"3\n2\n1\n"
    assert pick(b"", "-f", "").returncode == 1


def test_expected_keys_and_the_query_are_printed(screen: Screen) -> None:
    screen.start(NUMBERS, "--expect=ctrl-v,f3", "--print-query").shows(1, "3,000/3,000")
    screen.type("77")
    screen.keys("C-v")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"77\nctrl-v\nline 77\n")


def test_keys_are_bound(screen: Screen) -> None:
    bound = (
        "ctrl-a:select-all+accept,f1,f2:put(z),ctrl-t:change-prompt[new> ],"
        f"ctrl-o:execute-silent(echo {{+}} > {screen.folder}/{{q}}),"
        "ctrl-x:toggle-sort,change:first,ctrl-r:reload:seq 3"
    )
    screen.start(NUMBERS, "--bind", bound, "--bind", "ctrl-r:+change-query(1)").shows(1, "3,000/3,000")
    screen.keys("F2", "C-t")
    screen.shows(0, "new> z")
    screen.keys("C-u")
    out = screen.folder / "executed"
    screen.type("executed")
    screen.shows(0, "new> executed")
    screen.keys("C-o")
    end = time.monotonic() + PATIENCE
    while not out.exists() and time.monotonic() < end:
        time.sleep(0.02)
    screen.keys("C-r")
    screen.until(lambda rows: rows[:3] == ["new> 1", "  1/3", "> 1"])
    screen.keys("C-a")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"1\n")


def test_fields_headers_and_rows_are_changed(screen: Screen) -> None:
    bound = (
        "f2:change-nth(2|),f3:change-with-nth({2}:{1}|1|),f4:toggle-header,f5:change-pointer(#),f6:offset-down,"
        "f7:prev-selected"
    )
    lines = "".join(f"a{number} b{99 - number}\n" for number in range(1, 40)).encode()
    screen.start(lines, "--header=top", "--bind", bound, "--query", "a1")
    screen.until(lambda rows: rows[1:4] == ["  16/39", "  top", "> a1 b98"])
    screen.keys("Tab", "F2")
    screen.shows(1, "0/39 (1 marked)")
    screen.keys("C-u")
    screen.type("b9")
    screen.until(lambda rows: rows[1] == "  12/39 (1 marked)" and rows[3] == ">*a1 b98")
    screen.keys("F2", "C-u", "F3", "F4", "F5")
    shown = ["  39/39 (1 marked)", "#*b98:a1", "  b97:a2"]
    screen.until(lambda rows: rows[1:4] == shown and rows[-1] == " *b98:a1")
    screen.keys("F3", "F6", "F6")
    screen.until(lambda rows: rows[2:4] == ["# a3", "  a4"])
    screen.keys("F7")
    screen.shows(2, "#*a1")
    screen.keys("Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"a1 b98\n")


EXAMPLES = [
    """--delimiter=/ --with-nth=-2,-1 --accept-nth -1""",
    """--header 'Press CTRL-R to reload' --header-lines=1 --bind 'ctrl-r:reload(ps -ef)' --height=50% --layout=reverse""",
    """--bind 'ctrl-d:reload(find . -type d),ctrl-f:reload(eval "$FZF_DEFAULT_COMMAND")'""",
    """--bind 'f1:execute(less -f {}),ctrl-y:execute-silent(echo {} | pbcopy)+abort'""",
    """--bind 'ctrl-a:select-all,ctrl-d:deselect-all,ctrl-t:toggle-all' --multi=3 --cycle""",
    """--bind 'enter:become(vim {}),ctrl-e:become(emacs {+})'""",
    """--disabled --ansi --bind 'start:reload:rg ""' --bind 'change:reload:sleep 0.1; rg {q} || true'""",
    """--preview 'cat {1}' --delimiter : --preview-window 'up,60%,border-bottom,+{2}+3/3,~3,<30(hidden)'""",
    """--preview='head -$LINES {}' --preview-window=right,50%:wrap,border-left --bind '?:toggle-preview'""",
    """--bind 'ctrl-/:change-preview-window(right,70%|down,40%,border-horizontal|hidden|right)'""",
    """--bind 'ctrl-t:transform:[[ $FZF_PROMPT =~ Files ]] && echo "change-prompt(D> )+reload(ls)" || echo reload:ls'""",
    """--bind 'focus:transform-header:file --brief {}' --bind 'result:first,load:last,resize:refresh-preview'""",
    """--bind 'ctrl-o:execute:open {},ctrl-x:unbind(ctrl-x)+change-prompt~new~,alt-enter:print-query' --no-mouse""",
    """--expect=ctrl-v,ctrl-t,alt-s --print-query --sync --tac --tiebreak=begin,length,index -e +i --no-sort""",
    """--info=inline --border=double --border-label=' files ' --pointer=▶ --marker=┃ --prompt='∷ '""",
]


@pytest.mark.parametrize("example", EXAMPLES)
def test_options_and_bindings_of_documented_examples(example: str) -> None:
    ran = pick(b"a\nb\n", *shlex.split(example), "-f", "")
    assert (ran.returncode, ran.stderr) == (0, b""), example


def test_a_preview_follows_the_cursor(screen: Screen) -> None:
    command = r"printf '\033[1mof %s\033[m\n' {} {q} {n} {2}; seq 50"
    screen.start(NUMBERS, "--preview", command, "--preview-window", "right,24,border-left")

    def shows(*texts: str) -> None:
        screen.until(lambda rows: [row.partition("│")[2].strip() for row in rows[1 : 1 + len(texts)]] == [*texts])

    screen.until(lambda rows: "│ of line 1" in rows[0])
    shows("of", "of 0", "of 1", "1")
    screen.type("9")
    screen.keys("Down")
    screen.until(lambda rows: "│ of line 90" in rows[0])
    shows("of 9", "of 89", "of 90", "1")
    screen.keys("S-Down", "S-Down")
    screen.until(lambda rows: "│ of 89" in rows[0] and "3/54" in rows[0])
    screen.keys("Escape")
    assert screen.end() == 130


def test_a_preview_runs_once_for_a_line(screen: Screen) -> None:
    runs = screen.folder / "runs"
    screen.start(NUMBERS, "--preview", f"cat {{+f}}; echo >>{runs}", "--preview-window=down,3").shows(2, "> line 1")
    screen.until(lambda rows: "│ line 1 " in rows[-4])
    for key in ("Down", "Tab", "Up"):  # The preview of the line without a mark differs.
        screen.keys(key)
    screen.until(lambda rows: ">*line 2" in rows[3] and "│ line 2 " in rows[-4])
    time.sleep(0.3)
    assert 2 <= len(runs.read_bytes()) <= 5


def test_commands_get_what_is_in_lines_as_words(screen: Screen) -> None:
    line = b"it's; $(touch bad) `touch bad` \\\"x"
    made = screen.folder / "made"
    command = f"printf '%s|' {{}} {{1}} {{-1}} {{+}} '\\{{}}' > {made}"
    screen.start(line + b"\n", "--bind", f"ctrl-o:execute-silent({command})+accept").shows(1, "1/1")
    screen.keys("C-o")
    assert screen.end() == 0
    last = b"\\\"x"
    assert made.read_bytes() == b"|".join([line, b"it's;", last, line, b"{}", b""])


def test_become_runs_instead(screen: Screen) -> None:
    screen.start(b"one\ntwo\n", "--bind", "enter:become(echo chosen {}; exit 7)").shows(1, "2/2")
    screen.keys("Down", "Enter")
    assert (screen.end(), screen.out.read_bytes()) == (7, b"chosen two\n")


def test_headers_and_borders(screen: Screen) -> None:
    screen.start(b"NAME SIZE\na 1\nb 2\n", "--header-lines=1", "--header=two\nlines", "--border", "--info=inline")
    screen.until(lambda rows: rows[0][0] == "╭" and rows[1] == "│ >   < 2/2" + " " * 48 + "│")
    inside = ["two", "lines", "NAME SIZE", "> a 1", "b 2"]
    screen.until(lambda rows: [row.strip("│ ") for row in rows[2:7]] == inside)
    screen.keys("Down", "Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"b 2\n")


def test_colours_of_lines(screen: Screen) -> None:
    screen.start(b"other\n\x1b[31mred\x1b[m plain\n", "--ansi").shows(2, "> other", "  red plain")
    coloured = re.compile(r"\x1b\[(31|38;5;1)mred\x1b\[[0-9;]*m plain")
    screen.until(lambda _: coloured.search(screen.tmux("capture-pane", "-p", "-e").decode()))
    screen.type("redpl")
    screen.until(lambda rows: rows[1] == "  1/2" and screen.bold(2) == "redpl")
    screen.keys("Enter")
    assert (screen.end(), screen.out.read_bytes()) == (0, b"red plain\n")


def test_the_current_line_on_a_light_terminal(screen: Screen) -> None:
    """Its background has a foreground that can be read on it, whatever that of the terminal is."""
    screen.start(b"plain\n").shows(2, "> plain")
    styled = re.compile(r"\x1b\[[\d;]*38;5;254[\d;]*m plain")
    screen.until(lambda _: styled.search(screen.tmux("capture-pane", "-p", "-e").decode()))


def test_colours_are_chosen(screen: Screen) -> None:
    chosen = "--color=light,fg:21 hl:-1:underline,hl+:1:bold:reverse,fg+:#ff0000,bg+:-1,prompt:bright-blue"
    screen.start(b"plain one\nplain two\n", chosen, "--query=on", "--bind=change:last")
    screen.shows(1, "1/2", "> plain one")
    screen.keys("BSpace")
    wanted = [
        r"\x1b\[(94|38;5;12)m>",  # the prompt
        r"\x1b\[38;5;21mplain \x1b\[4m(\x1b\[38;5;21m)?o\x1b",  # a line
        r"\x1b\[38;5;196m plain tw\x1b\[[\d;]*1;7m(\x1b\[[\d;]*m)?(\x1b\[31m)?o",  # the current line
    ]
    screen.until(lambda _: all(re.search(one, screen.tmux("capture-pane", "-p", "-e").decode()) for one in wanted))


def test_space_around(screen: Screen) -> None:
    screen.start(b"one\n", "--border", "--margin=1,5%", "--padding=1,0,0,2")
    box = ["", "   ╭────────────────────────────────────────────────────╮", "   │                                                    │"]
    screen.until(
        lambda rows: rows[:6] == [*box, *(f"   │   {text:49}│" for text in ("> ", "  1/1", "> one"))] and len(rows) == 13
    )


def test_the_standard_layout(screen: Screen) -> None:
    screen.start(NUMBERS, "--layout=default").shows(13, ">")
    screen.until(lambda rows: rows[10:13] == ["  line 2", "> line 1", "  3,000/3,000"])
    screen.keys("Up", "Tab", "Up", "Up")
    screen.until(lambda rows: rows[:2] == [" *line 2", "── 1 marked"] and rows[9:12] == ["> line 3", " *line 2", "  line 1"])
    screen.keys("Enter")
    assert screen.end() == 0
