"""Lists as plain arrays: the effect of every edit, and the error of every invalid one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Hashable, List, Optional, Tuple

from values import identity, key, own, rows_of

Sections = List[Dict[str, Any]]
Edit = Dict[str, Any]
Past = Callable[[int], Optional[Sections]]


class Wrong(Exception):
    """The expected error of a request: its code, and members of its data."""

    def __init__(self, code: int, **data: Any) -> None:
        self.code, self.data = code, data
        super().__init__(f"{code} {data}")


@dataclass(eq=False)
class Box:
    """An item that is compared by object identity."""

    content: Any
    forced: str = ""

    @property
    def name(self) -> Hashable:
        return identity(self.content)

    @property
    def promised(self) -> bool:
        return isinstance(self.content, dict) and "id" in self.content


@dataclass(eq=False)
class Shelf:
    """A section."""

    own: Dict[str, Any]
    items: List[Box] = field(default_factory=list)
    forced: str = ""

    @property
    def name(self) -> Hashable:
        return key(self.own["id"])


def shelves(sections: Sections) -> List[Shelf]:
    return [Shelf(own(s), [Box(item) for item in s.get("items", [])]) for s in sections]


def clash(items: List[Box], present: List[Box]) -> bool:
    """Reports whether an `id` would be a duplicate."""
    counts = Counter(box.name for box in items + present)
    fresh = {box.name for box in items}
    return any(
        box.promised and counts[box.name] > 1 and box.name in fresh for box in items + present
    )


class Arrays:
    """Sections that are edited; `past` returns the sections of an older revision."""

    def __init__(self, sections: Sections, past: Past = lambda revision: None) -> None:
        self.shelves = shelves(sections)
        self.past = past

    @property
    def sections(self) -> Sections:
        return [{**s.own, "items": [box.content for box in s.items]} for s in self.shelves]

    @property
    def boxes(self) -> List[Box]:
        return [box for shelf in self.shelves for box in shelf.items]

    def forced(self) -> Tuple[Dict[int, str], Dict[Tuple[int, int], str]]:
        """The requested reloads and reconfigures: sections and rows by position."""
        sections, rows = {}, {}
        for s, shelf in enumerate(self.shelves):
            if shelf.forced:
                sections[s] = shelf.forced + "Sections"
            row = 0
            for box in shelf.items:
                for _ in rows_of([box.content]):
                    if box.forced:
                        rows[s, row] = box.forced + "Items"
                    row += 1
        return sections, rows

    def find(self, ref: Any) -> Optional[Box]:
        if isinstance(ref, dict) and "path" in ref:
            return self.at(ref)
        occurrence = ref.get("occurrence", 0) if isinstance(ref, dict) else 0
        wanted = ("id", key(ref["id"] if isinstance(ref, dict) else ref))
        found = [box for box in self.boxes if box.name == wanted]
        return found[occurrence] if occurrence < len(found) else None

    def at(self, ref: Dict[str, Any]) -> Optional[Box]:
        section, row = ref["path"]
        sections = self.sections
        if "revision" in ref:
            sections = self.past(ref["revision"])
            if sections is None:
                raise Wrong(-31002, revision=ref["revision"])
        if section >= len(sections):
            return None
        for place, item in enumerate(sections[section]["items"]):
            row -= len(rows_of([item]))
            if row < 0:
                if "revision" not in ref:
                    return self.shelves[section].items[place]
                same = [box for box in self.boxes if box.name == identity(item)]
                return same[0] if same else None
        return None

    def some(self, refs: List[Any]) -> List[Box]:
        found = [self.find(ref) for ref in refs]
        missing = [ref for ref, box in zip(refs, found) if box is None]
        if missing:
            raise Wrong(-31005, missing=missing)
        return list(dict.fromkeys(box for box in found if box))

    def shelf(self, id: Any) -> Shelf:
        return self.several([id])[0]

    def several(self, ids: List[Any]) -> List[Shelf]:
        by_name = {shelf.name: shelf for shelf in self.shelves}
        missing = [id for id in ids if key(id) not in by_name]
        if missing:
            raise Wrong(-31006, missing=missing)
        return [by_name[key(id)] for id in dict.fromkeys(ids)]

    def make(self, edit: Edit) -> None:
        """Makes one edit. Raises `Wrong` if it is invalid."""
        getattr(self, edit["edit"])(edit)

    def target(self, edit: Edit) -> Shelf:
        if "section" in edit:
            return self.shelf(edit["section"])
        if not self.shelves:
            self.shelves.append(Shelf({"id": "main"}))
        return self.shelves[-1]

    def boxed(self, edit: Edit) -> List[Box]:
        fresh = [Box(item) for item in edit["items"]]
        if clash(fresh, []):
            raise Wrong(-31004)
        return fresh

    def appendItems(self, edit: Edit) -> None:
        fresh = self.boxed(edit)
        target = self.target(edit)
        if clash(fresh, self.boxes):
            raise Wrong(-31004)
        target.items += fresh

    def insertItems(self, edit: Edit) -> None:
        fresh = self.boxed(edit)
        anchor = edit.get("before", edit.get("after"))
        box = self.find(anchor)
        if box is None:
            id = anchor.get("id") if isinstance(anchor, dict) else anchor
            mine = id is not None and ("id", key(id)) in [one.name for one in fresh]
            raise Wrong(-32602) if mine else Wrong(-31005, missing=[anchor])
        if any(one.name == box.name and (one.promised or box.promised) for one in fresh):
            raise Wrong(-32602)
        if clash(fresh, self.boxes):
            raise Wrong(-31004)
        self.put(fresh, box, "after" in edit)

    def put(self, boxes: List[Box], near: Box, after: bool) -> None:
        for shelf in self.shelves:
            if near in shelf.items:
                place = shelf.items.index(near) + after
                shelf.items[place:place] = boxes
                return

    def take(self, boxes: List[Box]) -> None:
        for shelf in self.shelves:
            shelf.items = [box for box in shelf.items if box not in boxes]

    def deleteItems(self, edit: Edit) -> None:
        self.take(self.some(edit["items"]))

    def moveItems(self, edit: Edit) -> None:
        if "section" in edit:
            boxes = self.some(edit["items"])
            target = self.shelf(edit["section"])
            self.take(boxes)
            target.items += boxes
            return
        anchor = edit.get("before", edit.get("after"))
        self.some([*edit["items"], *([] if anchor in edit["items"] else [anchor])])
        boxes, near = self.some(edit["items"]), self.some([anchor])[0]
        if near in boxes:
            raise Wrong(-32602)
        self.take(boxes)
        self.put(boxes, near, "after" in edit)

    def updateItems(self, edit: Edit) -> None:
        self.update(edit, adds=False)

    def putItems(self, edit: Edit) -> None:
        self.update(edit, adds=True)

    def update(self, edit: Edit, adds: bool) -> None:
        fresh = self.boxed(edit)
        found: List[Optional[Box]] = []
        for number, box in enumerate(fresh):
            nth = sum(one.name == box.name for one in fresh[:number])
            present = [one for one in self.boxes if one.name == box.name]
            if box.promised and len(present) > 1:
                raise Wrong(-31004)
            found.append(present[nth] if nth < len(present) else None)
        missing = [box.content for box, old in zip(fresh, found) if old is None]
        if missing and not adds:
            named = [m["id"] if isinstance(m, dict) and "id" in m else m for m in missing]
            raise Wrong(-31005, missing=named)
        # `section` must be in the list even if nothing is appended to it.
        target = self.target(edit) if missing or "section" in edit else None
        for box, old in zip(fresh, found):
            if old is not None:
                old.content = box.content
            elif target is not None:
                target.items.append(box)

    def reloadItems(self, edit: Edit) -> None:
        for box in self.some(edit["items"]):
            box.forced = "reload"

    def reconfigureItems(self, edit: Edit) -> None:
        for box in self.some(edit["items"]):
            box.forced = box.forced or "reconfigure"

    def appendSections(self, edit: Edit) -> None:
        self.bring(edit, None)

    def insertSections(self, edit: Edit) -> None:
        anchor = edit.get("before", edit.get("after"))
        fresh = shelves(edit["sections"])
        names = [shelf.name for shelf in fresh]
        repeats = len(set(names)) < len(names)
        if repeats or clash([box for shelf in fresh for box in shelf.items], []):
            raise Wrong(-31004)
        if key(anchor) in names:
            raise Wrong(-32602)
        self.bring(edit, self.shelf(anchor))

    def bring(self, edit: Edit, near: Optional[Shelf]) -> None:
        fresh = shelves(edit["sections"])
        names = Counter(shelf.name for shelf in self.shelves + fresh)
        boxes = [box for shelf in fresh for box in shelf.items]
        if max(names.values(), default=0) > 1 or clash(boxes, self.boxes):
            raise Wrong(-31004)
        place = self.shelves.index(near) + ("after" in edit) if near else len(self.shelves)
        self.shelves[place:place] = fresh

    def deleteSections(self, edit: Edit) -> None:
        gone = self.several(edit["sections"])
        self.shelves = [shelf for shelf in self.shelves if shelf not in gone]

    def moveSection(self, edit: Edit) -> None:
        anchor = edit.get("before", edit.get("after"))
        self.several(list(dict.fromkeys([edit["section"], anchor])))
        shelf, near = self.shelf(edit["section"]), self.shelf(anchor)
        if shelf is near:
            raise Wrong(-32602)
        self.shelves.remove(shelf)
        self.shelves.insert(self.shelves.index(near) + ("after" in edit), shelf)

    def updateSections(self, edit: Edit) -> None:
        self.several([section["id"] for section in edit["sections"]])
        for section in edit["sections"]:
            self.shelf(section["id"]).own = section

    def reloadSections(self, edit: Edit) -> None:
        for shelf in self.several(edit["sections"]):
            shelf.forced = "reload"

    def reconfigureSections(self, edit: Edit) -> None:
        for shelf in self.several(edit["sections"]):
            shelf.forced = shelf.forced or "reconfigure"

    def deleteAllItems(self, edit: Edit) -> None:
        self.shelves = []
