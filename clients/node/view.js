// What a view keeps of a list: an object for each row and section, which is the same one for as
// long as the row or section is in the list. This module needs nothing of Node.

import { OutOfStep } from "./errors.js";
import { itemOf, rowsOf } from "./rows.js";
import { applyToGroups, pathsOf } from "./stages.js";

/** A row of a view. What else a view wants to keep of it, it adds. */
export class Row {
  constructor(content) {
    this.content = content;
    this.selected = false;
  }
}

/** A section of a view: its own members, without `items`. */
export class Section {
  constructor(own) {
    this.own = own;
  }
}

/**
 * A list as a view shows it, in stages. `take` follows the news of a subscription and returns what
 * they did; what does not fit throws `OutOfStep`, and then a snapshot sets it right. A class that extends
 * this one defines `edit(edits)`, the request by which rows of an outline are expanded.
 */
export class ListView {
  revision = 0;
  /** Sections and rows, in order: `{section, items}`. */
  groups = [];
  selection = [];
  cursor = null;
  /** The numbers of a view of the daemon, if the list is one. */
  view = undefined;

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

  /** All rows, in order. */
  get rows() {
    return this.groups.flatMap(({ items }) => items);
  }

  /** The reference of a row for a request: its path, carried from the revision that is shown. */
  reference(path) {
    return { path, revision: this.revision };
  }

  /** Expands rows of an outline, with `deep` also all below them. */
  expand(rows, options) {
    return this.#setExpanded("expandItems", rows, options);
  }

  /** Collapses rows of an outline, with `deep` also all below them. */
  collapse(rows, options) {
    return this.#setExpanded("collapseItems", rows, options);
  }

  // A row that was deleted meanwhile needs nothing any more.
  #setExpanded(edit, rows, { deep = false } = {}) {
    const items = rows.map((row) => this.pathOf(row)).filter(Boolean).map((path) => this.reference(path));
    return this.edit([{ edit, items, deep }]);
  }

  take(news) {
    const done = new Effect();
    if (news.kind === "remove") {
      this.groups = [];
      this.revision = 0;
      done.rearranged = true;
      [this.selection, this.cursor] = [[], null];
    } else if ("snapshot" in news || "sections" in news) {
      this.#show((news.snapshot ?? news).sections, done);
      this.revision = news.revision;
    } else if (news.kind !== "select" && news.kind !== "expand") {
      this.#change(news, done);
    }
    if (news.selection) this.#state(news, done);
    if (news.view) this.view = news.view;
    return done;
  }

  #change(change, done) {
    if (change.reload || change.baseRevision !== this.revision || !change.stages) {
      throw new OutOfStep(`a change from ${change.baseRevision} to a view at ${this.revision}`);
    }
    this.groups = applyToGroups(this.groups, change.stages, done);
    done.rearranged = change.stages.some((stage) => stage.some((op) => !op.op.startsWith("re")));
    this.revision = change.revision;
  }

  // A whole snapshot: rows with the identifiers of rows that are shown are these.
  #show(sections, done) {
    const rows = new Map(), known = new Map();
    for (const { section, items } of this.groups) {
      known.set(section.own.id, section);
      for (const row of items) keep(rows, keyOf(row.content), row);
    }
    for (const section of known.values()) done.movedSection(section);
    this.groups = sections.map(({ items, ...own }) => ({
      section: done.section(own, known.get(own.id)),
      items: items.flatMap(rowsOf).map((content) => {
        const old = rows.get(keyOf(content))?.shift();
        if (!old) return done.row(content);
        done.moved(old);
        if (JSON.stringify(old.content) === JSON.stringify(content)) return old;
        return done.row(content, old, templateOf(old.content) !== templateOf(content));
      }),
    }));
    done.rearranged = true;
  }

  #state({ selection, cursor }, done) {
    this.selection = selection;
    this.cursor = cursor;
    const selected = new Set(pathsOf(selection).map((path) => this.at(path)));
    for (const { items } of this.groups) {
      for (const row of items) {
        if (row.selected === selected.has(row)) continue;
        row.selected = !row.selected;
        done.selected.add(row);
      }
    }
  }
}

/** What news did: which rows and sections arrived, moved, changed, or were selected. */
export class Effect {
  rearranged = false;
  insertedRows = new Set();
  movedRows = new Set();
  updatedRows = new Set();
  /** Of the updated rows those whose template changed. */
  reloadedRows = new Set();
  movedSections = new Set();
  updatedSections = new Set();
  selected = new Set();

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
    section.own = own;
    if (old) this.updatedSections.add(section);
    return section;
  }

  moved(row) {
    this.movedRows.add(row);
  }

  movedSection(section) {
    this.movedSections.add(section);
  }
}

function keep(rows, key, row) {
  const same = rows.get(key);
  if (same) same.push(row);
  else rows.set(key, [row]);
}

function keyOf(content) {
  const item = itemOf(content);
  const own = item === content ? null : content.$part?.id ?? templateOf(content) ?? content.$part;
  return JSON.stringify([item?.id ?? item, own]);
}

function templateOf(content) {
  return itemOf(content) === content ? content?.template : content.$part?.template;
}
