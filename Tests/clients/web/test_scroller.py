"""Windows on lists of any size."""

from __future__ import annotations

import time
from typing import List

from browser import Tab

from bridge import Bridge, listd  # isort: skip

SCROLLING = """<!doctype html><meta charset="utf-8">
<style>.listd-row { height: 30px; box-sizing: border-box } ul { margin: 0; padding: 0 }</style>
<div id="list" style="height: 300px; overflow: auto"></div>
<script type="module">
  import { connect, Scroller } from "/listd/listd.js";
  window.bridge = connect();
  const Cell = (row, { text }) => { row.textContent = text; };
  window.scroller = new Scroller(document.getElementById("list"), bridge, "l", {
    rowHeight: 30, label: "l", templates: { Cell },
  });
</script>"""


# The texts of the visible rows.
SHOWN = (
    "(() => { const box = document.getElementById('list').getBoundingClientRect();"
    " return [...document.querySelectorAll('.listd-row')].filter((row) => {"
    " const r = row.getBoundingClientRect(); return r.bottom > box.top + 1 && r.top < box.bottom - 1;"
    " }).map((row) => row.textContent); })()"
)


def rows(first: int) -> List[str]:
    return [f"row {first + k}" for k in range(10)]


def test_a_window_on_a_huge_list(bridge: Bridge, browser: Tab) -> None:
    (bridge.folder / "index.html").write_text(SCROLLING)
    inbox = bridge.daemon.list("l")
    inbox.apply([{"id": id, "text": f"row {id}"} for id in range(100_000)])
    browser.open(bridge.address)
    browser.wait("window.scroller !== undefined")
    browser.wait(SHOWN, rows(0))
    assert browser.run("scroller.element.scrollHeight") == 3_000_000
    for first in (50_000, 50_004, 99_990, 7):
        browser.run(f"scroller.element.scrollTop = {first * 30}")
        browser.wait(SHOWN, rows(first))
        assert browser.run("document.querySelectorAll('.listd-row').length") < 40
    # Inserted rows above the window do not move the visible rows.
    browser.run("scroller.element.scrollTop = 1500 * 30")
    browser.wait(SHOWN, rows(1500))
    inbox.edit(listd.edits.insert_items(*[{"id": -1 - k, "text": "new"} for k in range(3)], before=0))
    browser.wait("scroller.list.view.total", 100_003)
    browser.wait(SHOWN, rows(1500))
    browser.run("scroller.show({ sort: [{ by: 'id', order: 'descending' }] })")
    browser.run("scroller.element.scrollTop = 0")
    browser.wait(SHOWN, [f"row {99_999 - k}" for k in range(10)])
    # The view ends with its page.
    assert len(bridge.daemon.lists()) == 2
    browser.open("about:blank")
    end = time.monotonic() + 30
    while len(bridge.daemon.lists()) > 1:
        inbox.edit(listd.edits.append_items(f"{time.monotonic()}"))
        assert time.monotonic() < end
        time.sleep(0.1)


FOCUSED = "document.activeElement.closest('.listd-row')?.dataset.id ?? null"


# Promise: In a page with a window, keys reach the whole list, and the scroll bar reaches more rows than fit the
#   maximum height of an element. Also `test_more_rows_than_fit_the_height_of_an_element`.
def test_keys_in_a_window(bridge: Bridge, browser: Tab) -> None:
    """Keys move through the whole list, and the accessible position of a row is that in the
    whole list."""
    (bridge.folder / "index.html").write_text(SCROLLING)
    bridge.daemon.list("l").apply([{"id": id, "text": f"row {id}"} for id in range(5000)])
    browser.open(bridge.address)
    browser.wait("window.scroller?.list.rows.length > 0")
    browser.run("document.querySelector('[data-id=\"0\"]').focus()")
    position = "`${document.activeElement.ariaPosInSet} of ${document.activeElement.ariaSetSize}`"
    keys = [("End", 4999), ("ArrowUp", 4998), ("Home", 0), ("PageUp", 0)]
    keys += [("PageDown", row) for row in (10, 20, 30, 40)]
    keys += [("ArrowDown", row) for row in range(41, 75)]
    keys += [("ArrowUp", row) for row in range(73, 35, -1)]
    for key, row in keys:
        browser.press(key)
        browser.wait(FOCUSED, str(row))
        assert browser.run(position) == f"{row + 1} of 5000"
        seen = (
            "(() => { const { top, bottom } = scroller.element.getBoundingClientRect();"
            " const r = document.activeElement.getBoundingClientRect();"
            " return r.top >= top - 1 && r.bottom <= bottom + 1; })()"
        )
        browser.wait(seen)
    browser.wait("scroller.list.at(scroller.list.cursor)?.content.id", 36)


