#!/usr/bin/env python3
"""Compares the matches and the ranking of FuzzyMatch with those of `fzf --filter`.

usage: against_fzf.py LISTD_BENCH FZF [SEED] [FILE]...

For generated lines and for the lines of each file, with many generated queries: both must find the
same lines, and over all queries at least nine tenths of fzf's first ten must be among ours.
"""

# Promise: A query finds the lines that fzf finds; at least nine tenths of fzf's first ten are among ours.

import random
import re
import subprocess
import sys
import tempfile

ROOTS = ["usr/share", "usr/lib", "home/user/src", "var/lib", "opt", "etc", "Sources", "Tests"]
WORDS = """
src main config lib python site-packages node_modules include test tests Resources build release
debug docs locale messages assets images icons scalable actions components internal runtime compiler
linux drivers network kernel generic amd64 x86_64 perl5 unicore swift shims vendor third_party
protocol server client session snapshot ListState ListProtocol DiffEngine HashTable utils common
README CHANGELOG index package setup Makefile init core model view controller template fixtures
migrations certificates fonts themes JSONReader getItem setHTTPHeader v2 x11 utf8 2024
""".split()
OTHER_WORDS = """
größe straße café naïve Ärger élève señor привет мир Москва новый λόγος Ελλάδα 日本 東京 設定 한글
naïveté Ünïcode ÉCOLE файл Файл
""".split()
ENDINGS = [".swift", ".py", ".js", ".h", ".c", ".conf", ".json", ".html", ".png", ".so", ".md", ""]


def paths(rng, count):
    for _ in range(count):
        path = rng.choice(ROOTS)
        length = rng.randrange(10, 110)
        while len(path) < length:
            path += "/" + rng.choice(WORDS)
            if rng.random() < 0.3:
                path += rng.choice("-_.") + rng.choice(WORDS)
            if rng.random() < 0.2:
                path += str(rng.randrange(100))
        yield path + rng.choice(ENDINGS)


def sentences(rng, count, words):
    for _ in range(count):
        line = [rng.choice(words) for _ in range(rng.randrange(1, 9))]
        text = rng.choice([" ", " ", ", ", ": ", "|", "$", " ^", "!", "_"]).join(line)
        before, after = (rng.choice([*[""] * 15, " ", "\t ", "\u3000"]) for _ in range(2))
        yield before + text + after


def fuzzy(rng, line):
    """Returns a few characters of a line in order, near each other, sometimes in lower case."""
    start = rng.randrange(len(line))
    count = rng.choice([1, 1, 2, 3, 4, 5, 6, 8, 12, 20])
    spread = rng.choice([1, 1, 2, 4, 10])
    indices = [start]
    while len(indices) < count and indices[-1] + 1 < len(line):
        indices.append(min(len(line) - 1, indices[-1] + rng.randrange(1, spread + 1)))
    text = "".join(line[index] for index in sorted(set(indices)))
    return text if rng.random() < 0.3 else text.lower()


def part(rng, line):
    start = rng.randrange(len(line))
    text = line[start : start + rng.choice([1, 2, 3, 5, 9])]
    return text if rng.random() < 0.3 else text.lower()


def term(rng, lines):
    line = rng.choice(lines)
    kind = rng.randrange(16)
    head, tail = line[: rng.choice([1, 2, 4, 8])], line[-rng.choice([1, 2, 3, 5]) :]
    if kind < 6:
        text = fuzzy(rng, line)
    elif kind == 6:
        text = "'" + part(rng, line)
    elif kind == 7:
        text = "^" + head.lower()
    elif kind == 8:
        text = tail + "$"
    elif kind == 9:
        text = "^" + rng.choice([line, line.strip()]) + "$"
    elif kind == 10:
        text = "!" + part(rng, line)
    elif kind == 11:
        text = rng.choice(["!^" + head, "!" + tail + "$", "!'" + fuzzy(rng, line)])
    elif kind == 12:
        words = [word for word in re.split(r"(\W|_)", line) if word]
        text = rng.choice(["'", "'", "'", "!'"]) + rng.choice(words).lower() + "'"
    elif kind == 13:
        text = rng.choice(["'" + part(rng, line) + "'", "^" + head.strip(), tail.strip() + "$"])
    elif kind == 14:
        text = rng.choice(["|", "!", "^", "$", "'", "!!", "^$", "!$", "'^a", "a$b", "^'", "\\", "\\ ", "''", "'''"])
    else:
        text = part(rng, line) + rng.choice(["$", "'", "^", "!", "|"])
    return text.replace(" ", rng.choice(["\\ ", " "]))


