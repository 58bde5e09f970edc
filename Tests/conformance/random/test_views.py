"""Views against their definition as plain functions, at every revision and in every format."""

from __future__ import annotations

import os
import random

import pytest

from client import Daemon
from rounds import rounds
from view_session import Session

pytestmark = pytest.mark.needs("compose", "subscribe")
STEPS = rounds(150)


@pytest.mark.parametrize("seed", range(6))
def test_views_are_what_their_definition_says(daemon: Daemon, seed: int) -> None:
    session = Session(daemon, random.Random(f"views {seed}" + os.environ.get("LISTD_SEED", "")))
    session.check()
    for _ in range(STEPS):
        session.step()
