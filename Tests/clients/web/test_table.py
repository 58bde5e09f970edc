"""The table of `listd page`: columns, order, filter, groups, selection, keys, and a list of any size."""

# Promise: The table sorts, filters, groups and selects by mouse and keys, is a grid for assistive technology, has
#   at most 300 elements for any number of rows, and shows hostile texts as texts, in seven tabs.

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any, Callable, Dict, List

import pytest
from browser import Browser, Tab

from bridge import listd  # isort: skip

ERRORS = "window.errors = []; addEventListener('error', (one) => errors.push(one.message));"
HEADERS = "[...document.querySelectorAll('[role=columnheader]')].map((one) => one.textContent)"
SORTED = (
    "[...document.querySelectorAll('[aria-sort]')].map((one) =>"
    " `${one.textContent} ${one.getAttribute('aria-sort')}`)"
)
COUNT = "document.getElementById('count').textContent"
FOCUSED = "document.activeElement.closest('.listd-row')?.firstChild.textContent ?? document.activeElement.id"
PRICES = "sku,name,price\n7,Bread,2.5\n8,Ale,10.25\n9,Curry,9\n12,Dumplings,\n"


def column(index: int) -> str:
    return f"[...document.querySelectorAll('.listd-row')].map((row) => row.children[{index}]?.textContent)"


def sort(tab: Tab, name: str) -> None:
    tab.run(f"[...document.querySelectorAll('.columns button')].find((one) => one.textContent === '{name}').click()")


def query(tab: Tab, text: str) -> None:
    field = "document.getElementById('query')"
    tab.run(f"{field}.value = {json.dumps(text)}; {field}.dispatchEvent(new Event('input')), 0")


def group(tab: Tab, name: str) -> None:
    tab.run(f"groups.value = '{name}'; groups.dispatchEvent(new Event('change')), 0")


@pytest.fixture
def prices(tmp_path: Path) -> Path:
    file = tmp_path / "prices.csv"
    file.write_text(PRICES)
    return file


@pytest.fixture
def page(prices: Path, serve: Callable[..., str], chromium: Browser) -> Any:
    tab = chromium.tab(ERRORS)
    tab.open(serve("page", "--port=0", prices))
    tab.wait(column(0), ["7", "8", "9", "12"])
    yield tab
    assert tab.run("errors") == []
    tab.close()


def test_the_later_of_two_orders_is_shown_though_it_is_carried_out_first(page: Tab) -> None:
    page.run(
        "const real = fetch, waits = [300]; window.composed = 0; window.fetch = async (url, options) => {"
        " if (!options?.body?.includes('compose')) return real(url, options);"
        " await new Promise((done) => setTimeout(done, waits.shift() ?? 0));"
        " const answer = await real(url, options); composed += 1; return answer; }, 0"
    )
    sort(page, "price")
    sort(page, "price")
    page.wait("composed", 3)
    page.wait(column(2), ["10.25", "9.00", "2.50", ""])


def test_columns_and_order(page: Tab, prices: Path) -> None:
    assert page.run(HEADERS) == ["sku", "name", "price"]
    assert page.run("document.querySelector('h1').textContent") == "prices.csv"
    assert page.run(COUNT) == "4 rows"
    # Values of a column of numbers are compared as numbers.
    sort(page, "price")
    page.wait(column(2), ["", "2.50", "9.00", "10.25"])
    assert page.run(SORTED) == ["price ascending"]
    page.run("window.rows = [...document.querySelectorAll('.listd-row')]")
    sort(page, "price")
    page.wait(column(2), ["10.25", "9.00", "2.50", ""])
    now = "[...document.querySelectorAll('.listd-row')].map((row) => rows.indexOf(row))"
    assert page.run(now) == [3, 2, 1, 0] and page.run(SORTED) == ["price descending"]
    sort(page, "price")
    page.wait(column(0), ["7", "8", "9", "12"])
    assert page.run(SORTED) == []
    sort(page, "name")
    page.wait(column(1), ["Ale", "Bread", "Curry", "Dumplings"])
    # A reload shows the same.
    query(page, "!ale")
    page.wait(column(1), ["Bread", "Curry", "Dumplings"])
    page.call("Page.reload")
    page.wait(f"window.scroller && {SORTED}", ["name ascending"])
    page.wait(column(1), ["Bread", "Curry", "Dumplings"])
    query(page, "")
    page.wait(column(1), ["Ale", "Bread", "Curry", "Dumplings"])
    # A column that no row had before.
    prices.write_text("sku,name,price,note\n7,Bread,2.5,fresh\n")
    page.wait(HEADERS, ["sku", "name", "price", "note"])
    page.wait(column(3), ["fresh"])
    # Other rows, and the first ones again.
    prices.write_text("city,people\nRome,3\n")
    page.wait(HEADERS, ["city", "people"])
    prices.write_text(PRICES)
    page.wait(HEADERS, ["sku", "name", "price"])
    page.wait(column(2), ["10.25", "2.50", "9.00", ""])


