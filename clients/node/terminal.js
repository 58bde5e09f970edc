// A list in a terminal. Only changed lines of the screen are written, and the cursor keeps its row and its line
// of the screen while the list changes.

import { emitKeypressEvents } from "node:readline";

import { isExpanded, levelOf, textOf } from "./rows.js";
import { clip } from "./width.js";

const [ENTER, LEAVE] = ["\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"];
const STEPS = { up: -1, k: -1, down: 1, j: 1 };
const MARKS = new Map([[true, "v "], [false, "> "], [undefined, "  "]]);

/** Shows a `LiveView`. Arrows, j, k, g, G and page keys move the cursor, the space bar toggles the selection,
    Enter accepts a row, q and Ctrl-C quit. In an outline the right arrow and l expand a row; the left arrow and
    h collapse it or move to its parent. */
export class TerminalList {
  #view;
  #input;
  #output;
  #render;
  #stop;
  #finish;
  #screen = []; // The lines on the screen.
  #top = 0; // The index of the list's line at the top of the screen.
  #isAtTop = true; // Whether the screen shows the top of the list.
  #cursor = { row: null, line: 0 }; // The row of the cursor, and its line of the list.
  #pressed = Promise.resolve(); // Keys are handled in order; some wait for rows.
  #wanted = null; // The row that the cursor moves to while a reply is awaited.
  #isMoving = false;
  #failed = null;
  /** Fulfilled with the accepted row, or `null`; rejected if the daemon ends. */
  accepted;

