"""The program and the page in clients/web/README.md."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from browser import Tab

WEB = Path(__file__).resolve().parents[3] / "clients" / "web"
PAGE = (WEB / "README.md").read_text("utf-8")


def test_a_page_of_your_own(tmp_path: Path, browser: Tab) -> None:
    [program] = re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)
    [page] = re.findall(r"^```html\n(.*?)^```$", PAGE, re.M | re.S)
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text(page)
    with subprocess.Popen(
        [sys.executable, "-B", "-c", program], cwd=tmp_path, stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(WEB)},
    ) as process:  # fmt: skip
        assert process.stdout
        browser.open(process.stdout.readline().decode().strip())
        names = "[...document.querySelectorAll('.listd-row span')].map((one) => one.textContent)"
        browser.wait(names, ["Anna", "Ben"])
        browser.run("window.note = document.querySelectorAll('input')[1]; note.value = 'mine'")
        browser.run("document.querySelector('[data-id=\"1\"]').focus()")
        browser.press("Enter")
        browser.wait(names, ["Ben"])
        assert browser.run("[note.isConnected, note.value]") == [True, "mine"]
        process.kill()


def test_all_screens_have_a_picture() -> None:
    examples = WEB / "examples"
    programs = {one.stem for one in examples.glob("*.html")}
    assert programs == {one.name for one in examples.iterdir() if one.is_file() and not one.suffix}
    assert programs | {"table"} == {one.stem for one in (examples / "pictures").iterdir()}
    for name in programs:
        assert f"(examples/{name})" in PAGE and f"(examples/pictures/{name}.png)" in PAGE


def test_the_recorded_table(browser: Tab) -> None:
    browser.open(f"{(WEB / 'processes.html').as_uri()}#sort=-%25CPU&q='postgres")
    first = "document.querySelector('.listd-row')?.textContent ?? ''"
    browser.wait(f"({first}).includes('postgres')")
    browser.wait("Number(time.value) > 1000")
    assert browser.run("document.querySelector('h1').textContent") == "Processes"
