// Programs that `tsc --strict` must accept, and lines that it must reject.

import {
  applyStages, codes, idOf, Mirror, Refused, spawn, type Change, type News, type RowContent,
} from "../../../clients/node/listd.js";
import { grouped, perform } from "../../../clients/node/stages.js";
import { TerminalList } from "../../../clients/node/terminal.js";
import {
  bindQuickPick, createListTree, ListTreeDataProvider, quickPick,
  type PickingVSCodeLike, type QuickPickLike, type TreeVSCodeLike, type VSCodeLike,
} from "../../../clients/node/vscode.js";

export async function pick(vscode: PickingVSCodeLike & TreeVSCodeLike): Promise<void> {
  const daemon = await spawn();
  const one: RowContent | undefined = await quickPick(vscode, daemon, "l");
  const many: RowContent[] | undefined = await quickPick(vscode, daemon, "l", { canSelectMany: true, view: { sort: [] } });
  // @ts-expect-error The pick has its own match.
  await quickPick(vscode, daemon, "l", { view: { match: { query: "a" } } });
  const tree = await createListTree(vscode, daemon, "l", { viewId: "v", view: { tree: { parent: "up" } } });
  const window = await daemon.list("l").view({ window: { start: 5, count: 100 }, view: { sort: [{ by: "id" }] } });
  const moved: boolean = await window.scroll({ item: window.references(window.selectedRows)[0] ?? 1, before: 2 }) && await window.grow(20);
  await (await daemon.list("l").view()).show({ match: { query: "a" } });
  await (await daemon.list("l").view({ window: "all", view: { sort: [{ by: "id" }] } })).show({ sort: [] });
  // @ts-expect-error The whole list has no window to move.
  (await daemon.list("l").view({ window: "all" })).scroll(10);
  tree.dispose();
  console.log(one, many, moved);
}

interface Mail { id: number; text: string }
class Note {
  constructor(readonly id: string, readonly body: string) {}
}

export async function send(mails: Mail[], notes: readonly Note[]): Promise<void> {
  const daemon = await spawn(), inbox = daemon.list("inbox");
  await inbox.apply(mails);
  await inbox.apply(new Set(notes));
  await inbox.apply({ sections: [{ id: "a", header: "A", items: mails }] });
  await inbox.set({ items: notes });
  await inbox.edit([{ edit: "appendItems", items: mails }, { edit: "insertItems", items: notes, before: 1 }]);
  await daemon.diff(mails, notes, { key: ["id", "text"], content: "both", moves: false });
  const keyed = daemon.list("keyed", { key: "meta.name" });
  await keyed.edit({ edit: "putItems", items: mails }, { key: "id", content: "both" });
  await keyed.snapshot({ members: ["text"] });
  await keyed.view({ window: 10, members: ["text"] });
  for await (const news of keyed.changes({ content: "both", moves: false, members: ["text"] })) {
    if (news.kind !== "change") continue;
    for (const op of news.stages?.flat() ?? []) {
      // @ts-expect-error An insert has no old contents.
      if (op.op === "insertItems") console.log(op.old);
      if (op.op === "deleteItems") console.log(op.old?.map((row) => idOf(row, keyed.key)));
    }
  }
  // @ts-expect-error Nothing is between the new contents and both.
  await inbox.apply(mails, { content: "old" });
  // @ts-expect-error A function is not sent.
  await inbox.apply(mails, { key: (mail: Mail) => mail.id });
  // @ts-expect-error The edit has no items.
  await inbox.edit({ edit: "updateItems" });
  await daemon[Symbol.asyncDispose]();
}

export async function use(signal: AbortSignal, vscode: VSCodeLike, quickPick: QuickPickLike): Promise<void> {
  const daemon = await spawn({ args: ["--self-check"], timeout: 1000 });
  const inbox = daemon.list("inbox");
  const change: Change = await inbox.apply(["Anna", { id: 1, text: "Ben" }], { content: true, signal });
  for (const stage of change.stages ?? []) {
    for (const op of stage) {
      if (op.op === "moveItems") console.log(op.from[0] + op.to[1]);
      // @ts-expect-error A delete has no items.
      if (op.op === "deleteItems") console.log(op.items);
    }
  }
  const superseded: Change | null = await inbox.set({ sections: [{ id: "a", items: [] }] });
  await inbox.compose(["a"], { view: { where: { member: "n", from: 1 }, sort: [{ by: "n", order: "descending" }] } });
  await inbox.compose(null, { latest: true, view: { tree: { parent: "up", open: 1 } } });
  await inbox.expand(["a", { path: [0, 1] }], { deep: true, format: "none" });
  // @ts-expect-error `deep` would have no effect on all items.
  await inbox.expandAll({ deep: true });
  // @ts-expect-error The sort of a view is not a string.
  await inbox.compose(null, { view: { sort: "n" } });
  await inbox.edit({ edit: "moveItems", items: [{ path: [0, 1] }], before: "Anna" });
  // @ts-expect-error The name of the edit is unknown.
  await inbox.edit({ edit: "moveItem", items: [1], before: 2 });
  // @ts-expect-error The content of a list is not a reference.
  await inbox.apply({ list: "a" });
  const window = await inbox.snapshot({ window: { start: 0, count: 10 } });
  const total: number = window.total;
  const mirror = new Mirror();
  for await (const news of inbox.changes({ format: "ops", signal })) {
    mirror.take(news);
    if (news.kind === "change") console.log(news.revision);
    if (news.kind === "expand") console.log(news.items.length);
    // @ts-expect-error A removal has no revision.
    if (news.kind === "remove") console.log(news.revision);
  }
  try {
    await inbox.remove();
  } catch (error) {
    if (error instanceof Refused && error.code === codes.listNotFound) console.log(error.data, error.reason);
  }
  const view = await inbox.view();
  new ListTreeDataProvider(vscode, view, { treeItem: (content: RowContent) => ({ tooltip: String(content) }) });
  bindQuickPick(vscode as any, quickPick, view).dispose();
  const accepted: RowContent | null = await new TerminalList(view).start().accepted;
  const groups = grouped<string, number>([], { row: () => 1, section: (own) => String(own.id) });
  perform(groups, change.stages ?? [], { row: () => 1, section: (own) => String(own.id) });
  const first: number | undefined = groups[0]?.items[0];
  console.log(superseded, total, accepted, first, applyStages([], []), {} as News);
  await daemon.close();
}
