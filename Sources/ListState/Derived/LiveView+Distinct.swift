extension LiveView {
  /// Returns the items that the view may show, of which it shows the first of each value.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items of the sources.
  func distinctItems(_ ids: borrowing IDTable) -> DistinctItems {
    var distinct = DistinctItems()
    for section in sources.sectionsInOrder {
      for leaf in sources.leaves(ofSection: section) {
        for index in 0..<sources.leaves[leaf].count {
          let location = ListTree.Location(leaf: leaf, index: index)
          let item = viewed(at: location, ids)
          guard rules.accepts(item), let value = rules.distinctValue(of: item.bytes) else {
            continue
          }
          distinct.append(sources.key(at: location), value)
        }
      }
    }
    distinct.finishChange()
    return distinct
  }

  /// Removes items before they are changed.
  mutating func removeDistinct(_ keys: [UInt32]) {
    guard rules.isDistinct else { return }
    for key in keys {
      guard let (value, index) = distinctPosition(of: key) else { continue }
      distinct!.remove(key, value) { index > sources.index(ofKey: $0)! }
    }
  }

  /// Adds items that satisfy the condition and match. Returns the items that the view has because
  /// of this, and those that it does not have any more.
  mutating func insertDistinct(_ keys: [UInt32]) -> (kept: [UInt32], hidden: [UInt32]) {
    guard rules.isDistinct else { return (keys, []) }
    var kept: [UInt32] = []
    var hidden: [UInt32] = []
    for key in keys {
      guard let (value, index) = distinctPosition(of: key) else {
        kept.append(key)
        continue
      }
      distinct!.insert(key, value) { index > sources.index(ofKey: $0)! }
    }
    for (old, new) in distinct!.firsts {
      if let old, old != new { hidden.append(old) }
      if let new { kept.append(new) }
    }
    return (kept, hidden)
  }

  /// Returns the value by which an item is distinct, and the index of the item in the sources.
  func distinctPosition(of key: UInt32) -> (value: GroupID, index: Int)? {
    guard let location = sources.location(of: key) else { return nil }
    let item = sources.bytes(of: sources.record(at: location).payload)
    return rules.distinctValue(of: item).map { ($0, sources.index(of: location)) }
  }
}
