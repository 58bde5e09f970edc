// Applies ops to lists. This module does not depend on Node, because pages use it, too.
//
// Sections are objects as in a snapshot, except that their `items` are rows. A view may store its own objects
// instead of sections and rows, such as elements: groups hold them, and the functions of `hooks` create and
// update them. `perform` changes groups, in time by the number of ops; the other functions return copies, which share
// the rows.
//
// All are strict: they accept what `performBatchUpdates` accepts, and throw `OutOfStep` for anything
// else, such as an index out of range.

import { OutOfStep } from "./errors.js";
import { rowsOf } from "./rows.js";

const PLAIN = { row: (content) => content, section: (own) => own };

/** The sections after batch updates in sequence. */
export function applyStages(sections, stages) {
  const groups = grouped(sections);
  perform(groups, stages);
  return ungrouped(groups);
}

/** The sections after ops in sequence. Each op applies to the result of the previous one. */
export function applyOps(sections, ops) {
  const groups = grouped(sections);
  perform(groups, ops.map((op) => [op]), PLAIN, true);
  return ungrouped(groups);
}

/** The sections as groups. `hooks` creates the objects for sections and rows. */
export function grouped(sections, hooks = PLAIN) {
  return sections.map((section) => groupOf(section, hooks));
}

/** The groups as sections, whose rows are shared. */
export function ungrouped(groups) {
  return groups.map(({ section, items }) => ({ ...section, items }));
}

function groupOf({ items, ...own }, hooks) {
  const rows = [];
  for (const item of items) for (const row of rowsOf(item)) rows.push(hooks.row(row));
  return { section: hooks.section(own), items: rows };
}

/**
 * Applies stages to the groups themselves; if it fails, they are as they were. `hooks.row(content, old, reload)` returns the
 * object of a changed row and `hooks.section(own, old, reload)` that of a changed section; for inserted ones `old` is
 * undefined. `hooks.moved`, `hooks.deleted` and `hooks.movedSection`, if present, are called for the objects of moved and
 * deleted rows and moved sections.
 *
 * Changes of content are alone in the last stage, unless `isSequence` is true. O(ops), with a copy of the rest of a section's
 * rows for each range of rows that is inserted or removed; but of all its rows once for many ranges.
 */
export function perform(groups, stages, hooks = PLAIN, isSequence = false) {
  const undo = [];
  try {
    stages.forEach((stage, index) => {
      const updates = stage.filter((op) => op.op.startsWith("re")).length;
      if (updates === 0) {
        rearrange(groups, stage, hooks, undo);
      } else if (updates === stage.length && (isSequence || index === stages.length - 1)) {
        update(groups, stage, hooks, undo);
      } else {
        throw new OutOfStep("changes of content are not alone in the last stage");
      }
    });
  } catch (error) {
    for (const step of undo.reverse()) step();
    throw error;
  }
}

const FEW = 8; // With more ranges an array is written anew, because each range moves the rest of it.
const LONG = 10_000; // Longer arrays are not passed as arguments, because engines limit their number.

// Ranges of indices, each with its op.
class Runs {
  ranges = [];

  add(start, count, op) {
    if (count > 0) this.ranges.push({ start, count, op });
  }

  inOrder() {
    this.ranges.sort((one, other) => one.start - other.start);
    let end = 0;
    for (const { start, count } of this.ranges) {
      if (!(start >= end)) throw new OutOfStep(start >= 0 ? `index ${start} is used twice` : `there is no index ${start}`);
      end = start + count;
    }
    return this.ranges;
  }
}

// Applies one stage of deletes, inserts and moves, which happen simultaneously: sources are indices before the
// stage, destinations are indices after it.
function rearrange(groups, stage, hooks, undo) {
  const removed = new Runs(), inserted = new Runs();
  const removedRows = new Map(), insertedRows = new Map(); // By section index, before and after.
  for (const op of stage) {
    switch (op.op) {
      case "deleteSections": removed.add(op.at, op.count, op); break;
      case "insertSections": inserted.add(op.at, op.count, op); break;
      case "moveSections": removed.add(op.from, op.count, op); inserted.add(op.to, op.count, op); break;
      case "deleteItems": ofSection(removedRows, op.at[0]).add(op.at[1], op.count, op); break;
      case "insertItems": ofSection(insertedRows, op.at[0]).add(op.at[1], op.count, op); break;
      case "moveItems":
        ofSection(removedRows, op.from[0]).add(op.from[1], op.count, op);
        ofSection(insertedRows, op.to[0]).add(op.to[1], op.count, op);
        break;
      default: throw new OutOfStep(`an unknown op: ${JSON.stringify(op)}`);
    }
  }
  for (const [sections, rows] of [[removed, removedRows], [inserted, insertedRows]]) {
    for (const { start, count } of sections.inOrder()) {
      for (let index = start; rows.size && index < start + count; index++) if (rows.has(index)) throw new OutOfStep(CROSSING);
    }
  }
  const whole = { items: groups, isKept: true }, taken = new Map(); // What was removed, by op.
  for (const [index, runs] of removedRows) remove(element(groups, index), runs.inOrder(), taken, undo);
  remove(whole, removed.ranges, taken, undo);
  const sections = (op) => op.op === "insertSections" ? insertedGroups(op, hooks) : taken.get(op);
  insert(whole, inserted.ranges, sections, undo);
  const rows = (op) => op.op === "insertItems" ? contents(op, op.items).map((one) => hooks.row(one)) : taken.get(op);
  for (const [index, runs] of insertedRows) insert(element(groups, index), runs.inOrder(), rows, undo);
  for (const [op, elements] of taken) {
    for (const one of elements) {
      if (op.op === "moveItems") hooks.moved?.(one);
      else if (op.op === "moveSections") hooks.movedSection?.(one.section);
      else if (op.op === "deleteItems") hooks.deleted?.(one);
      else if (hooks.deleted) one.items.forEach(hooks.deleted, hooks);
    }
  }
}