def test_filter_and_empty_states(page: Tab, prices: Path) -> None:
    said = "document.getElementById('said').textContent"
    query(page, "^b")
    page.wait(COUNT, "1 of 4")
    page.wait(column(1), ["Bread"])
    page.wait(said, "1 of 4")
    assert page.run("empty.hidden")
    query(page, "nothing like this")
    page.wait("empty.hidden", False)
    assert page.run("empty.querySelector('span').textContent") == "None of 4 rows matches."
    page.click("#empty button")
    page.wait(column(1), ["Bread", "Ale", "Curry", "Dumplings"])
    assert page.run(FOCUSED) == "query"
    page.wait(said, "4 rows")
    prices.write_text("sku,name,price\n")
    page.wait("empty.hidden", False)
    assert page.run("empty.querySelector('span').textContent") == "There are no rows yet."
    # What the list itself does is not said.
    assert page.run(said) == "4 rows" and page.run(COUNT) == "0 rows"


def test_groups(tmp_path: Path, serve: Callable[..., str], browser: Tab) -> None:
    (tmp_path / "kinds.csv").write_text("sku,kind,price\n7,food,3\n8,drink,4\n9,food,1\n")
    page = browser
    page.open(serve("page", "--port=0", tmp_path / "kinds.csv"))
    page.wait(column(0), ["7", "8", "9"])
    group(page, "kind")
    shown = (
        "[...document.querySelectorAll('.listd-section')].map((one) =>"
        " [one.firstChild.textContent, one.querySelectorAll('.listd-row').length])"
    )
    page.wait(shown, [["drink1", 1], ["food2", 2]])
    sort(page, "price")
    page.wait(column(2), ["4", "1", "3"])
    # All rows have one height: headers are beside them.
    tops = "[...document.querySelectorAll('.listd-row')].map((row) => row.offsetTop)"
    assert page.run(tops) == [0, 28, 56]
    named = (
        "[...document.querySelectorAll('section[role=rowgroup]')]"
        ".map((one) => document.getElementById(one.getAttribute('aria-labelledby')).textContent)"
    )
    assert page.run(named) == ["drink1", "food2"]
    group(page, "")
    page.wait("document.querySelectorAll('.listd-section').length", 1)


def accessible(tab: Tab, role: str) -> List[Dict[str, Any]]:
    nodes = tab.call("Accessibility.getFullAXTree")["nodes"]
    return [
        {"name": node["name"]["value"], **{one["name"]: one["value"].get("value") for one in node["properties"]}}
        for node in nodes if node.get("role", {}).get("value") == role
    ]  # fmt: skip


def test_keys_and_assistive_technology(page: Tab) -> None:
    page.press("/", text="/")
    assert page.run(FOCUSED) == "query" and page.run("query.value") == ""
    page.press("ArrowDown")
    for key, row in [("ArrowDown", "8"), ("End", "12"), ("ArrowUp", "9"), ("Home", "7")]:
        page.press(key)
        page.wait(FOCUSED, row)
    page.press(" ", text=" ")
    selected = "[...document.querySelectorAll('[aria-selected=true]')].map((row) => row.firstChild.textContent)"
    page.wait(selected, ["7"])
    page.press("ArrowDown", modifiers=8)
    page.wait(selected, ["7", "8"])
    page.press("a", modifiers=2)
    page.wait(selected, ["7", "8", "9", "12"])
    page.press("Enter")
    page.wait("details.open")
    members = "[...details.querySelectorAll('dt, dd')].map((one) => one.textContent)"
    assert page.run(members) == ["sku", "8", "name", "Ale", "price", "10.25", "id", "8"]
    page.run("details.close()")
    [grid] = accessible(page, "grid")
    assert grid["name"] == "prices.csv" and grid["multiselectable"]
    assert page.run("[table.ariaRowCount, table.ariaColCount]") == ["5", "3"]
    assert [one["name"] for one in accessible(page, "columnheader")] == ["sku", "name", "price"]
    assert [one["name"] for one in accessible(page, "gridcell")][:3] == ["7", "Bread", "2.50"]
    rows = "[...document.querySelectorAll('[role=row]')].map((row) => row.ariaRowIndex)"
    assert page.run(rows) == ["1", "2", "3", "4", "5"]
    assert {one["name"] for one in accessible(page, "searchbox") + accessible(page, "combobox")} == {"Filter", "Groups"}


def test_rows_that_arrive_are_marked_once(page: Tab, prices: Path) -> None:
    arrived = "[...document.querySelectorAll('.listd-arrived')].map((row) => row.firstChild.textContent)"
    page.run("window.arrived = []; list.listen((_, effect) => setTimeout(() => window.arrived.push(...%s)))" % arrived)
    sort(page, "name")
    page.wait(column(1), ["Ale", "Bread", "Curry", "Dumplings"])
    assert page.run("arrived") == []
    prices.write_text(PRICES + "13,Anchovy,4\n")
    page.wait(column(1), ["Ale", "Anchovy", "Bread", "Curry", "Dumplings"])
    page.wait("arrived", ["13"])
    page.wait(arrived, [])


