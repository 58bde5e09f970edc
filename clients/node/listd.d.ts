// The types of the client. Protocol shapes are in protocol.d.ts.

import type {
  Capabilities, Change, Difference, Edit, Format, Item, ItemRef, Listed, ListSelection, ListText, Located, Methods,
  Notifications, PatchOp, Path, Range, RequestID, RowContent, RowSection, RowWindow, Section, SectionOwn, Selected,
  SelectionOp, Snapshot, SnapshotRef, State, TextEdit, TextState, View, ViewNumbers, WholeList,
} from "./protocol.js";
import type { Group } from "./stages.js";

export * from "./protocol.js";
export { applyOps, applySelection, applyStages, pathsOf } from "./stages.js";

/** For every request. An aborted `signal` cancels it, and rejects with the signal's reason. */
export interface RequestOptions {
  signal?: AbortSignal;
  /** Milliseconds, 0 for any time. */
  timeout?: number;
}
type ApplyParams = Methods["applySnapshot"]["params"];
export interface ChangeOptions<F extends Format = Format> extends RequestOptions,
  Pick<ApplyParams, "baseRevision" | "content" | "maxOps" | "selected" | "cursor" | "cursorPolicy"> {
  format?: F;
}
/** Of `apply` and `compose`. */
export interface LatestOptions {
  /** A later request for the list with `latest` supersedes this one; its promise is rejected. */
  latest?: boolean;
}
/** Of the edits of an outline. */
export interface OutlineOptions extends RequestOptions {
  format?: Format;
}
/** Of `expand` and `collapse`. */
export interface DeepOptions {
  /** Also all below the items. */
  deep?: boolean;
}
export interface DiffOptions extends RequestOptions {
  format?: Format;
  content?: boolean;
  maxOps?: number;
}
export interface FollowOptions {
  signal?: AbortSignal;
  format?: Format;
  content?: boolean;
  since?: number;
}
export interface DaemonOptions {
  /** Milliseconds that an answer may take, 30,000 unless it is said; 0 for any time. */
  timeout?: number;
  /** Gets the daemon's messages for people. They are warnings of the process otherwise. */
  onMessage?: (message: string, type: number) => void;
}
export interface AttachOptions extends DaemonOptions {
  /** A file that all messages are written to, in the form of `listd --record`. */
  record?: string | { write(line: string): unknown };
}
export interface ConnectOptions extends AttachOptions {
  /** Start a daemon with the options `args` if none listens there. */
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
/** What is needed of a `MessageConnection` of vscode-jsonrpc. */
export interface MessageConnectionLike {
  sendRequest(method: string, ...params: any[]): Promise<any>;
  sendNotification(method: string, ...params: any[]): Promise<void> | void;
  onNotification(handler: (method: string, params: any) => void): unknown;
  onClose(handler: () => void): unknown;
}

/** Starts a daemon: `program`, or the one that `find` finds. */
export function spawn(options?: SpawnOptions): Promise<Daemon>;
/** Joins the daemon that listens at a path, by default the one that `LISTD_SOCKET` names. */
export function connect(path?: string, options?: ConnectOptions): Promise<Daemon>;
/** Speaks with a daemon that somebody else started, through two streams of bytes. */
export function attach(readable: ReadableLike, writable: WritableLike, options?: AttachOptions): Promise<Daemon>;
/** Speaks with a daemon through a connection of vscode-jsonrpc that listens already. */
export function fromConnection(connection: MessageConnectionLike, options?: DaemonOptions): Promise<Daemon>;
/** The daemon's path. */
export function find(): string;

/** A running listd. */
export class Daemon {
  private constructor();
  readonly capabilities: Partial<Capabilities>;
  readonly version: string;
  /** Whether the daemon has methods, formats and features. */
  supports(...names: string[]): boolean;
  /** The result of any method. */
  request<M extends keyof Methods>(method: M, params: Methods[M]["params"], options?: RequestOptions): Promise<Methods[M]["result"]>;
  request(method: string, params?: object, options?: RequestOptions): Promise<any>;
  notify(method: string, params?: object): void;
  /** A list, which need not exist yet. */
  list(name: string): List;
  lists(options?: RequestOptions): Promise<Listed[]>;
  /** The change from one snapshot to another. */
  diff(from: Iterable<Item> | SnapshotRef, to: Iterable<Item> | SnapshotRef, options?: DiffOptions): Promise<Difference>;
  registerTemplates(templates: { [name: string]: string }, options?: RequestOptions): Promise<void>;
  /** Lets the daemon finish what it was asked, and waits for its end, `timeout` ms at most. */
  close(timeout?: number): Promise<void>;
}

export type Content = Iterable<Item> | Snapshot | { snapshot: SnapshotRef };
export type SelectParams = Omit<Methods["select"]["params"], "list" | "format">;
export type LocateParams = Omit<Methods["locate"]["params"], "list">;

/** What a subscription tells. */
export type News =
  | ({ kind: "snapshot"; list: string; revision: number; snapshot: { sections: Section[] } } & State & Partial<ListText>)
  | ({ kind: "change"; request?: RequestID } & Change)
  | ({ kind: "select"; list: string; request?: RequestID; ops?: SelectionOp[]; textEdits?: TextEdit[] } & State & TextState)
  | ({ kind: "expand" } & Notifications["didExpand"])
  | { kind: "remove"; list: string };

/** One list of a daemon, by its name. */
export class List {
  private constructor();
  readonly daemon: Daemon;
  readonly name: string;
  /** Says what the list looks like now. */
  apply(content: Content, options?: ChangeOptions & LatestOptions): Promise<Change>;
  /** As `apply`, but only the last of several counts. The promises of those before it that were
      not served are `null`. */
  set(content: Content, options?: ChangeOptions): Promise<Change | null>;
  /** Makes edits, in order, as one change. */
  edit(edits: Edit | readonly Edit[], options?: ChangeOptions): Promise<Change>;
  /** Makes the list the sections of other lists, or a view of their items. Without sources it keeps
      those that it has. */
  compose(sources: readonly string[] | null, options?: ChangeOptions & LatestOptions & { view?: View | null }): Promise<Change>;
  /** Expands items of an outline, by their references. */
  expand(items: Iterable<ItemRef>, options?: OutlineOptions & DeepOptions): Promise<Change>;
  collapse(items: Iterable<ItemRef>, options?: OutlineOptions & DeepOptions): Promise<Change>;
  /** Expands all that is above items of an outline. */
  reveal(items: Iterable<ItemRef>, options?: OutlineOptions): Promise<Change>;
  /** Expands all items of an outline that have children. */
  expandAll(options?: OutlineOptions): Promise<Change>;
  collapseAll(options?: OutlineOptions): Promise<Change>;
  select(params: SelectParams, options?: RequestOptions & { format?: "ops" | "textEdits" | "none" }): Promise<Selected>;
  selection(options?: RequestOptions): Promise<ListSelection>;
  snapshot(options: RequestOptions & { revision?: number; window: { start: number; count: number } }): Promise<RowWindow>;
  snapshot(options?: RequestOptions & { revision?: number }): Promise<WholeList>;
  locate(params: LocateParams, options?: RequestOptions): Promise<Located>;
  text(options?: RequestOptions): Promise<ListText>;
  remove(options?: RequestOptions): Promise<void>;
  /** Everything that happens to the list, beginning with what it is now, or the change `since`. */
  changes(options?: FollowOptions): AsyncIterableIterator<News>;
  /** A copy of the list that keeps itself up to date. */
  mirror(options?: FollowOptions): Promise<LiveMirror>;
  /** Its rows as objects that stay the same, for views. */
  view(options?: { signal?: AbortSignal }): Promise<LiveView>;
}

/** What one list looks like, kept up to date by its news in any format. */
export class Mirror {
  revision: number;
  sections: RowSection[];
  document: { sections: Section[] } | null;
  selection: Range[];
  cursor: Path | null;
  text: string;
  textRevision: number | null;
  cursorLine: number | null;
  /** The numbers of a view, if the list is one. */
  view: ViewNumbers | undefined;
  /** Follows news; throws `OutOfStep` if they do not follow on what it has. */
  take(news: News | Change | WholeList | ListText): void;
}
export interface Following {
  /** Fulfilled when nothing more follows; rejected if the daemon is gone. */
  readonly ended: Promise<void>;
  close(): Promise<unknown>;
}
export interface LiveMirror extends Mirror, Following {
  /** Calls a function with all news; returns one that ends this. */
  listen(listener: (news: News) => void): () => void;
}

export interface ViewRow { content: RowContent; selected: boolean }
export interface ViewSection { own: SectionOwn }
export interface Effect {
  rearranged: boolean;
  insertedRows: Set<ViewRow>;
  movedRows: Set<ViewRow>;
  updatedRows: Set<ViewRow>;
  reloadedRows: Set<ViewRow>;
  movedSections: Set<ViewSection>;
  updatedSections: Set<ViewSection>;
  selected: Set<ViewRow>;
}
export interface LiveView extends Following {
  readonly list: List;
  readonly revision: number;
  readonly groups: Group<ViewSection, ViewRow>[];
  readonly rows: ViewRow[];
  readonly selection: Range[];
  readonly cursor: Path | null;
  readonly view: ViewNumbers | undefined;
  at(path: Path | null): ViewRow | undefined;
  pathOf(row: ViewRow): Path | null;
  reference(path: Path): ItemRef;
  select(params: SelectParams): Promise<Selected>;
  edit(edits: readonly Edit[]): Promise<Change>;
  /** Expands rows of an outline. */
  expand(rows: readonly ViewRow[], options?: DeepOptions): Promise<Change>;
  collapse(rows: readonly ViewRow[], options?: DeepOptions): Promise<Change>;
  listen(listener: (news: News, effect: Effect | undefined) => void): () => void;
}

export function applyPatch<T>(document: T, patch: readonly PatchOp[]): T;
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string;
export function inRows(sections: readonly Section[]): RowSection[];
export function rowsOf(item: Item): RowContent[];
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
  | "compositeTooLarge",
  number
>>;
