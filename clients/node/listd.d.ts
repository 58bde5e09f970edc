// The types of the client. The shapes of the protocol are in protocol.d.ts.

import type {
  Capabilities, Change, Difference, Edit, FedList, Feed, Format, ID, Item, ItemKey, ItemRef, Listed, ListSelection, ListText, Located,
  Methods, Notifications, PatchOp, Path, Range, RequestID, RowContent, RowSection, RowWindow, Section, SectionOwn,
  Selected, SelectionOp, Snapshot, SnapshotRef, State, TextEdit, TextState, View, ViewNumbers, WholeList,
} from "./protocol.js";
import type { Effect, ListView } from "./view.js";

export * from "./protocol.js";
export { applyOps, applySelection, applyStages, pathsOf } from "./stages.js";

/** The options of all requests. An aborted `signal` cancels the request and rejects with its reason. */
export interface RequestOptions {
  signal?: AbortSignal;
  /** Milliseconds; 0 for no limit. */
  timeout?: number;
}
type ApplyParams = Methods["applySnapshot"]["params"];
type ComposeParams = Methods["compose"]["params"];
type SubscribeParams = Methods["subscribe"]["params"];
export interface ChangeOptions<F extends Format = Format> extends RequestOptions,
  Pick<ApplyParams, "baseRevision" | "content" | "moves" | "maxOps" | "selected" | "cursor" | "cursorPolicy"> {
  format?: F;
}
/** The options of `apply`, `set` and `edit`; by default, the key is that of the list. */
export type KeyOptions = Pick<ApplyParams, "key">;
/** The options of `apply` and `compose`. */
export interface LatestOptions {
  /** A later request for the list with `latest` cancels this one; its promise is rejected. */
  latest?: boolean;
}
/** The options of the edits of an outline. */
export interface OutlineOptions extends RequestOptions {
  format?: Format;
}
/** The options of `expand` and `collapse`. */
export interface DeepOptions {
  /** Whether to include all items below the given ones. */
  deep?: boolean;
}
export interface DiffOptions extends RequestOptions,
  Pick<Methods["diff"]["params"], "key" | "format" | "content" | "moves" | "maxOps"> {}
export interface SnapshotOptions extends RequestOptions, Pick<Methods["getSnapshot"]["params"], "revision" | "members"> {}
export interface ViewOptions extends Pick<SubscribeParams, "members"> {
  signal?: AbortSignal;
}
export interface FollowOptions extends ViewOptions, Pick<SubscribeParams, "format" | "content" | "moves" | "since"> {}
export interface DaemonOptions {
  /** The time limit for a reply in milliseconds, 30,000 by default; 0 for no limit. */
  timeout?: number;
  /** Gets the daemon's messages for people. By default they are process warnings. */
  onMessage?: (message: string, type: number) => void;
}
export interface AttachOptions extends DaemonOptions {
  /** A file for all messages, in the form of `listd --record`. */
  record?: string | { write(line: string): unknown };
}
export interface ConnectOptions extends AttachOptions {
  /** Whether to start a daemon with the options `args` if none listens there. */
  start?: boolean;
  args?: readonly string[];
}
export interface SpawnOptions extends AttachOptions {
  program?: string;
  args?: readonly string[];
}

export interface ReadableLike {
  on(event: "data", listener: (data: Uint8Array) => void): unknown;
  on(event: string, listener: (...values: any[]) => void): unknown;
  once(event: string, listener: (...values: any[]) => void): unknown;
}
export interface WritableLike {
  write(data: Uint8Array): unknown;
  end(): unknown;
  on(event: string, listener: (...values: any[]) => void): unknown;
}
/** The part of a `MessageConnection` of vscode-jsonrpc that is used. */
export interface MessageConnectionLike {
  sendRequest(method: string, ...params: any[]): Promise<any>;
  sendNotification(method: string, ...params: any[]): Promise<void> | void;
  onNotification(handler: (method: string, params: any) => void): unknown;
  onClose(handler: () => void): unknown;
}

/** Starts a daemon: `program`, or the one that `find` returns. */
export function spawn(options?: SpawnOptions): Promise<Daemon>;
/** Connects to the daemon that listens at a path, by default the path in `LISTD_SOCKET`, or that of the user. */
export function connect(path?: string, options?: ConnectOptions): Promise<Daemon>;
/** Connects to a running daemon through two byte streams. */
export function attach(readable: ReadableLike, writable: WritableLike, options?: AttachOptions): Promise<Daemon>;
/** Connects to a daemon through a vscode-jsonrpc connection that already listens. */
export function fromConnection(connection: MessageConnectionLike, options?: DaemonOptions): Promise<Daemon>;
/** The path of the daemon. */
export function find(): string;

