// Faulty daemons, and numbers that JavaScript cannot represent.

import assert from "node:assert/strict";
import { test } from "node:test";

import { DaemonGone, spawn, TimedOut, UnsafeNumber, VersionMismatch } from "../../../clients/node/listd.js";
import { daemonFor, fakeFor } from "./support.js";

async function fake(t, body, options) {
  const daemon = await spawn({ program: fakeFor(t, body, options), timeout: 10_000 });
  t.after(() => daemon.close(50));
  return daemon;
}

test("a request to a silent daemon times out", async (t) => {
  const daemon = await fake(t, "");
  await assert.rejects(daemon.request("getLists", {}, { timeout: 20 }), TimedOut);
});

test("a daemon with another version of the protocol", async (t) => {
  await assert.rejects(fake(t, "", { protocol: 2 }), VersionMismatch);
});

const BROKEN = {
  "text that is not JSON": `process.stdout.write("hello\\n");`,
  "bytes that are not UTF-8": `process.stdout.write(Buffer.from('{"jsonrpc":"2.0","id":2,"result":"\\xff"}\\n', "latin1"));`,
  "JSON that is not JSON-RPC": `process.stdout.write("{}\\n");`,
  "half a message": `process.stdout.write('{"jsonrpc"'); process.stdout.end(); process.exitCode = 3; lines.close();`,
  "nothing": `process.exit(3);`,
};

for (const [what, body] of Object.entries(BROKEN)) {
  test(`a daemon that sends ${what} ends the session`, async (t) => {
    const daemon = await fake(t, body);
    await assert.rejects(daemon.lists(), DaemonGone);
    await assert.rejects(daemon.lists(), DaemonGone);
  });
}

test("replies in pieces, blank lines and replies to unknown requests", async (t) => {
  const daemon = await fake(t, `
    const text = JSON.stringify({ jsonrpc: "2.0", id, result: { lists: ["ä"] } });
    const bytes = Buffer.from('\\n{"jsonrpc":"2.0","id":99,"result":0}\\r\\n' + text + "\\n");
    let at = 0;
    const next = () => { if (at < bytes.length) process.stdout.write(bytes.subarray(at, ++at), next); };
    next();`);
  assert.deepEqual(await daemon.lists(), ["ä"]);
});

test("a request of the daemon is answered, and an error without an id is for the oldest request", async (t) => {
  const daemon = await fake(t, `
    if (method) say({ id: 7, method: "question" });
    else say({ id: null, error: { code: -32700, message: JSON.stringify([id]) } });`);
  await assert.rejects(daemon.lists(), { code: -32700, message: "[7] (-32700)" });
});

test("inexact integers are refused before they are sent", async (t) => {
  const list = (await daemonFor(t)).list("l");
  const refused = [[{ id: 2 ** 53 }], [{ id: 1, nested: [{ n: -(2 ** 60) }] }], [{ id: 10n }], [{ n: NaN }], [1 / 0]];
  for (const items of refused) await assert.rejects(list.apply(items), UnsafeNumber);
  await assert.rejects(list.apply([{ id: 1, deep: [0, { n: NaN }] }]), /\/params\/items\/0\/deep\/1\/n is NaN/);
  await list.apply([{ id: 2 ** 53 - 1, n: 1.5, when: new Date(0), none: undefined }, "9007199254740993"]);
  assert.deepEqual((await list.snapshot()).sections[0].items, [
    { id: 2 ** 53 - 1, n: 1.5, when: "1970-01-01T00:00:00.000Z" }, "9007199254740993",
  ]);
});

test("inexact integers from the daemon are errors with advice", async (t) => {
  const daemon = await fake(t, `
    if (method === "getSnapshot") {
      process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"result":{"a":"9007199254740993","n":[9007199254740993]}}\\n');
    } else if (method === "subscribe") {
      say({ id, result: { list: "l", revision: 0, snapshot: { sections: [] }, selection: [], cursor: null } });
      process.stdout.write('{"jsonrpc":"2.0","method":"didSelect","params":{"list":"l","n":-90071992547409930}}\\n');
    } else {
      process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"result":{"lists":["\\\\"9007199254740993",9007199254740991,1e300,0.12345678901234567]}}\\n');
    }`);
  const list = daemon.list("l");
  await assert.rejects(list.snapshot(), { name: "UnsafeNumber", message: /sent 9007199254740993.*use strings/ });
  assert.deepEqual((await daemon.lists()).slice(1), [2 ** 53 - 1, 1e300, 0.12345678901234567]);
  const changes = list.changes();
  assert.equal((await changes.next()).value.kind, "snapshot");
  await assert.rejects(changes.next(), UnsafeNumber);
  assert.equal((await changes.next()).done, true);
});
