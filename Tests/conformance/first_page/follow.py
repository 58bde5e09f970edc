#!/usr/bin/env python3
"""A client of listd that is written from the first page of protocol.md alone.

    follow.py PROGRAM [ARGUMENT…]

It reads requests, each a line with a method and its params, and prints what it holds of each list when
the reply has arrived, with the reply: `{"reply": {…}, "held": {"LIST": {…}}}`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any, Dict, List

held: Dict[str, Any] = {}
last_id = 0


def nothing() -> Dict[str, Any]:
    return {"sections": [], "revision": 0, "selection": [], "cursor": None}


def with_rows(section: Any) -> Any:
    """A section of a snapshot, with the rows of its items."""
    rows: List[Any] = []
    for item in section["items"]:
        if isinstance(item, dict) and "parts" in item:
            rest = {name: value for name, value in item.items() if name != "parts"}
            rows += [{"$part": part, "$item": rest} for part in item["parts"]]
        else:
            rows.append(item)
    return {**section, "items": rows}


def places(at: Any, count: int) -> List[Any]:
    return [at + k if isinstance(at, int) else [at[0], at[1] + k] for k in range(count)]


def apply(sections: List[Any], stage: List[Any]) -> None:
    rows_out, sections_out = [], []
    rows_in, sections_in = [], []
    for op in stage:
        kind = op["op"]
        of_sections = kind.endswith("Sections")
        content = op.get("sections" if of_sections else "items")
        if kind.startswith(("reload", "reconfigure")):
            for place, new in zip(places(op["at"], op["count"]), content):
                if of_sections:
                    sections[place] = {**new, "items": sections[place]["items"]}
                else:
                    sections[place[0]]["items"][place[1]] = new
        elif kind.startswith("insert"):
            (sections_in if of_sections else rows_in).extend(zip(places(op["at"], op["count"]), content))
        else:
            start = places(op["from" if "from" in op else "at"], op["count"])
            end = places(op["to"], op["count"]) if "to" in op else [None] * op["count"]
            (sections_out if of_sections else rows_out).extend(zip(start, end))
    for place, target in sorted(rows_out, key=lambda pair: pair[0], reverse=True):
        row = sections[place[0]]["items"].pop(place[1])
        if target is not None:
            rows_in.append((target, row))
    for place, target in sorted(sections_out, key=lambda pair: pair[0], reverse=True):
        section = sections.pop(place)
        if target is not None:
            sections_in.append((target, section))
    for place, section in sorted(sections_in, key=lambda pair: pair[0]):
        sections.insert(place, section)
    for place, row in sorted(rows_in, key=lambda pair: pair[0]):
        sections[place[0]]["items"].insert(place[1], row)


def hold(state: Any, message: Any, *names: str) -> None:
    for name in names:
        state[name] = message[name]


def receive(method: str, message: Any) -> None:
    state = held.setdefault(message["list"], nothing())
    if method == "didChange":
        if message.get("reload") or message["baseRevision"] != state["revision"]:
            send("subscribe", {"list": message["list"]})
            return
        for stage in message["stages"]:
            apply(state["sections"], stage)
        hold(state, message, "revision", "selection", "cursor")
    elif method == "didSelect":
        hold(state, message, "selection", "cursor")
    elif method == "didRemove":
        held[message["list"]] = nothing()


def send(method: str, params: Any) -> int:
    global last_id
    last_id += 1
    request = {"jsonrpc": "2.0", "id": last_id, "method": method, "params": params}
    listd.stdin.write(json.dumps(request) + "\n")
    listd.stdin.flush()
    return last_id


def ask(method: str, params: Any) -> Any:
    """Sends a request, and returns its reply when all requests are answered."""
    id = send(method, params)
    answered, reply = id - 1, None
    while answered < last_id:
        message = json.loads(listd.stdout.readline())
        if "method" in message:
            receive(message["method"], message["params"])
            continue
        answered = message["id"]
        if answered == id:
            reply = message
        result = message.get("result")
        if isinstance(result, dict) and "snapshot" in result:
            state = held.setdefault(result["list"], nothing())
            state["sections"] = [with_rows(section) for section in result["snapshot"]["sections"]]
            hold(state, result, "revision", "selection", "cursor")
    return reply


listd = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
for line in sys.stdin:
    method, _, params = line.partition(" ")
    reply = ask(method, json.loads(params))
    print(json.dumps({"reply": reply, "held": held}), flush=True)
listd.stdin.close()
sys.exit(listd.wait())
