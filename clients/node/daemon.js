// A daemon, whatever the way to it.

import { Closed, ListdError, VersionMismatch } from "./errors.js";
import { List } from "./list.js";
import { Subscriptions } from "./subscriptions.js";

const PROTOCOL = 1;
const PATIENCE = 30_000; // Milliseconds for an answer.

/** A running listd. `spawn`, `connect`, `attach` and `fromConnection` make one. */
export class Daemon {
  #connection;
  #timeout;
  #onMessage;
  #closing = [];
  #closed = null;
  /** What the daemon can do, as `initialize` answered. */
  capabilities = {};
  version = "";
  /** The subscriptions of all lists. */
  subscriptions;

  constructor(connection, { timeout = PATIENCE, onMessage } = {}) {
    this.#connection = connection;
    this.#timeout = timeout;
    this.#onMessage = onMessage ?? ((message) => process.emitWarning(message, "listd"));
    this.subscriptions = new Subscriptions(this);
    connection.onNotification = (method, params, error) => {
      if (method === "window/logMessage") this.#onMessage(params.message, params.type);
      else this.subscriptions.hear(method, params, error);
    };
    connection.onEnd = (why) => this.subscriptions.end(why);
  }

  async initialize({ processId }) {
    const told = await this.request("initialize", {
      processId,
      clientInfo: { name: "listd-node" },
      protocolVersion: PROTOCOL,
      capabilities: {},
    });
    if (told.protocolVersion !== PROTOCOL) {
      throw new VersionMismatch(
        `listd ${told.serverInfo?.version} speaks version ${told.protocolVersion} of the protocol,`
          + ` and this client version ${PROTOCOL}`,
      );
    }
    this.capabilities = told.capabilities;
    this.version = told.serverInfo.version;
    this.#connection.maxMessageBytes = told.capabilities.maxMessageBytes ?? Infinity;
    this.notify("initialized", {});
  }

  /** Whether the daemon has methods, formats and features. */
  supports(...names) {
    const { methods = [], formats = [], features = [] } = this.capabilities;
    return names.every((name) => [...methods, ...formats, ...features].includes(name));
  }

  /** The result of any method. `signal` cancels the request and rejects at once; `cancel` cancels
      it and leaves the answer to the daemon. `accept` gets the result before all that follows it. */
  async request(method, params, { timeout = this.#timeout, ...options } = {}) {
    return this.#connection.request(method, params, { ...options, timeout });
  }

  /** Sends a notification. */
  notify(method, params) {
    this.#connection.notify(method, params);
  }

  /** A list, which need not exist yet. */
  list(name) {
    return new List(this, name);
  }

  /** The lists that exist. */
  async lists(options) {
    return (await this.request("getLists", {}, options)).lists;
  }

  /** The change from one snapshot to another. Items, a snapshot, or `{list, revision?}`. */
  async diff(from, to, options = {}) {
    const { signal, timeout, ...rest } = options;
    const params = { from: snapshotRef(from), to: snapshotRef(to), ...rest };
    return this.request("diff", params, { signal, timeout });
  }

  /** Says what rows look like as text, by the names of templates. */
  async registerTemplates(templates, options) {
    await this.request("registerTemplates", { templates }, options);
  }

  /** Runs something when the daemon is closed. */
  atClose(work) {
    this.#closing.push(work);
  }

  /** Lets the daemon finish what it was asked and waits for its end, `timeout` ms at most. */
  close(timeout = 5000) {
    this.#closed ??= this.#close(timeout);
    return this.#closed;
  }

  async #close(timeout) {
    try {
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
