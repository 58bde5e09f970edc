// The list in a terminal, checked with a small emulation of one.

import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";

import { TerminalList } from "../../../clients/node/terminal.js";
import { clip } from "../../../clients/node/width.js";
import { daemonFor, until } from "./support.js";

/** Applies the escape sequences that are used to a screen. `reversed` is the line of the cursor. */
class Screen extends PassThrough {
  rows = 6;
  columns = 20;
  lines = Array(6).fill("");
  written = [];
  reversed = null;

  _transform(data, encoding, done) {
    const text = this.last = data.toString();
    if (!/^\x1b\[\?/.test(text)) this.written.push(text);
    for (const [, row, style, content] of text.matchAll(/\x1b\[(\d+);1H(\x1b\[[17]m)?([^\x1b]*)\x1b\[0m\x1b\[K/g)) {
      this.lines[row - 1] = content;
      if (this.reversed === row - 1) this.reversed = null;
      if (style === "\x1b[7m") this.reversed = row - 1;
    }
    done();
  }
}

async function shown(t, content) {
  const daemon = await daemonFor(t), list = daemon.list("l");
  await list.apply(content);
  const view = await list.view(), input = new PassThrough(), output = new Screen();
  const terminal = new TerminalList(view, { input, output }).start();
  t.after(() => terminal.stop());
  return { daemon, list, view, input, output, terminal };
}

test("keys move the cursor, select and accept", async (t) => {
  const { input, output, view, terminal } = await shown(t, {
    sections: [{ id: 1, header: "Names", footer: "end", selectionMode: "multiple", items: ["Anna", "Ben", "Cleo"] }],
  });
  assert.deepEqual(output.lines, ["Names", "  Anna", "  Ben", "  Cleo", "end", ""]);
  input.write("jj");
  await until(() => view.cursor?.[1] === 1, "the cursor");
  assert.equal(output.reversed, 2);
  input.write(" ");
  await until(() => output.lines[2] === "* Ben", "the selection");
  input.write("\x1b[B");
  await until(() => view.cursor?.[1] === 2, "the arrow");
  input.write("g");
  await until(() => view.cursor?.[1] === 0, "the first");
  input.write("G\r");
  assert.equal(await terminal.accepted, "Cleo");
});

test("a change writes only changed lines, and the cursor keeps its row and its line", async (t) => {
  const names = Array.from({ length: 30 }, (_, id) => ({ id, text: `row ${id}` }));
  const { list, input, output, view } = await shown(t, names);
  for (let k = 0; k < 12; k++) input.write("j");
  await until(() => view.cursor?.[1] === 11, "the cursor");
  assert.deepEqual([output.lines[5], output.reversed], ["  row 11", 5]);
  output.written = [];
  await list.edit({ edit: "updateItems", items: [{ id: 10, text: "changed" }] });
  await until(() => output.lines[4] === "  changed", "the change");
  assert.deepEqual(output.written, ["\x1b[5;1H  changed\x1b[0m\x1b[K"]);
  await list.edit([{ edit: "insertItems", items: ["a", "b", "c"], before: 2 }, { edit: "deleteItems", items: [9] }]);
  await until(() => view.rows.length === 32);
  assert.deepEqual([output.lines[5], output.reversed, output.lines[3]], ["  row 11", 5, "  row 8"]);
  await list.edit({ edit: "deleteItems", items: [11] });
  await until(() => view.rows.length === 31);
  assert.deepEqual([output.lines[5], output.reversed], ["  row 12", 5]);
});

test("the cursor moves through a list that is longer than its window", async (t) => {
  const { list, input, output, view } = await shown(t, Array.from({ length: 3000 }, (_, id) => ({ id, text: `row ${id}` })));
  const cursor = () => view.at(view.cursor)?.content.id;
  await view.scroll(0, 40);
  input.write("j".repeat(51));
  await until(() => cursor() === 50, "a row beyond the window");
  assert.deepEqual([view.rows.length, output.lines[5], output.reversed], [40, "  row 50", 5]);
  input.write("\x1b[6~".repeat(9)); // page down
  await until(() => cursor() === 95, "the pages");
  assert.deepEqual([output.lines[5], output.lines[0]], ["  row 95", "  row 90"]);
  await list.edit({ edit: "deleteItems", items: [1, 2, 3] });
  await until(() => view.length === 2997, "the deletes");
  assert.deepEqual([output.lines[5], output.reversed], ["  row 95", 5]);
  input.write("k".repeat(60));
  await until(() => cursor() === 35, "a row before the window");
  assert.deepEqual([output.lines[0], output.reversed], ["  row 35", 0]);
  input.write("Gk");
  await until(() => cursor() === 2998, "the end");
  assert.deepEqual([output.lines[5], output.reversed], ["  row 2999", 4]);
  input.write("gj");
  await until(() => cursor() === 4, "the start");
  assert.deepEqual([output.lines[0], output.lines[1], output.reversed], ["  row 0", "  row 4", 1]);
});

test("an outline is indented, and arrows expand and collapse rows", async (t) => {
  const { daemon, list } = await shown(t, [{ id: "a" }, { id: "b", up: "a" }, { id: "c", up: "b" }, { id: "d" }]);
  const outline = daemon.list("outline"), input = new PassThrough(), output = new Screen();
  await outline.compose([list.name], { view: { tree: { parent: "up" } } });
  const terminal = new TerminalList(await outline.view(), { input, output }).start();
  t.after(() => terminal.stop());
  const lines = () => output.lines.filter(Boolean).join("|");
  assert.equal(lines(), "  > a|    d");
  input.write("j\x1b[C");
  await until(() => lines() === "  v a|    > b|    d", "the right arrow");
  input.write("jl");
  await until(() => lines() === "  v a|    v b|        c|    d", "another level");
  input.write("jh");
  await until(() => output.reversed === 1, "the left arrow moves to the parent");
  input.write("h");
  await until(() => lines() === "  v a|    > b|    d", "and collapses it");
});

test("texts are clipped by width, and control characters are escaped", async (t) => {
  const { output } = await shown(t, ["日本語日本語日本語日本語", "\x1b[31mb\nc", "e\u0301".repeat(30), ""]);
  assert.deepEqual(output.lines.slice(0, 4), [
    "  日本語日本語日本語", "  \\u001b[31mb\\u000ac", "  " + "e\u0301".repeat(18), "  ",
  ]);
  assert.equal(clip("\u007f\u0085", 20), "\\u007f\\u0085");
});

test("the terminal is restored when the connection is closed", async (t) => {
  const { daemon, terminal, output } = await shown(t, ["a"]);
  await daemon.close();
  assert.equal(await terminal.accepted, null);
  assert.ok(output.last.endsWith("\x1b[?1049l"));
});
