"""Promises are found, and tests that they name and that do not exist."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from promises import missing, promises  # noqa: E402

FILES = {
    "Tests/a.py": "# Promise: Rows stay, and\n#   what belongs to them. Also `test_b`,\n#   `c.swift`.\ndef test_a(): ...\n",
    "Tests/c.swift": "  /// A sum.\n  ///\n  /// Promise: It is least.\n  /// Promise: It is fast. Also `d`.\n",
    "Tests/e.lua": "-- Promise: No. Also `f/g.py`.\nlocal test_b\n",
}


class Promises(unittest.TestCase):
    def test_they_are_found(self) -> None:
        found = [(one.words, one.others, one.line) for one in promises(FILES)]
        self.assertEqual(found, [
            ("Rows stay, and what belongs to them.", ["test_b", "c.swift"], 1),
            ("It is least.", [], 3), ("It is fast.", ["d"], 4), ("No.", ["f/g.py"], 1),
        ])  # fmt: skip

    def test_what_does_not_exist_is_reported(self) -> None:
        self.assertEqual(
            missing(FILES), ["Tests/c.swift:4: d does not exist", "Tests/e.lua:1: f/g.py does not exist"]
        )


if __name__ == "__main__":
    unittest.main()
