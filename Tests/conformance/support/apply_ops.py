"""The reference implementation of stages and ops."""

from __future__ import annotations

import copy
from typing import Any, Callable, Dict, List, Protocol, Tuple

from values import Row, Sect, dumps, identity, own, rows_of

SECTION_CHANGES = ("reloadSections", "reconfigureSections")
ROW_CHANGES = ("reloadItems", "reconfigureItems")
CHANGES = SECTION_CHANGES + ROW_CHANGES
ORDER = (
    "deleteSections", "insertSections", "moveSections", "deleteItems", "insertItems", "moveItems",
) + CHANGES  # fmt: skip

Op = Dict[str, Any]
Doc = List[Sect]


class Broken(AssertionError):
    """An answer breaks a law, which the message describes."""


def need(condition: bool, why: str) -> None:
    if not condition:
        raise Broken(why)


class Bring(Protocol):
    """Supplies the rows and sections that ops insert, and is called for each op."""

    def begin(self, stage: int) -> None: ...
    def section(self, op: Op, k: int) -> Sect: ...
    def row(self, op: Op, k: int) -> Any: ...
    def changed_section(self, op: Op, k: int, old: Any) -> Any: ...
    def changed_row(self, op: Op, k: int, old: Any) -> Any: ...
    def note(self, kind: str, source: Any, target: Any, row: Any) -> None: ...


class Contents:
    """Takes inserted rows and sections from the ops themselves, which have `content: true`."""

    def begin(self, stage: int) -> None:
        pass

    def section(self, op: Op, k: int) -> Sect:
        section = op["sections"][k]
        rows = rows_of(section["items"])
        need(len(rows) == op["rows"][k], f"rows tells another number than sections: {dumps(op)}")
        return Sect(own(section), rows)

    def row(self, op: Op, k: int) -> Row:
        return Row(identity(op["items"][k]), op["items"][k])

    def changed_section(self, op: Op, k: int, old: Any) -> Any:
        need("items" not in op["sections"][k], f"a changed section carries items: {dumps(op)}")
        return op["sections"][k]

    def changed_row(self, op: Op, k: int, old: Row) -> Row:
        return Row(old.identity, op["items"][k])

    def note(self, kind: str, source: Any, target: Any, row: Any) -> None:
        pass


def claim(claimed: Dict[Any, Any], place: Any, value: Any, op: Op) -> None:
    need(place not in claimed, f"{place} is used twice, again by {dumps(op)}")
    claimed[place] = value


def fill(staying: List[Any], arriving: Dict[int, Any], what: str) -> List[Any]:
    """Puts arriving elements at their positions, and the kept ones between them in their order."""
    total = len(staying) + len(arriving)
    outside = [place for place in arriving if not 0 <= place < total]
    need(not outside, f"{what} {outside} beyond the {total} after the stage")
    rest = iter(staying)
    return [arriving[place] if place in arriving else next(rest) for place in range(total)]


def at(path: List[int], doc: Doc, op: Op, beyond: int = 0) -> Tuple[int, int]:
    section, row = path
    need(0 <= section < len(doc), f"there is no section {section} for {dumps(op)}")
    rows = len(doc[section].rows)
    need(0 <= row < rows + beyond, f"there is no row {path} for {dumps(op)}")
    return section, row


def apply_stages(doc: Doc, stages: List[List[Op]], bring: Bring) -> Doc:
    """Applies batch updates one after the other. Raises `Broken` if UIKit would throw."""
    for index, stage in enumerate(stages):
        bring.begin(index)
        try:
            check_form(stage)
            if any(op["op"] in CHANGES for op in stage):
                need(index == len(stages) - 1, "content changes before the last stage")
                doc = apply_changes(doc, stage, bring)
            else:
                doc = apply_structure(doc, stage, bring)
        except Broken as broken:
            raise Broken(f"stage {index}: {broken}") from None
    return doc