/** A connection to a daemon. */
export class Daemon {
  private constructor();
  readonly capabilities: Partial<Capabilities>;
  readonly version: string;
  /** Whether the daemon has all of the given methods, formats and features. */
  supports(...names: string[]): boolean;
  /** The result of any method. */
  request<M extends keyof Methods>(method: M, params: Methods[M]["params"], options?: RequestOptions): Promise<Methods[M]["result"]>;
  request(method: string, params?: object, options?: RequestOptions): Promise<any>;
  notify(method: string, params?: object): void;
  /** A list, which need not exist yet. */
  list(name: string, options?: KeyOptions): List;
  lists(options?: RequestOptions): Promise<Listed[]>;
  /** The difference between two snapshots. */
  diff(from: Iterable<ItemLike> | SnapshotRef, to: Iterable<ItemLike> | SnapshotRef, options?: DiffOptions): Promise<Difference>;
  registerTemplates(templates: { [name: string]: string }, options?: RequestOptions): Promise<void>;
  /** Lets the daemon finish pending requests and waits for its end, at most `timeout` ms. */
  close(timeout?: number): Promise<void>;
  /** Closes the daemon at the end of a block with `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

declare global {
  // As in the types of Node, for versions of TypeScript that do not have it.
  interface SymbolConstructor { readonly asyncDispose: unique symbol }
  // For programs without the types of Node and of pages.
  interface AbortSignal {}
}

/** What is sent as an item: also an object of a class or an interface. */
export type ItemLike = string | number | object;
/** What is sent as a section. */
export interface SectionLike extends SectionOwn { items: readonly ItemLike[] }
/** An edit, whose items may be objects of a class or an interface. */
export type EditLike = Widened<Edit>;
type Widened<E> = E extends { edit: "appendItems" | "putItems" | "insertItems" | "updateItems" }
  ? Omit<E, "items"> & { items: readonly ItemLike[] } : E;
export type Content =
  | Iterable<ItemLike> | { items: readonly ItemLike[] } | { sections: readonly SectionLike[] }
  | { snapshot: SnapshotRef };
export type SelectParams = Omit<Methods["select"]["params"], "list" | "format">;
export type LocateParams = Omit<Methods["locate"]["params"], "list">;

/** The news of a subscription. */
export type News =
  | ({ kind: "snapshot"; list: string; revision: number; snapshot: { sections: Section[] } } & State & Partial<ListText>)
  | ({ kind: "change"; request?: RequestID } & Change)
  | ({ kind: "select"; list: string; request?: RequestID; ops?: SelectionOp[]; textEdits?: TextEdit[] } & State & TextState)
  | ({ kind: "expand" } & Notifications["didExpand"])
  | ({ kind: "feed" } & Notifications["didFeed"])
  | { kind: "remove"; list: string };

/** A list of a daemon. */
export class List {
  private constructor();
  readonly daemon: Daemon;
  readonly name: string;
  /** The members that identify items without `id`. */
  readonly key: ItemKey | undefined;
  /** Sends the present content of the list. */
  apply(content: Content, options?: ChangeOptions & KeyOptions & LatestOptions): Promise<Change>;
  /** Like `apply`, but a newer call cancels earlier ones that were not performed yet. Their promises are
      fulfilled with `null`. */
  set(content: Content, options?: ChangeOptions & KeyOptions): Promise<Change | null>;
  /** Performs edits, in order, as one change. */
  edit(edits: EditLike | readonly EditLike[], options?: ChangeOptions & KeyOptions): Promise<Change>;
  /** Makes the list a composite of the sections of other lists, or a view of their items. If the sources are
      `null`, it keeps its present ones. */
  compose(sources: readonly string[] | null, options?: ChangeOptions & LatestOptions & Pick<ComposeParams, "temporary"> & { view?: View | null }): Promise<Change>;
  /** Expands items of an outline, by reference. */
  expand(items: Iterable<ItemRef>, options?: OutlineOptions & DeepOptions): Promise<Change>;
  collapse(items: Iterable<ItemRef>, options?: OutlineOptions & DeepOptions): Promise<Change>;
  /** Expands all items above the given items of an outline. */
  reveal(items: Iterable<ItemRef>, options?: OutlineOptions): Promise<Change>;
  /** Expands all items of an outline that have children. */
  expandAll(options?: OutlineOptions): Promise<Change>;
  collapseAll(options?: OutlineOptions): Promise<Change>;
  select(params: SelectParams, options?: RequestOptions & { format?: "ops" | "textEdits" | "none" }): Promise<Selected>;
  selection(options?: RequestOptions): Promise<ListSelection>;
  snapshot(options: SnapshotOptions & { window: { start: number; count: number } }): Promise<RowWindow>;
  snapshot(options?: SnapshotOptions): Promise<WholeList>;
  locate(params: LocateParams, options?: RequestOptions): Promise<Located>;
  /** Lets the daemon fill the list and keep it up to date; `null` ends that. */
  feed(from: Feed | null, options?: RequestOptions & Omit<Methods["feed"]["params"], "list" | "from">): Promise<FedList>;
  text(options?: RequestOptions): Promise<ListText>;
  remove(options?: RequestOptions): Promise<void>;
  /** The news of the list, beginning with its present content, or with the change since `since`. */
  changes(options?: FollowOptions): AsyncIterableIterator<News>;
  /** A copy of the list that is kept up to date. */
  mirror(options?: FollowOptions): Promise<LiveMirror>;
  /** All rows of the list as objects that remain the same, for views. */
  view(options: ViewOptions & { window: "all"; view?: undefined }): Promise<LiveView>;
  /** A window of the rows, which can be moved, enlarged, filtered and sorted. */
  view(options?: WindowOptions): Promise<WindowView>;
}
type WindowStart = NonNullable<NonNullable<View["window"]>["start"]>;
export interface WindowOptions extends ViewOptions {
  /** The number of rows, 200 by default, and the first of them; or all rows of the `view`. */
  window?: number | { start?: WindowStart; count: number } | "all";
  /** The filter and the order; `selection` is "source" by default. */
  view?: Omit<View, "window">;
}

/** A copy of a list, maintained by applying its news in any format. */
export class Mirror {
  revision: number;
  readonly sections: RowSection[];
  document: { sections: Section[] } | null;
  selection: Range[];
  cursor: Path | null;
  text: string;
  textRevision: number | null;
  cursorLine: number | null;
  /** The numbers of a view, if the list is one. */
  view: ViewNumbers | undefined;
  /** Applies news. Throws `OutOfStep` if they do not follow the mirror's revision. */
  take(news: News | Change | WholeList | ListText): void;
}
export interface Following {
  /** Fulfilled when the subscription ends; rejected if the daemon ends. */
  readonly ended: Promise<void>;
  close(): Promise<unknown>;
}
export interface LiveMirror extends Mirror, Following {
  /** Calls `listener` with all news. Returns a function that stops this. */
  listen(listener: (news: News) => void): () => void;
}

export type { Effect, Row as ViewRow, Section as ViewSection } from "./view.js";
export interface LiveView extends ListView, Following {
  readonly list: List;
  /** The list that has the rows: `list`, or the one of a window. */
  readonly shown: List;
  select(params: SelectParams): Promise<Selected>;
  edit(edits: readonly EditLike[]): Promise<Change>;
  listen(listener: (news: News, effect: Effect | undefined) => void): () => void;
}
/** A window of a list. When a promise is fulfilled, the view shows the result. */
export interface WindowView extends LiveView {
  /** The window that was asked for last; `undefined` for all rows. */
  readonly window: { start: WindowStart; count: number } | undefined;
  /** Moves the window, or changes its size. Returns whether no later call has overtaken this one. */
  scroll(start: WindowStart, count?: number): Promise<boolean>;
  /** Enlarges the window at its end. */
  grow(count: number): Promise<boolean>;
  /** Shows the list with other members of the definition, such as `match`, from the start. */
  show(view: Omit<View, "window">): Promise<boolean>;
}

export function applyPatch<T>(document: T, patch: readonly PatchOp[]): T;
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string;
export function inRows(sections: readonly Section[]): RowSection[];
export function rowsOf(item: Item): RowContent[];
/** The identifier of a row's item; `key` names the members that identify it if it has no `id`. */
export function idOf(row: RowContent, key?: ItemKey): ID | undefined;
export function itemOf(row: RowContent): Item | { [content: string]: unknown };
export function memberOf(row: RowContent, name: string): unknown;
export function textOf(row: unknown): string;

export class ListdError extends Error {}
export class DaemonNotFound extends ListdError {}
export class VersionMismatch extends ListdError {}
export class DaemonGone extends ListdError {
  readonly exitCode: number | string | null;
  readonly stderr: string;
}
export class Closed extends ListdError {}
export class TimedOut extends ListdError {}
export class OutOfStep extends ListdError {}
export class UnsafeNumber extends ListdError {}
/** An error reply of the daemon. */
export class Refused extends ListdError {
  readonly code: number;
  readonly reason: keyof typeof codes | undefined;
  readonly data: { readonly [member: string]: any };
}
export const codes: Readonly<Record<
  | "parseError" | "invalidRequest" | "methodNotFound" | "invalidParams" | "internalError"
  | "requestCancelled" | "listNotFound" | "revisionNotFound" | "staleRevision"
  | "duplicateIdentifier" | "itemNotFound" | "sectionNotFound" | "readOnlyList"
  | "messageTooLarge" | "notSelectable" | "compositionCycle" | "journalFailed"
  | "compositeTooLarge" | "notAllowed" | "feedFailed",
  number
>>;
