// Applies ops to lists. This module does not depend on Node, because pages use it, too.
//
// Sections are objects as in a snapshot, except that their `items` are rows. A view may store its own objects
// instead of sections and rows, such as elements: groups hold them, and the functions of `hooks` create and
// update them. Arguments are never changed; results are new and share unchanged parts.
//
// `applyStages` is strict: it accepts what `performBatchUpdates` accepts, and throws `OutOfStep` for anything
// else, such as an index out of range.

import { OutOfStep } from "./errors.js";
import { rowsOf } from "./rows.js";

const PLAIN = { row: (content) => content, section: (own) => own };

/** The sections after batch updates in sequence. */
export function applyStages(sections, stages) {
  return ungrouped(applyToGroups(grouped(sections), stages));
}

/** The sections after ops in sequence. Each op applies to the result of the previous one. */
export function applyOps(sections, ops) {
  let groups = grouped(sections);
  for (const op of ops) {
    const numbers = Array.from({ length: op.count }, (_, k) => k);
    const rows = ([section]) => element(groups, section).items;
    switch (op.op) {
      case "deleteSections": cut(groups, op.at, op.count); break;
      case "insertSections": insert(groups, op.at, numbers.map((k) => insertedGroup(op, k, PLAIN))); break;
      case "moveSections": insert(groups, op.to, cut(groups, op.from, op.count)); break;
      case "deleteItems": cut(rows(op.at), op.at[1], op.count); break;
      case "insertItems": insert(rows(op.at), op.at[1], numbers.map((k) => content(op, op.items, k))); break;
      case "moveItems": {
        const run = cut(rows(op.from), op.from[1], op.count);
        insert(rows(op.to), op.to[1], run);
        break;
      }
      default: groups = updated(groups, [op], PLAIN);
    }
  }
  return ungrouped(groups);
}

/** The sections as groups. `hooks` creates the objects for sections and rows. */
export function grouped(sections, hooks = PLAIN) {
  return sections.map((section) => groupOf(section, hooks));
}

function ungrouped(groups) {
  return groups.map(({ section, items }) => ({ ...section, items }));
}

function groupOf({ items, ...own }, hooks) {
  const rows = [];
  for (const item of items) for (const row of rowsOf(item)) rows.push(hooks.row(row));
  return { section: hooks.section(own), items: rows };
}

/**
 * The groups after stages. `hooks.row(content, old, reload)` returns the object of a changed row and
 * `hooks.section(own, old, reload)` that of a changed section; for inserted ones `old` is undefined.
 * `hooks.moved` and `hooks.movedSection`, if present, are called for the objects that ops move.
 */
export function applyToGroups(groups, stages, hooks = PLAIN) {
  stages.forEach((stage, index) => {
    const updates = stage.filter((op) => op.op.startsWith("re")).length;
    if (updates === 0) {
      groups = rearranged(groups, stage, hooks);
    } else if (updates === stage.length && index === stages.length - 1) {
      groups = updated(groups, stage, hooks);
    } else {
      throw new OutOfStep("changes of content are not alone in the last stage");
    }
  });
  return groups;
}

function cut(elements, start, count) {
  if (!(start >= 0 && start + count <= elements.length)) {
    throw new OutOfStep(`there is no range of ${count} at ${start} among ${elements.length}`);
  }
  return elements.splice(start, count);
}

// Long arrays are not passed as arguments, because engines limit their number.
function insert(elements, start, run) {
  if (!(start >= 0 && start <= elements.length)) {
    throw new OutOfStep(`there is no index ${start} among ${elements.length}`);
  }
  const rest = elements.splice(start);
  for (const one of run) elements.push(one);
  for (const one of rest) elements.push(one);
}

