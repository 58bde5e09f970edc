// The shapes of the protocol, written by Tests/schema/generate.py from
// Sources/ListServer/protocol.json.

/** An identifier. JavaScript clients need strings for integers beyond 2^53. */
export type ID = string | number;
/** The `id` of a request, echoed byte for byte. */
export type RequestID = string | number | null;
/** The position of a row: the index of its section, and its index in the section. */
export type Path = [section: number, row: number];
/** Rows that follow each other. */
export interface Range {
  at: Path;
  /** 1 or more */ count: number;
}
/** How a change is encoded. */
export type Format = "stages" | "ops" | "jsonPatch" | "textEdits" | "none";
/** A part of an item, which is a row of its own. Parts do not nest. */
export type Part =
  | string
  | number
  | { id?: ID; template?: string; parts?: never; [content: string]: unknown };
/** An item with its content. */
export interface ItemObject {
  /** unique in the list */ id?: ID;
  /** "Cell": the kind of view that shows it */ template?: string;
  /** true */ selectable?: boolean;
  /** a row for each */ parts?: readonly Part[];
  [content: string]: unknown;
}
/** An item. A string or an integer is short for `{"text": …}` with itself as the identifier. */
export type Item = string | number | ItemObject;
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
/** What a row shows. */
export type RowContent = ShownItem | PartRow;
/** How many items of a section may be selected. */
export type SelectionMode = "none" | "single" | "multiple";
/** The own members of a section. */
export interface SectionOwn {
  /** unique in the list */ id: ID;
  header?: unknown;
  footer?: unknown;
  /** "Header" */ headerTemplate?: string;
  /** "Footer" */ footerTemplate?: string;
  /** "single" */ selectionMode?: SelectionMode;
  /** false for "single", else true */ allowsEmptySelection?: boolean;
  [own: string]: unknown;
}
/** A section with its items. */
export interface Section extends SectionOwn { items: readonly Item[] }
/** A section of an edit, which may come without items. */
export interface GivenSection extends SectionOwn { items?: readonly Item[] }
/** New own members of a section. */
export interface SectionUpdate extends SectionOwn { items?: never }
/** A section with its rows. */
export interface RowSection extends SectionOwn { items: readonly RowContent[] }
/** A section with its items as a list shows them. */
export interface ShownSection extends SectionOwn { items: readonly ShownItem[] }
/** What a list looks like. */
export type Snapshot = { sections: readonly Section[] } | { items: readonly Item[] };
/** A revision of a list. */
export interface ListRef {
  list: string;
  /** the current one */ revision?: number;
  /** what it is after these edits, which are made nowhere else */ edits?: readonly Edit[];
}
/** A snapshot, or a list that has it. */
export type SnapshotRef = Snapshot | ListRef;
/** A reference to an item. */
export type ItemRef =
  | ID
  | { id: ID; occurrence?: number; source?: string }
  | { path: Path; revision?: number }
  | { line: number; textRevision: number };
/** An edit of a list. */
export type Edit =
  | { edit: "appendItems" | "putItems"; items: readonly Item[]; section?: ID }
  | { edit: "insertItems"; items: readonly Item[]; before: ItemRef }
  | { edit: "insertItems"; items: readonly Item[]; after: ItemRef }
  | { edit: "deleteItems" | "reloadItems" | "reconfigureItems"; items: readonly ItemRef[] }
  | { edit: "moveItems"; items: readonly ItemRef[]; before: ItemRef }
  | { edit: "moveItems"; items: readonly ItemRef[]; after: ItemRef }
  | { edit: "moveItems"; items: readonly ItemRef[]; section: ID }
  | { edit: "updateItems"; items: readonly Item[] }
  | { edit: "appendSections"; sections: readonly GivenSection[] }
  | { edit: "insertSections"; sections: readonly GivenSection[]; before: ID }
  | { edit: "insertSections"; sections: readonly GivenSection[]; after: ID }
  | { edit: "deleteSections" | "reloadSections" | "reconfigureSections"; sections: readonly ID[] }
  | { edit: "moveSection"; section: ID; before: ID }
  | { edit: "moveSection"; section: ID; after: ID }
  | { edit: "updateSections"; sections: readonly SectionUpdate[] }
  | { edit: "deleteAllItems" }
  | OutlineEdit;
