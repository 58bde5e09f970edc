// A session with one JSON message a line: matches replies to requests, and passes notifications on.
//
// `Connection` and `MessageConnection` (over a vscode-jsonrpc connection) have the same methods:
// `request`, `notify` and `end`, and call `onNotification` and `onEnd`.

import { Closed, DaemonGone, Refused, TimedOut, codes } from "./errors.js";
import { refused, stringify, unsafeInteger } from "./numbers.js";

const utf8 = new TextDecoder("utf-8", { fatal: true });

export class Connection {
  #write;
  #record;
  #nextID = 1;
  #waiting = new Map(); // Pending requests, in the order of their replies.
  #chunks = []; // The parts of an incomplete line.
  #started = Date.now();

  /** The largest message, in bytes. */
  maxMessageBytes = Infinity;
  /** Why no more requests are possible; `null` if they are. */
  failure = null;
  onNotification = () => {};
  onEnd = () => {};
  /** Called when `isWaiting` may have changed. */
  onWaiting = () => {};

  /** `write` sends bytes. `record` gets a line for every message, as with `listd --record`. */
  constructor(write, record) {
    this.#write = write;
    this.#record = record;
  }

  /** Sends a request. Returns its result. `signal` cancels it; `timeout` is in milliseconds, 0 for none. */
  request(method, params, { signal, cancel, timeout = 0, accept } = {}) {
    return new Promise((resolve, reject) => {
      if (this.failure) throw this.failure;
      signal?.throwIfAborted();
      const id = this.#nextID++;
      this.#send({ jsonrpc: "2.0", id, method, params });
      const settle = (done, value) => {
        this.#waiting.delete(id);
        this.onWaiting();
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
        cancel?.removeEventListener("abort", cancelRequest);
        done(value);
      };
      const cancelRequest = () => {
        if (!this.failure) this.notify("$/cancelRequest", { id });
      };
      const abandon = (error) => {
        settle(reject, error);
        cancelRequest();
      };
      const abort = () => abandon(signal.reason);
      const late = () => abandon(new TimedOut(`no reply to ${method} within ${timeout} ms`));
      const timer = timeout ? setTimeout(late, timeout) : undefined;
      signal?.addEventListener("abort", abort);
      cancel?.addEventListener("abort", cancelRequest);
      this.#waiting.set(id, {
        resolve: (result) => {
          settle(resolve, result);
          accept?.(result);
        },
        reject: (error) => settle(reject, error),
      });
      this.onWaiting();
    });
  }

  /** Whether a reply is awaited. */
  get isWaiting() {
    return this.#waiting.size > 0;
  }

  notify(method, params) {
    if (this.failure) throw this.failure;
    this.#send({ jsonrpc: "2.0", method, params });
  }

  /** Processes received bytes, split in any way. */
  receive(bytes) {
    let start = 0;
    for (let end; !this.failure && (end = bytes.indexOf(10, start)) >= 0; start = end + 1) {
      this.#chunks.push(bytes.subarray(start, end));
      const line = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
      this.#chunks = [];
      this.#process(line);
    }
    if (start < bytes.length) this.#chunks.push(bytes.subarray(start));
  }

  /** Whether an incomplete message has been received. */
  get inMessage() {
    return this.#chunks.length > 0;
  }

  /** Fails all pending requests. */
  end(why) {
    if (this.failure) return;
    this.failure = why;
    for (const one of [...this.#waiting.values()]) one.reject(why);
    this.onEnd(why instanceof Closed ? null : why);
  }

  #send(message) {
    const text = stringify(message);
    const bytes = Buffer.from(text + "\n");
    if (bytes.length - 1 > this.maxMessageBytes) {
      const data = { reason: "messageTooLarge", limit: this.maxMessageBytes, bytes: bytes.length - 1 };
      throw new Refused(codes.messageTooLarge, `a message of ${data.bytes} bytes`, data);
    }
    this.#log("client", text);
    this.#write(bytes);
  }

  #process(line) {
    let text, message;
    try {
      text = utf8.decode(line);
      if (!text.trim()) return;
      message = JSON.parse(text);
      if (message?.jsonrpc !== "2.0") throw new Error("not JSON-RPC");
    } catch (error) {
      const start = JSON.stringify(line.subarray(0, 80).toString("latin1"));
      return this.end(new DaemonGone(`listd sent an invalid message: ${start} (${error.message})`));
    }
    this.#log("server", text);
    const unsafe = unsafeInteger(text);
    if (!("method" in message)) this.#settle(message, unsafe);
    else if ("id" in message) this.#send(notServed(message.id));
    else this.onNotification(message.method, message.params ?? {}, unsafe ? refused(unsafe) : null);
  }

  #settle(reply, unsafe) {
    // An error without an id is for the oldest request.
    const id = reply.id ?? this.#waiting.keys().next().value;
    const waiting = this.#waiting.get(id);
    if (!waiting) return; // The request was cancelled.
    const { error, result } = reply;
    if (error) waiting.reject(new Refused(error.code, error.message, error.data));
    else if (unsafe) waiting.reject(refused(unsafe));
    else waiting.resolve(result);
  }

  #log(from, text) {
    this.#record?.write(`{"at":${Date.now() - this.#started},"from":"${from}","message":${text}}\n`);
  }
}

function notServed(id) {
  return { jsonrpc: "2.0", id, error: { code: -32601, message: "this client answers no requests" } };
}
