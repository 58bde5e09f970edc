// Copies of lists in every format, compared with the daemon's snapshots.
// Promise: In Node a mirror in any format equals the list after every change; a row of a view is one object;
//   numbers that JavaScript cannot distinguish are refused. Also `faults.test.js`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { applyOps, applyPatch, applySelection, applyStages, applyTextEdits, inRows, ListdError, Mirror, OutOfStep, pathsOf } from "../../../clients/node/listd.js";
import { ListView } from "../../../clients/node/view.js";
import { grouped, perform } from "../../../clients/node/stages.js";
import { daemonFor, random, randomSections, until } from "./support.js";

for (const format of ["stages", "ops", "jsonPatch", "textEdits"]) {
  test(`a mirror with ${format} equals the list after every change`, async (t) => {
    const daemon = await daemonFor(t), list = daemon.list("l"), rng = random(7);
    await daemon.registerTemplates({ Cell: "{selected:x| } {cursor:>| } {text}", Header: "# {text}" });
    const mirror = await list.mirror({ format });
    for (let round = 0; round < 60; round++) {
      if (round === 40) await list.remove();
      else await list.apply({ sections: randomSections(rng) });
      const { rows, start } = round === 40 ? { rows: [] } : await list.snapshot({ window: { start: 0, count: 99 } });
      if (rows.length) {
        const { at } = rows[rng.below(rows.length) - start];
        await list.select({ items: [{ path: at }], ...(rng.next() < 0.5 ? { cursor: { path: at } } : {}) });
      }
      const state = await list.snapshot().catch(() => ({ revision: 0, sections: [], selection: [], cursor: null }));
      if (format === "textEdits") {
        const { text, textRevision, cursorLine } = await list.text().catch(() => ({ text: "", textRevision: 0, cursorLine: null }));
        assert.deepEqual([mirror.text, mirror.cursorLine], [text, cursorLine]);
        assert.equal(mirror.textRevision ?? 0, textRevision);
      } else {
        assert.deepEqual(mirror.sections, inRows(state.sections));
        assert.equal(mirror.revision, state.revision);
      }
      assert.deepEqual([mirror.selection, mirror.cursor], [state.selection, state.cursor]);
    }
    await mirror.close();
    await mirror.ended;
  });
}

test("a mirror applies results without a subscription", async (t) => {
  const list = (await daemonFor(t)).list("l"), rng = random(11), mirror = new Mirror();
  for (let round = 0; round < 30; round++) {
    mirror.take(await list.apply({ sections: randomSections(rng) }, { content: true }));
    assert.deepEqual(mirror.sections, inRows((await list.snapshot()).sections));
  }
});

for (const window of [undefined, "all"]) test(`a row of a view is the same object while it is in the list, window: ${window}`, async (t) => {
  const list = (await daemonFor(t)).list("l"), rng = random(3), view = await list.view({ window });
  const known = new Map();
  for (let round = 0; round < 60; round++) {
    const sections = randomSections(rng);
    await list.apply({ sections });
    const shown = view.groups.map(({ section, items }) => ({ ...section.own, items: items.map(({ content }) => content) }));
    const wanted = (await list.snapshot()).sections;
    assert.deepEqual(shown, inRows(window ? wanted : wanted.filter(({ items }) => items.length)));
    const now = new Map(view.rows.filter(({ content }) => Number.isInteger(content.id)).map((row) => [row.content.id, row]));
    for (const [id, row] of now) assert.equal(known.get(id) ?? row, row, `row ${id} was created again`);
    known.clear();
    for (const [id, row] of now) known.set(id, row);
  }
});

test("a view that is out of step accepts a snapshot and keeps its rows", () => {
  const view = new ListView(), state = { selection: [], cursor: null };
  const section = (items) => ({ snapshot: { sections: [{ id: 1, items }] }, ...state });
  view.take({ revision: 1, ...section([{ id: 1 }, { id: 2, parts: ["a", { id: 1 }] }, "x", "x"]) });
  const before = view.rows;
  assert.throws(() => view.take({ baseRevision: 7, revision: 8, stages: [], ...state }), OutOfStep);
  const done = view.take({ revision: 8, ...section(["x", { id: 2, n: 1, parts: [{ id: 1 }, "a"] }, { id: 1 }, "x"]) });
  assert.deepEqual(view.rows.map((row) => before.indexOf(row)), [3, 2, 1, 0, 4]);
  assert.deepEqual(done.updatedRows, new Set([before[1], before[2]]));
  view.take({ kind: "remove" });
  assert.deepEqual([view.rows, view.revision], [[], 0]);
});