/** An edit of what an outline shows. */
export type OutlineEdit =
  | { edit: "expandItems" | "collapseItems"; items: readonly ItemRef[]; deep?: boolean }
  | { edit: "revealItems"; items: readonly ItemRef[] }
  | { edit: "expandAll" | "collapseAll" };
/** An operation on rows or sections that follow each other. */
export type Op =
  | { op: "deleteSections"; at: number; count: number }
  | { op: "insertSections"; at: number; count: number; rows: number[]; sections?: RowSection[] }
  | { op: "moveSections"; from: number; to: number; count: number }
  | { op: "deleteItems"; at: Path; count: number }
  | { op: "insertItems"; at: Path; count: number; items?: RowContent[] }
  | { op: "moveItems"; from: Path; to: Path; count: number }
  | { op: "reloadSections" | "reconfigureSections"; at: number; count: number; sections?: SectionOwn[] }
  | { op: "reloadItems" | "reconfigureItems"; at: Path; count: number; items?: RowContent[] };
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
/** Lines from one up to another, which is not included. */
export type LineRange = [number, number];
/** How many rows or sections a change is about. */
export interface Counts { deletes: number; inserts: number; moves: number; updates: number }
/** The counts of a change. */
export interface ChangeCounts { rows: Counts; sections: Counts }
/** What leads from one snapshot to another. The change is the member that is named as the format. */
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
/** Which items of its sources a view shows. */
export interface ViewNumbers {
  /** the index of the first item that is shown */ start: number;
  /** items of the view without its window */ matched: number;
  /** items of the sources */ total: number;
  /** of an outline, items that would be shown without its window */ shown?: number;
}
/** What is selected, and the row with the cursor. */
export interface State {
  selection: Range[];
  cursor: Path | null;
  /** of a view */ view?: ViewNumbers;
}
/** What text edits come with. */
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
/** The name of a member, `a`, or of one inside it, `a.b`. Of a bare item, `text` and `id` are its value. */
export type Member = string;
/** What items satisfy. */
export type Condition =
  | { all: readonly Condition[] }
  | { any: readonly Condition[] }
  | { not: Condition }
  | { member: Member; is: unknown }
  | { member: Member; in: readonly unknown[] }
  | { member: Member; from?: Bound; to?: Bound }
  | { member: Member; contains: unknown }
  | { member: Member; exists: boolean };
