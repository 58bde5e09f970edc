"""The style check finds what it forbids, and nothing else."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path
from typing import List, Tuple

sys.path.insert(0, str(Path(__file__).parent))
from check import check  # noqa: E402
from prose import COMMENTS  # noqa: E402

# By suffix, a file with one comment.
FILES = {
    ".swift": 'let url = "http://is.no/x"  // {}', ".py": 'x = "# is no"\n# {}', ".lua": "x = 1 -- {}",
    ".js": "x();  // {}", ".mjs": "/**\n * {}\n */", ".ts": "// {}", ".css": "/* {} */",
    ".c": "/* {} */", ".go": "// {}", ".vim": "let x = 1\n# {}", ".el": "(x) ;; {}", ".sh": "x # {}",
    ".bash": "# {}", ".yml": "a: b # {}", "": "#!/bin/sh\n# {}", ".md": "{}", ".txt": "  {}",
}  # fmt: skip
FORBIDDEN = {
    "A row is no item.": "is not a", "Rows are\n# no items.": "is not a", "Tells the rows.": "tells",
    "What it was told.": "tells", "The rest is passed over.": "passed over",
    "The edit is taken back.": "taken back", "Pieces are put together.": "put together",
    "An identifier given twice.": "given twice", "The row is gone.": "is gone",
    "Bytes of chance.": "of chance", "Asked again, for it may be late.": "for it may be",
    "Who reads does not wait.": "who reads", "It sees to it.": "sees to it",
    "Is nil where there is none.": "where", "Where it fails, nothing changes.": "where",
}  # fmt: skip
ALLOWED = [
    "It is no longer there.", "There is no list.", "Tells apart two rows.",
    "`is no` and `given twice` are code.",
    'The words "is gone" are a quotation.', "Returns where the row is.", "The row where it begins.",
    "Where the lines begin.", "O(*n*), where *n* is the number of rows.", "If there is none, it fails.",
]  # fmt: skip


def rules(path: str, text: str) -> List[Tuple[int, str]]:
    return [(violation.line, violation.rule) for violation in check([(path, text)])]


class Style(unittest.TestCase):
    def test_every_phrase_is_found(self) -> None:
        for sentence, rule in FORBIDDEN.items():
            found = rules("Tests/x.py", f"x = 1\n# {sentence}\n")
            self.assertEqual(len(found), 1, sentence)
            self.assertIn(f'"{rule}"', found[0][1])
            self.assertEqual(found[0][0], 2)

    def test_plain_sentences_are_allowed(self) -> None:
        for sentence in ALLOWED:
            self.assertEqual(rules("Tests/x.py", f"# {sentence}\n"), [], sentence)

    def test_comments_of_every_language_are_found(self) -> None:
        self.assertEqual(set(FILES), set(COMMENTS))
        for suffix, text in FILES.items():
            found = rules(f"Tests/x{suffix}", text.replace("{}", "The row is gone."))
            self.assertEqual(len(found), 1, (suffix, found))

    def test_docstrings_and_descriptions_are_found(self) -> None:
        text = 'def f():\n    """Is\n    gone: the row is gone."""\n    return "is gone"\n'
        self.assertEqual([line for line, _ in rules("a/b.py", text)], [2, 3])
        text = '{\n"name": "is gone",\n"description": "The row is gone."}'
        self.assertEqual([line for line, _ in rules("a/protocol.json", text)], [3])

    def test_code_in_documents_is_not_read(self) -> None:
        text = "One.\n\n```sh\nrow is gone\n```\n\nTwo `is gone` and “is gone”.\nThe row is gone.\n"
        self.assertEqual([line for line, _ in rules("a.md", text)], [8])

    def test_a_third_of_the_conditions_may_be_where(self) -> None:
        where, plain = "// Is nil where there is none.\n", "// Is nil if there is none.\n"
        self.assertEqual(rules("a/x.swift", where + plain * 2), [])
        self.assertEqual([line for line, _ in rules("a/x.swift", where * 2 + plain * 3)], [1, 2])
        # A folder is judged as a whole.
        files = [("a/b/x.swift", where), ("a/b/y.swift", plain * 2), ("a/c/z.swift", where)]
        self.assertEqual([violation.path for violation in check(files)], ["a/c/z.swift"])

    def test_functions_have_at_most_four_parameters_without_a_label(self) -> None:
        four = "func f<T>(\n  _ a: Int, _ b: (Int, Int) -> T, c: Int, _ d: [Int: T], _ e: Int = 1\n) {}"
        self.assertEqual(rules("a/x.swift", four), [])
        five = "let x = 1\ninit(_ a: Int, _ b: Int, _ c: Int, _ d: Int, @Sendable _ e: Int) {}"
        self.assertEqual(rules("a/x.swift", five), [(2, "5 unlabelled parameters, not 4")])
        self.assertEqual(rules("a/x.swift", five.replace("init", '@_cdecl("f")\npublic func f')), [])


if __name__ == "__main__":
    unittest.main()
