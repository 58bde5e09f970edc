// The extension for VS Code, packed as a .vsix, unpacked, and run on a folder with a fake of VS Code.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { EventEmitter, QuickPick, TreeView, vscode } from "./fake-vscode.js";
import { folderFor, until } from "./support.js";

const PACK = fileURLToPath(new URL("../../../clients/install.d/vsix.py", import.meta.url));

/** The extension, unpacked: the one that LISTD_VSIX names, or the present one without a program. */
function unpackedFor(test) {
  const folder = folderFor(test), packed = process.env.LISTD_VSIX ?? join(folder, "listd.vsix");
  if (!process.env.LISTD_VSIX) execFileSync("python3", ["-B", PACK, packed]);
  // VS Code keeps the modes of files, which `zipfile` does not.
  execFileSync("python3", ["-m", "zipfile", "-e", packed, folder]);
  const extension = join(folder, "extension"), program = join(extension, "listd");
  if (existsSync(program)) chmodSync(program, 0o755);
  return extension;
}

/** The parts of VS Code that the extension uses, for a workspace folder. */
function fakeOf(root) {
  const made = { opened: [], errors: [], input: "", created: new EventEmitter(), deleted: new EventEmitter(), commands: new Map() };
  const uriOf = (path) => ({ fsPath: path, toString: () => pathToFileURL(path).href });
  const walk = (folder) => readdirSync(folder, { withFileTypes: true })
    .flatMap((one) => one.isDirectory() ? walk(join(folder, one.name)) : [uriOf(join(folder, one.name))]);
  const api = {
    ...vscode,
    FileType: { File: 1, Directory: 2 },
    Uri: { joinPath: (uri, ...names) => uriOf(join(uri.fsPath, ...names)) },
    commands: {
      registerCommand: (name, work) => { made.commands.set(name, work); return { dispose() {} }; },
      executeCommand: (name, uri) => { made.opened.push([name, relative(root, uri.fsPath)]); },
    },
    window: {
      createQuickPick: () => (made.pick = new QuickPick()),
      createTreeView: (id, { treeDataProvider }) => Object.assign((made.tree = new TreeView(treeDataProvider)), { id }),
      showInputBox: async () => made.input,
      showErrorMessage: (message) => { made.errors.push(message); },
    },
    workspace: {
      asRelativePath: (uri) => relative(root, uri.fsPath),
      createFileSystemWatcher: () => ({ onDidCreate: made.created.event, onDidDelete: made.deleted.event, dispose() {} }),
      findFiles: async () => walk(root),
      fs: { stat: async (uri) => ({ type: statSync(uri.fsPath).isDirectory() ? 2 : 1 }) },
      getConfiguration: () => ({ get: () => "" }),
    },
  };
  const write = (...paths) => {
    for (const path of paths) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), "");
    }
  };
  const create = (path) => { write(path); made.created.fire(uriOf(join(root, path))); };
  const remove = (path) => { rmSync(join(root, path), { recursive: true }); made.deleted.fire(uriOf(join(root, path))); };
  return { api, made, write, create, remove, run: (name) => made.commands.get(name)() };
}

/** Loads the extension, whose `require("vscode")` is the fake. */
function load(path, api) {
  const resolve = Module._resolveFilename;
  Module._resolveFilename = function (name, ...rest) { return name === "vscode" ? "vscode" : resolve.call(this, name, ...rest); };
  const require = createRequire(import.meta.url);
  require.cache.vscode = { id: "vscode", filename: "vscode", loaded: true, exports: api };
  try {
    return require(path);
  } finally {
    Module._resolveFilename = resolve;
  }
}

