// A daemon, independent of the transport.

import { Closed, ListdError, VersionMismatch } from "./errors.js";
import { List } from "./list.js";
import { Subscriptions } from "./subscriptions.js";

const PROTOCOL = 1;
const TIMEOUT = 30_000; // Milliseconds for a reply.

/** A connection to a daemon. `spawn`, `connect`, `attach` and `fromConnection` create one. */
export class Daemon {
  #connection;
  #timeout;
  #onMessage;
  #closing = [];
  #closed = null;
  /** The daemon's capabilities, from the reply to `initialize`. */
  capabilities = {};
  version = "";
  /** The subscriptions of all lists. */
  subscriptions;
  /** The names of lists that end with the connection. */
  ownLists = new Set();

  /** `hold` is called with whether something is awaited: a reply, or the news of a list. */
  constructor(connection, { timeout = TIMEOUT, onMessage, hold = () => {} } = {}) {
    this.#connection = connection;
    this.#timeout = timeout;
    this.#onMessage = onMessage ?? ((message) => process.emitWarning(message, "listd"));
    this.subscriptions = new Subscriptions(this);
    connection.onNotification = (method, params, error) => {
      if (method === "window/logMessage") this.#onMessage(params.message, params.type);
      else this.subscriptions.notify(method, params, error);
    };
    connection.onEnd = (why) => this.subscriptions.end(why);
    let isHeld = true;
    const check = () => {
      const isAwaited = connection.isWaiting || this.subscriptions.isFollowing;
      if (isAwaited !== isHeld) hold((isHeld = isAwaited));
    };
    connection.onWaiting = this.subscriptions.onFollowing = check;
  }

  async initialize({ processId }) {
    const reply = await this.request("initialize", {
      processId,
      clientInfo: { name: "listd-node" },
      protocolVersion: PROTOCOL,
      capabilities: {},
    });
    if (reply.protocolVersion !== PROTOCOL) {
      throw new VersionMismatch(
        `listd ${reply.serverInfo?.version} has version ${reply.protocolVersion} of the protocol,`
          + ` and this client has version ${PROTOCOL}`,
      );
    }
    this.capabilities = reply.capabilities;
    this.version = reply.serverInfo.version;
    this.#connection.maxMessageBytes = reply.capabilities.maxMessageBytes ?? Infinity;
    this.notify("initialized", {});
  }

  /** Whether the daemon has all of the given methods, formats and features. */
  supports(...names) {
    const { methods = [], formats = [], features = [] } = this.capabilities;
    return names.every((name) => [...methods, ...formats, ...features].includes(name));
  }

  /** The result of any method. `signal` cancels the request and rejects at once; `cancel` cancels it and
      awaits the daemon's reply. `accept` gets the result before later notifications are processed. */
  async request(method, params, { timeout = this.#timeout, ...options } = {}) {
    return this.#connection.request(method, params, { ...options, timeout });
  }

  /** Sends a notification. */
  notify(method, params) {
    this.#connection.notify(method, params);
  }

  /** A list, which need not exist yet. */
  list(name, { key } = {}) {
    return new List(this, name, key);
  }

  /** The existing lists. */
  async lists(options) {
    return (await this.request("getLists", {}, options)).lists;
  }

  /** The difference between two snapshots: items, a snapshot, or `{list, revision?}`. */
  async diff(from, to, options = {}) {
    const { signal, timeout, ...rest } = options;
    const params = { from: snapshotRef(from), to: snapshotRef(to), ...rest };
    return this.request("diff", params, { signal, timeout });
  }

  /** Registers templates, which format rows as text, by name. */
  async registerTemplates(templates, options) {
    await this.request("registerTemplates", { templates }, options);
  }

  /** Registers a function to run when the daemon is closed. */
  atClose(work) {
    this.#closing.push(work);
  }

  /** Lets the daemon finish pending requests and waits for its end, at most `timeout` ms. */
  close(timeout = 5000) {
    this.#closed ??= this.#close(timeout);
    return this.#closed;
  }

  async #close(timeout) {
    try {
      for (const list of this.ownLists) this.request("removeList", { list }).catch(() => {});
      await this.request("shutdown", undefined, { timeout });
      this.notify("exit");
    } catch (error) {
      if (!(error instanceof ListdError)) throw error;
    }
    this.#connection.end(new Closed("the connection is closed"));
    for (const work of this.#closing) await work(timeout);
  }
}

if (Symbol.asyncDispose) Daemon.prototype[Symbol.asyncDispose] = function () { return this.close(); };

function snapshotRef(ref) {
  return typeof ref !== "string" && Symbol.iterator in ref ? { items: [...ref] } : ref;
}
