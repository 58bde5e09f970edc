"""Pages of `listd diff --format html` in Chromium."""

# Promise: Keys go to each change of a page, whose tables fit the window and have a contrast of 4.5 : 1 in both
#   colour schemes. Also `Tests/clients/web`.

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from browser import Tab


def page(folder: Path, *words: Any) -> str:
    """Writes a page and returns its address."""
    command = [os.environ["LISTD"], "diff", "--format=html", *map(str, words)]
    done = subprocess.run(command, stdout=subprocess.PIPE, timeout=60)
    assert done.returncode == 1
    (folder / "page.html").write_bytes(done.stdout)
    return f"file://{folder}/page.html"


CURRENT = "document.querySelector('[aria-current]')?.innerText.trim().split('\\n')[0].trim()"
PLACE = "document.querySelector('nav').innerText.replace(/[^0-9a-z ]/g, '').trim()"


def test_keys_go_to_changes(tmp_path: Path, browser: Tab) -> None:
    lines = [f"line {n}\n" for n in range(1000)]
    (tmp_path / "old").write_text("".join(lines))
    for n in (100, 101, 400, 900):
        lines[n] = f"changed {n}\n"
    (tmp_path / "new").write_text("".join(lines))
    browser.open(page(tmp_path, tmp_path / "old", tmp_path / "new", "--context=40"))
    browser.wait("document.readyState", "complete")
    assert browser.run(PLACE) == "3 changes" and browser.run(CURRENT) is None
    row = "document.querySelector('[aria-current]').getBoundingClientRect()"
    for key, place, text in (
        ("n", "1 of 3", "101"), ("n", "2 of 3", "401"), ("j", "3 of 3", "901"), ("n", "3 of 3", "901"),
        ("p", "2 of 3", "401"), ("k", "1 of 3", "101"), ("p", "1 of 3", "101"),
    ):  # fmt: skip
        browser.press(key, text=key)
        assert browser.run(PLACE) == place and browser.run(CURRENT).split()[0] == text, key
        assert browser.run(f"{row}.top >= 0 && {row}.bottom <= innerHeight"), "the change is on the screen"
        assert browser.run("document.querySelectorAll('[aria-current]').length") == 1
    # From where the reader has scrolled to.
    browser.run("scrollTo(0, document.body.scrollHeight)")
    browser.press("p", text="p")
    assert browser.run(PLACE) in ("2 of 3", "3 of 3")
    browser.click("nav button:last-child")
    assert browser.run(PLACE) == "3 of 3"
    # The keys of the browser stay as they are.
    browser.press("n", modifiers=2)
    assert browser.run(PLACE) == "3 of 3"


def test_keys_go_to_files(tmp_path: Path, browser: Tab) -> None:
    for side in ("a", "b"):
        (tmp_path / side).mkdir()
        for name in ("one", "two"):
            (tmp_path / side / name).write_text(f"{side}\n")
    browser.open(page(tmp_path, tmp_path / "a", tmp_path / "b"))
    browser.wait("document.readyState", "complete")
    for key, end in (("N", "one"), ("n", "a"), ("N", "two"), ("n", "a"), ("P", "two"), ("P", "one")):
        browser.press(key, text=key)
        assert browser.run(CURRENT).endswith(end), key


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1200])
def test_tables_fit_and_have_contrast(tmp_path: Path, browser: Tab, width: int, scheme: str) -> None:
    rows = [[str(n), f"name {n}", str(n * 7), "note"] for n in range(300)]
    for side in ("old", "new"):
        (tmp_path / f"{side}.csv").write_text("id,name,v,w\n" + "".join(",".join(row) + "\n" for row in rows))
        rows[200][2], rows[5:7] = "x", []
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.open(page(tmp_path, tmp_path / "old.csv", tmp_path / "new.csv"))
    browser.wait("document.readyState", "complete")
    browser.picture(width, 800)
    assert browser.run("document.documentElement.scrollWidth") == width
    light = browser.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert light == (scheme == "light")
    # All hunks have the same columns, whose names stay at the top.
    tops = "[...document.querySelectorAll('td:nth-child(5)')].map((cell) => cell.getBoundingClientRect().left)"
    assert len(set(browser.run(tops))) == 1
    browser.press("n", text="n")
    browser.press("n", text="n")
    assert browser.run("document.querySelector('thead th:nth-child(5)').innerText") == "name"
    lowest = browser.run("""(() => {
      const part = (value) => (value /= 255) <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
      const light = (colour) => {
        const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map(part);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const behind = (element) => {
        const colour = getComputedStyle(element).backgroundColor;
        return colour === "rgba(0, 0, 0, 0)" ? behind(element.parentElement) : colour;
      };
      return Math.min(...[...document.querySelectorAll("td, th, p, h1, del, ins, nav span")].map((element) => {
        const [a, b] = [light(getComputedStyle(element).color), light(behind(element))].sort((x, y) => y - x);
        return (a + 0.05) / (b + 0.05);
      }));
    })()""")
    assert lowest >= 4.5