test("a mirror of a view has its numbers", async (t) => {
  const daemon = await daemonFor(t), rng = random(5), view = daemon.list("view");
  await view.compose(["l"], { view: { where: { member: "id", from: 3 }, sort: [{ by: "text" }], window: { count: 4 } } });
  const mirror = await view.mirror(), rows = await view.view({ window: "all" });
  for (let round = 0; round < 40; round++) {
    await daemon.list("l").apply({ sections: randomSections(rng) });
    if (round === 20) await view.compose(null, { view: { sections: "merge", window: { start: 2, count: 3 } } });
    const state = await view.snapshot();
    assert.deepEqual(mirror.sections, inRows(state.sections));
    assert.deepEqual([mirror.view, rows.view], [state.view, state.view]);
    assert.deepEqual(rows.rows.map(({ content }) => content), inRows(state.sections).flatMap(({ items }) => items));
  }
});

test("a list is filled by the daemon, and copies follow it", async (t) => {
  const list = (await daemonFor(t, { args: [] })).list("l"), mirror = await list.mirror(), news = [];
  const view = await list.view({ window: "all" });
  mirror.listen((one) => news.push(one));
  assert.equal((await list.feed({ command: ["sh", "-c", "echo a; echo b; exit 3"] }, { selectionMode: "multiple" })).state.running, true);
  await until(() => news.at(-1)?.state?.exitCode === 3, "the end of the command");
  assert.deepEqual([news.at(-1).kind, news.at(-1).list], ["feed", "l"]);
  assert.deepEqual([mirror.sections[0].items, view.rows.map(({ content }) => content)], [["a", "b"], ["a", "b"]]);
  assert.equal(mirror.sections[0].selectionMode, "multiple");
  await assert.rejects(list.apply([]), { reason: "fedList" });
  assert.equal((await list.feed(null)).state, null);
  await assert.rejects(list.feed({ file: "/none" }), { reason: "feedFailed" });
});

test("a mirror of an outline stays in step when a lazy item is expanded", async (t) => {
  const daemon = await daemonFor(t), outline = daemon.list("o");
  await daemon.list("l").apply([{ id: "a", lazy: true }]);
  await outline.compose(["l"], { view: { tree: { parent: "up" } } });
  const mirror = await outline.mirror(), news = [];
  mirror.listen(({ kind }) => news.push(kind));
  await outline.expand(["a"]);
  await until(() => news.includes("expand"), "the news");
  await outline.snapshot();
  assert.deepEqual(news, ["change", "expand"]);
  assert.equal(mirror.sections[0].items[0].$expanded, true);
});

test("many iterators share a subscription, and the last one ends it", async (t) => {
  const daemon = await daemonFor(t), list = daemon.list("l");
  await list.apply(["a"]);
  const first = list.changes();
  await first.next();
  await list.apply(["b"]);
  const second = list.changes();
  assert.equal((await second.next()).value.revision, 2);
  await list.apply(["c"]);
  assert.deepEqual([(await first.next()).value.revision, (await first.next()).value.revision], [2, 3]);
  assert.equal((await second.next()).value.revision, 3);
  assert.throws(() => list.changes({ format: "ops" }), ListdError);
  await first.return();
  await list.select({ items: ["c"] });
  assert.equal((await second.next()).value.kind, "select");
  await second.return();
  const since = list.changes({ format: "ops", since: 1 });
  assert.deepEqual((await since.next()).value.baseRevision, 1);
  await since.return();
});

test("an iteration ends with its signal, an error of the daemon, or a break", async (t) => {
  const daemon = await daemonFor(t), list = daemon.list("l"), abort = new AbortController();
  const changes = list.changes({ signal: abort.signal });
  await changes.next();
  const next = changes.next();
  abort.abort();
  await assert.rejects(next, { name: "AbortError" });
  assert.equal((await changes.next()).done, true);
  await assert.rejects(list.changes({ since: "x" }).next(), { code: -32602 });
  let seen = 0;
  for await (const news of list.changes()) {
    if (news.kind === "change" && ++seen === 2) break;
    await list.apply([String(seen)]);
  }
  assert.equal(seen, 2);
  assert.equal((await list.apply(["z"])).format, "stages", "the subscription has ended");
});

const SECTIONS = [{ id: "m", items: ["a", "b", "c"] }];
const INVALID = {
  "a row that is deleted twice": [[{ op: "deleteItems", at: [0, 0], count: 2 }, { op: "moveItems", from: [0, 1], to: [0, 0], count: 1 }]],
  "a row that does not exist": [[{ op: "deleteItems", at: [0, 3], count: 1 }]],
  "a section that does not exist": [[{ op: "deleteItems", at: [1, 0], count: 1 }]],
  "an index that is used twice": [[{ op: "insertItems", at: [0, 0], count: 1, items: ["x"] }, { op: "moveItems", from: [0, 1], to: [0, 0], count: 1 }]],
  "an index beyond the end": [[{ op: "insertItems", at: [0, 9], count: 1, items: ["x"] }]],
  "an insert without content": [[{ op: "insertItems", at: [0, 0], count: 1 }]],
  "too few contents": [[{ op: "insertItems", at: [0, 0], count: 2, items: ["x"] }]],
  "rows in a section that is deleted": [[{ op: "deleteSections", at: 0, count: 1 }, { op: "deleteItems", at: [0, 0], count: 1 }]],
  "an update together with a delete": [[{ op: "deleteItems", at: [0, 0], count: 1 }, { op: "reloadItems", at: [0, 0], count: 1, items: ["x"] }]],
  "an update before the last stage": [[{ op: "reloadItems", at: [0, 0], count: 1, items: ["x"] }], []],
  "a wrong number of rows": [[{ op: "insertSections", at: 0, count: 1, rows: [2], sections: [{ id: 1, items: ["x"] }] }]],
  "an unknown op": [[{ op: "swapItems", at: [0, 0], count: 1 }]],
  "an unknown op of content": [[{ op: "renameItems", at: [0, 0], count: 1 }]],
};

