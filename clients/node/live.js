// Copies of a list that are kept up to date.

import { randomUUID } from "node:crypto";

import { codes, OutOfStep } from "./errors.js";
import { Mirror } from "./mirror.js";
import { idOf } from "./rows.js";
import { ListView } from "./view.js";

const OUTLINE = /^(expand|collapse|reveal)/; // The edits of an outline.
const LITERAL = /^(-?\d+|".*")$/s; // What is written as JSON in the identifier of a section of a composite.

/** Passes the news of a list to `take`. If they are out of step, calls `resync(accept)`, a request whose result
    goes to `take`; news that arrive before the result are included in it and dropped. */
class Follower {
  #take;
  #resync;
  #listeners = new Set();
  #leave = () => {};
  #isResyncing = false;
  #hasBegun = false;
  #first;
  #end;
  /** Fulfilled when the subscription ends; rejected if the daemon ends. */
  ended = new Promise((resolve, reject) => { this.#end = { resolve, reject }; });

  constructor(take, resync) {
    [this.#take, this.#resync] = [take, resync];
    this.ended.catch(() => {});
  }

  /** Fulfilled when the first news were processed. */
  follow(list, options) {
    return new Promise((resolve, reject) => {
      this.#first = { resolve, reject };
      this.#leave = list.daemon.subscriptions.follow(list.name, options, this);
    });
  }

  begin(news) {
    this.#hasBegun = true;
    this.put(news);
  }

  put(news) {
    if (!this.#hasBegun || this.#isResyncing) return;
    try {
      this.#notify(news, this.#take(news));
    } catch (error) {
      if (!(error instanceof OutOfStep)) throw error;
      this.#isResyncing = true;
      const accept = (answer) => {
        this.#isResyncing = false;
        this.#notify(news, this.#take(answer));
      };
      this.#resync(accept).catch((why) => {
        if (why.code === codes.listNotFound) accept({ kind: "remove" });
        else this.fail(why);
      });
    }
  }

  #notify(news, effect) {
    this.#first.resolve();
    for (const listener of [...this.#listeners]) listener(news, effect);
  }

  fail(error) {
    this.#first.reject(error);
    this.#end.reject(error);
    this.#leave();
  }

  async return() {
    this.#first.resolve();
    this.#end.resolve();
    this.#leave();
  }

  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

// A copy of a list, as `Base` keeps it, that follows the list.
const following = (Base) => class extends Base {
  #follower;

  async follow(list, options, take, [method, params]) {
    const resync = (accept) => list.daemon.request(method, { list: list.name, ...params }, { accept });
    this.#follower = new Follower(take, resync);
    await this.#follower.follow(list, options);
    return this;
  }

  put(news) {
    this.#follower.put(news);
  }

  get ended() {
    return this.#follower.ended;
  }

  /** Calls `listener` with all news after they were applied, and with their effect. Returns a function that stops
      this. */
  listen(listener) {
    return this.#follower.listen(listener);
  }

  close() {
    return this.#follower.return();
  }
};

/** `await list.mirror()`: a `Mirror` that follows its list. */
export class LiveMirror extends following(Mirror) {
  begin(list, options) {
    const isText = options.format === "textEdits";
    const take = (news) => {
      this.take(news);
      if (isText && news.kind === "snapshot" && !("text" in news)) throw new OutOfStep("no text yet");
    };
    return this.follow(list, options, take, isText ? ["getText"] : ["getSnapshot", { members: options.members }]);
  }
}

/** `await list.view({ window: "all" })`: a `ListView` that follows its list. */
export class LiveView extends following(ListView) {
  /** `shown` is the list whose rows the view has. */
  constructor(list, shown = list) {
    super();
    Object.assign(this, { list, shown, key: list.key });
  }

  begin(options) {
    return this.follow(this.shown, options, (news) => this.take(news), ["getSnapshot", { members: options.members }]);
  }

  /** Selects like `List.select`. The view shows the result when the promise is fulfilled. */
  select(params) {
    const accept = (answer) => this.put({ kind: "select", ...answer });
    return this.list.daemon.request("select", { list: this.shown.name, ...params }, { accept });
  }

  edit(edits) {
    return this.list.edit(edits);
  }
}

/** `await list.view()`: a part of the rows of a list, however long that is, which `scroll` moves, `grow` enlarges, and
    `show` filters and sorts. When their promises are fulfilled, the view shows the result. The rows are those of a list
    of its own, which is removed when the view ends. */
export class WindowView extends LiveView {
  #definition;
  #removed;
  /** The window that was asked for last: `{start, count}`; `undefined` for all rows. */
  window;

  constructor(list, { view = {}, window }) {
    super(list, list.daemon.list(`view/${randomUUID()}`));
    this.#definition = { selection: "source", ...view };
    this.window = typeof window === "number" ? { start: 0, count: window } : window && { start: 0, ...window };
  }

  async begin(options) {
    const { daemon } = this.list;
    daemon.ownLists.add(this.shown.name);
    const temporary = daemon.supports("compose.temporary") || undefined; // Also if this process is killed.
    try {
      await this.shown.compose([this.list.name], { view: this.#view, format: "none", temporary, signal: options.signal });
    } catch (error) {
      await this.#remove();
      throw error;
    }
    const begun = super.begin(options);
    this.#removed = this.ended.then(() => this.#remove(), () => this.#remove());
    return begun;
  }

  #remove() {
    this.list.daemon.ownLists.delete(this.shown.name);
    return this.shown.remove().catch(() => {}); // The daemon may have ended.
  }

  /** Moves the window to an index or, as in the protocol, to `{item, before}`, and may change its size. Returns whether
      no later call has overtaken this one. */
  scroll(start, count = this.window.count) {
    this.window = { start, count };
    return this.#compose();
  }

  /** Enlarges the window by a number of rows at its end. */
  grow(count) {
    return this.scroll(this.window.start, this.window.count + count);
  }

  /** Shows the list with other members of the definition, such as `match`, from the start. */
  show(view) {
    this.#definition = { ...this.#definition, ...view };
    if (this.window) this.window = { ...this.window, start: 0 };
    return this.#compose({ cursorPolicy: "first" });
  }

  get #view() {
    return { ...this.#definition, window: this.window };
  }

  async #compose(options) {
    // The change itself follows the answer. If there is none, the numbers may have changed.
    const accept = (answer) => { if (answer.revision === this.revision) this.put({ kind: "select", ...answer }); };
    const params = { list: this.shown.name, view: this.#view, format: "none", latest: true, ...options };
    try {
      const { revision } = await this.list.daemon.request("compose", params, { accept });
      await this.#reach(revision);
      return true;
    } catch (error) {
      if (error.code === codes.requestCancelled) return false;
      throw error;
    }
  }

  // Sections have their identifiers of the list. Those of a composite begin with the name of the list.
  get #keepsSections() {
    return (this.#definition.sections ?? "keep") === "keep";
  }

  ownOf(own) {
    if (!this.#keepsSections) return own;
    const id = own.id.slice(this.list.name.length + 1);
    return { ...own, id: LITERAL.test(id) ? JSON.parse(id) : id };
  }

  select({ section, ...params }) {
    if (section === undefined || !this.#keepsSections) return super.select({ section, ...params });
    const id = typeof section === "string" && !LITERAL.test(section) ? section : JSON.stringify(section);
    return super.select({ section: `${this.list.name}/${id}`, ...params });
  }

  #reach(revision) {
    if (this.revision >= revision) return undefined;
    return new Promise((resolve, reject) => {
      const stop = this.listen(() => { if (this.revision >= revision) done(); });
      const done = () => { stop(); resolve(); };
      this.ended.then(done, reject);
    });
  }

  // Rows of an outline that is not of this view are those of the list by their identifiers.
  expand(rows, options) {
    return this.#definition.tree ? super.expand(rows, options) : this.list.expand(this.#ids(rows), options);
  }

  collapse(rows, options) {
    return this.#definition.tree ? super.collapse(rows, options) : this.list.collapse(this.#ids(rows), options);
  }

  #ids(rows) {
    return rows.map(({ content }) => idOf(content, this.key)).filter((id) => id !== undefined);
  }

  /** Edits the list, or expands and collapses rows of an outline of this view. */
  edit(edits) {
    const isOutline = this.#definition.tree && edits.every(({ edit }) => OUTLINE.test(edit));
    return (isOutline ? this.shown : this.list).edit(edits);
  }

  async close() {
    await super.close();
    await this.#removed;
  }
}
