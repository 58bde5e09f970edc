"""The example screens in Chromium: order, selection and focus; kept elements are not created
again."""

from __future__ import annotations

from typing import Callable, List

import pytest
from browser import Browser, Tab

IDS = "[...document.querySelectorAll('.listd-row')].map((row) => row.dataset.id)"
SELECTED = (
    "[...document.querySelectorAll('[aria-selected=true]')]"
    ".filter((row) => row.querySelector('.listd-mark').checked).map((row) => row.dataset.id)"
)
CHECKED = "document.querySelectorAll('.listd-mark:checked').length"
REMEMBER = (
    "window.before = new Map([...document.querySelectorAll('.listd-row')]"
    ".map((row) => [row.dataset.id, row])); before.size"
)
SAME = (
    "[...document.querySelectorAll('.listd-row')].every((row) => before.get(row.dataset.id) === row)"
)
FOCUSED = "document.activeElement.closest('.listd-row')?.dataset.id ?? null"
WITHOUT_MOVES = "delete Element.prototype.moveBefore;"


@pytest.fixture(params=["moveBefore", "insertBefore"])
def page(request: pytest.FixtureRequest, chromium: Browser) -> Tab:
    tab = chromium.tab(WITHOUT_MOVES if request.param == "insertBefore" else "")
    request.addfinalizer(tab.close)
    return tab


def test_settings(page: Tab, serve: Callable[..., str]) -> None:
    page.open(serve("examples/settings"))
    page.wait(IDS, ["one", "two", "three", "a", "b", "c", "d"])
    page.wait(SELECTED, ["two", "a", "c"])
    assert page.run(REMEMBER) == 7
    page.click("[data-id=three]")
    page.wait(SELECTED, ["three", "a", "c"])
    page.click("[data-id=b] input")
    page.wait(SELECTED, ["three", "a", "b", "c"])
    page.run("document.querySelector('[data-id=two]').focus()")
    page.wait("view.list.cursor.join()", "0,1")
    page.press(" ", text=" ")
    page.wait(SELECTED, ["two", "a", "b", "c"])
    page.click("[data-action=reload]")
    page.wait("document.querySelector('[data-id=two]').textContent", "Two, reloaded 1 time")
    assert page.run(SAME) and page.run(SELECTED) == ["two", "a", "b", "c"]
    page.run("document.querySelector('[data-id=two]').focus()")
    page.run("bridge.call('rearrange')")
    page.wait(IDS, ["d", "c", "b", "a", "three", "two", "one"])
    assert page.run(SAME), "rows were created again"
    assert page.run(SELECTED) == ["c", "b", "a", "two"] and page.run(CHECKED) == 4
    assert page.run(FOCUSED) == "two"
    assert page.run("document.querySelector('.listd-header').textContent") == "Which"


def test_the_keyboard_and_roles(browser: Tab, serve: Callable[..., str]) -> None:
    browser.open(serve("examples/settings"))
    browser.wait(SELECTED, ["two", "a", "c"])
    roles = (
        "['listbox', 'group', 'option'].map((role) =>"
        " document.querySelectorAll(`[role=${role}]`).length)"
    )
    assert browser.run(roles) == [1, 2, 7]
    label = "document.querySelector('#list').getAttribute('aria-multiselectable')"
    assert browser.run(label) == "true"
    named = (
        "[...document.querySelectorAll('[role=group]')]"
        ".map((one) => document.getElementById(one.getAttribute('aria-labelledby')).textContent)"
    )
    assert browser.run(named) == ["How many", "Which"]
    browser.press("Tab")
    assert browser.run(FOCUSED) == "two", "Tab reaches the row of the cursor"
    for key, wanted in [("ArrowDown", "three"), ("ArrowUp", "two"), ("End", "d"), ("PageUp", "one")]:
        browser.press(key)
        assert browser.run(FOCUSED) == wanted
    browser.wait("view.list.cursor.join()", "0,0")
    assert browser.run("document.querySelectorAll('.listd-row[tabindex=\"0\"]').length") == 1
    browser.press("End")
    browser.press(" ", text=" ")
    browser.wait(SELECTED, ["two", "a", "c", "d"])
    browser.press("ArrowUp", modifiers=8)
    browser.wait(SELECTED, ["two", "a", "c", "d"])
    browser.press("ArrowUp", modifiers=8)
    browser.wait(SELECTED, ["two", "a", "b", "c", "d"])


HEADERS = "[...document.querySelectorAll('.listd-header')].map((one) => one.textContent)"
FOOTERS = (
    "[...document.querySelectorAll('.listd-footer:not([hidden])')].map((one) => one.textContent)"
)
NOTE = "document.querySelector('[data-id=\"Alan Turing\"] input')"


def test_contacts(page: Tab, serve: Callable[..., str]) -> None:
    page.open(serve("examples/contacts"))
    page.wait(HEADERS, ["B", "C", "D", "H", "J", "K", "L", "T"])
    assert page.run(FOOTERS) == ["2 people", "2 people"]
    assert page.run(REMEMBER) == 10
    page.run(f"const note = {NOTE}; note.value = 'tea at five'; note.focus();"
             "note.setSelectionRange(4, 6, 'backward'); window.note = note")  # fmt: skip
    held = (
        "[document.activeElement === note, note.isConnected, note.value, note.selectionStart,"
        " note.selectionEnd, note.selectionDirection]"
    )
    for by, first in [("company", "Analytical"), ("first", "A"), ("last", "B")]:
        page.run(f"bridge.call('sort', {{ value: '{by}' }})")
        page.wait(HEADERS + "[0]", first)
        assert page.run(SAME), f"rows were created again when sorted by {by}"
        assert page.run(held) == [True, True, "tea at five", 4, 6, "backward"]
    ids = page.run(IDS)
    assert ids == sorted(ids, key=lambda name: name.split()[1])
    page.click("[data-id='Ada Lovelace'] .star")
    page.wait("document.querySelector('[data-id=\"Ada Lovelace\"]').dataset.template", "Star")
    assert page.run("document.querySelector('[data-id=\"Ada Lovelace\"] small').textContent")
    page.run("act = bridge.call('sort', { value: 'nonsense' }).then(() => 0, (one) => one.code)")
    assert page.run("act") == -32602


