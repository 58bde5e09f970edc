// The subscriptions of a connection. The daemon has one for each list; any number of iterators share it, if
// they request the same format.

import { ListdError } from "./errors.js";

const KINDS = { didChange: "change", didSelect: "select", didRemove: "remove", didExpand: "expand", didFeed: "feed" };

export class Subscriptions {
  #daemon;
  #channels = new Map();
  #hasEnded = false;
  /** Called when `isFollowing` may have changed. */
  onFollowing = () => {};

  constructor(daemon) {
    this.#daemon = daemon;
  }

  /** Whether the news of a list are awaited. */
  get isFollowing() {
    return this.#channels.size > 0;
  }

  /** Returns an iterator over the news of a list: first its present content, or the change since a revision. */
  changes(name, options) {
    const changes = new Changes();
    changes.leave = this.follow(name, options, changes);
    return changes;
  }

  /** Passes news to a follower (`begin` first, then `put`; `fail` or `return` at the end) until the returned
      function is called. */
  follow(name, { signal, since, ...options }, follower) {
    const wanted = JSON.stringify(options);
    let channel = this.#channels.get(name);
    if (channel && channel.wanted !== wanted) {
      throw new ListdError(`${name} is already followed with other options: ${channel.wanted}`);
    }
    if (!channel) this.#channels.set(name, (channel = { wanted, members: new Set() }));
    channel.members.add(follower);
    this.onFollowing();
    const abort = () => follower.fail(signal.reason);
    if (signal?.aborted) queueMicrotask(abort);
    signal?.addEventListener("abort", abort, { once: true });
    const params = { list: name, ...options, ...(since === undefined ? {} : { since }) };
    const accept = (result) => {
      const isWhole = "snapshot" in result || "text" in result;
      if (channel.members.has(follower)) follower.begin({ kind: isWhole ? "snapshot" : "change", ...result });
    };
    this.#daemon.request("subscribe", params, { accept }).catch((error) => follower.fail(error));
    return () => {
      signal?.removeEventListener("abort", abort);
      this.#leave(name, channel, follower);
    };
  }

  notify(method, params, error) {
    for (const follower of [...(this.#channels.get(params.list)?.members ?? [])]) {
      if (error) follower.fail(error);
      else if (KINDS[method]) follower.put({ kind: KINDS[method], ...params });
    }
  }

  /** Ends all iterators, with an error if there is one. */
  end(why) {
    this.#hasEnded = true;
    for (const { members } of [...this.#channels.values()]) {
      for (const follower of [...members]) {
        if (why) follower.fail(why);
        else follower.return();
      }
    }
  }

  #leave(name, channel, follower) {
    if (!channel.members.delete(follower) || channel.members.size) return;
    this.#channels.delete(name);
    this.onFollowing();
    if (!this.#hasEnded) this.#daemon.request("unsubscribe", { list: name }).catch(() => {});
  }
}

/** The news of a list, for `for await`. */
export class Changes {
  /** Ends the subscription. */
  leave = () => {};
  #queue = [];
  #waiting = []; // Calls of `next` that wait for news.
  #begun = false;
  #end = null; // {error?} after the end.

  /** News that arrive before the first reply belong to an earlier subscription. */
  begin(news) {
    this.#begun = true;
    this.put(news);
  }

  put(news) {
    if (!this.#begun || this.#end) return;
    const waiting = this.#waiting.shift();
    if (waiting) waiting.resolve({ value: news, done: false });
    else this.#queue.push(news);
  }

  fail(error) {
    this.#finish({ error });
  }

  #finish(end) {
    if (this.#end) return;
    this.#end = end;
    for (const waiting of this.#waiting.splice(0)) this.#last(waiting);
    this.leave();
  }

  // An error is thrown once. After that the iteration has ended.
  #last({ resolve, reject }) {
    const { error } = this.#end;
    this.#end = {};
    if (error) reject(error);
    else resolve({ value: undefined, done: true });
  }

  next() {
    if (this.#queue.length) return Promise.resolve({ value: this.#queue.shift(), done: false });
    return new Promise((resolve, reject) => {
      if (this.#end) this.#last({ resolve, reject });
      else this.#waiting.push({ resolve, reject });
    });
  }

  async return() {
    this.#queue.length = 0;
    this.#finish({});
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator]() {
    return this;
  }
}
