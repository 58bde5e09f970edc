// Lists in VS Code. The parameters are members of `import * as vscode from "vscode"`. They are described by
// their shape, so that this package does not depend on the types of VS Code.

import type { LiveView, RowContent, ViewRow, ViewSection } from "./listd.js";

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
