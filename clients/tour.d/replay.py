"""Stages of batch updates, applied to a copy of the snapshot that they change.

`replayed` is what a client with a view would do, without the view: it looks at nothing but the ops.
It takes no stage that such a view would refuse, and notes on the way what happened to which row.
"""

from collections import defaultdict


class Wrong(Exception):
    """An answer that is not what was promised."""


class Told:
    """What the ops of one answer say, by identity."""

    def __init__(self):
        self.ops = 0
        self.rows = {"deletes": 0, "inserts": 0, "moves": 0, "updates": 0}
        self.sections = dict(self.rows)
        self.went = []  # (item, section it was in)
        self.came = []  # (item, id of the section it came to)
        self.moved = {}  # id -> (item before, section before)
        self.changed = {}  # id -> (item before, section before)
        self.to = {}  # id of a row that moved or changed -> (item, id of its section) after
        self.folders_went = []  # sections
        self.folders_came = []  # sections as they came
        self.folders_changed = []  # (section before, section after)


def replayed(snapshot, stages, told):
    """The sections that the stages make of a snapshot's; the snapshot stays as it is."""
    try:
        for stage in stages:
            told.ops += len(stage)
            content = [op for op in stage if op["op"].startswith(("reload", "reconfigure"))]
            if not content:
                snapshot = restructured(snapshot, stage, told)
            elif len(content) < len(stage) or stage is not stages[-1]:
                raise Wrong("changes of content do not stand alone in the last stage")
            else:
                snapshot = with_content(snapshot, stage, told)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as why:
        raise Wrong(f"an op that cannot be applied ({type(why).__name__}: {why})") from why
    return snapshot


def restructured(before, stage, told):
    """One stage of deletes, inserts and moves, all at once: what leaves its place is named by
    places before the stage, what comes to a place by places after it."""
    left = set()  # sections that leave their places
    placed = {}  # place after -> section
    left_rows = defaultdict(set)  # section before -> rows that leave their places
    placed_rows = defaultdict(dict)  # section after -> place in it -> item
    moves = []  # (item, section before, section's place after)
    for op in stage:
        kind, count = op["op"], op["count"]
        if kind == "deleteSections":
            for place in run(op["at"], count):
                told.folders_went.append(leave(before, place, left))
        elif kind == "insertSections":
            sections = of_length(count, op["sections"])
            if [len(section["items"]) for section in sections] != op["rows"]:
                raise Wrong("inserted sections do not arrive with as many rows as told")
            for place, section in zip(run(op["at"], count), sections):
                fill(placed, place, section)
                told.folders_came.append(section)
        elif kind == "moveSections":
            for old, new in zip(run(op["from"], count), run(op["to"], count)):
                fill(placed, new, leave(before, old, left))
                told.sections["moves"] += 1
        elif kind == "deleteItems":
            index, row = op["at"]
            for place in run(row, count):
                section = before[natural(index)]
                told.went.append((leave(section["items"], place, left_rows[index]), section))
        elif kind == "insertItems":
            index, row = op["at"]
            for place, item in zip(run(row, count), of_length(count, op["items"])):
                fill(placed_rows[index], place, item)
                moves.append((item, None, index))
        elif kind == "moveItems":
            (index, row), (to_index, to_row) = op["from"], op["to"]
            for old, new in zip(run(row, count), run(to_row, count)):
                section = before[natural(index)]
                item = leave(section["items"], old, left_rows[index])
                fill(placed_rows[to_index], new, item)
                moves.append((item, section, to_index))
        else:
            raise Wrong(f"an op that nobody knows: {kind}")
    if left & set(left_rows) or set(placed) & set(placed_rows):
        raise Wrong("rows change in a section that the same stage deletes, inserts or moves")

    staying = [
        without(section, left_rows[index]) if index in left_rows else section
        for index, section in enumerate(before)
        if index not in left
    ]
    after = woven(staying, placed)
    for index, rows in placed_rows.items():
        section = after[natural(index)]
        after[index] = {**section, "items": woven(section["items"], rows)}
    for item, section, index in moves:
        note(told, item, section, after[index]["id"])
    return after


def with_content(before, stage, told):
    """One stage of reloads and reconfigures: new content in places that stay."""
    after = list(before)
    changed, changed_rows = set(), defaultdict(set)
    for op in stage:
        if op["op"] in ("reloadSections", "reconfigureSections"):
            sections = of_length(op["count"], op["sections"])
            for place, own in zip(run(op["at"], op["count"]), sections):
                leave(after, place, changed)
                after[place] = {**own, "items": after[place]["items"]}
                told.folders_changed.append((before[place], after[place]))
        elif op["op"] in ("reloadItems", "reconfigureItems"):
            index, row = op["at"]
            rows = list(after[natural(index)]["items"])
            for place, item in zip(run(row, op["count"]), of_length(op["count"], op["items"])):
                old = leave(rows, place, changed_rows[index])
                rows[place] = item
                told.changed[old["id"]] = (old, before[index])
                told.to[old["id"]] = (item, after[index]["id"])
                told.rows["updates"] += 1
            after[index] = {**after[index], "items": rows}
        else:
            raise Wrong(f"an op that nobody knows: {op['op']}")
    told.sections["updates"] += len(changed)
    return after


def note(told, item, section, to):
    """Notes a row that came to the section `to`, from another one if it is a move."""
    if section is None:
        told.came.append((item, to))
    else:
        told.rows["moves"] += 1
        told.moved.setdefault(item["id"], (item, section))
        told.to[item["id"]] = (item, to)


def check_identity(told):
    """Nothing that stays in the list may go and come."""
    for what, went, came in (
        ("section", told.folders_went, told.folders_came),
        ("row", items(told.went, told.folders_went), items(told.came, told.folders_came)),
    ):
        both = {element["id"] for element in went} & {element["id"] for element in came}
        if both:
            raise Wrong(f"{what} {min(both)!r} stays, but is deleted and inserted")


def items(rows, sections):
    return [item for item, _ in rows] + [item for s in sections for item in s["items"]]


def totals(told):
    """How many of each the ops told, in the form of an answer's `counts`."""
    rows, sections = dict(told.rows), dict(told.sections)
    rows["deletes"] = len(items(told.went, told.folders_went))
    rows["inserts"] = len(items(told.came, told.folders_came))
    sections["deletes"], sections["inserts"] = len(told.folders_went), len(told.folders_came)
    return {"rows": rows, "sections": sections}


def natural(place):
    if type(place) is not int or place < 0:
        raise Wrong(f"{place!r} is no place")
    return place


def run(start, count):
    return range(natural(start), start + natural(count))


def of_length(count, contents):
    if len(contents) != count:
        raise Wrong(f"{len(contents)} contents for {count} places")
    return contents


def leave(elements, place, left):
    """What leaves its place, which it can do once."""
    if place in left:
        raise Wrong(f"place {place} is named twice")
    left.add(place)
    return elements[place]


def fill(placed, place, element):
    if place in placed:
        raise Wrong(f"place {place} is filled twice")
    placed[place] = element


def without(section, rows):
    kept = [item for row, item in enumerate(section["items"]) if row not in rows]
    return {**section, "items": kept}


def woven(staying, placed):
    """The placed ones at their places, the staying ones in the places between, in their order."""
    size = len(staying) + len(placed)
    if any(natural(place) >= size for place in placed):
        raise Wrong("a place beyond the end is filled")
    rest = iter(staying)
    return [placed[place] if place in placed else next(rest) for place in range(size)]
