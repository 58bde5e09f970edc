// Tests of the Node client with the daemon.
// Promise: In Node programs share a daemon by `connect`.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { spawn as start } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

import {
  attach, Closed, codes, connect, DaemonGone, DaemonNotFound, find, ListdError, Refused, spawn, TimedOut,
} from "../../../clients/node/listd.js";
import { daemonFor, folderFor, until } from "./support.js";

test("methods return the daemon's results", async (t) => {
  const daemon = await daemonFor(t);
  assert.ok(daemon.supports("subscribe", "jsonPatch") && !daemon.supports("fly"));
  assert.match(daemon.version, /^\d+\.\d+/);
  const inbox = daemon.list("inbox");
  await inbox.apply([{ id: 1, text: "Anna" }, { id: 2, text: "Ben" }]);
  const change = await inbox.apply([{ id: 2, text: "Ben!" }, { id: 1, text: "Anna" }], { content: true });
  assert.deepEqual(change.counts.rows, { deletes: 0, inserts: 0, moves: 1, updates: 1 });
  await inbox.select({ items: [2], cursor: { path: [0, 1] } });
  assert.deepEqual((await inbox.selection()).items, [{ id: 2, text: "Ben!" }]);
  await inbox.edit([{ edit: "appendItems", items: [{ id: 3, text: "Cleo" }] }, { edit: "deleteItems", items: [1] }]);
  assert.deepEqual((await inbox.snapshot()).sections[0].items.map(({ id }) => id), [2, 3]);
  assert.equal((await inbox.snapshot({ window: { start: 1, count: 5 } })).rows[0].content.id, 3);
  assert.deepEqual((await inbox.locate({ items: [3, 9] })).items, [{ at: [0, 1], sectionId: "main" }, null]);
  await daemon.registerTemplates({ Cell: "- {text}" });
  assert.equal((await inbox.text()).text, "- Ben!\n- Cleo\n");
  await daemon.list("all").compose(["inbox", "other"]);
  assert.deepEqual((await daemon.lists()).map(({ list }) => list), ["inbox", "all"]);
  const difference = await daemon.diff(["a", "b"], { list: "inbox" }, { format: "ops", content: true });
  assert.equal(difference.format, "ops");
  await inbox.apply({ snapshot: { list: "inbox", revision: 1 } });
  assert.deepEqual((await inbox.snapshot()).sections[0].items.map(({ id }) => id), [1, 2]);
  await inbox.apply({ sections: [{ id: "a", items: ["x"] }] });
  await inbox.remove();
  assert.deepEqual((await inbox.apply(new Set(["a"]))).counts.rows.inserts, 1);
});

test("errors have a code, a reason and data", async (t) => {
  const inbox = (await daemonFor(t)).list("inbox");
  await assert.rejects(inbox.snapshot(), { name: "Refused", code: codes.listNotFound, reason: "listNotFound" });
  const twice = inbox.apply([{ id: 1 }, { id: 1 }]);
  await assert.rejects(twice, (error) => {
    assert.ok(error instanceof Refused && error instanceof ListdError);
    return error.code === codes.duplicateIdentifier && error.data.duplicates[0].id === 1;
  });
  for (const content of ["abc", { id: 1 }, null, 7]) await assert.rejects(inbox.apply(content), TypeError);
  const page = readFileSync(new URL("../../../protocol.md", import.meta.url), "utf8");
  const documented = [...page.matchAll(/^\| (-3\d{4}) \| `(\w+)` \|/gm)].map(([, code, reason]) => [reason, Number(code)]);
  assert.deepEqual(Object.entries(codes).sort(), documented.sort());
});

const MANY = Array.from({ length: 100_000 }, (_, id) => ({ id, text: `row ${id} of many` }));

test("an aborted request is cancelled and changes nothing", async (t) => {
  const daemon = await daemonFor(t), list = daemon.list("l");
  const abort = new AbortController();
  const slow = list.apply(MANY, { signal: abort.signal });
  const waiting = list.apply(["x"], { signal: abort.signal });
  abort.abort();
  await assert.rejects(slow, { name: "AbortError" });
  await assert.rejects(waiting, { name: "AbortError" });
  await assert.rejects(list.apply(["x"], { signal: AbortSignal.abort("why") }), (why) => why === "why");
  const lists = await daemon.lists();
  assert.ok(lists.length === 0 || lists[0].rows === MANY.length, "the second request was cancelled");
});

