"""The edits of `editSnapshot`, for `NamedList.edit`.

`before`, `after` and `items` refer to items by id, by `Path`, or by an object as in the protocol.
"""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional

from .places import ID, Item, Ref, as_ref, as_refs

Edit = Dict[str, Any]


def _edit(name: str, **members: Any) -> Edit:
    given = {member: value for member, value in members.items() if value is not None}
    return {"edit": name, **given}


def _ref(item: Optional[Ref]) -> Any:
    return None if item is None else as_ref(item)


def append_items(*items: Item, section: Optional[ID] = None) -> Edit:
    """Appends items to a section, or to the last one."""
    return _edit("appendItems", items=list(items), section=section)


def insert_items(
    *items: Item, before: Optional[Ref] = None, after: Optional[Ref] = None
) -> Edit:
    """Inserts items before or after an item."""
    return _edit("insertItems", items=list(items), before=_ref(before), after=_ref(after))


def delete_items(*items: Ref) -> Edit:
    """Deletes items."""
    return _edit("deleteItems", items=as_refs(items))


def move_items(
    *items: Ref, before: Optional[Ref] = None, after: Optional[Ref] = None,
    section: Optional[ID] = None,
) -> Edit:  # fmt: skip
    """Moves items before or after an item, or to the end of a section."""
    return _edit(
        "moveItems", items=as_refs(items), before=_ref(before), after=_ref(after), section=section
    )


def update_items(*items: Item) -> Edit:
    """Replaces the content of items with the same ids."""
    return _edit("updateItems", items=list(items))


def put_items(*items: Item, section: Optional[ID] = None) -> Edit:
    """Updates the items that exist, and appends the others."""
    return _edit("putItems", items=list(items), section=section)


def reload_items(*items: Ref) -> Edit:
    """Reports items as reloaded: their views are created again."""
    return _edit("reloadItems", items=as_refs(items))


def reconfigure_items(*items: Ref) -> Edit:
    """Reports items as reconfigured: their views are updated."""
    return _edit("reconfigureItems", items=as_refs(items))


def append_sections(*sections: Mapping[str, Any]) -> Edit:
    """Appends sections."""
    return _edit("appendSections", sections=list(sections))


def insert_sections(
    *sections: Mapping[str, Any], before: Optional[ID] = None, after: Optional[ID] = None
) -> Edit:
    """Inserts sections before or after a section."""
    return _edit("insertSections", sections=list(sections), before=before, after=after)


def delete_sections(*sections: ID) -> Edit:
    """Deletes sections with their items."""
    return _edit("deleteSections", sections=list(sections))


def reload_sections(*sections: ID) -> Edit:
    """Reports headers and footers as reloaded: their views are created again."""
    return _edit("reloadSections", sections=list(sections))


def reconfigure_sections(*sections: ID) -> Edit:
    """Reports headers and footers as reconfigured: their views are updated."""
    return _edit("reconfigureSections", sections=list(sections))


def move_section(section: ID, *, before: Optional[ID] = None, after: Optional[ID] = None) -> Edit:
    """Moves a section before or after another."""
    return _edit("moveSection", section=section, before=before, after=after)


def update_sections(*sections: Mapping[str, Any]) -> Edit:
    """Replaces the own members of sections, not their items."""
    return _edit("updateSections", sections=list(sections))


def delete_all_items() -> Edit:
    """Deletes all items and sections."""
    return _edit("deleteAllItems")


def expand_items(*items: Ref, deep: bool = False) -> Edit:
    """Expands items of an outline; if `deep` is true, also all items below them."""
    return _edit("expandItems", items=as_refs(items), deep=deep or None)


def collapse_items(*items: Ref, deep: bool = False) -> Edit:
    """Collapses items of an outline; if `deep` is true, also all items below them."""
    return _edit("collapseItems", items=as_refs(items), deep=deep or None)


def reveal_items(*items: Ref) -> Edit:
    """Expands all items above the given items of an outline."""
    return _edit("revealItems", items=as_refs(items))


def expand_all() -> Edit:
    """Expands all items of an outline that have children."""
    return _edit("expandAll")


def collapse_all() -> Edit:
    """Collapses all items of an outline that have children."""
    return _edit("collapseAll")
