// A daemon's lists in a page.

import type {
  Change, Edit, ID, Item, ItemKey, Methods, RowContent, Selected,
} from "./protocol.js";
import { type Effect, ListView } from "./view.js";

export * from "./protocol.js";
export { DOMList, type DOMListOptions } from "./dom.js";
export { Scroller, type ScrollerOptions } from "./scroller.js";
export type { Effect, Row, Section as ViewSection } from "./view.js";

/** A connection to the bridge that served this page. */
export function connect(address?: string): Bridge;
export class Bridge extends EventTarget {
  constructor(address: string);
  /** A "status" event follows each change. */
  readonly status: "connecting" | "open" | "closed";
  /** A list that follows the daemon's list. */
  list(name: string, options?: { key?: ItemKey }): RemoteList;
  /** Calls a method of the daemon or an action of the program. Returns its result. */
  call<M extends keyof Methods>(method: M, params: Methods[M]["params"]): Promise<Methods[M]["result"]>;
  call(method: string, params?: object): Promise<any>;
  close(): void;
}
/** A list of the bridge. */
export class RemoteList extends ListView {
  constructor(bridge: Bridge, name: string);
  readonly bridge: Bridge;
  readonly name: string;
  /** Whether the rows are still shown when the daemon has lost the list, until it has it again. */
  keepsRows: boolean;
  /** Calls `listener` with all news and their effect. Returns a function that stops this. */
  listen(listener: (news: any, effect: Effect | undefined) => void): () => void;
  /** Changes the selection. */
  select(params: Omit<Methods["select"]["params"], "list" | "format">): Promise<Selected>;
  edit(edits: readonly Edit[]): Promise<Change>;
}

/** The identifier of a row's item; `key` names the members that identify it if it has no `id`. */
export function idOf(row: RowContent, key?: ItemKey): ID | undefined;
export function memberOf(row: RowContent, name: string): unknown;
export function itemOf(row: RowContent): Item | { [content: string]: unknown };
export function textOf(row: unknown): string;
