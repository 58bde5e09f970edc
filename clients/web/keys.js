// The keyboard and the mouse in a list box, as in the ARIA Authoring Practices: one row is reached by
// Tab, arrows move on from it, the space bar and clicks select.

const PAGE = 10; // rows

export class Keys {
  #view;
  #cursor = null; // The row that Tab reaches.
  #wanted = null; // Where the focus went while an answer is awaited.
  #isAsking = false;

  constructor(view) {
    this.#view = view;
    const { element } = view;
    if (view.role !== "listbox") return;
    element.addEventListener("keydown", (event) => this.#press(event));
    element.addEventListener("click", (event) => this.#click(event));
    element.addEventListener("focusin", (event) => {
      const row = view.rowOf(event.target);
      if (row && row !== this.#cursor) this.#go(row, false);
    });
  }

  /** Makes the row of the list's cursor the one that Tab reaches. */
  mark() {
    const { list } = this.#view;
    const row = this.#wanted && this.#view.elementOf(this.#wanted) ? this.#wanted : list.at(list.cursor);
    this.#reach(row ?? list.groups.find(({ items }) => items.length)?.items[0] ?? null);
  }

  /** Puts the focus on the row that Tab reaches. */
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
    const { rows } = this.#view.list, row = this.#view.rowOf(event.target);
    if (!row || this.#view.isInside(event.target) || event.altKey) return;
    const at = rows.indexOf(row), last = rows.length - 1;
    const targets = {
      ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last, PageDown: at + PAGE, PageUp: at - PAGE,
    };
    if (event.key in targets) {
      const target = rows[Math.max(0, Math.min(last, targets[event.key]))];
      this.#go(target, true);
      if (event.shiftKey) this.#select({ action: "extend", items: [target] });
    } else if (event.key === " ") {
      this.#select({ items: [row] });
    } else if (event.key === "Enter") {
      this.#view.activate?.(row);
    } else if (event.key === "a" && (event.ctrlKey || event.metaKey) && this.#view.selectsMany) {
      this.#select({ action: "all" });
    } else {
      return;
    }
    event.preventDefault();
  }

  #click(event) {
    const row = this.#view.rowOf(event.target);
    if (!row || this.#view.isInside(event.target)) return;
    // A check box shows what the list says, and not that it was clicked.
    if (event.target.matches(".listd-mark")) event.preventDefault();
    this.#view.elementOf(row).focus({ preventScroll: true });
    this.#select(event.shiftKey ? { action: "extend", items: [row] } : { items: [row] });
  }

  #go(row, focus) {
    this.#wanted = row;
    this.#reach(row);
    if (focus) this.#view.elementOf(row).focus();
    this.#tell();
  }

  // One request at a time: of the keys that are pressed meanwhile the last counts.
  async #tell() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const { list } = this.#view;
    for (let row; this.#wanted && row !== this.#wanted;) {
      row = this.#wanted;
      const path = list.pathOf(row);
      if (path && row !== list.at(list.cursor)) {
        await list.select({ cursor: list.reference(path) }).catch(() => {});
      }
    }
    this.#wanted = null;
    this.#isAsking = false;
  }

  // A row that was deleted meanwhile, or that cannot be selected, is an error without a consequence.
  #select({ items, ...params }) {
    const { list } = this.#view;
    const paths = items?.map((row) => list.pathOf(row)).filter(Boolean);
    if (items && !paths.length) return;
    const references = paths?.map((path) => list.reference(path));
    list.select(references ? { ...params, items: references } : params).catch(() => {});
  }
}
