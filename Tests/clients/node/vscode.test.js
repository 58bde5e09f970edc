// The adapters for VS Code, tested with a small fake of it.
// Promise: In VS Code a pick and a tree show lists of any length, matched by the daemon; a change reads again only
//   the parents of what it has changed; the packed extension finds files and follows a folder. Also
//   `extension.test.js`, `Tests/clients/node`.
// Promise: In VS Code and in a terminal an outline is a tree, and all clients share its expansion. Also
//   `terminal.test.js`.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

import { bindQuickPick, createListTree, ListTreeDataProvider, quickPick } from "../../../clients/node/vscode.js";
import { DaemonGone } from "../../../clients/node/listd.js";
import { daemonFor, until } from "./support.js";
import { QuickPick, TreeView, vscode } from "./fake-vscode.js";

test("a tree keeps its elements, ids and selection", async (t) => {
  const list = (await daemonFor(t)).list("l");
  const row = (id, text) => ({ id, text, description: "d" });
  await list.apply([row(1, "one"), row(2, "two"), "three"]);
  const view = await list.view({ window: "all" }), provider = new ListTreeDataProvider(vscode, view, { treeItem: () => ({ tooltip: "t" }) });
  const tree = new TreeView(provider), attached = provider.attach(tree);
  assert.deepEqual(tree.labels(), ["one", "two", "three"]);
  tree.pick("two");
  const [two] = tree.selection, { id } = provider.getTreeItem(two);
  await until(() => two.selected && view.cursor?.[1] === 1, "the selection");
  await list.apply({ sections: [{ id: "s", header: "Section", items: ["zero", row(2, "TWO")] }, { id: "t", items: [row(1, "one")] }] });
  assert.deepEqual(tree.labels(), ["Section", "zero", "TWO", "t", "one"]);
  assert.deepEqual([tree.selection, provider.getTreeItem(two).id], [[two], id]);
  assert.deepEqual({ ...provider.getTreeItem(two) }, { label: "TWO", collapsibleState: 0, id, description: "d", contextValue: "Cell", tooltip: "t" });
  assert.equal(provider.getParent(two), view.groups[0].section);
  tree.reads = [];
  await list.edit({ edit: "updateItems", items: [row(1, "ONE")] });
  assert.deepEqual(tree.reads, [[view.rows[2]]], "only the row that changed is read");
  await list.select({ items: ["zero"], cursor: "zero" });
  await until(() => tree.selection[0] === view.rows[0], "the selection by other clients is shown");
  attached.dispose();
  provider.dispose();
});

test("an outline is a tree, and both have the same expansion", async (t) => {
  const daemon = await daemonFor(t), source = daemon.list("l"), list = daemon.list("outline");
  await source.apply([{ id: "a" }, { id: "b", up: "a" }, { id: "c", up: "b" }, { id: "d", up: "b" }, { id: "e" }]);
  await list.compose(["l"], { view: { tree: { parent: "up" } } });
  const view = await list.view(), provider = new ListTreeDataProvider(vscode, view);
  const tree = new TreeView(provider), attached = provider.attach(tree);
  const state = (label) => provider.getTreeItem(tree.find(label)).collapsibleState;
  assert.deepEqual([tree.labels(), state("a"), state("e")], [["a", "e"], 1, 0]);
  tree.pick("e");
  await until(() => view.cursor?.[1] === 1, "the cursor");
  const { id } = provider.getTreeItem(tree.find("a"));
  tree.toggle("a");
  await until(() => tree.labels().join() === "a,b,e", "the children");
  tree.toggle("b");
  await until(() => tree.labels().join() === "a,b,c,d,e", "the grandchildren");
  assert.equal(provider.getTreeItem(tree.find("a")).id, id);
  assert.equal(provider.getParent(tree.find("c")), tree.find("b"));
  assert.equal(provider.getParent(tree.find("b")), tree.find("a"));
  assert.deepEqual(tree.selection, [tree.find("e")], "the selection follows its row");
  tree.toggle("a");
  await until(() => view.rows.length === 2);
  assert.deepEqual(tree.labels(), ["a", "e"]);
  // The expansion by other clients is shown, too.
  await list.expandAll();
  await until(() => tree.labels().join() === "a,b,c,d,e", "the expansion by another client");
  await list.collapse(["b"]);
  await until(() => tree.labels().join() === "a,b,e", "the collapse by another client");
  await list.expand(["b"], { deep: true });
  await list.collapseAll();
  await until(() => tree.labels().join() === "a,e", "all are collapsed");
  await list.reveal(["c"]);
  await until(() => tree.labels().join() === "a,b,c,d,e", "the items above an item are expanded");
  attached.dispose();
  provider.dispose();
});

