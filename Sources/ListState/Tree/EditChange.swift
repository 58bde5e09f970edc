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

  /// The rows that are shown as before; `nil` if only marks have changed, or if the list is not in
  /// ``ListStore/shownLists``.
  package var runs: RowRuns?
}

extension SnapshotChange {
  /// Creates a change with the operations and counts of edits.
  package init(_ change: EditChange) {
    stages = change.stages
    movement = Movement(rowCounts: change.rows, sectionCounts: change.sections)
  }
}

/// Random access to the rows of a list. Copies share the list.
package struct ListRows: Sendable {
  /// A copy of a tree would copy the references to all of its columns.
  private final class SharedTree: Sendable {
    let tree: ListTree

    init(_ tree: ListTree) { self.tree = tree }
  }

  private let shared: SharedTree

  private var tree: ListTree { _read { yield shared.tree } }

  init(_ tree: ListTree) { shared = SharedTree(tree) }

  /// The rows of an empty list.
  static let empty = ListRows(ListTree(Snapshot(), of: [], universe: 0))

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
  package func bytes(ofRow row: Int) -> UnsafeRawBufferPointer { self.row(row).bytes }

  /// Returns the flat row at a section and row, or `nil` if there is none.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of rows.
  package func row(section: Int, _ row: Int) -> Int? {
    guard section >= 0, row >= 0,
      let (element, before) = tree.order.find(
        section, .elements, inTree: 0), row < tree.forest.sums(ofTree: element).items
    else { return nil }
    return before.items + row
  }

  /// Returns the key of an item.
  package func key(ofItem item: Int) -> UInt32 {
    guard let location = tree.location(at: item) else {
      preconditionFailure("an item index is in bounds")
    }
    return tree.record(at: location).key
  }

  /// Returns the key of a section.
  package func key(ofSection section: Int) -> UInt32 {
    guard let section = tree.section(at: section) else {
      preconditionFailure("a section index is in bounds")
    }
    return tree.sections[section].key
  }

  /// The number of sections.
  package var sectionCount: Int { tree.sectionCount }

  /// The number of rows.
  package var rowCount: Int { tree.itemCount }

  /// Returns the text of a row, valid during the lifetime of this value, the key of its template
  /// plus one, and whether it is selected.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of rows.
  package func row(
    _ row: Int
  ) -> (bytes: UnsafeRawBufferPointer, template: UInt32, isSelected: Bool) {
    guard let location = tree.location(at: row) else {
      preconditionFailure("a row index is in bounds")
    }
    let record = tree.record(at: location)
    return (tree.bytes(of: record.payload), record.template, record.traits.contains(.selected))
  }

  /// Returns the traits of a section. Their text is valid during the lifetime of this value.
  package func traits(ofSection section: Int) -> SectionTraits {
    guard let section = tree.section(at: section) else {
      preconditionFailure("a section index is in bounds")
    }
    return tree.sections[section].traits
  }

  /// The selected rows as maximal ranges within sections.
  package var selection: [(at: Path, count: Int)] { tree.selectedRanges }

  /// Returns the text of a section's own members, valid during the lifetime of this value.
  package func bytes(ofSection section: Int) -> UnsafeRawBufferPointer {
    tree.bytes(of: traits(ofSection: section).own)
  }

  /// Returns a text of the list before or after the change, valid during the lifetime of this
  /// value.
  package func bytes(of payload: Payload) -> UnsafeRawBufferPointer { tree.bytes(of: payload) }
}

extension EditChange {
  /// Creates the empty change of a list; `nil` if the list is not kept as a tree.
  package init?(unchanged list: NamedList) {
    guard let tree = list.tree else { return nil }
    self.init(
      name: list.name, baseRevision: list.revision, revision: list.revision, stages: [],
      rows: Counts(), sections: Counts(), new: ListRows(tree), changedItems: [],
      changedSections: [], selection: tree.selectedRanges,
      cursor: list.cursor.flatMap(tree.path(at:)), deselected: [])
    numbers = list.view?.numbers
  }

  /// Creates a change of only the selection and the cursor of a list; `nil` if the list is not kept
  /// as a tree.
  package init?(marking change: SelectionChange, of list: NamedList) {
    self.init(unchanged: list)
    guard let tree = list.tree else { return nil }
    deselected = change.deselectedItems.compactMap { item in
      tree.location(at: item).map { (tree.record(at: $0).key, tree.path(of: $0), false) }
    }
  }
}
