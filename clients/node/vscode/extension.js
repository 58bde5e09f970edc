// The extension for VS Code: a command that finds files of the workspace, and a tree that shows them.

import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";

import { find, spawn } from "../listd.js";
import { createListTree, quickPick } from "../vscode.js";
import { Files } from "./files.js";

let running = null; // A promise of {daemon, files, tree}.

export function activate(context) {
  const commands = {
    "listd.findFile": findFile,
    "listd.filterFiles": filterFiles,
    "listd.showAllFiles": async () => (await start(context)).tree.filter(""),
    "listd.showMoreFiles": async () => (await start(context)).tree.more(),
  };
  for (const [name, work] of Object.entries(commands)) {
    const run = () => work(context).catch((error) => { vscode.window.showErrorMessage(`listd: ${error.message}`); });
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  }
  // The tree needs its provider even if no command was used.
  return start(context).then(() => {}, (error) => { vscode.window.showErrorMessage(`listd: ${error.message}`); });
}

export async function deactivate() {
  const { daemon } = (await running?.catch(() => null)) ?? {};
  running = null;
  await daemon?.close();
}

// If the daemon has ended, the next command starts another one.
function start(context) {
  running ??= begin(context).catch((error) => {
    running = null;
    throw error;
  });
  return running;
}

async function begin(context) {
  const daemon = await spawn({ program: program(context) });
  const files = new Files(vscode, daemon.list("files"));
  await files.read();
  const tree = await createListTree(vscode, daemon, "files", {
    viewId: "listd.files",
    view: { tree: { parent: "up" }, sort: [{ by: "type", order: "descending" }, { by: "name", as: "natural" }] },
    treeItem: (content) => ({
      label: content.name,
      resourceUri: files.uriOf(content.id),
      ...(content.type === "file" ? { command: { command: "vscode.open", title: "Open", arguments: [files.uriOf(content.id)] } } : {}),
    }),
  });
  const parts = [files, tree];
  const end = () => { for (const part of parts.splice(0)) part.dispose(); };
  context.subscriptions.push({ dispose: end });
  tree.view.ended.catch(() => {}).then(() => {
    running = null;
    end();
  });
  return { daemon, files, tree };
}

function program(context) {
  const named = vscode.workspace.getConfiguration("listd").get("path");
  if (named) return named;
  const own = join(context.extensionPath, "listd");
  try {
    accessSync(own, constants.X_OK);
    return own;
  } catch {
    return find();
  }
}

async function findFile(context) {
  const { daemon, files } = await start(context);
  const chosen = await quickPick(vscode, daemon, "files", {
    title: "Files", placeholder: "A query, as in fzf: 'exact ^first last$ !without",
    view: { where: { member: "type", is: "file" } },
    item: (content) => ({ label: content.name, description: content.up ?? "" }),
  });
  if (chosen) await vscode.commands.executeCommand("vscode.open", files.uriOf(chosen.id));
}

async function filterFiles(context) {
  const { tree } = await start(context);
  const query = await vscode.window.showInputBox({ prompt: "A query, as in fzf", value: tree.treeView.description ?? "" });
  if (query !== undefined) await tree.filter(query);
}
