"""The obvious expectations of a change: its laws, from the two snapshots and what was told."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Dict, Hashable, Iterable, List, NamedTuple, Optional, Set, Tuple

from ops import CHANGES, Contents, Op, apply_stages, need
from values import Row, Sect, key, same, sects

Place = Tuple[int, int]
Pairs = List[Tuple[Place, Place]]
Section = Dict[str, Any]
Forced = Tuple[Dict[int, str], Dict[Place, str]]
BRUTE_FORCE_SECTIONS = 7


@dataclass(eq=False)
class Token:
    """A row or a section on its way: where it was in the old snapshot, where it is in the new."""

    old: Any = None
    new: Any = None


class Event(NamedTuple):
    """One row or section of one op of one stage."""

    stage: int
    kind: str
    source: Optional[Token]
    target: Optional[Token]
    row: Optional[Token]


class Tracer:
    """Sends tokens through the stages and writes down what happens to them."""

    def __init__(self) -> None:
        self.stage = 0
        self.events: List[Event] = []

    def begin(self, stage: int) -> None:
        self.stage = stage

    def section(self, op: Op, k: int) -> Sect:
        return Sect(Token(), [Token() for _ in range(op["rows"][k])])

    def row(self, op: Op, k: int) -> Token:
        return Token()

    def changed_section(self, op: Op, k: int, old: Token) -> Token:
        return old

    def changed_row(self, op: Op, k: int, old: Token) -> Token:
        return old

    def note(self, kind: str, source: Any, target: Any, row: Any) -> None:
        self.events.append(Event(self.stage, kind, source, target, row))


@dataclass
class Trace:
    """Two snapshots, and what the stages between them did."""

    old: List[Sect]
    new: List[Sect]
    stages: int
    events: List[Event]
    rows: List[Token] = field(default_factory=list)
    sections: List[Token] = field(default_factory=list)

    def count(self, *kinds: str) -> int:
        return sum(event.kind in kinds for event in self.events)

    def old_id(self, index: int) -> Hashable:
        return key(self.old[index].own["id"])

    def new_id(self, index: int) -> Hashable:
        return key(self.new[index].own["id"])

    @property
    def pairs(self) -> Pairs:
        """The places of the rows that stayed."""
        return [(row.old, row.new) for row in self.rows if row.old is not None]


def trace(old: List[Section], new: List[Section], stages: List[List[Op]]) -> Trace:
    """Applies stages without contents; raises `Broken` where they do not lead to the new one."""
    tracer = Tracer()
    before, after = sects(old), sects(new)
    doc = [
        Sect(Token(old=s), [Token(old=(s, r)) for r in range(len(sect.rows))])
        for s, sect in enumerate(before)
    ]
    doc = apply_stages(doc, stages, tracer)
    shape = [len(sect.rows) for sect in doc]
    wanted = [len(sect.rows) for sect in after]
    need(shape == wanted, f"replay law: {shape} rows a section after the stages, not {wanted}")
    told = Trace(before, after, len(stages), tracer.events)
    for s, sect in enumerate(doc):
        sect.own.new = s
        told.sections.append(sect.own)
        for r, row in enumerate(sect.rows):
            row.new = (s, r)
            told.rows.append(row)
    return told


def check(
    old: List[Section], new: List[Section], stages: List[List[Op]],
    counts: Optional[Dict[str, Any]] = None, content: bool = False, forced: Forced = ({}, {}),
) -> None:  # fmt: skip
    """Raises `Broken` where the stages from old to new break a law.

    What an edit wants told even where it is the same is `forced`, by its place in the new one.
    """
    check_trace(trace(old, new, stages), stages, counts, content, forced)


def check_trace(
    told: Trace, stages: List[List[Op]], counts: Optional[Dict[str, Any]], content: bool,
    forced: Forced = ({}, {}),
) -> None:  # fmt: skip
    """The laws of `check`, of stages that were traced."""
    check_identities(told)
    check_rows(told)
    check_sections(told)
    check_updates(told, forced)
    check_stages(told)
    if counts is not None:
        check_counts(told, counts)
    if content:
        check_contents(told, stages)


def check_contents(told: Trace, stages: List[List[Op]]) -> None:
    """The replay law with the contents that the ops themselves carry."""
    result = apply_stages(told.old, stages, Contents())
    for index, (got, wanted) in enumerate(zip(result, told.new)):
        need(same(got.own, wanted.own), f"section {index} is {got.own}, not {wanted.own}")
        for r, (one, other) in enumerate(zip(got.rows, wanted.rows)):
            alike = same(one.content, other.content)
            need(alike, f"row {[index, r]} is {one.content!r}, not {other.content!r}")


def check_identities(told: Trace) -> None:
    """Replay: the right row in the right place. Identity: no more goes and comes than must."""
    for section in told.sections:
        if section.old is not None:
            alike = told.old_id(section.old) == told.new_id(section.new)
            need(alike, f"replay law: section {section.old} became {section.new}")
    kept: Counter = Counter()
    for row in told.rows:
        if row.old is not None:
            name = at(told.old, row.old).identity
            alike = name == at(told.new, row.new).identity
            need(alike, f"replay law: the row of {row.old} stands at {row.new}")
            kept[name] += 1
    for name, count in (census(told.old) & census(told.new)).items():
        need(kept[name] == count, f"identity law: {name} stays {count} times, told {kept[name]}")


def census(doc: List[Sect]) -> Counter:
    return Counter(row.identity for sect in doc for row in sect.rows)


def at(doc: List[Sect], place: Place) -> Row:
    return doc[place[0]].rows[place[1]]


class Cost(NamedTuple):
    """Single row ops: in sections that stay, and moves."""

    deletes: int
    inserts: int
    moves: int


def least(told: Trace, pairs: Pairs) -> Cost:
    """The fewest row ops there can be for a pairing of old rows and new ones."""
    kept = kept_sections(told)
    staying: Dict[Hashable, Pairs] = defaultdict(list)
    moves = 0
    for old, new in pairs:
        if told.old_id(old[0]) == told.new_id(new[0]):
            staying[told.old_id(old[0])].append((old, new))
        else:
            moves += 1
    for rows in staying.values():
        moves += len(rows) - increasing([new for _, new in sorted(rows)])
    gone = {old for old, _ in pairs}
    come = {new for _, new in pairs}
    return Cost(unpaired(told.old, gone, kept), unpaired(told.new, come, kept), moves)


def unpaired(doc: List[Sect], paired: Set[Place], kept: Set[Hashable]) -> int:
    return sum(
        (s, r) not in paired
        for s, sect in enumerate(doc)
        if key(sect.own["id"]) in kept
        for r in range(len(sect.rows))
    )


def kept_sections(told: Trace) -> Set[Hashable]:
    return {key(s.own["id"]) for s in told.old} & {key(s.own["id"]) for s in told.new}


def increasing(values: Iterable[Any]) -> int:
    """The length of a longest increasing subsequence."""
    tails: List[Any] = []
    for value in values:
        place = bisect_left(tails, value)
        tails[place : place + 1] = [value]
    return len(tails)


def in_order(doc: List[Sect]) -> Dict[Hashable, List[Place]]:
    found: Dict[Hashable, List[Place]] = defaultdict(list)
    for s, sect in enumerate(doc):
        for r, row in enumerate(sect.rows):
            found[row.identity].append((s, r))
    return found


def check_rows(told: Trace) -> None:
    """The least law for rows."""
    wanted = least(told, told.pairs)
    got = Cost(told.count("deleteItems"), told.count("insertItems"), told.count("moveItems"))
    need(got == wanted, f"least law, rows: told {got}, least {wanted}")
    new = in_order(told.new)
    plain = [pair for name, old in in_order(told.old).items() for pair in zip(old, new[name])]
    bound = least(told, plain)
    need(sum(got) <= sum(bound), f"pairing the k-th with the k-th needs {bound}, told {got}")
    need(got.moves <= bound.moves, f"pairing the k-th with the k-th needs {bound}, told {got}")


def check_sections(told: Trace) -> None:
    """The least law for sections."""
    kept = kept_sections(told)
    target = {told.new_id(s): s for s in range(len(told.new))}
    order = [target[told.old_id(s)] for s in range(len(told.old)) if told.old_id(s) in kept]
    wanted = (len(told.old) - len(kept), len(told.new) - len(kept), len(order) - increasing(order))
    got = tuple(told.count(kind) for kind in ("deleteSections", "insertSections", "moveSections"))
    need(got == wanted, f"least law, sections: told {got}, least {wanted}")


def stronger(one: Optional[str], other: Optional[str]) -> Optional[str]:
    """Of two ways to tell a change, the one that makes the view anew."""
    return one if one and (one.startswith("reload") or not other) else other


def check_updates(told: Trace, forced: Forced = ({}, {})) -> None:
    """Content changes are told for exactly the rows and sections whose content changed."""
    changes = {e.row or e.source: e.kind for e in told.events if e.kind in CHANGES}
    for row in told.rows:
        if row.old is not None:
            one, other = at(told.old, row.old), at(told.new, row.new)
            wanted = None
            if not same(one.content, other.content):
                alike = one.template == other.template
                wanted = "reconfigureItems" if alike else "reloadItems"
            wanted = stronger(wanted, forced[1].get(row.new))
            got = changes.pop(row, None)
            need(got == wanted, f"{one.content!r} → {other.content!r}: told {got}, not {wanted}")
    for section in told.sections:
        if section.old is not None:
            wanted = section_change(told.old[section.old].own, told.new[section.new].own)
            wanted = stronger(wanted, forced[0].get(section.new))
            got = changes.pop(section, None)
            need(got == wanted, f"section {section.old} → {section.new}: {got}, not {wanted}")
    need(not changes, "what is new in the list is told as changed, too")


def section_change(one: Section, other: Section) -> Optional[str]:
    if same(one, other):
        return None
    templates = (("headerTemplate", "Header"), ("footerTemplate", "Footer"))
    alike = all(one.get(name, plain) == other.get(name, plain) for name, plain in templates)
    return "reconfigureSections" if alike else "reloadSections"


class Earliest:
    """The first stage that can take each op, by the sections that the first stage moves."""

    def __init__(self, told: Trace, moved: Set[Any]) -> None:
        self.moved = moved
        kept = kept_sections(told)
        self.leaving: Dict[Any, int] = {}
        self.stages = int(bool(moved) or told.count("insertSections") > 0)
        for event in told.events:
            if event.kind in ("deleteItems", "insertItems", "moveItems"):
                stage = self.row_stage(event)
                self.stages = max(self.stages, stage + 1)
                if event.kind == "moveItems" and told.old_id(event.source.old) not in kept:
                    self.leaving[event.source] = max(stage, self.leaving.get(event.source, 0))
        for event in told.events:
            if event.kind == "deleteSections":
                self.stages = max(self.stages, self.stage(event) + 1)

    def row_stage(self, event: Event) -> int:
        source, target = event.source, event.target
        waits = source in self.moved or target in self.moved
        return int(waits or (target is not None and target.old is None))

    def stage(self, event: Event) -> int:
        if event.kind in ("insertSections", "moveSections"):
            return 0
        if event.kind == "deleteSections":
            return self.leaving.get(event.source, -1) + 1
        return self.row_stage(event)


def check_stages(told: Trace) -> None:
    """Each op in the earliest stage that can take it, and as few stages as section moves allow."""
    moved = {event.source for event in told.events if event.kind == "moveSections"}
    earliest = Earliest(told, moved)
    for event in told.events:
        if event.kind not in CHANGES:
            wanted = earliest.stage(event)
            need(event.stage == wanted, f"{event.kind} in stage {event.stage}, not {wanted}")
    structural = len({event.stage for event in told.events if event.kind not in CHANGES})
    kept = [section for section in told.sections if section.old is not None]
    if moved and len(kept) <= BRUTE_FORCE_SECTIONS:
        fewest = min(Earliest(told, choice).stages for choice in choices(kept, len(moved)))
        need(structural == fewest, f"{structural} structural stages, {fewest} would do")


def choices(kept: List[Token], count: int) -> Iterable[Set[Token]]:
    """All the ways to put the kept sections into their new order by that many moves."""
    for moved in combinations(kept, count):
        still = [section.old for section in kept if section not in moved]
        if still == sorted(still):
            yield set(moved)


def check_counts(told: Trace, counts: Dict[str, Any]) -> None:
    """The counts are of single rows and sections, with those that go or come with a section."""
    stayed = sum(row.old is not None for row in told.rows)
    rows = {
        "deletes": sum(len(sect.rows) for sect in told.old) - stayed,
        "inserts": len(told.rows) - stayed,
        "moves": told.count("moveItems"),
        "updates": told.count("reloadItems", "reconfigureItems"),
    }
    sections = {name: told.count(kind) for name, kind in (
        ("deletes", "deleteSections"), ("inserts", "insertSections"), ("moves", "moveSections"),
    )}  # fmt: skip
    sections["updates"] = told.count("reloadSections", "reconfigureSections")
    wanted = {"rows": rows, "sections": sections}
    need(counts == wanted, f"counts {counts}, not {wanted}")
