import ListDiff

/// A change of a list by edits, as it is reported.
package struct EditChange: Sendable {
  package var name: [UInt8]
  package var baseRevision: Int
  package var revision: Int
  package var stages: [Stage]

  /// The deletes, inserts and moves in items instead of rows; `nil` if each item is a row.
  package var itemStages: [Stage]?
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

  /// The deselected items: the keys of their identities, and their paths before.
  package var deselected: [(key: UInt32, at: Path, isDeleted: Bool)]

  /// The selected and deselected items, if nothing else has changed.
  package var marking: SelectionChange?

  /// The numbers of a view; `nil` for other lists. `changesNumbers` reports whether they have
  /// changed.
  package var numbers: ViewNumbers?
  package var changesNumbers = false

  /// The rows that are shown as before; `nil` if only marks have changed, or if the list is not in
  /// ``ListStore/shownLists``.
  package var runs: RowRuns?
}

extension SnapshotChange {
  /// Creates a change with the operations and counts of edits.
  package convenience init(_ change: EditChange) {
    self.init(
      stages: change.stages,
      movement: Movement(rowCounts: change.rows, sectionCounts: change.sections))
  }
}

extension EditChange {
  /// Creates the empty change of a list, without its rows and marks.
  init(edited list: NamedList) {
    self.init(
      name: list.name, baseRevision: list.revision, revision: list.revision, stages: [],
      rows: Counts(), sections: Counts(), new: .empty, changedItems: [], changedSections: [],
      selection: [], deselected: [])
  }

  /// Sets that the list is unchanged.
  mutating func setNoChanges() {
    (stages, itemStages, rows, sections) = ([], nil, Counts(), Counts())
    (changedItems, changedSections) = ([], [])
  }

  /// Creates the empty change of a list; `nil` if the list is not kept as a tree.
  package init?(unchanged list: NamedList) {
    guard let tree = list.tree else { return nil }
    self.init(edited: list)
    new = ListRows(tree)
    selection = tree.selectedRanges
    cursor = list.cursor.flatMap(tree.path(ofRow:))
    numbers = list.view?.numbers
  }

  /// Creates a change of only the selection and the cursor of a list; `nil` if the list is not kept
  /// as a tree.
  package init?(marking change: SelectionChange, of list: NamedList) {
    self.init(unchanged: list)
    guard let tree = list.tree else { return nil }
    deselected = change.deselectedItems.compactMap { item in
      tree.location(at: item).map {
        (tree.identity(of: tree.record(at: $0).key), tree.path(of: $0), false)
      }
    }
  }
}
