// What the adapters for VS Code share.

// Sends the user's selection. While a request is pending, the list lags behind the user.
export class Requests {
  pending = 0;

  constructor(view, settled) {
    Object.assign(this, { view, settled });
  }

  cursor(row) {
    const [cursor] = this.view.references([row]);
    if (cursor) this.#send({ cursor });
  }

  replace(rows) {
    const items = this.view.references(rows), cursor = items.at(-1);
    this.#send({ action: "replace", items, ...(cursor ? { cursor } : {}) });
  }

  // If a row was deleted meanwhile, the request fails, and the list's selection is shown again.
  async #send(params) {
    this.pending++;
    await this.view.select(params).catch(() => {});
    this.pending--;
    if (!this.pending) this.settled();
  }
}

/** Whether two arrays have the same members. */
export function sameMembers(some, others) {
  const all = new Set(others);
  return some.length === others.length && some.every((one) => all.has(one));
}

/** Calls `work` once for all calls of the returned function in one turn, such as those for the news of one read. */
export function together(work) {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    queueMicrotask(() => {
      isWaiting = false;
      work();
    });
  };
}
