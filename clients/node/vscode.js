// Lists in VS Code: trees and picks that preserve the user's selection, and show lists of any length.
//
// An extension passes its `import * as vscode from "vscode"`; these modules do not import it.

export { bindQuickPick, quickPick } from "./quickpick.js";
export { createListTree, ListTreeDataProvider } from "./treeview.js";
