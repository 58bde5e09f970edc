// A window on a huge list: the page has only the visible rows and some around them. They are the content of a view
// of the list that belongs to this page and whose window follows the scroll position.

import { DOMList } from "./dom.js";
import { Space } from "./space.js";

const TEMPORARY = "page/"; // The bridge removes lists with this prefix when their page is closed.
const ROUND_TRIP = 50; // milliseconds: the first guess of the time until rows arrive
const STILL = 40; // milliseconds after the last step of scrolling
const KEY = 200; // milliseconds for which scrolling is caused by a key, which needs the rows where it ends
const FARTHEST = 4; // screens to look ahead
const CANCELLED = -32800;

/**
 * Shows a list in an element that scrolls, with rows of one height.
 *
 *     new Scroller(element, bridge, "log", { rowHeight: 24, view: { sort: [{ by: "at" }] }, templates });
 *
 * `view` is as in the protocol, without a window. Sections are merged unless it says otherwise; their headers must
 * not take any height, for example beside the rows. `around` is the number of rows above and below the visible ones;
 * while the user scrolls, they are those that will be visible when the rows arrive. `inset` is the height of what covers
 * the top of the element, `limit` the largest height of an element in pixels, and `key` that of `bridge.list`. The other
 * options are those of `DOMList`. Rows that are inserted by a change of the list, and not by scrolling, have the class
 * `listd-arrived` until its animation ends. Where rows are still missing, `.listd-space` is seen, with the property `--listd-row`, the height of a row.
 */
export class Scroller {
  #view;
  #window = { start: 0, count: 0 };
  #asking = null; // The view that is being asked for.
  #caused = 0; // The last revision that a request of this page has caused.
  #isOwn = true; // Whether the news that are being shown answer a request of this page.
  #reaching = null; // The row that a key moves to: its index, and its promise.
  #speed = 0; // pixels in a millisecond, downwards
  #last = { top: 0, at: 0 };
  #keyed = -Infinity; // The time of the last key.
  #roundTrip = ROUND_TRIP;

  constructor(element, bridge, name, { rowHeight, view = {}, around = 10, inset = 0, limit, ...options }) {
    Object.assign(this, { element, bridge, name, rowHeight, around, space: new Space(element, limit, inset) });
    this.#view = view;
    this.own = `${TEMPORARY}${crypto.randomUUID()}`;
    this.list = bridge.list(this.own, options);
    this.list.keepsRows = true;
    this.height = document.createElement("div");
    this.rows = document.createElement("div");
    this.height.className = "listd-space";
    this.height.style.setProperty("--listd-row", `${rowHeight}px`);
    Object.assign(this.height.style, { position: "relative", overflow: "clip" });
    Object.assign(this.rows.style, { position: "absolute", left: 0, right: 0, top: 0 });
    this.height.append(this.rows);
    element.append(this.height);
    element.style.scrollPaddingTop = `${inset}px`;
    const arranged = (effect) => this.#arranged(effect);
    const reach = (index) => this.#reach(index);
    // Rows that scrolling brings do not fade in.
    this.list.listen(({ revision }) => {
      this.#isOwn = this.#asking !== null || revision <= this.#caused;
      this.shown.layout.animate = options.animate !== false && !this.#isOwn;
    });
    this.shown = new DOMList(this.rows, this.list, { animate: false, ...options, arranged, reach });
    this.rows.addEventListener("animationend", ({ target }) => target.classList.remove("listd-arrived"));
    element.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    element.addEventListener("keydown", () => { this.#keyed = performance.now(); });
    new ResizeObserver(() => this.#follow()).observe(element);
    // The daemon may have removed the view of a page that was disconnected for long.
    bridge.addEventListener("status", () => {
      if (bridge.status === "open" && (this.list.revision <= 0 || !this.#window.count)) this.show(this.#view);
    });
    this.#follow();
  }

  /** Shows another view of the list, with another order or filter. */
  show(view) {
    this.#view = view;
    this.#window = { start: 0, count: 0 };
    return this.#follow();
  }

  /** Scrolls to the first row. */
  top() {
    this.space.go(0);
    this.#scrolled();
  }

  // Sets the height of the element and the position of its rows in the whole list.
  #arranged(effect) {
    const { start, length } = this.list;
    this.space.resize(length * this.rowHeight);
    this.height.style.height = `${this.space.height}px`;
    this.rows.style.top = `${start * this.rowHeight - this.space.offset}px`;
    const row = this.list.rows[this.#reaching?.index - start];
    if (row) this.#settle(row);
    if (this.#isOwn || !effect) return;
    for (const one of effect.insertedRows) this.shown.elementOf(one)?.classList.add("listd-arrived");
  }

  #scrolled() {
    this.space.scrolled();
    const { top } = this.space, at = performance.now(), { top: before, at: then } = this.#last;
    // A jump by the scroll bar or a key is not a speed.
    const isJump = Math.abs(top - before) > 2 * this.space.screen || at - then > STILL || at - this.#keyed < KEY;
    this.#speed = isJump ? 0 : (this.#speed + (top - before) / Math.max(1, at - then)) / 2;
    this.#last = { top, at };
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
      space.go(Math.min(row, Math.max(space.top, row + this.rowHeight - space.screen)));
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
    const seen = Math.ceil(this.space.screen / this.rowHeight) + 1;
    const { start, count } = this.#window, least = this.around / 2;
    const isEnough = (start === 0 || start <= first - least) && first + seen + least <= start + count;
    if (isEnough) return this.#window;
    // Around the rows that will be visible from when the answer comes to when the next one does.
    const isMoving = performance.now() - this.#last.at < STILL;
    const ahead = isMoving ? Math.round((this.#speed * this.#roundTrip * 1.5) / this.rowHeight) : 0;
    const most = FARTHEST * seen, from = first - this.around + Math.max(-most, Math.min(most, ahead));
    const all = seen + 2 * this.around, focused = this.#focused();
    // The row that has the focus keeps it as long as it is seen.
    const isSeen = focused >= first && focused < first + seen;
    return { start: Math.max(0, isSeen ? Math.min(focused, Math.max(from, focused - all + 1)) : from), count: all };
  }

  // Returns the index of the focused row in the whole list; NaN if there is none.
  #focused() {
    const at = this.list.rows.indexOf(this.shown?.rowOf(document.activeElement));
    return at < 0 ? NaN : this.list.start + at;
  }

  // Sends one request at a time for a view. Of the positions that are scrolled to meanwhile, the last one counts.
  // Another view does not wait for the answer.
  async #follow() {
    const shown = this.#view;
    if (this.#asking === shown) return;
    this.#asking = shown;
    try {
      for (let window; this.#view === shown && (window = this.#wanted()) !== this.#window;) {
        this.#window = window;
        const view = { sections: "merge", ...shown, window }, begun = performance.now();
        const params = { list: this.own, sources: [this.name], view, latest: true };
        this.#caused = (await this.bridge.call("compose", params)).revision;
        // It may have been carried out after the request for another view that was sent meanwhile.
        if (this.#view !== shown) return void this.show(this.#view);
        this.#roundTrip += (performance.now() - begun - this.#roundTrip) / 4;
      }
    } catch (error) {
      if (error.code === CANCELLED) return;
      this.#window = { start: 0, count: 0 };
      this.bridge.dispatchEvent(new ErrorEvent("error", { error }));
    } finally {
      if (this.#asking === shown) this.#asking = null;
    }
  }
}
