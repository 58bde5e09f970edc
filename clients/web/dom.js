// A list as elements: each row is the same element while it is in the list. Rows are moved with their content;
// focus, selection, typed text and the scroll position are preserved.

import { idOf, textOf } from "./rows.js";
import { Layout } from "./layout.js";
import { Keeper } from "./keeping.js";
import { Keys } from "./keys.js";
import { describe, number, rolesOf } from "./roles.js";

const FLEXIBLE = "[contenteditable], input, textarea, select, button, a[href]";

/**
 * Shows a list in an element.
 *
 *     new DOMList(element, bridge.list("inbox"), {
 *       label: "Inbox",
 *       templates: { Cell(row, content) { row.textContent = content.text; } },
 *     });
 *
 * `templates` are functions by name. They fill the element of a row, header or footer, and are called again with
 * the same element when its content changes; `isNew` is true if the element is empty.
 * `arranged` is called after each change, before the scroll position is corrected. `describe(own)` returns the
 * members of a section as they are shown, for example with a footer.
 * `role` is "listbox" (rows can be selected), "tree" (rows of an outline can be selected and expanded), "list", or
 * "grid" for the rows of a table, inside an element with that role. `activate` is called with a row on Enter and on
 * a double click. If the page has a window of the list, `reach(index)` returns a promise of the row with an index in
 * the whole list. `page()` returns the number of rows that the page keys move by, otherwise 10.
 */
export class DOMList {
  #rows = new Map(); // The element of each row, and the elements of each section.
  #sections = new Map();
  #order = { rows: [], parts: [] }; // What moves on the screen: rows in order, headers and footers.
  #model; // The element that those of new rows are copies of.
  #keys;

