// A list in a tree view of VS Code.

import { isExpanded, levelOf, memberOf, textOf } from "./rows.js";
import { Requests, sameMembers, together } from "./requests.js";
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
  #changed = new Set(); // Elements that VS Code has to read again.
  #fire = together(() => this.#read());
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
    const before = this.#shape;
    if (effect.rearranged) this.#shape = null;
    for (const [row, isOpen] of this.#pending) {
      if (isExpanded(row.content) === isOpen || !this.view.pathOf(row)) this.#pending.delete(row);
    }
    for (const one of [...effect.updatedRows, ...effect.updatedSections, ...effect.selected]) this.#changed.add(one);
    // The parents whose children differ; `undefined` is the top.
    if (effect.rearranged && before) {
      const after = this.#current;
      for (const row of [...effect.deletedRows, ...effect.movedRows]) this.#changed.add(before.parents.get(row));
      for (const row of [...effect.insertedRows, ...effect.movedRows]) this.#changed.add(after.parents.get(row));
      if (!sameOrder(before.children.get(undefined), after.children.get(undefined))) this.#changed.add(undefined);
    }
    if (this.#changed.size) this.#fire();
  }

  // Reports elements that VS Code has; one that is below another is read with it.
  #read() {
    const { parents } = this.#current, changed = new Set(this.#changed);
    this.#changed.clear();
    if (changed.has(undefined)) return this.#emitter.fire(undefined);
    const isAbove = (one) => one !== undefined && (changed.has(one) || isAbove(parents.get(one)));
    const top = [...changed].filter((one) => parents.has(one) && !isAbove(parents.get(one)));
    if (top.length) this.#emitter.fire(top);
  }

  get #current() {
    this.#shape ??= shapeOf(this.view.groups, this.#hasSections);
    return this.#shape;
  }

  get #hasSections() {
    const { groups } = this.view;
    return groups.length > 1 || groups.some(({ section }) => section.own.header != null);
  }

  getChildren(element) {
    return this.#current.children.get(element) ?? [];
  }

  getParent(element) {
    return this.#current.parents.get(element);
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
      if (!sameMembers(rows, view.selectedRows)) requests.replace(rows);
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

function sameOrder(some, others) {
  return some.length === others.length && some.every((one, index) => one === others[index]);
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

const WINDOW = 1000; // Rows of a tree.

/**
 * Shows a list of any length as a tree view with the id `viewId`, of which a part is shown: `filter(query)` matches in the
 * daemon, in fzf's language, and `more()` shows more rows. For an outline, `view` has a `tree`.
 *
 *     const tree = await createListTree(vscode, daemon, "files", { viewId: "listd.files", view: { tree: { parent: "up" } } });
 */
export async function createListTree(vscode, daemon, name, options) {
  const { viewId, members = ["text"], view: definition = {}, treeItem, count = WINDOW } = options;
  const view = await daemon.list(name).view({ window: count, view: definition });
  const provider = new ListTreeDataProvider(vscode, view, { treeItem });
  const treeView = vscode.window.createTreeView(viewId, { treeDataProvider: provider, canSelectMany: Boolean(options.canSelectMany) });
  const attached = provider.attach(treeView);
  let query = "";
  const number = () => {
    const { matched = 0, total = 0 } = view.view ?? {}, rest = view.length - view.window.count;
    const parts = [query && `${matched.toLocaleString()} of ${total.toLocaleString()}`, rest > 0 && `${rest.toLocaleString()} more`];
    treeView.description = query;
    treeView.message = parts.filter(Boolean).join(", ") || undefined;
  };
  const stop = view.listen(number);
  number();
  return {
    provider, treeView, view,
    filter: (text) => {
      query = text;
      const match = text ? { query: text, members } : undefined;
      // What matches is shown, also below items that are collapsed otherwise.
      const tree = definition.tree && { ...definition.tree, ...(text ? { open: "all" } : {}) };
      return view.show({ match, tree });
    },
    more: () => view.grow(count),
    dispose: () => {
      stop();
      attached.dispose();
      treeView.dispose();
      provider.dispose();
      return view.close().catch(() => {});
    },
  };
}
