import ListDiff

/// What edits have done to a list.
package struct EditChange: Sendable {
  package var name: [UInt8]
  package var baseRevision: Int
  package var revision: Int
  package var stages: [Stage]
  package var rows: Counts
  package var sections: Counts

  /// The list as it is now.
  package var new: ListRows

  /// The kept items with another value, by their indices now.
  package var changedItems: [Int]

  /// The kept sections whose own members have another value: their indices now, and the members
  /// before.
  package var changedSections: [(section: Int, before: Payload)]

  /// The selected rows, and the row with the cursor.
  package var selection: [(at: Path, count: Int)]
  package var cursor: Path?

  /// What left the selection: its key, and where it was before.
  package var deselected: [(key: UInt32, at: Path, gone: Bool)]

  /// What was selected and deselected, if that is all that has changed.
  package var marking: SelectionChange?

  /// The numbers of a view; `nil` for other lists. `isRenumbered` says whether they have changed.
  package var numbers: ViewNumbers?
  package var isRenumbered = false
}

extension SnapshotChange {
  /// The operations and counts of edits.
  package init(_ change: EditChange) {
    stages = change.stages
    movement = Movement(rowCounts: change.rows, sectionCounts: change.sections)
  }
}

/// The rows of a list, found by their indices.
package struct ListRows: Sendable {
  private let tree: ListTree

  init(_ tree: ListTree) { self.tree = tree }

  /// The index of the first row of a section.
  ///
  /// - Complexity: O(log *s*), where *s* is the number of sections.
  package func start(ofSection section: Int) -> Int {
    tree.order.find(section, .elements, inTree: 0)?.before.items ?? tree.itemCount
  }

  /// The section and the row in it of a row.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of rows.
  package func path(ofRow row: Int) -> Path {
    guard let path = tree.path(at: row) else { preconditionFailure("a row beyond the last") }
    return path
  }

  /// The text of a row, valid as long as this lives.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of rows.
  package func bytes(ofRow row: Int) -> UnsafeRawBufferPointer {
    guard let location = tree.location(at: row) else {
      preconditionFailure("a row beyond the last")
    }
    return tree.bytes(of: tree.record(at: location).payload)
  }

  /// The text of a section's own members, valid as long as this lives.
  package func bytes(ofSection section: Int) -> UnsafeRawBufferPointer {
    guard let section = tree.section(at: section) else {
      preconditionFailure("a section beyond the last")
    }
    return tree.bytes(of: tree.sections[section].traits.own)
  }

  /// A text that the list has or had before the change, valid as long as this lives.
  package func bytes(of payload: Payload) -> UnsafeRawBufferPointer { tree.bytes(of: payload) }
}
