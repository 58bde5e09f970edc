// Views of a part of a list: what a view has by default.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";

import { connect } from "../../../clients/node/listd.js";
import { daemonFor, folderFor, until } from "./support.js";

const many = (count) => Array.from({ length: count }, (_, id) => ({ id, text: `row ${id}` }));
const idsOf = (view) => view.rows.map(({ content }) => content.id);

test("a view has some rows of a long list, and knows the number of the others", async (t) => {
  const sizes = [], record = { write: (line) => sizes.push(line.length) };
  const list = (await daemonFor(t, { record })).list("l");
  await list.apply(many(200_000), { format: "none" });
  sizes.length = 0;
  const view = await list.view();
  assert.deepEqual([view.rows.length, view.start, view.length, view.view], [200, 0, 200_000, { start: 0, matched: 200_000, total: 200_000 }]);
  await list.edit({ edit: "appendItems", items: many(200_003).slice(200_000) });
  await until(() => view.length === 200_003, "the number of rows");
  assert.equal(view.rows.length, 200);
  assert.ok(Math.max(...sizes) < 20_000, "no message has the whole list");
  const all = await list.view({ window: "all" });
  assert.deepEqual([all.rows.length, all.length, all.start, all.scroll], [200_003, 200_003, 0, undefined]);
  await assert.rejects(list.view({ window: -1 }), { code: -32602 });
  await assert.rejects(list.daemon.list("a/b").view(), TypeError);
  assert.equal((await list.daemon.list("a/b").view({ window: "all" })).length, 0);
});

test("a window is moved, enlarged, filtered and removed, and shows the result when the promise is fulfilled", async (t) => {
  const daemon = await daemonFor(t), list = daemon.list("l");
  await list.apply(many(5000));
  const view = await list.view({ window: 20 });
  assert.equal(await view.scroll(1000), true);
  assert.deepEqual([idsOf(view)[0], view.start, view.rows.length], [1000, 1000, 20]);
  const kept = view.rows[10];
  await view.scroll(1005);
  assert.deepEqual([idsOf(view)[0], view.rows[5]], [1005, kept]);
  const calls = await Promise.all([995, 996, 997, 1005].map((start) => view.scroll(start)));
  assert.deepEqual([calls.at(-1), idsOf(view)[0], view.rows[5]], [true, 1005, kept]);
  await view.grow(30);
  assert.deepEqual([view.rows.length, view.start, view.window], [50, 1005, { start: 1005, count: 50 }]);
  await view.scroll({ item: view.references([kept])[0], before: 25 }, 51);
  assert.deepEqual([view.rows[25], idsOf(view)[0]], [kept, 985]);
  await list.edit({ edit: "deleteItems", items: [1, 2, 3] });
  await until(() => view.start === 982, "the number of rows before the window");
  assert.equal(view.rows[25], kept, "the window follows its row");
  await view.show({ match: { query: "4999" } });
  assert.deepEqual([idsOf(view), view.length], [[4999], 1]);
  await view.show({ match: { query: "4999 | nothing" } });
  assert.deepEqual([idsOf(view), view.length], [[4999], 1], "the same rows");
  await view.show({ match: undefined, sort: [{ by: "id", order: "descending" }] });
  assert.deepEqual([idsOf(view)[0], view.length], [4999, 4997]);
  await view.select({ items: view.references(view.rows.slice(0, 1)) });
  assert.deepEqual((await list.selection()).items, [{ id: 4999, text: "row 4999" }], "the selection is that of the list");
  assert.deepEqual(view.selectedRows, [view.rows[0]]);
  await view.edit([{ edit: "deleteItems", items: [4999] }]);
  await until(() => idsOf(view)[0] === 4998, "the edit");
  assert.deepEqual([view.selectedRows, view.rows[0].selected], [[], false]);
  const sorted = await list.view({ window: "all", view: { sort: [{ by: "id", order: "descending" }] } });
  assert.deepEqual([sorted.rows.length, idsOf(sorted)[0], sorted.window], [4996, 4998, undefined]);
  await sorted.show({ where: { member: "id", to: 9 } });
  assert.deepEqual(idsOf(sorted), [9, 8, 7, 6, 5, 4, 0]);
  await Promise.all([view.close(), sorted.close()]);
  assert.deepEqual((await daemon.lists()).map(({ list }) => list), ["l"]);
});

