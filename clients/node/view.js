// A view of a list, with an object for each row and section that remains the same while the row or section is
// in the list. This module does not depend on Node.

import { OutOfStep } from "./errors.js";
import { idOf, itemOf, rowsOf } from "./rows.js";
import { pathsOf, perform } from "./stages.js";

/** A row of a view. A view may add its own members. */
export class Row {
  constructor(content) {
    this.content = content;
    this.selected = false;
  }
}

/** A section of a view, with its own members, without `items`. */
export class Section {
  constructor(own) {
    this.own = own;
  }
}

/**
 * A list as a view shows it. `take` applies the news of a subscription in the format `stages` and returns their
 * effect; if they do not fit, it throws `OutOfStep`, and then a snapshot brings the view up to date. A subclass
 * defines `edit(edits)`, which sends the edits that expand and collapse rows of an outline.
 */
export class ListView {
  revision = 0;
  /** Sections and rows, in order: `{section, items}`. */
  groups = [];
  selection = [];
  cursor = null;
  /** The numbers of a view of the daemon, if the list is one. */
  view = undefined;
  /** The members that identify items without `id`: the name of one, or an array of names. */
  key = undefined;
  #selected = new Set();

  /** The row at a path, or `undefined`. */
  at(path) {
    return path ? this.groups[path[0]]?.items[path[1]] : undefined;
  }

  /** The path of a row, or `null`. O(rows). */
  pathOf(row) {
    for (const [index, { items }] of this.groups.entries()) {
      const found = items.indexOf(row);
      if (found >= 0) return [index, found];
    }
    return null;
  }

  /** All rows, in order; of a window, those that it has. */
  get rows() {
    return this.groups.flatMap(({ items }) => items);
  }

  /** The index of the first row; not 0 in a window. */
  get start() {
    return this.view?.start ?? 0;
  }

  /** The number of rows, also of those outside of a window. It counts items with parts once. */
  get length() {
    const { matched, shown = matched } = this.view ?? {};
    return shown ?? this.groups.reduce((sum, { items }) => sum + items.length, 0);
  }

  /** A reference to a path for a request, at the revision that is shown. */
  reference(path) {
    return { path, revision: this.revision };
  }

  /** References to rows, without those that were deleted meanwhile. */
  references(rows) {
    return rows.map((row) => this.pathOf(row)).filter(Boolean).map((path) => this.reference(path));
  }

  /** Expands rows of an outline; if `deep` is true, also all rows below them. */
  expand(rows, { deep = false } = {}) {
    return this.edit([{ edit: "expandItems", items: this.references(rows), deep }]);
  }

  /** Collapses rows of an outline; if `deep` is true, also all rows below them. */
  collapse(rows, { deep = false } = {}) {
    return this.edit([{ edit: "collapseItems", items: this.references(rows), deep }]);
  }

  /** The members of a section as the view has them. */
  ownOf(own) {
    return own;
  }

  take(news) {
    const effect = new Effect((own) => this.ownOf(own));
    if (news.kind === "remove") {
      for (const { items } of this.groups) items.forEach(effect.deleted, effect);
      this.groups = [];
      this.revision = 0;
      effect.rearranged = true;
      [this.selection, this.cursor] = [[], null];
    } else if ("snapshot" in news || "sections" in news) {
      this.#show((news.snapshot ?? news).sections, effect);
      this.revision = news.revision;
    } else if ("baseRevision" in news) {
      this.#change(news, effect);
    }
    if (news.selection) this.#state(news, effect);
    if (news.view) this.view = news.view;
    return effect;
  }

  #change(change, effect) {
    if (change.reload || change.baseRevision !== this.revision || !change.stages) {
      throw new OutOfStep(`a change from ${change.baseRevision} to a view at ${this.revision}`);
    }
    perform(this.groups, change.stages, effect);
    effect.rearranged = change.stages.some((stage) => stage.some((op) => !op.op.startsWith("re")));
    this.revision = change.revision;
  }

  // Shows a whole snapshot. Rows keep their objects if the shown rows have the same identity.
  #show(sections, effect) {
    const rows = new Map(), known = new Map();
    for (const { section, items } of this.groups) {
      known.set(section.own.id, section);
      for (const row of items) addTo(rows, keyOf(row.content, this.key), row);
    }
    for (const section of known.values()) effect.movedSection(section);
    this.groups = sections.map(({ items, ...own }) => ({
      section: effect.section(own, known.get(this.ownOf(own).id)),
      items: items.flatMap(rowsOf).map((content) => {
        const old = rows.get(keyOf(content, this.key))?.shift();
        if (!old) return effect.row(content);
        effect.moved(old);
        if (JSON.stringify(old.content) === JSON.stringify(content)) return old;
        return effect.row(content, old, templateOf(old.content) !== templateOf(content));
      }),
    }));
    for (const rest of rows.values()) rest.forEach(effect.deleted, effect);
    effect.rearranged = true;
  }

  #state({ selection, cursor }, effect) {
    this.selection = selection;
    this.cursor = cursor;
    const before = this.#selected, now = new Set(pathsOf(selection).map((path) => this.at(path)).filter(Boolean));
    this.#selected = now;
    for (const row of before) if (!now.has(row) && !effect.deletedRows.has(row)) effect.select(row, false);
    for (const row of now) if (!row.selected) effect.select(row, true);
  }

  /** The selected rows, in order. */
  get selectedRows() {
    return [...this.#selected];
  }
}

/** The effect of news: the rows and sections that were inserted, moved, deleted, updated or selected. */
export class Effect {
  rearranged = false;
  insertedRows = new Set();
  movedRows = new Set();
  deletedRows = new Set();
  updatedRows = new Set();
  /** The updated rows whose template changed. */
  reloadedRows = new Set();
  movedSections = new Set();
  updatedSections = new Set();
  selected = new Set();
  #ownOf;

  constructor(ownOf = (own) => own) {
    this.#ownOf = ownOf;
  }

  row(content, old, reload = false) {
    if (!old) {
      const row = new Row(content);
      this.insertedRows.add(row);
      return row;
    }
    old.content = content;
    this.updatedRows.add(old);
    if (reload) this.reloadedRows.add(old);
    return old;
  }

  section(own, old) {
    const section = old ?? new Section(own);
    section.own = this.#ownOf(own);
    if (old) this.updatedSections.add(section);
    return section;
  }

  moved(row) {
    this.movedRows.add(row);
  }

  deleted(row) {
    this.deletedRows.add(row);
  }

  select(row, isSelected) {
    row.selected = isSelected;
    this.selected.add(row);
  }

  movedSection(section) {
    this.movedSections.add(section);
  }
}

function addTo(rows, key, row) {
  const same = rows.get(key);
  if (same) same.push(row);
  else rows.set(key, [row]);
}

function keyOf(content, key) {
  const item = itemOf(content);
  const own = item === content ? null : content.$part?.id ?? templateOf(content) ?? content.$part;
  return JSON.stringify([idOf(content, key) ?? item, own]);
}

function templateOf(content) {
  return itemOf(content) === content ? content?.template : content.$part?.template;
}
