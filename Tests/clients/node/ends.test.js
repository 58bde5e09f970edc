// A daemon that dies in any state fails what waits for it, and nothing hangs.
// Promise: In Node a daemon may die in any state: nothing hangs, and the error is `DaemonGone`. Also
//   `Tests/clients/node`.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

import { Closed, DaemonGone, spawn } from "../../../clients/node/listd.js";

const BIG = Array.from({ length: 100_000 }, (_, id) => ({ id, text: "x".repeat(100) }));
const soon = (work) => new Promise((resolve) => setTimeout(() => resolve(work()), 30));

async function start() {
  const daemon = await spawn();
  const pids = execFileSync("pgrep", ["-P", process.pid, "-f", "listd"]).toString().trim().split("\n");
  const pid = Math.max(...pids.map(Number).filter((pid) => pid !== process.pid));
  return { daemon, list: daemon.list("a"), kill: () => process.kill(pid, "SIGKILL"), stop: () => process.kill(pid, "SIGSTOP") };
}

const STATES = {
  "is idle": async ({ daemon, kill }) => { kill(); await daemon.lists(); },
  "has a request": async ({ daemon, kill, stop }) => { stop(); soon(kill); await daemon.lists(); },
  "reads a large message": async ({ list, kill, stop }) => { stop(); soon(kill); await list.apply(BIG); },
  "writes a large reply": async ({ list, kill }) => {
    await list.apply(BIG);
    soon(kill);
    for (;;) await list.snapshot();
  },
  "has an iterator": async ({ list, kill }) => { for await (const _ of list.changes()) kill(); },
  "has a mirror": async ({ list, kill }) => { const mirror = await list.mirror(); kill(); await mirror.ended; },
  "moves a window": async ({ list, kill, stop }) => { const view = await list.view(); stop(); soon(kill); await view.scroll(5); },
  "has a view": async ({ list, kill }) => { const view = await list.view(); kill(); await view.ended; },
  "has an overtaken call": async ({ list, kill, stop }) => {
    stop();
    const first = list.set(["a"]), second = list.set(["b"]);
    kill();
    await Promise.all([first, second]);
  },
  "subscribes": async ({ list, kill, stop }) => { stop(); soon(kill); await list.view({ window: "all" }); },
  "composes a window": async ({ list, kill, stop }) => { stop(); soon(kill); await list.view(); },
};

for (const [state, work] of Object.entries(STATES)) {
  test(`a daemon that dies while it ${state}`, { timeout: 30_000 }, async () => {
    const started = await start();
    await assert.rejects(work(started), (error) => error instanceof DaemonGone && error.exitCode === "SIGKILL");
    await assert.rejects(started.daemon.lists(), DaemonGone);
    await assert.rejects(started.list.mirror(), DaemonGone);
    await started.daemon.close();
  });
}

test("a daemon that dies while it is closed", { timeout: 30_000 }, async () => {
  const { daemon, kill, stop } = await start();
  stop();
  soon(kill);
  await daemon.close();
  await assert.rejects(daemon.lists(), (error) => error instanceof DaemonGone || error instanceof Closed);
});

test("a stopped daemon is killed when it is closed", { timeout: 30_000 }, async () => {
  const { daemon, stop } = await start();
  stop();
  await daemon.close(100);
  await assert.rejects(daemon.lists(), Closed);
});
