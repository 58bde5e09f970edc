"""The terminal of the process, if standard input and output are pipes."""

from __future__ import annotations

import curses
import locale
import os
import select
from typing import Any, List, Union

NAMES = {
    curses.KEY_UP: "up", curses.KEY_DOWN: "down", curses.KEY_LEFT: "left", curses.KEY_RIGHT: "right",
    curses.KEY_PPAGE: "pageup", curses.KEY_NPAGE: "pagedown", curses.KEY_HOME: "home",
    curses.KEY_END: "end", curses.KEY_BACKSPACE: "backspace", curses.KEY_DC: "delete",
    curses.KEY_BTAB: "backtab", curses.KEY_ENTER: "enter",
}  # fmt: skip
CONTROLS = {"\t": "tab", "\r": "enter", "\x7f": "backspace", "\x1b": "escape"}
COLORS = {"match": curses.COLOR_GREEN, "mark": curses.COLOR_MAGENTA, "info": curses.COLOR_YELLOW}


class Trouble(Exception):
    """An error that is reported before the program ends."""


class Terminal:
    """Curses on /dev/tty. `input` and `output` are the original standard input and output."""

    def __init__(self) -> None:
        self.input = self.output = -1
        self.styles = {"plain": curses.A_NORMAL, "current": curses.A_REVERSE, "prompt": curses.A_BOLD}
        self.window: Any = None

    def __enter__(self) -> Terminal:
        try:
            tty = os.open("/dev/tty", os.O_RDWR)
        except OSError as why:
            raise Trouble(f"there is no terminal to choose in: /dev/tty: {why.strerror}") from why
        self.input, self.output = os.dup(0), os.dup(1)
        for descriptor in (0, 1):
            os.dup2(tty, descriptor)
        os.close(tty)
        locale.setlocale(locale.LC_ALL, "")
        try:
            curses.setupterm(fd=1)
            if not curses.tigetstr("cup"):
                raise curses.error("its cursor cannot be moved")
            self.window = curses.initscr()
        except curses.error as why:
            raise Trouble(f"the terminal {os.environ.get('TERM', '')} cannot be used: {why}") from why
        curses.noecho()
        curses.raw()
        curses.nonl()
        self._color()
        self.window.keypad(True)
        self.window.nodelay(True)
        if hasattr(curses, "set_escdelay"):
            curses.set_escdelay(25)
        return self

    def __exit__(self, *_: object) -> None:
        curses.endwin()

    def _color(self) -> None:
        self.styles.update(match=curses.A_UNDERLINE, mark=curses.A_BOLD, info=curses.A_DIM)
        if os.environ.get("NO_COLOR"):
            return
        curses.start_color()
        if not curses.has_colors():
            return
        curses.use_default_colors()
        for number, (name, color) in enumerate(COLORS.items(), 1):
            curses.init_pair(number, color, -1)
            bold = curses.A_NORMAL if name == "info" else curses.A_BOLD
            self.styles[name] = curses.color_pair(number) | bold

    def keys(self) -> List[str]:
        """The pressed keys: characters, and the names of other keys. Raises `Trouble` if the terminal was
        closed."""
        read: List[Union[str, int]] = []
        while True:
            try:
                read.append(self.window.get_wch())
            except curses.error:
                break
        if not read and self._is_closed():
            raise Trouble("the terminal was closed")
        keys: List[str] = []
        while read:
            key = read.pop(0)
            if key == "\x1b" and read and isinstance(read[0], str):
                keys.append(f"alt-{read.pop(0)}")
            elif isinstance(key, int):
                keys.append(NAMES.get(key, f"key-{key}"))
            elif key < " " or key == "\x7f":
                keys.append(CONTROLS.get(key) or f"ctrl-{chr(ord(key) + 96)}")
            else:
                keys.append(key)
        return keys

    def _is_closed(self) -> bool:
        poll = select.poll()
        poll.register(0, select.POLLIN)
        return any(events & select.POLLHUP for _, events in poll.poll(0))

    def resize(self) -> None:
        """Updates the size of the screen."""
        columns, rows = os.get_terminal_size(0)
        curses.resizeterm(max(rows, 1), max(columns, 1))