test("a later call of set cancels earlier ones, and every promise is settled", async (t) => {
  const list = (await daemonFor(t)).list("l");
  const news = list.changes();
  assert.equal((await news.next()).value.kind, "snapshot");
  const setting = [list.set(MANY)];
  for (let k = 0; k < 20; k++) setting.push(list.set([`item ${k}`]));
  const settled = await Promise.all(setting);
  // All but the last one are superseded; the first one may have been performed.
  assert.deepEqual(settled.slice(1, -1), Array(19).fill(null));
  assert.equal(settled.at(-1).list, "l");
  assert.deepEqual((await list.snapshot()).sections[0].items, ["item 19"]);
  const served = settled.filter(Boolean).map(({ baseRevision, revision }) => [baseRevision, revision]);
  assert.deepEqual(served.at(-1)[0], served.length > 1 ? served[0][1] : 0);
  for (const [, revision] of served) assert.equal((await news.next()).value.revision, revision);
  await assert.rejects(list.set([{ id: 1 }, { id: 1 }]), { code: codes.duplicateIdentifier });
  assert.equal((await list.set(["after an error"])).list, "l");
  await assert.rejects(list.set(["x"], { signal: AbortSignal.abort() }), { name: "AbortError" });
});

test("the end of the daemon fails pending and later requests", async (t) => {
  const folder = folderFor(t);
  const daemon = await spawn({ args: ["--journal", join(folder, "journal")] });
  const list = daemon.list("l"), changes = list.changes();
  await changes.next();
  const listening = changes.next();
  const [pid] = execFileSync("pgrep", ["-P", process.pid, "-f", folder]).toString().split("\n");
  process.kill(Number(pid), "SIGKILL");
  await assert.rejects(listening, (error) => error instanceof DaemonGone && error.exitCode === "SIGKILL");
  await assert.rejects(list.text(), DaemonGone);
  assert.throws(() => list.daemon.notify("exit"), DaemonGone);
  await daemon.close();
});

test("the daemon's error output is in the error", async () => {
  await assert.rejects(spawn({ args: ["--fly"] }), (error) =>
    error instanceof DaemonGone && error.exitCode === 2 && error.stderr.includes("--fly"));
  await assert.rejects(spawn({ program: "/no/such/listd" }), DaemonGone);
  const before = process.env.LISTD;
  process.env.LISTD = "/no/such/listd";
  assert.throws(find, DaemonNotFound);
  if (before === undefined) delete process.env.LISTD;
  else process.env.LISTD = before;
});

test("closing ends subscriptions without an error and refuses later requests", async (t) => {
  const daemon = await daemonFor(t), list = daemon.list("l");
  const changes = list.changes();
  await changes.next();
  const last = changes.next();
  await Promise.all([daemon.close(), daemon.close()]);
  assert.deepEqual(await last, { value: undefined, done: true });
  await assert.rejects(list.text(), Closed);
});

test("the daemon has its own process group", async (t) => {
  const program = `
    import { spawn } from ${JSON.stringify(new URL("../../../clients/node/listd.js", import.meta.url).href)};
    const daemon = await spawn();
    process.on("SIGINT", async () => {
      console.log((await daemon.list("l").apply(["a"])).revision);
      await daemon.close();
      process.exit(0);
    });
    console.log("ready");
    setInterval(() => {}, 1000);`;
  const child = start(process.execPath, ["--input-type=module", "-e", program], { detached: true });
  t.after(() => child.kill("SIGKILL"));
  let output = "";
  child.stdout.on("data", (data) => { output += data; });
  await until(() => output.includes("ready"), "the start");
  process.kill(-child.pid, "SIGINT"); // Ctrl-C in a terminal signals the whole group.
  await until(() => output === "ready\n1\n", "a change after Ctrl-C");
});

