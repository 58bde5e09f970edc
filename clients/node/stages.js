// What ops mean. This module needs nothing of Node, so that pages use it, too.
//
// Sections are objects as in a snapshot, except that `items` holds rows. A view may keep what it
// likes instead of a section or row, such as a node that shows it: `Groups` hold these, and the
// functions of `Hooks` make and update them. Nothing that is passed is changed; the results are
// new and share what is kept.
//
// `applyStages` is strict: it takes what `performBatchUpdates` takes, and throws `OutOfStep` for
// anything else, such as an index out of range.

import { OutOfStep } from "./errors.js";
import { rowsOf } from "./rows.js";

const PLAIN = { row: (content) => content, section: (own) => own };

/** The sections after batch updates, one after the other. */
export function applyStages(sections, stages) {
  return ungrouped(applyToGroups(grouped(sections), stages));
}

/** The sections after ops in sequence, each applied to the result of the one before. */
export function applyOps(sections, ops) {
  let groups = grouped(sections);
  for (const op of ops) {
    const numbers = Array.from({ length: op.count }, (_, k) => k);
    const rows = ([section]) => element(groups, section).items;
    switch (op.op) {
      case "deleteSections": take(groups, op.at, op.count); break;
      case "insertSections": put(groups, op.at, numbers.map((k) => arrived(op, k, PLAIN))); break;
      case "moveSections": put(groups, op.to, take(groups, op.from, op.count)); break;
      case "deleteItems": take(rows(op.at), op.at[1], op.count); break;
      case "insertItems": put(rows(op.at), op.at[1], numbers.map((k) => content(op, op.items, k))); break;
      case "moveItems": {
        const run = take(rows(op.from), op.from[1], op.count);
        put(rows(op.to), op.to[1], run);
        break;
      }
      default: groups = updated(groups, [op], PLAIN);
    }
  }
  return ungrouped(groups);
}

/** Sections as groups. `hooks` makes what is kept for a section and for a row. */
export function grouped(sections, hooks = PLAIN) {
  return sections.map((section) => arriving(section, hooks));
}

function ungrouped(groups) {
  return groups.map(({ section, items }) => ({ ...section, items }));
}

function arriving({ items, ...own }, hooks) {
  const rows = [];
  for (const item of items) for (const row of rowsOf(item)) rows.push(hooks.row(row));
  return { section: hooks.section(own), items: rows };
}