  constructor(
    element, list,
    { templates = {}, label, role = "listbox", activate, animate = true, arranged, reach, page, describe } = {},
  ) {
    Object.assign(this, { element, list, role, activate, arranged, reach, page, roles: rolesOf(role) });
    this.describe = describe ?? ((own) => own);
    this.templates = { Cell: text, Header: text, Footer: text, ...templates };
    this.layout = new Layout(element, animate);
    this.keeper = new Keeper(element);
    element.classList.add("listd");
    element.style.overflowAnchor = "none"; // Layout keeps the scroll position.
    if (label) element.setAttribute("aria-label", label);
    element.setAttribute("role", this.roles.list);
    this.#keys = new Keys(this);
    this.#model = document.createElement("li");
    this.#model.className = "listd-row";
    this.#model.setAttribute("role", this.roles.row);
    if (role !== "list") {
      this.#model.tabIndex = -1;
      this.#model.setAttribute("aria-selected", "false");
    }
    this.#show(null);
    this.stop = list.listen((_, effect) => this.#show(effect));
  }

  /** The element of a row. */
  elementOf(row) {
    return this.#rows.get(row);
  }

  /** The row that contains an element. */
  rowOf(target) {
    return target?.closest?.(".listd-row")?.listdRow;
  }

  get selectsMany() {
    return this.list.groups.some(({ section }) => section.own.selectionMode === "multiple");
  }

  #show(effect) {
    const kept = this.keeper.keep();
    const moved = [...effect?.movedRows ?? []].map((row) => this.#rows.get(row));
    // Selecting rows moves none.
    const moves = !effect || effect.rearranged || effect.updatedRows.size > 0 || effect.updatedSections.size > 0;
    const before = moves ? this.layout.measure(this.#order, moved) : null;
    if (!effect || effect.rearranged) this.#arrange(effect);
    for (const row of effect?.updatedRows ?? []) this.#fill(row, effect.reloadedRows.has(row));
    for (const section of effect?.updatedSections ?? []) this.#fillSection(section);
    this.#mark(effect);
    this.arranged?.(effect);
    // If the focused row was deleted, the row of the cursor gets the focus.
    if (kept.restore()) this.#keys.focus();
    if (moves) this.layout.settle(before, this.#order, (element) => effect?.insertedRows.has(element.listdRow));
  }

  #arrange(effect) {
    const { groups } = this.list;
    const rows = new Set(), sections = new Set();
    for (const { section, items } of groups) {
      sections.add(section);
      for (const row of items) rows.add(row);
    }
    // Rows are created before moves, so that moved rows have a destination, and deleted sections are removed
    // last, so that rows that are moved out of them always remain in the page.
    for (const section of sections) if (!this.#sections.has(section)) this.#makeSection(section);
    for (const row of rows) if (!this.#rows.has(row)) this.#makeRow(row);
    arrange(this.element, groups.map(({ section }) => this.#sections.get(section).element),
      (element) => !effect || !element.isConnected || effect.movedSections.has(element.listdSection));
    for (const { section, items } of groups) {
      arrange(this.#sections.get(section).body, items.map((row) => this.#rows.get(row)),
        (element) => !effect || !element.isConnected || effect.movedRows.has(element.listdRow));
    }
    this.#order = {
      rows: groups.flatMap(({ items }) => items.map((row) => this.#rows.get(row))),
      parts: groups.flatMap(({ section }) => [this.#sections.get(section).header, this.#sections.get(section).footer]),
    };
    for (const [row, element] of this.#rows) if (!rows.has(row)) this.#drop(this.#rows, row, element);
    for (const [section, { element }] of this.#sections) {
      if (!sections.has(section)) this.#drop(this.#sections, section, element);
    }
  }

  #drop(elements, key, element) {
    elements.delete(key);
    element.remove();
  }

  #makeSection(section) {
    const element = document.createElement("section"), body = document.createElement("ul");
    const header = document.createElement("div"), footer = document.createElement("div");
    element.listdSection = section;
    element.className = "listd-section";
    header.className = "listd-header";
    header.id = `listd-${++lastID}`;
    footer.className = "listd-footer";
    body.className = "listd-rows";
    body.setAttribute("role", this.roles.rows);
    element.append(header, body, footer);
    this.#sections.set(section, { element, header, body, footer });
    this.#fillSection(section);
  }

  #fillSection(section) {
    const { element, header, footer } = this.#sections.get(section), own = this.describe(section.own);
    element.dataset.id = own.id;
    for (const [name, part] of [["header", header], ["footer", footer]]) {
      const content = own[name] ?? null;
      part.hidden = content === null;
      if (content === null) part.replaceChildren();
      else this.#apply(part, own[`${name}Template`] ?? (name === "header" ? "Header" : "Footer"), content);
    }
    // In a tree and in a table, a group is a level of its own only if it has a name.
    const isGroup = !header.hidden || !["tree", "grid"].includes(this.role);
    element.setAttribute("role", !isGroup ? "presentation" : this.role === "grid" ? "rowgroup" : "group");
    if (header.hidden) element.removeAttribute("aria-labelledby");
    else element.setAttribute("aria-labelledby", header.id);
  }

  #makeRow(row) {
    const element = this.#model.cloneNode();
    element.listdRow = row;
    this.#rows.set(row, element);
    this.#fill(row, false);
  }

  #fill(row, reload) {
    const element = this.#rows.get(row), { content } = row;
    if (reload) element.replaceChildren();
    const id = idOf(content, this.list.key);
    if (id !== undefined) element.dataset.id = id;
    if (this.role === "tree") describe(element, content);
    this.#apply(element, (content?.$part ?? content)?.template ?? "Cell", content);
  }

  #apply(element, name, content) {
    const isNew = element.dataset.template !== name || !element.hasChildNodes();
    if (isNew) element.replaceChildren();
    element.dataset.template = name;
    (this.templates[name] ?? this.templates.Cell)(element, content, isNew);
  }

  // Marks selected rows, and the row that the Tab key reaches.
  #mark(effect) {
    number(this.list, this.role, (row) => this.#rows.get(row));
    if (this.role === "list") return;
    const whole = this.element.closest("[role=grid]") ?? this.element;
    if (this.selectsMany) whole.setAttribute("aria-multiselectable", "true");
    else whole.removeAttribute("aria-multiselectable");
    for (const row of effect?.selected ?? this.#rows.keys()) this.#markRow(row);
    for (const row of effect?.updatedRows ?? []) this.#markRow(row);
    // The element of a new row is not selected.
    for (const row of effect?.insertedRows ?? []) if (row.selected) this.#markRow(row);
    this.#keys.mark();
  }

  #markRow(row) {
    const element = this.#rows.get(row);
    element?.setAttribute("aria-selected", String(row.selected));
    for (const box of element?.querySelectorAll("input.listd-mark") ?? []) box.checked = row.selected;
  }

  /** Whether the user works with an element inside a row, not with the row. */
  isInside(target) {
    return target.closest(FLEXIBLE) !== null && !target.matches(".listd-mark");
  }
}

let lastID = 0;

function text(element, content) {
  element.textContent = textOf(content);
}

// Puts elements into order, from the last to the first. Only those that may be elsewhere are moved, and new ones that
// follow each other are inserted together.
function arrange(parent, elements, mayMove) {
  for (let index = elements.length - 1, next = null; index >= 0; index--) {
    const element = elements[index];
    if (!element.isConnected) {
      const end = index + 1;
      while (index > 0 && !elements[index - 1].isConnected) index--;
      const run = document.createDocumentFragment();
      for (let each = index; each < end; each++) run.append(elements[each]);
      parent.insertBefore(run, next);
      next = elements[index];
      continue;
    }
    if (mayMove(element) && (element.parentNode !== parent || element.nextSibling !== next)) {
      if (parent.moveBefore && parent.isConnected) parent.moveBefore(element, next);
      else parent.insertBefore(element, next);
    }
    next = element;
  }
}