def test_a_million_rows_need_few_elements(tmp_path: Path, serve: Callable[..., str], browser: Tab) -> None:
    """Here they are 100,000; the page does not know the others."""
    file = tmp_path / "rows.ndjson"
    rows = ({"id": id, "name": f"file {id}", "size": id * 7919 % 100_003} for id in range(100_000))
    file.write_text("".join(json.dumps(one) + "\n" for one in rows))
    browser.call("Emulation.setDeviceMetricsOverride", width=1200, height=800, mobile=False, deviceScaleFactor=1)
    browser.open(serve("page", "--port=0", file))
    browser.wait("window.scroller?.list.rows.length > 0")
    browser.wait(COUNT, "100,000 rows")
    browser.run(
        "window.most = 0; new MutationObserver(() => {"
        " most = Math.max(most, document.querySelectorAll('*').length); })"
        ".observe(document, { subtree: true, childList: true }), 0"
    )
    row = "document.elementFromPoint(600, 430).closest('.listd-row')?.firstChild.textContent ?? null"
    # What stands above the table can still grow.
    there = "Math.floor((Math.min({}, 2800028 - table.clientHeight) + 430 - table.offsetTop - 28) / 28)"
    for top in (1_000_000, 2_799_200, 28_000, 0):
        browser.run(f"table.scrollTop = {top}")
        browser.wait(f"({row}) === String({there.format(top)})")
    # Steps as by a fast wheel.
    browser.run(
        "new Promise((done) => { let left = 60; const step = () => { table.scrollTop += 300;"
        " if (--left) requestAnimationFrame(step); else done(0); }; step(); })"
    )
    browser.wait(f"({row}) !== null")
    assert browser.run("most") <= 300
    # Where rows are missing, their places are seen.
    space = "getComputedStyle(document.querySelector('.listd-space'))"
    assert "repeating-linear-gradient" in browser.run(f"{space}.backgroundImage")
    assert browser.run(f"{space}.getPropertyValue('--listd-row')") == "28px"
    browser.run("document.querySelector('.listd-row').focus()")
    browser.press("End")
    browser.wait(FOCUSED, "99999")
    browser.press("PageUp")
    browser.wait(f"Number({FOCUSED}) < 99980 && Number({FOCUSED}) > 99960")


@pytest.mark.parametrize("width", [320, 2000])
def test_widths(page: Tab, width: int) -> None:
    page.call("Emulation.setDeviceMetricsOverride", width=width, height=600, mobile=False, deviceScaleFactor=1)
    assert page.run("document.documentElement.scrollWidth") == width, "only the table scrolls sideways"
    # Headers are above their columns, wherever the table is scrolled to.
    page.run("table.scrollLeft = 1e6")
    left = "[...{}.children].map((one) => Math.round(one.getBoundingClientRect().left))"
    head, row = (page.run(left.format(f"document.querySelector('.{name}')")) for name in ("columns", "listd-row"))
    assert head == row
    assert page.run("getComputedStyle(document.querySelector('.listd-row').children[1]).whiteSpace") == "nowrap"


def test_tabs_share_the_selection(page: Tab, chromium: Browser) -> None:
    """Seven: browsers open six connections to an address."""
    address = page.run("location.origin")
    tabs = [page] + [chromium.tab(beside=page) for _ in range(6)]
    for tab in tabs[1:]:
        tab.open(address)
    for tab in tabs:
        tab.wait(column(0), ["7", "8", "9", "12"])
    sort(tabs[6], "name")
    tabs[6].wait(column(1), ["Ale", "Bread", "Curry", "Dumplings"])
    tabs[6].click(".listd-row:nth-child(2)")
    for tab in tabs:
        tab.wait("document.querySelector('[aria-selected=true]')?.firstChild.textContent", "7")
    assert page.run(column(1)) == ["Bread", "Ale", "Curry", "Dumplings"], "each tab has its own order"


def test_hostile_texts(tmp_path: Path, serve: Callable[..., str], browser: Tab) -> None:
    strange = "</script><script>ran = 1</script><img src=x onerror='ran = 1'>\u202egnp.exe"
    names = [strange, "__proto__", "constructor", "a.b", "$x", "'\"&amp;", "--row: 1px"]
    rows = [{"id": strange, **{name: strange for name in names}}, {"id": 2, "__proto__": {"a": [strange]}}]
    file = tmp_path / f"{strange.replace('/', '_')}.json"
    file.write_text(json.dumps(rows))
    browser.open(serve("page", "--port=0", file))
    browser.wait("document.querySelectorAll('.listd-row').length", 2)
    assert browser.run("window.ran ?? null") is None
    shown = strange.replace("\u202e", "\\u202e")
    assert browser.run(HEADERS) == ["id", shown, *names[1:4], *names[5:]]
    assert browser.run(column(2)) == [shown, f'{{"a":["{shown}"]}}']
    for name in ("__proto__", "constructor", "a.b"):
        sort(browser, name)
        browser.wait(SORTED, [f"{name} ascending"])
        group(browser, name)
        browser.wait("list.groups.length", 2)
    query(browser, strange)
    browser.wait(COUNT, "1 of 2")
    browser.run("document.querySelector('.listd-row').focus()")
    browser.press("Enter")
    browser.wait("details.open")
    assert browser.run("window.ran ?? null") is None