def apply_changes(doc: Doc, stage: List[Op], bring: Bring) -> Doc:
    sections: Dict[Any, Any] = {}
    rows: Dict[Any, Any] = {}
    for op in stage:
        need(op["op"] in CHANGES, f"{op['op']} stands beside content changes")
        for k in range(op["count"]):
            if op["op"] in SECTION_CHANGES:
                place = op["at"] + k
                need(0 <= place < len(doc), f"there is no section {place} for {dumps(op)}")
                bring.note(op["op"], doc[place].own, None, None)
                claim(sections, place, bring.changed_section(op, k, doc[place].own), op)
            else:
                path = at([op["at"][0], op["at"][1] + k], doc, op)
                old = doc[path[0]].rows[path[1]]
                bring.note(op["op"], None, None, old)
                claim(rows, path, bring.changed_row(op, k, old), op)
    return [
        Sect(sections.get(s, sect.own), [rows.get((s, r), row) for r, row in enumerate(sect.rows)])
        for s, sect in enumerate(doc)
    ]


def apply_structure(doc: Doc, stage: List[Op], bring: Bring) -> Doc:
    leaving, arriving = section_moves(doc, stage, bring)
    staying = [index for index in range(len(doc)) if index not in leaving]
    layout = fill(staying, arriving, "sections")
    after = [doc[entry] if isinstance(entry, int) else entry for entry in layout]
    out: Dict[Any, Any] = {}
    into: Dict[Any, Any] = {}
    for op in stage:
        if op["op"] in ("deleteItems", "insertItems", "moveItems"):
            for k in range(op["count"]):
                row_op(doc, after, leaving, arriving, op, k, out, into, bring)
    result: Doc = []
    for index, entry in enumerate(layout):
        rows = after[index].rows
        if isinstance(entry, int):
            rows = [row for r, row in enumerate(rows) if (entry, r) not in out]
            fresh = {r: row for (s, r), row in into.items() if s == index}
            rows = fill(rows, fresh, f"rows of section {index}")
        result.append(Sect(after[index].own, rows))
    return result


def section_moves(doc: Doc, stage: List[Op], bring: Bring) -> Tuple[Dict[int, Op], Dict[int, Sect]]:
    """The old indices of sections that a stage deletes or moves, and the sections at new indices."""
    leaving: Dict[int, Op] = {}
    arriving: Dict[int, Sect] = {}
    for op in stage:
        for k in range(op["count"]):
            if op["op"] in ("deleteSections", "moveSections"):
                index = op.get("from", op.get("at")) + k
                need(0 <= index < len(doc), f"there is no section {index} for {dumps(op)}")
                claim(leaving, index, op, op)
                bring.note(op["op"], doc[index].own, None, None)
                if op["op"] == "moveSections":
                    claim(arriving, op["to"] + k, doc[index], op)
            elif op["op"] == "insertSections":
                fresh = bring.section(op, k)
                bring.note(op["op"], None, fresh.own, None)
                claim(arriving, op["at"] + k, fresh, op)
    return leaving, arriving


def row_op(
    doc: Doc, after: Doc, leaving: Dict[int, Op], arriving: Dict[int, Sect], op: Op, k: int,
    out: Dict[Any, Any], into: Dict[Any, Any], bring: Bring,
) -> None:  # fmt: skip
    """Moves the k-th row of a row op from its path before the stage to its path after it."""
    row = source = target = None
    if op["op"] != "insertItems":
        path = op["from"] if op["op"] == "moveItems" else op["at"]
        place = at([path[0], path[1] + k], doc, op)
        need(place[0] not in leaving, f"{dumps(op)} reads from a section that goes or moves")
        claim(out, place, op, op)
        source, row = doc[place[0]].own, doc[place[0]].rows[place[1]]
    if op["op"] != "deleteItems":
        path = op["to"] if op["op"] == "moveItems" else op["at"]
        need(0 <= path[0] < len(after), f"there is no section {path[0]} for {dumps(op)}")
        need(path[0] not in arriving, f"{dumps(op)} writes to a section that comes or moves")
        target = after[path[0]].own
        row = bring.row(op, k) if op["op"] == "insertItems" else row
        claim(into, (path[0], path[1] + k), row, op)
    bring.note(op["op"], source, target, row)


