// The requests and the notifications, written by Tests/schema/generate.py from
// Sources/ListServer/protocol.json.

import type {
  Edit, Feed, Format, ID, Item, ItemKey, ItemRef, KeyPart, Match, OpContents, Path, Section,
  SelectionMode, SnapshotRef, View,
} from "./sent.js";
import type {
  Capabilities, Change, DidChange, DidSelect, Difference, FedList, FeedState, FolderPlan, ListSelection,
  ListText, Listed, Located, Progress, ProgressToken, RequestID, RowWindow, Selected, Subscribed,
  SubscribedText, TextSince, WholeList,
} from "./received.js";

/** The params and the result of each request. */
export interface Methods {
  /** Begins a session, and returns the capabilities of the daemon. */
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
      /** the members that identify items without `id` */ key?: ItemKey;
      /** superseded by a later one of the same method and list */ latest?: boolean;
      /** fail if the list is at another revision */ baseRevision?: number;
      /** "stages"; "none" for a subscriber */ format?: Format;
      /** false */ content?: OpContents;
      /** true; false: what moves is deleted and inserted */ moves?: boolean;
      /** send `reload: true` if there are more entries */ maxOps?: number;
      /** the selection from now on */ selected?: readonly ItemRef[];
      /** the cursor from now on; null: no cursor */ cursor?: ItemRef | null;
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
      /** the members that identify items without `id` */ key?: ItemKey;
      /** fail if the list is at another revision */ baseRevision?: number;
      /** "stages"; "none" for a subscriber */ format?: Format;
      /** false */ content?: OpContents;
      /** true; false: what moves is deleted and inserted */ moves?: boolean;
      /** send `reload: true` if there are more entries */ maxOps?: number;
      /** the selection from now on */ selected?: readonly ItemRef[];
      /** the cursor from now on; null: no cursor */ cursor?: ItemRef | null;
      /** "follow" */ cursorPolicy?: "follow" | "stay" | "first";
      /** with "textEdits": the spans of the lines that edits bring; false */ spans?: boolean;
      /** with "textEdits": the selected lines; false */ selectedLines?: boolean;
      /** describe what the edit of a folder would do, and do nothing; false */ dryRun?: boolean;
    };
    result: Change | FolderPlan;
  };
  /** Returns the change between two snapshots, and changes nothing. */
  diff: {
    params: {
      from: SnapshotRef;
      to: SnapshotRef;
      /** the members that identify items without `id` */ key?: ItemKey;
      /** "stages" */ format?: Format;
      /** false */ content?: OpContents;
      /** true; false: what moves is deleted and inserted */ moves?: boolean;
      /** send `reload: true` if there are more entries */ maxOps?: number;
      /** with "textEdits": the spans of the lines that edits bring; false */ spans?: boolean;
    };
    result: Difference;
  };
  /** Deletes a list and its history. */
  removeList: {
    params: {
      list: string;
    };
    result: null;
  };
  /** Fills a list with the output of a command, the rows of a file or the files of a folder, or ends that. */
  feed: {
    params: {
      list: string;
      /** null: nothing fills the list any more, and it stays as it is */ from: Feed | null;
      /** what identifies a row: members, columns, or fields of lines by their numbers from 1 */ key?: KeyPart | readonly KeyPart[];
      /** `editSnapshot` edits the folder; false */ allowsEdits?: boolean;
      /** that of the section that the feed makes; "single" */ selectionMode?: SelectionMode;
      /** false for "single", else true */ allowsEmptySelection?: boolean;
    };
    result: FedList;
  };
  /** Changes the selection of a list, its cursor, or both. */
  select: {
    params: {
      list: string;
      /** "toggle" if there are `items` */ action?: "toggle" | "select" | "deselect" | "replace" | "extend" | "all" | "none" | "invert";
      items?: readonly ItemRef[];
      /** with "replace", "all", "none" and "invert" */ section?: ID;
      /** the cursor from now on; null: no cursor */ cursor?: ItemRef | null;
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
      /** the members that contents keep, beside `id` and `template` */ members?: readonly string[];
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
      /** names of lists, each once; without "/", but for the only one of a view */ sources?: readonly string[];
      /** null: the list is not a view */ view?: View | null;
      /** superseded by a later one of the same method and list */ latest?: boolean;
      /** whether the list is removed when the connection ends */ temporary?: boolean;
      /** fail if the list is at another revision */ baseRevision?: number;
      /** "stages"; "none" for a subscriber */ format?: Format;
      /** false */ content?: OpContents;
      /** true; false: what moves is deleted and inserted */ moves?: boolean;
      /** send `reload: true` if there are more entries */ maxOps?: number;
      /** the selection from now on */ selected?: readonly ItemRef[];
      /** the cursor from now on; null: no cursor */ cursor?: ItemRef | null;
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
      /** true */ content?: OpContents;
      /** true; false: what moves is deleted and inserted */ moves?: boolean;
      /** the members that contents keep, beside `id` and `template` */ members?: readonly string[];
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
  didFeed: { list: string; state: FeedState };
  didRemove: { list: string };
  "window/logMessage": { type: 1 | 2 | 3 | 4; message: string };
  "$/logTrace": { message: string; verbose?: string };
  "$/progress": { token: ProgressToken; value: Progress };
}
