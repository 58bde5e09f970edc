"""Draws what a terminal has shown as one animated SVG, in the colours that a reader prefers."""

from __future__ import annotations

import itertools
import re
from typing import Dict, List, NamedTuple, Tuple
from xml.sax.saxutils import escape

CELL, LINE, BASE, EDGE = 8, 17, 13, 14

# The colours of 256 that appear, of a light and a dark terminal; the empty name is the terminal's own colour.
INKS = {
    "": ("#1f2328", "#e6edf3"), "16": ("#000000", "#000000"), "34": ("#0a7a2f", "#3fb950"),
    "37": ("#0b7a80", "#39c5cf"), "108": ("#1a7f37", "#87d787"), "109": ("#2f6f7a", "#87afaf"),
    "110": ("#0550ae", "#87afd7"), "137": ("#8a5a10", "#c89b5f"), "144": ("#6a6420", "#afaf87"),
    "167": ("#c0262d", "#f0716b"), "170": ("#a0289c", "#e087e0"), "214": ("#b45309", "#ffaf00"),
    "254": ("#1f2328", "#f0f3f6"),
}  # fmt: skip
PAPERS = {"": ("#ffffff", "#0d1117"), "214": ("#ffc14d", "#ffaf00"), "236": ("#e3e8ee", "#303841")}
TABLES = {"i": INKS, "p": PAPERS, "f": {"": ("#d1d9e0", "#3d444d")}}


class Style(NamedTuple):
    """How a cell looks: its colours by their numbers, empty for the terminal's own."""

    ink: str = ""
    paper: str = ""
    bold: bool = False
    dim: bool = False
    underlined: bool = False

    def changed(self, codes: List[str]) -> "Style":
        style = self
        while codes:
            code, *codes = codes
            if code in ("38", "48"):
                style = style._replace(**{"ink" if code == "38" else "paper": codes[1]})
                codes = codes[2:]
            elif code in CODES:
                style = style._replace(**CODES[code])
            else:
                assert code in ("", "0"), f"a code that no program has used yet: {code}"
                style = Style()
        return style


CODES: Dict[str, Dict[str, "str | bool"]] = {
    "1": {"bold": True}, "2": {"dim": True}, "4": {"underlined": True},
    "22": {"bold": False, "dim": False}, "24": {"underlined": False},
    "39": {"ink": ""}, "49": {"paper": ""},
}  # fmt: skip

Row = List[Tuple[str, Style]]


def rows(captured: str, width: int) -> List[Row]:
    """The cells of a screen as `tmux capture-pane -p -e` prints them."""
    style, found = Style(), []
    for line in captured.rstrip("\n").split("\n"):
        row: Row = []
        for codes, text in re.findall(r"\x1b\[([\d;]*)m|([^\x1b])", line):
            if text:
                row.append((text, style))
            else:
                style = style.changed(codes.split(";"))
        found.append(row[:width])
    return found


def runs(cells: Row) -> List[Tuple[str, Style]]:
    """The parts of a text that have one style."""
    groups = itertools.groupby(cells, lambda cell: cell[1])
    return [("".join(text for text, _ in group), style) for style, group in groups]


def names(style: Style) -> str:
    """The classes of a text, as an attribute."""
    found = [f"i{style.ink}"] * bool(style.ink) + ["b"] * style.bold + ["d"] * style.dim
    return f' class="{" ".join(found)}"' if found else ""


