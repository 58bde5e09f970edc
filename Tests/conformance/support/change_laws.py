"""The laws of a change, checked from the two snapshots and the stages between them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Dict, Hashable, Iterable, List, NamedTuple, Optional, Set, Tuple

from apply_ops import CHANGES, Contents, Op, apply_stages, need
from values import Row, Sect, key, same, sects

Place = Tuple[int, int]
Pairs = List[Tuple[Place, Place]]
Section = Dict[str, Any]
Forced = Tuple[Dict[int, str], Dict[Place, str]]
BRUTE_FORCE_SECTIONS = 7


@dataclass(eq=False)
class Token:
    """A row or a section, with its positions in the old and in the new snapshot."""

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
    """Applies the stages to tokens and records what happens to each."""

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
    """Two snapshots, and the effects of the stages between them."""

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
        """The old and new paths of the rows that were kept."""
        return [(row.old, row.new) for row in self.rows if row.old is not None]


def trace(old: List[Section], new: List[Section], stages: List[List[Op]]) -> Trace:
    """Applies stages without contents. Raises `Broken` if they do not lead to the new snapshot."""
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
    answer = Trace(before, after, len(stages), tracer.events)
    for s, sect in enumerate(doc):
        sect.own.new = s
        answer.sections.append(sect.own)
        for r, row in enumerate(sect.rows):
            row.new = (s, r)
            answer.rows.append(row)
    return answer


def check(
    old: List[Section], new: List[Section], stages: List[List[Op]],
    counts: Optional[Dict[str, Any]] = None, content: bool = False, forced: Forced = ({}, {}),
) -> None:  # fmt: skip
    """Raises `Broken` if the stages from old to new break a law.

    `forced` has the updates that an edit asks for even if the content is equal, by new position.
    """
    check_trace(trace(old, new, stages), stages, counts, content, forced)


def check_trace(
    answer: Trace, stages: List[List[Op]], counts: Optional[Dict[str, Any]], content: bool,
    forced: Forced = ({}, {}),
) -> None:  # fmt: skip
    """The laws of `check`, for stages that were traced."""
    check_identities(answer)
    check_rows(answer)
    check_sections(answer)
    check_updates(answer, forced)
    check_stages(answer)
    if counts is not None:
        check_counts(answer, counts)
    if content:
        check_contents(answer, stages)


def check_contents(answer: Trace, stages: List[List[Op]]) -> None:
    """The replay law, with the contents of the ops themselves."""
    result = apply_stages(answer.old, stages, Contents())
    for index, (got, wanted) in enumerate(zip(result, answer.new)):
        need(same(got.own, wanted.own), f"section {index} is {got.own}, not {wanted.own}")
        for r, (one, other) in enumerate(zip(got.rows, wanted.rows)):
            alike = same(one.content, other.content)
            need(alike, f"row {[index, r]} is {one.content!r}, not {other.content!r}")


def check_identities(answer: Trace) -> None:
    """Replay: each row is at its position. Identity: no row is deleted and inserted needlessly."""
    for section in answer.sections:
        if section.old is not None:
            alike = answer.old_id(section.old) == answer.new_id(section.new)
            need(alike, f"replay law: section {section.old} became {section.new}")
    kept: Counter = Counter()
    for row in answer.rows:
        if row.old is not None:
            name = at(answer.old, row.old).identity
            alike = name == at(answer.new, row.new).identity
            need(alike, f"replay law: the row of {row.old} stands at {row.new}")
            kept[name] += 1
    for name, count in (census(answer.old) & census(answer.new)).items():
        need(kept[name] == count, f"identity law: {name} stays {count} times, answer {kept[name]}")


def census(doc: List[Sect]) -> Counter:
    return Counter(row.identity for sect in doc for row in sect.rows)


def at(doc: List[Sect], place: Place) -> Row:
    return doc[place[0]].rows[place[1]]


class Cost(NamedTuple):
    """The numbers of single row ops: in sections that are kept, and moves."""

    deletes: int
    inserts: int
    moves: int


def least(answer: Trace, pairs: Pairs) -> Cost:
    """The fewest row ops that are possible for a pairing of old and new rows."""
    kept = kept_sections(answer)
    staying: Dict[Hashable, Pairs] = defaultdict(list)
    moves = 0
    for old, new in pairs:
        if answer.old_id(old[0]) == answer.new_id(new[0]):
            staying[answer.old_id(old[0])].append((old, new))
        else:
            moves += 1
    for rows in staying.values():
        moves += len(rows) - increasing([new for _, new in sorted(rows)])
    gone = {old for old, _ in pairs}
    come = {new for _, new in pairs}
    return Cost(unpaired(answer.old, gone, kept), unpaired(answer.new, come, kept), moves)


def unpaired(doc: List[Sect], paired: Set[Place], kept: Set[Hashable]) -> int:
    return sum(
        (s, r) not in paired
        for s, sect in enumerate(doc)
        if key(sect.own["id"]) in kept
        for r in range(len(sect.rows))
    )


def kept_sections(answer: Trace) -> Set[Hashable]:
    return {key(s.own["id"]) for s in answer.old} & {key(s.own["id"]) for s in answer.new}


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


def check_rows(answer: Trace) -> None:
    """The least law for rows."""
    wanted = least(answer, answer.pairs)
    got = Cost(answer.count("deleteItems"), answer.count("insertItems"), answer.count("moveItems"))
    need(got == wanted, f"least law, rows: answer {got}, least {wanted}")
    new = in_order(answer.new)
    plain = [pair for name, old in in_order(answer.old).items() for pair in zip(old, new[name])]
    bound = least(answer, plain)
    need(sum(got) <= sum(bound), f"pairing the k-th with the k-th needs {bound}, answer {got}")
    need(got.moves <= bound.moves, f"pairing the k-th with the k-th needs {bound}, answer {got}")


def check_sections(answer: Trace) -> None:
    """The least law for sections."""
    kept = kept_sections(answer)
    target = {answer.new_id(s): s for s in range(len(answer.new))}
    order = [target[answer.old_id(s)] for s in range(len(answer.old)) if answer.old_id(s) in kept]
    wanted = (len(answer.old) - len(kept), len(answer.new) - len(kept), len(order) - increasing(order))
    got = tuple(answer.count(kind) for kind in ("deleteSections", "insertSections", "moveSections"))
    need(got == wanted, f"least law, sections: answer {got}, least {wanted}")


def stronger(one: Optional[str], other: Optional[str]) -> Optional[str]:
    """The stronger of two updates: a reload instead of a reconfigure."""
    return one if one and (one.startswith("reload") or not other) else other


def check_updates(answer: Trace, forced: Forced = ({}, {})) -> None:
    """Updates are exactly the rows and sections whose content changed."""
    changes = {e.row or e.source: e.kind for e in answer.events if e.kind in CHANGES}
    for row in answer.rows:
        if row.old is not None:
            one, other = at(answer.old, row.old), at(answer.new, row.new)
            wanted = None
            if not same(one.content, other.content):
                alike = one.template == other.template
                wanted = "reconfigureItems" if alike else "reloadItems"
            wanted = stronger(wanted, forced[1].get(row.new))
            got = changes.pop(row, None)
            need(got == wanted, f"{one.content!r} → {other.content!r}: answer {got}, not {wanted}")
    for section in answer.sections:
        if section.old is not None:
            wanted = section_change(answer.old[section.old].own, answer.new[section.new].own)
            wanted = stronger(wanted, forced[0].get(section.new))
            got = changes.pop(section, None)
            need(got == wanted, f"section {section.old} → {section.new}: {got}, not {wanted}")
    need(not changes, "a row that is new in the list is updated, too")


def section_change(one: Section, other: Section) -> Optional[str]:
    if same(one, other):
        return None
    templates = (("headerTemplate", "Header"), ("footerTemplate", "Footer"))
    alike = all(one.get(name, plain) == other.get(name, plain) for name, plain in templates)
    return "reconfigureSections" if alike else "reloadSections"


class Earliest:
    """The earliest stage that can hold each op, by the sections that the first stage moves."""

    def __init__(self, answer: Trace, moved: Set[Any]) -> None:
        self.moved = moved
        kept = kept_sections(answer)
        self.leaving: Dict[Any, int] = {}
        self.stages = int(bool(moved) or answer.count("insertSections") > 0)
        for event in answer.events:
            if event.kind in ("deleteItems", "insertItems", "moveItems"):
                stage = self.row_stage(event)
                self.stages = max(self.stages, stage + 1)
                if event.kind == "moveItems" and answer.old_id(event.source.old) not in kept:
                    self.leaving[event.source] = max(stage, self.leaving.get(event.source, 0))
        for event in answer.events:
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


def check_stages(answer: Trace) -> None:
    """Each op is in the earliest stage that can hold it, and there are as few stages as possible."""
    moved = {event.source for event in answer.events if event.kind == "moveSections"}
    earliest = Earliest(answer, moved)
    for event in answer.events:
        if event.kind not in CHANGES:
            wanted = earliest.stage(event)
            need(event.stage == wanted, f"{event.kind} in stage {event.stage}, not {wanted}")
    structural = len({event.stage for event in answer.events if event.kind not in CHANGES})
    kept = [section for section in answer.sections if section.old is not None]
    if moved and len(kept) <= BRUTE_FORCE_SECTIONS:
        fewest = min(Earliest(answer, choice).stages for choice in choices(kept, len(moved)))
        need(structural == fewest, f"{structural} structural stages, {fewest} would do")


def choices(kept: List[Token], count: int) -> Iterable[Set[Token]]:
    """All ways to bring the kept sections into their new order with that number of moves."""
    for moved in combinations(kept, count):
        still = [section.old for section in kept if section not in moved]
        if still == sorted(still):
            yield set(moved)


def check_counts(answer: Trace, counts: Dict[str, Any]) -> None:
    """The counts count single rows and sections, including rows that are deleted or inserted with one."""
    stayed = sum(row.old is not None for row in answer.rows)
    rows = {
        "deletes": sum(len(sect.rows) for sect in answer.old) - stayed,
        "inserts": len(answer.rows) - stayed,
        "moves": answer.count("moveItems"),
        "updates": answer.count("reloadItems", "reconfigureItems"),
    }
    sections = {name: answer.count(kind) for name, kind in (
        ("deletes", "deleteSections"), ("inserts", "insertSections"), ("moves", "moveSections"),
    )}  # fmt: skip
    sections["updates"] = answer.count("reloadSections", "reconfigureSections")
    wanted = {"rows": rows, "sections": sections}
    need(counts == wanted, f"counts {counts}, not {wanted}")
