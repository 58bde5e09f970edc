/// The items of consecutive modified leaves of a section, before or after the change.
struct LeafRun {
  private let leaves: ArraySlice<TreeComparison.ModifiedLeaf>

  init(_ leaves: ArraySlice<TreeComparison.ModifiedLeaf>) { self.leaves = leaves }

  /// Returns the number of items before or after the change.
  func count(isOld: Bool, _ tree: ListTree) -> Int {
    leaves.reduce(0) { $0 + $1.count(isOld: isOld, tree) }
  }

  /// Calls `body` with the items in a range.
  func forEach(
    _ items: Range<Int>, isOld: Bool, _ tree: ListTree, _ body: (ItemRecord) -> Void
  ) {
    var start = 0
    for leaf in leaves where start < items.upperBound {
      let count = leaf.count(isOld: isOld, tree)
      for index in items.clamped(to: start..<start + count) {
        body(
          isOld
            ? tree.change.leaves[leaf.saved].before[index - start]
            : tree.leaves[leaf.leaf][index - start])
      }
      start += count
    }
  }

  /// Returns the number of rows of the items in a range before the change.
  func rowCountBefore(_ items: Range<Int>, _ tree: ListTree) -> Int {
    var (rows, start) = (0, 0)
    for leaf in leaves where start < items.upperBound {
      let end = start + leaf.count(isOld: true, tree)
      let own = items.clamped(to: start..<end)
      rows += tree.change.leaves[leaf.saved].before.rowCount(
        of: own.lowerBound - start..<own.upperBound - start, tree.parts)
      start = end
    }
    return rows
  }

  /// Returns the items in a range.
  func records(_ items: Range<Int>, isOld: Bool, _ tree: ListTree) -> [ItemRecord] {
    var records: [ItemRecord] = []
    records.reserveCapacity(items.count)
    forEach(items, isOld: isOld, tree) { records.append($0) }
    return records
  }

  /// Returns the number of items from two indices on, at most `limit`, that are equal before and after
  /// the change.
  ///
  /// - Complexity: O(*k* + *l*), where *k* is the result and *l* the number of leaves.
  func commonPrefix(from old: Int, _ new: Int, _ limit: Int, _ tree: ListTree) -> Int {
    var (old, new) = (
      Cursor(leaf: leaves.startIndex, index: old), Cursor(leaf: leaves.startIndex, index: new)
    )
    var count = 0
    while count < limit {
      let before = old.leaveEnd(of: leaves, isOld: true, tree)
      let after = new.leaveEnd(of: leaves, isOld: false, tree)
      let most = min(limit - count, before - old.index, after - new.index)
      let same = commonCount(at: old, new, by: 1, atMost: most, tree)
      count += same
      if same < most { break }
      old.index += most
      new.index += most
    }
    return count
  }

  /// Returns the number of items at the end, at most `limit`, that are equal before and after the
  /// change.
  ///
  /// - Complexity: O(*k*), where *k* is the result.
  func commonSuffix(_ limit: Int, _ tree: ListTree) -> Int {
    var (old, new) = (
      Cursor(leaf: leaves.endIndex, index: 0), Cursor(leaf: leaves.endIndex, index: 0)
    )
    var count = 0
    while count < limit {
      old.leaveStart(of: leaves, isOld: true, tree)
      new.leaveStart(of: leaves, isOld: false, tree)
      let most = min(limit - count, old.index, new.index)
      let same = commonCount(
        at: Cursor(leaf: old.leaf, index: old.index - 1),
        Cursor(leaf: new.leaf, index: new.index - 1), by: -1, atMost: most, tree)
      count += same
      if same < most { break }
      old.index -= most
      new.index -= most
    }
    return count
  }

  private func commonCount(
    at old: Cursor, _ new: Cursor, by step: Int, atMost most: Int, _ tree: ListTree
  ) -> Int {
    let (before, now) = (leaves[old.leaf].saved, leaves[new.leaf].leaf)
    let known =
      old.leaf != new.leaf
      ? 0
      : tree.leaves[now].unchangedCount(
        at: new.index, savedAt: old.index, of: tree.change.leaves[before].before.count, by: step,
        atMost: most)
    if known == most { return most }
    let (next, newNext) = (old.index + known * step, new.index + known * step)
    // Most often the next items differ. To compare the leaves copies them.
    if tree.leaves[now].key(at: newNext) != tree.change.leaves[before].before.key(at: next)
      || tree.leaves[now].text(at: newNext) != tree.change.leaves[before].before.text(at: next)
    {
      return known
    }
    return known
      + tree.change.leaves[before].before.commonCount(
        at: next, tree.leaves[now], at: newNext, by: step, atMost: most - known)
  }

  /// A position between two items: a leaf and an index there.
  private struct Cursor {
    var leaf: Int
    var index: Int

    /// Moves from the end of a leaf, or beyond it, to a later leaf. Returns the number of items of
    /// the leaf.
    mutating func leaveEnd(
      of leaves: ArraySlice<TreeComparison.ModifiedLeaf>, isOld: Bool, _ tree: ListTree
    ) -> Int {
      var count = leaves[leaf].count(isOld: isOld, tree)
      while index >= count {
        (leaf, index) = (leaf + 1, index - count)
        count = leaves[leaf].count(isOld: isOld, tree)
      }
      return count
    }

    /// Moves from the start of a leaf to the end of one before it.
    mutating func leaveStart(
      of leaves: ArraySlice<TreeComparison.ModifiedLeaf>, isOld: Bool, _ tree: ListTree
    ) {
      while index == 0 {
        leaf -= 1
        index = leaves[leaf].count(isOld: isOld, tree)
      }
    }
  }
}

extension TreeComparison {
  /// A modified leaf: its number, its section, its index in ``TreeChange/leaves``, and its order in
  /// the section.
  struct ModifiedLeaf {
    private let numbers: SIMD4<Int32>
    let order: UInt64

    init(_ leaf: Int, saved: Int, _ tree: ListTree) {
      numbers = SIMD4(
        Int32(truncatingIfNeeded: leaf), Int32(truncatingIfNeeded: tree.section(ofLeaf: leaf)),
        Int32(truncatingIfNeeded: saved), 0)
      // Only several leaves have to be put in order.
      order = tree.change.leaves.count > 1 ? tree.forest.order(of: leaf) : 0
    }

    var leaf: Int { Int(numbers[0]) }
    var section: Int { Int(numbers[1]) }
    var saved: Int { Int(numbers[2]) }

    /// Returns the number of items before or after the change.
    func count(isOld: Bool, _ tree: ListTree) -> Int {
      if isOld { return tree.change.leaves[saved].before.count }
      // The leaves of a deleted section are unmodified.
      return tree.sections[section].isDeleted ? 0 : tree.leaves[leaf].count
    }
  }
}

extension ListTree {
  /// Appends the leaves that the change has modified, by section and in order.
  func appendModifiedLeaves(to modified: inout [TreeComparison.ModifiedLeaf]) {
    modified.reserveCapacity(change.leaves.count)
    for saved in change.leaves.indices {
      modified.append(TreeComparison.ModifiedLeaf(change.leaves[saved].leaf, saved: saved, self))
    }
    if modified.count > 1 { modified.sort { ($0.section, $0.order) < ($1.section, $1.order) } }
  }
}
