// Lists in React, in a page (`bridge.list(name)`) and in Node (`await daemon.list(name).view()`).

import { useSyncExternalStore } from "react";

/** The rows that a view shows, by section: `[{ own, rows: [{ key, content, selected, row }] }]`. Rows that have not
    changed are the same objects, with the same keys, so that memoized components are not rendered again. */
export function useList(view) {
  const store = storeOf(view);
  return useSyncExternalStore(store.subscribe, store.read, store.read);
}

const stores = new WeakMap(), shown = new WeakMap(); // By view, and by row.
let lastKey = 0;

function storeOf(view) {
  if (!stores.has(view)) {
    let state = null;
    const read = () => (state ??= view.groups.map(({ section, items }) => ({ own: section.own, rows: items.map(shownOf) })));
    const listeners = new Set();
    view.listen(() => {
      state = null;
      for (const changed of [...listeners]) changed();
    });
    const subscribe = (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    };
    stores.set(view, { subscribe, read });
  }
  return stores.get(view);
}

function shownOf(row) {
  const before = shown.get(row), { content, selected } = row;
  if (before && before.content === content && before.selected === selected) return before;
  const now = Object.freeze({ key: before?.key ?? String(++lastKey), content, selected, row });
  shown.set(row, now);
  return now;
}