// Applies one stage of deletes, inserts and moves, which happen simultaneously: sources are indices before the
// stage, destinations are indices after it.
function rearranged(before, stage, hooks) {
  const removed = new Set(), inserted = new Map();
  const removedRows = new Map(), insertedRows = new Map(); // By section index, before and after.
  const removeRow = ([section, row]) => {
    const items = element(before, section).items;
    return mark(items, row, ofSection(removedRows, section, Set));
  };
  for (const op of stage) {
    for (let k = 0; k < op.count; k++) {
      switch (op.op) {
        case "deleteSections": mark(before, op.at + k, removed); break;
        case "insertSections": fill(inserted, op.at + k, insertedGroup(op, k, hooks)); break;
        case "moveSections": {
          const group = mark(before, op.from + k, removed);
          hooks.movedSection?.(group.section);
          fill(inserted, op.to + k, group);
          break;
        }
        case "deleteItems": removeRow([op.at[0], op.at[1] + k]); break;
        case "insertItems": {
          const row = hooks.row(content(op, op.items, k));
          fill(ofSection(insertedRows, op.at[0], Map), op.at[1] + k, row);
          break;
        }
        case "moveItems": {
          const row = removeRow([op.from[0], op.from[1] + k]);
          hooks.moved?.(row);
          fill(ofSection(insertedRows, op.to[0], Map), op.to[1] + k, row);
          break;
        }
        default: throw new OutOfStep(`an unknown op: ${JSON.stringify(op)}`);
      }
    }
  }
  for (const index of removedRows.keys()) if (removed.has(index)) throw new OutOfStep(CROSSING);
  for (const index of insertedRows.keys()) if (inserted.has(index)) throw new OutOfStep(CROSSING);
  const kept = before
    .map((group, index) =>
      removedRows.has(index) ? { ...group, items: without(group.items, removedRows.get(index)) } : group)
    .filter((_, index) => !removed.has(index));
  const after = merged(kept, inserted);
  for (const [index, rows] of insertedRows) {
    const group = element(after, index);
    after[index] = { ...group, items: merged(group.items, rows) };
  }
  return after;
}

const CROSSING = "rows change in a section that the same stage deletes, inserts or moves";

// Replaces the content of sections and rows, each at most once.
function updated(before, stage, hooks) {
  const after = [...before], marked = new Set(), markedRows = new Map();
  for (const op of stage) {
    if (!/^re(load|configure)(Items|Sections)$/.test(op.op)) {
      throw new OutOfStep(`an unknown op: ${JSON.stringify(op)}`);
    }
    const reload = op.op.startsWith("reload");
    for (let k = 0; k < op.count; k++) {
      if (op.op.endsWith("Sections")) {
        const { section, items } = mark(after, op.at + k, marked);
        const { items: _, ...own } = content(op, op.sections, k);
        after[op.at + k] = { section: hooks.section(own, section, reload), items };
      } else {
        const [index, row] = [op.at[0], op.at[1] + k];
        const group = element(after, index);
        if (!markedRows.has(index)) after[index] = { ...group, items: [...group.items] };
        const old = mark(after[index].items, row, ofSection(markedRows, index, Set));
        after[index].items[row] = hooks.row(content(op, op.items, k), old, reload);
      }
    }
  }
  return after;
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

function content(op, contents, k) {
  if (!contents) throw new OutOfStep(`an op without content; request it with content: true: ${op.op}`);
  if (contents.length !== op.count) {
    throw new OutOfStep(`${contents.length} contents for a count of ${op.count} in ${op.op}`);
  }
  return contents[k];
}

function insertedGroup(op, k, hooks) {
  const group = groupOf(content(op, op.sections, k), hooks);
  if (group.items.length !== content(op, op.rows, k)) {
    throw new OutOfStep("the number of rows of an inserted section is wrong");
  }
  return group;
}

function ofSection(map, section, Kind) {
  if (!map.has(section)) map.set(section, new Kind());
  return map.get(section);
}

function element(elements, index) {
  if (!(index >= 0 && index < elements.length)) {
    throw new OutOfStep(`there is no index ${index} among ${elements.length}`);
  }
  return elements[index];
}

function mark(elements, index, marked) {
  if (marked.has(index)) throw new OutOfStep(`index ${index} is used twice`);
  marked.add(index);
  return element(elements, index);
}

function fill(inserted, index, value) {
  if (inserted.has(index)) throw new OutOfStep(`index ${index} is used twice`);
  inserted.set(index, value);
}

function without(elements, removed) {
  return elements.filter((_, index) => !removed.has(index));
}

// Returns the inserted elements at their indices, and the kept ones between them, in their order.
function merged(kept, inserted) {
  const size = kept.length + inserted.size, result = new Array(size);
  for (const [index, value] of inserted) {
    if (!(index >= 0 && index < size)) throw new OutOfStep(`index ${index} is beyond the ${size} elements after the stage`);
    result[index] = value;
  }
  let next = 0;
  for (let index = 0; index < size; index++) if (!inserted.has(index)) result[index] = kept[next++];
  return result;
}
