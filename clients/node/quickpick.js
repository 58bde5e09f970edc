// A list in a QuickPick of VS Code.

import { memberOf, textOf } from "./rows.js";
import { Requests, sameMembers, together } from "./requests.js";

/** Shows a `LiveView` in a QuickPick. The active item, the checked items and the scroll position follow their
    rows while the list changes. */
export function bindQuickPick(vscode, quickPick, view, { item: itemOptions = () => ({}) } = {}) {
  const items = new WeakMap();
  let isChanged = false, isEnded = false;
  const itemFor = (row) => {
    if (!items.has(row)) items.set(row, {});
    const label = textOf(row.content), description = memberOf(row.content, "description");
    return Object.assign(items.get(row), { label, description, row }, itemOptions(row.content, row));
  };
  const show = () => {
    const shown = [];
    for (const { section, items: rows } of view.groups) {
      const { header } = section.own;
      if (header != null) {
        shown.push({ label: textOf(header), kind: vscode.QuickPickItemKind.Separator });
      }
      for (const row of rows) shown.push(itemFor(row));
    }
    // The order matters: setting items makes the first one active and scrolls to it.
    const { activeItems, selectedItems } = quickPick;
    quickPick.keepScrollPosition = true;
    quickPick.items = shown;
    mark(activeItems, selectedItems);
  };
  // While a reply is awaited, the user's last action counts.
  const mark = ([active] = quickPick.activeItems, chosen = quickPick.selectedItems) => {
    const shown = new Set(quickPick.items), row = view.at(view.cursor);
    const isOpen = requests.pending > 0 && shown.has(active);
    if (isOpen || row) quickPick.activeItems = [isOpen ? active : itemFor(row)];
    if (!quickPick.canSelectMany) return;
    quickPick.selectedItems = requests.pending
      ? chosen.filter((item) => shown.has(item))
      : view.rows.filter((one) => one.selected).map(itemFor);
  };
  const requests = new Requests(view, () => mark());
  const moved = quickPick.onDidChangeActive(([item]) => {
    if (item?.row && item.row !== view.at(view.cursor)) requests.cursor(item.row);
  });
  const checked = quickPick.onDidChangeSelection((chosen) => {
    const rows = chosen.map(({ row }) => row).filter(Boolean);
    if (quickPick.canSelectMany && !sameMembers(rows, view.rows.filter((row) => row.selected))) {
      requests.replace(rows);
    }
  });
  const refresh = together(() => {
    if (isEnded) return;
    if (isChanged) show();
    else mark();
    isChanged = false;
  });
  const stop = view.listen((_, effect) => {
    isChanged ||= Boolean(effect?.rearranged || effect?.updatedRows.size || effect?.updatedSections.size);
    refresh();
  });
  show();
  return { dispose: () => { isEnded = true; moved.dispose(); checked.dispose(); stop(); } };
}

const MORE = 200; // The number of rows that are added to a pick when the last one is active.

/**
 * Lets the user choose from a list of any length by a query in fzf's language. The daemon matches and ranks, and only
 * the best rows are in the pick. Returns the chosen row, an array of rows with `canSelectMany`, or `undefined`.
 *
 *     const file = await quickPick(vscode, daemon, "files", { members: ["name", "path"] });
 */
export async function quickPick(vscode, daemon, name, options = {}) {
  const { members = ["text"], view: definition = {}, title = name, value = "", item = () => ({}), signal, ...rest } = options;
  const shown = { selection: "own", selectionMode: rest.canSelectMany ? "multiple" : "single", sections: "merge", ...definition };
  const view = await daemon.list(name).view({ view: { ...shown, match: { query: value, members } } });
  const pick = vscode.window.createQuickPick();
  // VS Code would filter and sort the items again.
  Object.assign(pick, { sortByLabel: false, matchOnDescription: false, matchOnDetail: false, value, ...rest });
  const always = (content, row) => ({ ...item(content, row), alwaysShow: true });
  const number = () => {
    const { matched = 0, total = 0 } = view.view ?? {};
    pick.title = `${title}: ${matched.toLocaleString()} of ${total.toLocaleString()}`;
  };
  const parts = [bindQuickPick(vscode, pick, view, { item: always }), { dispose: view.listen(number) }];
  const chosen = await new Promise((resolve, reject) => {
    const row = (one) => one?.row?.content;
    const attempt = async (work) => {
      pick.busy = true;
      try {
        if (await work()) pick.busy = false;
      } catch (error) {
        reject(error);
      }
    };
    parts.push(
      pick.onDidChangeValue((query) => attempt(() => view.show({ match: { query, members } }))),
      pick.onDidChangeActive(([active]) => {
        if (active?.row === view.rows.at(-1) && view.window.count < view.length) attempt(() => view.grow(MORE));
      }),
      pick.onDidAccept(() => {
        resolve(rest.canSelectMany ? pick.selectedItems.map(row) : row(pick.activeItems[0] ?? pick.selectedItems[0]));
      }),
      pick.onDidHide(() => resolve(undefined)),
    );
    view.ended.then(() => resolve(undefined), reject);
    signal?.addEventListener("abort", () => reject(signal.reason));
    if (signal?.aborted) reject(signal.reason);
    number();
    pick.show();
  }).finally(() => {
    for (const part of parts) part.dispose();
    pick.dispose();
    view.close().catch(() => {});
  });
  return chosen;
}
