"""A simple, slow differ that satisfies the laws. It pairs the k-th repeat with the k-th."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Dict, List, Set, Tuple

from apply_ops import CHANGES, Op, runs_on
from change_laws import Pairs, in_order, section_change
from values import Sect, key, same, sects

LATEST = 3


@dataclass(eq=False)
class Piece:
    """A row or a section: the stages that remove and insert it, and its content."""

    old: Any = None
    new: Any = None
    leaves: int = LATEST
    comes: int = -1
    rows: List["Piece"] = field(default_factory=list)
    new_rows: List["Piece"] = field(default_factory=list)


def still(values: List[Any]) -> List[int]:
    """The indices of a longest increasing subsequence, in quadratic time."""
    best: List[List[int]] = []
    for index, value in enumerate(values):
        before = [run for run in best if values[run[-1]] < value]
        best.append(max(before, key=len, default=[]) + [index])
    return max(best, key=len, default=[])


def present(old: List[Piece], new: List[Piece], stage: int) -> List[Piece]:
    """The order after a stage: the new order, with pieces that leave later before their old neighbour."""
    order = [piece for piece in new if piece.comes <= stage]
    rest: List[Piece] = []
    for piece in reversed(old):
        if piece in order and piece.comes < 0:
            rest = [piece]
        elif piece.leaves > stage and piece not in order:
            place = order.index(rest[0]) if rest else len(order)
            order.insert(place, piece)
            rest = [piece]
    return order


@dataclass
class Plan:
    old: List[Piece]
    new: List[Piece]

    def doc(self, stage: int) -> List[Tuple[Piece, List[Piece]]]:
        """Sections and their rows after a stage."""
        return [(s, present(s.rows, s.new_rows, stage)) for s in present(self.old, self.new, stage)]


def stages(old: List[Any], new: List[Any]) -> List[List[Op]]:
    """The change between two snapshots, with the section moves that take the fewest stages."""
    before, after = sects(old), sects(new)
    target = {key(sect.own["id"]): s for s, sect in enumerate(after)}
    kept = [(s, target[key(sect.own["id"])]) for s, sect in enumerate(before)
            if key(sect.own["id"]) in target]  # fmt: skip
    length = len(still([n for _, n in kept]))
    choices = [
        set(kept) - set(rest)
        for rest in combinations(kept, length)
        if [n for _, n in rest] == sorted(n for _, n in rest)
    ]
    answer = [encoded(plan(before, after, kept, moved)) for moved in choices]
    best = min(answer, key=len)
    changes = content_changes(before, after, pairs(before, after), kept)
    return best + ([changes] if changes else [])


def pairs(before: List[Sect], after: List[Sect]) -> Pairs:
    new = in_order(after)
    return [pair for name, old in in_order(before).items() for pair in zip(old, new[name])]


def plan(
    before: List[Sect], after: List[Sect], kept: List[Tuple[int, int]], moved: Set[Tuple[int, int]]
) -> Plan:
    result = Plan([Piece(old=s, leaves=0) for s in range(len(before))], [])
    pieces: Dict[int, Piece] = {}
    for s, n in kept:
        pieces[n] = result.old[s]
        still_there = (s, n) not in moved
        pieces[n].new, pieces[n].leaves = n, LATEST if still_there else 0
        pieces[n].comes = -1 if still_there else 0
    result.new = [pieces.get(n) or Piece(new=n, comes=0) for n in range(len(after))]
    rows = {new: (old, Piece(old=old, new=new)) for old, new in pairs(before, after)}
    place_rows(result, before, after, rows)
    return result


def place_rows(result: Plan, before: List[Sect], after: List[Sect], rows: Dict[Any, Any]) -> None:
    by_old = {old: piece for old, piece in rows.values()}
    for s, sect in enumerate(result.old):
        busy = int(sect.comes == 0)
        for r in range(len(before[s].rows)):
            dies = Piece(old=(s, r), leaves=busy if sect.new is not None else LATEST)
            sect.rows.append(by_old.get((s, r), dies))
    for n, sect in enumerate(result.new):
        busy = int(sect.comes == 0)
        for r in range(len(after[n].rows)):
            fresh = Piece(new=(n, r), comes=busy if sect.old is not None else 0)
            piece = rows[(n, r)][1] if (n, r) in rows else fresh
            sect.new_rows.append(piece)
            if piece.old is not None:
                source = result.old[piece.old[0]]
                if source is not sect:
                    piece.comes = piece.leaves = int(0 in (source.comes, sect.comes))
                    if source.new is None:
                        source.leaves = max(source.leaves, piece.leaves + 1)
        stay = [piece for piece in sect.rows if piece.new and piece.new[0] == n]
        rest = [stay[index] for index in still([piece.new for piece in stay])]
        for piece in stay:
            if piece not in rest:
                piece.comes = piece.leaves = busy


def encoded(made: Plan) -> List[List[Op]]:
    answer = []
    for stage in range(LATEST):
        ops = merged(stage_ops(made.doc(stage - 1), made.doc(stage), stage))
        if ops:
            answer.append(ops)
    return answer


def stage_ops(before: Any, after: Any, stage: int) -> List[Op]:
    """The single ops between two states, in canonical order."""
    old = {sect: s for s, (sect, _) in enumerate(before)}
    new = {sect: s for s, (sect, _) in enumerate(after)}
    fresh = {sect for sect in new if sect not in old}
    ops: List[Op] = [one("deleteSections", at=s) for sect, s in old.items() if sect not in new]
    ops += [
        {**one("insertSections", at=s), "rows": [len(after[s][1])]} for sect, s in new.items()
        if sect in fresh
    ]  # fmt: skip
    ops += [one("moveSections", **{"from": old[sect], "to": s}) for sect, s in new.items()
            if sect.comes == stage and sect in old]  # fmt: skip
    was = {row: [s, r] for s, (sect, rows) in enumerate(before) for r, row in enumerate(rows)
           if sect in new}  # fmt: skip
    ops += [
        one("deleteItems", at=p)
        for row, p in was.items()
        if row.new is None and row.leaves == stage
    ]
    came = {row: [s, r] for s, (sect, rows) in enumerate(after) for r, row in enumerate(rows)
            if row.comes == stage and sect not in fresh}  # fmt: skip
    ops += [one("insertItems", at=p) for row, p in came.items() if row.old is None]
    ops += [one("moveItems", **{"from": was[row], "to": p}) for row, p in came.items() if row.old]
    return ops


def one(op: str, **members: Any) -> Op:
    return {"op": op, "count": 1, **members}


def merged(ops: List[Op]) -> List[Op]:
    """Single ops in canonical order, as ranges."""
    result: List[Op] = []
    for op in ops:
        if result and runs_on(result[-1], op):
            result[-1]["count"] += 1
            if "rows" in op:
                result[-1]["rows"] += op["rows"]
        else:
            result.append(op)
    return result


def content_changes(
    before: List[Sect], after: List[Sect], paired: Pairs, kept: List[Tuple[int, int]]
) -> List[Op]:
    changes: List[Op] = []
    for s, n in kept:
        kind = section_change(before[s].own, after[n].own)
        changes += [one(kind, at=n)] if kind else []
    for old, new in paired:
        row, now = before[old[0]].rows[old[1]], after[new[0]].rows[new[1]]
        if not same(row.content, now.content):
            alike = row.template == now.template
            changes.append(one("reconfigureItems" if alike else "reloadItems", at=list(new)))
    return merged(sorted(changes, key=lambda op: (CHANGES.index(op["op"]), op["at"])))
