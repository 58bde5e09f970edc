"""The picture of README.md is what `listd watch` and `listd pick` draw."""

# Promise: The animation in `README.md` is what `listd watch` and `listd pick` draw; `recording.py` makes it.

from __future__ import annotations

import xml.dom.minidom

from recording import PICTURE, recorded


def test_the_picture_shows_what_is_drawn() -> None:
    # On a busy machine a screen may be caught while it is drawn.
    drawn = (recorded() for _ in range(3))
    assert PICTURE.read_text() in drawn, f"the screens differ from {PICTURE}: Tests/clients/recording.py draws them"
    # The picture has both colour schemes, no script, and nothing from elsewhere.
    elements = {one.tagName for one in xml.dom.minidom.parseString(PICTURE.read_text()).getElementsByTagName("*")}
    assert elements == {"svg", "title", "style", "rect", "defs", "path", "g", "text", "tspan", "use"}
    assert "prefers-color-scheme:dark" in PICTURE.read_text() and len(PICTURE.read_text()) < 80_000