def query(rng, lines):
    words = [term(rng, lines)]
    while rng.random() < 0.35:
        if rng.random() < 0.3:
            words.append("|")
        words.append(term(rng, lines))
    return rng.choice([" ", " ", " ", "  "]).join(words)


def search(fzf, text, file):
    with open(file, encoding="utf-8") as lines:
        run = subprocess.run(
            [fzf, "--literal", "--filter", text],
            stdin=lines, stdout=subprocess.PIPE, timeout=60, check=False,
        )
    if run.returncode > 1:
        sys.exit(f"fzf failed for {text!r}")
    return run.stdout.decode("utf-8").split("\n")[:-1]


def compare(programs, rng, name, lines, count):
    """Returns the number of lines in fzf's first tens, and how many of these are in ours."""
    lines = list(dict.fromkeys(lines))
    queries = [query(rng, lines) for _ in range(count)]
    with tempfile.TemporaryDirectory() as folder:
        line_file, query_file = folder + "/lines", folder + "/queries"
        for path, content in ((line_file, lines), (query_file, queries)):
            with open(path, "w", encoding="utf-8") as file:
                file.write("".join(line + "\n" for line in content))
        output = subprocess.run(
            [programs[0], "filter", line_file, query_file], stdout=subprocess.PIPE, check=True, timeout=300
        ).stdout.decode()
        places = shared = same = ranked = 0
        for text, found in zip(queries, output.split("\n")):
            ours = [lines[int(number)] for number in found.split()]
            theirs = search(programs[1], text, line_file)
            if set(ours) != set(theirs):
                odd = sorted(set(ours) ^ set(theirs))[:3]
                sys.exit(f"{name}: {text!r}: {len(ours)} lines, fzf finds {len(theirs)}: {odd}")
            # fzf does not maximize the score of queries with alternatives or only negated terms.
            if "|" in text or all(word.startswith("!") for word in text.split()):
                continue
            first = theirs[:10]
            places += len(first)
            shared += len(set(first) & set(ours[:10]))
            if first:
                ranked += 1
                same += first[0] == ours[0]
    print(
        f"{name}: {len(lines)} lines, {count} queries: of {places} places in fzf's first tens"
        f" {shared} among ours, {same} of {ranked} first lines the same"
    )
    return places, shared


def main():
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 20261122)
    corpora = [
        ("paths", list(paths(rng, 3000)), 150),
        ("sentences", list(sentences(rng, 1500, WORDS)), 120),
        ("other scripts", list(sentences(rng, 1500, WORDS[:20] + OTHER_WORDS)), 120),
        ("short", list(sentences(rng, 300, ["a", "b", "A", "ab", "aB", "1", "é"])), 150),
    ]
    for path in sys.argv[4:]:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            lines = [line.rstrip("\n") for line in file]
        lines = [line for line in lines if line.isprintable() and line.strip()]
        corpora.append((path, lines, 100))
    results = [compare(sys.argv[1:3], rng, *corpus) for corpus in corpora]
    for (name, *_), (places, shared) in zip(corpora, results):
        if shared < 0.9 * places:
            sys.exit(f"{name}: less than nine of ten of fzf's best lines are among ours")
    places, shared = (sum(column) for column in zip(*results))
    print(f"the same lines as fzf, and {shared} of its {places} best")


if __name__ == "__main__":
    main()
