// A conversation in lines of JSON: which request an answer belongs to, and who is notified.
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
  #waiting = new Map(); // In the order of the requests, which is that of the replies.
  #chunks = []; // Of a line that is not complete.
  #started = Date.now();

  /** The largest message, in bytes. */
  maxMessageBytes = Infinity;
  /** Why nothing more can be asked, if so. */
  over = null;
  onNotification = () => {};
  onEnd = () => {};

  /** `write` sends bytes; `record` gets a line for every message, as with `listd --record`. */
  constructor(write, record) {
    this.#write = write;
    this.#record = record;
  }

  /** The result of a request. `signal` cancels it; `timeout` is in milliseconds, 0 for none. */
  request(method, params, { signal, cancel, timeout = 0, accept } = {}) {
    return new Promise((resolve, reject) => {
      if (this.over) throw this.over;
      signal?.throwIfAborted();
      const id = this.#nextID++;
      this.#send({ jsonrpc: "2.0", id, method, params });
      const settle = (done, value) => {
        this.#waiting.delete(id);
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
        cancel?.removeEventListener("abort", takeBack);
        done(value);
      };
      const takeBack = () => {
        if (!this.over) this.notify("$/cancelRequest", { id });
      };
      const giveUp = (error) => {
        settle(reject, error);
        takeBack();
      };
      const abort = () => giveUp(signal.reason);
      const late = () => giveUp(new TimedOut(`no answer to ${method} within ${timeout} ms`));
      const timer = timeout ? setTimeout(late, timeout) : undefined;
      signal?.addEventListener("abort", abort);
      cancel?.addEventListener("abort", takeBack);
      this.#waiting.set(id, {
        resolve: (result) => {
          settle(resolve, result);
          accept?.(result);
        },
        reject: (error) => settle(reject, error),
      });
    });
  }

  notify(method, params) {
    if (this.over) throw this.over;
    this.#send({ jsonrpc: "2.0", method, params });
  }

  /** Takes bytes that arrived, in any pieces. */
  receive(bytes) {
    let start = 0;
    for (let end; !this.over && (end = bytes.indexOf(10, start)) >= 0; start = end + 1) {
      this.#chunks.push(bytes.subarray(start, end));
      const line = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
      this.#chunks = [];
      this.#take(line);
    }
    if (start < bytes.length) this.#chunks.push(bytes.subarray(start));
  }

  /** Whether a message has begun and not ended. */
  get inMessage() {
    return this.#chunks.length > 0;
  }

  /** Fails everything that waits. */
  end(why) {
    if (this.over) return;
    this.over = why;
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
    this.#note("client", text);
    this.#write(bytes);
  }

  #take(line) {
    let text, message;
    try {
      text = utf8.decode(line);
      if (!text.trim()) return;
      message = JSON.parse(text);
      if (message?.jsonrpc !== "2.0") throw new Error("no JSON-RPC");
    } catch (error) {
      const start = JSON.stringify(line.subarray(0, 80).toString("latin1"));
      return this.end(new DaemonGone(`listd sent what is not a message: ${start} (${error.message})`));
    }
    this.#note("server", text);
    const unsafe = unsafeInteger(text);
    if (!("method" in message)) this.#settle(message, unsafe);
    else if ("id" in message) this.#send(notServed(message.id));
    else this.onNotification(message.method, message.params ?? {}, unsafe ? refused(unsafe) : null);
  }

  #settle(reply, unsafe) {
    // What could not be read is the oldest request.
    const id = reply.id ?? this.#waiting.keys().next().value;
    const waiting = this.#waiting.get(id);
    if (!waiting) return; // The request was given up.
    const { error, result } = reply;
    if (error) waiting.reject(new Refused(error.code, error.message, error.data));
    else if (unsafe) waiting.reject(refused(unsafe));
    else waiting.resolve(result);
  }

  #note(from, text) {
    this.#record?.write(`{"at":${Date.now() - this.#started},"from":"${from}","message":${text}}\n`);
  }
}

function notServed(id) {
  return { jsonrpc: "2.0", id, error: { code: -32601, message: "this client answers no requests" } };
}
