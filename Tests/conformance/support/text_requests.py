"""Requests about the text of one list with one section."""

from __future__ import annotations

from typing import Any

from client import Daemon


def text(daemon: Daemon) -> str:
    return daemon.call("getText", list="l")["text"]


def apply(daemon: Daemon, *items: Any, **own: Any) -> None:
    daemon.call("applySnapshot", list="l", sections=[{"id": "s", **own, "items": list(items)}])


def register(daemon: Daemon, **templates: str) -> None:
    assert daemon.call("registerTemplates", templates=templates) is None
