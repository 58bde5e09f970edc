// Lists in React, which must be installed.

import type { RowContent, SectionOwn, ViewRow, ViewSection } from "./listd.js";
import type { Group } from "./stages.js";

/** A list that a page or a program shows: of a bridge, or a `LiveView`. */
export interface ShownList {
  readonly groups: readonly Group<ViewSection, ViewRow>[];
  listen(listener: () => void): () => void;
}
export interface ShownRow {
  /** The same string while the row is in the list. */
  readonly key: string;
  readonly content: RowContent;
  readonly selected: boolean;
  /** For requests: `view.pathOf(row)`. */
  readonly row: ViewRow;
}
export interface ShownSection {
  readonly own: SectionOwn;
  readonly rows: readonly ShownRow[];
}
/** The rows that a view shows, by section. Rows that have not changed are the same objects. */
export function useList(view: ShownList): readonly ShownSection[];
