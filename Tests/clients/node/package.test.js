// The package as others use it: its files, bundles, types, and processes that end.
// Promise: The Node package runs as installed and as bundles of both kinds, its types are found, and processes that
//   await nothing end. Also `Tests/clients/node`.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { folderFor } from "./support.js";

const ts = createRequire(import.meta.url)("/usr/share/nodejs/typescript/lib/typescript.js");
const CLIENT = fileURLToPath(new URL("../../../clients/node/", import.meta.url));
const about = JSON.parse(readFileSync(join(CLIENT, "package.json"), "utf8"));

/** A folder in which the package is installed, with the files that it names. */
function projectFor(test) {
  const folder = folderFor(test);
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: CLIENT }).toString().trim().split("\n");
  const patterns = about.files.map((name) =>
    new RegExp(`^${name.replaceAll(".", "\\.").replaceAll("*", "[^/]*")}(/.*)?$`));
  for (const name of listed.filter((name) => name === "package.json" || patterns.some((one) => one.test(name)))) {
    const path = join(folder, "node_modules/listd", name);
    mkdirSync(dirname(path), { recursive: true });
    cpSync(join(CLIENT, name), path);
  }
  return folder;
}

const PROGRAM = `
import { spawn } from "listd";
import { applyStages } from "listd/stages";
import { bindQuickPick } from "listd/vscode";
import { TerminalList } from "listd/terminal";
async function main() {
  const daemon = await spawn();
  const change = await daemon.list("a").apply(["x"], { content: true });
  console.log(JSON.stringify(applyStages([], change.stages)), typeof bindQuickPick, typeof TerminalList);
}
main();
`;
const WANTED = '[{"id":"main","items":["x"]}] function function\n';

for (const format of ["esm", "cjs"]) {
  test(`a bundle of the format ${format} runs, and its process ends`, (t) => {
    const folder = projectFor(t), out = join(folder, format === "esm" ? "out.mjs" : "out.cjs");
    writeFileSync(join(folder, "in.js"), PROGRAM);
    const built = spawnSync("esbuild", ["in.js", "--bundle", "--platform=node", `--format=${format}`, `--outfile=${out}`], { cwd: folder });
    assert.equal(built.status, 0, built.stderr);
    assert.doesNotMatch(built.stderr.toString(), /WARNING/);
    assert.equal(execFileSync(process.execPath, [out], { timeout: 20_000 }).toString(), WANTED);
  });
}

test("the installed package runs and its types are found, also by older settings", (t) => {
  const folder = projectFor(t);
  writeFileSync(join(folder, "main.mjs"), PROGRAM);
  assert.equal(execFileSync(process.execPath, ["main.mjs"], { cwd: folder, timeout: 20_000 }).toString(), WANTED);
  writeFileSync(join(folder, "main.mts"), PROGRAM.replace("change.stages)", "change.stages ?? [])"));
  writeFileSync(join(folder, "older.ts"), PROGRAM.replace("change.stages)", "change.stages ?? [])"));
  const { ModuleKind, ModuleResolutionKind: Resolution } = ts;
  const settings = [
    ["main.mts", ModuleKind.NodeNext, Resolution.NodeNext], ["older.ts", ModuleKind.ES2022, Resolution.NodeJs],
  ];
  for (const [name, module, moduleResolution] of settings) {
    const options = { strict: true, noEmit: true, target: ts.ScriptTarget.ES2022, module, moduleResolution, types: [] };
    const found = ts.getPreEmitDiagnostics(ts.createProgram([join(folder, name)], options));
    assert.deepEqual(found.map((one) => ts.flattenDiagnosticMessageText(one.messageText, "\n")), []);
  }
});

test("every export of the package has its files", () => {
  for (const [name, target] of Object.entries(about.exports)) {
    for (const path of typeof target === "string" ? [target] : Object.values(target)) {
      assert.ok(existsSync(join(CLIENT, path)), `${name}: ${path}`);
    }
  }
});

const ENDS = {
  "after a request": `await daemon.list("a").apply(["x"]);`,
  "after an iteration": `for await (const news of daemon.list("a").changes()) break;`,
  "after a mirror that was closed": `const mirror = await daemon.list("a").mirror(); await mirror.close();`,
  "after the end of a block": `await daemon[Symbol.asyncDispose]();`,
  "after an error": `await daemon.list("a").text().catch(() => {});`,
};

for (const [when, code] of Object.entries(ENDS)) {
  test(`a process ends ${when}`, () => {
    const program = `import { spawn } from ${JSON.stringify(CLIENT + "listd.js")};
      const daemon = await spawn();
      ${code}
      console.log("done");`;
    const told = execFileSync(process.execPath, ["--input-type=module", "-e", program], { timeout: 20_000 });
    assert.equal(told.toString(), "done\n");
  });
}

test("a process continues while it follows a list", () => {
  const program = `import { spawn } from ${JSON.stringify(CLIENT + "listd.js")};
    const daemon = await spawn(), list = daemon.list("a");
    const timer = setTimeout(() => list.apply(["x"]), 50);
    for await (const news of list.changes()) {
      console.log(news.kind);
      if (news.kind === "change") break;
    }`;
  const told = execFileSync(process.execPath, ["--input-type=module", "-e", program], { timeout: 20_000 });
  assert.equal(told.toString(), "snapshot\nchange\n");
});
