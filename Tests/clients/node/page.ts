// A page that `tsc --strict` must accept, and lines that it must reject.

import { connect, DOMList, idOf, memberOf, Scroller, textOf, type Effect, type Row } from "../../../clients/web/listd.js";
import { useList } from "../../../clients/node/react.js";
import type { LiveView } from "../../../clients/node/listd.js";

export async function show(element: HTMLElement, live: LiveView): Promise<void> {
  const bridge = connect("./"), inbox = bridge.list("inbox", { key: ["from", "number"] });
  const shown = new DOMList(element, inbox, {
    label: "Inbox", role: "listbox", activate: (row: Row) => bridge.call("archive", { id: memberOf(row.content, "id") }),
    templates: { Cell: (row, item, isNew) => { if (isNew) row.textContent = textOf(item); } },
  });
  console.log(idOf(inbox.rows[0]!.content, inbox.key));
  // @ts-expect-error There is no such role.
  new DOMList(element, inbox, { role: "button" });
  const scroller = new Scroller(element, bridge, "log", { rowHeight: 24, view: { sort: [{ by: "at" }] }, key: "at" });
  await scroller.show({ match: { query: "x" } });
  // @ts-expect-error The scroller has its own window.
  await scroller.show({ window: { count: 3 } });
  inbox.listen((_, effect: Effect | undefined) => console.log(effect?.deletedRows.size, inbox.selectedRows.length));
  const total: number | undefined = inbox.view?.total;
  const [section] = useList(inbox), [other] = useList(live);
  const keys: string[] = [...section.rows, ...other.rows].map(({ key }) => key);
  const { lists } = await bridge.call("getLists", {});
  console.log(shown.elementOf(inbox.rows[0]!)?.offsetTop, total, keys, lists[0]?.revision);
  bridge.addEventListener("status", () => { if (bridge.status === "closed") shown.stop(); });
}