test("a QuickPick keeps its active item, checked items and scroll position", async (t) => {
  const daemon = await daemonFor(t), list = daemon.list("l");
  const show = (...names) => list.apply({ sections: [{ id: "s", header: "Names", selectionMode: "multiple", items: names.map((name) => ({ id: name, text: name })) }] });
  await show("Anna", "Ben", "Cleo");
  const view = await list.view({ window: "all" }), pick = new QuickPick();
  const bound = bindQuickPick(vscode, pick, view, { item: () => ({ detail: "x" }) });
  assert.deepEqual(pick.labels(pick.items), ["Names", "Anna", "Ben", "Cleo"]);
  assert.deepEqual([pick.items[0].kind, pick.items[1].detail], [-1, "x"]);
  await until(() => view.cursor?.[1] === 0, "the first item is active");
  const ben = pick.items[2];
  pick.move(ben);
  pick.check("Anna", "Ben");
  await until(() => view.selection[0]?.count === 2 && view.cursor?.[1] === 1, "the chosen items");
  await show("Zoe", "Cleo", "Ben", "Anna");
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.deepEqual(pick.labels(pick.items), ["Names", "Zoe", "Cleo", "Ben", "Anna"]);
  assert.equal(pick.items[3], ben);
  assert.deepEqual([pick.activeItems, pick.labels(pick.selectedItems).sort()], [[ben], ["Anna", "Ben"]]);
  assert.equal(pick.scrolls, 0);
  assert.deepEqual((await list.selection()).items.map(({ id }) => id), ["Ben", "Anna"]);
  await show("Zoe", "Cleo", "Anna");
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.deepEqual([pick.labels(pick.activeItems), pick.labels(pick.selectedItems)], [["Anna"], ["Anna"]]);
  await list.select({ action: "none", cursor: "Zoe" });
  await until(() => pick.activeItems[0]?.label === "Zoe" && pick.selectedItems.length === 0, "the selection by another client");
  bound.dispose();
});

const NAMES = ["alpha", "beta", "gamma", "delta"];

function windowFor(made) {
  return {
    ...vscode,
    window: {
      createQuickPick: () => (made.pick = new QuickPick()),
      createTreeView: (id, { treeDataProvider }) => Object.assign((made.tree = new TreeView(treeDataProvider)), { id }),
    },
  };
}

test("a pick of a long list, matched by the daemon", async (t) => {
  const daemon = await daemonFor(t), made = {}, fake = windowFor(made);
  const items = Array.from({ length: 20_000 }, (_, id) => ({ id, text: `${NAMES[id % 4]}/file${id}.txt` }));
  await daemon.list("files").apply(items);
  const picked = quickPick(fake, daemon, "files", { title: "Files", placeholder: "?", item: ({ id }) => ({ detail: String(id) }) });
  await until(() => made.pick?.isShown, "the pick");
  const { pick } = made;
  assert.deepEqual([pick.items.length, pick.title, pick.placeholder, pick.canSelectMany], [200, "Files: 20,000 of 20,000", "?", true]);
  assert.equal(pick.items[0].detail, "0");
  for (const query of ["f", "fi", "dfile77", "dfile77 '7.txt$"]) pick.type(query);
  await until(() => !pick.busy && pick.title.startsWith("Files: 1"), "the match");
  const wanted = items.filter(({ text }) => /delta/.test(text) && /7\d*.*7\.txt$/.test(text));
  assert.ok(pick.items.length > 0 && pick.seen().length === pick.items.length, "VS Code filters nothing");
  assert.ok(pick.items.every(({ label }) => wanted.some(({ text }) => text === label)));
  assert.equal(pick.activeItems[0], pick.items[0], "the best match is active");
  // At the end, there are more.
  pick.type("beta");
  await until(() => pick.title === "Files: 5,000 of 20,000", "the other match");
  await until(() => pick.items.length === 200, "its first rows");
  pick.move(pick.items.at(-1));
  await until(() => pick.items.length === 400, "more rows");
  const chosen = pick.activeItems[0].row.content;
  pick.accept();
  assert.deepEqual(await picked, chosen);
  await until(async () => (await daemon.lists()).length === 1, "the view is removed");
  assert.ok(pick.isDisposed);
});

