// The ARIA roles of a list and its rows, and the properties of a row: its level and its expansion in an outline,
// and its position if the page does not have all rows.

import { isExpanded, levelOf } from "./rows.js";

const ROLES = {
  listbox: { list: "listbox", rows: "presentation", row: "option" },
  tree: { list: "tree", rows: "presentation", row: "treeitem" },
  list: { list: "group", rows: "list", row: "listitem" },
  grid: { list: "presentation", rows: "presentation", row: "row" }, // Inside an element with the role "grid".
};

/** The roles of a list, of the parents of its rows, and of its rows. */
export function rolesOf(role) {
  if (!(role in ROLES)) throw new TypeError(`the role of a list is "listbox", "tree", "list" or "grid", not ${role}`);
  return ROLES[role];
}

/** Sets the properties of a row of an outline from its content. Pages can indent by `--listd-level`. */
export function describe(element, content) {
  const level = levelOf(content) ?? 0;
  set(element, "aria-level", level + 1);
  set(element, "aria-expanded", isExpanded(content));
  element.style.setProperty("--listd-level", level);
}

/** Sets the positions of the rows of a view: among siblings in an outline, among all rows in a window. The
    browser counts the rows of other lists itself. */
export function number(list, role, elementOf) {
  if (!list.view) return;
  const { start, length, rows } = list, isWindow = length > rows.length, isTree = role === "tree";
  if (role === "grid") {
    // The first row of the grid is that of the headers.
    for (const [index, row] of rows.entries()) set(elementOf(row), "aria-rowindex", start + index + 2);
    return;
  }
  if (isTree && !isWindow) {
    for (const siblings of list.groups.flatMap(({ items }) => siblingsOf(items))) {
      for (const [index, row] of siblings.entries()) setPosition(elementOf(row), index, siblings.length);
    }
  } else {
    const isCounted = isWindow && !isTree;
    for (const [index, row] of rows.entries()) setPosition(elementOf(row), isCounted ? start + index : null, length);
  }
}

function setPosition(element, index, count) {
  set(element, "aria-posinset", index === null ? undefined : index + 1);
  set(element, "aria-setsize", index === null ? undefined : count);
}

// Groups the rows of a section by parent.
function siblingsOf(rows) {
  const groups = [], open = [];
  for (const row of rows) {
    const level = levelOf(row.content) ?? 0;
    open.length = level + 1; // Deeper rows belong to another parent.
    if (!open[level]) groups.push((open[level] = []));
    open[level].push(row);
  }
  return groups;
}

function set(element, name, value) {
  if (value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}
