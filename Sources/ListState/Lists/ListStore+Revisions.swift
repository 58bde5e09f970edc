import ListDiff

/// A revision of a list.
package struct ListRevision: Sendable {
  package var revision: Int
  package var snapshot: Snapshot

  /// The selected items of the revision, in order, and the flat row of the cursor.
  package var selected: [Int]
  package var cursor: Int?

  /// The numbers of a view at its current revision; otherwise `nil`.
  package var numbers: ViewNumbers?
}

extension ListStore {
  /// Returns a revision of a list, by default the current one. The selection and the cursor are the
  /// current ones, in terms of the revision.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items of this and all later revisions; O(1) for
  ///   the current revision of a list that has not been edited since a snapshot.
  /// - Throws: `revisionNotFound`, `cancelled`.
  package mutating func revision(
    _ revision: Int?, of name: [UInt8]
  ) throws(ListFailure) -> ListRevision {
    let list = peek(name) ?? NamedList(name: name)
    let snapshot = try list.snapshot(of: revision, isStopped: isCancelled)
    guard let revision, revision != list.revision else {
      return ListRevision(
        revision: list.revision, snapshot: snapshot, selected: list.selectedItems,
        cursor: list.cursor, numbers: list.viewNumbers)
    }
    let marks = marks(of: list, in: snapshot)
    return ListRevision(
      revision: revision, snapshot: snapshot, selected: marks.selected,
      cursor: marks.cursor)
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
