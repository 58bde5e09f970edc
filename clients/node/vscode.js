// Lists in VS Code: a TreeDataProvider and a QuickPick that preserve the user's selection.
//
// An extension passes its `import * as vscode from "vscode"`; this module does not import it.

import { isExpanded, levelOf, memberOf, textOf } from "./rows.js";
import { Section } from "./view.js";

/** Shows a `LiveView` as a tree, with rows below their parents in an outline, and below their sections if there
    are headers. An element is the same object with the same id while its row is in the list, so that selection,
    expansion and scroll position are preserved. */
export class ListTreeDataProvider {
  #vscode;
  #treeItem;
  #emitter;
  #ids = new WeakMap();
  #lastID = 0;
  #shape = null; // The children and the parent of each element, computed on demand.
  #shown = new WeakMap(); // Whether VS Code shows a row expanded.
  #pending = new Map(); // Rows that the user has expanded or collapsed, until the list shows that.
  #stop;

  constructor(vscode, view, { treeItem = () => ({}) } = {}) {
    this.#vscode = vscode;
    this.view = view;
    this.#treeItem = treeItem;
    this.#emitter = new vscode.EventEmitter();
    this.onDidChangeTreeData = this.#emitter.event;
    this.#stop = view.listen((_, effect) => this.#refresh(effect));
  }

