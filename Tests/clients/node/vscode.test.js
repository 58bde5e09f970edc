// The adapters for VS Code, tested with a small fake that handles selections like VS Code.

import assert from "node:assert/strict";
import { test } from "node:test";

import { bindQuickPick, ListTreeDataProvider } from "../../../clients/node/vscode.js";
import { daemonFor, until } from "./support.js";

class EventEmitter {
  listeners = new Set();
  event = (listener) => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };
  fire(data) { for (const listener of [...this.listeners]) listener(data); }
  dispose() { this.listeners.clear(); }
}

class TreeItem {
  constructor(label, state) { Object.assign(this, { label, collapsibleState: state }); }
}

const vscode = {
  EventEmitter, TreeItem,
  TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
  QuickPickItemKind: { Separator: -1, Default: 0 },
};

/** Reads the provider again when it reports a change, and stores the selection and the expansion by the ids of
    items. The expansion of an item is read only if its id is new. */
class TreeView {
  visible = true;
  selection = [];
  reads = [];
  #selected = new EventEmitter();
  #opened = new EventEmitter();
  #closed = new EventEmitter();
  #open = new Map();
  onDidChangeSelection = this.#selected.event;
  onDidExpandElement = this.#opened.event;
  onDidCollapseElement = this.#closed.event;

  constructor(provider) {
    this.provider = provider;
    this.read();
    provider.onDidChangeTreeData((elements) => { this.reads.push(elements); this.read(); });
  }

  read() {
    const isOpen = (element) => {
      const { id, collapsibleState } = this.provider.getTreeItem(element);
      if (!this.#open.has(id)) this.#open.set(id, collapsibleState === 2);
      return collapsibleState !== 0 && this.#open.get(id);
    };
    const walk = (element) =>
      [element, ...(isOpen(element) ? this.provider.getChildren(element).flatMap(walk) : [])];
    this.elements = new Map(this.provider.getChildren().flatMap(walk)
      .map((element) => [this.provider.getTreeItem(element).id, element]));
    this.selection = this.selection.filter((element) => [...this.elements.values()].includes(element));
  }

  /** Expands or collapses an element like a user. */
  toggle(label) {
    const found = this.find(label), { id } = this.provider.getTreeItem(found);
    this.#open.set(id, !this.#open.get(id));
    this.read();
    (this.#open.get(id) ? this.#opened : this.#closed).fire({ element: found });
  }

  find(label) {
    return [...this.elements.values()].find((element) => this.provider.getTreeItem(element).label === label);
  }

  labels() { return [...this.elements.values()].map((element) => this.provider.getTreeItem(element).label); }
  pick(label) {
    this.reveal(this.find(label), { select: true });
  }
  reveal(element) {
    assert.ok([...this.elements.values()].includes(element), "revealed elements are in the tree");
    for (let up = element; (up = this.provider.getParent(up));) assert.ok([...this.elements.values()].includes(up));
    this.selection = [element];
    this.#selected.fire({ selection: [element] });
  }
}

test("a tree keeps its elements, ids and selection", async (t) => {
  const list = (await daemonFor(t)).list("l");
  const row = (id, text) => ({ id, text, description: "d" });
  await list.apply([row(1, "one"), row(2, "two"), "three"]);
  const view = await list.view(), provider = new ListTreeDataProvider(vscode, view, { treeItem: () => ({ tooltip: "t" }) });
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

/** Behaves like a QuickPick of VS Code: setting items makes the first one active unless another is set in the
    same turn, and events are asynchronous. */
class QuickPick {
  canSelectMany = true;
  keepScrollPosition = false;
  scrolls = 0;
  #items = []; #active = []; #chosen = []; #isActiveSet = false;
  #events = { active: new EventEmitter(), chosen: new EventEmitter() };
  onDidChangeActive = this.#events.active.event;
  onDidChangeSelection = this.#events.chosen.event;

  get items() { return this.#items; }
  set items(items) {
    if (!this.keepScrollPosition) this.scrolls++;
    this.#items = items;
    this.#isActiveSet = false;
    this.#chosen = this.#chosen.filter((item) => items.includes(item));
    setImmediate(() => { if (!this.#isActiveSet) this.move(items.find(({ kind }) => kind !== -1)); });
  }
  get activeItems() { return this.#active; }
  set activeItems(items) {
    assert.ok(items.every((item) => this.#items.includes(item)), "active items are shown");
    this.#isActiveSet = true;
    if (items[0] === this.#active[0]) return;
    this.#active = items;
    setImmediate(() => this.#events.active.fire(items));
  }
  get selectedItems() { return this.#chosen; }
  set selectedItems(items) {
    const same = items.length === this.#chosen.length && items.every((item) => this.#chosen.includes(item));
    this.#chosen = items;
    if (!same) setImmediate(() => this.#events.chosen.fire(items));
  }
  move(item) {
    this.#active = item ? [item] : [];
    this.#events.active.fire(this.#active);
  }
  check(...labels) {
    this.#chosen = this.#items.filter(({ label }) => labels.includes(label));
    this.#events.chosen.fire(this.#chosen);
  }
  labels(items) { return items.map(({ label }) => label); }
}

test("a QuickPick keeps its active item, checked items and scroll position", async (t) => {
  const daemon = await daemonFor(t), list = daemon.list("l");
  const show = (...names) => list.apply({ sections: [{ id: "s", header: "Names", selectionMode: "multiple", items: names.map((name) => ({ id: name, text: name })) }] });
  await show("Anna", "Ben", "Cleo");
  const view = await list.view(), pick = new QuickPick();
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
