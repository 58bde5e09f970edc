"""Qt's own model tester checks the signals of changes."""

# Promise: Qt's `QAbstractItemModelTester` accepts 3,000 random changes, and persistent indexes follow their rows.

from __future__ import annotations

import subprocess
from pathlib import Path

import listd

REFEREE = Path(__file__).resolve().parents[1] / "qt" / "referee.py"
# Debian's Python, which has Debian's PyQt5.
PYTHON = "/usr/bin/python3"


def test_qt_accepts_every_change() -> None:
    ran = subprocess.run(
        [PYTHON, str(REFEREE), "3000"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        timeout=300, env={"LISTD": listd.find(), "QT_QPA_PLATFORM": "offscreen"},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout.decode()[-3000:]
    words = ran.stdout.decode().split()
    assert words[:2] == ["3000", "changes"] and int(words[3]) > 2000