test("the extension finds files and shows them as a tree", async (t) => {
  const extensionPath = unpackedFor(t), root = folderFor(t), fake = fakeOf(root), { made } = fake;
  fake.write("README.md", "src/main.c", "src/util/read.c", "src/util/write.c", "docs/reading.md");
  const about = JSON.parse(readFileSync(join(extensionPath, "package.json"), "utf8"));
  const extension = load(join(extensionPath, about.main), fake.api);
  t.after(() => extension.deactivate());
  await extension.activate({ extensionPath, subscriptions: [] });
  assert.deepEqual([[...made.commands.keys()].sort(), made.errors], [about.contributes.commands.map(({ command }) => command).sort(), []]);
  assert.equal(made.tree.id, about.contributes.views.explorer[0].id);
  assert.deepEqual(made.tree.labels(), ["docs", "src", "README.md"]);
  made.tree.toggle("src");
  await until(() => made.tree.labels().join() === "docs,src,util,main.c,README.md", "the files of a folder");
  const { command, resourceUri } = made.tree.provider.getTreeItem(made.tree.find("main.c"));
  assert.deepEqual([command.command, relative(root, resourceUri.fsPath)], ["vscode.open", "src/main.c"]);

  const done = fake.run("listd.findFile");
  await until(() => made.pick?.isShown, "the pick");
  assert.deepEqual([made.pick.title, made.pick.items.length], ["Files: 5 of 8", 5]);
  made.pick.type("srcrea");
  await until(() => made.pick.items.length === 1, "the match");
  const [{ label, description }] = made.pick.items;
  assert.deepEqual([label, description, made.pick.seen().length], ["read.c", "src/util", 1]);
  made.pick.accept();
  await done;
  assert.deepEqual(made.opened, [["vscode.open", "src/util/read.c"]]);

  fake.create("src/util/new/deep.c");
  fake.create("zoo");
  await until(() => made.tree.labels().at(-1) === "zoo", "the new file");
  fake.remove("src");
  await until(() => made.tree.labels().join() === "docs,README.md,zoo", "the deleted folder");
  made.input = "reading";
  await fake.run("listd.filterFiles");
  await until(() => made.tree.labels().join() === "docs,reading.md", "the match below its folder");
  await fake.run("listd.showAllFiles");
  await until(() => made.tree.labels().includes("zoo"), "all files");
  assert.deepEqual(made.errors, []);
});

test("the extension starts another daemon if its own has ended", async (t) => {
  const extensionPath = unpackedFor(t), root = folderFor(t), fake = fakeOf(root), { made } = fake;
  fake.write("a.txt", "b.txt");
  const extension = load(join(extensionPath, "extension.js"), fake.api);
  t.after(() => extension.deactivate());
  await extension.activate({ extensionPath, subscriptions: [] });
  const first = made.tree;
  const pids = execFileSync("pgrep", ["-P", process.pid, "listd"]).toString().trim().split("\n");
  process.kill(Math.max(...pids.map(Number)), "SIGKILL");
  await until(() => first.isDisposed, "the end of the tree");
  const done = fake.run("listd.findFile");
  await until(() => made.pick?.isShown, "the pick");
  assert.notEqual(made.tree, first);
  assert.deepEqual(made.tree.labels(), ["a.txt", "b.txt"]);
  made.pick.hide();
  await done;
  assert.deepEqual([made.opened, made.errors], [[], []]);
});

test("the package of the extension names what it has", (t) => {
  const extensionPath = unpackedFor(t);
  const { contributes, main, version } = JSON.parse(readFileSync(join(extensionPath, "package.json"), "utf8"));
  const manifest = readFileSync(join(extensionPath, "../extension.vsixmanifest"), "utf8");
  assert.ok(existsSync(join(extensionPath, main)) && manifest.includes(`Version="${version}"`));
  assert.equal(version, readFileSync(new URL("../../../Sources/ListServer/version.txt", import.meta.url), "utf8").trim());
  const known = contributes.commands.map(({ command }) => command);
  for (const { command, when } of contributes.menus["view/title"]) {
    assert.ok(known.includes(command) && when === `view == ${contributes.views.explorer[0].id}`);
  }
  for (const [, path] of manifest.matchAll(/Path="([^"]+)"/g)) assert.ok(existsSync(join(extensionPath, "..", path)), path);
});
