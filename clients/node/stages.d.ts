// Applies ops to lists. Pages use this module, too.

import type { Op, Path, Range, RowContent, SectionOwn, RowSection, SelectionOp, Stage } from "./protocol.js";

export interface Group<S, R> { section: S; items: R[] }
export interface Hooks<S, R> {
  row(content: RowContent, old?: R, reload?: boolean): R;
  section(own: SectionOwn, old?: S, reload?: boolean): S;
  moved?(row: R): void;
  deleted?(row: R): void;
  movedSection?(section: S): void;
}

export function applyStages(sections: readonly RowSection[], stages: readonly Stage[]): RowSection[];
export function applyOps(sections: readonly RowSection[], ops: readonly Op[]): RowSection[];
export function applySelection(selected: ReadonlySet<string>, ops: readonly SelectionOp[]): Set<string>;
export function pathsOf(ranges: readonly Range[]): Path[];
export function grouped<S, R>(sections: readonly RowSection[], hooks?: Hooks<S, R>): Group<S, R>[];
/** Applies stages to the groups themselves; if it fails, they are as they were. O(ops). */
export function perform<S, R>(
  groups: Group<S, R>[], stages: readonly Stage[], hooks?: Hooks<S, R>, isSequence?: boolean,
): void;
export function ungrouped(groups: readonly Group<SectionOwn, RowContent>[]): RowSection[];