/**
 * The groups after stages. A changed row is `hooks.row(content, old, reload)`, a changed section
 * `hooks.section(own, old, reload)`; without `old` they arrive. `hooks.moved` and `movedSection`,
 * if there, hear what a move names.
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

function take(elements, start, count) {
  if (!(start >= 0 && start + count <= elements.length)) {
    throw new OutOfStep(`there are no ${count} at ${start} among ${elements.length}`);
  }
  return elements.splice(start, count);
}

// Long runs are not passed as arguments: engines limit how many there are.
function put(elements, start, run) {
  if (!(start >= 0 && start <= elements.length)) {
    throw new OutOfStep(`there is no index ${start} among ${elements.length}`);
  }
  const rest = elements.splice(start);
  for (const one of run) elements.push(one);
  for (const one of rest) elements.push(one);
}

// One stage of deletes, inserts and moves, all at once: sources are indices before the stage,
// destinations indices after it.
function rearranged(before, stage, hooks) {
  const left = new Set(), came = new Map();
  const leftRows = new Map(), cameRows = new Map(); // By section, before and after.
  const leaveRow = ([section, row]) => {
    const items = element(before, section).items;
    return leave(items, row, ofSection(leftRows, section, Set));
  };
  for (const op of stage) {
    for (let k = 0; k < op.count; k++) {
      switch (op.op) {
        case "deleteSections": leave(before, op.at + k, left); break;
        case "insertSections": come(came, op.at + k, arrived(op, k, hooks)); break;
        case "moveSections": {
          const group = leave(before, op.from + k, left);
          hooks.movedSection?.(group.section);
          come(came, op.to + k, group);
          break;
        }
        case "deleteItems": leaveRow([op.at[0], op.at[1] + k]); break;
        case "insertItems": {
          const row = hooks.row(content(op, op.items, k));
          come(ofSection(cameRows, op.at[0], Map), op.at[1] + k, row);
          break;
        }
        case "moveItems": {
          const row = leaveRow([op.from[0], op.from[1] + k]);
          hooks.moved?.(row);
          come(ofSection(cameRows, op.to[0], Map), op.to[1] + k, row);
          break;
        }
        default: throw new OutOfStep(`an unknown op: ${JSON.stringify(op)}`);
      }
    }
  }
  for (const index of leftRows.keys()) if (left.has(index)) throw new OutOfStep(CROSSING);
  for (const index of cameRows.keys()) if (came.has(index)) throw new OutOfStep(CROSSING);
  const kept = before
    .map((group, index) =>
      leftRows.has(index) ? { ...group, items: without(group.items, leftRows.get(index)) } : group)
    .filter((_, index) => !left.has(index));
  const after = woven(kept, came);
  for (const [index, rows] of cameRows) {
    const group = element(after, index);
    after[index] = { ...group, items: woven(group.items, rows) };
  }
  return after;
}

const CROSSING = "rows change in a section that the same stage deletes, inserts or moves";

// New content at indices that are kept, each named once.
function updated(before, stage, hooks) {
  const after = [...before], named = new Set(), namedRows = new Map();
  for (const op of stage) {
    if (!/^re(load|configure)(Items|Sections)$/.test(op.op)) {
      throw new OutOfStep(`an unknown op: ${JSON.stringify(op)}`);
    }
    const reload = op.op.startsWith("reload");
    for (let k = 0; k < op.count; k++) {
      if (op.op.endsWith("Sections")) {
        const { section, items } = leave(after, op.at + k, named);
        const { items: _, ...own } = content(op, op.sections, k);
        after[op.at + k] = { section: hooks.section(own, section, reload), items };
      } else {
        const [index, row] = [op.at[0], op.at[1] + k];
        const group = element(after, index);
        if (!namedRows.has(index)) after[index] = { ...group, items: [...group.items] };
        const old = leave(after[index].items, row, ofSection(namedRows, index, Set));
        after[index].items[row] = hooks.row(content(op, op.items, k), old, reload);
      }
    }
  }
  return after;
}

/** The paths that are selected after ops of a selection, as a set of "section,row". */
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

/** The single paths that ranges cover. */
export function pathsOf(ranges) {
  return ranges.flatMap(({ at: [section, row], count }) =>
    Array.from({ length: count }, (_, k) => [section, row + k]));
}

function content(op, contents, k) {
  if (!contents) throw new OutOfStep(`an op without content, which comes with content: true: ${op.op}`);
  if (contents.length !== op.count) {
    throw new OutOfStep(`${contents.length} contents for the ${op.count} rows of ${op.op}`);
  }
  return contents[k];
}

function arrived(op, k, hooks) {
  const group = arriving(content(op, op.sections, k), hooks);
  if (group.items.length !== content(op, op.rows, k)) {
    throw new OutOfStep("a section does not arrive with as many rows as its op says");
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

function leave(elements, index, left) {
  if (left.has(index)) throw new OutOfStep(`index ${index} is named twice`);
  left.add(index);
  return element(elements, index);
}

function come(came, index, value) {
  if (came.has(index)) throw new OutOfStep(`index ${index} is filled twice`);
  came.set(index, value);
}

function without(elements, left) {
  return elements.filter((_, index) => !left.has(index));
}

// What came at its indices; what is kept between them, in its order.
function woven(kept, came) {
  const size = kept.length + came.size, result = new Array(size);
  for (const [index, value] of came) {
    if (!(index >= 0 && index < size)) throw new OutOfStep(`index ${index} of ${size} is filled`);
    result[index] = value;
  }
  let next = 0;
  for (let index = 0; index < size; index++) if (!came.has(index)) result[index] = kept[next++];
  return result;
}
