"""Connects the terminal and the finder: performs the actions of keys."""

from __future__ import annotations

import asyncio
import logging
import signal
import time
from typing import Any, List, Optional

import drawing
from finder import Finder
from lines import Input, Lines
from prompt import Prompt
from terminal import Terminal

import listd
from listd import aio

FRAME = 0.015
"""The least time between two drawings, in seconds."""
ABORT = {"escape", "ctrl-c", "ctrl-g", "ctrl-q"}
UP = {"up", "ctrl-p", "ctrl-k"}
DOWN = {"down", "ctrl-n", "ctrl-j"}


class Aborted(Exception):
    """The user has aborted the selection."""


async def choose(terminal: Terminal, lines: Lines, options: Any) -> List[int]:
    """The chosen lines. Raises `Aborted`, and `ListdError` if the daemon ends."""
    logging.getLogger("listd").addHandler(logging.NullHandler())
    async with await aio.spawn() as daemon:
        return await Session(terminal, lines, options, daemon).run()


class Session:
    """Handles keys in order, each after the previous one has taken effect."""

    def __init__(self, terminal: Terminal, lines: Lines, options: Any, daemon: aio.Daemon) -> None:
        self.terminal, self.is_single = terminal, options.single
        self.finder = Finder(daemon, lines, not options.no_sort, self.changed)
        self.prompt = Prompt(options.query)
        self.loop = asyncio.get_running_loop()
        self.chosen: asyncio.Future[List[int]] = self.loop.create_future()
        self.keys: asyncio.Queue[str] = asyncio.Queue()
        self.due: Optional[asyncio.TimerHandle] = None
        self.drawn = 0.0

    async def run(self) -> List[int]:
        await self.finder.begin(self.ended)
        self.finder.search(self.prompt.text)
        self.resized()
        self.loop.add_reader(0, self.readable)
        self.loop.add_signal_handler(signal.SIGWINCH, self.resized)
        for number in (signal.SIGTERM, signal.SIGHUP):
            self.loop.add_signal_handler(number, self.fail, Aborted())
        work = self.finder.feed(Input(self.terminal.input)), self.finder.follow(), self.handle_keys()
        tasks = [asyncio.ensure_future(one) for one in work]
        for task in tasks:
            task.add_done_callback(self.finished)
        try:
            return await self.chosen
        finally:
            self.loop.remove_reader(0)
            if self.due:
                self.due.cancel()
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    def finished(self, task: "asyncio.Task[None]") -> None:
        """Called when a task has ended. Fails if it has raised an exception."""
        why = None if task.cancelled() else task.exception()
        if why:
            self.fail(why)

    def ended(self, why: Optional[listd.ListdError]) -> None:
        """Called when the subscription has ended. Fails if there is a reason."""
        if why:
            self.fail(why)

    def fail(self, why: BaseException) -> None:
        if not self.chosen.done():
            self.chosen.set_exception(why)

    def readable(self) -> None:
        try:
            keys = self.terminal.keys()
        except Exception as why:
            return self.fail(why)
        for key in keys:
            if key in ABORT:
                return self.fail(Aborted())
            self.keys.put_nowait(key)

    async def handle_keys(self) -> None:
        """Performs the actions of keys. Actions on lines wait for the result of the query before
        them."""
        while not self.chosen.done():
            key = await self.keys.get()
            if key == "ctrl-d" and not self.prompt.text:
                self.fail(Aborted())
            elif self.prompt.take(key):
                self.finder.search(self.prompt.text)
            else:
                await self.finder.answered.wait()
                await self.act(key)
            self.changed()

    async def act(self, key: str) -> None:
        finder, page = self.finder, max(self.finder.height - 1, 1)
        if key == "enter":
            one = [] if finder.current is None else [finder.current]
            self.chosen.set_result(list(finder.marked()) or one)
        elif key in UP or key in DOWN:
            finder.move(1 if key in DOWN else -1)
        elif key in ("pageup", "pagedown"):
            finder.move(page if key == "pagedown" else -page)
        elif key == "alt-<":
            finder.go_first()
        elif key == "alt->":
            finder.go_last()
        elif key == "ctrl-l":
            self.terminal.window.clearok(True)
        elif not self.is_single:
            await self.mark(key)

    async def mark(self, key: str) -> None:
        if key in ("tab", "backtab"):
            await self.finder.mark()
            self.finder.move(1 if key == "tab" else -1)
        elif key in ("alt-a", "alt-n"):
            await self.finder.mark_all("all" if key == "alt-a" else "none")
        self.fit()

    def resized(self) -> None:
        self.terminal.resize()
        self.fit()

    def fit(self) -> None:
        """Gives the lines the rows that the marked ones leave."""
        rows, _ = self.terminal.window.getmaxyx()
        height = drawing.list_height(rows, self.finder.mark_count)
        if height != self.finder.height:
            self.finder.resize(height)
        self.changed()

    def changed(self) -> None:
        """Schedules a drawing, which includes all changes until then."""
        if self.due is None:
            wait = max(self.drawn + FRAME - time.monotonic(), 0)
            self.due = self.loop.call_later(wait, self.draw)

    def draw(self) -> None:
        self.due, self.drawn = None, time.monotonic()
        drawing.draw(self.terminal, self.finder, self.prompt)
