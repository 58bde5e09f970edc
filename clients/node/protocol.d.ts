// The shapes of protocol.md.

export type ID = string | number;
export type Path = [section: number, row: number];
export interface Range { at: Path; count: number }
export type Format = "stages" | "ops" | "jsonPatch" | "textEdits" | "none";

export type Part = string | number | { id?: ID; template?: string; [content: string]: unknown };
export interface ItemObject {
  id?: ID;
  template?: string;
  selectable?: boolean;
  parts?: readonly Part[];
  [content: string]: unknown;
}
export type Item = string | number | ItemObject;
export interface PartRow { $part: Part; $item: { [content: string]: unknown } }
export type RowContent = Item | PartRow;

export interface SectionOwn {
  id: ID;
  header?: unknown;
  footer?: unknown;
  headerTemplate?: string;
  footerTemplate?: string;
  selectionMode?: "none" | "single" | "multiple";
  allowsEmptySelection?: boolean;
  [own: string]: unknown;
}
export interface Section extends SectionOwn { items: readonly Item[] }
export interface RowSection extends SectionOwn { items: readonly RowContent[] }

export type Snapshot = { sections: readonly Section[] } | { items: readonly Item[] };
export type SnapshotRef = Snapshot | { list: string; revision?: number };
export type ItemRef =
  | ID
  | { id: ID; occurrence?: number; source?: string }
  | { path: Path; revision?: number };

export type Op =
  | { op: "deleteSections"; at: number; count: number }
  | { op: "insertSections"; at: number; count: number; rows: number[]; sections?: RowSection[] }
  | { op: "moveSections"; from: number; to: number; count: number }
  | { op: "deleteItems"; at: Path; count: number }
  | { op: "insertItems"; at: Path; count: number; items?: RowContent[] }
  | { op: "moveItems"; from: Path; to: Path; count: number }
  | { op: "reloadSections" | "reconfigureSections"; at: number; count: number; sections?: SectionOwn[] }
  | { op: "reloadItems" | "reconfigureItems"; at: Path; count: number; items?: RowContent[] };
export type Stage = readonly Op[];
export type SelectionOp = { op: "selectItems" | "deselectItems"; at: Path; count: number };
export type PatchOp =
  | { op: "add" | "replace"; path: string; value: unknown }
  | { op: "remove"; path: string }
  | { op: "move"; from: string; path: string };
export interface TextEdit {
  range: { start: { line: number; character: 0 }; end: { line: number; character: 0 } };
  newText: string;
}

export interface Counts { deletes: number; inserts: number; moves: number; updates: number }
export interface Difference {
  baseRevision?: number;
  revision?: number;
  format: Format;
  stages?: Stage[];
  ops?: Op[];
  jsonPatch?: PatchOp[];
  textEdits?: TextEdit[];
  reload?: true;
  counts?: { rows: Counts; sections: Counts };
}
export interface State { selection: Range[]; cursor: Path | null; view?: ViewNumbers }

/** A member of an item, or one inside it: "a", "a.b". */
export type Member = string;
export type Condition =
  | { all: Condition[] } | { any: Condition[] } | { not: Condition }
  | { member: Member; is: unknown } | { member: Member; in: unknown[] }
  | { member: Member; from?: unknown; to?: unknown }
  | { member: Member; contains: unknown }
  | { member: Member; exists: boolean };
export interface SortKey { by: Member; order?: "ascending" | "descending"; as?: "value" | "natural" }
export interface View {
  where?: Condition;
  distinct?: Member;
  sort?: SortKey[];
  sections?: "keep" | "merge" | { by: Member };
  window?: { start?: number | { item: ItemRef; before?: number }; count: number };
  selection?: "own" | "source";
  selectionMode?: "none" | "single" | "multiple";
  allowsEmptySelection?: boolean;
}
/** Where the window begins, how many items the view has without it, and how many the sources have. */
export interface ViewNumbers { start: number; matched: number; total: number }
export interface TextState { textRevision?: number; baseTextRevision?: number; cursorLine?: number | null }
export interface Change extends Difference, State, TextState {
  list: string;
  baseRevision: number;
  revision: number;
  deselected: { id?: ID; at: Path; gone: boolean }[];
}
export interface Selected extends State, TextState {
  list: string;
  revision: number;
  format: Format;
  ops?: SelectionOp[];
  textEdits?: TextEdit[];
}
export interface ListText {
  list: string;
  revision: number;
  textRevision: number;
  text: string;
  cursorLine: number | null;
}
export interface WholeList extends State { list: string; revision: number; sections: Section[] }
export interface RowWindow extends State {
  list: string;
  revision: number;
  total: number;
  start: number;
  rows: { at: Path; content: RowContent }[];
}
export interface Listed {
  list: string;
  revision: number;
  sections: number;
  items: number;
  rows: number;
  selected: number;
  sources?: string[];
}
export interface Located {
  list: string;
  revision: number;
  items?: ({ at: Path; line?: number; lineCount?: number } | null)[];
  paths?: ({ id?: ID; occurrence: number; content: RowContent; line?: number; lineCount?: number } | null)[];
  sections?: (number | null)[];
  lines?: ({ at: Path } | { section: number; header: true } | { section: number; footer: true } | null)[];
}

/** What a subscription tells. */
export type News =
  | ({ kind: "snapshot"; list: string; revision: number; snapshot: { sections: Section[] } } & State & Partial<ListText>)
  | ({ kind: "change"; request?: ID | null } & Change)
  | ({ kind: "select"; list: string; request?: ID | null; ops?: SelectionOp[]; textEdits?: TextEdit[] } & State & TextState)
  | { kind: "remove"; list: string };