MEMBERS = {
    "deleteSections": ("at", "count"),
    "insertSections": ("at", "count", "rows", "sections"),
    "moveSections": ("from", "to", "count"),
    "deleteItems": ("at", "count"),
    "insertItems": ("at", "count", "items"),
    "moveItems": ("from", "to", "count"),
    "reloadSections": ("at", "count", "sections"),
    "reconfigureSections": ("at", "count", "sections"),
    "reloadItems": ("at", "count", "items"),
    "reconfigureItems": ("at", "count", "items"),
}


def check_form(stage: List[Op]) -> None:
    """Checks the shape of ops, their canonical order, and that consecutive ones are merged."""
    need(bool(stage), "an empty stage")
    for op in stage:
        check_op(op)
    for one, next_ in zip(stage, stage[1:]):
        order = [(ORDER.index(op["op"]), op.get("to", op.get("at"))) for op in (one, next_)]
        need(order[0] < order[1], f"out of order: {dumps(one)} before {dumps(next_)}")
        need(not runs_on(one, next_), f"not one range: {dumps(one)} and {dumps(next_)}")


def check_op(op: Op) -> None:
    need(op.get("op") in ORDER, f"no such op: {dumps(op)}")
    extra = set(op) - set(MEMBERS[op["op"]]) - {"op"}
    need(not extra, f"{sorted(extra)} in {dumps(op)}")
    need(isinstance(op.get("count"), int) and op["count"] > 0, f"count in {dumps(op)}")
    for name in ("at", "from", "to"):
        if name in MEMBERS[op["op"]]:
            path = op.get(name)
            numbers = path if op["op"].endswith("Items") else [path]
            whole = isinstance(numbers, list) and all(type(n) is int and n >= 0 for n in numbers)
            need(whole and len(numbers) in (1, 2), f"{name} in {dumps(op)}")
    for name in ("rows", "items", "sections"):
        need(name not in op or len(op[name]) == op["count"], f"{name} in {dumps(op)}")
    need(op["op"] != "insertSections" or "rows" in op, f"no rows in {dumps(op)}")


def runs_on(one: Op, other: Op) -> bool:
    """Reports whether the second op continues the ranges of the first."""
    if one["op"] != other["op"]:
        return False
    for name in ("at", "from", "to"):
        if name in one:
            end = one[name]
            end = [end[0], end[1] + one["count"]] if isinstance(end, list) else end + one["count"]
            if end != other[name]:
                return False
    return True


def apply_ops(doc: Doc, ops: List[Op]) -> Doc:
    """Applies ops of the format `ops`, each to the result of the one before."""
    doc = copy.deepcopy(doc)
    bring = Contents()
    changing = False
    for op in ops:
        check_op(op)
        need(op["op"] in CHANGES or not changing, f"{dumps(op)} after changes of content")
        changing = op["op"] in CHANGES
        if changing:
            doc = apply_changes(doc, [op], bring)
        elif op["op"].endswith("Sections"):
            splice(doc, op, bring.section)
        else:
            splice_rows(doc, op, bring.row)
    return doc


def splice(values: List[Any], op: Op, fresh: Callable[[Op, int], Any]) -> None:
    """Deletes, inserts or moves a range of a plain list."""
    count, start = op["count"], op.get("from", op.get("at"))
    if op["op"].startswith("insert"):
        need(start <= len(values), f"beyond the end: {dumps(op)}")
        values[start:start] = [fresh(op, k) for k in range(count)]
        return
    need(start + count <= len(values), f"beyond the end: {dumps(op)}")
    run = values[start : start + count]
    del values[start : start + count]
    if "to" in op:
        need(op["to"] <= len(values), f"beyond the end: {dumps(op)}")
        values[op["to"] : op["to"]] = run


def splice_rows(doc: Doc, op: Op, fresh: Callable[[Op, int], Any]) -> None:
    if op["op"] != "moveItems":
        section, row = at(op["at"], doc, op, beyond=1)
        splice(doc[section].rows, {**op, "at": row}, fresh)
        return
    section, row = at(op["from"], doc, op)
    run = doc[section].rows[row : row + op["count"]]
    need(len(run) == op["count"], f"beyond the end: {dumps(op)}")
    del doc[section].rows[row : row + op["count"]]
    section, row = at(op["to"], doc, op, beyond=1)
    doc[section].rows[row:row] = run
