"""One change in every dialect, each applied by somebody who knows nothing of the others.

Stages and ops by the plainest Python, patches by PyPI's jsonpatch, text edits by Python and by
Neovim's own `vim.lsp.util.apply_text_edits`, where there is one.
"""

from __future__ import annotations

import copy
import json
import os
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Tuple

import jsonpatch
import pytest

from gen import PAIRS
from laws import diff_call
from ops import CHANGES, Broken, Contents, apply_ops, apply_stages
from values import Sect, dumps, identity, picture, same, sects
from wire import Daemon

pytestmark = pytest.mark.needs("ops", "jsonPatch", "textEdits", "getText")

COUNT = int(os.environ.get("LISTD_DIALECTS", str(max(1, PAIRS // 2))))
BATCH = 50
FORMATS = ("stages", "ops", "jsonPatch", "textEdits")
HEADERS = ("one", "two\nlines", {"text": "of an object"}, {"text": "a\r\nb"}, None)
WORDS = ("a", "b", "a\nb", "a\nc\nb", "", "\n", "é\U0001f642", "x\ry")

Sections = List[Dict[str, Any]]


def item(rng: random.Random, number: int) -> Any:
    """The item of a number: always of the same kind, with content of chance."""
    text = rng.choice(WORDS)
    kind = number % 5
    if kind == 0:
        return f"i{number}\nbare" if number % 2 else number
    if kind == 1:
        return {"text": text, "n": number}
    made: Dict[str, Any] = {"id": number, "text": text}
    if rng.random() < 0.2:
        made["template"] = rng.choice(["Cell", "Wide"])
    if kind == 2 and rng.random() < 0.8:
        made["parts"] = parts(rng)
    return made


def parts(rng: random.Random) -> List[Any]:
    made: List[Any] = [{"id": name, "text": rng.choice(WORDS)} for name in rng.sample("pqr", 2)]
    made += ["bare", {"template": "Wide"}, {"template": "Spacing", "lines": rng.randrange(3)}]
    made += [{"template": "Spacing"}] * 2
    return rng.sample(made, rng.randrange(len(made) + 1))


def section(rng: random.Random, name: Any) -> Dict[str, Any]:
    made: Dict[str, Any] = {"id": name}
    for member in ("header", "footer", "a/b", "c~d", "", "note"):
        if rng.random() < 0.3:
            made[member] = rng.choice(HEADERS)
    if rng.random() < 0.2:
        made["headerTemplate"] = rng.choice(["Header", "Cell"])
    return {**made, "items": []}


def snapshot(rng: random.Random) -> Sections:
    """Up to four sections; bare items and objects without an id repeat."""
    made = [section(rng, name) for name in rng.sample(["s", 1, "1", "t", "u"], rng.randint(0, 4))]
    numbers = rng.sample(range(16), rng.randint(0, 12)) if made else []
    numbers += [n for n in numbers if n % 5 < 2 and rng.random() < 0.4]
    for number in numbers:
        rng.choice(made)["items"].append(item(rng, number))
    return made


def edited(rng: random.Random, old: Sections) -> Sections:
    """A few changes of the old one."""
    new = copy.deepcopy(old)
    if new and rng.random() < 0.3:
        new.insert(rng.randrange(len(new)), new.pop(rng.randrange(len(new))))
    if new and rng.random() < 0.2:
        gone = new.pop(rng.randrange(len(new)))
        if new:
            rng.choice(new)["items"] += gone["items"][:2]
    for entry in new:
        if rng.random() < 0.2:
            entry.update(header=rng.choice(HEADERS))
        for place, old_item in enumerate(entry["items"]):
            if rng.random() < 0.2 and isinstance(old_item, dict) and "id" in old_item:
                entry["items"][place] = item(rng, old_item["id"])
    for _ in range(rng.randrange(4) if new else 0):
        source, target = rng.choice(new)["items"], rng.choice(new)["items"]
        if source:
            target.insert(rng.randint(0, len(target)), source.pop(rng.randrange(len(source))))
    return new


def pair(rng: random.Random) -> Tuple[Sections, Sections]:
    old = snapshot(rng)
    return old, (edited(rng, old) if rng.random() < 0.6 else snapshot(rng))


def pairs(rng: random.Random, count: int) -> List[Tuple[Sections, Sections]]:
    return [pair(rng) for _ in range(count)]


def ask(daemon: Daemon, some: Tuple[Sections, Sections]) -> Dict[str, Any]:
    """What each dialect tells, and the texts before and after."""
    calls: List[Any] = [diff_call(some, format=name, content=True) for name in FORMATS]
    for name, side in zip("on", some):
        calls.append(("applySnapshot", {"list": name, "sections": side, "format": "none"}))
        calls.append(("getText", {"list": name}))
    told = daemon.pipeline(calls)
    answer = {name: result[name] for name, result in zip(FORMATS, told)}
    assert len({dumps(result["counts"]) for result in told[:4]}) == 1
    return {**answer, "counts": told[0]["counts"], "old": told[5]["text"], "new": told[7]["text"]}


def contents(doc: List[Sect]) -> Any:
    return [[sect.own, [row.content for row in sect.rows]] for sect in doc]


def lines(text: str) -> List[str]:
    return text.split("\n")[:-1]


def apply_edits(text: str, edits: List[Any]) -> str:
    """LSP edits, from the last to the first, on a list of lines."""
    result = lines(text)
    for edit in reversed(edits):
        start, end = edit["range"]["start"], edit["range"]["end"]
        assert start["character"] == end["character"] == 0
        result[start["line"] : end["line"]] = lines(edit["newText"])
    return "".join(line + "\n" for line in result)


def rendered(sections: Sections) -> List[Tuple[Any, List[str]]]:
    """Each header, row and footer with its identity and its lines, by the default templates."""
    blocks: List[Tuple[Any, List[str]]] = []
    for entry, sect in zip(sections, sects(sections)):
        name = ("section", identity(entry["id"]))
        blocks.append(((name, "header"), words(entry.get("header"))))
        blocks += [((row.identity), row_lines(row.content)) for row in sect.rows]
        blocks.append(((name, "footer"), words(entry.get("footer"))))
    return blocks


def row_lines(content: Any) -> List[str]:
    if not isinstance(content, dict) or "$part" not in content:
        return words(content)
    part, owner = content["$part"], content["$item"]
    if not isinstance(part, dict):
        return words(part)
    if part.get("template") == "Spacing":
        return [""] * part.get("lines", 1)
    return words({**owner, **part})


def words(value: Any) -> List[str]:
    if value is None:
        return []
    text = str(value.get("text", "")) if isinstance(value, dict) else str(value)
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def broken(some: Tuple[Sections, Sections], told: Dict[str, Any]) -> str:
    """What is wrong with what was told of a pair, or nothing."""
    old, new = some
    for name, result in (
        ("stages", lambda: apply_stages(sects(old), told["stages"], Contents())),
        ("ops", lambda: apply_ops(sects(old), told["ops"])),
    ):
        try:
            got = contents(result())
        except Broken as law:
            return f"{name}: {law}"
        if not same(plain(got), plain(contents(sects(new)))):
            return f"{name} come to {dumps(got)}"
    patched = jsonpatch.apply_patch({"sections": copy.deepcopy(old)}, told["jsonPatch"])
    if not same(plain(contents(sects(patched["sections"]))), plain(contents(sects(new)))):
        return f"the patch comes to {dumps(patched)}"
    return broken_text(some, told) or broken_thrift(some, told)


def plain(doc: Any) -> Any:
    """Contents in which a header or footer that is null is one that is absent."""
    return [
        [
            {k: v for k, v in own.items() if v is not None or k not in ("header", "footer")},
            rows,
        ]
        for own, rows in doc
    ]


def broken_text(some: Tuple[Sections, Sections], told: Dict[str, Any]) -> str:
    for side, name in zip(some, ("old", "new")):
        wanted = "".join(line + "\n" for _, block in rendered(side) for line in block)
        if told[name] != wanted:
            return f"the {name} text is {told[name]!r}, not {wanted!r}"
    got = apply_edits(told["old"], told["textEdits"])
    if got != told["new"]:
        return f"the edits come to {got!r}, not {told['new']!r}"
    ranges = [edit["range"] for edit in told["textEdits"]]
    for one, other in zip(ranges, ranges[1:]):
        if one["end"]["line"] >= other["start"]["line"]:
            return f"edits that touch: {dumps(ranges)}"
    return ""


def broken_thrift(some: Tuple[Sections, Sections], told: Dict[str, Any]) -> str:
    """No dialect touches more than the stages do."""
    moves = sum(op["count"] for op in told["ops"] if op["op"] == "moveItems")
    if moves != told["counts"]["rows"]["moves"]:
        return f"{moves} moves in ops, counts {dumps(told['counts'])}"
    if not any("parts" in value for side in some for value in objects(side)):
        counts = told["counts"]
        wanted = counts["rows"]["moves"] + counts["sections"]["moves"]
        moved = sum(op["op"] == "move" for op in told["jsonPatch"])
        replaced = sum(
            op["op"] == "replace" and "/items/" in op["path"] for op in told["jsonPatch"]
        )
        if moved != wanted or replaced != counts["rows"]["updates"]:
            return f"{moved} moves and {replaced} replacements in the patch, {dumps(counts)}"
    touched = sum(
        edit["range"]["end"]["line"] - edit["range"]["start"]["line"] + len(lines(edit["newText"]))
        for edit in told["textEdits"]
    )
    most = lines_of_stages(some, told["stages"])
    return f"{touched} lines are touched, {most} would do" if touched > most else ""


def objects(sections: Sections) -> List[Dict[str, Any]]:
    return [value for entry in sections for value in entry["items"] if isinstance(value, dict)]


def lines_of_stages(some: Tuple[Sections, Sections], stages: Any) -> int:
    """How many lines it takes to write what stages do anew, row by row."""
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
    """Lines of both that need not be touched: the common first and last ones."""
    shared, head, tail = min(len(one), len(other)), 0, 0
    while head < shared and one[head] == other[head]:
        head += 1
    while tail < shared - head and one[-1 - tail] == other[-1 - tail]:
        tail += 1
    return 2 * (head + tail)


def story(some: Tuple[Sections, Sections], told: Dict[str, Any], why: str) -> str:
    said = "\n".join(f"  {name}: {dumps(told[name])}" for name in FORMATS)
    return f"{why}\n  from: {picture(some[0])}\n  to:   {picture(some[1])}\n{said}"


def test_every_dialect_gives_the_new_snapshot(daemon: Daemon, rng: random.Random) -> None:
    for start in range(0, COUNT, BATCH):
        with Daemon() as fresh:
            for some in pairs(rng, min(BATCH, COUNT - start)):
                told = ask(fresh, some)
                why = broken(some, told)
                if why:
                    pytest.fail(story(some, told, why), pytrace=False)


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
        told = ask(daemon, some)
        # A buffer always has a line, so an empty text is not told from that of an empty line.
        if told["old"] and told["new"]:
            asked.append((some, told))
            cases.append({"old": lines(told["old"]), "new": lines(told["new"]),
                          "edits": told["textEdits"]})  # fmt: skip
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
        some, told = asked[entry["index"] - 1]
        pytest.fail(story(some, told, f"the editor has {entry['got']}"), pytrace=False)
