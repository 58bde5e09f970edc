import ListDiff

/// A change of a list by edits, as it is reported.
package struct EditChange: Sendable {
  package var name: [UInt8]
  package var baseRevision: Int
  package var revision: Int
  package var stages: [Stage]
  package var rows: Counts
  package var sections: Counts

  /// The list after the change.
  package var new: ListRows

  /// The kept items with a different value, by their new indices.
  package var changedItems: [Int]

  /// The kept sections whose own members have a different value, by their new indices, and the
  /// members before.
  package var changedSections: [(section: Int, before: Payload)]

  /// The selected rows, and the row of the cursor.
  package var selection: [(at: Path, count: Int)]
  package var cursor: Path?

  /// The deselected items: their keys, and their paths before.
  package var deselected: [(key: UInt32, at: Path, isDeleted: Bool)]

  /// The selected and deselected items, if nothing else has changed.
  package var marking: SelectionChange?

  /// The numbers of a view; `nil` for other lists. `changesNumbers` reports whether they have
  /// changed.
  package var numbers: ViewNumbers?
  package var changesNumbers = false
}

extension SnapshotChange {
  /// Creates a change with the operations and counts of edits.
  package init(_ change: EditChange) {
    stages = change.stages
    movement = Movement(rowCounts: change.rows, sectionCounts: change.sections)
  }
}

/// Random access to the rows of a list.
package struct ListRows: Sendable {
  private let tree: ListTree

  init(_ tree: ListTree) { self.tree = tree }

  /// Returns the index of the first row of a section.
  ///
  /// - Complexity: O(log *s*), where *s* is the number of sections.
  package func start(ofSection section: Int) -> Int {
    tree.order.find(section, .elements, inTree: 0)?.before.items ?? tree.itemCount
  }

  /// Returns the section and row of a flat row.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of rows.
  package func path(ofRow row: Int) -> Path {
    guard let path = tree.path(at: row) else { preconditionFailure("a row index is in bounds") }
    return path
  }

  /// Returns the text of a row, valid during the lifetime of this value.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of rows.
  package func bytes(ofRow row: Int) -> UnsafeRawBufferPointer {
    guard let location = tree.location(at: row) else {
      preconditionFailure("a row index is in bounds")
    }
    return tree.bytes(of: tree.record(at: location).payload)
  }

  /// Returns the text of a section's own members, valid during the lifetime of this value.
  package func bytes(ofSection section: Int) -> UnsafeRawBufferPointer {
    guard let section = tree.section(at: section) else {
      preconditionFailure("a section index is in bounds")
    }
    return tree.bytes(of: tree.sections[section].traits.own)
  }

  /// Returns a text of the list before or after the change, valid during the lifetime of this
  /// value.
  package func bytes(of payload: Payload) -> UnsafeRawBufferPointer { tree.bytes(of: payload) }
}
