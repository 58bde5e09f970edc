import ListDiff

/// The parameters of a request for a selection.
package struct SelectRequest: Sendable {
  package var action: SelectionAction?
  package var items: [ItemReference]?
  /// The key of a section. The inner `nil` means that no list has the identifier.
  package var section: UInt32??
  package var cursor: ItemReference?

  /// Whether the list has no cursor from now on. `cursor` is `nil` then.
  package var clearsCursor = false

  /// Whether the request sets or removes the cursor.
  var setsCursor: Bool { cursor != nil || clearsCursor }

  package init() {}
}

/// The items that a request has selected and deselected, as ranges of rows.
package struct SelectionChange: Sendable {
  package var name: [UInt8]
  package var revision: Int
  package var deselected: [(at: Path, count: Int)]
  package var selected: [(at: Path, count: Int)]

  /// The indices of the deselected items.
  package var deselectedItems: [Int]

  /// The selected rows, and the row of the cursor.
  package var selection: [(at: Path, count: Int)]
  package var cursor: Path?

  /// Whether the selection or the cursor changed.
  package var changesMarks: Bool
}

extension ListStore {
  /// Changes the selection of a list, its cursor, or both.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items that are named, selected or
  ///   deselected and *n* the number of items; O(*n*) for the first selection after a snapshot, and with
  ///   references to older revisions.
  /// - Throws: `listNotFound`, `sectionNotFound`, `itemsNotFound`, `notSelectable`,
  ///   `itemsOutsideSection`, `revisionNotFound`.
  /// - Returns: The change of the list, and all changes to report: those of the lists whose
  ///   selection a view shows, of that list, and of views that show the same selection, each after
  ///   its sources.
  package mutating func select(
    _ name: [UInt8], _ request: SelectRequest
  ) throws(ListFailure) -> (own: SelectionChange, all: [SelectionChange]) {
    guard contains(name) else { throw .listNotFound(name) }
    try makeOwnersDistinct(of: lists[name]!, lists[name]!.viewRules)
    lists[name]!.indexKeys()
    if lists[name]!.viewRules?.selectsInSources == true {
      return try selectInSources(name, request)
    }
    let change = try selectTree(name, request)
    return (change, sharesSelection(name) ? followSelections([name: change], of: name) : [change])
  }

  /// Returns the items that an action on a section cannot select because they are not in it.
  static func others(
    _ items: Range<Int>, _ action: SelectionAction?, hasAnchor: Bool, isInSection: (Int) -> Bool
  ) -> [Int] {
    // Without an anchor, an extension replaces the selection by the last item.
    let isExtension = action == .extend && !hasAnchor
    guard action == .replace || isExtension else { return [] }
    let first = isExtension ? max(0, items.count - 1) : 0
    return items.dropFirst(first).filter { !isInSection($0) }
  }

  /// Returns the selection and the cursor of a list as a change that changes neither.
  package func unchangedMarks(of name: [UInt8]) -> SelectionChange {
    let list = listOrNew(name)
    return SelectionChange(
      name: name, revision: list.revision, deselected: [], selected: [], deselectedItems: [],
      selection: list.selectedRows, cursor: list.cursorPath, changesMarks: false)
  }
}

extension SelectionChange {
  /// Creates the selection change of a list that had selected some items, and whose items are the same.
  init(of list: NamedList, _ before: [Int]) {
    let tree = list.tree!
    let selected = list.selectedItems
    let (known, now) = (Set(before), Set(selected))
    let deselected = before.filter { !now.contains($0) }
    self.init(
      name: list.name, revision: list.revision, deselected: tree.ranges(of: deselected),
      selected: tree.ranges(of: selected.filter { !known.contains($0) }),
      deselectedItems: deselected, selection: list.selectedRows, cursor: list.cursorPath,
      changesMarks: true)
  }
}
