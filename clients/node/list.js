// One list of a daemon, by its name.

import { codes } from "./errors.js";
import { LiveMirror, LiveView } from "./live.js";

/** `daemon.list(name)`. Options of a request go to the daemon as they are, beside `signal`
    (an AbortSignal that cancels it) and `timeout` (in milliseconds). */
export class List {
  #setting = null; // The request of `set` that is being answered.
  #next = null; // The items that the last `set` asked for meanwhile.

  constructor(daemon, name) {
    this.daemon = daemon;
    this.name = name;
  }

  #request(method, params, { signal, cancel, timeout, ...options } = {}) {
    const asked = { list: this.name, ...params, ...options };
    return this.daemon.request(method, asked, { signal, cancel, timeout });
  }

  /** Says what the list looks like now: its items, or `{items}`, `{sections}` or `{snapshot}`. */
  async apply(content, options) {
    return this.#request("applySnapshot", contentOf(content), options);
  }

  /** As `apply`, but only the last of several counts: those before it that were not served yet
      are cancelled, and their promises are `null`. */
  set(content, options) {
    const params = contentOf(content);
    this.#next?.resolve(null);
    return new Promise((resolve, reject) => {
      this.#next = { params, options, resolve, reject };
      if (this.#setting) this.#setting.abort();
      else this.#sendNext();
    });
  }

  #sendNext() {
    const { params, options, resolve, reject } = this.#next;
    this.#next = null;
    this.#setting = new AbortController();
    this.#settled(params, options, this.#setting.signal).then(resolve, reject).finally(() => {
      this.#setting = null;
      if (this.#next) this.#sendNext();
    });
  }

  // A request that was cancelled may have been served, so its answer is awaited.
  async #settled(params, options, superseded) {
    try {
      return await this.#request("applySnapshot", params, { ...options, cancel: superseded });
    } catch (error) {
      if (superseded.aborted && error.code === codes.requestCancelled) return null;
      throw error;
    }
  }

  /** Makes edits, in order, as one change. */
  async edit(edits, options) {
    return this.#request("editSnapshot", { edits: Array.isArray(edits) ? edits : [edits] }, options);
  }

  /** Expands items of an outline, by their references; with `deep` also all below them. */
  async expand(items, options) {
    return this.#outline("expandItems", items, options);
  }

  /** Collapses items of an outline; with `deep` also all below them. */
  async collapse(items, options) {
    return this.#outline("collapseItems", items, options);
  }

  /** Expands all that is above items of an outline. */
  async reveal(items, options) {
    return this.edit({ edit: "revealItems", items: [...items] }, options);
  }

  /** Expands all items of an outline that have children. */
  async expandAll(options) {
    return this.edit({ edit: "expandAll" }, options);
  }

  /** Collapses all items of an outline that have children. */
  async collapseAll(options) {
    return this.edit({ edit: "collapseAll" }, options);
  }

  #outline(edit, items, { deep = false, ...options } = {}) {
    return this.edit({ edit, items: [...items], deep }, options);
  }

  /** Makes the list the sections of other lists or, with `view` among the options, a view of
      their items. `null` for the sources keeps those that it has. */
  async compose(sources, options) {
    return this.#request("compose", { sources: sources ?? undefined }, options);
  }

  /** Changes the selection, the cursor, or both. */
  async select(params, options) {
    return this.#request("select", params, options);
  }

  async selection(options) {
    return this.#request("getSelection", {}, options);
  }

  /** The whole list or, with `window: {start, count}`, some of its rows. */
  async snapshot(options) {
    return this.#request("getSnapshot", {}, options);
  }

  async locate(params, options) {
    return this.#request("locate", params, options);
  }

  async text(options) {
    return this.#request("getText", {}, options);
  }

  async remove(options) {
    await this.#request("removeList", {}, options);
  }

  /** Everything that happens to the list, beginning with what it is now. */
  changes(options = {}) {
    return this.daemon.subscriptions.changes(this.name, options);
  }

  /** A copy of the list that keeps itself up to date. */
  async mirror(options = {}) {
    return new LiveMirror().begin(this, options);
  }

  /** Its rows as objects that stay the same while they are in the list, for views. */
  async view(options = {}) {
    return new LiveView(this).begin(options);
  }
}

function contentOf(content) {
  if (typeof content === "object" && content !== null) {
    if (Symbol.iterator in content) return { items: [...content] };
    if ("items" in content || "sections" in content || "snapshot" in content) return content;
  }
  throw new TypeError("a list is given as an array of items, or as {items}, {sections} or {snapshot}");
}
