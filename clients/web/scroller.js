// A window on a huge list: the page has only the visible rows and some around them. They are the content of a view
// of the list that belongs to this page and whose window follows the scroll position.

import { DOMList } from "./dom.js";
import { Space } from "./space.js";

const TEMPORARY = "page/"; // The bridge removes lists with this prefix when their page is closed.

/**
 * Shows a list in an element that scrolls, with rows of one height.
 *
 *     new Scroller(element, bridge, "log", { rowHeight: 24, view: { sort: [{ by: "at" }] }, templates });
 *
 * `view` is as in the protocol, without sections and a window. The bridge must allow `compose`. `limit` is the
 * largest height of an element in pixels. The other options are those of `DOMList`.
 */
export class Scroller {
  #view;
  #window = { start: 0, count: 0 };
  #isAsking = false;
  #reaching = null; // The row that a key moves to: its index, and its promise.

  constructor(element, bridge, name, { rowHeight, view = {}, around = 10, limit, ...options }) {
    Object.assign(this, { element, bridge, name, rowHeight, around, space: new Space(element, limit) });
    this.#view = view;
    this.own = `${TEMPORARY}${crypto.randomUUID()}`;
    this.list = bridge.list(this.own);
    this.height = document.createElement("div");
    this.rows = document.createElement("div");
    Object.assign(this.height.style, { position: "relative", overflow: "clip" });
    Object.assign(this.rows.style, { position: "absolute", left: 0, right: 0, top: 0 });
    this.height.append(this.rows);
    element.append(this.height);
    const arranged = () => this.#arranged();
    const reach = (index) => this.#reach(index);
    this.shown = new DOMList(this.rows, this.list, { animate: false, ...options, arranged, reach });
    element.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    new ResizeObserver(() => this.#follow()).observe(element);
    // The daemon may have removed the view of a page that was disconnected for long.
    bridge.addEventListener("status", () => { if (bridge.status === "open") this.show(this.#view); });
    this.#follow();
  }

  /** Shows another view of the list, with another order or filter. */
  show(view) {
    this.#view = view;
    this.#window = { start: 0, count: 0 };
    return this.#follow();
  }

  // Sets the height of the element and the position of its rows in the whole list.
  #arranged() {
    const { start, matched, shown = matched } = this.list.view ?? { start: 0, matched: 0 };
    this.space.resize(shown * this.rowHeight);
    this.height.style.height = `${this.space.height}px`;
    this.rows.style.top = `${start * this.rowHeight - this.space.offset}px`;
    const row = this.list.rows[this.#reaching?.index - start];
    if (row) this.#settle(row);
  }

  #scrolled() {
    this.space.scrolled();
    this.#arranged();
    this.#follow();
  }

  // Scrolls to the row with an index in the whole list. Returns a promise that is fulfilled when
  // the page has it.
  #reach(index) {
    this.#settle(undefined);
    const row = index * this.rowHeight, { space } = this;
    return new Promise((resolve) => {
      this.#reaching = { index, resolve };
      space.go(Math.min(row, Math.max(space.top, row + this.rowHeight - this.element.clientHeight)));
      this.#scrolled();
    });
  }

  #settle(row) {
    this.#reaching?.resolve(row);
    this.#reaching = null;
  }

  // Returns the wanted window. The present one is kept while it has some rows around the visible
  // ones.
  #wanted() {
    const first = Math.floor(this.space.top / this.rowHeight);
    const seen = Math.ceil(this.element.clientHeight / this.rowHeight) + 1;
    const { start, count } = this.#window, least = this.around / 2;
    const isEnough = (start === 0 || start <= first - least) && first + seen + least <= start + count;
    if (isEnough) return this.#window;
    return { start: Math.max(0, first - this.around), count: seen + 2 * this.around };
  }

  // Sends one request at a time. Of the positions that are scrolled to meanwhile, the last one
  // counts.
  async #follow() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      for (let window; (window = this.#wanted()) !== this.#window;) {
        this.#window = window;
        const view = { ...this.#view, sections: "merge", window };
        await this.bridge.call("compose", { list: this.own, sources: [this.name], view });
      }
    } catch (error) {
      this.bridge.dispatchEvent(new ErrorEvent("error", { error }));
    } finally {
      this.#isAsking = false;
    }
  }
}