test("sections of a view have the identifiers of the list, and no row is lost if the list is removed", async (t) => {
  const daemon = await daemonFor(t), list = daemon.list("l"), view = await list.view();
  const ids = ['"', '""', "1", "-1", "01", "+1", "9007199254740993", "", "a/b", '"a', 5, -7, '"x"', " 1", '"\n"', 0];
  const sections = ids.map((id) => ({ id, header: "h", selectionMode: "multiple", items: [{ id: `of ${id} ${typeof id}` }] }));
  await list.apply({ sections });
  await list.snapshot();
  assert.deepEqual(view.groups.map(({ section }) => section.own.id), ids);
  for (const [index, section] of ids.entries()) {
    await view.select({ action: "all", section });
    assert.equal(view.groups[index].items[0].selected, true);
  }
  await view.show({ sections: { by: "id" } });
  assert.equal(view.groups[0].section.own.id, view.rows[0].content.id);
  await view.select({ action: "none", section: view.groups[3].section.own.id });
  assert.equal(view.selectedRows.length, ids.length - 1);
  await list.remove();
  await until(() => view.length === 0, "the removal");
  await list.apply(["again"]);
  await until(() => view.rows[0]?.content === "again", "a list of this name");
});

test("rows of an outline are expanded in a window of it, and in a window that is one", async (t) => {
  const daemon = await daemonFor(t), list = daemon.list("l"), outline = daemon.list("o"), tree = { parent: "up" };
  await list.apply([{ id: "a" }, { id: "b", up: "a" }, { id: "c", up: "b" }, "d"]);
  await outline.compose(["l"], { view: { tree } });
  const views = [await outline.view(), await outline.view({ window: "all" }), await list.view({ view: { tree } })];
  for (const view of views) {
    const shows = (ids) => until(() => idsOf(view).join("") === ids, ids);
    await view.expand(view.rows.slice(0, 1));
    await shows("abd");
    await view.collapse(view.rows.slice(0, 1));
    await shows("ad");
    await view.expand(view.rows.slice(0, 1), { deep: true });
    await shows("abcd");
    await outline.collapseAll();
  }
});

test("the list of a window is removed however the view ends", async (t) => {
  const daemon = await daemonFor(t), list = daemon.list("l"), names = async () => (await daemon.lists()).map(({ list }) => list).join();
  await list.apply(["a"]);
  const abort = new AbortController(), view = await list.view({ signal: abort.signal });
  assert.notEqual(await names(), "l");
  abort.abort("enough");
  await assert.rejects(view.ended, (why) => why === "enough");
  await until(async () => await names() === "l", "the end of an aborted view");
  await assert.rejects(list.view({ view: { sort: 1 } }), { code: -32602 });
  await assert.rejects(list.view({ members: [1] }), { code: -32602 });
  const early = AbortSignal.timeout(0);
  for (let round = 0; round < 5; round++) await list.view({ signal: round ? AbortSignal.timeout(round) : early }).catch(() => {});
  await until(async () => await names() === "l", "the end of views that did not begin");
});

test("windows end with their connection", async (t) => {
  const path = join(folderFor(t), "socket"), first = await connect(path, { start: true, args: ["--exit-when-idle", "1"] });
  t.after(() => first.close());
  const second = await connect(path);
  await first.list("l").apply(["a"]);
  assert.equal((await second.list("l").view()).length, 1);
  assert.equal((await first.lists()).length, 2);
  await second.close();
  await until(async () => (await first.lists()).length === 1, "the end of the window");
});
