import ListDiff

extension ListStore {
  /// The items that references name in a snapshot of a list.
  ///
  /// A path with a revision is carried from that revision to the snapshot by identity.
  ///
  /// - Throws: `itemsNotFound` with all that are missing, `revisionNotFound`, and where
  ///   `selectable` is asked for `notSelectable` with all that are not.
  package mutating func resolve(
    _ references: [ItemReference], in snapshot: Snapshot, of list: NamedList,
    selectable: Bool = true
  ) throws(ListFailure) -> [Int] {
    let index = ItemIndex(of: snapshot, forReferences: references.count)
    var items: [Int] = []
    var missing: [Int] = []
    for (place, reference) in references.enumerated() {
      if let item = try item(reference, in: snapshot, of: list, index) {
        items.append(item)
      } else {
        missing.append(place)
      }
    }
    guard missing.isEmpty else { throw .itemsNotFound(missing) }
    let barred = items.indices.filter { selectable && !snapshot.isSelectable(items[$0]) }
    guard barred.isEmpty else { throw .notSelectable(barred) }
    return items
  }

  /// The flat row that a reference names: the row at a path, or the first one of an item.
  ///
  /// - Throws: `cursorNotFound`, also where the item shows no row; `revisionNotFound`.
  package mutating func cursorRow(
    _ reference: ItemReference, in snapshot: Snapshot, of list: NamedList
  ) throws(ListFailure) -> Int {
    if case .path(let section, let row, nil) = reference {
      if let row = snapshot.row(section: section, row) { return row }
    } else if case .path(let section, let row, let revision) = reference {
      let past = try list.snapshot(of: revision)
      if let row = past.row(section: section, row) {
        let items = match(past, snapshot)
        if engine.matching.rowsToNew[row] >= 0 { return Int(engine.matching.rowsToNew[row]) }
        let item = Int(items.rowsToNew[past.item(ofRow: row)])
        if item >= 0, let first = snapshot.rows(ofItem: item).first { return first }
      }
    } else {
      let index = ItemIndex(of: snapshot, forReferences: 1)
      if let item = try item(reference, in: snapshot, of: list, index),
        let first = snapshot.rows(ofItem: item).first
      {
        return first
      }
    }
    throw .cursorNotFound
  }

  mutating func item(
    _ reference: ItemReference, in snapshot: Snapshot, of list: NamedList, _ index: ItemIndex
  ) throws(ListFailure) -> Int? {
    switch reference {
    case .id(let id, let occurrence, let source):
      guard let id else { return nil }
      return index.item(keys(of: id, in: list, source: source), occurrence: occurrence)
    case .path(let section, let row, let revision):
      guard let revision else {
        return snapshot.row(section: section, row).map(snapshot.item)
      }
      let past = try list.snapshot(of: revision)
      guard let row = past.row(section: section, row) else { return nil }
      let items = match(past, snapshot)
      let item = Int(items.rowsToNew[past.item(ofRow: row)])
      return item < 0 ? nil : item
    }
  }
}
