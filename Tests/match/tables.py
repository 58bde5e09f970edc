#!/usr/bin/env python3
"""Writes Sources/FuzzyMatch/UnicodeTables.swift and Sources/ListText/WideCharacters.swift from the
Unicode data of Debian's `unicode-data`.

usage: tables.py [--check]

With --check nothing is written, and the exit status is 1 if a file is not up to date.
"""

# Promise: Letters are those of Debian's Unicode data. Also `TextTests`.

import pathlib
import sys

DATA = pathlib.Path("/usr/share/unicode")
SOURCES = pathlib.Path(__file__).resolve().parents[2] / "Sources"

# The numbers of `CharacterClass`.
WHITE, NON_WORD, LOWER, UPPER, LETTER, NUMBER = 0, 1, 3, 4, 5, 6
BY_CATEGORY = {
    "Ll": LOWER, "Lu": UPPER, "Lt": UPPER, "Lm": LETTER, "Lo": LETTER,
    "Nd": NUMBER, "Nl": NUMBER, "No": NUMBER,
}
LAST = 0x10FFFF


def fields(name):
    """Yields the fields of each line of a file, without comments."""
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        line = line.split("#")[0].strip()
        if line:
            yield [field.strip() for field in line.split(";")]


def classes():
    """Returns the class of each code point."""
    result = bytearray([NON_WORD]) * (LAST + 1)
    first = None
    for code, name, category, *_ in fields("UnicodeData.txt"):
        code = int(code, 16)
        if name.endswith(", First>"):
            first = code
            continue
        start = first if name.endswith(", Last>") else code
        for point in range(start, code + 1):
            result[point] = BY_CATEGORY.get(category, NON_WORD)
        first = None
    for points, name, *_ in fields("PropList.txt"):
        if name == "White_Space":
            start, _, end = points.partition("..")
            for point in range(int(start, 16), int(end or start, 16) + 1):
                result[point] = WHITE
    return result


def class_runs():
    """Returns the first code point and the class of each run of code points of one class."""
    runs = []
    for point, number in enumerate(classes()):
        if not runs or runs[-1][1] != number:
            runs.append((point, number))
    return runs


def fold_runs():
    """Returns the runs of every or every second code point that folding moves by the same distance."""
    folds = sorted(
        (int(code, 16), int(target, 16))
        for code, status, target, *_ in fields("CaseFolding.txt")
        if status in "CS"
    )
    runs = []
    for code, target in folds:
        distance = target - code
        if runs:
            first, last, stride, known = runs[-1]
            step = code - last
            if known == distance and step in (1, 2) and (first == last or step == stride):
                runs[-1] = (first, code, step, distance)
                continue
        runs.append((code, code, 1, distance))
    return runs


def wide_runs():
    """Returns the first and the last code point of each run of wide and full-width code points."""
    runs = []
    for points, width in sorted(fields("EastAsianWidth.txt"), key=lambda f: int(f[0].split(".")[0], 16)):
        if width not in "WF":
            continue
        start, _, end = points.partition("..")
        start, end = int(start, 16), int(end or start, 16)
        if runs and runs[-1][1] + 1 == start:
            runs[-1] = (runs[-1][0], end)
        else:
            runs.append((start, end))
    return runs


def lines(numbers):
    """Yields lines with as many numbers as fit."""
    line = "   "
    for number in numbers:
        word = f" {number},"
        if len(line) + len(word) > 100:
            yield line
            line = "   "
        line += word
    yield line


def wide_table():
    version = (DATA / "EastAsianWidth.txt").read_text(encoding="utf-8").split("\n")[0].lstrip("# ")
    runs = [f"0x{start:X}...0x{end:X}" for start, end in wide_runs()]
    return "\n".join(
        [
            f"// Written by Tests/match/tables.py from {version}.",
            "",
            "enum WideCharacters {",
            "  /// The runs of code points whose East Asian Width is wide or full-width, ascending.",
            "  // swift-format-ignore",
            "  static let runs: [ClosedRange<UInt32>] = [",
            *lines(runs),
            "  ]",
            "}",
            "",
        ]
    )


def table():
    version = (DATA / "CaseFolding.txt").read_text(encoding="utf-8").split("\n")[0].lstrip("# ")
    runs = [f"0x{point << 3 | number:X}" for point, number in class_runs()]
    folds = [f"{number}" for run in fold_runs() for number in run]
    return "\n".join(
        [
            f"// Written by Tests/match/tables.py from {version}.",
            "",
            "/// Unicode data of the characters in queries and texts.",
            "enum UnicodeTables {",
            "  /// The runs of code points of one class, ascending: the first code point times eight, plus",
            "  /// the number of the `CharacterClass`.",
            "  // swift-format-ignore",
            "  static let classRuns: [UInt32] = [",
            *lines(runs),
            "  ]",
            "",
            "  /// The runs of code points that simple folding moves by the same distance, four numbers",
            "  /// each: the first and the last code point, the stride, the distance.",
            "  // swift-format-ignore",
            "  static let foldRuns: [Int32] = [",
            *lines(folds),
            "  ]",
            "}",
            "",
        ]
    )


def main():
    for name, text in [
        ("FuzzyMatch/UnicodeTables.swift", table()),
        ("ListText/WideCharacters.swift", wide_table()),
    ]:
        target = SOURCES / name
        if "--check" not in sys.argv[1:]:
            target.write_text(text, encoding="utf-8")
        elif target.read_text(encoding="utf-8") != text:
            print(f"{target} is not what {sys.argv[0]} writes")
            return 1
    print(
        f"{len(class_runs())} runs of classes, {len(fold_runs())} runs of folds, "
        f"{len(wide_runs())} runs of wide characters"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
