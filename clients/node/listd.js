// A client of listd, a daemon that keeps lists and computes their changes.
//
//     const daemon = await spawn();
//     const inbox = daemon.list("inbox");
//     const change = await inbox.apply(["Anna", "Ben"], { content: true });
//     await daemon.close();

import { spawn as start } from "node:child_process";
import { createWriteStream } from "node:fs";
import { connect as open } from "node:net";
import { basename } from "node:path";
import { env } from "node:process";

import { Connection } from "./connection.js";
import { Daemon } from "./daemon.js";
import { DaemonGone, ListdError } from "./errors.js";
import { find } from "./finding.js";
import { MessageConnection } from "./messages.js";

export { Daemon } from "./daemon.js";
export * from "./errors.js";
export { find } from "./finding.js";
export { List } from "./list.js";
export { Mirror } from "./mirror.js";
export { applyPatch, applyTextEdits } from "./patching.js";
export { idOf, inRows, itemOf, memberOf, rowsOf, textOf } from "./rows.js";
export { applyOps, applySelection, applyStages, pathsOf } from "./stages.js";

const TAIL = 4000; // Bytes of standard error in an exception.
const LAST_MOMENT = 1000; // Milliseconds to wait for the process after the end of its output.

/** Starts a daemon: `program`, or the one that `find` returns. */
export async function spawn(options = {}) {
  const program = options.program ?? find();
  // In its own process group the daemon is not interrupted by Ctrl-C in a terminal.
  const child = start(program, options.args ?? [], { stdio: "pipe", detached: true });
  let tail = Buffer.alloc(0);
  child.stderr.on("data", (data) => { tail = Buffer.concat([tail, data]).subarray(-TAIL); });
  const exited = new Promise((resolve) => {
    child.once("close", (code, signal) => resolve(code ?? signal));
    child.once("error", (error) => { tail = Buffer.from(error.message); resolve(null); });
  });
  const failure = async (why) => {
    const late = new Promise((resolve) => setTimeout(resolve, LAST_MOMENT, null).unref());
    return new DaemonGone(why, await Promise.race([exited, late]), tail.toString());
  };
  const handles = [child, ...child.stdio];
  const daemon = createDaemon(child.stdout, child.stdin, options, failure, handles);
  daemon.atClose(async (timeout) => {
    for (const one of handles) one.ref();
    child.stdin.end();
    const timer = setTimeout(() => child.kill("SIGKILL"), timeout);
    await exited;
    clearTimeout(timer);
  });
  try {
    // If the program is not listd, it may run the daemon on another machine, where process IDs
    // differ.
    await daemon.initialize({ processId: /^listd/.test(basename(program)) ? process.pid : null });
  } catch (error) {
    child.kill("SIGKILL");
    await daemon.close();
    throw error;
  }
  return daemon;
}

const userSocket = () => env.XDG_RUNTIME_DIR ? `${env.XDG_RUNTIME_DIR}/listd.socket` : undefined;

/** Connects to the daemon that listens at a path, by default the path in `LISTD_SOCKET`, or that of the user. If
    `start` is true and none listens there, starts one with the options `args`. */
export async function connect(path = env.LISTD_SOCKET || userSocket(), { start: starts = false, args = [], ...options } = {}) {
  if (!path) throw new ListdError("name the socket of the daemon, or set LISTD_SOCKET");
  if (starts) return spawn({ ...options, args: ["connect", "--start", path, ...args] });
  const socket = open(path);
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  return begin(socket, socket, options, [socket]);
}

/** Connects to a running daemon through two byte streams. */
export async function attach(readable, writable, options = {}) {
  return begin(readable, writable, options, []);
}

async function begin(readable, writable, options, handles) {
  const daemon = createDaemon(readable, writable, options, async (why) => new DaemonGone(why), handles);
  daemon.atClose(async () => { writable.end(); });
  await daemon.initialize({ processId: null });
  return daemon;
}

/** Connects to a daemon through a vscode-jsonrpc connection that already listens. */
export async function fromConnection(connection, options = {}) {
  const daemon = new Daemon(new MessageConnection(connection), options);
  await daemon.initialize({ processId: null });
  return daemon;
}

// The process may end while nothing is awaited: `handles` do not keep it alive then.
function createDaemon(readable, writable, options, failure, handles) {
  const { record } = options;
  const log = typeof record === "string" ? createWriteStream(record, { mode: 0o600 }) : record;
  const connection = new Connection((bytes) => writable.write(bytes), log);
  const ended = async () => {
    connection.end(await failure(connection.inMessage ? "listd ended in the middle of a message" : "listd ended"));
  };
  readable.on("data", (data) => connection.receive(data));
  readable.once("close", ended);
  readable.once("end", ended);
  readable.on("error", () => {}); // "close" follows.
  writable.on("error", () => {}); // The end of the output reports the failure.
  const hold = (isAwaited) => { for (const one of handles) isAwaited ? one.ref() : one.unref(); };
  const daemon = new Daemon(connection, { ...options, hold });
  if (log && log !== record) daemon.atClose(() => new Promise((resolve) => log.end(resolve)));
  return daemon;
}
