// What clients receive, written by Tests/schema/generate.py from Sources/ListServer/protocol.json.

import type {
  Feed, Format, ID, Item, Part, Path, RowSection, SectionOwn, ShownSection, View,
} from "./sent.js";

/** The `id` of a request, echoed byte for byte. */
export type RequestID = string | number | null;
/** Consecutive rows. */
export interface Range {
  at: Path;
  /** 1 or more */ count: number;
}
/** A row that shows a part of an item. */
export interface PartRow {
  $part: Part;
  /** the item's other members */ $item: { [name: string]: unknown };
}
/** An item of a view that is an outline, with its own members. */
export interface OutlineItem {
  /** 0 for a root */ $level: number;
  /** its children in the view */ $children: number;
  /** if it has children or is lazy */ $expanded?: boolean;
  [content: string]: unknown;
}
/** An item as a list shows it. */
export type ShownItem = Item | OutlineItem;
/** The content of a row. */
export type RowContent = ShownItem | PartRow;
/** An operation on consecutive rows or sections. */
export type Op =
  | { op: "deleteSections"; at: number; count: number; old?: RowSection[] }
  | { op: "insertSections"; at: number; count: number; rows: number[]; sections?: RowSection[] }
  | { op: "moveSections"; from: number; to: number; count: number }
  | { op: "deleteItems"; at: Path; count: number; old?: RowContent[] }
  | { op: "insertItems"; at: Path; count: number; items?: RowContent[] }
  | { op: "moveItems"; from: Path; to: Path; count: number }
  | { op: "reloadSections" | "reconfigureSections"; at: number; count: number; sections?: SectionOwn[]; old?: SectionOwn[] }
  | { op: "reloadItems" | "reconfigureItems"; at: Path; count: number; items?: RowContent[]; old?: RowContent[] };
/** Operations that happen at once. */
export type Stage = Op[];
/** Rows that are selected or deselected. */
export interface SelectionOp { op: "selectItems" | "deselectItems"; at: Path; count: number }
/** An operation of a JSON Patch (RFC 6902). */
export type PatchOp =
  | { op: "add" | "replace"; path: string; value: unknown }
  | { op: "remove"; path: string }
  | { op: "move"; from: string; path: string };
