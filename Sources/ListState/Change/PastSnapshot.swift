import ListDiff

/// The items of an older revision, as items of a later snapshot.
struct PastSnapshot {
  let snapshot: Snapshot
  let itemsToNew: [Int32]
  let rowsToNew: [Int32]

  /// Returns the key of the item at a section and row, and its index in the later snapshot, or
  /// `nil` if it was deleted.
  func item(section: Int, row: Int) -> (key: UInt32, index: Int?)? {
    guard let row = snapshot.row(section: section, row) else { return nil }
    let old = snapshot.item(ofRow: row)
    let item = Int(itemsToNew[old])
    return (snapshot.arrangement.rows[old], item < 0 ? nil : item)
  }

  /// Returns the flat row among `shown` items of the row at a section and row or, if that part of the item was
  /// deleted, of the first row of the item; `all` are the items with which the revision is paired.
  func row(section: Int, _ row: Int, in all: ListTree, shown: ListTree) -> Int? {
    guard let old = snapshot.row(section: section, row) else { return nil }
    let item = itemsToNew[snapshot.item(ofRow: old)]
    let part = rowsToNew[old] < 0 ? nil : all.location(ofRow: Int(rowsToNew[old]))
    guard item >= 0, let location = part?.item ?? all.location(at: Int(item)) else { return nil }
    return shown.location(of: all.key(at: location)).flatMap(shown.firstRow(of:))
      .map { $0 + (part?.row ?? 0) }
  }
}

extension ListStore {
  /// Pairs an older revision of a list with all items of it, in the engine.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items of both.
  mutating func paired(_ past: Snapshot, with all: Snapshot) -> PastSnapshot {
    let items = match(past, all)
    return PastSnapshot(
      snapshot: past, itemsToNew: items.rowsToNew, rowsToNew: engine.matching.rowsToNew)
  }
}
