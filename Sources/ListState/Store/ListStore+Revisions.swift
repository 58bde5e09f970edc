import ListDiff

/// A revision of a list.
package struct ListRevision: Sendable {
  package var revision: Int
  package var rows: ListRows

  /// The selected rows of the revision, and its cursor.
  package var selection: [(at: Path, count: Int)]
  package var cursor: Path?

  /// The numbers of a view at its current revision; otherwise `nil`.
  package var numbers: ViewNumbers?
}

extension ListStore {
  /// Returns a revision of a list, by default the current one. The selection and the cursor are the
  /// current ones, in terms of the revision.
  ///
  /// - Complexity: O(*k* log *n*) for the current revision, where *k* is the number of selected items and *n* that
  ///   of all; else O(*n*), where *n* is the number of items of this and all later revisions.
  /// - Throws: `revisionNotFound`, `cancelled`.
  package mutating func revision(
    _ revision: Int?, of name: [UInt8]
  ) throws(ListFailure) -> ListRevision {
    let list = listOrNew(name)
    guard let revision, revision != list.revision else {
      return ListRevision(
        revision: list.revision, rows: list.rows, selection: list.selectedRows,
        cursor: list.cursorPath, numbers: list.viewNumbers)
    }
    let snapshot = try list.snapshot(of: revision, isStopped: isCancelled)
    let marks = marks(of: list, in: snapshot)
    let rows = ListRows(snapshot)
    return ListRevision(
      revision: revision, rows: rows, selection: rows.ranges(of: marks.selected),
      cursor: marks.cursor.map(rows.path(ofRow:)))
  }

  /// Returns the current selection and cursor of a list in terms of an older snapshot of it.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items of both snapshots.
  package mutating func marks(
    of list: NamedList, in past: Snapshot
  ) -> (selected: [Int], cursor: Int?) {
    let items = match(past, list.allItems)
    let selected = list.allSelectedItems.compactMap { $0.mapped(by: items.rowsToOld) }.sorted()
    let cursor = list.cursor.map { Int(engine.matching.rowsToOld[list.rowOfAll($0)]) }
    return (selected, cursor.flatMap { $0 < 0 ? nil : $0 })
  }
}