def drawn(row: Row) -> str:
    """The elements of a row, whose texts stand on the line y = 0."""
    shapes, column = [], 0
    for text, style in runs(row):
        x, width = column * CELL, len(text) * CELL
        column += len(text)
        if style.paper:
            shapes.append(f'<path class="p{style.paper}" d="M{x}-{BASE}h{width}v{LINE}h-{width}z"/>')
        if style.underlined:
            shapes.append(f'<path class="i" d="M{x} 2.5h{width}v.7h-{width}z"/>')
    # Texts with a gap between them have places of their own, whatever the font is.
    for found in re.finditer(r"\S+(?: \S+)*", "".join(text for text, _ in row)):
        parts = runs(row[found.start() : found.end()])
        first = parts[0][1]
        text = "".join(
            escape(part) if names(style) == names(first) else f"<tspan{names(style)}>{escape(part)}</tspan>"
            for part, style in parts
        )
        x = f' x="{found.start() * CELL}"' if found.start() else ""
        length = f' textLength="{len(found[0]) * CELL}"' if len(found[0]) > 1 else ""
        shapes.append(f"<text{x}{length}{names(first)}>{text}</text>")
    return "".join(shapes)


class Picture:
    """Screens of one size, each with its cursor and the seconds for which it is seen."""

    def __init__(self, title: str, width: int, height: int) -> None:
        self.title, self.width, self.height = title, width, height
        self.screens: List[Tuple[float, List[Row], "Tuple[int, int] | None"]] = []

    def add(self, seconds: float, captured: str, cursor: "Tuple[int, int] | None") -> None:
        self.screens.append((seconds, rows(captured, self.width), cursor))

    def svg(self, still: int) -> str:
        """The picture. Readers who want no movement see one of the screens."""
        wide, high = self.width * CELL, self.height * LINE
        parts: Dict[str, str] = {}
        strip = []
        for number, (_, screen, cursor) in enumerate(self.screens):
            uses = []
            for y, row in enumerate(screen):
                text = drawn(row)
                if text:
                    name = parts.setdefault(text, f"r{len(parts)}")
                    uses.append(f'<use href="#{name}" y="{y * LINE + BASE}"/>')
            if cursor:
                uses.append(f'<use href="#cursor" x="{cursor[0] * CELL}" y="{cursor[1] * LINE}"/>')
            strip.append(f'<g transform="translate({number * wide})">{"".join(uses)}</g>')
        whole, time = sum(seconds for seconds, _, _ in self.screens), 0.0
        keys = []
        for number, (seconds, _, _) in enumerate(self.screens):
            keys.append(f"{100 * time / whole:.2f}%{{transform:translateX(-{number * wide}px)}}")
            time += seconds
        colors = {f"{sign}{name}": pair for sign, table in TABLES.items() for name, pair in table.items()}
        light, dark = (";".join(f"--{name}:{pair[index]}" for name, pair in colors.items()) for index in (0, 1))
        classes = "".join(f".{name}{{fill:var(--{name})}}" for name in colors)
        shapes = "".join(f'<g id="{name}">{text}</g>' for text, name in parts.items())
        full = (wide + 2 * EDGE, high + 2 * EDGE)
        size = f'viewBox="0 0 {full[0]} {full[1]}" width="{full[0]}" height="{full[1]}"'
        return f"""<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">
<title>{escape(self.title)}</title>
<style>
:root{{{light};color-scheme:light dark}}
@media (prefers-color-scheme:dark){{:root{{{dark}}}}}
text{{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}}
text,tspan{{fill:var(--i);fill-opacity:1;font-weight:400}}
{classes}.b{{font-weight:700}}.d{{fill-opacity:.65}}
#strip{{animation:strip {whole:.1f}s step-end infinite}}
@keyframes strip{{{"".join(keys)}}}
@media (prefers-reduced-motion:reduce){{#strip{{animation:none;transform:translateX(-{still * wide}px)}}}}
</style>
<rect x=".5" y=".5" width="{full[0] - 1}" height="{full[1] - 1}" rx="8" class="p" style="stroke:var(--f)"/>
<defs><path id="cursor" class="i" opacity=".55" d="M0 1h{CELL}v{LINE - 2}h-{CELL}z"/>{shapes}</defs>
<svg x="{EDGE}" y="{EDGE}" width="{wide}" height="{high}">
<g id="strip">
{chr(10).join(strip)}
</g>
</svg>
</svg>
"""
