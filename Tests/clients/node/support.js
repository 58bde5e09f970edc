// Helpers of the Node client's tests: daemons, faulty programs, random lists.

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execPath } from "node:process";

import { spawn } from "../../../clients/node/listd.js";

/** A daemon that is closed after the test. */
export async function daemonFor(test, options) {
  const daemon = await spawn({ args: ["--self-check"], ...options });
  test.after(() => daemon.close());
  return daemon;
}

export function folderFor(test) {
  const folder = mkdtempSync(join(tmpdir(), "listd-node-"));
  test.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** The path of a program that answers `initialize` and then runs `body`. */
export function fakeFor(test, body, { protocol = 1 } = {}) {
  const path = join(folderFor(test), "listd-fake");
  writeFileSync(path, `#!${execPath}
const lines = require("node:readline").createInterface({ input: process.stdin });
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
lines.on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") {
    say({ id, result: { serverInfo: { version: "0.1.0" }, protocolVersion: ${protocol}, capabilities: {} } });
  } else if (method !== "initialized") {
    ${body}
  }
});
`);
  chmodSync(path, 0o755);
  return path;
}

/** A seeded random number generator (mulberry32). */
export function random(seed) {
  const next = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let bits = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  return { next, below: (limit) => Math.floor(next() * limit) };
}

/** Random sections. Rows are deleted, inserted, changed and moved, also between sections; some have parts. */
export function randomSections(rng, size = 12) {
  const ids = Array.from({ length: size }, (_, id) => id).filter(() => rng.next() < 0.7);
  for (let at = ids.length - 1; at > 0; at--) {
    if (rng.next() < 0.4) continue;
    const other = rng.below(at + 1);
    [ids[at], ids[other]] = [ids[other], ids[at]];
  }
  const names = ["a", "b", 3, "d"].filter(() => rng.next() < 0.75);
  const sections = (names.length ? names : ["a"]).map((id) => ({
    id, header: `${id} ${rng.below(2)}`, items: [],
    ...(rng.next() < 0.3 ? { headerTemplate: "Big" } : {}),
  }));
  for (const id of ids) sections[rng.below(sections.length)].items.push(randomItem(rng, id));
  if (rng.next() < 0.3) sections[0].items.push("bare", { text: "without an id" }, { text: "without an id" });
  return rng.next() < 0.5 ? sections : sections.reverse();
}

function randomItem(rng, id) {
  const item = { id, text: `${id}.${rng.below(2)}` };
  if (rng.next() < 0.2) item.template = "Tall";
  if (id % 4 === 0) item.parts = ["head", { id: "body", text: String(rng.below(3)) }].slice(0, rng.below(3));
  return item;
}

/** Waits until a condition holds. */
export async function until(condition, what = "the condition") {
  for (const end = Date.now() + 20_000; !(await condition());) {
    if (Date.now() > end) throw new Error(`${what} timed out`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
