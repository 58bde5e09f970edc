// The library vscode-jsonrpc, which VS Code and its extensions use. It is taken from the PyPI package
// basedpyright, which bundles it, because this repository uses no npm packages.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env } from "node:process";
import { fileURLToPath } from "node:url";

const PYTHON = fileURLToPath(new URL("../../../.venv/lib/", import.meta.url));
const BUNDLE = "site-packages/basedpyright/dist/pyright-langserver.js";
const MODULE = /^"[^"]*\/node_modules\/(?<name>[^/"]+)\/[^"]*"\(/; // The first line of a module.
const require = createRequire(import.meta.url);

/** The exports of `vscode-jsonrpc/node`, or `null` if it is not found. `LISTD_VSCODE_JSONRPC` names another copy. */
export function vscodeJSONRPC() {
  if (env.LISTD_VSCODE_JSONRPC) return require(env.LISTD_VSCODE_JSONRPC);
  const versions = existsSync(PYTHON) ? readdirSync(PYTHON) : [];
  const bundle = versions.map((version) => join(PYTHON, version, BUNDLE)).find(existsSync);
  return bundle ? unbundled(readFileSync(bundle, "utf8")) : null;
}

function unbundled(text) {
  const lines = [];
  let isOurs = false;
  for (const line of text.split("\n")) {
    const found = MODULE.exec(line);
    if (found) isOurs = found.groups.name === "vscode-jsonrpc";
    if (isOurs) lines.push(line);
  }
  const program = `const modules = {\n${lines.join("\n")}\n};
const loaded = new Map();
function load(name) {
  if (!(name in modules)) return require(name);
  if (!loaded.has(name)) {
    const module = { exports: {} };
    loaded.set(name, module);
    modules[name].call(module.exports, module, module.exports, load);
  }
  return loaded.get(name).exports;
}
module.exports = load(Object.keys(modules).find((name) => name.endsWith("/lib/node/main.js")));
`;
  const folder = mkdtempSync(join(tmpdir(), "listd-stranger-"));
  try {
    const path = join(folder, "vscode-jsonrpc.cjs");
    writeFileSync(path, program);
    return require(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
