// Lists in VS Code. The parameters are members of `import * as vscode from "vscode"`. They are described by
// their shape, so that this package does not depend on the types of VS Code.

import type { Daemon, LiveView, Member, RowContent, View, ViewRow, ViewSection, WindowView } from "./listd.js";

export interface Disposable { dispose(): void }
export type Element = ViewRow | ViewSection;
export interface VSCodeLike {
  EventEmitter: new () => { event: any; fire(data: any): void; dispose(): void };
  TreeItem: new (label: string, state?: any) => any;
  TreeItemCollapsibleState: { None: any; Collapsed: any; Expanded: any };
}
export interface TreeViewLike {
  readonly selection: readonly any[];
  readonly visible: boolean;
  onDidChangeSelection(listener: (event: { selection: readonly any[] }) => any): Disposable;
  /** Outlines need these two. */
  onDidExpandElement?(listener: (event: { element: any }) => any): Disposable;
  onDidCollapseElement?(listener: (event: { element: any }) => any): Disposable;
  reveal(element: any, options?: { select?: boolean; focus?: boolean }): any;
}
export interface QuickPickLike {
  items: readonly any[];
  activeItems: readonly any[];
  selectedItems: readonly any[];
  canSelectMany: boolean;
  keepScrollPosition?: boolean;
  onDidChangeActive(listener: (items: readonly any[]) => any): Disposable;
  onDidChangeSelection(listener: (items: readonly any[]) => any): Disposable;
}

/** A TreeDataProvider with rows below their parents in an outline, and below their sections if there are headers. */
export class ListTreeDataProvider {
  constructor(vscode: VSCodeLike, view: LiveView, options?: {
    /** Returns additional members of a row's TreeItem. */
    treeItem?: (content: RowContent, row: ViewRow) => object;
  });
  readonly view: LiveView;
  readonly onDidChangeTreeData: any;
  getChildren(element?: Element): Element[];
  getParent(element: Element): Element | undefined;
  getTreeItem(element: Element): any;
  /** Synchronizes the selection of a TreeView and of the list, and the expanded items of an outline. */
  attach(treeView: TreeViewLike): Disposable;
  dispose(): void;
}

/** Shows a view in a QuickPick. */
export function bindQuickPick(
  vscode: { QuickPickItemKind: { Separator: any } }, quickPick: QuickPickLike, view: LiveView,
  options?: { item?: (content: RowContent, row: ViewRow) => object },
): Disposable;

/** The part of a QuickPick that `quickPick` uses. */
export interface QueriedPickLike extends QuickPickLike {
  value: string;
  title: string | undefined;
  busy: boolean;
  onDidChangeValue(listener: (value: string) => any): Disposable;
  onDidAccept(listener: () => any): Disposable;
  onDidHide(listener: () => any): Disposable;
  show(): void;
  dispose(): void;
}
export interface PickingVSCodeLike {
  QuickPickItemKind: { Separator: any };
  window: { createQuickPick(): QueriedPickLike };
}
export interface PickOptions {
  /** The members that are searched, `["text"]` by default. */
  members?: readonly Member[];
  /** The rest of the view's definition. */
  view?: Omit<View, "window" | "match">;
  title?: string;
  placeholder?: string;
  /** The first query. */
  value?: string;
  /** Returns additional members of a row's QuickPickItem. */
  item?: (content: RowContent, row: ViewRow) => object;
  signal?: AbortSignal;
}

/** Lets the user choose from a list of any length by a query in fzf's language, which the daemon matches. */
export function quickPick(
  vscode: PickingVSCodeLike, daemon: Daemon, list: string, options: PickOptions & { canSelectMany: true },
): Promise<RowContent[] | undefined>;
export function quickPick(
  vscode: PickingVSCodeLike, daemon: Daemon, list: string, options?: PickOptions & { canSelectMany?: false },
): Promise<RowContent | undefined>;

export interface ListTreeViewLike extends TreeViewLike {
  description?: string;
  message?: string;
  dispose(): any;
}
export interface TreeVSCodeLike extends VSCodeLike {
  window: { createTreeView(id: string, options: any): ListTreeViewLike };
}
export interface ListTreeOptions {
  /** The id of the view in the extension's package.json. */
  viewId: string;
  /** The members that `filter` searches, `["text"]` by default. */
  members?: readonly Member[];
  /** The rest of the view's definition, such as `tree` for an outline. */
  view?: Omit<View, "window">;
  /** The number of rows that are shown at first. */
  count?: number;
  canSelectMany?: boolean;
  treeItem?: (content: RowContent, row: ViewRow) => object;
}
export interface ListTree extends Disposable {
  readonly provider: ListTreeDataProvider;
  readonly treeView: ListTreeViewLike;
  readonly view: WindowView;
  /** Shows the rows that match a query, or all. */
  filter(query: string): Promise<boolean>;
  /** Shows more rows. */
  more(): Promise<boolean>;
}

/** Shows a part of a list of any length as a tree view, filtered by the daemon. */
export function createListTree(vscode: TreeVSCodeLike, daemon: Daemon, list: string, options: ListTreeOptions): Promise<ListTree>;
