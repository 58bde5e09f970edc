"""Applies the stages of an answer to a copy of the previous snapshot.

A client with a view would do the same. The Python client defines the meaning of ops, and accepts no stage
that a view would reject. This module records the changes of each row.
"""

from listd import OutOfStep, ops
from listd.applying import steps


class Wrong(Exception):
    """An answer that violates a promise of the protocol."""


class AppliedOps:
    """The changes of the ops of one answer, by identity."""

    def __init__(self):
        self.ops = 0
        self.rows = {"deletes": 0, "inserts": 0, "moves": 0, "updates": 0}
        self.sections = dict(self.rows)
        self.deleted = []  # (item, its section)
        self.inserted = []  # (item, id of its section)
        self.moved = {}  # id -> (item before, section before)
        self.changed = {}  # id -> (item before, section before)
        self.to = {}  # id of a moved or changed row -> (item, id of its section) after
        self.folders_deleted = []  # sections
        self.folders_inserted = []  # sections
        self.folders_changed = []  # (section before, section after)

    def record(self, op, before, after):
        """Records an op, with the sections before and after its stage."""
        self.ops += 1
        for k in range(op.count):
            if isinstance(op, ops.DeleteSections):
                self.folders_deleted.append(before[op.at + k])
            elif isinstance(op, ops.InsertSections):
                self.folders_inserted.append(after[op.at + k])
            elif isinstance(op, ops.MoveSections):
                self.sections["moves"] += 1
            elif isinstance(op, (ops.ReloadSections, ops.ReconfigureSections)):
                self.sections["updates"] += 1
                self.folders_changed.append((before[op.at + k], after[op.at + k]))
            elif isinstance(op, ops.DeleteItems):
                self.deleted.append(row(before, op.at, k))
            elif isinstance(op, ops.InsertItems):
                item, section = row(after, op.at, k)
                self.inserted.append((item, section["id"]))
            elif isinstance(op, ops.MoveItems):
                self.rows["moves"] += 1
                self._record_kept(self.moved, row(before, op.from_, k), row(after, op.to, k))
            else:
                self.rows["updates"] += 1
                self._record_kept(self.changed, row(before, op.at, k), row(after, op.at, k))

    def _record_kept(self, rows, before, after):
        (old, section), (item, to) = before, after
        rows.setdefault(old["id"], (old, section))
        self.to[old["id"]] = (item, to["id"])


def replayed(snapshot, stages, applied):
    """The sections after the stages. The argument is not changed."""
    try:
        for before, stage, snapshot in steps(snapshot, ops.read_stages(stages)):
            for op in stage:
                applied.record(op, before, snapshot)
    except (OutOfStep, KeyError, TypeError, ValueError, AttributeError) as why:
        raise Wrong(f"an op cannot be applied ({type(why).__name__}: {why})") from why
    return snapshot


def row(sections, path, k):
    """An item, and its section."""
    section = sections[path.section]
    return section["items"][path.row + k], section


def check_identity(applied):
    """Checks that no row or section is both deleted and inserted."""
    for kind, deleted, inserted in (
        ("section", applied.folders_deleted, applied.folders_inserted),
        ("row", items(applied.deleted, applied.folders_deleted), items(applied.inserted, applied.folders_inserted)),
    ):
        both = {element["id"] for element in deleted} & {element["id"] for element in inserted}
        if both:
            raise Wrong(f"{kind} {min(both)!r} is kept, but is deleted and inserted")


def items(rows, sections):
    return [item for item, _ in rows] + [item for s in sections for item in s["items"]]


def totals(applied):
    """The numbers of changes of the ops, in the form of `counts`."""
    rows, sections = dict(applied.rows), dict(applied.sections)
    rows["deletes"] = len(items(applied.deleted, applied.folders_deleted))
    rows["inserts"] = len(items(applied.inserted, applied.folders_inserted))
    sections["deletes"], sections["inserts"] = len(applied.folders_deleted), len(applied.folders_inserted)
    return {"rows": rows, "sections": sections}