def test_the_focus_while_rows_arrive_late(bridge: Bridge, browser: Tab) -> None:
    """The rows that a page looks ahead for leave the focus where it is as long as its row is seen."""
    (bridge.folder / "index.html").write_text(SCROLLING)
    bridge.daemon.list("l").apply([{"id": id, "text": f"row {id}"} for id in range(5000)])
    browser.open(bridge.address)
    browser.wait("window.scroller?.list.rows.length > 0")
    browser.run(
        "(() => { const call = bridge.call.bind(bridge), late = () => new Promise((done) => setTimeout(done, 500));"
        " bridge.call = (...words) => late().then(() => call(...words)); })()"
    )
    for first in (1000, 2000, 3000, 4000):  # The page learns how late answers are.
        browser.run(f"scroller.element.scrollTop = {first * 30}")
        browser.wait(SHOWN, rows(first))
    browser.run("document.querySelector('[data-id=\"4008\"]').focus({ preventScroll: true })")
    # Fast, but not so far that the focused row leaves the screen.
    browser.run(
        "(async () => { for (let step = 0; step < 8; step++) { scroller.element.scrollTop += 28;"
        " await new Promise(requestAnimationFrame); } })()"
    )
    browser.wait("[scroller.list.start, scroller.list.rows.length].join()", "3997,31")
    assert browser.run(FOCUSED) == "4008"
    browser.press("ArrowDown")
    browser.wait(FOCUSED, "4009")


def test_a_window_on_an_outline(bridge: Bridge, browser: Tab) -> None:
    """The height is that of the shown rows, and follows expansion."""
    page = SCROLLING.replace('label: "l"', 'label: "l", role: "tree", view: { tree: { parent: "up" } }')
    (bridge.folder / "index.html").write_text(page)
    roots = [{"id": id, "text": f"root {id}"} for id in range(100)]
    leaves = [{"id": 1000 + id, "text": f"leaf {id}", "up": 1} for id in range(900)]
    bridge.daemon.list("l").apply(roots + leaves)
    browser.open(bridge.address)
    browser.wait("window.scroller?.element.scrollHeight", 3000)
    browser.run("document.querySelector('[data-id=\"1\"]').focus()")
    browser.press("ArrowRight")
    browser.wait("scroller.element.scrollHeight", 30_000)
    browser.press("End")
    browser.wait(FOCUSED, "99")
    assert browser.run("document.activeElement.getAttribute('aria-level')") == "1"
    browser.press("ArrowUp")
    browser.wait("document.activeElement.textContent", "root 98")


def test_more_rows_than_fit_the_height_of_an_element(bridge: Bridge, browser: Tab) -> None:
    """Browsers limit the height of an element; here the limit is a tenth of the height of all
    rows."""
    page = SCROLLING.replace('label: "l"', 'label: "l", limit: 30_000')
    (bridge.folder / "index.html").write_text(page)
    bridge.daemon.list("l").apply([{"id": id, "text": f"row {id}"} for id in range(10_000)])
    browser.open(bridge.address)
    browser.wait("window.scroller?.element.scrollHeight", 30_000)
    browser.wait(SHOWN, rows(0))
    for top, first in [(29_700, 9990), (0, 0), (14_850, 4995)]:
        browser.run(f"scroller.element.scrollTop = {top}")
        browser.wait(SHOWN, rows(first))
    # Small steps are exact, from any position to the end and to the beginning.
    for start, by, end in [(29_000, 300, 299_700), (1_000, -300, 0)]:
        browser.run(f"scroller.element.scrollTop = {start}")
        top = start + round(start / 29_700 * 270_000)
        browser.wait("scroller.space.top", top)
        while top != end:
            top = min(top + by, end) if by > 0 else max(top + by, end)
            # A browser reports scrolling once in each frame.
            browser.run(
                f"scroller.element.scrollTop += {by};"
                " new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))"
            )
            found = browser.run("[scroller.space.top, scroller.space.offset, scroller.element.scrollTop]")
            assert abs(found[0] - top) < 2, (found, top)
            browser.wait(f"{SHOWN}[0] === `row ${{Math.floor((scroller.space.top + 1) / 30)}}`")
    browser.run("document.querySelector('.listd-row').focus()")
    for key, row in [("End", 9999), ("ArrowUp", 9998), ("Home", 0), ("ArrowDown", 1), ("PageDown", 11)]:
        browser.press(key)
        browser.wait(FOCUSED, str(row))
        browser.wait(SHOWN + f".includes('row {row}')")


def test_a_window_of_a_list_with_a_key(bridge: Bridge, browser: Tab) -> None:
    (bridge.folder / "index.html").write_text(SCROLLING.replace("rowHeight: 30,", 'rowHeight: 30, key: "n",'))
    bridge.daemon.list("l", key="n").apply([{"n": n, "text": f"row {n}"} for n in range(1000)])
    browser.open(bridge.address)
    browser.wait("window.scroller !== undefined")
    browser.wait(SHOWN, rows(0))
    ids = "[...document.querySelectorAll('.listd-row')].slice(0, 3).map((row) => row.dataset.id)"
    assert browser.run(ids) == ["0", "1", "2"]