  constructor(view, { input = process.stdin, output = process.stdout, render } = {}) {
    this.#view = view;
    this.#input = input;
    this.#output = output;
    this.#render = render ?? ((content) => textOf(content));
    this.accepted = new Promise((resolve, reject) => { this.#finish = { resolve, reject }; });
  }

  start() {
    emitKeypressEvents(this.#input);
    this.#input.setRawMode?.(true);
    this.#input.resume();
    const onKey = (text, key) => {
      this.#pressed = this.#pressed.then(() => this.#stop && this.#press(text, key)).catch(() => {});
    };
    const onResize = () => { this.#screen = []; this.#output.write("\x1b[2J"); this.draw(); };
    this.#input.on("keypress", onKey);
    this.#output.on("resize", onResize);
    const unlisten = this.#view.listen(() => this.draw());
    this.#stop = () => {
      unlisten();
      this.#input.off("keypress", onKey);
      this.#output.off("resize", onResize);
      this.#input.setRawMode?.(false);
      this.#input.pause();
      this.#output.write(LEAVE);
    };
    this.#view.ended.then(() => this.stop(null), (error) => { this.#failed = error; this.stop(null); });
    this.#output.write(ENTER + "\x1b[2J");
    this.draw();
    return this;
  }

  /** Restores the terminal. */
  stop(row = null) {
    if (!this.#stop) return;
    this.#stop();
    this.#stop = null;
    if (this.#failed) this.#finish.reject(this.#failed);
    else this.#finish.resolve(row);
  }

  /** The lines of the list: headers, rows and footers. */
  lines() {
    const lines = [];
    for (const { section: { own }, items } of this.#view.groups) {
      if (own.header != null) lines.push({ text: textOf(own.header), isHeader: true });
      for (const row of items) lines.push({ row, text: indented(row, this.#render(row.content)) });
      if (own.footer != null) lines.push({ text: textOf(own.footer), isHeader: true });
    }
    return lines;
  }

  draw() {
    // A terminal that does not know its size reports 0.
    const height = this.#output.rows || 24, width = this.#output.columns || 80;
    const lines = this.lines(), cursor = this.#cursorRow;
    const at = cursor ? lines.findIndex(({ row }) => row === cursor) : -1;
    // The cursor keeps its line of the screen, unless the screen shows the top of the list.
    if (at >= 0 && this.#cursor.row === cursor && !this.#isAtTop) this.#top += at - this.#cursor.line;
    this.#cursor = { row: cursor, line: at };
    this.#scroll(at, lines.length, height);
    this.#isAtTop = this.#top === 0 && this.#view.start === 0;
    let written = "";
    for (let index = 0; index < height; index++) {
      const line = lines[this.#top + index];
      const text = line ? this.#drawn(line, cursor, width) : "";
      if (this.#screen[index] !== text) written += `\x1b[${index + 1};1H${text}\x1b[0m\x1b[K`;
      this.#screen[index] = text;
    }
    if (written) this.#output.write(written);
  }

  #scroll(at, count, height) {
    if (at >= 0) this.#top = Math.min(Math.max(this.#top, at - height + 1), at);
    // A header above the first row is shown with it.
    if (at === 1) this.#top = 0;
    this.#top = Math.max(0, Math.min(this.#top, count - height));
  }

  #drawn({ row, text, isHeader }, cursor, width) {
    if (isHeader) return `\x1b[1m${clip(text, width)}`;
    const clipped = clip(`${row.selected ? "*" : " "} ${text}`, width);
    return row === cursor ? `\x1b[7m${clipped}` : clipped;
  }

  // The wanted row; if it was deleted meanwhile, the row of the list's cursor.
  get #cursorRow() {
    if (this.#wanted && this.#view.pathOf(this.#wanted)) return this.#wanted;
    return this.#view.at(this.#view.cursor);
  }

  #press(text, key) {
    const name = key?.name ?? text, page = (this.#output.rows || 24) - 1;
    if (name === "q" || name === "escape" || (key?.ctrl && (name === "c" || name === "d"))) this.stop();
    else if (name in STEPS) return this.#move(STEPS[name]);
    else if (name === "pagedown") return this.#move(page);
    else if (name === "pageup") return this.#move(-page);
    else if (name === "home" || (name === "g" && !key.shift)) return this.#move(-Infinity);
    else if (name === "end" || name === "g") return this.#move(Infinity);
    else if (name === "space") this.#toggle();
    else if (name === "right" || name === "l") this.#expand();
    else if (name === "left" || name === "h") return this.#collapse();
    else if (name === "return" || name === "enter") this.stop(this.#cursorRow?.content ?? null);
  }

  async #move(by) {
    await this.#bring(by);
    const { rows } = this.#view, at = rows.indexOf(this.#cursorRow);
    if (!rows.length) return;
    this.#wanted = rows[at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + by))];
    this.draw();
    this.#sendCursor();
  }

  // Moves a window that ends before the row that the cursor moves to: so that it is around the cursor, or at an end.
  async #bring(by) {
    const view = this.#view, { rows, start, length, window } = view, to = rows.indexOf(this.#cursorRow) + by;
    const isOutside = to < 0 ? start > 0 : to >= rows.length && start + window?.count < length;
    if (!window || !isOutside) return;
    const [item] = view.references([this.#cursorRow]), end = by < 0 ? 0 : length;
    await view.scroll(Number.isFinite(by) && item ? { item, before: Math.floor(window.count / 2) } : end);
  }

  // Sends one request at a time. Of the keys that are pressed meanwhile, the last one counts.
  async #sendCursor() {
    if (this.#isMoving) return;
    this.#isMoving = true;
    for (let row; this.#wanted && row !== this.#wanted;) {
      row = this.#wanted;
      const [cursor] = this.#view.references([row]);
      // If the row was deleted meanwhile, the request fails and the cursor remains where the list
      // has it.
      if (cursor) await this.#view.select({ cursor }).catch(() => {});
    }
    this.#wanted = null;
    this.#isMoving = false;
    this.draw();
  }

  #expand() {
    const row = this.#cursorRow;
    if (row && isExpanded(row.content) === false) this.#view.expand([row]).catch(() => {});
  }

  #collapse() {
    const { rows } = this.#view, row = this.#cursorRow, at = rows.indexOf(row);
    if (row && isExpanded(row.content)) {
      this.#view.collapse([row]).catch(() => {});
    } else if (row && levelOf(row.content)) {
      const above = rows.slice(0, at).reverse();
      return this.#move(-1 - above.findIndex((one) => levelOf(one.content) < levelOf(row.content)));
    }
  }

  #toggle() {
    const items = this.#view.references([this.#cursorRow]);
    if (items.length) this.#view.select({ items }).catch(() => {});
  }
}

// Indents a row of an outline by its level, with a mark if it can be expanded.
function indented({ content }, text) {
  const level = levelOf(content);
  return level === undefined ? text : "  ".repeat(level) + MARKS.get(isExpanded(content)) + text;
}
