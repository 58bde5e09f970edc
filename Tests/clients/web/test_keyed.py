"""The operations of js-framework-benchmark: the rows that stay are the same elements, and no others."""

# Promise: The operations of js-framework-benchmark keep the elements of rows that stay, and no others, and measure
#   only rows near the screen; `keyed.py` compares their times with `vanillajs`.

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, List

import keyed
import pytest
from browser import Tab

KEPT = {"update": range(1000), "select": range(1000), "swap": [0, 998, *range(2, 998), 1, 999],
        "remove": [0, 1, 2, *range(4, 1000)], "append": [*range(1000), *[-1] * 1000],
        "create": [-1] * 1000, "replace": [-1] * 1000, "create many": [-1] * 10_000, "clear": []}  # fmt: skip


@pytest.mark.parametrize("operation", keyed.OPERATIONS)
def test_rows_are_keyed(tmp_path: Path, browser: Tab, operation: str) -> None:
    before, after = keyed.states(operation)
    first, second = keyed.news(operation, None)
    browser.open(keyed.page(tmp_path).as_uri())
    browser.wait("window.measure !== undefined")
    shown = "[...document.querySelectorAll('li')]"
    browser.run(f"measure([], {json.dumps(first)}), window.rows = {shown}, 0")
    texts: Any = browser.run("rows.map((row) => row.children[1].textContent)")
    assert texts == [one["label"] for one in before]
    browser.run(f"measure([], {json.dumps(second)})")
    assert browser.run(f"{shown}.map((row) => rows.indexOf(row))") == list(KEPT[operation])
    selected: List[int] = browser.run(f"{shown}.flatMap((row, at) => row.ariaSelected === 'true' ? [at] : [])")
    if isinstance(after, int):
        assert selected == [after - 1]
    else:
        found = browser.run(f"{shown}.map((row) => [Number(row.dataset.id), row.children[1].textContent])")
        assert found == [[one["id"], one["label"]] for one in after] and selected == []


def test_few_rows_are_measured(tmp_path: Path, browser: Tab) -> None:
    """The cost of a change does not depend on the rows that are not on the screen."""
    first, second = keyed.news("remove", None)
    browser.open(keyed.page(tmp_path).as_uri())
    browser.wait("window.measure !== undefined")
    browser.run(
        "window.count = 0; const own = Element.prototype.getBoundingClientRect;"
        " Element.prototype.getBoundingClientRect = function () { count++; return own.call(this); }, 0"
    )
    browser.run(f"measure([], {json.dumps(first)}), count = 0")
    browser.run(f"measure([], {json.dumps(second)})")
    assert 0 < browser.run("count") < 200
