// What clients send, written by Tests/schema/generate.py from Sources/ListServer/protocol.json.

import type {
  RowContent, ShownItem,
} from "./received.js";

/** An identifier. JavaScript clients need strings for integers beyond 2^53. */
export type ID = string | number;
/** The position of a row: the index of its section, and its index in the section. */
export type Path = [section: number, row: number];
/** The encoding of a change. */
export type Format = "stages" | "ops" | "jsonPatch" | "textEdits" | "none";
/** The contents that ops have: none, the new ones, or also the old ones (0.2.0). */
export type OpContents = boolean | "both";
/** The members that identify items without `id` (0.2.0). */
export type ItemKey = string | readonly string[];
/** A part of an item, which has its own row. Parts are not nested. */
export type Part =
  | string
  | number
  | { id?: ID; template?: string; parts?: never; [content: string]: unknown };
/** An item with its content. */
export interface ItemObject {
  /** unique in the list */ id?: ID;
  /** "Cell": the kind of view that shows it */ template?: string;
  /** true */ selectable?: boolean;
  /** one row for each */ parts?: readonly Part[];
  [content: string]: unknown;
}
/** An item. A string or an integer is short for `{"text": …}` with itself as the identifier. */
export type Item = string | number | ItemObject;
/** How many items of a section can be selected. */
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
/** A section of an edit; `items` may be left out. */
export interface GivenSection extends SectionOwn { items?: readonly Item[] }
/** New own members of a section. */
export interface SectionUpdate extends SectionOwn { items?: never }
/** A section with its rows. */
export interface RowSection extends SectionOwn { items: readonly RowContent[] }
/** A section with its items as a list shows them. */
export interface ShownSection extends SectionOwn { items: readonly ShownItem[] }
/** The content of a list. */
export type Snapshot = { sections: readonly Section[] } | { items: readonly Item[] };
/** A revision of a list. */
export interface ListRef {
  list: string;
  /** the current one */ revision?: number;
  /** edits of it, which do not change the list */ edits?: readonly Edit[];
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
  | { edit: "insertItems"; items: readonly NewFile[] }
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
/** The name of a member. `a.b` is the member with this name, or if there is none, the member `b` of `a`. Of a bare item, `text` and `id` are its value. Names that begin with `$` are those of the place. */
export type Member = string;
/** A condition on items. */
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
/** A key by which a view is sorted. */
export interface SortKey {
  /** or "$source"; with `match` also "$score" and "$length"; of an outline "$level" */ by: Member;
  /** "descending" for "$score", else "ascending" */ order?: "ascending" | "descending";
  /** "value" */ as?: "value" | "natural";
}
/** A query, and the members that are searched. */
export interface Match {
  query: string;
  /** ["text"] */ members?: readonly Member[];
  /** "smart" */ case?: "smart" | "ignore" | "respect";
}
/** The definition of an outline. */
export interface Tree {
  /** holds the identifier of an item's parent */ parent: Member;
  /** the number of levels that are expanded unless somebody collapsed them; "none" */ open?: "none" | "all" | number;
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
/** What the daemon fills a list with. */
export type Feed = CommandFeed | FileFeed | FolderFeed;
/** The output of a command. */
export interface CommandFeed {
  /** the program and its arguments; no shell */ command: readonly string[];
  /** the folder that it runs in; the daemon's */ cwd?: string;
  /** variables that it has besides the daemon's; null: has not */ env?: { [name: string]: string | null };
  /** "lines" */ format?: RowFormat;
  /** milliseconds from the end of a run to the next; there is one run */ every?: number;
}
/** The rows of a file. */
export interface FileFeed {
  file: string;
  /** "lines" */ format?: RowFormat;
  /** append what is appended, else read the file again when it changes; false */ follow?: boolean;
}
/** The files of a folder. */
export interface FolderFeed {
  folder: string;
  /** the levels that are read; "lazy": the first, and folders that an outline expands */ depth?: number | "all" | "lazy";
  /** with names that begin with a dot; false */ hidden?: boolean;
  /** with what `.gitignore` and `.ignore` leave out, and `.git`; false */ ignored?: boolean;
  /** follow changes; true */ watch?: boolean;
  /** items have the `template` "File", "Folder" or "Link"; false */ templates?: boolean;
  /** "name": a file that takes the place of another one has its `id`; "file" */ identity?: "file" | "name";
}
/** An empty file or folder that is made in a folder. */
export interface NewFile {
  name: string;
  type: "file" | "folder";
  /** the `id` of its folder; the topmost one */ parent?: string;
}
/** The format of rows. */
export type RowFormat = "lines" | "ndjson" | "csv" | "tsv" | "json";
/** The name of a member or column, or the number of a field or column. */
export type KeyPart = string | number;
