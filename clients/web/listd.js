// A daemon's lists in a page: `connect()` connects to a bridge, and `new DOMList(element, list, …)` shows a list.
// Rows are moved, not created again: see dom.js.

import { OutOfStep, Refused } from "./errors.js";
import { refused, stringify, unsafeInteger } from "./numbers.js";
import { share } from "./stream.js";
import { ListView } from "./view.js";

export { DOMList } from "./dom.js";
export { Scroller } from "./scroller.js";
export { idOf, memberOf, itemOf, textOf } from "./rows.js";

/** A connection to the bridge that served this page. */
export function connect(address = "/") {
  return new Bridge(address);
}

export class Bridge extends EventTarget {
  #address;
  #lists = new Map();
  #stream = null;
  #opens = false;
  /** "connecting", "open" or "closed". A "status" event follows each change. */
  status = "connecting";

  constructor(address) {
    super();
    this.#address = address;
  }

  /** A list that follows the daemon's list. All lists that are requested in one turn share one stream. `key` names the
      members that identify its items if they have no `id`. */
  list(name, { key } = {}) {
    if (!this.#lists.has(name)) {
      this.#lists.set(name, Object.assign(new RemoteList(this, name), { key }));
      if (!this.#opens) queueMicrotask(() => this.#open());
      this.#opens = true;
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
    this.#stream?.close();
    this.#setStatus("closed");
  }

  get #url() {
    return new URL(this.#address, document.baseURI);
  }

  #open() {
    this.#opens = false;
    const worker = new URL("listd/stream.js", this.#url).href;
    this.#stream ??= share(new URL("events", this.#url).href, worker, (news) => this.#take(news));
    this.#stream.follow([...this.#lists.keys()]);
  }

  // The bridge is connected to its daemon if it sends a list.
  #take({ data, status = "open" }) {
    if (data) {
      const unsafe = unsafeInteger(data);
      if (unsafe) this.dispatchEvent(new ErrorEvent("error", { error: refused(unsafe) }));
      const news = JSON.parse(data);
      this.#lists.get(news.list)?.take(news);
    }
    this.#setStatus(status);
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
  #epoch;
  /** Whether the rows are still shown when the daemon has lost the list, until it has it again. */
  keepsRows = false;

  constructor(bridge, name) {
    super();
    Object.assign(this, { bridge, name });
  }

  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  take(news) {
    const { epoch = this.#epoch } = news, isLost = this.keepsRows && news.revision === 0 && this.groups.length > 0;
    // No change leads from a revision of another daemon to one of this daemon.
    if (isLost || (this.#epoch ?? epoch) !== epoch) this.revision = -1;
    this.#epoch = epoch;
    if (isLost) return null;
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
