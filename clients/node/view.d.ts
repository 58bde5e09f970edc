// The rows and sections of a list as objects that remain the same. Pages use this module, too.

import type { Change, ItemKey, ItemRef, Path, Range, RowContent, SectionOwn, ViewNumbers } from "./protocol.js";
import type { Group, Hooks } from "./stages.js";

/** A row of a view. A view may add its own members. */
export class Row {
  constructor(content: RowContent);
  content: RowContent;
  selected: boolean;
}
/** A section of a view, with its own members, without `items`. */
export class Section {
  constructor(own: SectionOwn);
  own: SectionOwn;
}
/** A list as a view shows it. */
export class ListView {
  revision: number;
  /** Sections and rows, in order. Changes are applied to these arrays themselves. */
  groups: Group<Section, Row>[];
  selection: Range[];
  cursor: Path | null;
  /** The numbers of a view of the daemon, if the list is one. */
  view: ViewNumbers | undefined;
  /** The members that identify items without `id`. */
  key: ItemKey | undefined;
  /** The row at a path. */
  at(path: Path | null | undefined): Row | undefined;
  /** The path of a row. O(rows). */
  pathOf(row: Row): Path | null;
  /** All rows, in order; of a window, those that it has. */
  readonly rows: Row[];
  /** The index of the first row; not 0 in a window. */
  readonly start: number;
  /** The number of rows, also of those outside of a window. It counts items with parts once. */
  readonly length: number;
  readonly selectedRows: Row[];
  /** A reference to a path for a request, at the revision that is shown. */
  reference(path: Path): ItemRef;
  /** References to rows, without those that were deleted meanwhile. */
  references(rows: readonly Row[]): ItemRef[];
  /** Expands rows of an outline; if `deep` is true, also all rows below them. */
  expand(rows: readonly Row[], options?: { deep?: boolean }): Promise<Change>;
  collapse(rows: readonly Row[], options?: { deep?: boolean }): Promise<Change>;
  /** The members of a section as the view has them. */
  ownOf(own: SectionOwn): SectionOwn;
  /** Applies news in the format `stages`. Throws `OutOfStep` if they do not fit. */
  take(news: object): Effect;
}
/** The effect of news: the rows and sections that were inserted, moved, deleted, updated or selected. */
export class Effect implements Hooks<Section, Row> {
  rearranged: boolean;
  insertedRows: Set<Row>;
  movedRows: Set<Row>;
  deletedRows: Set<Row>;
  updatedRows: Set<Row>;
  /** The updated rows whose template changed. */
  reloadedRows: Set<Row>;
  movedSections: Set<Section>;
  updatedSections: Set<Section>;
  selected: Set<Row>;
  row(content: RowContent, old?: Row, reload?: boolean): Row;
  section(own: SectionOwn, old?: Section): Section;
  moved(row: Row): void;
  deleted(row: Row): void;
  movedSection(section: Section): void;
  select(row: Row, isSelected: boolean): void;
}
