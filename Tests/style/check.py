#!/usr/bin/env python3
"""Checks the English of comments and documents, and the labels of Swift functions.

    python3 -B Tests/style/check.py [PATH…]

Prints `file:line: rule` for each violation, and exits with 1 if there is one. Without paths it checks
all files of the repository. Code, strings, quotations and backticks are not checked.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Dict, Iterable, Iterator, List, NamedTuple, Tuple

sys.path.insert(0, str(Path(__file__).parent))
from prose import is_checked, prose  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
# What was recorded or is generated, and the names of what is forbidden.
SKIPPED = ("Tests/Corpus/", "Tests/Sessions/", "Tests/style/", "Tests/schema/released.json", "LICENSE")

# By rule, what it forbids. A space is also the end of a line.
PHRASES = {
    '"is not a", not "is no"': r"(?<!there )(is|are|was|were) no"
    r"(?!-| (such|longer|more|less|fewer|greater|larger|smaller|later|better|worse|problem)\b)",
    '"returns", "reports" or "sends", not "tells"': r"tells(?! apart)"
    r"|(is|are|was|were|be|been) told(?! (apart|from|to))",
    '"ignored" or "skipped", not "passed over"': r"(passed|passes|pass) over",
    '"cancelled" or "undone", not "taken back"': r"(taken|takes|take) back",
    '"merged" or "joined", not "put together"': r"puts? together",
    '"duplicate", not "given twice"': r"given twice",
    '"was deleted" or "ended", not "is gone"': r"(is|are|was|were) gone(?! through)",
    '"random", not "of chance"': r"of chance",
    '"because", not "for it may be"': r"for (it|there) may be",
    '"readers", not "who reads"': r"who reads (does|is|has|needs)",
    '"ensures", not "sees to it"': r"(sees?|saw|seen) to it",
}
RULES = [
    (rule, re.compile(rf"\b({text})\b".replace(" ", "[ \n]"), re.IGNORECASE))
    for rule, text in PHRASES.items()
]

# "where" that states a condition. After these words it asks for a location.
WHERE = re.compile(
    r"\bwhere[ \n](there|it|they|this|that|these|those|nothing|something|all|none|any|both|no"
    r"|only|neither|one|an?|the)\b",
    re.IGNORECASE,
)
LOCATION = re.compile(
    r"\b(stay|remain|hear|know|known|show|shown|see|say|find|found|ask|report|return|compute"
    r"|remember|mark|decide|and|or|of|to|from|is|are|on|at|by|than|place|line|row|point|position|index|offset|path"
    r"|file|folder|section|list|text|leaf|node|slot|byte|range|column|end|case|way)(s|es)?,?[ \n]$",
    re.IGNORECASE,
)
IF = re.compile(r"\bif\b", re.IGNORECASE)
FUNCTION = re.compile(r"^[^/\n]*\b(?:func [^\s(<]+|init[?!]?|subscript)(?:<[^(]*>)?\(", re.MULTILINE)
UNLABELLED = re.compile(r"\s*(?:@\w+\s+)*_\s+\w+\s*:")


class Violation(NamedTuple):
    path: str
    line: int
    rule: str


def is_condition(words: str, match: "re.Match[str]") -> bool:
    """Reports whether `if` would serve for a "where"."""
    if match[0][0] == "W":
        # "Where the lines begin." describes a location; "Where it fails, …" is a condition.
        return "," in re.split(r"[.;:]\s|\n\n", words[match.start() :], maxsplit=1)[0]
    return not LOCATION.search(words[: match.start()])


def unlabelled(text: str) -> Iterator[Tuple[int, int]]:
    """The line of each Swift function, and the number of its parameters without a label.

    The parameters of functions for C are those that C has.
    """
    for match in FUNCTION.finditer(text):
        if "@_cdecl(" in text[: match.start()].rstrip().rpartition("\n")[2]:
            continue
        depth, parameters = 1, [""]
        for character in text[match.end() :]:
            depth += (character in "([{") - (character in ")]}")
            if depth == 0:
                break
            if character == "," and depth == 1:
                parameters.append("")
            else:
                parameters[-1] += character
        yield text.count("\n", 0, match.end()) + 1, sum(map(bool, map(UNLABELLED.match, parameters)))


def check(texts: Iterable[Tuple[str, str]]) -> List[Violation]:
    """The violations of files, each a path and a text."""
    found: List[Violation] = []
    conditions: Dict[str, List[Violation]] = defaultdict(list)
    ifs: Dict[str, int] = defaultdict(int)
    for path, text in texts:
        words = prose(path, text)
        folder = "/".join(path.split("/")[:2])
        ifs[folder] += len(IF.findall(words))

        def violation(match: "re.Match[str]", rule: str) -> Violation:
            return Violation(path, words.count("\n", 0, match.start()) + 1, rule)

        for rule, pattern in RULES:
            found += [violation(match, rule) for match in pattern.finditer(words)]
        for match in WHERE.finditer(words):
            if is_condition(words, match):
                conditions[folder].append(violation(match, '"if", not "where" (at most a third)'))
        if path.endswith(".swift"):
            for line, count in unlabelled(text):
                if count > 4:
                    found.append(Violation(path, line, f"{count} unlabelled parameters, not 4"))
    for folder, where in conditions.items():
        if 2 * len(where) > ifs[folder]:
            found += where
    return sorted(found)


def main() -> int:
    git = ["git", "ls-files", "-co", "--exclude-standard", "--", *sys.argv[1:]]
    listed = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = [path for path in sorted(set(listed.splitlines())) if not path.startswith(SKIPPED)]
    paths = [path for path in paths if is_checked(path) and (ROOT / path).is_file()]
    found = check((path, (ROOT / path).read_text("utf-8")) for path in paths)
    for violation in found:
        print(f"{violation.path}:{violation.line}: {violation.rule}")
    print(f"style: {len(found)} violations in {len(paths)} files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
