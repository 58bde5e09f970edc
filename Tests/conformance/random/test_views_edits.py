"""Views that follow edits of their sources item by item, against their definition."""

# Promise: A view that follows edits item by item equals one that is made anew, also if the edits are undone. Also
#   `test_typing.py`, `ViewEditsTests`.

from __future__ import annotations

import os
import random
from typing import Any, Dict

import pytest

from client import Daemon
from random_edits import Draws
from random_views import item
from reference_edits import Arrays
from reference_views import View
from rounds import rounds
from values import dumps, key
from view_session import SOURCES, Session

pytestmark = pytest.mark.needs("compose", "subscribe")
STEPS = rounds(150)


class ViewItems(Draws):
    """Edits that insert items like those of views."""

    def item(self, number: Any = None) -> Any:
        number = self.base + self.rng.randrange(self.stock) if number is None else number
        while True:
            made = item(self.rng, number)
            if isinstance(made, dict):
                return made


class EditedSession(Session):
    """A session whose sources are edited; after most requests, only notifications are checked."""

    def step(self) -> None:
        if self.rng.random() < 0.1:
            return super().step()
        self.picked = {name: self.shown_picks(name) for name in SOURCES}
        if self.rng.random() < 0.2:
            made = self.move_window()
        else:
            made = self.edit()
        if self.rng.random() < 0.2:
            return self.check()
        heard = self.hear()
        for name in "ab":
            assert self.mirrors[name].selection == {at for _, at in self.shown_picks(name)}, name
        for name, view in self.model.views.items():
            context = dumps([made, view.sources, view.view, heard])
            mirror = self.mirrors[name]
            want = [(key(s.own), [key(row.content) for row in s.rows]) for s in view.sects()]
            assert mirror.contents() == want, (
                f"{name} {context}\ntold: {mirror.doc}\nwant: {dumps(view.sections())}"
            )
            assert mirror.selection == {at for _, at in self.shown_picks(name)}, f"{name} {context}"
            is_same = self.before[name] == view.identities()
            if is_same and self.counted[name] != view.numbers() and view.view is not None:
                assert name in heard, f"{name} has new numbers and no subscriber was notified"
            self.before[name] = view.identities()
            self.counted[name] = view.numbers()
            self.revisions[name] = mirror.revision
        return None

    def edit(self) -> Any:
        name = self.rng.choice("ab")
        arrays = Arrays(self.model.lists[name])
        draws = ViewItems(self.rng, 100 * "ab".index(name), plain=True)
        edits = [draws.valid(arrays) for _ in range(self.rng.choice([1, 1, 1, 2, 4]))]
        self.model.lists[name] = arrays.sections
        self.model.update()
        more: Dict[str, Any] = {}
        if self.rng.random() < 0.2:
            more["selected"] = self.replaced(name)
        return self.daemon.call("editSnapshot", list=name, edits=edits, **more)

    def move_window(self) -> Any:
        """Composes a view with another window and otherwise the same definition."""
        shown = [name for name, view in self.model.views.items() if "window" in (view.view or {})]
        if not shown:
            return None
        name = self.rng.choice(shown)
        old = self.model.views[name]
        window = {"start": self.rng.randint(0, 9), "count": self.rng.randint(0, 6)}
        view = View(old.sources, {**old.view, "window": window})
        view.base = old.base
        self.anchor(view, old)
        return self.compose(name, view)


@pytest.mark.parametrize("seed", range(6))
def test_views_follow_edits(daemon: Daemon, seed: int) -> None:
    rng = random.Random(f"edited views {seed}" + os.environ.get("LISTD_SEED", ""))
    session = EditedSession(daemon, rng)
    session.check()
    for _ in range(STEPS):
        session.step()
