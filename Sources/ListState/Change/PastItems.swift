import ListDiff

/// An item of an older revision.
struct PastItem {
  var identity: UInt32

  /// The key of the same item before the edits; `nil` if there is none.
  var key: UInt32?

  /// The keys of the repeated items before the edits.
  var others: Set<UInt32> = []
}

/// The items of an older revision to which edits of a tree refer.
struct PastItems {
  fileprivate let snapshot: Snapshot

  /// The key of each item before the edits, if items repeat.
  fileprivate var keys: [UInt32?] = []
  fileprivate var repeated: Set<UInt32> = []

  /// Returns the item at a section and row.
  func item(section: Int, row: Int) -> PastItem? {
    guard let item = snapshot.row(section: section, row).map(snapshot.item(ofRow:)) else {
      return nil
    }
    let identity = snapshot.arrangement.rows[item]
    if keys.isEmpty { return PastItem(identity: identity, key: identity) }
    return PastItem(identity: identity, key: keys[item], others: repeated)
  }
}

extension ListStore {
  /// Pairs the items of an older revision with those of a tree.
  ///
  /// - Complexity: O(*n* log *n*) if items repeat, where *n* is the number of items; else O(1).
  mutating func pastItems(_ past: Snapshot, in tree: ListTree) -> PastItems {
    var items = PastItems(snapshot: past)
    guard past.arrangement.hasRepeats || !tree.repeats.isEmpty else { return items }
    let present = Array(tree.keys)
    items.keys = match(past, tree.snapshot()).rowsToNew.map { $0 < 0 ? nil : present[Int($0)] }
    items.repeated = Set(present.lazy.filter(tree.repeats.contains))
    return items
  }
}

extension ListTree {
  /// Returns the key of an item of an older revision. An edit may have deleted the item and inserted
  /// it again.
  func key(of past: PastItem) -> UInt32? {
    if let key = past.key, contains(key) { return key }
    return locations(ofIdentity: past.identity).lazy.map { record(at: $0).key }
      .first { !past.others.contains($0) }
  }
}
