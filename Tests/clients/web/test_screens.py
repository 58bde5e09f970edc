"""The example screens in Chromium: order, selection and focus; kept elements are not created
again."""

# Promise: What moves on a page is seen while it moves and goes on from where it is seen, and what was deleted
#   fades; edges of controls have a contrast of 3 : 1, and each control has a name of its own.

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, List

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
    # The pressed button is the same in all pages, and a contact can be chosen.
    pressed = "[...document.querySelectorAll('[aria-pressed=true]')].map((one) => one.value)"
    assert page.run(pressed) == ["last"]
    page.click("[data-id='Ada Lovelace'] .who")
    assert page.run("document.getElementById('status').textContent") == "Ada Lovelace, Analytical: +44 20 1815"
    page.click("[value=company]")
    page.wait(pressed, ["company"])
    page.run("act = bridge.call('sort', { value: 'nonsense' }).then(() => 0, (one) => one.code)")
    assert page.run("act") == -32602


PARTS = "[...document.querySelectorAll('.listd-row')].map((row) => row.dataset.template[0]).join('')"
AUTHORS = "[...document.querySelectorAll('[data-template=Author]')].map((row) => row.textContent)"


def test_feed(page: Tab, serve: Callable[..., str]) -> None:
    page.open(serve("examples/feed"))
    page.wait(PARTS, "ATPSAS" "ATSAS" "ATPSAS")
    page.run(
        "window.rows = [...document.querySelectorAll('.listd-row')];"
        "window.reply = rows[15].querySelector('input'); reply.focus(); reply.value = 'mine'"
    )
    page.run("bridge.call('like', { id: 3 })")
    page.wait(AUTHORS, ["Eva", "Mia", "Jon"])
    now = "[...document.querySelectorAll('.listd-row')].map((row) => rows.indexOf(row))"
    assert page.run(now) == [*range(11, 17), *range(11)]
    assert page.run("[document.activeElement === reply, reply.value]") == [True, "mine"]
    page.wait("rows[15].querySelector('button').textContent", "♥ 1")
    page.run("bridge.call('post')")
    page.wait(AUTHORS, ["You", "Eva", "Mia", "Jon"])
    assert page.run(now) == [-1, -1, -1, -1, -1, *range(11, 17), *range(11)]
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


# The rows on the screen, how many of them are hit at their middle, and what moves.
MOVING = """new Promise((done) => { bridge.call('sort', { value: 'company' }); view.list.listen(() => setTimeout(() => {
  const rows = [...document.querySelectorAll('.listd-row')].filter((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return top > 0 && bottom < innerHeight;
  });
  const hit = rows.filter((row) => {
    const { left, top, width, height } = row.getBoundingClientRect();
    return row.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });
  const moving = new Set(document.getAnimations().map(({ effect }) => effect.target.className));
  done([rows.length, hit.length, [...moving].sort()]);
}, 100)); })"""


def test_what_moves_is_seen(browser: Tab, serve: Callable[..., str]) -> None:
    browser.call("Emulation.setDeviceMetricsOverride", width=440, height=1000, mobile=False, deviceScaleFactor=1)
    browser.open(serve("examples/contacts"))
    browser.wait(HEADERS + ".length", 8)
    browser.call("Animation.enable")
    browser.call("Animation.setPlaybackRate", playbackRate=0.02)
    rows, hit, moving = browser.run(MOVING)
    # Some are behind others that they pass.
    assert rows >= 6 and hit > rows / 2
    # Headers and footers move with the rows, and those that were deleted fade.
    assert moving == ["listd-footer", "listd-header", "listd-row"]
    fading = "[...document.querySelector('.listd > [aria-hidden]').shadowRoot.children].map((one) => one.textContent)"
    assert "B" in browser.run(fading)
    browser.call("Animation.setPlaybackRate", playbackRate=1)
    browser.wait(fading, [])


def test_style_sheets_that_cannot_be_read(browser: Tab, serve: Callable[..., str]) -> None:
    browser.open(serve("examples/mail"))
    browser.wait(HEADERS + ".length", 2)
    browser.run(
        "window.failed = []; addEventListener('error', (one) => failed.push(one.message));"
        "Object.defineProperty(document.styleSheets[0], 'cssRules', { get() { throw new DOMException('', 'SecurityError'); } }), 0"
    )
    browser.click("nav [value=inbox]")
    browser.wait("document.querySelectorAll('.listd-row').length > 2")
    browser.click("[aria-label='Archive Bread on Friday?']")
    browser.wait("document.querySelector('.listd > [aria-hidden]')?.shadowRoot.childElementCount ?? -1", 0)
    assert browser.run("failed") == []


def test_a_move_goes_on_from_where_it_is_seen(browser: Tab, serve: Callable[..., str]) -> None:
    browser.open(serve("examples/settings"))
    browser.wait(SELECTED, ["two", "a", "c"])
    browser.call("Animation.enable")
    browser.call("Animation.setPlaybackRate", playbackRate=0.02)
    browser.run("bridge.call('rearrange'), 0")
    browser.wait("document.getAnimations().length > 0")
    browser.run("new Promise((done) => setTimeout(done, 300))")
    # The second change comes while the first one moves.
    browser.run("const one = document.querySelector('[data-id=one]'); window.tops = [];"
                "const step = () => { tops.push(one.getBoundingClientRect().top); requestAnimationFrame(step); }; step()")  # fmt: skip
    browser.run("bridge.call('rearrange'), 0")
    browser.wait("view.list.groups[0].section.own.id", "numbers")
    browser.run("new Promise((done) => setTimeout(done, 300))")
    steps = "Math.max(...tops.slice(1).map((one, index) => Math.abs(one - tops[index])))"
    assert browser.run(steps) < 20