  #refresh(effect) {
    if (!effect) return;
    this.#shape = null;
    for (const [row, isOpen] of this.#pending) {
      if (isExpanded(row.content) === isOpen || !this.view.pathOf(row)) this.#pending.delete(row);
    }
    const changed = [...effect.updatedRows, ...effect.updatedSections, ...effect.selected];
    if (effect.rearranged) this.#emitter.fire(undefined);
    else if (changed.length) this.#emitter.fire([...new Set(changed)]);
  }

  get #hasSections() {
    const { groups } = this.view;
    return groups.length > 1 || groups.some(({ section }) => section.own.header != null);
  }

  getChildren(element) {
    this.#shape ??= shapeOf(this.view.groups, this.#hasSections);
    return this.#shape.children.get(element) ?? [];
  }

  getParent(element) {
    this.#shape ??= shapeOf(this.view.groups, this.#hasSections);
    return this.#shape.parents.get(element);
  }

  getTreeItem(element) {
    const { TreeItem, TreeItemCollapsibleState: State } = this.#vscode;
    const isSection = element instanceof Section;
    const content = isSection ? element.own.header ?? element.own.id : element.content;
    const expanded = isSection ? true : this.#pending.get(element) ?? isExpanded(content);
    const state = expanded === undefined ? State.None : expanded ? State.Expanded : State.Collapsed;
    const item = new TreeItem(textOf(content), state);
    // VS Code stores the expansion by id. A row that was expanded or collapsed elsewhere gets a new
    // id.
    if (expanded !== undefined) {
      if (this.#shown.get(element) === !expanded) this.#ids.delete(element);
      this.#shown.set(element, expanded);
    }
    item.id = this.#id(element);
    if (isSection) return Object.assign(item, { contextValue: "section" });
    item.description = memberOf(content, "description");
    item.contextValue = memberOf(content, "template") ?? "Cell";
    return Object.assign(item, this.#treeItem(content, element));
  }

  // Identifiers of items may repeat or be missing; objects are unique.
  #id(element) {
    if (!this.#ids.has(element)) this.#ids.set(element, String(++this.#lastID));
    return this.#ids.get(element);
  }

  /** Synchronizes the selection of a TreeView and of the list, and the expanded items of an outline. */
  attach(treeView) {
    const { view } = this;
    const show = () => {
      const row = view.at(view.cursor);
      if (!requests.pending && row && treeView.visible && !treeView.selection.includes(row)) {
        treeView.reveal(row, { select: true, focus: false });
      }
    };
    const requests = new Requests(view, show);
    const selected = treeView.onDidChangeSelection(({ selection }) => {
      const rows = selection.filter((element) => !(element instanceof Section));
      if (!sameMembers(rows, view.rows.filter((row) => row.selected))) requests.replace(rows);
    });
    const opened = treeView.onDidExpandElement?.(({ element }) => this.#expand(element, true));
    const closed = treeView.onDidCollapseElement?.(({ element }) => this.#expand(element, false));
    const stop = view.listen(show);
    return { dispose: () => { selected.dispose(); opened?.dispose(); closed?.dispose(); stop(); } };
  }

  async #expand(row, isOpen) {
    if (row instanceof Section) return;
    this.#shown.set(row, isOpen);
    this.#pending.delete(row);
    if (isExpanded(row.content) === isOpen) return;
    this.#pending.set(row, isOpen);
    try {
      await (isOpen ? this.view.expand([row]) : this.view.collapse([row]));
    } catch {
      // The row was deleted meanwhile, or the daemon has ended.
      this.#pending.delete(row);
      this.#emitter.fire([row]);
    }
  }

  dispose() {
    this.#stop();
    this.#emitter.dispose();
  }
}

// Returns the children of each element, with those at the top under `undefined`, and the parent of
// each.
function shapeOf(groups, hasSections) {
  const children = new Map([[undefined, []]]), parents = new Map();
  const add = (element, parent) => {
    if (!children.has(parent)) children.set(parent, []);
    children.get(parent).push(element);
    parents.set(element, parent);
  };
  for (const { section, items } of groups) {
    const top = hasSections ? section : undefined, above = []; // The row at each level above this one.
    if (hasSections) add(section, undefined);
    for (const row of items) {
      const level = levelOf(row.content) ?? 0;
      above.length = level;
      // A window may lack the parent.
      add(row, above.findLast(Boolean) ?? top);
      above[level] = row;
    }
  }
  return { children, parents };
}

/** Shows a `LiveView` in a QuickPick. The active item, the checked items and the scroll position follow their
    rows while the list changes. */
export function bindQuickPick(vscode, quickPick, view, { item: itemOptions = () => ({}) } = {}) {
  const items = new WeakMap();
  const itemFor = (row) => {
    if (!items.has(row)) items.set(row, {});
    const label = textOf(row.content), description = memberOf(row.content, "description");
    return Object.assign(items.get(row), { label, description, row }, itemOptions(row.content, row));
  };
  const show = () => {
    const shown = [];
    for (const { section, items: rows } of view.groups) {
      const { header } = section.own;
      if (header != null) {
        shown.push({ label: textOf(header), kind: vscode.QuickPickItemKind.Separator });
      }
      for (const row of rows) shown.push(itemFor(row));
    }
    // The order matters: setting items makes the first one active and scrolls to it.
    const { activeItems, selectedItems } = quickPick;
    quickPick.keepScrollPosition = true;
    quickPick.items = shown;
    mark(activeItems, selectedItems);
  };
  // While a reply is awaited, the user's last action counts.
  const mark = ([active] = quickPick.activeItems, chosen = quickPick.selectedItems) => {
    const shown = new Set(quickPick.items), row = view.at(view.cursor);
    const isOpen = requests.pending > 0 && shown.has(active);
    if (isOpen || row) quickPick.activeItems = [isOpen ? active : itemFor(row)];
    if (!quickPick.canSelectMany) return;
    quickPick.selectedItems = requests.pending
      ? chosen.filter((item) => shown.has(item))
      : view.rows.filter((one) => one.selected).map(itemFor);
  };
  const requests = new Requests(view, () => mark());
  const moved = quickPick.onDidChangeActive(([item]) => {
    if (item?.row && item.row !== view.at(view.cursor)) requests.cursor(item.row);
  });
  const checked = quickPick.onDidChangeSelection((chosen) => {
    const rows = chosen.map(({ row }) => row).filter(Boolean);
    if (quickPick.canSelectMany && !sameMembers(rows, view.rows.filter((row) => row.selected))) {
      requests.replace(rows);
    }
  });
  const stop = view.listen((_, effect) => {
    if (effect?.rearranged || effect?.updatedRows.size || effect?.updatedSections.size) show();
    else mark();
  });
  show();
  return { dispose: () => { moved.dispose(); checked.dispose(); stop(); } };
}

// Sends the user's selection. While a request is pending, the list lags behind the user.
class Requests {
  pending = 0;

  constructor(view, settled) {
    Object.assign(this, { view, settled });
  }

  cursor(row) {
    const [reference] = this.#references([row]);
    if (reference) this.#send({ cursor: reference });
  }

  replace(rows) {
    const items = this.#references(rows), cursor = items.at(-1);
    this.#send({ action: "replace", items, ...(cursor ? { cursor } : {}) });
  }

  #references(rows) {
    return rows.map((row) => this.view.pathOf(row)).filter(Boolean)
      .map((path) => this.view.reference(path));
  }

  // If a row was deleted meanwhile, the request fails, and the list's selection is shown again.
  async #send(params) {
    this.pending++;
    await this.view.select(params).catch(() => {});
    this.pending--;
    if (!this.pending) this.settled();
  }
}

function sameMembers(some, others) {
  return some.length === others.length && some.every((one) => others.includes(one));
}