for (const [what, stages] of Object.entries(INVALID)) {
  test(`stages with ${what} are rejected and change nothing`, () => {
    const before = structuredClone(SECTIONS);
    assert.throws(() => applyStages(SECTIONS, stages), OutOfStep);
    assert.deepEqual(SECTIONS, before);
  });
}

test("patches and edits that do not fit are rejected", () => {
  for (const op of [
    { op: "remove", path: "/a/7" }, { op: "replace", path: "/b", value: 1 }, { op: "add", path: "/a/9", value: 1 },
    { op: "move", from: "/none", path: "/a/0" }, { op: "add", path: "/x/y", value: 1 }, { op: "fly", path: "/a" },
  ]) assert.throws(() => applyPatch({ a: [1] }, [op]), OutOfStep, JSON.stringify(op));
  const patched = applyPatch({ "a/b~": [1] }, [{ op: "add", path: "/a~1b~0/-", value: 2 }, { op: "add", path: "/__proto__", value: 3 }]);
  assert.equal(JSON.stringify(patched), '{"a/b~":[1,2],"__proto__":3}');
  const edit = (start, end, newText) => ({ range: { start: { line: start, character: 0 }, end: { line: end, character: 0 } }, newText });
  assert.equal(applyTextEdits("a\nb\nc\n", [edit(0, 1, ""), edit(3, 3, "d\n")]), "b\nc\nd\n");
  for (const edits of [[edit(0, 4, "")], [edit(1, 2, ""), edit(0, 1, "")], [edit(2, 1, "")]]) {
    assert.throws(() => applyTextEdits("a\nb\nc\n", edits), OutOfStep);
  }
});

test("ops on long lists, and selections", () => {
  const items = Array.from({ length: 200_000 }, (_, id) => id);
  const [{ items: after }] = applyOps([{ id: 1, items: [] }], [
    { op: "insertItems", at: [0, 0], count: items.length, items },
    { op: "moveItems", from: [0, 0], to: [0, 1], count: items.length - 1 },
  ]);
  assert.deepEqual(after.slice(0, 3), [items.length - 1, 0, 1]);
  assert.throws(() => applyOps([{ id: 1, items: [1] }], [{ op: "moveItems", from: [0, 0], to: [0, 0], count: 2 }]), OutOfStep);
  const selected = applySelection(new Set(["0,1"]), [{ op: "deselectItems", at: [0, 1], count: 1 }, { op: "selectItems", at: [1, 2], count: 2 }]);
  assert.deepEqual([...selected], ["1,2", "1,3"]);
  assert.deepEqual(pathsOf([{ at: [1, 2], count: 2 }]), [[1, 2], [1, 3]]);
});

test("long lists and many ranges are applied in place, and undone if one does not fit", () => {
  const rng = random(13), ids = Array.from({ length: 30_000 }, (_, id) => id);
  const groups = grouped([{ id: 1, items: ids }]), [{ items }] = groups;
  const deletes = Array.from({ length: 40 }, (_, k) => ({ op: "deleteItems", at: [0, k * 700], count: 1 + rng.below(600) }));
  const inserts = Array.from({ length: 30 }, (_, k) => ({ op: "insertItems", at: [0, k * 50], count: 2, items: [-k, -k - 0.5] }));
  const bad = { op: "insertItems", at: [0, 1e9], count: 1, items: ["x"] };
  for (const stage of [[deletes[3], inserts[2], bad], [...deletes, ...inserts, bad]]) {
    assert.throws(() => perform(groups, [stage.slice(0, -1), [bad]]), OutOfStep);
    assert.throws(() => perform(groups, [stage]), OutOfStep);
    assert.deepEqual(groups[0].items, ids);
  }
  perform(groups, [[{ op: "moveItems", from: [0, 0], to: [0, 15_000], count: 15_000 }]]);
  assert.deepEqual([groups[0].items === items, items[0], items[15_000], items.length], [true, 15_000, 0, 30_000]);
  perform(groups, [deletes, inserts]);
  const gone = new Set(deletes.flatMap(({ at: [, row], count }) => Array.from({ length: count }, (_, k) => row + k)));
  const wanted = [...ids.slice(15_000), ...ids.slice(0, 15_000)].filter((_, index) => !gone.has(index));
  for (const { at: [, row], items } of inserts) wanted.splice(row, 0, ...items);
  assert.deepEqual(groups[0].items, wanted);
});