PARTS = "[...document.querySelectorAll('.listd-row')].map((row) => row.dataset.template[0]).join('')"
AUTHORS = "[...document.querySelectorAll('[data-template=Author]')].map((row) => row.textContent)"


def test_feed(page: Tab, serve: Callable[..., str]) -> None:
    page.open(serve("examples/feed"))
    page.wait(PARTS, "ATPAS" "ATAS" "ATPAS")
    page.run(
        "window.rows = [...document.querySelectorAll('.listd-row')];"
        "window.reply = rows[12].querySelector('input'); reply.focus(); reply.value = 'mine'"
    )
    page.run("bridge.call('like', { id: 3 })")
    page.wait(AUTHORS, ["Eva", "Mia", "Jon"])
    now = "[...document.querySelectorAll('.listd-row')].map((row) => rows.indexOf(row))"
    assert page.run(now) == [9, 10, 11, 12, 13, 0, 1, 2, 3, 4, 5, 6, 7, 8]
    assert page.run("[document.activeElement === reply, reply.value]") == [True, "mine"]
    page.wait("rows[12].querySelector('button').textContent", "♥ 1")
    page.run("bridge.call('post')")
    page.wait(AUTHORS, ["You", "Eva", "Mia", "Jon"])
    assert page.run(now) == [-1, -1, -1, -1, *range(9, 14), *range(9)]
    heights = "[...document.querySelectorAll('[data-template=Spacing]')].map((one) => one.offsetHeight)"
    assert set(page.run(heights)) == {13}


def test_visible_rows_keep_their_position(browser: Tab, serve: Callable[..., str]) -> None:
    browser.call(
        "Emulation.setDeviceMetricsOverride", width=440, height=300, mobile=False,
        deviceScaleFactor=1,
    )  # fmt: skip
    browser.open(serve("examples/feed"))
    browser.wait(AUTHORS + ".length", 3)
    top = "Math.round(row.getBoundingClientRect().top)"
    browser.run("window.row = document.querySelectorAll('[data-template=Author]')[1]")
    browser.run("scrollTo(0, 200)")
    before = browser.run(top)
    for count in (4, 5):
        browser.run("bridge.call('post')")
        browser.wait(AUTHORS + ".length", count)
    browser.run("new Promise((done) => setTimeout(done, 400))")
    # Rounding may lose a pixel each time.
    assert abs(browser.run(top) - before) <= 2 and browser.run("scrollY") > 400
    browser.run("scrollTo(0, 0)")
    browser.run("bridge.call('post')")
    browser.wait(AUTHORS + ".length", 6)
    assert browser.run("scrollY") == 0, "at the top a list shows new rows"


@pytest.mark.parametrize("wish", ["reduce", "no-preference"])
def test_motion(browser: Tab, serve: Callable[..., str], wish: str) -> None:
    features = [{"name": "prefers-reduced-motion", "value": wish}]
    browser.call("Emulation.setEmulatedMedia", features=features)
    browser.open(serve("examples/settings"))
    browser.wait(SELECTED, ["two", "a", "c"])
    count = (
        "view.list.listen(() => { window.moving = document.getAnimations().length; }),"
        "bridge.call('rearrange').then(() => 0)"
    )
    browser.run(count)
    browser.wait("window.moving !== undefined")
    assert (browser.run("window.moving") > 0) == (wish == "no-preference")


def names(tab: Tab) -> List[str]:
    found: List[str] = tab.run(
        "[...document.querySelectorAll('[data-template=Suggestion]')].map((one) => one.dataset.id)"
    )
    return found


def test_home(page: Tab, serve: Callable[..., str]) -> None:
    page.open(serve("examples/home"))
    page.wait(HEADERS, ["", "Suggestions", "News", "Suggestions"])
    assert names(page) == ["Maps", "Recipes", "Radio"] * 2
    page.run("window.rows = [...document.querySelectorAll('.listd-row')];"
             "window.note = rows[6].querySelector('input'); note.focus(); note.value = 'lower'")  # fmt: skip
    page.click("[data-id=Maps] button")
    page.wait("document.querySelectorAll('[data-id=\"More like Maps\"]').length", 2)
    assert names(page) == ["Recipes", "Radio", "More like Maps"] * 2
    now = "[...document.querySelectorAll('.listd-row')].map((row) => rows.indexOf(row))"
    assert page.run(now) == [0, 2, 3, -1, 4, 6, 7, -1]
    page.wait("rows[0].textContent.includes('1 of your suggestions')")
    page.run("bridge.call('report')")
    page.wait("document.querySelectorAll('.listd-section')[2].querySelectorAll('.listd-row').length", 2)
    page.run("note.focus()")
    page.run("bridge.call('swap')")
    page.wait(IDS + "[1]", "Recipes")
    page.wait("document.querySelectorAll('.listd-section')[1].dataset.id", "bottom/suggestions/s")
    assert page.run(now) == [0, 6, 7, -1, -1, 4, 2, 3, -1]
    assert page.run("[document.activeElement === note, note.value]") == [True, "lower"]
