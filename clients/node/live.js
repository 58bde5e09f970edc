// Copies of a list that keep themselves up to date.

import { codes, OutOfStep } from "./errors.js";
import { Mirror } from "./mirror.js";
import { ListView } from "./view.js";

/** Passes news of a list to `take` as they arrive. What is out of step begins `resync(accept)`, a
    request whose answer goes to `take`; what arrives before it is in the answer. */
class Follower {
  #take;
  #resync;
  #listeners = new Set();
  #leave = () => {};
  #isResyncing = false;
  #hasBegun = false;
  #first;
  #end;
  /** Fulfilled when nothing more follows; rejected if the daemon is gone. */
  ended = new Promise((resolve, reject) => { this.#end = { resolve, reject }; });

  constructor(take, resync) {
    [this.#take, this.#resync] = [take, resync];
    this.ended.catch(() => {});
  }

  /** Fulfilled when the first news were taken. */
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
      this.#tell(news, this.#take(news));
    } catch (error) {
      if (!(error instanceof OutOfStep)) throw error;
      this.#isResyncing = true;
      const accept = (answer) => {
        this.#isResyncing = false;
        this.#tell(news, this.#take(answer));
      };
      this.#resync(accept).catch((why) => {
        if (why.code === codes.listNotFound) accept({ kind: "remove" });
        else this.fail(why);
      });
    }
  }

  #tell(news, done) {
    this.#first.resolve();
    for (const listener of [...this.#listeners]) listener(news, done);
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

  /** Calls a function with all news, after the mirror took them; returns one that ends this. */
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

  /** Calls a function with all news and their `Effect`; returns one that ends this. */
  listen(listener) {
    return this.#follower.listen(listener);
  }

  /** Selects as `List.select` does. The view shows the answer when the promise is fulfilled. */
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
