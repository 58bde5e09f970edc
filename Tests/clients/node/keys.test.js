// Lists whose items are identified by members, and what subscriptions of them leave out.
// Promise: In Node and in pages rows are the same objects if members identify their items; identifiers are those of
//   the daemon. Also `Tests/clients/node`, `test_a_snapshot_keeps_rows_that_a_key_identifies`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { idOf } from "../../../clients/node/listd.js";
import { ListView } from "../../../clients/node/view.js";
import { daemonFor, random } from "./support.js";

const KEYS = ["k", "a.b", ["k"], ["k", "a.b"], ["a.b", "n"]];
const VALUES = [
  0, -0, 1, -3, 2.0, 0.5, 1e-9, true, null, "", "s", 'ä"\\\n\b\u0001\u2028', [1, { z: "ä", a: null }], { b: 1 }, 2 ** 52,
];

test("identifiers are those of the daemon", async (t) => {
  const list = (await daemonFor(t)).list("l"), rng = random(17), value = () => VALUES[rng.below(VALUES.length)];
  let refused = 0;
  for (let round = 0; round < 400; round++) {
    const key = KEYS[rng.below(KEYS.length)], some = rng.next();
    let item = { k: value(), a: { b: value() }, n: rng.below(3) };
    if (some < 0.2) item["a.b"] = value();
    else if (some < 0.4) item.id = [null, "own", 3, -0][rng.below(4)];
    else if (some < 0.5) item.parts = ["p"];
    else if (some < 0.6) item = ["bare", 7][rng.below(2)];
    try {
      await list.apply([item], { key, selected: [{ path: [0, 0] }] });
    } catch (error) {
      assert.deepEqual([error.code, idOf(item, key)], [-32602, undefined]);
      refused++;
      continue;
    }
    const [{ content }] = (await list.snapshot({ window: { start: 0, count: 1 } })).rows;
    const [{ id }] = (await list.apply([])).deselected;
    assert.deepEqual([idOf(item, key), idOf(content, key)], [id, id], JSON.stringify({ key, item }));
  }
  assert.ok(refused > 20 && refused < 200);
  for (const row of [{ n: 1 }, { id: null }, { $item: { n: 1 }, $part: 1 }, true, null]) assert.equal(idOf(row), undefined);
  assert.equal(idOf({ toString: 1 }, "constructor"), undefined);
});

test("a list with a key sends it, and each call may name another", async (t) => {
  const daemon = await daemonFor(t), list = daemon.list("l", { key: "pid" });
  const rows = [{ pid: 1, n: 0 }, { pid: 2, n: 0 }];
  await list.apply(rows);
  assert.equal((await list.set({ items: rows.toReversed?.() ?? [rows[1], rows[0]] })).counts.rows.moves, 1);
  const put = await list.edit({ edit: "putItems", items: [{ pid: 2, n: 1 }, { pid: 3 }] }, { content: "both" });
  assert.deepEqual([put.counts.rows.updates, put.counts.rows.inserts], [1, 1]);
  assert.deepEqual(put.stages.flat().find(({ op }) => op === "reconfigureItems").old, [{ pid: 2, n: 0 }]);
  assert.equal((await list.apply([{ n: 5 }], { key: "n", moves: false })).counts.rows.inserts, 1);
  assert.equal((await daemon.diff(rows, [{ pid: 1 }], { key: "pid" })).counts.rows.updates, 1);
  const lines = [], recorded = await daemonFor(t, { record: { write: (line) => lines.push(String(line)) } });
  await recorded.list("l").apply([{ n: 5 }], { key: "n" });
  const sent = lines.join("").split("\n").find((line) => line.includes('"items"'));
  assert.ok(sent.indexOf('"key":"n"') < sent.indexOf('"items"'), "the daemon reads items while they arrive");
  await assert.rejects(list.apply([{ n: 5 }]), { code: -32602, reason: "invalidParams", message: /\/params\/items\/0\/pid/ });
});

// Rows in sections, each of which has a member `k` that identifies it.
function randomSections(rng) {
  const ids = Array.from({ length: 12 }, (_, id) => id).filter(() => rng.next() < 0.7).sort(() => rng.next() - 0.5);
  return ["a", "b", "c"].map((id) => ({ id, items: [] })).filter(() => rng.next() < 0.8).map((section, index, all) => ({
    ...section, items: ids.filter((_, at) => at % all.length === index).map((k) => ({ k, n: rng.below(3), text: "t" })),
  }));
}

for (const members of [undefined, ["k", "n"]]) {
  test(`a view knows rows by their members of ${members ?? "all"}, also from snapshot to snapshot`, async (t) => {
    const daemon = await daemonFor(t), list = daemon.list("l", { key: "k" }), rng = random(19);
    const live = await list.view({ members }), window = await list.view({ window: 100, view: { sections: "keep" }, members });
    const shown = new ListView();
    shown.key = list.key;
    for (let round = 0; round < 60; round++) {
      const before = [live, window, shown].map((view) => new Map(view.rows.map((row) => [row.content.k, row])));
      await list.apply({ sections: randomSections(rng) });
      const snapshot = await list.snapshot({ members });
      await window.list.snapshot(); // What comes before its answer has arrived.
      shown.take({ kind: "snapshot", ...snapshot });
      const wanted = snapshot.sections.flatMap(({ items }) => items);
      for (const item of wanted) assert.deepEqual(Object.keys(item), members ?? ["k", "n", "text"]);
      [live, window, shown].forEach((view, index) => {
        assert.deepEqual(view.rows.map(({ content }) => content), wanted);
        for (const row of view.rows) assert.equal(before[index].get(row.content.k) ?? row, row, `row ${row.content.k}`);
      });
    }
  });
}

for (const format of ["stages", "ops", "jsonPatch"]) {
  for (const moves of [true, false]) {
    test(`a mirror with ${format}, the old contents, some members, and moves: ${moves}`, async (t) => {
      const list = (await daemonFor(t)).list("l", { key: "k" }), rng = random(23), members = ["k", "n"];
      const mirror = await list.mirror({ format, moves, members, content: "both" });
      let moved = 0;
      mirror.listen(({ counts }) => { moved += counts?.rows.moves ?? 0; });
      for (let round = 0; round < 60; round++) {
        if (round % 20 === 19) mirror.revision = -1; // It has to read the list again.
        await list.apply({ sections: randomSections(rng) });
        const snapshot = await list.snapshot({ members });
        assert.deepEqual([mirror.revision, mirror.sections], [snapshot.revision, snapshot.sections]);
      }
      assert.equal(moved > 0, moves);
    });
  }
}
