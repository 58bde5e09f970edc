"""Random lists and edits, valid and invalid, over a small set of identifiers."""

from __future__ import annotations

import random
from typing import Any, Dict, List, Optional

from reference_edits import Arrays, Edit, Sections, Wrong
from values import key

SECTION_IDS = ["s", "t", "u", 1, "1", 'q"']
WORDS = ["x", "y", "z"]


class Draws:
    """Draws random items, sections, snapshots and edits; item ids begin at `base`.

    Plain items are objects with an id.
    """

    def __init__(self, rng: random.Random, base: int = 0, plain: bool = False) -> None:
        self.rng, self.base, self.stock, self.plain = rng, base, 16, plain

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def item(self, number: Optional[int] = None) -> Any:
        if number is None and not self.plain and self.chance(0.25):
            return self.rng.choice(WORDS) if self.chance(0.7) else {"n": self.rng.randrange(2)}
        number = self.base + self.rng.randrange(self.stock) if number is None else number
        made: Dict[str, Any] = {"id": number, "v": self.rng.randrange(3)}
        if self.chance(0.15):
            made["template"] = self.rng.choice(["Cell", "Wide"])
        if self.chance(0.1):
            made["selectable"] = False
        if self.chance(0.15):
            names = self.rng.sample(["Head", "Text", "Foot"], self.rng.randrange(4))
            made["parts"] = [{"template": name, "v": self.rng.randrange(2)} for name in names]
        return made

    def own(self, id: Any) -> Dict[str, Any]:
        made = {"id": id}
        if self.chance(0.3):
            made["header"] = self.rng.choice(["h", "g"])
        if self.chance(0.15):
            made["headerTemplate"] = self.rng.choice(["Header", "Tall"])
        if self.chance(0.6):
            made["selectionMode"] = self.rng.choice(["multiple", "multiple", "single", "none"])
        if self.chance(0.2):
            made["allowsEmptySelection"] = self.chance(0.5)
        return made

    def items(self, most: int, taken: Any = ()) -> List[Any]:
        """Items without duplicate identifiers."""
        made, seen = [], set(taken)
        for _ in range(self.rng.randint(0, most)):
            item = self.item()
            if isinstance(item, dict) and "id" in item:
                if item["id"] in seen:
                    continue
                seen.add(item["id"])
            made.append(item)
        return made

    def snapshot(self) -> Sections:
        ids = self.rng.sample(SECTION_IDS, self.rng.randint(0, 4))
        made = [{**self.own(id), "items": []} for id in ids]
        for item in self.items(14) if made else []:
            self.rng.choice(made)["items"].append(item)
        return made

    def changed(self, sections: Sections) -> Sections:
        """The snapshot after a few valid edits."""
        arrays = Arrays(sections)
        for _ in range(self.rng.randint(0, 4)):
            self.valid(arrays)
        return arrays.sections

    def valid(self, arrays: Arrays) -> Edit:
        """A valid edit, which is applied."""
        while True:
            edit = self.edit(arrays)
            trial = Arrays(arrays.sections, arrays.past)
            try:
                trial.make(edit)
            except Wrong:
                continue
            arrays.make(edit)
            return edit

    def ref(self, arrays: Arrays, past: Dict[int, Sections]) -> Any:
        """Usually an item of the list."""
        boxes = arrays.boxes
        named = [box for box in boxes if box.name[0] == "id"]
        if self.chance(0.03) or not boxes:
            return self.rng.choice([self.base + 999, "nobody", {"path": [7, 0]}, self.base])
        if self.chance(0.15):
            s = self.rng.randrange(len(arrays.shelves))
            return {"path": [s, self.rng.randrange(4)]}
        if past and self.chance(0.1):
            revision = self.rng.choice(list(past))
            ref = {"path": [self.rng.randrange(3), self.rng.randrange(4)], "revision": revision}
            return ref if self.is_plain(ref, arrays, past) else self.base
        if not named:
            return {"path": [0, 0]}
        content = self.rng.choice(named).content
        if isinstance(content, dict):
            return {"id": content["id"]} if self.chance(0.2) else content["id"]
        return {"id": content, "occurrence": self.rng.randrange(3)} if self.chance(0.6) else content

    def is_plain(self, ref: Any, arrays: Arrays, past: Dict[int, Sections]) -> bool:
        """Reports whether the item of an older revision is unique on both sides."""
        box = Arrays(past[ref["revision"]]).find({"path": ref["path"]})
        return box is None or (box.promised and sum(b.name == box.name for b in arrays.boxes) < 2)

    def refs(self, arrays: Arrays, past: Dict[int, Sections]) -> List[Any]:
        return [self.ref(arrays, past) for _ in range(self.rng.choice([0, 1, 1, 2, 3, 12]))]

    def section_id(self, arrays: Arrays) -> Any:
        if arrays.shelves and not self.chance(0.04):
            return self.rng.choice(arrays.shelves).own["id"]
        return self.rng.choice(SECTION_IDS)

    def fresh(self, arrays: Arrays) -> List[Any]:
        taken = () if self.chance(0.06) else self.ids(arrays)
        return self.items(3, taken)

    def ids(self, arrays: Arrays) -> List[Any]:
        return [box.content["id"] for box in arrays.boxes if box.promised]

    def near(self, what: Any) -> Dict[str, Any]:
        return {self.rng.choice(["before", "after"]): what}

    def edit(self, arrays: Arrays, past: Optional[Dict[int, Sections]] = None) -> Edit:
        past = past or {}
        kind = self.rng.choice(KINDS)
        edit: Edit = {"edit": kind}
        where = {"section": self.section_id(arrays)} if self.chance(0.6) else {}
        if kind == "appendItems":
            edit.update(items=self.fresh(arrays), **where)
        elif kind == "insertItems":
            edit.update(items=self.fresh(arrays), **self.near(self.ref(arrays, past)))
        elif kind == "moveItems":
            where = where or self.near(self.ref(arrays, past))
            edit.update(items=self.refs(arrays, past), **where)
        elif kind in ("updateItems", "putItems"):
            edit.update(items=self.known(arrays))
            if kind == "putItems":
                edit.update(items=edit["items"] + self.fresh_to(edit["items"], arrays), **where)
        elif kind in ("deleteItems", "reloadItems", "reconfigureItems"):
            edit.update(items=self.refs(arrays, past))
        elif kind in ("appendSections", "insertSections"):
            edit.update(sections=self.new_sections(arrays))
            if kind == "insertSections":
                edit.update(self.near(self.section_id(arrays)))
        elif kind == "moveSection":
            edit.update(section=self.section_id(arrays), **self.near(self.section_id(arrays)))
        elif kind == "updateSections":
            edit.update(sections=[self.own(self.section_id(arrays))])
        elif kind != "deleteAllItems":
            edit.update(sections=[self.section_id(arrays) for _ in range(self.rng.randrange(3))])
        return edit

    def known(self, arrays: Arrays) -> List[Any]:
        boxes = self.rng.sample(arrays.boxes, min(len(arrays.boxes), self.rng.randrange(4)))
        made = [
            self.item(box.content["id"]) if box.promised else box.content for box in boxes
        ]
        return made + ([self.item(self.base + 998)] if self.chance(0.03) else [])

    def fresh_to(self, items: List[Any], arrays: Arrays) -> List[Any]:
        taken = [item["id"] for item in items if isinstance(item, dict) and "id" in item]
        return self.items(2, taken + self.ids(arrays))

    def new_sections(self, arrays: Arrays) -> Sections:
        taken = [] if self.chance(0.05) else [shelf.name for shelf in arrays.shelves]
        free = [id for id in SECTION_IDS if key(id) not in taken]
        ids = self.rng.sample(free, min(len(free), self.rng.choice([0, 1, 1, 2])))
        made, used = [], self.ids(arrays)
        for id in ids:
            section = self.own(id)
            if self.chance(0.8):
                section["items"] = self.items(3, used)
                used += [i["id"] for i in section["items"] if isinstance(i, dict) and "id" in i]
            made.append(section)
        return made


KINDS = (
    "appendItems", "insertItems", "deleteItems", "moveItems", "moveItems", "updateItems",
    "putItems", "reloadItems", "reconfigureItems", "appendSections", "insertSections",
    "deleteSections", "moveSection", "moveSection", "updateSections", "reloadSections",
    "reconfigureSections", "appendItems", "insertItems", "updateItems", "appendSections",
) + ("deleteAllItems",)  # fmt: skip