const CROSSING = "rows change in a section that the same stage deletes, inserts or moves";

// Removes ascending ranges of `owner.items`, and adds their elements to `taken`.
function remove(owner, ranges, taken, undo) {
  const { items } = owner, last = ranges.at(-1);
  if (last && last.start + last.count > items.length) {
    throw new OutOfStep(`there is no range of ${last.count} at ${last.start} among ${items.length}`);
  }
  for (const { start, count, op } of ranges) taken.set(op, items.slice(start, start + count));
  if (ranges.length > FEW) {
    const kept = [];
    let next = 0;
    for (const { start, count } of ranges) {
      while (next < start) kept.push(items[next++]);
      next += count;
    }
    while (next < items.length) kept.push(items[next++]);
    replace(owner, kept, undo);
  } else {
    for (const { start, count, op } of [...ranges].reverse()) {
      items.splice(start, count);
      undo.push(() => put(items, start, taken.get(op)));
    }
  }
}

// Inserts `run(op)` into `owner.items` at the ranges' indices, which are those after all are inserted.
function insert(owner, ranges, run, undo) {
  const { items } = owner;
  let size = items.length;
  for (const { start, count } of ranges) {
    if (start > size) throw new OutOfStep(`index ${start} is beyond the ${size} elements after the stage`);
    size += count;
  }
  if (ranges.length > FEW) {
    const merged = [];
    let next = 0;
    for (const { start, op } of ranges) {
      while (merged.length < start) merged.push(items[next++]);
      for (const one of run(op)) merged.push(one);
    }
    while (next < items.length) merged.push(items[next++]);
    replace(owner, merged, undo);
  } else {
    for (const { start, count, op } of ranges) {
      put(items, start, run(op));
      undo.push(() => items.splice(start, count));
    }
  }
}

function put(items, start, run) {
  if (run.length < LONG) {
    items.splice(start, 0, ...run);
  } else {
    const rest = items.splice(start);
    for (const one of run) items.push(one);
    for (const one of rest) items.push(one);
  }
}

// The array of all groups remains the same one.
function replace(owner, items, undo) {
  const before = owner.isKept ? [...owner.items] : owner.items;
  const set = (elements) => {
    if (owner.isKept) owner.items.length = 0, put(owner.items, 0, elements);
    else owner.items = elements;
  };
  undo.push(() => set(before));
  set(items);
}

// Replaces the content of sections and rows, each at most once.
function update(groups, stage, hooks, undo) {
  const sections = new Map(), rows = new Map(); // What the indices of sections and rows get.
  for (const op of stage) {
    if (!/^re(load|configure)(Items|Sections)$/.test(op.op)) throw new OutOfStep(`an unknown op: ${JSON.stringify(op)}`);
    const isOfSections = op.op.endsWith("Sections");
    contents(op, isOfSections ? op.sections : op.items).forEach((content, k) => {
      const owner = isOfSections ? groups : element(groups, op.at[0]).items, index = (isOfSections ? op.at : op.at[1]) + k;
      const found = isOfSections ? sections : rows.get(owner) ?? rows.set(owner, new Map()).get(owner);
      element(owner, index);
      if (found.has(index)) throw new OutOfStep(`index ${index} is used twice`);
      found.set(index, { content, reload: op.op.startsWith("reload") });
    });
  }
  for (const [index, { content: { items: _, ...own }, reload }] of sections) {
    const group = groups[index], before = group.section;
    undo.push(() => { group.section = before; });
    group.section = hooks.section(own, before, reload);
  }
  for (const [items, changed] of rows) {
    for (const [index, { content, reload }] of changed) {
      const before = items[index];
      undo.push(() => { items[index] = before; });
      items[index] = hooks.row(content, before, reload);
    }
  }
}

/** The paths of the selected rows after ops of a selection, as a set of "section,row". */
export function applySelection(selected, ops) {
  const after = new Set(selected);
  for (const { op, at, count } of ops) {
    for (let k = 0; k < count; k++) {
      const path = `${at[0]},${at[1] + k}`;
      if (op === "selectItems") after.add(path);
      else after.delete(path);
    }
  }
  return after;
}

/** The paths of all rows in ranges. */
export function pathsOf(ranges) {
  return ranges.flatMap(({ at: [section, row], count }) =>
    Array.from({ length: count }, (_, k) => [section, row + k]));
}

function contents(op, given) {
  if (!given) throw new OutOfStep(`an op without content; request it with content: true: ${op.op}`);
  if (given.length !== op.count) throw new OutOfStep(`${given.length} contents for a count of ${op.count} in ${op.op}`);
  return given;
}

function insertedGroups(op, hooks) {
  const groups = contents(op, op.sections).map((section) => groupOf(section, hooks));
  if (contents(op, op.rows).some((count, k) => groups[k].items.length !== count)) {
    throw new OutOfStep("the number of rows of an inserted section is wrong");
  }
  return groups;
}

function ofSection(map, section) {
  if (!map.has(section)) map.set(section, new Runs());
  return map.get(section);
}

function element(elements, index) {
  if (!(index >= 0 && index < elements.length)) {
    throw new OutOfStep(`there is no index ${index} among ${elements.length}`);
  }
  return elements[index];
}
