// A daemon's lists in a page: `connect()` connects to a bridge, and `new DOMList(element, list, …)` shows a list.
// Rows are moved, not created again: see dom.js.

import { OutOfStep, Refused } from "./errors.js";
import { refused, stringify, unsafeInteger } from "./numbers.js";
import { ListView } from "./view.js";

export { DOMList } from "./dom.js";
export { Scroller } from "./scroller.js";
export { memberOf, itemOf, textOf } from "./rows.js";

/** A connection to the bridge that served this page. */
export function connect(address = "/") {
  return new Bridge(address);
}

export class Bridge extends EventTarget {
  #address;
  #lists = new Map();
  #events = null;
  /** "connecting", "open" or "closed". A "status" event follows each change. */
  status = "connecting";

  constructor(address) {
    super();
    this.#address = address;
  }

  /** A list that follows the daemon's list. All lists that are requested in one turn share one stream. */
  list(name) {
    if (!this.#lists.has(name)) {
      this.#lists.set(name, new RemoteList(this, name));
      queueMicrotask(() => this.#open());
    }
    return this.#lists.get(name);
  }

  /** Calls a method of the daemon or an action of the program. Returns its result. */
  async call(method, params = {}) {
    const answer = await fetch(new URL("call", this.#url), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: stringify({ method, params }),
    });
    if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
    const text = await answer.text();
    const unsafe = unsafeInteger(text);
    if (unsafe) throw refused(unsafe);
    const { result, error } = JSON.parse(text);
    if (error) throw new Refused(error.code, error.message, error.data);
    return result;
  }

  close() {
    this.#events?.close();
    this.#setStatus("closed");
  }

  get #url() {
    return new URL(this.#address, document.baseURI);
  }

  // The browser reconnects automatically and sends the page's revisions (Last-Event-ID).
  #open() {
    const url = new URL("events", this.#url);
    for (const name of this.#lists.keys()) url.searchParams.append("list", name);
    if (this.#events?.url === url.href) return;
    this.#events?.close();
    const events = new EventSource(url);
    this.#events = events;
    events.onopen = () => this.#setStatus("open");
    events.onmessage = ({ data }) => {
      const unsafe = unsafeInteger(data);
      if (unsafe) this.dispatchEvent(new ErrorEvent("error", { error: refused(unsafe) }));
      const news = JSON.parse(data);
      this.#lists.get(news.list)?.take(news);
    };
    events.onerror = () => this.#setStatus(events.readyState === EventSource.CLOSED ? "closed" : "connecting");
  }

  #setStatus(status) {
    if (this.status === status) return;
    this.status = status;
    this.dispatchEvent(new Event("status"));
  }
}

/** A list of the bridge. Listeners are called with its news and their effect. */
export class RemoteList extends ListView {
  #listeners = new Set();

  constructor(bridge, name) {
    super();
    Object.assign(this, { bridge, name });
  }

  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  take(news) {
    let effect;
    try {
      effect = super.take(news);
    } catch (error) {
      if (!(error instanceof OutOfStep)) throw error;
      return this.#resync();
    }
    for (const listener of [...this.#listeners]) listener(news, effect);
    return effect;
  }

  /** Changes the selection, like the method `select`. */
  select(params) {
    return this.bridge.call("select", { list: this.name, ...params });
  }

  edit(edits) {
    return this.bridge.call("editSnapshot", { list: this.name, edits });
  }

  async #resync() {
    const snapshot = await this.bridge.call("getSnapshot", { list: this.name });
    if (snapshot.revision >= this.revision) this.take({ kind: "snapshot", ...snapshot });
  }
}
