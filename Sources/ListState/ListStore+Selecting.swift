import ListDiff

/// What a request for a selection says.
package struct SelectRequest: Sendable {
  package var action: SelectionAction?
  package var items: [ItemReference]?
  /// The key of a section, `nil` inside where no list has the identifier.
  package var section: UInt32??
  package var cursor: ItemReference?

  package init() {}
}

/// What a request has selected and deselected, of the current snapshot.
package struct SelectionChange: Sendable {
  package var list: NamedList
  package var deselected: BitSet
  package var selected: BitSet
}

extension ListStore {
  /// Changes the selection of a list, its cursor, or both.
  ///
  /// - Throws: `listNotFound`, `sectionNotFound`, `itemsNotFound`, `notSelectable`,
  ///   `revisionNotFound`.
  package mutating func select(
    _ name: [UInt8], _ request: SelectRequest
  ) throws(ListFailure) -> SelectionChange {
    var list = try list(name)
    let snapshot = list.snapshot
    let before = list.selection.items
    var section: Int?
    if let key = request.section {
      section = key.flatMap(snapshot.arrangement.sections.firstIndex)
      if section == nil { throw .sectionNotFound }
    }
    if request.action != nil || request.items != nil {
      let action = request.action ?? .toggle
      let items = try resolve(request.items ?? [], in: snapshot, of: list)
      list.selection.apply(action, to: items, section: section, in: snapshot)
    }
    if let cursor = request.cursor { list.cursor = try cursorRow(cursor, in: snapshot, of: list) }
    store(list)
    return SelectionChange(
      list: list, deselected: before.subtracting(list.selection.items),
      selected: list.selection.items.subtracting(before))
  }

  /// What is selected now and where the cursor is, as places in an older snapshot of a list.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items of both snapshots.
  package mutating func marks(
    of list: NamedList, in past: Snapshot
  ) -> (selection: BitSet, cursor: Int?) {
    let items = match(past, list.snapshot)
    var selection = BitSet(bound: past.itemCount)
    for item in list.selection.items.members where items.rowsToOld[item] >= 0 {
      selection.insert(Int(items.rowsToOld[item]))
    }
    let cursor = list.cursor.map { Int(engine.matching.rowsToOld[$0]) }
    return (selection, cursor.flatMap { $0 < 0 ? nil : $0 })
  }
}
