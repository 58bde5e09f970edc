"""The fewest moves that lead from one snapshot to another, found without looking at any op."""

from bisect import bisect_left


def fewest(before, after):
    """How many rows and sections have to move."""
    sections = reordered(places(before), after)
    old = {section["id"]: section for section in before}
    new = {section["id"]: section for section in after}
    # A section that is the same object on both sides has nothing that moved.
    touched = [section for section in after if old.get(section["id"]) is not section]
    origin = {
        item["id"]: ident
        for ident, section in old.items()
        if new.get(ident) is not section
        for item in section["items"]
    }
    rows = 0
    for section in touched:
        here = [item for item in section["items"] if origin.get(item["id"]) == section["id"]]
        rows += sum(item["id"] in origin for item in section["items"]) - len(here)
        if here:
            rows += reordered(places(old[section["id"]]["items"]), here)
    return rows + sections


def places(elements):
    return {element["id"]: place for place, element in enumerate(elements)}


def reordered(old_places, elements):
    """How many of the elements are not on a longest increasing subsequence of old places."""
    kept = [old_places[e["id"]] for e in elements if e["id"] in old_places]
    ends = []  # the smallest last place of an increasing subsequence of each length
    for place in kept:
        if not ends or place > ends[-1]:
            ends.append(place)
        else:
            ends[bisect_left(ends, place)] = place
    return len(kept) - len(ends)