/** The start of a line. */
export interface Position { line: number; character: 0 }
/** A text edit of the Language Server Protocol, of whole lines. */
export interface TextEdit { range: { start: Position; end: Position }; newText: string }
/** A part of a line that belongs to a highlight group. */
export interface TextSpan {
  line: number;
  /** offsets in the line, in the unit that `initialize` has chosen */ start: number;
  end: number;
  /** as templates name it, or "match" */ group: string;
}
/** Lines of the old text that are deleted there and inserted elsewhere, because their rows moved. */
export interface LineMove {
  /** in the old text */ from: number;
  /** in the new text */ to: number;
  count: number;
}
/** A range of lines; its end is exclusive. */
export type LineRange = [number, number];
/** The numbers of rows or sections that changed. */
export interface Counts { deletes: number; inserts: number; moves: number; updates: number }
/** The counts of a change. */
export interface ChangeCounts { rows: Counts; sections: Counts }
/** The difference between two snapshots, in the member that has the name of the format. */
export interface Difference {
  /** before */ baseRevision?: number;
  /** after */ revision?: number;
  format: Format;
  stages?: Stage[];
  ops?: Op[];
  jsonPatch?: PatchOp[];
  textEdits?: TextEdit[];
  /** instead of these: show the whole snapshot anew */ reload?: true;
  /** not with the format "none" */ counts?: ChangeCounts;
  /** with "textEdits" */ moves?: LineMove[];
  /** with `spans` */ spans?: TextSpan[];
}
/** The definition of a view. */
export interface ViewNumbers {
  /** the index of the first item that is shown */ start: number;
  /** items of the view without its window */ matched: number;
  /** items of the sources */ total: number;
  /** of an outline, items that would be shown without its window */ shown?: number;
}
/** The selection and the cursor. */
export interface State {
  selection: Range[];
  cursor: Path | null;
  /** of a view */ view?: ViewNumbers;
}
/** What accompanies text edits. */
export interface TextState {
  baseTextRevision?: number;
  textRevision?: number;
  cursorLine?: number | null;
  /** with `selectedLines` */ selectedLines?: LineRange[];
}
/** An item that left the selection. */
export interface Deselected {
  id?: ID;
  /** before the change */ at: Path;
  /** whether the item left the list */ gone: boolean;
}
/** A change of a list, and its selection and cursor after it. */
export interface Change extends Difference, State, TextState {
  list: string;
  /** before */ baseRevision: number;
  /** after */ revision: number;
  deselected: Deselected[];
}
/** A change of the selection or the cursor. */
export interface Selected extends State, TextState {
  list: string;
  revision: number;
  format: "ops" | "textEdits" | "none";
  ops?: SelectionOp[];
  textEdits?: TextEdit[];
  /** with "textEdits" */ moves?: LineMove[];
  /** with `spans` */ spans?: TextSpan[];
}
/** A list as text. */
export interface ListText {
  list: string;
  revision: number;
  textRevision: number;
  text: string;
  cursorLine: number | null;
  /** of a view */ view?: ViewNumbers;
  /** with `lines`: the first of them */ start?: number;
  /** with `lines`: of the whole text */ lineCount?: number;
  /** with `spans` */ spans?: TextSpan[];
  /** with `selectedLines` */ selectedLines?: LineRange[];
}
/** The selected items of a list. */
export interface ListSelection extends State { list: string; revision: number; items: ShownItem[] }
/** A whole snapshot of a list. */
export interface WholeList extends State { list: string; revision: number; sections: ShownSection[] }
/** Some rows of a list, counted through all sections. */
export interface RowWindow extends State {
  list: string;
  revision: number;
  /** rows in all */ total: number;
  start: number;
  rows: { at: Path; content: RowContent }[];
}
/** A list as it is when a subscription begins. */
export interface Subscribed extends State {
  list: string;
  revision: number;
  snapshot: { sections: ShownSection[] };
}
/** A text as it is when a subscription begins. */
export interface SubscribedText extends State {
  list: string;
  revision: number;
  textRevision: number;
  cursorLine: number | null;
  text: string;
  spans?: TextSpan[];
  selectedLines?: LineRange[];
}
/** The edits since a text that the subscriber has. */
export interface TextSince extends State {
  list: string;
  revision: number;
  textRevision: number;
  cursorLine: number | null;
  format: "textEdits";
  textEdits: TextEdit[];
  baseTextRevision: number;
  moves: LineMove[];
  spans?: TextSpan[];
  selectedLines?: LineRange[];
}
/** A list and its sizes. */
export interface Listed {
  list: string;
  revision: number;
  sections: number;
  items: number;
  rows: number;
  /** items */ selected: number;
  /** of a composite */ sources?: string[];
  /** of a view */ view?: ViewNumbers;
  /** of a view */ definition?: View;
  /** what fills the list */ feed?: Feed;
  /** of the feed */ state?: FeedState;
  /** whether its folder is being read for the first time */ reading?: boolean;
}
/** What the edit of a folder would do. */
export interface FolderPlan { changes: FileChange[]; problems: FileProblem[] }
/** A file and its paths. */
export interface FileChange {
  /** null: it is made */ id: string | null;
  from: string | null;
  /** null: the trash */ to: string | null;
}
/** Why a file cannot be changed. */
export interface FileProblem {
  /** null: it is to be made */ id: string | null;
  /** for people */ reason: string;
}
/** How a feed is doing. */
export interface FeedState {
  /** whether rows may still arrive: also between runs */ running: boolean;
  items: number;
  /** of the last run */ exitCode?: number;
  /** such as "SIGTERM", if one ended the last run */ signal?: string;
  /** what has failed or was left out, for people */ error?: string;
  /** whether the list may lack changes, until all has been read again */ stale?: boolean;
}
/** A list and its feed. */
export interface FedList {
  list: string;
  revision: number;
  /** null: the list has no feed */ state: FeedState | null;
}
/** The score of a match, and what was matched. */
export interface ItemMatch {
  score: number;
  /** by member, in the unit that `initialize` has chosen */ ranges: { [name: string]: [number, number][] };
  /** with `text`: in the lines that show the member */ spans?: { line: number; start: number; end: number }[];
}
/** The lines of an item or a row, and how it matches. */
export interface Lines {
  /** with `text` */ line?: number;
  /** with `text` */ lineCount?: number;
  /** with `match` */ match?: ItemMatch | null;
}
/** The position of an item. */
export interface FoundItem extends Lines {
  /** the first row, or where one would be */ at: Path;
  /** the section's */ sectionId: ID;
}
/** The row at a path. */
export interface FoundRow extends Lines {
  id?: ID;
  occurrence: number;
  content: RowContent;
  /** the section's */ sectionId: ID;
}
/** The row, header or footer that a line belongs to. */
export type FoundLine =
  | { at: Path; match?: ItemMatch | null; sectionId: ID }
  | { section: number; header: true; match?: ItemMatch | null; sectionId: ID }
  | { section: number; footer: true; match?: ItemMatch | null; sectionId: ID };
/** An item that a search has found. */
export interface Found {
  at: Path;
  id?: ID;
  score: number;
  /** the section's */ sectionId: ID;
}
/** An answer for each item, path, section and line; null if there is none. */
export interface Located {
  list: string;
  revision: number;
  /** the items that a search has found */ matches?: Found[];
  /** the number of items that match */ total?: number;
  items?: (FoundItem | null)[];
  paths?: (FoundRow | null)[];
  sections?: (number | null)[];
  lines?: (FoundLine | null)[];
}
/** The capabilities of the daemon. */
export interface Capabilities {
  methods: string[];
  formats: Format[];
  /** what `require` may name */ features: string[];
  maxMessageBytes: number;
  /** the unit of offsets in lines and texts */ positionEncoding: "utf-8" | "utf-16" | "utf-32";
}
/** A change of a list, or of its text. */
export interface DidChange extends Change {
  /** the request of this client that caused it */ request?: RequestID;
}
/** A change of the selection or the cursor alone. */
export interface DidSelect extends State, TextState {
  list: string;
  ops: SelectionOp[];
  /** with the format "textEdits" */ revision?: number;
  format?: "textEdits";
  /** the request of this client that caused it */ request?: RequestID;
}
/** The progress of a request. */
export type Progress =
  | { kind: "begin"; title: string; cancellable: boolean; message?: string; percentage?: number }
  | { kind: "report"; message?: string; percentage?: number }
  | { kind: "end"; message?: string };
/** The token of the progress of a request. */
export type ProgressToken = string | number;