test("attaching to streams and sockets of a running daemon", async (t) => {
  const folder = folderFor(t), path = join(folder, "socket");
  const server = createServer((socket) => {
    const child = start(find(), [], { stdio: ["pipe", "pipe", "inherit"] });
    socket.pipe(child.stdin);
    child.stdout.pipe(socket);
  });
  await new Promise((resolve) => server.listen(path, resolve));
  t.after(() => server.close());
  const daemon = await connect(path);
  assert.equal((await daemon.list("l").apply(["a"])).revision, 1);
  await daemon.close();
  await assert.rejects(connect(join(folder, "none")), { code: "ENOENT" });

  const child = start(find(), [], { stdio: ["pipe", "pipe", "inherit"] });
  const attached = await attach(child.stdout, child.stdin);
  const lost = attached.request("getLists");
  child.kill("SIGKILL");
  await Promise.allSettled([lost]);
  await assert.rejects(attached.lists(), DaemonGone);
});

test("programs share a daemon, which the first one starts", async (t) => {
  const folder = folderFor(t), path = join(folder, "listd.socket"), before = { ...process.env };
  t.after(() => {
    for (const name of ["LISTD_SOCKET", "XDG_RUNTIME_DIR"]) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  });
  delete process.env.LISTD_SOCKET;
  delete process.env.XDG_RUNTIME_DIR;
  await assert.rejects(connect(), ListdError);
  const first = await connect(path, { start: true, args: ["--exit-when-idle", "1"] });
  process.env.LISTD_SOCKET = path;
  const second = await connect(), mirror = await second.list("l").mirror();
  await first.list("l").apply(["a", "b"]);
  await until(() => mirror.revision === 1, "the change of the other program");
  assert.deepEqual(mirror.sections[0].items, ["a", "b"]);
  await first.close();
  assert.equal((await second.list("l").apply(["c"])).revision, 2);
  delete process.env.LISTD_SOCKET;
  process.env.XDG_RUNTIME_DIR = folder;
  const third = await connect();
  assert.equal((await third.lists()).length, 1);
  await third.close();
  await second.close();
});

test("the list of a view goes with the program that is killed", async (t) => {
  const path = join(folderFor(t), "listd.socket");
  const daemon = await connect(path, { start: true, args: ["--exit-when-idle", "1"] });
  t.after(() => daemon.close());
  await daemon.list("l").apply(["a"]);
  const program = `
    import { connect } from ${JSON.stringify(new URL("../../../clients/node/listd.js", import.meta.url).href)};
    await (await connect(${JSON.stringify(path)})).list("l").view();
    console.log("ready");`;
  const child = start(process.execPath, ["--input-type=module", "-e", program]);
  let output = "";
  child.stdout.on("data", (data) => { output += data; });
  await until(() => output.includes("ready"), "the view");
  assert.equal((await daemon.lists()).length, 2);
  child.kill("SIGKILL");
  await until(async () => (await daemon.lists()).length === 1, "the end of the view");
});

test("a record can be replayed, and only its owner can read it", async (t) => {
  const record = join(folderFor(t), "record");
  const daemon = await spawn({ record });
  await daemon.list("l").apply(["ä", "b"]);
  await daemon.close();
  assert.equal(statSync(record).mode & 0o777, 0o600);
  execFileSync(find(), ["replay", record], { stdio: "pipe" });
});

test("messages of the daemon for people go where they are wanted", async (t) => {
  const told = [];
  const daemon = await daemonFor(t, { onMessage: (message, type) => told.push([type, message]) });
  daemon.notify("removeList", { list: "nope" });
  await daemon.lists();
  await until(() => told.length);
  assert.deepEqual(told, [[2, 'no list "nope"']]);
});

test("the transcript for clients to come", async () => {
  const page = readFileSync(new URL("../../../clients/README.md", import.meta.url), "utf8");
  const lines = /^```json\n(.*?)^```$/ms.exec(page)[1].trim().split("\n").map((line) => JSON.parse(line));
  const asked = lines.filter(({ from }) => from === "client").map(({ message }) => JSON.stringify(message));
  const told = execFileSync(find(), { input: asked.join("\n") + "\n" }).toString().trim().split("\n");
  const wanted = lines.filter(({ from }) => from === "server").map(({ message }) => message);
  assert.deepEqual(told.slice(1).map((line) => JSON.parse(line)), wanted.slice(1));
});

test("an answer that does not come", async (t) => {
  const daemon = await daemonFor(t, { timeout: 20_000 });
  const slow = daemon.list("l").apply(MANY, { timeout: 1 });
  await assert.rejects(slow, TimedOut);
  assert.ok(Array.isArray(await daemon.lists()));
});
