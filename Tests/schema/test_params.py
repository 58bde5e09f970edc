"""Params: the daemon refuses what the document forbids, and accepts what it allows."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any, Iterator, List, Tuple

import pytest
from hypothesis import HealthCheck, given, settings

from checking import Checker
from document import Json, load
from examples import chapters
from mutations import Mutation, mutations
from strategies import calls
from test_messages import PAGE, SESSIONS, whole
from client import Daemon, request

# Messages that end the session, or are accepted only once.
ENDING = ("shutdown", "exit", "initialize")

# Rules that are not in the schema, because of which the daemon refuses params.
MEANINGS = (
    "a template in which every brace has its other",
    "the name of a composite or of no list",
    'a view with "match"',
    "a match, or true for a view that has one",
    "something that is not itself moved",
    "an item of the section that is named",
    "an array of names",
    '"format": "textEdits" beside it',
    'nothing beside "tree"',
    "an edit of a list that is not a view",
    'a name that does not begin with "$"',
    "a view whose source is an outline",
    'a "match" and no items, paths and lines',
    'a value, because "key" names the member',
    "the name of a member",
    # Only on the list of a folder.
    "exactly one of before and after",
    "the list of a folder beside it",
)
OFTEN = 2
_seen: "Counter[Tuple[str, str]]" = Counter()


def conversations() -> List[Tuple[str, List[Json]]]:
    """The messages of clients in the examples and the recorded sessions."""
    found = [
        (chapter.title, whole([one for step in chapter.steps for one in step.sent]))
        for chapter in chapters(PAGE)
    ]
    for path in SESSIONS:
        lines = whole(path.read_text("utf-8").splitlines())
        sent = [one["message"] for one in lines if one.get("from") == "client" and "message" in one]
        found.append((path.stem, sent))
    return found


def requests(messages: List[Any], checker: Checker) -> Iterator[Tuple[str, Any]]:
    """The requests with params that the document allows."""
    flat = [one for each in messages for one in (each if isinstance(each, list) else [each])]
    for message in flat:
        name = message.get("method") if isinstance(message, dict) else None
        method = checker.methods.get(name, {}) if isinstance(name, str) else {}
        params = message.get("params") if method else None
        # A lone surrogate cannot be sent by this client.
        if "result" not in method or name in ENDING or "\\ud8" in json.dumps(params):
            continue
        if isinstance(params, dict) and len(str(params)) < 20_000 and not checker.params(name, params):
            yield name, params


def is_seldom(name: str, mutation: Mutation) -> bool:
    """Reports whether this kind of mutation was not made often before."""
    kind = name, re.sub(r"/\d+", "/0", mutation.words)
    _seen[kind] += 1
    return _seen[kind] <= OFTEN


def errors(daemon: Daemon, asked: List[Tuple[str, Any]]) -> List[Any]:
    """The errors of requests, None for an answer. Those that supersede each other are sent one by one."""
    requests = [request(name, params, k) for k, (name, params) in enumerate(asked)]
    if any(isinstance(params, dict) and "latest" in params for _, params in asked):
        replies = []
        for one in requests:
            daemon.send(one)
            replies.append(daemon.reply())
    else:
        daemon.send(*requests)
        replies = [daemon.reply() for _ in requests]
    return [reply.get("error") for reply in replies]


@pytest.mark.parametrize("title, messages", conversations(), ids=lambda one: str(one)[:40])
def test_what_is_forbidden_is_refused(checker: Checker, title: str, messages: List[Json]) -> None:
    """A refused request changes nothing, so the session continues as it was recorded."""
    found: List[str] = []
    with Daemon() as daemon:
        for name, params in requests(messages, checker):
            wrong = [
                one for one in mutations(params)
                if is_seldom(name, one) and checker.params(name, one.params)
            ]  # fmt: skip
            *response, right = errors(daemon, [(name, one.params) for one in wrong] + [(name, params)])
            for one, error in zip(wrong, response):
                words = f"{name} {one.words}: {json.dumps(error)} for {json.dumps(one.params)}"
                if error is None:
                    found.append(words)
                elif error["code"] == -32602:
                    is_right = one.names(error["data"]["pointer"])
                    is_same = right is not None and right["data"] == error["data"]
                    found += [] if is_right or is_same else [words]
                elif right is None or right["code"] != error["code"]:
                    found.append(words)
    assert found == []


BEGINNING: List[Tuple[str, Any]] = [
    ("applySnapshot", {"list": "l", "items": ["a", 1, {"id": "b", "text": "B", "parts": ["x", {"id": 1}]}]}),
    ("applySnapshot", {"list": "m", "sections": [
        {"id": "s", "selectionMode": "multiple", "items": ["a", 2]}, {"id": "t", "items": []},
    ]}),
    ("compose", {"list": "both", "sources": ["l", "m"]}),
    ("compose", {"list": "view", "sources": ["m"], "view": {"match": {"query": ""}}}),
    ("subscribe", {"list": "l", "format": "textEdits"}),
    ("subscribe", {"list": "both", "format": "ops"}),
]  # fmt: skip


@settings(
    max_examples=150, derandomize=True, database=None, deadline=None,
    suppress_health_check=list(HealthCheck),
)  # fmt: skip
@given(asked=calls(load(), ENDING))
def test_what_is_allowed_is_not_malformed(checker: Checker, asked: List[Tuple[str, Any]]) -> None:
    """The answers and the notifications are valid, too."""
    with Daemon("--self-check") as daemon:
        daemon.pipeline(BEGINNING)
        daemon.notifications.clear()
        sent = [request(name, params, k) for k, (name, params) in enumerate(asked)]
        daemon.send(*sent)
        replies = [daemon.reply() for _ in asked]
        for (name, params), reply in zip(asked, replies):
            error = reply.get("error")
            if error is not None and error["code"] == -32602:
                assert error["data"]["expected"].endswith(MEANINGS), (name, params, error)
            problem = checker.error(name, error) if error else checker.result(name, reply["result"])
            assert not problem, (name, params, reply)
        for notification in daemon.notifications:
            problem = checker.notification(notification["method"], notification["params"])
            assert not problem, (asked, notification)
