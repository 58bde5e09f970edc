// Copies of a list that are kept up to date.

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
    const method = isText ? "getText" : "getSnapshot";
    const resync = (accept) => list.daemon.request(method, { list: list.name }, { accept });
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
  }

  async begin(options) {
    const resync = (accept) => this.list.daemon.request("getSnapshot", { list: this.list.name }, { accept });
    this.#follower = new Follower((news) => this.take(news), resync);
    await this.#follower.follow(this.list, options);
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
