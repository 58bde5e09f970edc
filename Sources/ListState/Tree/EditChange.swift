import ListDiff

/// The operations of a change of a list by edits.
package struct EditOperations: Sendable {
  package var stages: [Stage] = []

  /// The deletes, inserts and moves in items instead of rows; `nil` if each item is a row.
  package var itemStages: [Stage]?
  package var rows = Counts()
  package var sections = Counts()

  /// The kept items with a different value, by their new indices.
  package var changedItems: [Int] = []

  /// The kept sections whose own members have a different value, by their new indices, and the
  /// members before.
  package var changedSections: [(section: Int, before: Payload)] = []

  /// Whether the content of the list has changed. False if there are only forced updates.
  var changesContent = false
}

/// A change of a list by edits, as it is reported.
package final class EditChange: Sendable {
  package let name: [UInt8]
  package let baseRevision: Int
  package let revision: Int
  package let operations: EditOperations

  /// The list after the change.
  package let new: ListRows

  /// The list before the change, if ``ListStore/keepsOldContents(of:)`` was true.
  package let old: ListRows?

  /// The selected rows, and the row of the cursor.
  package let selection: [(at: Path, count: Int)]
  package let cursor: Path?

  /// The deselected items: the keys of their identities, and their paths before.
  package let deselected: [(key: UInt32, at: Path, isDeleted: Bool)]

  /// The selected and deselected items, if nothing else has changed.
  package let marking: SelectionChange?

  /// The numbers of a view; `nil` for other lists. `changesNumbers` reports whether they have
  /// changed.
  package let numbers: ViewNumbers?
  package let changesNumbers: Bool

  /// The rows that are shown as before; `nil` if only marks have changed, or if the list is not in
  /// ``ListStore/shownLists``.
  package let runs: RowRuns?

  init(
    _ operations: EditOperations = EditOperations(), of list: borrowing NamedList, revision: Int,
    new: ListRows, old: ListRows? = nil, selection: [(at: Path, count: Int)] = [],
    cursor: Path? = nil,
    deselected: [(key: UInt32, at: Path, isDeleted: Bool)] = [], marking: SelectionChange? = nil,
    numbers: ViewNumbers? = nil, changesNumbers: Bool = false, runs: RowRuns? = nil
  ) {
    name = list.name
    baseRevision = list.revision
    self.revision = revision
    self.operations = operations
    self.new = new
    self.old = old
    self.selection = selection
    self.cursor = cursor
    self.deselected = deselected
    self.marking = marking
    self.numbers = numbers
    self.changesNumbers = changesNumbers
    self.runs = runs
  }
}

extension SnapshotChange {
  /// Creates a change with the operations and counts of edits.
  package convenience init(_ change: EditChange) {
    let operations = change.operations
    self.init(
      stages: operations.stages,
      movement: Movement(rowCounts: operations.rows, sectionCounts: operations.sections))
  }
}

extension EditChange {
  /// Creates the empty change of a list; `nil` if the list is not kept as a tree.
  package convenience init?(unchanged list: NamedList) { self.init(list, deselected: []) }

  /// Creates a change of only the selection and the cursor of a list; `nil` if the list is not kept
  /// as a tree.
  package convenience init?(marking change: SelectionChange, of list: NamedList) {
    let deselected = list.tree.map { tree in
      change.deselectedItems.compactMap { item in
        tree.location(at: item).map {
          (key: tree.identity(of: tree.record(at: $0).key), at: tree.path(of: $0), isDeleted: false)
        }
      }
    }
    self.init(list, deselected: deselected ?? [])
  }

  private convenience init?(
    _ list: NamedList, deselected: [(key: UInt32, at: Path, isDeleted: Bool)]
  ) {
    guard let tree = list.tree else { return nil }
    self.init(
      of: list, revision: list.revision, new: ListRows(tree), selection: tree.selectedRanges,
      cursor: list.cursor.flatMap(tree.path(ofRow:)), deselected: deselected,
      numbers: list.viewNumbers)
  }
}
