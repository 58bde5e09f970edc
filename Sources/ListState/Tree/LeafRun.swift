/// The items of consecutive leaves.
struct LeafRun {
  private var leaves: [ItemLeaf] = []
  private(set) var count = 0

  mutating func append(_ leaf: ItemLeaf) {
    leaves.append(leaf)
    count += leaf.count
  }

  /// Returns the items in a range.
  func records(_ range: Range<Int>) -> [ItemRecord] {
    var records: [ItemRecord] = []
    records.reserveCapacity(range.count)
    var start = 0
    for leaf in leaves {
      let own = range.clamped(to: start..<start + leaf.count)
      for index in own { records.append(leaf[index - start]) }
      start += leaf.count
    }
    return records
  }

  /// Returns the number of items from an index on, at most `limit`, that are equal in another run.
  ///
  /// - Complexity: O(*k* + *l*), where *k* is the result and *l* the number of leaves.
  func commonPrefix(
    from index: Int, with other: LeafRun, from otherIndex: Int, _ limit: Int
  ) -> Int {
    var (cursor, otherCursor) = (Cursor(index: index), Cursor(index: otherIndex))
    var count = 0
    while count < limit {
      cursor.leaveEnd(of: leaves)
      otherCursor.leaveEnd(of: other.leaves)
      let most = min(
        limit - count, leaves[cursor.leaf].count - cursor.index,
        other.leaves[otherCursor.leaf].count - otherCursor.index)
      let same = leaves[cursor.leaf].commonCount(
        at: cursor.index, other.leaves[otherCursor.leaf], at: otherCursor.index, by: 1,
        atMost: most)
      count += same
      if same < most { break }
      cursor.index += most
      otherCursor.index += most
    }
    return count
  }

  /// Returns the number of items at the end, at most `limit`, that are equal in another run.
  ///
  /// - Complexity: O(*k*), where *k* is the result.
  func commonSuffix(with other: LeafRun, _ limit: Int) -> Int {
    var (cursor, otherCursor) = (Cursor(endOf: leaves), Cursor(endOf: other.leaves))
    var count = 0
    while count < limit {
      cursor.leaveStart(of: leaves)
      otherCursor.leaveStart(of: other.leaves)
      let most = min(limit - count, cursor.index, otherCursor.index)
      let same = leaves[cursor.leaf].commonCount(
        at: cursor.index - 1, other.leaves[otherCursor.leaf], at: otherCursor.index - 1, by: -1,
        atMost: most)
      count += same
      if same < most { break }
      cursor.index -= most
      otherCursor.index -= most
    }
    return count
  }

  /// A position between two items.
  private struct Cursor {
    var leaf = 0
    var index: Int

    /// Creates the position before an item of the first leaf or of a later one.
    init(index: Int) { self.index = index }

    init(endOf leaves: [ItemLeaf]) {
      leaf = leaves.count - 1
      index = leaves.last?.count ?? 0
    }

    mutating func leaveEnd(of leaves: [ItemLeaf]) {
      while index >= leaves[leaf].count { (leaf, index) = (leaf + 1, index - leaves[leaf].count) }
    }

    mutating func leaveStart(of leaves: [ItemLeaf]) {
      while index == 0 { (leaf, index) = (leaf - 1, leaves[leaf - 1].count) }
    }
  }
}