/** A bound of a range of values. */
export type Bound = string | number | boolean;
/** What a view is sorted by. */
export interface SortKey {
  /** or "$source"; with `match` also "$score" and "$length" */ by: Member;
  /** "descending" for "$score", else "ascending" */ order?: "ascending" | "descending";
  /** "value" */ as?: "value" | "natural";
}
/** A query and where it is looked for. */
export interface Match {
  query: string;
  /** ["text"] */ members?: readonly Member[];
  /** "smart" */ case?: "smart" | "ignore" | "respect";
}
/** What makes an outline of a view. */
export interface Tree {
  /** holds the identifier of an item's parent */ parent: Member;
  /** so many levels of what nobody has expanded or collapsed; "none" */ open?: "none" | "all" | number;
}
/** A view, always applied in this order. */
export interface View {
  /** 1. keeps the items that satisfy it */ where?: Condition;
  /** 2. keeps the items that match */ match?: Match;
  /** 3. keeps the first item for each value; items without one are all kept */ distinct?: Member;
  /** 4. shows items below their parents; not with `distinct` */ tree?: Tree;
  /** 5. items that compare equal keep the order of the sources */ sort?: readonly SortKey[];
  /** 6. "keep" */ sections?: "keep" | "merge" | { by: Member };
  /** 7. shows these items */ window?: { start?: number | { item: ItemRef; before?: number }; count: number };
  /** "own" */ selection?: "own" | "source";
  selectionMode?: SelectionMode;
  allowsEmptySelection?: boolean;
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
/** What has become of a text that the subscriber has. */
export interface TextSince extends State {
  list: string;
  revision: number;
  textRevision: number;
  cursorLine: number | null;
  format: "textEdits";
  textEdits: TextEdit[];
  baseTextRevision: number;
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
}
/** How an item matches, and what was matched. */
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
/** Where an item is. */
export interface FoundItem extends Lines {
  /** the first row, or where one would be */ at: Path;
  /** the section's */ sectionId: ID;
}
/** What is at a path. */
export interface FoundRow extends Lines {
  id?: ID;
  occurrence: number;
  content: RowContent;
  /** the section's */ sectionId: ID;
}
/** What a line belongs to. */
export type FoundLine =
  | { at: Path; match?: ItemMatch | null; sectionId: ID }
  | { section: number; header: true; match?: ItemMatch | null; sectionId: ID }
  | { section: number; footer: true; match?: ItemMatch | null; sectionId: ID };
/** An item that a search has found. */
export interface Found { at: Path; id?: ID; score: number }
/** An answer for each item, path, section and line; null if there is none. */
export interface Located {
  list: string;
  revision: number;
  /** what a search has found */ matches?: Found[];
  /** how many items match */ total?: number;
  items?: (FoundItem | null)[];
  paths?: (FoundRow | null)[];
  sections?: (number | null)[];
  lines?: (FoundLine | null)[];
}
/** What the daemon can do. */
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
/** How far a request has come. */
export type Progress =
  | { kind: "begin"; title: string; cancellable: boolean; message?: string; percentage?: number }
  | { kind: "report"; message?: string; percentage?: number }
  | { kind: "end"; message?: string };
/** What names the progress of a request. */
export type ProgressToken = string | number;

/** The params and the result of each request. */
export interface Methods {
  /** Begins a session, and says what the daemon can do. */
  initialize: {
    params: {
      /** listd ends with this process */ processId?: number | null;
      /** "off" */ trace?: "off" | "messages" | "verbose";
      /** `general.positionEncodings`: the units of offsets that the client prefers, of "utf-8", "utf-16" and "utf-32" */ capabilities?: { general?: { [name: string]: unknown } | null };
      /** 1 */ protocolVersion?: number;
      /** features that the client cannot do without */ require?: readonly string[];
      [other: string]: unknown;
    };
    result: { serverInfo: { name: "listd"; version: string }; protocolVersion: 1; capabilities: Capabilities };
  };
  /** Ends the session: no later request is served. */
  shutdown: {
    params: {};
    result: null;
  };
  /** Returns the shapes of all messages as an OpenRPC document. */
  "rpc.discover": {
    params: {};
    result: { [name: string]: unknown };
  };
  /** Makes a snapshot the current one of a list, and returns the change. */
  applySnapshot: {
    params: {
      list: string;
      /** exactly one of these three */ sections?: readonly Section[];
      items?: readonly Item[];
      snapshot?: SnapshotRef;
      /** superseded by a later one of the same method and list */ latest?: boolean;
      /** fail if the list is at another revision */ baseRevision?: number;
      /** "stages"; "none" for a subscriber */ format?: Format;
      /** false */ content?: boolean;
      /** send `reload: true` if there are more entries */ maxOps?: number;
      /** the selection from now on */ selected?: readonly ItemRef[];
      /** the cursor from now on */ cursor?: ItemRef;
      /** "follow" */ cursorPolicy?: "follow" | "stay" | "first";
      /** with "textEdits": the spans of the lines that edits bring; false */ spans?: boolean;
      /** with "textEdits": the selected lines; false */ selectedLines?: boolean;
    };
    result: Change;
  };
  /** Makes edits of a list, in order, as one change and one revision. */
  editSnapshot: {
    params: {
      list: string;
      edits: readonly Edit[];
      /** fail if the list is at another revision */ baseRevision?: number;
      /** "stages"; "none" for a subscriber */ format?: Format;
      /** false */ content?: boolean;
      /** send `reload: true` if there are more entries */ maxOps?: number;
      /** the selection from now on */ selected?: readonly ItemRef[];
      /** the cursor from now on */ cursor?: ItemRef;
      /** "follow" */ cursorPolicy?: "follow" | "stay" | "first";
      /** with "textEdits": the spans of the lines that edits bring; false */ spans?: boolean;
      /** with "textEdits": the selected lines; false */ selectedLines?: boolean;
    };
    result: Change;
  };
  /** Returns the change between two snapshots, and changes nothing. */
  diff: {
    params: {
      from: SnapshotRef;
      to: SnapshotRef;
      /** "stages" */ format?: Format;
      /** false */ content?: boolean;
      /** send `reload: true` if there are more entries */ maxOps?: number;
      /** with "textEdits": the spans of the lines that edits bring; false */ spans?: boolean;
    };
    result: Difference;
  };
  /** Forgets a list and its history. */
  removeList: {
    params: {
      list: string;
    };
    result: null;
  };
  /** Changes the selection of a list, its cursor, or both. */
  select: {
    params: {
      list: string;
      /** "toggle" if there are `items` */ action?: "toggle" | "select" | "deselect" | "replace" | "extend" | "all" | "none" | "invert";
      items?: readonly ItemRef[];
      /** with "replace", "all", "none" and "invert" */ section?: ID;
      /** the cursor from now on */ cursor?: ItemRef;
      /** "ops"; "none" for a subscriber */ format?: "ops" | "textEdits" | "none";
      /** with "textEdits": the spans of the lines that edits bring; false */ spans?: boolean;
      /** with "textEdits": the selected lines; false */ selectedLines?: boolean;
    };
    result: Selected;
  };
  /** Returns the selected items of a list, and the cursor. */
  getSelection: {
    params: {
      list: string;
    };
    result: ListSelection;
  };
  /** Returns a snapshot of a list, whole or a window of its rows. */
  getSnapshot: {
    params: {
      list: string;
      /** the current one */ revision?: number;
      /** of rows, counted through all sections */ window?: { start: number; count: number };
    };
    result: WholeList | RowWindow;
  };
  /** Returns where items and sections are, and what is at paths and lines; or searches the list. */
  locate: {
    params: {
      list: string;
      items?: readonly ItemRef[];
      paths?: readonly Path[];
      sections?: readonly ID[];
      lines?: readonly number[];
      /** with lines: false */ text?: boolean;
      /** how items match; true for that of a view */ match?: Match | boolean;
      /** a search begins after it */ from?: ItemRef;
      /** "forward" */ direction?: "forward" | "backward";
      /** 1 */ count?: number;
    };
    result: Located;
  };
  /** Returns all lists and their sizes, in the order in which they were made. */
  getLists: {
    params: {};
    result: { lists: Listed[] };
  };
  /** Makes a list of the sections of other lists, or a view of their items. */
  compose: {
    params: {
      list: string;
      /** names of lists, without "/", each once */ sources?: readonly string[];
      /** null: the list is not a view */ view?: View | null;
      /** superseded by a later one of the same method and list */ latest?: boolean;
      /** fail if the list is at another revision */ baseRevision?: number;
      /** "stages"; "none" for a subscriber */ format?: Format;
      /** false */ content?: boolean;
      /** send `reload: true` if there are more entries */ maxOps?: number;
      /** the selection from now on */ selected?: readonly ItemRef[];
      /** the cursor from now on */ cursor?: ItemRef;
      /** "follow" */ cursorPolicy?: "follow" | "stay" | "first";
      /** with "textEdits": the spans of the lines that edits bring; false */ spans?: boolean;
      /** with "textEdits": the selected lines; false */ selectedLines?: boolean;
    };
    result: Change;
  };
  /** Returns a list as it is, or its change since a revision; then every change of it is sent. */
  subscribe: {
    params: {
      list: string;
      /** "stages" */ format?: Format;
      /** true */ content?: boolean;
      /** send `reload: true` if there are more entries */ maxOps?: number;
      /** a revision; 0 is the empty list */ since?: number;
      /** with "textEdits": the spans of the lines that edits bring; false */ spans?: boolean;
      /** with "textEdits": the selected lines; false */ selectedLines?: boolean;
      /** with "textEdits": the number of a text */ sinceText?: number;
    };
    result: Change | Subscribed | SubscribedText | TextSince;
  };
  /** Ends a subscription, if there is one. */
  unsubscribe: {
    params: {
      list: string;
    };
    result: null;
  };
  /** Sets what rows, headers and footers look like, in all lists or in one. */
  registerTemplates: {
    params: {
      /** by name */ templates: { [name: string]: string };
      /** the only list that they hold for; all */ list?: string;
    };
    result: null;
  };
  /** Returns the text of a list. */
  getText: {
    params: {
      list: string;
      /** the spans of the lines; false */ spans?: boolean;
      /** the selected lines; false */ selectedLines?: boolean;
      /** some of the lines; all */ lines?: { start: number; count: number };
    };
    result: ListText;
  };
}
/** The params of each notification that the daemon sends. */
export interface Notifications {
  didChange: DidChange;
  didSelect: DidSelect;
  didExpand: { list: string; items: ItemRef[]; request?: RequestID };
  didRemove: { list: string };
  "window/logMessage": { type: 1 | 2 | 3 | 4; message: string };
  "$/logTrace": { message: string; verbose?: string };
  "$/progress": { token: ProgressToken; value: Progress };
}
