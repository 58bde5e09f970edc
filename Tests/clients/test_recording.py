"""The picture of README.md is what `listd watch` and `listd pick` draw."""

from __future__ import annotations

import xml.dom.minidom

from recording import PICTURE, recorded


def test_the_picture_shows_what_is_drawn() -> None:
    drawn = recorded()
    assert drawn == PICTURE.read_text(), f"the screens differ from {PICTURE}: Tests/clients/recording.py draws them"
    # The picture has both colour schemes, no script, and nothing from elsewhere.
    elements = {one.tagName for one in xml.dom.minidom.parseString(drawn).getElementsByTagName("*")}
    assert elements == {"svg", "title", "style", "rect", "defs", "path", "g", "text", "tspan", "use"}
    assert "prefers-color-scheme:dark" in drawn and len(drawn) < 80_000
