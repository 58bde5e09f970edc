// A list of a daemon.

import { codes } from "./errors.js";
import { LiveMirror, LiveView, WindowView } from "./live.js";

const WINDOW = 200; // rows of a view

/** `daemon.list(name)`. The options of a request are passed to the daemon, except `signal` (an AbortSignal
    that cancels it) and `timeout` (in milliseconds). */
export class List {
  #setting = null; // The controller of the pending request of `set`.
  #next = null; // The last call of `set` that was not sent yet.

  constructor(daemon, name, key) {
    this.daemon = daemon;
    this.name = name;
    /** The members that identify items without `id`, for all requests and views of this object. */
    this.key = key;
  }

  #request(method, params, { signal, cancel, timeout, ...options } = {}) {
    const members = { list: this.name, ...params, ...options };
    return this.daemon.request(method, members, { signal, cancel, timeout });
  }

  /** Sends the present content of the list: its items, or `{items}`, `{sections}` or `{snapshot}`. */
  async apply(content, options) {
    return this.#request("applySnapshot", contentOf(content, this.key), options);
  }

  /** Like `apply`, but a newer call cancels earlier ones that were not performed yet. Their promises are
      fulfilled with `null`. */
  set(content, options) {
    const params = contentOf(content, this.key);
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

  // A cancelled request may have been performed, so its reply is awaited.
  async #settled(params, options, superseded) {
    try {
      return await this.#request("applySnapshot", params, { ...options, cancel: superseded });
    } catch (error) {
      if (superseded.aborted && error.code === codes.requestCancelled) return null;
      throw error;
    }
  }

  /** Performs edits, in order, as one change. */
  async edit(edits, options) {
    return this.#request("editSnapshot", { key: this.key, edits: Array.isArray(edits) ? edits : [edits] }, options);
  }

  /** Expands items of an outline; if `deep` is true, also all items below them. */
  async expand(items, options) {
    return this.#outline("expandItems", items, options);
  }

  /** Collapses items of an outline; if `deep` is true, also all items below them. */
  async collapse(items, options) {
    return this.#outline("collapseItems", items, options);
  }

  /** Expands all items above the given items of an outline. */
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

  /** Makes the list a composite of the sections of other lists or, with the option `view`, a view of their
      items. If `sources` is `null`, the list keeps its present ones. */
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

  /** The whole list or, with `window: {start, count}`, a range of its rows. */
  async snapshot(options) {
    return this.#request("getSnapshot", {}, options);
  }

  async locate(params, options) {
    return this.#request("locate", params, options);
  }

  /** Lets the daemon fill the list and keep it up to date: with the output of `{command}`, the rows of `{file}`, or the
      files of `{folder}`. `null` ends that. */
  async feed(from, options) {
    return this.#request("feed", { key: this.key, from }, options);
  }

  async text(options) {
    return this.#request("getText", {}, options);
  }

  async remove(options) {
    await this.#request("removeList", {}, options);
  }

  /** The news of the list, beginning with its present content. */
  changes(options = {}) {
    return this.daemon.subscriptions.changes(this.name, options);
  }

  /** A copy of the list that is kept up to date. */
  async mirror(options = {}) {
    return new LiveMirror().begin(this, options);
  }

  /** The rows of the list as objects that remain the same while they are in the list, for views: a window of them, which
      can be moved and enlarged, or with `window: "all"` all rows. With `view` they are filtered or sorted. */
  async view({ window = WINDOW, view, ...options } = {}) {
    if (window === "all" && view === undefined) return new LiveView(this).begin(options);
    if (this.name.includes("/")) {
      throw new TypeError(`a list with / in its name, such as ${this.name}, is shown only as a whole: window: "all"`);
    }
    return new WindowView(this, { window: window === "all" ? undefined : window, view }).begin(options);
  }
}

// The key is first, also if an option replaces it: the daemon reads items while they arrive.
function contentOf(content, key) {
  if (typeof content === "object" && content !== null) {
    if (Symbol.iterator in content) return { key, items: [...content] };
    if ("items" in content || "sections" in content || "snapshot" in content) return { key, ...content };
  }
  throw new TypeError("the content of a list is an array of items, or {items}, {sections} or {snapshot}");
}
