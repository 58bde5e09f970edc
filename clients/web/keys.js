// The keyboard and the mouse in a list box and a tree, following the ARIA Authoring Practices: Tab reaches one
// row, arrows move the focus, characters move it to a row that begins with them, the space bar and clicks select.
// In a tree the right arrow expands a row or moves to its first child, the left arrow collapses it or moves to its
// parent, and `*` expands the row and its siblings.

import { isExpanded, levelOf } from "./rows.js";

const PAGE = 10; // rows
const PAUSE = 700; // milliseconds after which a character begins a new word

export class Keys {
  #view;
  #cursor = null; // The row that Tab reaches.
  #wanted = null; // The focused row while a reply is awaited.
  #isAsking = false;
  #asked = Promise.resolve(); // The last request.
  #typed = { text: "", at: -Infinity };

  constructor(view) {
    this.#view = view;
    const { element } = view;
    if (view.role === "list") return;
    element.addEventListener("keydown", (event) => this.#press(event));
    element.addEventListener("click", (event) => this.#click(event));
    element.addEventListener("dblclick", (event) => {
      const row = view.rowOf(event.target);
      if (row && !view.isInside(event.target)) view.activate?.(row);
    });
    element.addEventListener("focusin", (event) => {
      const row = view.rowOf(event.target);
      if (row && row !== this.#cursor) this.#go(row, false);
    });
  }

  /** Makes the row of the list's cursor the row that Tab reaches. */
  mark() {
    const { list } = this.#view;
    const row = this.#wanted && this.#view.elementOf(this.#wanted) ? this.#wanted : list.at(list.cursor);
    this.#reach(row ?? list.groups.find(({ items }) => items.length)?.items[0] ?? null);
  }

  /** Focuses the row that Tab reaches. */
  focus() {
    this.#view.elementOf(this.#cursor)?.focus({ preventScroll: true });
  }

  #reach(row) {
    const before = this.#view.elementOf(this.#cursor);
    if (this.#cursor !== row && before) before.tabIndex = -1;
    this.#cursor = row;
    const element = this.#view.elementOf(row);
    if (element) element.tabIndex = 0;
  }

  #press(event) {
    const { rows } = this.#view.list, row = this.#view.rowOf(event.target), { key } = event;
    if (!row || this.#view.isInside(event.target) || event.altKey) return;
    const at = rows.indexOf(row), isPlain = !event.ctrlKey && !event.metaKey, page = this.#view.page?.() ?? PAGE;
    const targets = {
      ArrowDown: at + 1, ArrowUp: at - 1, Home: -Infinity, End: Infinity, PageDown: at + page, PageUp: at - page,
    };
    const isSpace = key === " " && event.timeStamp - this.#typed.at > PAUSE;
    if (key in targets) {
      this.#goTo(targets[key], event.shiftKey);
    } else if (this.#view.role === "tree" && ["ArrowRight", "ArrowLeft", "*"].includes(key)) {
      this.#branch(key, rows, at);
    } else if (isSpace) {
      this.#select({ items: [row] });
    } else if (key === "Enter") {
      this.#view.activate?.(row);
    } else if (key === "a" && !isPlain && this.#view.selectsMany) {
      this.#select({ action: "all" });
    } else if (key.length === 1 && isPlain) {
      this.#find(key, event.timeStamp, rows, at);
    } else {
      return;
    }
    event.preventDefault();
  }

  // Focuses the row nearest to an index, which is counted from the first row of the page.
  async #goTo(index, isExtending) {
    const { list, reach } = this.#view, { rows } = list;
    const [start, end] = reach ? [list.start, list.length] : [0, rows.length], last = end - start - 1;
    const nearest = Math.max(-start, Math.min(last, index));
    const target = rows[nearest] ?? await reach?.(start + nearest);
    if (!this.#view.elementOf(target)) return;
    this.#go(target, true);
    if (isExtending) this.#select({ action: "extend", items: [target] });
  }

  #branch(key, rows, at) {
    const { list } = this.#view, row = rows[at], level = levelOf(row.content);
    const child = rows[at + 1];
    if (key === "*") {
      const siblings = siblingsOf(rows, at).filter((one) => isExpanded(one.content) === false);
      if (siblings.length) this.#ask(() => list.expand(siblings));
    } else if (key === "ArrowRight") {
      if (isExpanded(row.content) === false) this.#ask(() => list.expand([row]));
      else if (child && levelOf(child.content) > level) this.#go(child, true);
    } else if (isExpanded(row.content)) {
      this.#ask(() => list.collapse([row]));
    } else {
      const parent = rows.slice(0, at).reverse().find((one) => levelOf(one.content) < level);
      if (parent) this.#go(parent, true);
    }
  }

  // Focuses the next row that begins with the typed text. Repeating one character moves through all
  // matches.
  #find(key, time, rows, at) {
    const before = time - this.#typed.at > PAUSE ? "" : this.#typed.text;
    const text = (before === key ? "" : before) + key.toLocaleLowerCase();
    this.#typed = { text, at: time };
    const first = at + (text.length === 1 ? 1 : 0);
    const target = [...rows.slice(first), ...rows.slice(0, first)].find((row) =>
      this.#view.elementOf(row).textContent.trim().toLocaleLowerCase().startsWith(text));
    if (target) this.#go(target, true);
  }

  #click(event) {
    const row = this.#view.rowOf(event.target);
    if (!row || this.#view.isInside(event.target)) return;
    // A check box shows the selection of the list, not the click.
    if (event.target.matches(".listd-mark")) event.preventDefault();
    this.#view.elementOf(row).focus({ preventScroll: true });
    if (event.target.closest(".listd-toggle") && isExpanded(row.content) !== undefined) {
      const { list } = this.#view;
      const isOpen = isExpanded(row.content);
      this.#ask(() => (isOpen ? list.collapse([row]) : list.expand([row])));
    } else {
      this.#select(event.shiftKey ? { action: "extend", items: [row] } : { items: [row] });
    }
  }

  #go(row, focus) {
    this.#wanted = row;
    this.#reach(row);
    if (focus) this.#view.elementOf(row).focus();
    this.#sendCursor();
  }

  // Sends one request at a time. Of the keys that are pressed meanwhile, the last one counts.
  async #sendCursor() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const { list } = this.#view;
    for (let row; this.#wanted && row !== this.#wanted;) {
      row = this.#wanted;
      const [cursor] = list.references([row]);
      if (cursor && row !== list.at(list.cursor)) await list.select({ cursor }).catch(() => {});
    }
    this.#wanted = null;
    this.#isAsking = false;
  }

  #select({ items: rows, ...params }) {
    const { list } = this.#view, items = rows && list.references(rows);
    if (items?.length !== 0) this.#ask(() => list.select({ ...params, items }));
  }

  // Sends requests in the order of the keys: each one when the one before is answered. Errors are ignored: the row was
  // deleted meanwhile, or cannot be selected.
  #ask(request) {
    this.#asked = this.#asked.then(request).catch(() => {});
  }
}

// Returns the row at an index and its siblings in an outline.
function siblingsOf(rows, at) {
  const level = levelOf(rows[at].content), isOutside = (row) => levelOf(row.content) < level;
  const before = rows.slice(0, at).reverse().findIndex(isOutside), after = rows.slice(at).findIndex(isOutside);
  return rows.slice(before < 0 ? 0 : at - before, after < 0 ? rows.length : at + after)
    .filter((row) => levelOf(row.content) === level);
}
