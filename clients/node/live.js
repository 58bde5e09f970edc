// Copies of a list that are kept up to date.

import { randomUUID } from "node:crypto";

import { codes, OutOfStep } from "./errors.js";
import { Mirror } from "./mirror.js";
import { ListView } from "./view.js";

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

/** `await list.mirror()`: a `Mirror` that follows its list. */
export class LiveMirror extends Mirror {
  #follower;

  async begin(list, options) {
    const isText = options.format === "textEdits";
    const take = (news) => {
      this.take(news);
      if (isText && news.kind === "snapshot" && !("text" in news)) throw new OutOfStep("no text yet");
    };
    const [method, params] = isText ? ["getText", {}] : ["getSnapshot", { members: options.members }];
    const resync = (accept) => list.daemon.request(method, { list: list.name, ...params }, { accept });
    this.#follower = new Follower(take, resync);
    await this.#follower.follow(list, options);
    return this;
  }

  get ended() {
    return this.#follower.ended;
  }

  /** Calls `listener` with all news, after the mirror has applied them. Returns a function that stops this. */
  listen(listener) {
    return this.#follower.listen(listener);
  }

  close() {
    return this.#follower.return();
  }
}

/** `await list.view()`: a `ListView` that follows its list. */
export class LiveView extends ListView {
  #follower;

  constructor(list) {
    super();
    this.list = list;
    this.key = list.key;
  }

  async begin(options) {
    const { list } = this, params = { list: list.name, members: options.members };
    const resync = (accept) => list.daemon.request("getSnapshot", params, { accept });
    this.#follower = new Follower((news) => this.take(news), resync);
    await this.#follower.follow(list, options);
    return this;
  }

  get ended() {
    return this.#follower.ended;
  }

  /** Calls `listener` with all news and their `Effect`. Returns a function that stops this. */
  listen(listener) {
    return this.#follower.listen(listener);
  }

  /** Selects like `List.select`. The view shows the result when the promise is fulfilled. */
  select(params) {
    const accept = (answer) => this.#follower.put({ kind: "select", ...answer });
    return this.list.daemon.request("select", { list: this.list.name, ...params }, { accept });
  }

  edit(edits) {
    return this.list.edit(edits);
  }

  close() {
    return this.#follower.return();
  }
}

/** `await list.view({ window: 200 })`: a `LiveView` of a part of the list, however long that is, which `scroll` moves and
    `show` filters and sorts. It is shown through a list of its own, which `close` removes. */
export class WindowView extends LiveView {
  #source;
  #shown;
  #window;

  constructor(list, { view = {}, window }) {
    super(list.daemon.list(`view/${randomUUID()}`, { key: list.key }));
    this.#source = list;
    this.#shown = { selection: "source", ...view };
    this.#window = typeof window === "number" ? { start: 0, count: window } : { start: 0, ...window };
  }

  async begin(options) {
    await this.#compose([this.#source.name], { signal: options.signal });
    return super.begin(options);
  }

  /** Moves the window, or changes its size. Returns whether no later call has overtaken this one. */
  scroll(start, count = this.#window.count) {
    this.#window = { start, count };
    return this.#compose(null);
  }

  /** Shows the list with other members of the definition, such as `match`, from the start. */
  show(view) {
    this.#shown = { ...this.#shown, ...view };
    this.#window = { ...this.#window, start: 0 };
    return this.#compose(null, { cursorPolicy: "first" });
  }

  async #compose(sources, options) {
    const view = { ...this.#shown, window: this.#window };
    try {
      await this.list.compose(sources, { ...options, view, format: "none", latest: true });
      return true;
    } catch (error) {
      if (error.code === codes.requestCancelled) return false;
      throw error;
    }
  }

  async close() {
    await super.close();
    await this.list.remove().catch(() => {}); // The daemon may have ended.
  }
}
