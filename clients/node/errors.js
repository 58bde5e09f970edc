// What can go wrong, as exceptions. All are a ListdError.

export class ListdError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** There is no listd to start. */
export class DaemonNotFound extends ListdError {}

/** The daemon speaks another version of the protocol. */
export class VersionMismatch extends ListdError {}

/** The daemon ended, or sent what is not a message. Nothing more can be asked of it. */
export class DaemonGone extends ListdError {
  constructor(why, exitCode = null, stderr = "") {
    const told = exitCode === null ? why : `${why} (exit code ${exitCode})`;
    super(stderr.trim() ? `${told}: ${stderr.trim()}` : told);
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

/** The connection was closed by this side. */
export class Closed extends ListdError {}

/** No answer in time. The request was cancelled, but may have been served. */
export class TimedOut extends ListdError {}

/** A change that does not fit the copy that it is applied to: read the list anew. */
export class OutOfStep extends ListdError {}

/** A number that JavaScript cannot hold exactly, or that JSON does not have. */
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
});
