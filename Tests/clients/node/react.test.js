// The hook for React, with a small fake of it: components that are rendered again when their store has changed.
// Promise: In React a component is rendered again if its list has changed, and unchanged rows are the same objects.
//   Also `Tests/clients/node`.

import assert from "node:assert/strict";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { daemonFor, folderFor, until } from "./support.js";

const CLIENT = fileURLToPath(new URL("../../../clients/node/", import.meta.url));

/** Like React, it reads the store at each rendering, and requires that it is the same until the store reports. */
const REACT = `
let current = null;
export function useSyncExternalStore(subscribe, read) {
  const component = current;
  if (!component.leave) component.leave = subscribe(() => { if (!Object.is(read(), component.state)) component.render(); });
  const state = read();
  if (!Object.is(state, read())) throw new Error("the result of getSnapshot should be cached");
  return (component.state = state);
}
export function mount(use) {
  const component = { renders: 0, render() { current = component; component.result = use(); component.renders++; } };
  component.render();
  return component;
}`;

async function reactFor(test) {
  const folder = folderFor(test), installed = join(folder, "node_modules/react");
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(installed, "package.json"), '{"type":"module","exports":"./index.js"}');
  writeFileSync(join(installed, "index.js"), REACT);
  cpSync(join(CLIENT, "react.js"), join(folder, "react.mjs"));
  const [{ useList }, { mount }] = await Promise.all(
    [join(folder, "react.mjs"), join(installed, "index.js")].map((path) => import(pathToFileURL(path).href)));
  return { useList, mount };
}

test("components show a list, and unchanged rows are the same objects", async (t) => {
  const { useList, mount } = await reactFor(t), daemon = await daemonFor(t), list = daemon.list("l");
  await list.apply([{ id: 1, text: "a" }, { id: 2, text: "b" }, { id: 3, text: "c" }]);
  const view = await list.view(), one = mount(() => useList(view)), two = mount(() => useList(view));
  const rows = () => one.result.flatMap(({ rows }) => rows), texts = () => rows().map(({ content }) => content.text).join("");
  assert.deepEqual([texts(), one.renders, one.result === two.result], ["abc", 1, true]);
  const [a, b, c] = rows();
  await list.apply([{ id: 3, text: "c" }, { id: 1, text: "A" }, { id: 4, text: "d" }]);
  await until(() => texts() === "cAd", "the change");
  const [now, changed, added] = rows();
  assert.ok(now === c && changed !== a && changed.key === a.key && changed.row === a.row);
  assert.deepEqual([new Set([a, b, c, added].map(({ key }) => key)).size, one.renders, two.renders], [4, 2, 2]);
  await list.select({ items: [3] });
  await until(() => rows()[0].selected, "the selection");
  assert.ok(rows()[1] === changed && rows()[0].key === c.key);
  one.leave();
  await list.apply([]);
  await until(() => two.renders === 4, "the other component");
  assert.equal(one.renders, 3);
});

