// The exceptions of the client. All are instances of ListdError.

export class ListdError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** No daemon can be found. */
export class DaemonNotFound extends ListdError {}

/** The daemon has another version of the protocol. */
export class VersionMismatch extends ListdError {}

/** The daemon ended or sent an invalid message. No more requests are possible. */
export class DaemonGone extends ListdError {
  constructor(why, exitCode = null, stderr = "") {
    const text = exitCode === null ? why : `${why} (exit code ${exitCode})`;
    super(stderr.trim() ? `${text}: ${stderr.trim()}` : text);
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

/** This side has closed the connection. */
export class Closed extends ListdError {}

/** No reply in time. The request was cancelled, but may have been performed. */
export class TimedOut extends ListdError {}

/** A change does not fit the copy that it is applied to. Read the list again. */
export class OutOfStep extends ListdError {}

/** A number that JavaScript cannot hold exactly, or that JSON cannot represent. */
export class UnsafeNumber extends ListdError {}

/** An error reply of the daemon. `reason` is its name in the protocol, such as "staleRevision". */
export class Refused extends ListdError {
  constructor(code, message, data) {
    super(`${message} (${code})`);
    this.code = code;
    this.reason = data?.reason;
    this.data = data ?? {};
  }
}

/** The codes of the protocol's errors, by reason. */
export const codes = Object.freeze({
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  requestCancelled: -32800,
  listNotFound: -31001,
  revisionNotFound: -31002,
  staleRevision: -31003,
  duplicateIdentifier: -31004,
  itemNotFound: -31005,
  sectionNotFound: -31006,
  readOnlyList: -31007,
  messageTooLarge: -31008,
  notSelectable: -31009,
  compositionCycle: -31010,
  journalFailed: -31011,
  compositeTooLarge: -31012,
  notAllowed: -31013,
  feedFailed: -31014,
});
