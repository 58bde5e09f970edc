"""The minimal number of moves between two snapshots, computed without the ops."""

from bisect import bisect_left


def fewest(before, after):
    """The number of rows and sections that must move."""
    sections = reordered(indices(before), after)
    old = {section["id"]: section for section in before}
    new = {section["id"]: section for section in after}
    # A section that is the same object on both sides contains no moves.
    changed = [section for section in after if old.get(section["id"]) is not section]
    origin = {
        item["id"]: ident
        for ident, section in old.items()
        if new.get(ident) is not section
        for item in section["items"]
    }
    rows = 0
    for section in changed:
        here = [item for item in section["items"] if origin.get(item["id"]) == section["id"]]
        rows += sum(item["id"] in origin for item in section["items"]) - len(here)
        if here:
            rows += reordered(indices(old[section["id"]]["items"]), here)
    return rows + sections


def indices(elements):
    return {element["id"]: index for index, element in enumerate(elements)}


def reordered(old_indices, elements):
    """The number of elements that are not on a longest increasing subsequence of old indices."""
    kept = [old_indices[e["id"]] for e in elements if e["id"] in old_indices]
    ends = []  # the smallest last index of an increasing subsequence of each length
    for index in kept:
        if not ends or index > ends[-1]:
            ends.append(index)
        else:
            ends[bisect_left(ends, index)] = index
    return len(kept) - len(ends)