BOXES = "[...document.querySelectorAll('.listd-row .what')].map((one) => one.firstChild.textContent)"


def test_mail(page: Tab, serve: Callable[..., str]) -> None:
    page.open(serve("examples/mail"))
    page.wait(HEADERS, ["Recent contacts", "Popular messages"])
    assert page.run(BOXES) == ["Ada", "Mia", "Jon", "Pictures of the lake", "Notes on the engine", "Bread on Friday?"]
    page.run("window.rows = [...document.querySelectorAll('.listd-row')]")
    now = "[...document.querySelectorAll('.listd-row')].map((row) => rows.indexOf(row))"
    for times in range(5, 9):
        page.click("[aria-label='Open Bread on Friday?']")
        # The next click would miss a button that moves.
        page.wait(f"list.textContent.includes('Mia · opened {times} times')")
    page.wait(BOXES, ["Mia", "Ada", "Jon", "Bread on Friday?", "Pictures of the lake", "Notes on the engine"])
    assert page.run(now) == [1, 0, 2, 5, 3, 4]
    # An archived message is in another mailbox, and still popular.
    page.click("[aria-label='Archive Bread on Friday?']")
    page.wait("document.querySelector('[aria-label=\"Archive Bread on Friday?\"]').hidden")
    page.click("[data-action=swap]")
    page.wait(HEADERS, ["Popular messages", "Recent contacts"])
    assert page.run(now) == [5, 3, 4, 1, 0, 2]
    page.click("[aria-label='Write to Ada']")
    page.wait(BOXES + "[3]", "Ada")
    for box, found in (
        ("inbox", ["The key to the cellar", "Pictures of the lake", "Invoice 1208", "Notes on the engine"]),
        ("sent", ["To Ada"]), ("archive", ["Bread on Friday?", "Cellar: found it"]),
    ):  # fmt: skip
        page.click(f"nav [value={box}]")
        page.wait(BOXES, found)
        assert page.run("[...document.querySelectorAll('[aria-current=page]')].map((one) => one.value)") == [box]


CONTRAST = """(() => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map((one) => one / 255)
      .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let up = element.parentElement; up; up = up.parentElement) {
      const { backgroundColor } = getComputedStyle(up);
      if (!/, 0\\)$/.test(backgroundColor)) return light(backgroundColor);
    }
  };
  return [...document.querySelectorAll('button, input:not(.listd-mark)')]
    .filter((one) => getComputedStyle(one).borderTopWidth !== '0px')
    .map((one) => [light(getComputedStyle(one).borderTopColor), behind(one)].sort((a, b) => b - a))
    .map(([high, low]) => (high + 0.05) / (low + 0.05));
})()"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["contacts", "feed", "mail", "settings"])
def test_edges_of_controls_are_seen(browser: Tab, serve: Callable[..., str], name: str, scheme: str) -> None:
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.open(serve(f"examples/{name}"))
    browser.wait("document.querySelectorAll('.listd-row').length > 0")
    found = browser.run(CONTRAST)
    assert found and min(found) >= 3
    named = [node for node in browser.call("Accessibility.getFullAXTree")["nodes"]
             if node.get("role", {}).get("value") in ("button", "textbox")]  # fmt: skip
    labels = [node["name"]["value"] for node in named]
    assert all(labels) and len(set(labels)) == len(labels), "each control has a name of its own"


def test_states_of_a_screen(
    tmp_path: Path, programs: List[Any], browser: Tab, serve: Callable[..., str]
) -> None:
    (tmp_path / "folder" / "sub").mkdir(parents=True)
    (tmp_path / "folder" / "sub" / "file.txt").touch()
    (tmp_path / "folder" / "other.txt").touch()
    browser.open(serve("examples/explorer", tmp_path / "folder"))
    paths = "[...document.querySelectorAll('.listd-row .name')].map((name) => name.title)"
    browser.wait(paths, ["sub", "other.txt"])
    none = "document.querySelector('.none')"
    assert browser.run(f"{none}.hidden")
    browser.run("filter.value = 'nothing'; filter.dispatchEvent(new Event('input')), 0")
    browser.wait(f"{none}.hidden", False)
    assert browser.run(f"{none}.textContent") == "No file is found."
    browser.run("filter.value = 'file'; filter.dispatchEvent(new Event('input')), 0")
    browser.wait(paths, ["sub", "sub/file.txt"])
    (tmp_path / "folder" / "sub" / "a new file").touch()
    browser.wait(paths, ["sub", "sub/a new file", "sub/file.txt"])
    programs[0].kill()
    browser.wait("lost.hidden", False)
    assert browser.run("lost.textContent") == "Not connected. Trying again \u2026"
    assert browser.run("lost.getBoundingClientRect().top >= 0 && lost.getBoundingClientRect().bottom < 100")


def test_buttons_without_a_connection(programs: List[Any], browser: Tab, serve: Callable[..., str]) -> None:
    browser.open(serve("examples/contacts"))
    browser.wait("document.querySelector('[data-action]')?.ariaDisabled", "false")
    browser.wait("document.querySelectorAll('.listd-row button').length > 1")
    programs[0].kill()
    browser.wait("document.querySelector('[data-action]')?.ariaDisabled", "true")
    rows = "[...document.querySelectorAll('.listd-row button')].map((one) => [one.className, one.ariaDisabled])"
    assert browser.run(rows)[:2] == [["star", "true"], ["who local", None]]
    browser.click("[data-action=sort]")
    browser.wait("document.getElementById('status').textContent", "That needs a connection.")