test("a pick of several rows, one that is left, and a daemon that ends", async (t) => {
  const daemon = await daemonFor(t, { args: ["--max-message-bytes", "98765432"] }), made = {}, fake = windowFor(made);
  await daemon.list("names").apply(NAMES);
  const many = quickPick(fake, daemon, "names", { canSelectMany: true });
  await until(() => made.pick?.isShown, "the pick");
  made.pick.check("beta", "delta");
  made.pick.accept();
  assert.deepEqual(await many, ["beta", "delta"]);
  const left = quickPick(fake, daemon, "names", { value: "gam" });
  await until(() => made.pick.isShown && made.pick.items.length === 1, "the first query");
  made.pick.hide();
  assert.equal(await left, undefined);
  const lost = quickPick(fake, daemon, "names");
  await until(() => made.pick.isShown && made.pick.items.length === 4, "the pick");
  const [pid] = execFileSync("pgrep", ["-P", process.pid, "-f", "max-message-bytes 98765432"]).toString().split("\n");
  process.kill(Number(pid), "SIGKILL");
  await assert.rejects(lost, DaemonGone);
  assert.ok(made.pick.isDisposed);
});

test("a tree reports the parents of what changes, once for all changes of a turn", async (t) => {
  const daemon = await daemonFor(t), made = {}, fake = windowFor(made), list = daemon.list("l");
  const item = (id, up) => ({ id, ...(up ? { up } : {}) });
  await list.apply([item("a"), item("b", "a"), item("c", "b"), item("d", "b"), item("e"), item("f", "e")]);
  const tree = await createListTree(fake, daemon, "l", { viewId: "v", members: ["id"], view: { tree: { parent: "up", open: "all" } } });
  assert.deepEqual([made.tree.id, made.tree.labels()], ["v", ["a", "b", "c", "d", "e", "f"]]);
  const fired = () => made.tree.reads.splice(0).map((one) => one && one.map((element) => element.content.id));
  await list.edit({ edit: "appendItems", items: [item("g", "b")] });
  await until(() => made.tree.labels().length === 7, "the new row");
  assert.deepEqual(fired(), [["b"]]);
  await list.edit({ edit: "deleteItems", items: ["c"] });
  await until(() => made.tree.labels().length === 6, "the deleted row");
  assert.deepEqual(fired(), [["b"]]);
  await list.edit({ edit: "updateItems", items: [item("d", "e")] });
  await until(() => made.tree.labels().join() === "a,b,g,e,d,f" || made.tree.labels().join() === "a,b,g,e,f,d", "the move");
  assert.deepEqual(fired().flat().sort(), ["b", "e"]);
  await list.edit({ edit: "appendItems", items: [item("z")] });
  await until(() => made.tree.labels().at(-1) === "z", "the row at the top");
  assert.deepEqual(fired(), [undefined]);
  await Promise.all(Array.from({ length: 50 }, (_, k) => list.edit({ edit: "appendItems", items: [item(`n${k}`, "b")] })));
  await until(() => made.tree.labels().length === 57, "all rows");
  assert.ok(fired().length < 50, "changes are reported together");
  await tree.filter("^g$");
  await until(() => made.tree.labels().join() === "a,b,g", "the match with its parents");
  assert.match(made.tree.message, /of 57$/);
  await tree.filter("");
  await until(() => made.tree.labels().length === 57, "all rows again");
  await tree.dispose();
  assert.deepEqual((await daemon.lists()).map((one) => one.list), ["l"]);
});

test("a tree of a long list shows a part of it, and more", async (t) => {
  const daemon = await daemonFor(t), made = {}, list = daemon.list("l");
  await list.apply(Array.from({ length: 5000 }, (_, id) => `row ${id}`));
  const tree = await createListTree(windowFor(made), daemon, "l", { viewId: "v", count: 100 });
  assert.deepEqual([made.tree.labels().length, made.tree.message], [100, "4,900 more"]);
  await tree.more();
  await until(() => made.tree.labels().length === 200, "more rows");
  await until(() => made.tree.message === "4,800 more", "the number of the others");
  await tree.dispose();
});
