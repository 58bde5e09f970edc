"""One change in every format, each applied by an independent implementation.

Stages and ops by the plainest Python, patches by PyPI's jsonpatch, text edits by Python and by
Neovim's own `vim.lsp.util.apply_text_edits`, where there is one.
"""

# Promise: A change is the same in every format, also when libraries of other authors apply it. Also
#   `test_every_format_live.py`.

from __future__ import annotations

import copy
import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Tuple

import jsonpatch
import pytest

from apply_ops import Broken, Contents, apply_ops, apply_stages
from client import Daemon
from format_cases import Sections, contents, lines, pairs, plain, rendered, row_lines, words
from pair_checks import diff_call
from random_snapshots import PAIRS
from text_edits import apply_edits
from values import Sect, dumps, picture, same, sects

pytestmark = pytest.mark.needs("ops", "jsonPatch", "textEdits", "getText")

COUNT = max(1, PAIRS // 2)
BATCH = 50
FORMATS = ("stages", "ops", "jsonPatch", "textEdits")


def ask(daemon: Daemon, some: Tuple[Sections, Sections]) -> Dict[str, Any]:
    """The change in each format, and the texts before and after."""
    calls: List[Any] = [diff_call(some, format=name, content=True) for name in FORMATS]
    for name, side in zip("on", some):
        calls.append(("applySnapshot", {"list": name, "sections": side, "format": "none"}))
        calls.append(("getText", {"list": name}))
    response = daemon.pipeline(calls)
    answer = {name: result[name] for name, result in zip(FORMATS, response)}
    assert len({dumps(result["counts"]) for result in response[:4]}) == 1
    return {**answer, "counts": response[0]["counts"], "old": response[5]["text"], "new": response[7]["text"]}


def broken(some: Tuple[Sections, Sections], response: Dict[str, Any]) -> str:
    """The error in the answers about a pair, or an empty string."""
    old, new = some
    for name, result in (
        ("stages", lambda: apply_stages(sects(old), response["stages"], Contents())),
        ("ops", lambda: apply_ops(sects(old), response["ops"])),
    ):
        try:
            got = contents(result())
        except Broken as law:
            return f"{name}: {law}"
        if not same(plain(got), plain(contents(sects(new)))):
            return f"{name} come to {dumps(got)}"
    patched = jsonpatch.apply_patch({"sections": copy.deepcopy(old)}, response["jsonPatch"])
    if not same(plain(contents(sects(patched["sections"]))), plain(contents(sects(new)))):
        return f"the patch comes to {dumps(patched)}"
    return broken_text(some, response) or broken_thrift(some, response)


def broken_text(some: Tuple[Sections, Sections], response: Dict[str, Any]) -> str:
    for side, name in zip(some, ("old", "new")):
        wanted = "".join(line + "\n" for _, block in rendered(side) for line in block)
        if response[name] != wanted:
            return f"the {name} text is {response[name]!r}, not {wanted!r}"
    got = apply_edits(response["old"], response["textEdits"])
    if got != response["new"]:
        return f"the edits come to {got!r}, not {response['new']!r}"
    ranges = [edit["range"] for edit in response["textEdits"]]
    for one, other in zip(ranges, ranges[1:]):
        if one["end"]["line"] >= other["start"]["line"]:
            return f"edits that touch: {dumps(ranges)}"
    return ""


def broken_thrift(some: Tuple[Sections, Sections], response: Dict[str, Any]) -> str:
    """The error if a format changes more than the stages do."""
    moves = sum(op["count"] for op in response["ops"] if op["op"] == "moveItems")
    if moves != response["counts"]["rows"]["moves"]:
        return f"{moves} moves in ops, counts {dumps(response['counts'])}"
    if not any("parts" in value for side in some for value in objects(side)):
        counts = response["counts"]
        wanted = counts["rows"]["moves"] + counts["sections"]["moves"]
        moved = sum(op["op"] == "move" for op in response["jsonPatch"])
        replaced = sum(
            op["op"] == "replace" and "/items/" in op["path"] for op in response["jsonPatch"]
        )
        if moved != wanted or replaced != counts["rows"]["updates"]:
            return f"{moved} moves and {replaced} replacements in the patch, {dumps(counts)}"
    touched = sum(
        edit["range"]["end"]["line"] - edit["range"]["start"]["line"] + len(lines(edit["newText"]))
        for edit in response["textEdits"]
    )
    most = lines_of_stages(some, response["stages"])
    return f"{touched} lines are touched, {most} would do" if touched > most else ""


def objects(sections: Sections) -> List[Dict[str, Any]]:
    return [value for entry in sections for value in entry["items"] if isinstance(value, dict)]


def lines_of_stages(some: Tuple[Sections, Sections], stages: Any) -> int:
    """The number of lines that have to be rewritten for stages, row by row."""
    class Tokens(Contents):
        def section(self, op: Any, k: int) -> Sect:
            return Sect(None, [None] * op["rows"][k])

        def row(self, op: Any, k: int) -> Any:
            return None

        def changed_section(self, op: Any, k: int, old: Any) -> Any:
            return old and {**old, "changed": True}

        def changed_row(self, op: Any, k: int, old: Any) -> Any:
            return old and {**old, "changed": True}

        def note(self, kind: str, source: Any, target: Any, row: Any) -> None:
            if kind == "moveItems" and row:
                row["moved"] = True
            if kind == "moveSections" and source:
                source["moved"] = True

    def tokens(sections: Sections) -> List[Sect]:
        made = []
        for sect in sects(sections):
            rows = []
            for row in sect.rows:
                rows.append({"lines": row_lines(row.content)})
            own = {"header": words(sect.own.get("header")), "footer": words(sect.own.get("footer"))}
            made.append(Sect(own, rows))
        return made

    before = tokens(some[0])
    everything = [row for sect in before for row in sect.rows]
    after = apply_stages(before, stages, Tokens())
    total = sum(len(sect.own[name]) for sect in before for name in ("header", "footer"))
    total += sum(len(row["lines"]) for row in everything)
    target = tokens(some[1])
    total += sum(len(sect.own[name]) for sect in target for name in ("header", "footer"))
    total += sum(len(row["lines"]) for sect in target for row in sect.rows)
    for sect, wanted in zip(after, target):
        if sect.own is None or sect.own.get("moved"):
            continue
        for name in ("header", "footer"):
            total -= kept(sect.own[name], wanted.own[name])
        for row, goal in zip(sect.rows, wanted.rows):
            if row is not None and not row.get("moved"):
                total -= kept(row["lines"], goal["lines"])
    return total


def kept(one: List[str], other: List[str]) -> int:
    """The number of lines of both that can be kept: the common first and last ones."""
    shared, head, tail = min(len(one), len(other)), 0, 0
    while head < shared and one[head] == other[head]:
        head += 1
    while tail < shared - head and one[-1 - tail] == other[-1 - tail]:
        tail += 1
    return 2 * (head + tail)


def story(some: Tuple[Sections, Sections], response: Dict[str, Any], why: str) -> str:
    said = "\n".join(f"  {name}: {dumps(response[name])}" for name in FORMATS)
    return f"{why}\n  from: {picture(some[0])}\n  to:   {picture(some[1])}\n{said}"


def test_every_format_gives_the_new_snapshot(daemon: Daemon, rng: random.Random) -> None:
    for start in range(0, COUNT, BATCH):
        with Daemon() as fresh:
            for some in pairs(rng, min(BATCH, COUNT - start)):
                response = ask(fresh, some)
                why = broken(some, response)
                if why:
                    pytest.fail(story(some, response, why), pytrace=False)


EDITOR = """
local cases = vim.fn.json_decode(vim.fn.readfile(CASES))
local wrong = {}
for index, case in ipairs(cases) do
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, case.old)
  vim.lsp.util.apply_text_edits(case.edits, buffer, "utf-16")
  local got = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  local wanted = #case.new == 0 and { "" } or case.new
  if not vim.deep_equal(got, wanted) then table.insert(wrong, { index = index, got = got }) end
  vim.api.nvim_buf_delete(buffer, { force = true })
end
vim.fn.writefile({ vim.fn.json_encode(wrong) }, ANSWER)
"""


@pytest.mark.skipif(not shutil.which("nvim"), reason="no nvim here")
def test_an_editor_applies_the_edits(daemon: Daemon, rng: random.Random, tmp_path: Path) -> None:
    cases, asked = [], []
    for some in pairs(rng, min(COUNT, 600)):
        response = ask(daemon, some)
        # A buffer always has a line, so an empty text looks like that of an empty line.
        if response["old"] and response["new"]:
            asked.append((some, response))
            cases.append({"old": lines(response["old"]), "new": lines(response["new"]),
                          "edits": response["textEdits"]})  # fmt: skip
    source, answer, script = (tmp_path / name for name in ("cases", "answer", "apply.lua"))
    source.write_text(json.dumps(cases))
    names = f"local CASES, ANSWER = {json.dumps(str(source))}, {json.dumps(str(answer))}\n"
    script.write_text(names + EDITOR)
    subprocess.run(
        ["nvim", "--headless", "--clean", "-n", "-c", f"luafile {script}", "-c", "qa!"],
        stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=True,
    )  # fmt: skip
    wrong = json.loads(answer.read_text())
    for entry in wrong[:1]:
        some, response = asked[entry["index"] - 1]
        pytest.fail(story(some, response, f"the editor has {entry['got']}"), pytrace=False)
