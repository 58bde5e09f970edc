// The types: they accept correct programs, and match the exports.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ts = createRequire(import.meta.url)("/usr/share/nodejs/typescript/lib/typescript.js");
const CLIENT = fileURLToPath(new URL("../../../clients/node/", import.meta.url));
const options = {
  strict: true, noEmit: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022,
  moduleResolution: ts.ModuleResolutionKind.NodeJs, lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
};

test("tsc --strict accepts correct programs and rejects others", () => {
  const files = ["types.ts", "page.ts"].map((name) => fileURLToPath(new URL(name, import.meta.url)));
  const program = ts.createProgram(files, options);
  const found = ts.getPreEmitDiagnostics(program).map((one) =>
    `${one.file?.fileName}:${one.start}: ${ts.flattenDiagnosticMessageText(one.messageText, "\n")}`);
  assert.deepEqual(found, []);
});

test("the declarations need neither the types of Node nor of pages", () => {
  const files = ["listd", "stages", "vscode", "terminal", "view", "react"].map((name) => `${CLIENT}${name}.d.ts`);
  const program = ts.createProgram(files, { ...options, lib: ["lib.es2022.d.ts"], types: [] });
  const found = ts.getPreEmitDiagnostics(program).map((one) => ts.flattenDiagnosticMessageText(one.messageText, "\n"));
  assert.deepEqual(found, []);
});

test("what listd --schema prints is valid TypeScript", () => {
  const shapes = readFileSync(`${CLIENT}../../Sources/ListServer/shapes.txt`, "utf8").replaceAll(/^= .*\n/gm, "");
  assert.ok(shapes.length > 20_000);
  const name = "/shapes.ts", text = `${shapes}export {};\n`;
  const host = ts.createCompilerHost(options), read = host.getSourceFile;
  host.getSourceFile = (file, ...rest) => file === name ? ts.createSourceFile(file, text, options.target) : read(file, ...rest);
  const program = ts.createProgram([name], options, host);
  const found = ts.getPreEmitDiagnostics(program).map((one) =>
    `${text.slice(0, one.start).split("\n").length}: ${ts.flattenDiagnosticMessageText(one.messageText, "\n")}`);
  assert.deepEqual(found, []);
});

test("the program for VS Code in the README type-checks", () => {
  const page = readFileSync(`${CLIENT}README.md`, "utf8"), [, code] = /^```ts\n(.*?)^```$/ms.exec(page);
  const name = `${CLIENT}extension.ts`, text = `${code.replaceAll('"listd/', '"./')
    .replace(/^import \* as vscode.*$/m, "")}
import type { Daemon } from "./listd.js";
import type { PickingVSCodeLike, TreeVSCodeLike } from "./vscode.js";
declare const vscode: PickingVSCodeLike & TreeVSCodeLike, files: { id: string; up?: string }[];
declare const daemon: Daemon;
`;
  const host = ts.createCompilerHost(options), read = host.getSourceFile;
  host.getSourceFile = (file, ...rest) => file === name ? ts.createSourceFile(file, text, options.target) : read(file, ...rest);
  const found = ts.getPreEmitDiagnostics(ts.createProgram([name], { ...options, module: ts.ModuleKind.ESNext }, host))
    .map((one) => `${text.slice(0, one.start).split("\n").length}: ${ts.flattenDiagnosticMessageText(one.messageText, "\n")}`);
  assert.deepEqual(found, []);
});

const MODULES = [
  ...["listd", "stages", "vscode", "terminal", "view"].map((name) => `node/${name}`),
  ...["listd", "dom", "scroller", "stages", "view"].map((name) => `web/${name}`),
];

test("declarations match exports and class members", async () => {
  const files = MODULES.map((name) => `${CLIENT}../${name}.d.ts`);
  const program = ts.createProgram(files, options), checker = program.getTypeChecker();
  for (const [index, file] of files.entries()) {
    const module = await import(`../../../clients/${MODULES[index]}.js`);
    const isTypeOnly = (one) => ts.isExportSpecifier(one) && (one.isTypeOnly || one.parent.parent.isTypeOnly);
    const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)))
      .filter(({ declarations }) => !declarations?.some(isTypeOnly))
      .map((symbol) => symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);
    const values = symbols.filter(({ flags }) => flags & ts.SymbolFlags.Value);
    assert.deepEqual(values.map(({ name }) => name).sort(), Object.keys(module).sort(), MODULES[index]);
    for (const symbol of values.filter(({ flags }) => flags & ts.SymbolFlags.Class)) {
      const { prototype } = module[symbol.name];
      for (const [name, member] of symbol.members) {
        const isMethod = member.flags & (ts.SymbolFlags.Method | ts.SymbolFlags.Accessor);
        if (isMethod) assert.ok(name in prototype, `${symbol.name}.${name} is declared but does not exist`);
      }
      // What the modules of pages use among each other is not declared.
      if (MODULES[index].startsWith("web/")) continue;
      const known = new Set(checker.getDeclaredTypeOfSymbol(symbol).getProperties().map(({ name }) => name));
      const own = Object.getOwnPropertyNames(prototype).filter((name) => !["constructor", "initialize", "atClose"].includes(name));
      assert.deepEqual(own.filter((name) => !known.has(name)), [], `${symbol.name} has undeclared members`);
    }
  }
});

test("the package has the version of the daemon", () => {
  const version = readFileSync(`${CLIENT}../../Sources/ListServer/version.txt`, "utf8").trim();
  assert.equal(JSON.parse(readFileSync(`${CLIENT}package.json`, "utf8")).version, version);
});

test("the programs of the README run", async () => {
  const page = readFileSync(`${CLIENT}README.md`, "utf8");
  const programs = [...page.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code);
  assert.ok(programs.length >= 2);
  for (const code of programs) {
    const here = code.replaceAll('from "listd"', `from "${CLIENT}listd.js"`);
    execFileSync(process.execPath, ["--input-type=module", "-e", here], { timeout: 30_000 });
  }
});
