// The client over a connection of vscode-jsonrpc: the real library, and a small fake.

import assert from "node:assert/strict";
import { spawn as start } from "node:child_process";
import { test } from "node:test";

import { codes, DaemonGone, find, fromConnection, Refused, TimedOut, UnsafeNumber } from "../../../clients/node/listd.js";
import { vscodeJSONRPC } from "./stranger.js";

/** Behaves like a MessageConnection: headers, one message a turn, cancellation tokens, errors with codes. */
function fakeConnection(readable, writable) {
  const waiting = new Map(), handlers = { notification: [], close: [] };
  let lastID = 0, rest = Buffer.alloc(0);
  const send = (message) => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    writable.write(`Content-Length: ${body.length}\r\n\r\n`);
    writable.write(body);
  };
  const process = (message) => {
    if (message.method) return handlers.notification.forEach((one) => one(message.method, message.params));
    const { resolve, reject } = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) reject(Object.assign(new Error(message.error.message), message.error));
    else resolve(message.result);
  };
  readable.on("data", (data) => {
    rest = Buffer.concat([rest, data]);
    for (let head; (head = /^Content-Length: (\d+)\r\n\r\n/i.exec(rest.toString("latin1", 0, 60)));) {
      const end = head[0].length + Number(head[1]);
      if (rest.length < end) break;
      const message = JSON.parse(rest.subarray(head[0].length, end));
      setImmediate(process, message);
      rest = rest.subarray(end);
    }
  });
  readable.on("close", () => handlers.close.forEach((one) => one()));
  return {
    sendRequest(method, params, token) {
      const id = ++lastID;
      token?.onCancellationRequested(() => send({ method: "$/cancelRequest", params: { id } }));
      send({ id, method, params });
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    },
    sendNotification: (method, params) => send({ method, params }),
    onNotification: (handler) => handlers.notification.push(handler),
    onClose: (handler) => handlers.close.push(handler),
  };
}

const library = vscodeJSONRPC();

function realConnection(readable, writable) {
  const { createMessageConnection, StreamMessageReader, StreamMessageWriter } = library;
  const connection = createMessageConnection(new StreamMessageReader(readable), new StreamMessageWriter(writable));
  connection.listen();
  return connection;
}

const kinds = { "a fake": fakeConnection, "the real": realConnection };

for (const [name, connect] of Object.entries(kinds)) {
  const skip = connect === realConnection && !library && "needs basedpyright of Tests/requirements.txt";
  test(`${name} connection of vscode-jsonrpc`, { skip }, async (t) => {
    const child = start(find(), [], { stdio: ["pipe", "pipe", "inherit"] });
    t.after(() => child.kill());
    const daemon = await fromConnection(connect(child.stdout, child.stdin));
    const list = daemon.list("l"), changes = list.changes();
    assert.equal((await changes.next()).value.kind, "snapshot");
    await list.apply(["a", "b"]);
    assert.deepEqual((await changes.next()).value.stages[0][0].sections, [{ id: "main", items: ["a", "b"] }]);
    await assert.rejects(list.edit({ edit: "deleteItems", items: ["z"] }), (error) =>
      error instanceof Refused && error.code === codes.itemNotFound && error.data.missing[0] === "z");
    await assert.rejects(list.apply([{ id: 2 ** 60 }]), UnsafeNumber);
    const other = '{"jsonrpc":"2.0","method":"applySnapshot","params":{"list":"l","items":[9007199254740993]}}';
    child.stdin.write(`Content-Length: ${other.length}\r\n\r\n${other}`);
    await assert.rejects(changes.next(), UnsafeNumber);
    await assert.rejects(list.snapshot(), UnsafeNumber);
    const many = Array.from({ length: 100_000 }, (_, id) => ({ id, text: `row ${id}` }));
    const abort = new AbortController();
    const slow = list.apply(many, { signal: abort.signal });
    setTimeout(() => abort.abort("enough"), 5);
    await assert.rejects(slow, (why) => why === "enough");
    await assert.rejects(list.apply(many, { timeout: 1 }), TimedOut);
    const settled = await Promise.all([list.set(many), list.set(["y"]), list.set(["z"])]);
    assert.equal(settled[1], null);
    assert.deepEqual((await list.snapshot()).sections[0].items, ["z"]);
    // Writes of vscode-jsonrpc to an ended stream cause an unhandled rejection in the library.
    const ended = new Promise((resolve) => child.once("close", resolve));
    child.kill("SIGKILL");
    await ended;
    await assert.rejects(daemon.lists(), DaemonGone);
  });
}
