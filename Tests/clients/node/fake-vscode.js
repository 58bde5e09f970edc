// A small fake of VS Code, which handles trees, picks and their selections like it.

import assert from "node:assert/strict";

export class EventEmitter {
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

export const vscode = {
  EventEmitter, TreeItem,
  TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
  QuickPickItemKind: { Separator: -1, Default: 0 },
};

/** Reads the provider again when it reports a change, and stores the selection and the expansion by the ids of
    items. The expansion of an item is read only if its id is new. */
export class TreeView {
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

  dispose() { this.isDisposed = true; }
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

/** Behaves like a QuickPick of VS Code: setting items makes the first one active unless another is set in the
    same turn, and events are asynchronous. */
export class QuickPick {
  canSelectMany = true;
  value = "";
  title = undefined;
  busy = false;
  isShown = false;
  keepScrollPosition = false;
  scrolls = 0;
  #items = []; #active = []; #chosen = []; #isActiveSet = false;
  #events = Object.fromEntries(["active", "chosen", "value", "accepted", "hidden"].map((name) => [name, new EventEmitter()]));
  onDidChangeActive = this.#events.active.event;
  onDidChangeSelection = this.#events.chosen.event;
  onDidChangeValue = this.#events.value.event;
  onDidAccept = this.#events.accepted.event;
  onDidHide = this.#events.hidden.event;

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
  show() { this.isShown = true; }
  hide() { if (this.isShown) { this.isShown = false; this.#events.hidden.fire(); } }
  dispose() { this.hide(); this.isDisposed = true; }
  type(value) { this.value = value; this.#events.value.fire(value); }
  accept() { this.#events.accepted.fire(); }
  /** The labels that are seen: VS Code filters items by itself unless they say otherwise. */
  seen() {
    const isSeen = ({ label, kind, alwaysShow }) => kind === -1 || alwaysShow || label.includes(this.value);
    return this.labels(this.#items.filter(isSeen));
  }
  labels(items) { return items.map(({ label }) => label); }
}
