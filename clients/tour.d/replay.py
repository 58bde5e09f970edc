"""The stages of an answer, applied to a copy of the snapshot that they change.

That is what a client with a view would do, without the view. The Python client says what ops mean,
and takes no stage that such a view would refuse; here is noted what happened to which row.
"""

from listd import OutOfStep, ops
from listd.applying import steps


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

    def note(self, op, before, after):
        """Notes what an op did, by the sections before and after its stage."""
        self.ops += 1
        for k in range(op.count):
            if isinstance(op, ops.DeleteSections):
                self.folders_went.append(before[op.at + k])
            elif isinstance(op, ops.InsertSections):
                self.folders_came.append(after[op.at + k])
            elif isinstance(op, ops.MoveSections):
                self.sections["moves"] += 1
            elif isinstance(op, (ops.ReloadSections, ops.ReconfigureSections)):
                self.sections["updates"] += 1
                self.folders_changed.append((before[op.at + k], after[op.at + k]))
            elif isinstance(op, ops.DeleteItems):
                self.went.append(row(before, op.at, k))
            elif isinstance(op, ops.InsertItems):
                item, section = row(after, op.at, k)
                self.came.append((item, section["id"]))
            elif isinstance(op, ops.MoveItems):
                self.rows["moves"] += 1
                self._stayed(self.moved, row(before, op.from_, k), row(after, op.to, k))
            else:
                self.rows["updates"] += 1
                self._stayed(self.changed, row(before, op.at, k), row(after, op.at, k))

    def _stayed(self, noted, was, now):
        (old, section), (item, to) = was, now
        noted.setdefault(old["id"], (old, section))
        self.to[old["id"]] = (item, to["id"])


def replayed(snapshot, stages, told):
    """The sections that the stages make of a snapshot's; the snapshot stays as it is."""
    try:
        for before, stage, snapshot in steps(snapshot, ops.read_stages(stages)):
            for op in stage:
                told.note(op, before, snapshot)
    except (OutOfStep, KeyError, TypeError, ValueError, AttributeError) as why:
        raise Wrong(f"an op that cannot be applied ({type(why).__name__}: {why})") from why
    return snapshot


def row(sections, path, k):
    """An item, and the section it is in."""
    section = sections[path.section]
    return section["items"][path.row + k], section


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
