// A recorded list in a page that has no daemon: its first snapshot and the changes since then. It evaluates the views
// that a `Scroller` asks for itself: a query, an order, groups, a window and the selection.

import { RemoteList } from "./listd.js";
import { matcherOf } from "./matching.js";
import { itemOf, memberOf } from "./rows.js";
import { grouped, perform } from "./stages.js";

const ORDER = ["missing", "boolean", "number", "string", "object"];
const compareTexts = new Intl.Collator("en", { numeric: true }).compare;

/** Takes the place of a `Bridge` that is connected to a daemon with one list. */
export class Recording extends EventTarget {
  status = "open";
  #name;
  #recording;
  #groups;
  #done = 0; // The number of changes that were applied.
  #views = new Map();
  #lists = new Map();
  #selected = new Set(); // The keys of items.
  #anchor = null;

  /** `recording` has the sections of the list, and its changes as `{at, stages}`, where `at` is in milliseconds. */
  constructor(name, recording) {
    super();
    this.#name = name;
    this.#recording = recording;
    this.#groups = grouped(recording.sections);
  }

  /** The time of the last change. */
  get length() {
    return this.#recording.changes.at(-1)?.at ?? 0;
  }

  /** Shows the list as it was at a time. */
  seek(time) {
    const { sections, changes } = this.#recording;
    const count = changes.filter(({ at }) => at <= time).length;
    if (count === this.#done) return;
    if (count < this.#done) [this.#groups, this.#done] = [grouped(sections), 0];
    for (; this.#done < count; this.#done++) perform(this.#groups, changes[this.#done].stages);
    this.#update();
  }

  list(name) {
    if (!this.#lists.has(name)) this.#lists.set(name, new RemoteList(this, name));
    return this.#lists.get(name);
  }

  async call(method, { list, view, ...params }) {
    if (method === "compose") this.#views.set(list, { definition: view, rows: [] });
    if (method === "select") this.#select(this.#views.get(list), this.list(list), params);
    this.#update(list);
    return { revision: this.list(list).revision };
  }

  // The changes of the list itself have no answer: rows that they bring arrive.
  #update(asked) {
    for (const [name, view] of this.#views) {
      if (asked !== undefined && asked !== name) continue;
      const list = this.list(name);
      list.take({ kind: "snapshot", list: name, revision: list.revision + 1, ...this.#evaluate(view, list) });
    }
  }

  #evaluate(view, list) {
    const { match, sort, sections, window } = view.definition;
    const all = this.#groups.flatMap(({ items }) => items), score = matcherOf(match);
    const found = all.map((row, index) => ({ row, index, score: score(row) })).filter((one) => one.score !== null);
    const keys = sort ?? (match ? [{ by: "$score" }] : []);
    const rows = found.sort((one, other) => compare(one, other, keys) || one.index - other.index).map(({ row }) => row);
    view.rows = rows;
    const start = Math.max(0, Math.min(window.start, rows.length - window.count));
    const { groups, counts } = this.#grouped(rows, sections, start, start + window.count);
    const selection = [];
    groups.forEach(({ items }, section) => items.forEach((row, index) => {
      if (this.#selected.has(keyOf(row))) selection.push({ at: [section, index], count: 1 });
    }));
    const key = view.cursor, shown = groups.map(({ items }) => items.findIndex((row) => keyOf(row) === key));
    const section = shown.findIndex((index) => index >= 0);
    return {
      sections: groups.map(({ title, ...own }) => (title ? { ...own, header: { ...title, count: counts.get(own.id) } } : own)),
      selection, cursor: section < 0 ? null : [section, shown[section]],
      view: { start, matched: rows.length, total: all.length },
    };
  }

  // The rows of a window in sections, and the number of rows of each section. Rows of a section are together.
  #grouped(rows, sections, start, end) {
    const groups = new Map(), counts = new Map();
    rows.forEach((row, index) => {
      const value = sections.by && memberOf(row, sections.by), text = textOf(value);
      const id = sections.by ? `${typeof value} ${text}` : "main";
      counts.set(id, (counts.get(id) ?? 0) + 1);
      if (index < start || index >= end) return;
      const title = sections.by ? { text, value } : undefined;
      if (!groups.has(id)) groups.set(id, { id, title, selectionMode: "multiple", items: [] });
      groups.get(id).items.push(row);
    });
    return { groups: [...groups.values()], counts };
  }

  #select(view, list, { action = "toggle", items = [], cursor }) {
    const find = ({ path }) => keyOf(list.at(path).content), keys = items.map(find);
    if (cursor) view.cursor = find(cursor);
    if (action === "all") for (const row of view.rows) this.#selected.add(keyOf(row));
    if (action === "toggle") {
      for (const key of keys) if (!this.#selected.delete(key)) this.#selected.add(key);
      this.#anchor = keys.at(-1) ?? this.#anchor;
    }
    if (action !== "extend") return;
    const all = view.rows.map(keyOf), [from, to] = [all.indexOf(this.#anchor), all.indexOf(keys.at(-1))];
    if (from < 0) this.#anchor = keys.at(-1);
    this.#selected = new Set(from < 0 ? keys : all.slice(Math.min(from, to), Math.max(from, to) + 1));
  }
}

function textOf(value) {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function keyOf(row) {
  const item = itemOf(row);
  return JSON.stringify(item?.id ?? item);
}

function compare(one, other, keys) {
  for (const { by, order = by === "$score" ? "descending" : "ascending" } of keys) {
    const [a, b] = by === "$score" ? [one.score, other.score] : [memberOf(one.row, by), memberOf(other.row, by)];
    const result = compareValues(a, b);
    if (result) return order === "descending" ? -result : result;
  }
  return 0;
}

function compareValues(one, other) {
  const [kind, otherKind] = [kindOf(one), kindOf(other)];
  if (kind !== otherKind) return ORDER.indexOf(kind) - ORDER.indexOf(otherKind);
  if (kind === "string") return compareTexts(one, other);
  return kind === "number" || kind === "boolean" ? one - other : 0;
}

function kindOf(value) {
  return value === undefined || value === null ? "missing" : typeof value;
}
