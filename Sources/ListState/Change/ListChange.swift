import ListDiff

/// The operations of a change of a list.
package struct ListOperations: Sendable {
  package var stages: [Stage] = []

  /// The deletes, inserts and moves in items instead of rows; `nil` if each item is a row.
  package var itemStages: [Stage]?
  package var rows = Counts()
  package var sections = Counts()

  /// The kept items with a different value, by their new indices.
  package var changedItems: [Int] = []

  /// The kept sections whose own members have a different value, by their new indices, and the
  /// members before.
  package var changedSections: [(section: Int, before: [UInt8])] = []

  /// Whether the content of the list has changed. False if there are only forced updates.
  package var changesContent = false
}

/// A change of a list, as it is reported.
package final class ListChange: Sendable {
  package let name: [UInt8]
  package let baseRevision: Int
  package let revision: Int
  package let operations: ListOperations

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
    _ operations: ListOperations, of name: [UInt8], since baseRevision: Int, revision: Int,
    new: ListRows, old: ListRows? = nil, selection: [(at: Path, count: Int)] = [],
    cursor: Path? = nil,
    deselected: [(key: UInt32, at: Path, isDeleted: Bool)] = [], marking: SelectionChange? = nil,
    numbers: ViewNumbers? = nil, changesNumbers: Bool = false, runs: RowRuns? = nil
  ) {
    self.name = name
    self.baseRevision = baseRevision
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

extension ListChange {
  /// Whether the content has changed.
  package var isRevision: Bool { baseRevision != revision }

  /// Whether the change has operations to report.
  package var isReported: Bool { isRevision || !operations.stages.isEmpty }

  /// Creates a change that leads to a list.
  convenience init(
    _ operations: ListOperations, to list: borrowing NamedList, since baseRevision: Int,
    revision: Int, old: ListRows? = nil,
    deselected: [(key: UInt32, at: Path, isDeleted: Bool)] = [], marking: SelectionChange? = nil,
    changesNumbers: Bool = false, runs: RowRuns? = nil
  ) {
    self.init(
      operations, of: list.name, since: baseRevision, revision: revision, new: list.rows, old: old,
      selection: list.selectedRows, cursor: list.cursorPath, deselected: deselected,
      marking: marking, numbers: list.viewNumbers, changesNumbers: changesNumbers, runs: runs)
  }

  /// Creates an empty change that leads to a list.
  package convenience init(
    unchanged list: NamedList, since baseRevision: Int? = nil, changesNumbers: Bool = false
  ) {
    self.init(
      ListOperations(), to: list, since: baseRevision ?? list.revision, revision: list.revision,
      changesNumbers: changesNumbers)
  }

  /// Creates a change of only the selection and the cursor of a list.
  package convenience init(marking change: SelectionChange, of list: NamedList) {
    let deselected = list.tree.map { tree in
      change.deselectedItems.compactMap { item in
        tree.location(at: item).map {
          (key: tree.identity(of: tree.record(at: $0).key), at: tree.path(of: $0), isDeleted: false)
        }
      }
    }
    self.init(
      ListOperations(), to: list, since: list.revision, revision: list.revision,
      deselected: deselected ?? [])
  }
}
