// A session over a connection of vscode-jsonrpc, or anything that looks like it.

import { Closed, DaemonGone, ListdError, Refused, TimedOut } from "./errors.js";
import { refused, stringify, unsafeInteger } from "./numbers.js";

/** A `MessageConnection` of vscode-jsonrpc with the methods of `Connection`. */
export class MessageConnection {
  #messages;
  #ended = new AbortController();
  failure = null;
  onNotification = () => {};
  onEnd = () => {};

  constructor(messages) {
    this.#messages = messages;
    messages.onNotification((method, params) => {
      // A notification has one parameter object, which some versions pass in an array.
      const only = Array.isArray(params) ? params[0] : params;
      const unsafe = unsafeInteger(JSON.stringify(only ?? {}));
      this.onNotification(method, only ?? {}, unsafe ? refused(unsafe) : null);
    });
    messages.onClose(() => this.end(new DaemonGone("listd ended")));
  }

  async request(method, params, { signal, cancel, timeout = 0, accept } = {}) {
    if (this.failure) throw this.failure;
    signal?.throwIfAborted();
    stringify(params);
    const late = timeout ? AbortSignal.timeout(timeout) : undefined;
    const listeners = [];
    const until = (other, reason) =>
      new Promise((_, reject) => {
        const abort = () => reject(reason(other));
        other?.addEventListener("abort", abort);
        listeners.push(() => other?.removeEventListener("abort", abort));
      });
    const token = tokenOf([signal, cancel, late], listeners);
    const answer = this.#messages.sendRequest(method, params ?? {}, token);
    answer.catch?.(() => {}); // It may fail after the request was cancelled.
    try {
      const result = await Promise.race([
        answer,
        until(signal, (one) => one.reason),
        until(late, () => new TimedOut(`no reply to ${method} within ${timeout} ms`)),
        until(this.#ended.signal, (one) => one.reason),
      ]);
      const unsafe = unsafeInteger(JSON.stringify(result ?? null));
      if (unsafe) throw refused(unsafe);
      accept?.(result);
      return result;
    } catch (error) {
      throw this.#described(error, signal);
    } finally {
      for (const remove of listeners) remove();
    }
  }

  #described(error, signal) {
    if (error instanceof ListdError || (signal?.aborted && error === signal.reason)) return error;
    // The codes -32099 to -32096 are vscode-jsonrpc's own, for failed writes and closed
    // connections.
    const isReply = typeof error?.code === "number" && !(error.code >= -32099 && error.code <= -32096);
    return isReply ? new Refused(error.code, error.message, error.data) : new DaemonGone(error.message);
  }

  notify(method, params) {
    if (this.failure) throw this.failure;
    stringify(params);
    // If sending fails, requests report it.
    Promise.resolve(this.#messages.sendNotification(method, params ?? {})).catch(() => {});
  }

  end(why) {
    if (this.failure) return;
    this.failure = why;
    this.#ended.abort(why);
    this.onEnd(why instanceof Closed ? null : why);
  }
}

// Returns a CancellationToken that is cancelled when one of the signals is aborted.
function tokenOf(signals, listeners) {
  const given = signals.filter(Boolean);
  return {
    get isCancellationRequested() {
      return given.some((signal) => signal.aborted);
    },
    onCancellationRequested(listener) {
      const remove = () => {
        for (const signal of given) signal.removeEventListener("abort", cancel);
      };
      const cancel = () => listener(undefined);
      for (const signal of given) signal.addEventListener("abort", cancel);
      listeners.push(remove);
      return { dispose: remove };
    },
  };
}
