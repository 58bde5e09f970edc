// A client of listd, the daemon that keeps lists for the programs that show them.
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
export { inRows, itemOf, memberOf, rowsOf, textOf } from "./rows.js";
export { applyOps, applySelection, applyStages, pathsOf } from "./stages.js";

const TAIL = 4000; // Bytes of standard error that an error carries.
const LAST_MOMENT = 1000; // Milliseconds from the end of output to the end of the process.

/** Starts a daemon: `program`, or the one that `find` finds. */
export async function spawn(options = {}) {
  const program = options.program ?? find();
  // A process group of its own: Ctrl-C in a terminal is for this program, not for its daemon.
  const child = start(program, options.args ?? [], { stdio: "pipe", detached: true });
  let tail = Buffer.alloc(0);
  child.stderr.on("data", (data) => { tail = Buffer.concat([tail, data]).subarray(-TAIL); });
  const exited = new Promise((resolve) => {
    child.once("close", (code, signal) => resolve(code ?? signal));
    child.once("error", (error) => { tail = Buffer.from(error.message); resolve(null); });
  });
  const gone = async (why) => {
    const late = new Promise((resolve) => setTimeout(resolve, LAST_MOMENT, null).unref());
    return new DaemonGone(why, await Promise.race([exited, late]), tail.toString());
  };
  const daemon = over(child.stdout, child.stdin, options, gone);
  daemon.atClose(async (timeout) => {
    child.stdin.end();
    const timer = setTimeout(() => child.kill("SIGKILL"), timeout);
    await exited;
    clearTimeout(timer);
  });
  try {
    // A program that is not listd may run it on another machine, where process ids are others.
    await daemon.initialize({ processId: /^listd/.test(basename(program)) ? process.pid : null });
  } catch (error) {
    child.kill("SIGKILL");
    await daemon.close();
    throw error;
  }
  return daemon;
}

/** Joins the daemon that listens at a path, by default the one that `LISTD_SOCKET` names. With `start`, one
    is started with the options `args` if none listens there. */
export async function connect(path = env.LISTD_SOCKET, { start: starts = false, args = [], ...options } = {}) {
  if (!path) throw new ListdError("name the socket of the daemon, or set LISTD_SOCKET");
  if (starts) return spawn({ ...options, args: ["connect", "--start", path, ...args] });
  const socket = open(path);
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  return attach(socket, socket, options);
}

/** Speaks with a daemon that somebody else started, through two streams of bytes. */
export async function attach(readable, writable, options = {}) {
  const daemon = over(readable, writable, options, async (why) => new DaemonGone(why));
  daemon.atClose(async () => { writable.end(); });
  await daemon.initialize({ processId: null });
  return daemon;
}

/** Speaks with a daemon through a connection of vscode-jsonrpc that listens already. */
export async function fromConnection(connection, options = {}) {
  const daemon = new Daemon(new MessageConnection(connection), options);
  await daemon.initialize({ processId: null });
  return daemon;
}

function over(readable, writable, options, gone) {
  const { record } = options;
  const log = typeof record === "string" ? createWriteStream(record, { mode: 0o600 }) : record;
  const connection = new Connection((bytes) => writable.write(bytes), log);
  const ended = async () => {
    connection.end(await gone(connection.inMessage ? "listd ended inside a message" : "listd ended"));
  };
  readable.on("data", (data) => connection.receive(data));
  readable.once("close", ended);
  readable.once("end", ended);
  readable.on("error", () => {}); // "close" follows.
  writable.on("error", () => {}); // What cannot be sent is noticed at the end of the output.
  const daemon = new Daemon(connection, options);
  if (log && log !== record) daemon.atClose(() => new Promise((resolve) => log.end(resolve)));
  return daemon;
}
